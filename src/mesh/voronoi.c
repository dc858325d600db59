/* Points of a Voronoi body: drawn at random, put in order, moved to the centres of their cells. Between flat sides the
 * cells are exact; at round ones every point has an image behind the surface, so that its cell ends in the plane that
 * touches the surface next to it, and neighbours agree about the face they share. */
#include "mesh/voronoi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "mesh/voronoi_cells.h"

static const char what[] = "Voronoi cells";

#define REACH 3.0   /* how deep below a round side points have images, in spacings */
#define CELLS 4e8   /* numbers of cells have 32 bits */
#define MISSES 1000 /* a region that takes less than one in so many of the points in the box around it is lost */

/* --- points ---------------------------------------------------------------------------------------------------- */

/* denser where cells are to be smaller: kept with the chance (smallest / own spacing)^3 */
static enum carom_status draw(struct carom_voronoi_body *b, uint64_t seed, struct carom_error *error)
{
    struct carom_random random;
    double finest = 1.0, tries = 0.0, hits = 0.0, volume = 1.0;
    carom_random_start(&random, seed);
    for (size_t i = 0; i < b->region->nfine; i++)
        finest = fmin(finest, b->region->fine[i].times);
    for (size_t i = 0; i < b->n; tries += 1.0) {
        double place[3];
        for (int k = 0; k < 3; k++)
            place[k] = b->low[k] + carom_random_uniform(&random) * (b->high[k] - b->low[k]);
        const double share = finest / carom_outline_spacing(b->region, place), chance = carom_random_uniform(&random);
        if (tries > 1e4 && tries > MISSES * (double)(i + 1) / (finest * finest * finest))
            return carom_error_set(
                error, CAROM_E_INPUT,
                "the region is empty, or nearly so: of %.3g places in the box around it %zu lie in it", tries, i);
        if (!carom_outline_holds(b->region, place))
            continue;
        hits += share * share * share;
        if (chance < share * share * share)
            memcpy(b->point[i++], place, sizeof place);
    }
    for (int k = 0; k < 3; k++)
        volume *= (b->high[k] - b->low[k]) / finest;
    b->spacing = carom_voronoi_cut_root(volume * hits / tries / (double)b->n);
    return CAROM_OK;
}

/* --- order ----------------------------------------------------------------------------------------------------- */

/* Layers across the longest axis, rows in them: neighbours have numbers that are near, and nobody is linked to a
 * number far away, which threads would have to look for. */
struct ticket {
    uint32_t layer, row, who;
    double along;
};

static int compare_tickets(const void *a, const void *b)
{
    const struct ticket *x = a, *y = b;
    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->along != y->along)
        return x->along < y->along ? -1 : 1;
    return x->who < y->who ? -1 : x->who > y->who;
}

static void sort_axes(const struct carom_voronoi_body *b, int axis[3])
{
    for (int k = 0; k < 3; k++)
        axis[k] = k;
    for (int k = 0; k < 2; k++)
        for (int j = k + 1; j < 3; j++)
            if (b->high[axis[j]] - b->low[axis[j]] > b->high[axis[k]] - b->low[axis[k]]) {
                const int kept = axis[k];
                axis[k] = axis[j];
                axis[j] = kept;
            }
}

static bool put_in_order(struct carom_voronoi_body *b)
{
    struct ticket *ticket = carom_memory_zeroed(b->n, sizeof *ticket);
    double(*point)[3] = carom_memory_zeroed(b->n + b->room, sizeof *point);
    int axis[3];
    if (!ticket || !point) {
        carom_memory_free_all(ticket, point);
        return false;
    }
    sort_axes(b, axis);
    for (size_t i = 0; i < b->n; i++) {
        const double *p = b->point[i];
        ticket[i] = (struct ticket){(uint32_t)((p[axis[0]] - b->low[axis[0]]) / b->layer),
                                    (uint32_t)((p[axis[1]] - b->low[axis[1]]) / b->layer), (uint32_t)i, p[axis[2]]};
    }
    qsort(ticket, b->n, sizeof *ticket, compare_tickets);
    for (size_t i = 0; i < b->n; i++)
        memcpy(point[i], b->point[ticket[i].who], sizeof point[i]);
    carom_memory_free_all(ticket, b->point);
    b->point = point;
    return true;
}

/* --- images ---------------------------------------------------------------------------------------------------- */

static double local_spacing(const struct carom_voronoi_body *b, const double place[3])
{
    return b->spacing * carom_outline_spacing(b->region, place);
}

static bool add_image(struct carom_voronoi_body *b, const struct carom_outline_shape *shape, bool hole, size_t i)
{
    double image[3], reach = REACH * local_spacing(b, b->point[i]);
    uint32_t side;
    if (hole && shape->kind == CAROM_OUTLINE_BOX)
        reach = fmin(reach, 0.5 * fmin(shape->size[0], fmin(shape->size[1], shape->size[2])));
    else if (hole) /* an image must not come out on the other side */
        reach = fmin(reach, fmin(shape->radius, shape->height > 0.0 ? 0.5 * shape->height : HUGE_VAL));
    if (!carom_outline_mirror(shape, hole, reach, b->point[i], image, &side))
        return true;
    if (b->nimages == b->room) {
        const size_t room = 2 * b->room + 1024;
        if (!carom_memory_widen(&b->point, b->n + b->room, b->n + room, sizeof *b->point) ||
            !carom_memory_widen(&b->side, b->room, room, sizeof *b->side))
            return false;
        b->room = room;
    }
    b->side[b->nimages] = side;
    memcpy(b->point[b->n + b->nimages++], image, sizeof image);
    return true;
}

static bool add_images(struct carom_voronoi_body *b)
{
    bool good = true;
    b->nimages = 0;
    for (size_t i = 0; i < b->n && good; i++) {
        for (size_t s = 0; s < b->region->nshapes && good; s++)
            good = add_image(b, &b->region->shape[s], false, i);
        for (size_t h = 0; h < b->region->nholes && good; h++)
            good = add_image(b, &b->region->hole[h], true, i);
    }
    return good;
}

/* --- cells ----------------------------------------------------------------------------------------------------- */

static enum carom_status open_cut(struct carom_voronoi_body *b, struct carom_error *error)
{
    if (!add_images(b))
        return carom_memory_error_for(error, what);
    b->cut = (struct carom_voronoi_cut){
        .n = b->n + b->nimages, .point = (const double(*)[3])b->point, .nwalls = b->nwalls, .wall = b->wall};
    memcpy(b->cut.around[0], b->low, sizeof b->low);
    memcpy(b->cut.around[1], b->high, sizeof b->high);
    return carom_voronoi_cut_open(&b->cut) ? CAROM_OK : carom_memory_error_for(error, what);
}

static enum carom_status relax(struct carom_voronoi_body *b, struct carom_error *error)
{
    double(*moved)[3] = carom_memory_zeroed(b->n, sizeof *moved);
    enum carom_status status = moved ? open_cut(b, error) : carom_memory_error_for(error, what);
    if (status == CAROM_OK)
        status = carom_voronoi_cells_centres(b, moved, error);
    if (status == CAROM_OK)
        memcpy(b->point, moved, b->n * sizeof *moved);
    carom_voronoi_cut_close(&b->cut);
    carom_memory_free(moved);
    return status;
}

static enum carom_status list_walls(struct carom_voronoi_body *b, struct carom_error *error)
{
    b->wall = carom_memory_zeroed(CAROM_OUTLINE_WALLS * b->region->nshapes, sizeof *b->wall);
    if (!b->wall)
        return carom_memory_error_for(error, what);
    for (size_t s = 0; s < b->region->nshapes; s++)
        b->nwalls += carom_outline_walls(&b->region->shape[s], b->wall + b->nwalls);
    if (!carom_outline_bounds(b->region, b->low, b->high))
        return carom_error_set(error, CAROM_E_INPUT, "the shapes of the region have nothing in common");
    return CAROM_OK;
}

/* what is smaller than its cells cannot be told from their roughness */
static enum carom_status check_holes(const struct carom_voronoi_body *b, struct carom_error *error)
{
    for (size_t h = 0; h < b->region->nholes; h++) {
        const struct carom_outline_shape *s = &b->region->hole[h];
        const double across = s->kind == CAROM_OUTLINE_BOX
                                  ? fmin(s->size[0], fmin(s->size[1], s->size[2]))
                                  : fmin(2.0 * s->radius, s->height > 0.0 ? s->height : HUGE_VAL);
        const double cell = local_spacing(b, s->origin);
        if (across < 2.0 * cell)
            return carom_error_set(
                error, CAROM_E_INPUT,
                "hole %zu is %.3g across and a cell %.3g: it needs cells half its size at least, hence more of them",
                h + 1, across, cell);
    }
    return CAROM_OK;
}

static void close_body(struct carom_voronoi_body *b)
{
    carom_voronoi_cut_close(&b->cut);
    carom_memory_free_all(b->point, b->side, b->wall);
}

static enum carom_status make_points(struct carom_voronoi_body *b, const struct carom_voronoi *wish,
                                     struct carom_error *error)
{
    if (!(wish->cells >= 1) || (double)wish->cells > CELLS)
        return carom_error_set(error, CAROM_E_INPUT, "a body has 1 to 4e8 cells, not %zu", wish->cells);
    b->point = carom_memory_zeroed(b->n, sizeof *b->point);
    enum carom_status status = b->point ? list_walls(b, error) : carom_memory_error_for(error, what);
    if (status == CAROM_OK)
        status = draw(b, wish->seed, error);
    if (status == CAROM_OK)
        status = check_holes(b, error);
    b->layer = 1.5 * b->spacing;
    for (size_t pass = 0; pass < wish->relax && status == CAROM_OK; pass++) {
        if (!carom_progress_go_on(wish->progress, (double)pass / (double)(wish->relax + 1)))
            return carom_error_set(error, CAROM_E_STOPPED, "stopped while cells were made");
        if (pass % 8 == 0 && !put_in_order(b))
            return carom_memory_error_for(error, what);
        status = relax(b, error);
    }
    return status == CAROM_OK && !put_in_order(b) ? carom_memory_error_for(error, what) : status;
}

struct carom_mesh *carom_voronoi_mesh(const struct carom_voronoi *wish, struct carom_error *error)
{
    struct carom_voronoi_body b = {.region = &wish->region, .n = wish->cells, .threads = wish->threads};
    enum carom_status status = make_points(&b, wish, error);
    if (status == CAROM_OK)
        status = open_cut(&b, error);
    struct carom_mesh *mesh = status == CAROM_OK ? carom_voronoi_cells_mesh(&b, error) : NULL;
    close_body(&b);
    return mesh;
}

struct carom_mesh *carom_voronoi_of_points(size_t n, const double (*point)[3], const struct carom_outline *region,
                                           struct carom_threads *threads, struct carom_error *error)
{
    struct carom_voronoi_body b = {.region = region, .n = n, .threads = threads};
    b.point = carom_memory_zeroed(n, sizeof *b.point);
    enum carom_status status = b.point && n > 0 ? list_walls(&b, error) : carom_memory_error_for(error, what);
    double volume = 1.0;
    if (status == CAROM_OK) {
        memcpy(b.point, point, n * sizeof *point);
        for (int k = 0; k < 3; k++)
            volume *= b.high[k] - b.low[k];
        b.spacing = carom_voronoi_cut_root(volume / (double)n);
        status = open_cut(&b, error);
    }
    struct carom_mesh *mesh = status == CAROM_OK ? carom_voronoi_cells_mesh(&b, error) : NULL;
    close_body(&b);
    return mesh;
}
