/* Voronoi bodies: their cells fill the region, close, agree with each other, and are the same bits for any number of
 * threads and on every machine; relaxing makes links square; round sides and holes come out as their closed forms. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "check.h"
#include "mesh/voronoi.h"

static const double pi = 3.14159265358979323846;
static const struct carom_outline_shape box = {
    .kind = CAROM_OUTLINE_BOX, .origin = {-1.0, 0.0, 2.0}, .size = {2.0, 1.0, 0.5}};
static const struct carom_outline_shape ball = {.kind = CAROM_OUTLINE_SPHERE, .origin = {0.5, 0.5, 0.5}, .radius = 1.0};
static const struct carom_outline_shape rod = {
    .kind = CAROM_OUTLINE_CYLINDER, .origin = {0.0, 0.0, 0.0}, .axis = 0, .radius = 0.5, .height = 3.0};

static struct carom_mesh *make(const struct carom_outline *region, size_t cells, size_t relax, size_t threads)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_voronoi wish = {.region = *region, .cells = cells, .seed = 3, .relax = relax};
    wish.threads = threads > 1 ? carom_threads_create(threads) : NULL;
    struct carom_mesh *m = carom_voronoi_mesh(&wish, &error);
    carom_threads_free(wish.threads);
    if (!m)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(m != NULL);
    return m;
}

static double volume_of(const struct carom_mesh *m)
{
    double sum = 0.0;
    for (size_t i = 0; i < m->n; i++)
        sum += m->cell[i].volume;
    return sum;
}

static double area_of(const struct carom_mesh *m, uint32_t side)
{
    double sum = 0.0;
    for (size_t f = 0; f < m->nfaces; f++)
        sum += m->face[f].side == side ? m->face[f].facet.area : 0.0;
    return sum;
}

/* of every cell: the sum of areas times normals is 0, that of pyramids its volume, though half of the faces were told
 * by neighbours */
static void check_closed(const struct carom_mesh *m, double tol)
{
    double(*sum)[4] = carom_memory_zeroed(m->n, sizeof *sum);
    CHECK_OR_STOP(sum != NULL);
    for (size_t l = 0; l < m->nlinks + m->nfaces; l++) {
        const bool free = l >= m->nlinks;
        const struct carom_facet *f = free ? &m->face[l - m->nlinks].facet : &m->link[l].facet;
        CHECK(free || m->link[l].cell[0] < m->link[l].cell[1]);
        for (int side = 0; side < (free ? 1 : 2); side++) {
            const size_t cell = free ? m->face[l - m->nlinks].cell : m->link[l].cell[side];
            const double sign = side == 0 ? 1.0 : -1.0;
            for (int k = 0; k < 3; k++) {
                sum[cell][k] += sign * f->area * f->normal[k];
                sum[cell][3] += sign * f->area * f->normal[k] * (f->centre[k] - m->cell[cell].centre[k]) / 3.0;
            }
        }
    }
    for (size_t i = 0; i < m->n; i++) {
        const double size = cbrt(m->cell[i].volume);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(sum[i][k] / (size * size), 0.0, tol);
        CHECK_NEAR(sum[i][3] / m->cell[i].volume, 1.0, tol);
    }
    carom_memory_free(sum);
}

static uint64_t hash(uint64_t h, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ at[i]) * UINT64_C(1099511628211);
    return h;
}

static uint64_t hash_of(const struct carom_mesh *m)
{
    uint64_t h = UINT64_C(14695981039346656037);
    h = hash(h, m->cell, m->n * sizeof *m->cell);
    for (size_t l = 0; l < m->nlinks; l++) {
        h = hash(h, m->link[l].cell, sizeof m->link[l].cell);
        h = hash(h, &m->link[l].facet, sizeof m->link[l].facet);
    }
    return hash(h, m->look.arm, m->look.point[m->n] * sizeof *m->look.arm);
}

static void check_box(void)
{
    const struct carom_outline region = {.nshapes = 1, .shape = &box};
    const double area[6] = {0.5, 0.5, 1.0, 1.0, 2.0, 2.0};
    struct carom_mesh *raw = make(&region, 700, 0, 1), *one = make(&region, 3000, 2, 1),
                      *two = make(&region, 3000, 2, 2);
    struct carom_mesh_skew before, after;
    CHECK_NEAR(volume_of(raw), 1.0, 1e-13);
    CHECK_NEAR(volume_of(one), 1.0, 1e-13);
    for (uint32_t side = 0; side < 6; side++)
        CHECK_NEAR(area_of(one, side), area[side], 1e-12);
    check_closed(raw, 1e-8);
    check_closed(one, 1e-8);
    CHECK(hash_of(one) == hash_of(two));
    CHECK(hash_of(one) == UINT64_C(0x37021e63cf4d8d2a));
    struct carom_mesh *relaxed = make(&region, 700, 30, 1);
    carom_mesh_skew(raw, &before);
    carom_mesh_skew(relaxed, &after);
    CHECK(before.least < cos(20.0 * pi / 180.0) && after.least > cos(5.0 * pi / 180.0));
    CHECK(before.offset > 0.1 && after.offset < 0.07);
    carom_mesh_free(raw);
    carom_mesh_free(one);
    carom_mesh_free(two);
    carom_mesh_free(relaxed);
}

/* tangent planes overshoot by the square of the cells' size */
static void check_round(void)
{
    const struct carom_outline balls = {.nshapes = 1, .shape = &ball}, rods = {.nshapes = 1, .shape = &rod};
    struct carom_mesh *coarse = make(&balls, 300, 15, 1), *fine = make(&balls, 2400, 10, 1),
                      *bar = make(&rods, 1000, 10, 1);
    const double exact = 4.0 / 3.0 * pi, first = volume_of(coarse) / exact - 1.0,
                 second = volume_of(fine) / exact - 1.0;
    CHECK(first > 0.0 && first < 0.03 && second > 0.0 && second < first / 3.0);
    check_closed(fine, 1e-8);
    CHECK_NEAR(volume_of(bar) / (0.75 * pi), 1.0, 0.03);
    CHECK_NEAR(area_of(bar, 0) / (0.25 * pi), 1.0, 0.03);
    CHECK_NEAR(area_of(bar, CAROM_MESH_OUTSIDE) / (3.0 * pi), 1.0, 0.05);
    carom_mesh_free(coarse);
    carom_mesh_free(fine);
    carom_mesh_free(bar);
}

/* a plate with a round hole, cut by a slanted plane, and a box with a box taken out; finer cells around the hole */
static void check_holes(void)
{
    const struct carom_outline_shape plate[2] = {{.kind = CAROM_OUTLINE_BOX, .size = {2.0, 2.0, 0.2}},
                                                 {.kind = CAROM_OUTLINE_PLANE,
                                                  .origin = {1.5, 2.0, 0.0},
                                                  .size = {0.7071067811865476, 0.7071067811865476, 0.0}}};
    const struct carom_outline_shape hole = {
        .kind = CAROM_OUTLINE_CYLINDER, .origin = {0.8, 0.8, -1.0}, .axis = 2, .radius = 0.3, .height = 3.0};
    const struct carom_outline_fine fine = {.place = {0.8, 0.8, 0.1}, .within = 1.0, .times = 0.4};
    struct carom_outline region = {.nshapes = 2, .shape = plate, .nholes = 1, .hole = &hole};
    struct carom_mesh *even = make(&region, 1500, 5, 1);
    region.nfine = 1;
    region.fine = &fine;
    struct carom_mesh *graded = make(&region, 1500, 12, 1);
    const double exact = 0.2 * (4.0 - 0.125 - 0.09 * pi);
    CHECK_NEAR(volume_of(even) / exact, 1.0, 3e-3);
    CHECK_NEAR(volume_of(graded) / exact, 1.0, 2e-3);
    CHECK_NEAR(area_of(graded, CAROM_MESH_INSIDE) / (0.12 * pi), 1.0, 0.02);
    CHECK_NEAR(area_of(even, CAROM_MESH_OUTSIDE) / (0.2 * sqrt(0.5)), 1.0, 1e-12);
    check_closed(graded, 1e-8);
    double near = 0.0, far = 0.0, nnear = 0.0, nfar = 0.0;
    for (size_t i = 0; i < graded->n; i++) {
        const double *c = graded->cell[i].centre, away = hypot(c[0] - 0.8, c[1] - 0.8),
                     size = cbrt(graded->cell[i].volume);
        near += away < 0.4 ? size : 0.0;
        nnear += away < 0.4 ? 1.0 : 0.0;
        far += away > 1.0 ? size : 0.0;
        nfar += away > 1.0 ? 1.0 : 0.0;
    }
    CHECK_NEAR(near / nnear / (far / nfar), 0.4 + 0.6 * 0.35, 0.08);
    carom_mesh_free(even);
    carom_mesh_free(graded);
    struct carom_error error = {CAROM_OK, ""};
    const struct carom_outline_shape small = {.kind = CAROM_OUTLINE_SPHERE, .origin = {1.0, 1.0, 0.1}, .radius = 0.01};
    struct carom_voronoi wish = {.region = {.nshapes = 1, .shape = plate, .nholes = 1, .hole = &small}, .cells = 100};
    CHECK(carom_voronoi_mesh(&wish, &error) == NULL && strstr(error.text, "hole 1 is 0.02 across"));
    const struct carom_outline_shape apart[2] = {plate[0], ball};
    const struct carom_outline_shape away = {.kind = CAROM_OUTLINE_SPHERE, .origin = {9.0, 9.0, 9.0}, .radius = 1.0};
    struct carom_voronoi nothing = {
        .region = {.nshapes = 2, .shape = (const struct carom_outline_shape[]){apart[0], away}}, .cells = 100};
    CHECK(carom_voronoi_mesh(&nothing, &error) == NULL && strstr(error.text, "nothing in common"));
}

int main(void)
{
    check_box();
    check_round();
    check_holes();
    return check_end();
}
