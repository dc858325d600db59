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

/* Bodies that stand in a region already, and whom those that are placed there must not touch: balls and walls whose
 * surfaces reach into it. */
struct carom_place_others {
    size_t nballs;
    double (*centre)[3], *radius; /* of balls */
    struct carom_bodies *walls;   /* with one body more than walls, the last: the ball that is asked about; or NULL */
    double *rest;                 /* coordinates of all of them at rest */
};

/* Finds them among bodies [0, n) of `bodies`, of which those with placed[i] stand. False: out of memory. */
bool carom_place_others(struct carom_place_others *others, const struct carom_bodies *bodies, const bool *placed,
                        const struct carom_place_region *region);
void carom_place_others_free(struct carom_place_others *others);

/* The smallest gap between a ball and the walls among them; `push` (unless NULL) += what those it overlaps push it by.
 */
double carom_place_others_walls(const struct carom_place_others *others, const double centre[3], double radius,
                                double push[3]);

/* Its volume, in the plane its area: a fraction of it over the mean volume of a ball is how many balls to ask for. */
double carom_place_volume(size_t dimension, const struct carom_place_region *region);

/* Numbers n balls anew so that those near each other have numbers near each other, which is what steps over many of
 * them want; places and radii stay together. False: out of memory. */
bool carom_place_order(size_t dimension, size_t n, double (*centre)[3], double *radius);

#endif
