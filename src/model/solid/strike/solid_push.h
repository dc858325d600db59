/* The overlap of a contact of solids as a whole, and the resultant of the forces in all its points. */
#ifndef CAROM_MODEL_SOLID_STRIKE_SOLID_PUSH_H
#define CAROM_MODEL_SOLID_STRIKE_SOLID_PUSH_H

#include "model/solid/strike/solid_strike.h"

/* The overlap of a meeting at q, and (where v is not NULL) how fast it grows; v is the physical one. Less than 0: the
 * smallest distance, a cell at most, and the rate is that of the nearest point. *deepest (may be NULL): of a single
 * point, over the size of cells. */
double carom_solid_push_overlap(const struct carom_model *model, const struct carom_strike_meet *meet,
                                const struct carom_press_box *box, const double *q, const double *v, double *rate,
                                double *deepest);

/* The area in which they press each other, the mean of both sides. */
double carom_solid_push_area(const struct carom_model *model, const struct carom_strike_meet *meet,
                             const struct carom_press_box *box, const double *q);

/* How fast the surfaces of a meeting close in where they touch (the mean, by depth) or, apart, at their nearest points
 * within a cell: the overlap itself grows more slowly where they touch in a part of the area. */
double carom_solid_push_speed(const struct carom_model *model, const struct carom_strike_meet *meet,
                              const struct carom_press_box *box, const double *q, const double *v);

/* The direction in which a point pushes: where its two ends are one but for rounding, that of the surface. */
void carom_solid_push_normal(const struct carom_model *model, const double *q, const struct carom_press *press,
                             double normal[3]);

/* What a point of meeting m that is pressed pushes with by the law, at q and v: a force along the normal on its end 0,
 * against it on end 1. */
double carom_solid_push_point(const struct carom_model *model, size_t m, const double *q, const double *v,
                              const struct carom_press *press, double normal[3]);

/* What a contact pushes as a whole, on the second body of its pair, without friction. */
struct carom_strike_push {
    double deform, rate;         /* its overlap, as carom_contacts_touch_some has it */
    double force;                /* the size of spring + damper; less than 0: they pull */
    double spring[3], damper[3]; /* what springs push, and what dampers do */
    double viscous[3];           /* where normals stay, `damper` is the rate of it */
};

/* Contacts [first, last) at q, the whole model's, and v, the physical one. */
void carom_solid_push_read(const struct carom_model *model, size_t first, size_t last, const double *q, const double *v,
                           struct carom_strike_push *out);

#endif
