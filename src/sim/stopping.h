/* Steps that are stopped in the middle, inside a long impact, and done again when the run goes on. */
#ifndef CAROM_SIM_STOPPING_H
#define CAROM_SIM_STOPPING_H

#include "carom/impact.h"
#include "carom/record.h"
#include "carom/sim.h"

struct carom_stopping {
    struct carom_patience patience;
    struct carom_sim *sim;
    struct carom_watch watch; /* who is asked, and when last */
    double watched;
    struct carom_state *state; /* before the step under way; NULL: its steps are never stopped */
    struct carom_counts counts;
    struct carom_blunders blunders;
    uint64_t impacts, forces;             /* recorded before it */
    uint64_t known_impacts, known_forces; /* recorded in a step that was stopped: they will be told once more */
    uint64_t were_impacts, were_forces;   /* those, before the step under way */
    uint64_t heard;                       /* forces so far */
    bool tired;                           /* whoever waits was, while forces were told: this step does not count */
};

/* Room to keep a state of this sim, if its scheme can be stopped. Close also after failure. */
enum carom_status carom_stopping_open(struct carom_stopping *stopping, const struct carom_sim *sim,
                                      struct carom_error *error);
void carom_stopping_close(struct carom_stopping *stopping);

/* From now on impacts ask this watch; NULL: nobody. */
void carom_stopping_ask(struct carom_stopping *stopping, struct carom_sim *sim, const struct carom_watch *watch);

/* A force inside an impact was told: they, too, may take long. */
void carom_stopping_hear(struct carom_stopping *stopping);

/* Keeps what is there before a step. */
void carom_stopping_keep(struct carom_stopping *stopping, const struct carom_sim *sim);

/* A step was stopped: back to before it. */
void carom_stopping_retreat(struct carom_stopping *stopping, struct carom_sim *sim);

/* A checkpoint; of a stopped step nothing counts as told. */
enum carom_status carom_stopping_save(const struct carom_stopping *stopping, struct carom_sim *sim,
                                      struct carom_error *error);

#endif
