/* Friction of a contact, a law beside its normal law: batches of contacts in, batches of numbers out. It knows nothing
 * of bodies, schemes or dimension; a tangential vector has `width` numbers, one in the plane (along the tangent, which
 * turns with the contact) and three in space (in the contact's plane; who steps turns them with it).
 *
 * A contact has at most one tangential spring, whose stretch is its history: zero is a contact that has never been
 * loaded, and so is every open one. The force on side b is -(spring and damper), never longer than
 * mu x max(normal force, 0); where it would be, the contact slips and the spring is held at the cone. */
#ifndef CAROM_FRICTION_H
#define CAROM_FRICTION_H

#include "carom/param.h"

CAROM_BEGIN

/* The overlap of a contact that touches and has none: laws that begin with a force have it, stiffnesses that begin at
 * nothing are nothing, and what would be 0 over 0 is as just after touch. */
#define CAROM_TOUCH 2.2250738585072014e-308

/* n contacts at one moment. Outputs that are NULL are not wanted; contacts with deform <= 0 give zeros. */
struct carom_friction_moment {
    size_t n, width;
    const double *const *param;  /* a column per row of the law's table */
    const double *deform;        /* overlap */
    const double *rate;          /* of the overlap */
    const double *normal;        /* normal force as it acts, without `push` */
    const double *const *slip;   /* width columns: how fast b moves past a at the contact */
    const double *const *spring; /* width columns */
    double short_time; /* in space, springs of slipping contacts that the slip passes by in less than this point where
                        * it goes: they would turn to it faster than anything else happens */
    double step;       /* dampers are no stronger than steps of this size can bear; 0: any */
    const double *mobility;     /* slip that an impulse of 1 makes; needed where `step` is not 0 */
    const bool *slips;          /* is the contact in its slipping phase? NULL: it is at the cone of mu */
    double *const *force;       /* width columns: tangential force on b */
    double *push;               /* normal force that belongs to the spring (form potential), else 0 */
    double *const *spring_rate; /* width columns, without the turning of the contact's plane */
    double *energy;             /* stored */
    double *power;              /* dissipated by slipping and damping; of contacts in the slipping phase, with what goes
                                  * into their spring */
    double *change;             /* power lost (> 0) or created (< 0) because the stiffness changes with the overlap */
    double *margin; /* of sticking contacts, the force that is missing to slip; of slipping ones, the slip along
                                  * their spring */
};

/* n contacts over one step of size h of a scheme with fixed steps. */
struct carom_friction_step {
    size_t n, width;
    double h;
    double step; /* as in carom_friction_moment */
    const double *mobility;
    const double *const *param;
    const double *deform0, *deform1; /* overlap at both ends; 0 or less: open there */
    const double *normal0, *normal1; /* normal forces as they act at both ends */
    const double *normal_mean;       /* and in the mean over the step; NULL: half of both ends */
    const double *const *slide;      /* width columns: how far b slid past a, as far as in contact */
    const double *const *spring0;    /* width columns: at the start, turned into the contact's plane at the end */
    const double *const *force0;     /* width columns: tangential force on b at the start, turned likewise */
    const bool *slips0;              /* does it slip as the step begins? NULL: mu_static is no more than mu */
    bool *slips1;                    /* and as it ends; NULL where slips0 is */
    double *const *spring1;          /* width columns: at the end */
    double *const *force1;           /* width columns: tangential force of spring and cone on b at the end */
    double *const *impulse;          /* width columns: what b is given along the tangent in the step */
    double *push1;                   /* normal force that belongs to the spring, at the end */
    double *lost;                    /* energy dissipated by slipping and damping in the step */
    double *change; /* lost (> 0) or created (< 0) by changes of the stiffness; what the spring still held when
                                      * the contact opened is here, too */
};

struct carom_friction {
    struct carom_kind kind; /* all fields of the described struct are doubles, in table order; mu and mu_static first */
    bool spring;            /* has the law a tangential spring? */
    void (*moment)(const struct carom_friction_moment *moment);
    void (*step)(const struct carom_friction_step *step);
    /* tangential stiffness at an overlap, for steps and scales; NULL: none */
    double (*stiffness)(const double *const *param, size_t j, double deform);
    /* force of the spring over stiffness times stretch as a contact begins, both ends moving evenly */
    double (*onset)(const double *const *param, size_t j);
    /* can this law be with the parameters of contact j? NULL: always */
    enum carom_status (*accept)(const double *const *param, size_t j, struct carom_error *error);
};

extern const struct carom_friction carom_friction_coulomb;
extern const struct carom_friction carom_friction_cundall_strack;
extern const struct carom_friction carom_friction_mindlin;

/* Resistance to rolling and to twisting: the same interface, slip and force as told in carom/bodies.h. */
extern const struct carom_friction carom_resistance_spring;
extern const struct carom_friction carom_resistance_constant;

CAROM_END

#endif
