/* What solid_rest.c and solid_rest_wholes.c share: bodies that come to rest together, and how they move as wholes. */
#ifndef CAROM_MODEL_SOLID_REST_SOLID_REST_WHOLES_H
#define CAROM_MODEL_SOLID_REST_SOLID_REST_WHOLES_H

#include "model/solid/rest/solid_rest.h"
#include "model/solid/rest/solid_rest_springs.h"
#include "model/solid/settle/solid_settle.h"

/* One way in which a body moves as a whole; of a ball, along an axis. */
struct carom_rest_mode {
    size_t owner;     /* a solid, or after them a ball */
    double motion[6]; /* about the middle of the body */
};

struct carom_rest {
    const struct carom_solid_rest *of;
    struct carom_rest_who who;
    size_t n, solids, balls, d; /* unknowns; how many; where those of balls begin is `from` */
    size_t *from;               /* of solids, then of balls: in the unknowns */
    struct carom_solid_settle *body;
    bool *ball, *touched;                /* touched: by owners, for a moment */
    double *q, *weight, *kept, *last;    /* kept: of the balls; last: the slope that was asked for last */
    struct carom_rest_springs now, then; /* at q; where it is kept */
    bool known;                          /* are they those of q? */
    double scale, span, done;            /* done: what has been told of it */
    size_t nmodes, *mode_first;          /* by owners */
    struct carom_rest_mode *mode;        /* of mass 1, and across each other */
    double *matrix, *push, *stiffest;    /* stiffest: by owners */
    size_t nslides;
    double *slide, *left; /* what nothing holds: modes together, of size 1; how fast that would speed up, by modes */
    double least;         /* of what was left so far, and for how many steps it has been that */
    int stalls;
    bool full;
};

static inline bool carom_rest_settles(const struct carom_rest *w, size_t solid)
{
    return w->of->settles[solid];
}

static inline size_t carom_rest_owner(const struct carom_rest *w, const struct carom_rest_end *end)
{
    return end->body < w->solids ? end->body : w->solids + end->cell;
}

/* The dense system of springs between bodies as wholes, where w->then has been found. */
void carom_solid_rest_wholes_find(struct carom_rest *w);

/* z += what bodies as wholes do under r. */
void carom_solid_rest_wholes_move(struct carom_rest *w, const double *r, double *z);

/* Takes out of a slope what pushes bodies where nothing holds them, and keeps it. */
void carom_solid_rest_wholes_slide(struct carom_rest *w, double *g);

/* z += all bodies moved by x times their modes, or the forces that speed them up so. */
void carom_solid_rest_wholes_carry(struct carom_rest *w, const double *x, bool forces, double *z);

#endif
