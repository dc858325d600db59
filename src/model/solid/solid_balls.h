/* Part `balls`: spheres in space, or discs in the plane, beside a solid. They do not turn: nothing rubs them. */
#ifndef CAROM_MODEL_SOLID_SOLID_BALLS_H
#define CAROM_MODEL_SOLID_SOLID_BALLS_H

#include "carom/model.h"

/* q: displacements, v: velocities, `dimension` numbers a ball. */
struct carom_solid_balls {
    size_t n;
    int dimension;
    double (*at)[3]; /* centres at the start */
    double *mass, *radius;
};

extern const struct carom_part carom_part_solid_balls;

/* Balls to be filled in; NULL: out of memory. */
struct carom_solid_balls *carom_solid_balls_create(size_t n, int dimension);
void carom_solid_balls_free(struct carom_solid_balls *balls);

/* The balls that are this member of a model, or NULL; those of a model and their member number, or NULL. */
const struct carom_solid_balls *carom_solid_balls_at(const struct carom_model *model, size_t member);
const struct carom_solid_balls *carom_solid_balls_of(const struct carom_model *model, size_t *member);

/* Where the centre of ball i is; q is the part's. */
void carom_solid_balls_place(const struct carom_solid_balls *balls, size_t i, const double *q, double out[3]);

/* The largest speed in v, the part's. */
double carom_solid_balls_speed(const struct carom_solid_balls *balls, const double *v);

#endif
