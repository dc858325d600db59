/* CSV: headings and numbers. Numbers have 17 digits, which give back the same bits, and a point whatever the
 * locale of the program says. */
#include "record/export/csv.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/contact_number.h"

#ifdef __wasm__ /* a page has no standard output to share */
#define dup(number) (-1)
#endif

void carom_csv_number(FILE *out, double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", isnan(x) ? fabs(x) : x); /* machines differ in the sign of what is no number */
    char *comma = strchr(text, ',');
    if (comma != NULL)
        *comma = '.';
    fputs(text, out);
}

void carom_csv_numbers(FILE *out, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        putc(',', out);
        carom_csv_number(out, x[i]);
    }
}

/* of a cell or sensor: vectors, quaternions, stresses */
static const char *axis(size_t depth, size_t k)
{
    static const char *const vector[] = {"x", "y", "z"}, *const turn[] = {"a", "b", "c", "d"};
    static const char *const matrix[] = {"xx", "yy", "zz", "yz", "xz", "xy"};
    return depth <= 3 ? vector[k] : depth == 4 ? turn[k] : depth == 6 ? matrix[k] : "";
}

size_t carom_csv_axis(size_t depth, const char *name)
{
    for (size_t k = 0; k < depth; k++)
        if (strcmp(name, axis(depth, k)) == 0)
            return k;
    return SIZE_MAX;
}

bool carom_csv_part(const char *path, size_t depth, char part[CAROM_CSV_PART])
{
    static const char *const common[] = {"cells",   "bodies", "beads",  "mechanism",
                                         "sensors", "clamps", "joints", "links"};
    const char *from = path + strlen("particles/");
    *part = '\0';
    if (strncmp(path, "particles/", strlen("particles/")) != 0 || depth == 0)
        return false;
    snprintf(part, CAROM_CSV_PART, "%.*s", (int)strcspn(from, "/"), from);
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (strcmp(part, common[i]) == 0)
            *part = '\0';
    if (strcmp(part, "balls") == 0)
        snprintf(part, CAROM_CSV_PART, "ball");
    return *part != '\0';
}

void carom_csv_heading(FILE *out, const char *name, enum carom_extent extent, size_t before, size_t size, size_t depth,
                       const int32_t (*pair)[2])
{
    if (extent == CAROM_PER_RUN || extent == CAROM_PER_SENSOR || (extent == CAROM_PER_REGION && size == 1)) {
        fprintf(out, ",%s", name);
        return;
    }
    const bool contacts = extent == CAROM_PER_CONTACT;
    for (size_t i = 0; i < size; i++) {
        if (extent == CAROM_PER_REGION)
            fprintf(out, ",%s_%s", name, axis(size, i));
        else if (depth > 1)
            fprintf(out, ",%s_%zu_%s", name, (before + i) / depth + 1, axis(depth, i % depth));
        else if (contacts)
            fprintf(out, ",%s_%zu", name, carom_contact_number(pair, pair != NULL, i));
        else
            fprintf(out, ",%s_%zu", name, before + i + 1);
    }
}

void carom_csv_touch_heading(FILE *out, size_t dimension)
{
    static const char *const vector[] = {"point", "normal", "force"};
    fputs("time,step,first,second", out);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < dimension; k++)
            fprintf(out, ",%s_%s", vector[i], axis(dimension, k));
    fputs(",gap,dissipated\n", out);
}

void carom_csv_touch(FILE *out, double time, uint64_t step, const struct carom_touch *touch, size_t dimension)
{
    carom_csv_number(out, time);
    fprintf(out, ",%llu,%llu,%llu", (unsigned long long)step, (unsigned long long)touch->pair[0],
            (unsigned long long)touch->pair[1]);
    carom_csv_numbers(out, touch->point, dimension);
    carom_csv_numbers(out, touch->normal, dimension);
    carom_csv_numbers(out, touch->force, dimension);
    carom_csv_numbers(out, &touch->gap, 1);
    carom_csv_numbers(out, &touch->dissipated, 1);
    putc('\n', out);
}

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *carom_csv_name(const char *path)
{
    return is_standard(path) ? "the standard output" : path;
}

FILE *carom_csv_open(const char *path)
{
    if (!is_standard(path))
        return fopen(path, "w");
    const int copy = dup(STDOUT_FILENO);
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (!out && copy >= 0)
        close(copy);
    return out;
}

enum carom_status carom_csv_may_replace_table(const char *path, const char *heading, struct carom_error *error)
{
    char found[128] = "";
    const size_t length = strlen(heading) < sizeof found ? strlen(heading) : sizeof found - 1;
    struct stat about;
    if (is_standard(path) || stat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0)
        return CAROM_OK;
    FILE *old = fopen(path, "r");
    if (old != NULL) {
        found[fread(found, 1, length, old)] = '\0';
        fclose(old);
    }
    if (strncmp(found, heading, length) == 0)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_FILE, "%s: exists and is not such a table, so it is not overwritten", path);
}

FILE *carom_csv_create(const char *path, const char *heading, struct carom_error *error)
{
    if (heading && carom_csv_may_replace_table(path, heading, error) != CAROM_OK)
        return NULL;
    FILE *out = carom_csv_open(path);
    if (!out)
        carom_error_set(error, CAROM_E_FILE, "%s: could not be created: %s", carom_csv_name(path), strerror(errno));
    return out;
}

enum carom_status carom_csv_may_replace(const char *path, struct carom_error *error)
{
    if (carom_csv_may_replace_table(path, "time,step", error) == CAROM_OK)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_FILE, "%s: exists and is not a table of samples, so it is not overwritten",
                           path);
}

enum carom_status carom_csv_close(FILE *out, const char *path, enum carom_status status, struct carom_error *error)
{
    struct stat about;
    errno = 0;
    const bool bad = ferror(out) != 0, left = fclose(out) != 0;
    if (status == CAROM_OK && (bad || left))
        status = carom_error_set(error, CAROM_E_FILE, "%s: could not be written%s%s", carom_csv_name(path),
                                 errno ? ": " : "", errno ? strerror(errno) : "");
    if (status != CAROM_OK && !is_standard(path) && lstat(path, &about) == 0 &&
        S_ISREG(about.st_mode)) /* never a device */
        unlink(path);
    return status;
}
