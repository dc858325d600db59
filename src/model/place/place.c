/* Regions, see place.h. */
#include "model/place/place.h"

#include <math.h>

double carom_place_volume(size_t dimension, const struct carom_place_region *region)
{
    const double pi = 3.14159265358979323846, r = region->radius;
    const double *size = region->size;
    switch (region->surface) {
    case CAROM_BALL:
        return dimension == 2 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
    case CAROM_BOX:
        return dimension == 2 ? 4.0 * size[0] * size[1] : 8.0 * size[0] * size[1] * size[2];
    case CAROM_CYLINDER:
        return 2.0 * pi * size[0] * size[0] * size[2];
    case CAROM_PLANE:
        break;
    }
    return HUGE_VAL; /* a half-space */
}
