/* Reads YAML through libfyaml's event stream; the only file that knows libfyaml. libfyaml gets a diag of our own:
 * nothing is ever printed. Makes nothing of what it reads: yaml_build.c does. */
#include <libfyaml.h>
#include <string.h>

#include "base/memory.h"
#include "scene/text/yaml_build.h"

/* Room for putting a text together. */
struct scratch {
    char *text;
    size_t length, room;
};

static bool add_chunk(struct scratch *s, const struct fy_iter_chunk *chunk)
{
    if (s->room - s->length < chunk->len) {
        const size_t room = 2 * (s->length + chunk->len);
        if (!carom_memory_widen(&s->text, s->room, room, 1))
            return false;
        s->room = room;
    }
    if (chunk->len > 0)
        memcpy(s->text + s->length, chunk->str, chunk->len);
    s->length += chunk->len;
    return true;
}

/* A token's text, piece by piece: libfyaml 0.7.12 leaks where it joins many pieces itself. */
static bool gather_text(struct scratch *s, struct fy_token *token)
{
    s->length = 0;
    struct fy_token_iter *iterator = token != NULL ? fy_token_iter_create(token) : NULL;
    if (iterator == NULL)
        return token == NULL;
    const struct fy_iter_chunk *chunk = NULL;
    int error = 0;
    bool good = true;
    while (good && (chunk = fy_token_iter_chunk_next(iterator, chunk, &error)) != NULL)
        good = add_chunk(s, chunk);
    fy_token_iter_destroy(iterator);
    return good && error == 0;
}

/* --- events ------------------------------------------------------------------------------------------------------ */

/* Is it one of ours? */
static bool translate(enum fy_event_type type, enum carom_yaml_what *what)
{
    static const struct {
        enum fy_event_type type;
        enum carom_yaml_what what;
    } known[] = {
        {FYET_DOCUMENT_START, CAROM_YAML_DOCUMENT},
        {FYET_MAPPING_START, CAROM_YAML_MAP},
        {FYET_MAPPING_END, CAROM_YAML_MAP_END},
        {FYET_SEQUENCE_START, CAROM_YAML_LIST},
        {FYET_SEQUENCE_END, CAROM_YAML_LIST_END},
        {FYET_SCALAR, CAROM_YAML_SCALAR},
        {FYET_ALIAS, CAROM_YAML_ALIAS},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].type == type) {
            *what = known[i].what;
            return true;
        }
    return false;
}

static bool begins_node(enum carom_yaml_what what)
{
    return what == CAROM_YAML_MAP || what == CAROM_YAML_LIST || what == CAROM_YAML_SCALAR;
}

static enum carom_status take_event(struct carom_yaml_builder *builder, struct fy_event *from, struct scratch room[2])
{
    struct carom_yaml_event event = {0};
    if (!translate(from->type, &event.what))
        return CAROM_OK;
    const struct fy_mark *mark = fy_event_start_mark(from);
    struct fy_token *text = from->type == FYET_SCALAR  ? from->scalar.value
                            : from->type == FYET_ALIAS ? from->alias.anchor
                                                       : NULL;
    struct fy_token *anchor = begins_node(event.what) ? fy_event_get_anchor_token(from) : NULL;
    if (!gather_text(&room[0], text) || !gather_text(&room[1], anchor))
        return carom_yaml_build_memory(builder);
    event.tagged = begins_node(event.what) && fy_event_get_tag_token(from) != NULL;
    event.line = mark != NULL ? (uint32_t)mark->line + 1 : 0;
    event.column = mark != NULL ? (uint32_t)mark->column + 1 : 0;
    event.text = room[0].length > 0 ? room[0].text : "";
    event.length = room[0].length;
    event.anchor = anchor == NULL ? NULL : room[1].length > 0 ? room[1].text : "";
    event.anchor_length = room[1].length;
    return carom_yaml_build_take(builder, &event);
}

static enum carom_status stream_error(struct carom_yaml_builder *builder, struct fy_diag *diag)
{
    void *previous = NULL;
    const struct fy_diag_error *first = fy_diag_errors_iterate(diag, &previous);
    if (first == NULL || first->msg == NULL)
        return carom_yaml_build_invalid(builder, 1, 1, NULL);
    return carom_yaml_build_invalid(builder, first->line > 0 ? (uint32_t)first->line : 1,
                                    first->column > 0 ? (uint32_t)first->column : 1, first->msg);
}

static enum carom_status take_stream(struct carom_yaml_builder *builder, struct fy_parser *parser, struct fy_diag *diag)
{
    enum carom_status status = CAROM_OK;
    struct scratch room[2] = {{0}};
    struct fy_event *event;
    while (status == CAROM_OK && (event = fy_parser_parse(parser)) != NULL) {
        status = take_event(builder, event, room);
        fy_parser_event_free(parser, event);
    }
    carom_memory_free_all(room[0].text, room[1].text);
    if (status == CAROM_OK && (fy_parser_get_stream_error(parser) || fy_diag_got_error(diag)))
        status = stream_error(builder, diag);
    return status;
}

static void say_nothing(struct fy_diag *diag, void *user, const char *text, size_t length)
{
    (void)diag, (void)user, (void)text, (void)length;
}

static enum carom_status send_events(struct carom_yaml_builder *builder, const char *text, size_t length)
{
    struct fy_diag_cfg silent;
    fy_diag_cfg_default(&silent);
    silent.fp = NULL;
    silent.output_fn = say_nothing;
    struct fy_diag *diag = fy_diag_create(&silent);
    if (diag == NULL)
        return carom_yaml_build_memory(builder);
    fy_diag_set_collect_errors(diag, true);
    const struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_JSON_NONE, .diag = diag};
    struct fy_parser *parser = fy_parser_create(&config);
    enum carom_status status = CAROM_OK;
    if (parser == NULL || fy_parser_set_string(parser, text, length) != 0)
        status = carom_yaml_build_memory(builder);
    if (status == CAROM_OK)
        status = take_stream(builder, parser, diag);
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return status;
}

enum carom_status carom_yaml_parse(struct carom_tree *tree, const char *text, size_t length, const char *option,
                                   struct carom_node **root, struct carom_error *error)
{
    return carom_yaml_build(tree, text, length, option, send_events, root, error);
}
