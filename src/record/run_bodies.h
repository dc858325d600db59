/* What a run file says of discs, spheres and walls that never changes: enough to draw them without the scene. */
#ifndef CAROM_RECORD_RUN_BODIES_H
#define CAROM_RECORD_RUN_BODIES_H

#include "carom/bodies.h"
#include "record/hdf5/hdf5_set.h"

/* Defines and writes it; false: out of memory. Other errors surface when the file is published. */
bool carom_run_bodies_define(struct carom_hdf5_file *file, const struct carom_bodies *bodies, bool si);

/* What comes back: arrays to be freed by carom_run_bodies_free. */
struct carom_run_bodies {
    size_t n;
    double *radius, *mass;          /* n */
    double *volume, *depth;         /* n: of balls; NULL: the file does not say */
    double *centre, *size, *normal; /* n x 3 */
    double *turn;                   /* n x 4: from a body's own axes to space at the start */
    int32_t *shape;                 /* enum carom_surface; others are refused */
    int32_t *material;              /* its class: which pairings it has */
    int32_t *inside;                /* 1: a container */
    /* of polygons and polyhedra: corners about the centre of their body in its own axes, and triangles of three of
     * them; in the plane sides, whose second corner comes twice */
    size_t ncorners, ntriangles;
    double *corner;                  /* ncorners x 3 */
    int32_t *corner_body, *triangle; /* body of a corner, from 0; ntriangles x 3 */
};

enum carom_status carom_run_bodies_read(struct carom_hdf5_file *file, struct carom_run_bodies *bodies,
                                        struct carom_error *error);

/* The same of bodies that no file holds. */
enum carom_status carom_run_bodies_of(const struct carom_bodies *of, struct carom_run_bodies *bodies,
                                      struct carom_error *error);

/* The domain, where there is one. */
bool carom_run_bodies_domain(struct carom_hdf5_file *file, size_t dimension, double low[3], double high[3],
                             bool periodic[3]);

void carom_run_bodies_free(struct carom_run_bodies *bodies);

#endif
