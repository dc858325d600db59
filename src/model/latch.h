/* Contacts that latch (contact_end: latched): once their force has come down to 0 they carry and store nothing until
 * the gap has opened. Whether one is latched is a number of the contact's history, behind those of its law, so that
 * forces and energies (carom_contacts_evaluate), views and checkpoints know it without being told. */
#ifndef CAROM_MODEL_LATCH_H
#define CAROM_MODEL_LATCH_H

#include "carom/state.h"

/* Where the history of a model says whether contact j is latched; SIZE_MAX: it never is. */
size_t carom_latch_place(const struct carom_model *model, size_t j);

static inline bool carom_latch_holds(const struct carom_model *model, const double *history, size_t j)
{
    const size_t at = model->latches ? carom_latch_place(model, j) : SIZE_MAX;
    return at != SIZE_MAX && history[at] > 0.0;
}

/* The energy that the law of contact j stores at this overlap, latched or not. */
double carom_latch_energy(const struct carom_model *model, size_t j, double deform);

/* Latches those of contacts [first, last) that pull, whose energy is then clipped, and arms those that have opened; the
 * velocities of `state` are physical. */
void carom_latch_see(const struct carom_model *model, struct carom_state *state, size_t first, size_t last);

/* Those of contacts [first, last) that are latched in `from` are so in `to`. */
void carom_latch_carry(const struct carom_model *model, const struct carom_state *from, struct carom_state *to,
                       size_t first, size_t last);

/* Puts right a view of time t between the ends of a step whose numbers are on straight lines: until its end contacts
 * are as at its start, and there the energy of those that latch is clipped at once. */
void carom_latch_between(const struct carom_model *model, const struct carom_state *from, const struct carom_state *to,
                         double t, struct carom_state *view);

#endif
