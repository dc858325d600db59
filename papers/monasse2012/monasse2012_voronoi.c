/* Refinement on relaxed Voronoi cells: a cube under its weight, held up by a uniform traction on one side, against the
 * exact solution of elasticity, up to a rigid motion. On lattices errors fall with the square of the cells' size; here
 * it is the power 1.5 to 1.8, as every cell is off in its own way. */
#include <math.h>
#include <string.h>

#include "carom/solid.h"
#include "monasse2012.h"
#include "solve/dense.h"

/* displacement of the rod that hangs from x = 0, stretched there by `pull`, gravity x density over Young's modulus,
 * and the six rigid motions, at a place */
static void exact(double pull, double nu, const double x[3], double u[3], double rigid[6][3])
{
    const double modes[6][3] = {{1.0, 0.0, 0.0},    {0.0, 1.0, 0.0},    {0.0, 0.0, 1.0},
                                {0.0, -x[2], x[1]}, {x[2], 0.0, -x[0]}, {-x[1], x[0], 0.0}};
    u[0] = pull * (x[0] - 0.5 * x[0] * x[0] - 0.5 * nu * (x[1] * x[1] + x[2] * x[2]));
    u[1] = -pull * nu * (1.0 - x[0]) * x[1];
    u[2] = -pull * nu * (1.0 - x[0]) * x[2];
    memcpy(rigid, modes, sizeof modes);
}

/* the root of the mean square of what is left after the rigid motion that fits best, over the largest displacement */
static double distance(const struct carom_solid *s, const double *q)
{
    const struct carom_solid_material *m = &s->material[0];
    const double pull = s->gravity[0] * m->density / m->young;
    double a[36] = {0.0}, b[6] = {0.0}, sum = 0.0, whole = 0.0;
    size_t order[6];
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < s->n; i++) {
            double u[3], rigid[6][3];
            const double v = s->sorts[s->sort[i]].volume;
            exact(pull, m->poisson, s->centre[i], u, rigid);
            for (size_t k = 0; k < 3; k++) {
                double off = q[7 * i + k] - u[k];
                for (int r = 0; r < 6; r++) {
                    if (pass == 1)
                        off -= b[r] * rigid[r][k];
                    for (int n = 0; n < 6 && pass == 0; n++)
                        a[6 * r + n] += v * rigid[r][k] * rigid[n][k];
                }
                for (int r = 0; r < 6 && pass == 0; r++)
                    b[r] += v * rigid[r][k] * off;
                sum += pass == 1 ? v * off * off : 0.0;
            }
            whole += pass == 1 ? v : 0.0;
        }
        if (pass == 0)
            carom_dense_solve(6, a, b, order, 0.0);
    }
    return sqrt(sum / whole) / (0.5 * pull);
}

static enum carom_status error_with(const struct carom_measuring *m, const char *cells, double *off,
                                    struct carom_error *error)
{
    char name[512];
    struct carom_scene *scene = carom_measures_scene(m, &cells, 1, name, error);
    if (scene == NULL)
        return error->status;
    const struct carom_solid *s = carom_solid_of(scene->model, NULL);
    enum carom_status status = CAROM_OK;
    if (s == NULL || !(s->gravity[0] > 0.0) || s->dimension != 3)
        status = carom_error_set(error, CAROM_E_REFUSED, "%s: the cube hangs along x, by its gravity", name);
    else
        *off = distance(s, scene->q);
    carom_scene_free(scene);
    return status;
}

/* the error with 512 cells, and the order from 64, with cells twice as large */
static enum carom_status hang(const struct carom_measuring *m, void *with, double *answer, struct carom_error *error)
{
    double coarse;
    (void)with;
    if (error_with(m, "bodies.1.solid.voronoi.cells=64", &coarse, error) != CAROM_OK ||
        error_with(m, "bodies.1.solid.voronoi.cells=512", &answer[0], error) != CAROM_OK)
        return error->status;
    answer[1] = log2(coarse / answer[0]);
    return CAROM_OK;
}

static enum carom_status measure_order(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return carom_measures_pick(m, "hang", hang, 2, 1, value, error);
}

static enum carom_status measure_error(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return carom_measures_pick(m, "hang", hang, 2, 0, value, error);
}

static const char *const keys[] = {"scene", "set", NULL};

const struct carom_measure carom_monasse2012_voronoi_list[] = {
    {"hanging_order", keys, measure_order},
    {"hanging_error", keys, measure_error},
    {NULL, NULL, NULL},
};
