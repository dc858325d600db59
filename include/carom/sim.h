/* A sim ties model, state, scheme and recorder together and runs the loop: step, record, watch, stop. */
#ifndef CAROM_SIM_H
#define CAROM_SIM_H

#include "carom/record.h"

struct carom_sim;

/* What a sim is made of. The sim takes over model, options and recorder, also if creating it fails. */
struct carom_setup {
    struct carom_model *model;
    const struct carom_scheme *scheme;
    void *options;    /* from carom_options_create, or NULL: the scheme's defaults */
    const double *q, *v; /* start, copied */
    double until;
    size_t threads;                  /* 0: as many as pay */
    struct carom_recorder *recorder; /* NULL: nothing is recorded */
    struct carom_origin origin;      /* copied for run files */
    double checkpoint_every;         /* seconds of wall time, 0: only at start and end, below 0: never */
};

/* Called now and then; returning false stops the run with CAROM_E_STOPPED after a checkpoint. */
struct carom_watch {
    bool (*call)(void *own, const struct carom_sim *sim);
    void *own;
    double seconds; /* wall time between calls */
};

struct carom_sim {
    struct carom_model *model;
    struct carom_state *state; /* the scheme's variables */
    struct carom_state *view;  /* physical, as of the last sample or carom_sim_sync */
    struct carom_stepper *stepper;
    struct carom_recorder *recorder;
    struct carom_threads *threads;
    struct carom_scales scales;
    double until;
    const char *phase; /* what is going on: "pilot runs" or "run" */
    double progress;   /* of that phase, 0 to 1 */
    double estimate;   /* of the error over the whole run, in units of the scales; 0: none was made */
    void *own;         /* the loop's */
};

/* A block of a scheme's options, filled with the defaults of its table. */
void *carom_options_create(const struct carom_kind *kind);
/* Sets one option by its name; unknown names and values out of range are refused. */
enum carom_status carom_options_set(const struct carom_kind *kind, void *options, const char *name, double value,
                                    struct carom_error *error);
void carom_options_free(void *options);

struct carom_sim *carom_sim_create(const struct carom_setup *setup, struct carom_error *error);
void carom_sim_free(struct carom_sim *sim);

/* Runs to `until`. On CAROM_E_STOPPED it may be called again. A scheme with an option `share` that is 0 first flies
 * two pilot runs, which tell how errors grow in this scene, so that `tol` holds for the whole run. */
enum carom_status carom_sim_run(struct carom_sim *sim, const struct carom_watch *watch, struct carom_error *error);

/* Continues from a checkpoint instead of the start: call before the first carom_sim_run. */
enum carom_status carom_sim_restore(struct carom_sim *sim, const struct carom_checkpoint *checkpoint,
                                    struct carom_error *error);

/* The pilot runs alone, which carom_sim_run flies by itself: for those who step a sim from outside. */
enum carom_status carom_sim_prepare(struct carom_sim *sim, const struct carom_watch *watch, struct carom_error *error);

/* For them, too: from now on impacts that take long ask this watch (copied; NULL: nobody), and a step that is stopped
 * ends with CAROM_E_STOPPED. carom_sim_run asks its own. */
void carom_sim_heed(struct carom_sim *sim, const struct carom_watch *watch);

/* Makes sim->view the physical state of now. */
void carom_sim_sync(struct carom_sim *sim);

#endif
