/* Materials of a scene: the built-in ones, those of its `materials` map or file and those written in place, in one
 * numbered list. What a material lacks is asked for only where it is needed. A file is read once: what it said becomes
 * an override of the scene, so that run files need it no more. */
#include "base/file.h"
#include "base/memory.h"
#include "scene/keep.h"
#include "scene/text/yaml.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define OWN 1000 /* materials a scene may define */

static enum carom_status add(struct carom_bind *b, const struct carom_material *material)
{
    if (!carom_memory_room(&b->material, b->nmaterials, &b->material_room, 32, sizeof *b->material))
        return carom_bind_memory(b);
    b->material[b->nmaterials++] = *material;
    return CAROM_OK;
}

static enum carom_status read_material(struct carom_bind *b, struct carom_node *node, const char *name,
                                       struct carom_material *material)
{
    *material = (struct carom_material){name, nan(""), nan(""), nan(""), "the scene", 0.0};
    double *const field[] = {&material->young, &material->poisson, &material->density, &material->yield};
    if (carom_value_map_of(&b->r, node, &carom_keys_material) != CAROM_OK)
        return b->r.error->status;
    const struct carom_param *rows = carom_keys_material.kind.params;
    for (size_t i = 0; i < sizeof field / sizeof field[0]; i++) {
        struct carom_node *value = carom_tree_find(node, rows[i].name);
        if (value != NULL && carom_value_read(&b->r, value, &rows[i], field[i]) != CAROM_OK)
            return b->r.error->status;
    }
    return CAROM_OK;
}

/* The scene's own, from its map or from a file's. */
static enum carom_status read_map(struct carom_bind *b, struct carom_node *own)
{
    if (carom_value_map(&b->r, own) != CAROM_OK)
        return b->r.error->status;
    if (own->count > OWN)
        return carom_value_wrong(&b->r, own, "more than %d materials", OWN);
    for (struct carom_node *node = own->first; node != NULL; node = node->next) {
        struct carom_material material;
        if (strcmp(node->key, "rigid") == 0)
            return carom_value_wrong_key(&b->r, node, "'rigid' has a meaning already, choose another name");
        if (read_material(b, node, node->key, &material) != CAROM_OK || add(b, &material) != CAROM_OK)
            return b->r.error->status;
    }
    return CAROM_OK;
}

/* --- a file of materials ----------------------------------------------------------------------------------------- */

#define FILE_BYTES (1 << 20)
#define LINE_BYTES 200 /* more than the numbers of one material need */

static char *text_of(struct carom_bind *b, const struct carom_node *node, const char *path, size_t *length)
{
    const char *why = "";
    FILE *file = carom_file_open(path, LONG_MAX, &why);
    if (file == NULL) {
        carom_tree_error(b->r.tree, node, CAROM_E_FILE, b->r.error, "the file of materials %s cannot be read: %s",
                         carom_tree_short(path).text, why);
        return NULL;
    }
    char *text = carom_file_text(file, FILE_BYTES, length);
    const bool whole = !ferror(file) && *length <= FILE_BYTES;
    fclose(file);
    if (text == NULL) {
        carom_bind_memory(b);
    } else if (!whole) {
        carom_tree_error(b->r.tree, node, CAROM_E_FILE, b->r.error, "the file of materials %s is longer than 1 MB",
                         carom_tree_short(path).text);
        carom_memory_free(text);
        text = NULL;
    }
    return text;
}

/* "materials={"name": {young: 2e11, ...}, ...}" after the overrides there are already. */
static enum carom_status keep(struct carom_bind *b, size_t first)
{
    size_t room = strlen(b->scene->set) + 64;
    for (size_t i = first; i < b->nmaterials; i++)
        room += strlen(b->material[i].name) + LINE_BYTES;
    char *set = carom_memory_zeroed(room, 1);
    if (set == NULL)
        return carom_bind_memory(b);
    int at = snprintf(set, room, "%s%smaterials={", b->scene->set, b->scene->set[0] != '\0' ? "\n" : "");
    for (size_t i = first; i < b->nmaterials; i++) {
        const struct carom_material *m = &b->material[i];
        const struct carom_param *rows = carom_keys_material.kind.params;
        const double value[] = {m->young, m->poisson, m->density, m->yield > 0.0 ? m->yield : nan("")};
        at += snprintf(set + at, room - (size_t)at, "%s\"%s\": {", i > first ? ", " : "", m->name);
        for (size_t k = 0, given = 0; k < sizeof value / sizeof value[0]; k++)
            if (!isnan(value[k]))
                at += snprintf(set + at, room - (size_t)at, "%s%s: %.17g", given++ > 0 ? ", " : "", rows[k].name,
                               value[k]);
        at += snprintf(set + at, room - (size_t)at, "}");
    }
    snprintf(set + at, room - (size_t)at, "}");
    carom_memory_free(b->scene->set);
    b->scene->set = set;
    return CAROM_OK;
}

/* The file's nodes live in the scene's tree, whose name stands in front of errors: it is the file's while they are
 * read. Names with quotes could not be kept. */
static enum carom_status read_file(struct carom_bind *b, struct carom_node *own)
{
    const char *name;
    if (carom_value_text(&b->r, own, &name) != CAROM_OK)
        return b->r.error->status;
    const size_t first = b->nmaterials;
    size_t length = 0;
    char *path = carom_keep_beside(b, name);
    char *text = path != NULL ? text_of(b, own, path, &length) : NULL;
    enum carom_status status = path == NULL ? carom_bind_memory(b) : text == NULL ? b->r.error->status : CAROM_OK;
    const char *scene = b->r.tree->name;
    if (status == CAROM_OK) {
        struct carom_node *root = NULL;
        b->r.tree->name = path;
        status = carom_yaml_parse(b->r.tree, text, length, NULL, &root, b->r.error);
        if (status == CAROM_OK)
            status = read_map(b, root);
        for (struct carom_node *node = root != NULL ? root->first : NULL; node != NULL && status == CAROM_OK;
             node = node->next)
            if (strpbrk(node->key, "\"\\\n") != NULL)
                status =
                    carom_value_wrong_key(&b->r, node, "a name of a material has no quotes, backslashes or line ends");
        b->r.tree->name = scene;
    }
    carom_memory_free_all(text, path);
    return status == CAROM_OK ? keep(b, first) : status;
}

enum carom_status carom_bind_materials(struct carom_bind *b, const struct carom_node *root)
{
    static const struct carom_material rigid = {"rigid", HUGE_VAL, 0.0, HUGE_VAL, "does not yield", 0.0};
    if (add(b, &rigid) != CAROM_OK)
        return b->r.error->status;
    for (const struct carom_material *m = carom_materials_list; m->name != NULL; m++)
        if (add(b, m) != CAROM_OK)
            return b->r.error->status;
    b->nbuiltin = b->nmaterials;
    struct carom_node *own = carom_tree_find(root, "materials");
    if (own == NULL)
        return CAROM_OK;
    return own->kind == CAROM_NODE_SCALAR ? read_file(b, own) : read_map(b, own);
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
        return carom_value_wrong(&b->r, node, "only a wall can be rigid under theory compliant");
    if (i > 0 && i < b->nbuiltin && !b->r.si)
        return carom_value_wrong(
            &b->r, node,
            "%s is known in SI units only, but the scene says units: none; give young, poisson and density instead",
            name);
    *number = (uint32_t)(i + 1);
    return CAROM_OK;
}
