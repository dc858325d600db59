/* Blocks of four chains under scheme irk: reading and writing states, and Newton's loop of twostage.c with a decision
 * for every chain. Masses, stiffnesses, gammas, gaps, walls and motions may differ from chain to chain; contacts are
 * hertz or kuwabara-kono with one viscous time in a chain, and beads have no local springs or loads. Only steps of the
 * regular size are taken in lanes; one that is cut short by an end, and the one after it, each chain takes alone. */
#include "carom/law.h"
#include "scheme/chain/batch_irk_pass.h"
#include "scheme/chain/lanes.h"

enum { WIDTH = CAROM_BATCH_IRK_WIDTH, SOLVES = 25 };

/* Newton's memory of one chain */
struct lane {
    double trust, last, size;
    uint64_t iterations;
    bool look; /* at the residual after this update? */
    bool failed;
    uint64_t began; /* at this step of the chain the clock began */
};

struct block {
    struct carom_lanes_block own;
    struct carom_irk_block in;
    struct carom_stepper *stepper[WIDTH]; /* lanes without a chain have the first one's and are never live */
    struct lane lane[WIDTH];
    bool damped;
    struct carom_lanes_due due;
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

static bool fits(const struct carom_stepper *a, const struct carom_stepper *b)
{
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

static enum carom_status open_block(void *block, struct carom_error *error)
{
    struct block *b = block;
    struct carom_stepper *first = b->own.stepper[0];
    const enum carom_status status = carom_batch_irk_pass_open(&b->in, work_of(first)->chain.n, error);
    for (size_t c = 0; c < WIDTH && status == CAROM_OK; c++) {
        b->stepper[c] = c < b->own.count ? b->own.stepper[c] : first;
        lay_chain(b, c);
    }
    b->damped = first->model->damped;
    return status;
}

static enum carom_status open_narrow(void *block, struct carom_error *error)
{
    const enum carom_status status = open_block(block, error);
    ((struct block *)block)->in.passes = &carom_batch_irk_pass_narrow;
    return status;
}

static void close_block(void *block)
{
    carom_batch_irk_pass_close(&((struct block *)block)->in);
}

/* --- states ------------------------------------------------------------------------------------------------------- */

static void read_block(struct block *b, struct carom_state *const *state)
{
    struct carom_irk_block *in = &b->in;
    const size_t n = in->n;
    for (size_t c = 0; c < WIDTH; c++) {
        const struct carom_state *from = state[c < b->own.count ? c : 0];
        const struct carom_twostage *w = work_of(b->stepper[c]);
        const double *x_low = carom_twostage_column(w, from, CAROM_TWOSTAGE_X_LOW);
        const double *v_low = carom_twostage_column(w, from, CAROM_TWOSTAGE_V_LOW);
        const double *z1 = carom_twostage_column(w, from, CAROM_TWOSTAGE_Z1);
        const double *z2 = carom_twostage_column(w, from, CAROM_TWOSTAGE_Z2);
        const size_t skip = 1 - w->chain.shift;
        for (size_t i = 0; i < n; i++) {
            struct carom_irk_slot *s = &in->slot[i + 1];
            s->x[c] = from->q[i];
            s->v[c] = from->v[i];
            s->x_low[c] = x_low[i];
            s->v_low[c] = v_low[i];
            s->z1[c] = z1[i];
            s->z2[c] = z2[i];
        }
        for (size_t j = 0; j < from->nlost; j++)
            in->slot[j + skip].lost[c] = from->lost[j];
        in->lanes.known[c] = from->memory[CAROM_TWOSTAGE_HISTORY];
        b->lane[c].trust = from->memory[CAROM_TWOSTAGE_TRUST];
        b->lane[c].began = from->step;
    }
    if (b->damped)
        in->passes->impulses(in);
}

/* the clock has the time and, as steps, those taken since the block was read */
static void write_motion(const struct block *b, size_t c, const struct carom_state *clock, struct carom_state *to)
{
    const size_t skip = 1 - work_of(b->stepper[c])->chain.shift;
    for (size_t i = 0; i < b->in.n; i++) {
        to->q[i] = b->in.slot[i + 1].x[c];
        to->v[i] = b->in.slot[i + 1].v[c];
    }
    for (size_t j = 0; j < to->nlost; j++)
        to->lost[j] = b->in.slot[j + skip].lost[c];
    to->time = clock->time;
    to->time_low = clock->time_low;
    to->step = b->lane[c].began + clock->step;
}

static void write_chain(const struct block *b, size_t c, const struct carom_state *clock, struct carom_state *to)
{
    const struct carom_twostage *w = work_of(b->stepper[c]);
    double *x_low = carom_twostage_column(w, to, CAROM_TWOSTAGE_X_LOW);
    double *v_low = carom_twostage_column(w, to, CAROM_TWOSTAGE_V_LOW);
    double *z1 = carom_twostage_column(w, to, CAROM_TWOSTAGE_Z1);
    double *z2 = carom_twostage_column(w, to, CAROM_TWOSTAGE_Z2);
    write_motion(b, c, clock, to);
    for (size_t i = 0; i < b->in.n; i++) {
        const struct carom_irk_slot *s = &b->in.slot[i + 1];
        x_low[i] = s->x_low[c];
        v_low[i] = s->v_low[c];
        z1[i] = s->z1[c];
        z2[i] = s->z2[c];
    }
    to->memory[CAROM_TWOSTAGE_HISTORY] = 1.0;
    to->memory[CAROM_TWOSTAGE_TRUST] = b->lane[c].trust;
}

static void write_block(const struct block *b, const struct carom_state *clock, struct carom_state *const *state)
{
    for (size_t c = 0; c < b->own.count; c++)
        write_chain(b, c, clock, state[c]);
}

/* --- looks -------------------------------------------------------------------------------------------------------- */

/* A step is solved and not settled: starts of chains in which a contact closes or opens are written. */
static void note_switched(struct block *b, struct carom_state *const *state, const struct carom_state *clock)
{
    bool switched[WIDTH];
    b->in.passes->switched(&b->in, switched);
    for (size_t c = 0; c < b->own.count; c++) {
        struct carom_stepper *stepper = b->stepper[c];
        stepper->switched = switched[c];
        if (!switched[c])
            continue;
        write_motion(b, c, clock, stepper->before);
        stepper->before->memory[CAROM_TWOSTAGE_SIZE] = state[c]->memory[CAROM_TWOSTAGE_SIZE];
    }
}

/* After a step in lanes, or, with a clock of NULL, one that each chain took alone. */
static void show(struct block *b, struct carom_state *const *state, const struct carom_state *clock)
{
    for (size_t c = 0; c < b->own.count; c++) {
        const bool switched = b->stepper[c]->switched;
        if (clock && !switched && clock->step < b->due.step[c])
            continue;
        if (clock)
            write_chain(b, c, clock, state[c]);
        carom_lanes_tell(&b->own, &b->due, c, clock ? clock->step : 0, switched);
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
    for (size_t c = 0; c < b->own.count; c++) {
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
    for (size_t c = 0; c < b->own.count; c++) {
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
    for (size_t c = 0; c < b->own.count; c++)
        any |= b->in.lanes.live[c];
    return any;
}

/* one step with all chains from a clock; false if one could not be solved */
static bool step_block(struct block *b, struct carom_state *const *state, const struct carom_state *clock)
{
    struct carom_irk_sizes sizes;
    bool good[WIDTH];
    for (size_t c = 0; c < WIDTH; c++) {
        b->in.lanes.live[c] = c < b->own.count;
        b->lane[c].last = HUGE_VAL;
        b->lane[c].failed = false;
    }
    b->in.passes->predict(&b->in);
    for (int solve = 1; solve <= SOLVES && any_live(b); solve++) {
        b->in.passes->update(&b->in, &sizes);
        if (!weigh(b, &sizes))
            continue;
        b->in.passes->finish(&b->in, good);
        if (judge(b, good, solve, false)) {
            b->in.passes->finish(&b->in, good);
            judge(b, good, solve, true);
        }
    }
    bool solved = true;
    for (size_t c = 0; c < b->own.count; c++) {
        b->lane[c].failed |= b->in.lanes.live[c];
        solved &= !b->lane[c].failed;
        b->in.lanes.known[c] = 1.0;
    }
    if (b->own.look && solved)
        note_switched(b, state, clock);
    b->in.passes->settle(&b->in, b->damped);
    return solved;
}

/* --- many steps --------------------------------------------------------------------------------------------------- */

/* Is a step of size h like the ones before it, whose V and Z it can go on with? The rule of twostage.c. */
static bool is_regular(const struct block *b, struct carom_state *const *state, double h)
{
    bool all = true;
    for (size_t c = 0; c < b->own.count; c++) {
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
    for (size_t c = 0; c < b->own.count; c++) {
        const enum carom_status status = carom_scheme_irk.step(b->stepper[c], state[c], &bound, NULL);
        b->lane[c].failed = status != CAROM_OK || state[c]->memory[CAROM_TWOSTAGE_REST] != 0.0;
        good &= !b->lane[c].failed;
    }
    return good;
}

/* The number of steps taken; fewer than asked for before t_stop if one could not be solved: then states are behind. */
static size_t run_block(void *block, struct carom_state *const *state, double step, double t_stop, size_t steps)
{
    struct block *b = block;
    struct carom_state clock = {.time = state[0]->time, .time_low = state[0]->time_low};
    size_t written = 0;
    bool good = true;
    for (size_t c = 0; c < WIDTH; c++)
        b->lane[c] = (struct lane){0};
    read_block(b, state);
    carom_lanes_due_begin(&b->own, &b->due);
    while (good && written + clock.step < steps && carom_state_until(&clock, t_stop) > 0.0) {
        const double h = carom_stepper_size(&clock, step, t_stop);
        if (is_regular(b, state, h)) {
            pace(b, h);
            good = step_block(b, state, &clock);
            carom_stepper_arrive(&clock, h, t_stop);
            if (good && b->own.look)
                show(b, state, &clock);
        } else {
            if (clock.step > 0)
                write_block(b, &clock, state);
            good = step_alone(b, state, t_stop);
            written += (size_t)clock.step + 1;
            clock = (struct carom_state){.time = state[0]->time, .time_low = state[0]->time_low};
            if (good && b->own.look)
                show(b, state, NULL);
            read_block(b, state);
        }
    }
    if (good && clock.step > 0)
        write_block(b, &clock, state);
    return written + (size_t)clock.step;
}

static bool failed(const void *block, size_t chain, struct carom_counts *counts)
{
    const struct lane *lane = &((const struct block *)block)->lane[chain];
    counts->iterations += lane->iterations;
    counts->evaluations += 2 * lane->iterations;
    return lane->failed;
}

#define LANES(opens)                                                                                            \
    {                                                                                                           \
        .scheme = &carom_scheme_irk, .width = WIDTH, .size = sizeof(struct block), .fits = fits, .open = opens, \
        .close = close_block, .run = run_block, .failed = failed,                                               \
    }

const struct carom_lanes carom_batch_irk_lanes = LANES(open_block), carom_batch_irk_narrow = LANES(open_narrow);
