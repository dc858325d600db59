/* Tables of pulses in files. The columns are listed once, for CSV, for run files and for the terminal. */
#include "study/pulse/pulse_run.h"

#include "base/memory.h"
#include "record/export/csv.h"
#include "study/pulse/kept.h"

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

/* of numbers, in the order of the table */
static const struct column {
    const char *name, *unit, *text;
    double (*of)(const struct carom_pulse_row *row);
} columns[] = {
    {"peak", "N", "largest force above the rest", peak_of},
    {"time", "s", "when", time_of},
    {"foot", "s", "when the force reached the foot's share of its peak", foot_of},
    {"width", "s", "tau of F cos^6((t - T) / tau), fitted to the front", width_of},
    {"misfit", "1", "of that fit, root mean square, in shares of the peak", misfit_of},
    {"half", "s", "how long the force is above half its peak", half_of},
    {"speed", "m/s", "of the wave, from the place before, or the last between the same two beads", speed_of},
    {"length", "1", "pi tau |speed| in diameters of the beads on that way", length_of},
    {"front", "N s", "impulse up to T + tau", front_of},
    {"tail", "N s", "impulse after it", tail_of},
    {"rest", "N", "the force that the wave stands on", rest_of},
    {NULL, NULL, NULL, NULL},
};

static const char *kind_name(enum carom_pulse_kind kind)
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
    for (const struct column *column = columns; column->name != NULL; column++)
        fprintf(out, ",%s", column->name);
    fputs(",samples,cut\n", out);
    for (size_t i = 0; i < table->nrows; i++) {
        const struct carom_pulse_row *row = &table->row[i];
        const struct carom_pulse_place *place = &table->places.place[row->place];
        fprintf(out, "%s,%s,%d,%zu,%zu", place->name, kind_name(place->kind), place->number, row->wave,
                table->waves[row->place]);
        for (const struct column *column = columns; column->name != NULL; column++) {
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

enum { REALS = sizeof columns / sizeof *columns - 1, WHOLE = 4 };

static enum carom_status keep(const char *path, const struct carom_pulse_table *table, const char *command,
                              double *real, int32_t *number, struct carom_error *error)
{
    static const char *const whole[WHOLE] = {"kind", "number", "wave", "waves"};
    struct carom_kept_column column[REALS + WHOLE];
    const size_t n = table->nrows;
    for (size_t i = 0; i < n; i++) {
        const struct carom_pulse_row *row = &table->row[i];
        const struct carom_pulse_place *place = &table->places.place[row->place];
        const int32_t values[WHOLE] = {(int32_t)place->kind, place->number, (int32_t)row->wave,
                                       (int32_t)table->waves[row->place]};
        for (size_t k = 0; k < REALS; k++)
            real[k * n + i] = columns[k].of(row);
        for (size_t k = 0; k < WHOLE; k++)
            number[k * n + i] = values[k];
    }
    for (size_t k = 0; k < REALS; k++)
        column[k] = (struct carom_kept_column){columns[k].name, table->si ? columns[k].unit : "1", CAROM_HDF5_REAL,
                                               real + k * n};
    for (size_t k = 0; k < WHOLE; k++)
        column[REALS + k] = (struct carom_kept_column){whole[k], "1", CAROM_HDF5_NUMBER, number + k * n};
    const struct carom_kept_table kept = {"analysis/pulse", "kinds", "0 contact, 1 wall, 2 bead, 3 sensor", n,
                                          REALS + WHOLE,    column};
    return carom_kept_write(path, command, &kept, 1, error);
}

enum carom_status carom_pulse_file_keep(const char *path, const struct carom_pulse_table *table, const char *command,
                                        struct carom_error *error)
{
    double *real = carom_memory_zeroed(table->nrows, REALS * sizeof *real);
    int32_t *number = carom_memory_zeroed(table->nrows, WHOLE * sizeof *number);
    const enum carom_status status =
        real != NULL && number != NULL
            ? keep(path, table, command, real, number, error)
            : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a table of %zu pulses", table->nrows);
    carom_memory_free_all(number, real);
    return status;
}
