/* Surfaces of solids that press each other, or walls, in the kicks of scheme rattle: see rattle_strike.c. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_FACES_H
#define CAROM_SCHEME_SOLID_RATTLE_FACES_H

#include "scheme/solid/rattle_friction.h"
#include "scheme/solid/rattle_push.h"

struct carom_rattle_faces {
    const struct carom_model *model;
    const struct carom_solid_strike *of;
    struct carom_threads *threads;
    struct carom_press_crew *crew;
    struct carom_press *press; /* where they touch: [end[m - 1], end[m]) of meeting m */
    size_t n, most, *end;
    bool full; /* was there no room for more? */
};

/* False: out of memory; close in any case. */
bool carom_rattle_faces_open(struct carom_rattle_faces *faces, const struct carom_model *model,
                             struct carom_threads *threads);
void carom_rattle_faces_close(struct carom_rattle_faces *faces);

/* Where they touch at q; and the overlaps, by meetings. */
void carom_rattle_faces_find(struct carom_rattle_faces *faces, const double *q, double *overlap);

/* How fast that of meeting m grows; turning is angular momentum in v. */
double carom_rattle_faces_closing(const struct carom_rattle_faces *faces, size_t m, double overlap, const double *q,
                                  const double *v);

/* A force `lambda` along the overlap of meeting m; friction may be NULL. */
void carom_rattle_faces_push(struct carom_rattle_faces *faces, struct carom_rattle_push *onto,
                             struct carom_rattle_friction *friction, struct carom_rattle_body *body, size_t m,
                             double lambda, double overlap, const struct carom_rattle_kick *kick);

/* Is none further than half a cell inside another? Else the sentence. */
enum carom_status carom_rattle_faces_bounded(const struct carom_rattle_faces *faces, double t,
                                             struct carom_error *error);

#endif
