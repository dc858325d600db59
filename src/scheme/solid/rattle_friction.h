/* Friction in the kicks of scheme rattle, between balls, solids and walls: the laws of src/law, as bodies have them. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_FRICTION_H
#define CAROM_SCHEME_SOLID_RATTLE_FRICTION_H

#include "carom/state.h"
#include "scheme/solid/rattle_live.h"

struct carom_rattle_friction;

/* A kick: where all stand and how fast they are. The second one of a step has velocities of its middle, and what they
 * were at its start; those at its end are 2 v - v_before to second order. */
struct carom_rattle_kick {
    double h; /* of the whole step */
    const double *q, *v, *q_before, *v_before;
};

/* NULL: out of memory. */
struct carom_rattle_friction *carom_rattle_friction_create(const struct carom_model *model);
void carom_rattle_friction_free(struct carom_rattle_friction *friction);

/* Contacts of balls as they stand, before their first kick and before their second. `push`, the normal force of a kick,
 * is added to where springs push along the normal. What is lost goes into the state, with what contacts remember. */
void carom_rattle_friction_begin(struct carom_rattle_friction *friction, const struct carom_rattle_kick *kick,
                                 const struct carom_rattle_live *live, const struct carom_strike *at,
                                 const double *overlap, const double *rate, double *push,
                                 const struct carom_state *from, struct carom_state *to);
void carom_rattle_friction_end(struct carom_rattle_friction *friction, const struct carom_rattle_kick *kick,
                               const struct carom_rattle_live *live, const struct carom_strike *at,
                               double *const overlap[2], const double *normal, double *push, struct carom_state *to);

/* The force of contact j on its second ball in this kick, whose moments are noted; NULL: none. */
const double *carom_rattle_friction_force(struct carom_rattle_friction *friction, size_t j,
                                          const struct carom_strike *at);

/* The spins of balls after a kick. */
void carom_rattle_friction_turn(struct carom_rattle_friction *friction, double h, const struct carom_state *from,
                                struct carom_state *to);

/* Of a point where faces of meeting m press each other with `normal`: the force on end 0, and its power. A grip that is
 * NULL is a wall's. Then what it comes to in a kick of a step h is added up. */
void carom_rattle_friction_faces(const struct carom_rattle_friction *friction, size_t m,
                                 const struct carom_press *press, struct carom_skin_grip *const grip[2], double normal,
                                 const struct carom_rattle_kick *kick, double force[4]);
void carom_rattle_friction_book(struct carom_rattle_friction *friction, size_t m, const struct carom_press *press,
                                double h, const double force[4]);

/* What faces have given and lost in a step of size h, into the state. */
void carom_rattle_friction_settle(const struct carom_rattle_friction *friction, double h, struct carom_state *to);

#endif
