/* Cracks of a solid as VTK polygons, in the plane lines: the common face of the two cells of every link that has begun
 * to break, half way between where either cell takes it. With how much of the link is gone, when that was first seen to
 * be all of it, its area, and by how much it is open: as a vector, and along the face's normal. */
#include "export.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/solid/solid_cells.h"

enum { CORNERS = 256, FIELDS = 6 }; /* corners of one face, which a byte numbers */

struct cli_cracks {
    const struct carom_run_file *run;
    const struct carom_run_item *item;
    const struct carom_solid *solid;
    struct cli_cells *cells;
    size_t before;
    double *damage, *since; /* of all links in the file; of all of the solid: when it was first seen broken, or NaN */
    /* what is drawn, with room for all links */
    double *point, *lost, *time, *area, *opening, *gap;
    int64_t *corner, *offset, *joined;
    uint8_t *type;
    char told[64];
    struct carom_vtu grid;
    struct carom_vtu_field field[FIELDS];
};

/* a face of a cell, from its centre */
struct face {
    size_t corners;
    double arm[CORNERS][3];
};

bool cli_cracks_are_there(const struct carom_run_file *run, const struct carom_solid *solid)
{
    return solid->breaks && carom_run_file_item(run, "particles/links/damage");
}

/* --- faces ------------------------------------------------------------------------------------------------------- */

static size_t faces_of(const struct carom_solid *s, size_t cell)
{
    if (!s->cells)
        return s->dimension == 3 ? 6 : 4;
    return (size_t)(s->cells->look.face[cell + 1] - s->cells->look.face[cell]);
}

static void face_of(const struct carom_solid *s, size_t cell, size_t number, struct face *out)
{
    static const size_t quad[6][4] = {{0, 3, 7, 4}, {1, 2, 6, 5}, {0, 1, 5, 4},
                                      {3, 2, 6, 7}, {0, 1, 2, 3}, {4, 5, 6, 7}};
    static const size_t side[4][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    if (s->cells) {
        const struct carom_mesh_look *look = &s->cells->look;
        const uint64_t f = look->face[cell] + number;
        out->corners = (size_t)(look->side[f + 1] - look->side[f]);
        for (size_t j = 0; j < out->corners; j++)
            for (int k = 0; k < 3; k++)
                out->arm[j][k] = look->arm[look->point[cell] + look->corner[look->side[f] + j]][k];
        return;
    }
    double corner[8][3];
    carom_solid_corners(s, cell, corner);
    out->corners = s->dimension == 3 ? 4 : 2;
    for (size_t j = 0; j < out->corners; j++)
        for (int k = 0; k < 3; k++)
            out->arm[j][k] = corner[s->dimension == 3 ? quad[number][j] : side[number][j]][k] - s->centre[cell][k];
}

/* how far the middle of the corners is from a place */
static double distance(const struct face *face, const double place[3])
{
    double off[3] = {-place[0], -place[1], -place[2]};
    for (size_t j = 0; j < face->corners; j++)
        for (int k = 0; k < 3; k++)
            off[k] += face->arm[j][k] / (double)face->corners;
    return carom_vec_norm(off);
}

/* the face of the link's first cell that is its interface: the one whose middle is nearest to that */
static void find_face(const struct carom_solid *s, size_t link, struct face *best)
{
    const double *place = s->shape[s->link[link].shape].arm;
    double least = HUGE_VAL;
    struct face face;
    for (size_t i = 0; i < faces_of(s, s->link[link].cell[0]); i++) {
        face_of(s, s->link[link].cell[0], i, &face);
        if (distance(&face, place) < least) {
            least = distance(&face, place);
            *best = face;
        }
    }
}

static size_t most_corners(const struct carom_solid *s)
{
    size_t most = s->dimension == 3 ? 4 : 2;
    for (uint64_t f = 0; s->cells && f < s->cells->look.face[s->n]; f++) {
        const size_t count = (size_t)(s->cells->look.side[f + 1] - s->cells->look.side[f]);
        most = count > most ? count : most;
    }
    return most;
}

/* --- making ------------------------------------------------------------------------------------------------------ */

static bool make_room(struct cli_cracks *c)
{
    const size_t n = c->solid->nlinks, most = most_corners(c->solid);
    return carom_memory_together(CAROM_ROOM(c->damage, c->item->width), CAROM_ROOM(c->since, n),
                                 CAROM_ROOM(c->point, 3 * (n * most)), CAROM_ROOM(c->corner, n * most),
                                 CAROM_ROOM(c->lost, n), CAROM_ROOM(c->time, n), CAROM_ROOM(c->area, n),
                                 CAROM_ROOM(c->gap, n), CAROM_ROOM(c->opening, 3 * n), CAROM_ROOM(c->joined, 2 * n),
                                 CAROM_ROOM(c->offset, n), CAROM_ROOM(c->type, n));
}

static void add_field(struct cli_cracks *c, const char *name, size_t components, const double *real,
                      const int64_t *whole)
{
    c->field[c->grid.nfields++] = (struct carom_vtu_field){
        .name = name, .on_cells = true, .components = components, .real = real, .whole = whole};
}

struct cli_cracks *cli_cracks_create(const struct carom_run_file *run, const struct carom_solid *solid, size_t before,
                                     struct cli_cells *cells, struct carom_error *error)
{
    struct cli_cracks *c = carom_memory_zeroed(1, sizeof *c);
    if (c) {
        c->run = run;
        c->item = carom_run_file_item(run, "particles/links/damage");
        c->solid = solid;
        c->cells = cells;
        c->before = before;
    }
    if (!c || !make_room(c)) {
        cli_cracks_free(c);
        carom_memory_error(error);
        return NULL;
    }
    for (size_t l = 0; l < solid->nlinks; l++)
        c->since[l] = nan("");
    c->grid = (struct carom_vtu){
        .point = c->point, .connectivity = c->corner, .offset = c->offset, .type = c->type, .field = c->field};
    add_field(c, "cells", 2, NULL, c->joined);
    add_field(c, "damage", 1, c->lost, NULL);
    add_field(c, "broken_at", 1, c->time, NULL);
    add_field(c, "area", 1, c->area, NULL);
    add_field(c, "opening", 3, c->opening, NULL);
    add_field(c, "normal_opening", 1, c->gap, NULL);
    return c;
}

void cli_cracks_free(struct cli_cracks *c)
{
    if (c)
        carom_memory_free_all(c->damage, c);
}

const struct carom_vtu *cli_cracks_grid(const struct cli_cracks *cracks)
{
    return &cracks->grid;
}

/* --- a sample ---------------------------------------------------------------------------------------------------- */

/* where both cells of a link take a place that stands at `arm` from the first, unloaded */
static void carry(const struct cli_cracks *c, size_t link, const double arm[3], double by[2][3])
{
    const struct carom_solid_link *l = &c->solid->link[link];
    const double *apart = c->solid->shape[l->shape].apart;
    const double other[3] = {arm[0] - apart[0], arm[1] - apart[1], arm[2] - apart[2]};
    cli_cells_carry(c->cells, l->cell[0], arm, by[0]);
    cli_cells_carry(c->cells, l->cell[1], other, by[1]);
}

/* the normal of the interface, out of the first cell and as that has turned */
static void normal_of(const struct cli_cracks *c, size_t link, double normal[3])
{
    const struct carom_solid_link *l = &c->solid->link[link];
    const double *apart = c->solid->shape[l->shape].apart, still[3] = {0.0, 0.0, 0.0};
    double from[3], to[3];
    cli_cells_carry(c->cells, l->cell[0], still, from);
    cli_cells_carry(c->cells, l->cell[0], apart, to);
    const double size = carom_vec_norm(apart);
    for (int k = 0; k < 3; k++)
        normal[k] = (to[k] - from[k]) / size;
}

static void draw(struct cli_cracks *c, size_t link)
{
    const struct carom_solid *s = c->solid;
    const size_t n = c->grid.ncells++;
    double by[2][3], normal[3];
    struct face face = {.corners = 0};
    find_face(s, link, &face);
    for (size_t j = 0; j < face.corners; j++) {
        double *to = c->point + 3 * c->grid.npoints;
        carry(c, link, face.arm[j], by);
        for (int k = 0; k < 3; k++)
            to[k] = 0.5 * (by[0][k] + by[1][k]);
        c->corner[c->grid.npoints] = (int64_t)c->grid.npoints;
        c->grid.npoints++;
    }
    carry(c, link, s->shape[s->link[link].shape].arm, by);
    normal_of(c, link, normal);
    for (int k = 0; k < 3; k++)
        c->opening[3 * n + (size_t)k] = by[1][k] - by[0][k];
    c->gap[n] = carom_vec_dot(c->opening + 3 * n, normal);
    c->lost[n] = c->damage[c->before + link];
    c->time[n] = c->since[link];
    c->area[n] = s->cut[s->link[link].shape].area;
    for (size_t k = 0; k < 2; k++)
        c->joined[2 * n + k] = (int64_t)s->link[link].cell[k];
    c->offset[n] = (int64_t)c->grid.npoints;
    c->type[n] = s->dimension == 3 ? CAROM_VTU_POLYGON : CAROM_VTU_LINE;
}

enum carom_status cli_cracks_read(void *own, uint64_t i, struct carom_error *error)
{
    struct cli_cracks *c = own;
    enum carom_status status = cli_cells_read(c->cells, i, error);
    if (status == CAROM_OK)
        status = carom_run_file_read(c->run, c->item, i, 1, c->damage, error);
    if (status != CAROM_OK)
        return status;
    c->grid.time = cli_cells_grid(c->cells)->time;
    c->grid.ncells = c->grid.npoints = 0;
    size_t broken = 0;
    for (size_t l = 0; l < c->solid->nlinks; l++) {
        const double lost = c->damage[c->before + l];
        if (lost >= 1.0 && isnan(c->since[l]))
            c->since[l] = c->grid.time;
        if (lost > 0.0)
            draw(c, l);
        broken += lost >= 1.0;
    }
    snprintf(c->told, sizeof c->told, "cracked faces at the end, %zu of them broken", broken);
    return CAROM_OK;
}

const char *cli_cracks_told(const struct cli_cracks *c)
{
    return c->told;
}
