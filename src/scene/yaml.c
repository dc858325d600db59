/* Reads YAML through libfyaml's event stream; the only file that knows libfyaml. The events are turned into our own
 * tree at once, so that aliases are counted while they are written out and depth, duplicate keys, tags and second
 * documents are refused where they stand. libfyaml gets a diag of our own: nothing is ever printed.
 * Gives no meaning to what it reads. */
#include "scene/yaml.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct place {
    uint32_t line, column;
};

struct anchor {
    const char *name;
    struct carom_node *node;
};

/* A tree half built. */
struct builder {
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
    char *scratch; /* room bytes, for putting a text together */
    size_t room;
};

/* --- errors ----------------------------------------------------------------------------------------------------- */

static enum carom_status fail(const struct builder *b, struct place place, const char *sentence)
{
    const struct carom_node at = {.line = place.line, .column = place.column, .option = b->option};
    return carom_tree_error_key(b->tree, &at, CAROM_E_INPUT, b->error, "%s", sentence);
}

static enum carom_status no_memory(const struct builder *b)
{
    return carom_error_set(b->error, CAROM_E_MEMORY, "out of memory while reading %s", b->tree->name);
}

static struct place place_of(struct fy_event *event)
{
    const struct fy_mark *mark = fy_event_start_mark(event);
    return mark != NULL ? (struct place){(uint32_t)mark->line + 1, (uint32_t)mark->column + 1} : (struct place){0, 0};
}

/* --- bytes ------------------------------------------------------------------------------------------------------ */

/* Length of the UTF-8 character at p, 0 if it is none. Overlong forms, surrogates and NUL are none. */
static size_t character(const unsigned char *p, size_t left)
{
    if (p[0] < 0x80)
        return p[0] != 0 ? 1 : 0;
    const size_t n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
        (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return n;
}

static enum carom_status check_bytes(const struct builder *b, const char *text, size_t length)
{
    struct place place = {1, 1};
    if (length > CAROM_YAML_BYTES)
        return fail(b, place, "the text is longer than 64 MB");
    const unsigned char *p = (const unsigned char *)text;
    for (size_t i = 0; i < length;) {
        const size_t n = character(p + i, length - i);
        if (n == 0)
            return fail(b, place,
                        p[i] == 0 ? "there is a NUL byte: this is no text file"
                                  : "there are bytes that are no UTF-8 text");
        place.column++;
        if (p[i] == '\n')
            place = (struct place){place.line + 1, 1};
        i += n;
    }
    return CAROM_OK;
}

/* --- building --------------------------------------------------------------------------------------------------- */

static enum carom_status count_node(const struct builder *b, struct place place)
{
    if (b->tree->nodes >= CAROM_YAML_NODES)
        return fail(b, place, "more than 1000000 keys and values, aliases written out");
    return CAROM_OK;
}

static bool add_chunk(struct builder *b, size_t length, const struct fy_iter_chunk *chunk)
{
    if (b->room - length < chunk->len) {
        const size_t room = 2 * (length + chunk->len);
        char *grown = carom_memory_grow(b->scratch, b->room, room, 1);
        if (grown == NULL)
            return false;
        b->scratch = grown;
        b->room = room;
    }
    if (chunk->len > 0)
        memcpy(b->scratch + length, chunk->str, chunk->len);
    return true;
}

/* A token's text into `scratch`, piece by piece: libfyaml 0.7.12 leaks where it joins many pieces itself. */
static bool gather_text(struct builder *b, struct fy_token *token, size_t *length)
{
    struct fy_token_iter *iterator = fy_token_iter_create(token);
    if (iterator == NULL)
        return false;
    const struct fy_iter_chunk *chunk = NULL;
    int error = 0;
    bool good = true;
    while (good && (chunk = fy_token_iter_chunk_next(iterator, chunk, &error)) != NULL) {
        good = add_chunk(b, *length, chunk);
        *length += chunk->len;
    }
    fy_token_iter_destroy(iterator);
    return good && error == 0;
}

/* The scalar's text into the arena; NULL with the error set. */
static const char *copy_text(struct builder *b, struct fy_token *token, struct place place)
{
    size_t length = 0;
    if (token != NULL && !gather_text(b, token, &length)) {
        no_memory(b);
        return NULL;
    }
    if (length > 0 && memchr(b->scratch, '\0', length) != NULL) {
        fail(b, place, "a NUL character cannot be part of a text");
        return NULL;
    }
    const char *copy = carom_tree_text(b->tree, b->scratch, length);
    if (copy == NULL)
        no_memory(b);
    return copy;
}

/* Hangs a finished or just opened node where the stream stands. */
static enum carom_status attach(struct builder *b, struct carom_node *node, struct place place)
{
    node->option = b->option;
    node->line = place.line;
    node->column = place.column;
    if (b->depth == 0) {
        b->root = node;
        return CAROM_OK;
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
    return CAROM_OK;
}

static bool wants_key(const struct builder *b)
{
    return b->depth > 0 && b->frame[b->depth - 1].node->kind == CAROM_NODE_MAP && b->frame[b->depth - 1].key == NULL;
}

static enum carom_status note_anchor(struct builder *b, struct fy_token *token, struct carom_node *node,
                                     struct place place)
{
    if (token == NULL)
        return CAROM_OK;
    if (b->nanchors == CAROM_YAML_ANCHORS)
        return fail(b, place, "more than 1000 anchors");
    if (b->anchor == NULL)
        b->anchor = carom_memory_zeroed(CAROM_YAML_ANCHORS, sizeof *b->anchor);
    if (b->anchor == NULL)
        return no_memory(b);
    const char *name = copy_text(b, token, place);
    if (name == NULL)
        return b->error->status;
    b->anchor[b->nanchors++] = (struct anchor){name, node};
    return CAROM_OK;
}

static enum carom_status open_node(struct builder *b, struct fy_event *event, enum carom_node_kind kind)
{
    const struct place place = place_of(event);
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
    return note_anchor(b, fy_event_get_anchor_token(event), node, place);
}

static enum carom_status add_scalar(struct builder *b, struct fy_event *event)
{
    const struct place place = place_of(event);
    if (count_node(b, place) != CAROM_OK)
        return b->error->status;
    const char *text = copy_text(b, event->scalar.value, place);
    if (text == NULL)
        return b->error->status;
    if (wants_key(b)) {
        if (text[0] == '\0')
            return fail(b, place.line > 0 ? place : (struct place){1, 1}, "there is a value without a key");
        if (event->scalar.anchor != NULL)
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
    return note_anchor(b, event->scalar.anchor, node, place);
}

/* --- aliases ---------------------------------------------------------------------------------------------------- */

/* Entries keep the place they were written at; only the top one stands under a new key. */
static struct carom_node *copy_node(struct builder *b, const struct carom_node *from, size_t depth, struct place place)
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

static enum carom_status add_alias(struct builder *b, struct fy_event *event)
{
    const struct place place = place_of(event);
    if (wants_key(b))
        return fail(b, place, "a key must be a plain word, not an alias");
    const char *name = copy_text(b, event->alias.anchor, place);
    if (name == NULL)
        return b->error->status;
    const struct carom_node *from = NULL;
    for (size_t i = 0; i < b->nanchors; i++) /* the last of a name counts */
        if (strcmp(b->anchor[i].name, name) == 0)
            from = b->anchor[i].node;
    if (from == NULL)
        return fail(b, place, "the alias has no anchor before it");
    for (size_t i = 0; i < b->depth; i++)
        if (b->frame[i].node == from)
            return fail(b, place, "the alias stands inside what it stands for");
    struct carom_node *node = copy_node(b, from, b->depth + (from->kind != CAROM_NODE_SCALAR ? 1 : 0), place);
    if (node == NULL)
        return b->error->status;
    return attach(b, node, place);
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

static enum carom_status check_keys(const struct builder *b, const struct carom_node *map)
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
                                          "key '%s' is there twice, first in line %u",
                                          carom_tree_short(sorted[i]->key).text, sorted[i - 1]->key_line);
    carom_memory_free(sorted);
    return status;
}

/* --- the stream ------------------------------------------------------------------------------------------------- */

static enum carom_status take_event(struct builder *b, struct fy_event *event)
{
    if ((event->type == FYET_SCALAR || event->type == FYET_MAPPING_START || event->type == FYET_SEQUENCE_START) &&
        fy_event_get_tag_token(event) != NULL)
        return fail(b, place_of(event), "tags (words that begin with '!') have no meaning here");
    switch (event->type) {
    case FYET_DOCUMENT_START:
        return ++b->documents > 1 ? fail(b, place_of(event), "a second document begins here: one is all there may be")
                                  : CAROM_OK;
    case FYET_MAPPING_START:
        return open_node(b, event, CAROM_NODE_MAP);
    case FYET_SEQUENCE_START:
        return open_node(b, event, CAROM_NODE_LIST);
    case FYET_MAPPING_END:
        return check_keys(b, b->frame[--b->depth].node);
    case FYET_SEQUENCE_END:
        b->depth--;
        return CAROM_OK;
    case FYET_SCALAR:
        return add_scalar(b, event);
    case FYET_ALIAS:
        return add_alias(b, event);
    default:
        return CAROM_OK;
    }
}

static enum carom_status stream_error(const struct builder *b, struct fy_diag *diag)
{
    void *previous = NULL;
    const struct fy_diag_error *first = fy_diag_errors_iterate(diag, &previous);
    if (first == NULL || first->msg == NULL)
        return fail(b, (struct place){1, 1}, "this is not valid YAML");
    const struct place place = {first->line > 0 ? (uint32_t)first->line : 1,
                                first->column > 0 ? (uint32_t)first->column : 1};
    char sentence[256] = "not valid YAML: ";
    strncat(sentence, first->msg, sizeof sentence - strlen(sentence) - 1);
    return fail(b, place, sentence);
}

static enum carom_status take_stream(struct builder *b, struct fy_parser *parser, struct fy_diag *diag)
{
    enum carom_status status = CAROM_OK;
    struct fy_event *event;
    while (status == CAROM_OK && (event = fy_parser_parse(parser)) != NULL) {
        status = take_event(b, event);
        fy_parser_event_free(parser, event);
    }
    if (status == CAROM_OK && (fy_parser_get_stream_error(parser) || fy_diag_got_error(diag)))
        status = stream_error(b, diag);
    return status;
}

static void say_nothing(struct fy_diag *diag, void *user, const char *text, size_t length)
{
    (void)diag;
    (void)user;
    (void)text;
    (void)length;
}

static enum carom_status parse_text(struct builder *b, const char *text, size_t length)
{
    struct fy_diag_cfg silent;
    fy_diag_cfg_default(&silent);
    silent.fp = NULL;
    silent.output_fn = say_nothing;
    struct fy_diag *diag = fy_diag_create(&silent);
    if (diag == NULL)
        return no_memory(b);
    fy_diag_set_collect_errors(diag, true);
    const struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_JSON_NONE, .diag = diag};
    struct fy_parser *parser = fy_parser_create(&config);
    enum carom_status status = CAROM_OK;
    if (parser == NULL || fy_parser_set_string(parser, text, length) != 0)
        status = no_memory(b);
    if (status == CAROM_OK)
        status = take_stream(b, parser, diag);
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return status;
}

enum carom_status carom_yaml_parse(struct carom_tree *tree, const char *text, size_t length, const char *option,
                                   struct carom_node **root, struct carom_error *error)
{
    struct carom_error own;
    struct builder b = {.tree = tree, .option = option, .error = error != NULL ? error : &own};
    enum carom_status status = check_bytes(&b, text, length);
    if (status == CAROM_OK && length > 0)
        status = parse_text(&b, text, length);
    const bool empty = b.root == NULL || (b.root->kind == CAROM_NODE_SCALAR && b.root->text[0] == '\0');
    if (status == CAROM_OK && empty)
        status = fail(&b, (struct place){1, 1}, option != NULL ? "there is no value" : "there is nothing in it");
    carom_memory_free(b.anchor);
    carom_memory_free(b.scratch);
    *root = status == CAROM_OK ? b.root : NULL;
    return status;
}
