/* Where a sim takes its steps: on the processor or on a device. Whether there is such a device, and whether it takes
 * this model, is seen here; the sentence that refuses it says where it was asked for. */
#include <string.h>

#include "carom/device.h"
#include "sim/loop.h"

static enum carom_status open_device(struct carom_stepper *stepper, const char *name, struct carom_device **device,
                                     struct carom_error *error)
{
    const struct carom_scheme *scheme = stepper->scheme;
    if (!scheme->device)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme %s runs on the processor alone: devices take rattle on solids and verlet on rows "
                               "of beads; leave device out, or write device: none",
                               scheme->kind.name);
    *device = carom_device_open(name, error);
    return !*device ? (error ? error->status : CAROM_E_REFUSED) : scheme->device(stepper, *device, error);
}

enum carom_status carom_sim_device(struct carom_stepper *stepper, const char *name, const char *at,
                                   struct carom_device **device, struct carom_error *error)
{
    *device = NULL;
    if (!name || strcmp(name, "none") == 0)
        return CAROM_OK;
    const enum carom_status status = open_device(stepper, name, device, error);
    if (status != CAROM_OK && status != CAROM_E_MEMORY && at && *at != '\0')
        carom_error_prefix(error, "%s", at);
    return status;
}
