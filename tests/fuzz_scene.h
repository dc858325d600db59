/* Scenes in fuzz tests: bound, and read again from what they keep. */
#ifndef CAROM_TESTS_FUZZ_SCENE_H
#define CAROM_TESTS_FUZZ_SCENE_H

#include "carom/scene.h"
#include "fuzz.h"
#include "scene/text/tree.h"
#include "scene/text/units.h"

/* Are all numbers of the tree small enough to be counts? A chain of a million beads is valid, and slow. */
static inline bool fuzz_scene_small(const struct carom_node *node)
{
    struct carom_quantity quantity;
    if (node->kind == CAROM_NODE_SCALAR && carom_units_read(node->text, &quantity, NULL) == CAROM_OK && !quantity.unit)
        return quantity.value < 300.0;
    for (const struct carom_node *child = node->first; child != NULL; child = child->next)
        if (!fuzz_scene_small(child))
            return false;
    return true;
}

/* The scene, or NULL after a sentence. */
static inline struct carom_scene *fuzz_scene(const char *text, size_t size, const char *option)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("fuzz", text, size, &option, option != NULL ? 1 : 0, &error);
    if (scene == NULL)
        fuzz_error(error.status, &error);
    fuzz_need(scene != NULL || error.status != CAROM_OK, "neither a scene nor an error");
    return scene;
}

/* A scene keeps what it read from other files among its overrides, so that a run file needs no other file: with them it
 * can be read again, and says the same. Frees the scene. */
static inline void fuzz_scene_again(struct carom_scene *scene)
{
    if (scene == NULL)
        return;
    size_t lines = 0;
    const char *line[64];
    char *set = fuzz_text((const uint8_t *)scene->set, strlen(scene->set));
    for (char *at = strtok(set, "\n"); at != NULL && lines < 64; at = strtok(NULL, "\n"))
        line[lines++] = at;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *again = carom_scene_parse("again", scene->text, strlen(scene->text), line, lines, &error);
    if (again == NULL)
        fprintf(stderr, "%s\n", error.text);
    fuzz_need(again != NULL, "what a scene keeps is no scene");
    fuzz_need(strcmp(again->set, scene->set) == 0, "a scene that is read again keeps something else");
    carom_scene_free(again);
    carom_scene_free(scene);
    free(set);
}

#endif
