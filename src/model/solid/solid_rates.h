/* Rates of links at a frozen configuration, for stiffness-proportional damping and the power of loads. */
#ifndef CAROM_MODEL_SOLID_SOLID_RATES_H
#define CAROM_MODEL_SOLID_SOLID_RATES_H

#include "model/solid/solid.h"

/* One link of each of two neighbouring cells: where it ends, and its shape. A cell that has no more goes idle: a link
 * to itself, and a shape after all others, without stiffness. */
struct carom_solid_rates_slot {
    uint32_t other[2], shape[2];
};

/* what the loops need of a shape; bend: in the plane */
struct carom_solid_rates_shape {
    double part[2], stiff, bend;
};

/* The links of a body; constant. */
struct carom_solid_rates {
    const struct carom_solid *solid;
    size_t nslots;
    uint32_t *begin; /* the first slot of every two cells, and the end */
    struct carom_solid_rates_slot *slot;
    struct carom_solid_rates_shape *shape;
};

/* The body as it was frozen, in a room of carom_solid_rates_room doubles. */
struct carom_solid_frozen {
    void *pair;   /* links two by two as they stand, in space or in the plane, by slots */
    double *sum;  /* n: rates of the dilatation sums, left by the drag */
    double *push; /* n: the pressures that go with them */
    double *loss; /* n: power, counted with the first cell of a link */
};

/* For links and shapes as they are now. NULL: out of memory. */
struct carom_solid_rates *carom_solid_rates_create(const struct carom_solid *solid);
void carom_solid_rates_free(struct carom_solid_rates *rates);

size_t carom_solid_rates_room(const struct carom_solid_rates *rates);
struct carom_solid_frozen carom_solid_rates_frozen(const struct carom_solid_rates *rates, double *room);

/* Freezes the body at q. */
void carom_solid_rates_freeze(const struct carom_solid_rates *rates, const struct carom_solid_frozen *frozen,
                              struct carom_threads *threads, const double *q);

/* The same for the cells of a piece, those around it being known; their power is left in frozen->loss. */
struct carom_solid_piece;
void carom_solid_rates_freeze_piece(const struct carom_solid_rates *rates, const struct carom_solid_frozen *frozen,
                                    const struct carom_solid_piece *piece, struct carom_threads *threads,
                                    const double *q);
void carom_solid_rates_drag_piece(const struct carom_solid_rates *rates, const struct carom_solid_frozen *frozen,
                                  const struct carom_solid_piece *piece, struct carom_threads *threads, const double *w,
                                  double *f);

/* f = -K' w of the frozen body, w = velocity and angular velocity in space axes; returns w . K' w. */
double carom_solid_rates_drag(const struct carom_solid_rates *rates, const struct carom_solid_frozen *frozen,
                              struct carom_threads *threads, const double *w, double *f);

/* What force and power of the parts need, laid out in their scratch; frozen, w and drag only of bodies with rates. */
struct carom_solid_desk {
    struct carom_solid_work work;
    struct carom_solid_frozen frozen;
    double *w, *drag; /* fast x n */
};

struct carom_solid_desk carom_solid_desk(const struct carom_solid *solid, double *scratch);

/* f += what damping does at (q, v), in space axes; of large bodies what their mass damps. */
void carom_solid_damp(const struct carom_solid *solid, const struct carom_solid_desk *desk,
                      struct carom_threads *threads, const double *q, const double *v, double *f);

#endif
