/* Cells of one body that meet: pieces of what broke, faces of cracks, sides that close on each other. */
#ifndef CAROM_MODEL_SOLID_SOLID_SELF_H
#define CAROM_MODEL_SOLID_SOLID_SELF_H

#include "model/solid/solid.h"

#define CAROM_SELF_FREE UINT32_MAX /* the link of a face that has none */

/* A face of a cell, in the axes of the unloaded body: its plane is normal . arm = offset. */
struct carom_self_face {
    double normal[3], offset;
    double deep;           /* how far something may be behind it: the centre of the cell */
    double soft;           /* of the half of the cell behind it, per area: m / Pa */
    uint32_t link;         /* behind which it is hidden until that is broken */
    uint32_t first, count; /* of its points */
};

/* The middle of a piece of a face: what it feels, the face feels there. */
struct carom_self_point {
    double arm[3], area;
};

struct carom_solid_self {
    uint32_t *begin; /* n + 1: faces by cells */
    struct carom_self_face *face;
    struct carom_self_point *point;
    double *reach; /* n: how far the corners of a cell are from its centre */
    double wide;   /* edge of the bins in which cells are looked for */
    size_t slots;  /* of bins, a power of two */
    bool pieces;   /* does nothing meet before something has broken? */
};

void carom_solid_self_free(struct carom_solid_self *self);

/* How many doubles of room its questions need. */
size_t carom_solid_self_room(const struct carom_solid *solid);

/* f += what meets; and its energy. */
void carom_solid_self_push(const struct carom_solid *solid, double *room, struct carom_threads *threads,
                           const double *q, double *f);
double carom_solid_self_energy(const struct carom_solid *solid, double *room, const double *q);

#endif
