/* Steps of scheme rattle on a device, see the file. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_DEVICE_H
#define CAROM_SCHEME_SOLID_RATTLE_DEVICE_H

#include "device/device.h"
#include "scheme/solid/rattle.h"

struct carom_rattle_device;

/* Says what does not fit: plasticity, fracture, nonlinear links; plane boxes of one material that are driven but for
 * sides along their normal. */
struct carom_rattle_device *carom_rattle_device_create(struct carom_device *device, struct carom_rattle_body *body,
                                                       size_t nbodies, struct carom_error *error);
void carom_rattle_device_free(struct carom_rattle_device *device);

/* All the steps of a call; fresh: the state is not the one that the last call left. `wrong`, with a state as it was:
 * a cell moves or turns too fast, and the processor should go on, which says which one. */
enum carom_status carom_rattle_device_steps(struct carom_rattle_device *device, struct carom_stepper *stepper,
                                            struct carom_state *state, const struct carom_bound *bound, bool fresh,
                                            bool *wrong, struct carom_error *error);

/* Fills in the start of the last step, which comes from the device only when somebody asks. */
void carom_rattle_device_before(struct carom_rattle_device *device, struct carom_state *before);

#endif
