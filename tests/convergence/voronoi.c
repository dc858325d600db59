/* Refinement on relaxed Voronoi cells: a cube under its weight, held up by a uniform traction on one side, against the
 * exact solution of elasticity, up to a rigid motion. On lattices errors fall with the square of the cells' size; here
 * it is the power 1.5 to 1.8, as every cell is off in its own way. */
#include <math.h>
#include <string.h>

#include "solids.h"
#include "solve/dense.h"

#define PULL 1e-6 /* gravity times density over Young's modulus, for a cube of 1 */

/* displacement of the rod that hangs from x = 0, and the six rigid motions, at a place */
static void exact(double nu, const double x[3], double u[3], double rigid[6][3])
{
    const double modes[6][3] = {{1.0, 0.0, 0.0},    {0.0, 1.0, 0.0},    {0.0, 0.0, 1.0},
                                {0.0, -x[2], x[1]}, {x[2], 0.0, -x[0]}, {-x[1], x[0], 0.0}};
    u[0] = PULL * (x[0] - 0.5 * x[0] * x[0] - 0.5 * nu * (x[1] * x[1] + x[2] * x[2]));
    u[1] = -PULL * nu * (1.0 - x[0]) * x[1];
    u[2] = -PULL * nu * (1.0 - x[0]) * x[2];
    memcpy(rigid, modes, sizeof modes);
}

/* the root of the mean square of what is left after the rigid motion that fits best, over the largest displacement */
static double distance(const struct carom_solid *s, const double *q, double nu)
{
    double a[36] = {0.0}, b[6] = {0.0}, sum = 0.0, whole = 0.0;
    size_t order[6];
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < s->n; i++) {
            double u[3], rigid[6][3];
            const double v = carom_solid_sort_of(s, i)->volume;
            exact(nu, s->centre[i], u, rigid);
            for (size_t k = 0; k < 3; k++) {
                double off = q[7 * i + k] - u[k];
                for (int m = 0; m < 6; m++) {
                    if (pass == 1)
                        off -= b[m] * rigid[m][k];
                    for (int n = 0; n < 6 && pass == 0; n++)
                        a[6 * m + n] += v * rigid[m][k] * rigid[n][k];
                }
                for (int m = 0; m < 6 && pass == 0; m++)
                    b[m] += v * rigid[m][k] * off;
                sum += pass == 1 ? v * off * off : 0.0;
            }
            whole += pass == 1 ? v : 0.0;
        }
        if (pass == 0)
            carom_dense_solve(6, a, b, order, 0.0);
    }
    return sqrt(sum / whole) / (0.5 * PULL);
}

static double error_of(size_t cells, double nu)
{
    const struct carom_solid_material m = {1.0, nu, 1.0};
    const double size[3] = {1.0, 1.0, 1.0};
    struct carom_error error = {CAROM_OK, ""};
    struct carom_solid *s = solid_voronoi(size, cells, 50, &m);
    uint32_t *face = carom_memory_zeroed(s->nfaces, sizeof *face);
    double *q = solid_rest(s);
    CHECK_OR_STOP(face != NULL);
    struct carom_solid_load load = {.push = CAROM_SOLID_TRACTION,
                                    .vector = {-PULL, 0.0, 0.0},
                                    .signal = {.shape = CAROM_SHAPE_CONSTANT, .amplitude = 1.0},
                                    .at = face};
    load.count = carom_solid_faces(s, CAROM_SOLID_LEFT, 0, NULL, face);
    CHECK_STATUS(carom_solid_add_load(s, &load, NULL), CAROM_OK);
    s->gravity[0] = PULL;
    CHECK_STATUS(carom_solid_settle(s, 0.0, 1e-9, q, NULL, NULL, &error), CAROM_OK);
    for (size_t i = 0; i < s->n; i++) /* the axis of the solution goes through the middle */
        for (int k = 1; k < 3; k++)
            s->centre[i][k] -= 0.5;
    const double off = distance(s, q, nu);
    carom_memory_free(q);
    carom_memory_free(face);
    carom_solid_free(s);
    return off;
}

int main(void)
{
    static const double ratios[2] = {0.0, 0.25};
    for (int i = 0; i < 2; i++) {
        const double coarse = error_of(64, ratios[i]), fine = error_of(512, ratios[i]), order = log2(coarse / fine);
        printf("nu %g: 64 cells %.4f %%, 512 cells %.4f %%, order %.2f\n", ratios[i], 100.0 * coarse, 100.0 * fine,
               order);
        CHECK(fine < 2e-3);
        CHECK(order > 1.4 && order < 2.2);
    }
    return check_end();
}
