/* Scheme moreau-jean on bodies with friction: islands that sleep. Where nothing moves, and the forces of the step
 * before hold what acts on each body now, they go on doing so: such bodies are passed over, with their contacts, until
 * something touches them or acts on them otherwise. Who sleeps follows from the state alone, so that resumed runs go on
 * with the same bits; what is kept here only saves looking again. */
#ifndef CAROM_SCHEME_RIGID_MOREAU_MOREAU_SLEEP_H
#define CAROM_SCHEME_RIGID_MOREAU_MOREAU_SLEEP_H

#include "scheme/rigid/moreau/moreau_graph.h"

enum carom_status carom_moreau_sleep_open(struct carom_moreau_graph *w, struct carom_error *error);
void carom_moreau_sleep_close(struct carom_moreau_graph *w);

/* Everybody is awake, and is looked at anew. */
void carom_moreau_sleep_forget(struct carom_moreau_graph *w);

/* Is body i asleep? */
bool carom_moreau_sleep_is(const struct carom_moreau_graph *w, size_t i);

/* Bodies that are no longer where they slept, or on which something else acts (w->accelerate), are awake. */
void carom_moreau_sleep_check(struct carom_moreau_graph *w, const struct carom_state *from);

/* Is one of a pair asleep, and may the other move? */
bool carom_moreau_sleep_mixed(const struct carom_moreau_graph *w, const struct carom_contact_key *pair);

/* They touch: both are awake. */
void carom_moreau_sleep_wake(struct carom_moreau_graph *w, const struct carom_contact_key *pair);

/* Islands of the contacts of the step that are at rest, and that the forces of `from` hold, fall asleep: their contacts
 * are taken out of the step. `freely`: velocities at its end without contacts. */
void carom_moreau_sleep_fall(struct carom_moreau_graph *w, const struct carom_state *from, const double *freely,
                             double h);

/* Those asleep do not move. */
void carom_moreau_sleep_hold(const struct carom_moreau_graph *w, double *v);

/* Islands that are as good as at rest before and after the step are at rest. */
void carom_moreau_sleep_still(struct carom_moreau_graph *w, const struct carom_state *from, double h, double *v1);

/* Contacts of those asleep, from number *k of `from` on and before `key` (NULL: all that are left), into `list`, for
 * which there is room. */
void carom_moreau_sleep_carry(const struct carom_moreau_graph *w, const struct carom_contacts *from, size_t *k,
                              const struct carom_contact_key *key, struct carom_contacts *list);

#endif
