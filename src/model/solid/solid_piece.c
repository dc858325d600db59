/* Which slices a piece works on, for pressures and for forces, and the two passes. Threads have blocks of slices, each
 * of which looks, in the order of one pass over all, at every slice that acts on its own: so neither the pieces nor the
 * blocks change a bit. */
#include "model/solid/solid_piece.h"

#include <string.h>

#include "base/memory.h"
#include "model/solid/solid_slice.h"

struct carom_solid_piece {
    size_t blocks;
    struct carom_solid_runs pressures, forces;
};

/* --- what is looked at ---------------------------------------------------------------------------------------- */

/* cells that nobody has looked at, where the other end of a link is `least` or more, are looked at as `as` */
static void look_along_links(const struct carom_solid *s, uint8_t least, uint8_t as, uint8_t *look)
{
    for (size_t l = 0; l < s->nlinks; l++) {
        uint8_t *a = &look[s->link[l].cell[0]], *b = &look[s->link[l].cell[1]];
        if (*a >= least && *b == CAROM_LOOK_AWAY)
            *b = as;
        else if (*b >= least && *a == CAROM_LOOK_AWAY)
            *a = as;
    }
}

void carom_solid_piece_look(const struct carom_solid *s, const uint32_t *owner, uint32_t who, uint8_t *look)
{
    for (size_t i = 0; i < s->n; i++)
        look[i] = owner[i / CAROM_TURN_PORTION] == who ? CAROM_LOOK_OWN : CAROM_LOOK_AWAY;
    look_along_links(s, CAROM_LOOK_OWN, CAROM_LOOK_PRESSURE, look);
    for (size_t i = 0; i + 1 < s->n; i += CAROM_LANES) /* cells of a slice go together */
        look[i] = look[i + 1] = look[i] > look[i + 1] ? look[i] : look[i + 1];
    look_along_links(s, CAROM_LOOK_PRESSURE, CAROM_LOOK_PLACE, look);
}

/* --- runs ------------------------------------------------------------------------------------------------------ */

static size_t slices_of(const struct carom_solid *s)
{
    return (s->n + CAROM_LANES - 1) / CAROM_LANES;
}

/* slices that are looked at as `least` or more, shared out among blocks */
static void deal_out(const struct carom_solid *s, const uint8_t *look, uint8_t least, size_t blocks, uint32_t *owner)
{
    const size_t slices = slices_of(s);
    size_t count = 0, k = 0;
    for (size_t i = 0; i < slices; i++)
        count += look[CAROM_LANES * i] >= least;
    for (size_t i = 0; i < slices; i++)
        owner[i] = look[CAROM_LANES * i] >= least ? (uint32_t)(blocks * k++ / count) : UINT32_MAX;
}

static bool acts_on(const struct carom_solid_slices *t, size_t slice, const uint32_t *owner, uint32_t who)
{
    bool acts = false;
    for (size_t k = t->begin[slice]; k < t->begin[slice + 1] && !acts; k++)
        for (size_t lane = 0; lane < CAROM_LANES; lane++)
            acts |= owner[t->slot[k].other[lane] / CAROM_LANES] == who;
    return acts;
}

/* the runs of a block, counted or noted */
static size_t list_runs(const struct carom_solid *s, const uint32_t *owner, uint32_t who, struct carom_solid_run *run)
{
    size_t count = 0, end = SIZE_MAX;
    bool before = false;
    for (size_t i = 0; i < slices_of(s); i++) {
        const bool own = owner[i] == who;
        if (!own && (i >= s->slices->count || !acts_on(s->slices, i, owner, who)))
            continue;
        if (end != i || own != before)
            count++;
        if (run && (end != i || own != before))
            run[count - 1] = (struct carom_solid_run){.first = (uint32_t)i, .own = own};
        if (run)
            run[count - 1].last = (uint32_t)i + 1;
        end = i + 1;
        before = own;
    }
    return count;
}

static bool make_runs(const struct carom_solid *s, const uint8_t *look, uint8_t least, size_t blocks,
                      struct carom_solid_runs *runs)
{
    runs->owner = carom_memory_zeroed(slices_of(s), sizeof *runs->owner);
    runs->begin = carom_memory_zeroed(blocks + 1, sizeof *runs->begin);
    if (!runs->owner || !runs->begin)
        return false;
    deal_out(s, look, least, blocks, runs->owner);
    for (size_t b = 0; b < blocks; b++)
        runs->begin[b + 1] = runs->begin[b] + list_runs(s, runs->owner, (uint32_t)b, NULL);
    runs->run = carom_memory_zeroed(runs->begin[blocks], sizeof *runs->run);
    for (size_t b = 0; b < blocks && runs->run; b++)
        list_runs(s, runs->owner, (uint32_t)b, runs->run + runs->begin[b]);
    return runs->run != NULL;
}

void carom_solid_piece_free(struct carom_solid_piece *p)
{
    if (!p)
        return;
    carom_memory_free_all(p->pressures.owner, p->pressures.begin, p->pressures.run, p->forces.owner, p->forces.begin,
                          p->forces.run, p);
}

struct carom_solid_piece *carom_solid_piece_create(const struct carom_solid *s, const uint8_t *look, size_t threads)
{
    struct carom_solid_piece *p = carom_memory_zeroed(1, sizeof *p);
    if (p) {
        p->blocks = threads;
        if (make_runs(s, look, CAROM_LOOK_PRESSURE, threads, &p->pressures) &&
            make_runs(s, look, CAROM_LOOK_OWN, threads, &p->forces))
            return p;
    }
    carom_solid_piece_free(p);
    return NULL;
}

/* --- forces ------------------------------------------------------------------------------------------------------ */

struct passes {
    struct carom_solid_call call;
    const struct carom_solid_piece *piece;
};

/* cells of a run that the block has; none of others */
static size_t cells_of(const struct carom_solid *s, const struct carom_solid_run *run, size_t *first)
{
    const size_t last = CAROM_LANES * (size_t)run->last;
    *first = CAROM_LANES * (size_t)run->first;
    return !run->own ? *first : last < s->n ? last : s->n;
}

static void press(void *own, size_t block)
{
    const struct passes *p = own;
    const struct carom_solid_call *c = &p->call;
    const struct carom_solid_runs *runs = &p->piece->pressures;
    size_t first, last;
    for (size_t i = runs->begin[block]; i < runs->begin[block + 1]; i++) {
        last = cells_of(c->solid, &runs->run[i], &first);
        memset(c->sum + first, 0, (last - first) * sizeof *c->sum);
        carom_solid_loads_dilate(c->solid, c->t, first, last, c->sum);
    }
    carom_solid_slice_runs(c, runs, (uint32_t)block, false);
    for (size_t i = runs->begin[block]; i < runs->begin[block + 1]; i++) {
        last = cells_of(c->solid, &runs->run[i], &first);
        carom_solid_links_press(c->solid, first, last, c->sum);
    }
}

static void pull(void *own, size_t block)
{
    const struct passes *p = own;
    const struct carom_solid_call *c = &p->call;
    const struct carom_solid_runs *runs = &p->piece->forces;
    size_t first, last;
    for (size_t i = runs->begin[block]; i < runs->begin[block + 1]; i++) {
        last = cells_of(c->solid, &runs->run[i], &first);
        carom_solid_loads_begin(c->solid, first, last, c->clear, c->f);
        carom_solid_loads_push(c->solid, c->t, first, last, c->q, c->f);
    }
    carom_solid_slice_runs(c, runs, (uint32_t)block, true);
}

void carom_solid_piece_forces(const struct carom_solid *s, const struct carom_solid_piece *piece,
                              const struct carom_solid_work *work, struct carom_threads *threads, double t,
                              const double *q, bool clear, double *f)
{
    struct passes passes = {
        .piece = piece,
        .call = {.solid = s, .t = t, .q = q, .sum = work->pressure, .stretch = work->stretch, .f = f, .clear = clear}};
    carom_threads_run(threads, press, &passes, piece->blocks);
    carom_threads_run(threads, pull, &passes, piece->blocks);
}
