/* Random chains under random loads: gravity, forces and drives of every shape with their breaks, local dampers,
 * strings, contacts that open and close. The ledger closes to the tolerance under dp5; a run stopped halfway and gone
 * on with by another stepper ends with the same bits, under every scheme; a chain asleep costs nothing and gives the
 * same bits. */
#include "check.h"

#include "draws.h"
#include "loads.h"

static const double table_time[] = {0.7, 1.3, 2.9, 4.1, 6.0}, table_height[] = {0.0, 1.0, -0.5, 0.3, 0.0};

/* a signal that does not jump, unless it may */
static struct carom_signal draw_signal(struct carom_random *random, double size, bool jumps)
{
    struct carom_signal s = {.amplitude = draw_between(random, -size, size),
                             .start = draw_between(random, 0.3, 3.0),
                             .duration = draw_between(random, 0.8, 3.0),
                             .frequency = draw_between(random, 0.1, 0.5),
                             .frequency_end = draw_between(random, 0.5, 0.9)};
    const enum carom_shape shapes[] = {CAROM_SHAPE_HALF_SINE, CAROM_SHAPE_RAMP,    CAROM_SHAPE_SINE,
                                       CAROM_SHAPE_RICKER,    CAROM_SHAPE_TABLE,   CAROM_SHAPE_STEP,
                                       CAROM_SHAPE_CHIRP,     CAROM_SHAPE_CONSTANT};
    s.shape = shapes[(size_t)draw_between(random, 0.0, jumps ? 7.999 : 3.999)];
    if (s.shape == CAROM_SHAPE_SINE)
        s.duration = 0.0;
    if (s.shape == CAROM_SHAPE_TABLE) { /* beads own their tables */
        double *own = carom_memory_zeroed(10, sizeof *own);
        CHECK_OR_STOP(own != NULL);
        for (size_t i = 0; i < 5; i++) {
            own[i] = table_time[i];
            own[5 + i] = s.amplitude * table_height[i];
        }
        s.count = 5;
        s.time = own;
        s.height = own + 5;
    }
    return s;
}

static struct rig draw(struct carom_random *random)
{
    struct rig rig = {.n = 2 + (size_t)draw_between(random, 0.0, 8.0),
                      .left_wall = carom_random_uniform(random) < 0.5,
                      .right_wall = carom_random_uniform(random) < 0.5,
                      .p = carom_random_uniform(random) < 0.7 ? 1.5 : draw_between(random, 1.0, 2.5),
                      .gravity = carom_random_uniform(random) < 0.5 ? draw_between(random, -0.1, 0.1) : 0.0,
                      .down = 0.3,
                      .large = carom_random_uniform(random) < 0.5};
    const bool damped = carom_random_uniform(random) < 0.7, hung = carom_random_uniform(random) < 0.4,
               braked = carom_random_uniform(random) < 0.6, pressed = carom_random_uniform(random) < 0.3;
    for (size_t i = 0; i < rig.n; i++) {
        rig.mass[i] = exp(draw_between(random, -1.0, 1.0));
        rig.v[i] = carom_random_uniform(random) < 0.3 ? draw_between(random, -0.3, 0.3) : 0.0;
        rig.damper[i] = braked ? draw_between(random, 0.0, 0.2) : 0.0;
        rig.string[i] = hung ? draw_between(random, 0.5, 2.0) : 0.0;
    }
    for (size_t j = 0; j <= rig.n; j++) {
        rig.k[j] = exp(draw_between(random, -0.7, 0.7));
        rig.gamma[j] = damped ? draw_between(random, 0.01, 0.3) : 0.0;
        rig.gap[j] = pressed ? -0.1 : carom_random_uniform(random) < 0.3 ? draw_between(random, 0.0, 0.1) : 0.0;
    }
    rig.nloads = (size_t)draw_between(random, 0.0, 3.0);
    for (size_t k = 0; k < rig.nloads; k++)
        rig.load[k] = (struct carom_load){(size_t)draw_between(random, 0.0, (double)rig.n - 0.001),
                                          draw_signal(random, 0.3, true)};
    if (carom_random_uniform(random) < 0.6) {
        const bool wall = rig.right_wall && carom_random_uniform(random) < 0.5;
        if (!wall) /* a contact between two prescribed motions moves nothing, so no step is chosen for its losses */
            rig.left_wall = false;
        rig.drive[rig.ndrives++] =
            (struct carom_drive){wall ? CAROM_WALL_RIGHT : 0, draw_signal(random, 0.2, false), 0.0};
    }
    return rig;
}

/* the same rig may be built once more: tables are copied */
static struct carom_model *build(const struct rig *rig, enum carom_ending ending)
{
    struct rig copy = *rig;
    for (size_t k = 0; k < copy.nloads; k++)
        if (copy.load[k].force.shape == CAROM_SHAPE_TABLE) {
            double *own = carom_memory_zeroed(10, sizeof *own);
            CHECK_OR_STOP(own != NULL);
            memcpy(own, copy.load[k].force.time, 10 * sizeof *own);
            copy.load[k].force.time = own;
            copy.load[k].force.height = own + 5;
        }
    return rig_model_ending(&copy, ending);
}

static void discard(const struct rig *rig)
{
    for (size_t k = 0; k < rig->nloads; k++)
        if (rig->load[k].force.shape == CAROM_SHAPE_TABLE)
            carom_memory_free((void *)(uintptr_t)rig->load[k].force.time);
}

/* the largest |residual| over samples, and the largest energy that has gone through */
static void check_ledger(const struct rig *rig, enum carom_ending ending, double tol, uint64_t seed)
{
    struct rig_run run;
    struct carom_error error;
    CHECK_OR_STOP(rig_open(&run, build(rig, ending), &carom_scheme_dp5, tol, rig->q, rig->v, &error));
    double worst = 0.0, moved = 0.0, least = 0.0, mass = 0.0;
    for (size_t i = 0; i < rig->n; i++)
        mass += rig->mass[i];
    for (int i = 1; i <= 20; i++) {
        CHECK_STATUS(rig_go(&run, 0.4 * i, &error), CAROM_OK);
        struct carom_ledger ledger;
        carom_balance_read(run.model, run.view, NULL, &ledger);
        worst = fmax(worst, fabs(ledger.residual));
        moved = fmax(moved, fmax(ledger.kinetic, fmax(fabs(ledger.work), ledger.dissipated)));
        least = fmin(least, fmin(ledger.viscous, ledger.internal));
    }
    /* what tol means for energies: speeds are right to tol V */
    const double scale = fmax(moved, mass * run.scales.speed * run.scales.speed);
    if (worst > 10.0 * tol * scale || least < -tol * scale)
        printf("seed %llu: residual %.2e of %.2e, least loss %.2e, at tol %.0e\n", (unsigned long long)seed, worst,
               scale, least, tol);
    CHECK(worst <= 10.0 * tol * scale);
    CHECK(least >= -tol * scale);
    rig_close(&run);
}

/* to the middle, over to another stepper, to the end: the same bits as in one go */
static void check_restart(const struct rig *rig, const struct carom_scheme *scheme, uint64_t seed)
{
    struct rig_run whole, part, rest;
    struct carom_error error;
    const double option = scheme == &carom_scheme_dp5 ? 1e-6 : 0.04;
    if (!rig_open(&whole, build(rig, CAROM_END_GAP), scheme, option, rig->q, rig->v, &error)) {
        CHECK(error.status == CAROM_E_REFUSED);
        rig_close(&whole);
        return;
    }
    CHECK_OR_STOP(rig_open(&part, build(rig, CAROM_END_GAP), scheme, option, rig->q, rig->v, &error));
    CHECK_OR_STOP(rig_open(&rest, build(rig, CAROM_END_GAP), scheme, option, rig->q, rig->v, &error));
    const double until = 4.0;
    for (int i = 0; i < 7; i++) { /* a few calls, none of which cuts a step */
        const struct carom_bound bound = {
            .t_stop = rig_stop(part.model, part.state, until), .t_dense = HUGE_VAL, .steps = 3};
        if (carom_state_until(part.state, until) > 0.0)
            CHECK_STATUS(scheme->step(part.stepper, part.state, &bound, &error), CAROM_OK);
    }
    carom_state_copy(rest.state, part.state);
    CHECK_STATUS(rig_go(&whole, until, &error), CAROM_OK);
    CHECK_STATUS(rig_go(&rest, until, &error), CAROM_OK);
    if (carom_state_hash(whole.state) != carom_state_hash(rest.state))
        printf("seed %llu: %s does not go on alike\n", (unsigned long long)seed, scheme->kind.name);
    CHECK(carom_state_hash(whole.state) == carom_state_hash(rest.state));
    rig_close(&whole);
    rig_close(&part);
    rig_close(&rest);
}

/* a force far inside a long chain at rest, and a wall that moves late: only who moves is stepped, bits are the same */
static void check_sleep(void)
{
    enum { N = 60 };
    struct rig rig = {.n = N, .left_wall = true, .right_wall = true, .p = 1.5};
    for (size_t i = 0; i < N; i++)
        rig.mass[i] = 1.0;
    for (size_t j = 0; j <= N; j++)
        rig.k[j] = 1.0;
    rig.load[rig.nloads++] =
        (struct carom_load){30, {.shape = CAROM_SHAPE_HALF_SINE, .amplitude = 0.2, .start = 3.0, .duration = 2.0}};
    rig.drive[rig.ndrives++] = (struct carom_drive){
        CAROM_WALL_RIGHT, {.shape = CAROM_SHAPE_RAMP, .amplitude = -0.1, .start = 6.0, .duration = 1.0}, 0.0};
    struct rig_run run[2];
    struct carom_error error;
    for (int window = 0; window < 2; window++) {
        CHECK_OR_STOP(rig_open(&run[window], rig_model(&rig), &carom_scheme_dp5, 1e-8, rig.q, rig.v, &error));
        CHECK_STATUS(carom_options_set(&carom_scheme_dp5.kind, run[window].options, "window", window, &error),
                     CAROM_OK);
        CHECK_STATUS(rig_go(&run[window], 3.0, &error), CAROM_OK);
        for (size_t i = 0; i < N; i++)
            CHECK(run[window].view->q[i] == 0.0);
        CHECK_STATUS(rig_go(&run[window], 9.0, &error), CAROM_OK);
    }
    double pushed = 0.0, drawn = 0.0;
    for (size_t i = 0; i < N; i++) {
        CHECK_NEAR(run[0].view->q[i], run[1].view->q[i], 1e-15);
        CHECK_NEAR(run[0].view->v[i], run[1].view->v[i], 1e-15);
        pushed = fmax(pushed, i < 50 ? fabs(run[0].view->q[i]) : 0.0);
        drawn = fmax(drawn, i >= 50 ? fabs(run[0].view->q[i]) : 0.0);
    }
    CHECK(pushed > 0.05 && drawn > 0.05);
    rig_close(&run[0]);
    rig_close(&run[1]);
}

int main(void)
{
    static const struct carom_scheme *const schemes[] = {&carom_scheme_dp5,    &carom_scheme_verlet,
                                                         &carom_scheme_theta,  &carom_scheme_irk,
                                                         &carom_scheme_rk2,    &carom_scheme_cn,
                                                         &carom_scheme_cn_reg, &carom_scheme_gl,
                                                         &carom_scheme_gl_reg, &carom_scheme_energy_momentum};
    const uint64_t base = 20240617;
    printf("seeds from %llu on\n", (unsigned long long)base);
    for (uint64_t seed = base; seed < base + 150; seed++) {
        struct carom_random random;
        carom_random_start(&random, seed);
        const struct rig rig = draw(&random);
        check_ledger(&rig, CAROM_END_GAP, 1e-6, seed);
        check_ledger(&rig, CAROM_END_GAP, 1e-9, seed);
        check_ledger(&rig, CAROM_END_FORCE, 1e-8, seed);
        for (size_t i = 0; seed < base + 20 && i < sizeof schemes / sizeof *schemes; i++)
            check_restart(&rig, schemes[i], seed);
        discard(&rig);
    }
    check_sleep();
    CHECK_MAIN_END;
}
