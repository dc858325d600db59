/* Room in which two surfaces are compared: where the cells and corners of both are, worked out once for all who ask,
 * and boxes around cells in a row, by which those near a place are found. It holds nothing that q does not tell. */
#ifndef CAROM_MODEL_SOLID_STRIKE_SOLID_PRESS_ROOM_H
#define CAROM_MODEL_SOLID_STRIKE_SOLID_PRESS_ROOM_H

#include <stdatomic.h>

#include "model/solid/solid.h"
#include "model/solid/strike/solid_strike.h"

/* Where the cells of a body's rims are; rooms are as large as the largest body needs. */
struct carom_press_cells {
    double (*centre)[3];
    struct carom_press_box *row, *rows; /* around so many rims each, and around so many rows */
};

/* What is known of one of the two. */
struct carom_press_side {
    const struct carom_strike_body *body;
    const double *q;
    struct carom_press_cells own;
    const struct carom_press_cells *cells; /* its own or another side's */
    uint32_t now;                          /* what a stamp says that was given for this q */
    double (*corner)[3], *fit;             /* fit: how far corners of a rim are from its centre */
    uint32_t *known, *fitted;              /* stamps of corners and of fits */
};

struct carom_press_room {
    struct carom_press_side side[2];
    uint32_t *near, *rim; /* rims of one that are near a place, and of the other that are near it at all */
};

/* Rooms nobody is in. Several sims may ask one model at once: each takes one and gives it back. */
enum { CAROM_PRESS_ROOMS = 16 };
struct carom_press_rooms {
    _Atomic(struct carom_press_room *) spare[CAROM_PRESS_ROOMS];
};

/* With one room; NULL: out of memory. */
struct carom_press_rooms *carom_solid_press_room_open(const struct carom_solid_strike *strike);
void carom_solid_press_room_close(struct carom_press_rooms *rooms);

struct carom_press_room *carom_solid_press_room_take(const struct carom_solid_strike *strike);
void carom_solid_press_room_give(const struct carom_solid_strike *strike, struct carom_press_room *room);

/* Takes in a body at q; or what another room knows of it, whose cells must stay as they are meanwhile. */
void carom_solid_press_room_fill(struct carom_press_side *side, const struct carom_strike_body *body, const double *q);
void carom_solid_press_room_follow(struct carom_press_side *side, const struct carom_press_side *other);

/* Where a corner is, and how far corners of a rim are from the centre of its cell. */
const double *carom_solid_press_room_corner(struct carom_press_side *side, uint32_t corner);
double carom_solid_press_room_fit(struct carom_press_side *side, size_t rim);

/* Rims, in rising order, that may have a point within `sight` of the box; how many. */
size_t carom_solid_press_room_near(const struct carom_press_side *side, const struct carom_press_box *box, double sight,
                                   uint32_t *near);

/* Middles of pieces, as shares of corners. */
static inline const double *carom_press_middle(const struct carom_solid *s)
{
    static const double middle[2][3] = {{0.5, 0.5, 0.0}, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}};
    return middle[s->dimension == 3];
}

static inline bool carom_press_box_holds(const struct carom_press_box *box, double margin, int dimension,
                                         const double place[3])
{
    bool inside = true;
    for (int k = 0; k < dimension && inside; k++)
        inside = place[k] > box->low[k] - margin && place[k] < box->high[k] + margin;
    return inside;
}

/* Middles of pieces of one body on their way to another: solid_press_near.c. */
struct carom_press_search {
    struct carom_press_side *from, *to;
    uint32_t body[2], *near;           /* near: room for rims */
    double sight, part;                /* part: of an area, over that of the contact */
    const struct carom_press_box *box; /* of the other body */
};

/* Rims that may have such a piece, in their order; how many. */
size_t carom_solid_press_near_rims(const struct carom_press_search *search, uint32_t *rim);

/* Tells `take` of all pieces of n rims that are nearer than the sight. */
void carom_solid_press_near(const struct carom_press_search *search, const uint32_t *rim, size_t n,
                            carom_press_take *take, void *own);

/* The same for all rims, in their order, by a crew. */
void carom_solid_press_crew_search(struct carom_press_crew *crew, const struct carom_solid_strike *strike,
                                   const struct carom_press_search *search, const uint32_t *rim, size_t n,
                                   carom_press_take *take, void *own);

#endif
