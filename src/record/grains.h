/* What contacts of discs and spheres add up to at one moment: stress of a body, and over a region of space stress,
 * fabric and coordination. Tensors are symmetric, xx yy zz yz xz xy, and pulling is positive, as for cells of
 * solids. */
#ifndef CAROM_RECORD_GRAINS_H
#define CAROM_RECORD_GRAINS_H

#include "carom/bodies.h"
#include "carom/record.h"

#define CAROM_GRAINS_TENSOR 6

/* What stays: balls and the room around them. */
struct carom_grains {
    size_t n, dimension;
    double *radius; /* n; 0: a wall */
    double *mass, *volume;
    double depth; /* of the plane: of its thickest body; 1 in space */
    bool bounded, periodic[3];
    double low[3], high[3];
};

/* A sample; places and velocities have as many numbers for each body as there are dimensions. */
struct carom_grains_moment {
    const double *place, *velocity;
    size_t ntouches;
    const struct carom_touch *touch;
};

/* Room for n bodies, all of it 0; false: out of memory. */
bool carom_grains_reserve(struct carom_grains *grains, size_t n);
bool carom_grains_open(struct carom_grains *grains, const struct carom_bodies *bodies);
void carom_grains_close(struct carom_grains *grains);

/* The shortest way from b to a, through joined sides where that is shorter. */
void carom_grains_way(const struct carom_grains *grains, const double *a, const double *b, double way[3]);

/* A contact as its bodies feel it: from the centre of body `side` to the point of contact, and the force on that body.
 * False for a wall. */
bool carom_grains_branch(const struct carom_grains *grains, const struct carom_grains_moment *moment,
                         const struct carom_touch *touch, int side, double arm[3], double force[3]);

/* The symmetric part of scale x a b, added. */
void carom_grains_add(double tensor[CAROM_GRAINS_TENSOR], double scale, const double a[3], const double b[3]);

/* Of each body: the sum of (arm, force) over its contacts, over its volume; 0 for walls. */
void carom_grains_stress(const struct carom_grains *grains, const struct carom_grains_moment *moment,
                         double (*stress)[CAROM_GRAINS_TENSOR]);

/* The region that is meant where none is given: the domain. False: there is none. */
bool carom_grains_whole(const struct carom_grains *grains, struct carom_region *region);

/* Over a region: each contact with that part of its arms that lies inside, over the region's volume; and what its
 * bodies carry through it beside their mean velocity, -m v' v' over the volume. */
void carom_grains_region_stress(const struct carom_grains *grains, const struct carom_region *region,
                                const struct carom_grains_moment *moment, double stress[CAROM_GRAINS_TENSOR]);
void carom_grains_region_kinetic(const struct carom_grains *grains, const struct carom_region *region,
                                 const struct carom_grains_moment *moment, double stress[CAROM_GRAINS_TENSOR]);

/* The mean of n n over contacts that touch inside, trace 1; and contacts of each ball inside, in the mean. 0 where
 * there are none. `region` may be NULL: everywhere. */
void carom_grains_fabric(const struct carom_grains *grains, const struct carom_region *region,
                         const struct carom_grains_moment *moment, double fabric[CAROM_GRAINS_TENSOR]);
double carom_grains_coordination(const struct carom_grains *grains, const struct carom_region *region,
                                 const struct carom_grains_moment *moment);

#endif
