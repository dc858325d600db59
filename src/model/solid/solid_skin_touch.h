/* Which cells of a solid a contact touches, and how. */
#ifndef CAROM_MODEL_SOLID_SOLID_SKIN_TOUCH_H
#define CAROM_MODEL_SOLID_SOLID_SKIN_TOUCH_H

#include "model/solid/solid_skin.h"

/* What one cell has of a contact: slopes of the overlap by its velocity and its spin (space axes), and of the point in
 * which friction acts its share, at `arm` from the centre. Shares add up to 1. */
struct carom_skin_touch {
    uint32_t cell;
    double along[3], twist[3];
    double share, arm[3];
};

/* Where touches of several contacts are kept. */
struct carom_skin_pool {
    struct carom_skin_touch *touch;
    size_t n, room;
    bool full; /* was there no memory for more? */
};

void carom_solid_skin_touch_close(struct carom_skin_pool *pool);

/* The slope by a point of a cell at `arm` from its centre, and that cell's part of the shares, to the touches from
 * `first` on; and when all are there. */
void carom_solid_skin_touch_add(struct carom_skin_pool *pool, size_t first, uint32_t cell, const double arm[3],
                                const double along[3], double share);
void carom_solid_skin_touch_finish(struct carom_skin_pool *pool, size_t first);

/* Touches of one point of the surface, along a normal. */
void carom_solid_skin_touch_spot(struct carom_skin_pool *pool, const struct carom_skin_grip *grip,
                                 const double normal[3]);

/* What a cell adds to how fast the overlap grows; v is the part's physical one. */
double carom_solid_skin_touch_rate(const struct carom_solid *solid, const struct carom_skin_touch *touch,
                                   const double *q, const double *v);

#endif
