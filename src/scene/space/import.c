/* Bodies out of files, see import.h: which format a file has, what formats share, and the table as text. */
#include "scene/space/import.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/run_file.h"
#include "scene/keep.h"

#define FILE_BYTES (512L << 20)

/* --- what formats share ------------------------------------------------------------------------------------------ */

void carom_import_free(struct carom_import *import)
{
    for (size_t c = 0; c < CAROM_IMPORT_COLUMNS; c++)
        carom_memory_free(import->column[c]);
    carom_memory_free(import->kind);
    *import = (struct carom_import){0};
}

enum carom_status carom_import_memory(const struct carom_import_source *from)
{
    return carom_error_set(from->error, CAROM_E_MEMORY, "out of memory while %s was read", from->name);
}

enum carom_status carom_import_wrong(const struct carom_import_source *from, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return carom_error_set(from->error, CAROM_E_INPUT, "%s:%zu: %s", from->name, from->line, text);
}

/* All columns have one room. */
static bool widen(struct carom_import *import, size_t room)
{
    for (size_t c = 0; c < CAROM_IMPORT_COLUMNS; c++) {
        if (import->column[c] == NULL)
            continue;
        if (!carom_memory_widen(&import->column[c], import->room, room, sizeof *import->column[c]))
            return false;
    }
    import->room = room;
    return true;
}

bool carom_import_reserve(struct carom_import *import, enum carom_import_column column, size_t n)
{
    if (n > import->room && !widen(import, n))
        return false;
    if (import->column[column] == NULL)
        import->column[column] = carom_memory_zeroed(import->room, sizeof(double));
    return import->column[column] != NULL;
}

bool carom_import_grow(struct carom_import *import)
{
    return import->n < import->room || widen(import, 2 * import->room + 64);
}

size_t carom_import_kind(struct carom_import *import, const char *word, size_t length)
{
    if (length >= CAROM_IMPORT_WORD)
        return SIZE_MAX;
    for (size_t i = import->nkinds; i-- > 0;)
        if (strlen(import->kind[i]) == length && memcmp(import->kind[i], word, length) == 0)
            return i;
    if (import->kind == NULL)
        import->kind = carom_memory_zeroed(CAROM_IMPORT_KINDS, sizeof *import->kind);
    if (import->kind == NULL || import->nkinds == CAROM_IMPORT_KINDS)
        return SIZE_MAX;
    memcpy(import->kind[import->nkinds], word, length);
    return import->nkinds++;
}

bool carom_import_number(const char *at, const char **end, double *number)
{
    char *behind;
    *number = strtod(at, &behind);
    *end = behind;
    return behind != at && fabs(*number) < HUGE_VAL;
}

enum carom_status carom_import_check(const struct carom_import *import, size_t i,
                                     const struct carom_import_source *from)
{
    const double *radius = import->column[CAROM_IMPORT_RADIUS], *mass = import->column[CAROM_IMPORT_MASS];
    for (size_t c = 0; c < CAROM_IMPORT_COLUMNS; c++)
        if (import->column[c] != NULL && !(fabs(import->column[c][i]) < HUGE_VAL))
            return carom_import_wrong(from, "body %zu has a value that is not finite", i + 1);
    if (radius != NULL && !(radius[i] > 0.0))
        return carom_import_wrong(from, "the radius of body %zu must be positive, got %g", i + 1, radius[i]);
    if (mass != NULL && !(mass[i] > 0.0))
        return carom_import_wrong(from, "the mass of body %zu must be positive, got %g", i + 1, mass[i]);
    return CAROM_OK;
}

/* --- formats ----------------------------------------------------------------------------------------------------- */

/* Is there a line "N atoms" near the beginning? */
static bool is_lammps(const char *text)
{
    const char *at = strchr(text, '\n');
    for (int lines = 0; at != NULL && lines < 50; at = strchr(at + 1, '\n'), lines++) {
        const char *word = at + strspn(at, " \t\r\n");
        const size_t digits = strspn(word, "0123456789");
        const char *then = word + digits + strspn(word + digits, " \t");
        if (digits > 0 && then > word + digits && strncmp(then, "atoms", 5) == 0)
            return true;
    }
    return false;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static enum carom_status take(struct carom_import *import, struct carom_import_source *from, bool si)
{
    const char *text = from->text + strspn(from->text, " \t\r\n");
    if (begins(text, "# vtk DataFile"))
        return carom_import_vtk(import, from);
    if (begins(text, "<?xml") || begins(text, "<VTKFile"))
        return carom_import_vtk_xml(import, from);
    if (memchr(from->text, '\0', from->length) != NULL)
        return carom_error_set(from->error, CAROM_E_INPUT,
                               "%s: there is a NUL byte: this is neither CSV nor VTK nor a data file of LAMMPS",
                               from->name);
    if (is_lammps(from->text))
        return carom_import_lammps(import, from);
    return carom_import_csv(import, from->name, from->text, si, from->error);
}

/* all of it, with a NUL byte behind */
static char *slurp(const char *path, const char *name, size_t *length, struct carom_error *error)
{
    const char *why = "";
    FILE *file = carom_file_open(path, FILE_BYTES, &why);
    if (file == NULL)
        return carom_error_set(error, CAROM_E_FILE, "%s cannot be read: %s", name, why), NULL;
    char *text = carom_file_text(file, FILE_BYTES, length);
    if (text == NULL)
        carom_error_set(error, CAROM_E_MEMORY, "out of memory while %s was read", name);
    else if (ferror(file) || *length > (size_t)FILE_BYTES) {
        carom_error_set(error, CAROM_E_FILE, "%s cannot be read to its end", name);
        carom_memory_free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

enum carom_status carom_import_file(struct carom_import *import, const char *path, const char *name, bool si,
                                    struct carom_error *error)
{
    size_t length;
    *import = (struct carom_import){0};
    char *text = slurp(path, name, &length, error);
    if (text == NULL)
        return error->status;
    struct carom_import_source from = {.name = name, .text = text, .length = length, .line = 1, .error = error};
    enum carom_status status;
    if (carom_run_file_looks(path))
        status = carom_error_set(error, CAROM_E_INPUT, "%s is a run file: write run: instead of file:", name);
    else
        status = take(import, &from, si);
    carom_memory_free(text);
    if (status == CAROM_OK && import->n == 0)
        status = carom_error_set(error, CAROM_E_INPUT, "%s has no bodies", name);
    return status;
}

/* --- as text ----------------------------------------------------------------------------------------------------- */

char *carom_import_text(const struct carom_import *import)
{
    static const char *const names[] = {"x",      "y",      "z",      "vx",     "vy",   "vz",
                                        "spin_x", "spin_y", "spin_z", "radius", "mass", "material"};
    size_t columns = 0, there[CAROM_IMPORT_COLUMNS];
    for (size_t c = 0; c < CAROM_IMPORT_COLUMNS; c++)
        if (import->column[c] != NULL)
            there[columns++] = c;
    const bool kinds = import->column[CAROM_IMPORT_KIND] != NULL;
    char *text =
        carom_memory_zeroed(200 + import->n * (columns * CAROM_KEEP_NUMBER + 2 + (kinds ? CAROM_IMPORT_WORD : 0)), 1);
    if (text == NULL)
        return NULL;
    char *to = text;
    for (size_t c = 0; c < columns; c++)
        to += sprintf(to, "%s%s", c > 0 ? "," : "", names[there[c]]);
    for (size_t i = 0; i < import->n; i++)
        for (size_t c = 0; c < columns; c++) {
            const double x = import->column[there[c]][i];
            to = stpcpy(to, c > 0 ? "," : "\\n");
            if (there[c] == CAROM_IMPORT_KIND)
                to = stpcpy(to, import->kind[(size_t)x]);
            else
                to = carom_keep_number(to, x);
        }
    return text;
}
