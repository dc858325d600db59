/* A sweep's grid as a table: keys with their units, outputs to the last bit, and the status of every run. */
#include "sweep_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/export/csv.h"
#include "scene/text/units.h"
#include "study/sweep/sweep_file.h"

const char *cli_sweep_unit(const struct carom_sweep *sweep, size_t output, double *size)
{
    const char *si = sweep->outputs.output[output].unit;
    struct carom_dimension dimension;
    struct carom_error ignored;
    *size = 1.0;
    if (strcmp(si, "1") == 0 || carom_units_dimension(si, NULL, &dimension, &ignored) != CAROM_OK)
        return si;
    for (size_t k = 0; k < sweep->naxes; k++) {
        const struct carom_range *range = &sweep->axis[k].range;
        struct carom_quantity one;
        char text[2 + sizeof range->unit];
        snprintf(text, sizeof text, "1 %s", range->unit);
        if (range->numeric && range->unit[0] != '\0' && carom_units_read(text, &one, &ignored) == CAROM_OK &&
            one.unit && one.angle == 0 && carom_units_same(&one.dimension, &dimension)) {
            *size = one.value;
            return range->unit;
        }
    }
    return si;
}

static void head(FILE *out, const char *name, const char *unit)
{
    const bool told = strcmp(unit, "1") != 0 && strcmp(unit, "SI") != 0;
    fprintf(out, told ? "%s (%s)," : "%s,", name, unit);
}

static void heading(FILE *out, const struct carom_sweep *sweep)
{
    for (size_t k = 0; k < sweep->naxes; k++)
        head(out, sweep->axis[k].key, sweep->axis[k].range.numeric ? carom_sweep_unit(sweep, k) : "1");
    for (size_t k = 0; k < sweep->outputs.count; k++)
        head(out, sweep->outputs.output[k].name, sweep->outputs.output[k].unit);
    fprintf(out, "status\n");
}

/* the last axis runs fastest */
static void print_keys(FILE *out, const struct carom_sweep *sweep, uint64_t i)
{
    uint64_t later = sweep->points;
    for (size_t k = 0; k < sweep->naxes; k++) {
        const struct carom_range *range = &sweep->axis[k].range;
        later /= range->count;
        const size_t at = (size_t)(i / later % range->count);
        if (range->numeric)
            carom_csv_number(out, range->value[at]);
        else
            fprintf(out, "\"%s\"", range->text[at]);
        fputc(',', out);
    }
}

/* value: the outputs one after the other, each of all points */
static void print_lines(FILE *out, const struct carom_sweep *sweep, const double *value, const int32_t *status)
{
    heading(out, sweep);
    for (uint64_t i = 0; i < sweep->points; i++) {
        print_keys(out, sweep, i);
        for (size_t k = 0; k < sweep->outputs.count; k++) {
            carom_csv_number(out, value[k * sweep->points + i]);
            fputc(',', out);
        }
        fprintf(out, "%d\n", (int)status[i]);
    }
}

enum carom_status cli_sweep_table(const struct carom_sweep *sweep, const char *file, const char *csv,
                                  struct carom_error *error)
{
    double *value = calloc(sweep->points * sweep->outputs.count, sizeof *value);
    int32_t *status = calloc(sweep->points, sizeof *status);
    if (!value || !status) {
        free(value), free(status);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a table of %llu lines",
                               (unsigned long long)sweep->points);
    }
    struct carom_sweep_file *kept = carom_sweep_file_open(sweep, file, status, error);
    enum carom_status good = kept ? CAROM_OK : error->status;
    for (size_t k = 0; good == CAROM_OK && k < sweep->outputs.count; k++)
        good = carom_sweep_file_read(kept, k, value + k * sweep->points, error);
    carom_sweep_file_close(kept, NULL);
    fflush(stdout); /* of which - goes on with a copy */
    FILE *out = good == CAROM_OK ? carom_csv_create(csv, NULL, error) : NULL;
    if (good == CAROM_OK && !out)
        good = error->status;
    if (out) {
        print_lines(out, sweep, value, status);
        good = carom_csv_close(out, csv, CAROM_OK, error);
    }
    free(value);
    free(status);
    return good;
}
