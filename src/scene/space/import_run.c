/* Bodies where a run has brought them: the discs and spheres that move in it, at one of its samples. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/bodies.h"
#include "record/run_bodies.h"
#include "scene/keep.h"
#include "scene/space/import.h"

struct source {
    const struct carom_run_file *run;
    struct carom_run_bodies bodies;
    size_t dimension;
    uint64_t row;
    double *value; /* of one item */
};

static const struct carom_run_item *find_item(const struct source *s, const char *path, size_t depth)
{
    const struct carom_run_item *item = carom_run_file_item(s->run, path);
    return item != NULL && (depth == 0 || item->depth == depth) && item->width == item->depth * s->bodies.n ? item
                                                                                                            : NULL;
}

enum carom_status carom_import_run_row(const struct carom_run_file *run, double at, const char *name, uint64_t *row,
                                       struct carom_error *error)
{
    const uint64_t rows = run->rows;
    if (rows == 0)
        return carom_error_set(error, CAROM_E_INPUT, "%s has no samples yet", name);
    double *time = carom_memory_zeroed((size_t)rows, sizeof *time);
    if (time == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu samples", (size_t)rows);
    enum carom_status status = carom_run_file_times(run, 0, rows, time, error);
    *row = rows > 0 ? rows - 1 : 0;
    for (uint64_t i = 0; status == CAROM_OK && at < HUGE_VAL && i < rows; i++)
        if (fabs(time[i] - at) < fabs(time[*row] - at))
            *row = i;
    const double span = status == CAROM_OK ? fabs(time[rows - 1]) : 0.0, found = time[*row];
    carom_memory_free(time);
    if (status == CAROM_OK && at < HUGE_VAL && !(fabs(found - at) <= 1e-9 * span))
        return carom_error_set(error, CAROM_E_INPUT, "%s has no sample at %g, the nearest is at %.9g", name, at, found);
    struct carom_run_checkpoint last; /* runs may end after their last sample */
    if (status == CAROM_OK && !(at < HUGE_VAL) && carom_run_file_last(run, &last, NULL) == CAROM_OK &&
        last.time - found > 1e-9 * fabs(last.time))
        return carom_error_set(
            error, CAROM_E_INPUT,
            "%s ended at %.9g, its last sample is at %.9g: write at: %.9g, or let that run record its end", name,
            last.time, found, found);
    return status;
}

/* an item's numbers into columns, of bodies that are taken */
static enum carom_status take(struct carom_import *import, struct source *s, const struct carom_run_item *item,
                              enum carom_import_column first, struct carom_error *error)
{
    if (carom_run_file_read(s->run, item, s->row, 1, s->value, error) != CAROM_OK)
        return error->status;
    for (size_t k = 0; k < item->depth; k++) {
        if (!carom_import_reserve(import, (enum carom_import_column)(first + k), import->n))
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu bodies", import->n);
        for (size_t i = 0, at = 0; i < s->bodies.n; i++)
            if (s->bodies.shape[i] == CAROM_BALL && s->bodies.inside[i] == 0 && s->bodies.mass[i] > 0.0)
                import->column[first + k][at++] = s->value[i * item->depth + k];
    }
    return CAROM_OK;
}

/* radius, mass and class, which never change */
static enum carom_status take_constants(struct carom_import *import, const struct source *s, struct carom_error *error)
{
    const struct carom_run_bodies *b = &s->bodies;
    if (!carom_import_reserve(import, CAROM_IMPORT_RADIUS, import->n) ||
        !carom_import_reserve(import, CAROM_IMPORT_MASS, import->n) ||
        !carom_import_reserve(import, CAROM_IMPORT_KIND, import->n))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu bodies", import->n);
    for (size_t i = 0, at = 0; i < b->n; i++) {
        char class[16];
        if (b->shape[i] != CAROM_BALL || b->inside[i] != 0 || !(b->mass[i] > 0.0))
            continue;
        snprintf(class, sizeof class, "%d", (int)b->material[i] + 1);
        const size_t kind = carom_import_kind(import, class, strlen(class));
        if (kind == SIZE_MAX && import->kind == NULL)
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu bodies", import->n);
        if (kind == SIZE_MAX)
            return carom_error_set(error, CAROM_E_INPUT, "body %zu has a material that is not known", i + 1);
        import->column[CAROM_IMPORT_RADIUS][at] = b->radius[i];
        import->column[CAROM_IMPORT_MASS][at] = b->mass[i];
        import->column[CAROM_IMPORT_KIND][at++] = (double)kind;
    }
    return CAROM_OK;
}

/* displacements count from where bodies stood */
static void add_centres(struct carom_import *import, const struct source *s)
{
    const struct carom_run_bodies *b = &s->bodies;
    for (size_t i = 0, at = 0; i < b->n; i++) {
        if (b->shape[i] != CAROM_BALL || b->inside[i] != 0 || !(b->mass[i] > 0.0))
            continue;
        for (size_t k = 0; k < s->dimension; k++)
            import->column[CAROM_IMPORT_X + k][at] += b->centre[3 * i + k];
        at++;
    }
}

static enum carom_status take_all(struct carom_import *import, struct source *s, const char *name,
                                  struct carom_error *error)
{
    const struct carom_run_item *place = find_item(s, "particles/bodies/position", 0);
    const bool moved = place == NULL;
    if (moved)
        place = find_item(s, "particles/bodies/displacement", 0);
    if (place == NULL || (place->depth != 2 && place->depth != 3))
        return carom_error_set(error, CAROM_E_INPUT, "%s has neither position nor u of its bodies", name);
    s->dimension = import->dimension = place->depth;
    for (size_t i = 0; i < s->bodies.n; i++)
        import->n += s->bodies.shape[i] == CAROM_BALL && s->bodies.inside[i] == 0 && s->bodies.mass[i] > 0.0;
    if (import->n == 0)
        return carom_error_set(error, CAROM_E_INPUT, "%s has no discs and spheres that move", name);
    const struct carom_run_item *velocity = find_item(s, "particles/bodies/velocity", s->dimension);
    const struct carom_run_item *spin = find_item(s, "particles/bodies/spin", s->dimension == 2 ? 1 : 3);
    s->value = carom_memory_zeroed(s->bodies.n, 4 * sizeof *s->value);
    if (s->value == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu bodies", s->bodies.n);
    enum carom_status status = take(import, s, place, CAROM_IMPORT_X, error);
    if (status == CAROM_OK && moved)
        add_centres(import, s);
    if (status == CAROM_OK && velocity != NULL)
        status = take(import, s, velocity, CAROM_IMPORT_VX, error);
    if (status == CAROM_OK && spin != NULL)
        status = take(import, s, spin, s->dimension == 2 ? CAROM_IMPORT_SPIN_Z : CAROM_IMPORT_SPIN_X, error);
    return status == CAROM_OK ? take_constants(import, s, error) : status;
}

/* Files may come from strangers. */
static enum carom_status check_rows(const struct carom_import *import, const char *name, struct carom_error *error)
{
    const struct carom_import_source from = {.name = name, .line = 1, .error = error};
    for (size_t i = 0; i < import->n; i++)
        if (carom_import_check(import, i, &from) != CAROM_OK)
            return error->status;
    return CAROM_OK;
}

enum carom_status carom_import_run_open(const char *path, const char *name, bool si, struct carom_run_file **run,
                                        struct carom_error *error)
{
    if (carom_keep_open(path, name, run, error) != CAROM_OK)
        return error->status;
    if (!(*run)->listed)
        return carom_error_set(error, CAROM_E_INPUT, "%s is not a run of discs and spheres", name);
    if (si != (strcmp((*run)->units, "si") == 0))
        return carom_error_set(error, CAROM_E_INPUT, "%s has units: %s, this scene has not", name, (*run)->units);
    return CAROM_OK;
}

enum carom_status carom_import_run(struct carom_import *import, const char *path, const char *name, bool si, double at,
                                   struct carom_error *error)
{
    struct source s = {.run = NULL};
    struct carom_run_file *run;
    *import = (struct carom_import){0};
    enum carom_status status = carom_import_run_open(path, name, si, &run, error);
    s.run = run;
    if (status == CAROM_OK)
        status = carom_run_bodies_read(run->file, &s.bodies, error);
    if (status == CAROM_OK)
        status = carom_import_run_row(run, at, name, &s.row, error);
    if (status == CAROM_OK)
        status = take_all(import, &s, name, error);
    if (status == CAROM_OK)
        status = check_rows(import, name, error);
    carom_memory_free(s.value);
    carom_run_bodies_free(&s.bodies);
    carom_run_file_close(run);
    return status;
}
