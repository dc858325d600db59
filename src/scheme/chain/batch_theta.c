/* Blocks of four chains in the lanes of one fold. A block takes all steps of a call before the next one begins, so that
 * its arrays stay in the first cache. */
#include "scheme/chain/batch_theta.h"

#include <string.h>

#include "base/lane.h"
#include "base/memory.h"
#include "scheme/chain/peaks.h"
#include "scheme/chain/theta_newton.h"
#include "scheme/chain/theta_pass.h"
#include "scheme/stepper.h"

enum { WIDTH = CAROM_THETA_FOLD_CHAINS };

struct block {
    struct carom_theta_fold fold;
    size_t first, count;
    double last[WIDTH];       /* size of the last step of each chain, 0: none yet */
    struct carom_peaks peaks; /* of all contacts in the lanes' order; n = 0: not asked for */
};

struct carom_batch_theta {
    size_t count, nblocks;
    struct block *block;
    bool *failed; /* count */
    struct carom_counts counts;
};

bool carom_batch_theta_fits(const struct carom_model *a, const struct carom_model *b)
{
    const unsigned needs = carom_scheme_theta.needs;
    return (a->offers & b->offers & needs) == needs && a->nv == b->nv && !carom_model_chain(a)->loaded &&
           !carom_model_chain(b)->loaded;
}

void carom_batch_theta_free(struct carom_batch_theta *batch)
{
    if (!batch)
        return;
    for (size_t i = 0; batch->block && i < batch->nblocks; i++) {
        carom_theta_fold_close(&batch->block[i].fold);
        carom_peaks_close(&batch->block[i].peaks);
    }
    carom_memory_free(batch->block);
    carom_memory_free(batch->failed);
    carom_memory_free(batch);
}

/* lanes without a chain are filled with the first and stay idle */
static enum carom_status open_block(struct block *b, const struct carom_model *const *model,
                                    const struct carom_scales *scales, struct carom_error *error)
{
    const struct carom_model *beside[WIDTH];
    double length[WIDTH];
    for (size_t c = 0; c < WIDTH; c++) {
        const size_t from = b->first + (c < b->count ? c : 0);
        beside[c] = model[from];
        length[c] = scales[from].length;
    }
    return carom_theta_fold_open(&b->fold, b->count == 1 ? 1 : WIDTH, beside, length, error);
}

/* refuses what scheme theta refuses, and what does not fit */
static enum carom_status check(size_t count, const struct carom_model *const *model, struct carom_error *error)
{
    if (count == 0)
        return carom_error_set(error, CAROM_E_INPUT, "a batch has at least one chain");
    for (size_t c = 0; c < count; c++) {
        if (!carom_batch_theta_fits(model[0], model[c]))
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "chain %zu does not fit into the batch: scheme theta steps chains of equal length "
                                   "side by side",
                                   c + 1);
        const enum carom_status status = carom_scheme_theta.accept(model[c], NULL, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

struct carom_batch_theta *carom_batch_theta_create(size_t count, const struct carom_model *const *model,
                                                   const struct carom_scales *scales, struct carom_error *error)
{
    if (check(count, model, error) != CAROM_OK)
        return NULL;
    struct carom_batch_theta *batch = carom_memory_zeroed(1, sizeof *batch);
    if (batch) {
        batch->count = count;
        batch->nblocks = (count + WIDTH - 1) / WIDTH;
        batch->block = carom_memory_zeroed(batch->nblocks, sizeof *batch->block);
        batch->failed = carom_memory_zeroed(count, sizeof *batch->failed);
    }
    bool good = batch && batch->block && batch->failed;
    if (!good)
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for a batch of chains");
    for (size_t i = 0; good && i < batch->nblocks; i++) {
        struct block *b = &batch->block[i];
        b->first = i * WIDTH;
        b->count = count - b->first < WIDTH ? count - b->first : WIDTH;
        good = open_block(b, model, scales, error) == CAROM_OK;
    }
    if (!good) {
        carom_batch_theta_free(batch);
        return NULL;
    }
    return batch;
}

/* physical <-> own velocities of one chain */
static void correct(struct carom_batch_theta *batch, size_t chain, const struct carom_state *state, double factor,
                    double *v)
{
    struct carom_theta_fold *f = &batch->block[chain / WIDTH].fold;
    const size_t c = chain % WIDTH;
    carom_theta_fold_put(f, c, state->q, f->x);
    carom_theta_fold_put(f, c, state->v, f->v);
    carom_theta_newton_press(f);
    carom_theta_pass_correct(f, f->next, factor);
    carom_theta_fold_take(f, c, f->v, v);
}

void carom_batch_theta_start(struct carom_batch_theta *batch, struct carom_state *const *state)
{
    for (size_t c = 0; c < batch->count; c++)
        correct(batch, c, state[c], -1.0, state[c]->v);
}

void carom_batch_theta_sync(struct carom_batch_theta *batch, size_t chain, const struct carom_state *state,
                            struct carom_state *view)
{
    carom_state_view(view, state);
    correct(batch, chain, state, 1.0, view->v);
}

static void read_block(struct block *b, struct carom_state *const *state)
{
    struct carom_theta_fold *f = &b->fold;
    for (size_t c = 0; c < f->chains; c++) {
        const struct carom_state *from = state[c < b->count ? c : 0];
        carom_theta_fold_put(f, c, from->q, f->x);
        carom_theta_fold_put(f, c, from->v, f->v);
        if (from->nlost > 0)
            carom_theta_fold_put_contacts(f, c, from->lost, f->lost);
        carom_theta_fold_recall(f, c, from->memory, f->earlier);
        b->last[c] = from->memory[CAROM_THETA_SIZE];
        f->lane[c].idle = c >= b->count;
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
    state->step += clock->step;
}

/* one step with the chains that go on, false if none does; those that fail are written as they were */
static bool step_block(struct block *b, struct carom_state *const *state, const struct carom_state *clock, double h)
{
    struct carom_theta_fold *f = &b->fold;
    for (size_t c = 0; c < f->chains; c++)
        f->lane[c].stretch = b->last[c] > 0.0 ? h / b->last[c] : 0.0;
    carom_theta_fold_pace(f, h);
    carom_theta_newton_step(f);
    bool any = false;
    for (size_t c = 0; c < b->count; c++) {
        struct carom_theta_lane *lane = &f->lane[c];
        if (!lane->idle && lane->failed && clock->step > 0)
            write_chain(b, c, f->next, clock, state[c]);
        lane->idle |= lane->failed;
        any |= !lane->idle;
        b->last[c] = h;
    }
    return any;
}

/* the forces as they act now, with the rates of physical velocities */
static void look(struct block *b, double time)
{
    struct carom_theta_fold *f = &b->fold;
    const size_t width = 2 * f->chains;
    double *const own = f->v, *const v = f->residual, *force = carom_peaks_turn(&b->peaks, time);
    memcpy(v, own, f->doubles * sizeof *v);
    f->v = v;
    carom_theta_pass_correct(f, f->elastic, 1.0);
    f->v = own;
    carom_theta_pass_mirror(f, v);
    carom_theta_pass_mirror(f, f->x);
    for (size_t at = 0; at < f->contacts_end; at += 2) {
        const carom_lane d =
            carom_lane_load(f->x + at) - carom_lane_load(f->x + at + width) - carom_lane_load(f->gap + at);
        const carom_lane rate = carom_lane_load(v + at) - carom_lane_load(v + at + width);
        const carom_lane drag = carom_lane_load(f->gamma + at) *
                                (1.5 * carom_lane_load(f->stiffness + at) * carom_lane_sqrt(carom_lane_positive(d)));
        const carom_lane acting = carom_lane_load(f->elastic + at) + drag * rate;
        carom_lane_store(force + at, carom_lane_where(d > 0.0, acting));
    }
    carom_peaks_note(&b->peaks);
}

/* all steps of one block; the number of steps taken */
static size_t run_block(struct block *b, struct carom_state *const *state, double step, double t_stop, size_t steps)
{
    struct carom_state clock = {.time = state[0]->time, .time_low = state[0]->time_low};
    read_block(b, state);
    bool going = true;
    while (going && clock.step < steps && carom_state_until(&clock, t_stop) > 0.0) {
        const double h = carom_stepper_size(&clock, step, t_stop);
        going = step_block(b, state, &clock, h);
        if (going)
            carom_stepper_arrive(&clock, h, t_stop);
        if (going && b->peaks.n > 0)
            look(b, clock.time);
    }
    for (size_t c = 0; c < b->count; c++)
        if (!b->fold.lane[c].idle && clock.step > 0)
            write_chain(b, c, b->fold.earlier, &clock, state[c]);
    return clock.step;
}

static enum carom_status check_clocks(const struct carom_batch_theta *batch, struct carom_state *const *state,
                                      struct carom_error *error)
{
    for (size_t c = 0; c < batch->count; c++) {
        if (state[c]->time != state[0]->time || state[c]->time_low != state[0]->time_low)
            return carom_error_set(error, CAROM_E_INPUT, "chain %zu of the batch has another time than the first",
                                   c + 1);
        if (state[c]->memory[CAROM_THETA_REST] != 0.0)
            return carom_error_set(error, CAROM_E_INPUT, "chain %zu of the batch is in the middle of a halved step",
                                   c + 1);
    }
    return CAROM_OK;
}

enum carom_status carom_batch_theta_advance(struct carom_batch_theta *batch, struct carom_state *const *state,
                                            double step, double t_stop, size_t steps, struct carom_error *error)
{
    enum carom_status status = check_clocks(batch, state, error);
    if (status != CAROM_OK)
        return status;
    for (size_t i = 0; i < batch->nblocks; i++) {
        struct block *b = &batch->block[i];
        batch->counts.steps += b->count * run_block(b, state + b->first, step, t_stop, steps);
        for (size_t c = 0; c < b->count; c++) {
            const struct carom_theta_lane *lane = &b->fold.lane[c];
            batch->counts.iterations += lane->iterations;
            batch->counts.evaluations += lane->evaluations;
            batch->failed[b->first + c] = lane->idle;
            if (lane->idle && status == CAROM_OK)
                status = carom_error_set(error, CAROM_E_NUMERIC,
                                         "theta could not solve a step of chain %zu at t = %g with step %g: the motion "
                                         "is not finite",
                                         b->first + c + 1, state[b->first + c]->time, step);
        }
    }
    return status;
}

enum carom_status carom_batch_theta_watch(struct carom_batch_theta *batch, struct carom_state *const *state,
                                          struct carom_error *error)
{
    enum carom_status status = check_clocks(batch, state, error);
    for (size_t i = 0; i < batch->nblocks && status == CAROM_OK; i++) {
        struct block *b = &batch->block[i];
        if (!b->fold.hertzian)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "largest forces of a batch are noted for laws hertz and "
                                   "kuwabara-kono only");
        carom_peaks_close(&b->peaks);
        status = carom_peaks_open(&b->peaks, b->fold.doubles, error);
        if (status != CAROM_OK)
            return status;
        read_block(b, state + b->first);
        look(b, state[0]->time);
    }
    return status;
}

void carom_batch_theta_largest(const struct carom_batch_theta *batch, size_t chain, double *largest)
{
    const struct block *b = &batch->block[chain / WIDTH];
    carom_theta_fold_take_contacts(&b->fold, chain % WIDTH, b->peaks.largest, largest);
}

bool carom_batch_theta_failed(const struct carom_batch_theta *batch, size_t chain)
{
    return batch->failed[chain];
}

struct carom_counts carom_batch_theta_counts(const struct carom_batch_theta *batch)
{
    return batch->counts;
}

/* --- for sweeps --------------------------------------------------------------------------------------------------- */

static bool is_hertzian(const struct carom_model *model)
{
    for (size_t g = 0; g < model->ngroups; g++)
        if (model->group[g].law != &carom_law_hertz && model->group[g].law != &carom_law_kuwabara_kono)
            return false;
    return true;
}

static bool lanes_fit(const struct carom_stepper *a, const struct carom_stepper *b, bool peaks)
{
    return carom_batch_theta_fits(a->model, b->model) && (!peaks || (is_hertzian(a->model) && is_hertzian(b->model)));
}

static void *lanes_create(size_t count, struct carom_stepper *const *stepper, struct carom_error *error)
{
    const struct carom_model **model = carom_memory_zeroed(count, sizeof *model);
    struct carom_scales *scales = carom_memory_zeroed(count, sizeof *scales);
    struct carom_batch_theta *batch = NULL;
    if (model && scales) {
        for (size_t c = 0; c < count; c++) {
            model[c] = stepper[c]->model;
            scales[c] = stepper[c]->scales;
        }
        batch = carom_batch_theta_create(count, model, scales, error);
    } else {
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for a batch of chains");
    }
    carom_memory_free(model);
    carom_memory_free(scales);
    return batch;
}

static void lanes_free(void *batch)
{
    carom_batch_theta_free(batch);
}

static enum carom_status lanes_watch(void *batch, struct carom_state *const *state, struct carom_error *error)
{
    return carom_batch_theta_watch(batch, state, error);
}

static enum carom_status lanes_advance(void *batch, struct carom_state *const *state, double step, double t_stop,
                                       size_t steps, struct carom_error *error)
{
    return carom_batch_theta_advance(batch, state, step, t_stop, steps, error);
}

static bool lanes_failed(const void *batch, size_t chain)
{
    return carom_batch_theta_failed(batch, chain);
}

static void lanes_largest(const void *batch, size_t chain, double *largest)
{
    carom_batch_theta_largest(batch, chain, largest);
}

static struct carom_counts lanes_counts(const void *batch)
{
    return carom_batch_theta_counts(batch);
}

const struct carom_lanes carom_batch_theta_lanes = {
    .scheme = &carom_scheme_theta,
    .fits = lanes_fit,
    .create = lanes_create,
    .free = lanes_free,
    .watch = lanes_watch,
    .advance = lanes_advance,
    .failed = lanes_failed,
    .largest = lanes_largest,
    .counts = lanes_counts,
};
