/* The batch runner: scenes in, outputs out. Sweeps hand it several scenes at once, so that equal-shaped ones may be run
 * side by side; results never depend on which scenes share a batch. */
#ifndef CAROM_STUDY_SWEEP_RUNNER_H
#define CAROM_STUDY_SWEEP_RUNNER_H

#include "study/sweep/outputs.h"

#define CAROM_RUNNER_BATCH 16 /* scenes that are handed over at once, at most */

struct carom_runner {
    const struct carom_outputs *outputs;
    double reference_tol;            /* for outputs that are errors */
    const struct carom_watch *watch; /* NULL, or asked now and then; false ends all runs with CAROM_E_STOPPED */
};

/* Runs `count` scenes (at most CAROM_RUNNER_BATCH), whose models are used up; NULL entries are passed over.
 * value[i * outputs->count + k] is output k of scene i; where a run fails, its outputs are NaN and error[i] says why
 * (else error[i].status is CAROM_OK). */
void carom_runner_batch(const struct carom_runner *runner, struct carom_scene *const *scene, size_t count,
                        double *value, struct carom_error *error);

#endif
