/* A preconditioner for the static problem of solids: the links as they stand, cells gathered into rigid blocks, blocks
 * into larger ones, and so on (solid_blocks.c). */
#ifndef CAROM_MODEL_SOLID_SETTLE_SOLID_BLOCKS_H
#define CAROM_MODEL_SOLID_SETTLE_SOLID_BLOCKS_H

#include "model/solid/solid.h"

struct carom_solid_blocks;

/* Room for all levels; NULL and the sentence if there is none. The threads share all of the work, to the same bits. */
struct carom_solid_blocks *carom_solid_blocks_create(const struct carom_solid *solid, struct carom_threads *threads,
                                                     struct carom_error *error);
void carom_solid_blocks_free(struct carom_solid_blocks *blocks);

/* Works the links out at the configuration q. `loose`: the body as a whole can move or turn in some way. */
void carom_solid_blocks_build(struct carom_solid_blocks *blocks, const double *q, bool loose);

/* z ~ K^-1 r: velocities and angular velocities in space axes from forces and torques, `fast` numbers a cell. What is
 * held stays. Depends on r a little more than linearly: for flexible conjugate gradients. */
void carom_solid_blocks_solve(struct carom_solid_blocks *blocks, const double *r, double *z);

#endif
