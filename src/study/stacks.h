/* Ready-made contact problems with friction: one time step of known stacks and of random sets of bodies. */
#ifndef CAROM_STUDY_STACKS_H
#define CAROM_STUDY_STACKS_H

#include <stdint.h>

#include "solve/contact/friction_data.h"

/* Makes the problem that `name` says; `data` is opened.
 *   pyramid:ROWS            disks in a triangle on the floor, ROWS in its lowest row, touching below and beside (dim 2)
 *   tower:BOXES             boxes on top of each other, four contacts each (dim 3)
 *   bricks:COLUMNS:ROWS     boxes in bond, each row one shorter than the one below, touching below and beside (dim 2)
 *   spheres:SIDE            SIDE x SIDE x SIDE spheres in a cubic heap on the floor (dim 3)
 *   random:N:DIM:SEED       N contacts between neighbours in a grid of bodies, random in all else
 *   tangle:N:DIM:SEED       N contacts between any two of N bodies, random in all */
enum carom_status carom_stacks_make(const char *name, struct carom_friction_data *data, struct carom_error *error);

#endif
