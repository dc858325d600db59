/* Reads single values of a scene through parameter tables. The tables say type, unit and range; this file turns a
 * mismatch into a sentence. Knows no particular key. */
#include "scene/keys/value.h"

#include <stdio.h>
#include <string.h>

#include "scene/text/tree.h"
#include "scene/text/units.h"

#define NAMES 64 /* keys a map may know */

/* An example in a scene without units has none: "until: 2 ms" becomes "until: 2". */
static void bare(const struct carom_reader *r, char *text)
{
    static const char ends[] = " ,;:]})'";
    char *to = text;
    for (const char *from = text; !r->si && *from != '\0';) {
        struct carom_quantity quantity;
        const bool number = *from >= '0' && *from <= '9';
        *to++ = *from++;
        const size_t length = strcspn(from + (*from == ' '), ends);
        char one[40];
        if (!number || *from != ' ' || length == 0 || length > 30)
            continue;
        snprintf(one, sizeof one, "1%.*s", (int)length + 1, from);
        from += carom_units_read(one, &quantity, NULL) == CAROM_OK && quantity.unit ? length + 1 : 0;
    }
    if (!r->si)
        *to = '\0';
}

static void bare_example(const struct carom_reader *r)
{
    char *example = r->error != NULL ? strstr(r->error->text, "such as ") : NULL;
    if (example != NULL)
        bare(r, example);
}

enum carom_status carom_value_wrong(const struct carom_reader *r, const struct carom_node *node, const char *format,
                                    ...)
{
    va_list arguments;
    va_start(arguments, format);
    carom_tree_error_list(r->tree, node, false, CAROM_E_INPUT, r->error, format, arguments);
    va_end(arguments);
    bare_example(r);
    return r->error->status;
}

enum carom_status carom_value_wrong_key(const struct carom_reader *r, const struct carom_node *node, const char *format,
                                        ...)
{
    va_list arguments;
    va_start(arguments, format);
    carom_tree_error_list(r->tree, node, true, CAROM_E_INPUT, r->error, format, arguments);
    va_end(arguments);
    bare_example(r);
    return r->error->status;
}

/* --- kinds of nodes --------------------------------------------------------------------------------------------- */

static enum carom_status expect(const struct carom_reader *r, struct carom_node *node, enum carom_node_kind kind,
                                const char *what)
{
    if (node->kind == kind) {
        node->used = true;
        return CAROM_OK;
    }
    if (node->kind == CAROM_NODE_SCALAR && node->text[0] == '\0')
        return carom_value_wrong(r, node, "has no value, expected a %s", what);
    return carom_value_wrong(r, node, "is a %s, expected a %s", carom_tree_kind(node), what);
}

enum carom_status carom_value_map(const struct carom_reader *r, struct carom_node *node)
{
    return expect(r, node, CAROM_NODE_MAP, "map such as {key: value}");
}

enum carom_status carom_value_list(const struct carom_reader *r, struct carom_node *node)
{
    const bool entry = node->kind == CAROM_NODE_MAP; /* one entry, and no list around it */
    return expect(r, node, CAROM_NODE_LIST,
                  entry ? "list: put [ ] around it, or - before each entry" : "list such as [a, b]");
}

enum carom_status carom_value_list_of(const struct carom_reader *r, struct carom_node *node, size_t count,
                                      const char *what)
{
    if (expect(r, node, CAROM_NODE_LIST, count == 3 ? "list such as [a, b, c]" : "list such as [a, b]") != CAROM_OK)
        return r->error->status;
    if (node->count != count)
        return carom_value_wrong(r, node, "the list has %zu entries, expected %zu: one for each %s", node->count, count,
                                 what);
    return CAROM_OK;
}

enum carom_status carom_value_text(const struct carom_reader *r, struct carom_node *node, const char **text)
{
    if (expect(r, node, CAROM_NODE_SCALAR, "word") != CAROM_OK)
        return r->error->status;
    if (node->text[0] == '\0')
        return carom_value_wrong(r, node, "has no value");
    *text = node->text;
    return CAROM_OK;
}

/* --- words ------------------------------------------------------------------------------------------------------ */

/* "a, b, c"; where they are too many, "a, b and 7 more" */
static void write_names(char *text, size_t room, const char *const *names, size_t count)
{
    const size_t tail = sizeof " and 1000000 more";
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const size_t next = length + strlen(names[i]) + (i > 0 ? 2 : 0);
        if (next + (i + 1 < count ? tail : 1) > room) {
            snprintf(text + length, room - length, " and %zu more", count - i);
            return;
        }
        snprintf(text + length, room - length, "%s%s", i > 0 ? ", " : "", names[i]);
        length = next;
    }
}

/* is one of them the beginning of a word, so long? */
static bool is_name(const char *const *names, size_t count, const char *word, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && strncmp(names[i], word, length) == 0)
            return true;
    return false;
}

struct guess {
    char text[200];
};

static struct guess bare_guess(const struct carom_reader *r, const char *instead)
{
    struct guess guess;
    snprintf(guess.text, sizeof guess.text, "%s", instead);
    bare(r, guess.text);
    return guess;
}

enum carom_status carom_value_unknown(const struct carom_reader *r, const struct carom_node *node, const char *what,
                                      const char *word, const char *const *names, size_t count)
{
    const char *nearest = carom_param_nearest(word, names, count), *instead = carom_guess(what, word);
    const struct carom_short shown = carom_tree_short(word);
    const size_t bare = strcspn(word, " {[");
    if (strpbrk(word, "{[") != NULL && is_name(names, count, word, bare)) /* "run {until: 1 ms}" */
        return carom_value_wrong_key(r, node, "unknown %s '%s': a colon is missing after %.*s", what, shown.text,
                                     (int)bare, word);
    if (instead != NULL)
        return carom_value_wrong_key(r, node, "unknown %s '%s': %s", what, shown.text, bare_guess(r, instead).text);
    if (nearest != NULL)
        return carom_value_wrong_key(r, node, "unknown %s '%s', did you mean '%s'?", what, shown.text, nearest);
    char list[400];
    write_names(list, sizeof list, names, count);
    if (strcmp(what, "material") == 0) /* of which a scene may have others */
        return carom_value_wrong_key(r, node,
                                     "unknown material '%s': your own are materials: {NAME: {young: 6 GPa, poisson: "
                                     "0.3, density: 1700 kg/m^3}}, and there are: %s",
                                     shown.text, list);
    return carom_value_wrong_key(r, node, "unknown %s '%s', there are: %s", what, shown.text, list);
}

enum carom_status carom_value_among(const struct carom_reader *r, struct carom_node *node, const char *what,
                                    const char *const *names, size_t count, size_t *which)
{
    const char *word = "";
    if (carom_value_text(r, node, &word) != CAROM_OK)
        return r->error->status;
    for (*which = 0; *which < count; ++*which)
        if (strcmp(names[*which], word) == 0)
            return CAROM_OK;
    struct carom_node at_value = *node;
    at_value.key_line = 0;
    return carom_value_unknown(r, &at_value, what, word, names, count);
}

static bool is_known(const char *const *names, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], word) == 0)
            return true;
    return false;
}

static size_t add_params(const char **names, size_t count, const struct carom_param *table)
{
    for (const struct carom_param *row = table; row != NULL && row->name != NULL; row++)
        if (count < NAMES && !is_known(names, count, row->name))
            names[count++] = row->name;
    return count;
}

/* Is a map of a section, or below it? */
static bool is_within(const struct carom_node *map, const char *section)
{
    while (map != NULL && (map->key == NULL || strcmp(map->key, section) != 0))
        map = map->parent;
    return map != NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "radius: 2,5 cm" between braces is a radius of 2 and a key "5 cm" without a value. */
static bool is_decimals(const struct carom_node *node, const struct carom_node *before)
{
    const char *text = before != NULL && before->kind == CAROM_NODE_SCALAR ? before->text : "";
    return is_digit(node->key[0]) && node->kind == CAROM_NODE_SCALAR && node->text[0] == '\0' && text[0] != '\0' &&
           is_digit(text[strlen(text) - 1]);
}

enum carom_status carom_value_keys(const struct carom_reader *r, const struct carom_node *map,
                                   const struct carom_section *section, const struct carom_param *const *more)
{
    const char *names[NAMES];
    size_t count = add_params(names, 0, section->kind.params);
    for (const struct carom_key *key = section->others; key->name != NULL; key++)
        if (count < NAMES && strchr(key->name, ' ') == NULL) /* "any parameter of ..." is no key */
            names[count++] = key->name;
    for (size_t i = 0; more != NULL && more[i] != NULL; i++)
        count = add_params(names, count, more[i]);
    const struct carom_node *before = NULL;
    for (const struct carom_node *node = map->first; node != NULL; before = node, node = node->next) {
        const char *home = carom_keys_home(node->key);
        if (is_known(names, count, node->key))
            continue;
        if (is_decimals(node, before))
            return carom_value_wrong_key(r, node,
                                         "unknown key '%s': numbers have decimal points, not commas: %s: %s.%s",
                                         carom_tree_short(node->key).text, carom_tree_short(before->key).text,
                                         carom_tree_short(before->text).text, carom_tree_short(node->key).text);
        const char *instead = node->written == NULL ? carom_guess(section->kind.name, node->key) : NULL;
        if (instead != NULL)
            return carom_value_wrong_key(r, node, "unknown key '%s': %s", node->key, bare_guess(r, instead).text);
        if (home != NULL && node->written == NULL && !is_within(map, home))
            return carom_value_wrong_key(r, node, "'%s' belongs to %s", node->key, home);
        return carom_value_unknown(r, node, "key", node->written != NULL ? node->written : node->key, names, count);
    }
    return CAROM_OK;
}

/* --- numbers ---------------------------------------------------------------------------------------------------- */

enum carom_status carom_value_quantity(const struct carom_reader *r, struct carom_node *node,
                                       struct carom_quantity *quantity)
{
    if (expect(r, node, CAROM_NODE_SCALAR, "number") != CAROM_OK)
        return r->error->status;
    if (carom_units_read(node->text, quantity, r->error) != CAROM_OK)
        return carom_tree_error_at(r->tree, node, r->error);
    const struct carom_dimension none = {0.0, 0.0, 0.0}; /* degrees are numbers in every system of units */
    if (quantity->unit && !r->si && !carom_units_same(&quantity->dimension, &none))
        return carom_value_wrong(r, node, "%s carries a unit, but the scene says units: none",
                                 carom_tree_short(node->text).text);
    if (node->times > 0.0)
        quantity->value *= node->times;
    return CAROM_OK;
}

static enum carom_status read_number(const struct carom_reader *r, struct carom_node *node,
                                     const struct carom_param *row, double *value)
{
    struct carom_quantity quantity;
    struct carom_dimension dimension;
    if (carom_value_quantity(r, node, &quantity) != CAROM_OK)
        return r->error->status;
    const char *unit = node->unit != NULL ? node->unit : row->unit;
    if (quantity.unit && (carom_units_dimension(unit, NULL, &dimension, r->error) != CAROM_OK ||
                          carom_units_check(node->text, &quantity, unit, &dimension, r->error) != CAROM_OK ||
                          carom_units_turns(node->text, &quantity, unit, r->error) != CAROM_OK))
        return carom_tree_error_at(r->tree, node, r->error);
    /* what is refused is shown as it was written */
    const double as_written = node->times > 0.0 ? quantity.value / node->times : quantity.value;
    if (carom_param_check(row, as_written, r->error) != CAROM_OK)
        return carom_tree_error_at(r->tree, node, r->error);
    *value = quantity.value;
    return CAROM_OK;
}

static enum carom_status read_flag(const struct carom_reader *r, struct carom_node *node, double *value)
{
    const char *text = "";
    if (carom_value_text(r, node, &text) != CAROM_OK)
        return r->error->status;
    *value = strcmp(text, "true") == 0 ? 1.0 : 0.0;
    if (*value == 0.0 && strcmp(text, "false") != 0)
        return carom_value_wrong(r, node, "'%s' is neither true nor false", carom_tree_short(text).text);
    return CAROM_OK;
}

static enum carom_status read_choice(const struct carom_reader *r, struct carom_node *node,
                                     const struct carom_param *row, double *value)
{
    size_t count = 0, which = 0;
    while (row->choices[count] != NULL)
        count++;
    const enum carom_status status = carom_value_among(r, node, row->name, row->choices, count, &which);
    *value = (double)which;
    return status;
}

enum carom_status carom_value_read(const struct carom_reader *r, struct carom_node *node, const struct carom_param *row,
                                   double *value)
{
    if (row->type == CAROM_FLAG)
        return read_flag(r, node, value);
    if (row->type == CAROM_CHOICE)
        return read_choice(r, node, row, value);
    return read_number(r, node, row, value);
}

/* --- sections --------------------------------------------------------------------------------------------------- */

enum carom_status carom_value_missing(const struct carom_reader *r, const struct carom_node *map,
                                      const struct carom_param *row)
{
    const struct carom_node *named = map;
    while (named != NULL && named->key == NULL)
        named = named->parent;
    char either[64] = "";
    const char *example = either;
    if (r->si && strcmp(row->unit, "s") == 0)
        example = ", such as 2 ms";
    else if (r->si && strcmp(row->unit, "m/s") == 0)
        example = ", such as 0.5 m/s";
    else if (row->type == CAROM_CHOICE && row->choices[1] != NULL && row->choices[2] == NULL)
        snprintf(either, sizeof either, ", %s or %s", row->choices[0], row->choices[1]);
    return carom_value_wrong_key(r, map, "%s%s%s is missing: %s%s", named != NULL ? named->key : "",
                                 named != NULL ? ": " : "", row->name, row->text, example);
}

enum carom_status carom_value_section(const struct carom_reader *r, const struct carom_node *map,
                                      const struct carom_kind *kind, void *of)
{
    carom_param_defaults(kind, of);
    for (const struct carom_param *row = kind->params; row->name != NULL; row++) {
        struct carom_node *node = carom_tree_find(map, row->name);
        if (node == NULL && row->standard == CAROM_REQUIRED)
            return carom_value_missing(r, map, row);
        if (node == NULL)
            continue;
        double value;
        if (carom_value_read(r, node, row, &value) != CAROM_OK)
            return r->error->status;
        carom_param_store(row, of, value);
    }
    return CAROM_OK;
}

enum carom_status carom_value_vector(const struct carom_reader *r, struct carom_node *list, const char *unit,
                                     size_t count, bool loose, double *out)
{
    const struct carom_param row = {"value", CAROM_REAL, 0, 0.0, -HUGE_VAL, HUGE_VAL, unit, "value", NULL};
    if (carom_value_list_of(r, list, count, "axis") != CAROM_OK)
        return r->error->status;
    size_t i = 0;
    for (struct carom_node *node = list->first; node != NULL; node = node->next, i++) {
        if (loose && node->kind == CAROM_NODE_SCALAR && strcmp(node->text, "free") == 0) {
            node->used = true;
            out[i] = nan("");
        } else if (carom_value_read(r, node, &row, &out[i]) != CAROM_OK) {
            return r->error->status;
        }
    }
    return CAROM_OK;
}

enum carom_status carom_value_map_of(const struct carom_reader *r, struct carom_node *node,
                                     const struct carom_section *section)
{
    return carom_value_map(r, node) == CAROM_OK ? carom_value_keys(r, node, section, NULL) : r->error->status;
}

enum carom_status carom_value_fill(const struct carom_reader *r, struct carom_node *node,
                                   const struct carom_section *section, void *of)
{
    return carom_value_map_of(r, node, section) == CAROM_OK ? carom_value_section(r, node, &section->kind, of)
                                                            : r->error->status;
}

enum carom_status carom_value_unit(const struct carom_reader *r, const struct carom_node *node, double x[3])
{
    const double largest = fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
    if (!(largest > 0.0))
        return carom_value_wrong(r, node, "is 0 and points nowhere");
    for (size_t k = 0; k < 3; k++)
        x[k] /= largest;
    const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (size_t k = 0; k < 3; k++)
        x[k] /= length;
    return CAROM_OK;
}
