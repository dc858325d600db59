/* The implicit schemes as machines: the fast path of Hertz contacts has the bits of the laws' path, restarts have the
 * same bits, a step that cannot be solved is halved or leaves the state, Newton needs few solves, memory is bounded. */
#include "scheme/chain/twostage.h"
#include "carom/scheme.h"
#include "chain.h"

static struct chain chain; /* too large for the stack */

static const struct carom_scheme *const schemes[] = {&carom_scheme_irk, &carom_scheme_rk2,    &carom_scheme_gl,
                                                     &carom_scheme_cn,  &carom_scheme_gl_reg, &carom_scheme_cn_reg};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* n beads with all that the passes distinguish: walls or none, gaps, springs, unequal damping */
static void make_chain(size_t n, bool walls, bool springs, bool unequal, const struct carom_law *law)
{
    const double param[4] = {1.0, 0.06};
    chain_uniform(&chain, n, walls, walls, law, CAROM_END_GAP, param);
    for (size_t i = 0; i < n; i++) {
        chain.mass[i] = 1.0 + 0.3 * (double)(i % 3);
        chain.spring[i] = springs ? 0.1 + 0.01 * (double)(i % 7) : 0.0;
        chain.v[i] = 0.3 * sin(1.3 * (double)i);
    }
    for (size_t j = 0; j < chain.nc; j++) {
        chain.param[j][0] = 1.0 + 0.1 * (double)(j % 4);
        chain.gap[j] = j % 5 == 3 ? 0.05 : -0.02;
        if (unequal)
            chain.param[j][1] = 0.02 * (double)(1 + j % 3);
    }
    chain.v[0] = 1.0;
}

static uint64_t hash_after(const struct carom_scheme *scheme, double h, double t, double *view)
{
    struct trial trial;
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, h, NULL));
    CHECK_STATUS(trial_run(&trial, t, NULL), CAROM_OK);
    const uint64_t hash = carom_state_hash(trial.state);
    memcpy(view, trial.view->data, 2 * chain.n * sizeof *view);
    trial_close(&trial);
    return hash;
}

/* A law that is Kuwabara-Kono but not known to be takes the general path: same bits. Sizes around the block's. */
static void check_bits(void)
{
    static double a[2 * CHAIN_BEADS], b[2 * CHAIN_BEADS];
    const struct carom_law twin = carom_law_kuwabara_kono;
    const size_t sizes[] = {1, 2, 3, 4, 25, 127, 128, 129, 255, 256, 257, 258, 600};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int walls = 0; walls < 2; walls++) {
            make_chain(sizes[i], walls != 0, false, false, &carom_law_kuwabara_kono);
            const uint64_t fast = hash_after(&carom_scheme_irk, 0.1, 3.05, a);
            make_chain(sizes[i], walls != 0, false, false, &twin);
            CHECK(hash_after(&carom_scheme_irk, 0.1, 3.05, b) == fast);
        }
}

/* The passes for mixed forces, on a chain that could do without them, agree with the uniform ones: a spring of almost
 * nothing turns them on. Every size and walls or none: no bead or contact is left out. */
static void check_mixed(void)
{
    static double a[2 * CHAIN_BEADS], b[2 * CHAIN_BEADS];
    const size_t sizes[] = {1, 2, 3, 4, 5, 64, 127, 128, 129, 257, 300};
    const struct carom_scheme *const both[] = {&carom_scheme_irk, &carom_scheme_gl_reg};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int k = 0; k < 4; k++) {
            make_chain(sizes[i], k % 2 == 1, false, false, &carom_law_kuwabara_kono);
            hash_after(both[k / 2], 0.1, 3.05, a);
            chain.spring[0] = 1e-15;
            hash_after(both[k / 2], 0.1, 3.05, b);
            for (size_t n = 0; n < 2 * chain.n; n++)
                CHECK_NEAR(a[n], b[n], 1e-12);
        }
}

static void check_restart(const struct carom_scheme *scheme, bool springs, bool unequal)
{
    struct trial whole, parts, other;
    make_chain(20, true, springs, unequal, &carom_law_kuwabara_kono);
    CHECK_OR_STOP(trial_open(&whole, &chain, scheme, 0.07, NULL));
    CHECK_OR_STOP(trial_open(&parts, &chain, scheme, 0.07, NULL));
    CHECK_OR_STOP(trial_open(&other, &chain, scheme, 0.07, NULL));
    CHECK_STATUS(trial_run(&whole, 2.0, NULL), CAROM_OK); /* ends with a short step */
    CHECK_STATUS(trial_run(&whole, 5.0, NULL), CAROM_OK);
    CHECK_STATUS(trial_run(&parts, 2.0, NULL), CAROM_OK);
    CHECK_STATUS(trial_run(&other, 3.7, NULL), CAROM_OK); /* a used workspace must not shine through */
    carom_state_copy(other.state, parts.state);
    CHECK_STATUS(trial_run(&other, 5.0, NULL), CAROM_OK);
    CHECK(carom_state_hash(whole.state) == carom_state_hash(other.state));
    trial_close(&whole);
    trial_close(&parts);
    trial_close(&other);
}

/* A Hertz law that cannot be evaluated beyond an overlap that the motion does not reach, but a large step's stages
 * do. */
static void brittle(const struct carom_batch *b)
{
    carom_law_kuwabara_kono.evaluate(b);
    for (size_t j = 0; j < b->n; j++)
        if (b->deform[j] > 1.05) {
            if (b->elastic)
                b->elastic[j] = nan("");
            if (b->slope)
                b->slope[j] = nan("");
        }
}

static void check_halving(const struct carom_scheme *scheme)
{
    struct carom_law law = carom_law_kuwabara_kono;
    law.evaluate = brittle;
    const double param[4] = {1.0, 0.02};
    struct trial trial;
    chain_uniform(&chain, 3, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    chain.v[0] = 1.0;
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, 0.05, NULL));
    CHECK_STATUS(trial_run(&trial, 8.0, NULL), CAROM_OK);
    const double expected = trial.view->v[2];
    trial_close(&trial);
    chain_uniform(&chain, 3, false, false, &law, CAROM_END_GAP, param);
    chain.v[0] = 1.0;
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, 1.6, NULL));
    const struct carom_bound bound = {.t_stop = 8.0, .t_dense = HUGE_VAL, .steps = 1};
    int met = 0; /* steps that end on the regular grid: all five, whatever was halved between */
    while (carom_state_until(trial.state, 8.0) > 0.0) {
        CHECK_STATUS(scheme->step(trial.stepper, trial.state, &bound, NULL), CAROM_OK);
        const double at = trial.state->time / 1.6;
        met += fabs(at - round(at)) < 1e-12 ? 1 : 0;
    }
    CHECK(met == 5);
    scheme->sync(trial.stepper, trial.state, trial.view);
    const struct carom_counts *counts = &trial.stepper->counts;
    printf("%-7s step 1.6 halved %d times in %d steps: v = %.3f, should be %.3f\n", scheme->kind.name,
           (int)counts->rejected, (int)counts->steps, trial.view->v[2], expected);
    CHECK(counts->rejected > 0 && counts->steps > 5);
    CHECK(trial.state->time == 8.0);
    CHECK_NEAR(trial.view->v[2], expected, 0.2);
    double momentum = 0.0;
    for (size_t i = 0; i < chain.n; i++)
        momentum += trial.view->v[i];
    CHECK_NEAR(momentum, 1.0, 1e-14);
    trial_close(&trial);
}

static void check_failure(const struct carom_scheme *scheme)
{
    struct trial trial;
    struct carom_error error = {.status = CAROM_OK};
    make_chain(9, false, false, false, &carom_law_kuwabara_kono);
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, 0.05, NULL));
    CHECK_STATUS(trial_run(&trial, 1.0, NULL), CAROM_OK);
    trial.state->q[4] = nan("");
    const uint64_t hash = carom_state_hash(trial.state);
    const struct carom_bound bound = {.t_stop = 2.0, .t_dense = HUGE_VAL, .steps = 3};
    CHECK_STATUS(scheme->step(trial.stepper, trial.state, &bound, &error), CAROM_E_NUMERIC);
    CHECK(carom_state_hash(trial.state) == hash);
    CHECK_CONTAINS(error.text, "could not solve its step at t = 1");
    trial_close(&trial);
}

/* All contacts closed, every bead moving, as `carom bench` has it: solves and doubles per bead. */
static void check_economy(double h, double most)
{
    const double param[4] = {1.0, 0.06};
    struct trial trial;
    chain_uniform(&chain, 1000, true, true, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    for (size_t j = 0; j < chain.nc; j++)
        chain.gap[j] = -0.1;
    for (size_t i = 0; i < chain.n; i++)
        chain.v[i] = 0.01 * sin(0.7 * (double)i);
    CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_irk, h, NULL));
    CHECK_STATUS(trial_run(&trial, 100.0 * h, NULL), CAROM_OK);
    const double solves = (double)trial.stepper->counts.iterations / (double)trial.stepper->counts.steps;
    const double doubles = (2.0 * (double)trial.state->n + 9.0 * (double)chain.n) / (double)chain.n;
    printf("irk: %.2f solves a step of %g; %.0f bytes per bead in two states and workspace\n", solves, h,
           8.0 * doubles);
    CHECK(solves <= most);
    CHECK(8.0 * doubles < 190.0);
    trial_close(&trial);
}

int main(void)
{
    check_bits();
    check_mixed();
    for (size_t i = 0; i < SCHEMES; i++) {
        for (int k = 0; k < 4; k++)
            check_restart(schemes[i], k % 2 == 1, k / 2 == 1);
        check_halving(schemes[i]);
        check_failure(schemes[i]);
    }
    check_economy(0.1, 2.1);
    check_economy(0.02, 1.1); /* extrapolated Z are good enough for a single solve */
    return check_end();
}
