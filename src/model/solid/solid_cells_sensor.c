/* Sensors of bodies of general cells: the plane of displacements that fits the nearest cells best, so that linear
 * fields come out exactly, also at the surface. Where the cells do not span space (a row or a layer of them) it is the
 * way from their weighed centre to the place that turns with them, and rigid motions come out exactly all the same. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "model/solid/solid.h"
#include "model/solid/solid_cells.h"
#include "solve/dense.h"

enum { MOST = 27 };

struct near {
    double square;
    uint32_t cell;
};

/* the nearest cells, nearest first; returns how many */
static size_t gather(const struct carom_solid *s, const double place[3], struct near near[MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++)
            square += (place[k] - s->centre[i][k]) * (place[k] - s->centre[i][k]);
        if (count == MOST && !(square < near[MOST - 1].square))
            continue;
        size_t at = count < MOST ? count++ : MOST - 1;
        for (; at > 0 && near[at - 1].square > square; at--)
            near[at] = near[at - 1];
        near[at] = (struct near){square, (uint32_t)i};
    }
    return count;
}

/* Weights w_i = v_i p_i . x with (sum v p p) x = p(place), p = (1, x, y, z) counted from the place: the right side is
 * the first unit vector. */
static void weigh(const struct carom_solid *s, const struct near *near, double reach, struct carom_solid_sensor *sensor)
{
    double a[16] = {0.0}, x[4] = {1.0, 0.0, 0.0, 0.0}, p[MOST][4], v[MOST], sum = 0.0;
    size_t order[4];
    for (size_t i = 0; i < sensor->count; i++) {
        const double part = 1.0 - near[i].square / (1.44 * reach * reach);
        v[i] = part * part;
        p[i][0] = 1.0;
        for (int k = 0; k < 3; k++)
            p[i][k + 1] = (s->centre[near[i].cell][k] - sensor->place[k]) / reach;
        for (int k = 0; k < 16; k++)
            a[k] += v[i] * p[i][k / 4] * p[i][k % 4];
    }
    carom_dense_solve(4, a, x, order, 1e-3);
    for (size_t i = 0; i < sensor->count; i++) {
        sensor->weight[i] = v[i] * (x[0] + x[1] * p[i][1] + x[2] * p[i][2] + x[3] * p[i][3]);
        sum += sensor->weight[i];
    }
    for (size_t i = 0; i < sensor->count; i++)
        sensor->weight[i] /= sum;
}

enum carom_status carom_solid_cells_sensor(const struct carom_solid *s, struct carom_solid_sensor *sensor,
                                           struct carom_error *error)
{
    struct near near[MOST];
    double rest[3];
    sensor->count = gather(s, sensor->place, near);
    const double *edge = carom_solid_sort_of(s, near[0].cell)->edge, size = fmax(edge[0], fmax(edge[1], edge[2]));
    if (!(sqrt(near[0].square) <= 1.5 * size))
        return carom_error_set(error, CAROM_E_INPUT,
                               "sensor %s stands outside the body: the nearest cell is %g away, and %g long",
                               sensor->name, sqrt(near[0].square), size);
    const double reach = fmax(sqrt(near[sensor->count - 1].square), size);
    weigh(s, near, reach, sensor);
    memcpy(rest, sensor->place, sizeof rest);
    for (size_t i = 0; i < sensor->count; i++) {
        sensor->cell[i] = near[i].cell;
        for (int k = 0; k < 3; k++)
            rest[k] -= sensor->weight[i] * s->centre[near[i].cell][k];
    }
    for (size_t i = 0; i < sensor->count; i++)
        memcpy(sensor->arm[i], rest, sizeof rest);
    return CAROM_OK;
}
