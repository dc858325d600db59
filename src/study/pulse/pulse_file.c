/* Tables of pulses in files. The columns are listed once, for CSV, for run files and for the terminal. */
#include "study/pulse/pulse_file.h"

#include "base/memory.h"
#include "record/export/csv.h"
#include "record/hdf5/hdf5_set.h"
#include "record/hdf5/hdf5_tree.h"

#define GROUP "analysis/pulse"

#define COLUMN(field)                                           \
    static double field##_of(const struct carom_pulse_row *row) \
    {                                                           \
        return row->pulse.field;                                \
    }
COLUMN(peak)
COLUMN(time)
COLUMN(foot)
COLUMN(width)
COLUMN(misfit)
COLUMN(half)
COLUMN(front)
COLUMN(tail)
COLUMN(rest)

static double speed_of(const struct carom_pulse_row *row)
{
    return row->speed;
}

static double length_of(const struct carom_pulse_row *row)
{
    return row->length;
}

const struct carom_pulse_column carom_pulse_file_columns[] = {
    {"peak", "N", "largest force above the rest", peak_of},
    {"time", "s", "when", time_of},
    {"foot", "s", "when the force reached the foot's share of its peak", foot_of},
    {"width", "s", "tau of F cos^6((t - T) / tau), fitted to the front", width_of},
    {"misfit", "1", "of that fit, root mean square, in shares of the peak", misfit_of},
    {"half", "s", "how long the force is above half its peak", half_of},
    {"speed", "m/s", "of the wave, from the place before", speed_of},
    {"length", "1", "pi tau |speed| in diameters", length_of},
    {"front", "N s", "impulse up to T + tau", front_of},
    {"tail", "N s", "impulse after it", tail_of},
    {"rest", "N", "the force that the wave stands on", rest_of},
    {NULL, NULL, NULL, NULL},
};

const char *carom_pulse_file_kind(enum carom_pulse_kind kind)
{
    static const char *const names[] = {[CAROM_PULSE_CONTACT] = "contact",
                                        [CAROM_PULSE_WALL] = "wall",
                                        [CAROM_PULSE_BEAD] = "bead",
                                        [CAROM_PULSE_SENSOR] = "sensor"};
    return names[kind];
}

/* --- CSV ------------------------------------------------------------------------------------------------------- */

void carom_pulse_file_csv(FILE *out, const struct carom_pulse_table *table)
{
    fputs("place,kind,number,wave,waves", out);
    for (const struct carom_pulse_column *column = carom_pulse_file_columns; column->name != NULL; column++)
        fprintf(out, ",%s", column->name);
    fputs(",samples,cut\n", out);
    for (size_t i = 0; i < table->nrows; i++) {
        const struct carom_pulse_row *row = &table->row[i];
        const struct carom_pulse_place *place = &table->places.place[row->place];
        fprintf(out, "%s,%s,%d,%zu,%zu", place->name, carom_pulse_file_kind(place->kind), place->number, row->wave,
                table->waves[row->place]);
        for (const struct carom_pulse_column *column = carom_pulse_file_columns; column->name != NULL; column++) {
            const double value = column->of(row);
            carom_csv_numbers(out, &value, 1);
        }
        fprintf(out, ",%zu,%d\n", row->pulse.samples, row->pulse.cut);
    }
}

void carom_pulse_file_collapse(FILE *out, const struct carom_pulse_table *table)
{
    fputs(CAROM_PULSE_FILE_COLLAPSE_HEADING, out);
    for (size_t i = 0; i < table->nrows; i++) {
        const struct carom_pulse_place *place = &table->places.place[table->row[i].place];
        if (table->row[i].wave > 1)
            fprintf(out, ",%s wave %zu", place->name, table->row[i].wave);
        else
            fprintf(out, ",%s", place->name);
    }
    putc('\n', out);
    for (size_t k = 0; k < CAROM_PULSE_RUN_POINTS; k++) {
        const double s = CAROM_PULSE_RUN_S(k), shape = carom_pulse_shape(s);
        carom_csv_number(out, s);
        carom_csv_numbers(out, &shape, 1);
        for (size_t i = 0; i < table->nrows; i++)
            carom_csv_numbers(out, &table->collapsed[i * CAROM_PULSE_RUN_POINTS + k], 1);
        putc('\n', out);
    }
}

/* --- in the run file ------------------------------------------------------------------------------------------- */

/* What a column is written with: room for its numbers, and the first error. */
struct keeping {
    const struct carom_pulse_table *table;
    struct carom_hdf5_file *file;
    double *real;
    int32_t *number;
    enum carom_status status;
    struct carom_error *error;
};

static void define(struct keeping *to, const char *name, const char *unit, enum carom_hdf5_type type, const void *data)
{
    char path[96];
    snprintf(path, sizeof path, GROUP "/%s", name);
    const struct carom_hdf5_spec spec = {.path = path, .unit = unit, .type = type, .rank = 1, .rows = to->table->nrows};
    const int set = carom_hdf5_set_define(to->file, &spec); /* what fails here is told when the copy is adopted */
    if (set >= 0 && to->status == CAROM_OK)
        to->status = carom_hdf5_set_write(to->file, set, 0, to->table->nrows, data, to->error);
}

static void define_columns(struct keeping *to)
{
    static const char *const whole[] = {"kind", "number", "wave", "waves"};
    const struct carom_pulse_table *table = to->table;
    for (const struct carom_pulse_column *column = carom_pulse_file_columns; column->name != NULL; column++) {
        for (size_t i = 0; i < table->nrows; i++)
            to->real[i] = column->of(&table->row[i]);
        define(to, column->name, table->si ? column->unit : "1", CAROM_HDF5_REAL, to->real);
    }
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) {
        for (size_t i = 0; i < table->nrows; i++) {
            const struct carom_pulse_row *row = &table->row[i];
            const struct carom_pulse_place *place = &table->places.place[row->place];
            const int32_t values[] = {(int32_t)place->kind, place->number, (int32_t)row->wave,
                                      (int32_t)table->waves[row->place]};
            to->number[i] = values[k];
        }
        define(to, whole[k], "1", CAROM_HDF5_NUMBER, to->number);
    }
}

static enum carom_status keep(struct keeping *to, const char *path, const char *command)
{
    struct carom_error reason = {CAROM_OK, ""};
    to->file = carom_hdf5_file_amend(path, &reason);
    if (to->file == NULL)
        return carom_error_set(to->error, reason.status, "%s", reason.text);
    carom_hdf5_tree_remove(to->file, GROUP);
    carom_hdf5_tree_group(to->file, GROUP);
    carom_hdf5_tree_note_text(to->file, GROUP, "command", command, false);
    carom_hdf5_tree_note_text(to->file, GROUP, "kinds", "0 contact, 1 wall, 2 bead, 3 sensor", false);
    define_columns(to);
    if (to->status == CAROM_OK)
        return carom_hdf5_file_adopt(to->file, to->error);
    carom_hdf5_file_close(to->file, NULL);
    return to->status;
}

enum carom_status carom_pulse_file_keep(const char *path, const struct carom_pulse_table *table, const char *command,
                                        struct carom_error *error)
{
    struct keeping to = {.table = table, .error = error};
    to.real = carom_memory_zeroed(table->nrows, sizeof *to.real);
    to.number = carom_memory_zeroed(table->nrows, sizeof *to.number);
    const enum carom_status status =
        to.real != NULL && to.number != NULL
            ? keep(&to, path, command)
            : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a table of %zu pulses", table->nrows);
    carom_memory_free(to.number);
    carom_memory_free(to.real);
    return status;
}
