/* VTK's XML files of unstructured grids (.vtu). Points with the same coordinates are one node, so that cells that were
 * drawn apart hang together again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/read.h"
#include "mesh/vtk_xml.h"

enum { POINTS, CONNECTIVITY, OFFSETS, TYPES, FACES, FACEOFFSETS, ARRAYS };

struct vtu {
    struct carom_source *s;
    struct carom_draft *d;
    struct carom_vtk_xml_array array[ARRAYS];
};

static bool whole(const struct vtu *v, int which, size_t i, uint64_t *out)
{
    const double x = i < v->array[which].count ? v->array[which].value[i] : -1.0;
    if (!(x >= 0.0 && x < 9e15 && floor(x) == x))
        return carom_source_wrong(v->s, "%s: number %zu should be a whole one from 0 on", v->array[which].name, i);
    *out = (uint64_t)x;
    return true;
}

struct spot {
    double place[3];
    uint32_t index;
};

static int compare_spots(const void *a, const void *b)
{
    const struct spot *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x->place[k] != y->place[k])
            return x->place[k] < y->place[k] ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* the first point at the place of each */
static uint64_t *merge(const struct vtu *v, size_t n)
{
    struct spot *spot = carom_memory_zeroed(n, sizeof *spot);
    uint64_t *to = carom_memory_zeroed(n, sizeof *to);
    for (size_t i = 0; spot && i < n; i++) {
        spot[i].index = (uint32_t)i;
        memcpy(spot[i].place, v->array[POINTS].value + 3 * i, sizeof spot[i].place);
    }
    if (spot && to) {
        qsort(spot, n, sizeof *spot, compare_spots);
        for (size_t i = 0; i < n; i++) {
            const bool same = i > 0 && memcmp(spot[i].place, spot[i - 1].place, sizeof spot[i].place) == 0;
            to[spot[i].index] = same ? to[spot[i - 1].index] : spot[i].index;
        }
    }
    carom_memory_free(spot);
    return to;
}

/* numbers [from, to) of an array, node names changed to those of the first at their place */
static bool list(const struct vtu *v, int which, uint64_t from, uint64_t to, const uint64_t *name, uint64_t *out)
{
    uint64_t left = which == CONNECTIVITY ? to - from : 0;
    for (uint64_t i = from; i < to; i++) {
        uint64_t *x = &out[i - from];
        if (!whole(v, which, (size_t)i, x))
            return false;
        const bool count = which == FACES && (i == from || left == 0);
        if (count && i > from)
            left = *x;
        else if (!count) {
            left -= left > 0 ? 1 : 0;
            *x = *x < v->d->nodes.count ? name[*x] : *x;
        }
    }
    return true;
}

static bool add_cells(struct vtu *v, const uint64_t *name, uint64_t *room)
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
            if (!list(v, FACES, faces_from, faces_end, name, room) ||
                !carom_read_vtk_cell(v->s, v->d, type, (size_t)(faces_end - faces_from), room, i, 0))
                return false;
            faces_from = faces_end;
        } else if (!list(v, CONNECTIVITY, from, end, name, room) ||
                   !carom_read_vtk_cell(v->s, v->d, type, (size_t)(end - from), room, i, 0)) {
            return false;
        }
    }
    return true;
}

static bool build(struct vtu *v)
{
    for (int k = 0; k < FACES; k++)
        if (!v->array[k].value)
            return carom_source_wrong(v->s, "the file breaks off, or has no %s",
                                      k == POINTS ? "Points" : v->array[k].name);
    const size_t n = v->array[POINTS].count / 3;
    if (v->array[POINTS].count % 3 != 0 || n >= UINT32_MAX)
        return carom_source_wrong(v->s, "points have three coordinates each");
    for (size_t i = 0; i < n; i++)
        if (!carom_draft_add_node(v->d, v->array[POINTS].value + 3 * i))
            return carom_source_memory(v->s);
    uint64_t *name = merge(v, n),
             *room = carom_memory_zeroed(v->array[CONNECTIVITY].count + v->array[FACES].count + 1, sizeof *room);
    const bool good = name && room ? add_cells(v, name, room) : carom_source_memory(v->s);
    carom_memory_free_all(name, room);
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
                              {"Cells", "faceoffsets", 1, CAROM_VTK_XML_LIST, NULL, 0}}};
    d->loose = true;
    const bool good = carom_vtk_xml(s, false, ARRAYS, v.array) && build(&v);
    for (int k = 0; k < ARRAYS; k++)
        carom_memory_free(v.array[k].value);
    return good;
}
