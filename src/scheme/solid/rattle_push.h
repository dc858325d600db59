/* Forces and moments of contacts onto cells of solids, which are taken off again after the kick. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_PUSH_H
#define CAROM_SCHEME_SOLID_RATTLE_PUSH_H

#include "model/solid/strike/solid_strike.h"
#include "scheme/solid/rattle.h"

/* Of one body: two may be pushed at once. */
struct carom_rattle_pushed {
    size_t n;
    struct carom_rattle_pushed_cell *cell; /* room for every one with a free face */
    uint32_t *stamp;                       /* by cell: the round that pushed it last */
};

struct carom_rattle_push {
    size_t nbodies;
    struct carom_rattle_pushed *pushed; /* by bodies */
    uint32_t rounds;
};

bool carom_rattle_push_open(struct carom_rattle_push *push, const struct carom_solid_strike *strike);
void carom_rattle_push_close(struct carom_rattle_push *push);

/* Before the pushes of a kick; and after it: forces are what they were. */
void carom_rattle_push_begin(struct carom_rattle_push *push);
void carom_rattle_push_undo(const struct carom_rattle_push *push, struct carom_rattle_body *body);

/* lambda against the normal, in a point of a surface. */
void carom_rattle_push_point(struct carom_rattle_push *push, struct carom_rattle_body *body, size_t which,
                             const struct carom_skin_grip *grip, const double normal[3], double lambda);

/* A contact of balls: lambda against the slopes of its gap, and friction against a force. */
void carom_rattle_push_touch(struct carom_rattle_push *push, struct carom_rattle_body *body,
                             const struct carom_strike *at, double lambda);
void carom_rattle_push_friction(struct carom_rattle_push *push, struct carom_rattle_body *body,
                                const struct carom_strike *at, const double force[3]);

#endif
