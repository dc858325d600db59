/* What the files of scheme moreau-adaptive share: options, workspace, and the parts of a step. */
#ifndef CAROM_SCHEME_RIGID_ADAPTIVE_ADAPTIVE_H
#define CAROM_SCHEME_RIGID_ADAPTIVE_ADAPTIVE_H

#include "model/bodies/linkage_places.h"
#include "scheme/rigid/adaptive/adaptive_blow.h"
#include "scheme/rigid/collapse.h"
#include "scheme/rigid/moreau/moreau.h"

enum { CAROM_ADAPTIVE_SAFE, CAROM_ADAPTIVE_BLIND }; /* option `estimate` */

/* What the state remembers (columns.h): numbers of the run, then the mode of each contact (enum carom_coulomb_mode); in
 * the blind estimate, which has no modes, after what moreau-jean remembers. */
enum {
    CAROM_ADAPTIVE_NEXT,
    CAROM_ADAPTIVE_BEGUN,
    CAROM_ADAPTIVE_SMOOTH,
    CAROM_ADAPTIVE_ALLOWED, /* of the scales: what a step may be off */
    CAROM_ADAPTIVE_MODES,
    CAROM_ADAPTIVE_RESTS, /* closed while bounces die out: when they will have; 0: not so */
    CAROM_ADAPTIVE_COLUMNS
};
extern const struct carom_column carom_moreau_adaptive_columns[CAROM_ADAPTIVE_COLUMNS];

static inline double *carom_adaptive_modes(const struct carom_state *state)
{
    return carom_columns_at(carom_moreau_adaptive_columns, CAROM_ADAPTIVE_MODES, state, 0);
}

static inline double *carom_adaptive_rests(const struct carom_state *state, size_t nc)
{
    return carom_columns_at(carom_moreau_adaptive_columns, CAROM_ADAPTIVE_RESTS, state, nc);
}

/* In space with friction, after these: the ways in which slips begin, vectors of space. */
static inline double *carom_adaptive_ways(const struct carom_state *state, size_t nc)
{
    return carom_adaptive_rests(state, nc) + nc;
}

/* Why a step ends where it ends. */
enum carom_adaptive_why {
    CAROM_ADAPTIVE_NOTHING,
    CAROM_ADAPTIVE_STRIKES,  /* an open contact closes */
    CAROM_ADAPTIVE_RELEASES, /* a closed one no longer presses */
    CAROM_ADAPTIVE_BREAKS,   /* a sticking one needs more than mu_static can hold */
    CAROM_ADAPTIVE_STOPS,    /* a slipping one comes to rest */
    CAROM_ADAPTIVE_GROWS,    /* in space: one that has begun to slip is fast enough for its slip to tell which way */
    CAROM_ADAPTIVE_PASSES,   /* a ball comes to the end of the face or edge that it is on; or forces jump */
    CAROM_ADAPTIVE_DIFFERS,  /* the forces of redundant contacts are no longer possible in their modes */
};

struct carom_adaptive_options {
    double tol, share, solver_tol;
    int estimate, solver, blow;
};

struct carom_adaptive {
    struct carom_moreau moreau; /* first: steps of moreau-jean work on it */
    struct carom_moreau_options basic;
    const struct carom_adaptive_options *options;
    double allowed;             /* of the scales: what a step may be off */
    double length, speed, time; /* the scales */
    double near, slow;          /* gaps and rates up to these are none */
    double touch;               /* gaps up to this close together with one that closes */
    double exact;               /* events are located to this time */
    double longest;             /* steps, so that signals are seen */
    double last;                /* moments of the step: none later than this; HUGE_VAL: there is no step */
    size_t ny;                  /* q, v, spent, work, friction_loss */
    double *x[3], *end, *tiny;  /* ny: results of 1, 2, 3 steps; what came of them; scratch */
    double error;               /* of the last leap, in units of the scales */
    double enough;              /* what it may be: w->allowed, or what rounding makes of it */
    double early;               /* earliest part of it after which something was wrong; 2: nothing was */
    double fitted;              /* the size that was accurate enough, before something was found to happen in it */
    int still;                  /* steps in a row that hardly had a length */
    bool locating;              /* gaps are looked for to the last digit */
    bool coarse;                /* it could not be solved, it was too long */
    bool redundant;             /* the forces of the closed contacts are not unique */

    size_t nclosed; /* contacts closed now; their numbers: */
    size_t *closed;
    enum carom_coulomb_mode *mode;    /* nc: of all contacts */
    enum carom_coulomb_mode *some;    /* of the closed ones, in their order */
    size_t wide;                      /* numbers of a slip and of a friction: 1, or those of a vector of space */
    double *gap, *rate, *slip;        /* nc, slips wide nc: where contacts are */
    double *below;                    /* nc: how far open contacts are below, and part, where a leap begins */
    double beside;                    /* of where forces jump, in free flight: where a leap begins */
    double *start;                    /* 2 nc: gaps and gap rates at the start of a leap */
    double *normal, *along;           /* nc, wide nc: forces */
    double *noise;                    /* nc: forces up to this are rounding */
    double *normal_more, *along_more; /* nc, and one or two numbers of each: corrections of impulses */
    /* friction in space */
    double none;             /* slips up to this have stopped, or are just beginning */
    bool *young;             /* nc: they are beginning */
    double *toward, *begins; /* 3 nc: which way contacts slip where a leap begins; in which they begin to */
    double *stops;           /* nc: slips up to this have stopped in a leap */
    bool fixed;              /* friction does not turn, it is against the slips in `slipping` (3 nc) */
    double *slipping;
    double *angle;         /* (2 + nc) nc: how far friction is from where it should point, and how that changes */
    double *there;         /* nq + nv: the end of a step */
    double *way;           /* nv: of a move, a velocity times a time */
    double *flow;          /* 4 nq + nv: rates of coordinates at the ends of a leap and inside; scratch */
    double *matrix, *side; /* nc^2 or 2 nc; 2 nc: linear systems of models without friction */
    size_t *order;         /* nc */
    enum carom_adaptive_why why;
    size_t which; /* contact */

    bool *touches, *rests, *told;     /* nc, in an instant; told: the contact's impact is among the events */
    bool *stuck;                      /* nc */
    struct carom_collapse collapse;   /* without friction, and by Newton's e */
    struct carom_adaptive_blow *blow; /* impacts along a path; NULL: by Newton's e */
    enum carom_coulomb_mode *was;     /* nc */
    struct carom_event *event;        /* 3 nc */
    struct carom_linkage_view *view;  /* models in which balls meet corners; else NULL */
    uint32_t *facet;                  /* nc: which of those closed contacts have in a leap */
    size_t nevents;
    struct carom_state *try[2]; /* the state before an instant; blind: results of one step and of two */
};

/* The last moment of a step of size h from t: where it ends at a break, drives and belts are those of the step. */
static inline double carom_adaptive_before(const struct carom_adaptive *w, double t, double h)
{
    const double end = nextafter(t + h, t);
    return end < w->last ? end : w->last;
}

/* --- adaptive_leap.c ------------------------------------------------------------------------------------------- */

/* Takes up the modes of contacts: w->closed and w->some follow w->mode. */
void carom_adaptive_leap_modes(struct carom_adaptive *w);

/* One step of size h (which may be negative) from y = (q, v, ...) at t, with contacts in their modes. w->coarse
 * and an error if it does not end. Impulses are in moreau.rigid.impulse and moreau.friction.impulse. */
enum carom_status carom_adaptive_leap_step(struct carom_stepper *stepper, double t, double h, double *y,
                                           struct carom_error *error);

/* From `from` to w->end, by 1, 2 and 3 steps extrapolated; w->error, w->early. */
enum carom_status carom_adaptive_leap(struct carom_stepper *stepper, const struct carom_state *from, double h,
                                      struct carom_error *error);

/* Takes out of v what breaks the modes of closed contacts, by impulses with friction or without, and of q their
 * gaps. */
enum carom_status carom_adaptive_leap_settle(struct carom_stepper *stepper, double t, double *q, double *v,
                                             bool friction, struct carom_error *error);

/* The second of these alone. */
enum carom_status carom_adaptive_leap_close(struct carom_stepper *stepper, double t, double *q,
                                            struct carom_error *error);

/* Forces of the closed contacts at (t, q, v) into w->normal and w->along, by two tiny steps of sizes h and h/2. */
enum carom_status carom_adaptive_leap_press(struct carom_stepper *stepper, double t, const double *q, const double *v,
                                            double h, struct carom_error *error);

/* --- adaptive_end.c -------------------------------------------------------------------------------------------- */

/* Leaps from `from` by h, or by what of it is accurate enough and to where something changes: h, w->end, w->why. */
enum carom_status carom_adaptive_end(struct carom_stepper *stepper, const struct carom_state *from, double *h,
                                     struct carom_error *error);

/* Until called with NULL: closed contacts of balls keep the face, edge or corner that they have at q, so that gaps are
 * smooth along a leap that ends where the ball has left it. */
void carom_adaptive_end_keep(struct carom_adaptive *w, const double *q);

/* --- adaptive_tell.c ------------------------------------------------------------------------------------------- */

/* An impact of contact j, added to the one it had in this instant. */
void carom_adaptive_tell_impact(struct carom_adaptive *w, double t, size_t j, double impulse, double before,
                                double after);

/* What became of contacts in this instant, which is not the `first` of the run. */
void carom_adaptive_tell_modes(struct carom_adaptive *w, const struct carom_state *state, bool first);

/* Contacts whose bounces have died out by the state's instant are told to have closed, each at its time. */
void carom_adaptive_tell_rest(struct carom_stepper *stepper, struct carom_state *state);

/* --- adaptive_turn.c ------------------------------------------------------------------------------------------- */

/* Gaps, gap rates and slip rates at (t, q, v). */
void carom_adaptive_turn_look(struct carom_adaptive *w, double t, const double *q, const double *v);

/* Slips that have turned over by as much as instants are not located exactly end at 0, t being just before the state's
 * instant. w->mode then has them stick. */
enum carom_status carom_adaptive_turn_halt(struct carom_stepper *stepper, double t, struct carom_state *state,
                                           struct carom_error *error);

/* What happens at the state's instant: impacts, then the modes that are possible from here on. */
enum carom_status carom_adaptive_turn(struct carom_stepper *stepper, struct carom_state *state,
                                      struct carom_error *error);

/* w->mode of contacts that rest: from the contact problem of a tiny step of size h, begun at (t, q, v), with the
 * accelerations of its very beginning (two sizes tell them). The others are open. */
enum carom_status carom_adaptive_turn_modes(struct carom_stepper *stepper, double t, const double *q, const double *v,
                                            double h, struct carom_error *error);

/* Notes the first contact that is on the edge between sticking and slipping as an instant begins, w->mode having been
 * found with h. */
enum carom_status carom_adaptive_edge(struct carom_stepper *stepper, const struct carom_state *state, double h,
                                      struct carom_error *error);

/* Notes, after the first impacts of an instant, a contact that was parting and was struck as well, as it was open by
 * less than errors may be: alone it would have gone on, and been struck in another way. */
void carom_adaptive_edge_amid(struct carom_stepper *stepper, const struct carom_state *state, bool first);

/* Are the modes of closed contacts possible at (t, q, v)? Leaves v alone. */
enum carom_status carom_adaptive_turn_agrees(struct carom_stepper *stepper, double t, const double *q, const double *v,
                                             bool *agrees, struct carom_error *error);

/* --- adaptive_blind.c ------------------------------------------------------------------------------------------ */

enum carom_status carom_adaptive_blind_step(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                                            struct carom_error *error);

#endif
