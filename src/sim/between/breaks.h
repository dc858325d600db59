/* Times that no step passes, because a load breaks there. */
#ifndef CAROM_SIM_BETWEEN_BREAKS_H
#define CAROM_SIM_BETWEEN_BREAKS_H

#include "carom/sim.h"

struct carom_breaks {
    size_t count;
    double *time;    /* rising */
    uint64_t jumped; /* the last step whose jumps were counted */
};

/* The breaks of all parts' loads; false: out of memory. */
bool carom_breaks_open(struct carom_breaks *breaks, const struct carom_model *model);
void carom_breaks_close(struct carom_breaks *breaks);

/* One more; false: out of memory. */
bool carom_breaks_add(struct carom_breaks *breaks, double t);

/* Is t one of them? */
bool carom_breaks_at(const struct carom_breaks *breaks, double t);

/* How far steps from a state may go: to the next break, but not beyond `until`. */
double carom_breaks_next(const struct carom_breaks *breaks, const struct carom_state *state, double until);

/* Where the last step has ended at a break, the work of loads that jump there goes into the state, once: after
 * samples inside the step, before one at its end. */
void carom_breaks_jump(struct carom_breaks *breaks, struct carom_sim *sim);

#endif
