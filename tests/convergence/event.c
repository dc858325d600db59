/* Scheme event against closed forms: the ball whose impacts accumulate, oscillators with a stop, two balls, Newton's
 * cradle, a plastic column, restitution 0 and 1; on rows of beads, where flights are exact, and on machines, where they
 * are not. */
#include "carom/mechanism.h"
#include "events.h"

/* Problem B: g = 10, e = 1/2 from height 1. Impact k at t0 (3 - 2^(2-k)), t0 = 1 / sqrt 5; rest at 3 t0. */
static void check_ball_log(const struct log *log, double allowed)
{
    const double t0 = 1.0 / sqrt(5.0);
    CHECK_OR_STOP(log->count > 15);
    for (size_t i = 0; i + 1 < log->count; i++) {
        const struct carom_event *e = &log->event[i];
        const double speed = sqrt(20.0) * ldexp(1.0, -(int)i), time = t0 * (3.0 - ldexp(1.0, 1 - (int)i));
        CHECK(e->kind == CAROM_EVENT_IMPACT);
        CHECK_NEAR(e->time, time, allowed * time);
        CHECK_NEAR(e->before, -speed, 1e-9 * speed);
        CHECK_NEAR(e->after, 0.5 * speed, 1e-9 * speed);
        CHECK_NEAR(e->impulse, 1.5 * speed, 1e-9 * speed);
    }
    CHECK(log->event[log->count - 1].kind == CAROM_EVENT_CLOSE);
    CHECK_NEAR(log->event[log->count - 1].time, 3.0 * t0, allowed);
}

static void check_ball(void)
{
    const double gap = 1.0;
    const struct row row = {.n = 1, .left = true, .gap = &gap, .e_all = 0.5, .gravity = -10.0};
    struct log log = log_row(&row, MOREAU, 2.0, SIZE_MAX);
    check_ball_log(&log, 1e-14);
    log_check(&log, 1e-15);
    struct carom_ledger ledger = play_ledger(&log.play);
    CHECK_NEAR(ledger.impact, 10.0, 1e-13);
    CHECK_NEAR(ledger.residual, 0.0, 1e-13);
    CHECK_NEAR(log.play.state->force[0], 10.0, 1e-13);
    CHECK(log.play.state->v[0] == 0.0);
    log_close(&log);
}

/* a machine with its parameters in `values`, in the order of its table */
static struct carom_model *machine(const struct carom_machine *kind, const double *values, double e, double q)
{
    void *own = carom_memory_zeroed(1, kind->kind.size);
    struct carom_model *model = carom_model_create();
    CHECK_OR_STOP(own && model);
    carom_param_defaults(&kind->kind, own);
    for (size_t i = 0; i < carom_param_count(kind->kind.params); i++)
        carom_param_store(&kind->kind.params[i], own, values[i]);
    struct carom_mechanism mechanism = kind->mechanism;
    mechanism.own = own;
    mechanism.release = carom_memory_free;
    const double v = 0.0, *const columns[CAROM_RIGID_COLUMNS] = {&e};
    const int32_t pair[1][2] = {{CAROM_WALL_LEFT, 0}};
    void *part = carom_mechanism_create(&mechanism, &q, &v, NULL);
    CHECK_OR_STOP(part != NULL);
    CHECK_STATUS(carom_model_add(model, &carom_part_mechanism, part, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1, pair, &(double){0.0}, columns, NULL),
                 CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    return model;
}

static struct log machine_log(const struct carom_machine *kind, const double *values, double e, double q, double tol,
                              double until)
{
    struct log log;
    struct carom_error error = {CAROM_OK, ""};
    CHECK_OR_STOP(log_open(&log, machine(kind, values, e, q), MOREAU, tol, &q, NULL, &error));
    CHECK(!log.play.stepper->exact);
    CHECK_STATUS(log_run(&log, until, SIZE_MAX, &error), CAROM_OK);
    return log;
}

static void check_ball_machine(void)
{
    const double values[] = {1.0, 10.0};
    struct log log = machine_log(&carom_machine_ball, values, 0.5, 1.0, 1e-9, 2.0);
    check_ball_log(&log, 1e-12);
    log_check(&log, 1e-12);
    CHECK_NEAR(play_ledger(&log.play).residual, 0.0, 1e-12);
    log_close(&log);
}

/* Time at which the impacts of q'' = -q, q >= stop, from q = 1 accumulate: flights of 2 atan(v / stop), v = e v. */
static double accumulation(double stop, double e)
{
    long double t = acosl((long double)stop), v = sinl(t);
    for (int k = 0; k < 4000 && v > 1e-19L; k++) {
        v *= (long double)e;
        t += 2.0L * atan2l(v, (long double)stop);
    }
    return (double)t;
}

/* Problems O (no accumulation in T = 10: impacts at pi/2, 3 pi/2, ...) and O+ (accumulation under a varying force). */
static void check_oscillators(void)
{
    const double spring = 1.0, start = 1.0, pi = acos(-1.0);
    const double stops[] = {0.2, 0.2, 0.01, 0.7}, es[] = {0.5, 0.0, 0.5, 0.8};
    const struct row plain = {.n = 1, .left = true, .e_all = 0.8, .spring = &spring, .q = &start};
    struct log log = log_row(&plain, MOREAU, 10.0, SIZE_MAX);
    CHECK(log.count == 3);
    for (size_t i = 0; i < log.count; i++) {
        CHECK_NEAR(log.event[i].time, ((double)i + 0.5) * pi, 1e-14);
        CHECK_NEAR(log.event[i].after, pow(0.8, (double)i + 1.0), 1e-14);
    }
    log_close(&log);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        const double gap = -stops[i], rest = accumulation(stops[i], es[i]);
        const struct row row = {.n = 1, .left = true, .gap = &gap, .e_all = es[i], .spring = &spring, .q = &start};
        log = log_row(&row, MOREAU, rest + 1.0, SIZE_MAX);
        CHECK(log.event[log.count - 1].kind == CAROM_EVENT_CLOSE);
        CHECK_NEAR(log.event[log.count - 1].time, rest, 1e-12 * rest);
        CHECK_NEAR(log.play.state->force[0], stops[i], 1e-14);
        CHECK_NEAR(play_ledger(&log.play).residual, 0.0, 1e-15);
        log_check(&log, 1e-15);
        log_close(&log);
    }
}

/* The same by steps: what is asked for is kept. */
static void check_oscillator_machine(void)
{
    const double values[] = {1.0, 1.0, 0.0, 0.0, 0.2}, rest = accumulation(0.2, 0.5);
    for (int digits = 6; digits <= 12; digits += 3) {
        const double tol = pow(10.0, -digits);
        struct log log = machine_log(&carom_machine_oscillator, values, 0.5, 1.0, tol, 10.0);
        CHECK(log.event[log.count - 1].kind == CAROM_EVENT_CLOSE);
        CHECK_NEAR(log.event[log.count - 1].time, rest, 20.0 * tol);
        CHECK_NEAR(log.play.state->force[0], 0.2, 1e-9);
        log_check(&log, tol);
        log_close(&log);
    }
}

/* Two balls of any masses: Newton's rule, exact momentum, loss (1 - e^2) m r^2 / 2. */
static void check_two_balls(void)
{
    const double mass[] = {3.0, 0.7}, gap = 0.37, v[] = {1.3, -0.4}, e = 0.6, m = 2.1 / 3.7;
    for (int impact = MOREAU; impact <= NEWTON; impact++) {
        const struct row row = {.n = 2, .mass = mass, .gap = &gap, .e_all = e, .v = v};
        struct log log = log_row(&row, impact, 1.0, SIZE_MAX);
        CHECK(log.count == 1);
        CHECK_NEAR(log.event[0].time, 0.37 / 1.7, 1e-16);
        CHECK_NEAR(log.event[0].impulse, (1.0 + e) * 1.7 * m, 1e-15);
        const double *after = log.play.state->v;
        CHECK_NEAR(after[1] - after[0], e * 1.7, 1e-15);
        CHECK_NEAR(3.0 * after[0] + 0.7 * after[1], 3.0 * 1.3 - 0.7 * 0.4, 1e-15);
        CHECK_NEAR(play_ledger(&log.play).impact, 0.5 * (1.0 - e * e) * m * 1.7 * 1.7, 1e-15);
        log_close(&log);
    }
}

/* Newton's cradle in touch, e = 1, pair by pair: one in, one out, a thousand times; k in, k out. */
static void check_cradle(void)
{
    enum { N = 5 };
    const double spring[N] = {1.0, 1.0, 1.0, 1.0, 1.0}, pi = acos(-1.0);
    for (size_t moved = 1; moved <= 4; moved++) {
        double q[N] = {0.0};
        for (size_t i = 0; i < moved; i++)
            q[i] = -1.0;
        const struct row row = {.n = N, .e_all = 1.0, .spring = spring, .q = q};
        struct log log = log_row(&row, NEWTON, 1e9, 1000);
        CHECK(log.play.state->step == 1000);
        CHECK_NEAR(log.play.state->time, 999.5 * pi, 1e-11 * 999.5 * pi);
        for (size_t i = 0; i < N; i++) /* back where they began, moving the other way round */
            CHECK_NEAR(log.play.state->v[i], i < moved ? -1.0 : 0.0, 1e-9);
        CHECK_NEAR(play_ledger(&log.play).residual, 0.0, 1e-11);
        log_check(&log, 1e-13);
        log_close(&log);
    }
}

/* A column let go with e = 0: every ball stops what is below, and all rests after the last has come down. */
static void check_plastic_column(void)
{
    enum { N = 12 };
    double gap[N];
    for (size_t i = 0; i < N; i++)
        gap[i] = i == 0 ? 1.0 : 0.05 + 0.01 * (double)(i * 7 % 5);
    const struct row row = {.n = N, .left = true, .gap = gap, .e_all = 0.0, .gravity = -10.0};
    struct log log = log_row(&row, MOREAU, 3.0, SIZE_MAX);
    double height = 0.0;
    size_t closed = 0;
    for (size_t i = 0; i < log.count; i++)
        if (log.event[i].kind == CAROM_EVENT_CLOSE) {
            CHECK(log.event[i].contact == closed); /* from below */
            height += gap[closed++];
            CHECK_NEAR(log.event[i].time, sqrt(height / 5.0), 1e-14);
        }
    CHECK(closed == N);
    for (size_t i = 0; i < N; i++)
        CHECK_NEAR(log.play.state->force[i], 10.0 * (double)(N - i), 1e-12);
    CHECK_NEAR(play_ledger(&log.play).residual, 0.0, 1e-12);
    log_close(&log);
}

int main(void)
{
    check_ball();
    check_ball_machine();
    check_oscillators();
    check_oscillator_machine();
    check_two_balls();
    check_cradle();
    check_plastic_column();
    return check_end();
}
