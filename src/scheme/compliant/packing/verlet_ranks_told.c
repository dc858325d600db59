/* What ranks that share bodies tell each other: twice a step of bodies whose contacts others work on, too. */
#include <string.h>

#include "scheme/compliant/packing/verlet_ranks_share.h"

static void add_piece(struct carom_verlet_ranks *r, size_t peer, double *data, size_t count, bool comes)
{
    if (count > 0)
        r->piece[r->npieces++] = (struct carom_rank_piece){peer, data, count, comes};
}

static void exchange(struct carom_verlet_ranks *r)
{
    if (!r->lost) {
        carom_rank_start(r->ranks, r->piece, r->npieces);
        r->lost = !carom_rank_finish(r->ranks);
    }
    r->npieces = 0;
}

/* `width` numbers of each block of every rank to all others: numbers of all blocks stand in `data` */
static void tell_blocks(struct carom_verlet_ranks *r, double *data, size_t width)
{
    for (size_t k = 0; k < r->count; k++) {
        if (k == r->own)
            continue;
        add_piece(r, k, data + width * r->block[k], width * (r->block[k + 1] - r->block[k]), true);
        add_piece(r, k, data + width * r->block[r->own], width * (r->block[r->own + 1] - r->block[r->own]), false);
    }
}

/* rows of `width` numbers of bodies that go and come */
static void tell_rows(struct carom_verlet_ranks *r, size_t width)
{
    for (size_t k = 0; k < r->count; k++) {
        add_piece(r, k, r->in.row + width * r->in.first[k], width * (r->in.first[k + 1] - r->in.first[k]), true);
        add_piece(r, k, r->out.row + width * r->out.first[k], width * (r->out.first[k + 1] - r->out.first[k]), false);
    }
}

/* --- after the drift ---------------------------------------------------------------------------------------------- */

/* numbers of a body: place, velocity and, where that is another one, as of boxes that tumble, its mean in the drift */
static size_t row_width(const struct carom_bodies *b)
{
    return carom_bodies_nq(b) + carom_bodies_nv(b) * (b->tumbling ? 2 : 1);
}

static void pack_places(struct carom_verlet_ranks *r, const struct carom_state *to, size_t nq, size_t nv)
{
    const struct carom_verlet_bodies_work *w = r->stepper->work;
    for (size_t i = 0; i < r->out.first[r->count]; i++) {
        const size_t body = r->out.body[i];
        double *row = r->out.row + row_width(w->bodies) * i;
        memcpy(row, to->q + body * nq, nq * sizeof *row);
        memcpy(row + nq, to->v + body * nv, nv * sizeof *row);
        if (w->bodies->tumbling)
            memcpy(row + nq + nv, w->drift + body * nv, nv * sizeof *row);
    }
}

static void unpack_places(struct carom_verlet_ranks *r, struct carom_state *to, size_t nq, size_t nv)
{
    struct carom_verlet_bodies_work *w = r->stepper->work;
    const size_t width = row_width(w->bodies);
    for (size_t i = 0; i < r->in.first[r->count]; i++) {
        const size_t body = r->in.body[i];
        const double *row = r->in.row + width * i;
        memcpy(to->q + body * nq, row, nq * sizeof *row);
        memcpy(to->v + body * nv, row + nq, nv * sizeof *row);
        if (w->drift)
            memcpy(w->drift + body * nv, row + width - nv, nv * sizeof *row);
        carom_verlet_moves_show(w, to, body);
    }
}

void carom_verlet_ranks_told_drifted(struct carom_verlet_ranks *r, struct carom_state *to)
{
    struct carom_verlet_bodies_work *w = r->stepper->work;
    const size_t nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies);
    for (size_t i = r->block[r->own]; i < r->block[r->own + 1]; i++) {
        r->speed[i][0] = w->part[i].speed;
        r->speed[i][1] = w->part[i].far;
    }
    pack_places(r, to, nq, nv);
    tell_blocks(r, r->speed[0], 2);
    tell_rows(r, row_width(w->bodies));
    exchange(r);
    unpack_places(r, to, nq, nv);
    for (size_t i = 0; i < carom_verlet_blocks(w); i++) {
        w->part[i].speed = r->speed[i][0];
        w->part[i].far = r->speed[i][1] != 0.0;
    }
}

/* --- after the second kick ---------------------------------------------------------------------------------------- */

static double number_of(size_t contact)
{
    return contact == SIZE_MAX ? -1.0 : (double)contact;
}

static void tell_found(struct carom_verlet_ranks *r)
{
    const struct carom_verlet_bodies_work *w = r->stepper->work;
    for (size_t i = r->block[r->own]; i < r->block[r->own + 1]; i++) {
        const struct carom_verlet_block *block = &w->block[i];
        double *found = r->found[i];
        found[CAROM_VERLET_TOLD_WRONG] = number_of(block->wrong);
        found[CAROM_VERLET_TOLD_DEEP] = number_of(block->deep);
        found[CAROM_VERLET_TOLD_DEFORM] = block->deep < w->contacts ? w->contact[block->deep].deform : 0.0;
        found[CAROM_VERLET_TOLD_SWITCHED] = block->switched;
        found[CAROM_VERLET_TOLD_ENDED] = block->ended;
        found[CAROM_VERLET_TOLD_FINITE] = w->part[i].finite;
        found[CAROM_VERLET_TOLD_TOUCHING] = (double)block->n;
        for (size_t k = 0; k < CAROM_RETIRED_KINDS; k++) {
            found[CAROM_VERLET_TOLD_LOST + 2 * k] = block->lost[k].high;
            found[CAROM_VERLET_TOLD_LOST + 2 * k + 1] = block->lost[k].low;
        }
    }
    tell_blocks(r, r->found[0], CAROM_VERLET_TOLD);
}

static size_t contact_of(double number)
{
    return number < 0.0 ? SIZE_MAX : (size_t)number;
}

/* blocks of others are as these have found them */
static void hear_found(struct carom_verlet_ranks *r)
{
    struct carom_verlet_bodies_work *w = r->stepper->work;
    r->told = true;
    for (size_t i = 0; i < carom_verlet_blocks(w); i++) {
        struct carom_verlet_block *block = &w->block[i];
        const double *found = r->found[i];
        if (r->mover[i] == r->own)
            continue;
        block->wrong = contact_of(found[CAROM_VERLET_TOLD_WRONG]);
        block->deep = contact_of(found[CAROM_VERLET_TOLD_DEEP]);
        if (block->deep < w->contacts)
            w->contact[block->deep].deform = found[CAROM_VERLET_TOLD_DEFORM];
        block->switched = found[CAROM_VERLET_TOLD_SWITCHED] != 0.0;
        block->ended = found[CAROM_VERLET_TOLD_ENDED] != 0.0;
        w->part[i].finite = found[CAROM_VERLET_TOLD_FINITE] != 0.0;
        for (size_t k = 0; k < CAROM_RETIRED_KINDS; k++)
            block->lost[k] =
                (struct carom_sum){found[CAROM_VERLET_TOLD_LOST + 2 * k], found[CAROM_VERLET_TOLD_LOST + 2 * k + 1]};
    }
}

void carom_verlet_ranks_told_kicked(struct carom_verlet_ranks *r, struct carom_state *to)
{
    struct carom_verlet_bodies_work *w = r->stepper->work;
    const size_t nv = carom_bodies_nv(w->bodies);
    for (size_t i = 0; i < r->out.first[r->count]; i++)
        memcpy(r->out.row + nv * i, to->v + r->out.body[i] * nv, nv * sizeof(double));
    tell_found(r);
    tell_rows(r, nv);
    exchange(r);
    for (size_t i = 0; i < r->in.first[r->count]; i++) {
        memcpy(to->v + r->in.body[i] * nv, r->in.row + nv * i, nv * sizeof(double));
        carom_verlet_moves_show(w, to, r->in.body[i]);
    }
    hear_found(r);
}

void carom_verlet_ranks_told_placed(struct carom_verlet_ranks *r)
{
    tell_found(r);
    exchange(r);
    hear_found(r);
}

/* one number of every rank to all others: r->number */
static void exchange_numbers(struct carom_verlet_ranks *r, double own)
{
    r->number[r->own] = own;
    for (size_t k = 0; k < r->count; k++)
        if (k != r->own) {
            add_piece(r, k, &r->number[k], 1, true);
            add_piece(r, k, &r->number[r->own], 1, false);
        }
    exchange(r);
}

double carom_verlet_ranks_told_way(struct carom_verlet_ranks *r, const double *q)
{
    const struct carom_verlet_bodies_work *w = r->stepper->work;
    double longest = 0.0;
    exchange_numbers(r, carom_search_way_some(&w->search, q, carom_verlet_ranks_first(r, w, r->own),
                                              carom_verlet_ranks_end(r, w, r->own)));
    for (size_t k = 0; k < r->count; k++)
        if (!(r->number[k] <= longest))
            longest = r->number[k];
    return longest;
}

/* --- the search --------------------------------------------------------------------------------------------------- */

_Static_assert(sizeof(struct carom_contact_key) == 2 * sizeof(double), "keys travel as numbers");

/* what all have found, in the order of ranks, to all: the numbers of pairs, and then these; a number below 0 is a body
 * that has too many others near it */
static enum carom_status gather_found(void *own, struct carom_search *s, enum carom_status status, size_t *crowded)
{
    struct carom_verlet_ranks *r = own;
    if (status != CAROM_OK && status != CAROM_E_REFUSED)
        return status;
    exchange_numbers(r, status == CAROM_OK ? (double)s->nfound : -1.0 - (double)*crowded);
    size_t total = 0, first = 0;
    for (size_t k = 0; k < r->count; k++) {
        if (r->lost)
            return CAROM_E_STOPPED;
        if (r->number[k] < 0.0) {
            *crowded = (size_t)(-1.0 - r->number[k]);
            return CAROM_E_REFUSED;
        }
        first += k < r->own ? (size_t)r->number[k] : 0;
        total += (size_t)r->number[k];
    }
    if (!carom_search_room(s, total))
        return CAROM_E_MEMORY;
    if (s->nfound > 0)
        memmove(s->found + first, s->found, s->nfound * sizeof *s->found);
    for (size_t k = 0, at = 0; k < r->count; at += (size_t)r->number[k++])
        if (k != r->own) {
            add_piece(r, k, (double *)(s->found + at), 2 * (size_t)r->number[k], true);
            add_piece(r, k, (double *)(s->found + first), 2 * s->nfound, false);
        }
    exchange(r);
    s->nfound = total;
    return r->lost ? CAROM_E_STOPPED : CAROM_OK;
}

struct carom_search_share carom_verlet_ranks_told_search(struct carom_verlet_ranks *r)
{
    if (!r)
        return (struct carom_search_share){0, 0, NULL, NULL};
    const struct carom_verlet_bodies_work *w = r->stepper->work;
    return (struct carom_search_share){carom_verlet_ranks_first(r, w, r->own), carom_verlet_ranks_end(r, w, r->own),
                                       gather_found, r};
}

/* --- all of a state ----------------------------------------------------------------------------------------------- */

/* what steps change of contacts of rank k, packed column by column, or back */
static void move_columns(struct carom_verlet_ranks *r, const struct carom_contacts *c, size_t k, bool back)
{
    const struct carom_verlet_bodies_work *w = r->stepper->work;
    double *at = r->packed + r->columns * r->first[k];
    for (size_t i = c->nfixed; i < c->ncolumns; i++)
        for (size_t j = r->first[k]; w->carried[i] && c->own[i] && j < r->first[k + 1]; j++) {
            if (back)
                c->column[i][r->contact[j]] = *at++;
            else
                *at++ = c->column[i][r->contact[j]];
        }
}

static void add_all_of(struct carom_verlet_ranks *r, struct carom_state *state, size_t peer, size_t owner, bool comes)
{
    const struct carom_verlet_bodies_work *w = r->stepper->work;
    const size_t nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies);
    const size_t first = carom_verlet_ranks_first(r, w, owner), n = carom_verlet_ranks_end(r, w, owner) - first;
    add_piece(r, peer, state->q + first * nq, n * nq, comes);
    add_piece(r, peer, state->v + first * nv, n * nv, comes);
    add_piece(r, peer, r->packed + r->columns * r->first[owner], r->columns * (r->first[owner + 1] - r->first[owner]),
              comes);
}

void carom_verlet_ranks_told_gather(struct carom_verlet_ranks *r, struct carom_state *state, bool all)
{
    if (all || r->own > 0)
        move_columns(r, state->contacts, r->own, false);
    for (size_t k = 0; k < r->count; k++) {
        if (k != r->own && (all || r->own == 0))
            add_all_of(r, state, k, k, true);
        if (k != r->own && (all || k == 0))
            add_all_of(r, state, k, r->own, false);
    }
    exchange(r);
    for (size_t k = 0; k < r->count && (all || r->own == 0) && !r->lost; k++)
        if (k != r->own)
            move_columns(r, state->contacts, k, true);
}

bool carom_verlet_ranks_told_meet(struct carom_verlet_ranks *r, struct carom_state *state)
{
    carom_verlet_ranks_told_gather(r, state, true);
    return !r->lost;
}
