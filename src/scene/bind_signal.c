/* Reads signals: which keys a shape takes, tables written in place or kept in a CSV file beside the scene. */
#include "scene/bind_signal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/power.h"
#include "base/text.h"
#include "scene/keep.h"

#define POINTS ((size_t)200000) /* of a table; more would not go through a scene */
#define LINE 1000
#define FILE_BYTES (64L << 20)

/* what each shape takes besides amplitude, and what of it must be given; in the order of enum carom_shape */
static const struct {
    const char *name, *needs, *may;
} shapes[] = {
    {"", "", ""},
    {"constant", "amplitude", ""},
    {"step", "amplitude", "start duration"},
    {"ramp", "amplitude duration", "start"},
    {"half-sine", "amplitude duration", "start"},
    {"sine", "amplitude frequency", "start duration phase"},
    {"chirp", "amplitude frequency frequency_end duration", "start phase"},
    {"ricker", "amplitude frequency", "start"},
    {"table", "", "points file"},
    {"of one's own", "amplitude", "start"},
};

static enum carom_status check_keys(struct carom_bind *b, const struct carom_node *map, enum carom_shape shape)
{
    for (const struct carom_node *node = map->first; node != NULL; node = node->next)
        if (strcmp(node->key, "shape") != 0 && strcmp(node->key, "offset") != 0 &&
            !carom_text_has_word(shapes[shape].needs, node->key) && !carom_text_has_word(shapes[shape].may, node->key))
            return carom_value_wrong_key(&b->r, node, "a signal of shape %s has no %s, it takes: %s%s%s",
                                         shapes[shape].name, node->key, shapes[shape].needs,
                                         shapes[shape].may[0] != '\0' ? " " : "", shapes[shape].may);
    for (const struct carom_param *row = carom_keys_signal.kind.params; row->name != NULL; row++)
        if (carom_text_has_word(shapes[shape].needs, row->name) && carom_tree_find(map, row->name) == NULL)
            return carom_value_missing(&b->r, map, row);
    return CAROM_OK;
}

/* A ricker's peak is its `start`: one that is too early is there at once, half of it or all but its beginning. */
static enum carom_status note_ricker(struct carom_bind *b, const struct carom_node *node, const struct carom_signal *s)
{
    const double turns = CAROM_ANGLE_PI * s->frequency * s->start, a = turns * turns;
    const double there = fabs((1.0 - 2.0 * a) * carom_power_exp(-a));
    if (!(there > 0.01))
        return CAROM_OK;
    return carom_bind_note(
        b,
        "line %u: the ricker has its peak at t = %g%s and is at %.3g %% of its amplitude when the run "
        "begins; start: %g%s or later lets it begin from nothing",
        (unsigned)node->line, s->start, b->r.si ? " s" : "", 100.0 * there, 1.5 / s->frequency, b->r.si ? " s" : "");
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static enum carom_status check_times(struct carom_bind *b, const struct carom_node *list, const double *time)
{
    const struct carom_node *before = list->first;
    for (size_t i = 1; i < list->count; i++, before = before->next)
        if (!(time[i] > time[i - 1]))
            return carom_value_wrong(&b->r, list, "times must rise: point %zu is at %s, the one before at %s", i + 1,
                                     carom_tree_short(before->next->first->text).text,
                                     carom_tree_short(before->first->text).text);
    return CAROM_OK;
}

static enum carom_status read_points(struct carom_bind *b, struct carom_node *list, const char *unit,
                                     struct carom_signal *out, double **table)
{
    const struct carom_param time = {"time", CAROM_REAL, 0, 0.0, -HUGE_VAL, HUGE_VAL, "s", "time", NULL};
    const struct carom_param value = {"value", CAROM_REAL, 0, 0.0, -HUGE_VAL, HUGE_VAL, unit, "value", NULL};
    if (carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    if (list->count == 0 || list->count > POINTS)
        return carom_value_wrong(&b->r, list, "a table has 1 to %zu points, not %zu", POINTS, list->count);
    *table = carom_memory_zeroed(2 * list->count, sizeof **table);
    if (*table == NULL)
        return carom_bind_memory(b);
    size_t i = 0;
    for (struct carom_node *point = list->first; point != NULL; point = point->next, i++) {
        if (point->kind != CAROM_NODE_LIST || point->count != 2)
            return carom_value_wrong(&b->r, point, "a point is a pair [time, value], such as [[0, 0], [1 ms, 10]]");
        point->used = true;
        if (carom_value_read(&b->r, point->first, &time, *table + i) != CAROM_OK ||
            carom_value_read(&b->r, point->last, &value, *table + list->count + i) != CAROM_OK)
            return b->r.error->status;
    }
    out->count = list->count;
    out->time = *table;
    out->height = *table + list->count;
    return check_times(b, list, out->time);
}

/* The line as if spreadsheets had not written it: without the mark some put before a file and without quotes around
 * cells. What would end a cell is part of it there, and ends none. False: a quote does not end. */
static bool unquote(const char *line, bool first, char *out)
{
    const char *const mark = "\xef\xbb\xbf";
    const char *from = first && strncmp(line, mark, 3) == 0 ? line + 3 : line;
    bool quoted = false, remark = false;
    for (; *from != '\0'; from++) {
        remark = remark || (!quoted && *from == '#');
        quoted = quoted != (*from == '"' && !remark);
        *out++ = *from == '"' && !remark ? ' ' : quoted && strchr(",;\t", *from) != NULL ? '_' : *from;
    }
    *out = '\0';
    return !quoted;
}

/* units in the head of a CSV file, "time (us),force (N)"; "" where there is none, and numbers are in SI */
struct heads {
    char unit[2][32];
};

static const char *const blanks = " \t\r\n,;";

/* "t us": the last word of a head is a unit other than that of SI, and stands without parentheses; read without it,
 * microseconds would be seconds. */
static enum carom_status check_bare(struct carom_bind *b, const struct carom_node *node, const char *head,
                                    size_t length, const char *unit, size_t number)
{
    size_t end = length, first;
    while (end > 0 && strchr(blanks, head[end - 1]) != NULL)
        end--;
    for (first = end; first > 0 && strchr(blanks, head[first - 1]) == NULL;)
        first--;
    char text[48];
    struct carom_quantity quantity;
    struct carom_error ignored = {CAROM_OK, ""};
    const int word = (int)(end - first);
    snprintf(text, sizeof text, "1 %.*s", word, head + first);
    if (!b->r.si || word == 0 || word > 30 || carom_units_value(text, unit, &quantity, &ignored) != CAROM_OK ||
        quantity.value == 1.0)
        return CAROM_OK;
    return carom_value_wrong(&b->r, node, "line %zu of %s: units stand in parentheses, write (%.*s) instead of %.*s",
                             number, carom_tree_short(node->text).text, word, head + first, word, head + first);
}

/* "1 furlong: unknown unit": the number was put there to read the unit, and is not in the file. */
static enum carom_status wrong_head(struct carom_bind *b, const struct carom_node *node, size_t number)
{
    struct carom_error *error = b->r.error;
    carom_error_set(error, error->status, "line %zu of %s: %s", number, carom_tree_short(node->text).text,
                    error->text + (strncmp(error->text, "1 ", 2) == 0 ? 2 : 0));
    return carom_tree_error_at(b->r.tree, node, error);
}

/* The heads of both columns; a unit stands in parentheses or brackets behind its name. */
static enum carom_status read_heads(struct carom_bind *b, const struct carom_node *node, const char *line,
                                    const char *unit, struct heads *heads, size_t number)
{
    const char *of[] = {"s", unit};
    for (size_t column = 0; column < 2; column++) {
        line += strspn(line, " \t");
        const size_t length = strcspn(line, ",;\t\r\n"), open = strcspn(line, "([,;\t\r\n");
        const char *first = line + open + 1, *last = line + length;
        if (open < length) {
            while (last > first && strchr(")] \t", last[-1]) != NULL &&
                   !(last[-1] == ')' && memchr(first, '(', (size_t)(last - first))))
                last--;
            char text[48];
            struct carom_quantity quantity;
            snprintf(heads->unit[column], sizeof heads->unit[column], "%.*s", (int)(last - first), first);
            snprintf(text, sizeof text, "1 %s", heads->unit[column]);
            if (!b->r.si)
                return carom_value_wrong(&b->r, node, "line %zu has units, but the scene says units: none", number);
            if (carom_units_value(text, of[column], &quantity, b->r.error) != CAROM_OK)
                return wrong_head(b, node, number);
        } else if (check_bare(b, node, line, length, of[column], number) != CAROM_OK)
            return b->r.error->status;
        line += length + (line[length] != '\0');
    }
    return CAROM_OK;
}

/* a number of a column in SI, exact to the last digit with units, too */
static bool read_cell(const char *at, size_t length, const char *unit, double *value)
{
    char text[400];
    struct carom_quantity quantity;
    struct carom_error ignored;
    char *end;
    *value = strtod(at, &end);
    if (end != at + length || !(fabs(*value) < HUGE_VAL))
        return false;
    if (unit[0] == '\0')
        return true;
    snprintf(text, sizeof text, "%.*s %s", (int)length, at, unit);
    const bool good = length < 300 && carom_units_read(text, &quantity, &ignored) == CAROM_OK;
    *value = good ? quantity.value : *value;
    return good;
}

/* a line of a CSV file: 2 numbers, 0 for a line without, -1 for anything else */
static int read_line(const char *line, const struct heads *heads, double *pair)
{
    size_t count = 0;
    for (const char *at = line + strspn(line, blanks); *at != '\0' && *at != '#'; at += strspn(at, blanks)) {
        const size_t length = strcspn(at, blanks);
        if (count == 2 || !read_cell(at, length, heads->unit[count], &pair[count]))
            return -1;
        count++;
        at += length;
    }
    return count == 1 ? -1 : (int)count;
}

/* what cannot be a point; commas of decimals look like those between columns */
static enum carom_status wrong_line(struct carom_bind *b, const struct carom_node *node, char *line, size_t number)
{
    line[strcspn(line, "\r\n")] = '\0';
    const char *comma = strchr(line, ',');
    const bool decimals = comma != NULL && (strchr(line, ';') != NULL || strchr(comma + 1, ',') != NULL);
    return carom_value_wrong(&b->r, node, "line %zu of %s, '%s', is not a pair of numbers, time and value%s", number,
                             carom_tree_short(node->text).text, carom_tree_short(line).text,
                             decimals ? "; numbers have decimal points, not commas" : "");
}

/* a point that is not later than the one before it, told as the file has both */
static enum carom_status wrong_time(struct carom_bind *b, const struct carom_node *node, const char *line,
                                    const char *before, const char *unit, size_t number)
{
    const char *at = line + strspn(line, blanks);
    return carom_value_wrong(&b->r, node, "line %zu of %s: times must rise, and %.*s%s%s comes after %s%s%s", number,
                             carom_tree_short(node->text).text, (int)strcspn(at, blanks), at, *unit ? " " : "", unit,
                             before, *unit ? " " : "", unit);
}

/* points of an open file; the first line may hold names, and the units of what is below them */
static enum carom_status read_rows(struct carom_bind *b, const struct carom_node *node, FILE *file, const char *unit,
                                   double **rows, size_t *count)
{
    size_t room = 0;
    char written[LINE], line[LINE], before[40] = "";
    struct heads heads = {{"", ""}};
    bool headed = false;
    for (size_t number = 1; fgets(written, sizeof written, file) != NULL; number++) {
        double pair[2];
        const bool whole = strlen(written) + 1 < sizeof written;
        if (!unquote(written, number == 1, line) && whole)
            return carom_value_wrong(&b->r, node, "line %zu of %s: a quote (\") does not end", number,
                                     carom_tree_short(node->text).text);
        const int found = whole ? read_line(line, &heads, pair) : -1;
        if (found < 0 && !headed && *count == 0) { /* lines of # may come before it */
            headed = true;
            if (read_heads(b, node, line, unit, &heads, number) != CAROM_OK)
                return b->r.error->status;
            continue;
        }
        if (found == 0)
            continue;
        if (found < 0)
            return wrong_line(b, node, written, number);
        if (*count == POINTS)
            return carom_value_wrong(&b->r, node, "line %zu of %s: a table may have no more points", number,
                                     carom_tree_short(node->text).text);
        if (*count > 0 && !(pair[0] > (*rows)[2 * *count - 2]))
            return wrong_time(b, node, line, before, heads.unit[0], number);
        const char *at = line + strspn(line, blanks);
        snprintf(before, sizeof before, "%.*s", (int)strcspn(at, blanks), at);
        if (!carom_memory_room(rows, *count, &room, 32, 2 * sizeof **rows))
            return carom_bind_memory(b);
        (*rows)[2 * *count] = pair[0];
        (*rows)[2 * (*count)++ + 1] = pair[1];
    }
    if (ferror(file))
        return carom_tree_error(b->r.tree, node, CAROM_E_FILE, b->r.error, "the file cannot be read to its end");
    if (*count == 0)
        return carom_value_wrong(&b->r, node, "the file has no points: time, value");
    return CAROM_OK;
}

/* the points of a file go among the overrides: the scene can be read again without the file */
static enum carom_status keep_points(struct carom_bind *b, const struct carom_node *map,
                                     const struct carom_signal *signal)
{
    const size_t room = 8 + 64 * signal->count;
    char *text = carom_memory_zeroed(room, 1);
    if (text == NULL)
        return carom_bind_memory(b);
    size_t at = (size_t)snprintf(text, room, "[");
    for (size_t i = 0; i < signal->count; i++)
        at += (size_t)snprintf(text + at, room - at, "%s[%.17g,%.17g]", i > 0 ? "," : "", signal->time[i],
                               signal->height[i]);
    snprintf(text + at, room - at, "]");
    const enum carom_status status = carom_keep(b, map, "points", text);
    carom_memory_free(text);
    return status;
}

static enum carom_status read_file(struct carom_bind *b, const struct carom_node *map, struct carom_node *node,
                                   const char *unit, struct carom_signal *out, double **table)
{
    const char *name;
    if (carom_value_text(&b->r, node, &name) != CAROM_OK)
        return b->r.error->status;
    FILE *file = carom_keep_file(b, node, name, FILE_BYTES);
    if (file == NULL)
        return b->r.error->status;
    double *rows = NULL;
    size_t count = 0;
    enum carom_status status = read_rows(b, node, file, unit, &rows, &count);
    fclose(file);
    if (status == CAROM_OK && (*table = carom_memory_zeroed(2 * count, sizeof **table)) == NULL)
        status = carom_bind_memory(b);
    for (size_t i = 0; status == CAROM_OK && i < count; i++) {
        (*table)[i] = rows[2 * i];
        (*table)[count + i] = rows[2 * i + 1];
    }
    carom_memory_free(rows);
    if (status != CAROM_OK)
        return status;
    out->count = count;
    out->time = *table;
    out->height = *table + count;
    return keep_points(b, map, out);
}

static enum carom_status read_table(struct carom_bind *b, const struct carom_node *map, const char *unit,
                                    struct carom_signal *out, double **table)
{
    struct carom_node *points = carom_tree_find(map, "points"), *file = carom_tree_find(map, "file");
    if (points == NULL && file == NULL)
        return carom_value_wrong_key(&b->r, map, "a table needs points: [[time, value], ...] or file: a CSV file");
    if (points != NULL && file != NULL && points->option == NULL)
        return carom_value_wrong_key(&b->r, file, "points and file both say what the table is, choose one");
    if (points == NULL)
        return read_file(b, map, file, unit, out, table);
    if (file != NULL)
        file->used = true; /* its points were kept as an override */
    return read_points(b, points, unit, out, table);
}

/* --- the signal --------------------------------------------------------------------------------------------------- */

static enum carom_status read_numbers(struct carom_bind *b, const struct carom_node *map, const char *unit,
                                      struct carom_signal *out)
{
    struct carom_keys_signal keys;
    carom_param_defaults(&carom_keys_signal.kind, &keys);
    for (const struct carom_param *row = carom_keys_signal.kind.params; row->name != NULL; row++) {
        struct carom_node *node = carom_tree_find(map, row->name);
        struct carom_param own = *row;
        double value;
        if (node == NULL || row->type == CAROM_CHOICE || strcmp(row->name, "offset") == 0)
            continue; /* an offset is for those who can add one */
        if (strcmp(row->name, "amplitude") == 0)
            own.unit = unit;
        if (strcmp(row->name, "duration") == 0 && carom_text_has_word(shapes[out->shape].needs, "duration"))
            own.low = CAROM_POSITIVE;
        if (carom_value_read(&b->r, node, &own, &value) != CAROM_OK)
            return b->r.error->status;
        carom_param_store(row, &keys, value);
    }
    out->amplitude = keys.amplitude;
    out->start = keys.start;
    out->duration = keys.duration;
    out->frequency = keys.frequency;
    out->frequency_end = keys.frequency_end;
    out->phase = keys.phase;
    return CAROM_OK;
}

/* a function of the caller's own that the scene names */
static const struct carom_function *own_function(const struct carom_bind *b, const struct carom_node *named)
{
    const struct carom_function *const *function = b->wish->functions;
    while (function && *function && !(named->text && strcmp((*function)->kind.name, named->text) == 0))
        function++;
    return function ? *function : NULL;
}

/* Points say that it is a table. */
static bool is_table(const struct carom_node *map)
{
    const struct carom_node *shape = carom_tree_find(map, "shape");
    if (shape == NULL)
        return carom_tree_find(map, "points") != NULL || carom_tree_find(map, "file") != NULL;
    return shape->text != NULL && strcmp(shape->text, "table") == 0;
}

/* a name rather than a number? */
static bool is_word(const char *text)
{
    char *end;
    strtod(text, &end);
    return text[0] != '\0' && end == text;
}

enum carom_status carom_bind_signal(struct carom_bind *b, struct carom_node *node, const char *unit,
                                    struct carom_signal *out, double **table)
{
    *out = (struct carom_signal){0};
    *table = NULL;
    if (node->kind == CAROM_NODE_SCALAR) { /* a bare number is constant */
        const struct carom_param row = {"value", CAROM_REAL, 0, 0.0, -HUGE_VAL, HUGE_VAL, unit, "value", NULL};
        out->shape = CAROM_SHAPE_CONSTANT;
        return is_word(node->text) ? carom_value_wrong(&b->r, node,
                                                       "'%s' is not a number; a table in a file is {file: "
                                                       "push.csv}, other signals have a shape: {shape: "
                                                       "half-sine, amplitude: 1, duration: 1}",
                                                       carom_tree_short(node->text).text)
                                   : carom_value_read(&b->r, node, &row, &out->amplitude);
    }
    const struct carom_param *row = carom_param_find(carom_keys_signal.kind.params, "shape");
    double shape;
    if (carom_value_map_of(&b->r, node, &carom_keys_signal) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *named = carom_tree_find(node, "shape");
    if (named == NULL && is_table(node))
        shape = CAROM_SHAPE_TABLE - 1;
    else if (named == NULL)
        return carom_value_missing(&b->r, node, row);
    else if ((out->function = own_function(b, named)) != NULL)
        named->used = true, shape = CAROM_SHAPE_FUNCTION - 1;
    else if (carom_value_read(&b->r, named, row, &shape) != CAROM_OK)
        return b->r.error->status;
    out->shape = (enum carom_shape)(1 + (int)shape); /* the first is "none" */
    if (check_keys(b, node, out->shape) != CAROM_OK)
        return b->r.error->status;
    enum carom_status status = read_numbers(b, node, unit, out);
    if (status == CAROM_OK && out->shape == CAROM_SHAPE_TABLE)
        status = read_table(b, node, unit, out, table);
    if (status == CAROM_OK && out->shape == CAROM_SHAPE_RICKER)
        status = note_ricker(b, node, out);
    if (status != CAROM_OK) {
        carom_memory_free(*table);
        *table = NULL;
        *out = (struct carom_signal){0};
    }
    return status;
}

enum carom_status carom_bind_signal_offset(struct carom_bind *b, const struct carom_node *node, const char *unit,
                                           double *offset)
{
    struct carom_node *given = node->kind == CAROM_NODE_MAP ? carom_tree_find(node, "offset") : NULL;
    struct carom_param row = *carom_param_find(carom_keys_signal.kind.params, "offset");
    row.unit = unit;
    *offset = 0.0;
    return given != NULL ? carom_value_read(&b->r, given, &row, offset) : CAROM_OK;
}

enum carom_status carom_bind_signal_smooth(struct carom_bind *b, const struct carom_node *node,
                                           const struct carom_signal *signal)
{
    double largest, rate;
    carom_signal_largest(signal, &largest, &rate);
    double few[2];
    const bool own = signal->shape == CAROM_SHAPE_FUNCTION;
    const size_t count = signal->shape == CAROM_SHAPE_TABLE ? 0 : carom_signal_breaks(signal, few, 2);
    for (size_t i = 0; i < count; i++) {
        const double time = own ? signal->start + signal->function->breaks[i] : few[i];
        const double before = carom_signal_value(signal, nextafter(time, -HUGE_VAL));
        if (time > 0.0 && !(fabs(carom_signal_value(signal, time) - before) <= 1e-9 * largest))
            return carom_value_wrong(&b->r, node, "a displacement must not jump, this one does at %g; a ramp does not",
                                     time);
    }
    return CAROM_OK;
}

enum carom_status carom_bind_signal_factor(struct carom_bind *b, struct carom_node *map, struct carom_signal *signal,
                                           double **table)
{
    struct carom_node *node = carom_tree_find(map, "signal");
    *signal = (struct carom_signal){.shape = CAROM_SHAPE_CONSTANT, .amplitude = 1.0};
    *table = NULL;
    if (node == NULL)
        return CAROM_OK;
    if (node->kind == CAROM_NODE_MAP && !is_table(node) && carom_tree_find(node, "amplitude") == NULL) {
        struct carom_node *one = carom_tree_node(b->r.tree, CAROM_NODE_SCALAR);
        if (one == NULL)
            return carom_bind_memory(b);
        one->key = "amplitude";
        one->text = "1";
        one->line = one->key_line = node->line;
        one->column = one->key_column = node->column;
        carom_tree_append(node, one);
    }
    return carom_bind_signal(b, node, "1", signal, table);
}
