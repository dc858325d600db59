/* Nodes are sorted into small cubes, by a hash of the cube; who is next to a border is looked for beyond it, too. */
#include "mesh/weld.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

#define ROUNDING 1e-12 /* of the box around the body */
#define CUBE 8.0       /* edge of a cube: so much rounding; few places that differ find room in one */

struct weld {
    const double (*place)[3];
    double near, edge;
    size_t mask;
    uint32_t *head, *next, *to; /* of each cube those that are the first at their places; who that is for each node */
};

static double rounding_of(const struct carom_draft *d)
{
    double low[3], high[3], near = DBL_MIN;
    carom_draft_box(d, 0, d->faces.count, low, high);
    for (int k = 0; k < 3; k++) /* far from the origin coordinates are that coarse themselves */
        near = fmax(near, fmax(ROUNDING * (high[k] - low[k]), 8.0 * DBL_EPSILON * fmax(fabs(low[k]), fabs(high[k]))));
    return fmin(near, 1e300);
}

static size_t cube_of(const struct weld *w, const double place[3])
{
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++) {
        const double at = floor(place[k] / w->edge) + 0.0; /* + 0.0: there is one 0 */
        uint64_t bits;
        memcpy(&bits, &at, sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return (size_t)hash & w->mask;
}

/* the first at the place of node i, or NOBODY */
static uint32_t find(const struct weld *w, size_t i)
{
    const double *x = w->place[i];
    uint32_t first = CAROM_DRAFT_NOBODY;
    for (unsigned corner = 0; corner < 8; corner++) {
        double at[3];
        bool other = true;
        for (int k = 0; k < 3; k++) {
            const bool far = (corner >> k & 1) != 0;
            at[k] = x[k] + (far ? w->near : -w->near);
            other = other && (!far || floor(at[k] / w->edge) != floor((x[k] - w->near) / w->edge)); /* else looked at */
        }
        for (uint32_t j = other ? w->head[cube_of(w, at)] : CAROM_DRAFT_NOBODY; j != CAROM_DRAFT_NOBODY;
             j = w->next[j]) {
            const double *y = w->place[j];
            if (j < first && fabs(x[0] - y[0]) <= w->near && fabs(x[1] - y[1]) <= w->near &&
                fabs(x[2] - y[2]) <= w->near)
                first = j;
        }
    }
    return first;
}

static void find_all(struct weld *w, size_t n)
{
    for (size_t k = 0; k <= w->mask; k++)
        w->head[k] = CAROM_DRAFT_NOBODY;
    for (size_t i = 0; i < n; i++) {
        const uint32_t first = find(w, i);
        w->to[i] = first;
        if (first == CAROM_DRAFT_NOBODY) {
            const size_t cube = cube_of(w, w->place[i]);
            w->to[i] = (uint32_t)i;
            w->next[i] = w->head[cube];
            w->head[cube] = (uint32_t)i;
        }
    }
}

/* the corners of a face by their first nodes, from `at` on; a node that the file itself names twice stays twice */
static size_t join_face(struct carom_draft *d, const uint32_t *to, size_t from, size_t end, size_t at)
{
    const size_t first = at, corners = end - from;
    const uint32_t begin = from < end ? d->corner[from] : 0;
    uint32_t last = 0;
    for (size_t i = from; i < end; i++) {
        const uint32_t own = d->corner[i];
        if (i == from || own == last || to[own] != d->corner[at - 1])
            d->corner[at++] = to[own];
        last = own;
    }
    if (at - first > 1 && d->corner[at - 1] == d->corner[first] && last != begin)
        at--;
    return at - first < 3 && at - first < corners ? first : at;
}

static void join(struct carom_draft *d, const uint32_t *to)
{
    size_t corners = 0, faces = 0, cell = 0, from, end = 0;
    for (size_t f = 0, n = d->faces.count; f < n; f++) {
        for (; cell < d->cells.count && d->cell[cell].first <= f; cell++)
            d->cell[cell].first = (uint32_t)faces;
        from = end;
        end = f + 1 < n ? d->face[f + 1] : d->corners.count;
        const size_t after = join_face(d, to, from, end, corners);
        if (after > corners)
            d->face[faces++] = (uint32_t)corners;
        corners = after;
    }
    for (; cell < d->cells.count; cell++)
        d->cell[cell].first = (uint32_t)faces;
    d->faces.count = faces;
    d->corners.count = corners;
}

bool carom_weld(struct carom_draft *d)
{
    const size_t n = d->nodes.count;
    size_t cubes = 2;
    while (cubes < 2 * n)
        cubes *= 2;
    if (d->faces.count == 0)
        return true;
    struct weld w = {.place = (const double(*)[3])d->node, .near = rounding_of(d), .mask = cubes - 1};
    w.edge = CUBE * w.near;
    const bool good =
        carom_memory_together(CAROM_ROOM(w.head, cubes), CAROM_ROOM(w.next, n), CAROM_ROOM(w.to, n)) != NULL;
    if (good) {
        find_all(&w, n);
        join(d, w.to);
    }
    carom_memory_free(w.head);
    return good;
}
