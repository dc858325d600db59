/* Steps of verlet for bodies on a device, see the file. */
#ifndef CAROM_SCHEME_COMPLIANT_PACKING_VERLET_BODIES_DEVICE_H
#define CAROM_SCHEME_COMPLIANT_PACKING_VERLET_BODIES_DEVICE_H

#include "device/device.h"
#include "scheme/compliant/packing/verlet_bodies.h"

/* Or a refusal in words that says what devices take. */
enum carom_status carom_verlet_bodies_device_create(struct carom_verlet_bodies_device **created,
                                                    struct carom_device *device, struct carom_stepper *stepper,
                                                    struct carom_error *error);
void carom_verlet_bodies_device_free(struct carom_verlet_bodies_device *d);

/* The state is no longer as the last call has left it; of NULL nothing. */
void carom_verlet_bodies_device_anew(struct carom_verlet_bodies_device *d);

/* Steps to the bound; *taken of them. *wrong: something happens that the processor must see to, from this state on. */
enum carom_status carom_verlet_bodies_device_steps(struct carom_verlet_bodies_device *d, struct carom_stepper *stepper,
                                                   struct carom_state *state, const struct carom_bound *bound,
                                                   size_t *taken, bool *wrong, struct carom_error *error);

#endif
