/* What adds up to losses where ranks share bodies, as one process adds it up: sums of blocks that one rank has, numbers
 * of cells of blocks that several share. Rank 0 hears of them at the end of a step. */
#include "base/memory.h"
#include "base/sum.h"
#include "scheme/solid/rattle_ranks_share.h"

/* A block of which this rank has cells, and where its numbers stand. */
struct mine {
    size_t block, at;
};

struct carom_rattle_losses {
    size_t nmine;
    struct mine *mine;
    uint32_t *whole;          /* the rank that has all of a block, or SHARED */
    size_t *first;            /* how many of each number rank k has: first[k + 1] - first[k] */
    size_t *next;             /* where those of each rank have been read to */
    size_t kinds;             /* of numbers that there are, */
    size_t place[CAROM_LOST]; /* one after the other in this order */
    double *row;              /* of rank k from kinds x first[k] on */
};
#define SHARED UINT32_MAX

static double *row_of(const struct carom_rattle_losses *d, size_t rank, enum carom_rattle_lost number)
{
    return d->row + d->kinds * d->first[rank] + d->place[number] * (d->first[rank + 1] - d->first[rank]);
}

/* Some numbers, as one process adds them up. */
struct total {
    struct carom_sum sum;
    double lane[4];
};

static void add_to(struct total *total, enum carom_rattle_lost number, size_t cell, double value)
{
    if (number == CAROM_LOST_DRAG || number == CAROM_LOST_DRAG_LATER)
        total->lane[cell % 4] += value;
    else
        carom_sum_add(&total->sum, value);
}

static double value_of(const struct total *total, enum carom_rattle_lost number)
{
    return number == CAROM_LOST_DRAG || number == CAROM_LOST_DRAG_LATER
               ? (total->lane[0] + total->lane[1]) + (total->lane[2] + total->lane[3])
               : carom_sum_value(&total->sum);
}

/* --- setting up --------------------------------------------------------------------------------------------------- */

/* numbers that stand for a block: one of the rank that has all of it, or one for each cell */
static void count_block(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, size_t block)
{
    const size_t from = block * CAROM_RATTLE_BLOCK, to = carom_rattle_block_end(s->body->solid, block);
    struct carom_rattle_losses *d = s->losses;
    const size_t one = carom_rattle_ranks_part_owner(r, s, from);
    bool mine = one == r->own, whole = true;
    for (size_t i = from; i < to; i++) {
        const size_t owner = carom_rattle_ranks_part_owner(r, s, i);
        whole &= owner == one;
        mine |= owner == r->own;
    }
    if (mine)
        d->mine[d->nmine++] = (struct mine){block, d->first[r->own + 1]};
    d->whole[block] = whole ? (uint32_t)one : SHARED;
    if (whole)
        d->first[one + 1]++;
    for (size_t i = from; i < to && !whole; i++)
        d->first[carom_rattle_ranks_part_owner(r, s, i) + 1]++;
}

/* which numbers there are, one of each in every row */
static void list_kinds(const struct carom_solid *solid, struct carom_rattle_losses *d)
{
    const bool there[CAROM_LOST] = {[CAROM_LOST_FREE] = solid->damping_mass > 0.0,
                                    [CAROM_LOST_GIVEN] = solid->damping_mass > 0.0,
                                    [CAROM_LOST_FREE_LATER] = solid->damping_mass > 0.0,
                                    [CAROM_LOST_GIVEN_LATER] = solid->damping_mass > 0.0,
                                    [CAROM_LOST_DRAG] = solid->damping_stiffness > 0.0,
                                    [CAROM_LOST_DRAG_LATER] = solid->damping_stiffness > 0.0,
                                    [CAROM_LOST_FLOWN] = solid->flow};
    for (size_t i = 0; i < CAROM_LOST; i++) {
        d->place[i] = d->kinds;
        d->kinds += there[i];
    }
}

bool carom_rattle_ranks_lost_open(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const size_t blocks = carom_rattle_blocks(s->body->solid);
    struct carom_rattle_losses *d = s->losses = carom_memory_zeroed(1, sizeof *d);
    if (!d)
        return false;
    d->mine = carom_memory_zeroed(blocks, sizeof *d->mine);
    d->whole = carom_memory_zeroed(blocks, sizeof *d->whole);
    d->first = carom_memory_zeroed(r->count + 1, sizeof *d->first);
    d->next = carom_memory_zeroed(r->count, sizeof *d->next);
    if (!d->mine || !d->whole || !d->first || !d->next)
        return false;
    for (size_t b = 0; b < blocks; b++)
        count_block(r, s, b);
    for (size_t k = 0; k < r->count; k++)
        d->first[k + 1] += d->first[k];
    list_kinds(s->body->solid, d);
    d->row = carom_memory_zeroed(d->kinds * d->first[r->count], sizeof *d->row);
    return d->row != NULL;
}

void carom_rattle_ranks_lost_free(struct carom_rattle_share *s)
{
    if (s->losses)
        carom_memory_free_all(s->losses->mine, s->losses->whole, s->losses->first, s->losses->next, s->losses->row,
                              s->losses);
}

/* --- listing and adding up ---------------------------------------------------------------------------------------- */

static void list_block(void *own, size_t at)
{
    const struct carom_rattle_listing *l = own;
    const struct carom_rattle_share *s = l->s;
    const struct mine *mine = &s->losses->mine[at];
    const bool whole = s->losses->whole[mine->block] != SHARED;
    struct total total[2] = {0};
    double *row[2] = {NULL, NULL}, value[2];
    for (size_t z = 0; z < l->count; z++)
        row[z] = row_of(s->losses, l->r->own, (enum carom_rattle_lost)(l->number + z)) + mine->at;
    for (size_t i = mine->block * CAROM_RATTLE_BLOCK; i < carom_rattle_block_end(s->body->solid, mine->block); i++) {
        if (!whole && carom_rattle_ranks_part_owner(l->r, s, i) != l->r->own)
            continue;
        l->of(l, i, value);
        for (size_t z = 0; z < l->count; z++) {
            if (whole)
                add_to(&total[z], (enum carom_rattle_lost)(l->number + z), i, value[z]);
            else
                *row[z]++ = value[z];
        }
    }
    for (size_t z = 0; z < l->count && whole; z++)
        *row[z] = value_of(&total[z], (enum carom_rattle_lost)(l->number + z));
}

void carom_rattle_ranks_lost_list(const struct carom_rattle_listing *l)
{
    struct carom_rattle_listing listing = *l;
    carom_threads_run(l->s->at.threads, list_block, &listing, l->s->losses->nmine);
}

/* as one process adds it up: cells of a block, then blocks */
double carom_rattle_ranks_lost_sum(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s,
                                   enum carom_rattle_lost number)
{
    const struct carom_solid *solid = s->body->solid;
    const struct carom_rattle_losses *d = s->losses;
    struct carom_sum sum = {0.0, 0.0};
    memset(d->next, 0, r->count * sizeof *d->next);
    for (size_t b = 0; b < carom_rattle_blocks(solid); b++) {
        struct total part = {0};
        if (d->whole[b] != SHARED) {
            carom_sum_add(&sum, row_of(d, d->whole[b], number)[d->next[d->whole[b]]++]);
            continue;
        }
        for (size_t i = b * CAROM_RATTLE_BLOCK; i < carom_rattle_block_end(solid, b); i++) {
            const size_t k = carom_rattle_ranks_part_owner(r, s, i);
            add_to(&part, number, i, row_of(d, k, number)[d->next[k]++]);
        }
        carom_sum_add(&sum, value_of(&part, number));
    }
    return carom_sum_value(&sum);
}

void carom_rattle_ranks_lost_told(struct carom_rattle_ranks *r, const struct carom_rattle_share *s)
{
    const struct carom_rattle_losses *d = s->losses;
    for (size_t k = r->own == 0 ? 1 : r->own; k < (r->own == 0 ? r->count : r->own + 1); k++) {
        const size_t count = d->kinds * (d->first[k + 1] - d->first[k]);
        carom_rattle_ranks_told_piece(r, r->own == 0 ? k : 0, d->row + d->kinds * d->first[k], count, r->own == 0);
    }
}
