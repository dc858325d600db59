/* Random packings of discs and spheres in a region: loose by insertion one after the other, dense by pushing them apart
 * until none overlaps. */
#ifndef CAROM_MODEL_PLACE_PACKING_H
#define CAROM_MODEL_PLACE_PACKING_H

#include "carom/progress.h"
#include "model/place/place.h"

enum carom_packing {
    CAROM_PACKING_LOOSE, /* fractions up to about 0.45 in the plane, 0.3 in space */
    CAROM_PACKING_DENSE, /* up to about 0.83 and 0.63; less near walls, and discs of one size make crystals */
};

/* The centres of n balls of these radii inside the region, none overlapping another or a wall: |D0| - (r_a + r_b) >= 0
 * in doubles. The same seed gives the same bits. CAROM_E_INPUT, with what was reached, if they do not fit. */
enum carom_status carom_packing_place(enum carom_packing kind, size_t dimension,
                                      const struct carom_place_region *region, size_t n, const double *radius,
                                      uint64_t seed, const struct carom_progress *progress, double (*centre)[3],
                                      struct carom_error *error);

/* The same where others stand already, whom none of them may touch; NULL: nobody does. */
enum carom_status carom_packing_among(enum carom_packing kind, size_t dimension,
                                      const struct carom_place_region *region, const struct carom_place_others *others,
                                      size_t n, const double *radius, uint64_t seed,
                                      const struct carom_progress *progress, double (*centre)[3],
                                      struct carom_error *error);

#endif
