/* Corners and sides of convex bodies, see convex.h, and how far a place is from one. */
#include "model/bodies/convex.h"

#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "model/bodies/convex_parts.h"

enum carom_status carom_convex_refuse(struct carom_error *error, const char *why)
{
    return carom_error_set(error, CAROM_E_INPUT, "%s", why);
}

void carom_convex_free(struct carom_convex *c)
{
    if (c)
        carom_memory_free_all(c->corner, c);
}

struct carom_convex *carom_convex_room(size_t corners, size_t faces, size_t ring, size_t edges)
{
    struct carom_convex *c = carom_memory_zeroed(1, sizeof *c);
    if (!c)
        return NULL;
    if (carom_memory_together(CAROM_ROOM(c->corner, corners), CAROM_ROOM(c->face, faces), CAROM_ROOM(c->ring, ring),
                              CAROM_ROOM(c->edge, edges)))
        return c;
    carom_convex_free(c);
    return NULL;
}

/* --- corners of a flat set of points ------------------------------------------------------------------------------ */

/* twice the area of the triangle of three places of a plane, anticlockwise */
static double turn_of(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* rising x, then rising y */
static void sort_places(double (*x)[2], uint32_t *order, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint32_t one = order[i];
        size_t at = i;
        for (; at > 0 && (x[order[at - 1]][0] > x[one][0] ||
                          (x[order[at - 1]][0] == x[one][0] && x[order[at - 1]][1] > x[one][1]));
             at--)
            order[at] = order[at - 1];
        order[at] = one;
    }
}

/* The corners among n places, anticlockwise from the leftmost (Andrew 1979): their numbers; `area`: what a triangle
 * must have for its middle to be a corner. Returns how many. */
size_t carom_convex_outline(double (*x)[2], size_t n, double area, uint32_t *order, uint32_t *corner)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    sort_places(x, order, n);
    for (int way = 0; way < 2; way++) {
        const size_t base = count;
        for (size_t k = 0; k < n; k++) {
            const uint32_t next = order[way ? n - 1 - k : k];
            while (count >= base + 2 && turn_of(x[corner[count - 2]], x[corner[count - 1]], x[next]) <= area)
                count--;
            corner[count++] = next;
        }
        count--; /* where the other half begins */
    }
    return count;
}

/* --- polygons ----------------------------------------------------------------------------------------------------- */

/* area, centre and polar moment of an outline */
static double measure_plane(double (*x)[2], const uint32_t *corner, size_t n, double centre[3], double *polar)
{
    const double *from = x[corner[0]];
    double area = 0.0, first[2] = {0.0, 0.0}, second = 0.0;
    for (size_t k = 1; k + 1 < n; k++) { /* triangles about the first corner */
        double a[2], b[2];
        for (int d = 0; d < 2; d++) {
            a[d] = x[corner[k]][d] - from[d];
            b[d] = x[corner[k + 1]][d] - from[d];
        }
        const double cross = a[0] * b[1] - a[1] * b[0];
        area += 0.5 * cross;
        for (int d = 0; d < 2; d++) {
            first[d] += cross / 6.0 * (a[d] + b[d]);
            second += cross / 12.0 * (a[d] * a[d] + a[d] * b[d] + b[d] * b[d]);
        }
    }
    centre[2] = 0.0;
    for (int d = 0; d < 2; d++) {
        centre[d] = from[d] + first[d] / area;
        second -= first[d] * first[d] / area;
    }
    *polar = second / area;
    return area;
}

/* what follows from corners and rings */
void carom_convex_finish(struct carom_convex *c)
{
    c->thin = HUGE_VAL;
    for (size_t k = 0; k < c->ncorners; k++)
        c->reach = fmax(c->reach, carom_vec_norm(c->corner[k]));
    for (size_t f = 0; f < c->nfaces; f++) {
        c->face[f].room = carom_vec_dot(c->face[f].normal, c->corner[c->ring[c->face[f].first]]);
        c->thin = fmin(c->thin, c->face[f].room);
    }
}

static void add_sides(struct carom_convex *c)
{
    const size_t n = c->ncorners;
    c->nfaces = n;
    c->nring = 2 * n;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t next = (k + 1) % (uint32_t)n;
        const double x = c->corner[next][0] - c->corner[k][0], y = c->corner[next][1] - c->corner[k][1];
        const double length = sqrt(x * x + y * y);
        c->ring[2 * k] = k;
        c->ring[2 * k + 1] = next;
        c->face[k] = (struct carom_convex_face){.normal = {y / length, -x / length, 0.0}, .first = 2 * k, .count = 2};
    }
    carom_convex_finish(c);
}

static struct carom_convex *polygon(const double (*point)[3], size_t n, double extent, double centre[3],
                                    struct carom_error *error)
{
    double(*x)[2] = carom_memory_zeroed(n, sizeof *x);
    uint32_t *order = carom_memory_zeroed(3 * n + 2, sizeof *order), *corner = order ? order + n : NULL;
    struct carom_convex *c = NULL;
    for (size_t i = 0; x && order && i < n; i++)
        memcpy(x[i], point[i], sizeof x[i]);
    const size_t corners =
        x && order ? carom_convex_outline(x, n, CAROM_CONVEX_FLAT * extent * extent, order, corner) : 0;
    if (!x || !order)
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for a polygon");
    else if (corners < 3)
        carom_convex_refuse(error, "its points lie on a line");
    else if (corners > CAROM_CONVEX_SIDES)
        carom_error_set(error, CAROM_E_REFUSED, "a polygon of %zu corners; at most %d are possible", corners,
                        CAROM_CONVEX_SIDES);
    else if (!(c = carom_convex_room(corners, corners, 2 * corners, 0)))
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for a polygon");
    else {
        c->volume = measure_plane(x, corner, corners, centre, &c->moments[2]);
        c->ncorners = corners;
        for (size_t k = 0; k < corners; k++)
            for (int d = 0; d < 2; d++)
                c->corner[k][d] = x[corner[k]][d] - centre[d];
        add_sides(c);
    }
    carom_memory_free_all(x, order);
    return c;
}

/* a point well inside the others is a mistake */
static enum carom_status check_points(const struct carom_convex *c, size_t dimension, const double (*point)[3],
                                      size_t n, const double centre[3], const double frame[4],
                                      struct carom_error *error)
{
    for (size_t i = 0; i < n; i++) {
        double x[3] = {0.0, 0.0, 0.0}, own[3], normal[3];
        for (size_t d = 0; d < dimension; d++)
            x[d] = point[i][d] - centre[d];
        carom_quat_turn_back(frame, x, own);
        if (carom_convex_apart(c, own, normal) < -1e-6 * c->reach)
            return carom_error_set(error, CAROM_E_INPUT,
                                   "point %zu lies inside the others: a convex body has no such corner", i + 1);
    }
    return CAROM_OK;
}

/* the points that differ; returns how many */
static size_t distinct(const double (*point)[3], size_t n, size_t dimension, double near, double (*out)[3])
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        bool met = false;
        for (size_t j = 0; j < count && !met; j++) {
            met = true;
            for (size_t d = 0; d < dimension; d++)
                met &= fabs(point[i][d] - out[j][d]) <= near;
        }
        if (!met)
            memcpy(out[count++], point[i], sizeof *out);
    }
    return count;
}

struct carom_convex *carom_convex_create(size_t dimension, const double (*point)[3], size_t n, double centre[3],
                                         double frame[4], struct carom_error *error)
{
    double extent = 0.0;
    for (size_t i = 1; i < n; i++)
        for (size_t d = 0; d < dimension; d++)
            extent = fmax(extent, fabs(point[i][d] - point[0][d]));
    if (extent >= 1e100) { /* as places, radii and masses: squares must be numbers */
        carom_error_set(error, CAROM_E_INPUT, "it is %g long, less than 1e100 is needed", extent);
        return NULL;
    }
    if (n <= dimension || !(extent > 0.0)) {
        carom_error_set(error, CAROM_E_INPUT, "%zu point%s no %s", n, n == 1 ? " makes" : "s make",
                        dimension == 2 ? "polygon" : "polyhedron");
        return NULL;
    }
    frame[0] = 1.0;
    frame[1] = frame[2] = frame[3] = 0.0;
    double(*own)[3] = carom_memory_zeroed(n, sizeof *own);
    if (!own) {
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu points", n);
        return NULL;
    }
    const size_t count = distinct(point, n, dimension, CAROM_CONVEX_FLAT * extent, own);
    const double(*const points)[3] = (const double(*)[3])own;
    struct carom_convex *c = dimension == 2 ? polygon(points, count, extent, centre, error)
                                            : carom_convex_space(points, count, extent, centre, frame, error);
    carom_memory_free(own);
    if (c && check_points(c, dimension, point, n, centre, frame, error) != CAROM_OK) {
        carom_convex_free(c);
        return NULL;
    }
    return c;
}

static struct carom_convex *hull_of_box(size_t dimension, const double size[3], struct carom_error *error)
{
    static const double sign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                      {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    const size_t n = dimension == 2 ? 4 : 8;
    double point[8][3], centre[3], frame[4];
    for (size_t i = 0; i < n; i++)
        for (size_t d = 0; d < 3; d++)
            point[i][d] = d < dimension ? sign[i][d] * size[d] : 0.0;
    return carom_convex_create(dimension, (const double(*)[3])point, n, centre, frame, error);
}

/* Needles and foils are thinner than points alone may tell of a body: the cube, stretched. */
static struct carom_convex *stretched(size_t dimension, const double size[3], struct carom_error *error)
{
    static const double one[3] = {1.0, 1.0, 1.0};
    struct carom_convex *c = hull_of_box(dimension, one, error);
    if (!c)
        return NULL;
    double square[3] = {0.0, 0.0, 0.0};
    for (size_t d = 0; d < dimension; d++) {
        square[d] = size[d] * size[d] / 3.0;
        c->volume *= size[d];
        for (size_t k = 0; k < c->ncorners; k++)
            c->corner[k][d] *= size[d];
    }
    for (size_t d = dimension == 2 ? 2 : 0; d < 3; d++)
        c->moments[d] = square[(d + 1) % 3] + square[(d + 2) % 3];
    c->reach = 0.0;
    carom_convex_finish(c);
    return c;
}

struct carom_convex *carom_convex_box(size_t dimension, const double size[3])
{
    struct carom_error error = {CAROM_OK, ""};
    double longest = 0.0;
    struct carom_convex *c = hull_of_box(dimension, size, &error);
    for (size_t d = 0; d < dimension; d++)
        longest = fmax(longest, size[d]);
    return c || error.status == CAROM_E_MEMORY || longest >= 1e99 ? c : stretched(dimension, size, &error);
}

void carom_convex_place(struct carom_convex *c, const double at[3], const double frame[4])
{
    const double thin = c->thin;
    double turned[3];
    c->reach = 0.0;
    for (size_t k = 0; k < c->ncorners; k++) {
        carom_quat_turn(frame, c->corner[k], turned);
        for (int d = 0; d < 3; d++)
            c->corner[k][d] = turned[d] + at[d];
    }
    for (size_t f = 0; f < c->nfaces; f++) {
        carom_quat_turn(frame, c->face[f].normal, turned);
        memcpy(c->face[f].normal, turned, sizeof turned);
    }
    carom_convex_finish(c);
    c->thin = thin;
}

/* --- how far a place is ------------------------------------------------------------------------------------------- */

/* the nearest place of a face to x, which stands before it by `height`; its square of a distance */
static double nearest_on(const struct carom_convex *c, const struct carom_convex_face *face, const double x[3],
                         double height, double at[3])
{
    double least = HUGE_VAL, on[3];
    bool inside = true;
    for (int d = 0; d < 3; d++)
        on[d] = x[d] - height * face->normal[d];
    for (uint32_t k = 0; k < face->count; k++) {
        const double *from = c->corner[c->ring[face->first + k]];
        const double *to = c->corner[c->ring[face->first + (k + 1) % face->count]];
        double side[3], off[3], out[3];
        for (int d = 0; d < 3; d++) {
            side[d] = to[d] - from[d];
            off[d] = on[d] - from[d];
        }
        carom_vec_cross(side, face->normal, out);
        if (face->count > 2 && carom_vec_dot(out, off) <= 0.0)
            continue;
        const double along = carom_vec_dot(side, off) / carom_vec_dot(side, side);
        inside &= face->count == 2 && along >= 0.0 && along <= 1.0;
        const double part = fmin(fmax(along, 0.0), 1.0);
        double square = 0.0;
        for (int d = 0; d < 3; d++) {
            off[d] = from[d] + part * side[d];
            square += (x[d] - off[d]) * (x[d] - off[d]);
        }
        if (square < least) {
            least = square;
            memcpy(at, off, sizeof off);
        }
    }
    if (!inside)
        return least;
    memcpy(at, on, sizeof on);
    return height * height;
}

double carom_convex_apart(const struct carom_convex *c, const double x[3], double normal[3])
{
    double deepest = -HUGE_VAL, least = HUGE_VAL, at[3];
    const struct carom_convex_face *through = NULL;
    for (size_t f = 0; f < c->nfaces; f++) {
        const double height = carom_vec_dot(c->face[f].normal, x) - c->face[f].room;
        if (height > deepest || !through) { /* also where x is no number: then the answer is none either */
            deepest = height;
            through = &c->face[f];
        }
        if (!(height > 0.0))
            continue;
        double place[3];
        const double square = nearest_on(c, &c->face[f], x, height, place);
        if (square < least) {
            least = square;
            memcpy(at, place, sizeof at);
        }
    }
    const double length = least < HUGE_VAL ? sqrt(least) : 0.0;
    /* right before a face, or inside */
    if (!(deepest > 0.0) || length <= deepest * (1.0 + 1e-14)) {
        memcpy(normal, through->normal, sizeof through->normal);
        return deepest;
    }
    for (int d = 0; d < 3; d++)
        normal[d] = (x[d] - at[d]) / length;
    return length;
}
