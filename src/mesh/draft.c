/* Drafts of meshes: lists that grow, and the faces of the usual cells. */
#include "mesh/draft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

const size_t carom_draft_nodes[CAROM_DRAFT_KINDS] = {4, 5, 6, 8};

/* faces of each kind: how many, then for each how many nodes and which */
static const uint8_t tetrahedron[] = {4, 3, 0, 2, 1, 3, 0, 1, 3, 3, 1, 2, 3, 3, 2, 0, 3};
static const uint8_t pyramid[] = {5, 4, 0, 3, 2, 1, 3, 0, 1, 4, 3, 1, 2, 4, 3, 2, 3, 4, 3, 3, 0, 4};
static const uint8_t prism[] = {5, 3, 0, 2, 1, 3, 3, 4, 5, 4, 0, 1, 4, 3, 4, 1, 2, 5, 4, 4, 2, 0, 3, 5};
static const uint8_t hexahedron[] = {6, 4, 0, 3, 2, 1, 4, 4, 5, 6, 7, 4, 0, 1, 5, 4,
                                     4, 1, 2, 6, 5, 4, 2, 3, 7, 6, 4, 3, 0, 4, 7};
static const uint8_t *const shapes[CAROM_DRAFT_KINDS] = {tetrahedron, pyramid, prism, hexahedron};

void carom_draft_free(struct carom_draft *d)
{
    carom_memory_free_all(d->node, d->cell, d->face, d->corner, d->member, d->panel, d->set, d->surface);
    *d = (struct carom_draft){.loose = false};
}

/* room for `more` at the end of a list */
static bool grow(void *block, struct carom_draft_list *list, size_t more, size_t size)
{
    if (list->count + more >= UINT32_MAX)
        return false;
    if (list->count + more <= list->room)
        return true;
    const size_t room = 2 * list->room + more + 64;
    if (!carom_memory_widen(block, list->room, room, size))
        return false;
    list->room = room;
    return true;
}

bool carom_draft_add_node(struct carom_draft *d, const double place[3])
{
    const bool good = grow(&d->node, &d->nodes, 1, sizeof *d->node);
    if (good)
        memcpy(d->node[d->nodes.count++], place, sizeof *d->node);
    return good;
}

bool carom_draft_open_cell(struct carom_draft *d, uint64_t number, size_t line)
{
    const bool good = grow(&d->cell, &d->cells, 1, sizeof *d->cell);
    if (good)
        d->cell[d->cells.count++] = (struct carom_draft_cell){(uint32_t)d->faces.count, (uint32_t)line, number};
    return good;
}

bool carom_draft_add_face(struct carom_draft *d, size_t count, const uint32_t *node)
{
    if (!grow(&d->face, &d->faces, 1, sizeof *d->face) || !grow(&d->corner, &d->corners, count, sizeof *d->corner))
        return false;
    d->face[d->faces.count++] = (uint32_t)d->corners.count;
    memcpy(d->corner + d->corners.count, node, count * sizeof *node);
    d->corners.count += count;
    return true;
}

bool carom_draft_add_cell(struct carom_draft *d, enum carom_draft_kind kind, const uint32_t *node, uint64_t number,
                          size_t line)
{
    const uint8_t *shape = shapes[kind];
    bool good = carom_draft_open_cell(d, number, line);
    size_t at = 1;
    for (size_t f = 0; f < shape[0] && good; f++) {
        uint32_t own[4];
        const size_t count = shape[at++];
        for (size_t k = 0; k < count; k++)
            own[k] = node[shape[at++]];
        good = carom_draft_add_face(d, count, own);
    }
    return good;
}

bool carom_draft_add_member(struct carom_draft *d, size_t set, size_t cell)
{
    const bool good = grow(&d->member, &d->members, 1, sizeof *d->member);
    if (good) {
        d->member[d->members.count].set = (uint32_t)set;
        d->member[d->members.count++].cell = (uint32_t)cell;
    }
    return good;
}

bool carom_draft_add_panel(struct carom_draft *d, size_t surface, size_t count, const uint32_t *node, size_t line)
{
    const bool good = grow(&d->panel, &d->panels, 1, sizeof *d->panel);
    if (good) {
        struct carom_draft_panel *p = &d->panel[d->panels.count++];
        *p = (struct carom_draft_panel){.surface = (uint32_t)surface, .count = (uint32_t)count, .line = (uint32_t)line};
        carom_draft_least(count, node, p->least);
    }
    return good;
}

static size_t name_of(char (**names)[CAROM_MESH_NAME], struct carom_draft_list *list, const char *name)
{
    char own[CAROM_MESH_NAME];
    snprintf(own, sizeof own, "%s", name);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp((*names)[i], own) == 0)
            return i;
    if (!grow(names, list, 1, sizeof **names))
        return SIZE_MAX;
    memcpy((*names)[list->count], own, sizeof own);
    return list->count++;
}

size_t carom_draft_set(struct carom_draft *d, const char *name)
{
    return name_of(&d->set, &d->sets, name);
}

size_t carom_draft_surface(struct carom_draft *d, const char *name)
{
    return name_of(&d->surface, &d->surfaces, name);
}

size_t carom_draft_faces(const struct carom_draft *d, size_t cell, size_t *end)
{
    *end = cell + 1 < d->cells.count ? d->cell[cell + 1].first : d->faces.count;
    return d->cell[cell].first;
}

size_t carom_draft_corners(const struct carom_draft *d, size_t face, const uint32_t **node)
{
    const size_t end = face + 1 < d->faces.count ? d->face[face + 1] : d->corners.count;
    *node = d->corner + d->face[face];
    return end - d->face[face];
}

void carom_draft_least(size_t count, const uint32_t *node, uint32_t least[3])
{
    for (int k = 0; k < 3; k++)
        least[k] = CAROM_DRAFT_NOBODY;
    for (size_t i = 0; i < count; i++) {
        uint32_t one = node[i];
        for (int k = 0; k < 3; k++)
            if (one < least[k]) {
                const uint32_t other = least[k];
                least[k] = one;
                one = other;
            }
    }
}

void carom_draft_box(const struct carom_draft *d, size_t face, size_t end, double low[3], double high[3])
{
    const size_t from = d->face[face], to = end < d->faces.count ? d->face[end] : d->corners.count;
    for (int k = 0; k < 3; k++) {
        low[k] = HUGE_VAL;
        high[k] = -HUGE_VAL;
    }
    for (size_t i = from; i < to; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], d->node[d->corner[i]][k]);
            high[k] = fmax(high[k], d->node[d->corner[i]][k]);
        }
}
