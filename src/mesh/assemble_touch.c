/* Looks for cells at places where there should be none, with the cells in buckets by the boxes around them. */
#include "mesh/draft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

#define BESIDE 1e-3 /* how far outside a face, of its size: narrower gaps are none */

struct carom_draft_name carom_assemble_touch_name(const struct carom_draft *d, size_t cell)
{
    struct carom_draft_name name;
    if (d->cell[cell].line > 0)
        snprintf(name.text, sizeof name.text, "line %u, cell %llu", (unsigned)d->cell[cell].line,
                 (unsigned long long)d->cell[cell].number);
    else
        snprintf(name.text, sizeof name.text, "cell %llu", (unsigned long long)d->cell[cell].number);
    return name;
}

struct buckets {
    const struct carom_draft *d;
    const struct carom_facet *facet;
    double low[3], edge[3];
    size_t count[3];
    uint32_t *first, *who;
};

static void box_of(const struct carom_draft *d, size_t cell, double low[3], double high[3])
{
    size_t end;
    const size_t first = carom_draft_faces(d, cell, &end);
    carom_draft_box(d, first, end, low, high);
}

static size_t along(const struct buckets *b, double x, int k)
{
    const double at = floor((x - b->low[k]) / b->edge[k]);
    return at < 0.0 ? 0 : at >= (double)b->count[k] ? b->count[k] - 1 : (size_t)at;
}

/* goes through the buckets a cell reaches into; writes it there if `write` */
static size_t enter(struct buckets *b, size_t cell, bool write)
{
    double low[3], high[3];
    size_t from[3], to[3], at[3], met = 0;
    box_of(b->d, cell, low, high);
    for (int k = 0; k < 3; k++) {
        from[k] = along(b, low[k], k);
        to[k] = along(b, high[k], k);
    }
    for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
        for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
            for (at[0] = from[0]; at[0] <= to[0]; at[0]++, met++) {
                const size_t place = at[0] + b->count[0] * (at[1] + b->count[1] * at[2]);
                if (write)
                    b->who[b->first[place + 1]++] = (uint32_t)cell;
                else
                    b->first[place + 2]++;
            }
    return met;
}

static bool open_buckets(struct buckets *b, size_t n)
{
    double high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, size[3] = {0.0, 0.0, 0.0};
    size_t all = 1, entries = 0;
    for (size_t i = 0; i < n; i++) {
        double from[3], to[3];
        box_of(b->d, i, from, to);
        for (int k = 0; k < 3; k++) {
            b->low[k] = i == 0 ? from[k] : fmin(b->low[k], from[k]);
            high[k] = fmax(high[k], to[k]);
            size[k] += (to[k] - from[k]) / (double)n;
        }
    }
    for (int k = 0; k < 3; k++) {
        const double some = ceil((high[k] - b->low[k]) / size[k]);
        b->count[k] = some < 1.0 ? 1 : some > 512.0 ? 512 : (size_t)some;
        b->edge[k] = (high[k] - b->low[k]) / (double)b->count[k];
        all *= b->count[k];
    }
    while (all > 8 * n + 64) { /* a few cells far apart need no more */
        all = 1;
        for (int k = 0; k < 3; k++) {
            b->count[k] = (b->count[k] + 1) / 2;
            b->edge[k] = (high[k] - b->low[k]) / (double)b->count[k];
            all *= b->count[k];
        }
    }
    b->first = carom_memory_zeroed(all + 2, sizeof *b->first);
    for (size_t i = 0; b->first && i < n; i++)
        entries += enter(b, i, false);
    b->who = b->first && entries < UINT32_MAX ? carom_memory_zeroed(entries, sizeof *b->who) : NULL;
    if (!b->who)
        return false;
    for (size_t i = 2; i < all + 2; i++)
        b->first[i] += b->first[i - 1];
    for (size_t i = 0; i < n; i++)
        enter(b, i, true);
    return true;
}

static bool holds(const struct buckets *b, size_t cell, const double place[3])
{
    size_t end;
    for (size_t f = carom_draft_faces(b->d, cell, &end); f < end; f++) {
        const struct carom_facet *facet = &b->facet[f];
        double way[3];
        for (int k = 0; k < 3; k++)
            way[k] = place[k] - facet->centre[k];
        if (carom_vec_dot(way, facet->normal) > 0.0)
            return false;
    }
    return true;
}

/* another cell than `own` at this place, or SIZE_MAX */
static size_t other_at(const struct buckets *b, size_t own, const double place[3])
{
    const size_t at =
        along(b, place[0], 0) + b->count[0] * (along(b, place[1], 1) + b->count[1] * along(b, place[2], 2));
    for (size_t i = b->first[at]; i < b->first[at + 1]; i++)
        if (b->who[i] != own && holds(b, b->who[i], place))
            return b->who[i];
    return SIZE_MAX;
}

static enum carom_status look(const struct buckets *b, const struct carom_mesh *m, struct carom_error *error)
{
    for (size_t i = 0; i < m->n; i++) {
        const size_t other = other_at(b, i, m->cell[i].centre);
        if (other != SIZE_MAX)
            return carom_error_set(error, CAROM_E_INPUT, "%s and %s overlap", carom_assemble_touch_name(b->d, i).text,
                                   carom_assemble_touch_name(b->d, other).text);
    }
    for (size_t f = 0; f < m->nfaces; f++) {
        const struct carom_facet *facet = &m->face[f].facet;
        double place[3];
        for (int k = 0; k < 3; k++)
            place[k] = facet->centre[k] + BESIDE * sqrt(facet->area) * facet->normal[k];
        const size_t other = other_at(b, m->face[f].cell, place);
        if (other != SIZE_MAX)
            return carom_error_set(error, CAROM_E_INPUT,
                                   "%s and %s touch or overlap but share no face: nodes at the same place must be one, "
                                   "and faces must meet as a whole",
                                   carom_assemble_touch_name(b->d, m->face[f].cell).text,
                                   carom_assemble_touch_name(b->d, other).text);
    }
    return CAROM_OK;
}

enum carom_status carom_assemble_touch(const struct carom_draft *d, const struct carom_facet *facet,
                                       const struct carom_mesh *m, struct carom_error *error)
{
    struct buckets b = {.d = d, .facet = facet};
    const enum carom_status status = open_buckets(&b, m->n)
                                         ? look(&b, m, error)
                                         : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a mesh");
    carom_memory_free_all(b.first, b.who);
    return status;
}
