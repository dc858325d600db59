/* A run that is followed from outside: its physical state is asked for step by step, or at rising times. Several tracks
 * can go on side by side, so that runs are compared without keeping any of them. Steps are those of a plain run. */
#ifndef CAROM_STUDY_FOLLOW_TRACK_H
#define CAROM_STUDY_FOLLOW_TRACK_H

#include "carom/progress.h"
#include "carom/scene.h"
#include "sim/breaks.h"

struct carom_track {
    struct carom_sim *sim;      /* sim->view is the physical state last asked for */
    double step;                /* of a scheme with a fixed one; 0: it chooses its own */
    struct carom_breaks breaks; /* times no step passes */
};

/* A watch that asks a study's progress: {.call = carom_track_ask, .own = asker}. */
struct carom_track_asker {
    const struct carom_progress *progress;
};
bool carom_track_ask(void *asker, const struct carom_sim *sim);

/* Begins a run of the scene, whose model and options are used up, also on failure. The view is the start. Pilot
 * runs are flown as for any run; `watch` (or NULL), whose owner outlives the track, may stop them and long impacts. */
enum carom_status carom_track_open(struct carom_track *track, struct carom_scene *scene,
                                   const struct carom_watch *watch, struct carom_error *error);
void carom_track_close(struct carom_track *track); /* fine for a zeroed track */

/* The run has come to its end; or, with a fixed step, no whole step is left. */
bool carom_track_ended(const struct carom_track *track);
bool carom_track_no_whole_step(const struct carom_track *track);

/* One step of the scheme's own choosing; the view is its end. */
enum carom_status carom_track_step(struct carom_track *track, struct carom_error *error);

/* Up to `steps` steps, but not beyond the one that reaches t; the view is left alone. */
enum carom_status carom_track_advance(struct carom_track *track, double t, size_t steps, struct carom_error *error);

/* On to time t, not before the last one asked for; the view is the state at t, by dense output inside a step. */
enum carom_status carom_track_to(struct carom_track *track, double t, struct carom_error *error);

#endif
