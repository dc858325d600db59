/* Blocks of four chains under scheme irk: reading and writing states, and Newton's loop of twostage.c with a decision
 * for every chain. A block takes all steps of a call before the next one begins, so that it stays in the first cache.
 * Only steps of the regular size are taken in lanes; one that is cut short by an end, and the one after it, each chain
 * takes alone. */
#include "scheme/chain/batch_irk.h"

#include "base/memory.h"
#include "scheme/chain/batch_irk_pass.h"
#include "scheme/chain/peaks.h"

enum { WIDTH = CAROM_BATCH_IRK_WIDTH, SOLVES = 25 };

/* Newton's memory of one chain */
struct lane {
    double trust, last, size;
    uint64_t iterations;
    bool look; /* at the residual after this update? */
    bool failed;
};

struct block {
    struct carom_irk_block in;
    size_t first, count;
    struct carom_stepper *stepper[WIDTH]; /* lanes without a chain have the first one's and are never live */
    struct lane lane[WIDTH];
    bool damped;
    struct carom_peaks peaks; /* n = 0: not asked for */
};

struct batch {
    size_t count, nblocks;
    struct block *block;
    bool *failed; /* count */
    struct carom_counts counts;
};

/* --- opening ------------------------------------------------------------------------------------------------------ */

static struct carom_twostage *work_of(const struct carom_stepper *stepper)
{
    return stepper->work;
}

static bool is_simple(const struct carom_stepper *stepper)
{
    const struct carom_twostage *w = work_of(stepper);
    return stepper->scheme == &carom_scheme_irk && w->hertz && w->chain.n > 1 && !w->chain.beads->spring &&
           !w->chain.beads->loaded && (w->report.c11 != 0.0 || !stepper->model->damped) &&
           carom_twostage_foreseeable(w);
}

static bool fits(const struct carom_stepper *a, const struct carom_stepper *b, bool peaks)
{
    (void)peaks;
    return is_simple(a) && is_simple(b) && work_of(a)->chain.n == work_of(b)->chain.n &&
           a->model->damped == b->model->damped;
}

static void lay_chain(struct block *b, size_t c)
{
    const struct carom_chain *chain = &work_of(b->stepper[c])->chain;
    const struct carom_group *group = &b->stepper[c]->model->group[0];
    struct carom_irk_block *in = &b->in;
    in->lanes.left_wall[c] = chain->left_wall;
    for (size_t i = 0; i < chain->n; i++)
        in->slot[i + 1].inverse_mass[c] = chain->beads->inverse_mass[i];
    for (size_t j = 0; j < chain->nc; j++) {
        struct carom_irk_slot *s = &in->slot[j + 1 - chain->shift];
        s->gap[c] = chain->gap[j];
        s->stiffness[c] = group->param[0][j];
        s->gamma[c] = group->law == &carom_law_kuwabara_kono ? group->param[1][j] : 0.0;
    }
}

static void lanes_free(void *own)
{
    struct batch *batch = own;
    if (!batch)
        return;
    for (size_t i = 0; batch->block && i < batch->nblocks; i++) {
        carom_batch_irk_pass_close(&batch->block[i].in);
        carom_peaks_close(&batch->block[i].peaks);
    }
    carom_memory_free(batch->block);
    carom_memory_free(batch->failed);
    carom_memory_free(batch);
}

static enum carom_status open_block(struct block *b, struct carom_stepper *const *stepper, struct carom_error *error)
{
    const enum carom_status status = carom_batch_irk_pass_open(&b->in, work_of(stepper[b->first])->chain.n, error);
    for (size_t c = 0; c < WIDTH && status == CAROM_OK; c++) {
        b->stepper[c] = stepper[b->first + (c < b->count ? c : 0)];
        lay_chain(b, c);
    }
    b->damped = stepper[b->first]->model->damped;
    return status;
}

static void *lanes_create(size_t count, struct carom_stepper *const *stepper, struct carom_error *error)
{
    for (size_t c = 0; c < count; c++)
        if (!fits(stepper[0], stepper[c], false)) {
            carom_error_set(error, CAROM_E_REFUSED, "chain %zu does not fit into the batch", c + 1);
            return NULL;
        }
    struct batch *batch = carom_memory_zeroed(1, sizeof *batch);
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
        good = open_block(b, stepper, error) == CAROM_OK;
    }
    if (good)
        return batch;
    lanes_free(batch);
    return NULL;
}

/* --- states ------------------------------------------------------------------------------------------------------- */

static void read_block(struct block *b, struct carom_state *const *state)
{
    struct carom_irk_block *in = &b->in;
    const size_t n = in->n;
    for (size_t c = 0; c < WIDTH; c++) {
        const struct carom_state *from = state[c < b->count ? c : 0];
        const double *memory = from->memory + CAROM_TWOSTAGE_HEADER;
        const size_t skip = 1 - work_of(b->stepper[c])->chain.shift;
        for (size_t i = 0; i < n; i++) {
            struct carom_irk_slot *s = &in->slot[i + 1];
            s->x[c] = from->q[i];
            s->v[c] = from->v[i];
            s->x_low[c] = memory[i];
            s->v_low[c] = memory[n + i];
            s->z1[c] = memory[2 * n + i];
            s->z2[c] = memory[3 * n + i];
        }
        for (size_t j = 0; j < from->nlost; j++)
            in->slot[j + skip].lost[c] = from->lost[j];
        in->lanes.known[c] = from->memory[CAROM_TWOSTAGE_HISTORY];
        b->lane[c].trust = from->memory[CAROM_TWOSTAGE_TRUST];
    }
    if (b->damped)
        carom_batch_irk_pass_impulses(in);
}

/* the clock has the time and, as steps, those just taken */
static void write_block(const struct block *b, const struct carom_state *clock, struct carom_state *const *state)
{
    const struct carom_irk_block *in = &b->in;
    const size_t n = in->n;
    for (size_t c = 0; c < b->count; c++) {
        struct carom_state *to = state[c];
        double *memory = to->memory + CAROM_TWOSTAGE_HEADER;
        const size_t skip = 1 - work_of(b->stepper[c])->chain.shift;
        for (size_t i = 0; i < n; i++) {
            const struct carom_irk_slot *s = &in->slot[i + 1];
            to->q[i] = s->x[c];
            to->v[i] = s->v[c];
            memory[i] = s->x_low[c];
            memory[n + i] = s->v_low[c];
            memory[2 * n + i] = s->z1[c];
            memory[3 * n + i] = s->z2[c];
        }
        for (size_t j = 0; j < to->nlost; j++)
            to->lost[j] = in->slot[j + skip].lost[c];
        to->memory[CAROM_TWOSTAGE_HISTORY] = 1.0;
        to->memory[CAROM_TWOSTAGE_TRUST] = b->lane[c].trust;
        to->time = clock->time;
        to->time_low = clock->time_low;
        to->step += clock->step;
    }
}

/* --- a step ------------------------------------------------------------------------------------------------------- */

/* coefficients of a step of size h */
static void pace(struct block *b, double h)
{
    struct carom_irk_lanes *l = &b->in.lanes;
    if (b->in.h == h)
        return;
    b->in.h = h;
    for (size_t c = 0; c < WIDTH; c++) {
        struct carom_twostage *w = work_of(b->stepper[c]);
        carom_twostage_configure(w, h);
        const struct carom_stages *s = &w->stages;
        const struct carom_block block[2] = {s->both, s->carried};
        double(*const to[2])[WIDTH] = {l->both, l->carried};
        for (size_t k = 0; k < 2; k++) {
            to[k][0][c] = block[k].a;
            to[k][1][c] = block[k].b;
            to[k][2][c] = block[k].c;
            to[k][3][c] = block[k].d;
        }
        l->reach[0][c] = s->reach.a;
        l->reach[1][c] = s->reach.b;
        l->to_x[0][c] = s->both_to_x.a;
        l->to_x[1][c] = s->both_to_x.b;
        l->to_v[0][c] = s->f_to_v.a;
        l->to_v[1][c] = s->f_to_v.b;
        for (size_t i = 0; i < w->chain.n; i++) {
            const struct carom_block m = carom_block_scaled(w->chain.beads->mass[i], s->inverse);
            struct carom_irk_slot *slot = &b->in.slot[i + 1];
            slot->m11[c] = m.a;
            slot->m12[c] = m.b;
            slot->m21[c] = m.c;
            slot->m22[c] = m.d;
        }
    }
}

/* the residual that rounding alone leaves, as in one chain */
static double rounding(const struct block *b, size_t c, const struct carom_irk_sizes *sizes)
{
    const struct carom_irk_lanes *l = &b->in.lanes;
    const double top = fabs(l->both[0][c]) + fabs(l->both[1][c]), bottom = fabs(l->both[2][c]) + fabs(l->both[3][c]);
    const double answer = sizes->stiffest[c] * (top > bottom ? top : bottom);
    return 1e-15 * (b->stepper[c]->scales.length + sizes->largest[c] + answer * l->farthest[c]) + DBL_MIN;
}

/* after an update: which chains are to be looked at? */
static bool weigh(struct block *b, const struct carom_irk_sizes *sizes)
{
    bool any = false;
    for (size_t c = 0; c < b->count; c++) {
        struct lane *lane = &b->lane[c];
        lane->look = false;
        if (!b->in.lanes.live[c])
            continue;
        lane->size = sizes->update[c];
        lane->iterations++;
        if (!(lane->size < HUGE_VAL)) {
            lane->failed = true;
            b->in.lanes.live[c] = false;
            continue;
        }
        b->in.lanes.goal[c] = rounding(b, c, sizes);
        lane->look = !(lane->size > lane->trust && lane->size > b->in.lanes.goal[c]);
        if (!lane->look)
            lane->trust *= 1.05;
        any |= lane->look;
    }
    return any;
}

/* After a look: chains that are solved are no longer live; of the others, some deserve a second look. */
static bool judge(struct block *b, const bool *good, int solve, bool second)
{
    bool again = false;
    for (size_t c = 0; c < b->count; c++) {
        struct lane *lane = &b->lane[c];
        if (!lane->look)
            continue;
        lane->look = false;
        if (good[c]) {
            b->in.lanes.live[c] = false;
            if (!second)
                lane->trust = 2.0 * lane->size > lane->trust ? 2.0 * lane->size : lane->trust;
            continue;
        }
        if (second)
            continue;
        lane->trust = 0.5 * lane->size;
        if (solve > 3 && lane->size > 0.25 * lane->last) { /* as far as rounding lets it */
            b->in.lanes.goal[c] *= 1000.0;
            lane->look = lane->size < b->in.lanes.goal[c];
            again |= lane->look;
        }
        lane->last = lane->size;
    }
    return again;
}

static bool any_live(const struct block *b)
{
    bool any = false;
    for (size_t c = 0; c < b->count; c++)
        any |= b->in.lanes.live[c];
    return any;
}

/* one step with all chains; false if one could not be solved */
static bool step_block(struct block *b)
{
    struct carom_irk_sizes sizes;
    bool good[WIDTH];
    for (size_t c = 0; c < WIDTH; c++) {
        b->in.lanes.live[c] = c < b->count;
        b->lane[c].last = HUGE_VAL;
        b->lane[c].failed = false;
    }
    carom_batch_irk_pass_predict(&b->in);
    for (int solve = 1; solve <= SOLVES && any_live(b); solve++) {
        carom_batch_irk_pass_update(&b->in, &sizes);
        if (!weigh(b, &sizes))
            continue;
        carom_batch_irk_pass_finish(&b->in, good);
        if (judge(b, good, solve, false)) {
            carom_batch_irk_pass_finish(&b->in, good);
            judge(b, good, solve, true);
        }
    }
    bool solved = true;
    for (size_t c = 0; c < b->count; c++) {
        b->lane[c].failed |= b->in.lanes.live[c];
        solved &= !b->lane[c].failed;
        b->in.lanes.known[c] = 1.0;
    }
    carom_batch_irk_pass_settle(&b->in, b->damped);
    return solved;
}

static void note(struct block *b, struct carom_state *const *state, double time)
{
    for (size_t c = 0; c < b->count; c++)
        carom_twostage_relation(work_of(b->stepper[c]), state[c]->memory[CAROM_TWOSTAGE_SIZE], &b->in.lanes.half[c],
                                &b->in.lanes.turn[c]);
    carom_batch_irk_pass_forces(&b->in, carom_peaks_turn(&b->peaks, time));
    carom_peaks_note(&b->peaks);
}

/* --- many steps --------------------------------------------------------------------------------------------------- */

/* Is a step of size h like the ones before it, whose V and Z it can go on with? The rule of twostage.c. */
static bool is_regular(const struct block *b, struct carom_state *const *state, double h)
{
    bool all = true;
    for (size_t c = 0; c < b->count; c++) {
        const double size = state[c]->memory[CAROM_TWOSTAGE_SIZE];
        all &= fabs(h - size) <= 1e-9 * size;
    }
    return all;
}

/* Any other step: each chain by its own stepper, from states that are up to date; false if one fails. */
static bool step_alone(struct block *b, struct carom_state *const *state, double t_stop)
{
    const struct carom_bound bound = {.t_stop = t_stop, .t_dense = HUGE_VAL, .steps = 1};
    bool good = true;
    for (size_t c = 0; c < b->count; c++) {
        const enum carom_status status = carom_scheme_irk.step(b->stepper[c], state[c], &bound, NULL);
        b->lane[c].failed = status != CAROM_OK || state[c]->memory[CAROM_TWOSTAGE_REST] != 0.0;
        good &= !b->lane[c].failed;
    }
    return good;
}

/* The number of steps taken; fewer than asked for before t_stop if one could not be solved: then states are behind. */
static size_t run_block(struct block *b, struct carom_state *const *state, double step, double t_stop, size_t steps)
{
    struct carom_state clock = {.time = state[0]->time, .time_low = state[0]->time_low};
    size_t written = 0;
    bool good = true;
    for (size_t c = 0; c < WIDTH; c++)
        b->lane[c] = (struct lane){0};
    read_block(b, state);
    while (good && written + clock.step < steps && carom_state_until(&clock, t_stop) > 0.0) {
        const double h = carom_stepper_size(&clock, step, t_stop);
        if (is_regular(b, state, h)) {
            pace(b, h);
            good = step_block(b);
            carom_stepper_arrive(&clock, h, t_stop);
        } else {
            if (clock.step > 0)
                write_block(b, &clock, state);
            good = step_alone(b, state, t_stop);
            written += (size_t)clock.step + 1;
            clock = (struct carom_state){.time = state[0]->time, .time_low = state[0]->time_low};
            read_block(b, state);
        }
        if (good && b->peaks.n > 0)
            note(b, state, clock.time);
    }
    if (good && clock.step > 0)
        write_block(b, &clock, state);
    return written + (size_t)clock.step;
}

static enum carom_status check_states(const struct batch *batch, struct carom_state *const *state, double step,
                                      struct carom_error *error)
{
    for (size_t c = 0; c < batch->count; c++) {
        const double regular = work_of(batch->block[c / WIDTH].stepper[c % WIDTH])->step;
        if (state[c]->time != state[0]->time || state[c]->time_low != state[0]->time_low)
            return carom_error_set(error, CAROM_E_INPUT, "chain %zu of the batch has another time than the first",
                                   c + 1);
        if (state[c]->memory[CAROM_TWOSTAGE_REST] != 0.0)
            return carom_error_set(error, CAROM_E_INPUT, "chain %zu of the batch is in the middle of a halved step",
                                   c + 1);
        if (step != regular)
            return carom_error_set(error, CAROM_E_INPUT, "chain %zu of the batch has a step of %g, not %g", c + 1,
                                   regular, step);
    }
    return CAROM_OK;
}

static enum carom_status lanes_advance(void *own, struct carom_state *const *state, double step, double t_stop,
                                       size_t steps, struct carom_error *error)
{
    struct batch *batch = own;
    enum carom_status status = check_states(batch, state, step, error);
    if (status != CAROM_OK)
        return status;
    for (size_t i = 0; i < batch->nblocks; i++) {
        struct block *b = &batch->block[i];
        batch->counts.steps += b->count * run_block(b, state + b->first, step, t_stop, steps);
        for (size_t c = 0; c < b->count; c++) {
            const size_t chain = b->first + c;
            batch->counts.iterations += b->lane[c].iterations;
            batch->failed[chain] = b->lane[c].failed;
            if (batch->failed[chain] && status == CAROM_OK)
                status = carom_error_set(error, CAROM_E_NUMERIC, "irk could not solve a step of chain %zu near t = %g",
                                         chain + 1, state[chain]->time);
        }
    }
    batch->counts.evaluations = 2 * batch->counts.iterations;
    return status;
}

static enum carom_status lanes_watch(void *own, struct carom_state *const *state, struct carom_error *error)
{
    struct batch *batch = own;
    for (size_t i = 0; i < batch->nblocks; i++) {
        struct block *b = &batch->block[i];
        carom_peaks_close(&b->peaks);
        if (carom_peaks_open(&b->peaks, WIDTH * (b->in.n + 2), error) != CAROM_OK)
            return error->status;
        read_block(b, state + b->first);
        note(b, state + b->first, state[0]->time);
    }
    return CAROM_OK;
}

static void lanes_largest(const void *own, size_t chain, double *largest)
{
    const struct batch *batch = own;
    const struct block *b = &batch->block[chain / WIDTH];
    const struct carom_chain *shape = &work_of(b->stepper[chain % WIDTH])->chain;
    for (size_t j = 0; j < shape->nc; j++)
        largest[j] = b->peaks.largest[WIDTH * (j + 1 - shape->shift) + chain % WIDTH];
}

static bool lanes_failed(const void *own, size_t chain)
{
    return ((const struct batch *)own)->failed[chain];
}

static struct carom_counts lanes_counts(const void *own)
{
    return ((const struct batch *)own)->counts;
}

const struct carom_lanes carom_batch_irk_lanes = {
    .scheme = &carom_scheme_irk,
    .fits = fits,
    .create = lanes_create,
    .free = lanes_free,
    .watch = lanes_watch,
    .advance = lanes_advance,
    .failed = lanes_failed,
    .largest = lanes_largest,
    .counts = lanes_counts,
};
