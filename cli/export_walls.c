/* Walls for ParaView, see export.h. Every wall is a few lines or faces in axes of its own, drawn once; a sample
 * only turns and moves them. Planes, which have no end, are shown as far as the bodies of the start reach. */
#include "export.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "carom/bodies.h"

#define PI 3.14159265358979323846

enum { AROUND = 48, UP = 24, FACE = 4 }; /* pieces of a circle, and of a sphere from pole to pole */

struct cli_walls {
    const struct cli_source *from;
    const struct carom_run_bodies *of;
    bool moved;   /* places are displacements */
    size_t depth; /* of places */
    bool plane;
    double reach; /* half the size of what is endless */
    size_t ncells, room, corners;
    double *local; /* corners of all cells in the axes of the run's start, about the centre of their wall */
    double *point, *row, *turn;
    int64_t *corner, *end, *body;
    uint8_t *type;
    struct carom_vtu grid;
    struct carom_vtu_field field;
};

static bool is_wall(const struct carom_run_bodies *of, size_t i)
{
    return of->shape[i] != CAROM_BALL || of->inside[i] != 0;
}

/* --- shapes ------------------------------------------------------------------------------------------------------ */

/* One more cell of body i; without room it is only counted. Corners are in the wall's own axes. */
static void add(struct cli_walls *w, size_t i, const double (*corner)[3])
{
    for (size_t k = 0; w->ncells < w->room && k < w->corners; k++)
        carom_quat_turn(w->of->turn + 4 * i, corner[k], w->local + 3 * (w->corners * w->ncells + k));
    if (w->ncells < w->room)
        w->body[w->ncells] = (int64_t)i + 1;
    w->ncells++;
}

/* the patch between two points of an outline, drawn out along z in space: from `low` to `high` */
static void add_side(struct cli_walls *w, size_t i, const double a[2], const double b[2], double low, double high)
{
    add(w, i, (const double[FACE][3]){{a[0], a[1], low}, {b[0], b[1], low}, {b[0], b[1], high}, {a[0], a[1], high}});
}

static void draw_round(struct cli_walls *w, size_t i, double radius, double low, double high)
{
    for (int k = 0; k < AROUND; k++) {
        const double from = 2.0 * PI * k / AROUND, to = 2.0 * PI * (k + 1) / AROUND;
        add_side(w, i, (const double[2]){radius * cos(from), radius * sin(from)},
                 (const double[2]){radius * cos(to), radius * sin(to)}, low, high);
    }
}

static void draw_hollow_sphere(struct cli_walls *w, size_t i, double radius)
{
    for (int j = 0; j < UP; j++)
        for (int k = 0; k < AROUND; k++) {
            double corner[FACE][3];
            for (int c = 0; c < FACE; c++) {
                const double along = 2.0 * PI * (k + (c == 1 || c == 2)) / AROUND, down = PI * (j + (c >= 2)) / UP;
                corner[c][0] = radius * sin(down) * cos(along);
                corner[c][1] = radius * sin(down) * sin(along);
                corner[c][2] = radius * cos(down);
            }
            add(w, i, (const double(*)[3])corner);
        }
}

static void draw_box(struct cli_walls *w, size_t i)
{
    const double *s = w->of->size + 3 * i, x[4] = {-s[0], s[0], s[0], -s[0]}, y[4] = {-s[1], -s[1], s[1], s[1]};
    for (int k = 0; k < 4; k++)
        add_side(w, i, (const double[2]){x[k], y[k]}, (const double[2]){x[(k + 1) % 4], y[(k + 1) % 4]}, -s[2], s[2]);
    for (int side = -1; side <= 1 && !w->plane; side += 2) {
        const double z = side * s[2];
        add(w, i, (const double[FACE][3]){{x[0], y[0], z}, {x[1], y[1], z}, {x[2], y[2], z}, {x[3], y[3], z}});
    }
}

/* two directions across the normal, the first of them in the plane where there is no other */
static void draw_plane(struct cli_walls *w, size_t i)
{
    const double *n = w->of->normal + 3 * i, up[3] = {0.0, 0.0, 1.0}, aside[3] = {1.0, 0.0, 0.0};
    double across[3], other[3], corner[FACE][3];
    carom_vec_cross(fabs(n[2]) < 0.9 ? up : aside, n, across);
    const double length = carom_vec_norm(across);
    for (int k = 0; k < 3; k++)
        across[k] *= length > 0.0 ? w->reach / length : 0.0;
    carom_vec_cross(n, across, other);
    for (int k = 0; k < 3; k++) {
        const double second = w->plane ? 0.0 : other[k];
        corner[0][k] = -across[k] - second;
        corner[1][k] = across[k] - second;
        corner[2][k] = across[k] + second;
        corner[3][k] = second - across[k];
    }
    add(w, i, (const double(*)[3])corner);
}

/* triangles of polygons, polyhedra and compounds, as faces whose last corner comes twice */
static void draw_convex(struct cli_walls *w)
{
    const struct carom_run_bodies *of = w->of;
    for (size_t t = 0; t < of->ntriangles; t++) {
        double corner[FACE][3];
        for (size_t k = 0; k < FACE; k++)
            memcpy(corner[k], of->corner + 3 * of->triangle[3 * t + (k < 3 ? k : 2)], sizeof *corner);
        add(w, (size_t)of->corner_body[of->triangle[3 * t]], (const double(*)[3])corner);
    }
}

static void draw(struct cli_walls *w)
{
    w->ncells = 0;
    for (size_t i = 0; i < w->of->n; i++) {
        const double *size = w->of->size + 3 * i;
        if (!is_wall(w->of, i) || w->of->shape[i] >= CAROM_CONVEX)
            continue;
        if (w->of->shape[i] == CAROM_PLANE)
            draw_plane(w, i);
        else if (w->of->shape[i] == CAROM_BOX)
            draw_box(w, i);
        else if (w->of->shape[i] == CAROM_CYLINDER)
            draw_round(w, i, size[0], -size[2], size[2]);
        else if (w->plane)
            draw_round(w, i, w->of->radius[i], 0.0, 0.0);
        else
            draw_hollow_sphere(w, i, w->of->radius[i]);
    }
    draw_convex(w);
}

/* --- making ------------------------------------------------------------------------------------------------------ */

/* the longest side of the box that holds all balls at the start */
static double reach_of(const struct carom_run_bodies *of)
{
    double widest = 0.0;
    for (size_t k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < of->n; i++)
            if (!is_wall(of, i)) {
                low = fmin(low, of->centre[3 * i + k] - of->radius[i]);
                high = fmax(high, of->centre[3 * i + k] + of->radius[i]);
            }
        widest = fmax(widest, high - low);
    }
    return widest > 0.0 ? widest : 1.0;
}

static bool make_room(struct cli_walls *w)
{
    const size_t n = w->ncells, points = n * w->corners;
    w->room = n;
    return carom_memory_together(CAROM_ROOM(w->local, 3 * points), CAROM_ROOM(w->point, 3 * points),
                                 CAROM_ROOM(w->row, 4 * w->of->n), CAROM_ROOM(w->turn, 4 * w->of->n),
                                 CAROM_ROOM(w->corner, points), CAROM_ROOM(w->end, n), CAROM_ROOM(w->body, n),
                                 CAROM_ROOM(w->type, n));
}

struct cli_walls *cli_walls_create(const struct cli_source *from, const struct carom_run_bodies *bodies,
                                   struct carom_error *error)
{
    struct cli_walls *w = carom_memory_zeroed(1, sizeof *w);
    if (w == NULL)
        return carom_memory_error(error), NULL;
    *w = (struct cli_walls){.from = from, .of = bodies, .reach = reach_of(bodies)};
    w->moved = from->depth[CLI_SOURCE_DISPLACEMENT] > 0;
    w->depth = from->depth[w->moved ? CLI_SOURCE_DISPLACEMENT : CLI_SOURCE_POSITION];
    w->plane = w->depth == 2;
    w->corners = w->plane ? 2 : FACE;
    draw(w); /* counts */
    if (!make_room(w)) {
        carom_memory_error(error);
        cli_walls_free(w);
        return NULL;
    }
    draw(w);
    for (size_t j = 0; j < w->ncells; j++) {
        w->end[j] = (int64_t)(w->corners * (j + 1));
        w->type[j] = w->plane ? CAROM_VTU_LINE : CAROM_VTU_QUAD;
    }
    for (size_t j = 0; j < w->ncells * w->corners; j++)
        w->corner[j] = (int64_t)j;
    w->field = (struct carom_vtu_field){.name = "body", .on_cells = true, .components = 1, .whole = w->body};
    w->grid = (struct carom_vtu){.npoints = w->ncells * w->corners,
                                 .point = w->point,
                                 .ncells = w->ncells,
                                 .connectivity = w->corner,
                                 .offset = w->end,
                                 .type = w->type,
                                 .nfields = 1,
                                 .field = &w->field};
    return w;
}

void cli_walls_free(struct cli_walls *w)
{
    if (w != NULL)
        carom_memory_free_all(w->local, w);
}

const struct carom_vtu *cli_walls_grid(const struct cli_walls *w)
{
    return &w->grid;
}

/* --- a sample ---------------------------------------------------------------------------------------------------- */

static enum carom_status read_turns(struct cli_walls *w, uint64_t i, struct carom_error *error)
{
    for (size_t b = 0; b < w->of->n; b++)
        memcpy(w->turn + 4 * b, (const double[4]){1.0, 0.0, 0.0, 0.0}, 4 * sizeof(double));
    if (w->from->depth[CLI_SOURCE_ROTATION] == 0)
        return CAROM_OK;
    const enum carom_status status = cli_source_read(w->from, CLI_SOURCE_ROTATION, i, w->row, error);
    for (size_t b = 0; status == CAROM_OK && b < w->of->n; b++) {
        if (w->from->depth[CLI_SOURCE_ROTATION] == 4)
            memcpy(w->turn + 4 * b, w->row + 4 * b, 4 * sizeof(double));
        else
            memcpy(w->turn + 4 * b, (const double[4]){cos(0.5 * w->row[b]), 0.0, 0.0, sin(0.5 * w->row[b])},
                   4 * sizeof(double));
    }
    return status;
}

enum carom_status cli_walls_read(void *own, uint64_t i, struct carom_error *error)
{
    struct cli_walls *w = own;
    enum carom_status status = carom_run_file_times(w->from->run, i, 1, &w->grid.time, error);
    if (status == CAROM_OK)
        status = read_turns(w, i, error);
    if (status == CAROM_OK)
        status = cli_source_read(w->from, w->moved ? CLI_SOURCE_DISPLACEMENT : CLI_SOURCE_POSITION, i, w->row, error);
    for (size_t j = 0; status == CAROM_OK && j < w->grid.npoints; j++) {
        const size_t body = (size_t)w->body[j / w->corners] - 1, depth = w->depth;
        double *to = w->point + 3 * j;
        carom_quat_turn(w->turn + 4 * body, w->local + 3 * j, to);
        for (size_t k = 0; k < 3; k++) {
            to[k] += k < depth ? w->row[depth * body + k] : 0.0;
            to[k] += w->moved || k >= depth ? w->of->centre[3 * body + k] : 0.0;
        }
    }
    return status;
}
