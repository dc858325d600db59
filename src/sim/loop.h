/* What a sim keeps for its loop: times no step passes, who is told and asked, and what has been recorded. */
#ifndef CAROM_SIM_LOOP_H
#define CAROM_SIM_LOOP_H

#include "carom/impact.h"
#include "sim/between/breaks.h"
#include "sim/between/events.h"
#include "sim/between/events_list.h"
#include "sim/book/episodes.h"
#include "sim/book/episodes_list.h"
#include "sim/stopping.h"

struct carom_loop {
    struct carom_origin origin; /* strings copied */
    void *options;
    struct carom_breaks breaks; /* times no step passes */
    bool lent;                  /* the model is somebody else's */
    double checkpoint_every;
    bool begun, prepared, ended;  /* the recorder is open; pilots have been flown; the recorder is closed */
    bool dense;                   /* the last step can be looked into */
    size_t burst;                 /* where steps take long: so many a call, so that it takes about a second */
    struct carom_watch watch;     /* who is asked between calls of the scheme */
    struct carom_sim *whole;      /* the sim it is asked about: this one or, of a flight, the one it flies for */
    double flushed, saved, asked; /* wall times */
    uint64_t looked;              /* the step then */
    uint64_t rows, found;         /* where a restored run goes on: samples, events */
    double last_sample;
    double next_after, next; /* the sample after the one at this time, which is asked for at every call */
    struct carom_events events;
    struct carom_events_list listed; /* where contacts come and go */
    struct carom_episodes book;
    struct carom_episodes_list pairs; /* the book where contacts come and go */
    bool acting;                      /* was a contact closed when the last call of the scheme began? */
    double recent;                    /* and when had one that comes and goes closed last? */
    size_t outside;                   /* bodies that had left when the session began; SIZE_MAX: not counted yet */
    struct carom_stopping stopping;
    struct carom_trace trace; /* forces inside impacts go to the recorder */
    double trace_every;       /* how far apart they are wanted, and how many in all */
    uint64_t trace_most;
    uint64_t impacts, forces, episodes; /* of earlier sessions */
    double changes, changed;            /* how often somebody has set the state, and when first */
    bool unsettled;                     /* pilots: tighter ones do not agree better, */
    double settled;                     /* and until when they do by tol */
    bool unsaved;                       /* that since the last checkpoint */
    struct carom_error *told;           /* the error of the step under way */
    enum carom_status heard;            /* what the recorder said */
};

/* Can a sim be made of this? */
enum carom_status carom_sim_setup_check(const struct carom_setup *setup, struct carom_error *error);

/* Does it get on? Asked after each call of the scheme. */
enum carom_status carom_sim_pace(const struct carom_sim *sim, struct carom_error *error);

/* All of the state is in this process, for who looks at it; ranks may have parts of it. */
enum carom_status carom_sim_ranks_whole(struct carom_sim *sim, struct carom_error *error);

/* Makes sim->view the physical state at t: now, or inside the last step. Nothing is checked; carom_sim_to does. */
void carom_sim_view(struct carom_sim *sim, double t);

/* Kinetic and stored, as the view has them. */
double carom_sim_energy(const struct carom_sim *sim);

/* The physical state in sim->view, as the scheme's variables. */
enum carom_status carom_sim_start(const struct carom_sim *sim, struct carom_stepper *stepper, struct carom_state *state,
                                  struct carom_error *error);

/* Goes on from the view, which somebody has changed, with another stepper; a failure leaves the sim as it was. */
enum carom_status carom_sim_set_renew(struct carom_sim *sim, struct carom_error *error);

/* A second sim of the same model, which it borrows, from the state in sim->view, under the same scheme with some
 * options changed; nothing is recorded. The watch is shown `sim` instead. Free with carom_sim_free, before `sim`. */
struct carom_flight_option {
    const char *name;
    double value;
};
struct carom_sim *carom_sim_flight(struct carom_sim *sim, const struct carom_watch *watch,
                                   const struct carom_flight_option *option, size_t count, struct carom_error *error);

/* Has the stepper take its steps on the device of that name, which is opened, or NULL for the processor. `at`, if there
 * is one, stands before refusals. */
enum carom_status carom_sim_device(struct carom_stepper *stepper, const char *name, const char *at,
                                   struct carom_device **device, struct carom_error *error);

/* Ranks share the steps of a sim from now on: those but the first work in here until the first frees its own. */
enum carom_status carom_sim_ranks(struct carom_sim *sim, struct carom_ranks *ranks, struct carom_error *error);

/* A stepper for the sim's model, on its device if it has one. */
struct carom_stepper *carom_sim_stepper(struct carom_sim *sim, const struct carom_scheme *scheme,
                                        struct carom_error *error);

#endif
