/* Materials of a scene: the built-in ones, those of its `materials` map and those written in place, in one numbered
 * list. What a material lacks is asked for only where it is needed. */
#include "base/memory.h"
#include "scene/bind.h"

#include <math.h>
#include <string.h>

#define OWN 1000 /* materials a scene may define */

static enum carom_status add(struct carom_bind *b, const struct carom_material *material)
{
    if (b->nmaterials == b->material_room) {
        const size_t room = b->material_room > 0 ? 2 * b->material_room : 32;
        struct carom_material *grown = carom_memory_grow(b->material, b->material_room, room, sizeof *grown);
        if (grown == NULL)
            return carom_bind_memory(b);
        b->material = grown;
        b->material_room = room;
    }
    b->material[b->nmaterials++] = *material;
    return CAROM_OK;
}

static enum carom_status read_material(struct carom_bind *b, struct carom_node *node, const char *name,
                                       struct carom_material *material)
{
    *material = (struct carom_material){name, nan(""), nan(""), nan(""), "the scene"};
    double *const field[] = {&material->young, &material->poisson, &material->density};
    if (carom_value_map(&b->r, node) != CAROM_OK ||
        carom_value_keys(&b->r, node, &carom_keys_material, NULL) != CAROM_OK)
        return b->r.error->status;
    const struct carom_param *rows = carom_keys_material.kind.params;
    for (size_t i = 0; i < sizeof field / sizeof field[0]; i++) {
        struct carom_node *value = carom_tree_find(node, rows[i].name);
        if (value != NULL && carom_value_read(&b->r, value, &rows[i], field[i]) != CAROM_OK)
            return b->r.error->status;
    }
    return CAROM_OK;
}

enum carom_status carom_bind_materials(struct carom_bind *b, const struct carom_node *root)
{
    static const struct carom_material rigid = {"rigid", HUGE_VAL, 0.0, HUGE_VAL, "does not yield"};
    if (add(b, &rigid) != CAROM_OK)
        return b->r.error->status;
    for (const struct carom_material *m = carom_materials_list; m->name != NULL; m++)
        if (add(b, m) != CAROM_OK)
            return b->r.error->status;
    b->nbuiltin = b->nmaterials;
    struct carom_node *own = carom_tree_find(root, "materials");
    if (own == NULL)
        return CAROM_OK;
    if (carom_value_map(&b->r, own) != CAROM_OK)
        return b->r.error->status;
    if (own->count > OWN)
        return carom_tree_error(b->r.tree, own, CAROM_E_INPUT, b->r.error, "more than %d materials", OWN);
    for (struct carom_node *node = own->first; node != NULL; node = node->next) {
        struct carom_material material;
        if (strcmp(node->key, "rigid") == 0)
            return carom_tree_error_key(b->r.tree, node, CAROM_E_INPUT, b->r.error,
                                        "'rigid' has a meaning already, choose another name");
        if (read_material(b, node, node->key, &material) != CAROM_OK || add(b, &material) != CAROM_OK)
            return b->r.error->status;
    }
    return CAROM_OK;
}

static enum carom_status unknown(struct carom_bind *b, struct carom_node *node, const char *name)
{
    struct carom_node at_value = *node;
    at_value.key_line = 0;
    const char **names = carom_memory_zeroed(b->nmaterials, sizeof *names);
    if (names == NULL)
        return carom_bind_memory(b);
    size_t count = 0;
    for (size_t i = 0; i < b->nmaterials; i++)
        if (b->material[i].name != NULL)
            names[count++] = b->material[i].name;
    const enum carom_status status = carom_value_unknown(&b->r, &at_value, "material", name, names, count);
    carom_memory_free(names);
    return status;
}

/* The scene's own come after the built-in ones and win over them. */
static size_t find(const struct carom_bind *b, const char *name)
{
    for (size_t i = b->nmaterials; i-- > 0;)
        if (b->material[i].name != NULL && strcmp(b->material[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

enum carom_status carom_bind_materials_number(struct carom_bind *b, struct carom_node *node, bool wall,
                                              uint32_t *number)
{
    if (node->kind == CAROM_NODE_MAP) {
        struct carom_material material;
        if (b->nmaterials >= UINT32_MAX)
            return carom_bind_memory(b);
        if (read_material(b, node, NULL, &material) != CAROM_OK || add(b, &material) != CAROM_OK)
            return b->r.error->status;
        *number = (uint32_t)b->nmaterials;
        return CAROM_OK;
    }
    const char *name;
    if (carom_value_text(&b->r, node, &name) != CAROM_OK)
        return b->r.error->status;
    const size_t i = find(b, name);
    if (i == SIZE_MAX)
        return unknown(b, node, name);
    if (i == 0 && !wall)
        return carom_tree_error(b->r.tree, node, CAROM_E_INPUT, b->r.error,
                                "only a wall can be rigid under theory compliant");
    if (i > 0 && i < b->nbuiltin && !b->r.si)
        return carom_tree_error(b->r.tree, node, CAROM_E_INPUT, b->r.error,
                                "%s is known in SI units only, but the scene says units: none; give young, poisson and "
                                "density instead",
                                name);
    *number = (uint32_t)(i + 1);
    return CAROM_OK;
}
