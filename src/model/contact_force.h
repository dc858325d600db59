/* The force of a contact as it acts, positive when it pushes: elastic + drag x rate of its law while bodies overlap,
 * never a pull where force ends the contact, nothing once it has latched; of a rigid contact what its scheme has found;
 * of solids the size of the resultant of all points in which they push (solid_push.h), which no single overlap tells.
 * The one place that says so; what is recorded, looked at after steps or searched for its peak (peak_force.h) is this
 * force. */
#ifndef CAROM_MODEL_CONTACT_FORCE_H
#define CAROM_MODEL_CONTACT_FORCE_H

#include "carom/state.h"

/* Forces of contacts [first, last) of a view. `deform` and `rate` are filled too where they touch, but for rigid
 * contacts, or NULL; arrays begin with contact `first`. */
void carom_contact_force_read(const struct carom_model *model, const struct carom_state *view, size_t first,
                              size_t last, double *deform, double *rate, double *force);

/* Forces of contacts [first, last) at these overlaps and rates, arrays as above; `history` is that of all contacts.
 * 0 where a contact is rigid; not for solids, nor the next two. */
void carom_contact_force_press(const struct carom_model *model, size_t first, size_t last, const double *deform,
                               const double *rate, const double *history, double *force);

/* The force of one contact of a law with these parameters at an overlap and its rate; `history` as in carom_batch, at
 * contact 0. */
double carom_contact_force_of(const struct carom_law *law, enum carom_ending ending, const double *const *param,
                              const double *const *history, double deform, double rate);

/* The same for contact j of a model; `history` is that of all contacts. 0 if the contact is rigid. */
double carom_contact_force_at(const struct carom_model *model, size_t j, const double *history, double deform,
                              double rate);

#endif
