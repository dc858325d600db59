/* What the recorder needs to read sums over contacts at a sample: places, velocities, stresses, the region. */
#ifndef CAROM_RECORD_GRAINS_READ_H
#define CAROM_RECORD_GRAINS_READ_H

#include "record/grains.h"

struct carom_grains_read {
    struct carom_grains grains;
    struct carom_grains_moment moment;
    double *place, *velocity;
    double (*stress)[CAROM_GRAINS_TENSOR]; /* of each body */
    bool given;
    struct carom_region region; /* given, or with a domain the whole of it */
};

/* Checks and keeps a region. */
enum carom_status carom_grains_read_region(struct carom_grains_read *read, const struct carom_model *model,
                                           const struct carom_region *region, struct carom_error *error);

/* Makes room; `volume`: a region must be known. */
enum carom_status carom_grains_read_open(struct carom_grains_read *read, const struct carom_bodies *bodies, bool volume,
                                         struct carom_error *error);
void carom_grains_read_close(struct carom_grains_read *read);

/* A view and its contacts, into what `reading` tells probes. */
void carom_grains_read(struct carom_grains_read *read, size_t ntouches, const struct carom_touch *touch,
                       struct carom_reading *reading);

#endif
