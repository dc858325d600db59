/* What polygons and polyhedra measure, against closed forms; and that a cut leaves two parts that make up the whole. */
#include "mesh/hull.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/vec.h"
#include "check.h"

static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};

static void cube(struct carom_hull *h, double half)
{
    const double low[3] = {-half, -half, -half}, high[3] = {half, half, half};
    carom_hull_box(h, low, high, -1);
}

/* V - E + F = 2, every side shared by two faces that run along it in opposite directions */
static void check_closed(const struct carom_hull *h)
{
    static uint8_t seen[CAROM_HULL_POINTS][CAROM_HULL_POINTS];
    memset(seen, 0, sizeof seen);
    for (size_t f = 0; f < h->nfaces; f++)
        for (size_t i = h->first[f]; i < h->first[f + 1]; i++) {
            const size_t next = i + 1 < h->first[f + 1] ? i + 1 : h->first[f];
            seen[h->side[i]][h->side[next]]++;
        }
    for (size_t i = 0; i < h->npoints; i++)
        for (size_t j = 0; j < h->npoints; j++)
            CHECK(seen[i][j] == seen[j][i] && seen[i][j] <= 1);
    CHECK(h->npoints + h->nfaces == (size_t)h->first[h->nfaces] / 2 + 2);
}

static void check_bulk(const struct carom_hull *h, double volume, const double centre[3], const double moment[6])
{
    struct carom_bulk b;
    carom_hull_measure(h, &b);
    check_closed(h);
    CHECK_NEAR(b.volume, volume, 1e-14 * volume);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(b.centre[k], centre[k], 1e-14);
    for (int k = 0; k < 6; k++)
        CHECK_NEAR(b.moment[k], moment[k], 1e-14);
}

static void check_solids(void)
{
    const double zero[3] = {0.0, 0.0, 0.0}, low[3] = {-1.0, 0.5, 2.0}, high[3] = {1.0, 3.5, 3.0};
    struct carom_hull h;
    carom_hull_box(&h, low, high, -1);
    check_bulk(&h, 6.0, (const double[]){0.0, 2.0, 2.5}, (const double[]){2.0, 4.5, 0.5, 0.0, 0.0, 0.0});
    /* the corner tetrahedron x, y, z >= 0, x + y + z <= 1: moments 1/60 about 0, products 1/120 */
    carom_hull_box(&h, zero, (const double[]){1.0, 1.0, 1.0}, -1);
    CHECK(carom_hull_cut(&h, (const double[]){1.0, 1.0, 1.0}, 1.0, 7) == CAROM_HULL_CUT);
    const double own = 1.0 / 60.0 - 1.0 / 96.0, mixed = 1.0 / 120.0 - 1.0 / 96.0;
    check_bulk(&h, 1.0 / 6.0, (const double[]){0.25, 0.25, 0.25}, (const double[]){own, own, own, mixed, mixed, mixed});
    /* the octahedron |x| + |y| + |z| <= 1: volume 4/3, moments 2/15 */
    cube(&h, 2.0);
    for (int i = 0; i < 8; i++) {
        const double normal[3] = {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
        CHECK(carom_hull_cut(&h, normal, 1.0, i) == CAROM_HULL_CUT);
    }
    const double eighth = 2.0 / 15.0;
    check_bulk(&h, 4.0 / 3.0, zero, (const double[]){eighth, eighth, eighth, 0.0, 0.0, 0.0});
    /* a wedge: the half of a cube below a diagonal plane */
    carom_hull_box(&h, zero, (const double[]){1.0, 1.0, 1.0}, -1);
    CHECK(carom_hull_cut(&h, (const double[]){1.0, 1.0, 0.0}, 1.0, 7) == CAROM_HULL_CUT);
    check_bulk(&h, 0.5, (const double[]){1.0 / 3.0, 1.0 / 3.0, 0.5},
               (const double[]){1.0 / 36.0, 1.0 / 36.0, 1.0 / 24.0, 0.0, 0.0, -1.0 / 72.0});
    CHECK(carom_hull_cut(&h, (const double[]){0.0, 0.0, 1.0}, 2.0, 8) == CAROM_HULL_WHOLE);
    CHECK(carom_hull_cut(&h, (const double[]){0.0, 0.0, 1.0}, -1.0, 8) == CAROM_HULL_GONE);
}

/* a regular hexagon of side 1, turned anyhow: area 3 sqrt(3) / 2, moments 5 sqrt(3) / 16 about every axis in it */
static void check_facets(void)
{
    const double pi = 3.14159265358979323846, s[3] = {0.36, 0.48, -0.8}, t[3] = {-0.8, 0.6, 0.0};
    double corner[6][3], normal[3];
    struct carom_facet f;
    carom_vec_cross(s, t, normal);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++)
            corner[i][k] = 3.0 - k + cos(pi * i / 3.0) * s[k] + sin(pi * i / 3.0) * t[k];
    carom_hull_facet((const double(*)[3])corner, 6, &f);
    CHECK_NEAR(f.area, 1.5 * sqrt(3.0), 1e-14);
    CHECK_NEAR(f.off, 0.0, 1e-14);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(f.centre[k], 3.0 - k, 1e-14);
        CHECK_NEAR(f.normal[k], normal[k], 1e-14);
    }
    for (int k = 0; k < 6; k++)
        CHECK_NEAR(f.moment[k], 5.0 * sqrt(3.0) / 16.0 * (s[row[k]] * s[column[k]] + t[row[k]] * t[column[k]]), 1e-14);
    /* one corner out of the plane of a square is told */
    double square[4][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, 1.0, 0.1}, {0.0, 1.0, 0.0}};
    carom_hull_facet((const double(*)[3])square, 4, &f);
    CHECK(f.off > 0.02 && f.off < 0.06);
}

/* what a plane cuts off and what it leaves: volumes, first and second moments add up to the whole */
static void check_parts(struct carom_random *random)
{
    struct carom_hull h;
    cube(&h, 1.0);
    for (int cut = 0; cut < 40; cut++) {
        double normal[3], back[3];
        for (int k = 0; k < 3; k++) {
            normal[k] = carom_random_normal(random);
            back[k] = -normal[k];
        }
        const double offset = carom_vec_norm(normal) * (0.4 + 0.4 * carom_random_uniform(random));
        struct carom_hull kept = h, lost = h;
        const enum carom_hull_result left = carom_hull_cut(&kept, normal, offset, cut);
        const enum carom_hull_result right = carom_hull_cut(&lost, back, -offset, cut);
        if (left == CAROM_HULL_WHOLE)
            continue;
        CHECK_OR_STOP(left == CAROM_HULL_CUT && right == CAROM_HULL_CUT);
        check_closed(&kept);
        check_closed(&lost);
        struct carom_bulk whole, a, b;
        carom_hull_measure(&h, &whole);
        carom_hull_measure(&kept, &a);
        carom_hull_measure(&lost, &b);
        CHECK_NEAR(a.volume + b.volume, whole.volume, 1e-13);
        for (int k = 0; k < 6; k++) {
            const int r = row[k], c = column[k];
            const double about[3] = {whole.volume * whole.centre[r] * whole.centre[c],
                                     a.volume * a.centre[r] * a.centre[c], b.volume * b.centre[r] * b.centre[c]};
            CHECK_NEAR(a.moment[k] + about[1] + b.moment[k] + about[2], whole.moment[k] + about[0], 1e-13);
        }
        h = kept;
    }
    CHECK(h.nfaces > 12);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    check_solids();
    check_facets();
    for (int i = 0; i < 20; i++)
        check_parts(&random);
    return check_end();
}
