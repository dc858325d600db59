/* The Voronoi cell of one point: those in buckets around it, ring by ring, nearest first, until whoever is left is too
 * far away to cut anything. What comes out depends on nothing but the points. */
#include "mesh/voronoi_cells.h"

#include <math.h>

#include "base/memory.h"
#include "base/vec.h"

enum { CROWD = 3, NEAR = 512, TRIES = 6 }; /* points in a bucket, points at a time, planes that are moved a little */

/* --- buckets --------------------------------------------------------------------------------------------------- */

static size_t bucket_along(const struct carom_voronoi_cut *c, double x, int k)
{
    const double at = floor((x - c->low[k]) / c->edge);
    return at < 0.0 ? 0 : at >= (double)c->count[k] ? c->count[k] - 1 : (size_t)at;
}

static size_t bucket_of(const struct carom_voronoi_cut *c, const double place[3])
{
    return bucket_along(c, place[0], 0) +
           c->count[0] * (bucket_along(c, place[1], 1) + c->count[1] * bucket_along(c, place[2], 2));
}

/* Buckets decide who cuts first, hence roundings: cube roots of libraries would differ between machines. */
double carom_voronoi_cut_root(double x)
{
    double root = x > 1.0 ? x : 1.0;
    for (int i = 0; i < 200; i++)
        root = (2.0 * root + x / (root * root)) / 3.0;
    return root;
}

bool carom_voronoi_cut_open(struct carom_voronoi_cut *c)
{
    double volume = 1.0, longest = 0.0;
    for (int k = 0; k < 3; k++) {
        c->low[k] = c->high[k] = c->point[0][k];
        for (size_t i = 1; i < c->n; i++) {
            c->low[k] = fmin(c->low[k], c->point[i][k]);
            c->high[k] = fmax(c->high[k], c->point[i][k]);
        }
        longest = fmax(longest, c->high[k] - c->low[k]);
    }
    for (int k = 0; k < 3; k++)
        volume *= longest > 0.0 ? fmax((c->high[k] - c->low[k]) / longest, 1e-9) : 1.0;
    c->edge = longest > 0.0 ? longest * carom_voronoi_cut_root(volume * CROWD / (double)c->n) : 1.0;
    size_t buckets = 1;
    for (int k = 0; k < 3; k++) {
        const double some = ceil((c->high[k] - c->low[k]) / c->edge);
        c->count[k] = some < 1.0 ? 1 : some > 4096.0 ? 4096 : (size_t)some;
        buckets *= c->count[k];
    }
    c->first = carom_memory_zeroed(buckets + 2, sizeof *c->first);
    c->who = carom_memory_zeroed(c->n, sizeof *c->who);
    if (!c->first || !c->who)
        return false;
    for (size_t i = 0; i < c->n; i++)
        c->first[bucket_of(c, c->point[i]) + 2]++;
    for (size_t b = 2; b < buckets + 2; b++)
        c->first[b] += c->first[b - 1];
    for (size_t i = 0; i < c->n; i++)
        c->who[c->first[bucket_of(c, c->point[i]) + 1]++] = (uint32_t)i;
    return true;
}

void carom_voronoi_cut_close(struct carom_voronoi_cut *c)
{
    carom_memory_free_all(c->first, c->who);
    c->first = c->who = NULL;
}

/* --- who is near ----------------------------------------------------------------------------------------------- */

struct near {
    double square; /* of the distance */
    uint32_t who;
};

/* a heap with the nearest on top, of equals the lower number */
struct heap {
    size_t count;
    struct near at[NEAR];
};

static bool is_before(const struct near *a, const struct near *b)
{
    return a->square < b->square || (a->square == b->square && a->who < b->who);
}

static void push(struct heap *h, struct near one)
{
    size_t i = h->count++;
    for (; i > 0 && is_before(&one, &h->at[(i - 1) / 2]); i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = one;
}

static struct near pop(struct heap *h)
{
    const struct near top = h->at[0], last = h->at[--h->count];
    size_t i = 0;
    for (size_t j = 1; j < h->count; i = j, j = 2 * i + 1) {
        if (j + 1 < h->count && is_before(&h->at[j + 1], &h->at[j]))
            j++;
        if (!is_before(&h->at[j], &last))
            break;
        h->at[i] = h->at[j];
    }
    h->at[i] = last;
    return top;
}

/* --- the cell -------------------------------------------------------------------------------------------------- */

struct carving {
    const struct carom_voronoi_cut *c;
    const double *own;
    size_t i, at[3]; /* the point and its bucket */
    struct carom_hull *hull;
    double reach; /* the square of twice the largest distance of a corner: who is farther away cuts nothing */
    struct heap heap;
};

/* A plane that leaves a sliver which rounding folds is moved a little: by parts of 1e-12 of the cell. */
static bool carve(struct carving *v, const double normal[3], double offset, int64_t label)
{
    for (int t = 0; t < TRIES; t++) {
        const double moved = offset + (double)t * 1e-12 * carom_vec_norm(normal) * sqrt(v->reach);
        const enum carom_hull_result result = carom_hull_cut(v->hull, normal, moved, label);
        if (result == CAROM_HULL_WHOLE)
            return true;
        if (result == CAROM_HULL_GONE)
            return false;
        if (result == CAROM_HULL_CUT) {
            v->reach = 4.0 * carom_hull_reach(v->hull);
            return true;
        }
    }
    return false;
}

/* those who wait, nearest first */
static bool carve_heap(struct carving *v)
{
    while (v->heap.count > 0) {
        const struct near one = pop(&v->heap);
        if (one.square >= v->reach)
            break;
        double way[3];
        for (int k = 0; k < 3; k++)
            way[k] = v->c->point[one.who][k] - v->own[k];
        if (!(one.square > 0.0) || !carve(v, way, 0.5 * one.square, (int64_t)one.who))
            return false;
    }
    v->heap.count = 0;
    return true;
}

static bool meet_bucket(struct carving *v, const size_t at[3])
{
    const struct carom_voronoi_cut *c = v->c;
    const size_t b = at[0] + c->count[0] * (at[1] + c->count[1] * at[2]);
    for (size_t j = c->first[b]; j < c->first[b + 1]; j++) {
        const size_t who = c->who[j];
        if (who == v->i)
            continue;
        double square = 0.0;
        for (int k = 0; k < 3; k++)
            square += (c->point[who][k] - v->own[k]) * (c->point[who][k] - v->own[k]);
        if (square >= v->reach)
            continue;
        if (v->heap.count == NEAR && !carve_heap(v))
            return false;
        push(&v->heap, (struct near){square, (uint32_t)who});
    }
    return true;
}

/* the buckets `ring` away along some axis and nowhere farther */
static bool meet_ring(struct carving *v, size_t ring)
{
    size_t from[3], to[3], at[3];
    for (int k = 0; k < 3; k++) {
        from[k] = v->at[k] > ring ? v->at[k] - ring : 0;
        to[k] = v->at[k] + ring < v->c->count[k] ? v->at[k] + ring : v->c->count[k] - 1;
    }
    for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
        for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
            for (at[0] = from[0]; at[0] <= to[0]; at[0]++) {
                bool on = false;
                for (int k = 0; k < 3; k++)
                    on |= at[k] + ring == v->at[k] || at[k] == v->at[k] + ring;
                if (!on && at[0] < v->at[0] + ring && v->at[0] + ring <= to[0])
                    at[0] = v->at[0] + ring; /* the inside of a ring is known */
                else if (!on)
                    continue;
                if (!meet_bucket(v, at))
                    return false;
            }
    return true;
}

/* how near a point beyond so many rings may be, squared; HUGE_VAL: there is none */
static double beyond(const struct carving *v, size_t ring)
{
    const struct carom_voronoi_cut *c = v->c;
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        if (v->at[k] > ring)
            least = fmin(least, v->own[k] - (c->low[k] + (double)(v->at[k] - ring) * c->edge));
        if (v->at[k] + ring + 1 < c->count[k])
            least = fmin(least, c->low[k] + (double)(v->at[k] + ring + 1) * c->edge - v->own[k]);
    }
    return least < HUGE_VAL ? fmax(least, 0.0) * fmax(least, 0.0) : HUGE_VAL;
}

bool carom_voronoi_cut_cell(const struct carom_voronoi_cut *c, size_t i, struct carom_hull *hull)
{
    struct carving v = {.c = c, .own = c->point[i], .i = i, .hull = hull};
    double low[3], high[3];
    v.heap.count = 0;
    for (int k = 0; k < 3; k++) {
        const double margin = 0.5 * (c->around[1][k] - c->around[0][k]); /* no face of the box is left */
        low[k] = c->around[0][k] - margin - v.own[k];
        high[k] = c->around[1][k] + margin - v.own[k];
        v.at[k] = bucket_along(c, v.own[k], k);
    }
    carom_hull_box(hull, low, high, CAROM_VORONOI_OPEN);
    v.reach = 4.0 * carom_hull_reach(hull);
    for (size_t w = 0; w < c->nwalls; w++)
        if (!carve(&v, c->wall[w].normal, c->wall[w].offset - carom_vec_dot(c->wall[w].normal, v.own),
                   CAROM_VORONOI_WALL - (int64_t)w))
            return false;
    for (size_t ring = 0;; ring++) {
        if (!meet_ring(&v, ring) || (ring > 0 && !carve_heap(&v)))
            return false;
        if (ring > 0 && beyond(&v, ring) >= v.reach)
            return true;
    }
}
