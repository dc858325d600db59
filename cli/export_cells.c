/* Cells of a solid as VTK hexahedra, polyhedra or quadrilaterals, each with corners of its own, for neighbours move
 * apart. Corners are where displacement and rotation take them; without a recorded rotation cells only shift.
 * Displacement, velocity, rotation (as a vector: axis times angle), spin, stress, strain and plastic strain where they
 * were recorded. */
#include "export.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "base/sorted.h"
#include "model/solid/solid_cells.h"

enum {
    DISPLACEMENT,
    POSITION,
    ROTATION,
    VELOCITY,
    SPIN,
    STRESS,
    STRAIN,
    VON_MISES,
    PRINCIPAL,
    PLASTIC_STRAIN,
    DAMAGE,
    CONTACT_LOAD,
    CONTACT_PRESSURE,
    ITEMS
};

/* Where items stand in run files, how many numbers the picture has for each, and its name there. */
static const struct {
    const char *item, *name;
    size_t components;
} kinds[ITEMS] = {
    {"displacement", "displacement", 3},
    {"position", NULL, 3},
    {"rotation", "rotation", 3},
    {"velocity", "velocity", 3},
    {"spin", "spin", 3},
    {"stress", "stress", 9},
    {"strain", "strain", 9},
    {"von_mises", "von_mises", 1},
    {"principal", "principal", 3},
    {"plastic_strain", "plastic_strain", 1},
    {"damage", "damage", 1},
    {"contact_load", "contact_load", 3},
    {"contact_pressure", "contact_pressure", 1},
};

struct cli_cells {
    const struct carom_run_file *run;
    const struct carom_solid *solid;
    size_t n, corners, sides; /* cells in the picture; corners of all; numbers that the faces of polyhedra take */
    const struct carom_run_item *item[ITEMS];
    double *value[ITEMS];                /* n x components */
    double *row, *point, *turn, *centre; /* the widest item; all corners; quaternions; unloaded */
    int64_t *corner, *offset, *number, *material, *faces, *face_end;
    uint8_t *type;
    struct carom_vtu grid;
    struct carom_vtu_field field[ITEMS + 3];
};

/* --- making ------------------------------------------------------------------------------------------------------ */

static size_t depth_of(const struct carom_solid *s, int kind)
{
    const bool plane = s->dimension == 2;
    return kind == STRESS || kind == STRAIN                                                            ? 6
           : kind == VON_MISES || kind == PLASTIC_STRAIN || kind == DAMAGE || kind == CONTACT_PRESSURE ? 1
           : kind == PRINCIPAL                                                                         ? 3
           : kind == ROTATION                                                                          ? (plane ? 1 : 4)
           : kind == SPIN                                                                              ? (plane ? 1 : 3)
                          : (size_t)s->dimension;
}

static size_t cell_at(const struct carom_solid *s, size_t i)
{
    return s->record ? s->record[i] : i;
}

/* how many corners a cell has, and how many numbers VTK wants of its faces */
static size_t corners_of(const struct carom_solid *s, size_t cell, size_t *sides)
{
    *sides = 0;
    if (!s->cells)
        return s->dimension == 3 ? 8 : 4;
    const struct carom_mesh_look *look = &s->cells->look;
    const uint64_t from = look->face[cell], to = look->face[cell + 1];
    *sides = (size_t)(1 + (to - from) + look->side[to] - look->side[from]);
    return (size_t)(look->point[cell + 1] - look->point[cell]);
}

static void count(struct cli_cells *c)
{
    for (size_t i = 0; i < c->n; i++) {
        size_t sides;
        c->corners += corners_of(c->solid, cell_at(c->solid, i), &sides);
        c->sides += sides;
    }
}

static bool make_room(struct cli_cells *c)
{
    count(c);
    bool good = carom_memory_together(CAROM_ROOM(c->faces, c->sides), CAROM_ROOM(c->face_end, c->n),
                                      CAROM_ROOM(c->row, 6 * c->n), CAROM_ROOM(c->turn, 4 * c->n),
                                      CAROM_ROOM(c->centre, 3 * c->n), CAROM_ROOM(c->point, 3 * c->corners),
                                      CAROM_ROOM(c->corner, c->corners), CAROM_ROOM(c->offset, c->n),
                                      CAROM_ROOM(c->number, c->n), CAROM_ROOM(c->material, c->n),
                                      CAROM_ROOM(c->type, c->n)) != NULL;
    for (int kind = 0; kind < ITEMS; kind++)
        if (c->item[kind] != NULL || kind == DISPLACEMENT) {
            c->value[kind] = carom_memory_zeroed(c->n, kinds[kind].components * sizeof(double));
            good = good && c->value[kind];
        }
    return good;
}

/* the faces of a polyhedron: how many, then for each how many corners and which; returns the end */
static size_t list_faces(const struct cli_cells *c, size_t cell, size_t first, size_t at)
{
    const struct carom_mesh_look *look = &c->solid->cells->look;
    c->faces[at++] = (int64_t)(look->face[cell + 1] - look->face[cell]);
    for (uint64_t f = look->face[cell]; f < look->face[cell + 1]; f++) {
        c->faces[at++] = (int64_t)(look->side[f + 1] - look->side[f]);
        for (uint64_t k = look->side[f]; k < look->side[f + 1]; k++)
            c->faces[at++] = (int64_t)(first + look->corner[k]);
    }
    return at;
}

static void fill(struct cli_cells *c)
{
    const struct carom_solid *s = c->solid;
    size_t corners = 0, sides = 0, none;
    for (size_t i = 0; i < c->n; i++) {
        const size_t cell = cell_at(s, i);
        c->number[i] = (int64_t)cell;
        c->material[i] = (int64_t)s->sorts[s->sort[cell]].material;
        if (s->cells)
            sides = list_faces(c, cell, corners, sides);
        c->face_end[i] = (int64_t)sides;
        corners += corners_of(s, cell, &none);
        c->offset[i] = (int64_t)corners;
        c->type[i] = s->cells ? CAROM_VTU_POLYHEDRON : s->dimension == 3 ? CAROM_VTU_HEXAHEDRON : CAROM_VTU_QUAD;
        c->turn[4 * i] = 1.0;
        memcpy(c->centre + 3 * i, s->centre[cell], 3 * sizeof *c->centre);
    }
    for (size_t i = 0; i < c->corners; i++)
        c->corner[i] = (int64_t)i;
    c->grid = (struct carom_vtu){.npoints = c->corners,
                                 .point = c->point,
                                 .ncells = c->n,
                                 .connectivity = c->corner,
                                 .offset = c->offset,
                                 .type = c->type,
                                 .faces = s->cells ? c->faces : NULL,
                                 .face_offset = s->cells ? c->face_end : NULL,
                                 .field = c->field};
    c->field[c->grid.nfields++] =
        (struct carom_vtu_field){.name = "cell", .on_cells = true, .components = 1, .whole = c->number};
    c->field[c->grid.nfields++] =
        (struct carom_vtu_field){.name = "material", .on_cells = true, .components = 1, .whole = c->material};
    if (s->dimension == 3) /* so that a reader can put the body together again */
        c->field[c->grid.nfields++] =
            (struct carom_vtu_field){.name = "unloaded_centre", .on_cells = true, .components = 3, .real = c->centre};
    for (int kind = 0; kind < ITEMS; kind++)
        if (c->value[kind] != NULL && kinds[kind].name != NULL)
            c->field[c->grid.nfields++] = (struct carom_vtu_field){.name = kinds[kind].name,
                                                                   .on_cells = true,
                                                                   .components = kinds[kind].components,
                                                                   .real = c->value[kind]};
}

struct cli_cells *cli_cells_create(const struct carom_run_file *run, const struct carom_solid *solid,
                                   struct carom_error *error)
{
    struct cli_cells *c = carom_memory_zeroed(1, sizeof *c);
    if (!c)
        return carom_memory_error(error), NULL;
    c->run = run;
    c->solid = solid;
    c->n = solid->record ? solid->nrecord : solid->n;
    for (int kind = 0; kind < ITEMS; kind++) {
        char path[96];
        snprintf(path, sizeof path, "particles/%s/%s", *solid->name != '\0' ? solid->name : "cells", kinds[kind].item);
        const struct carom_run_item *item = carom_run_file_item(run, path);
        c->item[kind] = item && item->width == c->n * depth_of(solid, kind) ? item : NULL;
    }
    const bool placed = c->n > 0 && (c->item[DISPLACEMENT] || c->item[POSITION]);
    if (!placed)
        carom_error_set(error, CAROM_E_REFUSED,
                        c->n == 0 ? "the run recorded no cells; add cells: all to record:"
                                  : "the run has neither u nor position; add one of them to record: probes:");
    else if (!make_room(c))
        carom_memory_error(error);
    else {
        fill(c);
        return c;
    }
    cli_cells_free(c);
    return NULL;
}

void cli_cells_free(struct cli_cells *c)
{
    if (!c)
        return;
    for (int kind = 0; kind < ITEMS; kind++)
        carom_memory_free(c->value[kind]);
    carom_memory_free_all(c->faces, c);
}

const struct carom_vtu *cli_cells_grid(const struct cli_cells *cells)
{
    return &cells->grid;
}

/* --- a sample ---------------------------------------------------------------------------------------------------- */

/* The quaternion as axis times angle, the angle at most pi. */
static void turn_vector(const double turn[4], double out[3])
{
    const double length = carom_vec_norm(turn + 1);
    const double angle = 2.0 * atan2(length, fabs(turn[0])) * (turn[0] < 0.0 ? -1.0 : 1.0);
    for (int k = 0; k < 3; k++)
        out[k] = length > 0.0 ? turn[k + 1] * (angle / length) : 0.0;
}

/* One cell of an item, from the run's numbers to the picture's. */
static void spread(struct cli_cells *c, int kind, size_t i)
{
    const size_t depth = depth_of(c->solid, kind), wide = kinds[kind].components;
    const double *from = c->row + depth * i;
    double *to = c->value[kind] + wide * i;
    if (wide == 1)
        to[0] = from[0];
    else if (wide == 9)
        carom_vtu_tensor(from, to);
    else if (kind == ROTATION && depth == 4) {
        memcpy(c->turn + 4 * i, from, 4 * sizeof *from);
        turn_vector(from, to);
    } else if (depth == 1) { /* about z */
        to[2] = from[0];
        if (kind == ROTATION) {
            c->turn[4 * i] = cos(0.5 * from[0]);
            c->turn[4 * i + 3] = sin(0.5 * from[0]);
        }
    } else
        memcpy(to, from, depth * sizeof *from);
}

/* the picture's cell i takes what stands at `arm` along */
static void carry(const struct cli_cells *c, size_t i, const double arm[3], double out[3])
{
    const double *centre = c->solid->centre[c->number[i]], *u = c->value[DISPLACEMENT] + 3 * i;
    carom_quat_turn(c->turn + 4 * i, arm, out);
    for (int k = 0; k < 3; k++)
        out[k] += centre[k] + u[k];
}

void cli_cells_carry(const struct cli_cells *c, size_t cell, const double arm[3], double out[3])
{
    size_t low = 0; /* cells rise */
    CAROM_SORTED_FIRST(low, c->n, (size_t)c->number[middle] < cell);
    if (low < c->n && (size_t)c->number[low] == cell) {
        carry(c, low, arm, out);
        return;
    }
    for (int k = 0; k < 3; k++)
        out[k] = c->solid->centre[cell][k] + arm[k];
}

static void place_corners(struct cli_cells *c, size_t i)
{
    const size_t cell = (size_t)c->number[i];
    const double *centre = c->solid->centre[cell];
    double corner[8][3];
    const double(*look)[3] = NULL;
    size_t first = i > 0 ? (size_t)c->offset[i - 1] : 0;
    if (c->solid->cells)
        look = (const double(*)[3])c->solid->cells->look.arm + c->solid->cells->look.point[cell];
    else
        carom_solid_corners(c->solid, cell, corner);
    for (size_t j = 0; first < (size_t)c->offset[i]; j++, first++) {
        double arm[3];
        for (int k = 0; k < 3; k++)
            arm[k] = look ? look[j][k] : corner[j][k] - centre[k];
        carry(c, i, arm, c->point + 3 * first);
    }
}

enum carom_status cli_cells_read(void *own, uint64_t i, struct carom_error *error)
{
    struct cli_cells *c = own;
    enum carom_status status = carom_run_file_times(c->run, i, 1, &c->grid.time, error);
    for (int kind = 0; kind < ITEMS && status == CAROM_OK; kind++) {
        if (c->item[kind] == NULL)
            continue;
        status = carom_run_file_read(c->run, c->item[kind], i, 1, c->row, error);
        for (size_t cell = 0; cell < c->n && status == CAROM_OK; cell++)
            spread(c, kind, cell);
    }
    if (status != CAROM_OK)
        return status;
    if (c->item[DISPLACEMENT] == NULL)
        for (size_t cell = 0; cell < c->n; cell++)
            for (size_t k = 0; k < (size_t)c->solid->dimension; k++)
                c->value[DISPLACEMENT][3 * cell + k] =
                    c->value[POSITION][3 * cell + k] - c->solid->centre[c->number[cell]][k];
    for (size_t cell = 0; cell < c->n; cell++)
        place_corners(c, cell);
    return CAROM_OK;
}
