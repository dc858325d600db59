/* carom dispersion of a solid: plane waves in the lattice its cells would make if it went on for ever, and the
 * eigenfrequencies of the body (dispersion_modes.c). The numbers come from study/lattice.c. */
#include "dispersion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/solid.h"
#include "record/export/csv.h"
#include "study/lattice.h"

#define TWO_PI 6.28318530717958647692
#define LONG_WAVE 1e-2 /* phase per cell at which the speed of long waves is taken */

enum { BRANCHES = 6 };

bool cli_dispersion_is_solid(const struct carom_scene *scene)
{
    return carom_solid_at(scene->model, 0) != NULL;
}

/* A wave vector of any length, such as 1,0.5,0: its phases per cell, the largest of which is 1. */
static enum carom_status read_vector(const char *text, const struct carom_solid *solid, double axis[3],
                                     struct carom_error *error)
{
    double most = 0.0;
    const char *at = text;
    char *end = NULL;
    bool good = true;
    for (int i = 0; i < solid->dimension && good; i++, at = end + 1) {
        axis[i] = strtod(at, &end) * solid->grid.edge[i];
        good = end != at && isfinite(axis[i]) && *end == (i + 1 < solid->dimension ? ',' : '\0');
        most = fmax(most, fabs(axis[i]));
    }
    if (!good || !(most > 0.0))
        return carom_error_set(error, CAROM_E_USAGE, "--along %s: a wave vector has %d numbers, such as %s", text,
                               solid->dimension, solid->dimension > 2 ? "1,0.5,0" : "1,0.5");
    for (int i = 0; i < solid->dimension; i++)
        axis[i] /= most;
    return CAROM_OK;
}

/* Which axes the wave runs along: its phase per cell along each, 1 at most. */
static enum carom_status read_along(const char *text, const struct carom_solid *solid, double axis[3],
                                    struct carom_error *error)
{
    static const char names[] = "xyz";
    axis[0] = axis[1] = axis[2] = 0.0;
    if (strchr(text, ',') != NULL)
        return read_vector(text, solid, axis, error);
    for (const char *c = text; *c != '\0'; c++) {
        const char *found = strchr(names, *c);
        const int i = found ? (int)(found - names) : 3;
        if (i >= solid->dimension || axis[i] > 0.0)
            return carom_error_set(error, CAROM_E_USAGE, "--along %s: one or several of the letters x, y%s", text,
                                   solid->dimension > 2 ? ", z" : "");
        axis[i] = 1.0;
    }
    return *text != '\0' ? CAROM_OK : carom_error_set(error, CAROM_E_USAGE, "--along: which axis? x, y, xy, ...");
}

/* The wave vector of a phase per cell along these axes, and its length. */
static double wave_vector(const struct carom_solid *solid, const double axis[3], double phase, double k[3])
{
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        k[i] = axis[i] != 0.0 ? axis[i] * phase / solid->grid.edge[i] : 0.0;
        square += k[i] * k[i];
    }
    return sqrt(square);
}

static size_t branches(const struct carom_solid *solid)
{
    return solid->dimension == 2 ? 3 : 6;
}

/* one-sided at both ends */
static enum carom_status group_velocity(const struct carom_solid *solid, const double axis[3], double phase,
                                        double group[BRANCHES], struct carom_error *error)
{
    const double h = 1e-4, from = phase - h > 0.0 ? phase - h : phase, to = from + 2.0 * h;
    double k[3], low[BRANCHES], high[BRANCHES];
    const double first = wave_vector(solid, axis, from, k);
    enum carom_status status = carom_lattice_waves(solid, k, low, error);
    const double last = wave_vector(solid, axis, to, k);
    if (status == CAROM_OK)
        status = carom_lattice_waves(solid, k, high, error);
    for (size_t b = 0; b < branches(solid) && status == CAROM_OK; b++)
        group[b] = (high[b] - low[b]) / (last - first);
    return status;
}

static enum carom_status write_curves(FILE *out, const struct carom_solid *solid, const double axis[3], size_t points,
                                      struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < points && status == CAROM_OK; i++) {
        double k[3], omega[BRANCHES], group[BRANCHES];
        const double phase = 0.5 * TWO_PI * (double)i / (double)(points - 1),
                     number = wave_vector(solid, axis, phase, k);
        status = carom_lattice_waves(solid, k, omega, error);
        if (status == CAROM_OK)
            status = group_velocity(solid, axis, phase, group, error);
        for (size_t b = 0; b < branches(solid) && status == CAROM_OK; b++) {
            const double rest[] = {phase, number, omega[b], omega[b] / TWO_PI, group[b]};
            fprintf(out, "%zu", b + 1);
            carom_csv_numbers(out, rest, sizeof rest / sizeof *rest);
            putc('\n', out);
        }
    }
    return status;
}

static enum carom_status write_table(const char *path, const struct carom_solid *solid, const double axis[3],
                                     size_t points, struct carom_error *error)
{
    FILE *out = cli_dispersion_begin(path, CLI_DISPERSION_CURVES "\n", error);
    if (!out)
        return error->status;
    const enum carom_status status = write_curves(out, solid, axis, points, error);
    return carom_csv_close(out, path, status, error);
}

static enum carom_status print_waves(const struct carom_scene *scene, const struct carom_solid *solid,
                                     const double axis[3], const char *along, struct carom_error *error)
{
    double k[3], omega[BRANCHES], edge[BRANCHES];
    const double number = wave_vector(solid, axis, LONG_WAVE, k);
    enum carom_status status = carom_lattice_waves(solid, k, omega, error);
    wave_vector(solid, axis, 0.5 * TWO_PI, k);
    if (status == CAROM_OK)
        status = carom_lattice_waves(solid, k, edge, error);
    if (status != CAROM_OK)
        return status;
    printf("waves      along %s, cell %g x %g", along, solid->grid.edge[0], solid->grid.edge[1]);
    if (solid->dimension > 2)
        printf(" x %g", solid->grid.edge[2]);
    printf("%s%s\n", scene->si ? " m" : "", solid->nmaterials > 1 ? ", of the body's own material" : "");
    for (size_t b = 0; b < branches(solid); b++)
        printf("branch %zu   long waves: f = %.9g%s, phase velocity %.9g%s; at phase pi: f = %.9g%s\n", b + 1,
               omega[b] / TWO_PI, scene->si ? " Hz" : "", omega[b] / number, scene->si ? " m/s" : "", edge[b] / TWO_PI,
               scene->si ? " Hz" : "");
    return CAROM_OK;
}

enum carom_status cli_dispersion_solid(const struct carom_scene *scene, const struct cli_dispersion *wish,
                                       struct carom_error *error)
{
    if (carom_solid_count(scene->model) > 1)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "dispersion looks at one solid: take a scene of it alone, without the others");
    const struct carom_solid *solid = carom_solid_at(scene->model, 0);
    const char *along = wish->along ? wish->along : "x";
    double axis[3];
    enum carom_status status = read_along(along, solid, axis, error);
    if (status == CAROM_OK && !wish->quiet)
        printf("%s\n", scene->title);
    const bool lattice = solid->grid.count[0] > 0 && !solid->grid.shell;
    if (status == CAROM_OK && !wish->quiet && !lattice)
        printf("waves      none: %s\n",
               solid->grid.shell ? "a shell is not an endless lattice" : "cells of general shape are not a lattice");
    else if (status == CAROM_OK && !wish->quiet)
        status = print_waves(scene, solid, axis, along, error);
    if (status == CAROM_OK && wish->curves)
        status = write_table(wish->curves, solid, axis, wish->points, error);
    return status == CAROM_OK && (wish->modes || wish->shapes || !wish->quiet)
               ? cli_dispersion_modes(scene, wish, error)
               : status;
}
