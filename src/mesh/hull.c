/* Convex polyhedra by cutting: every face is a loop of points, a plane takes the points before it and closes what is
 * open with a face of its own. Which side a point lies on is asked once, so that faces always agree; a point on the
 * plane stays. */
#include "mesh/hull.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

void carom_hull_box(struct carom_hull *h, const double low[3], const double high[3], int64_t label)
{
    static const uint8_t loops[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    h->npoints = 8;
    h->nfaces = 6;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            h->point[i][k] = i >> k & 1 ? high[k] : low[k];
    for (size_t f = 0; f < 6; f++) {
        h->label[f] = label;
        h->first[f] = (uint16_t)(4 * f);
        memcpy(h->side + 4 * f, loops[f], 4);
    }
    h->first[6] = 24;
}

double carom_hull_reach(const struct carom_hull *h)
{
    double most = 0.0;
    for (size_t i = 0; i < h->npoints; i++)
        most = fmax(most, carom_vec_dot(h->point[i], h->point[i]));
    return most;
}

/* --- cutting --------------------------------------------------------------------------------------------------- */

/* a hull under the knife: what is kept gets new numbers, cut edges get new points */
struct knife {
    const struct carom_hull *old;
    struct carom_hull *out;
    double height[CAROM_HULL_POINTS]; /* above the plane; what is above goes */
    uint8_t number[CAROM_HULL_POINTS];
    size_t nedges;
    uint8_t edge[CAROM_HULL_FACES][3]; /* kept end, lost end, the new point */
    uint8_t next[CAROM_HULL_POINTS];   /* of new points: the one after it around the new face */
    size_t sides;
};

/* the point where an edge crosses the plane; 255: no room */
static uint8_t cross(struct knife *k, uint8_t kept, uint8_t lost)
{
    for (size_t e = 0; e < k->nedges; e++)
        if (k->edge[e][0] == kept && k->edge[e][1] == lost)
            return k->edge[e][2];
    if (k->nedges == CAROM_HULL_FACES || k->out->npoints == CAROM_HULL_POINTS)
        return 255;
    const double *a = k->old->point[kept], *b = k->old->point[lost];
    const double share = k->height[kept] / (k->height[kept] - k->height[lost]);
    const uint8_t made = (uint8_t)k->out->npoints++;
    for (int i = 0; i < 3; i++)
        k->out->point[made][i] = a[i] + share * (b[i] - a[i]);
    uint8_t *edge = k->edge[k->nedges++];
    edge[0] = kept;
    edge[1] = lost;
    edge[2] = made;
    return made;
}

static bool put_side(struct knife *k, uint8_t point)
{
    if (k->sides == CAROM_HULL_SIDES || point == 255)
        return false;
    k->out->side[k->sides++] = point;
    return true;
}

/* One face: false if there is no room, or if it crosses the plane more than once, as only a sliver of rounding can. */
static bool cut_face(struct knife *k, size_t f)
{
    const struct carom_hull *h = k->old;
    const size_t first = h->first[f], count = (size_t)h->first[f + 1] - first, begin = k->sides;
    uint8_t leaves = 255, enters = 255;
    size_t crossed = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t a = h->side[first + i], b = h->side[first + (i + 1 < count ? i + 1 : 0)];
        const bool here = !(k->height[a] > 0.0), there = !(k->height[b] > 0.0);
        if (here && !put_side(k, k->number[a]))
            return false;
        if (here == there)
            continue;
        const uint8_t made = here ? cross(k, a, b) : cross(k, b, a);
        if (!put_side(k, made))
            return false;
        *(here ? &leaves : &enters) = made;
        crossed++;
    }
    if (crossed > 2)
        return false;
    if (k->sides == begin)
        return true;
    if (crossed == 2)
        k->next[enters] = leaves; /* the new face runs the other way along this side */
    if (k->out->nfaces == CAROM_HULL_FACES)
        return false;
    k->out->label[k->out->nfaces] = h->label[f];
    k->out->first[k->out->nfaces++] = (uint16_t)begin;
    return true;
}

static bool close_up(struct knife *k, int64_t label)
{
    const size_t begin = k->sides;
    uint8_t at = k->edge[0][2];
    if (k->out->nfaces == CAROM_HULL_FACES)
        return false;
    for (size_t i = 0; i < k->nedges; i++, at = k->next[at])
        if (!put_side(k, at))
            return false;
    k->out->label[k->out->nfaces] = label;
    k->out->first[k->out->nfaces++] = (uint16_t)begin;
    k->out->first[k->out->nfaces] = (uint16_t)k->sides;
    return at == k->edge[0][2];
}

enum carom_hull_result carom_hull_cut(struct carom_hull *h, const double normal[3], double offset, int64_t label)
{
    struct knife k;
    struct carom_hull out;
    size_t lost = 0;
    for (size_t i = 0; i < h->npoints; i++) {
        k.height[i] = carom_vec_dot(normal, h->point[i]) - offset;
        lost += k.height[i] > 0.0 ? 1 : 0;
    }
    if (lost == 0)
        return CAROM_HULL_WHOLE;
    if (lost == h->npoints)
        return CAROM_HULL_GONE;
    k.old = h;
    k.out = &out;
    k.nedges = k.sides = 0;
    out.npoints = out.nfaces = 0;
    for (size_t i = 0; i < h->npoints; i++)
        if (!(k.height[i] > 0.0)) {
            k.number[i] = (uint8_t)out.npoints;
            memcpy(out.point[out.npoints++], h->point[i], sizeof out.point[0]);
        }
    for (size_t f = 0; f < h->nfaces; f++)
        if (!cut_face(&k, f))
            return CAROM_HULL_FULL;
    if (k.nedges < 3 || !close_up(&k, label))
        return CAROM_HULL_FULL;
    h->npoints = out.npoints;
    h->nfaces = out.nfaces;
    memcpy(h->point, out.point, out.npoints * sizeof out.point[0]);
    memcpy(h->label, out.label, out.nfaces * sizeof out.label[0]);
    memcpy(h->first, out.first, (out.nfaces + 1) * sizeof out.first[0]);
    memcpy(h->side, out.side, out.first[out.nfaces]);
    return CAROM_HULL_CUT;
}

/* --- measuring ------------------------------------------------------------------------------------------------- */

static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};

static void from_first(const double (*corner)[3], size_t i, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = corner[i][k] - corner[0][k];
}

/* from about the first corner to about the centre */
static void to_centre(double whole, const double centre[3], double moment[6])
{
    for (int k = 0; k < 6; k++)
        moment[k] -= whole * centre[row[k]] * centre[column[k]];
}

void carom_hull_facet(const double (*corner)[3], size_t count, struct carom_facet *f)
{
    double all[3] = {0.0, 0.0, 0.0};
    *f = (struct carom_facet){.area = 0.0};
    for (size_t i = 1; i + 1 < count; i++) {
        double a[3], b[3], c[3];
        from_first(corner, i, a);
        from_first(corner, i + 1, b);
        carom_vec_cross(a, b, c);
        for (int k = 0; k < 3; k++)
            all[k] += 0.5 * c[k];
    }
    f->area = carom_vec_norm(all);
    for (int k = 0; k < 3; k++)
        f->normal[k] = f->area > 0.0 ? all[k] / f->area : 0.0;
    for (size_t i = 1; i + 1 < count; i++) {
        double a[3], b[3], c[3];
        from_first(corner, i, a);
        from_first(corner, i + 1, b);
        carom_vec_cross(a, b, c);
        const double area = 0.5 * carom_vec_dot(c, f->normal);
        for (int k = 0; k < 3; k++)
            f->centre[k] += area * (a[k] + b[k]) / 3.0;
        for (int k = 0; k < 6; k++) {
            const int p = row[k], q = column[k];
            f->moment[k] += area / 12.0 * (a[p] * a[q] + b[p] * b[q] + (a[p] + b[p]) * (a[q] + b[q]));
        }
    }
    for (int k = 0; k < 3; k++)
        f->centre[k] = f->area > 0.0 ? f->centre[k] / f->area : 0.0;
    to_centre(f->area, f->centre, f->moment);
    for (size_t i = 0; i < count; i++) {
        double a[3];
        from_first(corner, i, a);
        for (int k = 0; k < 3; k++)
            a[k] -= f->centre[k];
        f->off = fmax(f->off, fabs(carom_vec_dot(a, f->normal)));
    }
    for (int k = 0; k < 3; k++)
        f->centre[k] += corner[0][k];
}

void carom_hull_bulk_begin(struct carom_bulk *b, const double from[3])
{
    *b = (struct carom_bulk){.from = {from[0], from[1], from[2]}};
}

/* tetrahedra over the triangles of the face, all from one point */
void carom_hull_bulk_add(struct carom_bulk *b, const double (*corner)[3], size_t count)
{
    double p[3][3], c[3];
    for (int k = 0; k < 3; k++)
        p[0][k] = corner[0][k] - b->from[k];
    for (size_t i = 1; i + 1 < count; i++) {
        for (int k = 0; k < 3; k++) {
            p[1][k] = corner[i][k] - b->from[k];
            p[2][k] = corner[i + 1][k] - b->from[k];
        }
        carom_vec_cross(p[1], p[2], c);
        const double volume = carom_vec_dot(p[0], c) / 6.0;
        b->volume += volume;
        for (int k = 0; k < 3; k++)
            b->centre[k] += volume * (p[0][k] + p[1][k] + p[2][k]) / 4.0;
        for (int k = 0; k < 6; k++) {
            const int r = row[k], s = column[k];
            b->moment[k] += volume / 20.0 *
                            (p[0][r] * p[0][s] + p[1][r] * p[1][s] + p[2][r] * p[2][s] +
                             (p[0][r] + p[1][r] + p[2][r]) * (p[0][s] + p[1][s] + p[2][s]));
        }
    }
}

void carom_hull_bulk_end(struct carom_bulk *b)
{
    for (int k = 0; k < 3; k++)
        b->centre[k] = b->volume != 0.0 ? b->centre[k] / b->volume : 0.0;
    to_centre(b->volume, b->centre, b->moment);
    for (int k = 0; k < 3; k++)
        b->centre[k] += b->from[k];
}

size_t carom_hull_corners(const struct carom_hull *h, size_t face, double corner[CAROM_HULL_POINTS][3])
{
    const size_t first = h->first[face], count = (size_t)h->first[face + 1] - first;
    for (size_t i = 0; i < count; i++)
        memcpy(corner[i], h->point[h->side[first + i]], sizeof corner[i]);
    return count;
}

void carom_hull_measure(const struct carom_hull *h, struct carom_bulk *b)
{
    double corner[CAROM_HULL_POINTS][3];
    carom_hull_bulk_begin(b, (const double[3]){0.0, 0.0, 0.0});
    for (size_t f = 0; f < h->nfaces; f++) {
        const size_t count = carom_hull_corners(h, f, corner);
        carom_hull_bulk_add(b, (const double(*)[3])corner, count);
    }
    carom_hull_bulk_end(b);
}
