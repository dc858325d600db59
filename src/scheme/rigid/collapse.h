/* Impacts of several contacts that follow each other ever faster and end in a moment, all of them at rest: inelastic
 * collapse. A light bead between two heavy ones that come together strikes them in turn, infinitely often before they
 * meet. Rates and flights then shrink as geometric series, gaps become smaller than coordinates can tell long before
 * rates are 0, and to strike all contacts at once there, with e, would set bodies free that stay together. So the
 * sequence is followed by itself, in gaps and rates of the contacts near, which keep their digits however small they
 * get; what it has done when it has died out, impulses and displacements, is given to the state. */
#ifndef CAROM_SCHEME_RIGID_COLLAPSE_H
#define CAROM_SCHEME_RIGID_COLLAPSE_H

#include "carom/scheme.h"
#include "model/frame.h"
#include "solve/contact/lcp.h"

struct carom_collapse {
    const struct carom_model *model;
    size_t room;                     /* contacts that can be followed */
    bool *shut;                      /* nc, by the caller: whose gap counts as 0 now */
    size_t n, *contact;              /* those near, rising */
    double *e, *gap, *rate;          /* n: along the sequence */
    double *press;                   /* n: forces of those that rest */
    double *free, *bend;             /* n: second derivative of the gap while nothing presses, and as it is */
    bool *closed, *struck;           /* n: rests at gap 0; collapses with others */
    bool *asked, *held;              /* n: `closed` when forces were asked for the last time, and what came of it */
    double *first;                   /* n: answer, rate before the first of its impacts */
    double *hits, *lost;             /* n: answer, impulse and loss of all its impacts */
    double *impulse;                 /* n: that, and what forces gave */
    double *moment;                  /* n: impulses times when they came */
    double time;                     /* answer: how long the sequence takes */
    double *w, *part, *b, *z;        /* W of those near; a problem of some of them */
    size_t reach;                    /* contacts further apart have no entry in W: 1 in rows */
    size_t *some, *order, *last;     /* last: number of its last impact */
    double *force, *a, *there, *way; /* nv, nv, nq, nv: where accelerations lead */
    struct carom_lcp_room lcp;
};

/* What a scheme tells of the moment at which contact `hit` closes. */
struct carom_collapse_moment {
    const struct carom_state *state;
    const double *e, *gap, *rate; /* nc */
    size_t hit;
    double zone;  /* gaps up to this may belong to the sequence: far above what counts as 0, below what errors may be */
    double noise; /* gaps up to this are rounding */
    double slow;  /* rates up to this are rest */
    double matters; /* rates up to this may be off */
    double probe;   /* a time in which forces hardly change */
};

enum carom_status carom_collapse_open(struct carom_collapse *collapse, const struct carom_model *model,
                                      struct carom_error *error);
void carom_collapse_close(struct carom_collapse *collapse);

/* Do the impacts that begin now come to rest, two contacts at least, before any gets out of the zone? Then the frame is
 * that of the contacts near, and answers are there. Looks at the state and leaves it alone. */
bool carom_collapse_follow(struct carom_collapse *collapse, struct carom_stepper *stepper, struct carom_frame *frame,
                           const struct carom_collapse_moment *moment);

/* The state is then as it was after all of them, as if that had always been so: at the moment of rest it is exact. */
void carom_collapse_take(const struct carom_collapse *collapse, const struct carom_frame *frame,
                         struct carom_state *state);

#endif
