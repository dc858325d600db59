/* Forces at the contacts of a run, looked at after every step, and inside impacts that tell them: the largest of each
 * contact. */
#ifndef CAROM_STUDY_FOLLOW_FORCES_H
#define CAROM_STUDY_FOLLOW_FORCES_H

#include "carom/impact.h"
#include "carom/scheme.h"
#include "scheme/chain/peaks.h"

struct carom_forces {
    struct carom_peaks peaks;     /* nc; peaks.force[2] are the forces last noted */
    double *when;                 /* nc: time of the largest; inside impacts since the impact began */
    double *deform, *rate, *drag; /* scratch */
    struct carom_trace trace;
    double *last[2], *last_time[2]; /* nc: inside an impact, the two samples before */
    double *block;
};

enum carom_status carom_forces_open(struct carom_forces *forces, size_t nc, struct carom_error *error);
void carom_forces_close(struct carom_forces *forces); /* fine for zeros */

/* Listens to the impacts of a stepper, if they have forces to tell: true. `forces` stays where it is meanwhile. */
bool carom_forces_listen(struct carom_forces *forces, struct carom_stepper *stepper);

/* Looks at a view, not before the last one. Pulls are negative and no peak, so that it does not matter for the largest
 * force whether force ends the contact; `clip` makes them 0 where it does. */
void carom_forces_note(struct carom_forces *forces, const struct carom_model *model, const struct carom_state *view,
                       bool clip);

#endif
