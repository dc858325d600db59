/* Contacts and ties of a model at rest, as springs between cells and balls. */
#ifndef CAROM_MODEL_SOLID_REST_SOLID_REST_SPRINGS_H
#define CAROM_MODEL_SOLID_REST_SOLID_REST_SPRINGS_H

#include "model/solid/strike/solid_strike.h"

/* How the length of a spring grows: by a cell of a solid, as it moves and turns about its axes, or by a ball. */
struct carom_rest_end {
    uint32_t body, cell;               /* body: a member of the model; cell: or a ball */
    double along[3], twist[3], own[3]; /* own: the twist about the cell's axes */
    double place[3];                   /* where the cell is */
};

/* energy' = force, energy'' = stiff; ends [first, first + count) */
struct carom_rest_spring {
    double force, stiff, near; /* near: what it would be as stiff as, of one that is open but near */
    size_t first, count;
};

struct carom_rest_springs {
    struct carom_rest_spring *spring;
    struct carom_rest_end *end;
    size_t n, room, nends, ends_room;
    double energy;
    bool full; /* was there no memory for more? */
};

/* Who takes part, and how. */
struct carom_rest_who {
    const struct carom_model *model;
    const struct carom_solid_strike *strike;
    const bool *solid, *ball; /* by their numbers */
    double load;              /* a force by which laws without a stiffness at 0 are measured */
    bool sticky;              /* what is near pulls, too, and laws are straight: to begin with */
};

void carom_solid_rest_springs_find(const struct carom_rest_who *who, const double *q, struct carom_rest_springs *out);
void carom_solid_rest_springs_close(struct carom_rest_springs *springs);

/* How near is near: a part of the size of cells, or of a ball. */
#define CAROM_REST_NEAR 1e-3

#endif
