/* Bodies of a run file, see run_grains.h. */
#include "record/run_grains.h"

#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "record/run_bodies.h"

#define PI 3.14159265358979323846

/* An item of the bodies, if it was recorded and is a vector for each. */
static const struct carom_run_item *item_of(const struct carom_run_grains *g, const char *path)
{
    const struct carom_run_item *item = carom_run_file_item(g->run, path);
    return item != NULL && (item->depth == 2 || item->depth == 3) && item->width == item->depth * g->grains.n ? item
                                                                                                              : NULL;
}

/* what never changes */
static enum carom_status take_bodies(struct carom_run_grains *g, const struct carom_run_bodies *b,
                                     struct carom_error *error)
{
    double depth = 0.0;
    if (b->volume == NULL || b->depth == NULL)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "the run file does not have the volumes of its bodies; run its scene anew");
    g->centre = carom_memory_zeroed(b->n, 3 * sizeof *g->centre);
    g->counts = carom_memory_zeroed(b->n, sizeof *g->counts);
    if (!carom_grains_reserve(&g->grains, b->n) || g->centre == NULL || g->counts == NULL)
        return carom_memory_error(error);
    memcpy(g->centre, b->centre, 3 * b->n * sizeof *g->centre);
    for (size_t i = 0; i < b->n; i++) {
        const bool ball = b->shape[i] == CAROM_BALL && b->inside[i] == 0;
        const bool cornered = b->shape[i] >= CAROM_CONVEX || b->shape[i] == CAROM_BOX;
        g->counts[i] = ball                                                ? CAROM_RUN_BALL
                       : cornered && b->inside[i] == 0 && b->mass[i] > 0.0 ? CAROM_RUN_CORNERED
                                                                           : CAROM_RUN_WALL;
        g->grains.mass[i] = b->mass[i];
        g->grains.radius[i] = ball ? b->radius[i] : 0.0;
        g->grains.volume[i] = ball ? b->volume[i] : 0.0;
        depth = b->inside[i] == 0 ? fmax(depth, b->depth[i]) : depth;
    }
    g->grains.depth = depth > 0.0 ? depth : 1.0;
    return CAROM_OK;
}

/* Others than balls take part in fields with their volume, as balls of that where it is a size that matters. */
static void measure_others(struct carom_run_grains *g, const struct carom_run_bodies *b)
{
    struct carom_grains *of = &g->grains;
    for (size_t i = 0; i < b->n; i++)
        if (g->counts[i] != CAROM_RUN_BALL && b->inside[i] == 0 && b->mass[i] > 0.0 && b->volume[i] > 0.0) {
            const double area = b->volume[i] / (b->depth[i] > 0.0 ? b->depth[i] : 1.0);
            of->volume[i] = b->volume[i];
            of->radius[i] = of->dimension == 2 ? sqrt(area / PI) : carom_power(0.75 * b->volume[i] / PI, 1.0 / 3.0);
        }
}

static enum carom_status find_items(struct carom_run_grains *g, struct carom_error *error)
{
    g->position = item_of(g, "particles/bodies/position");
    g->displacement = item_of(g, "particles/bodies/displacement");
    g->velocity = item_of(g, "particles/bodies/velocity");
    const struct carom_run_item *from = g->position != NULL ? g->position : g->displacement;
    if (from == NULL)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "the run has neither u nor position; add one of them to record: probes:");
    const size_t d = g->grains.dimension = from->depth, n = g->grains.n;
    if ((g->velocity != NULL && g->velocity->depth != d) || (g->run->touches.there && g->run->touches.dimension != d))
        return carom_error_set(error, CAROM_E_FILE, "its positions, velocities and contacts are not of one dimension");
    if (d == 3)
        g->grains.depth = 1.0;
    g->grains.bounded = carom_run_bodies_domain(g->run->file, d, g->grains.low, g->grains.high, g->grains.periodic);
    for (size_t k = 0; k < d && g->grains.bounded; k++)
        if (!(g->grains.high[k] > g->grains.low[k]) || !(g->grains.high[k] - g->grains.low[k] < HUGE_VAL))
            return carom_error_set(error, CAROM_E_FILE, "its domain has sides without a positive length");
    g->place = carom_memory_zeroed(n, d * sizeof *g->place);
    g->speed = carom_memory_zeroed(n, d * sizeof *g->speed);
    return g->place != NULL && g->speed != NULL ? CAROM_OK : carom_memory_error(error);
}

enum carom_status carom_run_grains_open(struct carom_run_grains *g, const struct carom_run_file *run,
                                        struct carom_error *error)
{
    struct carom_run_bodies bodies;
    *g = (struct carom_run_grains){.run = run};
    if (!run->listed)
        return carom_error_set(error, CAROM_E_REFUSED, "the run has no discs and spheres");
    enum carom_status status = carom_run_bodies_read(run->file, &bodies, error);
    if (status != CAROM_OK)
        return status;
    status = take_bodies(g, &bodies, error);
    if (status == CAROM_OK)
        status = find_items(g, error);
    if (status == CAROM_OK)
        measure_others(g, &bodies);
    carom_run_bodies_free(&bodies);
    if (status != CAROM_OK)
        carom_run_grains_close(g);
    return status;
}

void carom_run_grains_close(struct carom_run_grains *g)
{
    carom_grains_close(&g->grains);
    carom_memory_free_all(g->place, g->speed, g->centre, g->counts, g->touch);
    *g = (struct carom_run_grains){0};
}

static enum carom_status read_touches(struct carom_run_grains *g, uint64_t row, struct carom_error *error)
{
    uint64_t first, count;
    const enum carom_status status = carom_run_file_touching(g->run, row, &first, &count, error);
    if (status != CAROM_OK)
        return status;
    if (count > g->room) {
        carom_memory_free(g->touch);
        g->room = (size_t)(count + count / 4 + 16);
        if ((g->touch = carom_memory_zeroed(g->room, sizeof *g->touch)) == NULL)
            return g->room = 0, carom_memory_error(error);
    }
    g->moment.ntouches = (size_t)count;
    return count > 0 ? carom_run_file_touches(g->run, first, count, g->touch, error) : CAROM_OK;
}

/* displacements count from the centres at the start and are not wrapped */
static void make_places(struct carom_run_grains *g)
{
    const size_t d = g->grains.dimension;
    for (size_t j = 0; j < d * g->grains.n; j++) {
        const size_t k = j % d;
        const double side = g->grains.high[k] - g->grains.low[k];
        g->place[j] += g->centre[3 * (j / d) + k];
        if (g->grains.periodic[k])
            g->place[j] -= side * floor((g->place[j] - g->grains.low[k]) / side);
    }
}

static enum carom_status read_places(struct carom_run_grains *g, uint64_t row, struct carom_error *error)
{
    const struct carom_run_item *from = g->position != NULL ? g->position : g->displacement;
    const enum carom_status status = carom_run_file_read(g->run, from, row, 1, g->place, error);
    if (status == CAROM_OK && g->position == NULL)
        make_places(g);
    return status;
}

enum carom_status carom_run_grains_read(struct carom_run_grains *g, uint64_t row, struct carom_error *error)
{
    enum carom_status status = carom_run_file_times(g->run, row, 1, &g->time, error);
    if (status == CAROM_OK)
        status = read_places(g, row, error);
    if (status == CAROM_OK && g->velocity != NULL)
        status = carom_run_file_read(g->run, g->velocity, row, 1, g->speed, error);
    g->moment.ntouches = 0;
    if (status == CAROM_OK && g->run->touches.there)
        status = read_touches(g, row, error);
    if (status != CAROM_OK)
        return status;
    g->moment.place = g->place;
    g->moment.velocity = g->velocity != NULL ? g->speed : NULL;
    g->moment.touch = g->touch;
    return CAROM_OK;
}

enum carom_status carom_run_grains_bounds(struct carom_run_grains *g, uint64_t stride, double low[3], double high[3],
                                          struct carom_error *error)
{
    const struct carom_grains *of = &g->grains;
    const size_t d = of->dimension;
    for (size_t k = 0; k < 3; k++) {
        low[k] = k < d ? HUGE_VAL : 0.0;
        high[k] = k < d ? -HUGE_VAL : 0.0;
    }
    for (uint64_t row = 0; row < g->run->rows; row += stride) {
        const enum carom_status status = read_places(g, row, error);
        if (status != CAROM_OK)
            return status;
        for (size_t j = 0; j < d * of->n; j++)
            if (of->radius[j / d] > 0.0) {
                low[j % d] = fmin(low[j % d], g->place[j] - of->radius[j / d]);
                high[j % d] = fmax(high[j % d], g->place[j] + of->radius[j / d]);
            }
    }
    bool good = true;
    for (size_t k = 0; k < d; k++) {
        low[k] = of->periodic[k] ? of->low[k] : low[k];
        high[k] = of->periodic[k] ? of->high[k] : high[k];
        good = good && high[k] > low[k] && high[k] - low[k] < HUGE_VAL;
    }
    return good ? CAROM_OK
                : carom_error_set(error, CAROM_E_REFUSED, "the run has no bodies at places that are numbers");
}

static bool is_ball(const struct carom_run_grains *g, uint64_t number)
{
    return number - 1 < g->grains.n && g->counts[number - 1] == CAROM_RUN_BALL;
}

/* Is it another point of the same two bodies, which stand one after the other? A ball touches walls of a container at
 * one point each. */
static bool is_further_point(const struct carom_run_grains *g, size_t j)
{
    const struct carom_touch *touch = g->moment.touch;
    const uint64_t *pair = touch[j].pair, *last = j > 0 ? touch[j - 1].pair : NULL;
    return last && pair[0] == last[0] && pair[1] == last[1] && !is_ball(g, pair[0]) && !is_ball(g, pair[1]);
}

struct carom_run_coordination carom_run_grains_coordination(const struct carom_run_grains *g, size_t *ends)
{
    struct carom_run_coordination found = {0.0, 0, 0};
    const struct carom_grains_moment *m = &g->moment;
    size_t all = 0;
    memset(ends, 0, g->grains.n * sizeof *ends);
    for (size_t j = 0; j < m->ntouches; j++)
        for (int side = 0; side < 2 && !is_further_point(g, j); side++)
            if (m->touch[j].pair[side] - 1 < g->grains.n)
                ends[m->touch[j].pair[side] - 1]++;
    for (size_t i = 0; i < g->grains.n; i++) {
        const bool body = g->counts[i] != CAROM_RUN_WALL;
        found.bodies += body ? 1 : 0;
        found.alone += body && ends[i] == 0 ? 1 : 0;
        all += body ? ends[i] : 0;
    }
    found.mean = found.bodies > 0 ? (double)all / (double)found.bodies : 0.0;
    return found;
}
