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

/* What damping knows of a point of a contact that is damped. */
struct carom_rattle_point {
    double viscous, rate;  /* the law's of its depth, and how fast that grows */
    double damp;           /* what damping pushes in this kick, over its weight */
    double change, before; /* of `viscous` in this step, and the rate when it began; along the normal of now */
};

/* Where surfaces touch, by contacts: [end[m - 1], end[m]) of meeting m, and in their order. Of contacts that are damped
 * also, with a depth of 0 or less, where they did when the step began. */
struct carom_rattle_touching {
    struct carom_press *press;
    struct carom_rattle_point *point; /* where anything is damped */
    size_t n, *end;
};

struct carom_rattle_faces {
    const struct carom_model *model;
    const struct carom_solid_strike *of;
    struct carom_threads *threads;
    struct carom_press_hands hands;
    struct carom_rattle_touching now, was; /* was: when the step began; empty where nothing is damped */
    size_t most;                           /* there is room for */
    bool *damped, any;                     /* is this meeting, or any? */
    bool full;                             /* was there no room for more? */
    double *term;                          /* of each point: what goes into sums */
    const struct carom_rattle_crew *crew;  /* NULL: this process is alone; else, for what others tell: */
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

/* Where they touch at q, and the overlaps of all meetings. `stepped`: from where the step began, whose points are kept;
 * else nothing is known. */
void carom_rattle_faces_find(struct carom_rattle_faces *faces, const double *q, bool stepped, double *overlap);

/* Is none further than half a cell inside another? Else the sentence. */
enum carom_status carom_rattle_faces_bounded(const struct carom_rattle_faces *faces, double t,
                                             struct carom_error *error);

/* The first point of a meeting. */
static inline size_t carom_rattle_faces_first(const struct carom_rattle_touching *touching, size_t meet)
{
    return meet > 0 ? touching->end[meet - 1] : 0;
}

/* How fast depths grow, in points of contacts that are damped. */
void carom_rattle_faces_rates(struct carom_rattle_faces *faces, const double *q, const double *v);

/* What contacts push, and their friction (or NULL), onto the forces of solids. push: of springs, which all points of a
 * contact share. */
struct carom_rattle_load {
    const double *push, *overlap;
    const struct carom_rattle_kick *kick;
    struct carom_rattle_friction *friction;
};
void carom_rattle_faces_push(struct carom_rattle_faces *faces, const struct carom_rattle_load *load,
                             struct carom_rattle_push *onto, struct carom_rattle_body *body);

/* --- damping (rattle_faces_damp.c) ------------------------------------------------------------------------------- */

/* The same point of meeting m when the step began, SIZE_MAX: it was apart. */
size_t carom_rattle_faces_damp_before(const struct carom_rattle_faces *faces, size_t m,
                                      const struct carom_press *press);

/* What damping pushes in the first kick of a step, `known`: with rates as they were settled; in the second one; and,
 * where all have come to the end of it, what it has taken, added by contacts. */
void carom_rattle_faces_damp_begin(struct carom_rattle_faces *faces, bool known, const double *q, const double *v);
void carom_rattle_faces_damp_end(struct carom_rattle_faces *faces, double h);
void carom_rattle_faces_damp_settle(struct carom_rattle_faces *faces, const double *q, const double *v, double *lost);

#endif
