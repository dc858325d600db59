/* Facets, see facets.h. Those of polygons and polyhedra are their faces, edges and corners in this order, from 1. */
#include "model/bodies/facets.h"

#include "base/vec.h"

bool carom_facets_has(const struct carom_body *wall)
{
    return !wall->inside &&
           (wall->surface == CAROM_BOX || wall->surface == CAROM_CYLINDER || wall->surface == CAROM_CONVEX);
}

/* --- boxes and cylinders ------------------------------------------------------------------------------------------ */

static uint32_t of_box(const double size[3], size_t dimension, const double x[3])
{
    uint32_t facet = 1, outside = 0;
    for (size_t k = dimension; k-- > 0;) {
        const bool out = fabs(x[k]) > size[k];
        outside += out;
        facet = 3 * (facet - 1) + (out ? (x[k] > 0.0 ? 2 : 0) : 1) + 1;
    }
    return outside > 0 ? facet : 0;
}

static double left_of_box(const double size[3], size_t dimension, uint32_t facet, const double x[3])
{
    double left = HUGE_VAL;
    for (size_t k = 0; k < dimension; k++) {
        const int side = carom_facets_side(facet, (int)k);
        left = fmin(left, side == 0 ? size[k] - fabs(x[k]) : side * x[k] - size[k]);
    }
    return left;
}

static double left_of_cylinder(const double size[3], uint32_t facet, const double x[3])
{
    const double aside = sqrt(x[0] * x[0] + x[1] * x[1]) - size[0], above = fabs(x[2]) - size[2];
    return facet == CAROM_FACET_RIM ? fmin(aside, above) : facet == CAROM_FACET_CAP ? -aside : -above;
}

static uint32_t of_cylinder(const double size[3], const double x[3])
{
    const double aside = sqrt(x[0] * x[0] + x[1] * x[1]) - size[0], above = fabs(x[2]) - size[2];
    if (!(fmax(aside, above) > 0.0))
        return 0;
    return aside > 0.0 && above > 0.0 ? CAROM_FACET_RIM : above > aside ? CAROM_FACET_CAP : CAROM_FACET_SIDE;
}

/* --- polygons and polyhedra --------------------------------------------------------------------------------------- */

static void minus(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

/* how far x lies from corner `from` towards the corner `to` */
static double towards(const struct carom_convex *c, size_t from, size_t to, const double x[3])
{
    double way[3], off[3];
    minus(c->corner[to], c->corner[from], way);
    minus(x, c->corner[from], off);
    return carom_vec_dot(way, off) / carom_vec_norm(way);
}

/* how far x lies inside the side of a face from corner `from` to `to`, along the face */
static double inward(const struct carom_convex *c, size_t face, size_t from, size_t to, const double x[3])
{
    double way[3], off[3], out[3];
    minus(c->corner[to], c->corner[from], way);
    minus(x, c->corner[from], off);
    carom_vec_cross(way, c->face[face].normal, out);
    return -carom_vec_dot(out, off) / carom_vec_norm(way);
}

static double height(const struct carom_convex_face *face, const double x[3])
{
    return carom_vec_dot(face->normal, x) - face->room;
}

static double left_of_face(const struct carom_convex *c, size_t face, const double x[3])
{
    const struct carom_convex_face *f = &c->face[face];
    const uint32_t *ring = c->ring + f->first;
    double left = height(f, x);
    if (f->count == 2) /* a side of a polygon */
        return fmin(left, fmin(towards(c, ring[0], ring[1], x), towards(c, ring[1], ring[0], x)));
    for (uint32_t k = 0; k < f->count; k++)
        left = fmin(left, inward(c, face, ring[k], ring[(k + 1) % f->count], x));
    return left;
}

static double left_of_edge(const struct carom_convex *c, const struct carom_convex_edge *e, const double x[3])
{
    const double along = fmin(towards(c, e->corner[0], e->corner[1], x), towards(c, e->corner[1], e->corner[0], x));
    if (c->nfaces == 0)
        return along;
    return fmin(along, -fmax(inward(c, e->face[0], e->corner[0], e->corner[1], x),
                             inward(c, e->face[1], e->corner[1], e->corner[0], x)));
}

static double left_of_corner(const struct carom_convex *c, size_t corner, const double x[3])
{
    const size_t n = c->ncorners;
    if (c->nedges == 0 && n > 1)
        return -fmax(towards(c, corner, (corner + 1) % n, x), towards(c, corner, (corner + n - 1) % n, x));
    double left = HUGE_VAL;
    for (size_t e = 0; e < c->nedges; e++)
        for (int k = 0; k < 2; k++)
            if (c->edge[e].corner[k] == corner)
                left = fmin(left, -towards(c, corner, c->edge[e].corner[!k], x));
    return left;
}

double carom_facets_before(const struct carom_convex *c, uint32_t facet, const double x[3])
{
    const size_t number = facet - 1;
    if (number < c->nfaces)
        return left_of_face(c, number, x);
    if (number < c->nfaces + c->nedges)
        return left_of_edge(c, &c->edge[number - c->nfaces], x);
    return left_of_corner(c, number - c->nfaces - c->nedges, x);
}

/* Outside, the places before each facet have no room between them: the one with most left. */
static uint32_t of_convex(const struct carom_convex *c, const double x[3])
{
    double most = -HUGE_VAL, highest = -HUGE_VAL;
    uint32_t facet = 0;
    for (size_t f = 0; f < c->nfaces; f++)
        highest = fmax(highest, height(&c->face[f], x));
    for (uint32_t k = 1; highest > 0.0 && k <= carom_facets_count(c); k++) {
        const double left = carom_facets_before(c, k, x);
        if (left > most) {
            most = left;
            facet = k;
        }
    }
    return facet;
}

double carom_facets_apart(const struct carom_convex *c, uint32_t facet, const double x[3], double normal[3])
{
    const size_t number = facet - 1, edges = c->nfaces + c->nedges;
    double off[3], way[3] = {0.0};
    if (number < c->nfaces) {
        for (int k = 0; k < 3; k++)
            normal[k] = c->face[number].normal[k];
        return height(&c->face[number], x);
    }
    const struct carom_convex_edge *e = number < edges ? &c->edge[number - c->nfaces] : NULL;
    const size_t corner = e ? e->corner[0] : number - edges;
    minus(x, c->corner[corner], off);
    if (e)
        minus(c->corner[e->corner[1]], c->corner[corner], way);
    const double part = e ? carom_vec_dot(way, off) / carom_vec_dot(way, way) : 0.0;
    for (int k = 0; k < 3; k++)
        off[k] -= part * way[k];
    const double length = carom_vec_norm(off);
    for (int k = 0; k < 3; k++)
        normal[k] = length > 0.0 ? off[k] / length : k == 0;
    return length;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

uint32_t carom_facets_of(const struct carom_body *wall, size_t dimension, const double x[3])
{
    return wall->surface == CAROM_BOX        ? of_box(wall->size, dimension, x)
           : wall->surface == CAROM_CYLINDER ? of_cylinder(wall->size, x)
                                             : of_convex(wall->convex, x);
}

double carom_facets_left(const struct carom_body *wall, size_t dimension, uint32_t facet, const double x[3])
{
    return wall->surface == CAROM_BOX        ? left_of_box(wall->size, dimension, facet, x)
           : wall->surface == CAROM_CYLINDER ? left_of_cylinder(wall->size, facet, x)
                                             : carom_facets_before(wall->convex, facet, x);
}
