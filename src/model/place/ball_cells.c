/* Balls in a region, see ball_cells.h. */
#include "model/place/ball_cells.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"

/* --- the region -------------------------------------------------------------------------------------------------- */

/* is there a flat wall at both ends of this axis? */
static bool has_faces(const struct carom_ball_cells *c, size_t k)
{
    const enum carom_surface surface = c->region->surface;
    return k < c->dimension && !c->region->periodic[k] &&
           (surface == CAROM_BOX || (surface == CAROM_CYLINDER && k == 2));
}

/* how many axes the curved wall goes round: none, two or all */
static size_t round_axes(const struct carom_ball_cells *c)
{
    const enum carom_surface surface = c->region->surface;
    return surface == CAROM_BALL ? c->dimension : surface == CAROM_CYLINDER ? 2 : 0;
}

static double round_radius(const struct carom_ball_cells *c)
{
    return c->region->surface == CAROM_BALL ? c->region->radius : c->region->size[0];
}

static void measure(struct carom_ball_cells *c)
{
    double span = 0.0;
    for (size_t k = 0; k < 3; k++) {
        const bool round = k < round_axes(c);
        c->half[k] = k >= c->dimension ? 0.0 : round ? round_radius(c) : c->region->size[k];
        c->joined[k] = k < c->dimension && c->region->periodic[k] ? c->half[k] : HUGE_VAL;
        span += fabs(c->region->at[k]) + c->half[k];
    }
    c->margin = 64.0 * DBL_EPSILON * span;
}

enum carom_status carom_ball_cells_open(struct carom_ball_cells *c, size_t dimension,
                                        const struct carom_place_region *region,
                                        const struct carom_place_others *others, size_t n, const double *radius,
                                        struct carom_error *error)
{
    const size_t held = others ? others->nballs : 0, all = n + held;
    *c = (struct carom_ball_cells){.region = region, .others = others, .dimension = dimension, .n = n, .held = held};
    measure(c);
    c->x = carom_memory_zeroed(all, sizeof *c->x);
    c->radius = carom_memory_zeroed(all, sizeof *c->radius);
    c->next = carom_memory_zeroed(all, sizeof *c->next);
    if (!c->x || !c->radius || !c->next)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a packing of %zu balls", n);
    for (size_t i = 0; i < n; i++) {
        c->radius[i] = radius[i];
        c->largest = fmax(c->largest, radius[i]);
    }
    c->widest = c->largest;
    for (size_t i = 0; i < held; i++) {
        for (int k = 0; k < 3; k++)
            c->x[n + i][k] = others->centre[i][k] - region->at[k];
        carom_quat_turn_back(region->frame, c->x[n + i], c->x[n + i]);
        c->radius[n + i] = others->radius[i];
        c->widest = fmax(c->widest, c->radius[n + i]);
    }
    return CAROM_OK;
}

void carom_ball_cells_close(struct carom_ball_cells *c)
{
    carom_memory_free_all(c->x, c->radius, c->next, c->head);
    *c = (struct carom_ball_cells){0};
}

double carom_ball_cells_fraction(const struct carom_ball_cells *c, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        const struct carom_place_region ball = {.surface = CAROM_BALL, .radius = c->radius[i]};
        sum += carom_place_volume(c->dimension, &ball);
    }
    return sum / carom_place_volume(c->dimension, c->region);
}

double carom_ball_cells_inner(const struct carom_ball_cells *c, const double x[3], double radius, double push[3])
{
    double centre[3], pushed[3] = {0.0, 0.0, 0.0};
    if (!c->others)
        return HUGE_VAL;
    carom_quat_turn(c->region->frame, x, centre);
    for (int k = 0; k < 3; k++)
        centre[k] += c->region->at[k];
    const double gap = carom_place_others_walls(c->others, centre, radius, push ? pushed : NULL);
    carom_quat_turn_back(c->region->frame, pushed, pushed);
    for (int k = 0; push && k < 3; k++)
        push[k] += pushed[k];
    return gap;
}

double carom_ball_cells_walls(const struct carom_ball_cells *c, const double x[3], double radius, double push[3])
{
    const size_t round = round_axes(c);
    double least = HUGE_VAL, square = 0.0;
    for (size_t k = 0; k < c->dimension; k++) {
        if (!has_faces(c, k))
            continue;
        const double gap = c->half[k] - fabs(x[k]) - radius;
        least = fmin(least, gap);
        if (push && gap < 0.0)
            push[k] += copysign(gap, -x[k]);
    }
    for (size_t k = 0; k < round; k++)
        square += x[k] * x[k];
    if (round == 0)
        return least;
    const double way = sqrt(square), gap = round_radius(c) - way - radius;
    for (size_t k = 0; k < round && push && gap < 0.0 && way > 0.0; k++)
        push[k] += gap * x[k] / way;
    return fmin(least, gap);
}

void carom_ball_cells_draw(const struct carom_ball_cells *c, struct carom_random *random, double radius, double x[3])
{
    x[2] = 0.0;
    do {
        for (size_t k = 0; k < c->dimension; k++) {
            const bool joined = c->joined[k] < HUGE_VAL;
            const double way = joined ? c->half[k] : c->half[k] - radius - 2.0 * c->margin;
            x[k] = way * (2.0 * carom_random_uniform(random) - 1.0);
        }
    } while (!(carom_ball_cells_walls(c, x, radius, NULL) >= c->margin));
}

void carom_ball_cells_wrap(const struct carom_ball_cells *c, double x[3])
{
    for (int k = 0; k < 3; k++)
        if (c->joined[k] < HUGE_VAL)
            x[k] -= 2.0 * c->half[k] * floor((x[k] + c->half[k]) / (2.0 * c->half[k]));
}

void carom_ball_cells_tell(const struct carom_ball_cells *c, const uint32_t *was, double (*centre)[3])
{
    for (size_t i = 0; i < c->n; i++) {
        double *to = centre[was ? was[i] : i], x[3] = {c->x[i][0], c->x[i][1], c->x[i][2]};
        carom_ball_cells_wrap(c, x);
        carom_quat_turn(c->region->frame, x, to);
        for (int k = 0; k < 3; k++)
            to[k] += c->region->at[k];
    }
}

/* --- cells ------------------------------------------------------------------------------------------------------- */

/* as many cells as there are balls are enough, however small those are */
bool carom_ball_cells_clear(struct carom_ball_cells *c, double reach)
{
    const double most = 2.0 * (double)(c->n + c->held) + 64.0;
    double count;
    for (;; reach *= 1.25) {
        count = 1.0;
        for (size_t k = 0; k < 3; k++)
            count *= fmax(1.0, floor(2.0 * c->half[k] / reach));
        if (count <= most)
            break;
    }
    for (size_t k = 0; k < 3; k++) {
        c->cells[k] = (size_t)fmax(1.0, floor(2.0 * c->half[k] / reach));
        c->edge[k] = k < c->dimension ? 2.0 * c->half[k] / (double)c->cells[k] : 1.0;
    }
    const size_t need = (size_t)count;
    if (need > c->room) {
        if (!carom_memory_widen(&c->head, c->room, need, sizeof *c->head))
            return false;
        c->room = need;
    }
    memset(c->head, 0xff, need * sizeof *c->head); /* all of them none */
    for (size_t i = 0; i < c->held; i++)
        carom_ball_cells_enter(c, c->n + i);
    return true;
}

static size_t cell_along(const struct carom_ball_cells *c, const double x[3], size_t k)
{
    const double cell = floor((x[k] + c->half[k]) / c->edge[k]);
    return cell > 0.0 ? (size_t)fmin(cell, (double)(c->cells[k] - 1)) : 0;
}

void carom_ball_cells_enter(struct carom_ball_cells *c, size_t i)
{
    const double *x = c->x[i];
    const size_t cell = (cell_along(c, x, 2) * c->cells[1] + cell_along(c, x, 1)) * c->cells[0] + cell_along(c, x, 0);
    c->next[i] = c->head[cell];
    c->head[cell] = (uint32_t)i;
}

/* the cells beside one along an axis, each once */
static size_t beside(const struct carom_ball_cells *c, size_t k, size_t cell, size_t out[3])
{
    const size_t n = c->cells[k];
    const bool joined = c->joined[k] < HUGE_VAL;
    size_t count = 0;
    out[count++] = cell;
    if (cell > 0 || (joined && n > 2))
        out[count++] = cell > 0 ? cell - 1 : n - 1;
    if (cell + 1 < n || (joined && n > 2))
        out[count++] = cell + 1 < n ? cell + 1 : 0;
    return count;
}

size_t carom_ball_cells_around(const struct carom_ball_cells *c, const double x[3], size_t cell[27])
{
    size_t along[3][3], n[3], count = 0;
    for (size_t k = 0; k < 3; k++)
        n[k] = beside(c, k, cell_along(c, x, k), along[k]);
    for (size_t z = 0; z < n[2]; z++)
        for (size_t y = 0; y < n[1]; y++)
            for (size_t i = 0; i < n[0]; i++)
                cell[count++] = (along[2][z] * c->cells[1] + along[1][y]) * c->cells[0] + along[0][i];
    return count;
}

bool carom_ball_cells_sort(struct carom_ball_cells *c, uint32_t *was)
{
    const size_t all = c->n + c->held;
    double(*x)[3] = carom_memory_zeroed(all, sizeof *x), *radius = carom_memory_zeroed(all, sizeof *radius);
    if (!x || !radius || !carom_ball_cells_clear(c, 2.0 * c->largest)) {
        carom_memory_free_all(x, radius);
        return false;
    }
    for (size_t i = c->n; i-- > 0;)
        carom_ball_cells_enter(c, i);
    size_t count = 0;
    for (size_t cell = 0; cell < c->cells[0] * c->cells[1] * c->cells[2]; cell++)
        for (uint32_t i = c->head[cell]; i != CAROM_BALL_CELLS_NONE; i = c->next[i])
            if (i < c->n)
                was[count++] = i;
    for (size_t i = 0; i < c->n; i++) {
        memcpy(x[i], c->x[was[i]], sizeof x[i]);
        radius[i] = c->radius[was[i]];
    }
    for (size_t i = c->n; i < all; i++) {
        memcpy(x[i], c->x[i], sizeof x[i]);
        radius[i] = c->radius[i];
    }
    carom_memory_free_all(c->x, c->radius);
    c->x = x;
    c->radius = radius;
    return true;
}
