/* Friction at held contacts of scheme event in space: event_friction.h for contacts that slip in a plane. A contact
 * that slips has friction against its slip, which turns as the motion does; where a slip is just beginning, and none
 * yet, the way it begins is remembered in the state. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_CONE_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_CONE_H

#include "scheme/rigid/event/event.h"

/* The length of a tangential vector. */
static inline double carom_event_cone_size(const double x[2])
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

/* The ways in which slips begin, vectors of space, out of a state's memory: 3 a contact. */
double *carom_event_cone_ways(const struct carom_event_work *w, const struct carom_state *state);

/* Which way friction pushes at the frame's contacts, by s->slips. */
void carom_event_cone_look(struct carom_event_work *w);

/* Notes which slips are beginning, by s->slips at the start of a step; how far that of held contact i is from one that
 * no longer does: there steps end, since friction then has its direction. */
void carom_event_cone_begin(struct carom_event_work *w);
double carom_event_cone_grown(const struct carom_event_smooth *smooth, size_t i);

/* Does friction turn held contact i with its slip, by s->slips? */
bool carom_event_cone_turns(const struct carom_event_work *w, size_t i);

/* How long a step may be from the state in s->start, whose rates have just been found: a slip that comes to a stop must
 * not be passed over, since beyond it friction is another. It has where it is no more than the error that a step may
 * have: into s->stops. *turning: in what time friction turns a slip; *seen: all slips are so fast that errors tell
 * where a step is too long for that. */
double carom_event_cone_limit(struct carom_event_work *w, double *turning, bool *seen);

/* As those of event_friction.h; _none: slips up to this are none. */
void carom_event_cone_stop(struct carom_event_work *w, double none);
enum carom_status carom_event_cone_choose(struct carom_stepper *stepper, struct carom_state *state, size_t n,
                                          double none, struct carom_error *error);
bool carom_event_cone_sticks(struct carom_stepper *stepper, const struct carom_state *state, size_t n, double none,
                             double *sticks);
bool carom_event_cone_agrees(struct carom_stepper *stepper, double t);

#endif
