/* What the files of scheme moreau-jean share: options, workspace, and the two ways to take a step. */
#ifndef CAROM_SCHEME_RIGID_MOREAU_MOREAU_H
#define CAROM_SCHEME_RIGID_MOREAU_MOREAU_H

#include "model/beads/chain.h"
#include "scheme/columns.h"
#include "scheme/rigid/coulomb.h"
#include "scheme/rigid/rigid_step.h"

/* What the state's memory holds (columns.h): of each contact enum carom_rigid_step_status and, with friction, 1 where
 * it sticks. */
enum { CAROM_MOREAU_STATUS, CAROM_MOREAU_STICKS, CAROM_MOREAU_COLUMNS };
extern const struct carom_column carom_moreau_jean_columns[CAROM_MOREAU_COLUMNS];

extern const struct carom_param carom_moreau_jean_params[];
extern const struct carom_scheme carom_moreau_bodies; /* of bodies whose contacts come and go */

struct carom_moreau_options {
    double step, theta, gamma, solver_tol;
    int solver, blow; /* blow: enum carom_moreau_law */
    bool project, printed, bounded;
};

struct carom_moreau {
    const struct carom_moreau_options *options;
    struct carom_rigid_step rigid;
    double *bounce; /* 2 nc: e, and what is in its place where force presses on a contact that opens */
    bool fast;      /* a chain without drives and long strings: flat arrays, no frame */

    /* chains */
    struct carom_chain chain;
    double h, per;                   /* step that `inverse` and `kick` belong to; 1 / h */
    double *inverse;                 /* n: 1 / (m + h theta damper + (h theta)^2 spring) */
    double *kick;                    /* n: velocity that weights give in a step */
    double *free, *push;             /* n: velocities without impulses; pushes of impulses */
    double *before, *freely, *after; /* nc: overlap rates before, without impulses, after */

    /* any model */
    struct carom_frame frame;
    struct carom_coulomb friction; /* models with friction */
    bool *lasting;                 /* nc: contacts that carried force and are not being struck */
    double *place, *mean, *accelerate, *force, *trial, *step; /* nq; nv each: at t + theta h */
};

/* Restitution where force presses on a contact that opens. The printed rule, e, lifts it and does work; with this one
 * it does none, and energy cannot grow. As printed where asked for, and outside of the range of theta for which that is
 * promised. */
static inline double carom_moreau_lift(double e, double theta, bool printed)
{
    return !printed && theta >= 0.5 && theta * (1.0 + e) <= 1.0 ? (1.0 - theta) / theta : e;
}

/* Is a contact that opens and is pressed sent back as a whole, and not along its normal alone, so that it moves by
 * nothing in the step? Where it stuck, or slips less than it opens: contacts of two faces would else ask for motions
 * along and across that no motion of the bodies is, Coulomb's law would have no solution, and friction that sticks
 * would do work. e: of contacts that close and open; `still`: rates that are none. */
static inline bool carom_moreau_sent_back(const double e[2], double rate, double still, double slip, bool stuck)
{
    return rate > still && e[1] != e[0] && (stuck || slip <= rate);
}

/* How far apart bodies still count as touching when the set of a step is made: rounding, and a small part of the
 * distance `moved` that forces move bodies in a step. A contact that carried force goes on touching over a tenth of it;
 * else the rounding of a column at rest would let contacts go, and its beads hop. As printed only rounding counts. */
static inline double carom_moreau_near(const struct carom_moreau_options *o, double moved, double largest, bool pressed)
{
    return (o->printed ? 0.0 : pressed ? 0.1 : 1e-6) * moved + 8.0 * DBL_EPSILON * largest;
}

/* One step of size h from stepper->before into `state`, whose page is turned; nothing but q, v, force, lost, memory,
 * spent and work is written. */
enum carom_status carom_moreau_chain_step(struct carom_stepper *stepper, struct carom_state *state, double h,
                                          struct carom_error *error);
enum carom_status carom_moreau_any_step(struct carom_stepper *stepper, struct carom_state *state, double h,
                                        struct carom_error *error);

/* Makes room for steps by options o, as a general model if `general`; what there is is freed by the second. Work of
 * schemes that take steps of moreau-jean begins with a struct carom_moreau. */
enum carom_status carom_moreau_jean_prepare(struct carom_moreau *w, const struct carom_model *model,
                                            const struct carom_moreau_options *o, bool general,
                                            struct carom_error *error);
void carom_moreau_jean_clear(struct carom_moreau *w);

#endif
