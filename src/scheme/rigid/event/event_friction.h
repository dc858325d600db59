/* Friction at held contacts of scheme event: which of them stick and which slip, and by which forces they go on so. The
 * modes are those of rub.h; what is different in space is in event_cone.h. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_FRICTION_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_FRICTION_H

#include "scheme/rigid/event/event.h"

/* Room for models with friction; nothing for others. */
enum carom_status carom_event_friction_open(struct carom_event_smooth *smooth, const struct carom_model *model,
                                            double tolerance, struct carom_error *error);
void carom_event_friction_close(struct carom_event_smooth *smooth);

/* Takes the modes of the held contacts from a state. */
void carom_event_friction_take(struct carom_event_work *w, const struct carom_state *state);

/* Slips of the frame's contacts under the velocities v into s->slips. */
void carom_event_friction_look(struct carom_event_work *w, const double *v);

/* s->drag += share times the slips at t of bodies at s->moved with s->swift, along the tangents of the frame. */
void carom_event_friction_drift(const struct carom_stepper *stepper, double t, double share);

/* How hard friction holds or drags held contact i; how far its slip is from a stop; what it takes. */
double carom_event_friction_pull(const struct carom_event_smooth *smooth, size_t i);
double carom_event_friction_left(const struct carom_event_smooth *smooth, size_t i);
double carom_event_friction_power(const struct carom_event_smooth *smooth, size_t i);

/* Frictions of the held contacts into a state. */
void carom_event_friction_tell(const struct carom_event_smooth *smooth, struct carom_state *state);

/* carom_coulomb_took of contact i where impulses `along` change slips. */
double carom_event_friction_took(const struct carom_event_smooth *smooth, size_t i, const double *along,
                                 const double *before, const double *after, double *lost);

/* Gaps that open by more than this acceleration are let go, those up to `none` being none: where modes have just become
 * impossible one did by that much, and others with it by nearly as much. */
static inline double carom_event_friction_opens(const struct carom_event_work *w, double none)
{
    return w->slips_off ? 0.5 * none : none;
}

/* s->lambda and s->along, normal and tangential, that make s->side and s->drag of the frame's contacts vanish: both of
 * what sticks, the first of what slips, whose friction goes with it, or is none. */
void carom_event_friction_hold(struct carom_event_smooth *smooth, bool friction);

/* Modes of the n contacts w->set at rest, the frame standing there with their accelerations in s->side and s->drag.
 * Refuses Painleve's paradox with a sentence. */
enum carom_status carom_event_friction_choose(struct carom_stepper *stepper, struct carom_state *state, size_t n,
                                              struct carom_error *error);

/* Slips of the held contacts into s->drag. Those whose slips are none stick for as long as velocities are made what
 * they should be: what is left of locating a stop, or of rounding, may point the other way than the slip that
 * begins. */
void carom_event_friction_stop(struct carom_event_work *w, const struct carom_state *state);

/* Does a held contact slip the other way than its mode says? To make rates 0 may have turned it. */
bool carom_event_friction_turned(struct carom_event_work *w, const struct carom_state *state);

/* Where forces of the held contacts are not unique: do they go on in their modes? Frame and accelerations as before. */
bool carom_event_friction_agrees(struct carom_stepper *stepper, double t);

/* The impact of the frame's contacts by Newton's e and Coulomb's cone, all at once: the answers of c. */
enum carom_status carom_event_friction_strike(struct carom_stepper *stepper, double t, struct carom_collision *c,
                                              struct carom_error *error);

#endif
