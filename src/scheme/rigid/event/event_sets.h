/* What happens at one instant: impacts until nothing that touches approaches, then which contacts stay held. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_SETS_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_SETS_H

#include "scheme/rigid/event/event.h"

/* Settles the state at its time. Contact `hit` (nc: none) has just closed, or, if `part`, lost its force. On failure
 * the state is spoilt. */
enum carom_status carom_event_sets_settle(struct carom_stepper *stepper, struct carom_state *state, size_t hit,
                                          bool part, struct carom_error *error);

/* Do impacts of several contacts that begin at `hit` die out in a moment? Then they are over: the state is as after
 * them, their contacts touch, and events are told. `zone` and w->collapse.shut: see collapse.h. */
bool carom_event_sets_collapse(struct carom_stepper *stepper, struct carom_frame *frame, struct carom_state *state,
                               size_t hit, double zone);

/* Bounces of contact j as they die out: has each of the last few impacts been weaker than the one before, and when are
 * the flights that would follow over? They take 2 r / |y''| (1 + ratio + ratio^2 + ...). */
bool carom_event_sets_fades(const struct carom_event_work *w, const struct carom_state *state, size_t j);
double carom_event_sets_rest_time(const struct carom_event_work *w, const struct carom_state *state, size_t j);

/* What contacts remember of their impacts, and what they tell of having become held or free. */
void carom_event_sets_conclude(struct carom_event_work *w, struct carom_state *state);

#endif
