/* Dense packings: balls drawn anywhere are pushed apart until none overlaps. */
#ifndef CAROM_MODEL_PLACE_PACKING_DENSE_H
#define CAROM_MODEL_PLACE_PACKING_DENSE_H

#include "carom/progress.h"
#include "model/place/ball_cells.h"

/* Places the balls's balls; *reached: 1, or the largest factor of all radii that was without overlaps. Places are
 * those of the balls's balls in the order of `was` (room for n numbers, see carom_ball_cells_sort). */
enum carom_status carom_packing_dense(struct carom_ball_cells *balls, struct carom_random *random, uint32_t *was,
                                      const struct carom_progress *progress, double *reached,
                                      struct carom_error *error);

#endif
