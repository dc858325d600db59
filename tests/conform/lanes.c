/* Chains side by side in lanes are as if they were alone, to the bit: states and physical views, whatever is
 * beside them, in whatever portions they are advanced, also where the last step is cut short. */
#include "scheme/chain/lanes.h"
#include "chain.h"

enum { COUNT = 7 };

static struct chain chain; /* too large for the stack */

static const struct carom_lanes *const lanes[] = {&carom_batch_theta_lanes, &carom_batch_irk_lanes,
                                                  &carom_batch_irk_narrow};

/* n beads, everything but the length drawn; one viscous time, as irk's lanes want it. Every third chain lies at rest
 * but for one bead, so that zeros are met. */
static void draw(size_t n, bool damped, size_t number, struct carom_random *random)
{
    const double gamma = damped ? 0.2 * carom_random_uniform(random) + 0.01 : 0.0, param[4] = {1.0, gamma};
    const bool left = carom_random_uniform(random) < 0.5, right = carom_random_uniform(random) < 0.5;
    const bool pressed = carom_random_uniform(random) < 0.5, still = number % 3 == 1;
    chain_uniform(&chain, n, left, right, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    for (size_t j = 0; j < chain.nc; j++) {
        chain.param[j][0] = 0.5 + carom_random_uniform(random);
        chain.gap[j] = still ? 0.0 : (pressed ? -0.3 : 0.1) * carom_random_uniform(random);
    }
    for (size_t i = 0; i < n; i++) {
        chain.mass[i] = 0.5 + carom_random_uniform(random);
        chain.q[i] = still ? 0.0 : 0.1 * carom_random_uniform(random);
        chain.v[i] = still ? 0.0 : 2.0 * carom_random_uniform(random) - 1.0;
    }
    chain.v[number % n] = number % 2 == 0 ? 1.0 : -1.0;
}

/* the same chains alone and in lanes */
struct pack {
    const struct carom_lanes *lanes;
    size_t count;
    struct trial alone[COUNT], beside[COUNT];
    struct carom_stepper *stepper[COUNT];
    struct carom_state *state[COUNT];
    struct carom_lanes_batch *batch;
};

static void open_pack(struct pack *p, const struct carom_lanes *of, size_t count, size_t n, double step,
                      struct carom_random *random)
{
    const bool damped = carom_random_uniform(random) < 0.8;
    *p = (struct pack){.lanes = of, .count = count};
    for (size_t c = 0; c < count; c++) {
        draw(n, damped, c, random);
        CHECK_OR_STOP(trial_open(&p->alone[c], &chain, of->scheme, step, NULL));
        CHECK_OR_STOP(trial_open(&p->beside[c], &chain, of->scheme, step, NULL));
        p->stepper[c] = p->beside[c].stepper;
        p->state[c] = p->beside[c].state;
        CHECK_OR_STOP(of->fits(p->stepper[0], p->stepper[c]));
    }
    struct carom_error error = {CAROM_OK, ""};
    p->batch = carom_lanes_create(of, count, p->stepper, &error);
    CHECK_OR_STOP(p->batch != NULL);
}

static void close_pack(struct pack *p)
{
    carom_lanes_free(p->batch);
    for (size_t c = 0; c < p->count; c++) {
        trial_close(&p->alone[c]);
        trial_close(&p->beside[c]);
    }
}

static void check_chain(struct pack *p, size_t c)
{
    struct trial *alone = &p->alone[c], *beside = &p->beside[c];
    CHECK(carom_state_hash(alone->state) == carom_state_hash(beside->state));
    p->lanes->scheme->sync(alone->stepper, alone->state, alone->view);
    p->lanes->scheme->sync(beside->stepper, beside->state, beside->view);
    CHECK(memcmp(alone->view->data, beside->view->data, alone->view->n * sizeof(double)) == 0);
}

static void check_lanes(const struct carom_lanes *of, struct carom_random *random)
{
    static struct pack p;
    double moved = 0.0;
    uint64_t iterations = 0, evaluations = 0;
    for (size_t n = 2; n <= 27; n += n < 6 ? 1 : 7)
        for (size_t count = 1; count <= COUNT; count += 2) {
            open_pack(&p, of, count, n, 0.1, random);
            for (int call = 0; call < 3; call++) {
                const double stop = 2.55 * (call + 1); /* the last step of each call is a short one */
                while (carom_state_until(p.state[0], stop) > 0.0) {
                    const uint64_t before = p.state[0]->step;
                    CHECK_STATUS(carom_lanes_advance(p.batch, p.state, 0.1, stop, 7, NULL), CAROM_OK);
                    CHECK(p.state[0]->step == before + 7 || carom_state_until(p.state[0], stop) <= 0.0);
                }
                for (size_t c = 0; c < count; c++) {
                    const struct carom_bound bound = {.t_stop = stop, .t_dense = HUGE_VAL, .steps = 1};
                    struct trial *alone = &p.alone[c];
                    while (carom_state_until(alone->state, stop) > 0.0)
                        CHECK_STATUS(of->scheme->step(alone->stepper, alone->state, &bound, NULL), CAROM_OK);
                    check_chain(&p, c);
                    moved = fmax(moved, fabs(alone->view->q[n - 1]));
                }
            }
            const struct carom_counts counts = carom_lanes_counts(p.batch);
            CHECK(counts.steps == count * p.state[0]->step);
            iterations += counts.iterations;
            evaluations += counts.evaluations;
            close_pack(&p);
        }
    CHECK(moved > 0.1 && iterations > 100 && evaluations > iterations);
}

/* Numbers out of range, after `steps` that were fine: the batch says so, the chain is left behind where it was, and the
 * one beside stays finite. */
static void check_failure(const struct carom_lanes *of, size_t steps, struct carom_random *random)
{
    static struct pack p;
    struct carom_error error = {CAROM_OK, ""};
    open_pack(&p, of, 3, 9, 0.1, random);
    CHECK_STATUS(carom_lanes_advance(p.batch, p.state, 0.1, 9.0, steps, &error), CAROM_OK);
    p.state[1]->v[4] = nan("");
    CHECK_STATUS(carom_lanes_advance(p.batch, p.state, 0.1, 9.0, 10, &error), CAROM_E_NUMERIC);
    CHECK_CONTAINS(error.text, "chain 2");
    CHECK(isfinite(p.state[0]->q[0]) && p.state[1]->step == steps);
    CHECK_NEAR(p.state[1]->time, 0.1 * (double)steps, 1e-12);
    close_pack(&p);
}

/* Lengths, schemes, laws and springs that do not go together. */
static void check_fits(void)
{
    const double param[4] = {1.0, 0.1}, power[4] = {1.0, 1.5, 0.1, 1.5};
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
        struct trial five, six, other, springs;
        chain_uniform(&chain, 5, true, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
        chain.v[0] = 1.0;
        CHECK_OR_STOP(trial_open(&five, &chain, lanes[i]->scheme, 0.1, NULL));
        chain.spring[2] = 1.0;
        CHECK_OR_STOP(trial_open(&springs, &chain, lanes[i]->scheme, 0.1, NULL));
        chain_uniform(&chain, 6, true, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
        chain.v[0] = 1.0;
        CHECK_OR_STOP(trial_open(&six, &chain, lanes[i]->scheme, 0.1, NULL));
        chain_uniform(&chain, 5, true, false, &carom_law_power, CAROM_END_GAP, power);
        chain.v[0] = 1.0;
        CHECK_OR_STOP(trial_open(&other, &chain, lanes[i]->scheme, 0.1, NULL));
        CHECK(lanes[i]->fits(five.stepper, five.stepper));
        CHECK(!lanes[i]->fits(five.stepper, six.stepper));
        CHECK(lanes[i]->fits(five.stepper, other.stepper) == (i == 0));
        CHECK(lanes[i]->fits(five.stepper, springs.stepper) == (i == 0));
        trial_close(&five);
        trial_close(&six);
        trial_close(&other);
        trial_close(&springs);
    }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
        check_lanes(lanes[i], &random);
        check_failure(lanes[i], 0, &random);
        check_failure(lanes[i], 3, &random);
    }
    check_fits();
    return check_end();
}
