/* Where a sim takes its steps: on the processor or on a device. Whether there is such a device, and whether it takes
 * this model, is seen here; the sentence that refuses it says where it was asked for. */
#include <string.h>

#include "carom/device.h"
#include "sim/loop.h"

static enum carom_status open_device(struct carom_stepper *stepper, const char *name, struct carom_device **device,
                                     struct carom_error *error)
{
    if (!stepper->scheme->device)
        return carom_stepper_move(stepper, NULL, error); /* which says what devices take */
    *device = carom_device_open(name, error);
    return !*device ? (error ? error->status : CAROM_E_REFUSED) : carom_stepper_move(stepper, *device, error);
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
