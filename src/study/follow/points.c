/* Points of a solid by name, and their motion. What a sensor shows is the solid's business. */
#include "study/follow/points.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

void carom_points_free(struct carom_points *points)
{
    carom_memory_free(points->name);
    *points = (struct carom_points){0};
}

static size_t cell_of(const struct carom_solid *solid, size_t i)
{
    return solid->record != NULL ? solid->record[i] : i;
}

enum carom_status carom_points_open(struct carom_points *points, const struct carom_solid *solid, bool sensors,
                                    struct carom_error *error)
{
    const size_t cells = solid->record != NULL ? solid->nrecord : solid->n;
    *points = (struct carom_points){.count = sensors ? solid->nsensors : cells, .sensors = sensors};
    if (points->count == 0)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "the solid has no sensors and records no cells, so there is nothing to compare: give it "
                               "sensors, or choose cells by record: {cells: ...}");
    points->axes = (size_t)solid->dimension;
    points->name = carom_memory_zeroed(points->count, sizeof *points->name);
    if (points->name == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    for (size_t i = 0; i < points->count; i++)
        if (sensors)
            snprintf(points->name[i], sizeof points->name[i], "%s", solid->sensor[i].name);
        else
            snprintf(points->name[i], sizeof points->name[i], "%zu", cell_of(solid, i) + 1);
    return CAROM_OK;
}

void carom_points_see(const struct carom_points *points, const struct carom_solid *solid, const double *q,
                      const double *v, double *displacement, double *velocity)
{
    const size_t axes = points->axes;
    for (size_t i = 0; i < points->count; i++) {
        double u[3], rate[3];
        if (points->sensors) {
            carom_solid_sense(solid, &solid->sensor[i], q, v, u, rate);
        } else {
            memcpy(u, q + solid->wide * cell_of(solid, i), axes * sizeof *u);
            memcpy(rate, v + solid->fast * cell_of(solid, i), axes * sizeof *rate);
        }
        memcpy(displacement + axes * i, u, axes * sizeof *u);
        memcpy(velocity + axes * i, rate, axes * sizeof *rate);
    }
}

bool carom_points_agree(const struct carom_points *a, const struct carom_points *b)
{
    if (a->count != b->count || a->axes != b->axes || a->sensors != b->sensors)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->name[i], b->name[i]) != 0)
            return false;
    return true;
}

const char *carom_points_axis(const struct carom_points *points, size_t i)
{
    static const char *const axes[] = {"x", "y", "z"};
    return points->axes > 0 ? axes[i % points->axes] : "";
}
