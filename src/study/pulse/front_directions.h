/* Directions from where a front begins: who lies in which, how fast the front goes there and how it decays. */
#ifndef CAROM_STUDY_PULSE_FRONT_DIRECTIONS_H
#define CAROM_STUDY_PULSE_FRONT_DIRECTIONS_H

#include "record/run_grains.h"
#include "study/pulse/front.h"

/* Makes the directions, and tells each body its distance, its direction and how far along the ray it lies. */
enum carom_status carom_front_directions_make(struct carom_front *front, const struct carom_front_request *request,
                                              const struct carom_grains *grains, struct carom_error *error);

/* Speed and decay of each, from arrivals and peaks. */
void carom_front_directions_fit(struct carom_front *front);

#endif
