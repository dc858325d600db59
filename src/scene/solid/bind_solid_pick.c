/* Which cells a map of a scene means: by face, box, point or name. */
#include <string.h>

#include "base/memory.h"
#include "model/solid/solid.h"
#include "model/solid/solid_cells.h"
#include "scene/solid/bind_solid.h"

enum { NAMED = 256 }; /* surfaces that a mesh may name */

/* the faces that a body has: their names */
static size_t name_sides(const struct carom_solid *s, const char *names[CAROM_SOLID_SIDES + NAMED],
                         enum carom_solid_side which[CAROM_SOLID_SIDES + NAMED])
{
    size_t count = 0;
    for (size_t i = 0; i < CAROM_SOLID_SIDES; i++) {
        bool there = false;
        for (size_t f = 0; f < s->nfaces && !there; f++)
            there = s->face[f].side == i;
        if (there) {
            which[count] = (enum carom_solid_side)i;
            names[count++] = carom_solid_sides[i];
        }
    }
    for (size_t i = 0; s->cells != NULL && i < s->cells->nsurfaces && i < NAMED; i++) {
        which[count] = (enum carom_solid_side)(CAROM_SOLID_SIDES + 1 + i); /* the number after the last means none */
        names[count++] = s->cells->surface[i];
    }
    return count;
}

enum carom_status carom_bind_solid_pick_side(struct carom_bind *b, struct carom_node *node, const struct carom_solid *s,
                                             enum carom_solid_side *side)
{
    const char *names[CAROM_SOLID_SIDES + NAMED];
    enum carom_solid_side which[CAROM_SOLID_SIDES + NAMED];
    size_t place;
    if (carom_value_among(&b->r, node, "face", names, name_sides(s, names, which), &place) != CAROM_OK)
        return b->r.error->status;
    *side = which[place];
    return CAROM_OK;
}

/* --- marking what is meant ------------------------------------------------------------------------------------- */

static void keep_side(const struct carom_solid *s, enum carom_solid_side side, bool *meant)
{
    size_t f = 0; /* faces rise with their cells */
    for (size_t i = 0; i < s->n; i++) {
        bool there = false;
        for (; f < s->nfaces && s->face[f].cell == i; f++)
            there |= s->face[f].side == (uint32_t)side;
        meant[i] = meant[i] && there;
    }
}

enum carom_status carom_bind_solid_pick_box(struct carom_bind *b, struct carom_node *node, const struct carom_solid *s,
                                            double low[3], double high[3])
{
    const size_t d = (size_t)s->dimension;
    if (carom_value_list(&b->r, node) != CAROM_OK)
        return b->r.error->status;
    if (node->count != 2)
        return carom_value_wrong(&b->r, node, "a box is a list of two corners, such as [[0, 0], [1, 1]]");
    if (carom_value_vector(&b->r, node->first, "m", d, false, low) != CAROM_OK ||
        carom_value_vector(&b->r, node->first->next, "m", d, false, high) != CAROM_OK)
        return b->r.error->status;
    for (size_t k = 0; k < d; k++)
        if (high[k] < low[k])
            return carom_value_wrong(&b->r, node,
                                     "its first corner has the smaller coordinates, the second the larger");
    return CAROM_OK;
}

static enum carom_status keep_box(struct carom_bind *b, struct carom_node *node, const struct carom_solid *s,
                                  bool *meant)
{
    const size_t d = (size_t)s->dimension;
    double low[3], high[3];
    if (carom_bind_solid_pick_box(b, node, s, low, high) != CAROM_OK)
        return b->r.error->status;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < d; k++) {
            const double slack = 1e-9 * s->grid.edge[k]; /* a centre on the border counts as inside */
            meant[i] = meant[i] && s->centre[i][k] >= low[k] - slack && s->centre[i][k] <= high[k] + slack;
        }
    return CAROM_OK;
}

static enum carom_status keep_sphere(struct carom_bind *b, struct carom_node *node, const struct carom_solid *s,
                                     bool *meant)
{
    struct carom_keys_solid_sphere keys;
    double at[3] = {0.0, 0.0, 0.0};
    if (carom_value_fill(&b->r, node, &carom_keys_solid_sphere, &keys) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *place = carom_tree_find(node, "at");
    if (place == NULL)
        return carom_value_wrong_key(&b->r, node, "sphere: at is missing, such as {at: [0, 0, 0], radius: 1 cm}");
    if (carom_value_vector(&b->r, place, "m", (size_t)s->dimension, false, at) != CAROM_OK)
        return b->r.error->status;
    for (size_t i = 0; i < s->n; i++) {
        double away[3];
        for (int k = 0; k < 3; k++)
            away[k] = s->centre[i][k] - at[k];
        meant[i] = meant[i] && carom_vec_norm(away) <= keys.radius;
    }
    return CAROM_OK;
}

static enum carom_status keep_near(struct carom_bind *b, struct carom_node *node, const struct carom_solid *s,
                                   bool *meant)
{
    double place[3] = {0.0, 0.0, 0.0};
    if (carom_value_vector(&b->r, node, "m", (size_t)s->dimension, false, place) != CAROM_OK)
        return b->r.error->status;
    const size_t cell = carom_solid_nearest(s, place);
    double square = 0.0, edge = 0.0;
    for (size_t k = 0; k < (size_t)s->dimension; k++) {
        square += (place[k] - s->centre[cell][k]) * (place[k] - s->centre[cell][k]);
        edge = fmax(edge, s->cells != NULL ? carom_solid_sort_of(s, cell)->edge[k] : s->grid.edge[k]);
    }
    if (edge > 0.0 && sqrt(square) > 2.0 * edge)
        return carom_value_wrong(&b->r, node,
                                 "the nearest cell is %g away, and a cell is %g long: take a place in the body",
                                 sqrt(square), edge);
    for (size_t i = 0; i < s->n; i++)
        meant[i] = meant[i] && i == cell;
    return CAROM_OK;
}

static enum carom_status keep_set(struct carom_bind *b, struct carom_node *node, const struct carom_solid *s,
                                  bool *meant)
{
    const char *word;
    if (carom_value_text(&b->r, node, &word) != CAROM_OK)
        return b->r.error->status;
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; i < s->nsets; i++) {
        if (strcmp(s->set[i].name, word) == 0) {
            size_t next = 0;
            for (size_t c = 0; c < s->n; c++) {
                const bool there = next < s->set[i].count && s->set[i].cell[next] == c;
                next += there ? 1 : 0;
                meant[c] = meant[c] && there;
            }
            return CAROM_OK;
        }
        if (count < 64)
            names[count++] = s->set[i].name;
    }
    const char *sides[CAROM_SOLID_SIDES + NAMED];
    enum carom_solid_side which[CAROM_SOLID_SIDES + NAMED];
    for (size_t i = name_sides(s, sides, which); i > 0; i--)
        if (strcmp(sides[i - 1], word) == 0)
            return carom_value_wrong(&b->r, node, "%s is no set of cells but a face: write face: %s", word, word);
    if (count == 0)
        return carom_value_wrong(&b->r, node, "there is no set '%s': the body has no sets",
                                 carom_tree_short(word).text);
    struct carom_node at_value = *node;
    at_value.key_line = 0;
    return carom_value_unknown(&b->r, &at_value, "set", word, names, count);
}

static enum carom_status keep_all(struct carom_bind *b, struct carom_node *node)
{
    const char *word;
    if (carom_value_text(&b->r, node, &word) != CAROM_OK)
        return b->r.error->status;
    if (strcmp(word, "all") != 0)
        return carom_value_wrong(&b->r, node, "'%s': here it can only be all; use face, box, near or set to choose",
                                 carom_tree_short(word).text);
    return CAROM_OK;
}

static enum carom_status mark(struct carom_bind *b, struct carom_node *map, const struct carom_solid *s, bool whole,
                              bool *meant, enum carom_solid_side *side)
{
    struct carom_node *face = carom_tree_find(map, "face"), *box = carom_tree_find(map, "box"),
                      *near = carom_tree_find(map, "near"), *set = carom_tree_find(map, "set"),
                      *all = carom_tree_find(map, "cells"), *sphere = carom_tree_find(map, "sphere");
    if (!face && !box && !sphere && !near && !set && !all && !whole)
        return carom_value_wrong_key(&b->r, map,
                                     "which cells are meant: give face, box, sphere, near, set or cells: all");
    if (face != NULL) {
        if (carom_bind_solid_pick_side(b, face, s, side) != CAROM_OK)
            return b->r.error->status;
        keep_side(s, *side, meant);
    }
    if ((all != NULL && keep_all(b, all) != CAROM_OK) || (box != NULL && keep_box(b, box, s, meant) != CAROM_OK) ||
        (sphere != NULL && keep_sphere(b, sphere, s, meant) != CAROM_OK) ||
        (near != NULL && keep_near(b, near, s, meant) != CAROM_OK) ||
        (set != NULL && keep_set(b, set, s, meant) != CAROM_OK))
        return b->r.error->status;
    return CAROM_OK;
}

enum carom_status carom_bind_solid_pick(struct carom_bind *b, struct carom_node *map, const struct carom_solid *s,
                                        bool whole, size_t *count, uint32_t **cell, enum carom_solid_side *side)
{
    enum carom_solid_side named = CAROM_SOLID_SIDES;
    bool *meant = carom_memory_zeroed(s->n, sizeof *meant);
    *count = 0;
    *cell = NULL;
    if (meant == NULL)
        return carom_bind_memory(b);
    for (size_t i = 0; i < s->n; i++)
        meant[i] = true;
    enum carom_status status = mark(b, map, s, whole, meant, &named);
    for (size_t i = 0; i < s->n; i++)
        *count += meant[i] ? 1 : 0;
    if (status == CAROM_OK && *count == 0)
        status = carom_value_wrong(&b->r, map, "no cell of the body is meant by this");
    if (status == CAROM_OK && (*cell = carom_memory_zeroed(*count, sizeof **cell)) == NULL)
        status = carom_bind_memory(b);
    size_t next = 0;
    for (size_t i = 0; status == CAROM_OK && i < s->n; i++)
        if (meant[i])
            (*cell)[next++] = (uint32_t)i;
    carom_memory_free(meant);
    if (side != NULL)
        *side = named;
    return status;
}
