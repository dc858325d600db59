/* Contacts of solids, balls and walls, in the steps of scheme rattle. `body` is the first of all solids. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_STRIKE_H
#define CAROM_SCHEME_SOLID_RATTLE_STRIKE_H

#include "model/solid/strike/solid_strike.h"
#include "scheme/solid/rattle.h"
#include "scheme/solid/rattle_joints.h"
#include "scheme/solid/rattle_live.h"

struct carom_rattle_strike;

/* NULL: out of memory. */
struct carom_rattle_strike *carom_rattle_strike_create(const struct carom_model *model, struct carom_threads *threads);
void carom_rattle_strike_free(struct carom_rattle_strike *strike);

/* Contacts have to be found anew: the state is another. */
void carom_rattle_strike_forget(struct carom_rattle_strike *strike);

/* Surfaces are worked out together from now on, and forces where they are needed. False: out of memory. */
struct carom_rattle_crew;
bool carom_rattle_strike_join(struct carom_rattle_strike *strike, const struct carom_rattle_crew *crew);

/* The joints of balls, or NULL: they take part in a step between the halves of all solids, see rattle_joints.h. */
struct carom_rattle_joints *carom_rattle_strike_joints(const struct carom_rattle_strike *strike);

/* The first kick's pushes go onto the solid's forces; balls that are on no joints move to where they are after h. */
void carom_rattle_strike_begin(struct carom_rattle_strike *strike, struct carom_rattle_body *body, double h,
                               const struct carom_state *from, struct carom_state *to);

/* The second kick's, where all have moved; `settle` follows kicks and damping, takes the pushes off again and adds up
 * what was lost. Contacts that have opened or closed are among those it tells. */
void carom_rattle_strike_end(struct carom_rattle_strike *strike, struct carom_rattle_body *body, double h,
                             const struct carom_state *from, struct carom_state *to);
struct carom_rattle_run carom_rattle_strike_settle(struct carom_rattle_strike *strike, struct carom_rattle_body *body,
                                                   double h, const struct carom_state *from, struct carom_state *to);

/* Is no ball further inside another body than its radius, nor faster than that in a step, and no solid further than
 * half a cell inside another? Else the sentence. */
enum carom_status carom_rattle_strike_bounded(const struct carom_rattle_strike *strike, double h,
                                              const struct carom_state *to, struct carom_error *error);

/* Are the balls' velocities numbers? */
bool carom_rattle_strike_finite(const struct carom_rattle_strike *strike, const struct carom_state *to);

/* Balls, contacts and the cells that they may touch, as `sync` leaves them; of other cells of the surface where they
 * are. */
void carom_rattle_strike_sync(const struct carom_model *model, const struct carom_state *state,
                              struct carom_state *view);

/* Balls, and what contacts have lost, between two states. */
void carom_rattle_strike_between(const struct carom_rattle_strike *strike, double at, double h,
                                 const struct carom_state *from, const struct carom_state *to,
                                 struct carom_state *view);

#endif
