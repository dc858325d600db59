/* Fields of density, velocity and stress on a grid that holds the bodies of all samples: a table with a line for each
 * sample and cell, or images for ParaView. What fields are: src/record/fields.h. */
#include "export.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/export/csv.h"
#include "record/fields.h"
#include "record/run_grains.h"
#include "study.h"

enum { TENSOR = CAROM_GRAINS_TENSOR, IMAGE_FIELDS = 5 };

static const char *const axes[] = {"x", "y", "z"}, *const parts[] = {"xx", "yy", "zz", "yz", "xz", "xy"};

struct export
{
    struct carom_run_file *run;
    struct carom_run_grains grains;
    struct carom_fields fields;
    double(*full)[9]; /* a tensor as ParaView wants it: stress, then kinetic */
};

static enum carom_status read_length(const char *option, const char *text, double *value, struct carom_error *error)
{
    struct carom_quantity read = {.value = 0.0};
    const enum carom_status status = cli_study_quantity(option, text, "m", true, &read, error);
    *value = read.value;
    return status;
}

static enum carom_status read_kernel(const char *text, enum carom_fields_kernel *kernel, struct carom_error *error)
{
    *kernel = CAROM_FIELDS_LUCY;
    for (int i = 0; text && carom_fields_kernels[i]; i++)
        if (strcmp(text, carom_fields_kernels[i]) == 0) {
            *kernel = (enum carom_fields_kernel)i;
            return CAROM_OK;
        }
    if (!text)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_USAGE, "--kernel: there is no kernel '%s'; lucy and gaussian are known",
                           text);
}

static enum carom_status open_fields(struct export *e, const struct cli_fields_wish *wish, struct carom_error *error)
{
    struct carom_fields *f = &e->fields;
    double low[3], high[3], cell;
    enum carom_status status = read_kernel(wish->kernel, &f->kernel, error);
    if (status == CAROM_OK)
        status = carom_run_grains_bounds(&e->grains, 1, low, high, error);
    if (status != CAROM_OK)
        return status;
    f->width = carom_fields_usual_width(&e->grains.grains, f->kernel);
    if (wish->width && (status = read_length("--width", wish->width, &f->width, error)) != CAROM_OK)
        return status;
    cell = carom_fields_usual_cell(&e->grains.grains, f->kernel, f->width);
    if (wish->cell && (status = read_length("--cell", wish->cell, &cell, error)) != CAROM_OK)
        return status;
    return carom_fields_open(f, &e->grains.grains, low, high, (double[]){cell, cell, cell}, error);
}

/* --- a table ----------------------------------------------------------------------------------------------------- */

/* of the plane only what lies in it */
static bool shown(size_t dimension, size_t part)
{
    return dimension == 3 || part < 2 || part == 5;
}

static void write_tensor(FILE *out, size_t dimension, const double *tensor)
{
    for (size_t k = 0; k < TENSOR; k++)
        if (shown(dimension, k))
            carom_csv_numbers(out, &tensor[k], 1);
}

static void write_heading(FILE *out, size_t dimension)
{
    static const char *const tensor[] = {"stress", "kinetic"};
    fputs("time,step", out);
    for (size_t k = 0; k < dimension; k++)
        fprintf(out, ",%s", axes[k]);
    fputs(",fraction,density", out);
    for (size_t k = 0; k < dimension; k++)
        fprintf(out, ",v_%s", axes[k]);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < TENSOR; k++)
            if (shown(dimension, k))
                fprintf(out, ",%s_%s", tensor[i], parts[k]);
    putc('\n', out);
}

static void write_cells(FILE *out, const struct export *e, uint64_t step)
{
    const struct carom_fields *f = &e->fields;
    const size_t d = e->grains.grains.dimension;
    for (size_t c = 0; c < f->n; c++) {
        double middle[3];
        carom_fields_middle(f, c, middle);
        carom_csv_number(out, e->grains.time);
        fprintf(out, ",%llu", (unsigned long long)step);
        carom_csv_numbers(out, middle, d);
        carom_csv_numbers(out, &f->fraction[c], 1);
        carom_csv_numbers(out, &f->density[c], 1);
        carom_csv_numbers(out, f->velocity[c], d);
        write_tensor(out, d, f->stress[c]);
        write_tensor(out, d, f->kinetic[c]);
        putc('\n', out);
    }
}

static enum carom_status write_table(struct export *e, const char *to, bool quiet, struct carom_error *error)
{
    if (to && carom_csv_may_replace(to, error) != CAROM_OK)
        return error->status;
    FILE *out = to ? fopen(to, "w") : stdout;
    if (!out)
        return carom_error_set(error, CAROM_E_FILE, "%s: could not be created", to);
    enum carom_status status = CAROM_OK;
    write_heading(out, e->grains.grains.dimension);
    for (uint64_t i = 0; i < e->run->rows && status == CAROM_OK; i++) {
        uint64_t step = 0;
        status = carom_run_grains_read(&e->grains, i, error);
        if (status == CAROM_OK)
            status = carom_run_file_steps(e->run, i, 1, &step, error);
        if (status != CAROM_OK)
            break;
        carom_fields_read(&e->fields, &e->grains.grains, &e->grains.moment);
        write_cells(out, e, step);
        if (ferror(out))
            status = carom_error_set(error, CAROM_E_FILE, "the table could not be written");
    }
    if (to)
        status = carom_csv_close(out, to, status, error);
    else if (status == CAROM_OK && fflush(out) != 0)
        status = carom_error_set(error, CAROM_E_FILE, "the table could not be written");
    if (status == CAROM_OK && to && !quiet)
        printf("%s: %llu time%s of %zu cell%s\n", to, (unsigned long long)e->run->rows, cli_s(e->run->rows),
               e->fields.n, cli_s(e->fields.n));
    return status;
}

/* --- images ------------------------------------------------------------------------------------------------------ */

static enum carom_status write_image(struct export *e, const char *path, struct carom_error *error)
{
    const struct carom_fields *f = &e->fields;
    const struct carom_vtu_field field[IMAGE_FIELDS] = {
        {.name = "fraction", .on_cells = true, .components = 1, .real = f->fraction},
        {.name = "density", .on_cells = true, .components = 1, .real = f->density},
        {.name = "velocity", .on_cells = true, .components = 3, .real = f->velocity[0]},
        {.name = "stress", .on_cells = true, .components = 9, .real = e->full[0]},
        {.name = "kinetic", .on_cells = true, .components = 9, .real = e->full[f->n]}};
    struct carom_vtu_image image = {.nfields = IMAGE_FIELDS, .field = field, .time = e->grains.time};
    memcpy(image.count, f->grid.count, sizeof image.count);
    memcpy(image.low, f->grid.low, sizeof image.low);
    memcpy(image.cell, f->grid.cell, sizeof image.cell);
    for (size_t c = 0; c < f->n; c++) {
        carom_vtu_tensor(f->stress[c], e->full[c]);
        carom_vtu_tensor(f->kinetic[c], e->full[f->n + c]);
    }
    return carom_vtu_write_image(path, &image, error);
}

static enum carom_status write_images(struct export *e, const char *path, const char *to, bool quiet,
                                      struct carom_error *error)
{
    char prefix[4096], file[4096 + 32];
    const size_t count = (size_t)e->run->rows;
    enum carom_status status = cli_export_prefix(path, to, prefix, sizeof prefix - sizeof "_fields", error);
    if (status != CAROM_OK)
        return status;
    strcat(prefix, "_fields");
    double *times = carom_memory_zeroed(count, sizeof *times);
    e->full = carom_memory_zeroed(2 * e->fields.n, sizeof *e->full);
    status = times && e->full ? carom_run_file_times(e->run, 0, count, times, error) : carom_memory_error(error);
    for (size_t i = 0; i < count && status == CAROM_OK; i++) {
        snprintf(file, sizeof file, "%s_%06zu.vti", prefix, i);
        if ((status = carom_run_grains_read(&e->grains, i, error)) != CAROM_OK)
            break;
        carom_fields_read(&e->fields, &e->grains.grains, &e->grains.moment);
        status = write_image(e, file, error);
    }
    snprintf(file, sizeof file, "%s.pvd", prefix);
    if (status == CAROM_OK)
        status = carom_vtu_series(file, carom_file_name(prefix, NULL), "vti", count, times, error);
    if (status == CAROM_OK && !quiet)
        printf("%s: %zu time%s of %zu cell%s\n", file, count, cli_s(count), e->fields.n, cli_s(e->fields.n));
    carom_memory_free_all(times, e->full);
    return status;
}

enum carom_status cli_export_fields(const char *path, const char *to, bool csv, const struct cli_fields_wish *wish,
                                    bool quiet, struct carom_error *error)
{
    struct export e = {.run = carom_run_file_open(path, error)};
    if (!e.run)
        return error->status;
    enum carom_status status = carom_run_grains_open(&e.grains, e.run, error);
    if (status == CAROM_OK && e.run->rows == 0)
        status = carom_error_set(error, CAROM_E_REFUSED, "%s: holds no samples", path);
    if (status == CAROM_OK)
        status = open_fields(&e, wish, error);
    if (status == CAROM_OK)
        status = csv ? write_table(&e, to, quiet, error) : write_images(&e, path, to, quiet, error);
    carom_fields_close(&e.fields);
    carom_run_grains_close(&e.grains);
    carom_run_file_close(e.run);
    return status;
}
