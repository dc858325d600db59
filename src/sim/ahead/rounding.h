/* What rounding adds to the error of a long run of rigid bodies. */
#ifndef CAROM_SIM_AHEAD_ROUNDING_H
#define CAROM_SIM_AHEAD_ROUNDING_H

#include "sim/loop.h"

/* *estimate += the error that the rounding of every step comes to by the end, in units of the scales, where the run is
 * so long that it may matter. `share` is what pilot runs found. Flights in closed form add it where it is above tol. */
enum carom_status carom_rounding_add(struct carom_sim *sim, const struct carom_watch *watch, double share,
                                     double *estimate, struct carom_error *error);

#endif
