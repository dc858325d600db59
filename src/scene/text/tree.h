/* The tree a scene is read into: maps, lists and scalars, each knowing where it stands in its file (or which
 * `--set` brought it). All of it lives in one arena and goes at once. Knows nothing of YAML or of meanings. */
#ifndef CAROM_SCENE_TEXT_TREE_H
#define CAROM_SCENE_TEXT_TREE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/error.h"

enum carom_node_kind { CAROM_NODE_SCALAR, CAROM_NODE_LIST, CAROM_NODE_MAP };

struct carom_node {
    enum carom_node_kind kind;
    bool used;                     /* somebody has read it; what nobody reads is refused in the end */
    uint32_t line, column;         /* of the value, from 1; columns count characters */
    uint32_t key_line, key_column; /* of the key, in maps */
    const char *key;               /* its name in a map, else NULL */
    const char *written;           /* the key as the scene spells it, where that is another; else NULL */
    const char *text;              /* of a scalar, else NULL */
    double times;                  /* a number here counts so many times; 0: once */
    const char *unit;              /* of such a number; NULL: its table's */
    const char *option;            /* the `--set` it comes from; NULL: the file */
    size_t count;                  /* entries of a list or map */
    struct carom_node *parent, *first, *last, *next;
};

struct carom_tree {
    const char *name; /* of the file, stands in front of errors */
    struct carom_node *root;
    size_t nodes;
    void *block; /* newest block of the arena */
    size_t left; /* bytes left in it */
};

void carom_tree_free(struct carom_tree *tree);

/* A copy of a text in the arena; NULL: out of memory. */
const char *carom_tree_text(struct carom_tree *tree, const char *text, size_t length);

/* A fresh node; NULL: out of memory. */
struct carom_node *carom_tree_node(struct carom_tree *tree, enum carom_node_kind kind);

/* Hangs a node under a list or map, as its last entry. */
void carom_tree_append(struct carom_node *parent, struct carom_node *node);

/* Puts `node` in the place of `old`, under the same key. */
void carom_tree_replace(struct carom_tree *tree, struct carom_node *old, struct carom_node *node);

/* Takes an entry out of its list or map. */
void carom_tree_remove(struct carom_node *node);

/* The entry of that name in a map, or NULL (also for a NULL map). */
struct carom_node *carom_tree_find(const struct carom_node *map, const char *key);

/* A text cut to a length that fits into a sentence. */
struct carom_short {
    char text[64];
};
struct carom_short carom_tree_short(const char *text);

/* "map", "list", "text" in words that fit after "is a". */
const char *carom_tree_kind(const struct carom_node *node);

/* Errors at a node: `file:line:column: key: sentence`. The key is the nearest one above. */
enum carom_status carom_tree_error(const struct carom_tree *tree, const struct carom_node *node,
                                   enum carom_status status, struct carom_error *error, const char *format, ...)
    CAROM_PRINTF(5, 6);

/* The same at the node's key, without naming it: for keys that should not stand there. */
enum carom_status carom_tree_error_key(const struct carom_tree *tree, const struct carom_node *node,
                                       enum carom_status status, struct carom_error *error, const char *format, ...)
    CAROM_PRINTF(5, 6);

/* Either of them, for those that gather what is to be said. */
enum carom_status carom_tree_error_list(const struct carom_tree *tree, const struct carom_node *node, bool at_key,
                                        enum carom_status status, struct carom_error *error, const char *format,
                                        va_list arguments) CAROM_PRINTF(6, 0);

/* Where the node (or its key) stands: `file:line:column`, or the option that brought it. */
void carom_tree_place(const struct carom_tree *tree, const struct carom_node *node, bool at_key, char *text,
                      size_t size);

/* Puts the node's place and key before a sentence that is already there. */
enum carom_status carom_tree_error_at(const struct carom_tree *tree, const struct carom_node *node,
                                      struct carom_error *error);

/* --- spelling.c: keys that people write in other words than the tables ------------------------------------------- */

/* Gives a scene's keys the names of the tables: a diameter is twice a radius, omega 2 pi times a frequency. Refuses
 * both in one map. */
enum carom_status carom_spelling(struct carom_tree *tree, struct carom_error *error);

/* --- guess.c: natural words for what has another name: sentences about them say what to write -------------------- */

/* What to write instead of a word that is not known in a section (its name as in keys.c; "body" for kinds of bodies,
 * "joint" for those of joints, "side" for sides of walls), as the end of a sentence; NULL: nobody knows. */
const char *carom_guess(const char *section, const char *word);

#endif
