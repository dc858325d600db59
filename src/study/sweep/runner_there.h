/* What runners of one scene, of several side by side and of batches on a device take from each other. */
#ifndef CAROM_STUDY_SWEEP_RUNNER_THERE_H
#define CAROM_STUDY_SWEEP_RUNNER_THERE_H

#include "study/follow/track.h"
#include "study/sweep/runner.h"

bool carom_runner_stopped(const struct carom_runner *runner, const struct carom_sim *sim);

/* The track of a scene, whose model is used up, if the outputs can be had of it. */
enum carom_status carom_runner_open(const struct carom_runner *runner, struct carom_scene *scene,
                                    struct carom_track *track, struct carom_error *error);

/* After a run: its outputs. largest: force of each contact, if any output is one. */
enum carom_status carom_runner_read(const struct carom_runner *runner, const struct carom_scene *scene,
                                    const struct carom_track *track, const double *largest, double *value,
                                    struct carom_error *error);

/* Runs a track that has been opened. */
enum carom_status carom_runner_opened(const struct carom_runner *runner, const struct carom_scene *scene,
                                      struct carom_track *track, double *value, struct carom_error *error);

/* Runs a scene, whose model is used up. */
enum carom_status carom_runner_alone(const struct carom_runner *runner, struct carom_scene *scene, double *value,
                                     struct carom_error *error);

/* Runs a scene, whose model has been used up, once more and alone on the processor. */
enum carom_status carom_runner_again(const struct carom_runner *runner, const struct carom_scene *scene, double *value,
                                     struct carom_error *error);

/* Work on each of `count` scenes of a batch: where it goes to a device, by the threads that see to it there. */
void carom_runner_each(const struct carom_runner *runner, void (*work)(void *own, size_t i), void *own, size_t count);

/* Refuses schemes that go side by side on no device; NULL: each run has its own. */
enum carom_status carom_runner_there_accept(const struct carom_scheme *scheme, struct carom_error *error);

/* The scene's device with what runs batches on it and `threads` (0: as many as there are cores) that see to them; both
 * stay NULL where it is none, and the second where no batches are run. Refuses what is not accepted, and any device
 * where there are ranks; says where it was asked for. */
struct carom_ranks; /* rank/rank.h */
struct carom_runner_place {
    struct carom_device *device;
    struct carom_abreast *batch;
    char text[400]; /* its name and driver, for people; empty: none */
};
enum carom_status carom_runner_there_open(struct carom_runner_place *place, const struct carom_scene *scene,
                                          bool batches, const struct carom_scheme *scheme, size_t threads,
                                          const struct carom_ranks *ranks, struct carom_error *error);
void carom_runner_there_close(struct carom_runner_place *place); /* fine for zeros */

/* carom_runner_batch on the processor */
void carom_runner_lanes(const struct carom_runner *runner, struct carom_scene *const *scene, size_t count,
                        double *value, struct carom_error *error);

/* carom_runner_batch on runner->device */
void carom_runner_there(const struct carom_runner *runner, struct carom_scene *const *scene, size_t count,
                        double *value, struct carom_error *error);

#endif
