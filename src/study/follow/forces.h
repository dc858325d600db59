/* Forces at the rigid contacts of a run, looked at after every step, and inside impacts that tell them: the largest of
 * each contact, or of all where contacts come and go. Of contacts that give way the book knows (track.h). */
#ifndef CAROM_STUDY_FOLLOW_FORCES_H
#define CAROM_STUDY_FOLLOW_FORCES_H

#include "carom/impact.h"
#include "carom/record.h"
#include "carom/scheme.h"
#include "model/peak_force.h"

/* The largest force inside impacts of a pair of bodies (carom_event_pair), or of all (0). */
struct carom_forces_top {
    uint64_t pair;
    struct carom_episode episode; /* the pair, the force and when; pair 0: none has acted */
};

struct carom_forces {
    struct carom_peak_force peak;      /* nc; times inside impacts are since the impact began */
    struct carom_peak_samples *inside; /* nc: of impacts that tell forces, else NULL */
    struct carom_forces_top *top;      /* ntops, the caller's: what is asked of contacts that come and go */
    size_t ntops;
    struct carom_trace trace;
};

enum carom_status carom_forces_open(struct carom_forces *forces, const struct carom_model *model,
                                    struct carom_error *error);
void carom_forces_close(struct carom_forces *forces); /* fine for zeros */

/* Do impacts tell the forces inside them? Those with friction do not. */
bool carom_forces_told(const struct carom_stepper *stepper);

/* Listens to the impacts of a stepper, if they have forces to tell. `forces` stays where it is meanwhile. */
enum carom_status carom_forces_listen(struct carom_forces *forces, struct carom_stepper *stepper,
                                      struct carom_error *error);

/* The end of the run: the peaks are known. */
void carom_forces_end(struct carom_forces *forces);

#endif
