/* A sim ties model, state, scheme and recorder together and runs the loop: step, record, watch, stop. */
#ifndef CAROM_SIM_H
#define CAROM_SIM_H

#include "carom/record.h"

CAROM_BEGIN

struct carom_sim;

/* What a sim is made of. The sim takes over model, options and recorder, also if creating it fails. */
struct carom_setup {
    struct carom_model *model;
    bool lent; /* the model stays the caller's, who frees it after the sim: several sims may run on it, also at once */
    const struct carom_scheme *scheme;
    void *options;                         /* from carom_options_create, or NULL: the scheme's defaults */
    const double *q, *v;                   /* start, copied */
    const struct carom_contacts *contacts; /* that come and go: what they remember, copied; NULL: nothing */
    double until;
    size_t threads;                  /* 0: as many as pay */
    const char *device;              /* as carom_device_open has it; NULL or "none": the processor */
    const char *device_at;           /* who asked for it, put before sentences that refuse it; NULL or "": nobody */
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
    struct carom_state *view;  /* physical, as of the last sample, or where a call below leaves it */
    struct carom_stepper *stepper;
    struct carom_recorder *recorder;
    struct carom_threads *threads;
    struct carom_device *device; /* NULL: the processor */
    struct carom_ranks *ranks;   /* that share the steps; NULL: this process alone */
    struct carom_scales scales;
    double until;
    const char *phase; /* what is going on: "run", or words that begin with "pilot runs", others for each pair */
    double progress;   /* of that phase, 0 to 1 */
    double estimate;   /* of the error over the whole run, in units of the scales; 0: none was made */
    double growth;     /* how many times the error of a single step is larger at the end; 0: not known */
    double horizon;    /* where the estimate is more than tol: until when it is not, as far as known; else 0 */
    double sight;      /* when errors that grow at this pace would be as large as the scales, whatever tol; 0: never */
    double flown;      /* how far pilot runs went that tell these; 0: none did, or nobody knows */
    double since;      /* where the run was resumed; 0: it began at its start */
    double unbalanced; /* residual of the ledger over what was put in, at the end, if over a tenth; else 0 */
    void *own;         /* the loop's */
};

/* A block of a scheme's options, filled with the defaults of its table. */
void *carom_options_create(const struct carom_kind *kind);
/* Sets one option by its name; unknown names and values out of range are refused. */
enum carom_status carom_options_set(const struct carom_kind *kind, void *options, const char *name, double value,
                                    struct carom_error *error);
/* Sets one that is a choice, by the word a scene would use: "impact", "lzb". */
enum carom_status carom_options_choose(const struct carom_kind *kind, void *options, const char *name,
                                       const char *choice, struct carom_error *error);
void carom_options_free(void *options);

struct carom_sim *carom_sim_create(const struct carom_setup *setup, struct carom_error *error);
void carom_sim_free(struct carom_sim *sim);

/* Three ways to go on, in any order: they take the same steps, to the bit, and record, save checkpoints and locate
 * events alike. Before the first step a scheme with an option `share` that is 0 flies two pilot runs, which tell how
 * errors grow in this scene, so that `tol` holds for the whole run. What is recorded is complete when `until` is
 * reached. A failed step leaves the state as it was; after CAROM_E_STOPPED one may go on. */

/* To `until`. */
enum carom_status carom_sim_run(struct carom_sim *sim, const struct carom_watch *watch, struct carom_error *error);

/* So many steps of the scheme's own choosing, none past a break of a load, fewer only where the run ends; there, none.
 * The view is the state then. After a single step sim->stepper tells about it: `before` is where it began, `event`
 * what happened, if the scheme tells, else `switched` whether contacts may have opened or closed. */
enum carom_status carom_sim_step(struct carom_sim *sim, size_t steps, struct carom_error *error);

/* Until time t is reached; the view is the state at exactly t, by dense output where a step passes it, so that looking
 * changes no step. t may lie anywhere from the start of the last step to `until`. */
enum carom_status carom_sim_to(struct carom_sim *sim, double t, struct carom_error *error);

/* From now on no step passes t, as if a load broke there: so a sim can be changed at exactly t. Unlike looking this
 * makes other steps. */
enum carom_status carom_sim_break(struct carom_sim *sim, double t, struct carom_error *error);

/* Has `until` been reached? */
bool carom_sim_ended(const struct carom_sim *sim);

/* Who is asked while carom_sim_step and carom_sim_to are at work, also inside impacts that take long (copied; NULL:
 * nobody). carom_sim_run asks its own. */
void carom_sim_watch(struct carom_sim *sim, const struct carom_watch *watch);

/* Makes sim->view the physical state of now. */
void carom_sim_sync(struct carom_sim *sim);

/* Goes on from other physical coordinates and velocities (NULL: those of now), which the view then has. `Now` is the
 * end of the last step, where carom_sim_to may have looked back from: see carom_sim_break. Time, losses and the laws'
 * history stay; scales do not change, motions that are prescribed neither, and what kinetic and stored energy change by
 * counts as work. The scheme starts anew: sim->stepper is another one. Refused, as at the start: rigid bodies that
 * overlap, numbers that are not finite; the sim is then as it was. */
enum carom_status carom_sim_set(struct carom_sim *sim, const double *q, const double *v, struct carom_error *error);

/* Continues from a checkpoint instead of the start: call before the first step. */
enum carom_status carom_sim_restore(struct carom_sim *sim, const struct carom_checkpoint *checkpoint,
                                    struct carom_error *error);

/* The pilot runs alone, for those who want them flown before the first step, under a watch of their own. */
enum carom_status carom_sim_prepare(struct carom_sim *sim, const struct carom_watch *watch, struct carom_error *error);

CAROM_END

#endif
