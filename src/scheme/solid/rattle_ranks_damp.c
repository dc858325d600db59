/* What takes or gives energy where ranks share bodies: damping by mass, absorbing sides and drives. Every rank damps
 * its own cells; sides, where cells act on one another in an order, are rank 0's: it hears at the end of a step of the
 * cells there and tells at the start of the next what has become of them. It also hears what drives push against, and
 * what adds up to losses: sums of blocks that one rank has, numbers of cells of others, as one process adds them up. */
#include "base/memory.h"
#include "base/sum.h"
#include "scheme/solid/rattle_ranks_share.h"

/* A block of which this rank has cells, and where its numbers stand. */
struct mine {
    size_t block, at;
};

struct carom_rattle_damped {
    size_t nmine;
    struct mine *mine;
    uint32_t *whole; /* the rank that has all of a block, or SHARED */
    size_t *first;   /* numbers of rank k in half a step: first[k + 1] - first[k] */
    size_t *next;    /* where those of each rank have been read to */
    double *row;     /* of rank k from 2 first[k] on: those of the first half, then those of the second */
};
#define SHARED UINT32_MAX

/* --- setting up --------------------------------------------------------------------------------------------------- */

/* Cells that are marked, by ranks, with room for so many numbers of each. */
static bool list_cells(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, const uint8_t *mark,
                       size_t wide, struct carom_rattle_tour *tour)
{
    const size_t n = s->body->solid->n;
    tour->first = carom_memory_zeroed(r->count + 2, sizeof *tour->first);
    for (size_t i = 0; tour->first && i < n; i++)
        if (mark[i])
            tour->first[carom_rattle_ranks_part_owner(r, s, i) + 2]++;
    for (size_t k = 0; tour->first && k < r->count; k++)
        tour->first[k + 2] += tour->first[k + 1];
    tour->cell = tour->first ? carom_memory_zeroed(tour->first[r->count + 1], sizeof *tour->cell) : NULL;
    tour->row = tour->first ? carom_memory_zeroed(tour->first[r->count + 1] * wide, sizeof *tour->row) : NULL;
    for (size_t i = 0; tour->cell && i < n; i++)
        if (mark[i])
            tour->cell[tour->first[carom_rattle_ranks_part_owner(r, s, i) + 1]++] = (uint32_t)i;
    return tour->cell && tour->row;
}

/* cells that absorbing sides change, and those that drives move */
static bool list_sides(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const struct carom_solid *solid = s->body->solid;
    uint8_t *mark = carom_memory_zeroed(solid->n, sizeof *mark);
    for (size_t i = 0; mark && i < solid->nabsorbers; i++)
        mark[solid->absorber[i].cell] = mark[solid->absorber[i].inner] = 1;
    bool good = mark && (solid->nabsorbers == 0 || list_cells(r, s, mark, solid->wide + solid->fast, &s->absorbed));
    if (mark)
        memset(mark, 0, solid->n);
    for (size_t h = 0; mark && h < solid->nholds; h++)
        for (size_t i = 0; solid->hold[h].driven && i < solid->hold[h].count; i++)
            mark[solid->hold[h].cell[i]] = 1;
    good = good && (!carom_solid_driven(solid) || list_cells(r, s, mark, solid->fast, &s->driven));
    carom_memory_free(mark);
    return good;
}

/* numbers that stand for a block in half a step: two of each rank that has all of it, or two for each cell */
static void count_block(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, size_t block)
{
    const size_t from = block * CAROM_RATTLE_BLOCK, to = carom_rattle_block_end(s->body->solid, block);
    struct carom_rattle_damped *d = s->damped;
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
        d->first[one + 1] += 2;
    for (size_t i = from; i < to && !whole; i++)
        d->first[carom_rattle_ranks_part_owner(r, s, i) + 1] += 2;
}

static bool list_damped(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const size_t blocks = carom_rattle_blocks(s->body->solid);
    struct carom_rattle_damped *d = s->damped = carom_memory_zeroed(1, sizeof *d);
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
    d->row = carom_memory_zeroed(2 * d->first[r->count], sizeof *d->row);
    return d->row != NULL;
}

bool carom_rattle_ranks_damp_open(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    return list_sides(r, s) && (s->body->solid->damping_mass == 0.0 || list_damped(r, s));
}

void carom_rattle_ranks_damp_free(struct carom_rattle_share *s)
{
    carom_memory_free_all(s->absorbed.first, s->absorbed.cell, s->absorbed.row, s->driven.first, s->driven.cell,
                          s->driven.row);
    if (s->damped)
        carom_memory_free_all(s->damped->mine, s->damped->whole, s->damped->first, s->damped->next, s->damped->row,
                              s->damped);
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
    if (!s->damped && !s->absorbed.cell)
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

/* half a step's damping of this rank's cells, for threads */
struct half {
    const struct carom_rattle_ranks *r;
    struct carom_rattle_share *s;
    const double *q;
    double factor, *row;
};

static void shrink(void *own, size_t number)
{
    const struct half *h = own;
    const struct carom_rattle_share *s = h->s;
    const struct carom_solid *solid = s->body->solid;
    const struct mine *mine = &s->damped->mine[number];
    const bool whole = s->damped->whole[mine->block] != SHARED;
    struct carom_sum sum = {0.0, 0.0}, driven = {0.0, 0.0};
    double *row = h->row + mine->at, given;
    for (size_t i = mine->block * CAROM_RATTLE_BLOCK; i < carom_rattle_block_end(solid, mine->block); i++) {
        if (!whole && carom_rattle_ranks_part_owner(h->r, s, i) != h->r->own)
            continue;
        const double free = carom_rattle_damp_shrink(solid, i, h->factor, h->q, s->at.v1, &given);
        if (whole) {
            carom_sum_add(&sum, free);
            carom_sum_add(&driven, given);
        } else {
            *row++ = free;
            *row++ = given;
        }
    }
    if (whole) {
        row[0] = carom_sum_value(&sum);
        row[1] = carom_sum_value(&driven);
    }
}

void carom_rattle_ranks_damp_shrink(const struct carom_rattle_ranks *r, struct carom_rattle_share *s, bool last)
{
    const struct carom_rattle_damped *d = s->damped;
    struct half half = {.r = r, .s = s, .q = last ? s->at.q1 : s->at.q0};
    if (!d)
        return;
    half.factor = carom_rattle_damp_factor(s->body->solid, 0.5 * s->at.h);
    half.row = d->row + 2 * d->first[r->own] + (last ? d->first[r->own + 1] - d->first[r->own] : 0);
    carom_threads_run(s->at.threads, shrink, &half, d->nmine);
}

/* --- what rank 0 makes of it -------------------------------------------------------------------------------------- */

/* as one process adds up half a step: cells of a block, then blocks */
static void add_up(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, bool last, double total[2])
{
    const struct carom_solid *solid = s->body->solid;
    const struct carom_rattle_damped *d = s->damped;
    struct carom_sum sum[2] = {{0.0, 0.0}, {0.0, 0.0}};
    for (size_t k = 0; k < r->count; k++)
        d->next[k] = 2 * d->first[k] + (last ? d->first[k + 1] - d->first[k] : 0);
    for (size_t b = 0; b < carom_rattle_blocks(solid); b++) {
        struct carom_sum part[2] = {{0.0, 0.0}, {0.0, 0.0}};
        if (d->whole[b] != SHARED) {
            for (int z = 0; z < 2; z++)
                carom_sum_add(&sum[z], d->row[d->next[d->whole[b]]++]);
            continue;
        }
        for (size_t i = b * CAROM_RATTLE_BLOCK; i < carom_rattle_block_end(solid, b); i++)
            for (size_t z = 0, k = carom_rattle_ranks_part_owner(r, s, i); z < 2; z++)
                carom_sum_add(&part[z], d->row[d->next[k]++]);
        for (int z = 0; z < 2; z++)
            carom_sum_add(&sum[z], carom_sum_value(&part[z]));
    }
    for (int z = 0; z < 2; z++)
        total[z] = carom_sum_value(&sum[z]);
}

void carom_rattle_ranks_damp_lost(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, bool last,
                                  struct carom_state *state, size_t member)
{
    const struct carom_solid *solid = s->body->solid;
    double total[2];
    if (s->damped) {
        add_up(r, s, last, total);
        state->spent[member] += carom_rattle_damp_lost(solid, 0.5 * s->at.h, total[0], total[1], &state->work[member]);
    }
    if (s->absorbed.cell && last)
        carom_solid_losses(solid, s->at.q1)[CAROM_SOLID_ABSORBED] +=
            carom_rattle_absorb(solid, s->at.h, true, s->at.q1, s->at.v1);
}

/* --- on their way ------------------------------------------------------------------------------------------------- */

/* Of cells at sides: where they are and how they move, to rank 0, and how they go on, from it. Of those that are
 * driven: what acts on them, to rank 0. */
enum what { STATE, PACE, FORCE };

static size_t carry(const struct carom_rattle_share *s, enum what what, bool back, uint32_t cell, double *row)
{
    const struct carom_solid *solid = s->body->solid;
    double *place = s->at.q1 + solid->wide * cell;
    double *pace = (what == FORCE ? s->body->force : s->at.v1) + solid->fast * cell;
    memcpy(back ? pace : row, back ? row : pace, solid->fast * sizeof *row);
    row += solid->fast;
    if (what == STATE)
        memcpy(back ? place : row, back ? row : place, solid->wide * sizeof *row);
    return solid->fast + (what == STATE ? solid->wide : 0);
}

static const struct carom_rattle_tour *tour_of(const struct carom_rattle_share *s, enum what what)
{
    return what == FORCE ? &s->driven : &s->absorbed;
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
    return s->body->solid->fast + (what == STATE ? s->body->solid->wide : 0);
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
        if (count > 0)
            r->piece[r->npieces++] = (struct carom_rank_piece){r->own == 0 ? k : 0, row, count, comes};
    }
}

void carom_rattle_ranks_damp_told(struct carom_rattle_ranks *r, const struct carom_rattle_share *s)
{
    add_tour(r, s, STATE);
    add_tour(r, s, FORCE);
    for (size_t k = r->own == 0 ? 1 : r->own; s->damped && k < (r->own == 0 ? r->count : r->own + 1); k++) {
        const size_t count = 2 * (s->damped->first[k + 1] - s->damped->first[k]);
        if (count > 0)
            r->piece[r->npieces++] = (struct carom_rank_piece){
                r->own == 0 ? k : 0, s->damped->row + 2 * s->damped->first[k], count, r->own == 0};
    }
}

/* the cells of ranks [from, to), from where they were heard */
static void hear(const struct carom_rattle_share *s, enum what what, size_t from, size_t to)
{
    const struct carom_rattle_tour *tour = tour_of(s, what);
    if (tour->cell)
        carry_all(s, what, true, from, to, tour->row + wide_of(s, what) * tour->first[from]);
}

void carom_rattle_ranks_damp_heard(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s)
{
    hear(s, STATE, 1, r->count);
    hear(s, FORCE, 1, r->count);
}

enum carom_status carom_rattle_ranks_damp_share(struct carom_rattle_ranks *r)
{
    for (size_t i = 0; i < r->nbodies; i++)
        add_tour(r, &r->share[i], PACE);
    if (r->npieces == 0)
        return CAROM_OK;
    carom_rank_start(r->ranks, r->piece, r->npieces);
    r->npieces = 0;
    if (!carom_rank_finish(r->ranks))
        return CAROM_E_STOPPED;
    for (size_t i = 0; r->own > 0 && i < r->nbodies; i++)
        hear(&r->share[i], PACE, r->own, r->own + 1);
    return CAROM_OK;
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
