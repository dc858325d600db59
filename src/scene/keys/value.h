/* Values out of the tree through parameter tables: number, flag, word, list, each with its unit and range checked and
 * every error placed. What has been read is marked as used. */
#ifndef CAROM_SCENE_KEYS_VALUE_H
#define CAROM_SCENE_KEYS_VALUE_H

#include "scene/keys/keys.h"
#include "scene/text/tree.h"
#include "scene/text/units.h"

/* What reading needs; `error` is never NULL. */
struct carom_reader {
    struct carom_tree *tree;
    struct carom_error *error;
    bool si; /* numbers may carry units */
};

/* What is wrong at a node, or at its key: CAROM_E_INPUT, placed as carom_tree_error and carom_tree_error_key do. */
enum carom_status carom_value_wrong(const struct carom_reader *r, const struct carom_node *node, const char *format,
                                    ...) CAROM_PRINTF(3, 4);
enum carom_status carom_value_wrong_key(const struct carom_reader *r, const struct carom_node *node, const char *format,
                                        ...) CAROM_PRINTF(3, 4);

/* Refuses what is no map, list, text; marks it as used. */
enum carom_status carom_value_map(const struct carom_reader *r, struct carom_node *node);
enum carom_status carom_value_list(const struct carom_reader *r, struct carom_node *node);
enum carom_status carom_value_text(const struct carom_reader *r, struct carom_node *node, const char **text);

/* A list of exactly `count` entries, each for one `what` ("bead"). */
enum carom_status carom_value_list_of(const struct carom_reader *r, struct carom_node *node, size_t count,
                                      const char *what);

/* Refuses keys that are in neither the section nor the tables `more` (NULL-ended; may be NULL). */
enum carom_status carom_value_keys(const struct carom_reader *r, const struct carom_node *map,
                                   const struct carom_section *section, const struct carom_param *const *more);

/* A map with none but the keys of the section; and with them read into `of`, as carom_value_section does. */
enum carom_status carom_value_map_of(const struct carom_reader *r, struct carom_node *node,
                                     const struct carom_section *section);
enum carom_status carom_value_fill(const struct carom_reader *r, struct carom_node *node,
                                   const struct carom_section *section, void *of);

/* A number as written, its unit not yet compared with anything but `units: none`. */
enum carom_status carom_value_quantity(const struct carom_reader *r, struct carom_node *node,
                                       struct carom_quantity *quantity);

/* A value of a table's row: number in its unit and range, flag as 0 or 1, choice as its index. */
enum carom_status carom_value_read(const struct carom_reader *r, struct carom_node *node, const struct carom_param *row,
                                   double *value);

/* `count` numbers of that unit from a list, one for each axis; `free` (where allowed) reads as NaN. */
enum carom_status carom_value_vector(const struct carom_reader *r, struct carom_node *list, const char *unit,
                                     size_t count, bool loose, double *out);

/* A direction gets the length 1; refused if it is 0. */
enum carom_status carom_value_unit(const struct carom_reader *r, const struct carom_node *node, double x[3]);

/* Fills `of` with the defaults, then with the rows that stand in the map, and refuses missing ones. */
enum carom_status carom_value_section(const struct carom_reader *r, const struct carom_node *map,
                                      const struct carom_kind *kind, void *of);

/* Says that a key is missing, with what its table says of it. */
enum carom_status carom_value_missing(const struct carom_reader *r, const struct carom_node *map,
                                      const struct carom_param *row);

/* "did you mean 'x'?" or "x, y or z", after an unknown word; names has `count` entries. */
enum carom_status carom_value_unknown(const struct carom_reader *r, const struct carom_node *node, const char *what,
                                      const char *word, const char *const *names, size_t count);

/* Which of them the text is; else what is wrong with the word, not with its key. */
enum carom_status carom_value_among(const struct carom_reader *r, struct carom_node *node, const char *what,
                                    const char *const *names, size_t count, size_t *which);

#endif
