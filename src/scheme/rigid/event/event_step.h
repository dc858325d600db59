/* Steps of Dormand and Prince's from s->start to s->end, and how long they may be. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_STEP_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_STEP_H

#include "scheme/rigid/event/event.h"

/* The stages of a step of size h; the last moment of a step belongs to it, though loads may break there. */
void carom_event_step_stages(struct carom_stepper *stepper, double t, double h);

/* A step that keeps the local error; *size is tried first and becomes what to try next. Returns the step, 0: none. A
 * finer pilot steps as the run does, or through what _halve has left of the last step. */
double carom_event_step_on(struct carom_stepper *stepper, const struct carom_state *state, double limit, double *size);

/* In a finer pilot, of a step that ends as *next says, by an event or not: the first half, with the other to come. Runs
 * and finer ones would err alike wherever not errors limit steps, but events, bounds or the step before. */
void carom_event_step_halve(struct carom_stepper *stepper, double t, bool event, struct carom_event_next *next);

/* A step shorter than times can tell: nothing happens in it. */
double carom_event_step_sliver(struct carom_stepper *stepper, double t, double h);

/* The state as the start of a step, and numbers of a flight into a state. */
void carom_event_step_begin(struct carom_stepper *stepper, const struct carom_state *state);
void carom_event_step_write(const struct carom_stepper *stepper, const double *y, struct carom_state *state);

/* What errors of works are relative to: the kinetic energy, and that of bodies that all go with V. */
double carom_event_step_energy(const struct carom_stepper *stepper, double t, const double *q, const double *v);

/* Says why no step from the state was short enough. */
enum carom_status carom_event_step_refuse(const struct carom_stepper *stepper, const struct carom_state *state,
                                          struct carom_error *error);

/* Counts flights of length h that hardly have any, to the state; an error where contacts have changed for long without
 * time between. */
enum carom_status carom_event_step_clock(struct carom_stepper *stepper, const struct carom_state *state, double h,
                                         struct carom_error *error);

#endif
