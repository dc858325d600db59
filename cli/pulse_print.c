/* The tables of `carom pulse` on a terminal. */
#include <math.h>
#include <stdio.h>

#include "cli.h"
#include "pulse.h"
#include "terminal.h"

#define FEW 6 /* samples in a front, below which its width is a guess */

static const char *unit(const struct carom_pulse_table *table, const char *name)
{
    return table->si ? name : "";
}

void cli_pulse_number(double x, int width, int digits)
{
    char text[40] = "-";
    if (!isnan(x))
        snprintf(text, sizeof text, "%.*g", digits, x);
    printf(" %*s", width, text);
}

enum { COLUMNS = 9, BESIDE = 21, MARK = 8 }; /* characters of a line beside them: place, wave, of; a mark */

static const struct cli_column columns[COLUMNS] = {
    {"peak", "N", 11, 6},   {"time", "s", 12, 7}, {"foot", "s", 12, 7},    {"width", "s", 11, 6},  {"misfit", "", 8, 2},
    {"speed", "m/s", 9, 5}, {"length", "", 7, 4}, {"front", "N s", 11, 5}, {"tail", "N s", 11, 4},
};

static unsigned left_out(bool marks)
{
    static const unsigned spare[] = {8, 7, 4, 2, 6, 3, 5};
    return cli_terminal_spare(columns, COLUMNS, BESIDE + (marks ? MARK : 0), spare, sizeof spare / sizeof *spare);
}

static void print_pulse(const char *name, size_t wave, const struct carom_pulse *pulse, double speed, double length,
                        unsigned out)
{
    const double value[COLUMNS] = {pulse->peak, pulse->time, pulse->foot,  pulse->width, pulse->misfit,
                                   speed,       length,      pulse->front, pulse->tail};
    printf("%-9s", name);
    if (wave > 0)
        printf(" %4zu", wave);
    else
        printf(" %4s", "top");
    for (size_t i = 0; i < COLUMNS; i++)
        if (!(out & 1U << i))
            cli_pulse_number(value[i], columns[i].width, columns[i].digits);
}

static void print_heading(const struct carom_pulse_table *table, unsigned out)
{
    printf("%-9s %4s", "place", "wave");
    for (size_t i = 0; i < COLUMNS; i++)
        if (!(out & 1U << i))
            printf(" %*s", columns[i].width, columns[i].name);
    printf(" %6s\n", "of");
    if (!table->si)
        return;
    printf("%-9s %4s", "", "");
    for (size_t i = 0; i < COLUMNS; i++)
        if (!(out & 1U << i))
            printf(" %*s", columns[i].width, columns[i].unit);
    printf("\n");
}

void cli_pulse_samples(size_t samples, double closest, double farthest, double every, const char *unit)
{
    if (farthest > 1.01 * closest) /* those that follow contacts are closer */
        printf("samples    %zu, %.3g to %.3g%s apart\n", samples, closest, farthest, unit);
    else
        printf("samples    %zu, %.4g%s apart\n", samples, every, unit);
}

static void print_source(const struct carom_pulse_table *table)
{
    if (table->inside) {
        printf("forces     inside impact %llu of %llu", (unsigned long long)table->impact,
               (unsigned long long)table->impacts);
        if (!isnan(table->begun))
            printf(", which was at t = %.9g%s", table->begun, unit(table, " s"));
        printf("; times count from its beginning\n");
    }
    cli_pulse_samples(table->samples, table->closest, table->farthest, table->every, unit(table, " s"));
}

/* which of the notes below the table is of this row */
static const char *mark_of(const struct carom_pulse_row *row)
{
    return row->pulse.rising                    ? "  rising"
           : row->by_foot && !isnan(row->speed) ? "  feet"
           : row->loose                         ? "  loose"
           : row->pulse.cut                     ? "  cut"
           : row->pulse.samples < FEW           ? "  few"
                                                : "";
}

void cli_pulse_table(const struct carom_run_file *run, const struct carom_pulse_table *table, size_t most)
{
    bool rest = false, marks = false;
    for (size_t i = 0; i < table->nrows && i < most; i++)
        marks = marks || *mark_of(&table->row[i]) != '\0';
    const unsigned out = left_out(marks);
    printf("%s\n", *run->title != '\0' ? run->title : "(no title)");
    print_source(table);
    print_heading(table, out);
    for (size_t i = 0; i < table->nrows && i < most; i++) {
        const struct carom_pulse_row *row = &table->row[i];
        const struct carom_pulse_place *place = &table->places.place[row->place];
        char name[48];
        snprintf(name, sizeof name, "%s%s", place->name, place->kind == CAROM_PULSE_WALL ? " wall" : "");
        print_pulse(name, row->wave, &row->pulse, row->speed, row->length, out);
        printf(" %6zu%s\n", table->waves[row->place], mark_of(row));
        rest = rest || row->pulse.rest != 0.0;
    }
    cli_terminal_left_out(columns, COLUMNS, out, "", "; --csv FILE has all");
    if (table->nrows > most)
        printf("... and %zu more: --csv FILE has them all, --contact 3-9 shows some\n", table->nrows - most);
    if (rest)
        printf("peaks and impulses are counted from the force at the beginning of the record (column rest of --csv)\n");
}

void cli_pulse_notes(const struct carom_pulse_table *table)
{
    size_t few = 0, cut = 0, least = SIZE_MAX, by_foot = 0, rising = 0, loose = 0;
    for (size_t i = 0; i < table->nrows; i++) {
        const struct carom_pulse_row *row = &table->row[i];
        by_foot += row->by_foot && !isnan(row->speed);
        rising += row->pulse.rising;
        loose += row->loose && !row->pulse.rising;
        cut += row->pulse.cut && !row->pulse.rising;
        if (row->pulse.rising)
            continue;
        few += row->pulse.samples < FEW;
        least = row->pulse.samples < least ? row->pulse.samples : least;
    }
    if (table->coarse > 0)
        printf(
            "note: samples up to %.3g%s apart are too coarse for waves at %zu contact%s; peaks are those of the run's "
            "book of impacts,\n"
            "      a smaller 'every' in the scene's record shows all waves whole\n",
            table->farthest, table->si ? " s" : "", table->coarse, cli_s(table->coarse));
    if (table->silent > 0)
        printf("note: %zu of %zu places %s no such wave in the record\n", table->silent, table->places.count,
               carom_plural_have(table->silent));
    if (few > 0)
        printf("note: the front%s of %zu of %zu waves %s fewer than %d samples (the least %zu): record finer for the "
               "width\n",
               cli_s(few), few, table->nrows, carom_plural_have(few), FEW, least);
    if (by_foot > 0)
        printf("note: the speed of %zu of %zu waves is that of the feet: peaks do not follow one another there, as "
               "under loads that\n"
               "      go on while the wave runs, or where light and heavy beads take turns\n",
               by_foot, table->nrows);
    if (loose > 0)
        printf(
            "note: %zu of %zu speeds %s loose: the force is no single pulse there (misfit above 0.05), its peak and "
            "its "
            "foot go at\n"
            "      different speeds, or a body flies from one contact to the next, so that they tell when forces were "
            "largest, and\n"
            "      not how fast a pulse runs\n",
            loose, table->nrows, loose == 1 ? "is" : "are");
    if (rising > 0)
        printf("note: %zu of %zu waves %s no peak, the force has not fallen where the record ends; the foot tells when "
               "it came\n",
               rising, table->nrows, carom_plural_have(rising));
    if (cut > 0)
        printf("note: %zu of %zu waves reach%s beyond the record, impulses are not whole there\n", cut, table->nrows,
               cut == 1 ? "es" : "");
}

void cli_pulse_ratios(const struct carom_pulse_row *wall, const struct carom_pulse_row *chain, const char *place,
                      const char *other)
{
    const struct carom_pulse_ratios ratios = carom_pulse_compare(&wall->pulse, &chain->pulse);
    printf("contact %s over the same contact of %s: peak %.4f, width %.4f, time %.4f\n", place, other, ratios.peak,
           ratios.width, ratios.time);
}

void cli_pulse_extrapolated(const struct carom_pulse_table *table, const struct carom_pulse_ratios *ratios)
{
    bool any = false;
    for (size_t i = 0; i < table->nrows; i++) {
        const struct carom_pulse_row *row = &table->row[i];
        const struct carom_pulse_place *place = &table->places.place[row->place];
        if (place->kind != CAROM_PULSE_WALL)
            continue;
        const struct carom_pulse chain = carom_pulse_extrapolate(&row->pulse, ratios);
        if (!any)
            printf("without the wall, by peak / %g, width / %g, time / %g\n", ratios->peak, ratios->width,
                   ratios->time);
        any = true;
        print_pulse(place->name, row->wave, &chain, nan(""), nan(""), left_out(false));
        printf("\n");
    }
    if (!any)
        printf("note: there is no wall in the table to extrapolate from\n");
}

void cli_pulse_spread(const struct carom_pulse_table *table)
{
    const struct carom_pulse_spread spread = carom_pulse_run_spread(table);
    printf("collapse   fronts differ by %.4f of the peak at most, tails by %.4f; from cos^6 by %.4f and %.4f\n",
           spread.front, spread.tail, spread.front_shape, spread.tail_shape);
}
