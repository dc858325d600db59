/* What happens at one instant: impacts until nothing that touches approaches, then which contacts stay held. */
#ifndef CAROM_SCHEME_RIGID_EVENT_SETS_H
#define CAROM_SCHEME_RIGID_EVENT_SETS_H

#include "scheme/rigid/event.h"

/* Settles the state at its time. Contact `hit` (nc: none) has just closed, or, if `part`, lost its force. On failure
 * the state is spoilt. */
enum carom_status carom_event_sets_settle(struct carom_stepper *stepper, struct carom_state *state, size_t hit,
                                          bool part, struct carom_error *error);

#endif
