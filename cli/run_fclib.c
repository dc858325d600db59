/* carom run --fclib: the contact problems of a run's steps, as files that carom solve and others read. */
#include "run_fclib.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "record/export/fclib.h"

/* A name that ends so is one file, the last step's; others are folders. */
static bool is_file(const char *to)
{
    const char *dot = strrchr(to, '.');
    return dot && (strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".h5") == 0);
}

enum carom_status cli_fclib_begin(const struct carom_sim *sim, const char *to, struct carom_error *error)
{
    const struct carom_scheme *scheme = sim->stepper->scheme;
    if (!scheme->problem)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "--fclib: scheme %s solves no contact problem of this scene that could be written; "
                               "moreau-jean does, of discs, spheres and bodies with corners",
                               scheme->kind.name);
    if (is_file(to) || mkdir(to, 0777) == 0 || errno == EEXIST)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_FILE, "--fclib %s: cannot be made: %s", to, strerror(errno));
}

/* the problem of the last step, if it had contacts; of a refused one what was being solved, with the best impulses */
static enum carom_status write_step(struct carom_sim *sim, const struct carom_scene *scene, const char *to,
                                    bool refused, size_t *written, struct carom_error *error)
{
    const unsigned long long step = sim->state->step + refused;
    struct carom_friction_data data;
    char path[1200], title[200];
    double *r, *u;
    enum carom_status status = sim->stepper->scheme->problem(sim->stepper, &data, &r, &u, error);
    if (status != CAROM_OK || data.n == 0)
        return status;
    snprintf(title, sizeof title, "%.120s, step %llu %s t = %.9g", scene->title ? scene->title : "", step,
             refused ? "refused at" : "to", sim->state->time);
    if (is_file(to))
        snprintf(path, sizeof path, "%s", to);
    else
        snprintf(path, sizeof path, "%s/step-%08llu%s.hdf5", to, step, refused ? "-refused" : "");
    status = strlen(to) > 1100 ? carom_error_set(error, CAROM_E_FILE, "--fclib: the name is too long")
                               : carom_fclib_write(path, title, &data, r, u, error);
    *written += status == CAROM_OK;
    carom_friction_data_close(&data);
    carom_memory_free_all(r, u);
    return status;
}

int cli_fclib_run(struct carom_sim *sim, const struct carom_scene *scene, bool quiet, const struct cli_output *output,
                  const char *to)
{
    struct carom_error error = {CAROM_OK, ""};
    struct cli_progress progress;
    size_t written = 0;
    cli_progress_begin(&progress, quiet);
    const struct carom_watch watch = {cli_progress_watch, &progress, 0.05};
    carom_sim_watch(sim, &watch);
    enum carom_status status = CAROM_OK;
    while (status == CAROM_OK && !carom_sim_ended(sim)) {
        status = carom_sim_step(sim, 1, &error);
        if (status == CAROM_OK)
            status = write_step(sim, scene, to, false, &written, &error);
    }
    carom_sim_watch(sim, NULL);
    cli_progress_end(&progress);
    struct carom_error other; /* what stopped the run is what is told */
    if (status == CAROM_E_NUMERIC)
        write_step(sim, scene, to, true, &written, &other);
    if (status != CAROM_OK)
        return cli_run_fail(sim, scene, output, &error);
    if (!quiet) {
        cli_run_summary(sim, scene, cli_progress_seconds(&progress), output);
        printf("problems   %zu step%s with contacts, %s %s\n", written, written == 1 ? "" : "s",
               is_file(to) ? "the last one in" : "each a file in", to);
    }
    return CAROM_OK;
}
