/* Voronoi bodies from their maps. */
#include "scene/solid/bind_solid.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vec.h"
#include "mesh/voronoi.h"
#include "scene/keys/keys_voronoi.h"

enum { SHAPES = 64, TEAM = 64 };

static const char *const kinds[] = {"box", "cylinder", "sphere", "plane"};

/* --- shapes ---------------------------------------------------------------------------------------------------- */

static enum carom_status need(struct carom_bind *b, struct carom_node *map, const char *key, const char *unit,
                              double out[3])
{
    struct carom_node *node = carom_tree_find(map, key);
    if (node == NULL)
        return carom_value_wrong_key(&b->r, map, "%s is missing: a list of three", key);
    return carom_value_vector(&b->r, node, unit, 3, false, out);
}

static enum carom_status read_box(struct carom_bind *b, struct carom_node *map, struct carom_outline_shape *out)
{
    if (carom_value_keys(&b->r, map, &carom_keys_voronoi_box, NULL) != CAROM_OK ||
        need(b, map, "size", "m", out->size) != CAROM_OK)
        return b->r.error->status;
    for (int k = 0; k < 3; k++)
        if (!(out->size[k] > 0.0))
            return carom_value_wrong(&b->r, carom_tree_find(map, "size"), "must be positive, got %g", out->size[k]);
    return CAROM_OK;
}

static enum carom_status read_cylinder(struct carom_bind *b, struct carom_node *map, struct carom_outline_shape *out)
{
    struct carom_keys_voronoi_cylinder keys;
    if (carom_value_keys(&b->r, map, &carom_keys_voronoi_cylinder, NULL) != CAROM_OK ||
        carom_value_section(&b->r, map, &carom_keys_voronoi_cylinder.kind, &keys) != CAROM_OK)
        return b->r.error->status;
    out->radius = keys.radius;
    out->height = keys.height;
    out->axis = keys.axis;
    return CAROM_OK;
}

static enum carom_status read_sphere(struct carom_bind *b, struct carom_node *map, struct carom_outline_shape *out)
{
    struct carom_keys_voronoi_sphere keys;
    if (carom_value_keys(&b->r, map, &carom_keys_voronoi_sphere, NULL) != CAROM_OK ||
        carom_value_section(&b->r, map, &carom_keys_voronoi_sphere.kind, &keys) != CAROM_OK)
        return b->r.error->status;
    out->radius = keys.radius;
    return CAROM_OK;
}

static enum carom_status read_plane(struct carom_bind *b, struct carom_node *map, struct carom_outline_shape *out)
{
    if (carom_value_keys(&b->r, map, &carom_keys_voronoi_plane, NULL) != CAROM_OK ||
        need(b, map, "point", "m", out->origin) != CAROM_OK || need(b, map, "normal", "1", out->size) != CAROM_OK)
        return b->r.error->status;
    const double length = carom_vec_norm(out->size);
    if (!(length > 0.0))
        return carom_value_wrong(&b->r, carom_tree_find(map, "normal"), "the normal has no length");
    for (int k = 0; k < 3; k++)
        out->size[k] /= length;
    return CAROM_OK;
}

static enum carom_status read_shape(struct carom_bind *b, struct carom_node *map, enum carom_outline_kind kind,
                                    struct carom_outline_shape *out)
{
    enum carom_status (*const read[])(struct carom_bind *, struct carom_node *, struct carom_outline_shape *) = {
        read_box, read_cylinder, read_sphere, read_plane};
    struct carom_node *origin = carom_tree_find(map, "origin");
    *out = (struct carom_outline_shape){.kind = kind};
    if (carom_value_map(&b->r, map) != CAROM_OK || read[kind](b, map, out) != CAROM_OK ||
        (origin != NULL && carom_value_vector(&b->r, origin, "m", 3, false, out->origin) != CAROM_OK))
        return b->r.error->status;
    return CAROM_OK;
}

/* the lists within and holes: maps of one shape each */
static enum carom_status read_shapes(struct carom_bind *b, struct carom_node *list, size_t allowed,
                                     struct carom_outline_shape *out, size_t *count)
{
    if (list == NULL)
        return CAROM_OK;
    if (carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *node = list->first; node != NULL; node = node->next) {
        if (carom_value_map(&b->r, node) != CAROM_OK)
            return b->r.error->status;
        size_t kind = 0;
        while (kind < allowed && (node->count != 1 || strcmp(node->first->key, kinds[kind]) != 0))
            kind++;
        if (kind == allowed)
            return carom_value_wrong(&b->r, node,
                                     "one shape an entry: box, cylinder or sphere%s, such as {sphere: {radius: 1 cm}}",
                                     allowed == 4 ? ", or a plane" : "");
        if (*count == SHAPES)
            return carom_value_wrong(&b->r, node, "a region has at most %d shapes and %d holes", SHAPES, SHAPES);
        if (read_shape(b, node->first, (enum carom_outline_kind)kind, &out[*count]) != CAROM_OK)
            return b->r.error->status;
        ++*count;
    }
    return CAROM_OK;
}

static enum carom_status read_fine(struct carom_bind *b, struct carom_node *list, struct carom_outline_fine *out,
                                   size_t *count)
{
    if (list == NULL)
        return CAROM_OK;
    if (carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *node = list->first; node != NULL; node = node->next) {
        struct carom_keys_voronoi_fine keys;
        if (*count == SHAPES)
            return carom_value_wrong(&b->r, node, "at most %d places are fine", SHAPES);
        if (carom_value_fill(&b->r, node, &carom_keys_voronoi_fine, &keys) != CAROM_OK ||
            need(b, node, "near", "m", out[*count].place) != CAROM_OK)
            return b->r.error->status;
        out[*count].within = keys.within;
        out[(*count)++].times = keys.times;
    }
    return CAROM_OK;
}

/* --- the body -------------------------------------------------------------------------------------------------- */

enum carom_status carom_bind_solid_voronoi(struct carom_bind *b, struct carom_node *map, bool accept_skew,
                                           const struct carom_solid_material *material, struct carom_solid **solid)
{
    struct carom_keys_voronoi keys;
    struct carom_outline_shape shape[SHAPES], hole[SHAPES];
    struct carom_outline_fine fine[SHAPES];
    struct carom_voronoi wish = {.region = {.shape = shape, .hole = hole, .fine = fine}};
    if (carom_value_fill(&b->r, map, &carom_keys_voronoi, &keys) != CAROM_OK)
        return b->r.error->status;
    for (size_t k = 0; k < 3; k++) {
        struct carom_node *node = carom_tree_find(map, kinds[k]);
        if (node == NULL)
            continue;
        if (wish.region.nshapes > 0)
            return carom_value_wrong_key(
                &b->r, node,
                "voronoi: give one of box, cylinder and sphere; a body that limits it stands under within");
        if (read_shape(b, node, (enum carom_outline_kind)k, &shape[wish.region.nshapes++]) != CAROM_OK)
            return b->r.error->status;
    }
    if (wish.region.nshapes == 0)
        return carom_value_wrong_key(&b->r, map,
                                     "voronoi: a region is missing, such as box: {size: [1 m, 0.1 m, 0.1 m]}");
    if (read_shapes(b, carom_tree_find(map, "within"), 4, shape, &wish.region.nshapes) != CAROM_OK ||
        read_shapes(b, carom_tree_find(map, "holes"), 3, hole, &wish.region.nholes) != CAROM_OK ||
        read_fine(b, carom_tree_find(map, "fine"), fine, &wish.region.nfine) != CAROM_OK)
        return b->r.error->status;
    const size_t cores = carom_threads_cores();
    wish.cells = (size_t)keys.cells;
    wish.seed = (uint64_t)keys.seed;
    wish.relax = (size_t)keys.relax;
    wish.progress = b->wish->progress;
    wish.threads = keys.cells > 4096 && cores > 1 ? carom_threads_create(cores < TEAM ? cores : TEAM) : NULL;
    struct carom_mesh *mesh = carom_voronoi_mesh(&wish, b->r.error);
    carom_threads_free(wish.threads);
    if (mesh == NULL)
        return carom_tree_error_at(b->r.tree, map, b->r.error);
    const enum carom_status status = carom_bind_solid_cells(b, map, accept_skew, material, mesh, solid);
    carom_mesh_free(mesh);
    return status;
}
