/* Bodies from files of VTK: points with an array `radius`, and `mass`, `velocity` and `spin` where they are there.
 * Legacy files in ASCII; XML files (.vtu, .vtp) as mesh/vtk_xml.h reads them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "mesh/vtk_xml.h"
#include "scene/space/import.h"

#define WORD CAROM_IMPORT_WORD

/* an array whose numbers go to columns side by side */
struct wanted {
    const char *name;
    size_t wide;
    enum carom_import_column first;
};

enum { ARRAYS = 4 };
static const struct wanted arrays[ARRAYS] = {
    {"radius", 1, CAROM_IMPORT_RADIUS},
    {"mass", 1, CAROM_IMPORT_MASS},
    {"velocity", 3, CAROM_IMPORT_VX},
    {"spin", 3, CAROM_IMPORT_SPIN_X},
};
static const struct wanted places = {"points", 3, CAROM_IMPORT_X};

static const struct wanted *find_wanted(const char *name, size_t wide)
{
    for (size_t i = 0; i < ARRAYS; i++)
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

/* what is wrong with the file, with its name instead of "line 7: " */
static enum carom_status refuse(struct carom_import_source *from, const struct carom_source *source)
{
    const char *text = strstr(source->error->text, ": ");
    from->line = source->line;
    if (source->error->status == CAROM_E_MEMORY)
        return carom_import_memory(from);
    return carom_import_wrong(from, "%s", text != NULL ? text + 2 : source->error->text);
}

static enum carom_status copy(struct carom_import *import, const struct carom_import_source *from,
                              const struct wanted *array, size_t n, const double *value)
{
    if (reserve(import, from, array, n) != CAROM_OK)
        return from->error->status;
    for (size_t i = 0; i < n * array->wide; i++)
        import->column[array->first + i % array->wide][i / array->wide] = value[i];
    return CAROM_OK;
}

enum carom_status carom_import_vtk_xml(struct carom_import *import, struct carom_import_source *from)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_source source = {.at = from->text, .end = from->text + from->length, .line = 1, .error = &error};
    struct carom_vtk_xml_array found[ARRAYS + 1];
    for (size_t k = 0; k <= ARRAYS; k++)
        found[k] = (struct carom_vtk_xml_array){.parent = k < ARRAYS ? "PointData" : "Points",
                                                .name = k < ARRAYS ? arrays[k].name : NULL,
                                                .components = k < ARRAYS ? arrays[k].wide : 3,
                                                .of = CAROM_VTK_XML_POINTS};
    const bool good = carom_vtk_xml(&source, true, ARRAYS + 1, found);
    const size_t n = found[ARRAYS].count / 3;
    enum carom_status status = good ? CAROM_OK : refuse(from, &source);
    for (size_t k = 0; k <= ARRAYS && status == CAROM_OK; k++) {
        const struct wanted *array = k < ARRAYS ? &arrays[k] : &places;
        if (found[k].value != NULL && found[k].count != n * array->wide)
            status = carom_import_wrong(from, "%s has %zu numbers for %zu points", array->name, found[k].count, n);
        else if (found[k].value != NULL)
            status = copy(import, from, array, n, found[k].value);
    }
    for (size_t k = 0; k <= ARRAYS; k++)
        carom_memory_free(found[k].value);
    from->line = 1;
    return status == CAROM_OK ? check(import, n, from) : status;
}
