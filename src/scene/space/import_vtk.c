/* Bodies from files of VTK: points with an array `radius`, and `mass`, `velocity` and `spin` where they are there.
 * Legacy files in ASCII; XML files (.vtu, .vtp) as mesh/vtk_xml.h reads them. */
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

/* what is wrong with the file, with its name instead of "line 7: " */
static enum carom_status refuse(struct carom_import_source *from, const struct carom_source *source)
{
    const char *text = strstr(source->error->text, ": ");
    from->line = source->line;
    if (source->error->status == CAROM_E_MEMORY)
        return carom_import_memory(from);
    return carom_import_wrong(from, "%s", text != NULL ? text + 2 : source->error->text);
}

/* --- legacy ------------------------------------------------------------------------------------------------------ */

/* a number of things, each of which takes a byte at least */
static bool read_count(struct carom_source *s, uint64_t *count)
{
    if (!carom_source_count(s, "a number of points or components", count))
        return false;
    return *count <= (uint64_t)(s->end - s->at) ||
           carom_source_wrong(s, "the file is too short for %llu points or components", (unsigned long long)*count);
}

/* n tuples of `wide` numbers; `array` NULL: nobody wants them */
static bool read_tuples(struct carom_import *import, struct carom_source *s, const struct wanted *array, uint64_t n,
                        uint64_t wide)
{
    char word[WORD];
    for (size_t k = 0; array != NULL && k < wide; k++)
        if (!carom_import_reserve(import, (enum carom_import_column)(array->first + k), (size_t)n))
            return carom_source_memory(s);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < wide; k++)
            if (array == NULL ? !carom_source_word(s, "a number", word, sizeof word)
                              : !carom_source_real(s, "a number", &import->column[array->first + k][i]))
                return false;
    return true;
}

/* "FIELD name arrays", then for each "name components tuples type" */
static bool read_field(struct carom_import *import, struct carom_source *s, uint64_t n, bool of_points)
{
    char word[WORD], name[WORD];
    uint64_t count, wide = 0, rows = 0;
    if (!carom_source_word(s, "the name of a field", word, sizeof word) || !read_count(s, &count))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!carom_source_word(s, "the name of an array", name, sizeof name) || !read_count(s, &wide) ||
            !read_count(s, &rows) || !carom_source_word(s, "the type of an array", word, sizeof word) ||
            !read_tuples(import, s, of_points && rows == n ? find_wanted(name, (size_t)wide) : NULL, rows, wide))
            return false;
    return true;
}

/* "SCALARS name type [components]", "LOOKUP_TABLE name"; "VECTORS name type" */
static bool read_attribute(struct carom_import *import, struct carom_source *s, uint64_t n, bool vector)
{
    char name[WORD], word[WORD], *end = word;
    size_t wide = vector ? 3 : 1;
    if (!carom_source_word(s, "the name of an array", name, sizeof name) ||
        !carom_source_word(s, "the type of an array", word, sizeof word) ||
        (!vector && !carom_source_word(s, "LOOKUP_TABLE", word, sizeof word)))
        return false;
    if (!vector && strcmp(word, "LOOKUP_TABLE") != 0) {
        wide = (size_t)strtoull(word, &end, 10);
        if (*end != '\0' || wide < 1 || wide > 4 || !carom_source_word(s, "LOOKUP_TABLE", word, sizeof word) ||
            strcmp(word, "LOOKUP_TABLE") != 0)
            return carom_source_wrong(s, "SCALARS %s: expected LOOKUP_TABLE", name);
    }
    return (vector || carom_source_word(s, "the name of a table", word, sizeof word)) &&
           read_tuples(import, s, find_wanted(name, wide), n, wide);
}

static bool read_legacy(struct carom_import *import, struct carom_source *s, uint64_t *n)
{
    char word[512];
    bool of_points = false, good = true;
    if (!carom_source_line(s, word, sizeof word) ||
        !carom_source_line(s, word, sizeof word) || /* what it is, a title */
        !carom_source_word(s, "ASCII", word, WORD))
        return carom_source_wrong(s, "the file breaks off in its head");
    if (strcmp(word, "ASCII") != 0)
        return carom_source_wrong(s, "a legacy VTK file is taken in ASCII only, this one is %s", word);
    while (good && !carom_source_done(s)) {
        good = carom_source_word(s, "a section", word, WORD);
        if (strcmp(word, "POINTS") == 0) {
            if (import->column[CAROM_IMPORT_X] != NULL)
                return carom_source_wrong(s, "there are points in it twice");
            good = read_count(s, n) && carom_source_word(s, "the type of points", word, WORD) &&
                   read_tuples(import, s, &places, *n, 3);
        } else if (strcmp(word, "POINT_DATA") == 0 || strcmp(word, "CELL_DATA") == 0) {
            of_points = word[0] == 'P';
        } else if (strcmp(word, "FIELD") == 0) {
            good = read_field(import, s, *n, of_points);
        } else if (of_points && (strcmp(word, "SCALARS") == 0 || strcmp(word, "VECTORS") == 0)) {
            good = read_attribute(import, s, *n, word[0] == 'V');
        }
    }
    return good;
}

enum carom_status carom_import_vtk(struct carom_import *import, struct carom_import_source *from)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_source source = {.at = from->text, .end = from->text + from->length, .line = 1, .error = &error};
    uint64_t n = 0;
    if (!read_legacy(import, &source, &n))
        return refuse(from, &source);
    from->line = source.line;
    return check(import, (size_t)n, from);
}

/* --- XML --------------------------------------------------------------------------------------------------------- */

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
