/* Scheme event for discs and spheres whose contacts come and go: what its files share. Every ball flies on a parabola
 * of its own, known from the moment its last one ended (its `when`, counted from the start of the step); only bodies
 * that something happens to are looked at. A step is a number of instants: impacts of all that touches whom they join,
 * then the contacts that last. The state's list holds contacts that have something to remember, and no others. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_BODIES_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_BODIES_H

#include "carom/impact.h"
#include "model/bodies/list.h"
#include "model/bodies/meet.h"
#include "model/frame.h"
#include "scheme/rigid/event/event.h"
#include "solve/contact/lcp.h"

/* A contact that has something to remember. */
struct carom_event_bond {
    struct carom_contact_key key;
    double mode; /* enum carom_event_mode */
    double keeps[CAROM_RIGID_KEEPS];
};

struct carom_event_bonds {
    size_t n, room;
    struct carom_event_bond *bond; /* in no order */
    size_t nslots;                 /* a power of two, more than twice room */
    uint32_t *slot;                /* where in `bond`, from 1; 0: nowhere */
};

#define CAROM_EVENT_RECENT 3 /* instants that a body remembers */

/* What happened inside a step, for views inside it. */
struct carom_event_turn {
    double when;
    uint32_t body;
    double u[3], v[3], a[3];
};
struct carom_event_change {
    double when;
    struct carom_event_bond bond; /* mode FREE and nothing kept: it is gone */
};
struct carom_event_loss {
    double when, retired[2];
};
struct carom_event_log {
    size_t nturns, turn_room, nchanges, change_room, nlosses, loss_room;
    struct carom_event_turn *turn;
    struct carom_event_change *change;
    struct carom_event_loss *loss;
};

/* What a body waits for: the first of all that its flight leads to. */
enum carom_event_kind_ahead { CAROM_AHEAD_NONE, CAROM_AHEAD_CELL, CAROM_AHEAD_MEET };
struct carom_event_ahead {
    double when; /* HUGE_VAL: nothing */
    enum carom_event_kind_ahead kind;
    struct carom_contact_key key; /* of a meeting */
    uint32_t other, count;        /* the other ball, and which of its flights was looked at */
    int axis, way;                /* of a cell that is left */
};

/* Cells, and a heap of what bodies wait for. */
struct carom_event_cells {
    double size[3];
    int32_t whole[3]; /* cells along joined sides, 0 elsewhere */
    size_t nbuckets;
    uint32_t *bucket, *next, *last; /* first body, and the others before and behind; from 1 */
    int32_t (*cell)[3];
    double (*low)[3]; /* lower corner of a body's cell */
    size_t nwalls;
    uint32_t *wall;
};

/* A contact of the cluster of an instant. */
struct carom_event_touch {
    struct carom_contact_key key;
    struct carom_meeting meeting;
    double e, k, p;
    double rate, bend; /* of the gap: first and second derivative */
    double force, rest;
    bool held, was, struck, rests; /* rests: its impacts have died out now */
    bool rested;                   /* they had before, and it was held for that */
};

struct carom_event_cluster {
    size_t nbodies, body_room, n, touch_room;
    size_t room;                     /* contacts that there is linear algebra for */
    uint32_t *body;                  /* rising */
    uint32_t *slot;                  /* of every body of the model, from 1; 0: it is not in it */
    struct carom_event_touch *touch; /* in the order of keys */
    struct carom_event_touch
        beside; /* the one nearest to touching of those that do not, nor open; gap HUGE_VAL: none */
    struct carom_frame_link *link;
    size_t *set;           /* contacts of a part of it */
    size_t *group;         /* of each body */
    bool *struck;          /* was it? */
    double *v, *a, *after; /* 3 for each body */
    double *of_set;        /* 8 room */
    double *matrix;        /* room x room */
    struct carom_frame frame;
    struct carom_lcp_room lcp;
    struct carom_striker *striker;
};

struct carom_event_bodies {
    const struct carom_model *model;
    const struct carom_bodies *bodies;
    const struct carom_event_options *options;
    double length, speed;      /* U and V, never 0 */
    struct carom_state *state; /* that is being worked on: q and v of a body are those of its `when` */
    double *acceleration;      /* 3 n, in the state's memory */
    double *recent;            /* 3 n, likewise: when the last instants were at which a body was struck; 0: none */
    double *freely;            /* 3 n: what gravity and loads alone would give */
    double *when;              /* n */
    uint32_t *count;           /* n: which flight of the step it is */
    double now, limit;         /* times of the step */
    struct carom_event_bonds bonds;
    struct carom_event_log log;
    struct carom_event_cells cells;
    struct carom_event_ahead *ahead; /* n */
    uint32_t *heap, *place;          /* n bodies by time, and where each stands */
    struct carom_event_cluster cluster;
    const struct carom_impact *impact;
    void *impact_options;
    const struct carom_trace *listener; /* who listens to forces of pairs */
    struct carom_trace trace;           /* how impacts tell them */
    double next_rest;                   /* the first time at which impacts that die out will have; HUGE_VAL: none do */
    struct carom_event *event;
    size_t nevents, room, instant;
    bool watch;
    long same;                     /* instants in a row at one time */
    struct carom_event_bonds seen; /* of views */
};

/* What gaps are off. */
double carom_event_bodies_rounding(const struct carom_event_bodies *w);

/* What counts as touching, and as rest: beyond rounding, far below tol. */
double carom_event_bodies_near(const struct carom_event_bodies *w);
static inline double carom_event_bodies_slow(const struct carom_event_bodies *w)
{
    return 1e-14 * w->speed;
}

/* The absolute time of w->now. */
double carom_event_bodies_time(const struct carom_event_bodies *w);

/* Puts body i where it is now. */
void carom_event_bodies_bring(struct carom_event_bodies *w, size_t i);

/* Notes an event of a contact. False: out of memory. */
bool carom_event_bodies_tell(struct carom_event_bodies *w, const struct carom_contact_key *key, double time,
                             enum carom_event_kind kind, double impulse, double before, double after, double lost);

/* --- event_views.c --- */
/* u and v (d numbers each) of a flight that began at u, v with the acceleration a, `t` later. */
void carom_event_views_fly(size_t d, double t, const double *a, double *u, double *v);
/* Turns all bodies for a time t. */
void carom_event_views_turn(const struct carom_bodies *bodies, double t, const double *v, double *q);
/* What loads of these values have put in between two places of all bodies. */
double carom_event_views_work(const struct carom_bodies *bodies, const double *value, const double *from,
                              const double *to);
/* Notes for views inside the step. False: out of memory. */
bool carom_event_views_log_turn(struct carom_event_bodies *w, const struct carom_event_turn *turn);
bool carom_event_views_log_change(struct carom_event_bodies *w, const struct carom_event_bond *bond);
bool carom_event_views_log_loss(struct carom_event_bodies *w);
void carom_event_views_dense(struct carom_stepper *stepper, const struct carom_state *state, double t,
                             struct carom_state *view);

/* --- event_bonds.c --- */
void carom_event_bonds_close(struct carom_event_bonds *bonds);
struct carom_event_bond *carom_event_bonds_find(const struct carom_event_bonds *bonds,
                                                const struct carom_contact_key *key);
/* Remembers it instead of what was known of its key, or forgets it where there is nothing to remember. */
bool carom_event_bonds_put(struct carom_event_bonds *bonds, const struct carom_event_bond *bond);
/* From the list of a state, and into one, in order. False: out of memory. */
bool carom_event_bonds_read(struct carom_event_bonds *bonds, const struct carom_bodies *bodies,
                            const struct carom_contacts *list);
bool carom_event_bonds_write(struct carom_event_bonds *bonds, const struct carom_bodies *bodies,
                             struct carom_contacts *list);

/* --- event_cells.c --- */
enum carom_status carom_event_cells_open(struct carom_event_bodies *w, struct carom_error *error);
void carom_event_cells_close(struct carom_event_bodies *w);
/* All bodies anew, with everything they wait for. */
void carom_event_cells_fill(struct carom_event_bodies *w);
/* What body i waits for, from now; `all`: of pairs also those with lower numbers. */
void carom_event_cells_predict(struct carom_event_bodies *w, size_t i, bool all);
/* The body that waits the shortest, or n. */
size_t carom_event_cells_next(const struct carom_event_bodies *w);
/* Body i has left its cell as it waited for. */
void carom_event_cells_cross(struct carom_event_bodies *w, size_t i);
/* Calls for every ball in the cells around body i but itself; the order is no one's business. */
typedef bool carom_event_cells_call(struct carom_event_bodies *w, size_t i, size_t j, void *own);
bool carom_event_cells_around(struct carom_event_bodies *w, size_t i, carom_event_cells_call *call, void *own);

/* --- event_meet.c --- */
/* How long from now until the two of a key meet, both brought to now; HUGE_VAL: not before the limit. */
double carom_event_meet_wait(struct carom_event_bodies *w, const struct carom_contact_key *key);
/* Second derivative of the gap, from the velocities and accelerations of the two alone. */
double carom_event_meet_bend(const struct carom_event_bodies *w, const struct carom_contact_key *key,
                             const struct carom_meeting *m, const double relative[3], const double acceleration[3]);
/* Does the contact keep its normal wherever the ball slides? */
bool carom_event_meet_is_flat(const struct carom_event_bodies *w, const struct carom_contact_key *key);

/* --- event_cluster.c, event_hold.c --- */
void carom_event_cluster_close(struct carom_event_cluster *cluster);
/* The instant at which `key` (NULL: nobody) is met: impacts, lasting contacts and new flights of all that is joined to
 * the bodies a and b by contacts that touch. */
enum carom_status carom_event_cluster_instant(struct carom_stepper *stepper, size_t a, size_t b,
                                              const struct carom_contact_key *key, struct carom_error *error);
/* Sets up the frame of contacts set[0 .. n) of the cluster (NULL: the first n). */
void carom_event_cluster_link(struct carom_event_bodies *w, const size_t *set, size_t n);
/* x of body b minus x of body a, where x are numbers of the cluster's bodies like its v; and the rates of all gaps. */
void carom_event_cluster_between(const struct carom_event_bodies *w, const struct carom_event_touch *t, const double *x,
                                 double out[3]);
void carom_event_cluster_rates(struct carom_event_bodies *w);
/* Impacts that follow each other infinitely often: notes that body i was struck now; whether such a sequence is about
 * to end at contact `hit` of the cluster; what is left of it, as one impact. */
void carom_event_collapse_note(struct carom_event_bodies *w, size_t i);
bool carom_event_collapse_ends(const struct carom_event_bodies *w, const struct carom_contact_key *hit);
enum carom_status carom_event_collapse_stop(struct carom_stepper *stepper, struct carom_error *error);
/* --- event_order.c --- */
/* Notes the contact of a body of the cluster that does not touch, if it is the nearest to it and does not open. */
void carom_event_order_note(struct carom_event_bodies *w, const struct carom_contact_key *key,
                            const struct carom_meeting *m);
/* What the impact at contact `hit` may be off by, of V, as contacts are taken to touch that all but do. */
double carom_event_order_error(const struct carom_event_bodies *w, const struct carom_contact_key *hit);
/* Tells the stepper how near to touching the contact was that was noted, if that would have changed the impact. */
void carom_event_order_nearest(struct carom_stepper *stepper);

/* Which contacts of the cluster last, and the accelerations that follow; rates of those become 0. */
enum carom_status carom_event_hold(struct carom_stepper *stepper, struct carom_error *error);
/* What a contact of the cluster has to remember after the instant. */
void carom_event_hold_remember(struct carom_event_bodies *w, const struct carom_event_touch *t,
                               struct carom_event_bond *bond);

#endif
