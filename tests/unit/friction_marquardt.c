/* Least squares of the natural map on what stalls other solvers: a cube on the floor, its four corners and those of a
 * side at a wall touching, pushed anyhow. Velocities before impulses are those of a motion, so that a solution is
 * there. */
#include "solve/contact/friction_marquardt.h"

#include "base/random.h"
#include "check.h"

enum { CONTACTS = 6, DIM = 3, WIDTH = CONTACTS * DIM };

/* rows of contact i: its normal and tangents at its point, of a cube of side 2 and mass 1 about its centre */
static void rows_of(size_t i, double row[DIM][6])
{
    static const double point[CONTACTS][3] = {{-1, -1, -1}, {1, -1, -1},  {1, 1, -1},
                                              {-1, 1, -1},  {-1, -1, -1}, {-1, 1, -1}};
    static const double axis[2][DIM][3] = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const double *p = point[i];
    for (size_t k = 0; k < DIM; k++) {
        const double *d = axis[i >= 4][k];
        const double moment[3] = {p[1] * d[2] - p[2] * d[1], p[2] * d[0] - p[0] * d[2], p[0] * d[1] - p[1] * d[0]};
        for (size_t l = 0; l < 3; l++) {
            row[k][l] = d[l];
            row[k][3 + l] = moment[l];
        }
    }
}

int main(void)
{
    struct carom_random random;
    struct carom_friction_marquardt room = {0};
    double h[CONTACTS][DIM][6], block[CONTACTS * CONTACTS * DIM * DIM] = {0.0};
    size_t first[CONTACTS + 1], column[CONTACTS * CONTACTS], solved = 0, cases = 300;
    for (size_t i = 0; i < CONTACTS; i++)
        rows_of(i, h[i]);
    for (size_t i = 0; i <= CONTACTS; i++)
        first[i] = i * CONTACTS;
    for (size_t e = 0; e < CONTACTS * CONTACTS; e++) {
        column[e] = e % CONTACTS;
        for (size_t k = 0; k < DIM * DIM; k++)
            for (size_t l = 0; l < 6; l++) /* the moment of inertia of the cube is 2/3 */
                block[e * DIM * DIM + k] +=
                    h[e / CONTACTS][k / DIM][l] * h[column[e]][k % DIM][l] * (l < 3 ? 1.0 : 1.5);
    }
    carom_random_start(&random, 7);
    for (size_t at = 0; at < cases; at++) {
        double b[WIDTH], mu[CONTACTS], r[WIDTH] = {0.0}, u[WIDTH], v[6];
        size_t iterations = 0;
        for (size_t l = 0; l < 6; l++)
            v[l] = carom_random_normal(&random);
        const double common = carom_random_uniform(&random);
        for (size_t k = 0; k < WIDTH; k++) {
            b[k] = 0.0;
            mu[k / DIM] = common;
            for (size_t l = 0; l < 6; l++)
                b[k] += h[k / DIM][k % DIM][l] * v[l];
        }
        const struct carom_friction_problem p = {
            .n = CONTACTS, .dim = DIM, .first = first, .column = column, .block = block, .b = b, .mu = mu};
        CHECK(carom_friction_marquardt_solve(&room, &p, 1e-10, r, &iterations));
        const double residual = carom_friction_residual(&p, r, u);
        solved += residual <= 1e-9;
        for (size_t i = 0; i < CONTACTS; i++)
            CHECK(r[i * DIM] >= 0.0);
    }
    printf("%zu of %zu solved\n", solved, cases);
    CHECK(solved == cases);
    carom_friction_marquardt_close(&room);
    CHECK_MAIN_END;
}
