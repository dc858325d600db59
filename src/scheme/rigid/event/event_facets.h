/* Balls that go from a face of another body to an edge or a corner while they touch it: forces jump there, and steps
 * end. Inside a step the contact goes on as if the face did, so that all that a step looks at is smooth. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_FACETS_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_FACETS_H

#include "scheme/rigid/event/event.h"

/* Room for them where the model has such contacts, which the stepper then sees through a view of its own; false: out
 * of memory. */
bool carom_event_facets_open(struct carom_stepper *stepper);

/* From now on contacts have the facets that they have at q until _free: held ones, in a flight, or `all` at an
 * instant. */
void carom_event_facets_keep(struct carom_event_work *w, const double *q, bool all);
void carom_event_facets_free(struct carom_event_work *w);

/* How far held contact number i is at q from where its facet ends, by more than rounding. */
double carom_event_facets_left(const struct carom_event_work *w, size_t i, const double *q);

#endif
