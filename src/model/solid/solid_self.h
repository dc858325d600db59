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
    double *reach;         /* n: how far the corners of a cell are from its centre */
    double *ease;          /* n: how far an impulse of 1 per area moves a cell, where friction acts all around it */
    double wide;           /* edge of the bins in which cells are looked for */
    size_t slots;          /* of bins, a power of two */
    bool pieces;           /* does nothing meet before something has broken? */
    double mu, slip_speed; /* Coulomb's friction, as law coulomb has it; mu 0: none */
};

struct carom_self_cell {
    size_t number;
    double at[3], turn[4];
};

/* A point of one cell in another. */
struct carom_self_touch {
    double at[3];     /* where it is */
    double normal[3]; /* of the face there, outwards */
    double stiff, depth;
    double area; /* for which it stands */
};

bool carom_solid_self_build(const struct carom_solid *solid, struct carom_solid_self *self);
void carom_solid_self_free(struct carom_solid_self *self);

/* How many doubles of room its questions need. */
size_t carom_solid_self_room(const struct carom_solid *solid);

/* Cells that meet rub each other; after carom_solid_self and before there are states. */
void carom_solid_self_friction_by(struct carom_solid *solid, double mu, double slip_speed);
static inline bool carom_solid_self_is_rough(const struct carom_solid *solid)
{
    return solid->self && solid->self->mu > 0.0;
}

/* Where q has what friction took; of rough ones. */
double *carom_solid_self_friction_loss(const struct carom_solid *solid, double *q);

/* Tells `take` of all points in which cells meet, of each of both cells (`on`, by whom, and the sign of the normal on
 * it), those of one cell from one thread and in the same order always. */
typedef void carom_self_take(void *own, const struct carom_self_touch *touch, const struct carom_self_cell *on,
                             const struct carom_self_cell *by, double sign);
void carom_solid_self_each(const struct carom_solid *solid, double *room, struct carom_threads *threads,
                           const double *q, carom_self_take *take, void *own);

/* f += a force on a cell in a point where it meets another. */
void carom_solid_self_act(const struct carom_solid *solid, const struct carom_self_touch *touch,
                          const struct carom_self_cell *on, const double force[3], double *f);

/* Is nothing met yet, as only pieces are, and there are none? */
bool carom_solid_self_is_whole(const struct carom_solid *solid, const double *q);

/* f += what meets cells that are marked (NULL: all). */
void carom_solid_self_push_own(const struct carom_solid *solid, double *room, struct carom_threads *threads,
                               const double *q, const uint8_t *own, double *f);

/* f += what meets; and its energy. */
void carom_solid_self_push(const struct carom_solid *solid, double *room, struct carom_threads *threads,
                           const double *q, double *f);
double carom_solid_self_energy(const struct carom_solid *solid, double *room, const double *q);

/* What the faces of one link would do if they were bare, in their points as above: the force on its first cell, the
 * moment on that, and that which is taken from the second; and its energy. */
double carom_solid_self_closed(const struct carom_solid *solid, const double *q, size_t link, double pull[9]);

/* f = friction of what meets, with velocities w, spins in space axes, and so that it does not turn slips round within
 * the time h. */
void carom_solid_self_friction(const struct carom_solid *solid, double *room, struct carom_threads *threads, double h,
                               const double *q, const double *w, double *f);

#endif
