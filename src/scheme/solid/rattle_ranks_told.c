/* What ranks that share solids tell each other: where cells are, once a step, and to rank 0 what it has to know. */
#include "scheme/solid/rattle_ranks_share.h"

static void add_piece(struct carom_rattle_ranks *r, size_t peer, double *data, size_t count, bool comes)
{
    if (count > 0)
        r->piece[r->npieces++] = (struct carom_rank_piece){peer, data, count, comes};
}

enum carom_status carom_rattle_ranks_told_end(struct carom_rattle_ranks *r)
{
    r->npieces = 0;
    return carom_rank_finish(r->ranks) ? CAROM_OK : CAROM_E_STOPPED;
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

/* Where cells near the ends of the parts are. */
void carom_rattle_ranks_told_places(struct carom_rattle_ranks *r)
{
    for (size_t i = 0; i < r->nbodies; i++) {
        const struct carom_rattle_share *s = &r->share[i];
        const size_t wide = s->body->solid->wide;
        for (size_t other = 0; other < r->count; other++)
            for (int side = 0; side < 2 && other != r->own; side++) {
                size_t from, to;
                near(s, r->own, other, side, &from, &to);
                add_piece(r, other, s->at.q1 + wide * from, wide * (to - from), true);
                near(s, other, r->own, side, &from, &to);
                add_piece(r, other, s->at.q1 + wide * from, wide * (to - from), false);
            }
    }
    carom_rank_start(r->ranks, r->piece, r->npieces);
}

/* loaded cells of a rank: [from, to) of the list */
static void loaded_of(const struct carom_rattle_share *s, size_t rank, size_t *from, size_t *to)
{
    for (*from = 0; *from < s->nloaded && s->loaded[*from] < s->first[rank];)
        ++*from;
    for (*to = *from; *to < s->nloaded && s->loaded[*to] < s->first[rank + 1];)
        ++*to;
}

/* Rank 0 hears where loaded cells are, and under which pressure. */
enum carom_status carom_rattle_ranks_told_loads(struct carom_rattle_ranks *r)
{
    for (size_t i = 0; i < r->nbodies; i++) {
        struct carom_rattle_share *s = &r->share[i];
        const size_t wide = s->body->solid->wide;
        size_t from, to;
        loaded_of(s, r->own, &from, &to);
        for (size_t k = from; k < to; k++) {
            memcpy(s->heard + carom_rattle_share_heard(s) * k, s->at.q1 + wide * s->loaded[k], wide * sizeof(double));
            s->heard[carom_rattle_share_heard(s) * k + wide] = s->body->work.pressure[s->loaded[k]];
        }
        if (r->own > 0)
            add_piece(r, 0, s->heard + carom_rattle_share_heard(s) * from, carom_rattle_share_heard(s) * (to - from),
                      false);
        for (size_t other = 1; r->own == 0 && other < r->count; other++) {
            loaded_of(s, other, &from, &to);
            add_piece(r, other, s->heard + carom_rattle_share_heard(s) * from,
                      carom_rattle_share_heard(s) * (to - from), true);
        }
    }
    if (r->npieces == 0)
        return CAROM_OK;
    carom_rank_start(r->ranks, r->piece, r->npieces);
    return carom_rattle_ranks_told_end(r);
}

/* The parts of all ranks come to rank 0. */
enum carom_status carom_rattle_ranks_told_all(struct carom_rattle_ranks *r, struct carom_state *state)
{
    for (size_t i = 0; i < r->nbodies; i++) {
        const struct carom_rattle_share *s = &r->share[i];
        const size_t wide = s->body->solid->wide, fast = s->body->solid->fast;
        double *q = state->q + s->body->member->q0, *v = state->v + s->body->member->v0;
        for (size_t k = r->own == 0 ? 1 : r->own; k < (r->own == 0 ? r->count : r->own + 1); k++) {
            const size_t cells = s->first[k + 1] - s->first[k], peer = r->own == 0 ? k : 0;
            add_piece(r, peer, q + wide * s->first[k], wide * cells, r->own == 0);
            add_piece(r, peer, v + fast * s->first[k], fast * cells, r->own == 0);
        }
    }
    carom_rank_start(r->ranks, r->piece, r->npieces);
    return carom_rattle_ranks_told_end(r);
}

enum carom_status carom_rattle_ranks_told_wrongs(struct carom_rattle_ranks *r)
{
    r->wrong[r->own] = 0.0;
    for (size_t i = 0; i < r->nbodies; i++)
        r->wrong[r->own] += r->share[i].bad != SIZE_MAX ? 1.0 : 0.0;
    if (r->own > 0)
        add_piece(r, 0, &r->wrong[r->own], 1, false);
    for (size_t k = 1; r->own == 0 && k < r->count; k++)
        add_piece(r, k, &r->wrong[k], 1, true);
    carom_rank_start(r->ranks, r->piece, r->npieces);
    return carom_rattle_ranks_told_end(r);
}
