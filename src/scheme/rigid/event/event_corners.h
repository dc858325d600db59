/* Contacts of polygons that meet each other, which count only while a corner stands before a side. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_CORNERS_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_CORNERS_H

#include "scheme/rigid/event/event.h"

/* Does contact j, whose gap closes at q with the velocities v, count? Where it closes slowly rounding of its time is a
 * way along the side: so `late` a gap may be off by. */
bool carom_event_corners_count(const struct carom_event_work *w, size_t j, const double *q, const double *v,
                               double late);

/* May contact j count before its bodies have gone so far along each other? */
bool carom_event_corners_may(const struct carom_event_work *w, size_t j, const double *q, double way);

/* How far the corner of contact j still is from the end of its side; HUGE_VAL: it has no end. */
double carom_event_corners_left(const struct carom_event_work *w, size_t j, const double *q);

/* The gaps of those that do not count become HUGE_VAL, in w->gap as last looked at. */
void carom_event_corners_hide(struct carom_event_work *w, const double *q);

/* Where two corners meet, contacts of several sides touch, and only the side along which the two come apart most, or
 * approach least, counts: the others become free. */
void carom_event_corners_choose(struct carom_event_work *w, struct carom_state *state);

/* Refuses bodies that have run into each other. */
enum carom_status carom_event_corners_check(const struct carom_event_work *w, const struct carom_state *state,
                                            struct carom_error *error);

/* Corners and balls so far beyond the end of a side or a face are still before it. */
double carom_event_corners_slack(const struct carom_event_work *w, size_t j, const double *q);

#endif
