/* Outputs of discs and spheres that only a recorder knows: peak forces from the book of impacts, and probes over bodies
 * and regions at the end of the run. */
#ifndef CAROM_STUDY_SWEEP_BODIES_OUTPUTS_H
#define CAROM_STUDY_SWEEP_BODIES_OUTPUTS_H

#include "carom/bodies.h"
#include "study/follow/track.h"
#include "study/sweep/outputs.h"

/* Refuses outputs that the bodies do not have. */
enum carom_status carom_bodies_outputs_check(const struct carom_output *output, const struct carom_bodies *bodies,
                                             struct carom_error *error);

/* Are there any among them that a recorder must tell? */
bool carom_bodies_outputs_any(const struct carom_outputs *outputs);

/* A track of the scene that keeps them. */
enum carom_status carom_bodies_outputs_open(const struct carom_outputs *outputs, struct carom_track *track,
                                            struct carom_scene *scene, const struct carom_watch *watch,
                                            struct carom_error *error);

/* The pair of bodies (carom_event_pair) whose force an output is; 0: of all. */
uint64_t carom_bodies_outputs_pair(const struct carom_output *output);

/* One of them after the run. */
double carom_bodies_outputs_read(const struct carom_track *track, const struct carom_output *output);

/* Contacts that are closed at the view. */
double carom_bodies_outputs_closed(const struct carom_sim *sim);

#endif
