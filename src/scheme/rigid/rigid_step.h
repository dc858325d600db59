/* What time-stepping schemes for rigid contacts share: restitution, the contact problem of a step, what became of every
 * contact (struck, closed for a while, opened), gaps. */
#ifndef CAROM_SCHEME_RIGID_RIGID_STEP_H
#define CAROM_SCHEME_RIGID_RIGID_STEP_H

#include "carom/scheme.h"
#include "model/frame.h"
#include "solve/contact/lcp.h"

/* How a contact stands after a step, kept in the state. */
enum carom_rigid_step_status {
    CAROM_RIGID_STEP_OPEN = 0,
    CAROM_RIGID_STEP_STRUCK = 1, /* it was struck in the last step */
    CAROM_RIGID_STEP_CLOSED = 2, /* it has carried force for a while */
};

struct carom_rigid_step {
    const struct carom_model *model;
    enum carom_lcp_solver solver;
    double tolerance;
    struct carom_lcp_room room;
    size_t n;                                /* contacts in the problem */
    size_t *contact;                         /* n: their numbers, rising */
    double *e;                               /* nc */
    double *b, *impulse, *diagonal, *beside; /* n: the problem and its solution */
    struct carom_event *event;               /* room for 2 nc */
    size_t nevents;
    bool struck;     /* was any contact struck in the last step? */
    double kick;     /* the most that forces change a velocity in the step */
    double quiet;    /* rates up to this are no impact: forces alone change velocities by as much in a step */
    double rounding; /* changes of rate up to this are rounding */
    bool hit;        /* does any contact of the step approach faster than `quiet`? */
};

enum carom_status carom_rigid_step_open(struct carom_rigid_step *rigid, const struct carom_model *model, int solver,
                                        double tolerance, struct carom_error *error);
void carom_rigid_step_close(struct carom_rigid_step *rigid);

/* Refuses restitutions outside 0 to 1 and solvers the model has no use for; for a scheme's `accept`. */
enum carom_status carom_rigid_step_accept(const struct carom_model *model, int solver, struct carom_error *error);

/* Refuses a start in which bodies overlap by more than rounding, naming the contact. `room` holds 2 nc doubles. */
enum carom_status carom_rigid_step_check(const struct carom_stepper *stepper, const struct carom_state *state,
                                         double *room, struct carom_error *error);

/* Solves the problem of rigid->n contacts, matrix given or tridiagonal if NULL, from rigid->impulse. */
enum carom_status carom_rigid_step_solve(struct carom_rigid_step *rigid, struct carom_stepper *stepper, double t,
                                         const double *matrix, struct carom_error *error);

/* Whether a contact under an impulse that changes its rate by `jump` is being struck rather than pressed: it approaches
 * or opens faster than forces alone move bodies in a step, or, having carried nothing before, is hit through another
 * contact. */
static inline bool carom_rigid_step_strikes(const struct carom_rigid_step *rigid, double status, double rate,
                                            double jump)
{
    return jump > rigid->rounding &&
           (fabs(rate) > rigid->quiet || (status == CAROM_RIGID_STEP_OPEN && rigid->hit && jump > rigid->quiet));
}

/* How a contact under an impulse that is no strike stands now: impulses of the size of rounding close nothing. */
static inline double carom_rigid_step_pressed(const struct carom_rigid_step *rigid, double status, double jump)
{
    const bool was = status == CAROM_RIGID_STEP_CLOSED;
    return was || jump > rigid->rounding ? CAROM_RIGID_STEP_CLOSED : CAROM_RIGID_STEP_OPEN;
}

static inline double carom_rigid_step_larger(double a, double b)
{
    return a > b ? a : b;
}

/* The largest of n numbers and 0; NaN does not count. Two at a time: each comparison waits for the one before. */
static inline double carom_rigid_step_top(const double *x, size_t n)
{
    double a = 0.0, b = 0.0;
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        a = carom_rigid_step_larger(x[i], a);
        b = carom_rigid_step_larger(x[i + 1], b);
    }
    return carom_rigid_step_larger(i < n ? carom_rigid_step_larger(x[i], a) : a, b);
}

/* The largest |x|, likewise. */
static inline double carom_rigid_step_size(const double *x, size_t n)
{
    double a = 0.0, b = 0.0;
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        a = carom_rigid_step_larger(fabs(x[i]), a);
        b = carom_rigid_step_larger(fabs(x[i + 1]), b);
    }
    return carom_rigid_step_larger(i < n ? carom_rigid_step_larger(fabs(x[i]), a) : a, b);
}

/* Sets that speed, from velocities at the start of a step and without impulses. */
static inline void carom_rigid_step_quiet(struct carom_rigid_step *rigid, const double *v, const double *freely)
{
    double kick = 0.0, fastest = 0.0;
    for (size_t i = 0; i < rigid->model->nv; i++) {
        kick = carom_rigid_step_larger(fabs(freely[i] - v[i]), kick);
        fastest = carom_rigid_step_larger(fabs(v[i]), fastest);
    }
    rigid->kick = kick;
    rigid->quiet = rigid->kick + 16.0 * DBL_EPSILON * fastest;
    rigid->rounding = 64.0 * DBL_EPSILON * fastest;
}

/* Notes an event, for the caller to be told if it watches. */
static inline void carom_rigid_step_note(struct carom_rigid_step *rigid, double time, size_t contact,
                                         enum carom_event_kind kind, double impulse, double before, double after)
{
    rigid->event[rigid->nevents++] =
        (struct carom_event){time, contact, kind, impulse, before, after, carom_event_taken(impulse, before, after)};
}

#endif
