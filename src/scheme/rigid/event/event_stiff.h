/* Steps that friction may turn slips in, in space, faster than an explicit step follows: a slip that has just begun has
 * its direction from what pulls it, within a time that is short as the slip is slow. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_STIFF_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_STIFF_H

#include "scheme/rigid/event/event.h"

/* Room in models with friction in space; false: out of memory. */
bool carom_event_stiff_open(struct carom_event_smooth *smooth, const struct carom_model *model);
void carom_event_stiff_close(struct carom_event_smooth *smooth);

/* A step of size h from s->start at t to s->end, with its slopes in s->step as if Dormand and Prince had made it. */
void carom_event_stiff_stages(struct carom_stepper *stepper, double t, double h);

#endif
