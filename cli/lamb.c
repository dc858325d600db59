/* carom lamb: the displacement that a line force on or in an elastic half-space makes at some receivers, by the method
 * of Cagniard and de Hoop. A reference for solids; nothing is run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/export/csv.h"
#include "study.h"
#include "study/lamb.h"

enum { RECEIVERS = 64 };

struct wish {
    struct carom_lamb lamb;
    double at[RECEIVERS][2]; /* x, depth */
    size_t receivers, samples;
    double until;
};

/* any finite number */
static bool read_number(const char *option, const char *text, double *value, int *code)
{
    char *end;
    if (!text)
        return true;
    *value = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(*value))
        return true;
    *code = cli_must_be(option, text, "a number");
    return false;
}

static bool read_receivers(const char *const *text, size_t count, struct wish *wish, int *code)
{
    for (size_t i = 0; i < count; i++) {
        char *comma, *end = NULL;
        const double x = strtod(text[i], &comma), depth = *comma == ',' ? strtod(comma + 1, &end) : 0.0;
        if (comma == text[i] || *comma != ',' || end == comma + 1 || *end != '\0' || !isfinite(x) || !(depth >= 0.0) ||
            count > RECEIVERS) {
            *code = cli_must_be("--at", text[i], "x,depth in metres, such as 300,0");
            return false;
        }
        wish->at[i][0] = x;
        wish->at[i][1] = depth;
    }
    if (count > 0)
        wish->receivers = count;
    return true;
}

static void write_row(FILE *out, struct carom_lamb_record *record, size_t count, double t, const char *gap)
{
    fprintf(out, gap ? "%12.6f" : "%.17g", t);
    for (size_t i = 0; i < count; i++) {
        double u[2];
        carom_lamb_displacement(&record[i], t, u);
        if (gap)
            fprintf(out, "%s%14.6e%14.6e", gap, u[0], u[1]);
        else
            carom_csv_numbers(out, u, 2);
    }
    putc('\n', out);
}

static enum carom_status write_csv(const char *path, const struct wish *wish, struct carom_lamb_record *record,
                                   struct carom_error *error)
{
    FILE *out = carom_csv_create(path, NULL, error);
    if (!out)
        return error->status;
    fprintf(out, "time");
    for (size_t i = 0; i < wish->receivers; i++)
        fprintf(out, ",ux_%zu,uz_%zu", i + 1, i + 1);
    putc('\n', out);
    for (size_t j = 0; j < wish->samples; j++)
        write_row(out, record, wish->receivers, wish->until * (double)j / (double)(wish->samples - 1), NULL);
    return carom_csv_close(out, path, CAROM_OK, error);
}

/* the largest displacement of each receiver, and a short table */
static void print(const struct wish *wish, struct carom_lamb_record *record)
{
    double p, s, rayleigh;
    carom_lamb_speeds(&wish->lamb, &p, &s, &rayleigh);
    printf("half-space: E %g Pa, nu %g, density %g kg/m^3; waves P %.6g, S %.6g, Rayleigh %.6g m/s\n", wish->lamb.young,
           wish->lamb.poisson, wish->lamb.density, p, s, rayleigh);
    printf("line force at depth %g m: (%g, %g) N/m to the right and down, Ricker %g Hz with its peak at %g s\n",
           wish->lamb.source_depth, wish->lamb.force[0], wish->lamb.force[1], wish->lamb.frequency, wish->lamb.delay);
    printf("displacement to the right and down, in metres, at x,depth\n%12s", "time");
    for (size_t i = 0; i < wish->receivers; i++) {
        char place[40];
        snprintf(place, sizeof place, "%.6g,%.6g", wish->at[i][0], wish->at[i][1]);
        printf("  %28s", place);
    }
    putchar('\n');
    const size_t rows = wish->samples < 25 ? wish->samples : 25;
    for (size_t j = 0; j < rows; j++)
        write_row(stdout, record, wish->receivers, wish->until * (double)j / (double)(rows - 1), "  ");
}

static int compute(const struct wish *wish, const char *csv, bool quiet)
{
    struct carom_lamb_record record[RECEIVERS];
    struct carom_error error = {CAROM_OK, ""};
    memset(record, 0, sizeof record);
    enum carom_status status = csv ? carom_csv_may_replace_table(csv, "time,ux_1", &error) : CAROM_OK;
    for (size_t i = 0; i < wish->receivers && status == CAROM_OK; i++)
        status = carom_lamb_open(&record[i], &wish->lamb, wish->at[i][0], wish->at[i][1], wish->until, &error);
    if (status == CAROM_OK && !quiet)
        print(wish, record);
    if (status == CAROM_OK && csv)
        status = write_csv(csv, wish, record, &error);
    for (size_t i = 0; i < wish->receivers; i++)
        carom_lamb_close(&record[i]);
    return status == CAROM_OK ? CAROM_OK : cli_fail(&error);
}

int carom_cli_lamb(int argc, char **argv)
{
    struct wish wish = {
        .lamb = {1.88e10, 0.25, 2200.0, 0.0, {0.0, 1e6}, 14.5, 0.08},
        .at = {{300.0, 0.0}, {150.0, 259.807621135}},
        .receivers = 2,
        .samples = 451,
        .until = 0.45,
    };
    const char *young = NULL, *poisson = NULL, *density = NULL, *depth = NULL, *across = NULL, *down = NULL;
    const char *frequency = NULL, *delay = NULL, *until = NULL, *samples = NULL, *csv = NULL, *at[CLI_MANY];
    size_t nat = 0, npositional;
    bool quiet = false;
    const struct cli_option options[] = {
        {"--young", NULL, "PA", "Young's modulus (1.88e10)", .single = &young},
        {"--poisson", NULL, "NU", "Poisson's ratio, between -1 and 0.5 (0.25)", .single = &poisson},
        {"--density", NULL, "KG/M3", "density (2200)", .single = &density},
        {"--source-depth", NULL, "M", "of the line force (0: on the surface)", .single = &depth},
        {"--force", NULL, "N/M", "its amplitude downwards (1e6)", .single = &down},
        {"--force-x", NULL, "N/M", "its amplitude to the right (0)", .single = &across},
        {"--frequency", NULL, "HZ", "of the Ricker wavelet (14.5)", .single = &frequency},
        {"--delay", NULL, "S", "when the wavelet has its peak (0.08)", .single = &delay},
        {"--at", NULL, "X,DEPTH", "a receiver; may be repeated (300,0 and 150,259.8)", .many = at, .count = &nat},
        {"--until", NULL, "S", "last time (0.45)", .single = &until},
        {"--samples", NULL, "N", "times in the CSV file (451)", .single = &samples},
        {"--csv", NULL, "FILE", "write time, u_x, u_z of every receiver; -: to the standard output", .single = &csv,
         .alone = true},
        {"--quiet", "-q", NULL, "print no table", .flag = &quiet},
        {0},
    };
    const struct cli_command command = {
        "carom lamb [options]",
        "Lamb's problem in plane strain: the displacement that a line force on or in an elastic half-space makes at\n"
        "receivers on or below the surface, semi-analytically and to round-off. The defaults are the problem of\n"
        "Mariotti and Monasse. Depths count downwards; displacements are positive to the right and down.",
        options, 0, 0};
    int code;
    if (!cli_read(&command, argc, argv, NULL, &npositional, &code))
        return code;
    if (!read_number("--young", young, &wish.lamb.young, &code) ||
        !read_number("--poisson", poisson, &wish.lamb.poisson, &code) ||
        !read_number("--density", density, &wish.lamb.density, &code) ||
        !read_number("--source-depth", depth, &wish.lamb.source_depth, &code) ||
        !read_number("--force", down, &wish.lamb.force[1], &code) ||
        !read_number("--force-x", across, &wish.lamb.force[0], &code) ||
        !read_number("--frequency", frequency, &wish.lamb.frequency, &code) ||
        !read_number("--delay", delay, &wish.lamb.delay, &code) ||
        (until && !cli_study_number("--until", until, &wish.until, &code)) ||
        (samples && !cli_study_count("--samples", samples, 10000000, &wish.samples, &code)) ||
        !read_receivers(at, nat, &wish, &code))
        return code;
    if (wish.samples < 2)
        wish.samples = 2;
    return compute(&wish, csv, quiet);
}
