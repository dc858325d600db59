/* Errors of dp5 follow what a single step may have, whatever the law: near touch a force is a power of time that is no
 * polynomial, which the weights of a step miss and its estimate hardly sees, so it is put right (touch.h, losses.h).
 * Without that the ratio of both scatters up to several hundreds where contacts open and close. */
#include "chain.h"

static struct chain chain; /* too large for the stack */

enum { BEADS = 3, LOCALS = 33 };
static const double until = 15.0;

/* displacements and velocities at the end, a step being allowed `local` */
static struct carom_scales end(double local, double *u, double *v)
{
    struct trial trial;
    CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_dp5, 10.0 * local, NULL)); /* a tenth is a step's */
    CHECK_STATUS(trial_run(&trial, until, NULL), CAROM_OK);
    memcpy(u, trial.view->q, chain.n * sizeof *u);
    memcpy(v, trial.view->v, chain.n * sizeof *v);
    const struct carom_scales scales = trial.scales;
    trial_close(&trial);
    return scales;
}

static void check_law(const struct carom_law *law, enum carom_ending ending, const double *param, double most)
{
    static const double mass[BEADS] = {1.0, 1.3, 0.8};
    double u[BEADS], v[BEADS], u0[BEADS], v0[BEADS], worst = 0.0;
    chain_uniform(&chain, BEADS, false, false, law, ending, param);
    memcpy(chain.mass, mass, sizeof mass);
    chain.v[0] = 1.0;
    end(1e-15, u0, v0);
    for (int i = 0; i < LOCALS; i++) {
        const double local = pow(10.0, -3.0 - 0.25 * i);
        const struct carom_scales scales = end(local, u, v);
        double error = 0.0;
        for (size_t k = 0; k < BEADS; k++)
            error = fmax(error, fmax(fabs(u[k] - u0[k]) / scales.length, fabs(v[k] - v0[k]) / scales.speed));
        worst = fmax(worst, error / local);
    }
    printf("%-14s error / what a step may have, at most %.1f\n", law->kind.name, worst);
    CHECK(worst <= most);
}

int main(void)
{
    check_law(&carom_law_hertz, CAROM_END_GAP, (const double[]){70.0}, 60.0);
    check_law(&carom_law_kuwabara_kono, CAROM_END_GAP, (const double[]){70.0, 0.02}, 60.0);
    check_law(&carom_law_kuwabara_kono, CAROM_END_FORCE, (const double[]){70.0, 0.02}, 60.0);
    check_law(&carom_law_power, CAROM_END_GAP, (const double[]){70.0, 1.5, 0.0, 1.5}, 60.0);
    check_law(&carom_law_power, CAROM_END_GAP, (const double[]){70.0, 1.2, 0.002, 1.2}, 100.0); /* the steepest start */
    check_law(&carom_law_power, CAROM_END_GAP, (const double[]){70.0, 2.2, 0.05, 1.7}, 60.0);
    check_law(&carom_law_power, CAROM_END_GAP, (const double[]){70.0, 1.5, 0.1, 1.25}, 60.0);
    check_law(&carom_law_bistiff, CAROM_END_GAP, (const double[]){70.0, 1.5, 0.8}, 60.0);
    check_law(&carom_law_walton_braun, CAROM_END_GAP, (const double[]){20.0, 50.0}, 60.0);
    return check_end();
}
