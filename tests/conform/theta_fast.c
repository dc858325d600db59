/* The ways to take a theta step agree to the bit: with Hertz in place or through the laws, alone or beside other
 * chains, in one go or with a restart; a mirrored chain moves as the mirror image. A step that cannot be solved
 * leaves the state, momentum is kept to rounding, and where contacts are stiff or masses unequal the equations
 * still hold. */
#include "chain.h"
#include "scheme/chain/lanes.h"

enum { COUNT = 11 };

static struct chain chain, other; /* too large for the stack */
static struct carom_law plain;    /* kuwabara-kono under another address: nobody knows it by name */

/* n beads with everything different: masses, stiffnesses, gammas, gaps, walls, springs, motion. The length is
 * given, the rest is drawn. */
static void draw(struct chain *c, size_t n, const struct carom_law *law, struct carom_random *random)
{
    const double none[4] = {0.0};
    const bool left = carom_random_uniform(random) < 0.5, right = carom_random_uniform(random) < 0.5;
    const bool springs = carom_random_uniform(random) < 0.4, pressed = carom_random_uniform(random) < 0.5;
    chain_uniform(c, n, left, right, law, CAROM_END_GAP, none);
    for (size_t j = 0; j < c->nc; j++) {
        c->param[j][0] = 0.5 + carom_random_uniform(random);
        c->param[j][1] = carom_random_uniform(random) < 0.2 ? 0.0 : 0.3 * carom_random_uniform(random);
        c->gap[j] = (pressed ? -0.3 : 0.1) * carom_random_uniform(random);
    }
    for (size_t i = 0; i < n; i++) {
        c->mass[i] = 0.5 + carom_random_uniform(random);
        c->spring[i] = springs ? carom_random_uniform(random) : 0.0;
        c->q[i] = 0.1 * carom_random_uniform(random);
        c->v[i] = 2.0 * carom_random_uniform(random) - 1.0;
    }
}

static void rename_laws(struct chain *c)
{
    for (size_t j = 0; j < c->nc; j++)
        c->law[j] = &plain;
}

static void check_same(const struct trial *a, const struct trial *b)
{
    CHECK(carom_state_hash(a->state) == carom_state_hash(b->state));
}

static void check_fused(struct carom_random *random)
{
    struct trial fast, slow;
    uint64_t steps = 0;
    for (size_t n = 1; n < 40; n++) {
        draw(&chain, n, &carom_law_kuwabara_kono, random);
        CHECK_OR_STOP(trial_open(&fast, &chain, &carom_scheme_theta, 0.13, NULL));
        rename_laws(&chain);
        CHECK_OR_STOP(trial_open(&slow, &chain, &carom_scheme_theta, 0.13, NULL));
        for (double t = 0.4; t < 6.0; t += 0.4) {
            CHECK_STATUS(trial_run(&fast, t, NULL), CAROM_OK);
            CHECK_STATUS(trial_run(&slow, t, NULL), CAROM_OK);
            check_same(&fast, &slow);
            CHECK(fast.stepper->switched == slow.stepper->switched);
            CHECK(memcmp(fast.view->data, slow.view->data, fast.view->n * sizeof(double)) == 0);
        }
        CHECK(fast.stepper->counts.iterations == slow.stepper->counts.iterations);
        steps += fast.stepper->counts.steps;
        trial_close(&fast);
        trial_close(&slow);
    }
    CHECK(steps > 1000);
}

/* a batch of chains and the same chains alone */
struct batch {
    size_t count;
    struct trial alone[COUNT];
    struct carom_stepper *stepper[COUNT];
    struct carom_state *state[COUNT], *view;
    struct carom_lanes_batch *batch;
};

static void open_batch(struct batch *b, size_t count, size_t n, double step, bool general, struct carom_random *random)
{
    b->count = count;
    for (size_t c = 0; c < count; c++) {
        draw(&chain, n, &carom_law_kuwabara_kono, random);
        if (general && c % 2 == 1)
            rename_laws(&chain);
        CHECK_OR_STOP(trial_open(&b->alone[c], &chain, &carom_scheme_theta, step, NULL));
        b->stepper[c] = b->alone[c].stepper;
        b->state[c] = carom_state_create(b->alone[c].model, b->alone[c].state->nmemory);
        CHECK_OR_STOP(b->state[c] != NULL);
        carom_state_copy(b->state[c], b->alone[c].state);
        CHECK(carom_batch_theta_lanes.fits(b->stepper[0], b->stepper[c]));
    }
    struct carom_error error = {CAROM_OK, ""};
    b->batch = carom_lanes_create(&carom_batch_theta_lanes, count, b->stepper, &error);
    CHECK_OR_STOP(b->batch != NULL);
}

static void close_batch(struct batch *b)
{
    carom_lanes_free(b->batch);
    for (size_t c = 0; c < b->count; c++) {
        carom_state_free(b->state[c]);
        trial_close(&b->alone[c]);
    }
}

/* Whatever is beside it, in whatever portions it is advanced, every chain is as if it were alone. */
static void check_batch(struct carom_random *random)
{
    static struct batch b;
    for (size_t n = 1; n <= 26; n += n < 6 ? 1 : 5)
        for (size_t count = 1; count <= COUNT; count += 2) {
            open_batch(&b, count, n, 0.1, n % 2 == 0, random);
            for (int call = 0; call < 3; call++) {
                const double stop = 1.55 * (call + 1); /* the last step of each call is a short one */
                while (carom_state_until(b.state[0], stop) > 0.0)
                    CHECK_STATUS(carom_lanes_advance(b.batch, b.state, 0.1, stop, 7, NULL), CAROM_OK);
                for (size_t c = 0; c < count; c++) {
                    struct trial *alone = &b.alone[c];
                    CHECK_STATUS(trial_run(alone, stop, NULL), CAROM_OK);
                    CHECK(carom_state_hash(b.state[c]) == carom_state_hash(alone->state));
                }
            }
            CHECK(carom_lanes_counts(b.batch).steps == count * b.state[0]->step);
            close_batch(&b);
        }
}

/* A chain that breaks down stays where it was and does not touch the others. */
static void check_batch_failure(struct carom_random *random)
{
    static struct batch b;
    for (size_t broken = 0; broken < 6; broken++) {
        open_batch(&b, 6, 9, 0.1, false, random);
        CHECK_STATUS(carom_lanes_advance(b.batch, b.state, 0.1, 9.0, 10, NULL), CAROM_OK);
        *(broken % 2 == 0 ? &b.state[broken]->v[4] : &b.state[broken]->q[0]) = nan("");
        const uint64_t hash = carom_state_hash(b.state[broken]);
        struct carom_error error = {CAROM_OK, ""};
        CHECK_STATUS(carom_lanes_advance(b.batch, b.state, 0.1, 9.0, 10, &error), CAROM_E_NUMERIC);
        char name[32];
        snprintf(name, sizeof name, "chain %zu ", broken + 1);
        CHECK_CONTAINS(error.text, name);
        for (size_t c = 0; c < 6; c++) {
            const struct carom_bound bound = {.t_stop = 9.0, .t_dense = HUGE_VAL, .steps = 20};
            struct trial *alone = &b.alone[c];
            CHECK_STATUS(carom_scheme_theta.step(alone->stepper, alone->state, &bound, NULL), CAROM_OK);
            CHECK(c == broken ? carom_state_hash(b.state[c]) == hash
                              : carom_state_hash(b.state[c]) == carom_state_hash(b.alone[c].state));
            CHECK(b.state[c]->step == (c == broken ? 10 : 20));
        }
        close_batch(&b);
    }
}

/* A chain that flies out of range after some steps is left at the last good one. */
static void check_batch_breakdown(struct carom_random *random)
{
    static struct batch b;
    open_batch(&b, 3, 9, 0.1, false, random);
    while (b.alone[1].model->nc != 8 || carom_model_chain(b.alone[1].model)->spring) { /* nothing in its way */
        close_batch(&b);
        open_batch(&b, 3, 9, 0.1, false, random);
    }
    for (size_t i = 0; i < 9; i++)
        b.state[1]->v[i] = b.alone[1].state->v[i] = 5e306;
    CHECK_STATUS(carom_lanes_advance(b.batch, b.state, 0.1, 1e9, 1000, NULL), CAROM_E_NUMERIC);
    for (size_t c = 0; c < 3; c++) {
        const uint64_t steps = b.state[c]->step;
        const struct carom_bound bound = {.t_stop = 1e9, .t_dense = HUGE_VAL, .steps = steps};
        CHECK(c == 1 ? steps > 5 && steps < 500 : steps == 1000);
        CHECK_STATUS(carom_scheme_theta.step(b.alone[c].stepper, b.alone[c].state, &bound, NULL), CAROM_OK);
        CHECK(carom_state_hash(b.state[c]) == carom_state_hash(b.alone[c].state));
    }
    close_batch(&b);
}

static void check_batch_refused(void)
{
    const double damped[4] = {1.0, 0.1};
    struct carom_error error = {CAROM_OK, ""};
    struct trial five, six;
    chain_uniform(&chain, 5, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, damped);
    chain.v[0] = 1.0;
    CHECK_OR_STOP(trial_open(&five, &chain, &carom_scheme_theta, 0.1, NULL));
    chain_uniform(&chain, 6, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, damped);
    chain.v[0] = 1.0;
    CHECK_OR_STOP(trial_open(&six, &chain, &carom_scheme_theta, 0.1, NULL));
    struct carom_stepper *uneven[] = {five.stepper, six.stepper};
    CHECK(carom_lanes_create(&carom_batch_theta_lanes, 2, uneven, &error) == NULL && error.status == CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "chain 2");
    CHECK(carom_lanes_create(&carom_batch_theta_lanes, 0, uneven, &error) == NULL && error.status == CAROM_E_INPUT);
    trial_close(&five);
    trial_close(&six);
}

/* States that are not at the same time do not go together, and steps are those of the steppers. */
static void check_clocks(struct carom_random *random)
{
    static struct batch b;
    struct carom_error error = {CAROM_OK, ""};
    open_batch(&b, 5, 4, 0.1, false, random);
    b.state[3]->time = 1.0;
    CHECK_STATUS(carom_lanes_advance(b.batch, b.state, 0.1, 9.0, 1, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "chain 4");
    b.state[3]->time = 0.0;
    CHECK_STATUS(carom_lanes_advance(b.batch, b.state, 0.05, 9.0, 1, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "step of 0.1");
    close_batch(&b);
}

/* The mirrored chain moves as the mirror image, to the bit: neither end comes first. */
static void check_mirror(struct carom_random *random)
{
    for (size_t n = 1; n < 20; n++) {
        struct trial a, b;
        draw(&chain, n, &carom_law_kuwabara_kono, random);
        other = chain;
        other.left_wall = chain.right_wall;
        other.right_wall = chain.left_wall;
        for (size_t i = 0; i < n; i++) {
            other.mass[i] = chain.mass[n - 1 - i];
            other.spring[i] = chain.spring[n - 1 - i];
            other.q[i] = -chain.q[n - 1 - i];
            other.v[i] = -chain.v[n - 1 - i];
        }
        for (size_t j = 0; j < chain.nc; j++) {
            other.gap[j] = chain.gap[chain.nc - 1 - j];
            memcpy(other.param[j], chain.param[chain.nc - 1 - j], sizeof other.param[j]);
        }
        CHECK_OR_STOP(trial_open(&a, &chain, &carom_scheme_theta, 0.1, NULL));
        CHECK_OR_STOP(trial_open(&b, &other, &carom_scheme_theta, 0.1, NULL));
        CHECK_STATUS(trial_run(&a, 5.0, NULL), CAROM_OK);
        CHECK_STATUS(trial_run(&b, 5.0, NULL), CAROM_OK);
        for (size_t i = 0; i < n; i++)
            CHECK(a.view->q[i] == -b.view->q[n - 1 - i] && a.view->v[i] == -b.view->v[n - 1 - i]);
        for (size_t j = 0; j < a.view->nlost; j++)
            CHECK(a.view->lost[j] == b.view->lost[chain.nc - 1 - j]);
        trial_close(&a);
        trial_close(&b);
    }
}

/* NaN and infinity in any place fail, and the state stays. */
static void check_failure(struct carom_random *random)
{
    const double bad[] = {nan(""), HUGE_VAL, -HUGE_VAL};
    for (size_t n = 1; n <= 6; n++)
        for (size_t place = 0; place < 2 * n; place++)
            for (size_t k = 0; k < 3; k++) {
                struct trial trial;
                draw(&chain, n, k == 0 ? &carom_law_kuwabara_kono : &plain, random);
                CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_theta, 0.1, NULL));
                CHECK_STATUS(trial_run(&trial, 0.5, NULL), CAROM_OK);
                trial.state->data[place] = bad[k];
                const uint64_t hash = carom_state_hash(trial.state);
                const struct carom_bound bound = {.t_stop = 2.0, .t_dense = HUGE_VAL, .steps = 3};
                CHECK_STATUS(carom_scheme_theta.step(trial.stepper, trial.state, &bound, NULL), CAROM_E_NUMERIC);
                CHECK(carom_state_hash(trial.state) == hash);
                trial_close(&trial);
            }
}

/* Unequal masses, stiff contacts, long steps: momentum of a free chain to rounding, and (34) holds:
 * X1 - X = h (theta V1 + (1 - theta) V) where all thetas are the same. */
static void check_stiff(struct carom_random *random)
{
    double worst_momentum = 0.0, worst_equation = 0.0;
    for (int round = 0; round < 200; round++) {
        const size_t n = 2 + (size_t)(20.0 * carom_random_uniform(random));
        const double gamma = 0.1 * carom_random_uniform(random), none[4] = {0.0};
        chain_uniform(&chain, n, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, none);
        for (size_t j = 0; j < chain.nc; j++) {
            chain.param[j][0] = pow(10.0, 6.0 * carom_random_uniform(random));
            chain.param[j][1] = gamma;
        }
        double size = 0.0;
        for (size_t i = 0; i < n; i++) {
            chain.mass[i] = pow(10.0, 4.0 * carom_random_uniform(random) - 2.0);
            chain.v[i] = 2.0 * carom_random_uniform(random) - 1.0;
            size += fabs(chain.mass[i] * chain.v[i]);
        }
        struct trial trial;
        CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_theta, 0.1, NULL));
        for (int step = 0; step < 20; step++) {
            const struct carom_bound bound = {.t_stop = 1e9, .t_dense = HUGE_VAL, .steps = 1};
            CHECK_STATUS(carom_scheme_theta.step(trial.stepper, trial.state, &bound, NULL), CAROM_OK);
            double momentum = 0.0;
            for (size_t i = 0; i < n; i++)
                momentum += chain.mass[i] * (trial.state->v[i] - chain.v[i]);
            worst_momentum = fmax(worst_momentum, fabs(momentum) / size);
            const struct carom_state *from = trial.stepper->before;
            const double t = 0.5 * (0.1 + gamma);
            for (size_t i = 0; i < n; i++) {
                const double moved = t * trial.state->v[i] + (0.1 - t) * from->v[i];
                const double off = fabs(trial.state->q[i] - from->q[i] - moved);
                worst_equation = fmax(worst_equation, off / trial.scales.length);
            }
        }
        trial_close(&trial);
    }
    printf("stiff: momentum off by %.1e, (34) by %.1e of the length scale\n", worst_momentum, worst_equation);
    CHECK(worst_momentum < 1e-13);
    CHECK(worst_equation < 1e-8);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    plain = carom_law_kuwabara_kono;
    check_fused(&random);
    check_batch(&random);
    check_batch_failure(&random);
    check_batch_breakdown(&random);
    check_batch_refused();
    check_clocks(&random);
    check_mirror(&random);
    check_failure(&random);
    check_stiff(&random);
    return check_end();
}
