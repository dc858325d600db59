/* Scheme verlet for bodies whose contacts come and go, and what its files share. */
#ifndef CAROM_SCHEME_COMPLIANT_PACKING_VERLET_BODIES_H
#define CAROM_SCHEME_COMPLIANT_PACKING_VERLET_BODIES_H

#include <string.h>

#include "carom/scheme.h"
#include "kernel/ball_friction.h"
#include "model/bodies/act.h"

extern const struct carom_scheme carom_verlet_bodies;

/* A contact as the last step left it: one line of memory, which the start of a step reads and its end writes again.
 * What the start of a step leaves behind for its end, and what never changes, stand apart from it, since memory moves
 * by lines. Numbers that lanes load by twos stand side by side. */
struct carom_verlet_contact {
    uint32_t a, b;    /* its bodies (carom_verlet_shown), */
    uint32_t on[2];   /* and where in `force` what it gives them is added up: see verlet_guests.c */
    double normal[3]; /* arms follow from it; those at walls are kept apart */
    double root;      /* of the overlap, where balls are worked out in lanes; not above 0: at the start of the step
                       * friction was at its cone */
    double deform;    /* overlap */
    double rest;      /* of two balls: their gap g0, */
};

/* and the rest of struct carom_meet_balls. */
struct carom_verlet_centres {
    double apart[3], length; /* length < 0: one is a wall */
};

/* What the law said of a contact that is not worked out in lanes. */
struct carom_verlet_law {
    double elastic, viscous, drag;
    double force; /* as it acts, without what springs push */
};

/* A body in the step under way: what contacts ask of it in rows of four numbers, of which registers hold one or half
 * of one, beside what never changes; in the plane z of u and v and x and y of the spin are 0. */
struct carom_verlet_body {
    double u[3], per_mass;    /* where it is at the end; inverse of its mass, */
    double v[3], per_inertia; /* and of its inertia: 0 where fixed */
    double spin[3], radius;
};

/* Contacts know bodies by how many numbers stand before them: no address needs a product. */
enum { CAROM_VERLET_SHOWN = sizeof(struct carom_verlet_body) / sizeof(double) };

/* A force on b, its opposite on a, and the same of a torque of rolling and twisting. */
struct carom_verlet_push {
    double force[3], torque[3];
};

/* A guest, and the body that it stands for in another block. */
struct carom_verlet_visit {
    uint32_t guest, body;
};

/* The contacts of a block of bodies, and what they found in the step. */
struct carom_verlet_block {
    size_t first, end; /* its part of `member`, `list` and `watch` */
    size_t visit, visit_end;
    size_t n;       /* contacts in `list` */
    size_t watched; /* and in `watch` */
    size_t wrong;   /* one whose bodies have run into each other; SIZE_MAX: none */
    size_t deep;    /* one that is pressed too deep; SIZE_MAX: none */
    bool switched, ended;
    struct carom_sum lost[CAROM_RETIRED_KINDS]; /* by those that ended */
};

/* What a block of bodies found in the step. */
struct carom_verlet_part {
    double speed; /* the largest square of one */
    bool far;     /* has one left the cell of its anchor? */
    bool finite;
};

/* Bodies of a block, which one thread works on, with the contacts that belong to them; contacts of a batch. Blocks are
 * the same for any number of threads. */
enum { CAROM_VERLET_BODIES = 512, CAROM_VERLET_BATCH = 64, CAROM_VERLET_TANGENT = 3 };

/* A parameter of contacts: one for the whole pairing, or a column of the list. */
struct carom_verlet_number {
    double value;
    size_t column; /* SIZE_MAX: none */
};

/* A pairing whose balls are worked out in lanes: spheres after Hertz or Kuwabara and Kono, with springs under Coulomb's
 * cone or without friction. */
struct carom_verlet_lanes {
    bool good;
    struct carom_verlet_number k, gamma, k_t, gamma_t;
    bool rubs;
    struct carom_ball_friction_law rub;
    double weak; /* a damper that any two bodies bear in a step */
};

struct carom_verlet_bodies_work;
struct carom_verlet_ranks;
struct carom_verlet_bodies_device;

/* As carom_verlet_contacts_press and _kick, of n contacts (CAROM_VERLET_BATCH at most) of one pairing that are worked
 * out in lanes; `listed` of them, n or more, come one after the other in the list. And as carom_verlet_moves_drift and
 * _finish, of bodies [first, last) of space. */
struct carom_verlet_passes {
    void (*press)(struct carom_verlet_bodies_work *w, const struct carom_contacts *from, const uint32_t *contact,
                  size_t n, size_t listed);
    void (*kick)(struct carom_verlet_bodies_work *w, const struct carom_contacts *from, const struct carom_contacts *to,
                 const uint32_t *contact, size_t n, size_t listed, double h, struct carom_verlet_block *block);
    void (*drift)(struct carom_verlet_bodies_work *w, const struct carom_state *from, struct carom_state *to,
                  size_t first, size_t last, double h, struct carom_verlet_part *part);
    bool (*finish)(struct carom_verlet_bodies_work *w, struct carom_state *to, size_t first, size_t last, double h);
};

struct carom_verlet_bodies_work {
    const struct carom_bodies *bodies;
    struct carom_search search;
    struct carom_columns columns;
    double step_size; /* of all steps but those that are cut */
    double smallest;  /* radius of a ball */
    double *force;    /* of bodies and then of guests: 0 but while contacts push */
    bool clear;       /* is it? */
    uint32_t *guest;  /* by bodies: the last guest that stands for it, UINT32_MAX: none; by guests: its body */
    struct carom_verlet_visit *visit; /* by blocks of bodies */
    size_t guests, guest_room;
    bool brief;   /* one thread, and nothing but contacts in lanes moves bodies: blocks are taken one after the other */
    bool forward; /* do contacts give to bodies of their own block and of later ones alone? */
    double *drift; /* nv: the velocity of the step, of bodies that are led their mean one; NULL: nobody asks */
    struct carom_verlet_body *body;
    struct carom_verlet_part *part;
    bool *anew;                       /* by bodies: has it got another anchor after this step? */
    bool presented;                   /* are velocities of bodies those of the state? */
    struct carom_verlet_lanes *lanes; /* by pairings */
    const struct carom_verlet_passes *passes;
    bool apart;   /* are there contacts that are not worked out in lanes? */
    double way;   /* the longest of a body in the drift */
    double led;   /* and of one that is led */
    double spare; /* how far bodies may still go before the list must be looked at */
    /* per contact of the list */
    struct carom_verlet_contact *contact;
    struct carom_verlet_centres *centres;
    double *start;                    /* of the step: with the velocities there the rate of the overlap, where there is
                                       * friction behind CAROM_VERLET_TANGENT numbers of what slides resisted with */
    size_t start_width;               /* numbers of one contact in it */
    struct carom_verlet_law *law;     /* of those that are not worked out in lanes */
    double *tangent[CAROM_WAYS];      /* resistance on b at the start of the step to rolling and twisting, `width`
                                       * numbers each; that to sliding is in `start`: in lanes the vector of space on a,
                                       * and only what the damper gave unless it was at the cone */
    double (*arm)[2][3];              /* of contacts with walls, where there are any */
    struct carom_verlet_push *push;   /* where bodies are led, what their contacts gave last */
    uint8_t *live;                    /* enum carom_verlet_live */
    bool *in_lanes;                   /* is it worked out in lanes? */
    uint32_t *member;                 /* by blocks, rising, all of them, */
    uint32_t *list;                   /* those that touch or have something to remember, */
    uint32_t *watch;                  /* and in any order those that are open but may touch soon */
    struct carom_verlet_block *block; /* by blocks of bodies */
    bool *carried;                    /* by columns of the list: does a step change it? Others are 0 in all states */
    bool extras;                      /* are there columns that steps do not change, but with something in them? */
    double margin;                    /* how near those that are watched were when they were chosen */
    double unseen;                    /* how far bodies may still move before others must be watched */
    bool looks;                       /* are they chosen in this step? */
    size_t contacts;                  /* there is room for */
    bool ready;                       /* all that belongs to the state of this step and time */
    uint64_t step;
    double time;
    struct carom_verlet_ranks *team, *ranks;  /* that share steps, and while they do; NULL: nobody does */
    struct carom_verlet_bodies_device *board; /* that takes them; NULL: the processor */
};

enum carom_verlet_live {
    CAROM_VERLET_OPEN,
    CAROM_VERLET_STALE,  /* open, but the block that the next step writes still remembers it */
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

/* The list for bodies that move by `way` in a step; and contacts at the state: left by the last step, or worked out. */
enum carom_status carom_verlet_ready_around(struct carom_stepper *stepper, struct carom_state *state, double way,
                                            struct carom_error *error);
enum carom_status carom_verlet_ready_prepare(struct carom_stepper *stepper, struct carom_state *state,
                                             struct carom_error *error);

/* After a step that led bodies out of the cells of their anchors: these get others, and their contacts are at the state
 * again; all the rest stays as the step left it. */
void carom_verlet_ready_anchor(struct carom_stepper *stepper, struct carom_state *state);

/* A contact whose bodies have run into each other, or n; and how that is said. */
size_t carom_verlet_ready_wrong(const struct carom_verlet_bodies_work *w, size_t n);
enum carom_status carom_verlet_ready_collided(const struct carom_contacts *contacts, size_t j, double t,
                                              struct carom_error *error);

/* Room for n contacts. */
bool carom_verlet_room_reserve(struct carom_verlet_bodies_work *w, size_t n);
void carom_verlet_room_free(struct carom_verlet_bodies_work *w);

/* After the list has changed: which contacts belong to which block, what is added up where; false: out of memory. */
bool carom_verlet_guests_place(struct carom_verlet_bodies_work *w, const struct carom_contacts *contacts);

/* The block that a contact of that key belongs to. */
size_t carom_verlet_guests_owner(const struct carom_verlet_bodies_work *w, const struct carom_contact_key *key);

/* After it or an anchor has changed, column i of the state and of the block that steps write: must steps carry it? And
 * all columns: must they carry others than those that they change themselves? */
void carom_verlet_contacts_carry(struct carom_verlet_bodies_work *w, const struct carom_contacts *contacts,
                                 struct carom_contacts *other, size_t i);
bool carom_verlet_contacts_extra(const struct carom_verlet_bodies_work *w, const struct carom_contacts *contacts);

/* A block of contacts at the state: all of them, or those of bodies with a new anchor, where the next step writes the
 * list `other`. */
void carom_verlet_contacts_place(struct carom_verlet_bodies_work *w, const struct carom_state *state, size_t number);
void carom_verlet_contacts_anew(struct carom_verlet_bodies_work *w, const struct carom_state *state,
                                struct carom_contacts *other, size_t number);

/* What guests were given goes to the bodies of a block that they stand for. */
void carom_verlet_guests_return(struct carom_verlet_bodies_work *w, size_t block);

/* Forces of a block of contacts at the start of a step, added up. */
void carom_verlet_contacts_press(struct carom_verlet_bodies_work *w, const struct carom_state *from, size_t number);

/* A block of contacts at the end of the step, and their second kicks, added up. */
void carom_verlet_contacts_kick(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                                const struct carom_state *to, size_t number, double h);

/* What a batch gives, whose contacts meet so, to w->force. */
void carom_verlet_push_batch(struct carom_verlet_bodies_work *w, const struct carom_contacts *contacts,
                             const struct carom_verlet_batch *batch, const struct carom_meeting *meeting);

/* What leads put in by what contacts have given last: the power with velocities w->drift. */
double carom_verlet_push_work(const struct carom_verlet_bodies_work *w, const struct carom_contacts *contacts);

/* Work of loads and leads over the step, into the state: mean forces times ways; early: what leads put in by the first
 * kick. */
void carom_verlet_push_tally(const struct carom_verlet_bodies_work *w, const struct carom_state *from,
                             struct carom_state *to, double h, double end, double early);

/* Bodies: what of them never changes; loads at t, times `scale`, which forces and kicks begin with; and by
 * blocks of CAROM_VERLET_BODIES, what contacts are shown of velocities v, first kick and drift, second kick; and all
 * that they are shown of one body. */
void carom_verlet_moves_describe(struct carom_verlet_bodies_work *w);
/* those who have left the domain are moved by nothing any more */
void carom_verlet_moves_leave(struct carom_verlet_bodies_work *w, const double *q);
void carom_verlet_moves_begin(struct carom_verlet_bodies_work *w, double t, double scale);
void carom_verlet_moves_present(struct carom_verlet_bodies_work *w, const double *v, size_t block);
void carom_verlet_moves_show(struct carom_verlet_bodies_work *w, const struct carom_state *state, size_t body);
void carom_verlet_moves_drift(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                              struct carom_state *to, size_t block, double h);
void carom_verlet_moves_finish(struct carom_verlet_bodies_work *w, struct carom_state *to, size_t block, double h);

/* Boxes and cylinders that turn freely, among bodies [first, last): where their moments of inertia differ, torques
 * become what they make of spins at q; and the drift, in which the angular momentum stays and the spin does not. */
void carom_verlet_tumble_ease(struct carom_verlet_bodies_work *w, const double *q, size_t first, size_t last);
void carom_verlet_tumble_drift(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                               struct carom_state *to, size_t first, size_t last, double h,
                               struct carom_verlet_part *part);

/* Of bodies that are led, after their end of the step is imposed: the mean velocity of the step. */
void carom_verlet_moves_lead(struct carom_verlet_bodies_work *w, const struct carom_state *from, struct carom_state *to,
                             double h);

/* Which pairings are worked out in lanes, and by which passes: those of four lanes where the processor has them (else
 * NULL), or of two. */
void carom_verlet_lanes_choose(struct carom_verlet_bodies_work *w);
const struct carom_verlet_passes *carom_verlet_lanes_wide(void);

/* How the spring of a pairing resists in one way; has it one coefficient, and does it push along its way alone? */
bool carom_verlet_lanes_plain(const struct carom_pairing *pairing, enum carom_way way,
                              struct carom_ball_friction_law *law);

/* Contact j of two balls, as it is kept, with their centres at coordinates q: its normal, overlap and its root, the
 * same bits as in a step. */
struct carom_verlet_contact carom_verlet_lanes_meet(const struct carom_verlet_bodies_work *w,
                                                    const struct carom_contact_key *key, const double *q, size_t j);

/* Which contacts a step looks at: after they have been placed those of a block; and at the end of the drift, with those
 * of the watched that have come to touch. Columns of the block that the step writes are 0 where nothing touches. */
void carom_verlet_watch_place(struct carom_verlet_bodies_work *w, struct carom_verlet_block *block);
void carom_verlet_watch_drift(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                              const struct carom_state *to, struct carom_verlet_block *block);

/* Between two steps contact j of a block, which was `before`, has been placed anew: by rounding it may have opened or
 * closed. The next step writes the list `other`. */
void carom_verlet_watch_change(struct carom_verlet_bodies_work *w, struct carom_contacts *other,
                               struct carom_verlet_block *block, uint32_t j, enum carom_verlet_live before);

/* How far the bodies have gone in the drift: must others be watched? */
void carom_verlet_watch_way(struct carom_verlet_bodies_work *w);

/* What opened in a block is over. */
void carom_verlet_watch_retire(struct carom_verlet_bodies_work *w, struct carom_contacts *contacts,
                               struct carom_verlet_block *block);

/* Contact j at q, where it gives no force yet; does it touch there? */
void carom_verlet_contacts_begin(const struct carom_verlet_bodies_work *w, const struct carom_contacts *contacts,
                                 size_t j, const double *q);
bool carom_verlet_contacts_touch(const struct carom_verlet_bodies_work *w, const struct carom_contacts *contacts,
                                 size_t j, const double *q);

static inline const struct carom_verlet_body *carom_verlet_shown(const struct carom_verlet_bodies_work *w, uint32_t at)
{
    return (const struct carom_verlet_body *)((const double *)w->body + at);
}

/* A body's part of carom_meet_mobility for sliding. */
static inline double carom_verlet_mobility(const struct carom_verlet_body *body)
{
    return body->per_mass + body->radius * body->radius * body->per_inertia;
}

/* Where body i is given its forces: where blocks are taken one after the other all use the room of the first, which
 * stays in the cache. */
static inline size_t carom_verlet_room_of(const struct carom_verlet_bodies_work *w, size_t i)
{
    return w->brief ? i % CAROM_VERLET_BODIES : i;
}

static inline size_t carom_verlet_blocks(const struct carom_verlet_bodies_work *w)
{
    return (w->bodies->n + CAROM_VERLET_BODIES - 1) / CAROM_VERLET_BODIES;
}

/* One behind the last body of a block. */
static inline size_t carom_verlet_block_end(const struct carom_verlet_bodies_work *w, size_t block)
{
    const size_t end = (block + 1) * CAROM_VERLET_BODIES;
    return end < w->bodies->n ? end : w->bodies->n;
}

static inline bool carom_verlet_has_wall(const struct carom_verlet_bodies_work *w, size_t j)
{
    return w->centres[j].length < 0.0;
}

/* What carom_meet asks of two balls. */
static inline struct carom_meet_balls carom_verlet_balls(const struct carom_verlet_bodies_work *w,
                                                         const struct carom_contact_key *key, size_t j)
{
    const double *apart = w->centres[j].apart;
    return (struct carom_meet_balls){.apart = {apart[0], apart[1], apart[2]},
                                     .length = w->centres[j].length,
                                     .gap = w->contact[j].rest,
                                     .radius = {w->body[key->a].radius, w->body[key->b].radius}};
}

/* Contact j as it was kept. */
static inline void carom_verlet_recall(const struct carom_verlet_bodies_work *w, const struct carom_contact_key *key,
                                       size_t j, struct carom_meeting *m)
{
    const struct carom_verlet_contact *contact = &w->contact[j];
    m->gap = -contact->deform;
    memcpy(m->normal, contact->normal, sizeof m->normal);
    if (carom_verlet_has_wall(w, j)) {
        memcpy(m->arm, w->arm[j], sizeof m->arm);
        return;
    }
    const struct carom_meet_balls balls = carom_verlet_balls(w, key, j);
    carom_meet_arms(&balls, m);
}

/* What contacts of the state have lost by a mechanism. */
static inline double *carom_verlet_bodies_lost(const struct carom_verlet_bodies_work *w,
                                               const struct carom_contacts *contacts, enum carom_retired mechanism)
{
    return contacts->column[w->columns.lost + mechanism];
}

/* Where the friction of contact j at the start of the step is kept. */
static inline double *carom_verlet_tangent(const struct carom_verlet_bodies_work *w, size_t j, enum carom_way way)
{
    return way == CAROM_SLIDES ? w->start + j * w->start_width : w->tangent[way] + j * w->columns.width[way];
}

/* The rate of its overlap then. */
static inline double *carom_verlet_rate(const struct carom_verlet_bodies_work *w, size_t j)
{
    return w->start + (j + 1) * w->start_width - 1;
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
    if (carom_scaled_varies(scaled))
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
