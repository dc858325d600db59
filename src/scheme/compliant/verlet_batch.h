/* Many short rows of beads on a device under verlet, for sweeps and fits: whole runs, row beside row. They end where
 * they would have ended alone on the processor, to the bit. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_BATCH_H
#define CAROM_SCHEME_COMPLIANT_VERLET_BATCH_H

#include "carom/scheme.h"

struct carom_verlet_batch; /* a device with a program, which is kept from batch to batch */

struct carom_verlet_batch *carom_verlet_batch_open(struct carom_device *device, struct carom_error *error);
void carom_verlet_batch_close(struct carom_verlet_batch *batch); /* NULL is fine; the device stays */

/* Can these two go side by side? With itself: at all; if not, the error says what devices take. */
bool carom_verlet_batch_fits(const struct carom_stepper *a, const struct carom_stepper *b, struct carom_error *error);

/* Asked about twice a second; false ends the runs with CAROM_E_STOPPED. */
struct carom_verlet_batch_watch {
    bool (*call)(void *own, double time);
    void *own;
};

/* Takes `count` rows that fit, all at the same time and with the same step, to `until`. broken[c]: the motion of row c
 * did not stay finite, and its state is as it was. */
enum carom_status carom_verlet_batch_run(struct carom_verlet_batch *batch, size_t count,
                                         struct carom_stepper *const *stepper, struct carom_state *const *state,
                                         double until, const struct carom_verlet_batch_watch *watch, bool *broken,
                                         struct carom_error *error);

#endif
