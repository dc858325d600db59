/* Random packings, see packing.h: what is asked for is checked here, and loose packings are made, by random sequential
 * insertion: the largest ball first, each where it meets no other, as often as it takes. */
#include "model/place/packing.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/place/ball_cells.h"
#include "model/place/packing_dense.h"

enum { TRIES = 20000 }; /* of one ball */

/* --- checks ------------------------------------------------------------------------------------------------------ */

static bool is_turned(const struct carom_place_region *region)
{
    return region->frame[1] != 0.0 || region->frame[2] != 0.0 || region->frame[3] != 0.0;
}

static enum carom_status check_region(const struct carom_ball_cells *c, struct carom_error *error)
{
    const struct carom_place_region *region = c->region;
    for (size_t k = 0; k < c->dimension; k++)
        if (!(c->half[k] > 0.0 && c->half[k] < 1e100 && fabs(region->at[k]) < 1e100))
            return carom_error_set(error, CAROM_E_INPUT, "the region of a packing must have a size above 0, got %g",
                                   c->half[k]);
    for (size_t k = 0; k < c->dimension; k++) {
        if (!region->periodic[k])
            continue;
        if (region->surface != CAROM_BOX || is_turned(region))
            return carom_error_set(error, CAROM_E_INPUT,
                                   "only a box that is not turned can have sides that are joined");
        if (c->half[k] < 4.0 * c->largest)
            return carom_error_set(error, CAROM_E_INPUT,
                                   "a joined side must be four of the largest diameters long: %g or more, got %g",
                                   8.0 * c->largest, 2.0 * c->half[k]);
    }
    return CAROM_OK;
}

static enum carom_status check_balls(const struct carom_ball_cells *c, struct carom_error *error)
{
    for (size_t i = 0; i < c->n; i++)
        if (!(c->radius[i] > 0.0 && c->radius[i] < 1e100))
            return carom_error_set(error, CAROM_E_INPUT, "ball %zu of a packing: its radius must be positive, got %g",
                                   i + 1, c->radius[i]);
    const double middle[3] = {0.0, 0.0, 0.0};
    if (!(carom_ball_cells_walls(c, middle, c->largest, NULL) > 4.0 * c->margin))
        return carom_error_set(error, CAROM_E_INPUT, "a ball of radius %g has no room in the region of its packing",
                               c->largest);
    const double fraction = carom_ball_cells_fraction(c, c->n);
    if (!(fraction < 1.0))
        return carom_error_set(error, CAROM_E_INPUT, "%zu balls would fill %.4g of their region: it must be below 1",
                               c->n, fraction);
    return CAROM_OK;
}

/* --- loose ------------------------------------------------------------------------------------------------------- */

struct rank {
    double radius;
    uint32_t ball;
};

static int larger_first(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    if (x->radius != y->radius)
        return x->radius > y->radius ? -1 : 1;
    return x->ball < y->ball ? -1 : 1;
}

static void rank_balls(struct carom_ball_cells *c, struct rank *rank, uint32_t *was)
{
    for (size_t i = 0; i < c->n; i++)
        rank[i] = (struct rank){c->radius[i], (uint32_t)i};
    qsort(rank, c->n, sizeof *rank, larger_first);
    for (size_t i = 0; i < c->n; i++) {
        was[i] = rank[i].ball;
        c->radius[i] = rank[i].radius;
    }
}

static bool is_free(const struct carom_ball_cells *c, const double x[3], double radius)
{
    size_t cell[27];
    const size_t n = carom_ball_cells_around(c, x, cell);
    for (size_t at = 0; at < n; at++)
        for (uint32_t j = c->head[cell[at]]; j != CAROM_BALL_CELLS_NONE; j = c->next[j]) {
            const double reach = radius + c->radius[j] + c->margin;
            double d[3];
            if (!(carom_ball_cells_apart(c, x, c->x[j], d) > reach * reach))
                return false;
        }
    return carom_ball_cells_inner(c, x, radius, NULL) >= c->margin;
}

static bool insert(struct carom_ball_cells *c, size_t i, struct carom_random *random)
{
    for (int tries = 0; tries < TRIES; tries++) {
        carom_ball_cells_draw(c, random, c->radius[i], c->x[i]);
        if (!is_free(c, c->x[i], c->radius[i]))
            continue;
        carom_ball_cells_enter(c, i);
        return true;
    }
    return false;
}

static enum carom_status place_loose(struct carom_ball_cells *c, struct carom_random *random, uint32_t *was,
                                     const struct carom_progress *progress, struct carom_error *error)
{
    struct rank *rank = carom_memory_zeroed(c->n, sizeof *rank);
    if (!rank || !carom_ball_cells_clear(c, c->largest + c->widest + c->margin)) {
        carom_memory_free(rank);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a packing of %zu balls", c->n);
    }
    rank_balls(c, rank, was);
    carom_memory_free(rank);
    for (size_t i = 0; i < c->n; i++) {
        if (!insert(c, i, random))
            return carom_error_set(error, CAROM_E_INPUT,
                                   "a loose packing of %zu balls would fill %.4g of its region, and random insertion "
                                   "came to %zu of them, %.4g: ask for less, or for a dense one",
                                   c->n, carom_ball_cells_fraction(c, c->n), i, carom_ball_cells_fraction(c, i));
        if (i % 64 == 0 && !carom_progress_go_on(progress, (double)i / (double)c->n))
            return carom_error_set(error, CAROM_E_STOPPED, "stopped while %zu balls were being packed", c->n);
    }
    return CAROM_OK;
}

/* --- either ------------------------------------------------------------------------------------------------------ */

static enum carom_status place_dense(struct carom_ball_cells *c, struct carom_random *random, uint32_t *was,
                                     const struct carom_progress *progress, struct carom_error *error)
{
    double reached;
    const enum carom_status status = carom_packing_dense(c, random, was, progress, &reached, error);
    if (status != CAROM_OK || !(reached < 1.0))
        return status;
    const double fraction = carom_ball_cells_fraction(c, c->n);
    const double share = reached * reached * (c->dimension == 2 ? 1.0 : reached);
    return carom_error_set(
        error, CAROM_E_INPUT,
        "a dense packing of %zu balls would fill %.4g of its region, and they jam: %.4g was reached; ask for less",
        c->n, fraction, share * fraction);
}

enum carom_status carom_packing_among(enum carom_packing kind, size_t dimension,
                                      const struct carom_place_region *region, const struct carom_place_others *others,
                                      size_t n, const double *radius, uint64_t seed,
                                      const struct carom_progress *progress, double (*centre)[3],
                                      struct carom_error *error)
{
    if (n >= CAROM_BALL_CELLS_NONE)
        return carom_error_set(error, CAROM_E_INPUT, "a packing has room for %u balls, not for %zu",
                               (unsigned)CAROM_BALL_CELLS_NONE - 1, n);
    if (n == 0)
        return CAROM_OK;
    struct carom_ball_cells balls;
    struct carom_random random;
    uint32_t *was = carom_memory_zeroed(n, sizeof *was);
    enum carom_status status = carom_ball_cells_open(&balls, dimension, region, others, n, radius, error);
    if (status == CAROM_OK && !was)
        status = carom_error_set(error, CAROM_E_MEMORY, "out of memory for a packing of %zu balls", n);
    if (status == CAROM_OK)
        status = check_region(&balls, error);
    if (status == CAROM_OK)
        status = check_balls(&balls, error);
    carom_random_start(&random, seed);
    if (status == CAROM_OK)
        status = (kind == CAROM_PACKING_LOOSE ? place_loose : place_dense)(&balls, &random, was, progress, error);
    if (status == CAROM_OK)
        carom_ball_cells_tell(&balls, was, centre);
    carom_ball_cells_close(&balls);
    carom_memory_free(was);
    return status;
}

enum carom_status carom_packing_place(enum carom_packing kind, size_t dimension,
                                      const struct carom_place_region *region, size_t n, const double *radius,
                                      uint64_t seed, const struct carom_progress *progress, double (*centre)[3],
                                      struct carom_error *error)
{
    return carom_packing_among(kind, dimension, region, NULL, n, radius, seed, progress, centre, error);
}
