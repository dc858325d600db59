/* Blocks of four chains under scheme theta in the lanes of one fold. Masses, stiffnesses, gammas, gaps, springs, walls,
 * laws and motions may differ from chain to chain; there are no loads. */
#include <string.h>

#include "base/lane.h"
#include "base/memory.h"
#include "scheme/chain/lanes.h"
#include "scheme/chain/theta_fold.h"
#include "scheme/chain/theta_pass.h"
#include "scheme/stepper.h"

enum { WIDTH = CAROM_THETA_FOLD_CHAINS };

struct block {
    struct carom_lanes_block own;
    struct carom_theta_fold fold;
    double last[WIDTH];    /* size of the last step of each chain, 0: none yet */
    uint64_t began[WIDTH]; /* at this step, of each chain */
    struct carom_lanes_due due;
    double *start; /* velocities and losses at the start of a step, folded, if somebody looks */
};

static bool fits(const struct carom_stepper *a, const struct carom_stepper *b)
{
    const unsigned needs = carom_scheme_theta.needs;
    return (a->model->offers & b->model->offers & needs) == needs && a->model->nv == b->model->nv &&
           !carom_model_chain(a->model)->loaded && !carom_model_chain(b->model)->loaded;
}

static enum carom_status open_block(void *block, struct carom_error *error)
{
    struct block *b = block;
    const struct carom_model *beside[WIDTH];
    double length[WIDTH];
    for (size_t c = 0; c < WIDTH; c++) {
        const struct carom_stepper *stepper = b->own.stepper[c < b->own.count ? c : 0];
        beside[c] = stepper->model;
        length[c] = stepper->scales.length;
    }
    const enum carom_status status =
        carom_theta_fold_open(&b->fold, b->own.count == 1 ? 1 : WIDTH, beside, length, error);
    if (status == CAROM_OK && !(b->start = carom_memory_zeroed(2 * b->fold.doubles, sizeof *b->start)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a batch of chains");
    return status;
}

static void close_block(void *block)
{
    struct block *b = block;
    carom_theta_fold_close(&b->fold);
    carom_memory_free(b->start);
}

static void read_block(struct block *b, struct carom_state *const *state)
{
    struct carom_theta_fold *f = &b->fold;
    for (size_t c = 0; c < f->chains; c++) {
        const struct carom_state *from = state[c < b->own.count ? c : 0];
        carom_theta_fold_put(f, c, from->q, f->x);
        carom_theta_fold_put(f, c, from->v, f->v);
        if (from->nlost > 0)
            carom_theta_fold_put_contacts(f, c, from->lost, f->lost);
        carom_theta_fold_recall(f, c, from->memory, f->earlier);
        b->last[c] = from->memory[CAROM_THETA_SIZE];
        b->began[c] = from->step;
        f->lane[c].idle = c >= b->own.count;
        f->lane[c].iterations = f->lane[c].evaluations = 0;
    }
    carom_theta_newton_refresh(f);
}

/* `earlier` are the forces at the start of the last step; the clock has the time and, as steps, those just taken */
static void write_chain(const struct block *b, size_t c, const double *earlier, const struct carom_state *clock,
                        struct carom_state *state)
{
    const struct carom_theta_fold *f = &b->fold;
    carom_theta_fold_take(f, c, f->x, state->q);
    carom_theta_fold_take(f, c, f->v, state->v);
    if (state->nlost > 0)
        carom_theta_fold_take_contacts(f, c, f->lost, state->lost);
    carom_theta_fold_remember(f, c, earlier, state->memory);
    state->memory[CAROM_THETA_SIZE] = b->last[c];
    state->time = clock->time;
    state->time_low = clock->time_low;
    state->step = b->began[c] + clock->step;
}

/* --- looks -------------------------------------------------------------------------------------------------------- */

/* Which chains have had a contact close or open in the last step? Its forces at the start are the earlier ones. */
static void find_switched(struct carom_theta_fold *f)
{
    const size_t width = 2 * f->chains;
    carom_lane_mask changes[WIDTH] = {{0}};
    for (size_t at = 0; at < f->contacts_end; at += width)
        for (size_t c = 0; c < f->chains; c++)
            changes[c] |=
                (carom_lane_load(f->earlier + at + 2 * c) > 0.0) ^ (carom_lane_load(f->elastic + at + 2 * c) > 0.0);
    for (size_t c = 0; c < f->chains; c++)
        f->lane[c].switched = (changes[c][0] | changes[c][1]) != 0;
}

static void keep_start(struct block *b)
{
    memcpy(b->start, b->fold.v, b->fold.doubles * sizeof *b->start);
    memcpy(b->start + b->fold.doubles, b->fold.lost, b->fold.doubles * sizeof *b->start);
}

/* The start of the last step: the fold's trial is what x was. */
static void write_before(const struct block *b, size_t c, const struct carom_state *clock, struct carom_state *before)
{
    const struct carom_theta_fold *f = &b->fold;
    carom_theta_fold_take(f, c, f->trial, before->q);
    carom_theta_fold_take(f, c, b->start, before->v);
    if (before->nlost > 0)
        carom_theta_fold_take_contacts(f, c, b->start + f->doubles, before->lost);
    before->time = clock->time;
    before->time_low = clock->time_low;
    before->step = b->began[c] + clock->step;
}

/* after a step that began at a clock of `from` */
static void show(struct block *b, struct carom_state *const *state, const struct carom_state *from,
                 const struct carom_state *clock)
{
    struct carom_theta_fold *f = &b->fold;
    find_switched(f);
    for (size_t c = 0; c < b->own.count; c++) {
        const bool switched = f->lane[c].switched;
        if (f->lane[c].idle || !(switched || clock->step >= b->due.step[c]))
            continue;
        if (switched)
            write_before(b, c, from, b->own.stepper[c]->before);
        write_chain(b, c, f->earlier, clock, state[c]);
        carom_lanes_tell(&b->own, &b->due, c, clock->step, switched);
    }
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* one step with the chains that go on, false if none does; those that fail are written as they were */
static bool step_block(struct block *b, struct carom_state *const *state, const struct carom_state *clock, double h)
{
    struct carom_theta_fold *f = &b->fold;
    for (size_t c = 0; c < f->chains; c++)
        f->lane[c].stretch = b->last[c] > 0.0 ? h / b->last[c] : 0.0;
    carom_theta_fold_pace(f, h);
    carom_theta_newton_step(f);
    bool any = false;
    for (size_t c = 0; c < b->own.count; c++) {
        struct carom_theta_lane *lane = &f->lane[c];
        if (!lane->idle && lane->failed && clock->step > 0)
            write_chain(b, c, f->next, clock, state[c]);
        lane->idle |= lane->failed;
        any |= !lane->idle;
        b->last[c] = h;
    }
    return any;
}

static size_t run_block(void *block, struct carom_state *const *state, double step, double t_stop, size_t steps)
{
    struct block *b = block;
    struct carom_state clock = {.time = state[0]->time, .time_low = state[0]->time_low};
    read_block(b, state);
    carom_lanes_due_begin(&b->own, &b->due);
    bool going = true;
    while (going && clock.step < steps && carom_state_until(&clock, t_stop) > 0.0) {
        const double h = carom_stepper_size(&clock, step, t_stop);
        const struct carom_state from = clock;
        if (b->own.look)
            keep_start(b);
        going = step_block(b, state, &clock, h);
        if (going)
            carom_stepper_arrive(&clock, h, t_stop);
        if (going && b->own.look)
            show(b, state, &from, &clock);
    }
    for (size_t c = 0; c < b->own.count; c++)
        if (!b->fold.lane[c].idle && clock.step > 0)
            write_chain(b, c, b->fold.earlier, &clock, state[c]);
    return clock.step;
}

static bool failed(const void *block, size_t chain, struct carom_counts *counts)
{
    const struct carom_theta_lane *lane = &((const struct block *)block)->fold.lane[chain];
    counts->iterations += lane->iterations;
    counts->evaluations += lane->evaluations;
    return lane->idle;
}

const struct carom_lanes carom_batch_theta_lanes = {
    .scheme = &carom_scheme_theta,
    .width = WIDTH,
    .size = sizeof(struct block),
    .fits = fits,
    .open = open_block,
    .close = close_block,
    .run = run_block,
    .failed = failed,
};
