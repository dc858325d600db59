/* Convex polygons and polyhedra: volumes and moments of the regular solids against closed forms, corners, faces and
 * edges by Euler, bodies given in other axes, distances of places against a search over their faces, and what is
 * refused. */
#include "model/bodies/facets.h"

#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/random.h"
#include "check.h"

static size_t all_signs(double a, double b, double c, double (*point)[3], size_t n)
{
    const double given[3] = {a, b, c};
    for (size_t turn = 0; turn < 3; turn++)
        for (size_t signs = 0; signs < 8; signs++, n++)
            for (size_t k = 0; k < 3; k++)
                point[n][(k + turn) % 3] = (signs >> k & 1 ? -1.0 : 1.0) * given[k];
    return n;
}

/* turned and moved somewhere else */
static void elsewhere(double (*point)[3], size_t n)
{
    const double length = sqrt(1.0 + 0.09 + 0.25 + 0.04),
                 turn[4] = {1.0 / length, 0.3 / length, -0.5 / length, 0.2 / length};
    for (size_t i = 0; i < n; i++) {
        carom_quat_turn(turn, point[i], point[i]);
        for (size_t k = 0; k < 3; k++)
            point[i][k] += 0.7 - (double)k;
    }
}

/* faces and edges join corners that lie on them */
static void check_joined(const struct carom_convex *c)
{
    for (size_t f = 0; f < c->nfaces; f++)
        for (size_t k = 0; k < c->face[f].count; k++) {
            const uint32_t corner = c->ring[c->face[f].first + k];
            CHECK_OR_STOP(corner < c->ncorners);
            CHECK_NEAR(carom_vec_dot(c->face[f].normal, c->corner[corner]), c->face[f].room, 1e-12);
        }
    for (size_t e = 0; e < c->nedges; e++)
        for (size_t k = 0; k < 4; k++) {
            const uint32_t f = c->edge[e].face[k / 2], corner = c->edge[e].corner[k % 2];
            CHECK_OR_STOP(f < c->nfaces && corner < c->ncorners);
            CHECK_NEAR(carom_vec_dot(c->face[f].normal, c->corner[corner]), c->face[f].room, 1e-12);
        }
}

/* the middle of an edge: between a point and the one nearest to it */
static void halfway(double (*point)[3], size_t n, double middle[3])
{
    double nearest = HUGE_VAL;
    for (size_t i = 1; i < n; i++) {
        double square = 0.0;
        for (size_t k = 0; k < 3; k++)
            square += (point[i][k] - point[0][k]) * (point[i][k] - point[0][k]);
        if (!(square > 0.0) || !(square < nearest))
            continue;
        nearest = square;
        for (size_t k = 0; k < 3; k++)
            middle[k] = 0.5 * (point[0][k] + point[i][k]);
    }
}

/* of the points and one more, which comes first and is no corner */
static void check_solid(double (*point)[3], size_t n, size_t corners, size_t faces, double volume, double moment)
{
    struct carom_error error = {CAROM_OK, ""};
    double centre[3], frame[4], given[64][3];
    CHECK_OR_STOP(n < 64);
    halfway(point, n, given[0]);
    memcpy(given + 1, point, n * sizeof *given);
    elsewhere(given, n + 1);
    struct carom_convex *c = carom_convex_create(3, (const double(*)[3])given, n + 1, centre, frame, &error);
    CHECK(c != NULL);
    if (!c) {
        fprintf(stderr, "%s\n", error.text);
        return;
    }
    CHECK(c->ncorners == corners && c->nfaces == faces && c->nedges == corners + faces - 2);
    CHECK_NEAR(c->volume, volume, 1e-13 * volume);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(centre[k], 0.7 - k, 1e-14);
        CHECK_NEAR(c->moments[k], moment, 1e-13 * moment);
    }
    for (size_t f = 0; f < c->nfaces; f++) {
        CHECK_NEAR(carom_vec_norm(c->face[f].normal), 1.0, 1e-14);
        for (size_t k = 0; k < c->ncorners; k++)
            CHECK(carom_vec_dot(c->face[f].normal, c->corner[k]) < c->face[f].room + 1e-12);
    }
    check_joined(c);
    carom_convex_free(c);
}

static void check_regular(void)
{
    const double golden = 0.5 * (1.0 + sqrt(5.0));
    double point[48][3];
    double tetrahedron[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    check_solid(tetrahedron, 4, 4, 4, 8.0 / 3.0, 8.0 / 20.0); /* edge^2 / 20, edge sqrt 8 */
    check_solid(point, all_signs(1, 1, 1, point, 0), 8, 6, 8.0, 2.0 / 3.0);
    check_solid(point, all_signs(1, 0, 0, point, 0), 6, 8, 4.0 / 3.0, 0.2);
    /* edge 2: volume 5/12 (3 + sqrt 5) edge^3, moment golden^2 / 10 edge^2 */
    check_solid(point, all_signs(0, 1, golden, point, 0), 12, 20, 10.0 / 3.0 * (3.0 + sqrt(5.0)),
                0.4 * golden * golden);
    /* edge 2 / golden: volume (15 + 7 sqrt 5) / 4 edge^3, moment (39 golden + 28) / 150 edge^2 */
    const double edge = 2.0 / golden;
    check_solid(point, all_signs(0, 1.0 / golden, golden, point, all_signs(1, 1, 1, point, 0)), 20, 12,
                0.25 * (15.0 + 7.0 * sqrt(5.0)) * edge * edge * edge, (39.0 * golden + 28.0) / 150.0 * edge * edge);
}

/* the distance of x from the nearest of a grid of places on a triangle */
static double from_face(const struct carom_convex *c, size_t f, const double x[3])
{
    const uint32_t *ring = c->ring + c->face[f].first;
    double least = HUGE_VAL;
    for (int i = 0; i <= 24; i++)
        for (int j = 0; i + j <= 24; j++) {
            const double part[3] = {i / 24.0, j / 24.0, (24 - i - j) / 24.0};
            double d[3] = {x[0], x[1], x[2]};
            for (size_t k = 0; k < 3; k++)
                d[k] -=
                    part[0] * c->corner[ring[0]][k] + part[1] * c->corner[ring[1]][k] + part[2] * c->corner[ring[2]][k];
            const double away = carom_vec_norm(d);
            if (away < least)
                least = away;
        }
    return least;
}

static void on_ellipsoid(struct carom_random *random, double out[3])
{
    const double z = 2.0 * carom_random_uniform(random) - 1.0, angle = 6.3 * carom_random_uniform(random);
    out[0] = sqrt(1.0 - z * z) * cos(angle);
    out[1] = sqrt(1.0 - z * z) * sin(angle);
    out[2] = 0.5 * z;
}

/* the facet before which a place stands has the distance and the normal of the whole body */
static void check_facets(struct carom_convex *c, size_t dimension)
{
    const struct carom_body wall = {.surface = CAROM_CONVEX, .convex = c};
    struct carom_random random;
    carom_random_start(&random, 7);
    for (int trial = 0; trial < 200; trial++) {
        double x[3] = {0.0}, normal[3], own[3];
        for (size_t k = 0; k < dimension; k++)
            x[k] = c->reach * (4.0 * carom_random_uniform(&random) - 2.0);
        const uint32_t facet = carom_facets_of(&wall, dimension, x);
        const double apart = carom_convex_apart(c, x, normal);
        CHECK((facet > 0) == (apart > 0.0));
        if (!(apart > 0.0))
            continue;
        CHECK(carom_facets_left(&wall, dimension, facet, x) >= 0.0);
        CHECK_NEAR(carom_facets_apart(c, facet, x, own), apart, 1e-13);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(own[k], normal[k], 1e-11);
    }
}

/* random points of an ellipsoid, all of them corners: distances of
 * places outside against a search over points of its faces */
static void check_random(uint64_t seed)
{
    struct carom_random random;
    struct carom_error error = {CAROM_OK, ""};
    double point[40][3], centre[3], frame[4];
    carom_random_start(&random, seed);
    for (size_t i = 0; i < 40; i++)
        on_ellipsoid(&random, point[i]);
    struct carom_convex *c = carom_convex_create(3, (const double(*)[3])point, 40, centre, frame, &error);
    CHECK(c != NULL && c->ncorners == 40 && c->nedges == 40 + c->nfaces - 2);
    if (!c)
        return;
    for (int trial = 0; trial < 20; trial++) {
        double x[3], normal[3], least = HUGE_VAL;
        for (size_t k = 0; k < 3; k++)
            x[k] = 4.0 * carom_random_uniform(&random) - 2.0;
        const double apart = carom_convex_apart(c, x, normal);
        CHECK_NEAR(carom_vec_norm(normal), 1.0, 1e-12);
        for (size_t f = 0; f < c->nfaces; f++) /* all of them are triangles here */
            if (from_face(c, f, x) < least)
                least = from_face(c, f, x);
        CHECK(apart <= least + 1e-12 && (apart < 0.0 || apart > least - 0.06));
    }
    check_facets(c, 3);
    carom_convex_free(c);
}

static void check_plane(void)
{
    struct carom_error error = {CAROM_OK, ""};
    const double triangle[5][3] = {
        {3, 2, 0}, {1, 2, 0}, {1, 5, 0}, {2, 2, 0}, {3, 2, 0}}; /* one on a side, one twice */
    double centre[3], frame[4], normal[3];
    struct carom_convex *c = carom_convex_create(2, triangle, 5, centre, frame, &error);
    CHECK(c != NULL && c->ncorners == 3 && c->nfaces == 3);
    if (!c)
        return;
    CHECK_NEAR(c->volume, 3.0, 1e-14);
    CHECK_NEAR(centre[0], 5.0 / 3.0, 1e-14);
    CHECK_NEAR(centre[1], 3.0, 1e-14);
    CHECK_NEAR(c->moments[2], (4.0 + 9.0) / 18.0, 1e-14); /* of a right triangle (a^2 + b^2) / 18 */
    const double below[3] = {0.0, -3.0, 0.0}, beyond[3] = {4.0 / 3.0 + 3.0, -1.0 - 4.0, 0.0};
    CHECK_NEAR(carom_convex_apart(c, below, normal), 2.0, 1e-14);
    CHECK_NEAR(normal[1], -1.0, 1e-14);
    CHECK_NEAR(carom_convex_apart(c, beyond, normal), 5.0, 1e-13); /* from its corner */
    CHECK_NEAR(normal[0], 0.6, 1e-13);
    const double nowhere[3] = {(double)NAN, 0.0, 0.0};
    CHECK(isnan(carom_convex_apart(c, nowhere, normal)));
    check_facets(c, 2);
    carom_convex_free(c);
    const double inside[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0}},
                 line[3][3] = {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}};
    CHECK(!carom_convex_create(2, inside, 4, centre, frame, &error) && strstr(error.text, "point 4 lies inside"));
    CHECK(!carom_convex_create(2, line, 3, centre, frame, &error) && strstr(error.text, "on a line"));
    CHECK(!carom_convex_create(3, inside, 4, centre, frame, &error) && strstr(error.text, "in a plane"));
}

/* boxes of any shape, needles and foils as well, by their closed forms */
static void check_boxes(void)
{
    static const double half[5][3] = {{1, 2, 3}, {1, 1e-4, 2e-4}, {1e-4, 1, 1e-9}, {2, 1e-8, 1}, {1e-6, 1e6, 1}};
    for (size_t i = 0; i < 5; i++)
        for (size_t dimension = 2; dimension <= 3; dimension++) {
            const double *a = half[i], depth = dimension == 3 ? 2.0 * a[2] : 1.0;
            struct carom_convex *c = carom_convex_box(dimension, a);
            CHECK_OR_STOP(c != NULL);
            CHECK(c->ncorners == (dimension == 2 ? 4 : 8) && c->nfaces == 2 * dimension &&
                  c->nedges == (dimension == 2 ? 0 : 12));
            CHECK_NEAR(c->volume / (4.0 * a[0] * a[1] * depth), 1.0, 1e-14);
            CHECK_NEAR(3.0 * c->moments[2] / (a[0] * a[0] + a[1] * a[1]), 1.0, 1e-13);
            CHECK_NEAR(c->reach, dimension == 3 ? carom_vec_norm(a) : hypot(a[0], a[1]), 1e-14 * c->reach);
            CHECK_NEAR(c->thin, fmin(fmin(a[0], a[1]), dimension == 3 ? a[2] : a[0]), 1e-14 * c->thin);
            for (size_t k = 0; k < c->ncorners; k++)
                for (size_t d = 0; d < dimension; d++)
                    CHECK_NEAR(fabs(c->corner[k][d]), a[d], 1e-14 * a[d]);
            check_joined(c);
            carom_convex_free(c);
        }
}

int main(void)
{
    check_regular();
    check_plane();
    check_boxes();
    for (uint64_t seed = 1; seed <= 3; seed++)
        check_random(seed);
    return check_end();
}
