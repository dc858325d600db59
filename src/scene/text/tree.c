/* The scene's tree: arena, nodes, and sentences that say where something stands. Blocks are chained and freed
 * together; single nodes are never freed. */
#include "scene/text/tree.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#define BLOCK ((size_t)1 << 16)
#define ALIGNMENT sizeof(void *)

/* A block begins with the pointer to the one before. */
struct block {
    struct block *before;
};

void carom_tree_free(struct carom_tree *tree)
{
    struct block *block = tree->block;
    while (block != NULL) {
        struct block *before = block->before;
        carom_memory_free(block);
        block = before;
    }
    *tree = (struct carom_tree){0};
}

static void *take(struct carom_tree *tree, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (tree->block == NULL || size > tree->left) {
        const size_t room = sizeof(struct block) + (size > BLOCK ? size : BLOCK);
        struct block *block = carom_memory_zeroed(room, 1);
        if (block == NULL)
            return NULL;
        block->before = tree->block;
        tree->block = block;
        tree->left = room - sizeof(struct block);
    }
    /* the block is handed out from its end, so that the room left is all there is to remember */
    tree->left -= size;
    return (char *)tree->block + sizeof(struct block) + tree->left;
}

const char *carom_tree_text(struct carom_tree *tree, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? take(tree, length + 1) : NULL;
    if (copy == NULL)
        return NULL;
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

struct carom_node *carom_tree_node(struct carom_tree *tree, enum carom_node_kind kind)
{
    struct carom_node *node = take(tree, sizeof *node);
    if (node == NULL)
        return NULL;
    *node = (struct carom_node){.kind = kind};
    tree->nodes++;
    return node;
}

void carom_tree_append(struct carom_node *parent, struct carom_node *node)
{
    node->parent = parent;
    node->next = NULL;
    if (parent->last != NULL)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
    parent->count++;
}

void carom_tree_replace(struct carom_tree *tree, struct carom_node *old, struct carom_node *node)
{
    struct carom_node *parent = old->parent;
    node->parent = parent;
    node->next = old->next;
    node->key = old->key;
    node->key_line = old->key_line;
    node->key_column = old->key_column;
    if (parent == NULL) {
        tree->root = node;
        return;
    }
    struct carom_node **link = &parent->first;
    while (*link != old)
        link = &(*link)->next;
    *link = node;
    if (parent->last == old)
        parent->last = node;
}

void carom_tree_remove(struct carom_node *node)
{
    struct carom_node *parent = node->parent, *before = NULL, **link = &parent->first;
    while (*link != node) {
        before = *link;
        link = &before->next;
    }
    *link = node->next;
    if (parent->last == node)
        parent->last = before;
    parent->count--;
}

struct carom_node *carom_tree_find(const struct carom_node *map, const char *key)
{
    if (map == NULL || map->kind != CAROM_NODE_MAP)
        return NULL;
    for (struct carom_node *node = map->first; node != NULL; node = node->next)
        if (strcmp(node->key, key) == 0)
            return node;
    return NULL;
}

struct carom_short carom_tree_short(const char *text)
{
    struct carom_short s;
    const size_t room = sizeof s.text - 1;
    const size_t length = strnlen(text, room + 1);
    if (length <= room) {
        memcpy(s.text, text, length + 1);
        return s;
    }
    size_t end = room - 3;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) /* never half a character */
        end--;
    memcpy(s.text, text, end);
    memcpy(s.text + end, "...", 4);
    return s;
}

const char *carom_tree_kind(const struct carom_node *node)
{
    return node->kind == CAROM_NODE_MAP ? "map" : node->kind == CAROM_NODE_LIST ? "list" : "single value";
}

/* --- errors ----------------------------------------------------------------------------------------------------- */

void carom_tree_place(const struct carom_tree *tree, const struct carom_node *node, bool at_key, char *text,
                      size_t size)
{
    const bool key = at_key && node->key_line > 0;
    if (node->option != NULL)
        snprintf(text, size, "--set %s", node->option);
    else
        snprintf(text, size, "%s:%u:%u", tree->name, key ? node->key_line : node->line,
                 key ? node->key_column : node->column);
}

static void put_place(const struct carom_tree *tree, const struct carom_node *node, bool at_key,
                      struct carom_error *error)
{
    char place[sizeof error->text];
    carom_tree_place(tree, node, at_key, place, sizeof place);
    carom_error_prefix(error, "%s", place);
}

enum carom_status carom_tree_error_at(const struct carom_tree *tree, const struct carom_node *node,
                                      struct carom_error *error)
{
    if (error == NULL)
        return CAROM_E_INPUT;
    if (error->status == CAROM_E_MEMORY)
        return error->status; /* has nothing to do with the place */
    const struct carom_node *named = node;
    while (named != NULL && named->key == NULL)
        named = named->parent;
    if (named != NULL)
        carom_error_prefix(error, "%s", carom_tree_short(named->written != NULL ? named->written : named->key).text);
    put_place(tree, node, false, error);
    return error->status;
}

enum carom_status carom_tree_error_list(const struct carom_tree *tree, const struct carom_node *node, bool at_key,
                                        enum carom_status status, struct carom_error *error, const char *format,
                                        va_list arguments)
{
    if (error == NULL)
        return status;
    char text[sizeof error->text];
    vsnprintf(text, sizeof text, format, arguments);
    carom_error_set(error, status, "%s", text);
    if (!at_key)
        return carom_tree_error_at(tree, node, error);
    put_place(tree, node, true, error);
    return status;
}

enum carom_status carom_tree_error(const struct carom_tree *tree, const struct carom_node *node,
                                   enum carom_status status, struct carom_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status = carom_tree_error_list(tree, node, false, status, error, format, arguments);
    va_end(arguments);
    return status;
}

enum carom_status carom_tree_error_key(const struct carom_tree *tree, const struct carom_node *node,
                                       enum carom_status status, struct carom_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status = carom_tree_error_list(tree, node, true, status, error, format, arguments);
    va_end(arguments);
    return status;
}
