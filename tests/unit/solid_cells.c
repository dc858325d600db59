/* Bodies of Voronoi cells: Young's modulus and Poisson's ratio of a free bar, relaxed and as drawn; masses and inertia
 * of the whole; settling with clamps against the closed form; the same forces for any number of threads. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "solids.h"

static const double size[3] = {4.0, 1.0, 1.0};

/* the gradient of displacement component k over the middle half, fitted by least squares */
static void fit(const struct carom_solid *s, const double *q, size_t k, double slope[4])
{
    double a[4][5] = {{0.0}};
    for (size_t i = 0; i < s->n; i++) {
        const double *c = s->centre[i], w = carom_solid_sort_of(s, i)->volume, r[4] = {1.0, c[0], c[1], c[2]};
        if (c[0] < 0.25 * size[0] || c[0] > 0.75 * size[0])
            continue;
        for (int m = 0; m < 4; m++) {
            for (int n = 0; n < 4; n++)
                a[m][n] += w * r[m] * r[n];
            a[m][4] += w * r[m] * q[7 * i + k];
        }
    }
    for (int m = 0; m < 4; m++)
        for (int n = m + 1; n < 4; n++)
            for (int c = 4; c >= m; c--)
                a[n][c] -= a[n][m] / a[m][m] * a[m][c];
    for (int m = 3; m >= 0; m--) {
        slope[m] = a[m][4];
        for (int n = m + 1; n < 4; n++)
            slope[m] -= a[m][n] * slope[n];
        slope[m] /= a[m][m];
    }
}

static void pull(struct carom_solid *s, enum carom_solid_side side, double stress)
{
    uint32_t *face = carom_memory_zeroed(s->nfaces, sizeof *face);
    CHECK_OR_STOP(face != NULL);
    struct carom_solid_load load = {.push = CAROM_SOLID_TRACTION,
                                    .vector = {stress, 0.0, 0.0},
                                    .signal = {.shape = CAROM_SHAPE_CONSTANT, .amplitude = 1.0},
                                    .at = face};
    load.count = carom_solid_faces(s, side, 0, NULL, face);
    CHECK_STATUS(carom_solid_add_load(s, &load, NULL), CAROM_OK);
    carom_memory_free(face);
}

static void check_moduli(double nu, size_t cells, size_t relax, double off_e, double off_nu)
{
    const struct carom_solid_material m = {1.0, nu, 1.0};
    struct carom_error error = {CAROM_OK, ""};
    struct carom_solid *s = solid_voronoi(size, cells, relax, &m);
    double *q = solid_rest(s), along[4], wide[4], high[4];
    pull(s, CAROM_SOLID_LEFT, -1e-6);
    pull(s, CAROM_SOLID_RIGHT, 1e-6);
    CHECK_STATUS(carom_solid_settle(s, 0.0, 1e-9, q, NULL, NULL, &error), CAROM_OK);
    fit(s, q, 0, along);
    fit(s, q, 1, wide);
    fit(s, q, 2, high);
    const double e = 1e-6 / along[1] - 1.0, ratio = -0.5 * (wide[2] + high[3]) / along[1] - nu;
    printf("nu %g, %zu cells relaxed %zu times: E off by %+.4f %%, nu by %+.5f\n", nu, cells, relax, 100.0 * e, ratio);
    CHECK_NEAR(e, 0.0, off_e);
    CHECK_NEAR(ratio, 0.0, off_nu);
    carom_memory_free(q);
    carom_solid_free(s);
}

/* cells together weigh and turn as the box they fill */
static void check_mass(void)
{
    const struct carom_solid_material m = {1.0, 0.3, 2.5};
    struct carom_solid *s = solid_voronoi(size, 200, 2, &m);
    double mass = 0.0, about[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < s->n; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        mass += sort->mass;
        for (int k = 0; k < 3; k++) { /* the moment about axis k of the space through the middle of the box */
            double unit[3] = {0.0, 0.0, 0.0}, own[3];
            unit[k] = 1.0;
            carom_quat_turn_back(sort->frame, unit, own);
            for (int j = 0; j < 3; j++) {
                const double arm = j == k ? 0.0 : s->centre[i][j] - 0.5 * size[j];
                about[k] += sort->inertia[j] * own[j] * own[j] + sort->mass * arm * arm;
            }
        }
    }
    CHECK_NEAR(mass, 10.0, 1e-12);
    CHECK_NEAR(about[0], 10.0 * (1.0 + 1.0) / 12.0, 1e-11);
    CHECK_NEAR(about[1], 10.0 * (16.0 + 1.0) / 12.0, 1e-11);
    CHECK_NEAR(about[2], 10.0 * (16.0 + 1.0) / 12.0, 1e-11);
    carom_solid_free(s);
}

/* what sensors show of a linear field, of a turn, and outside the body; on a block and on a single row of cells */
static void check_sensors(void)
{
    const struct carom_solid_material m = {1.0, 0.3, 1.0};
    const double corner[3] = {4.0, 1.0, 1.0}, inside[3] = {1.1, 0.4, 0.7}, away[3] = {9.0, 0.0, 0.0},
                 thin[3] = {4.0, 0.2, 0.2};
    struct carom_error error = {CAROM_OK, ""};
    for (int row = 0; row < 2; row++) {
        struct carom_solid *s = solid_voronoi(row ? thin : size, row ? 20 : 200, 20, &m);
        double *q = solid_rest(s), u[3], v[3], exact[3];
        const double turn[4] = {cos(1.0), 0.6 * sin(1.0), 0.0, 0.8 * sin(1.0)}, *place = row ? thin : corner;
        CHECK_STATUS(carom_solid_add_sensor(s, "a", place, &error), CAROM_OK);
        CHECK_STATUS(carom_solid_add_sensor(s, "b", row ? thin : inside, &error), CAROM_OK);
        CHECK_STATUS(carom_solid_add_sensor(s, "c", away, &error), CAROM_E_INPUT);
        CHECK_CONTAINS(error.text, "sensor c stands outside the body");
        for (size_t i = 0; i < s->n; i++)
            for (size_t k = 0; k < 3; k++)
                q[7 * i + k] = 0.01 * (double)(k + 1) * s->centre[i][0] +
                               (row ? 0.0 : 0.02 * s->centre[i][1] - 0.03 * s->centre[i][2]);
        for (size_t n = 0; n < 2; n++) {
            const double *at = s->sensor[n].place;
            carom_solid_sense(s, &s->sensor[n], q, NULL, u, v);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(u[k], 0.01 * (k + 1) * at[0] + (row ? 0.0 : 0.02 * at[1] - 0.03 * at[2]),
                           row ? 1e-4 : 1e-12);
        }
        for (size_t i = 0; i < s->n; i++) {
            carom_quat_shift(turn, s->centre[i], q + 7 * i);
            memcpy(q + 7 * i + 3, turn, sizeof turn);
        }
        carom_solid_sense(s, &s->sensor[0], q, NULL, u, v);
        carom_quat_shift(turn, place, exact);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(u[k], exact[k], 1e-12);
        carom_memory_free(q);
        carom_solid_free(s);
    }
}

static void check_threads(void)
{
    const struct carom_solid_material m = {1.0, 0.3, 1.0};
    struct carom_solid *s = solid_voronoi(size, 6000, 0, &m);
    struct carom_threads *threads = carom_threads_create(3);
    double *q = solid_rest(s), *f = carom_memory_zeroed(12 * s->n, sizeof *f);
    CHECK_OR_STOP(f != NULL);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < 3; k++)
            q[7 * i + k] += 1e-3 * sin((double)(7 * i + k));
    solid_forces(s, NULL, 0.0, q, f, NULL);
    solid_forces(s, threads, 0.0, q, f + 6 * s->n, NULL);
    CHECK(memcmp(f, f + 6 * s->n, 6 * s->n * sizeof *f) == 0);
    carom_threads_free(threads);
    carom_memory_free(f);
    carom_memory_free(q);
    carom_solid_free(s);
}

int main(void)
{
    check_mass();
    check_sensors();
    check_threads();
    check_moduli(0.3, 600, 50, 2e-3, 1e-3);
    check_moduli(0.0, 300, 50, 1e-3, 1e-4);
    check_moduli(-0.5, 300, 50, 1e-3, 1e-3);
    check_moduli(0.45, 300, 50, 8e-3, 4e-3);
    check_moduli(0.3, 600, 0, 1.5e-2, 1e-2); /* as drawn: links are skew by 13 degrees on average */
    if (check_takes_all())
        check_moduli(0.3, 2500, 10, 3e-3, 1e-3); /* more cells than clusters */
    return check_end();
}
