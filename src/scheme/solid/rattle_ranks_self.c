/* Cells of one body that meet where ranks share it. They may do so anywhere: while anything can, all ranks are told
 * once a step where all of its cells are, and work out what pushes their own. Friction is worked out by all ranks
 * alike, who are told how all cells move, in each half of a step. */
#include "base/memory.h"
#include "model/solid/solid_self.h"
#include "scheme/solid/rattle_ranks_share.h"

bool carom_rattle_ranks_self_open(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const struct carom_solid *solid = s->body->solid;
    const size_t n = solid->self ? solid->n : 0;
    s->mine = carom_memory_zeroed(n, sizeof *s->mine);
    s->everywhere = carom_memory_zeroed(n * solid->wide, sizeof *s->everywhere);
    for (size_t i = 0; s->mine && i < n; i++)
        s->mine[i] = carom_rattle_ranks_part_owner(r, s, i) == r->own;
    return s->mine && s->everywhere;
}

void carom_rattle_ranks_self_free(struct carom_rattle_share *s)
{
    carom_memory_free_all(s->mine, s->everywhere);
}

void carom_rattle_ranks_self_push(const struct carom_rattle_share *s)
{
    const struct carom_solid *solid = s->body->solid;
    if (solid->self)
        carom_solid_self_push_own(solid, s->body->work.around, s->at.threads, s->at.q1, s->mine, s->body->force);
}

/* --- told everywhere ---------------------------------------------------------------------------------------------- */

/* numbers of rank k's cells, `wide` of each, to or from a row; returns its end */
static double *carry(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, size_t k, bool back,
                     double *data, size_t wide, double *row)
{
    for (size_t i = 0; i < s->body->solid->n; i++) {
        if (carom_rattle_ranks_part_owner(r, s, i) != k)
            continue;
        memcpy(back ? data + wide * i : row, back ? row : data + wide * i, wide * sizeof *row);
        row += wide;
    }
    return row;
}

/* numbers of all cells, which each rank has of its own, come to all */
static enum carom_status tell(struct carom_rattle_ranks *r, const struct carom_rattle_share *s, double *data,
                              size_t wide)
{
    double *row = s->everywhere, *own = row, *own_end = row;
    for (size_t k = 0; k < r->count; k++) {
        double *end = carry(r, s, k, false, data, wide, row); /* of others what was, which takes as much room */
        if (k == r->own) {
            own = row;
            own_end = end;
        } else {
            carom_rattle_ranks_told_piece(r, k, row, (size_t)(end - row), true);
        }
        row = end;
    }
    for (size_t k = 0; k < r->count; k++)
        if (k != r->own)
            carom_rattle_ranks_told_piece(r, k, own, (size_t)(own_end - own), false);
    if (carom_rattle_ranks_told_pieces(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    row = s->everywhere;
    for (size_t k = 0; k < r->count; k++)
        row = carry(r, s, k, true, data, wide, row);
    return CAROM_OK;
}

enum carom_status carom_rattle_ranks_self_places(struct carom_rattle_ranks *r, const struct carom_rattle_share *s)
{
    return s->body->solid->self ? tell(r, s, s->at.q1, s->body->solid->wide) : CAROM_OK;
}

static bool meets(const struct carom_rattle_share *s, const double *q)
{
    return s->body->solid->self && !carom_solid_self_is_whole(s->body->solid, q);
}

enum carom_status carom_rattle_ranks_self_meet(struct carom_rattle_ranks *r)
{
    for (size_t i = 0; i < r->nbodies; i++)
        if (meets(&r->share[i], r->share[i].at.q1) && carom_rattle_ranks_self_places(r, &r->share[i]) != CAROM_OK)
            return CAROM_E_STOPPED;
    return CAROM_OK;
}

enum carom_status carom_rattle_ranks_self_rub(struct carom_rattle_ranks *r, bool last)
{
    for (size_t i = 0; i < r->nbodies; i++) {
        struct carom_rattle_share *s = &r->share[i];
        const double *q = last ? s->at.q1 : s->at.q0;
        if (!carom_solid_self_is_rough(s->body->solid))
            continue;
        if (meets(s, q) && tell(r, s, s->at.v1, s->body->solid->fast) != CAROM_OK)
            return CAROM_E_STOPPED;
        s->rub_work[last] = 0.0;
        s->rubbed[last] = carom_rattle_damp_rub(s->body, s->at.threads, 0.5 * s->at.h, q, s->at.v1, &s->rub_work[last]);
    }
    return CAROM_OK;
}
