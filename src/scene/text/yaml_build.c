/* Builds the tree of a scene out of events, as they come: aliases are counted while they are written out; depth,
 * duplicate keys, tags and second documents are refused where they stand. Gives no meaning to what it is told. */
#include "scene/text/yaml_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

struct place {
    uint32_t line, column;
};

struct anchor {
    const char *name;
    struct carom_node *node;
};

/* A tree half built. */
struct carom_yaml_builder {
    struct carom_tree *tree;
    const char *option;
    struct carom_error *error;
    struct carom_node *root;
    size_t depth;
    struct frame {
        struct carom_node *node;
        const char *key; /* of a map: read, its value is still to come */
        struct place key_place;
    } frame[CAROM_YAML_DEPTH];
    size_t nanchors;
    struct anchor *anchor; /* CAROM_YAML_ANCHORS of them, from the first on */
    size_t documents;
};

/* --- errors ----------------------------------------------------------------------------------------------------- */

static enum carom_status fail(const struct carom_yaml_builder *b, struct place place, const char *sentence)
{
    const struct carom_node at = {.line = place.line, .column = place.column, .option = b->option};
    return carom_tree_error_key(b->tree, &at, CAROM_E_INPUT, b->error, "%s", sentence);
}

static enum carom_status no_memory(const struct carom_yaml_builder *b)
{
    return carom_error_set(b->error, CAROM_E_MEMORY, "out of memory while reading %s", b->tree->name);
}

/* --- bytes ------------------------------------------------------------------------------------------------------ */

static enum carom_status check_bytes(const struct carom_yaml_builder *b, const char *text, size_t length)
{
    struct place place = {1, 1};
    if (length > CAROM_YAML_BYTES)
        return fail(b, place, "the text is longer than 64 MB");
    const unsigned char *p = (const unsigned char *)text;
    for (size_t i = 0; i < length;) {
        const size_t n = p[i] != '\0' ? carom_text_character(p + i, length - i) : 0;
        if (n == 0)
            return fail(b, place,
                        p[i] == 0 ? "there is a NUL byte: this is not a text file"
                                  : "there are bytes that are not UTF-8 text");
        place.column++;
        if (p[i] == '\n')
            place = (struct place){place.line + 1, 1};
        i += n;
    }
    return CAROM_OK;
}

/* --- building --------------------------------------------------------------------------------------------------- */

static enum carom_status count_node(const struct carom_yaml_builder *b, struct place place)
{
    if (b->tree->nodes >= CAROM_YAML_NODES)
        return fail(b, place, "more than 1000000 keys and values, aliases written out");
    return CAROM_OK;
}

/* A text into the arena; NULL with the error set. */
static const char *copy_text(struct carom_yaml_builder *b, const char *text, size_t length, struct place place)
{
    if (length > 0 && memchr(text, '\0', length) != NULL) {
        fail(b, place, "a NUL character cannot be part of a text");
        return NULL;
    }
    const char *copy = carom_tree_text(b->tree, text, length);
    if (copy == NULL)
        no_memory(b);
    return copy;
}

/* Hangs a finished or just opened node where the stream stands. */
static void attach(struct carom_yaml_builder *b, struct carom_node *node, struct place place)
{
    node->option = b->option;
    node->line = place.line;
    node->column = place.column;
    if (b->depth == 0) {
        b->root = node;
        return;
    }
    struct frame *top = &b->frame[b->depth - 1];
    if (top->node->kind == CAROM_NODE_MAP) {
        node->key = top->key;
        node->key_line = top->key_place.line;
        node->key_column = top->key_place.column;
        if (place.line == 0) { /* an empty value stands nowhere: take its key's place */
            node->line = node->key_line;
            node->column = node->key_column;
        }
        top->key = NULL;
    }
    if (node->line == 0) {
        node->line = top->node->line;
        node->column = top->node->column;
    }
    carom_tree_append(top->node, node);
}

static bool wants_key(const struct carom_yaml_builder *b)
{
    return b->depth > 0 && b->frame[b->depth - 1].node->kind == CAROM_NODE_MAP && b->frame[b->depth - 1].key == NULL;
}

static enum carom_status note_anchor(struct carom_yaml_builder *b, const struct carom_yaml_event *event,
                                     struct carom_node *node)
{
    const struct place place = {event->line, event->column};
    if (event->anchor == NULL)
        return CAROM_OK;
    if (b->nanchors == CAROM_YAML_ANCHORS)
        return fail(b, place, "more than 1000 anchors");
    if (b->anchor == NULL)
        b->anchor = carom_memory_zeroed(CAROM_YAML_ANCHORS, sizeof *b->anchor);
    if (b->anchor == NULL)
        return no_memory(b);
    const char *name = copy_text(b, event->anchor, event->anchor_length, place);
    if (name == NULL)
        return b->error->status;
    b->anchor[b->nanchors++] = (struct anchor){name, node};
    return CAROM_OK;
}

static enum carom_status open_node(struct carom_yaml_builder *b, const struct carom_yaml_event *event,
                                   enum carom_node_kind kind)
{
    const struct place place = {event->line, event->column};
    if (wants_key(b))
        return fail(b, place, "a key must be a plain word, not a list or map");
    if (b->depth == CAROM_YAML_DEPTH)
        return fail(b, place, "nested deeper than 64 levels");
    if (count_node(b, place) != CAROM_OK)
        return b->error->status;
    struct carom_node *node = carom_tree_node(b->tree, kind);
    if (node == NULL)
        return no_memory(b);
    attach(b, node, place);
    b->frame[b->depth++] = (struct frame){.node = node};
    return note_anchor(b, event, node);
}

static enum carom_status add_scalar(struct carom_yaml_builder *b, const struct carom_yaml_event *event)
{
    const struct place place = {event->line, event->column};
    if (count_node(b, place) != CAROM_OK)
        return b->error->status;
    const char *text = copy_text(b, event->text, event->length, place);
    if (text == NULL)
        return b->error->status;
    if (wants_key(b)) {
        if (text[0] == '\0')
            return fail(b, place.line > 0 ? place : (struct place){1, 1}, "there is a value without a key");
        if (event->anchor != NULL)
            return fail(b, place, "a key cannot have an anchor");
        struct frame *top = &b->frame[b->depth - 1];
        top->key = text;
        top->key_place = place;
        b->tree->nodes++;
        return CAROM_OK;
    }
    struct carom_node *node = carom_tree_node(b->tree, CAROM_NODE_SCALAR);
    if (node == NULL)
        return no_memory(b);
    node->text = text;
    attach(b, node, place);
    return note_anchor(b, event, node);
}

/* --- aliases ---------------------------------------------------------------------------------------------------- */

/* Entries keep the place they were written at; only the top one stands under a new key. */
static struct carom_node *copy_node(struct carom_yaml_builder *b, const struct carom_node *from, size_t depth,
                                    struct place place)
{
    if (depth > CAROM_YAML_DEPTH) {
        fail(b, place, "nested deeper than 64 levels");
        return NULL;
    }
    if (count_node(b, place) != CAROM_OK)
        return NULL;
    struct carom_node *node = carom_tree_node(b->tree, from->kind);
    if (node == NULL) {
        no_memory(b);
        return NULL;
    }
    node->text = from->text;
    for (const struct carom_node *child = from->first; child != NULL; child = child->next) {
        struct carom_node *copy = copy_node(b, child, depth + 1, place);
        if (copy == NULL)
            return NULL;
        copy->line = child->line;
        copy->column = child->column;
        copy->option = child->option;
        copy->key = child->key;
        copy->key_line = child->key_line;
        copy->key_column = child->key_column;
        carom_tree_append(node, copy);
    }
    return node;
}

static enum carom_status add_alias(struct carom_yaml_builder *b, const struct carom_yaml_event *event)
{
    const struct place place = {event->line, event->column};
    if (wants_key(b))
        return fail(b, place, "a key must be a plain word, not an alias");
    const struct carom_node *from = NULL;
    for (size_t i = 0; i < b->nanchors; i++) /* the last of a name counts */
        if (strlen(b->anchor[i].name) == event->length && memcmp(b->anchor[i].name, event->text, event->length) == 0)
            from = b->anchor[i].node;
    if (from == NULL)
        return fail(b, place, "the alias has no anchor before it");
    for (size_t i = 0; i < b->depth; i++)
        if (b->frame[i].node == from)
            return fail(b, place, "the alias stands inside what it stands for");
    struct carom_node *node = copy_node(b, from, b->depth + (from->kind != CAROM_NODE_SCALAR ? 1 : 0), place);
    if (node == NULL)
        return b->error->status;
    attach(b, node, place);
    return CAROM_OK;
}

/* --- duplicate keys --------------------------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const struct carom_node *x = *(const struct carom_node *const *)a, *y = *(const struct carom_node *const *)b;
    const int order = strcmp(x->key, y->key);
    if (order != 0)
        return order;
    if (x->key_line != y->key_line)
        return x->key_line < y->key_line ? -1 : 1;
    return x->key_column < y->key_column ? -1 : x->key_column > y->key_column ? 1 : 0;
}

static enum carom_status check_keys(const struct carom_yaml_builder *b, const struct carom_node *map)
{
    if (map->count < 2)
        return CAROM_OK;
    const struct carom_node **sorted = carom_memory_zeroed(map->count, sizeof *sorted);
    if (sorted == NULL)
        return no_memory(b);
    size_t n = 0;
    for (const struct carom_node *node = map->first; node != NULL; node = node->next)
        sorted[n++] = node;
    qsort(sorted, n, sizeof *sorted, by_key);
    enum carom_status status = CAROM_OK;
    for (size_t i = 1; i < n && status == CAROM_OK; i++)
        if (strcmp(sorted[i]->key, sorted[i - 1]->key) == 0)
            status = carom_tree_error_key(b->tree, sorted[i], CAROM_E_INPUT, b->error,
                                          "key '%s' appears twice, first in line %u",
                                          carom_tree_short(sorted[i]->key).text, sorted[i - 1]->key_line);
    carom_memory_free(sorted);
    return status;
}

/* --- the stream ------------------------------------------------------------------------------------------------- */

enum carom_status carom_yaml_build_take(struct carom_yaml_builder *b, const struct carom_yaml_event *event)
{
    const struct place place = {event->line, event->column};
    if (event->tagged)
        return fail(b, place, "tags (words that begin with '!') have no meaning here");
    switch (event->what) {
    case CAROM_YAML_DOCUMENT:
        return ++b->documents > 1 ? fail(b, place, "a second document begins here: one is all there may be") : CAROM_OK;
    case CAROM_YAML_MAP:
        return open_node(b, event, CAROM_NODE_MAP);
    case CAROM_YAML_LIST:
        return open_node(b, event, CAROM_NODE_LIST);
    case CAROM_YAML_MAP_END:
        return check_keys(b, b->frame[--b->depth].node);
    case CAROM_YAML_LIST_END:
        b->depth--;
        return CAROM_OK;
    case CAROM_YAML_SCALAR:
        return add_scalar(b, event);
    case CAROM_YAML_ALIAS:
        return add_alias(b, event);
    }
    return CAROM_OK;
}

enum carom_status carom_yaml_build_invalid(struct carom_yaml_builder *b, uint32_t line, uint32_t column,
                                           const char *message)
{
    char sentence[256] = "this is not valid YAML";
    if (message != NULL) {
        strcpy(sentence, "not valid YAML: ");
        strncat(sentence, message, sizeof sentence - strlen(sentence) - 1);
        /* the commonest cause is a bracket that nobody closed, and the place is then where something else begins */
        const char *also = strstr(message, "missing comma in flow mapping")    ? ", or a } before this place"
                           : strstr(message, "missing comma in flow sequence") ? ", or a ] before this place"
                                                                               : "";
        strncat(sentence, also, sizeof sentence - strlen(sentence) - 1);
    }
    return fail(b, (struct place){line > 0 ? line : 1, column > 0 ? column : 1}, sentence);
}

enum carom_status carom_yaml_build_memory(struct carom_yaml_builder *b)
{
    return no_memory(b);
}

enum carom_status carom_yaml_build(struct carom_tree *tree, const char *text, size_t length, const char *option,
                                   carom_yaml_parser *parser, struct carom_node **root, struct carom_error *error)
{
    struct carom_error own;
    struct carom_yaml_builder b = {.tree = tree, .option = option, .error = error != NULL ? error : &own};
    enum carom_status status = check_bytes(&b, text, length);
    if (status == CAROM_OK && length > 0)
        status = parser(&b, text, length);
    const bool empty = b.root == NULL || (b.root->kind == CAROM_NODE_SCALAR && b.root->text[0] == '\0');
    if (status == CAROM_OK && empty)
        status = fail(&b, (struct place){1, 1}, option != NULL ? "there is no value" : "there is nothing in it");
    carom_memory_free(b.anchor);
    *root = status == CAROM_OK ? b.root : NULL;
    return status;
}
