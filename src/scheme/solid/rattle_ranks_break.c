/* Links that break where ranks share bodies. Each rank looks at the links that begin in its cells and tells rank 0 at
 * the end of a step how many go on breaking. If any does, rank 0 hears which, and under what pressure all cells are,
 * tells all what is gone, and hears the pressures once more, so that it knows what is lost as one process does. All
 * ranks know of all links how much is gone. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/sum.h"
#include "model/solid/solid_bonds.h"
#include "model/solid/solid_fracture.h"
#include "model/solid/solid_self.h"
#include "scheme/solid/rattle_ranks_share.h"

/* A link that goes on breaking, as doubles travel: its number, how much of it is then gone, and what that takes. */
struct torn {
    double link, gone, held;
};
enum { TORN = sizeof(struct torn) / sizeof(double) };

struct carom_rattle_broken {
    struct torn *torn; /* room for all links */
    double *count;     /* of each rank */
    double *pressure;  /* of own cells, on rank 0 of all but its own, by ranks */
};

bool carom_rattle_ranks_break_open(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const struct carom_solid *solid = s->body->solid;
    struct carom_rattle_broken *b = s->broken = carom_memory_zeroed(1, sizeof *b);
    if (!b)
        return false;
    b->torn = carom_memory_zeroed(solid->nlinks, sizeof *b->torn);
    b->count = carom_memory_zeroed(r->count, sizeof *b->count);
    b->pressure = carom_memory_zeroed(solid->n, sizeof *b->pressure);
    return b->torn && b->count && b->pressure;
}

void carom_rattle_ranks_break_free(struct carom_rattle_share *s)
{
    if (s->broken)
        carom_memory_free_all(s->broken->torn, s->broken->count, s->broken->pressure, s->broken);
}

void carom_rattle_ranks_break_look(const struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const struct carom_solid *solid = s->body->solid;
    struct carom_solid_work work = s->body->work;
    const double *damage = carom_solid_fracture_damage(solid, s->at.q1);
    size_t count = 0;
    if (!s->broken)
        return;
    work.some = carom_solid_piece_some(s->piece);
    const bool any = carom_solid_fracture_look(solid, &work, s->at.threads, s->at.q1);
    for (size_t k = 0; any && k < work.some->own_links.count; k++) {
        const size_t l = work.some->own_links.at[k];
        const double gone = work.stretch[CAROM_BOND * l + CAROM_BOND_OPEN];
        if (gone != damage[l] && carom_rattle_ranks_part_owner(r, s, solid->link[l].cell[0]) == r->own)
            s->broken->torn[count++] = (struct torn){(double)l, gone, carom_solid_bonds_held(solid, s->at.q1, l, gone)};
    }
    s->broken->count[r->own] = (double)count;
}

/* to rank 0, or at it from that rank */
static void add_piece(struct carom_rattle_ranks *r, size_t rank, double *data, size_t count)
{
    carom_rattle_ranks_told_piece(r, r->own == 0 ? rank : 0, data, count, r->own == 0);
}

void carom_rattle_ranks_break_told(struct carom_rattle_ranks *r, const struct carom_rattle_share *s)
{
    for (size_t k = r->own == 0 ? 1 : r->own; s->broken && k < (r->own == 0 ? r->count : r->own + 1); k++)
        add_piece(r, k, &s->broken->count[k], 1);
}

/* the pressures of a rank's cells, to or from a row; returns its end */
static double *carry(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, size_t rank, bool back,
                     double *row)
{
    for (size_t i = 0; i < s->body->solid->n; i++) {
        double *pressure = &s->body->work.pressure[i];
        if (carom_rattle_ranks_part_owner(r, s, i) != rank)
            continue;
        memcpy(back ? pressure : row, back ? row : pressure, sizeof *row);
        row++;
    }
    return row;
}

/* Rank 0 hears under which pressures all cells are and, the first time, of links that break. */
static enum carom_status gather(struct carom_rattle_ranks *r, const struct carom_rattle_share *s, bool first)
{
    const struct carom_rattle_broken *b = s->broken;
    double *row = b->pressure;
    size_t torn = r->own == 0 ? (size_t)b->count[0] : 0;
    for (size_t k = r->own == 0 ? 1 : r->own; k < (r->own == 0 ? r->count : r->own + 1); k++) {
        double *end = row;
        if (r->own > 0)
            end = carry(r, s, k, false, row);
        for (size_t i = 0; r->own == 0 && i < s->body->solid->n; i++)
            end += carom_rattle_ranks_part_owner(r, s, i) == k;
        add_piece(r, k, row, (size_t)(end - row));
        if (first)
            add_piece(r, k, (double *)(b->torn + torn), TORN * (size_t)b->count[k]);
        torn += (size_t)b->count[k];
        row = end;
    }
    if (!first)
        carom_rattle_ranks_damp_pushed(r, s);
    if (carom_rattle_ranks_told_pieces(r) != CAROM_OK)
        return CAROM_E_STOPPED;
    row = b->pressure;
    for (size_t k = 1; r->own == 0 && k < r->count; k++)
        row = carry(r, s, k, true, row);
    if (!first && r->own == 0)
        carom_rattle_ranks_damp_heard_pushed(r, s);
    return CAROM_OK;
}

static int by_link(const void *a, const void *b)
{
    const double x = ((const struct torn *)a)->link, y = ((const struct torn *)b)->link;
    return (x > y) - (x < y);
}

/* rank 0 puts the links of all ranks in order, and adds up what they held */
static void order(const struct carom_rattle_share *s, size_t count, struct carom_sum *sum)
{
    struct torn *torn = s->broken->torn;
    qsort(torn, count, sizeof *torn, by_link);
    for (size_t i = 0; i < count; i++)
        carom_sum_add(sum, torn[i].held);
}

/* energy of what meets, which changes where links break through */
static double met(const struct carom_rattle_share *s)
{
    return carom_solid_self_energy(s->body->solid, s->body->work.around, s->at.q1);
}

static enum carom_status tear(struct carom_rattle_ranks *r, struct carom_rattle_share *s, size_t count, size_t member,
                              struct carom_state *state)
{
    const struct carom_solid *solid = s->body->solid;
    const struct carom_solid_work *work = &s->body->work;
    double *damage = carom_solid_fracture_damage(solid, s->at.q1);
    struct carom_sum sum = {0.0, 0.0};
    bool through = false;
    if (gather(r, s, true) != CAROM_OK || (solid->self && carom_rattle_ranks_self_places(r, s) != CAROM_OK))
        return CAROM_E_STOPPED;
    for (size_t i = 0; i < count && r->own == 0 && solid->self; i++)
        through |= s->broken->torn[i].gone == 1.0;
    if (r->own == 0) {
        sum.high = carom_solid_fracture_pressed(solid, s->at.t1, s->at.q1, work->pressure);
        if (through)
            carom_sum_add(&sum, met(s));
        order(s, count, &sum);
    }
    carom_rank_broadcast(r->ranks, s->broken->torn, count * sizeof *s->broken->torn);
    for (size_t i = 0; i < count; i++)
        damage[(size_t)s->broken->torn[i].link] = s->broken->torn[i].gone;
    carom_solid_piece_forces(solid, s->piece, work, s->at.threads, s->at.t1, s->at.q1, false, s->body->force);
    if (gather(r, s, false) != CAROM_OK)
        return CAROM_E_STOPPED;
    if (r->own > 0)
        return CAROM_OK;
    carom_sum_add(&sum, -carom_solid_fracture_pressed(solid, s->at.t1, s->at.q1, work->pressure));
    if (through)
        carom_sum_add(&sum, -met(s));
    carom_rattle_fracture_book(s->body, state, member, s->at.t1, carom_sum_value(&sum));
    return CAROM_OK;
}

enum carom_status carom_rattle_ranks_break(struct carom_rattle_ranks *r, struct carom_state *state)
{
    for (size_t i = 0; i < r->nbodies; i++) {
        struct carom_rattle_share *s = &r->share[i];
        uint64_t count = 0;
        if (!s->broken)
            continue;
        for (size_t k = 0; k < r->count && r->own == 0; k++)
            count += (uint64_t)s->broken->count[k];
        carom_rank_broadcast(r->ranks, &count, sizeof count);
        if (count > 0 && tear(r, s, count, i, state) != CAROM_OK)
            return CAROM_E_STOPPED;
        if (count > 0 && r->strike)
            carom_rattle_strike_forget(r->strike); /* the surface is another */
    }
    return CAROM_OK;
}
