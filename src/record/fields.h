/* Coarse-grained fields of bodies on a grid, after Goldhirsch (Granular Matter 12, 2010, 239-252): density,
 * velocity and stress, each body spread over a kernel, each contact over kernels along its branch. On the grid every
 * kernel sums up to exactly 1, so that mass, momentum and the virial of the contacts are kept to rounding whatever the
 * width, up to the grid's edges, where kernels end. */
#ifndef CAROM_RECORD_FIELDS_H
#define CAROM_RECORD_FIELDS_H

#include "record/grains.h"

enum carom_fields_kernel {
    CAROM_FIELDS_LUCY,     /* (1 + 3 x)(1 - x)^3, x = distance / width < 1 */
    CAROM_FIELDS_GAUSSIAN, /* of standard deviation width, cut at 4 widths */
};
extern const char *const carom_fields_kernels[]; /* their names, NULL-ended */

/* Cells along each axis; along an axis with one cell everything is one place, and fields are averages over it. */
struct carom_fields_grid {
    size_t count[3];
    double low[3], cell[3];
};

#define CAROM_FIELDS_MOST 4000000 /* cells */

struct carom_fields {
    struct carom_fields_grid grid;
    enum carom_fields_kernel kernel;
    double width;
    size_t n;         /* cells; x runs first */
    double *fraction; /* n: volume of bodies over volume */
    double *density;
    double (*velocity)[3];                  /* momentum over density, 0 where there is none */
    double (*stress)[CAROM_GRAINS_TENSOR];  /* contacts and motion */
    double (*kinetic)[CAROM_GRAINS_TENSOR]; /* of this, what bodies carry beside the velocity of the field */
    double *weight, *height;                /* of one branch, and of one kernel: room to work in */
};

/* The width unless given: two diameters of the middle one of the balls (by size) for lucy, half of one for
 * gaussian. Of cells: a quarter of what a
 * kernel of lucy reaches in the plane, half in space. */
double carom_fields_usual_width(const struct carom_grains *grains, enum carom_fields_kernel kernel);
double carom_fields_usual_cell(const struct carom_grains *grains, enum carom_fields_kernel kernel, double width);

/* Cells of about `cell` between two corners; whole along joined sides. Too many, or none: refused. */
enum carom_status carom_fields_open(struct carom_fields *fields, const struct carom_grains *grains, const double low[3],
                                    const double high[3], const double cell[3], struct carom_error *error);
void carom_fields_close(struct carom_fields *fields);

/* The fields of a moment; without velocities the bodies rest. */
void carom_fields_read(struct carom_fields *fields, const struct carom_grains *grains,
                       const struct carom_grains_moment *moment);

/* The middle of a cell, and the volume of each. */
void carom_fields_middle(const struct carom_fields *fields, size_t cell, double middle[3]);
double carom_fields_volume(const struct carom_fields *fields, const struct carom_grains *grains);

#endif
