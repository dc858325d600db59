/* Bodies from a data file of LAMMPS with atoms of style sphere: a head of lines "N atoms", "xlo xhi", ..., then
 * sections under a title, of which Atoms (number, type, diameter, density, x, y, z and perhaps images) and Velocities
 * (number, three of the centre, three of spin) count. Bodies come in the order of Atoms, whatever their numbers. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "scene/space/import.h"

#define PI 3.14159265358979323846
#define WIDE 12 /* numbers of a line */

struct scan {
    struct carom_import *import;
    struct carom_import_source *from;
    const char *at;   /* the line after the one that was read */
    const char *line; /* the one that was read */
    size_t length;    /* of it, without what follows # */
    size_t atoms;     /* that the head promises */
    uint32_t *of;     /* the row of each number: of[number - 1] + 1; 0: none */
};

/* The next line that says something; *remark points behind its #, or is NULL. False: there is none. */
static bool next_line(struct scan *s, const char **remark)
{
    while (*s->at != '\0') {
        const size_t whole = strcspn(s->at, "\n");
        const char *hash = memchr(s->at, '#', whole);
        s->line = s->at + strspn(s->at, " \t\r");
        const char *end = hash != NULL ? hash : s->at + whole;
        while (end > s->line && strchr(" \t\r", end[-1]) != NULL)
            end--;
        s->length = end > s->line ? (size_t)(end - s->line) : 0;
        s->at += whole + (s->at[whole] == '\n' ? 1 : 0);
        s->from->line++;
        if (remark != NULL)
            *remark = hash != NULL ? hash + 1 + strspn(hash + 1, " \t") : NULL;
        if (s->length > 0)
            return true;
    }
    return false;
}

static bool ends_in(const struct scan *s, const char *word)
{
    const size_t n = strlen(word);
    return s->length >= n && memcmp(s->line + s->length - n, word, n) == 0;
}

static bool is_title(const struct scan *s, const char *word)
{
    return s->length == strlen(word) && memcmp(s->line, word, s->length) == 0;
}

/* how many numbers the line begins with, at most WIDE; *rest: what comes behind them */
static size_t read_numbers(const struct scan *s, double number[WIDE], const char **rest)
{
    const char *at = s->line, *end = s->line + s->length;
    size_t n = 0;
    while (at < end && n < WIDE && carom_import_number(at, rest, &number[n])) {
        n++;
        at = *rest + strspn(*rest, " \t\r");
    }
    *rest = at;
    return n;
}

/* --- sections ---------------------------------------------------------------------------------------------------- */

/* a number from 1 on, as one of `most` */
static bool is_number(double x, size_t most)
{
    return x >= 1.0 && x <= (double)most && floor(x) == x;
}

static enum carom_status take_atom(struct scan *s, const double number[WIDE])
{
    static const enum carom_import_column place[] = {CAROM_IMPORT_X, CAROM_IMPORT_Y, CAROM_IMPORT_Z};
    struct carom_import *import = s->import;
    const size_t i = import->n;
    char type[8] = "";
    if (!is_number(number[0], 0xffffffffu - 1u) || !is_number(number[1], CAROM_IMPORT_KINDS))
        return carom_import_wrong(s->from, "an atom begins with its number and its type, whole numbers from 1 on");
    if (number[0] <= (double)s->atoms && s->of[(size_t)number[0] - 1] > 0)
        return carom_import_wrong(s->from, "atom %.15g appears twice", number[0]);
    if (number[0] <= (double)s->atoms)
        s->of[(size_t)number[0] - 1] = (uint32_t)i + 1;
    for (size_t k = 0, n = (size_t)number[1], first = n >= 100 ? 100 : n >= 10 ? 10 : 1; first > 0; first /= 10)
        type[k++] = (char)('0' + n / first % 10);
    const size_t kind = carom_import_kind(import, type, strlen(type));
    if (kind == SIZE_MAX)
        return carom_import_memory(s->from);
    const double radius = 0.5 * number[2], density = number[3];
    for (size_t k = 0; k < 3; k++)
        import->column[place[k]][i] = number[4 + k];
    import->column[CAROM_IMPORT_KIND][i] = (double)kind;
    import->column[CAROM_IMPORT_RADIUS][i] = radius;
    import->column[CAROM_IMPORT_MASS][i] = density * 4.0 / 3.0 * PI * radius * radius * radius;
    return carom_import_check(import, import->n++, s->from);
}

static enum carom_status read_atoms(struct scan *s, const char *style)
{
    static const enum carom_import_column columns[] = {CAROM_IMPORT_X,      CAROM_IMPORT_Y,    CAROM_IMPORT_Z,
                                                       CAROM_IMPORT_RADIUS, CAROM_IMPORT_MASS, CAROM_IMPORT_KIND};
    double number[WIDE];
    const char *rest;
    if (style != NULL && strncmp(style, "sphere", 6) != 0)
        return carom_import_wrong(s->from, "atoms must be of style sphere: Atoms # sphere");
    if (s->import->n > 0)
        return carom_import_wrong(s->from, "there are two sections Atoms");
    s->of = carom_memory_zeroed(s->atoms, sizeof *s->of);
    bool good = s->of != NULL;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        good = good && carom_import_reserve(s->import, columns[c], s->atoms);
    if (!good)
        return carom_import_memory(s->from);
    while (s->import->n < s->atoms) {
        if (!next_line(s, NULL))
            return carom_import_wrong(s->from, "the file ends after %zu of %zu atoms", s->import->n, s->atoms);
        const size_t n = read_numbers(s, number, &rest);
        if (rest < s->line + s->length || (n != 7 && n != 10))
            return carom_import_wrong(s->from,
                                      "an atom of style sphere is: number type diameter density x y z, 7 numbers or 10 "
                                      "with its images");
        if (take_atom(s, number) != CAROM_OK)
            return s->from->error->status;
    }
    return CAROM_OK;
}

static enum carom_status read_velocities(struct scan *s)
{
    double number[WIDE];
    const char *rest;
    if (s->import->n == 0)
        return carom_import_wrong(s->from, "Velocities come after Atoms");
    for (int c = CAROM_IMPORT_VX; c <= CAROM_IMPORT_SPIN_Z; c++)
        if (!carom_import_reserve(s->import, (enum carom_import_column)c, s->atoms))
            return carom_import_memory(s->from);
    for (size_t i = 0; i < s->atoms; i++) {
        if (!next_line(s, NULL))
            return carom_import_wrong(s->from, "the file ends after the velocities of %zu of %zu atoms", i, s->atoms);
        if (read_numbers(s, number, &rest) != 7 || rest < s->line + s->length)
            return carom_import_wrong(s->from, "a velocity of style sphere is: number vx vy vz wx wy wz");
        if (!is_number(number[0], s->atoms) || s->of[(size_t)number[0] - 1] == 0)
            return carom_import_wrong(s->from, "there is no atom %.15g", number[0]);
        for (int c = 0; c < 6; c++)
            s->import->column[CAROM_IMPORT_VX + c][s->of[(size_t)number[0] - 1] - 1] = number[1 + c];
    }
    return CAROM_OK;
}

/* --- head -------------------------------------------------------------------------------------------------------- */

static enum carom_status read_head(struct scan *s)
{
    static const char *const sides[] = {"xlo xhi", "ylo yhi", "zlo zhi"};
    double number[WIDE];
    const char *rest;
    const size_t n = read_numbers(s, number, &rest);
    if (n == 1 && ends_in(s, " atoms")) {
        if (!is_number(number[0], s->from->length)) /* each takes a byte at least */
            return carom_import_wrong(s->from, "the file has no %.15g atoms", number[0]);
        s->atoms = (size_t)number[0];
    }
    for (size_t k = 0; k < 3 && n == 2; k++)
        if (ends_in(s, sides[k])) {
            s->import->low[k] = number[0];
            s->import->high[k] = number[1];
            s->import->boxed = true;
        }
    if (n == 3 && ends_in(s, "xy xz yz") && (number[0] != 0.0 || number[1] != 0.0 || number[2] != 0.0))
        return carom_import_wrong(s->from, "a box that leans (xy xz yz) is not in this version");
    return CAROM_OK;
}

enum carom_status carom_import_lammps(struct carom_import *import, struct carom_import_source *from)
{
    struct scan s = {.import = import, .from = from, .at = from->text};
    enum carom_status status = CAROM_OK;
    const char *remark;
    s.at += strcspn(s.at, "\n"); /* the first line is a comment */
    s.at += *s.at == '\n';
    while (status == CAROM_OK && next_line(&s, &remark)) {
        if (is_title(&s, "Atoms"))
            status = s.atoms > 0 ? read_atoms(&s, remark) : carom_import_wrong(from, "Atoms come after \"N atoms\"");
        else if (is_title(&s, "Velocities"))
            status = read_velocities(&s);
        else if (import->n == 0)
            status = read_head(&s);
    }
    carom_memory_free(s.of);
    if (status == CAROM_OK && import->n == 0)
        status = carom_import_wrong(from, "there is no section Atoms");
    return status;
}
