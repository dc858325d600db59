/* Bodies from files of VTK: points with an array `radius`, and `mass`, `velocity` and `spin` where they are there.
 * Legacy files in ASCII; XML files (.vtu, .vtp) of one piece with numbers in ASCII, or appended as raw bytes, as
 * `carom export --vtk` writes them. What is compressed or in base64 is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "scene/space/import.h"

#define POINTS 100000000u
#define WORD CAROM_IMPORT_WORD

/* an array whose numbers go to columns side by side */
struct wanted {
    const char *name;
    size_t wide;
    enum carom_import_column first;
};

static const struct wanted arrays[] = {
    {"radius", 1, CAROM_IMPORT_RADIUS},
    {"mass", 1, CAROM_IMPORT_MASS},
    {"velocity", 3, CAROM_IMPORT_VX},
    {"spin", 3, CAROM_IMPORT_SPIN_X},
};
static const struct wanted places = {"points", 3, CAROM_IMPORT_X};

static const struct wanted *find_wanted(const char *name, size_t wide)
{
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (strcasecmp(arrays[i].name, name) == 0 && arrays[i].wide == wide)
            return &arrays[i];
    return NULL;
}

static enum carom_status reserve(struct carom_import *import, const struct carom_import_source *from,
                                 const struct wanted *array, size_t n)
{
    for (size_t k = 0; k < array->wide; k++)
        if (!carom_import_reserve(import, (enum carom_import_column)(array->first + k), n))
            return carom_import_memory(from);
    return CAROM_OK;
}

/* Once all arrays are read: is everybody somebody? */
static enum carom_status check(struct carom_import *import, size_t n, const struct carom_import_source *from)
{
    if (import->column[CAROM_IMPORT_X] == NULL || n == 0)
        return carom_import_wrong(from, "there are no points in it");
    import->n = n;
    for (size_t i = 0; i < n; i++)
        if (carom_import_check(import, i, from) != CAROM_OK)
            return from->error->status;
    return CAROM_OK;
}

/* --- legacy ------------------------------------------------------------------------------------------------------ */

struct words {
    struct carom_import_source *from;
    const char *at;
};

static bool next_word(struct words *w, char word[WORD])
{
    for (; *w->at != '\0' && strchr(" \t\r\n", *w->at) != NULL; w->at++)
        w->from->line += *w->at == '\n';
    const size_t length = strcspn(w->at, " \t\r\n");
    snprintf(word, WORD, "%.*s", (int)(length < WORD ? length : WORD - 1), w->at);
    w->at += length;
    return length > 0;
}

static enum carom_status next_count(struct words *w, size_t *count)
{
    char word[WORD], *end;
    const bool there = next_word(w, word);
    *count = there ? (size_t)strtoull(word, &end, 10) : 0;
    if (!there || *end != '\0' || word[0] == '-' || *count > w->from->length) /* each takes a byte at least */
        return carom_import_wrong(w->from, "'%s' is not a valid number of points or components", word);
    return CAROM_OK;
}

/* n tuples of `wide` numbers; `array` NULL: nobody wants them */
static enum carom_status read_tuples(struct carom_import *import, struct words *w, const struct wanted *array, size_t n,
                                     size_t wide)
{
    char word[WORD];
    const char *end;
    if (array != NULL && reserve(import, w->from, array, n) != CAROM_OK)
        return w->from->error->status;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < wide; k++) {
            double number;
            if (!next_word(w, word))
                return carom_import_wrong(w->from, "the file ends in the middle of an array");
            if (array == NULL)
                continue;
            if (!carom_import_number(word, &end, &number) || *end != '\0')
                return carom_import_wrong(w->from, "'%s' is not a finite number", word);
            import->column[array->first + k][i] = number;
        }
    return CAROM_OK;
}

/* "FIELD name arrays", then for each "name components tuples type" */
static enum carom_status read_field(struct carom_import *import, struct words *w, size_t n, bool of_points)
{
    char word[WORD], name[WORD];
    size_t count, wide, rows;
    next_word(w, word); /* its name */
    if (next_count(w, &count) != CAROM_OK)
        return w->from->error->status;
    for (size_t i = 0; i < count; i++) {
        if (!next_word(w, name) || next_count(w, &wide) != CAROM_OK || next_count(w, &rows) != CAROM_OK ||
            !next_word(w, word))
            return carom_import_wrong(w->from, "the file ends in the middle of a field");
        const struct wanted *array = of_points && rows == n ? find_wanted(name, wide) : NULL;
        if (read_tuples(import, w, array, rows, wide) != CAROM_OK)
            return w->from->error->status;
    }
    return CAROM_OK;
}

/* "SCALARS name type [components]", "LOOKUP_TABLE name"; "VECTORS name type" */
static enum carom_status read_attribute(struct carom_import *import, struct words *w, size_t n, bool vector)
{
    char name[WORD], word[WORD];
    size_t wide = vector ? 3 : 1;
    if (!next_word(w, name) || !next_word(w, word))
        return carom_import_wrong(w->from, "the file ends in the middle of an array");
    const struct words before = *w;
    const size_t line = w->from->line;
    if (!vector && next_word(w, word) && strcmp(word, "LOOKUP_TABLE") == 0) {
        next_word(w, word);
    } else if (!vector) {
        wide = (size_t)strtoull(word, NULL, 10);
        if (wide < 1 || wide > 4 || !next_word(w, word) || strcmp(word, "LOOKUP_TABLE") != 0) {
            *w = before;
            w->from->line = line;
            return carom_import_wrong(w->from, "SCALARS %s: expected LOOKUP_TABLE", name);
        }
        next_word(w, word);
    }
    return read_tuples(import, w, find_wanted(name, wide), n, wide);
}

enum carom_status carom_import_vtk(struct carom_import *import, struct carom_import_source *from)
{
    struct words w = {from, from->text};
    char word[WORD];
    size_t n = 0;
    bool of_points = false;
    for (int lines = 0; lines < 2 && *w.at != '\0'; lines++, from->line++) { /* what it is, and a title */
        w.at += strcspn(w.at, "\n");
        w.at += *w.at == '\n';
    }
    if (!next_word(&w, word) || strcmp(word, "ASCII") != 0)
        return carom_import_wrong(from, "a legacy VTK file is taken in ASCII only, this one is %s", word);
    enum carom_status status = CAROM_OK;
    while (status == CAROM_OK && next_word(&w, word)) {
        if (strcmp(word, "POINTS") == 0) {
            status = import->column[CAROM_IMPORT_X] == NULL ? next_count(&w, &n)
                                                            : carom_import_wrong(from, "there are points in it twice");
            if (status == CAROM_OK && next_word(&w, word))
                status = read_tuples(import, &w, &places, n, 3);
        } else if (strcmp(word, "POINT_DATA") == 0 || strcmp(word, "CELL_DATA") == 0) {
            of_points = word[0] == 'P';
        } else if (strcmp(word, "FIELD") == 0) {
            status = read_field(import, &w, n, of_points);
        } else if (of_points && (strcmp(word, "SCALARS") == 0 || strcmp(word, "VECTORS") == 0)) {
            status = read_attribute(import, &w, n, word[0] == 'V');
        }
    }
    return status == CAROM_OK ? check(import, n, from) : status;
}

/* --- XML --------------------------------------------------------------------------------------------------------- */

struct xml {
    struct carom_import *import;
    struct carom_import_source *from;
    const char *raw; /* the bytes appended, behind their underscore; NULL: none */
    size_t raw_bytes, head;
    size_t n;
};

/* the value of an attribute of the tag at `tag`, cut to fit; false: it has none */
static bool attribute(const char *tag, const char *name, char value[WORD])
{
    const char *end = strchr(tag, '>');
    const size_t length = strlen(name);
    value[0] = '\0';
    for (const char *at = strstr(tag, name); at != NULL && end != NULL && at < end; at = strstr(at + 1, name)) {
        if (at[length] != '=' || at[length + 1] != '"' || strchr(" \t\r\n", at[-1]) == NULL)
            continue;
        const char *from = at + length + 2;
        const size_t size = strcspn(from, "\"");
        snprintf(value, WORD, "%.*s", (int)(size < WORD ? size : WORD - 1), from);
        return true;
    }
    return false;
}

static enum carom_status refuse(const struct xml *x, const char *tag, const char *why)
{
    x->from->line = 1;
    for (const char *at = x->from->text; at < tag; at++)
        x->from->line += *at == '\n';
    return carom_import_wrong(x->from, "%s", why);
}

/* one number of a type from bytes; false: the type is not known */
static bool decode(const char *type, const char *bytes, double *number)
{
    double f8;
    float f4;
    int64_t i8;
    int32_t i4;
    if (strcmp(type, "Float64") == 0)
        *number = (memcpy(&f8, bytes, 8), f8);
    else if (strcmp(type, "Float32") == 0)
        *number = (double)(memcpy(&f4, bytes, 4), f4);
    else if (strcmp(type, "Int64") == 0)
        *number = (double)(memcpy(&i8, bytes, 8), i8);
    else if (strcmp(type, "Int32") == 0)
        *number = (double)(memcpy(&i4, bytes, 4), i4);
    else
        return false;
    return true;
}

static enum carom_status read_appended(struct xml *x, const char *tag, const struct wanted *array)
{
    char type[WORD], offset[WORD];
    attribute(tag, "type", type);
    const size_t size = strstr(type, "64") != NULL ? 8 : 4;
    const size_t bytes = x->n * array->wide * size;
    double number;
    if (x->raw == NULL)
        return refuse(x, tag, "its numbers are said to be appended as raw bytes, and there are none");
    if (!attribute(tag, "offset", offset) || !decode(type, "\0\0\0\0\0\0\0", &number))
        return refuse(x, tag, "an array appended has an offset and is of Float32, Float64, Int32 or Int64");
    const size_t at = (size_t)strtoull(offset, NULL, 10);
    if (at > x->raw_bytes || x->head > x->raw_bytes - at || bytes > x->raw_bytes - at - x->head)
        return refuse(x, tag, "the file is cut off: an array reaches beyond its end");
    uint64_t said = 0;
    memcpy(&said, x->raw + at, x->head);
    if (said != bytes)
        return refuse(x, tag, "an array is not as long as there are points");
    for (size_t i = 0; i < x->n; i++)
        for (size_t k = 0; k < array->wide; k++)
            decode(type, x->raw + at + x->head + (i * array->wide + k) * size, &x->import->column[array->first + k][i]);
    return CAROM_OK;
}

static enum carom_status read_ascii(struct xml *x, const char *tag, const struct wanted *array)
{
    const char *at = strchr(tag, '>');
    at = at != NULL ? at + 1 : "";
    for (size_t i = 0; i < x->n; i++)
        for (size_t k = 0; k < array->wide; k++)
            if (!carom_import_number(at, &at, &x->import->column[array->first + k][i]))
                return refuse(x, at, "there is no finite number where the array should go on");
    return at[strspn(at, " \t\r\n")] == '<' ? CAROM_OK : refuse(x, at, "an array is longer than there are points");
}

static enum carom_status read_array(struct xml *x, const char *tag, const struct wanted *array)
{
    char format[WORD];
    if (x->import->column[array->first] != NULL)
        return refuse(x, tag, "an array stands twice in it");
    if (reserve(x->import, x->from, array, x->n) != CAROM_OK)
        return x->from->error->status;
    attribute(tag, "format", format);
    if (strcmp(format, "appended") == 0)
        return read_appended(x, tag, array);
    if (strcmp(format, "ascii") == 0)
        return read_ascii(x, tag, array);
    return refuse(x, tag, "its numbers are in base64; write the file in ASCII, or with raw bytes appended");
}

static enum carom_status read_arrays(struct xml *x, const char *piece)
{
    const char *points = strstr(piece, "<Points"), *data = strstr(piece, "<PointData");
    const char *first = points != NULL ? strstr(points, "<DataArray") : NULL;
    const char *end = data != NULL ? strstr(data, "</PointData>") : NULL;
    char name[WORD], wide[WORD];
    if (first == NULL)
        return refuse(x, piece, "there are no points in it");
    enum carom_status status = read_array(x, first, &places);
    const char *tag = end != NULL ? strstr(data, "<DataArray") : NULL;
    for (; status == CAROM_OK && tag != NULL && tag < end; tag = strstr(tag + 1, "<DataArray")) {
        if (!attribute(tag, "Name", name))
            continue;
        const bool several = attribute(tag, "NumberOfComponents", wide);
        const struct wanted *array = find_wanted(name, several ? (size_t)strtoull(wide, NULL, 10) : 1);
        if (array != NULL)
            status = read_array(x, tag, array);
    }
    return status;
}

static bool is_little(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* where raw bytes begin; tags are looked for before them only */
static void find_raw(struct xml *x)
{
    const char *appended = strstr(x->from->text, "<AppendedData");
    const char *mark = appended != NULL ? strchr(appended, '_') : NULL;
    char encoding[WORD];
    if (mark == NULL || !attribute(appended, "encoding", encoding) || strcmp(encoding, "raw") != 0)
        return;
    x->raw = mark + 1;
    x->raw_bytes = x->from->length - (size_t)(x->raw - x->from->text);
}

enum carom_status carom_import_vtk_xml(struct carom_import *import, struct carom_import_source *from)
{
    struct xml x = {.import = import, .from = from};
    char value[WORD];
    const char *file = strstr(from->text, "<VTKFile"), *piece = file != NULL ? strstr(file, "<Piece") : NULL;
    if (piece == NULL || !attribute(piece, "NumberOfPoints", value))
        return refuse(&x, from->text, "there is no piece with points in it: .vtu and .vtp files are taken");
    x.n = (size_t)strtoull(value, NULL, 10);
    if (x.n == 0 || x.n > POINTS)
        return refuse(&x, piece, "the number of points must be 1 to 1e8");
    if (strstr(piece + 1, "<Piece") != NULL)
        return refuse(&x, piece, "there is more than one piece in it");
    if (attribute(file, "compressor", value))
        return refuse(&x, file, "its numbers are compressed; write the file in ASCII, or with raw bytes appended");
    if (attribute(file, "byte_order", value) && is_little() != (strcmp(value, "LittleEndian") == 0))
        return refuse(&x, file, "its bytes are in the other order than this machine's");
    x.head = attribute(file, "header_type", value) && strcmp(value, "UInt64") == 0 ? 8 : 4;
    find_raw(&x);
    /* memory follows from what the file has: no array is longer than the file */
    if (x.n > from->length)
        return refuse(&x, piece, "it says to have more points than it has bytes");
    if (read_arrays(&x, piece) != CAROM_OK)
        return from->error->status;
    from->line = 1;
    return check(import, x.n, from);
}
