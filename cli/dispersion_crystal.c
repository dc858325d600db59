/* carom dispersion of discs and spheres: bands of a pressed crystal along a path in its Brillouin zone, and the normal
 * modes of the crystal as it stands. The numbers come from study/bands.c and study/springs.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "cli.h"
#include "dispersion.h"
#include "record/export/csv.h"
#include "study/bands.h"

#define TWO_PI 6.28318530717958647692
#define LONG_WAVE 1e-3 /* of the way to the first point: where the speed of sound is taken */

bool cli_dispersion_is_crystal(const struct carom_scene *scene)
{
    return carom_model_bodies(scene->model) != NULL;
}

/* --- on the screen ----------------------------------------------------------------------------------------------- */

static void print_springs(const struct carom_scene *scene, const struct carom_springs *s)
{
    double least = HUGE_VAL, most = 0.0, across = 0.0, force = 0.0;
    for (size_t j = 0; j < s->nsprings; j++) {
        least = fmin(least, s->spring[j].along);
        most = fmax(most, s->spring[j].along);
        across = fmax(across, s->spring[j].across);
        force = fmax(force, s->spring[j].force);
    }
    printf("contacts   %zu of %zu that touch carr%s small waves, with up to %.9g%s\n", s->nsprings, s->touching,
           s->nsprings == 1 ? "ies" : "y", force, cli_si(scene, " N"));
    printf("stiffness  %.9g ... %.9g%s along normals", least, most, cli_si(scene, " N/m"));
    if (s->turns)
        printf(", up to %.9g%s across: bodies turn\n", across, cli_si(scene, " N/m"));
    else
        printf(", none across: bodies do not turn\n");
}

/* contacts that were given a force are no state of the scene */
static void print_unrest(const struct carom_scene *scene, const struct carom_springs *s,
                         const struct cli_dispersion *wish)
{
    struct carom_error ignored;
    double unbalanced, force;
    size_t pushed;
    if (!(wish->force > 0.0) && carom_springs_unbalanced(s, scene, &unbalanced, &pushed, &force, &ignored) == CAROM_OK)
        cli_dispersion_unrest(scene, unbalanced, pushed, force);
}

static void print_cell(const struct carom_scene *scene, const struct carom_bands *b)
{
    printf("crystal    %s, %zu bod%s in a cell, around body %zu; edges", b->kind, b->nbodies,
           carom_plural_y(b->nbodies), b->body[0] + 1);
    for (size_t k = 0; k < b->dimension; k++) {
        printf(k > 0 ? ", (" : " (");
        for (size_t i = 0; i < b->dimension; i++)
            printf(i > 0 ? ", %.6g" : "%.6g",
                   fabs(b->edge[k][i]) < 1e-12 * carom_vec_norm(b->edge[k]) ? 0.0 : b->edge[k][i]);
        printf(")");
    }
    printf("%s\n", cli_si(scene, " m"));
}

/* frequencies at the points of the path, and speeds of long waves on the way to them */
static enum carom_status print_points(const struct carom_scene *scene, const struct carom_bands *b, double *omega,
                                      struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    printf("path       ");
    for (size_t p = 0; p < b->npoints; p++)
        printf("%s%s", p > 0 ? " " : "", b->point[p].name);
    printf(", %zu branch%s; frequencies%s:\n", b->nbranches, b->nbranches > 1 ? "es" : "", cli_si(scene, " (Hz)"));
    for (size_t p = 0; p < b->npoints && status == CAROM_OK; p++) {
        bool again = false;
        for (size_t before = 0; before < p; before++)
            again = again || strcmp(b->point[p].name, b->point[before].name) == 0;
        if (again)
            continue;
        status = carom_bands_waves(b, b->point[p].at, omega, error);
        printf("        %s ", b->point[p].name);
        for (size_t k = 0; k < b->nbranches && status == CAROM_OK; k++)
            printf(" %.9g", omega[k] / TWO_PI);
        printf("\n");
    }
    for (size_t p = 0; p + 1 < b->npoints && status == CAROM_OK; p++) {
        double at[3], k[3];
        if (strcmp(b->point[p].name, "G") != 0)
            continue;
        for (int i = 0; i < 3; i++)
            at[i] = LONG_WAVE * b->point[p + 1].at[i];
        carom_bands_vector(b, at, k);
        status = carom_bands_waves(b, at, omega, error);
        printf("sound      towards %s:", b->point[p + 1].name);
        for (size_t i = 0; i < b->dimension && status == CAROM_OK; i++)
            printf("%s %.6g", i > 0 ? "," : "", omega[i] / carom_vec_norm(k));
        printf("%s\n", cli_si(scene, " m/s"));
    }
    return status;
}

static void print_modes(const struct carom_scene *scene, const struct carom_springs_modes *modes)
{
    cli_dispersion_print_modes(scene, modes->count, modes->omega);
    if (modes->count > 0 && modes->omega[0] < 0.0)
        printf("note: numbers below 0 are modes that grow instead of oscillating: the crystal is not stable\n");
}

/* --- tables ------------------------------------------------------------------------------------------------------ */

/* Every part of the path with so many points; gaps that no wave along it fills are gathered on the way. */
static enum carom_status walk(const struct carom_bands *b, size_t points, FILE *out, double *omega, double *low,
                              double *high, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    double way = 0.0;
    for (size_t k = 0; k < b->nbranches; k++) {
        low[k] = HUGE_VAL;
        high[k] = -HUGE_VAL;
    }
    for (size_t p = 0; p + 1 < b->npoints; p++) {
        double from[3], to[3], apart[3];
        carom_bands_vector(b, b->point[p].at, from);
        carom_bands_vector(b, b->point[p + 1].at, to);
        for (int i = 0; i < 3; i++)
            apart[i] = to[i] - from[i];
        for (size_t x = 0; x < points && status == CAROM_OK; x++) {
            const double share = (double)x / (double)(points - 1);
            double at[3], k[3];
            for (int i = 0; i < 3; i++)
                at[i] = (1.0 - share) * b->point[p].at[i] + share * b->point[p + 1].at[i];
            carom_bands_vector(b, at, k);
            status = carom_bands_waves(b, at, omega, error);
            for (size_t n = 0; n < b->nbranches && status == CAROM_OK; n++) {
                const double row[] = {
                    way + share * carom_vec_norm(apart), k[0], k[1], k[2], omega[n], omega[n] / TWO_PI};
                low[n] = fmin(low[n], omega[n]);
                high[n] = fmax(high[n], omega[n]);
                if (out == NULL)
                    continue;
                fprintf(out, "%s-%s,%zu", b->point[p].name, b->point[p + 1].name, n + 1);
                carom_csv_numbers(out, row, sizeof row / sizeof *row);
                putc('\n', out);
            }
        }
        way += carom_vec_norm(apart);
    }
    return status;
}

static void print_gaps(const struct carom_scene *scene, const struct carom_bands *b, const double *low,
                       const double *high)
{
    double top = high[0];
    size_t gaps = 0;
    for (size_t n = 1; n < b->nbranches; n++) {
        if (low[n] > top * (1.0 + 1e-9)) {
            printf("gap        f = %.9g ... %.9g%s along the path\n", top / TWO_PI, low[n] / TWO_PI,
                   cli_si(scene, " Hz"));
            gaps++;
        }
        top = fmax(top, high[n]);
    }
    printf("bands      from f = %.9g to %.9g%s, %zu gap%s between them along the path\n", fmax(low[0], 0.0) / TWO_PI,
           top / TWO_PI, cli_si(scene, " Hz"), gaps, cli_s(gaps));
}

static enum carom_status show_bands(const struct carom_scene *scene, const struct carom_bands *b,
                                    const struct cli_dispersion *wish, struct carom_error *error)
{
    double *omega = carom_memory_zeroed(b->nbranches, 3 * sizeof *omega);
    if (omega == NULL)
        return carom_memory_error(error);
    double *low = omega + b->nbranches, *high = low + b->nbranches;
    enum carom_status status = CAROM_OK;
    if (!wish->quiet) {
        print_cell(scene, b);
        status = print_points(scene, b, omega, error);
    }
    FILE *out = NULL;
    if (status == CAROM_OK && wish->curves &&
        !(out = cli_dispersion_begin(wish->curves, CLI_DISPERSION_BANDS "\n", error)))
        status = error->status;
    if (status == CAROM_OK)
        status = walk(b, wish->points, out, omega, low, high, error);
    if (out)
        status = carom_csv_close(out, wish->curves, status, error);
    if (status == CAROM_OK && !wish->quiet)
        print_gaps(scene, b, low, high);
    carom_memory_free(omega);
    return status;
}

static enum carom_status write_modes(const struct carom_springs_modes *modes, const struct carom_springs *s,
                                     const char *path, struct carom_error *error)
{
    static const char *const plane[] = {"x", "y", "turn"}, *const space[] = {"x",      "y",      "z",
                                                                             "turn_x", "turn_y", "turn_z"};
    FILE *out = cli_dispersion_begin(path, CLI_DISPERSION_HEADING, error);
    if (!out)
        return error->status;
    for (size_t i = 0; i < modes->count && modes->shape; i++)
        fprintf(out, ",u_%zu_%s", modes->body[i] + 1,
                (s->bodies->dimension == 2 ? plane : space)[modes->coordinate[i]]);
    return cli_dispersion_end_modes(out, path, modes->count, modes->omega, modes->shape, error);
}

/* Modes are worked out where somebody looks at them and there are not too many. */
static enum carom_status show_modes(const struct carom_scene *scene, const struct carom_springs *s,
                                    const struct cli_dispersion *wish, struct carom_error *error)
{
    struct carom_springs_modes modes;
    struct carom_error own = {CAROM_OK, ""};
    enum carom_status status = carom_springs_modes_find(s, wish->modes != NULL, &modes, &own);
    if (status == CAROM_E_REFUSED && wish->modes) /* too many for shapes */
        status = carom_springs_modes_find(s, false, &modes, &own);
    if (status == CAROM_E_REFUSED && !wish->modes) {
        if (!wish->quiet)
            printf("modes      not worked out: %s\n", own.text);
        return CAROM_OK;
    }
    if (status != CAROM_OK) {
        *error = own;
        return status;
    }
    if (!wish->quiet)
        print_modes(scene, &modes);
    if (wish->modes)
        status = write_modes(&modes, s, wish->modes, error);
    carom_springs_modes_free(&modes);
    return status;
}

enum carom_status cli_dispersion_crystal(const struct carom_scene *scene, const struct cli_dispersion *wish,
                                         struct carom_error *error)
{
    struct carom_springs springs;
    struct carom_bands bands;
    struct carom_error own = {CAROM_OK, ""};
    enum carom_status status = carom_springs_find(scene, wish->force, wish->prestress, &springs, error);
    if (status != CAROM_OK)
        return status;
    if (!wish->quiet) {
        printf("%s\n", scene->title);
        print_springs(scene, &springs);
        print_unrest(scene, &springs, wish);
    }
    status = carom_bands_find(&springs, &bands, &own);
    if (status == CAROM_OK) {
        status = show_bands(scene, &bands, wish, error);
        carom_bands_free(&bands);
    } else if (status == CAROM_E_REFUSED && !wish->curves) {
        if (!wish->quiet)
            printf("crystal    none: %s\n", own.text);
        status = CAROM_OK;
    } else
        *error = own;
    if (status == CAROM_OK && (wish->modes || !wish->quiet))
        status = show_modes(scene, &springs, wish, error);
    carom_springs_free(&springs);
    return status;
}
