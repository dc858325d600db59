/* When samples are due, what a row holds, and what becomes of sinks that fail. */
#include "carom/record.h"

#include "chain.h"

static struct chain chain; /* large */

static const struct carom_origin origin = {"title", "scene", "", "si", "", 7};

/* --- when ---------------------------------------------------------------------------------------------------- */

static struct carom_recorder *recorder_with(const struct carom_model *model, struct carom_schedule schedule)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_recorder *recorder = carom_recorder_create(model, NULL, 0, &schedule, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(recorder != NULL);
    return recorder;
}

static void test_interval(const struct carom_model *model)
{
    const double intervals[] = {0.1, 1e-6, 1.0 / 3.0, 3e-7, 1e9};
    for (size_t k = 0; k < sizeof intervals / sizeof *intervals; k++) {
        struct carom_recorder *recorder = recorder_with(model, (struct carom_schedule){.every = intervals[k]});
        double t = -HUGE_VAL;
        for (int i = 0; i < 20000; i++) {
            t = carom_recorder_next(recorder, t);
            if (t != i * intervals[k])
                break;
        }
        CHECK(t == 19999 * intervals[k]);
        /* from anywhere, the next of the grid and no other */
        for (int i = 1; i < 1000; i++) {
            const double grid = i * intervals[k];
            CHECK(carom_recorder_next(recorder, nextafter(grid, 0.0)) == grid);
            CHECK(carom_recorder_next(recorder, grid) == (i + 1) * intervals[k]);
            CHECK(carom_recorder_next(recorder, nextafter(grid, HUGE_VAL)) == (i + 1) * intervals[k]);
        }
        carom_recorder_free(recorder);
    }
}

/* a window may begin at a time of the grid that rounding puts before or after it */
static void test_window(const struct carom_model *model)
{
    for (int begin = 1; begin < 2000; begin++) {
        const double from = begin * 1e-3, every = 1e-6;
        struct carom_recorder *recorder =
            recorder_with(model, (struct carom_schedule){.every = every, .from = from, .to = from + 5e-6});
        double t = -HUGE_VAL;
        int count = 0;
        for (double next; count < 10 && (next = carom_recorder_next(recorder, t)) < HUGE_VAL; t = next)
            count += next > t ? 1 : 100;
        CHECK(count == 6);
        carom_recorder_free(recorder);
    }
}

static void test_list(const struct carom_model *model)
{
    /* 0.3 is not 3 * 0.1 but the same sample; 0.7 is given twice */
    const double times[] = {0.05, 0.3, 0.62, 0.7, 0.7, 0.95};
    const double expected[] = {0.0, 0.05, 0.1, 0.2, 3 * 0.1, 4 * 0.1, 0.5, 6 * 0.1, 0.62, 7 * 0.1, 0.8, 0.9, 0.95, 1.0};
    struct carom_recorder *recorder =
        recorder_with(model, (struct carom_schedule){.every = 0.1, .ntimes = 6, .times = times});
    double t = -HUGE_VAL;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        t = carom_recorder_next(recorder, t);
        CHECK(t == expected[i]);
    }
    carom_recorder_free(recorder);

    recorder = recorder_with(model, (struct carom_schedule){.ntimes = 6, .times = times});
    size_t count = 0;
    for (t = carom_recorder_next(recorder, -HUGE_VAL); t < HUGE_VAL; t = carom_recorder_next(recorder, t))
        count++;
    CHECK(count == 5);
    carom_recorder_free(recorder);
}

static void test_steps_and_nothing(const struct carom_model *model)
{
    struct carom_recorder *recorder = recorder_with(model, (struct carom_schedule){.every_steps = 3, .events = true});
    CHECK(carom_recorder_next(recorder, -HUGE_VAL) == HUGE_VAL);
    CHECK(carom_recorder_wants_step(recorder, 0) && carom_recorder_wants_step(recorder, 6));
    CHECK(!carom_recorder_wants_step(recorder, 7));
    CHECK(carom_recorder_wants_events(recorder));
    carom_recorder_free(recorder);
    recorder = recorder_with(model, (struct carom_schedule){0});
    CHECK(carom_recorder_next(recorder, 5.0) == HUGE_VAL);
    CHECK(!carom_recorder_wants_step(recorder, 0) && !carom_recorder_wants_events(recorder));
    carom_recorder_free(recorder);
}

static void test_wrong_schedules(const struct carom_model *model)
{
    const double falling[] = {1.0, 0.5}, endless[] = {HUGE_VAL};
    const struct carom_schedule wrong[] = {{.every = -1.0},
                                           {.every = nan("")},
                                           {.every = HUGE_VAL},
                                           {.ntimes = 2, .times = falling},
                                           {.ntimes = 1, .times = endless}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct carom_error error = {CAROM_OK, ""};
        CHECK(carom_recorder_create(model, NULL, 0, &wrong[i], &error) == NULL);
        CHECK(error.status == CAROM_E_INPUT);
    }
}

/* --- what ---------------------------------------------------------------------------------------------------- */

static struct carom_memory *begin(struct carom_recorder *recorder, size_t nstate)
{
    struct carom_memory *memory = carom_sink_memory_new();
    CHECK_OR_STOP(memory != NULL);
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_memory, memory, NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_begin(recorder, &origin, "verlet", nstate, 0, 0, NULL), CAROM_OK);
    return memory;
}

static double entry(const struct carom_memory *memory, size_t row, const char *probe, size_t i)
{
    const size_t column = carom_sink_memory_column(memory, probe, i);
    CHECK_OR_STOP(column != SIZE_MAX);
    return memory->value[row * memory->width + column];
}

/* Two beads between walls: a wall contact that overlaps at rest, an inner one that parts fast, an open one. */
static void test_row(enum carom_ending ending)
{
    const double k = 4.0, gamma = 0.5, param[] = {k, gamma};
    chain_uniform(&chain, 2, true, true, &carom_law_kuwabara_kono, ending, param);
    struct carom_model *model = chain_model(&chain);
    struct carom_state *view = carom_state_create(model, 0);
    CHECK_OR_STOP(view != NULL);
    view->q[0] = -0.25; /* into the left wall */
    view->q[1] = -0.26; /* into bead 1 by 0.01 */
    view->v[1] = 3.0;   /* and away from it */
    view->time = 1.5;
    view->step = 42;
    view->energy = 1.0;
    const char *const probes[] = {"v", "u",       "gap", "contact_force", "contact_stored", "contact_dissipated",
                                  "u", "position"};
    const struct carom_schedule schedule = {.every = 1.0};
    struct carom_recorder *recorder = carom_recorder_create(model, probes, 8, &schedule, NULL);
    CHECK_OR_STOP(recorder != NULL);
    for (size_t j = 0; j < view->nlost; j++)
        view->lost[j] = 0.125 * (double)(j + 1);
    for (size_t j = 0; j < view->nclipped; j++)
        view->clipped[j] = 2.0;
    struct carom_memory *memory = begin(recorder, view->n);
    CHECK_STATUS(carom_recorder_sample(recorder, view, NULL), CAROM_OK);
    CHECK_OR_STOP(memory->nrows == 1);
    CHECK(memory->width == 2 + 2 + 4 * 3 + 2 + 10);
    CHECK(memory->time[0] == 1.5 && memory->step[0] == 42);
    CHECK(entry(memory, 0, "u", 0) == -0.25 && entry(memory, 0, "u", 1) == -0.26);
    CHECK(entry(memory, 0, "v", 0) == 0.0 && entry(memory, 0, "v", 1) == 3.0);
    CHECK(entry(memory, 0, "position", 0) == -0.25);
    CHECK_NEAR(entry(memory, 0, "position", 1), 1.0 - 0.26, 1e-15); /* radii of 1/2 where none are given */
    CHECK_NEAR(entry(memory, 0, "gap", 0), -0.25, 1e-16);
    CHECK_NEAR(entry(memory, 0, "gap", 1), -0.01, 1e-16);
    CHECK_NEAR(entry(memory, 0, "gap", 2), 0.26, 1e-16);

    const double d = 0.26 - 0.25, pull = k * (d * sqrt(d) + gamma * 1.5 * sqrt(d) * -3.0);
    CHECK(pull < 0.0);
    CHECK_NEAR(entry(memory, 0, "contact_force", 0), k * 0.125, 1e-15);
    CHECK_NEAR(entry(memory, 0, "contact_force", 1), ending == CAROM_END_FORCE ? 0.0 : pull, 1e-14);
    CHECK(entry(memory, 0, "contact_force", 2) == 0.0);
    CHECK_NEAR(entry(memory, 0, "contact_stored", 0), 0.4 * k * 0.25 * 0.125, 1e-16);
    CHECK(entry(memory, 0, "contact_stored", 2) == 0.0);
    for (size_t j = 0; j < 3; j++) {
        const double clipped = ending == CAROM_END_FORCE ? 2.0 : 0.0;
        CHECK(entry(memory, 0, "contact_dissipated", j) == 0.125 * (double)(j + 1) + clipped);
    }
    CHECK_NEAR(entry(memory, 0, "kinetic", 0), 4.5, 1e-15);
    CHECK(entry(memory, 0, "viscous", 0) == 0.75);
    CHECK(entry(memory, 0, "clipped", 0) == (ending == CAROM_END_FORCE ? 6.0 : 0.0));
    CHECK(entry(memory, 0, "dissipated", 0) == entry(memory, 0, "viscous", 0) + entry(memory, 0, "clipped", 0));
    const double balance = entry(memory, 0, "kinetic", 0) + entry(memory, 0, "stored", 0) +
                           entry(memory, 0, "dissipated", 0) - entry(memory, 0, "work", 0) - view->energy;
    CHECK_NEAR(entry(memory, 0, "residual", 0), balance, 1e-15);
    CHECK(carom_recorder_tally(recorder)->last.kinetic == entry(memory, 0, "kinetic", 0));
    CHECK(carom_recorder_tally(recorder)->worst_residual == fabs(entry(memory, 0, "residual", 0)));
    carom_recorder_free(recorder);
    carom_state_free(view);
    carom_model_free(model);
}

static void test_coinciding(const struct carom_model *model)
{
    struct carom_recorder *recorder = recorder_with(model, (struct carom_schedule){.every = 0.1});
    struct carom_state *view = carom_state_create(model, 0);
    CHECK_OR_STOP(view != NULL);
    const struct carom_memory *memory = begin(recorder, view->n);
    const double times[] = {0.0, 0.0, 0.3, 3 * 0.1, 0.4, nextafter(0.4, 1.0), 0.4001};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        view->time = times[i];
        CHECK_STATUS(carom_recorder_sample(recorder, view, NULL), CAROM_OK);
    }
    CHECK(memory->nrows == 4);
    CHECK(carom_recorder_tally(recorder)->rows == 4);
    view->time = 1.0;
    view->v[0] = nan(""); /* a broken ledger must not look like a good one */
    CHECK_STATUS(carom_recorder_sample(recorder, view, NULL), CAROM_OK);
    CHECK(isnan(carom_recorder_tally(recorder)->worst_residual));
    carom_recorder_free(recorder);
    carom_state_free(view);
}

static void test_probe_names(const struct carom_model *model)
{
    const char *const misspelt[] = {"u", "contact_farce"}, *const nonsense[] = {"zzzzzzzzzz"};
    const struct carom_schedule schedule = {.every = 1.0};
    struct carom_error error = {CAROM_OK, ""};
    CHECK(carom_recorder_create(model, misspelt, 2, &schedule, &error) == NULL);
    CHECK(error.status == CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "did you mean \"contact_force\"");
    CHECK(carom_recorder_create(model, nonsense, 1, &schedule, &error) == NULL);
    CHECK_CONTAINS(error.text, "zzzzzzzzzz");
    for (size_t i = 0; carom_probe_list[i] != NULL; i++) {
        CHECK(carom_probe_find(carom_probe_list[i]->kind.name) == carom_probe_list[i]);
        CHECK(carom_probe_list[i]->kind.text != NULL && carom_probe_list[i]->unit != NULL);
    }
    CHECK(carom_probe_find("nothing") == NULL);
}

/* Several parts: each has channels of its own, numbered on, and there are no positions along one line. */
static void test_parts(void)
{
    const double mass[] = {1.0, 2.0, 3.0};
    struct carom_model *model = carom_model_create();
    CHECK_OR_STOP(model != NULL);
    for (size_t n = 2; n <= 3; n++) {
        struct carom_beads *beads = carom_beads_create(n, mass, NULL, NULL, NULL);
        CHECK_OR_STOP(beads != NULL);
        CHECK_STATUS(carom_model_add(model, &carom_part_beads, beads, NULL), CAROM_OK);
    }
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    const char *const both[] = {"u", "position"}, *const forces[] = {"u", "contact_force"};
    const struct carom_schedule schedule = {.every = 1.0};
    struct carom_error error = {CAROM_OK, ""};
    CHECK(carom_recorder_create(model, both, 2, &schedule, &error) == NULL);
    CHECK(error.status == CAROM_E_REFUSED);
    struct carom_recorder *recorder = carom_recorder_create(model, forces, 2, &schedule, &error);
    CHECK_OR_STOP(recorder != NULL);
    struct carom_state *view = carom_state_create(model, 0);
    CHECK_OR_STOP(view != NULL);
    for (size_t i = 0; i < 5; i++)
        view->q[i] = (double)i;
    const struct carom_memory *memory = begin(recorder, view->n);
    CHECK_STATUS(carom_recorder_sample(recorder, view, NULL), CAROM_OK);
    CHECK_TEXT(memory->channel[0].path, "particles/beads/displacement");
    CHECK_TEXT(memory->channel[1].path, "particles/beads_2/displacement");
    for (size_t i = 0; i < 5; i++)
        CHECK(entry(memory, 0, "u", i) == (double)i);
    CHECK(carom_sink_memory_column(memory, "u", 5) == SIZE_MAX);
    CHECK(carom_sink_memory_column(memory, "contact_force", 0) == SIZE_MAX); /* there are no contacts */
    CHECK(carom_sink_memory_column(memory, "v", 0) == SIZE_MAX);             /* it was not asked for */
    carom_recorder_free(recorder);
    carom_state_free(view);
    carom_model_free(model);
}

/* --- sinks that fail ----------------------------------------------------------------------------------------- */

struct fragile {
    int fails_at; /* the call that fails: 1 is open */
    int calls, rows, released, closed;
};

static enum carom_status fragile_call(struct fragile *sink, struct carom_error *error)
{
    return ++sink->calls == sink->fails_at ? carom_error_set(error, CAROM_E_FILE, "broken at call %d", sink->calls)
                                           : CAROM_OK;
}

static enum carom_status fragile_open(void *own, const struct carom_layout *layout, struct carom_error *error)
{
    CHECK(layout->nstate > 0 && layout->nchannels == 10 && strcmp(layout->scheme, "theta") == 0);
    return fragile_call(own, error);
}

static enum carom_status fragile_row(void *own, const struct carom_row *row, struct carom_error *error)
{
    CHECK(row->index == 10 + (uint64_t)((struct fragile *)own)->rows++);
    return fragile_call(own, error);
}

static enum carom_status fragile_checkpoint(void *own, const struct carom_checkpoint *checkpoint,
                                            struct carom_error *error)
{
    CHECK(checkpoint->rows == 12 && checkpoint->events == 4 && checkpoint->counts.steps == 9);
    return fragile_call(own, error);
}

static enum carom_status fragile_event(void *own, const struct carom_event *event, struct carom_error *error)
{
    CHECK(event->contact == 5);
    return fragile_call(own, error);
}

static enum carom_status fragile_flush(void *own, struct carom_error *error)
{
    return fragile_call(own, error);
}

static enum carom_status fragile_close(void *own, const struct carom_counts *counts, struct carom_error *error)
{
    CHECK(counts->steps == 9);
    ((struct fragile *)own)->closed++;
    return fragile_call(own, error);
}

static void fragile_release(void *own)
{
    ((struct fragile *)own)->released++;
}

static const struct carom_sink sink_fragile = {
    .kind = {"fragile", "fails when told to", NULL, 0},
    .open = fragile_open,
    .row = fragile_row,
    .event = fragile_event,
    .checkpoint = fragile_checkpoint,
    .flush = fragile_flush,
    .close = fragile_close,
    .release = fragile_release,
};

/* A whole life of a recorder that goes on from 10 rows and 3 events; returns the status of the call that failed. */
static enum carom_status live(const struct carom_model *model, struct fragile *sink, struct carom_error *error)
{
    const struct carom_counts counts = {.steps = 9};
    const struct carom_event event = {.contact = 5};
    struct carom_state *view = carom_state_create(model, 0);
    CHECK_OR_STOP(view != NULL);
    struct carom_recorder *recorder = recorder_with(model, (struct carom_schedule){.every = 1.0});
    CHECK_STATUS(carom_recorder_sample(recorder, view, NULL), CAROM_E_REFUSED); /* not begun */
    CHECK_STATUS(carom_recorder_attach(recorder, &sink_fragile, sink, NULL), CAROM_OK);
    enum carom_status status = carom_recorder_begin(recorder, &origin, "theta", view->n, 10, 3, error);
    if (status == CAROM_OK)
        status = carom_recorder_sample(recorder, view, error);
    view->time = 1.0;
    if (status == CAROM_OK)
        status = carom_recorder_sample(recorder, view, error);
    if (status == CAROM_OK)
        status = carom_recorder_event(recorder, &event, error);
    if (status == CAROM_OK)
        status = carom_recorder_flush(recorder, error);
    if (status == CAROM_OK)
        status = carom_recorder_checkpoint(recorder, view, &counts, error);
    if (status == CAROM_OK)
        status = carom_recorder_end(recorder, &counts, error);
    if (status == CAROM_OK) {
        CHECK(carom_recorder_tally(recorder)->rows == 12 && carom_recorder_tally(recorder)->events == 4);
        CHECK_STATUS(carom_recorder_sample(recorder, view, NULL), CAROM_E_REFUSED); /* ended */
    }
    carom_recorder_free(recorder);
    carom_state_free(view);
    return status;
}

static void test_failing_sinks(const struct carom_model *model)
{
    for (int at = 1; at <= 8; at++) {
        struct fragile sink = {.fails_at = at};
        struct carom_error error = {CAROM_OK, ""};
        const enum carom_status status = live(model, &sink, &error);
        CHECK(status == (at <= 7 ? CAROM_E_FILE : CAROM_OK));
        CHECK(at == 8 || error.status == CAROM_E_FILE);
        CHECK(sink.released == 1);
        CHECK(sink.calls == (at <= 7 ? at : 7));
        CHECK(sink.closed == (at >= 7));
    }
    /* too late: refused, and still released */
    struct fragile first = {0}, late = {0};
    struct carom_recorder *recorder = recorder_with(model, (struct carom_schedule){.every = 1.0});
    CHECK_STATUS(carom_recorder_attach(recorder, &sink_fragile, &first, NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_begin(recorder, &origin, "theta", 3, 0, 0, NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_attach(recorder, &sink_fragile, &late, NULL), CAROM_E_REFUSED);
    CHECK(late.released == 1);
    CHECK_STATUS(carom_recorder_begin(recorder, &origin, "theta", 3, 0, 0, NULL), CAROM_E_REFUSED);
    carom_recorder_free(recorder);
    CHECK(first.released == 1 && first.closed == 0); /* without an end nothing is called complete */
    carom_recorder_free(NULL);
}

int main(void)
{
    const double param[] = {1.0};
    chain_uniform(&chain, 3, false, false, &carom_law_hertz, CAROM_END_GAP, param);
    struct carom_model *model = chain_model(&chain);
    test_interval(model);
    test_window(model);
    test_list(model);
    test_steps_and_nothing(model);
    test_wrong_schedules(model);
    test_coinciding(model);
    test_probe_names(model);
    test_failing_sinks(model);
    carom_model_free(model);
    test_row(CAROM_END_GAP);
    test_row(CAROM_END_FORCE);
    test_parts();
    return check_end();
}
