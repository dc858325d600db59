/* Numbers of cells out of a file, {file: stiffness.csv}: rows of a CSV file, of which each cell takes that of the
 * nearest place, or cell data of VTK's .vtu files, such as carom exports. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "mesh/vtk_xml.h"
#include "scene/solid/bind_solid.h"
#include "scene/space/import.h"

enum { AXES = 3, COLUMNS = 9, POINTS = 1000000 };

/* --- rows of points ----------------------------------------------------------------------------------------------- */

static const char blanks[] = " \t\r,;";

struct rows {
    size_t n, room;
    double (*row)[COLUMNS + 1]; /* a place, its numbers, and last which row of the file it is */
    size_t width;               /* columns of the file: as its header has them, or all in the documented order */
    size_t slot[COLUMNS];       /* of each column in that order */
};

static int by_place(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return x[0] != y[0] ? CAROM_SORTED(x[0], y[0]) : CAROM_SORTED(x[COLUMNS], y[COLUMNS]);
}

/* numbers of a line between commas or blanks; how many, or 0 where one is none */
static size_t read_line(const char *at, const char *last, double *out, size_t most)
{
    size_t n = 0;
    while (at < last) {
        const char *end = at;
        if (strchr(blanks, *at) != NULL) {
            at++;
        } else if (n == most || !carom_import_number(at, &end, &out[n]) || end > last ||
                   (end < last && strchr(blanks, *end) == NULL)) {
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

/* the place of a word in a list with commas; how many it has where it is not there */
static size_t place_in(const char *list, const char *word, size_t length)
{
    size_t place = 0;
    for (const char *at = list; *at != '\0'; place++) {
        const size_t n = strcspn(at, ",");
        if (n == length && memcmp(at, word, n) == 0)
            break;
        at += n;
        at += strspn(at, ", ");
    }
    return place;
}

/* Names of columns in any order; also in quotation marks or behind a #, as other programs write them. Places are needed
 * whole, and so is what a cell cannot do without; else a number without a column is 0. */
static enum carom_status read_header(struct carom_error *error, const char *text, size_t d,
                                     const struct carom_bind_field *f, size_t line, const char *at, const char *last,
                                     struct rows *rows)
{
    const size_t all = place_in(text, "", 0);
    bool there[COLUMNS] = {false};
    rows->width = 0;
    while (at < last) {
        size_t length = strchr(" \t\r,;\"#", *at) == NULL ? 1 : 0;
        while (length > 0 && at + length < last && strchr(" \t\r,;\"#", at[length]) == NULL)
            length++;
        const size_t slot = length > 0 ? place_in(text, at, length) : 0;
        if (length > 0 && slot < all && !there[slot]) {
            there[slot] = true;
            rows->slot[rows->width++] = slot;
        } else if (length > 0) {
            return carom_error_set(error, CAROM_E_INPUT, "line %zu: '%.*s' %s of %s", line,
                                   (int)(length < 40 ? length : 40), at,
                                   slot < all ? "stands twice among the names" : "is no name", text);
        }
        at += length > 0 ? length : 1;
    }
    const bool every = f->needed == f->narrays;
    bool whole = rows->width > d;
    for (size_t k = 0; k < (every ? all : d); k++)
        whole = whole && there[k];
    return whole ? CAROM_OK
                 : carom_error_set(error, CAROM_E_INPUT,
                                   every ? "line %zu: all of %s are needed"
                                         : "line %zu: places, and at least one more of %s, are needed",
                                   line, text);
}

static enum carom_status read_row(struct carom_bind *b, const struct carom_solid *s, const struct carom_bind_field *f,
                                  size_t line, const double *number, size_t n, struct rows *rows)
{
    const size_t d = (size_t)s->dimension;
    double in_order[COLUMNS] = {0.0};
    if (rows->n == POINTS)
        return carom_error_set(b->r.error, CAROM_E_INPUT, "line %zu: a field may have no more points", line);
    if (n != rows->width)
        return carom_error_set(b->r.error, CAROM_E_INPUT,
                               n == 0 || rows->width == d + columns_of(f, s)
                                   ? "line %zu is not a row of %s"
                                   : "line %zu has not as many numbers as there are names of %s",
                               line, f->text[d - 2]);
    for (size_t k = 0; k < n; k++)
        in_order[rows->slot[k]] = number[k];
    if (f->check != NULL && f->check(b->r.error, "line", line, in_order + d) != CAROM_OK)
        return b->r.error->status;
    if (!carom_memory_room(&rows->row, rows->n, &rows->room, 64, sizeof *rows->row))
        return carom_bind_memory(b);
    double *row = rows->row[rows->n];
    row[COLUMNS] = (double)rows->n++;
    for (size_t k = 0; k < AXES; k++)
        row[k] = k < d ? in_order[k] : 0.0;
    memcpy(row + AXES, in_order + d, columns_of(f, s) * sizeof *row);
    return CAROM_OK;
}

/* the first line that is not empty may name the columns: it does if it does not begin with a number */
static enum carom_status read_rows(struct carom_bind *b, const struct carom_solid *s, const struct carom_bind_field *f,
                                   const char *text, size_t length, struct rows *rows)
{
    const bool marked = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0; /* as Excel begins its files */
    const char *at = text + (marked ? 3 : 0), *last = text + length;
    const size_t d = (size_t)s->dimension;
    bool first = true;
    rows->width = d + columns_of(f, s);
    for (size_t k = 0; k < rows->width; k++)
        rows->slot[k] = k;
    for (size_t line = 1; at < last; line++) {
        const char *end = memchr(at, '\n', (size_t)(last - at)), *behind;
        double number[COLUMNS + 1];
        end = end != NULL ? end : last;
        const char *word = at + strspn(at, blanks);
        if (word < end) {
            const bool named = first && !carom_import_number(word, &behind, number);
            const size_t n = named ? 0 : read_line(at, end, number, COLUMNS + 1);
            if ((named ? read_header(b->r.error, f->text[d - 2], d, f, line, at, end, rows)
                       : read_row(b, s, f, line, number, n, rows)) != CAROM_OK)
                return b->r.error->status;
            first = false;
        }
        at = end + 1;
    }
    if (rows->n == 0)
        return carom_error_set(b->r.error, CAROM_E_INPUT, "the file has no points");
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

/* the row nearest to a place, and the square of its distance: outwards from its x, until that alone is farther */
static const double *nearest(const struct rows *f, const double place[3], double *square)
{
    size_t low = 0; /* the first at or beyond x */
    const double *best = f->row[0];
    double least = HUGE_VAL;
    CAROM_SORTED_FIRST(low, f->n, f->row[middle][0] < place[0]);
    for (size_t i = low; i < f->n && (f->row[i][0] - place[0]) * (f->row[i][0] - place[0]) < least; i++)
        look(f->row[i], place, &least, &best);
    for (size_t i = low; i-- > 0 && (f->row[i][0] - place[0]) * (f->row[i][0] - place[0]) < least;)
        look(f->row[i], place, &least, &best);
    *square = least;
    return best;
}

/* of the box around the centres of its cells */
static double diagonal(const struct carom_solid *s)
{
    double square = 0.0;
    for (size_t k = 0; k < (size_t)s->dimension; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < s->n; i++) {
            low = fmin(low, s->centre[i][k]);
            high = fmax(high, s->centre[i][k]);
        }
        square += (high - low) * (high - low);
    }
    return sqrt(square);
}

/* A row that far is hardly meant for this body: its places may be in mm. Twice, as a single row for all may well stand
 * at a corner, and centres are nearer to each other than corners. A body of one cell has no such size. */
static enum carom_status note_far(struct carom_bind *b, const struct carom_solid *s, const char *name, size_t cell,
                                  double distance)
{
    const double size = diagonal(s);
    if (!(size > 0.0 && distance > 2.0 * size))
        return CAROM_OK;
    return carom_bind_note(b,
                           "field: of %s the row nearest to cell %zu is %.3g m away from it, and the body is %.3g m "
                           "large: are the places in m?",
                           carom_tree_short(name).text, cell, distance, size);
}

/* each cell takes what stands nearest to its centre, unloaded */
static enum carom_status from_rows(struct carom_bind *b, const char *name, const struct carom_solid *s,
                                   const struct carom_bind_field *f, const char *text, size_t length, double *out)
{
    const size_t wide = f->narrays * f->components, d = f->components == 3 ? (size_t)s->dimension : 1;
    struct rows rows = {0};
    double farthest = 0.0;
    size_t cell = 0;
    enum carom_status status = read_rows(b, s, f, text, length, &rows);
    for (size_t i = 0; status == CAROM_OK && i < s->n; i++) {
        double square;
        const double *row = nearest(&rows, s->centre[i], &square) + AXES;
        for (size_t k = 0; k < f->columns * d; k++)
            out[wide * i + k / d * f->components + k % d] = row[k];
        cell = square > farthest ? i : cell;
        farthest = fmax(farthest, square);
    }
    carom_memory_free(rows.row);
    return status == CAROM_OK ? note_far(b, s, name, cell, sqrt(farthest)) : status;
}

/* --- cell data ---------------------------------------------------------------------------------------------------- */

enum { ARRAYS = 6 };

struct data {
    struct carom_vtk_xml_array array[ARRAYS];
    size_t n; /* cells in the file */
};

/* as many numbers of each array as there are cells */
static enum carom_status measure(struct carom_bind *b, const struct carom_bind_field *f, struct data *data)
{
    size_t found = 0;
    for (size_t k = 0; k < f->narrays; k++)
        if (data->array[k].value != NULL) {
            data->n = data->array[k].count / f->components;
            found++;
        }
    if (found < f->needed)
        return carom_error_set(b->r.error, CAROM_E_INPUT, "of the cell data %s, %s and %s the file has %s", f->array[0],
                               f->array[1], f->array[2], found > 0 ? "not all" : "none");
    for (size_t k = 0; k <= f->narrays; k++)
        if (data->array[k].value != NULL && data->array[k].count != data->n * (k < f->narrays ? f->components : 1))
            return carom_error_set(b->r.error, CAROM_E_INPUT, "cell data %s has %zu numbers for %zu cells",
                                   data->array[k].name, data->array[k].count, data->n);
    return CAROM_OK;
}

static enum carom_status from_data(struct carom_bind *b, const struct carom_solid *s, const struct carom_bind_field *f,
                                   struct data *data, double *out)
{
    const size_t wide = f->narrays * f->components;
    const double *number = data->array[f->narrays].value;
    bool *seen = carom_memory_zeroed(s->n, sizeof *seen);
    enum carom_status status = seen == NULL ? carom_bind_memory(b) : measure(b, f, data);
    if (status == CAROM_OK && data->n != s->n)
        status = carom_error_set(b->r.error, CAROM_E_INPUT, "the file has %zu cells, and the body %zu", data->n, s->n);
    for (size_t i = 0; status == CAROM_OK && i < data->n; i++) {
        const double cell = number != NULL ? number[i] : (double)i;
        const size_t at = cell >= 0.0 && cell < (double)s->n ? (size_t)cell : 0;
        if ((double)at != cell || seen[at]) {
            status = carom_error_set(
                b->r.error, CAROM_E_INPUT,
                "cell data cell: each of the numbers 0 to %zu should stand there once, %g does not", s->n - 1, cell);
            break;
        }
        seen[at] = true;
        for (size_t k = 0; k < f->narrays; k++)
            for (size_t c = 0; c < f->components && data->array[k].value != NULL; c++)
                out[wide * at + f->components * k + c] = data->array[k].value[f->components * i + c];
        status = f->check != NULL ? f->check(b->r.error, "cell", at, out + wide * at) : CAROM_OK;
    }
    carom_memory_free(seen);
    return status;
}

/* who leaves out what a start is asked for may not know that it begins with 0 */
static enum carom_status note_missing(struct carom_bind *b, const char *name, const struct carom_bind_field *f,
                                      const struct data *data)
{
    for (size_t k = 0; k < f->columns; k++)
        if (data->array[k].value == NULL && carom_bind_note(b, "field: %s has no cell data %s: it is 0",
                                                            carom_tree_short(name).text, f->array[k]) != CAROM_OK)
            return b->r.error->status;
    return CAROM_OK;
}

static enum carom_status from_vtu(struct carom_bind *b, const char *name, const struct carom_solid *s,
                                  const struct carom_bind_field *f, const char *text, size_t length, double *out)
{
    struct carom_source source = {.at = text, .end = text + length, .line = 1, .error = b->r.error};
    struct data data = {.n = 0};
    for (size_t k = 0; k <= f->narrays; k++)
        data.array[k] = (struct carom_vtk_xml_array){.parent = "CellData",
                                                     .name = k < f->narrays ? f->array[k] : "cell",
                                                     .components = k < f->narrays ? f->components : 1,
                                                     .of = CAROM_VTK_XML_CELLS};
    enum carom_status status =
        carom_vtk_xml(&source, false, f->narrays + 1, data.array) ? from_data(b, s, f, &data, out) : b->r.error->status;
    if (status == CAROM_OK)
        status = note_missing(b, name, f, &data);
    for (size_t k = 0; k < ARRAYS; k++)
        carom_memory_free(data.array[k].value);
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
    if (carom_value_map_of(&b->r, map, &carom_keys_solid_field) != CAROM_OK)
        return b->r.error->status;
    if (file == NULL)
        return carom_value_wrong_key(&b->r, map, "field: file is missing, such as {file: stiffness.csv}");
    *value = carom_memory_zeroed(s->n * f->narrays * f->components, sizeof **value);
    enum carom_status status =
        *value == NULL ? carom_bind_memory(b) : carom_bind_solid_mesh_bytes(b, map, file, &name, &text, &length);
    const size_t ends = status == CAROM_OK ? strlen(name) : 0;
    if (status == CAROM_OK)
        status = (ends > 4 && strcmp(name + ends - 4, ".vtu") == 0 ? from_vtu : from_rows)(b, name, s, f, text, length,
                                                                                           *value);
    if (text != NULL && status != CAROM_OK) {
        carom_error_prefix(b->r.error, "%s", carom_tree_short(name).text);
        carom_tree_error_at(b->r.tree, file, b->r.error);
    }
    carom_memory_free(text);
    return status;
}
