/* Surfaces of solids that press each other, or a wall, in the kicks of scheme rattle: points of theirs, how fast these
 * close in, and what they push. Threads, and several processes, may work them out together. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_FACES_H
#define CAROM_SCHEME_SOLID_RATTLE_FACES_H

#include "scheme/solid/rattle_friction.h"
#include "scheme/solid/rattle_push.h"

/* Processes of which each works out a part of what all have to know; forces are each one's own. */
struct carom_rattle_crew {
    size_t own, count;
    const uint8_t *const *mine; /* by body and cell: is the force on it needed here? */
    /* numbers [first[k], first[k + 1]) of a row, which are known to process k, to all */
    void (*tell)(void *ranks, double *row, const size_t *first);
    void *ranks;
};

struct carom_rattle_faces {
    const struct carom_model *model;
    const struct carom_solid_strike *of;
    struct carom_threads *threads;
    struct carom_press_hands hands;
    struct carom_press *press; /* where surfaces touch, by contacts: [end[m - 1], end[m]) of meeting m */
    size_t n, most, *end;
    bool full;                            /* was there no room for more? */
    double *term;                         /* of each point: what goes into sums */
    const struct carom_rattle_crew *crew; /* NULL: this process is alone; else, for what others tell: */
    struct carom_press *found;
    uint8_t (*mine)[2]; /* by points and ends: has it cells on which forces are needed here? */
    double *count;
    size_t *first;
};

/* False: out of memory. */
bool carom_rattle_faces_open(struct carom_rattle_faces *faces, const struct carom_model *model,
                             struct carom_threads *threads);
bool carom_rattle_faces_join(struct carom_rattle_faces *faces, const struct carom_rattle_crew *crew);
void carom_rattle_faces_close(struct carom_rattle_faces *faces);

/* Where they touch at q, and the overlaps of all meetings. */
void carom_rattle_faces_find(struct carom_rattle_faces *faces, const double *q, double *overlap);

/* Is none further than half a cell inside another? Else the sentence. */
enum carom_status carom_rattle_faces_bounded(const struct carom_rattle_faces *faces, double t,
                                             struct carom_error *error);

/* How fast overlaps grow, of contacts with damping. Arrays are for all contacts, not only those of faces. */
void carom_rattle_faces_rates(struct carom_rattle_faces *faces, const double *overlap, const double *q, const double *v,
                              double *rate);

/* What contacts push, and their friction (or NULL), onto the forces of solids. */
struct carom_rattle_load {
    const double *push, *overlap;
    const struct carom_rattle_kick *kick;
    struct carom_rattle_friction *friction;
};
void carom_rattle_faces_push(struct carom_rattle_faces *faces, const struct carom_rattle_load *load,
                             struct carom_rattle_push *onto, struct carom_rattle_body *body);

#endif
