/* Coulomb's friction in a time step: the contact problem of normals and tangents together, with mu_static where a
 * contact sticks, and a look for Painleve's paradox. One tangent a contact, or two in space: all that is of slips has
 * as many numbers. */
#ifndef CAROM_SCHEME_RIGID_COULOMB_H
#define CAROM_SCHEME_RIGID_COULOMB_H

#include "carom/scheme.h"
#include "model/frame.h"
#include "solve/contact/friction.h"

/* What a contact does in a step. */
enum carom_coulomb_mode {
    CAROM_COULOMB_OPEN,
    CAROM_COULOMB_STICK,
    CAROM_COULOMB_UP,                      /* slips down, friction pushes up */
    CAROM_COULOMB_DOWN,                    /* slips up, friction pushes down */
    CAROM_COULOMB_SLIP = CAROM_COULOMB_UP, /* in space: slips, and friction pushes against it */
};

/* Contacts of the plane whose 4^6 modes are tried one by one: some milliseconds. */
enum { CAROM_COULOMB_FEW = 6 };

struct carom_coulomb {
    const struct carom_model *model;
    struct carom_friction_room *room;
    double tolerance;
    double *mu, *mu_static;  /* nc */
    double *slide0, *slide1; /* n: partial derivative of the slips in t at the start and end of a step */
    double *before, *freely; /* n: slip rates at the start of a step; at its end if nothing acts at the contacts */
    double *after;           /* n: at its end */
    double *impulse;         /* n: tangential, a first guess before */
    double *against;         /* n, in space: which way friction pushes where a contact slips, a unit vector */
    bool *stuck;             /* n: did the contact stick before? */
    enum carom_coulomb_mode *mode; /* n: answer */

    size_t ways;             /* tangents of a contact: 1 or 2 */
    double *b, *r, *u, *now; /* the problem: 2n, 2n, 2n, n (mu); where it says 2n, 3n in space */
    double *matrix, *x;      /* (2n)^2, 2n: linear systems */
    double *left, *right;    /* (2n)^2: what they leave open */
    double *sum, *hint;      /* 2n */
    double *keep;            /* 2n */
    double *v;               /* velocities, to go back to */
    size_t *row, *order;     /* 2n */
    unsigned char *level;    /* n */
    enum carom_coulomb_mode *trial;
};

enum carom_status carom_coulomb_open(struct carom_coulomb *c, const struct carom_model *model, double tolerance,
                                     struct carom_error *error);
void carom_coulomb_close(struct carom_coulomb *c);

/* Solves the problem of the frame's contacts, normal side b and first guess `impulse`, slips as in the struct. Answers
 * in `impulse`, c->impulse, c->mode. `lasting` (n, or NULL: none): contacts that were closed before and are not
 * struck: if one of them slips and no force can let it go on slipping, stay or part, that is Painleve's paradox and
 * an error. */
enum carom_status carom_coulomb_solve(struct carom_coulomb *c, struct carom_stepper *stepper,
                                      const struct carom_frame *frame, double t, const double *b, const bool *lasting,
                                      double *impulse, struct carom_error *error);

/* Errors: no solution was found (c->b), or there is none where contact i of the frame slips (coulomb_tell.c). */
enum carom_status carom_coulomb_tell_unsolved(const struct carom_coulomb *c, const struct carom_stepper *stepper,
                                              const struct carom_frame *frame, double t,
                                              const struct carom_friction_report *report, struct carom_error *error);
enum carom_status carom_coulomb_tell_paradox(const struct carom_coulomb *c, const struct carom_frame *frame, double t,
                                             size_t i, struct carom_error *error);

/* carom_coulomb_solve in space (coulomb_space.c). */
enum carom_status carom_coulomb_space_solve(struct carom_coulomb *c, struct carom_stepper *stepper,
                                            const struct carom_frame *frame, double t, const double *b,
                                            const bool *lasting, double *impulse, struct carom_error *error);

/* How many times the largest acceleration a slip is put in for that is there, of those in c->before: so many that
 * friction, be mu as large as it may, does not stop it, and an answer that does is Painleve's. */
double carom_coulomb_there(const struct carom_coulomb *c, const struct carom_frame *frame);

/* The problem of accelerations in space, which are b and `drag` where nothing acts at the frame's contacts; these slip
 * along the unit vectors in c->before, or not (0). Forces into `force` and c->impulse, what they leave into c->u.
 * Accelerations up to *none are none; before: those that are noise. */
enum carom_status carom_coulomb_space_press(struct carom_coulomb *c, struct carom_stepper *stepper,
                                            const struct carom_frame *frame, double t, const double *b,
                                            const double *drag, const bool *lasting, double *force, double *none,
                                            struct carom_error *error);

/* By that answer, does contact i begin to slip, and which way? One that breaks away does, though by a hair's breadth it
 * would not. */
bool carom_coulomb_space_begins(const struct carom_coulomb *c, const struct carom_frame *frame, size_t i, bool breaks,
                                double none, double way[2]);

/* After an impact in space: stepper->split, as below. */
void carom_coulomb_space_leeway(struct carom_coulomb *c, struct carom_stepper *stepper, const struct carom_frame *frame,
                                double t);

/* The same for an impact; stepper->split says where other impulses would do as well and velocities be others. */
enum carom_status carom_coulomb_strike(struct carom_coulomb *c, struct carom_stepper *stepper,
                                       const struct carom_frame *frame, double t, const double *b, double *impulse,
                                       struct carom_error *error);

/* Refines velocities v after the impact that was solved last. Its impulses are rounded, so that contacts of light
 * bodies that it has stopped may still approach or slip; where they do by more than `none`, a second, much smaller
 * impulse stops them. `before`: gap rates before the impact; b as there. */
void carom_coulomb_polish(struct carom_coulomb *c, const struct carom_frame *frame, const double *before,
                          const double *b, double none, double *v);

/* Solves with modes that are given, c->b and c->now, in space c->against: contacts held, sticking or slipping
 * whatever the sign of their forces; r holds 2n. False where the equations are singular; what they leave open is then
 * 0. */
bool carom_coulomb_modes(struct carom_coulomb *c, const struct carom_frame *frame, const enum carom_coulomb_mode *mode,
                         double *r);

/* Energy that friction takes where an impact changes a slip of so many numbers, never below 0. By a law for whole
 * impacts it may push along the mean slip: where the normal impulse turns the slip, and friction holds against the way
 * it has turned to. That work is what the impact did to turn it, and is taken from *lost. */
static inline double carom_coulomb_took(size_t ways, const double *impulse, const double *before, const double *after,
                                        double *lost)
{
    double took = 0.0;
    for (size_t k = 0; k < ways; k++)
        took -= 0.5 * impulse[k] * (before[k] + after[k]);
    *lost += took < 0.0 ? took : 0.0;
    return took < 0.0 ? 0.0 : took;
}

#endif
