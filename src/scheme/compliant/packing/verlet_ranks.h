/* Steps of verlet for bodies that ranks share, see the file. */
#ifndef CAROM_SCHEME_COMPLIANT_PACKING_VERLET_RANKS_H
#define CAROM_SCHEME_COMPLIANT_PACKING_VERLET_RANKS_H

#include "rank/rank.h"
#include "scheme/compliant/packing/verlet_bodies.h"

/* On every rank; NULL with a refusal in words where the bodies cannot be shared. */
struct carom_verlet_ranks *carom_verlet_ranks_create(struct carom_ranks *ranks, struct carom_stepper *stepper,
                                                     struct carom_error *error);
/* On rank 0 the others are let go. */
void carom_verlet_ranks_free(struct carom_verlet_ranks *r);

/* The steps of a call, which every rank takes alike. */
typedef enum carom_status carom_verlet_steps(struct carom_stepper *stepper, struct carom_state *state,
                                             const struct carom_bound *bound, struct carom_error *error);

/* On rank 0, which then has the whole state: at the end, or at the start of a step that failed, or at that of the call
 * where a rank does not answer (CAROM_E_STOPPED) or has no memory. */
enum carom_status carom_verlet_ranks_steps(struct carom_verlet_ranks *r, struct carom_state *state,
                                           const struct carom_bound *bound, carom_verlet_steps *steps,
                                           struct carom_error *error);

/* The state is no longer as the last call has left it. */
void carom_verlet_ranks_anew(struct carom_verlet_ranks *r);

/* Another stepper leads from now on. */
void carom_verlet_ranks_follow(struct carom_verlet_ranks *r, struct carom_stepper *stepper);

/* The start of the last step, which others still have parts of, on rank 0. */
void carom_verlet_ranks_before(struct carom_verlet_ranks *r, struct carom_state *before);

/* The others: they take their part of the steps until rank 0 lets them go. */
enum carom_status carom_verlet_ranks_serve(struct carom_verlet_ranks *r, carom_verlet_steps *steps,
                                           struct carom_error *error);

/* --- inside of steps, by every rank at the same place ------------------------------------------------------------- */

/* Blocks of bodies that this process moves: all where nobody shares. */
void carom_verlet_ranks_blocks(const struct carom_verlet_bodies_work *w, size_t *from, size_t *to);

/* Does it work on contacts of that key? On those of its own bodies. */
bool carom_verlet_ranks_work_on(const struct carom_verlet_ranks *r, const struct carom_contact_key *key);

/* Before a second step is taken: rank 0 keeps the start of the call, which no step will find any more. */
void carom_verlet_ranks_keep(struct carom_verlet_ranks *r);

/* After the list has changed, at a state that all have: who moves what, so that all have as much to do; then, once
 * contacts have their blocks, who is told of whom. False: out of memory. */
void carom_verlet_ranks_balance(struct carom_verlet_ranks *r, const struct carom_state *state);
bool carom_verlet_ranks_place(struct carom_verlet_ranks *r, const struct carom_state *state);

/* Bodies whose contacts others work on: where they are, and how fast, after the drift; how fast, and what blocks have
 * found, after the second kick; what blocks have found. */
void carom_verlet_ranks_told_drifted(struct carom_verlet_ranks *r, struct carom_state *to);
void carom_verlet_ranks_told_kicked(struct carom_verlet_ranks *r, struct carom_state *to);
void carom_verlet_ranks_told_placed(struct carom_verlet_ranks *r);

/* Ranks search for contacts together, each around its own bodies; NULL: this process alone. */
struct carom_search_share carom_verlet_ranks_told_search(struct carom_verlet_ranks *r);

/* The longest way of all bodies since the list was made. */
double carom_verlet_ranks_told_way(struct carom_verlet_ranks *r, const double *q);

/* All come to know the whole state; false: others do not answer. */
bool carom_verlet_ranks_told_meet(struct carom_verlet_ranks *r, struct carom_state *state);

/* Has one of these failed since others do not answer? What they have told is then worth nothing. Of NULL, no. */
bool carom_verlet_ranks_lost(const struct carom_verlet_ranks *r);

#endif
