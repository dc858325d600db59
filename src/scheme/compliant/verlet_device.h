/* Verlet on a device: one long row of beads. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_DEVICE_H
#define CAROM_SCHEME_COMPLIANT_VERLET_DEVICE_H

#include "carom/scheme.h"

struct carom_verlet_device;

/* A refusal in words where devices do not take the model. */
enum carom_status carom_verlet_device_create(struct carom_verlet_device **created, struct carom_device *device,
                                             const struct carom_model *model, struct carom_error *error);
void carom_verlet_device_free(struct carom_verlet_device *d); /* NULL is fine */

/* The steps of a call. *wrong: none was taken, as the motion would not have stayed finite. */
enum carom_status carom_verlet_device_steps(struct carom_verlet_device *d, struct carom_stepper *stepper,
                                            struct carom_state *state, const struct carom_bound *bound, bool *wrong,
                                            struct carom_error *error);

#endif
