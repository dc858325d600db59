/* Scheme verlet for bodies whose contacts come and go, and what its files share. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_BODIES_H
#define CAROM_SCHEME_COMPLIANT_VERLET_BODIES_H

#include <string.h>

#include "carom/scheme.h"
#include "model/bodies/act.h"

extern const struct carom_scheme carom_verlet_bodies;

/* A contact as the last step left it, and with the velocities there. */
struct carom_verlet_contact {
    struct carom_meet_balls balls;
    double gap, normal[3]; /* arms of balls follow from them */
    double elastic, viscous, drag;
    double rate, force; /* of the overlap; of the law as it acts, without what springs push */
};

/* A body in the step under way: what contacts ask of it, in one place. */
struct carom_verlet_body {
    double u[3], v[6]; /* where it is at the end, in the plane u[2] = 0; its row of w->drift */
    bool turns;
};

/* A force on b, its opposite on a, and the same of a torque of rolling and twisting. */
struct carom_verlet_push {
    double force[3], torque[3];
};

/* What bodies a and b are given, torques of the force's arms included. */
struct carom_verlet_share {
    double force[3], torque[2][3];
};

/* Contacts from a multiple of CAROM_VERLET_BLOCK on: what one of them found in the step. */
struct carom_verlet_block {
    size_t n;     /* contacts in its part of `list` */
    size_t wrong; /* one whose bodies have run into each other; SIZE_MAX: none */
    size_t deep;  /* one that is pressed too deep; SIZE_MAX: none */
    bool switched, ended;
};

enum { CAROM_VERLET_BLOCK = 512, CAROM_VERLET_BATCH = 64 };

struct carom_verlet_bodies_work {
    const struct carom_bodies *bodies;
    struct carom_search search;
    struct carom_columns columns;
    double step_size; /* of all steps but those that are cut */
    double *force, *acceleration,
        *drift; /* nv; drift: the velocity of the step, of bodies that are led their mean one */
    struct carom_verlet_body *body;
    /* per contact of the list */
    struct carom_verlet_contact *contact;
    double *tangent[CAROM_WAYS];      /* `width` numbers each: friction on b at the start of the step */
    double (*arm)[2][3];              /* of contacts with walls, where there are any */
    struct carom_verlet_push *push;   /* where bodies are led, what their contacts gave last */
    struct carom_verlet_share *share; /* where several threads work, likewise */
    uint8_t *live;                    /* enum carom_verlet_live */
    bool *shares;                     /* has the contact a share? */
    uint32_t *list;                   /* by blocks, those that are not CAROM_VERLET_OPEN */
    struct carom_verlet_block *block;
    bool *carried;   /* by columns of the list: does a step change it? Others are 0 in all states */
    size_t contacts; /* there is room for */
    bool ready;      /* all that belongs to the state of this step and time */
    uint64_t step;
    double time;
};

enum carom_verlet_live {
    CAROM_VERLET_OPEN,
    CAROM_VERLET_CLOSED, /* or with something to remember */
    CAROM_VERLET_ENDED,  /* in this step */
};

/* Contacts of one pairing that are worked out together, their numbers side by side as laws want them. */
struct carom_verlet_batch {
    size_t n, pairing;
    uint32_t contact[CAROM_VERLET_BATCH];
    struct carom_meeting start[CAROM_VERLET_BATCH], end[CAROM_VERLET_BATCH]; /* of the step; at a moment, `start` */
    double deform[2][CAROM_VERLET_BATCH], normal[2][CAROM_VERLET_BATCH];     /* at both ends */
    double elastic[CAROM_VERLET_BATCH], viscous[CAROM_VERLET_BATCH], drag[CAROM_VERLET_BATCH];
    double rate[CAROM_VERLET_BATCH];
    double along[CAROM_VERLET_BATCH];                /* what is given along the normal */
    double aside[CAROM_WAYS][3][CAROM_VERLET_BATCH]; /* and in every way across it */
    double vector[3][CAROM_VERLET_BATCH];            /* velocities past each other at a moment */
};

/* Room for n contacts. */
bool carom_verlet_contacts_reserve(struct carom_verlet_bodies_work *w, size_t n, bool shared);
void carom_verlet_contacts_free(struct carom_verlet_bodies_work *w);

/* Contacts at the state, after the list or an anchor has changed; `other` is the block that steps write. Returns one
 * whose bodies have run into each other, or how many there are. */
size_t carom_verlet_contacts_place(struct carom_verlet_bodies_work *w, const struct carom_state *state,
                                   struct carom_state *other);

/* Forces of a block of contacts at the start of a step: pushed on bodies, or kept as shares. */
void carom_verlet_contacts_press(struct carom_verlet_bodies_work *w, const struct carom_state *from, size_t block);

/* A block of contacts at the end of the step, and their second kicks, likewise. */
void carom_verlet_contacts_kick(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                                const struct carom_state *to, size_t block, double h);

/* What a batch gives, whose contacts meet so: to w->force, or into shares. */
void carom_verlet_push_batch(struct carom_verlet_bodies_work *w, const struct carom_contacts *contacts,
                             const struct carom_verlet_batch *batch, const struct carom_meeting *meeting);

/* The shares of bodies [first, last) added to w->force, in the order of keys. */
void carom_verlet_push_gather(struct carom_verlet_bodies_work *w, size_t first, size_t last);

/* What leads put in by what contacts have given last: the power with velocities w->drift. */
double carom_verlet_push_work(const struct carom_verlet_bodies_work *w, const struct carom_contacts *contacts);

static inline bool carom_verlet_has_wall(const struct carom_verlet_contact *contact)
{
    return contact->balls.near == HUGE_VAL;
}

/* Contact j as it was kept. */
static inline void carom_verlet_recall(const struct carom_verlet_bodies_work *w, size_t j, struct carom_meeting *m)
{
    const struct carom_verlet_contact *contact = &w->contact[j];
    m->gap = contact->gap;
    memcpy(m->normal, contact->normal, sizeof m->normal);
    if (carom_verlet_has_wall(contact))
        memcpy(m->arm, w->arm[j], sizeof m->arm);
    else
        carom_meet_arms(&contact->balls, m);
}

/* What contacts of the state have lost by a mechanism. */
static inline double *carom_verlet_bodies_lost(const struct carom_verlet_bodies_work *w,
                                               const struct carom_state *state, enum carom_retired mechanism)
{
    return state->contacts->column[w->columns.lost + mechanism];
}

/* Numbers of a column that belong to the batch: where they are if they lie side by side, else put into `room`. Those of
 * a parameter that is the same for the whole pairing are not looked up. */
static inline const double *carom_verlet_take(const struct carom_verlet_batch *batch, const double *column,
                                              double room[CAROM_VERLET_BATCH])
{
    if (batch->contact[batch->n - 1] - batch->contact[0] == batch->n - 1)
        return column + batch->contact[0];
    for (size_t i = 0; i < batch->n; i++)
        room[i] = column[batch->contact[i]];
    return room;
}

static inline const double *carom_verlet_take_param(const struct carom_verlet_batch *batch, const double *column,
                                                    const struct carom_scaled *scaled, double room[CAROM_VERLET_BATCH])
{
    if (scaled->radius_power != 0.0 || scaled->mass_power != 0.0)
        return carom_verlet_take(batch, column, room);
    for (size_t i = 0; i < CAROM_VERLET_BATCH; i++)
        room[i] = scaled->param;
    return room;
}

/* Friction of a batch at the start of a step, into batch->aside and batch->along. */
void carom_verlet_friction_moment(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                                  struct carom_verlet_batch *batch);

/* The second kicks of friction of a batch over a step of size h, into batch->aside; what a spring pushes along the
 * normal is added to batch->along, what is lost is booked. */
void carom_verlet_friction_kicks(struct carom_verlet_bodies_work *w, const struct carom_state *to,
                                 struct carom_verlet_batch *batch, double h);

#endif
