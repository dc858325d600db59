/* Bodies from a text whose first line names the columns. Cells stand between commas, else semicolons, else blanks;
 * a column may say its unit in brackets, "x [mm]". Lines that begin with # do not count. */
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "carom/param.h"
#include "scene/space/import.h"
#include "scene/text/units.h"

#define CELLS 64
#define IGNORED CAROM_IMPORT_COLUMNS /* a number of the body: its place in the file counts */

static const struct {
    const char *name;
    int column;
    const char *unit;
    double times; /* of the column, of one that is written */
} names[] = {
    {"x", CAROM_IMPORT_X, "m", 1.0},
    {"y", CAROM_IMPORT_Y, "m", 1.0},
    {"z", CAROM_IMPORT_Z, "m", 1.0},
    {"vx", CAROM_IMPORT_VX, "m/s", 1.0},
    {"vy", CAROM_IMPORT_VY, "m/s", 1.0},
    {"vz", CAROM_IMPORT_VZ, "m/s", 1.0},
    {"spin", CAROM_IMPORT_SPIN_Z, "rad/s", 1.0},
    {"spin_x", CAROM_IMPORT_SPIN_X, "rad/s", 1.0},
    {"spin_y", CAROM_IMPORT_SPIN_Y, "rad/s", 1.0},
    {"spin_z", CAROM_IMPORT_SPIN_Z, "rad/s", 1.0},
    {"radius", CAROM_IMPORT_RADIUS, "m", 1.0},
    {"diameter", CAROM_IMPORT_RADIUS, "m", 0.5},
    {"mass", CAROM_IMPORT_MASS, "kg", 1.0},
    {"material", CAROM_IMPORT_KIND, "", 1.0},
    {"body", IGNORED, "", 1.0},
    {"id", IGNORED, "", 1.0},
};

struct header {
    char separator; /* ' ': blanks and tabs */
    size_t cells;
    int column[CELLS];
    double factor[CELLS];
    bool plain_spin; /* is there a column spin, which is for the plane? */
};

/* --- cells ------------------------------------------------------------------------------------------------------- */

static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

/* the next cell of a line without the blanks around it; *at is moved behind it. False: there are no more */
static bool next_cell(char separator, const char **at, const char *end, const char **cell, size_t *length)
{
    const char *from = *at;
    while (from < end && strchr(" \t\r", *from) != NULL)
        from++;
    if (*at > end || (separator == ' ' && from == end))
        return false;
    const char *to = from;
    while (to < end && (separator == ' ' ? strchr(" \t\r", *to) == NULL : *to != separator))
        to++;
    *at = to + 1;
    *cell = from;
    *length = (size_t)(to - from);
    while (*length > 0 && strchr(" \t\r", from[*length - 1]) != NULL)
        --*length;
    return true;
}

/* --- header ------------------------------------------------------------------------------------------------------ */

static char find_separator(const char *line, size_t length)
{
    return memchr(line, ',', length) != NULL ? ',' : memchr(line, ';', length) != NULL ? ';' : ' ';
}

static enum carom_status unknown_column(const struct carom_import_source *from, const char *word)
{
    const char *known[sizeof names / sizeof names[0]];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        known[i] = names[i].name;
    const char *nearest = carom_param_nearest(word, known, sizeof names / sizeof names[0]);
    double number;
    const char *end;
    if (carom_import_number(word, &end, &number))
        return carom_import_wrong(from, "the first line names the columns, such as x,y,radius");
    return carom_import_wrong(from, "unknown column '%s', %s%s%s", word, nearest != NULL ? "did you mean '" : "",
                              nearest != NULL ? nearest
                                              : "there are: x, y, z, vx, vy, vz, spin, spin_x, spin_y, spin_z, radius, "
                                                "diameter, mass, material, body",
                              nearest != NULL ? "'?" : "");
}

/* what stands in brackets behind a name, as a factor to SI */
static enum carom_status read_unit(const struct carom_import_source *from, const char *unit, size_t length,
                                   const char *wanted, bool si, double *factor)
{
    char text[CAROM_IMPORT_WORD + 8];
    struct carom_quantity quantity;
    struct carom_error why;
    if (!si)
        return carom_import_wrong(from, "the column has a unit, but the scene says units: none");
    snprintf(text, sizeof text, "1 %.*s", (int)(length < CAROM_IMPORT_WORD ? length : CAROM_IMPORT_WORD - 1), unit);
    if (carom_units_value(text, wanted, &quantity, &why) != CAROM_OK ||
        carom_units_turns(text, &quantity, wanted, &why) != CAROM_OK)
        return carom_import_wrong(from, "%s", why.text);
    *factor *= quantity.value;
    return CAROM_OK;
}

static enum carom_status read_name(struct carom_import *import, struct header *header,
                                   const struct carom_import_source *from, const char *cell, size_t length, bool si)
{
    char word[CAROM_IMPORT_WORD];
    const char *bracket = memchr(cell, '[', length);
    size_t letters = bracket != NULL ? (size_t)(bracket - cell) : length, i = 0;
    while (letters > 0 && cell[letters - 1] == ' ')
        letters--;
    snprintf(word, sizeof word, "%.*s", (int)(letters < sizeof word ? letters : sizeof word - 1), cell);
    while (i < sizeof names / sizeof names[0] && strcmp(names[i].name, word) != 0)
        i++;
    if (i == sizeof names / sizeof names[0])
        return unknown_column(from, word);
    const int column = names[i].column;
    header->plain_spin |= strcmp(word, "spin") == 0;
    header->column[header->cells] = column;
    header->factor[header->cells++] = names[i].times;
    if (column == IGNORED)
        return CAROM_OK;
    if (import->column[column] != NULL && column == CAROM_IMPORT_RADIUS)
        return carom_import_wrong(from, "there is more than one column of radii or diameters");
    if (import->column[column] != NULL)
        return carom_import_wrong(from, "the column %s appears twice", word);
    if (!carom_import_reserve(import, (enum carom_import_column)column, 64))
        return carom_import_memory(from);
    if (bracket == NULL)
        return CAROM_OK;
    if (cell[length - 1] != ']')
        return carom_import_wrong(from, "a unit stands in brackets, such as %s [mm]", word);
    const size_t unit = (size_t)(cell + length - 1 - (bracket + 1));
    return read_unit(from, bracket + 1, unit, names[i].unit, si, &header->factor[header->cells - 1]);
}

static enum carom_status read_header(struct carom_import *import, struct header *header,
                                     const struct carom_import_source *from, const char *line, size_t length, bool si)
{
    const char *at = line, *cell;
    size_t size;
    header->separator = find_separator(line, length);
    while (next_cell(header->separator, &at, line + length, &cell, &size)) {
        if (header->cells == CELLS)
            return carom_import_wrong(from, "there are more than %d columns", CELLS);
        if (read_name(import, header, from, cell, size, si) != CAROM_OK)
            return from->error->status;
    }
    if (import->column[CAROM_IMPORT_X] == NULL || import->column[CAROM_IMPORT_Y] == NULL)
        return carom_import_wrong(from, "there is no column x or no column y");
    import->dimension = import->column[CAROM_IMPORT_Z] != NULL ? 3 : 2;
    if (import->dimension == 3 && header->plain_spin)
        return carom_import_wrong(from, "in space a spin has three parts: columns spin_x, spin_y, spin_z, not spin");
    return CAROM_OK;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

static enum carom_status read_kind(struct carom_import *import, const struct carom_import_source *from,
                                   const char *cell, size_t length)
{
    for (size_t k = 0; k < length; k++)
        if (strchr("\"\\,;", cell[k]) != NULL)
            return carom_import_wrong(from, "a material's name in a table has neither quotes nor commas");
    const size_t kind = length > 0 ? carom_import_kind(import, cell, length) : SIZE_MAX;
    if (kind == SIZE_MAX && length > 0 && length < CAROM_IMPORT_WORD && import->kind == NULL)
        return carom_import_memory(from);
    if (kind == SIZE_MAX)
        return carom_import_wrong(from, length > 0 ? "the material's name is too long, or there are too many of them"
                                                   : "the material is missing");
    import->column[CAROM_IMPORT_KIND][import->n] = (double)kind;
    return CAROM_OK;
}

static enum carom_status read_cell(struct carom_import *import, const struct header *header, size_t i,
                                   const struct carom_import_source *from, const char *cell, size_t length)
{
    const int column = header->column[i];
    const char *end;
    double number;
    if (column == IGNORED)
        return CAROM_OK;
    if (column == CAROM_IMPORT_KIND)
        return read_kind(import, from, cell, length);
    if (length == 0 || !carom_import_number(cell, &end, &number) || end != cell + length)
        return carom_import_wrong(from, "cell %zu, '%.*s', is not a finite number", i + 1,
                                  (int)(length < 30 ? length : 30), cell);
    import->column[column][import->n] = header->factor[i] * number;
    return CAROM_OK;
}

static enum carom_status read_row(struct carom_import *import, const struct header *header,
                                  const struct carom_import_source *from, const char *line, size_t length)
{
    const char *at = line, *cell;
    size_t size, cells = 0;
    if (!carom_import_grow(import))
        return carom_import_memory(from);
    for (; next_cell(header->separator, &at, line + length, &cell, &size); cells++)
        if (cells < header->cells && read_cell(import, header, cells, from, cell, size) != CAROM_OK)
            return from->error->status;
    if (cells != header->cells)
        return carom_import_wrong(from, "the line has %zu cell%s, the header names %zu", cells, carom_plural(cells),
                                  header->cells);
    return carom_import_check(import, import->n++, from);
}

enum carom_status carom_import_csv(struct carom_import *import, const char *name, const char *text, bool si,
                                   struct carom_error *error)
{
    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0) /* a byte-order mark, as spreadsheets write it */
        text += 3;
    struct carom_import_source from = {.name = name, .text = text, .line = 1, .error = error};
    struct header header = {0};
    enum carom_status status = CAROM_OK;
    for (const char *line = text; *line != '\0' && status == CAROM_OK; from.line++) {
        const size_t length = line_length(line), blank = strspn(line, " \t\r");
        if (blank < length && line[blank] != '#')
            status = header.cells == 0 ? read_header(import, &header, &from, line, length, si)
                                       : read_row(import, &header, &from, line, length);
        if (status != CAROM_OK)
            break;
        line += length + (line[length] == '\n' ? 1 : 0);
    }
    if (status == CAROM_OK && header.cells == 0)
        return carom_import_wrong(&from, "the first line names the columns, such as x,y,radius");
    return status;
}
