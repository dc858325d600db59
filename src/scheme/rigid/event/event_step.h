/* Steps of Dormand and Prince's from s->start to s->end, and how long they may be. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_STEP_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_STEP_H

#include "scheme/rigid/event/event.h"

/* The stages of a step of size h; the last moment of a step belongs to it, though loads may break there. */
void carom_event_step_stages(struct carom_stepper *stepper, double t, double h);

/* A step that keeps the local error; *size is tried first and becomes what to try next. Returns the step, 0: none. */
double carom_event_step_controlled(struct carom_stepper *stepper, double t, double allowed, double limit, double *size);

/* A step shorter than times can tell: nothing happens in it. */
double carom_event_step_sliver(struct carom_stepper *stepper, double t, double h);

/* The state as the start of a step, and numbers of a flight into a state. */
void carom_event_step_begin(struct carom_stepper *stepper, const struct carom_state *state);
void carom_event_step_write(const struct carom_stepper *stepper, const double *y, struct carom_state *state);

/* Says why no step from the state was short enough. */
enum carom_status carom_event_step_refuse(const struct carom_stepper *stepper, const struct carom_state *state,
                                          struct carom_error *error);

#endif
