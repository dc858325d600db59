/* Polyhedra, see convex.h. Their faces are the planes through three of the points that have no point outside: with at
 * most 250 points there is nothing to gain from a cleverer search, and planes with many corners, such as the faces of a
 * prism, need no care of their own. */
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/hull.h"
#include "model/bodies/convex_parts.h"
#include "solve/eigen.h"

/* a polyhedron on its way */
struct growing {
    const double (*point)[3];
    size_t n;
    double extent;
    struct carom_convex *c;   /* rings hold numbers of points until all is known */
    double (*x)[2];           /* points of a face in its plane */
    uint32_t *order, *corner; /* room for an outline */
    uint32_t *on;             /* points of a face */
};

/* is the plane through x with that normal of length 1 a face: no point before it? Which points lie in it? */
static size_t lie_on(const struct growing *g, const double x[3], const double normal[3])
{
    size_t count = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const double d[3] = {g->point[i][0] - x[0], g->point[i][1] - x[1], g->point[i][2] - x[2]};
        const double height = carom_vec_dot(normal, d);
        if (height > CAROM_CONVEX_FLAT * g->extent)
            return 0;
        if (height > -CAROM_CONVEX_FLAT * g->extent)
            g->on[count++] = i;
    }
    return count;
}

static bool known(const struct carom_convex *c, const double normal[3])
{
    for (size_t f = 0; f < c->nfaces; f++)
        if (carom_vec_dot(c->face[f].normal, normal) > 1.0 - 1e-12)
            return true;
    return false;
}

/* a face of the points `on`: its corners in order, its normal anew from them */
static bool add_face(struct growing *g, const double normal[3], size_t count)
{
    struct carom_convex *c = g->c;
    const int low = fabs(normal[0]) < 0.6 ? 0 : fabs(normal[1]) < 0.6 ? 1 : 2;
    const double axis[3] = {low == 0, low == 1, low == 2};
    double along[3], across[3];
    carom_vec_cross(axis, normal, along);
    const double length = carom_vec_norm(along);
    for (int k = 0; k < 3; k++)
        along[k] /= length;
    carom_vec_cross(normal, along, across);
    for (size_t i = 0; i < count; i++) {
        g->x[i][0] = carom_vec_dot(along, g->point[g->on[i]]);
        g->x[i][1] = carom_vec_dot(across, g->point[g->on[i]]);
    }
    const size_t corners =
        carom_convex_outline(g->x, count, CAROM_CONVEX_FLAT * g->extent * g->extent, g->order, g->corner);
    if (corners < 3 || c->nfaces == 2 * CAROM_CONVEX_CORNERS || c->nring + corners > 6 * CAROM_CONVEX_CORNERS)
        return corners < 3;
    struct carom_convex_face *face = &c->face[c->nfaces++];
    face->first = (uint32_t)c->nring;
    face->count = (uint32_t)corners;
    for (size_t k = 0; k < corners; k++)
        c->ring[c->nring++] = g->on[g->corner[k]];
    memcpy(face->normal, normal, sizeof face->normal);
    return true;
}

static bool find_faces(struct growing *g)
{
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = i + 1; j < g->n; j++)
            for (size_t k = j + 1; k < g->n; k++) {
                double one[3], other[3], normal[3];
                for (int d = 0; d < 3; d++) {
                    one[d] = g->point[j][d] - g->point[i][d];
                    other[d] = g->point[k][d] - g->point[i][d];
                }
                carom_vec_cross(one, other, normal);
                const double area = carom_vec_norm(normal);
                if (area < 1e-7 * g->extent * g->extent) /* no direction worth the name */
                    continue;
                for (int way = -1; way <= 1; way += 2) {
                    double out[3];
                    for (int d = 0; d < 3; d++)
                        out[d] = way * normal[d] / area;
                    const size_t count = lie_on(g, g->point[i], out);
                    if (count > 0 && !known(g->c, out) && !add_face(g, out, count))
                        return false;
                }
            }
    return true;
}

/* edges, each of two faces that pass it in opposite ways; false: the faces do not close */
static bool find_edges(struct carom_convex *c)
{
    for (uint32_t f = 0; f < c->nfaces; f++)
        for (uint32_t k = 0; k < c->face[f].count; k++) {
            const uint32_t *ring = c->ring + c->face[f].first;
            const uint32_t from = ring[k], to = ring[(k + 1) % c->face[f].count];
            size_t e = 0;
            while (e < c->nedges && !(c->edge[e].corner[0] == to && c->edge[e].corner[1] == from))
                e++;
            if (e < c->nedges)
                c->edge[e].face[1] = f;
            else if (c->nedges < 3 * CAROM_CONVEX_CORNERS)
                c->edge[c->nedges++] = (struct carom_convex_edge){{from, to}, {f, UINT32_MAX}};
        }
    for (size_t e = 0; e < c->nedges; e++)
        if (c->edge[e].face[1] == UINT32_MAX)
            return false;
    return true;
}

/* the points that are corners, in their order; rings and edges then count them */
static void number_corners(const struct growing *g, uint32_t *number)
{
    struct carom_convex *c = g->c;
    for (size_t i = 0; i < g->n; i++)
        number[i] = UINT32_MAX;
    for (size_t k = 0; k < c->nring; k++)
        number[c->ring[k]] = 0;
    for (size_t i = 0; i < g->n; i++)
        if (number[i] == 0) {
            memcpy(c->corner[c->ncorners], g->point[i], sizeof *c->corner);
            number[i] = (uint32_t)c->ncorners++;
        }
    for (size_t k = 0; k < c->nring; k++)
        c->ring[k] = number[c->ring[k]];
    for (size_t e = 0; e < c->nedges; e++)
        for (int k = 0; k < 2; k++)
            c->edge[e].corner[k] = number[c->edge[e].corner[k]];
}

/* rotation matrix, whose columns are own axes, as a quaternion (Shepperd 1978) */
static void quaternion(double m[3][3], double q[4])
{
    const double trace = m[0][0] + m[1][1] + m[2][2];
    int most = 0;
    for (int k = 1; k < 3; k++)
        most = m[k][k] > m[most][most] ? k : most;
    if (trace > m[most][most]) {
        const double root = sqrt(1.0 + trace);
        q[0] = 0.5 * root;
        for (int k = 0; k < 3; k++)
            q[k + 1] = (m[(k + 2) % 3][(k + 1) % 3] - m[(k + 1) % 3][(k + 2) % 3]) * 0.5 / root;
        return;
    }
    const int i = most, j = (i + 1) % 3, k = (i + 2) % 3;
    const double root = sqrt(1.0 + m[i][i] - m[j][j] - m[k][k]);
    q[i + 1] = 0.5 * root;
    q[0] = (m[k][j] - m[j][k]) * 0.5 / root;
    q[j + 1] = (m[j][i] + m[i][j]) * 0.5 / root;
    q[k + 1] = (m[k][i] + m[i][k]) * 0.5 / root;
}

bool carom_convex_space_principal(const double s[6], double volume, double moments[3], double axes[3][3],
                                  double frame[4])
{
    double inertia[9] = {s[1] + s[2], -s[5], -s[4], -s[5], s[0] + s[2], -s[3], -s[4], -s[3], s[0] + s[1]};
    double value[3], scratch[3], vector[9] = {0.0};
    const double mean = (s[0] + s[1] + s[2]) * 2.0 / 3.0;
    double odd = fmax(fabs(s[3]), fmax(fabs(s[4]), fabs(s[5])));
    memset(axes, 0, 9 * sizeof **axes);
    for (int k = 0; k < 3; k++) {
        moments[k] = inertia[4 * k] / volume;
        axes[k][k] = 1.0;
    }
    frame[0] = 1.0;
    frame[1] = frame[2] = frame[3] = 0.0;
    if (odd <= 1e-12 * mean) { /* its axes are those of the points already */
        if (fabs(moments[0] - moments[1]) + fabs(moments[1] - moments[2]) < 1e-12 * moments[0])
            moments[1] = moments[2] = moments[0];
        return true;
    }
    if (!carom_eigen_symmetric_vectors(3, inertia, value, scratch, vector))
        return false;
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            axes[r][k] = vector[3 * r + k];
    const double right = axes[0][0] * (axes[1][1] * axes[2][2] - axes[1][2] * axes[2][1]) -
                         axes[0][1] * (axes[1][0] * axes[2][2] - axes[1][2] * axes[2][0]) +
                         axes[0][2] * (axes[1][0] * axes[2][1] - axes[1][1] * axes[2][0]);
    for (int r = 0; r < 3; r++) {
        moments[r] = value[r] / volume;
        axes[r][2] *= right < 0.0 ? -1.0 : 1.0;
    }
    quaternion(axes, frame);
    return true;
}

/* to the centre of mass and the principal axes */
static bool centre_it(struct carom_convex *c, double centre[3], double frame[4])
{
    double corner[CAROM_CONVEX_CORNERS][3], axes[3][3];
    struct carom_bulk bulk;
    carom_hull_bulk_begin(&bulk, c->corner[0]);
    for (size_t f = 0; f < c->nfaces; f++) {
        for (size_t k = 0; k < c->face[f].count; k++)
            memcpy(corner[k], c->corner[c->ring[c->face[f].first + k]], sizeof *corner);
        carom_hull_bulk_add(&bulk, (const double(*)[3])corner, c->face[f].count);
    }
    carom_hull_bulk_end(&bulk);
    c->volume = bulk.volume;
    memcpy(centre, bulk.centre, 3 * sizeof *centre);
    if (!carom_convex_space_principal(bulk.moment, bulk.volume, c->moments, axes, frame))
        return false;
    for (size_t k = 0; k < c->ncorners; k++) {
        double from[3];
        for (int d = 0; d < 3; d++)
            from[d] = c->corner[k][d] - centre[d];
        for (int d = 0; d < 3; d++)
            c->corner[k][d] = axes[0][d] * from[0] + axes[1][d] * from[1] + axes[2][d] * from[2];
    }
    for (size_t f = 0; f < c->nfaces; f++) {
        double own[3];
        for (int d = 0; d < 3; d++)
            own[d] = axes[0][d] * c->face[f].normal[0] + axes[1][d] * c->face[f].normal[1] +
                     axes[2][d] * c->face[f].normal[2];
        memcpy(c->face[f].normal, own, sizeof own);
    }
    carom_convex_finish(c);
    return true;
}

static enum carom_status grow(struct growing *g, double centre[3], double frame[4], struct carom_error *error)
{
    if (!find_faces(g))
        return carom_convex_refuse(error, "it has more faces than a convex body of 250 corners can");
    if (g->c->nfaces < 4)
        return carom_convex_refuse(error, "its points lie in a plane");
    if (!find_edges(g->c))
        return carom_convex_refuse(error, "its points lie too near each other to tell its faces apart");
    number_corners(g, g->order);
    if (g->c->ncorners + g->c->nfaces != g->c->nedges + 2)
        return carom_convex_refuse(error, "its points lie too near each other to tell its faces apart");
    return centre_it(g->c, centre, frame) ? CAROM_OK
                                          : carom_convex_refuse(error, "its moments of inertia are not usable numbers");
}

struct carom_convex *carom_convex_space(const double (*point)[3], size_t n, double extent, double centre[3],
                                        double frame[4], struct carom_error *error)
{
    enum { MOST = CAROM_CONVEX_CORNERS };
    struct growing g = {.point = point, .n = n, .extent = extent};
    if (n > MOST) {
        carom_error_set(error, CAROM_E_REFUSED, "a polyhedron of %zu points; at most %d are possible", n, MOST);
        return NULL;
    }
    g.c = carom_convex_room(n, 2 * MOST, 6 * MOST, 3 * MOST);
    g.x = carom_memory_zeroed(n, sizeof *g.x);
    g.order = carom_memory_zeroed(4 * n + 2, sizeof *g.order);
    g.on = g.order + n;
    g.corner = g.order + 2 * n;
    const enum carom_status status = g.c && g.x && g.order
                                         ? grow(&g, centre, frame, error)
                                         : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a polyhedron");
    carom_memory_free_all(g.x, g.order);
    if (status == CAROM_OK)
        return g.c;
    carom_convex_free(g.c);
    return NULL;
}
