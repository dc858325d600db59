/* Loads, local dampers, strings and drives in two-stage steps. Loads are taken at the Gauss nodes of a step, which lie
 * inside it, whatever the tableau: as forces g with V1 += h (g1 + g2)/(2m) and, as if g were a line through both, the
 * double integral of it for x1 and for the stages. They have no part in the relation of V and v, and keep the order of
 * the tableau (docs/tailored-schemes.md). Dampers belong to r with -c x. */
#ifndef CAROM_SCHEME_CHAIN_TWOSTAGE_LOADS_H
#define CAROM_SCHEME_CHAIN_TWOSTAGE_LOADS_H

#include "model/beads/chain.h"
#include "scheme/stepper.h"
#include "scheme/tableau.h"
#include "solve/block_tridiagonal.h"

struct carom_twostage_loads {
    double start, end; /* of the step; the end before a break */
    double h;
    double node[2];   /* times of the Gauss nodes */
    double *force[2]; /* n: weights and loads there */
    struct carom_block to_z;
    struct carom_pair to_x;
    struct carom_motion (*lead)[2]; /* drives at both stages */
    struct carom_chain late;        /* the chain at the end */
    double *speed[2];               /* n: physical velocities at both ends */
    bool filled;
};

/* NULL: out of memory. */
struct carom_twostage_loads *carom_twostage_loads_create(const struct carom_beads *beads);
void carom_twostage_loads_free(struct carom_twostage_loads *loads);

/* Gets ready for a step of size h from time t with nodes c1 and c2; the chain becomes that of its start. */
void carom_twostage_loads_begin(struct carom_twostage_loads *loads, struct carom_chain *chain, double t, double h,
                                double t_stop, double c1, double c2);

/* The motion of a wall at a stage; still at 0 if it is not driven. */
struct carom_motion carom_twostage_loads_wall(const struct carom_twostage_loads *loads, const struct carom_chain *chain,
                                              int32_t wall, int stage);

/* The motion of a driven bead at a stage. */
struct carom_motion carom_twostage_loads_bead(const struct carom_twostage_loads *loads, const struct carom_chain *chain,
                                              size_t bead, int stage);

/* Adds what loads and drives gave and dampers took, from physical velocities at both ends (loads->speed). */
void carom_twostage_loads_settle(const struct carom_twostage_loads *loads, const struct carom_model *model,
                                 const struct carom_chain *chain, const struct carom_state *from,
                                 struct carom_state *to);

#endif
