/* One quantity under two names, or a number that is also a word: everything behind this file knows one of them.
 * Sentences about what was written keep its name. */
#include "scene/text/tree.h"

#include <string.h>

static const struct spelling {
    const char *written, *meant;
    double times;       /* value of what is meant, of one that is written */
    const char *unit;   /* of what is written; NULL: that of what is meant */
    const char *beside; /* only in maps that have this key; NULL: everywhere */
} spellings[] = {
    {"diameter", "radius", 0.5, NULL, NULL},
    {"omega", "frequency", 1.0 / 6.28318530717958647693, "rad/s", "shape"},
    {"omega_end", "frequency_end", 1.0 / 6.28318530717958647693, "rad/s", "shape"},
};

static const struct spelling *spelling_of(const struct carom_node *map, const char *key)
{
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        if (strcmp(spellings[i].written, key) == 0 &&
            (spellings[i].beside == NULL || carom_tree_find(map, spellings[i].beside) != NULL))
            return &spellings[i];
    return NULL;
}

static void rename_key(struct carom_node *node, const struct spelling *s)
{
    node->written = node->key;
    node->key = s->meant;
    node->times = s->times;
    node->unit = s->unit;
    for (struct carom_node *item = node->first; node->kind == CAROM_NODE_LIST && item != NULL; item = item->next)
        item->times = s->times, item->unit = s->unit;
}

static enum carom_status respell(const struct carom_tree *tree, struct carom_node *node, struct carom_error *error)
{
    for (struct carom_node *child = node->first; child != NULL; child = child->next) {
        const struct spelling *s = node->kind == CAROM_NODE_MAP ? spelling_of(node, child->key) : NULL;
        if (s != NULL && carom_tree_find(node, s->meant) != NULL)
            return carom_tree_error_key(tree, child, CAROM_E_INPUT, error, "%s and %s both say one thing, choose one",
                                        s->meant, s->written);
        if (s != NULL)
            rename_key(child, s);
        if (child->key && strcmp(child->key, "threads") == 0 && child->text && strcmp(child->text, "auto") == 0)
            child->text = "0";
        if (respell(tree, child, error) != CAROM_OK)
            return error->status;
    }
    return CAROM_OK;
}

enum carom_status carom_spelling(struct carom_tree *tree, struct carom_error *error)
{
    return respell(tree, tree->root, error);
}
