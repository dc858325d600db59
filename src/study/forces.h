/* Forces at the contacts of a run, looked at after every step: the largest of each contact. */
#ifndef CAROM_STUDY_FORCES_H
#define CAROM_STUDY_FORCES_H

#include "carom/state.h"
#include "scheme/peaks.h"

struct carom_forces {
    struct carom_peaks peaks;     /* nc; peaks.force[2] are the forces last noted */
    double *deform, *rate, *drag; /* scratch */
    double *block;
};

enum carom_status carom_forces_open(struct carom_forces *forces, size_t nc, struct carom_error *error);
void carom_forces_close(struct carom_forces *forces); /* fine for zeros */

/* Looks at a view, not before the last one. Pulls are negative and no peak, so that it does not matter for the largest
 * force whether force ends the contact; `clip` makes them 0 where it does. */
void carom_forces_note(struct carom_forces *forces, const struct carom_model *model, const struct carom_state *view,
                       bool clip);

#endif
