/* Sweep files. Everything is created first, with every entry missing; then entries are filled in place, outputs before
 * the status that says they are there. So a killed sweep leaves a readable file and knows what it has. */
#include "study/sweep/sweep_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "carom/carom.h"
#include "record/hdf5/hdf5_grid.h"
#include "record/hdf5/hdf5_tree.h"

struct carom_sweep_file {
    const struct carom_sweep *sweep;
    struct carom_hdf5_file *file;
    uint64_t size[CAROM_SWEEP_AXES];
    double *column; /* one output of many points, grows */
    uint64_t room;
};

/* --- what it was made from -------------------------------------------------------------------------------------- */

static const char *const text_path[] = {"parameters/name",          "parameters/scene",   "parameters/set",
                                        "parameters/over",          "parameters/outputs", "parameters/ratios",
                                        "parameters/reference_tol", "parameters/version"};

enum { TEXTS = sizeof text_path / sizeof *text_path };

static char **text_slot(struct carom_sweep_origin *origin, size_t i)
{
    char **const slots[TEXTS] = {&origin->name,    &origin->scene,  &origin->set,           &origin->over,
                                 &origin->outputs, &origin->ratios, &origin->reference_tol, &origin->version};
    return slots[i];
}

void carom_sweep_file_forget(struct carom_sweep_origin *origin)
{
    for (size_t i = 0; i < TEXTS; i++)
        carom_memory_free(*text_slot(origin, i));
    *origin = (struct carom_sweep_origin){0};
}

static enum carom_status read_origin(struct carom_hdf5_file *file, const char *path, struct carom_sweep_origin *origin,
                                     struct carom_error *error)
{
    *origin = (struct carom_sweep_origin){0};
    for (size_t i = 0; i < TEXTS; i++) {
        *text_slot(origin, i) = carom_hdf5_tree_read_text(file, text_path[i], error);
        if (*text_slot(origin, i) == NULL) {
            carom_sweep_file_forget(origin);
            return carom_error_set(error, CAROM_E_INPUT, "%s: is not the file of a sweep", path);
        }
    }
    return CAROM_OK;
}

enum carom_status carom_sweep_file_origin(const char *path, struct carom_sweep_origin *origin,
                                          struct carom_error *error)
{
    struct carom_hdf5_file *file = carom_hdf5_file_open(path, NULL, error);
    if (file == NULL)
        return error->status;
    const enum carom_status status = read_origin(file, path, origin, error);
    carom_hdf5_file_close(file, NULL);
    return status;
}

/* The origin of a sweep that is planned; false: out of memory. */
static bool make_origin(const struct carom_sweep *sweep, struct carom_sweep_origin *origin)
{
    char outputs[CAROM_OUTPUTS_MOST * sizeof sweep->outputs.output[0].name], tol[32];
    size_t length = 1;
    for (size_t i = 0; i < sweep->naxes; i++)
        length += strlen(sweep->axis[i].spec) + 1;
    carom_outputs_print(&sweep->outputs, outputs, sizeof outputs);
    carom_range_print(sweep->reference_tol, tol);
    origin->name = carom_memory_text(sweep->name);
    origin->scene = carom_memory_text(sweep->scene->text);
    origin->set = carom_memory_text(sweep->scene->set);
    origin->outputs = carom_memory_text(outputs);
    origin->ratios = carom_memory_text(sweep->ratios ? "yes" : "no");
    origin->reference_tol = carom_memory_text(tol);
    origin->version = carom_memory_text(CAROM_VERSION);
    origin->over = carom_memory_zeroed(length, 1);
    for (size_t i = 0; origin->over != NULL && i < sweep->naxes; i++) {
        strcat(origin->over, i > 0 ? "\n" : "");
        strcat(origin->over, sweep->axis[i].spec);
    }
    bool all = true;
    for (size_t i = 0; i < TEXTS; i++)
        all &= *text_slot(origin, i) != NULL;
    return all;
}

/* --- arrays ----------------------------------------------------------------------------------------------------- */

static struct carom_hdf5_grid output_grid(const struct carom_sweep_file *to, size_t k, char path[64])
{
    const struct carom_output *output = &to->sweep->outputs.output[k];
    snprintf(path, 64, "outputs/%s", output->name);
    return (struct carom_hdf5_grid){path, output->unit, CAROM_HDF5_REAL, to->sweep->naxes, to->size};
}

static struct carom_hdf5_grid status_grid(const struct carom_sweep_file *to)
{
    return (struct carom_hdf5_grid){"status", "1", CAROM_HDF5_NUMBER, to->sweep->naxes, to->size};
}

/* Words stand in one text, a line each. */
static enum carom_status define_words(struct carom_sweep_file *to, const char *path, const struct carom_range *range,
                                      struct carom_error *error)
{
    const size_t size = range->count * (sizeof range->text[0] + 1);
    char *lines = carom_memory_zeroed(size, 1);
    if (lines == NULL)
        return carom_memory_error(error);
    for (size_t i = 0, length = 0; i < range->count; i++, length += strlen(lines + length))
        snprintf(lines + length, size - length, "%s%s", i > 0 ? "\n" : "", range->text[i]);
    carom_hdf5_tree_text(to->file, path, lines);
    carom_memory_free(lines);
    return CAROM_OK;
}

static enum carom_status define_axis(struct carom_sweep_file *to, size_t i, struct carom_error *error)
{
    const struct carom_range *range = &to->sweep->axis[i].range;
    const int32_t number = (int32_t)i;
    enum carom_status status = CAROM_OK;
    char path[160];
    snprintf(path, sizeof path, "grid/%s", to->sweep->axis[i].key);
    if (range->numeric) {
        const struct carom_hdf5_grid values = {path, carom_sweep_unit(to->sweep, i), CAROM_HDF5_REAL, 1, &to->size[i]};
        carom_hdf5_grid_put(to->file, &values, range->value, &status, error);
    } else {
        status = define_words(to, path, range, error);
    }
    carom_hdf5_tree_note_numbers(to->file, path, "axis", &number, 1);
    return status;
}

static enum carom_status build(struct carom_sweep_file *to, struct carom_sweep_origin *origin,
                               struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < TEXTS; i++)
        carom_hdf5_tree_text(to->file, text_path[i], *text_slot(origin, i));
    for (size_t i = 0; i < to->sweep->naxes && status == CAROM_OK; i++)
        status = define_axis(to, i, error);
    for (size_t k = 0; k < to->sweep->outputs.count; k++) {
        char path[64];
        const struct carom_hdf5_grid grid = output_grid(to, k, path);
        carom_hdf5_grid_define(to->file, &grid);
    }
    const struct carom_hdf5_grid grid = status_grid(to);
    carom_hdf5_grid_define(to->file, &grid);
    return status == CAROM_OK ? carom_hdf5_file_publish(to->file, error) : status;
}

/* --- opening ---------------------------------------------------------------------------------------------------- */

static enum carom_status check_same(const char *path, struct carom_sweep_origin *wanted, const char *advice,
                                    struct carom_error *error)
{
    struct carom_sweep_origin found;
    if (carom_sweep_file_origin(path, &found, error) != CAROM_OK)
        return error->status;
    enum carom_status status = CAROM_OK;
    for (size_t i = 1; i < TEXTS && status == CAROM_OK; i++) /* the scene's file may have moved */
        if (strcmp(*text_slot(&found, i), *text_slot(wanted, i)) != 0)
            status =
                carom_error_set(error, CAROM_E_REFUSED, "%s: is the file of another sweep ('%s' is different there)%s",
                                path, strrchr(text_path[i], '/') + 1, advice);
    carom_sweep_file_forget(&found);
    return status;
}

/* Which points are there. */
static enum carom_status read_status(struct carom_sweep_file *to, const char *path, int32_t *status,
                                     struct carom_error *error)
{
    const struct carom_hdf5_grid grid = status_grid(to);
    if (carom_hdf5_grid_read(to->file, &grid, status, error) != CAROM_OK)
        return error->status;
    for (uint64_t i = 0; i < to->sweep->points; i++)
        if (status[i] < -1 || status[i] > CAROM_E_STOPPED) /* it becomes the exit code */
            return carom_error_set(error, CAROM_E_FILE,
                                   "%s: is damaged: run %llu has the status %ld, there is none such", path,
                                   (unsigned long long)i + 1, (long)status[i]);
    return CAROM_OK;
}

typedef enum carom_status opener(struct carom_sweep_file *to, const char *path, struct carom_sweep_origin *origin,
                                 int32_t *status, struct carom_error *error);

static enum carom_status create(struct carom_sweep_file *to, const char *path, struct carom_sweep_origin *origin,
                                int32_t *status, struct carom_error *error)
{
    for (uint64_t i = 0; i < to->sweep->points; i++)
        status[i] = -1;
    to->file = carom_hdf5_file_create(path, error);
    return to->file != NULL ? build(to, origin, error) : error->status;
}

/* Looked at before it is opened for writing: a file of another kind is left as it is. */
static enum carom_status go_on(struct carom_sweep_file *to, const char *path, struct carom_sweep_origin *origin,
                               int32_t *status, struct carom_error *error)
{
    const enum carom_status same = check_same(path, origin, "; choose another -o or remove it", error);
    if (same == CAROM_E_INPUT)
        return carom_error_set(error, CAROM_E_REFUSED, "%s: exists and is not the file of a sweep; choose another -o",
                               path);
    if (same != CAROM_OK)
        return same;
    to->file = carom_hdf5_file_reopen(path, error);
    return to->file != NULL ? read_status(to, path, status, error) : error->status;
}

static enum carom_status create_or_go_on(struct carom_sweep_file *to, const char *path,
                                         struct carom_sweep_origin *origin, int32_t *status, struct carom_error *error)
{
    const bool there = access(path, F_OK) == 0 && carom_hdf5_file_looks(path);
    return there ? go_on(to, path, origin, status, error) : create(to, path, origin, status, error);
}

static enum carom_status look(struct carom_sweep_file *to, const char *path, struct carom_sweep_origin *origin,
                              int32_t *status, struct carom_error *error)
{
    if (check_same(path, origin, "", error) != CAROM_OK)
        return error->status;
    to->file = carom_hdf5_file_open(path, NULL, error);
    return to->file != NULL ? read_status(to, path, status, error) : error->status;
}

static struct carom_sweep_file *open_by(opener *how, const struct carom_sweep *sweep, const char *path, int32_t *status,
                                        struct carom_error *error)
{
    struct carom_sweep_origin origin = {0};
    struct carom_sweep_file *to = carom_memory_zeroed(1, sizeof *to);
    enum carom_status opened;
    if (to == NULL || !make_origin(sweep, &origin)) {
        opened = carom_memory_error(error);
    } else {
        to->sweep = sweep;
        for (size_t i = 0; i < sweep->naxes; i++)
            to->size[i] = sweep->axis[i].range.count;
        opened = how(to, path, &origin, status, error);
    }
    carom_sweep_file_forget(&origin);
    if (opened == CAROM_OK)
        return to;
    carom_sweep_file_close(to, NULL);
    return NULL;
}

struct carom_sweep_file *carom_sweep_file_open(const struct carom_sweep *sweep, const char *path, int32_t *status,
                                               struct carom_error *error)
{
    return open_by(create_or_go_on, sweep, path, status, error);
}

struct carom_sweep_file *carom_sweep_file_look(const struct carom_sweep *sweep, const char *path, int32_t *status,
                                               struct carom_error *error)
{
    return open_by(look, sweep, path, status, error);
}

/* --- filling ---------------------------------------------------------------------------------------------------- */

static enum carom_status make_room(struct carom_sweep_file *file, uint64_t count, struct carom_error *error)
{
    if (count <= file->room)
        return CAROM_OK;
    carom_memory_free(file->column);
    file->room = 0;
    file->column = carom_memory_zeroed((size_t)count, sizeof *file->column);
    if (file->column == NULL)
        return carom_memory_error(error);
    file->room = count;
    return CAROM_OK;
}

enum carom_status carom_sweep_file_write(struct carom_sweep_file *file, uint64_t first, uint64_t count,
                                         const double *value, const int32_t *status, struct carom_error *error)
{
    const size_t width = file->sweep->outputs.count;
    enum carom_status result = make_room(file, count, error);
    for (size_t k = 0; k < width && result == CAROM_OK; k++) {
        char path[64];
        const struct carom_hdf5_grid grid = output_grid(file, k, path);
        for (uint64_t i = 0; i < count; i++)
            file->column[i] = value[i * width + k];
        result = carom_hdf5_grid_write(file->file, &grid, first, count, file->column, error);
    }
    const struct carom_hdf5_grid grid = status_grid(file);
    return result == CAROM_OK ? carom_hdf5_grid_write(file->file, &grid, first, count, status, error) : result;
}

enum carom_status carom_sweep_file_flush(struct carom_sweep_file *file, struct carom_error *error)
{
    return carom_hdf5_file_flush(file->file, error);
}

enum carom_status carom_sweep_file_read(struct carom_sweep_file *file, size_t k, double *value,
                                        struct carom_error *error)
{
    char path[64];
    const struct carom_hdf5_grid grid = output_grid(file, k, path);
    return carom_hdf5_grid_read(file->file, &grid, value, error);
}

enum carom_status carom_sweep_file_keep(struct carom_sweep_file *file, size_t k, const double *value,
                                        struct carom_error *error)
{
    char path[64];
    const struct carom_hdf5_grid grid = output_grid(file, k, path);
    return carom_hdf5_grid_write(file->file, &grid, 0, file->sweep->points, value, error);
}

enum carom_status carom_sweep_file_mark(struct carom_sweep_file *file, const int32_t *status, struct carom_error *error)
{
    const struct carom_hdf5_grid grid = status_grid(file);
    return carom_hdf5_grid_write(file->file, &grid, 0, file->sweep->points, status, error);
}

enum carom_status carom_sweep_file_close(struct carom_sweep_file *file, struct carom_error *error)
{
    if (file == NULL)
        return CAROM_OK;
    const enum carom_status status = carom_hdf5_file_close(file->file, error);
    carom_memory_free_all(file->column, file);
    return status;
}
