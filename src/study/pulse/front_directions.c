/* Directions of a front, see front.h. In the plane they are sectors of one angle, the first about x; in
 * space the axes, or axes, diagonals of faces and diagonals of the cube. A body belongs to the nearest. */
#include "study/pulse/front.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"

#define TURN 6.28318530717958647693
#define AT 1e-6 /* nearer to the origin than this share of its radius a body lies in no direction */

enum { AXES = 6, CUBE = 26, SECTORS = 12, MOST_SECTORS = 360 };

static void make_sectors(struct carom_front *front, size_t count)
{
    front->ndirections = count;
    for (size_t k = 0; k < count; k++) {
        struct carom_front_direction *d = &front->direction[k];
        d->axis[0] = cos(TURN * (double)k / (double)count);
        d->axis[1] = sin(TURN * (double)k / (double)count);
        snprintf(d->name, sizeof d->name, "%.4g deg", 360.0 * (double)k / (double)count);
    }
}

/* axes first, then diagonals of faces, then those of the cube */
static void make_cube(struct carom_front *front, size_t count)
{
    for (int ones = 1; ones <= 3; ones++)
        for (int k = 0; k < 27 && front->ndirections < count; k++) {
            const int x = k / 9 - 1, y = k / 3 % 3 - 1, z = k % 3 - 1;
            if (abs(x) + abs(y) + abs(z) != ones)
                continue;
            struct carom_front_direction *d = &front->direction[front->ndirections++];
            const double length = sqrt((double)ones);
            d->axis[0] = (double)x / length;
            d->axis[1] = (double)y / length;
            d->axis[2] = (double)z / length;
            snprintf(d->name, sizeof d->name, "%d,%d,%d", x, y, z);
        }
}

static enum carom_status count_of(const struct carom_front *front, const struct carom_front_request *request,
                                  size_t *count, struct carom_error *error)
{
    const bool plane = front->dimension == 2;
    *count = request->sectors > 0 ? request->sectors : plane ? SECTORS : CUBE;
    if (plane && *count > MOST_SECTORS)
        return carom_error_set(error, CAROM_E_USAGE, "--sectors %zu: at most %d", *count, MOST_SECTORS);
    if (!plane && *count != AXES && *count != CUBE)
        return carom_error_set(error, CAROM_E_USAGE,
                               "--sectors %zu: space has 6 (along axes) or 26 (and along diagonals)", *count);
    return CAROM_OK;
}

static size_t nearest(const struct carom_front *front, const double way[3])
{
    size_t best = 0;
    double most = -HUGE_VAL;
    for (size_t k = 0; k < front->ndirections; k++) {
        const double along = carom_vec_dot(way, front->direction[k].axis);
        if (along > most * (1.0 + 1e-12)) { /* what lies between two goes to the first, on every machine */
            most = along;
            best = k;
        }
    }
    return best;
}

/* how far along the ray a body lies that the ray goes through */
static double way_along(const double way[3], const double axis[3], double distance, double radius)
{
    const double along = carom_vec_dot(way, axis);
    const double aside = distance * distance - along * along;
    return along >= -AT * radius && aside < 0.998 * radius * radius ? along : nan("");
}

static void place_body(struct carom_front *front, const struct carom_grains *grains, const double *ray,
                       struct carom_front_body *body)
{
    double way[3];
    carom_grains_way(grains, body->place, front->origin, way);
    body->distance = carom_vec_norm(way);
    body->way = ray != NULL ? way_along(way, ray, body->distance, body->radius) : nan("");
    body->direction = body->moves || body->distance < AT * body->radius ? SIZE_MAX : nearest(front, way);
    if (body->direction < SIZE_MAX)
        front->direction[body->direction].bodies++;
    front->nray += isnan(body->way) ? 0 : 1;
}

struct on_ray {
    double way;
    size_t body;
};

static int by_way(const void *a, const void *b)
{
    const struct on_ray *x = a, *y = b;
    return x->way != y->way ? (x->way > y->way) - (x->way < y->way) : (x->body > y->body) - (x->body < y->body);
}

static enum carom_status list_ray(struct carom_front *front, struct carom_error *error)
{
    struct on_ray *list = carom_memory_zeroed(front->nray, sizeof *list);
    front->ray = carom_memory_zeroed(front->nray, sizeof *front->ray);
    if (list == NULL || front->ray == NULL) {
        carom_memory_free(list);
        return carom_memory_error_for(error, "the directions of a front");
    }
    for (size_t i = 0, k = 0; i < front->n; i++)
        if (!isnan(front->at[i].way))
            list[k++] = (struct on_ray){front->at[i].way, i};
    qsort(list, front->nray, sizeof *list, by_way);
    for (size_t k = 0; k < front->nray; k++)
        front->ray[k] = list[k].body;
    carom_memory_free(list);
    return CAROM_OK;
}

enum carom_status carom_front_directions_make(struct carom_front *front, const struct carom_front_request *request,
                                              const struct carom_grains *grains, struct carom_error *error)
{
    size_t count;
    const enum carom_status status = count_of(front, request, &count, error);
    if (status != CAROM_OK)
        return status;
    front->direction = carom_memory_zeroed(count, sizeof *front->direction);
    if (front->direction == NULL)
        return carom_memory_error_for(error, "the directions of a front");
    if (front->dimension == 2)
        make_sectors(front, count);
    else
        make_cube(front, count);
    const double length = carom_vec_norm(request->along);
    double ray[3];
    for (size_t k = 0; k < 3; k++)
        ray[k] = length > 0.0 ? request->along[k] / length : 0.0;
    for (size_t i = 0; i < front->n; i++)
        place_body(front, grains, length > 0.0 ? ray : NULL, &front->at[i]);
    return front->nray > 0 ? list_ray(front, error) : CAROM_OK;
}

/* --- fits -------------------------------------------------------------------------------------------------------- */

/* the straight line through points (x, y) by least squares */
struct line {
    double n, x, y, xx, xy, yy;
};

static void add(struct line *line, double x, double y)
{
    line->n += 1.0;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
    line->yy += y * y;
}

static double slope_of(const struct line *line)
{
    const double spread = line->n * line->xx - line->x * line->x;
    return line->n > 2.0 && spread > 1e-12 * line->n * line->xx ? (line->n * line->xy - line->x * line->y) / spread
                                                                : nan("");
}

/* Does the line account for at least half of how the y scatter? */
static bool is_straight(const struct line *line)
{
    const double xy = line->n * line->xy - line->x * line->y, xx = line->n * line->xx - line->x * line->x;
    return xy * xy >= 0.5 * xx * (line->n * line->yy - line->y * line->y);
}

void carom_front_directions_fit(struct carom_front *front)
{
    for (size_t k = 0; k < front->ndirections; k++) {
        struct carom_front_direction *d = &front->direction[k];
        struct line arrivals = {0}, peaks = {0};
        for (size_t i = 0; i < front->n; i++) {
            const struct carom_front_body *body = &front->at[i];
            if (body->direction != k || isnan(body->arrival))
                continue;
            d->reached++;
            d->farthest = fmax(d->farthest, body->distance);
            if (body->cut)
                continue;
            add(&arrivals, body->distance, body->arrival - front->begun);
            add(&peaks, log(body->distance), -log(body->peak));
        }
        const double slowness = slope_of(&arrivals);
        d->crooked = !isnan(slowness) && !is_straight(&arrivals);
        d->speed = slowness > 0.0 && !d->crooked ? 1.0 / slowness : nan("");
        d->decay = slope_of(&peaks);
    }
}
