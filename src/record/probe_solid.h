/* What solids of a model do, for probes that only such solids have. */
#ifndef CAROM_RECORD_PROBE_SOLID_H
#define CAROM_RECORD_PROBE_SOLID_H

#include "carom/record.h"
#include "carom/solid.h"

enum carom_probe_solid_trait {
    CAROM_SOLID_ABSORBS,
    CAROM_SOLID_FLOWS,
    CAROM_SOLID_YIELDS,
    CAROM_SOLID_BREAKS,
    CAROM_SOLID_HELD
};

/* Does any of them? */
bool carom_probe_solid_any(const struct carom_model *model, enum carom_probe_solid_trait trait);

/* The area of what is broken in all of them. */
double carom_probe_solid_crack(const struct carom_model *model, const double *q);

#endif
