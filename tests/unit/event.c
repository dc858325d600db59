/* What scheme event refuses and reports: starts that overlap or are not finite, impacts that never end, callbacks that
 * return NaN; samples inside flights and at impacts; many events in one call; loads that break; lasting contacts that
 * let go; simultaneous impacts. */
#include "scheme/rigid/event/event.h"
#include "carom/mechanism.h"
#include "events.h"

static void check_bad_starts(void)
{
    const double gap[] = {0.1, 0.2}, inside[] = {-0.15, 0.0}, none[] = {0.0, nan("")};
    const struct row row = {.n = 2, .left = true, .gap = gap, .e_all = 0.5};
    struct log log;
    struct carom_error error = {CAROM_OK, ""};
    CHECK(!log_open(&log, row_model(&row), MOREAU, 1e-9, inside, NULL, &error));
    CHECK_STATUS(error.status, CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "contact 0 starts with its bodies overlapping by 0.05");
    CHECK(!log_open(&log, row_model(&row), MOREAU, 1e-9, NULL, none, &error));
    CHECK_STATUS(error.status, CAROM_E_NUMERIC);
    CHECK_CONTAINS(error.text, "velocity 2 is not finite");
}

/* A ball that fills the room between two walls, e = 1: refused in words, the state as it was; e < 1 comes to rest. */
static void check_no_room(void)
{
    const double v = 1.0;
    for (int impact = MOREAU; impact <= NEWTON; impact++) {
        struct row row = {.n = 1, .left = true, .right = true, .e_all = 1.0, .v = &v};
        struct log log;
        struct carom_error error = {CAROM_OK, ""};
        CHECK_OR_STOP(log_open(&log, row_model(&row), impact, 1e-9, NULL, &v, &error));
        const uint64_t before = carom_state_hash(log.play.state);
        CHECK_STATUS(log_run(&log, 1.0, SIZE_MAX, &error), CAROM_E_NUMERIC);
        CHECK_CONTAINS(error.text, "not end");
        CHECK(carom_state_hash(log.play.state) == before);
        log_close(&log);
        row.e_all = 0.5;
        log = log_row(&row, impact, 1.0, SIZE_MAX);
        CHECK_NEAR(log.play.state->v[0], 0.0, 1e-12);
        CHECK_NEAR(play_ledger(&log.play).impact, 0.5, 1e-12);
        log_close(&log);
    }
}

static double *fatal_time(void)
{
    static double t = HUGE_VAL;
    return &t;
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    (void)own;
    (void)q;
    (void)v;
    f[0] = t > *fatal_time() ? nan("") : -10.0;
}

static void mass(const void *own, const double *q, double *m)
{
    (void)own;
    (void)q;
    m[0] = 1.0;
}

static double distance(const void *own, size_t i, double t, const double *q)
{
    (void)own;
    (void)i;
    (void)t;
    return q[0];
}

/* A force that turns NaN: the run stops in words, its state finite and before that time. */
static void check_nan_callback(void)
{
    const struct carom_mechanism mechanism = {.name = "faulty",
                                              .n = 1,
                                              .ndistances = 1,
                                              .constant_mass = true,
                                              .mass = mass,
                                              .force = force,
                                              .distance = distance};
    const double q = 1.0, v = 0.0, e = 0.5, gap = 0.0, *const columns[CAROM_RIGID_COLUMNS] = {&e};
    const int32_t pair[1][2] = {{CAROM_WALL_LEFT, 0}};
    struct carom_model *model = carom_model_create();
    struct carom_error error = {CAROM_OK, ""};
    struct log log;
    CHECK_STATUS(carom_model_add(model, &carom_part_mechanism, carom_mechanism_create(&mechanism, &q, &v, NULL), NULL),
                 CAROM_OK);
    CHECK_STATUS(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1, pair, &gap, columns, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    CHECK_OR_STOP(log_open(&log, model, MOREAU, 1e-9, &q, NULL, &error));
    *fatal_time() = 0.6;
    CHECK_STATUS(log_run(&log, 2.0, SIZE_MAX, &error), CAROM_E_NUMERIC);
    CHECK(error.text[0] != '\0');
    CHECK(log.play.state->time <= 0.6 && log.play.state->time > 0.4);
    CHECK(isfinite(log.play.state->q[0]) && isfinite(log.play.state->v[0]));
    *fatal_time() = HUGE_VAL;
    log_close(&log);
}

/* Inside the last flight `dense` is the flight; at an impact the state is the right limit. */
static void check_samples(void)
{
    const double gap = 1.0;
    const struct row row = {.n = 1, .left = true, .gap = &gap, .e_all = 0.5, .gravity = -10.0};
    struct log log = log_row(&row, MOREAU, 10.0, 1);
    const double t0 = sqrt(0.2);
    CHECK_NEAR(log.play.state->v[0], 0.5 * sqrt(20.0), 1e-15);
    for (double t = 0.01; t < t0; t += 0.05) {
        carom_scheme_event.dense(log.play.stepper, log.play.state, t, log.play.view);
        CHECK(log.play.view->time == t);
        CHECK_NEAR(log.play.view->q[0], -5.0 * t * t, 1e-15);
        CHECK_NEAR(log.play.view->v[0], -10.0 * t, 1e-14);
    }
    carom_scheme_event.sync(log.play.stepper, log.play.state, log.play.view);
    CHECK(log.play.view->v[0] == log.play.state->v[0]);
    log_close(&log);
}

/* One call ends when its room for events is full, loses none, and the next goes on. */
static void check_many_events(void)
{
    const double gap[] = {0.5, 0.5}, v = 1.0;
    const struct row row = {.n = 1, .left = true, .right = true, .gap = gap, .e_all = 1.0, .v = &v};
    struct log log;
    CHECK_OR_STOP(log_open(&log, row_model(&row), NEWTON, 1e-9, NULL, &v, NULL));
    size_t total = 0;
    while (carom_state_until(log.play.state, 10000.0) > 0.0) {
        const struct carom_bound bound = {.t_stop = 10000.0, .t_dense = HUGE_VAL, .steps = SIZE_MAX, .watch = true};
        CHECK_STATUS(carom_scheme_event.step(log.play.stepper, log.play.state, &bound, NULL), CAROM_OK);
        CHECK(log.play.stepper->nevents > 0);
        for (size_t i = 0; i < log.play.stepper->nevents; i++, total++)
            CHECK_NEAR(log.play.stepper->event[i].time, 0.5 + (double)total, 1e-9);
    }
    CHECK(total == 10000);
    log_close(&log);
}

/* A load presses a ball onto a wall, changes, and pulls it off: held, force as the load, let go at the break. */
static void check_loads(void)
{
    const double mass_of = 2.0, e = 0.0, gap = 0.0, *const columns[CAROM_RIGID_COLUMNS] = {&e};
    const int32_t pair[1][2] = {{CAROM_WALL_LEFT, 0}};
    const struct carom_signal press = {.shape = CAROM_SHAPE_STEP, .amplitude = -3.0, .start = 0.0, .duration = 1.0},
                              pull = {.shape = CAROM_SHAPE_STEP, .amplitude = 4.0, .start = 1.5};
    struct carom_beads *beads = carom_beads_create(1, &mass_of, NULL, NULL, NULL);
    struct carom_model *model = carom_model_create();
    CHECK_OR_STOP(beads && model);
    CHECK_STATUS(carom_beads_push(beads, 0, &press, NULL), CAROM_OK);
    CHECK_STATUS(carom_beads_push(beads, 0, &pull, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_add(model, &carom_part_beads, beads, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1, pair, &gap, columns, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    struct log log;
    CHECK_OR_STOP(log_open(&log, model, MOREAU, 1e-9, NULL, NULL, NULL));
    CHECK(log.play.stepper->exact);
    CHECK_STATUS(log_run(&log, 0.5, SIZE_MAX, NULL), CAROM_OK);
    CHECK_NEAR(log.play.state->force[0], 3.0, 1e-15);
    CHECK_STATUS(log_run(&log, 2.5, SIZE_MAX, NULL), CAROM_OK);
    CHECK_NEAR(log.play.state->q[0], 1.0, 1e-14);
    CHECK_NEAR(log.play.state->v[0], 2.0, 1e-14);
    CHECK_NEAR(play_ledger(&log.play).work, 4.0, 1e-14);
    CHECK_NEAR(play_ledger(&log.play).residual, 0.0, 1e-14);
    CHECK(log.count == 1 && log.event[0].kind == CAROM_EVENT_OPEN);
    CHECK_NEAR(log.event[0].time, 1.5, 1e-15);
    log_close(&log);
}

/* Beads 1 (free) and 2 (on a spring) begin in touch. Moving left they part at once. Moving right they go as one body of
 * mass 2, w^2 = 1/2, bead 1 braked by bead 2, until the force between them ends where they come back: at t = pi / w. */
static void check_letting_go(void)
{
    const double spring[] = {0.0, 1.0}, v[] = {-1.0, -1.0}, time = acos(-1.0) * sqrt(2.0);
    const struct row row = {.n = 2, .e_all = 0.0, .spring = spring, .v = v};
    struct log log = log_row(&row, MOREAU, 1.0, SIZE_MAX);
    CHECK(log.count == 0);
    CHECK_NEAR(log.play.state->v[0], -1.0, 1e-15);
    CHECK_NEAR(log.play.state->v[1], -cos(1.0), 1e-15);
    log_close(&log);
    const double turned[] = {1.0, 1.0};
    const struct row other = {.n = 2, .e_all = 0.0, .spring = spring, .v = turned};
    log = log_row(&other, MOREAU, time + 1.0, SIZE_MAX);
    CHECK(log.count == 1 && log.event[0].kind == CAROM_EVENT_OPEN);
    CHECK_NEAR(log.event[0].time, time, 1e-13);
    CHECK_NEAR(log.play.state->v[0], -1.0, 1e-13);
    CHECK_NEAR(log.play.state->v[1], -cos(1.0), 1e-13);
    log_close(&log);
}

/* Two strikers at once on a ball at rest: one set, symmetric under moreau. */
static void check_simultaneous(void)
{
    const double gap[] = {0.3, 0.3}, v[] = {1.0, 0.0, -1.0};
    const struct row row = {.n = 3, .gap = gap, .e_all = 1.0, .v = v};
    struct log log = log_row(&row, MOREAU, 1.0, SIZE_MAX);
    CHECK(log.count == 2 && log.event[0].time == log.event[1].time);
    CHECK_NEAR(log.play.state->v[0], -1.0, 1e-15);
    CHECK_NEAR(log.play.state->v[1], 0.0, 1e-15);
    CHECK_NEAR(log.play.state->v[2], 1.0, 1e-15);
    log_close(&log);
}

/* Options of an impact law are given with the scheme: what the two tables say of one key is the same. */
static void check_tables(void)
{
    size_t shared = 0;
    for (size_t i = 0; carom_striker_impacts[i] != NULL; i++)
        for (const struct carom_param *own = carom_striker_impacts[i]->kind.params; own != NULL && own->name; own++) {
            const struct carom_param *row = carom_param_find(carom_scheme_event.kind.params, own->name);
            CHECK_OR_STOP(row != NULL);
            CHECK(row->type == own->type && row->standard == own->standard && row->low == own->low &&
                  row->high == own->high && strcmp(row->unit, own->unit) == 0);
            shared++;
        }
    CHECK(shared >= 8);
}

/* Where the scene says no impact_tol: tol, and a ten thousandth of it, so that it is not felt, by laws that follow the
 * path of a blow. */
static void check_pass_on(void)
{
    const struct {
        const struct carom_impact *impact;
        double tol, fine;
    } cases[] = {{&carom_impact_poisson, 1e-4, 1e-8},
                 {&carom_impact_stronge, 1e-4, 1e-8},
                 {&carom_impact_stronge, 1e-7, 1e-10},
                 {&carom_impact_poisson, 1e-11, 1e-11},
                 {&carom_impact_lzb, 1e-4, 1e-4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct carom_event_options options = {.tol = cases[i].tol};
        const struct carom_param *row = carom_param_find(cases[i].impact->kind.params, "impact_tol");
        void *own = carom_event_pass_on(&options, cases[i].impact);
        CHECK_OR_STOP(own != NULL && row != NULL);
        CHECK_NEAR(carom_param_value(row, own), cases[i].fine, 1e-12 * cases[i].fine);
        carom_memory_free(own);
    }
}

int main(void)
{
    check_tables();
    check_bad_starts();
    check_no_room();
    check_nan_callback();
    check_samples();
    check_many_events();
    check_loads();
    check_letting_go();
    check_simultaneous();
    check_pass_on();
    return check_end();
}
