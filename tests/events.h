/* Scheme event at work in tests: starts, runs and keeps its events. Include after check.h. */
#ifndef CAROM_TESTS_EVENTS_H
#define CAROM_TESTS_EVENTS_H

#include "carom/impact.h"
#include "rigid.h"

#ifndef EVENT_SCHEME
#define EVENT_SCHEME carom_scheme_event /* the scheme at work; any that has its options impact and tol */
#endif

enum { MOREAU = 0, NEWTON = 1 }; /* option `impact` */

/* A run with the events it told. */
struct log {
    struct play play;
    struct carom_event *event;
    size_t count, room;
};

static inline void log_close(struct log *log)
{
    play_close(&log->play);
    carom_memory_free(log->event);
    *log = (struct log){0};
}

/* The model is taken over. False with the error if the scheme refuses it or the start. */
static inline bool log_open(struct log *log, struct carom_model *model, int impact, double tol, const double *q,
                            const double *v, struct carom_error *error)
{
    const struct carom_scheme *scheme = &EVENT_SCHEME;
    *log = (struct log){.play = {.model = model, .options = carom_options_create(&scheme->kind)}};
    play_option(&log->play, scheme, "impact", impact);
    play_option(&log->play, scheme, "tol", tol);
    if (play_start(&log->play, scheme, q, v, error) == CAROM_OK)
        return true;
    log_close(log);
    return false;
}

static inline void log_keep(struct log *log)
{
    const struct carom_stepper *s = log->play.stepper;
    if (log->count + s->nevents > log->room) {
        const size_t room = 2 * (log->count + s->nevents);
        CHECK_OR_STOP(carom_memory_widen(&log->event, log->room, room, sizeof *log->event));
        log->room = room;
    }
    for (size_t i = 0; i < s->nevents; i++)
        log->event[log->count++] = s->event[i];
}

static inline enum carom_status log_run(struct log *log, double until, size_t steps, struct carom_error *error)
{
    struct play *p = &log->play;
    enum carom_status status = CAROM_OK;
    while (status == CAROM_OK && carom_state_until(p->state, until) > 0.0 && p->state->step < steps) {
        const size_t left = steps - p->state->step;
        const struct carom_bound bound = {
            .t_stop = until, .t_dense = HUGE_VAL, .steps = left < 1000 ? left : 1000, .watch = true};
        status = p->stepper->scheme->step(p->stepper, p->state, &bound, error);
        log_keep(log);
    }
    return status;
}

/* Opens a row, runs it, checks that nothing failed. */
static inline struct log log_row(const struct row *row, int impact, double until, size_t steps)
{
    struct log log;
    struct carom_error error = {CAROM_OK, ""};
    CHECK_OR_STOP(log_open(&log, row_model(row), impact, 1e-9, row->q, row->v, &error));
    const enum carom_status status = log_run(&log, until, steps, &error);
    if (status != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    CHECK_STATUS(status, CAROM_OK);
    return log;
}

/* What holds for every run: events in order of time, impulses that push, gaps never closed further than allowed. */
static inline void log_check(struct log *log, double allowed)
{
    for (size_t i = 0; i < log->count; i++) {
        const struct carom_event *e = &log->event[i];
        CHECK(i == 0 || e->time >= log->event[i - 1].time);
        CHECK(e->kind != CAROM_EVENT_IMPACT || e->impulse > 0.0);
        CHECK(e->kind == CAROM_EVENT_IMPACT || e->impulse == 0.0);
    }
    CHECK(log->play.stepper->worst_gap >= -allowed);
}

#endif
