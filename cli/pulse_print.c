/* The tables of `carom pulse` on a terminal. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pulse.h"

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

static void print_pulse(const char *name, size_t wave, const struct carom_pulse *pulse, double speed, double length)
{
    printf("%-9s", name);
    if (wave > 0)
        printf(" %4zu", wave);
    else
        printf(" %4s", "top");
    cli_pulse_number(pulse->peak, 11, 6);
    cli_pulse_number(pulse->time, 12, 7);
    cli_pulse_number(pulse->foot, 12, 7);
    cli_pulse_number(pulse->width, 11, 6);
    cli_pulse_number(pulse->misfit, 8, 2);
    cli_pulse_number(speed, 9, 5);
    cli_pulse_number(length, 7, 4);
    cli_pulse_number(pulse->front, 11, 5);
    cli_pulse_number(pulse->tail, 11, 4);
}

static void print_heading(const struct carom_pulse_table *table)
{
    const char *const names[] = {"peak", "time", "foot", "width", "misfit", "speed", "length", "front", "tail"};
    const char *const units[] = {"N", "s", "s", "s", "", "m/s", "", "N s", "N s"};
    const int widths[] = {11, 12, 12, 11, 8, 9, 7, 11, 11};
    printf("%-9s %4s", "place", "wave");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        printf(" %*s", widths[i], names[i]);
    printf(" %6s\n", "of");
    if (!table->si)
        return;
    printf("%-9s %4s", "", "");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        printf(" %*s", widths[i], units[i]);
    printf("\n");
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
    printf("samples    %zu, %.4g%s apart%s\n", table->samples, table->every, unit(table, " s"),
           table->inside ? " on average" : "");
}

void cli_pulse_table(const struct carom_run_file *run, const struct carom_pulse_table *table, size_t most)
{
    bool rest = false;
    printf("%s\n", *run->title != '\0' ? run->title : "(no title)");
    print_source(table);
    print_heading(table);
    for (size_t i = 0; i < table->nrows && i < most; i++) {
        const struct carom_pulse_row *row = &table->row[i];
        const struct carom_pulse_place *place = &table->places.place[row->place];
        char name[48];
        snprintf(name, sizeof name, "%s%s", place->name, place->kind == CAROM_PULSE_WALL ? " wall" : "");
        print_pulse(name, row->wave, &row->pulse, row->speed, row->length);
        printf(" %6zu%s\n", table->waves[row->place], row->pulse.cut ? "  cut" : "");
        rest = rest || row->pulse.rest != 0.0;
    }
    if (table->nrows > most)
        printf("... and %zu more: --csv FILE has them all, --contact 3-9 shows some\n", table->nrows - most);
    if (rest)
        printf("peaks and impulses are counted from the force at the beginning of the record (column rest of --csv)\n");
}

void cli_pulse_notes(const struct carom_pulse_table *table)
{
    size_t few = 0, cut = 0, least = SIZE_MAX;
    for (size_t i = 0; i < table->nrows; i++) {
        const size_t samples = table->row[i].pulse.samples;
        few += samples < FEW;
        least = samples < least ? samples : least;
        cut += table->row[i].pulse.cut;
    }
    if (table->coarse > 0)
        printf("note: samples %.3g%s apart are too coarse for %zu contacts; their peaks are those of the run's book of "
               "impacts,\n"
               "      a smaller 'every' in the scene's record shows the whole wave\n",
               table->every, table->si ? " s" : "", table->coarse);
    if (table->silent > 0)
        printf("note: %zu of %zu places have no such wave in the record\n", table->silent, table->places.count);
    if (few > 0)
        printf("note: fronts of %zu of %zu waves have fewer than %d samples (the least %zu): record finer for their "
               "width\n",
               few, table->nrows, FEW, least);
    if (cut > 0)
        printf("note: %zu of %zu waves reach beyond the record, their impulses are not whole\n", cut, table->nrows);
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
        print_pulse(place->name, row->wave, &chain, nan(""), nan(""));
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
