/* The equations of motion of any model between events: M v' = F + G lambda with held contacts kept by the forces that
 * make y'' = 0. Held contacts may be more than the bodies can tell apart (four legs of a table): the forces are then
 * the smallest that do it. event_flight.h integrates them. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_SMOOTH_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_SMOOTH_H

#include "carom/scheme.h"
#include "model/frame.h"
#include "scheme/dormand_prince.h"
#include "scheme/rigid/coulomb.h"
#include "solve/contact/lcp.h"

/* Of steps in which friction turns slips (event_stiff.h): how accelerations change with the angle of each of n slips,
 * and angles with velocities and slips. */
struct carom_event_stiff {
    bool on; /* steps are such */
    size_t n, *row, *contact;
    double *turned, *turns, *across; /* nc nv, nc nv, 3 nc */
    double *factor, *small, *base;   /* nc^2, nc, nv */
};

/* Numbers of a flight, ny: q, v, energy spent and works of the parts, what friction has taken at each contact. */
struct carom_event_smooth {
    struct carom_dormand_prince step;
    size_t ny;
    double *start, *end;          /* ny: of the flight */
    double *stage, *look, *slope; /* ny: arguments and rates of evaluations that are not kept */
    double *force;                /* nv */
    double *moved, *swift;        /* nq, nv: a little further along the motion */
    size_t nheld;
    size_t *held;             /* nc: contacts */
    double *lambda;           /* nc: force of held[i] at the last evaluation */
    double *side, *answer;    /* nc: right-hand sides and answers of the forces' equations */
    double *factor;           /* nc^2, or 2 nc for chains */
    double *gap[3], *rate[3]; /* nc: at the last looks */
    size_t nnear, *near;      /* nc: contacts that may close within a step */
    uint32_t *facet;          /* nc: of held contacts, while a step is made; NULL: the model has none */
    double longest;           /* step: drives turn in about this time; HUGE_VAL: there is none */
    double thin;              /* the thinnest of bodies that meet, from its middle */
    double probe;             /* time over which the motion is looked at for second derivatives */
    double from, to;          /* the step, beyond which drives may break */
    size_t nbreaks;           /* where they do, rising; 0 of what is not driven */
    double *breaks;
    struct carom_frame frame;
    struct carom_lcp_room lcp;
    /* models with friction only */
    struct carom_coulomb rub;
    enum carom_coulomb_mode *rubs; /* nc: of held[i] */
    double *along;        /* nc: tangential force of held[i], as lambda; in space two numbers, as drag and slips */
    double *drag, *slips; /* nc: slip accelerations of the frame's contacts, and slips, as last looked at */
    double *way, *stops;  /* 3 nc, nc, in space: which way slips of held[i] begin; slips up to this have stopped */
    double none;          /* slips up to this are none; in space those that no step would tell from 0 */
    struct carom_event_stiff stiff;
    bool *young, flying; /* nc, in space: slips that were beginning where the step began, and count in a flight */
    bool *lasting;       /* nc: all */
    bool redundant;      /* the forces of the last evaluation are not unique */
};

enum carom_status carom_event_smooth_open(struct carom_event_smooth *smooth, struct carom_stepper *stepper,
                                          struct carom_error *error);
void carom_event_smooth_close(struct carom_event_smooth *smooth);

/* Takes the held contacts from the modes in a state. */
void carom_event_smooth_take(struct carom_stepper *stepper, const struct carom_state *state);

/* Is contact j, which has just been found to be pressed, still pressed at least half as much at a later time? Walls
 * that shake may let go before bounces have died out. */
bool carom_event_smooth_lasts(struct carom_stepper *stepper, const struct carom_state *state, size_t j, double until);

/* What rounding makes of the second derivative of a gap, a difference of rates over `probe`. */
struct carom_event_work;
double carom_event_smooth_noise(const struct carom_event_work *w);

/* Marks in w->released, beside the contact whose force has just ended, held contacts whose forces are no more than
 * rounding at the state: they end together, as those of two corners of a body that is pulled off straight. */
void carom_event_smooth_release(struct carom_stepper *stepper, const struct carom_state *state);

/* dy = f(t, y); y may be changed where bodies are driven. NaN where the equations cannot be solved. */
void carom_event_smooth_rates(struct carom_stepper *stepper, double t, double *y, double *dy);

/* Pulls q and v of y back onto joints, rotations and held contacts. */
void carom_event_smooth_project(struct carom_stepper *stepper, double t, double *y);

/* Forces of the last evaluation into a state. */
void carom_event_smooth_tell(const struct carom_event_smooth *smooth, struct carom_state *state);

/* As carom_event_row_hold. */
enum carom_status carom_event_smooth_hold(struct carom_stepper *stepper, struct carom_state *state,
                                          struct carom_error *error);

/* --- event_drives.c ---------------------------------------------------------------------------------------------- */

/* `longest` and `breaks`; false: out of memory. */
bool carom_event_drives_list(struct carom_event_smooth *smooth, const struct carom_model *model);

/* The shortest time over which walls and floors that move are looked at, however short a step is: over less rounding is
 * all that would show, and steps would become shorter still. */
double carom_event_drives_least(const struct carom_event_work *work);

/* `probe`, or what of it does not see from the start of the step beyond the next break, nor how bodies pass others. */
double carom_event_drives_probe(const struct carom_event_work *w, double probe);

#endif
