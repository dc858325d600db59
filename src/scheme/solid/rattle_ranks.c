/* RATTLE shared by ranks: each moves a part of the cells, in layers or as rattle_ranks_part.c has dealt them out, and
 * tells others where those are that they look at; pressures there are worked out on both sides. What a cell
 * feels is added up in the order of one process, so that the bits are the same. Every rank has the whole body, and
 * knows of it what it needs. Rank 0 leads: it says which steps are taken, hears where loaded cells are, adds up the
 * work of loads, and has the whole state at the end of a call; so probes, ledger, files and checkpoints are those of
 * one process. Calls that end where contacts change are short, and who follows contacts looks at surfaces, which rank 0
 * knows: then the others keep what they have until it is asked for. */
#include "scheme/solid/rattle_ranks_share.h"

#include "base/memory.h"
#include "model/solid/solid_sheet.h"
#include "scheme/stepper.h"

/* BEFORE, NOW, START: what others have of the start of the last step, of the state, of the start of the call */
enum { STEPS, BEFORE, NOW, START, END };

/* what rank 0 says to all */
struct order {
    int kind;
    bool fresh, away;
    struct carom_bound bound;
    double time, time_low, step;
    uint64_t count; /* steps that were taken before */
};

static size_t first_of(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s)
{
    return s->first[r->own];
}

static size_t last_of(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s)
{
    return s->first[r->own + 1];
}

/* --- setting up --------------------------------------------------------------------------------------------------- */

/* Ranks have whole blocks: cells in space turn in portions that begin with one, and how many rounds that takes is the
 * portion's; forces on boxes in the plane go row by row. */
static void deal_out(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const struct carom_solid *solid = s->body->solid;
    const bool rows = carom_solid_sheet_fits(solid);
    const size_t blocks = rows ? carom_solid_sheet_blocks(solid) : carom_rattle_blocks(solid);
    for (size_t i = 0; i <= r->count; i++) {
        size_t end = solid->n, last;
        s->block[i] = blocks * i / r->count;
        if (s->block[i] < blocks && rows) {
            carom_solid_sheet_rows(solid, blocks, s->block[i], &end, &last);
            end *= solid->grid.count[0];
        } else if (s->block[i] < blocks) {
            end = s->block[i] * CAROM_RATTLE_BLOCK;
        }
        s->first[i] = end;
    }
    s->at.blocks = blocks;
    s->depth = rows ? 2 * solid->grid.count[0] : 2 * solid->reach + 2;
    s->at.from = s->block[r->own];
    s->at.to = s->block[r->own + 1];
}

static bool list_loads(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const struct carom_solid *solid = s->body->solid;
    s->loaded = carom_memory_zeroed(solid->nentries, sizeof *s->loaded);
    s->carries = carom_memory_zeroed(r->count + 1, sizeof *s->carries);
    s->heard = carom_memory_zeroed(carom_rattle_share_heard(s) * solid->nentries, sizeof *s->heard);
    if (!s->loaded || !s->carries || !s->heard)
        return false;
    for (size_t k = 0; k < r->count; k++) {
        for (size_t e = 0; e < solid->nentries; e++)
            if ((e == 0 || solid->entry[e].cell != solid->entry[e - 1].cell) &&
                carom_rattle_ranks_part_owner(r, s, solid->entry[e].cell) == k)
                s->loaded[s->nloaded++] = solid->entry[e].cell;
        s->carries[k + 1] = s->nloaded;
    }
    return true;
}

/* Blocks at the ends, which others look at, come first, so that what is told travels while the rest moves. */
static bool list_blocks(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const size_t from = first_of(r, s), to = last_of(r, s);
    s->job = carom_memory_zeroed((to - from) / CAROM_RATTLE_BLOCK + 1, sizeof *s->job);
    for (int ends = 1; s->job && ends >= 0 && !s->body->swept; ends--) {
        for (size_t a = from; a < to; a += CAROM_RATTLE_BLOCK) {
            const size_t b = to - a > CAROM_RATTLE_BLOCK ? a + CAROM_RATTLE_BLOCK : to;
            const bool end = (r->own > 0 && a - from < s->depth) || (r->own + 1 < r->count && to - b < s->depth);
            if (end == (ends == 1))
                s->job[s->njobs++] = (struct carom_rattle_job){a, b};
        }
        s->nends = ends == 1 ? s->njobs : s->nends;
    }
    return s->job != NULL;
}

static bool open_share(struct carom_rattle_ranks *r, struct carom_rattle_share *s, struct carom_rattle_body *body)
{
    const struct carom_solid *solid = body->solid;
    s->body = body;
    s->first = carom_memory_zeroed(r->count + 1, sizeof *s->first);
    s->block = carom_memory_zeroed(r->count + 1, sizeof *s->block);
    if (!s->first || !s->block)
        return false;
    deal_out(r, s);
    if (solid->slices || solid->bonds ? !carom_rattle_ranks_part(r, s) : !list_blocks(r, s))
        return false;
    s->bads = carom_memory_zeroed(s->njobs, sizeof *s->bads);
    return s->bads && carom_rattle_ranks_self_open(r, s) && list_loads(r, s) && carom_rattle_ranks_damp_open(r, s) &&
           (!solid->breaks || carom_rattle_ranks_break_open(r, s));
}

static void free_all(struct carom_rattle_ranks *r)
{
    for (size_t i = 0; r->share && i < r->nbodies; i++) {
        struct carom_rattle_share *s = &r->share[i];
        carom_rattle_ranks_part_free(s);
        carom_rattle_ranks_damp_free(s);
        carom_rattle_ranks_break_free(s);
        carom_rattle_ranks_self_free(s);
        carom_memory_free_all(s->first, s->block, s->job, s->bads, s->loaded, s->carries, s->heard);
    }
    carom_rattle_ranks_strike_free(r);
    carom_state_free(r->saved);
    carom_memory_free_all(r->share, r->piece, r->wrong, r);
}

struct carom_rattle_ranks *carom_rattle_ranks_create(struct carom_ranks *ranks, struct carom_stepper *stepper,
                                                     struct carom_rattle_body *body, size_t nbodies,
                                                     struct carom_rattle_strike *strike, struct carom_error *error)
{
    struct carom_rattle_ranks *r = carom_memory_zeroed(1, sizeof *r);
    bool good = r != NULL;
    if (good) {
        *r = (struct carom_rattle_ranks){.ranks = ranks, .stepper = stepper, .nbodies = nbodies, .strike = strike};
        r->count = carom_rank_count(ranks);
        r->own = carom_rank_own(ranks);
        r->share = carom_memory_zeroed(nbodies, sizeof *r->share);
        /* a part of a body may be near all others, on both sides, and go both ways */
        r->piece = carom_memory_zeroed(7 * nbodies * r->count + 2 * r->count, sizeof *r->piece);
        r->wrong = carom_memory_zeroed(r->count, sizeof *r->wrong);
        r->saved = r->own == 0 ? carom_state_create(stepper->model, stepper->before->nmemory) : NULL;
        good = r->share && r->piece && r->wrong && (r->saved || r->own > 0);
    }
    for (size_t i = 0; good && i < nbodies; i++)
        good = open_share(r, &r->share[i], &body[i]);
    good = good && carom_rattle_ranks_strike_open(r);
    if (good)
        return r;
    if (r)
        free_all(r);
    carom_rank_give_up(ranks); /* others may wait to hear who has which cells */
    carom_error_set(error, CAROM_E_MEMORY, "out of memory for the parts that ranks share");
    return NULL;
}

/* --- a step ------------------------------------------------------------------------------------------------------- */

static void note(struct carom_rattle_share *s, size_t cell)
{
    s->bad = cell < s->bad ? cell : s->bad;
}

/* jobs of a body from `from` on, for threads */
struct pass {
    struct carom_rattle_share *s;
    size_t from;
};

static void drift(void *own, size_t number)
{
    const struct pass *p = own;
    const struct carom_rattle_move *m = &p->s->at;
    const struct carom_rattle_job *job = &p->s->job[p->from + number];
    p->s->bads[p->from + number] =
        carom_rattle_motion_drift(p->s->body, job->first, job->last, m->h, m->q0, m->v0, m->q1, m->v1);
}

static void kick(void *own, size_t number)
{
    const struct pass *p = own;
    const struct carom_rattle_move *m = &p->s->at;
    const struct carom_rattle_job *job = &p->s->job[p->from + number];
    p->s->bads[p->from + number] = carom_rattle_motion_kick(p->s->body, job->first, job->last, m->h, m->q1, m->v1);
}

static void move_jobs(struct carom_rattle_share *s, void (*way)(void *own, size_t number), size_t from, size_t to)
{
    struct pass pass = {s, from};
    carom_threads_run(s->at.threads, way, &pass, to - from);
    for (size_t b = from; b < to; b++)
        note(s, s->bads[b]);
}

static void move_ends(struct carom_rattle_share *s)
{
    if (s->body->swept) {
        s->at.fast = SIZE_MAX;
        carom_rattle_sheet_borders(s->body, &s->at);
        note(s, s->at.fast);
        return;
    }
    move_jobs(s, drift, 0, s->nends);
}

/* In portions, between which what is told goes on its way; each has some jobs for every thread. */
static void move_rest(struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    enum { PORTIONS = 8, JOBS = 4 };
    const size_t jobs = s->njobs - s->nends, most = jobs / (JOBS * carom_threads_count(s->at.threads));
    const size_t portions = most < 1 ? 1 : most < PORTIONS ? most : PORTIONS;
    for (size_t i = 0; i < portions && jobs > 0; i++) {
        move_jobs(s, drift, s->nends + jobs * i / portions, s->nends + jobs * (i + 1) / portions);
        carom_rank_progress(r->ranks);
    }
}

/* all that pulls at this rank's cells but contacts */
static void pull(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const struct carom_solid *solid = s->body->solid;
    const struct carom_rattle_move *m = &s->at;
    const bool clear = carom_rattle_space_clears(solid);
    if (s->body->swept)
        return;
    if (s->piece)
        carom_solid_piece_forces(solid, s->piece, &s->body->work, m->threads, m->t1, m->q1, clear, s->body->force);
    else if (carom_solid_sheet_fits(solid))
        carom_solid_sheet_forces_some(solid, &s->body->work, m->threads, m->t1, m->q1, m->blocks, m->from, m->to,
                                      s->body->force);
    else
        carom_solid_forces_some(solid, &s->body->work, m->threads, m->t1, m->q1, clear, first_of(r, s), last_of(r, s),
                                s->body->force);
    if (!s->piece)
        carom_rattle_ranks_self_push(s);
}

static void end_step(struct carom_rattle_share *s)
{
    const struct carom_rattle_move *m = &s->at;
    if (s->body->swept)
        note(s, carom_rattle_sheet_sweep(s->body, m));
    else
        move_jobs(s, kick, 0, s->njobs);
    carom_solid_loads_hold(s->body->solid, m->t1, true, m->q1, m->v1);
}

/* What loads have done, on rank 0, once it has heard. */
static double work_of_loads(struct carom_rattle_share *s, double t0)
{
    const struct carom_solid *solid = s->body->solid;
    const size_t wide = solid->wide, faces = carom_solid_loads_faces(solid);
    double *extension = s->body->extension;
    for (size_t k = 0; k < s->nloaded; k++) {
        memcpy(s->at.q1 + wide * s->loaded[k], s->heard + carom_rattle_share_heard(s) * k, wide * sizeof(double));
        s->body->work.pressure[s->loaded[k]] = s->heard[carom_rattle_share_heard(s) * k + wide];
    }
    carom_solid_loads_extend(solid, s->at.t1, s->body->work.pressure, extension + faces);
    const double work = carom_solid_loads_work(
        solid, NULL, &(struct carom_solid_way){t0, s->at.q0, extension, s->at.t1, s->at.q1, extension + faces});
    memcpy(extension, extension + faces, faces * sizeof *extension);
    return work;
}

/* Cells that are driven go where they belong; rank 0 knows from the last step what they push against. */
static void drive(const struct carom_rattle_ranks *r, struct carom_rattle_share *s, const struct carom_state *state)
{
    if (!s->driven.cell)
        return;
    carom_solid_loads_hold(s->body->solid, s->at.t1, true, s->at.q1, s->at.v1);
    if (r->own == 0)
        s->drive = carom_rattle_drive_work(s->body, r->stepper->before, state, s->at.t1);
}

/* On rank 0, in the order of one process. */
static void add_to_ledger(const struct carom_rattle_ranks *r, struct carom_rattle_share *s, size_t member,
                          struct carom_state *state, double t0)
{
    const struct carom_state *from = r->stepper->before;
    carom_rattle_ranks_damp_lost(r, s, false, state, member);
    carom_rattle_ranks_damp_flown(r, s, state, member);
    if (s->driven.cell) {
        state->work[member] += s->drive;
        state->work[member] +=
            carom_rattle_drive_work(s->body, from, state, s->at.t1) + carom_rattle_drive_gain(s->body, from, state);
    }
    if (s->body->solid->nloads > 0)
        state->work[member] += work_of_loads(s, t0);
    carom_rattle_ranks_damp_lost(r, s, true, state, member);
}

static enum carom_status one_step(struct carom_rattle_ranks *r, struct carom_state *state, double h, double t0,
                                  double t1)
{
    const struct carom_state *from = r->stepper->before;
    if (r->strike)
        carom_rattle_strike_begin(r->strike, r->share[0].body, h, from, state);
    if (carom_rank_given_up(r->ranks))
        return CAROM_E_STOPPED;
    for (size_t i = 0; i < r->nbodies; i++) {
        struct carom_rattle_share *s = &r->share[i];
        const struct carom_member *m = s->body->member;
        s->at.threads = r->stepper->threads;
        s->at.h = h;
        s->at.t1 = t1;
        s->at.q0 = from->q + m->q0;
        s->at.v0 = from->v + m->v0;
        s->at.q1 = state->q + m->q0;
        s->at.v1 = state->v + m->v0;
        carom_rattle_carry_on(s->body->solid, s->at.q0, s->at.q1);
        carom_rattle_ranks_damp_begin(r, s);
    }
    if (carom_rattle_ranks_damp_share(r) != CAROM_OK || carom_rattle_ranks_damp_half(r, false) != CAROM_OK ||
        carom_rattle_ranks_strike_damped(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; i < r->nbodies; i++)
        move_ends(&r->share[i]);
    carom_rattle_ranks_told_start(r, CAROM_TOLD_PLACES);
    for (size_t i = 0; i < r->nbodies; i++)
        move_rest(r, &r->share[i]);
    if (carom_rattle_ranks_told_arrived(r, CAROM_TOLD_PLACES) != CAROM_OK ||
        carom_rattle_ranks_strike_moved(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    if (r->astray)
        return CAROM_OK;
    for (size_t i = 0; i < r->nbodies; i++)
        drive(r, &r->share[i], state);
    carom_rattle_ranks_strike_move(r, h, state);
    if (carom_rattle_ranks_damp_flow(r) != CAROM_OK || carom_rattle_ranks_self_meet(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; i < r->nbodies; i++)
        pull(r, &r->share[i]);
    if (carom_rattle_ranks_strike_push(r, h, state) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; i < r->nbodies; i++)
        end_step(&r->share[i]);
    if (carom_rattle_ranks_strike_stop(r, h, state) != CAROM_OK || carom_rattle_ranks_damp_half(r, true) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; i < r->nbodies; i++)
        carom_rattle_ranks_break_look(r, &r->share[i]);
    if (carom_rattle_ranks_told_loads(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; r->own == 0 && i < r->nbodies; i++)
        add_to_ledger(r, &r->share[i], i, state, t0);
    if (carom_rattle_ranks_strike_settle(r, h, state) != CAROM_OK || carom_rattle_ranks_break(r, state) != CAROM_OK)
        return CAROM_E_STOPPED;
    carom_stepper_count(r->stepper, h);
    r->stepper->counts.evaluations++;
    return CAROM_OK;
}

/* --- a call ------------------------------------------------------------------------------------------------------- */

/* All ranks have the state, as far as they need it; forces too. */
static void begin(struct carom_rattle_ranks *r, const struct order *order, struct carom_state *state,
                  carom_rattle_forces *forces)
{
    state->time = order->time;
    state->time_low = order->time_low;
    state->step = order->count;
    state->memory[CAROM_RATTLE_STEP] = order->step;
    for (size_t i = 0; i < r->nbodies; i++)
        r->share[i].bad = SIZE_MAX;
    r->failed = r->astray = false;
    if (!order->fresh)
        return;
    carom_rank_broadcast(r->ranks, state->data, state->n * sizeof *state->data);
    forces(r->stepper, state);
    if (r->strike)
        carom_rattle_strike_forget(r->strike);
}

static enum carom_status take_steps(struct carom_rattle_ranks *r, const struct order *order, struct carom_state *state)
{
    bool last = false;
    r->kept = false;
    for (size_t taken = 0; !last; taken++) {
        if (taken == 1 && !carom_rattle_ranks_told_keep(r, order->away))
            return CAROM_E_STOPPED;
        r->kept |= taken == 1;
        const double h = carom_stepper_size(state, order->step, order->bound.t_stop), t0 = state->time;
        carom_stepper_begin_step(r->stepper, state);
        carom_stepper_arrive(state, h, order->bound.t_stop);
        if (one_step(r, state, h, t0, carom_rattle_end(state, &order->bound)) != CAROM_OK)
            return CAROM_E_STOPPED;
        last = r->astray || carom_stepper_done(r->stepper, state, &order->bound, taken + 1);
    }
    if (carom_rattle_ranks_told_wrongs(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    return order->bound.watch ? CAROM_OK : carom_rattle_ranks_told_all(r, state);
}

/* what others have of a state comes to rank 0, which asks for it */
static enum carom_status fetch(struct carom_rattle_ranks *r, int kind, struct carom_state *state)
{
    struct order order = {.kind = kind};
    if (carom_rank_given_up(r->ranks))
        return CAROM_E_STOPPED;
    carom_rank_broadcast(r->ranks, &order, sizeof order);
    return carom_rattle_ranks_told_all(r, state);
}

/* The state is that of the start of the call again, of which others may have had parts. */
static enum carom_status go_back(struct carom_rattle_ranks *r, const struct order *order, enum carom_status status,
                                 struct carom_state *state)
{
    struct carom_state *start = r->kept ? r->saved : r->stepper->before;
    if (status == CAROM_OK && order->away)
        status = fetch(r, START, start);
    r->away = order->away && status != CAROM_OK;
    r->away_before = false;
    carom_state_copy(state, start);
    return status;
}

enum carom_status carom_rattle_ranks_steps(struct carom_rattle_ranks *r, struct carom_state *state,
                                           const struct carom_bound *bound, bool fresh, carom_rattle_forces *forces,
                                           bool *wrong, struct carom_error *error)
{
    const struct carom_counts counts = r->stepper->counts;
    enum carom_status status = fresh ? carom_rattle_ranks_whole(r, state) : CAROM_OK;
    struct order order = {.kind = STEPS, .fresh = fresh, .away = r->away, .bound = *bound};
    order.time = state->time;
    order.time_low = state->time_low;
    order.count = state->step;
    order.step = state->memory[CAROM_RATTLE_STEP];
    if (status == CAROM_OK) {
        carom_rank_broadcast(r->ranks, &order, sizeof order);
        begin(r, &order, state, forces);
        status = take_steps(r, &order, state);
        *wrong = status != CAROM_OK;
        for (size_t k = 0; k < r->count; k++)
            *wrong |= r->wrong[k] != 0.0;
        r->away = bound->watch;
        r->away_before = r->kept || order.away;
        if (*wrong) {
            status = go_back(r, &order, status, state);
            r->stepper->counts = counts;
        }
    }
    return status == CAROM_OK ? status : carom_rattle_ranks_told_silent(error);
}

enum carom_status carom_rattle_ranks_whole(struct carom_rattle_ranks *r, struct carom_state *state)
{
    const enum carom_status status = r->away ? fetch(r, NOW, state) : CAROM_OK;
    r->away = r->away && status != CAROM_OK;
    return status;
}

enum carom_status carom_rattle_ranks_before(struct carom_rattle_ranks *r, struct carom_state *before)
{
    const enum carom_status status = r->away_before ? fetch(r, BEFORE, before) : CAROM_OK;
    r->away_before = r->away_before && status != CAROM_OK;
    return status;
}

/* the state of an order */
static struct carom_state *asked_for(const struct carom_rattle_ranks *r, int kind, struct carom_state *state)
{
    if (kind == NOW)
        return state;
    return kind == START && r->kept ? r->saved : r->stepper->before;
}

enum carom_status carom_rattle_ranks_serve(struct carom_rattle_ranks *r, carom_rattle_forces *forces,
                                           struct carom_error *error)
{
    struct carom_state *state = carom_state_create(r->stepper->model, r->stepper->before->nmemory);
    struct order order = {.kind = STEPS};
    if (!state) {
        carom_rank_give_up(r->ranks);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a state");
    }
    enum carom_status status = CAROM_OK;
    while (status == CAROM_OK && order.kind != END) {
        carom_rank_broadcast(r->ranks, &order, sizeof order);
        if (order.kind == STEPS) {
            begin(r, &order, state, forces);
            status = take_steps(r, &order, state);
        } else if (order.kind != END) {
            status = carom_rattle_ranks_told_all(r, asked_for(r, order.kind, state));
        }
    }
    carom_state_free(state);
    return status == CAROM_OK ? status : carom_error_set(error, status, "a rank does not answer");
}

void carom_rattle_ranks_free(struct carom_rattle_ranks *r)
{
    struct order order = {.kind = END};
    if (!r)
        return;
    if (r->own == 0 && !carom_rank_given_up(r->ranks))
        carom_rank_broadcast(r->ranks, &order, sizeof order);
    free_all(r);
}
