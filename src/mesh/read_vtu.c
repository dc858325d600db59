/* VTK's XML files of unstructured grids (.vtu). Those of carom's runs, which tell where the centres of their cells
 * were, are put back to where they were unloaded. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "base/quat.h"
#include "mesh/read.h"
#include "mesh/vtk_xml.h"

enum { POINTS, CONNECTIVITY, OFFSETS, TYPES, FACES, FACEOFFSETS, UNLOADED, ARRAYS };
enum { DISPLACEMENT, ROTATION, MOTIONS };

struct vtu {
    struct carom_source *s;
    struct carom_draft *d;
    struct carom_vtk_xml_array array[ARRAYS], motion[MOTIONS];
};

static bool whole(const struct vtu *v, int which, size_t i, uint64_t *out)
{
    const double x = i < v->array[which].count ? v->array[which].value[i] : -1.0;
    if (!(x >= 0.0 && x < 9e15 && floor(x) == x))
        return carom_source_wrong(v->s, "%s: number %zu should be a whole one from 0 on", v->array[which].name, i);
    *out = (uint64_t)x;
    return true;
}

/* numbers [from, to) of an array */
static bool list(const struct vtu *v, int which, uint64_t from, uint64_t to, uint64_t *out)
{
    for (uint64_t i = from; i < to; i++)
        if (!whole(v, which, (size_t)i, &out[i - from]))
            return false;
    return true;
}

static bool add_cells(struct vtu *v, uint64_t *room)
{
    uint64_t type = 0, from = 0, end = 0, faces_from = 0, faces_end = 0;
    for (size_t i = 0; i < v->array[TYPES].count; i++, from = end) {
        if (!whole(v, TYPES, i, &type) || !whole(v, OFFSETS, i, &end))
            return false;
        if (end < from || end > v->array[CONNECTIVITY].count)
            return carom_source_wrong(v->s, "offsets rise from 0 to %zu, cell %zu has %llu",
                                      v->array[CONNECTIVITY].count, i, (unsigned long long)end);
        if (type == 42) {
            if (!whole(v, FACEOFFSETS, i, &faces_end))
                return false;
            if (faces_end < faces_from || faces_end > v->array[FACES].count)
                return carom_source_wrong(v->s, "faceoffsets rise from 0 to %zu, cell %zu has %llu",
                                          v->array[FACES].count, i, (unsigned long long)faces_end);
            if (!list(v, FACES, faces_from, faces_end, room) ||
                !carom_read_vtk_cell(v->s, v->d, type, (size_t)(faces_end - faces_from), room, i, 0))
                return false;
            faces_from = faces_end;
        } else if (!list(v, CONNECTIVITY, from, end, room) ||
                   !carom_read_vtk_cell(v->s, v->d, type, (size_t)(end - from), room, i, 0)) {
            return false;
        }
    }
    return true;
}

/* points of cells that have moved go back; every cell of a run has its own */
static bool put_back(struct vtu *v)
{
    const size_t n = v->array[POINTS].count / 3;
    uint8_t *back = carom_memory_zeroed(n + 1, 1);
    bool good = back != NULL || carom_source_memory(v->s);
    uint64_t from = 0, end = 0, point = 0;
    for (size_t i = 0; good && i < v->array[OFFSETS].count; i++, from = end) {
        const double *centre = v->array[UNLOADED].value + 3 * i, *u = v->motion[DISPLACEMENT].value + 3 * i;
        const double *turned = v->motion[ROTATION].value ? v->motion[ROTATION].value + 3 * i : NULL;
        double turn[4] = {1.0, 0.0, 0.0, 0.0};
        if (turned)
            carom_angle_turn(turned, turn);
        const bool rests = u[0] == 0.0 && u[1] == 0.0 && u[2] == 0.0 && turn[0] == 1.0;
        good = whole(v, OFFSETS, i, &end);
        for (uint64_t k = from; good && k < end && k < v->array[CONNECTIVITY].count; k++) {
            good = whole(v, CONNECTIVITY, (size_t)k, &point);
            if (!good || point >= n || rests || back[point])
                continue;
            double *x = v->array[POINTS].value + 3 * point, arm[3];
            back[point] = 1;
            for (int a = 0; a < 3; a++)
                arm[a] = x[a] - centre[a] - u[a];
            carom_quat_turn_back(turn, arm, arm);
            for (int a = 0; a < 3; a++)
                x[a] = centre[a] + arm[a];
        }
    }
    carom_memory_free(back);
    return good;
}

static bool build(struct vtu *v)
{
    for (int k = 0; k < FACES; k++)
        if (!v->array[k].value)
            return carom_source_wrong(v->s, "the file breaks off, or has no %s",
                                      k == POINTS ? "Points" : v->array[k].name);
    const size_t n = v->array[POINTS].count / 3, cells = v->array[TYPES].count;
    if (v->array[POINTS].count % 3 != 0 || n >= UINT32_MAX)
        return carom_source_wrong(v->s, "points have three coordinates each");
    if (v->array[UNLOADED].value && v->motion[DISPLACEMENT].value) {
        if (v->array[OFFSETS].count != cells || v->array[UNLOADED].count != 3 * cells ||
            v->motion[DISPLACEMENT].count != 3 * cells ||
            (v->motion[ROTATION].value && v->motion[ROTATION].count != 3 * cells))
            return carom_source_wrong(v->s, "offsets, types and motions are of different numbers of cells");
        if (!put_back(v))
            return false;
    }
    for (size_t i = 0; i < n; i++)
        if (!carom_draft_add_node(v->d, v->array[POINTS].value + 3 * i))
            return carom_source_memory(v->s);
    uint64_t *room = carom_memory_zeroed(v->array[CONNECTIVITY].count + v->array[FACES].count + 1, sizeof *room);
    const bool good = room ? add_cells(v, room) : carom_source_memory(v->s);
    carom_memory_free(room);
    return good;
}

bool carom_read_vtu(struct carom_source *s, struct carom_draft *d)
{
    struct vtu v = {.s = s,
                    .d = d,
                    .array = {{"Points", NULL, 3, CAROM_VTK_XML_POINTS, NULL, 0},
                              {"Cells", "connectivity", 1, CAROM_VTK_XML_LIST, NULL, 0},
                              {"Cells", "offsets", 1, CAROM_VTK_XML_CELLS, NULL, 0},
                              {"Cells", "types", 1, CAROM_VTK_XML_CELLS, NULL, 0},
                              {"Cells", "faces", 1, CAROM_VTK_XML_LIST, NULL, 0},
                              {"Cells", "faceoffsets", 1, CAROM_VTK_XML_LIST, NULL, 0},
                              {"CellData", "unloaded_centre", 3, CAROM_VTK_XML_CELLS, NULL, 0}},
                    .motion = {{"CellData", "displacement", 3, CAROM_VTK_XML_CELLS, NULL, 0},
                               {"CellData", "rotation", 3, CAROM_VTK_XML_CELLS, NULL, 0}}};
    struct carom_source again = *s;
    d->loose = true;
    const bool good = carom_vtk_xml(s, false, ARRAYS, v.array) && /* other programs' displacements may be anything */
                      (!v.array[UNLOADED].value || carom_vtk_xml(&again, false, MOTIONS, v.motion)) && build(&v);
    for (int k = 0; k < ARRAYS; k++)
        carom_memory_free(v.array[k].value);
    for (int k = 0; k < MOTIONS; k++)
        carom_memory_free(v.motion[k].value);
    return good;
}
