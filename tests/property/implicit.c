/* Random chains under the implicit schemes: mass ratios up to 1e8, stiffnesses over four decades, walls, gaps,
 * compression, springs, damping from none to far above the contact time, equal or not. Steps up to a quarter of the
 * shortest contact. Momentum is kept and energy does not grow but for the error of the step; the ledger closes as far
 * as the steps resolve the damping. */
#include "carom/scheme.h"
#include "chain.h"
#include "draws.h"

static struct chain chain; /* too large for the stack */

/* what may be expected of a chain */
struct nature {
    bool kept;    /* momentum: no walls, no springs */
    double gamma; /* largest viscous time */
};

static struct nature make_chain(struct carom_random *random)
{
    const double law[4] = {1.0, 0.0};
    const size_t n = 2 + (size_t)draw_between(random, 0.0, 20.0);
    const bool left = draw_between(random, 0.0, 1.0) < 0.2, right = draw_between(random, 0.0, 1.0) < 0.2;
    const bool springs = draw_between(random, 0.0, 1.0) < 0.3, unequal = draw_between(random, 0.0, 1.0) < 0.3;
    const double gamma = draw_between(random, 0.0, 1.0) < 0.3 ? 0.0 : draw_between(random, 0.0, 0.3);
    chain_uniform(&chain, n, left, right, &carom_law_kuwabara_kono, CAROM_END_GAP, law);
    for (size_t i = 0; i < n; i++) {
        chain.mass[i] = pow(10.0, draw_between(random, -4.0, 4.0));
        if (springs)
            chain.spring[i] = chain.mass[i] * pow(10.0, draw_between(random, -2.0, 0.0));
        chain.v[i] = draw_between(random, 0.0, 1.0) < 0.3 ? draw_between(random, -1.0, 1.0) : 0.0;
    }
    chain.v[0] = 1.0;
    for (size_t j = 0; j < chain.nc; j++) {
        chain.param[j][0] = pow(10.0, draw_between(random, -2.0, 2.0));
        chain.param[j][1] = unequal ? gamma * draw_between(random, 0.0, 1.0) : gamma;
        chain.gap[j] = draw_between(random, 0.0, 1.0) < 0.3 ? draw_between(random, -0.1, 0.2) : 0.0;
    }
    return (struct nature){!left && !right && !springs, gamma};
}

static double momentum_of(const double *v, double *size)
{
    double sum = *size = 0.0;
    for (size_t i = 0; i < chain.n; i++) {
        sum += chain.mass[i] * v[i];
        *size += chain.mass[i] * fabs(v[i]);
    }
    return sum;
}

struct tally {
    double momentum, growth, ledger;
    uint64_t steps, solves, halved;
};

static void check_run(const struct carom_scheme *scheme, double h, struct nature nature, struct tally *tally)
{
    struct trial trial;
    struct carom_error error = {.status = CAROM_OK};
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, h, &error));
    CHECK_STATUS(trial_run(&trial, 200.0 * h, &error), CAROM_OK);
    const struct carom_ledger ledger = trial_ledger(&trial);
    const double growth = (ledger.kinetic + ledger.stored) / trial.state->energy;
    double before, after;
    const double lost = momentum_of(trial.view->v, &after) - momentum_of(chain.v, &before);
    CHECK(growth < (scheme == &carom_scheme_energy_momentum ? 1.0 + 1e-12 : 1.2));
    if (scheme == &carom_scheme_energy_momentum)
        CHECK(fabs(ledger.residual) < 1e-12 * trial.state->energy);
    if (nature.gamma < 0.2 * trial.scales.contact_time && h < 0.1 * trial.scales.contact_time) {
        CHECK(fabs(ledger.residual) < 0.15 * trial.state->energy);
        tally->ledger = fmax(tally->ledger, fabs(ledger.residual) / trial.state->energy);
    }
    if (nature.kept) {
        CHECK_NEAR(lost, 0.0, 1e-13 * (before + after));
        tally->momentum = fmax(tally->momentum, fabs(lost) / (before + after));
    }
    tally->growth = fmax(tally->growth, growth);
    tally->steps += trial.stepper->counts.steps;
    tally->solves += trial.stepper->counts.iterations;
    tally->halved += trial.stepper->counts.rejected;
    trial_close(&trial);
}

/* the same chain under a law with a memory, which energy-momentum takes too */
static void give_memory(struct carom_random *random)
{
    const bool dents = draw_between(random, 0.0, 1.0) < 0.5;
    for (size_t j = 0; j < chain.nc; j++) {
        const double part = draw_between(random, 0.3, 1.0);
        chain.law[j] = dents ? &carom_law_bistiff : &carom_law_walton_braun;
        chain.param[j][1] = dents ? 1.5 : chain.param[j][0] / part;
        chain.param[j][2] = part;
    }
}

int main(int argc, char **argv)
{
    static const struct carom_scheme *const schemes[] = {&carom_scheme_irk,    &carom_scheme_gl_reg,
                                                         &carom_scheme_cn_reg, &carom_scheme_gl,
                                                         &carom_scheme_cn,     &carom_scheme_energy_momentum};
    enum { SCHEMES = sizeof schemes / sizeof *schemes, CHAINS = 200 };
    struct tally tally[SCHEMES] = {{0}}, recalls = {0};
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (int c = 0; c < CHAINS; c++) {
        const struct nature nature = make_chain(&random);
        struct carom_model *model = chain_model(&chain);
        struct carom_scales scales;
        CHECK_STATUS(carom_scales_find(model, chain.q, chain.v, &scales, NULL), CAROM_OK);
        carom_model_free(model);
        const double h = scales.contact_time * pow(10.0, draw_between(&random, -2.0, -0.6));
        for (int i = 0; i < SCHEMES; i++)
            check_run(schemes[i], h, nature, &tally[i]);
        give_memory(&random);
        check_run(&carom_scheme_energy_momentum, h, nature, &recalls);
    }
    printf("energy-momentum with a memory: %.2f solves a step, %d of %d steps halved, energy at most %.3f\n",
           (double)recalls.solves / (double)recalls.steps, (int)recalls.halved, (int)recalls.steps, recalls.growth);
    for (int i = 0; i < SCHEMES; i++)
        printf("%-7s %d chains: %.2f solves a step, %d of %d steps halved; momentum off by %.1e, energy at most %.3f, "
               "ledger %.1e\n",
               schemes[i]->kind.name, CHAINS, (double)tally[i].solves / (double)tally[i].steps, (int)tally[i].halved,
               (int)tally[i].steps, tally[i].momentum, tally[i].growth, tally[i].ledger);
    return check_end();
}
