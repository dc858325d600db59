/* YAML as the page's parser reads it. The page is asked for the events of a text and writes them into memory one after
 * the other, each as six words (what, tagged, line, column, bytes of text, bytes of the anchor or -1) and these bytes,
 * filled up to whole words. What makes a tree of them is src/scene/text/yaml_build.c, as everywhere. */
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "scene/text/yaml_build.h"

enum { WORDS = 6, INVALID = 100 }; /* what: the text is no YAML, and why */

static size_t whole_words(size_t bytes)
{
    return (bytes + 3) / 4;
}

static enum carom_status take(struct carom_yaml_builder *builder, const int32_t *word, size_t *used)
{
    const char *text = (const char *)(word + WORDS);
    const size_t length = (size_t)word[4], named = word[5] >= 0 ? (size_t)word[5] : 0;
    const char *anchor = text + 4 * whole_words(length);
    *used = WORDS + whole_words(length) + whole_words(named);
    if (word[0] == INVALID) {
        char message[200] = "";
        memcpy(message, text, length < sizeof message ? length : sizeof message - 1);
        return carom_yaml_build_invalid(builder, (uint32_t)word[2], (uint32_t)word[3], length > 0 ? message : NULL);
    }
    const struct carom_yaml_event event = {.what = (enum carom_yaml_what)word[0],
                                           .tagged = word[1] != 0,
                                           .line = (uint32_t)word[2],
                                           .column = (uint32_t)word[3],
                                           .text = text,
                                           .length = length,
                                           .anchor = word[5] >= 0 ? anchor : NULL,
                                           .anchor_length = named};
    return carom_yaml_build_take(builder, &event);
}

static enum carom_status send_events(struct carom_yaml_builder *builder, const char *text, size_t length)
{
    size_t words = 0;
    int32_t *events = page_events(text, length, &words);
    enum carom_status status = events ? CAROM_OK : carom_yaml_build_memory(builder);
    for (size_t at = 0, used; at < words && status == CAROM_OK; at += used)
        status = take(builder, events + at, &used);
    free(events);
    return status;
}

enum carom_status carom_yaml_parse(struct carom_tree *tree, const char *text, size_t length, const char *option,
                                   struct carom_node **root, struct carom_error *error)
{
    return carom_yaml_build(tree, text, length, option, send_events, root, error);
}
