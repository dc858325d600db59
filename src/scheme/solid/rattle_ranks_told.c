/* What ranks that share solids tell each other: where cells are, once a step, and to rank 0 what it has to know. */
#include "scheme/solid/rattle_ranks_share.h"

void carom_rattle_ranks_told_piece(struct carom_rattle_ranks *r, size_t peer, double *data, size_t count, bool comes)
{
    if (count > 0)
        r->piece[r->npieces++] = (struct carom_rank_piece){peer, data, count, comes};
}

static enum carom_status wait_for_all(struct carom_rattle_ranks *r)
{
    r->npieces = 0;
    return carom_rank_finish(r->ranks) ? CAROM_OK : CAROM_E_STOPPED;
}

enum carom_status carom_rattle_ranks_told_pieces(struct carom_rattle_ranks *r)
{
    if (r->npieces == 0)
        return CAROM_OK;
    carom_rank_start(r->ranks, r->piece, r->npieces);
    return wait_for_all(r);
}

enum carom_status carom_rattle_ranks_told_silent(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_STOPPED, "a rank does not answer: it has ended, or its machine");
}

/* Cells that rank `who` looks at beyond its own, before (side 0) or behind, as far as `owner` has them. */
static void near(const struct carom_rattle_share *s, size_t who, size_t owner, int side, size_t *from, size_t *to)
{
    const size_t n = s->body->solid->n, a = s->first[who], b = s->first[who + 1];
    const size_t low = side == 0 ? (a > s->depth ? a - s->depth : 0) : b;
    const size_t high = side == 0 ? a : n - b > s->depth ? b + s->depth : n;
    *from = low > s->first[owner] ? low : s->first[owner];
    *to = high < s->first[owner + 1] ? high : s->first[owner + 1];
    *to = a == b || *to < *from ? *from : *to; /* who has nothing looks at nothing */
}

/* What is told of a body's cells, one after the other, and how many numbers of each; NULL: nothing. */
static double *told_of(const struct carom_rattle_share *s, enum carom_rattle_told what, size_t *wide)
{
    const struct carom_solid *solid = s->body->solid;
    if (what == CAROM_TOLD_PLACES) {
        *wide = solid->wide;
        return s->at.q1;
    }
    if (what == CAROM_TOLD_STRAINS) {
        *wide = CAROM_YIELD_STRAIN;
        return solid->flow ? carom_solid_yield_strain(solid, s->at.q1, 0) : NULL;
    }
    *wide = solid->fast;
    return solid->damping_stiffness > 0.0 ? s->body->spin : NULL;
}

/* Cells in any places travel in rows. */
static void add_tour(struct carom_rattle_ranks *r, const struct carom_rattle_tour *tour, size_t wide, bool comes)
{
    for (size_t k = 0; k < r->count; k++)
        carom_rattle_ranks_told_piece(r, k, tour->row + wide * tour->first[k],
                                      wide * (tour->first[k + 1] - tour->first[k]), comes);
}

static void tell_tours(struct carom_rattle_ranks *r, struct carom_rattle_share *s, const double *told, size_t wide)
{
    for (size_t i = 0; i < s->out.first[r->count]; i++)
        memcpy(s->out.row + wide * i, told + wide * s->out.cell[i], wide * sizeof(double));
    add_tour(r, &s->in, wide, true);
    add_tour(r, &s->out, wide, false);
}

/* what has come is put where it belongs; is it new? */
static bool hear_tour(const struct carom_rattle_ranks *r, struct carom_rattle_share *s, double *told, size_t wide)
{
    bool news = false;
    for (size_t i = 0; i < s->in.first[r->count]; i++) {
        double *to = told + wide * s->in.cell[i], *from = s->in.row + wide * i;
        news |= memcmp(to, from, wide * sizeof *to) != 0;
        memcpy(to, from, wide * sizeof *to);
    }
    return news;
}

enum carom_status carom_rattle_ranks_told_arrived(struct carom_rattle_ranks *r, enum carom_rattle_told what)
{
    if (wait_for_all(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; i < r->nbodies; i++) {
        size_t wide;
        double *told = told_of(&r->share[i], what, &wide);
        if (told && r->share[i].piece)
            r->share[i].flows |= hear_tour(r, &r->share[i], told, wide) && what == CAROM_TOLD_STRAINS;
    }
    return CAROM_OK;
}

static void tell_layers(struct carom_rattle_ranks *r, const struct carom_rattle_share *s, double *told, size_t wide)
{
    for (size_t other = 0; other < r->count; other++)
        for (int side = 0; side < 2 && other != r->own; side++) {
            size_t from, to;
            near(s, r->own, other, side, &from, &to);
            carom_rattle_ranks_told_piece(r, other, told + wide * from, wide * (to - from), true);
            near(s, other, r->own, side, &from, &to);
            carom_rattle_ranks_told_piece(r, other, told + wide * from, wide * (to - from), false);
        }
}

void carom_rattle_ranks_told_start(struct carom_rattle_ranks *r, enum carom_rattle_told what)
{
    for (size_t i = 0; i < r->nbodies; i++) {
        struct carom_rattle_share *s = &r->share[i];
        size_t wide;
        double *told = told_of(s, what, &wide);
        if (told && s->piece)
            tell_tours(r, s, told, wide);
        else if (told)
            tell_layers(r, s, told, wide);
    }
    carom_rank_start(r->ranks, r->piece, r->npieces);
}

/* Rank 0 hears what it needs for the ledger. */
enum carom_status carom_rattle_ranks_told_loads(struct carom_rattle_ranks *r)
{
    for (size_t i = 0; i < r->nbodies; i++) {
        struct carom_rattle_share *s = &r->share[i];
        const size_t wide = s->body->solid->wide;
        size_t from = s->carries[r->own], to = s->carries[r->own + 1];
        for (size_t k = from; k < to; k++) {
            memcpy(s->heard + carom_rattle_share_heard(s) * k, s->at.q1 + wide * s->loaded[k], wide * sizeof(double));
            s->heard[carom_rattle_share_heard(s) * k + wide] = s->body->work.pressure[s->loaded[k]];
        }
        if (r->own > 0)
            carom_rattle_ranks_told_piece(r, 0, s->heard + carom_rattle_share_heard(s) * from,
                                          carom_rattle_share_heard(s) * (to - from), false);
        for (size_t other = 1; r->own == 0 && other < r->count; other++) {
            from = s->carries[other];
            to = s->carries[other + 1];
            carom_rattle_ranks_told_piece(r, other, s->heard + carom_rattle_share_heard(s) * from,
                                          carom_rattle_share_heard(s) * (to - from), true);
        }
        carom_rattle_ranks_damp_told(r, s);
        carom_rattle_ranks_break_told(r, s);
        carom_rattle_ranks_strike_told(r, s, false);
    }
    if (carom_rattle_ranks_told_pieces(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    for (size_t i = 0; i < r->nbodies; i++) {
        carom_rattle_ranks_strike_heard(r, &r->share[i], false);
        if (r->own == 0)
            carom_rattle_ranks_damp_heard(r, &r->share[i]);
    }
    return CAROM_OK;
}

/* Cells of rank k, in any places, to or from a row; returns its end. */
static double *pack(const struct carom_rattle_share *s, size_t k, bool back, double *q, double *v, double *row)
{
    const struct carom_solid *solid = s->body->solid;
    for (size_t i = 0; i < solid->n; i++) {
        if (s->owner[i / CAROM_TURN_PORTION] != k)
            continue;
        double *place = q + solid->wide * i, *speed = v + solid->fast * i;
        double *strain = carom_solid_yield_strain(solid, q, i);
        memcpy(back ? place : row, back ? row : place, solid->wide * sizeof *row);
        row += solid->wide;
        memcpy(back ? speed : row, back ? row : speed, solid->fast * sizeof *row);
        row += solid->fast;
        if (solid->flow) {
            memcpy(back ? strain : row, back ? row : strain, CAROM_YIELD_STRAIN * sizeof *row);
            row += CAROM_YIELD_STRAIN;
        }
    }
    return row;
}

/* the part of a body with slices goes to rank 0, or comes to it */
static void add_whole(struct carom_rattle_ranks *r, struct carom_rattle_share *s, double *q, double *v)
{
    const struct carom_solid *solid = s->body->solid;
    if (r->own > 0) {
        const double *end = pack(s, r->own, false, q, v, s->whole);
        carom_rattle_ranks_told_piece(r, 0, s->whole, (size_t)(end - s->whole), false);
        return;
    }
    double *row = s->whole;
    for (size_t k = 1; k < r->count; k++) {
        size_t cells = 0;
        for (size_t i = 0; i < solid->n; i++)
            cells += s->owner[i / CAROM_TURN_PORTION] == k;
        carom_rattle_ranks_told_piece(r, k, row, carom_rattle_share_numbers(s) * cells, true);
        row += carom_rattle_share_numbers(s) * cells;
    }
}

static void unpack_all(struct carom_rattle_ranks *r, struct carom_state *state)
{
    for (size_t i = 0; i < r->nbodies && r->own == 0; i++) {
        const struct carom_rattle_share *s = &r->share[i];
        double *row = s->whole;
        for (size_t k = 1; k < r->count && s->piece; k++)
            row = pack(s, k, true, state->q + s->body->member->q0, state->v + s->body->member->v0, row);
    }
}

/* The parts of all ranks come to rank 0. */
enum carom_status carom_rattle_ranks_told_all(struct carom_rattle_ranks *r, struct carom_state *state)
{
    for (size_t i = 0; i < r->nbodies; i++) {
        struct carom_rattle_share *s = &r->share[i];
        const size_t wide = s->body->solid->wide, fast = s->body->solid->fast;
        double *q = state->q + s->body->member->q0, *v = state->v + s->body->member->v0;
        if (r->own == 0)
            carom_rattle_ranks_damp_keep(r, s, false, v);
        if (s->piece) {
            add_whole(r, s, q, v);
            continue;
        }
        for (size_t k = r->own == 0 ? 1 : r->own; k < (r->own == 0 ? r->count : r->own + 1); k++) {
            const size_t cells = s->first[k + 1] - s->first[k], peer = r->own == 0 ? k : 0;
            carom_rattle_ranks_told_piece(r, peer, q + wide * s->first[k], wide * cells, r->own == 0);
            carom_rattle_ranks_told_piece(r, peer, v + fast * s->first[k], fast * cells, r->own == 0);
        }
    }
    if (carom_rattle_ranks_told_pieces(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    unpack_all(r, state);
    for (size_t i = 0; r->own == 0 && i < r->nbodies; i++)
        carom_rattle_ranks_damp_keep(r, &r->share[i], true, state->v + r->share[i].body->member->v0);
    return CAROM_OK;
}

/* those of cells in a row, one after the other */
static void keep_row(const struct carom_rattle_share *s, size_t first, size_t last, const struct carom_state *from,
                     struct carom_state *to)
{
    const struct carom_solid *solid = s->body->solid;
    const size_t q = s->body->member->q0 + solid->wide * first, v = s->body->member->v0 + solid->fast * first;
    memcpy(to->q + q, from->q + q, solid->wide * (last - first) * sizeof *to->q);
    memcpy(to->v + v, from->v + v, solid->fast * (last - first) * sizeof *to->v);
    if (solid->flow)
        memcpy(carom_solid_yield_strain(solid, to->q + s->body->member->q0, first),
               carom_solid_yield_strain(solid, from->q + s->body->member->q0, first),
               CAROM_YIELD_STRAIN * (last - first) * sizeof *to->q);
}

static void keep_own(const struct carom_rattle_ranks *r, const struct carom_state *from, struct carom_state *to)
{
    for (size_t i = 0; i < r->nbodies; i++) {
        const struct carom_rattle_share *s = &r->share[i];
        const size_t n = s->body->solid->n;
        if (!s->piece)
            keep_row(s, s->first[r->own], s->first[r->own + 1], from, to);
        for (size_t a = 0; a < n && s->piece; a += CAROM_TURN_PORTION)
            if (s->owner[a / CAROM_TURN_PORTION] == r->own)
                keep_row(s, a, n - a > CAROM_TURN_PORTION ? a + CAROM_TURN_PORTION : n, from, to);
    }
}

bool carom_rattle_ranks_told_keep(struct carom_rattle_ranks *r, bool away)
{
    const struct carom_state *start = r->stepper->before;
    if (!r->saved && away)
        r->saved = carom_state_create(r->stepper->model, start->nmemory);
    if (r->own == 0)
        carom_state_copy(r->saved, start);
    else if (away && r->saved)
        keep_own(r, start, r->saved);
    if (away && !r->saved)
        carom_rank_give_up(r->ranks);
    return r->saved || !away;
}

void carom_rattle_ranks_told_wrong(struct carom_rattle_ranks *r)
{
    r->wrong[r->own] = r->failed ? 1.0 : 0.0;
    for (size_t i = 0; i < r->nbodies; i++)
        r->wrong[r->own] += r->share[i].bad != SIZE_MAX ? 1.0 : 0.0;
}

enum carom_status carom_rattle_ranks_told_wrongs(struct carom_rattle_ranks *r)
{
    carom_rattle_ranks_told_wrong(r);
    if (r->own > 0)
        carom_rattle_ranks_told_piece(r, 0, &r->wrong[r->own], 1, false);
    for (size_t k = 1; r->own == 0 && k < r->count; k++)
        carom_rattle_ranks_told_piece(r, k, &r->wrong[k], 1, true);
    return carom_rattle_ranks_told_pieces(r);
}
