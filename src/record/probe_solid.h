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

/* Can the area of contacts be told? Of discs in the plane it cannot. */
bool carom_probe_solid_touches(const struct carom_model *model);

/* Readers of probes: the area of what is broken in all of them; of every contact, what touches: of surfaces the pieces
 * that are pressed, the mean of both sides, and pi R x overlap of balls, as Hertz has it. */
void carom_probe_solid_crack(const struct carom_reading *reading, size_t member, double *out);
/* The area of a ball on a ball, or on what is flat, by its overlap; of a disc NaN. */
struct carom_solid_balls;
double carom_probe_solid_round_area(const struct carom_solid_balls *balls, const int32_t pair[2], double overlap);
void carom_probe_solid_contact_area(const struct carom_reading *reading, size_t member, double *out);

/* How many of the numbers of a part, `all` unless it is balls, are moves along axes: spins come after them. */
size_t carom_probe_solid_moves(const struct carom_model *model, size_t member, size_t all);

/* What each joint of balls does to the first of its bodies, in the mean over the last step: force, or moment about the
 * point that it holds; false: the part is another. */
bool carom_probe_solid_joints(const struct carom_reading *reading, size_t member, bool moment, double *out);

/* Where balls are, whose q this is; false: the part is another. */
bool carom_probe_solid_places(const struct carom_model *model, size_t member, const double *q, double *out);

#endif
