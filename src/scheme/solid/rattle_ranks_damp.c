/* What takes or gives energy where ranks share bodies: damping, absorbing sides, drives and plasticity. Every rank
 * damps its own cells and lets them flow; for damping by stiffness ranks tell each other twice in each half of a step
 * how cells move, for plasticity once a step how they are strained. Sides, where cells act on one another in an order,
 * are rank 0's: it hears at the end of a step of the cells there and tells at the start of the next what has become of
 * them. It also hears what drives push against, and what adds up to losses (rattle_ranks_lost.c). */
#include "base/memory.h"
#include "base/sum.h"
#include "model/solid/solid_self.h"
#include "scheme/solid/rattle_ranks_share.h"

/* --- setting up --------------------------------------------------------------------------------------------------- */

/* cells that absorbing sides change, and those that drives move */
static bool list_sides(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const struct carom_solid *solid = s->body->solid;
    uint8_t *mark = carom_memory_zeroed(solid->n, sizeof *mark);
    for (size_t i = 0; mark && i < solid->nabsorbers; i++)
        mark[solid->absorber[i].cell] = mark[solid->absorber[i].inner] = 1;
    bool good = mark && (solid->nabsorbers == 0 ||
                         carom_rattle_ranks_part_list(r, s, mark, solid->wide + solid->fast, &s->absorbed));
    if (mark)
        memset(mark, 0, solid->n);
    for (size_t h = 0; mark && h < solid->nholds; h++)
        for (size_t i = 0; solid->hold[h].driven && i < solid->hold[h].count; i++)
            mark[solid->hold[h].cell[i]] = 1;
    good =
        good && (!carom_solid_driven(solid) || carom_rattle_ranks_part_list(r, s, mark, 2 * solid->fast, &s->driven));
    carom_memory_free(mark);
    return good;
}

/* own cells in spans for threads and, of a body in layers, what is around them */
static bool list_spans(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const struct carom_solid *solid = s->body->solid;
    const size_t from = s->first[r->own], to = s->first[r->own + 1];
    s->nspans = s->piece ? s->njobs : (to - from + CAROM_RATTLE_BLOCK - 1) / CAROM_RATTLE_BLOCK;
    s->span = carom_memory_zeroed(s->nspans, sizeof *s->span);
    for (size_t i = 0; s->span && i < s->nspans; i++) {
        const size_t first = from + CAROM_RATTLE_BLOCK * i;
        s->span[i] =
            s->piece
                ? s->job[i]
                : (struct carom_rattle_job){first, to - first > CAROM_RATTLE_BLOCK ? first + CAROM_RATTLE_BLOCK : to};
    }
    if (s->piece)
        return s->span != NULL;
    uint8_t *look = carom_memory_zeroed(solid->n, sizeof *look);
    if (look) {
        memset(look + from, CAROM_LOOK_OWN, to - from);
        carom_solid_piece_look_around(solid, look);
        s->around = carom_solid_piece_create(solid, look, carom_threads_count(r->stepper->threads));
    }
    carom_memory_free(look);
    return s->span && s->around;
}

bool carom_rattle_ranks_damp_open(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const struct carom_solid *solid = s->body->solid;
    const bool loses = carom_rattle_damp_is(solid) || solid->flow;
    return list_sides(r, s) && (!loses || carom_rattle_ranks_lost_open(r, s)) &&
           (solid->damping_stiffness == 0.0 || list_spans(r, s));
}

void carom_rattle_ranks_damp_free(struct carom_rattle_share *s)
{
    carom_memory_free_all(s->absorbed.first, s->absorbed.cell, s->absorbed.row, s->driven.first, s->driven.cell,
                          s->driven.row, s->touching.first, s->touching.cell, s->touching.row);
    carom_rattle_ranks_lost_free(s);
    carom_memory_free(s->span);
    carom_solid_piece_free(s->around);
}

/* --- on their way ------------------------------------------------------------------------------------------------- */

/* Of cells at sides: where they are and how they move, to rank 0, and how they go on, from it. Of those that are
 * driven: what acts on them, and how rates of links drag them on their way, to rank 0. */
enum what { STATE, PACE, FORCE, DRAG };

static size_t carry(const struct carom_rattle_share *s, enum what what, bool back, uint32_t cell, double *row)
{
    const struct carom_solid *solid = s->body->solid;
    const size_t fast = solid->fast;
    double *place = s->at.q1 + solid->wide * cell, *pace = s->at.v1 + fast * cell;
    double *push = (what == FORCE ? s->body->force : s->body->drag) + fast * cell;
    double *first = what == FORCE || what == DRAG ? push : pace, *second = what == STATE ? place : pace;
    const size_t more = what == STATE ? solid->wide : what == DRAG ? fast : 0;
    memcpy(back ? first : row, back ? row : first, fast * sizeof *row);
    memcpy(back ? second : row + fast, back ? row + fast : second, more * sizeof *row);
    return fast + more;
}

static const struct carom_rattle_tour *tour_of(const struct carom_rattle_share *s, enum what what)
{
    return what == FORCE || what == DRAG ? &s->driven : &s->absorbed;
}

/* The cells of ranks [from, to), to or from their row; returns how many numbers that are. */
static size_t carry_all(const struct carom_rattle_share *s, enum what what, bool back, size_t from, size_t to,
                        double *row)
{
    const struct carom_rattle_tour *tour = tour_of(s, what);
    size_t count = 0;
    for (size_t i = tour->cell ? tour->first[from] : 0; tour->cell && i < tour->first[to]; i++)
        count += carry(s, what, back, tour->cell[i], row + count);
    return count;
}

static size_t wide_of(const struct carom_rattle_share *s, enum what what)
{
    const struct carom_solid *solid = s->body->solid;
    return solid->fast + (what == STATE ? solid->wide : what == DRAG ? solid->fast : 0);
}

/* Between rank 0 and the others, or between this one and rank 0. */
static void add_tour(struct carom_rattle_ranks *r, const struct carom_rattle_share *s, enum what what)
{
    const struct carom_rattle_tour *tour = tour_of(s, what);
    const bool comes = (r->own == 0) == (what != PACE);
    const size_t from = r->own == 0 ? 1 : r->own, to = r->own == 0 ? r->count : r->own + 1, wide = wide_of(s, what);
    for (size_t k = from; tour->cell && k < to; k++) {
        double *row = tour->row + wide * tour->first[k];
        const size_t count = wide * (tour->first[k + 1] - tour->first[k]);
        if (!comes)
            carry_all(s, what, false, k, k + 1, row);
        carom_rattle_ranks_told_piece(r, r->own == 0 ? k : 0, row, count, comes);
    }
}

/* the cells of ranks [from, to), from where they were heard */
static void hear(const struct carom_rattle_share *s, enum what what, size_t from, size_t to)
{
    const struct carom_rattle_tour *tour = tour_of(s, what);
    if (tour->cell)
        carry_all(s, what, true, from, to, tour->row + wide_of(s, what) * tour->first[from]);
}

/* --- a step ------------------------------------------------------------------------------------------------------- */

static void copy_own(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const size_t fast = s->body->solid->fast;
    if (s->body->swept) {
        const size_t from = fast * s->first[r->own], to = fast * s->first[r->own + 1];
        memcpy(s->at.v1 + from, s->at.v0 + from, (to - from) * sizeof(double));
    }
    for (size_t j = 0; j < s->njobs; j++)
        memcpy(s->at.v1 + fast * s->job[j].first, s->at.v0 + fast * s->job[j].first,
               fast * (s->job[j].last - s->job[j].first) * sizeof(double));
}

void carom_rattle_ranks_damp_begin(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const struct carom_solid *solid = s->body->solid;
    const size_t fast = solid->fast;
    if (!carom_rattle_damp_is(solid) && !s->absorbed.cell)
        return;
    copy_own(r, s);
    if (s->absorbed.cell && r->own == 0) {
        for (size_t i = s->absorbed.first[1]; i < s->absorbed.first[r->count]; i++)
            memcpy(s->at.v1 + fast * s->absorbed.cell[i], s->at.v0 + fast * s->absorbed.cell[i], fast * sizeof(double));
        carom_solid_losses(solid, s->at.q1)[CAROM_SOLID_ABSORBED] +=
            carom_rattle_absorb(solid, s->at.h, false, s->at.q0, s->at.v1);
    }
    s->at.v0 = s->at.v1;
}

/* --- by mass */

static void shrink_cell(const struct carom_rattle_listing *l, size_t cell, double value[2])
{
    value[0] = carom_rattle_damp_shrink(l->s->body->solid, cell, l->factor, l->q, l->s->at.v1, &value[1]);
}

static void shrink(const struct carom_rattle_ranks *r, struct carom_rattle_share *s, bool last)
{
    const struct carom_rattle_listing listing = {.r = r,
                                                 .s = s,
                                                 .number = last ? CAROM_LOST_FREE_LATER : CAROM_LOST_FREE,
                                                 .count = 2,
                                                 .of = shrink_cell,
                                                 .q = last ? s->at.q1 : s->at.q0,
                                                 .factor = carom_rattle_damp_factor(s->body->solid, 0.5 * s->at.h)};
    if (s->body->solid->damping_mass > 0.0)
        carom_rattle_ranks_lost_list(&listing);
}

/* --- by stiffness */

/* half a step's damping, for threads */
struct half {
    const struct carom_rattle_share *s;
    const double *q;
    double *v, *keep, factor;
};

static void spin(void *own, size_t at)
{
    const struct half *h = own;
    const struct carom_rattle_job *span = &h->s->span[at];
    carom_rattle_damp_spin(h->s->body, span->first, span->last, h->q, h->v);
}

static void keep(void *own, size_t at)
{
    const struct half *h = own;
    const struct carom_rattle_job *span = &h->s->span[at];
    const size_t fast = h->s->body->solid->fast;
    memcpy(h->keep + fast * span->first, h->v + fast * span->first, fast * (span->last - span->first) * sizeof *h->v);
}

static void push(void *own, size_t at)
{
    const struct half *h = own;
    const struct carom_rattle_job *span = &h->s->span[at];
    carom_rattle_damp_push(h->s->body, span->first, span->last, h->factor, h->q, h->keep, h->v);
}

static struct half half_of(const struct carom_rattle_share *s, bool last)
{
    const struct carom_rattle_body *body = s->body;
    return (struct half){s, last ? s->at.q1 : s->at.q0, s->at.v1, body->spin + body->solid->fast * body->solid->n, 0.0};
}

static void drag_cell(const struct carom_rattle_listing *l, size_t cell, double value[2])
{
    value[0] = l->s->body->frozen.loss[cell];
}

static bool is_dragged(const struct carom_rattle_share *s)
{
    return s->body->solid->damping_stiffness > 0.0;
}

/* what threads do with all bodies that are dragged; is there any? */
static bool each_half(struct carom_rattle_ranks *r, bool last, double part, void (*work)(void *own, size_t at))
{
    bool any = false;
    for (size_t i = 0; i < r->nbodies; i++) {
        const struct carom_rattle_share *s = &r->share[i];
        struct half half = half_of(s, last);
        half.factor = part * 0.5 * s->at.h * s->body->solid->damping_stiffness;
        if (!is_dragged(s))
            continue;
        carom_threads_run(r->stepper->threads, work, &half, s->nspans);
        any = true;
    }
    return any;
}

/* Rank 0 hears how driven cells are dragged, which drives make up for. */
static enum carom_status supply(struct carom_rattle_ranks *r, bool last)
{
    for (size_t i = 0; i < r->nbodies; i++)
        if (is_dragged(&r->share[i]))
            add_tour(r, &r->share[i], DRAG);
    if (carom_rattle_ranks_told_pieces(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; r->own == 0 && i < r->nbodies; i++) {
        struct carom_rattle_share *s = &r->share[i];
        if (!is_dragged(s) || !s->driven.cell)
            continue;
        hear(s, DRAG, 1, r->count);
        s->supplied[last] = carom_rattle_damp_supplied(s->body, s->at.v1);
    }
    return CAROM_OK;
}

/* One stage of the midpoint rule: how cells move is told, and drags them. */
static enum carom_status drag(struct carom_rattle_ranks *r, bool last, int stage)
{
    each_half(r, last, 0.0, spin);
    carom_rattle_ranks_told_start(r, CAROM_TOLD_SPINS);
    if (carom_rattle_ranks_told_arrived(r, CAROM_TOLD_SPINS) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; i < r->nbodies; i++) {
        const struct carom_rattle_share *s = &r->share[i];
        struct carom_rattle_body *body = s->body;
        if (is_dragged(s))
            carom_solid_rates_drag_piece(body->rates, &body->frozen, s->piece ? s->piece : s->around, s->at.threads,
                                         body->spin, body->drag);
    }
    if (stage == 1 && supply(r, last) != CAROM_OK)
        return CAROM_E_STOPPED;
    each_half(r, last, stage == 0 ? 0.5 : 1.0, push);
    return CAROM_OK;
}

static enum carom_status drag_all(struct carom_rattle_ranks *r, bool last)
{
    if (!each_half(r, last, 0.0, keep))
        return CAROM_OK;
    for (int stage = 0; stage < 2; stage++)
        if (drag(r, last, stage) != CAROM_OK)
            return CAROM_E_STOPPED;
    for (size_t i = 0; i < r->nbodies; i++)
        if (is_dragged(&r->share[i]))
            carom_rattle_ranks_lost_list(
                &(struct carom_rattle_listing){.r = r,
                                               .s = &r->share[i],
                                               .number = last ? CAROM_LOST_DRAG_LATER : CAROM_LOST_DRAG,
                                               .count = 1,
                                               .of = drag_cell});
    return CAROM_OK;
}

/* where the body stands at the end of a step */
static void freeze(const struct carom_rattle_share *s)
{
    struct carom_rattle_body *body = s->body;
    if (body->solid->damping_stiffness > 0.0)
        carom_solid_rates_freeze_piece(body->rates, &body->frozen, s->piece ? s->piece : s->around, s->at.threads,
                                       s->at.q1);
}

enum carom_status carom_rattle_ranks_damp_half(struct carom_rattle_ranks *r, bool last)
{
    for (size_t i = 0; i < r->nbodies; i++) {
        if (last)
            freeze(&r->share[i]);
        else
            shrink(r, &r->share[i], false);
    }
    if (last && carom_rattle_ranks_self_rub(r, true) != CAROM_OK)
        return CAROM_E_STOPPED;
    if (drag_all(r, last) != CAROM_OK)
        return CAROM_E_STOPPED;
    if (!last && carom_rattle_ranks_self_rub(r, false) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; last && i < r->nbodies; i++)
        shrink(r, &r->share[i], true);
    return CAROM_OK;
}

/* --- plasticity */

static struct carom_solid_work work_of(const struct carom_rattle_share *s)
{
    struct carom_solid_work work = s->body->work;
    work.some = carom_solid_piece_some(s->piece);
    return work;
}

static void flown_cell(const struct carom_rattle_listing *l, size_t cell, double value[2])
{
    value[0] = l->s->flows ? carom_solid_yield_lost(l->s->body->solid, &l->s->body->work, cell) : 0.0;
}

enum carom_status carom_rattle_ranks_damp_flow(struct carom_rattle_ranks *r)
{
    bool any = false;
    for (size_t i = 0; i < r->nbodies; i++) {
        struct carom_rattle_share *s = &r->share[i];
        if (!s->body->solid->flow)
            continue;
        any = true;
        const struct carom_solid_work work = work_of(s);
        s->flows = carom_solid_yield_move(s->body->solid, &work, s->at.threads, s->at.t1, s->at.h, s->at.q0, s->at.q1);
    }
    if (!any)
        return CAROM_OK;
    carom_rattle_ranks_told_start(r, CAROM_TOLD_STRAINS);
    if (carom_rattle_ranks_told_arrived(r, CAROM_TOLD_STRAINS) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; i < r->nbodies; i++) {
        struct carom_rattle_share *s = &r->share[i];
        const struct carom_solid_work work = work_of(s);
        if (!s->body->solid->flow)
            continue;
        if (s->flows)
            carom_solid_yield_lose(s->body->solid, &work, s->at.threads, s->at.t1, s->at.q1);
        carom_rattle_ranks_lost_list(
            &(struct carom_rattle_listing){.r = r, .s = s, .number = CAROM_LOST_FLOWN, .count = 1, .of = flown_cell});
    }
    return CAROM_OK;
}

/* --- what rank 0 makes of it -------------------------------------------------------------------------------------- */

/* half a step's losses by mass (kind 0), by stiffness or by friction of what meets */
static void add_lost(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, bool last, int kind,
                     struct carom_state *state, size_t member)
{
    const struct carom_solid *solid = s->body->solid;
    const double half = 0.5 * s->at.h;
    if (kind == 0 && solid->damping_mass > 0.0) {
        const double free = carom_rattle_ranks_lost_sum(r, s, last ? CAROM_LOST_FREE_LATER : CAROM_LOST_FREE),
                     given = carom_rattle_ranks_lost_sum(r, s, last ? CAROM_LOST_GIVEN_LATER : CAROM_LOST_GIVEN);
        state->spent[member] += carom_rattle_damp_lost(solid, half, free, given, &state->work[member]);
    }
    if (kind == 1 && s->driven.cell && solid->damping_stiffness > 0.0)
        state->work[member] += half * solid->damping_stiffness * s->supplied[last];
    if (kind == 1 && solid->damping_stiffness > 0.0)
        state->spent[member] += half * solid->damping_stiffness *
                                carom_rattle_ranks_lost_sum(r, s, last ? CAROM_LOST_DRAG_LATER : CAROM_LOST_DRAG);
    if (kind == 2 && carom_solid_self_is_rough(solid)) {
        state->work[member] += s->rub_work[last];
        *carom_solid_self_friction_loss(solid, s->at.q1) += s->rubbed[last];
    }
}

void carom_rattle_ranks_damp_lost(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, bool last,
                                  struct carom_state *state, size_t member)
{
    for (int turn = 0; turn < 3; turn++)
        add_lost(r, s, last, last ? 2 - turn : turn, state, member);
    if (s->absorbed.cell && last)
        carom_solid_losses(s->body->solid, s->at.q1)[CAROM_SOLID_ABSORBED] +=
            carom_rattle_absorb(s->body->solid, s->at.h, true, s->at.q1, s->at.v1);
}

void carom_rattle_ranks_damp_flown(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s,
                                   struct carom_state *state, size_t member)
{
    const struct carom_solid *solid = s->body->solid;
    if (solid->flow)
        *(solid->plasticity.yield > 0.0 ? &carom_solid_losses(solid, s->at.q1)[CAROM_SOLID_PLASTIC]
                                        : &state->spent[member]) += carom_rattle_ranks_lost_sum(r, s, CAROM_LOST_FLOWN);
}

void carom_rattle_ranks_damp_told(struct carom_rattle_ranks *r, const struct carom_rattle_share *s)
{
    add_tour(r, s, STATE);
    if (!r->strike) /* contacts push onto what rank 0 has heard before */
        add_tour(r, s, FORCE);
    if (s->losses)
        carom_rattle_ranks_lost_told(r, s);
}

void carom_rattle_ranks_damp_heard(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s)
{
    hear(s, STATE, 1, r->count);
    if (!r->strike)
        hear(s, FORCE, 1, r->count);
}

void carom_rattle_ranks_damp_pushed(struct carom_rattle_ranks *r, const struct carom_rattle_share *s)
{
    add_tour(r, s, FORCE);
}

void carom_rattle_ranks_damp_heard_pushed(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s)
{
    hear(s, FORCE, 1, r->count);
}

enum carom_status carom_rattle_ranks_damp_share(struct carom_rattle_ranks *r)
{
    for (size_t i = 0; i < r->nbodies; i++)
        add_tour(r, &r->share[i], PACE);
    if (r->npieces == 0)
        return CAROM_OK;
    if (carom_rattle_ranks_told_pieces(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; r->own > 0 && i < r->nbodies; i++)
        hear(&r->share[i], PACE, r->own, r->own + 1);
    return CAROM_OK;
}

void carom_rattle_ranks_damp_absorbed(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s)
{
    if (!s->absorbed.cell)
        return;
    const size_t numbers = carry_all(s, PACE, false, 0, r->count, s->absorbed.row);
    carom_rank_broadcast(r->ranks, s->absorbed.row, numbers * sizeof *s->absorbed.row);
    hear(s, PACE, 0, r->count);
}

void carom_rattle_ranks_damp_keep(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, bool back,
                                  double *v)
{
    const size_t fast = s->body->solid->fast;
    for (size_t i = s->absorbed.cell ? s->absorbed.first[1] : 0; s->absorbed.cell && i < s->absorbed.first[r->count];
         i++) {
        double *row = s->absorbed.row + fast * i, *pace = v + fast * s->absorbed.cell[i];
        memcpy(back ? pace : row, back ? row : pace, fast * sizeof *row);
    }
}
