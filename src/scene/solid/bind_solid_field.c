/* Numbers of cells out of a file, {file: stiffness.csv}: rows of a CSV file, of which each cell takes that of the
 * nearest place, or cell data of VTK's .vtu files, such as carom exports. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/read.h"
#include "scene/solid/bind_solid.h"
#include "scene/space/import.h"

enum { AXES = 3, COLUMNS = 9, POINTS = 1000000 };

/* --- rows of points ----------------------------------------------------------------------------------------------- */

struct rows {
    size_t n, room;
    double (*row)[COLUMNS]; /* a place, and its numbers */
};

static int by_place(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return x[0] < y[0] ? -1 : x[0] > y[0];
}

/* numbers of a line between commas or blanks; how many, or 0 where one is none */
static size_t read_line(const char *at, const char *last, double *out, size_t most)
{
    static const char blanks[] = " \t\r,;";
    size_t n = 0;
    while (at < last) {
        const char *end = at;
        if (strchr(blanks, *at) != NULL) {
            at++;
        } else if (n == most || !carom_import_number(at, &end, &out[n]) || end > last) {
            return 0;
        } else {
            n++;
            at = end;
        }
    }
    return n;
}

/* columns of vectors are as many as the body has axes */
static size_t columns_of(const struct carom_bind_field *f, const struct carom_solid *s)
{
    return f->columns * (f->components == 3 ? (size_t)s->dimension : 1);
}

static enum carom_status read_row(struct carom_bind *b, const struct carom_node *node, const struct carom_solid *s,
                                  const struct carom_bind_field *f, size_t line, const double *number, size_t n,
                                  struct rows *rows)
{
    const size_t d = (size_t)s->dimension, wide = columns_of(f, s);
    if (n != d + wide || rows->n == POINTS)
        return carom_tree_error(b->r.tree, node, CAROM_E_INPUT, b->r.error,
                                n == d + wide ? "line %zu: a field may have no more points"
                                              : "line %zu is not a row of %s",
                                line, f->text[d - 2]);
    if (f->check != NULL && f->check(b, node, "line", line, number + d) != CAROM_OK)
        return b->r.error->status;
    if (rows->n == rows->room) {
        double(*grown)[COLUMNS] = carom_memory_grow(rows->row, rows->room, 2 * rows->room + 64, sizeof *grown);
        if (grown == NULL)
            return carom_bind_memory(b);
        rows->row = grown;
        rows->room = 2 * rows->room + 64;
    }
    double *row = rows->row[rows->n++];
    for (size_t k = 0; k < AXES; k++)
        row[k] = k < d ? number[k] : 0.0;
    memcpy(row + AXES, number + d, wide * sizeof *row);
    return CAROM_OK;
}

/* the first line names the columns */
static enum carom_status read_rows(struct carom_bind *b, const struct carom_node *node, const struct carom_solid *s,
                                   const struct carom_bind_field *f, const char *text, size_t length, struct rows *rows)
{
    const char *at = text, *last = text + length;
    for (size_t line = 1; at < last; line++) {
        const char *end = memchr(at, '\n', (size_t)(last - at));
        double number[COLUMNS + 1];
        end = end != NULL ? end : last;
        const size_t n = read_line(at, end, number, COLUMNS + 1);
        const bool empty = strspn(at, " \t\r,;") >= (size_t)(end - at), named = line == 1 && n == 0;
        if (!empty && !named && read_row(b, node, s, f, line, number, n, rows) != CAROM_OK)
            return b->r.error->status;
        at = end + 1;
    }
    if (rows->n == 0)
        return carom_tree_error(b->r.tree, node, CAROM_E_INPUT, b->r.error, "the file has no points");
    qsort(rows->row, rows->n, sizeof *rows->row, by_place);
    return CAROM_OK;
}

static void look(const double *row, const double place[3], double *least, const double **best)
{
    double square = 0.0;
    for (size_t k = 0; k < AXES; k++)
        square += (row[k] - place[k]) * (row[k] - place[k]);
    if (square < *least) {
        *least = square;
        *best = row;
    }
}

/* the row nearest to a place: outwards from its x, until that alone is farther */
static const double *nearest(const struct rows *f, const double place[3])
{
    size_t low = 0, high = f->n; /* the first at or beyond x */
    const double *best = f->row[0];
    double least = HUGE_VAL;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (f->row[middle][0] < place[0])
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < f->n && (f->row[i][0] - place[0]) * (f->row[i][0] - place[0]) < least; i++)
        look(f->row[i], place, &least, &best);
    for (size_t i = low; i-- > 0 && (f->row[i][0] - place[0]) * (f->row[i][0] - place[0]) < least;)
        look(f->row[i], place, &least, &best);
    return best;
}

/* each cell takes what stands nearest to its centre, unloaded */
static enum carom_status from_rows(struct carom_bind *b, const struct carom_node *node, const struct carom_solid *s,
                                   const struct carom_bind_field *f, const char *text, size_t length, double *out)
{
    const size_t wide = f->narrays * f->components, d = f->components == 3 ? (size_t)s->dimension : 1;
    struct rows rows = {0};
    const enum carom_status status = read_rows(b, node, s, f, text, length, &rows);
    for (size_t i = 0; status == CAROM_OK && i < s->n; i++) {
        const double *row = nearest(&rows, s->centre[i]) + AXES;
        for (size_t k = 0; k < f->columns * d; k++)
            out[wide * i + k / d * f->components + k % d] = row[k];
    }
    carom_memory_free(rows.row);
    return status;
}

/* --- cell data ---------------------------------------------------------------------------------------------------- */

struct data {
    const char *name[CAROM_READ_ARRAYS];
    double *value[CAROM_READ_ARRAYS];
    size_t count[CAROM_READ_ARRAYS], n; /* n: cells in the file */
};

/* as many numbers of each array as there are cells */
static enum carom_status measure(struct carom_bind *b, const struct carom_node *node, const struct carom_bind_field *f,
                                 struct data *data)
{
    size_t found = 0;
    for (size_t k = 0; k < f->narrays; k++)
        if (data->value[k] != NULL) {
            data->n = data->count[k] / f->components;
            found++;
        }
    if (found < f->needed)
        return carom_tree_error(b->r.tree, node, CAROM_E_INPUT, b->r.error,
                                "of the cell data %s, %s and %s the file has %s", f->array[0], f->array[1], f->array[2],
                                found > 0 ? "not all" : "none");
    for (size_t k = 0; k <= f->narrays; k++)
        if (data->value[k] != NULL && data->count[k] != data->n * (k < f->narrays ? f->components : 1))
            return carom_tree_error(b->r.tree, node, CAROM_E_INPUT, b->r.error,
                                    "cell data %s has %zu numbers for %zu cells", data->name[k], data->count[k],
                                    data->n);
    return CAROM_OK;
}

static enum carom_status from_data(struct carom_bind *b, const struct carom_node *node, const struct carom_solid *s,
                                   const struct carom_bind_field *f, struct data *data, double *out)
{
    const size_t wide = f->narrays * f->components;
    const double *number = data->value[f->narrays];
    bool *seen = carom_memory_zeroed(s->n, sizeof *seen);
    enum carom_status status = seen == NULL ? carom_bind_memory(b) : measure(b, node, f, data);
    if (status == CAROM_OK && data->n != s->n)
        status = carom_tree_error(b->r.tree, node, CAROM_E_INPUT, b->r.error,
                                  "the file has %zu cells, and the body %zu", data->n, s->n);
    for (size_t i = 0; status == CAROM_OK && i < data->n; i++) {
        const double cell = number != NULL ? number[i] : (double)i;
        const size_t at = cell >= 0.0 && cell < (double)s->n ? (size_t)cell : 0;
        if ((double)at != cell || seen[at]) {
            status = carom_tree_error(b->r.tree, node, CAROM_E_INPUT, b->r.error,
                                      "cell data cell: each of the numbers 0 to %zu should stand there once, %g does "
                                      "not",
                                      s->n - 1, cell);
            break;
        }
        seen[at] = true;
        for (size_t k = 0; k < f->narrays; k++)
            for (size_t c = 0; c < f->components && data->value[k] != NULL; c++)
                out[wide * at + f->components * k + c] = data->value[k][f->components * i + c];
        status = f->check != NULL ? f->check(b, node, "cell", at, out + wide * at) : CAROM_OK;
    }
    carom_memory_free(seen);
    return status;
}

static enum carom_status from_vtu(struct carom_bind *b, const struct carom_node *node, const struct carom_solid *s,
                                  const struct carom_bind_field *f, const char *text, size_t length, double *out)
{
    struct carom_source source = {.at = text, .end = text + length, .line = 1, .error = b->r.error};
    struct data data = {.n = 0};
    for (size_t k = 0; k < f->narrays; k++)
        data.name[k] = f->array[k];
    data.name[f->narrays] = "cell";
    const enum carom_status status = carom_read_vtu_data(&source, data.name, data.value, data.count)
                                         ? from_data(b, node, s, f, &data, out)
                                         : carom_tree_error_at(b->r.tree, node, b->r.error);
    for (size_t k = 0; k < CAROM_READ_ARRAYS; k++)
        carom_memory_free(data.value[k]);
    return status;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

enum carom_status carom_bind_solid_field(struct carom_bind *b, struct carom_node *map, const struct carom_solid *s,
                                         const struct carom_bind_field *f, double **value)
{
    const char *name;
    char *text = NULL;
    size_t length = 0;
    struct carom_node *file = map->kind == CAROM_NODE_MAP ? carom_tree_find(map, "file") : NULL;
    if (carom_value_map(&b->r, map) != CAROM_OK ||
        carom_value_keys(&b->r, map, &carom_keys_solid_field, NULL) != CAROM_OK)
        return b->r.error->status;
    if (file == NULL)
        return carom_tree_error_key(b->r.tree, map, CAROM_E_INPUT, b->r.error,
                                    "field: file is missing, such as {file: stiffness.csv}");
    *value = carom_memory_zeroed(s->n * f->narrays * f->components, sizeof **value);
    enum carom_status status =
        *value == NULL ? carom_bind_memory(b) : carom_bind_solid_mesh_bytes(b, map, file, &name, &text, &length);
    const size_t ends = status == CAROM_OK ? strlen(name) : 0;
    if (status == CAROM_OK)
        status = (ends > 4 && strcmp(name + ends - 4, ".vtu") == 0 ? from_vtu : from_rows)(b, file, s, f, text, length,
                                                                                           *value);
    carom_memory_free(text);
    return status;
}
