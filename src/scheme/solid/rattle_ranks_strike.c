/* Contacts where ranks share bodies. Every rank has all balls and joints and works out their contacts alike, in the
 * order of one process. Points in which surfaces press each other may be many: each rank finds a part of them, works
 * out how fast they close and rub, and tells all; it pushes its own cells. For that all are told of the cells that may
 * touch something or are held by joints: once a step where they have come to and how fast, once how fast they go on;
 * where there are joints, also before these act. Cells at absorbing sides, which are rank 0's, it tells of itself. */
#include "base/memory.h"
#include "scheme/solid/rattle_ranks_share.h"

/* --- setting up --------------------------------------------------------------------------------------------------- */

/* cells of a body that carry its surface or a joint */
static void mark_cells(const struct carom_solid_strike *of, size_t body, uint8_t *mark)
{
    const struct carom_solid_skin *skin = of->body[body].skin;
    for (size_t i = 0; i < skin->nrims; i++)
        mark[skin->rim[i].cell] = 1;
    for (size_t i = 0; i < skin->nowners; i++)
        mark[skin->owner[i].cell] = 1;
    for (size_t a = 0; of->balls && a < of->balls->nanchors; a++)
        for (size_t i = 0; of->balls->anchor[a].member == body && i < of->balls->anchor[a].count; i++)
            mark[of->balls->anchor[a].cell[i]] = 1;
}

/* Once a rank does not answer nothing is told any more; the step ends as soon as that is known. */
static void tell_row(void *ranks, double *row, const size_t *first)
{
    struct carom_rattle_ranks *r = ranks;
    const size_t own = r->own;
    if (carom_rank_given_up(r->ranks))
        return;
    for (size_t k = 0; k < r->count; k++)
        if (k != own) {
            carom_rattle_ranks_told_piece(r, k, row + first[k], first[k + 1] - first[k], true);
            carom_rattle_ranks_told_piece(r, k, row + first[own], first[own + 1] - first[own], false);
        }
    carom_rattle_ranks_told_pieces(r);
}

/* Rank 0 also knows what acts on driven cells. */
static bool join(struct carom_rattle_ranks *r)
{
    r->mine = carom_memory_zeroed(r->nbodies, sizeof *r->mine);
    for (size_t i = 0; r->mine && i < r->nbodies; i++) {
        const struct carom_rattle_share *s = &r->share[i];
        r->mine[i] = carom_memory_zeroed(s->body->solid->n, sizeof **r->mine);
        if (!r->mine[i])
            return false;
        for (size_t c = 0; c < s->body->solid->n; c++)
            r->mine[i][c] = carom_rattle_ranks_part_owner(r, s, c) == r->own;
        for (size_t c = 0; r->own == 0 && s->driven.cell && c < s->driven.first[r->count]; c++)
            r->mine[i][s->driven.cell[c]] = 1;
    }
    r->crew = (struct carom_rattle_crew){
        .own = r->own, .count = r->count, .mine = (const uint8_t *const *)r->mine, .tell = tell_row, .ranks = r};
    return r->mine && carom_rattle_strike_join(r->strike, &r->crew);
}

void carom_rattle_ranks_strike_free(struct carom_rattle_ranks *r)
{
    for (size_t i = 0; r->mine && i < r->nbodies; i++)
        carom_memory_free(r->mine[i]);
    carom_memory_free(r->mine);
}

bool carom_rattle_ranks_strike_open(struct carom_rattle_ranks *r)
{
    bool good = !r->strike || join(r);
    for (size_t i = 0; r->strike && good && i < r->nbodies; i++) {
        struct carom_rattle_share *s = &r->share[i];
        uint8_t *mark = carom_memory_zeroed(s->body->solid->n, sizeof *mark);
        if (mark)
            mark_cells(carom_solid_strike_of(r->stepper->model), i, mark);
        good =
            mark && carom_rattle_ranks_part_list(r, s, mark, s->body->solid->wide + s->body->solid->fast, &s->touching);
        carom_memory_free(mark);
    }
    return good;
}

/* --- on their way ------------------------------------------------------------------------------------------------- */

/* how cells of ranks [from, to) move and, if that is told, where they are: to or from their row */
static void carry(const struct carom_rattle_share *s, bool places, bool back, size_t from, size_t to)
{
    const struct carom_solid *solid = s->body->solid;
    const size_t wide = places ? solid->wide : 0, fast = solid->fast;
    for (size_t i = s->touching.first[from]; i < s->touching.first[to]; i++) {
        double *row = s->touching.row + (wide + fast) * i;
        double *place = s->at.q1 + solid->wide * s->touching.cell[i], *pace = s->at.v1 + fast * s->touching.cell[i];
        memcpy(back ? place : row, back ? row : place, wide * sizeof *row);
        memcpy(back ? pace : row + wide, back ? row + wide : pace, fast * sizeof *row);
    }
}

void carom_rattle_ranks_strike_told(struct carom_rattle_ranks *r, const struct carom_rattle_share *s, bool places)
{
    const size_t numbers = (places ? s->body->solid->wide : 0) + s->body->solid->fast;
    const size_t *first = s->touching.first, own = r->own;
    if (!r->strike)
        return;
    carry(s, places, false, own, own + 1);
    for (size_t k = 0; k < r->count; k++) {
        if (k == own)
            continue;
        carom_rattle_ranks_told_piece(r, k, s->touching.row + numbers * first[k], numbers * (first[k + 1] - first[k]),
                                      true);
        carom_rattle_ranks_told_piece(r, k, s->touching.row + numbers * first[own],
                                      numbers * (first[own + 1] - first[own]), false);
    }
}

void carom_rattle_ranks_strike_heard(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s,
                                     bool places)
{
    for (size_t k = 0; r->strike && k < r->count; k++)
        if (k != r->own)
            carry(s, places, true, k, k + 1);
}

static enum carom_status tell(struct carom_rattle_ranks *r, bool places)
{
    for (size_t i = 0; i < r->nbodies; i++)
        carom_rattle_ranks_strike_told(r, &r->share[i], places);
    if (carom_rattle_ranks_told_pieces(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; i < r->nbodies; i++)
        carom_rattle_ranks_strike_heard(r, &r->share[i], places);
    return CAROM_OK;
}

/* --- a step ------------------------------------------------------------------------------------------------------- */

static struct carom_rattle_joints *joints_of(const struct carom_rattle_ranks *r)
{
    return r->strike ? carom_rattle_strike_joints(r->strike) : NULL;
}

enum carom_status carom_rattle_ranks_strike_damped(struct carom_rattle_ranks *r)
{
    bool any = false;
    for (size_t i = 0; i < r->nbodies; i++)
        any |= r->share[i].at.v0 == r->share[i].at.v1;
    if (!joints_of(r) || !any)
        return CAROM_OK;
    if (tell(r, false) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; i < r->nbodies; i++)
        if (r->share[i].at.v0 == r->share[i].at.v1)
            carom_rattle_joints_damped(joints_of(r), i, r->stepper->before, r->share[i].at.v1);
    return CAROM_OK;
}

/* What goes wrong is known to all before contacts are looked for: in such a state they are not. */
enum carom_status carom_rattle_ranks_strike_moved(struct carom_rattle_ranks *r)
{
    if (!r->strike)
        return CAROM_OK;
    carom_rattle_ranks_told_wrong(r);
    for (size_t k = 0; k < r->count; k++) {
        if (k == r->own)
            continue;
        carom_rattle_ranks_told_piece(r, k, &r->wrong[k], 1, true);
        carom_rattle_ranks_told_piece(r, k, &r->wrong[r->own], 1, false);
    }
    if (tell(r, true) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t k = 0; k < r->count; k++)
        r->astray |= r->wrong[k] != 0.0;
    return CAROM_OK;
}

void carom_rattle_ranks_strike_move(const struct carom_rattle_ranks *r, double h, struct carom_state *state)
{
    if (joints_of(r))
        carom_rattle_joints_move(joints_of(r), h, r->stepper->before, state);
}

enum carom_status carom_rattle_ranks_strike_push(struct carom_rattle_ranks *r, double h, struct carom_state *state)
{
    if (!r->strike)
        return CAROM_OK;
    for (size_t i = 0; i < r->nbodies; i++)
        carom_rattle_ranks_damp_pushed(r, &r->share[i]);
    if (carom_rattle_ranks_told_pieces(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; r->own == 0 && i < r->nbodies; i++)
        carom_rattle_ranks_damp_heard_pushed(r, &r->share[i]);
    carom_rattle_strike_end(r->strike, r->share[0].body, h, r->stepper->before, state);
    return carom_rank_given_up(r->ranks) ? CAROM_E_STOPPED : CAROM_OK;
}

enum carom_status carom_rattle_ranks_strike_stop(struct carom_rattle_ranks *r, double h, struct carom_state *state)
{
    if (!joints_of(r))
        return CAROM_OK;
    if (tell(r, false) != CAROM_OK)
        return CAROM_E_STOPPED;
    carom_rattle_joints_stop(joints_of(r), h, state);
    return CAROM_OK;
}

enum carom_status carom_rattle_ranks_strike_settle(struct carom_rattle_ranks *r, double h, struct carom_state *state)
{
    struct carom_error error = {.status = CAROM_OK}; /* one process says it in words */
    if (!r->strike)
        return CAROM_OK;
    for (size_t i = 0; i < r->nbodies; i++)
        carom_rattle_ranks_damp_absorbed(r, &r->share[i]);
    const struct carom_rattle_run switched =
        carom_rattle_strike_settle(r->strike, r->share[0].body, h, r->stepper->before, state);
    r->stepper->switched = switched.first < switched.last;
    r->stepper->switched_first = switched.first;
    r->stepper->switched_last = switched.last;
    r->failed |= !carom_rattle_strike_finite(r->strike, state) ||
                 carom_rattle_strike_bounded(r->strike, h, state, &error) != CAROM_OK;
    if (error.status == CAROM_E_MEMORY)
        carom_rank_give_up(r->ranks); /* others know of contacts that this one does not */
    return carom_rank_given_up(r->ranks) ? CAROM_E_STOPPED : CAROM_OK;
}
