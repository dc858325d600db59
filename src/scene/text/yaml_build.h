/* Events of a YAML text -> tree, for whoever parses YAML: yaml.c with libfyaml, the playground in its page. */
#ifndef CAROM_SCENE_TEXT_YAML_BUILD_H
#define CAROM_SCENE_TEXT_YAML_BUILD_H

#include "scene/text/yaml.h"

enum carom_yaml_what {
    CAROM_YAML_DOCUMENT,
    CAROM_YAML_MAP,
    CAROM_YAML_MAP_END,
    CAROM_YAML_LIST,
    CAROM_YAML_LIST_END,
    CAROM_YAML_SCALAR,
    CAROM_YAML_ALIAS,
};

struct carom_yaml_event {
    enum carom_yaml_what what;
    bool tagged;
    uint32_t line, column;     /* from 1; 0: an empty value, which stands nowhere */
    const char *text, *anchor; /* of a scalar, or the name in an alias; the node's own anchor or NULL */
    size_t length, anchor_length;
};

struct carom_yaml_builder;

/* Sends all events of a text to carom_yaml_build_take, until that fails or the text is no YAML. */
typedef enum carom_status carom_yaml_parser(struct carom_yaml_builder *builder, const char *text, size_t length);

/* carom_yaml_parse with the events of that parser. */
enum carom_status carom_yaml_build(struct carom_tree *tree, const char *text, size_t length, const char *option,
                                   carom_yaml_parser *parser, struct carom_node **root, struct carom_error *error);

enum carom_status carom_yaml_build_take(struct carom_yaml_builder *builder, const struct carom_yaml_event *event);

/* The text is no YAML, for this reason (NULL: nobody knows); memory ran out. */
enum carom_status carom_yaml_build_invalid(struct carom_yaml_builder *builder, uint32_t line, uint32_t column,
                                           const char *message);
enum carom_status carom_yaml_build_memory(struct carom_yaml_builder *builder);

#endif
