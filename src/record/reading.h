/* Contact forces of a view, as they act. */
#ifndef CAROM_RECORD_READING_H
#define CAROM_RECORD_READING_H

#include "carom/state.h"

/* force[j] of every contact, after the contact's ending. */
void carom_reading_forces(const struct carom_model *model, const struct carom_state *view, double *force);

#endif
