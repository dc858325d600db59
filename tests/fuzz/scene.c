/* Any bytes as a scene: whatever they are, the reader ends in a scene or in a sentence. The bytes go in as YAML, as a
 * `--set`, and as a number with a unit. Scenes with large numbers are not bound: a chain of a million beads is valid,
 * and slow. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/scene.h"
#include "scene/set.h"
#include "scene/units.h"
#include "scene/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LARGE 1e4

/* Every error is one line that says something. */
static void check_error(const struct carom_error *error)
{
    if (error->status == CAROM_OK || error->text[0] == '\0' || strchr(error->text, '\n') != NULL)
        abort();
}

/* Are all numbers of the tree small enough to be counts? */
static bool is_small(const struct carom_node *node)
{
    struct carom_quantity quantity;
    if (node->kind == CAROM_NODE_SCALAR && carom_units_read(node->text, &quantity, NULL) == CAROM_OK)
        return quantity.value < LARGE;
    for (const struct carom_node *child = node->first; child != NULL; child = child->next)
        if (!is_small(child))
            return false;
    return true;
}

static void bind(const char *text, size_t size, const char *option)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("fuzz", text, size, &option, option != NULL ? 1 : 0, &error);
    if (scene == NULL)
        check_error(&error);
    carom_scene_free(scene);
}

static void try_option(const char *option)
{
    static const char scene[] = "units: none\n"
                                "bodies: [chain: {count: 3, mass: [1, 2, 3]}, wall: {side: right}]\n"
                                "start: [{body: 1, velocity: 1}]\n"
                                "run: {until: 1}\n";
    struct carom_tree tree = {.name = "fuzz"};
    struct carom_error error = {CAROM_OK, ""};
    if (carom_yaml_parse(&tree, scene, sizeof scene - 1, NULL, &tree.root, &error) != CAROM_OK)
        abort();
    const bool applied = carom_set_apply(&tree, option, &error) == CAROM_OK;
    if (!applied)
        check_error(&error);
    const bool small = applied && is_small(tree.root);
    carom_tree_free(&tree);
    if (small)
        bind(scene, sizeof scene - 1, option);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct carom_tree tree = {.name = "fuzz"};
    struct carom_error error = {CAROM_OK, ""};
    const char *bytes = (const char *)data;
    const bool parsed = carom_yaml_parse(&tree, bytes, size, NULL, &tree.root, &error) == CAROM_OK;
    if (!parsed)
        check_error(&error);
    if (!parsed || is_small(tree.root))
        bind(bytes, size, NULL);
    carom_tree_free(&tree);

    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    struct carom_quantity quantity;
    error.status = CAROM_OK;
    if (carom_units_read(text, &quantity, &error) != CAROM_OK)
        check_error(&error);
    else if (!(quantity.value - quantity.value == 0.0))
        abort(); /* not finite */
    try_option(text);
    free(text);
    return 0;
}
