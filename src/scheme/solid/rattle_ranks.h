/* Steps of scheme rattle that ranks share, see the file. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_RANKS_H
#define CAROM_SCHEME_SOLID_RATTLE_RANKS_H

#include "rank/rank.h"
#include "scheme/solid/rattle.h"

struct carom_rattle_ranks;
struct carom_rattle_strike;

/* On every rank; NULL with a refusal in words where the bodies cannot be shared. `strike`: contacts, or NULL. */
struct carom_rattle_ranks *carom_rattle_ranks_create(struct carom_ranks *ranks, struct carom_stepper *stepper,
                                                     struct carom_rattle_body *body, size_t nbodies,
                                                     struct carom_rattle_strike *strike, struct carom_error *error);
/* On rank 0 the others are let go. */
void carom_rattle_ranks_free(struct carom_rattle_ranks *ranks);

/* Forces of all bodies at a state, which is the start of a step. */
typedef void carom_rattle_forces(struct carom_stepper *stepper, struct carom_state *state);

/* The steps of a call, on rank 0. `fresh`: the state is not as the last call has left it. `wrong`: none was taken,
 * since a cell moves or turns too fast, or a rank does not answer (then CAROM_E_STOPPED). */
enum carom_status carom_rattle_ranks_steps(struct carom_rattle_ranks *ranks, struct carom_state *state,
                                           const struct carom_bound *bound, bool fresh, carom_rattle_forces *forces,
                                           bool *wrong, struct carom_error *error);

/* CAROM_E_STOPPED, in words. */
enum carom_status carom_rattle_ranks_told_silent(struct carom_error *error);

/* On rank 0 a state is whole, of which others still have parts: that of now, and the start of the last step.
 * CAROM_E_STOPPED: others do not answer. */
enum carom_status carom_rattle_ranks_whole(struct carom_rattle_ranks *ranks, struct carom_state *state);
enum carom_status carom_rattle_ranks_before(struct carom_rattle_ranks *ranks, struct carom_state *before);

/* The others: they take their part of the steps until rank 0 lets them go. */
enum carom_status carom_rattle_ranks_serve(struct carom_rattle_ranks *ranks, carom_rattle_forces *forces,
                                           struct carom_error *error);

#endif
