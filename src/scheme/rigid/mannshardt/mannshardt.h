/* What the files of scheme `mannshardt` share. A step is a flight by a Runge-Kutta method of any order, with the
 * contacts that last held, and, where a contact closes in it, a bracket around that moment which Moreau's method steps
 * over. Equations of motion, held contacts and modes are those of scheme `event` (event.h), whose workspace is the
 * first member here, so that its functions find it. */
#ifndef CAROM_SCHEME_RIGID_MANNSHARDT_MANNSHARDT_H
#define CAROM_SCHEME_RIGID_MANNSHARDT_MANNSHARDT_H

#include "scheme/rigid/event/event.h"
#include "scheme/tableau_explicit.h"

enum carom_mannshardt_method { CAROM_MANNSHARDT_EXPLICIT, CAROM_MANNSHARDT_GAUSS, CAROM_MANNSHARDT_RADAU };

struct carom_mannshardt_options {
    double step, tol, share, bracket, solver_tol;
    int order, method, impact, solver;
    long most;
};

/* What the state remembers after the numbers of scheme event: single numbers, then the slope at the state. */
enum {
    CAROM_MANNSHARDT_GOAL, /* end of the step on the grid of fixed steps; and its low part */
    CAROM_MANNSHARDT_GOAL_LOW,
    CAROM_MANNSHARDT_ORDER,  /* in use */
    CAROM_MANNSHARDT_SPAN,   /* how long flights have been between events; 0: nothing known */
    CAROM_MANNSHARDT_SINCE,  /* time since the last event */
    CAROM_MANNSHARDT_ENERGY, /* kinetic, of all bodies at V at the start */
    CAROM_MANNSHARDT_KNOWN,  /* is the slope that of this state? */
    CAROM_MANNSHARDT_GRADES, /* error of a step over step^(order + 1), by order; 0: not known */
    CAROM_MANNSHARDT_FRESH = CAROM_MANNSHARDT_GRADES + CAROM_TABLEAU_EXPLICIT_MOST + 1, /* flights it stands for */
    CAROM_MANNSHARDT_OWN = CAROM_MANNSHARDT_FRESH + CAROM_TABLEAU_EXPLICIT_MOST + 1
};

struct carom_mannshardt {
    struct carom_event_work event;
    struct carom_event_options like; /* what event's functions are told */
    const struct carom_mannshardt_options *options;
    bool fixed;                                   /* the step is given */
    bool flat;                                    /* q' = v */
    double energy;                                /* what errors of energies are measured by */
    double delta;                                 /* the bracket's nominal length */
    size_t ny;                                    /* q, v, energies spent and works */
    double *k[CAROM_TABLEAU_EXPLICIT_STAGES + 1]; /* slopes of the stages, then that at the end */
    double *other;                                /* ny: the end by another method */
    double *first;                                /* nc: forces of held contacts at the start */
    double *least;                                /* nc: their least over the stages, those at the end included */
    double *last;                                 /* nc: those at the end */
    double *begin;                                /* nc: gap rates at the start */
    double *zero;       /* nc: gaps count from here: 0, or what rounding made of it at the start */
    double *doubt;      /* nc: how far gaps between the ends may be off */
    double form[2];     /* how large `fine` and `coarse` of the last flight were */
    double *moment;     /* ny: the state at the end of the flight, where the bracket begins */
    double *kick;       /* nv */
    int order;          /* of the last flight */
    double flown, wide; /* length of the last flight and of the bracket after it */
    long rounds;        /* brackets in one instant */
    /* implicit methods */
    size_t n;                                 /* nq + nv */
    double *jacobian, *matrix, *side, *guess; /* n^2, (3 n)^2, 3 n, 3 ny */
    size_t *pivot;                            /* 3 n */
    bool differentiated;                      /* is `jacobian` that of this start? */
};

/* The memory's columns after those of event: single numbers, the slope, and gaps of small bounces, which are followed
 * by their rates from the impact on, because q loses them in rounding; -1: no such. Rounding of theirs is smaller by
 * FINER. */
enum {
    CAROM_MANNSHARDT_SINGLES = CAROM_EVENT_COLUMNS,
    CAROM_MANNSHARDT_SLOPE,
    CAROM_MANNSHARDT_FINE,
    CAROM_MANNSHARDT_COLUMNS
};
#define CAROM_MANNSHARDT_FINER 1e-4
static const struct carom_column carom_mannshardt_columns[CAROM_MANNSHARDT_COLUMNS] = {
    CAROM_EVENT_TABLE,
    {"singles", .once = CAROM_MANNSHARDT_OWN},
    {"slope", .q = 1, .v = 1, .part = 2},
    {"fine gaps", .contact = 1},
};

static inline double *carom_mannshardt_memory(const struct carom_state *state, size_t nc)
{
    return carom_columns_at(carom_mannshardt_columns, CAROM_MANNSHARDT_SINGLES, state, nc);
}

static inline double *carom_mannshardt_fine(const struct carom_state *state, const struct carom_model *model)
{
    return carom_columns_at(carom_mannshardt_columns, CAROM_MANNSHARDT_FINE, state, model->nc);
}

static inline double *carom_mannshardt_slope(const struct carom_state *state, size_t nc)
{
    return carom_columns_at(carom_mannshardt_columns, CAROM_MANNSHARDT_SLOPE, state, nc);
}

/* --- mannshardt_move.c: flights ---------------------------------------------------------------------------------- */

/* Takes the start of flights from the state, with its slope and held contacts. */
void carom_mannshardt_move_begin(struct carom_stepper *stepper, const struct carom_state *state);

/* A flight of length h from there by the method of this order: y is its end, pulled onto what is held. With `slope`
 * also the slope there and m->least. False: an implicit method could not be solved. */
bool carom_mannshardt_move_fly(struct carom_stepper *stepper, int order, double h, double *y, bool slope);

/* The slope at the end y of the flight of length h just made without. */
void carom_mannshardt_move_end(struct carom_stepper *stepper, int order, double h, const double *y);

/* Where the slope at its end is: m->k[that]. */
int carom_mannshardt_move_stages(const struct carom_mannshardt *m, int order);

/* The error of the flight just made with its slope, in units of the scales. Implicit methods fly again for it. */
double carom_mannshardt_move_error(struct carom_stepper *stepper, int order, double h, const double *y);

/* Evaluations that a flight takes. */
double carom_mannshardt_move_cost(const struct carom_mannshardt *m, int order);

/* q and v (in s->look) at a part s of the flight just made with its slope, by interpolation. */
void carom_mannshardt_move_between(struct carom_stepper *stepper, double h, double s, bool coarse);

void carom_mannshardt_move_write(const struct carom_mannshardt *m, const double *y, struct carom_state *state);

/* --- mannshardt_implicit.c --------------------------------------------------------------------------------------- */

enum carom_status carom_mannshardt_implicit_open(struct carom_mannshardt *m, struct carom_error *error);
void carom_mannshardt_implicit_close(struct carom_mannshardt *m);

/* As carom_mannshardt_move_fly, without projection and slope. */
bool carom_mannshardt_implicit_fly(struct carom_stepper *stepper, bool radau, int order, double h, double *y);

/* --- mannshardt_find.c: events in flights ------------------------------------------------------------------------ */

struct carom_mannshardt_meet {
    double at;      /* time from the start of the flight to where it is to end */
    double ahead;   /* and from there to the moment at which the gap is 0 */
    size_t contact; /* nc: no event */
    bool part;      /* the force of a held contact has ended */
    double nudged;  /* not 0: the last flight was that long and has its slope; its end was moved on to `at` */
};

/* The first event of the flight of length h whose end is s->end. Where there is one, s->end is the flight's new end,
 * and the flight to it is the last that was flown. */
struct carom_mannshardt_meet carom_mannshardt_find_first(struct carom_stepper *stepper, const struct carom_state *state,
                                                         double h);

/* Follows the gaps of small bounces over the flight of length h just made with its slope, which has no event. */
void carom_mannshardt_find_follow(struct carom_stepper *stepper, struct carom_state *state, double h);

/* --- mannshardt_part.c ------------------------------------------------------------------------------------------- */

/* The first held contact (number *held of them) whose force ends in the flight of length h just made with its slope,
 * and when; HUGE_VAL: none does. */
double carom_mannshardt_part_first(struct carom_stepper *stepper, double h, size_t *held);

/* Would a held contact have to pull at the start of flights? */
bool carom_mannshardt_part_pulls(const struct carom_mannshardt *m);

/* --- mannshardt_control.c ---------------------------------------------------------------------------------------- */

/* Orders the options allow: whether `order` is one, and the one to begin with. */
bool carom_mannshardt_control_has(int method, int order);
int carom_mannshardt_control_first(const struct carom_mannshardt_options *options, double allowed);

/* A flight of at most `limit` from the start taken, within what a step may err, and the event at its end; the end is
 * s->end. False: there is none. */
bool carom_mannshardt_control_fly(struct carom_stepper *stepper, struct carom_state *state, double limit,
                                  struct carom_mannshardt_meet *meet);

/* --- mannshardt_strike.c ----------------------------------------------------------------------------------------- */

/* Steps over a bracket of length m->wide from `state`, in which `hit` closes. */
enum carom_status carom_mannshardt_strike_over(struct carom_stepper *stepper, struct carom_state *state, size_t hit,
                                               struct carom_error *error);

/* The state has come to where loads and drives may break: what is held is looked at anew, struck where a drive now
 * makes it approach, let go where it parts or would have to pull. */
enum carom_status carom_mannshardt_strike_anew(struct carom_stepper *stepper, struct carom_state *state,
                                               struct carom_error *error);

/* Which contacts last from now on. `part` (nc: none) has lost its force. */
enum carom_status carom_mannshardt_strike_settle(struct carom_stepper *stepper, struct carom_state *state, size_t part,
                                                 struct carom_error *error);

#endif
