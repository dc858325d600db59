/* Flights of models whose motion has no closed form: steps of Dormand and Prince's with error control, gaps and forces
 * of held contacts watched along the dense output. A flight ends at an event or with the integrator's step. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_FLIGHT_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_FLIGHT_H

#include "scheme/rigid/event/event.h"

/* Held contacts have been taken (event_smooth.h) from the start of the flight, here and for moments inside it. Flies
 * from `state` for at most `limit`: when the flight ends, and at which contact. Changes only what the state
 * remembers of step sizes. */
enum carom_status carom_event_flight_next(struct carom_stepper *stepper, struct carom_state *state, double limit,
                                          struct carom_event_next *next, struct carom_error *error);

/* The end of that flight, which is at t. */
void carom_event_flight_move(struct carom_stepper *stepper, double t, struct carom_state *state);

/* A moment inside it; `from` is its start. */
void carom_event_flight_dense(struct carom_stepper *stepper, const struct carom_state *from, double t,
                              struct carom_state *view);

#endif
