/* The end of an impact: what still approaches, a remainder or by rounding, is stopped, all at once and without
 * rebound. */
#ifndef CAROM_IMPACT_PLASTIC_H
#define CAROM_IMPACT_PLASTIC_H

#include "carom/impact.h"
#include "solve/contact/lcp.h"

/* Numbers of the contacts, room for the set each; rates before and after, impulses. */
struct carom_plastic {
    struct carom_lcp_room *room;
    double *before, *after, *impulse;
};

/* Stops what approaches in collision->after and adds impulses and losses to the answers. `name` is that of the impact,
 * for the sentence where bodies cannot be brought to rest. */
enum carom_status carom_plastic_stop(const struct carom_plastic *work, struct carom_collision *collision,
                                     const char *name, struct carom_error *error);

#endif
