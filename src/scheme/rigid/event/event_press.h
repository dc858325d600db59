/* Which contacts press where nothing rubs: the contact problem of accelerations. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_PRESS_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_PRESS_H

#include "scheme/rigid/event/event.h"

/* out = W x of the contacts of a frame. */
void carom_event_press_apply(const struct carom_frame *frame, const double *x, double *out);

/* Forces s->lambda that press, with s->side, under which no gap of the frame's contacts closes; s->answer: how gaps are
 * accelerated then. Returns up to what that is nothing. */
double carom_event_press_solve(struct carom_stepper *stepper, struct carom_lcp_report *report);

/* Of the held contacts at the last evaluation, at t, whose forces are not unique: do any that press hold them all? */
bool carom_event_press_agrees(struct carom_stepper *stepper, double t);

#endif
