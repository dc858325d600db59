/* Eigenfrequencies of a solid: all of a small one from study/lattice.c, the lowest of a large or loaded one, and
 * shapes, from study/vibration.c. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/solid.h"
#include "dispersion.h"
#include "record/export/csv.h"
#include "study/lattice.h"
#include "study/vibration.h"

#define TWO_PI 6.28318530717958647692

enum { ALL = 2000, FEW = 20 }; /* coordinates up to which all frequencies are found; lines on the screen */

/* frequencies; of what is unstable, below 0, how fast it grows */
struct modes {
    size_t count;
    double *omega;
    bool few; /* not all that there are */
};

/* rounding leaves something of either sign to rigid motions */
static void take_roots(const struct carom_vibration *found, double *omega)
{
    const double slight = 1e-7 * fabs(found->square[found->count - 1]);
    for (size_t i = 0; i < found->count; i++)
        omega[i] = fabs(found->square[i]) < slight ? 0.0
                   : found->square[i] > 0.0        ? sqrt(found->square[i])
                                                   : -sqrt(-found->square[i]);
}

static enum carom_status write_modes(const char *path, const struct modes *modes, struct carom_error *error)
{
    FILE *out = cli_dispersion_begin(path, CLI_DISPERSION_HEADING, error);
    return out ? cli_dispersion_end_modes(out, path, modes->count, modes->omega, NULL, error) : error->status;
}

/* a line for every mode and cell, which count from 1 */
static enum carom_status write_shapes(const char *path, const struct carom_solid *solid, const double *omega,
                                      const struct carom_vibration *found, struct carom_error *error)
{
    const size_t d = (size_t)solid->dimension, nv = solid->fast * solid->n;
    FILE *out = cli_dispersion_begin(path,
                                     d == 2 ? CLI_DISPERSION_SHAPES ",u_x,u_y,turn\n"
                                            : CLI_DISPERSION_SHAPES ",z,u_x,u_y,u_z,turn_x,turn_y,turn_z\n",
                                     error);
    if (!out)
        return error->status;
    for (size_t i = 0; i < found->count; i++)
        for (size_t cell = 0; cell < solid->n; cell++) {
            fprintf(out, "%zu", i + 1);
            carom_csv_numbers(out, &omega[i], 1);
            fprintf(out, ",%zu", cell + 1);
            carom_csv_numbers(out, solid->centre[cell], d);
            carom_csv_numbers(out, found->shape + i * nv + solid->fast * cell, solid->fast);
            putc('\n', out);
        }
    return carom_csv_close(out, path, CAROM_OK, error);
}

static void print_modes(const struct carom_scene *scene, const struct modes *modes, const char *state)
{
    printf("modes      %s%zu, frequency%s and omega%s%s\n", modes->few ? "the lowest " : "", modes->count,
           scene->si ? " (Hz)" : "", scene->si ? " (1/s)" : "", state);
    for (size_t i = 0; i < modes->count && i < FEW; i++)
        if (modes->omega[i] < 0.0)
            printf("%9zu  unstable: grows as exp(%.12g t)\n", i + 1, -modes->omega[i]);
        else
            printf("%9zu  %-18.12g %.12g\n", i + 1, modes->omega[i] / TWO_PI, modes->omega[i]);
    if (modes->count > FEW)
        printf("           ... --modes FILE.csv writes all\n");
}

static enum carom_status find(const struct carom_scene *scene, const struct carom_solid *solid,
                              const struct cli_dispersion *wish, struct modes *modes, struct carom_vibration *found,
                              struct carom_error *error)
{
    if (carom_solid_fracture_area(solid, scene->q) > 0.0)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "a body with cracks has no modes: their faces push and do not pull; leave out cracks");
    modes->few = solid->fast * solid->n > ALL || wish->prestress;
    if (!modes->few) {
        const enum carom_status status = carom_lattice_modes(solid, modes->omega, ALL, &modes->count, error);
        if (status != CAROM_OK || !wish->shapes)
            return status;
    }
    const enum carom_status status =
        carom_vibration_find(solid, wish->prestress ? scene->q : NULL, wish->count, found, error);
    if (status == CAROM_OK && modes->few) {
        modes->count = found->count;
        take_roots(found, modes->omega);
    }
    return status;
}

enum carom_status cli_dispersion_modes(const struct carom_scene *scene, const struct cli_dispersion *wish,
                                       struct carom_error *error)
{
    struct carom_solid body = *carom_solid_at(scene->model, 0);
    const struct carom_solid *solid = &body;
    const bool loaded = body.nloads > 0;
    for (size_t l = 0; wish->prestress && l < body.nloads; l++)
        if (body.load[l].push == CAROM_SOLID_PRESSURE)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "--prestress: a pressure follows its face and has no potential, so that modes about "
                                   "it are not worked out; a traction keeps its direction");
    if (!wish->prestress) /* loads that hang on faces would stiffen them */
        body.nloads = body.nentries = 0;
    struct modes modes = {.omega = carom_memory_zeroed(ALL, sizeof *modes.omega)};
    struct carom_vibration found = {0};
    struct carom_error own = {CAROM_OK, ""};
    if (!modes.omega)
        return carom_memory_error(error);
    enum carom_status status = find(scene, solid, wish, &modes, &found, &own);
    if (status != CAROM_OK && (wish->modes || wish->shapes || wish->prestress)) {
        *error = own;
    } else if (status != CAROM_OK) {
        if (!wish->quiet)
            printf("modes      not worked out: %s\n", own.text);
        status = CAROM_OK;
    } else {
        if (!wish->quiet)
            print_modes(scene, &modes,
                        wish->prestress ? ", about the start, under the loads of time 0"
                        : loaded        ? ", of the unloaded body"
                                        : "");
        if (wish->modes)
            status = write_modes(wish->modes, &modes, error);
        if (status == CAROM_OK && wish->shapes)
            status = write_shapes(wish->shapes, solid, modes.omega, &found, error);
    }
    carom_vibration_free(&found);
    carom_memory_free(modes.omega);
    return status;
}
