/* What impacts of discs and spheres make of errors, where flights are in closed form. */
#ifndef CAROM_SIM_AHEAD_MAGNIFY_H
#define CAROM_SIM_AHEAD_MAGNIFY_H

#include "sim/loop.h"

/* Flights from the sim's start tell its estimate, growth and horizon; none where no flight came to its end. */
enum carom_status carom_magnify_state(struct carom_sim *sim, const struct carom_watch *watch,
                                      struct carom_error *error);

#endif
