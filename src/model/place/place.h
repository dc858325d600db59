/* Where bodies are placed: a region of the plane or of space, and what it holds. */
#ifndef CAROM_MODEL_PLACE_PLACE_H
#define CAROM_MODEL_PLACE_PLACE_H

#include "carom/bodies.h"

/* The inside of a box (size: half edges of its inner faces), of a circle or a sphere (CAROM_BALL), or of a cylinder of
 * space (radius size[0], half height size[2] along its own z). Only boxes that are not turned may have sides that are
 * joined. */
struct carom_place_region {
    enum carom_surface surface;
    double at[3]; /* its middle */
    double size[3], radius;
    double frame[4]; /* quaternion from its own axes to space; all 0: not turned */
    bool periodic[3];
};

/* Its volume, in the plane its area: a fraction of it over the mean volume of a ball is how many balls to ask for. */
double carom_place_volume(size_t dimension, const struct carom_place_region *region);

#endif
