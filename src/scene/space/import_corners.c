/* STL and OBJ, see import_corners.h. Only points are taken: the body is the convex one that has them as corners. */
#include "scene/space/import_corners.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "scene/text/tree.h"

#define FILE_BYTES (64L << 20)

struct corners {
    FILE *file;
    const char *name;
    double (*point)[3];
    size_t most, n, line;
    struct carom_error *error;
};

static enum carom_status add(struct corners *c, const double x[3])
{
    for (size_t k = 0; k < 3; k++)
        if (!(fabs(x[k]) < 1e100))
            return carom_error_set(c->error, CAROM_E_INPUT, "%s:%zu: a corner is not a usable number", c->name,
                                   c->line);
    for (size_t i = 0; i < c->n; i++)
        if (c->point[i][0] == x[0] && c->point[i][1] == x[1] && c->point[i][2] == x[2])
            return CAROM_OK;
    if (c->n == c->most)
        return carom_error_set(c->error, CAROM_E_REFUSED,
                               "%s:%zu: more than %zu different corners, the most that are possible", c->name, c->line,
                               c->most);
    memcpy(c->point[c->n++], x, 3 * sizeof *x);
    return CAROM_OK;
}

/* "vertex x y z" of STL, "v x y z" of OBJ; other lines are passed over */
static enum carom_status read_text(struct corners *c, const char *word)
{
    char line[512];
    const size_t length = strlen(word);
    enum carom_status status = CAROM_OK;
    bool ended = strcmp(word, "v") == 0; /* OBJ has no end */
    while (status == CAROM_OK && fgets(line, sizeof line, c->file)) {
        const char *at = line + strspn(line, " \t");
        ended |= strncmp(at, "endsolid", 8) == 0;
        char *end;
        double x[3];
        c->line++;
        if (strncmp(at, word, length) != 0 || (at[length] != ' ' && at[length] != '\t'))
            continue;
        at += length;
        for (size_t k = 0; k < 3; k++, at = end) {
            x[k] = strtod(at, &end);
            if (end == at)
                return carom_error_set(c->error, CAROM_E_INPUT, "%s:%zu: a corner has three numbers", c->name, c->line);
        }
        status = add(c, x);
    }
    if (status == CAROM_OK && !ended && c->n > 0)
        return carom_error_set(c->error, CAROM_E_INPUT, "%s:%zu: ends before its endsolid", c->name, c->line);
    return status;
}

/* 80 bytes of head, a number of triangles, and of each a normal, three corners and two bytes more, little end first */
static enum carom_status read_binary(struct corners *c, uint32_t triangles)
{
    for (uint32_t i = 0; i < triangles; i++) {
        unsigned char record[50];
        c->line = i + 1;
        if (fread(record, sizeof record, 1, c->file) != 1)
            return carom_error_set(c->error, CAROM_E_INPUT, "%s: ends in triangle %u of %u", c->name, (unsigned)i + 1,
                                   (unsigned)triangles);
        for (size_t corner = 0; corner < 3; corner++) {
            double x[3];
            for (size_t k = 0; k < 3; k++) {
                const unsigned char *at = record + 12 + 12 * corner + 4 * k;
                const uint32_t bits =
                    (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
                float single;
                memcpy(&single, &bits, sizeof single);
                x[k] = (double)single;
            }
            if (add(c, x) != CAROM_OK)
                return c->error->status;
        }
    }
    return CAROM_OK;
}

/* binary files are as long as their number of triangles says; some of them begin with "solid" too */
static bool is_binary(FILE *file, uint32_t *triangles)
{
    unsigned char head[84];
    const bool whole = fread(head, sizeof head, 1, file) == 1;
    if (!whole || fseek(file, 0, SEEK_END) != 0)
        return rewind(file), false;
    const long size = ftell(file);
    *triangles = (uint32_t)head[80] | (uint32_t)head[81] << 8 | (uint32_t)head[82] << 16 | (uint32_t)head[83] << 24;
    /* what does not say that it is text is binary, cut short or not */
    const bool fits = size == 84 + 50 * (long)*triangles || memcmp(head, "solid", 5) != 0;
    if (fseek(file, fits ? 84 : 0, SEEK_SET) != 0)
        return false;
    return fits;
}

enum carom_status carom_import_corners(const char *path, const char *name, double (*point)[3], size_t most, size_t *n,
                                       struct carom_error *error)
{
    const struct carom_short shown = carom_tree_short(name);
    const char *why, *dot = strrchr(name, '.');
    const bool obj = dot != NULL && (strcmp(dot, ".obj") == 0 || strcmp(dot, ".OBJ") == 0);
    struct corners c = {.name = shown.text, .point = point, .most = most, .error = error};
    uint32_t triangles = 0;
    c.file = carom_file_open(path, FILE_BYTES, &why);
    if (c.file == NULL)
        return carom_error_set(error, CAROM_E_FILE, "%s cannot be read: %s", c.name, why);
    const enum carom_status status = obj                             ? read_text(&c, "v")
                                     : is_binary(c.file, &triangles) ? read_binary(&c, triangles)
                                                                     : read_text(&c, "vertex");
    fclose(c.file);
    *n = c.n;
    if (status == CAROM_OK && c.n < 4)
        return carom_error_set(error, CAROM_E_INPUT, "%s has %zu corners: it is not a valid %s file of a body", c.name,
                               c.n, obj ? "OBJ" : "STL");
    return status;
}
