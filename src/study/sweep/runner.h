/* The batch runner: scenes in, outputs out. Sweeps hand it several scenes at once, so that equal-shaped ones may be run
 * side by side; results never depend on which scenes share a batch. */
#ifndef CAROM_STUDY_SWEEP_RUNNER_H
#define CAROM_STUDY_SWEEP_RUNNER_H

#include "study/sweep/outputs.h"

#define CAROM_RUNNER_BATCH 16    /* scenes that are handed over at once, at most */
#define CAROM_RUNNER_DEVICE 4096 /* the same where a device runs them: enough to keep a card busy while memory lasts */

struct carom_abreast; /* scheme/abreast.h */

struct carom_runner {
    const struct carom_outputs *outputs;
    double reference_tol;            /* for outputs that are errors */
    const struct carom_watch *watch; /* NULL, or asked now and then; false ends all runs with CAROM_E_STOPPED */
    struct carom_abreast *device;    /* NULL: the processor; a device is for one thread at a time */
};

/* Runs `count` scenes (at most CAROM_RUNNER_BATCH, or CAROM_RUNNER_DEVICE), whose models are used up; NULL entries are
 * passed over. value[i * outputs->count + k] is output k of scene i; where a run fails, its outputs are NaN and
 * error[i] says why (else error[i].status is CAROM_OK, and its text what impacts of the run did that their law does not
 * say or that its errors are not resolved, or ""). */
void carom_runner_batch(const struct carom_runner *runner, struct carom_scene *const *scene, size_t count,
                        double *value, struct carom_error *error);

/* Refuses outputs of bodies and contacts that are not there, before anything is run. */
enum carom_status carom_runner_check(const struct carom_outputs *outputs, const struct carom_scene *scene,
                                     struct carom_error *error);

/* Of that, forces of rigid discs and spheres, which have none. */
enum carom_status carom_runner_forces(const struct carom_outputs *outputs, const struct carom_scene *scene,
                                      struct carom_error *error);

#endif
