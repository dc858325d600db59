/* Which slices a piece works on, for pressures and for forces, and the two passes. Threads have blocks of slices, each
 * of which looks, in the order of one pass over all, at every slice that acts on its own: so neither the pieces nor the
 * blocks change a bit. Of bodies with bonds, whose cells gather what their links leave, it lists links and cells. */
#include "model/solid/solid_piece.h"

#include <string.h>

#include "base/memory.h"
#include "model/solid/solid_bonds.h"
#include "model/solid/solid_self.h"
#include "model/solid/solid_slice.h"

struct carom_solid_piece {
    size_t blocks;
    struct carom_solid_runs pressures, forces;
    struct carom_solid_some some; /* of a body with bonds */
    uint8_t *own;                 /* of a body whose cells meet: which are its own */
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
    carom_solid_piece_look_around(s, look);
}

void carom_solid_piece_look_around(const struct carom_solid *s, uint8_t *look)
{
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

/* do links that begin in a slice end in one of that owner? */
static bool acts_on(const struct carom_solid *s, size_t slice, const uint32_t *owner, uint32_t who)
{
    bool acts = false;
    for (size_t l = carom_solid_mesh_link(s, CAROM_LANES * slice);
         l < s->nlinks && s->link[l].cell[0] < CAROM_LANES * (slice + 1) && !acts; l++)
        acts = owner[s->link[l].cell[1] / CAROM_LANES] == who;
    return acts;
}

/* the runs of a block, counted or noted */
static size_t list_runs(const struct carom_solid *s, const uint32_t *owner, uint32_t who, struct carom_solid_run *run)
{
    size_t count = 0, end = SIZE_MAX;
    bool before = false;
    for (size_t i = 0; i < slices_of(s); i++) {
        const bool own = owner[i] == who;
        if (!own && !acts_on(s, i, owner, who))
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
    runs->known = carom_memory_zeroed(slices_of(s), sizeof *runs->known);
    if (!runs->owner || !runs->begin || !runs->known)
        return false;
    for (size_t i = 0; i < s->n; i++)
        runs->known[i / CAROM_LANES] |= look[i] != CAROM_LOOK_AWAY;
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
    carom_memory_free_all(p->pressures.owner, p->pressures.known, p->pressures.begin, p->pressures.run, p->forces.owner,
                          p->forces.known, p->forces.begin, p->forces.run, p->some.own_cells.at, p->some.own_links.at,
                          p->some.near_cells.at, p->some.near_links.at, p->own, p);
}

/* cells that are looked at as `least` or more, or links of such cells */
static bool make_list(const struct carom_solid *s, const uint8_t *look, uint8_t least, bool links,
                      struct carom_solid_list *list)
{
    const size_t all = links ? s->nlinks : s->n;
    for (int fill = 0; fill < 2; fill++) {
        list->count = 0;
        for (size_t i = 0; i < all; i++) {
            const uint32_t *cell = links ? s->link[i].cell : NULL;
            if (links ? look[cell[0]] < least && look[cell[1]] < least : look[i] < least)
                continue;
            if (fill)
                list->at[list->count] = (uint32_t)i;
            list->count++;
        }
        if (!fill && !(list->at = carom_memory_zeroed(list->count, sizeof *list->at)))
            return false;
    }
    return true;
}

static bool make_lists(const struct carom_solid *s, const uint8_t *look, struct carom_solid_some *some)
{
    return make_list(s, look, CAROM_LOOK_OWN, false, &some->own_cells) &&
           make_list(s, look, CAROM_LOOK_OWN, true, &some->own_links) &&
           make_list(s, look, CAROM_LOOK_PRESSURE, false, &some->near_cells) &&
           make_list(s, look, CAROM_LOOK_PRESSURE, true, &some->near_links);
}

static bool mark_own(const struct carom_solid *s, const uint8_t *look, struct carom_solid_piece *p)
{
    p->own = carom_memory_zeroed(s->n, sizeof *p->own);
    for (size_t i = 0; i < s->n && p->own; i++)
        p->own[i] = look[i] == CAROM_LOOK_OWN;
    return p->own != NULL;
}

const struct carom_solid_some *carom_solid_piece_some(const struct carom_solid_piece *piece)
{
    return &piece->some;
}

const struct carom_solid_runs *carom_solid_piece_runs(const struct carom_solid_piece *piece, bool forces,
                                                      size_t *blocks)
{
    *blocks = piece->blocks;
    return forces ? &piece->forces : &piece->pressures;
}

struct carom_solid_piece *carom_solid_piece_create(const struct carom_solid *s, const uint8_t *look, size_t threads)
{
    struct carom_solid_piece *p = carom_memory_zeroed(1, sizeof *p);
    if (p) {
        p->blocks = threads;
        if (make_runs(s, look, CAROM_LOOK_PRESSURE, threads, &p->pressures) &&
            make_runs(s, look, CAROM_LOOK_OWN, threads, &p->forces) && (!s->bonds || make_lists(s, look, &p->some)) &&
            (!s->self || mark_own(s, look, p)))
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
    if (!c->solid->bonds)
        carom_solid_slice_runs(c, runs, (uint32_t)block, true);
}

static void press_bonds(struct carom_threads *threads, const struct passes *p)
{
    const struct carom_solid_call *c = &p->call;
    memset(c->sum, 0, c->solid->n * sizeof *c->sum);
    carom_solid_loads_dilate(c->solid, c->t, 0, c->solid->n, c->sum);
    carom_solid_bonds_dilate(c->solid, &p->piece->some, threads, c->q, c->sum, c->stretch);
}

void carom_solid_piece_forces(const struct carom_solid *s, const struct carom_solid_piece *piece,
                              const struct carom_solid_work *work, struct carom_threads *threads, double t,
                              const double *q, bool clear, double *f)
{
    struct passes passes = {
        .piece = piece,
        .call = {.solid = s, .t = t, .q = q, .sum = work->pressure, .stretch = work->stretch, .f = f, .clear = clear}};
    if (s->bonds)
        press_bonds(threads, &passes);
    else
        carom_threads_run(threads, press, &passes, piece->blocks);
    carom_threads_run(threads, pull, &passes, piece->blocks);
    if (s->bonds)
        carom_solid_bonds_pull(s, &piece->some, threads, q, work->pressure, work->stretch, f);
    if (s->self)
        carom_solid_self_push_own(s, work->around, threads, q, piece->own, f);
}
