/* Scheme verlet for bodies whose contacts come and go, and what its files share. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_BODIES_H
#define CAROM_SCHEME_COMPLIANT_VERLET_BODIES_H

#include "carom/scheme.h"
#include "model/bodies/act.h"

extern const struct carom_scheme carom_verlet_bodies;

struct carom_verlet_bodies_work {
    const struct carom_bodies *bodies;
    struct carom_search search;
    struct carom_act start, end; /* contacts at both ends of the step */
    double *force, *acceleration,
        *drift; /* nv; drift: the velocity of the step, of bodies that are led their mean one */
    double *kick, *aside[CAROM_WAYS][3]; /* per contact: the second kick */
    double *room[9];                     /* per contact, for friction */
    size_t *wrong;                       /* per block of contacts: one whose bodies have run into each other */
    size_t contacts;                     /* there is room for */
    bool ready;                          /* `start` belongs to the state of this step and time */
    uint64_t step;
    double time;
};

/* What contacts of the state have lost by a mechanism. */
static inline double *carom_verlet_bodies_lost(const struct carom_verlet_bodies_work *w,
                                               const struct carom_state *state, enum carom_retired mechanism)
{
    return state->contacts->column[w->start.columns.lost + mechanism];
}

/* The second kicks of friction at contacts [first, last) over a step of size h, into w->aside; what a spring pushes
 * along the normal is added to w->kick, what is lost is booked. */
void carom_verlet_friction_kicks(struct carom_verlet_bodies_work *w, const struct carom_state *to, size_t first,
                                 size_t last, double h);

#endif
