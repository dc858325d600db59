/* LZB's impact with Coulomb's friction along the path of the impulses (Liu, Zhao and Brogliato 2009), in a time of its
 * own, the configuration frozen. Beside the equations of lzb.h each contact has a tangential impulse Q,
 *
 *     Q' = - mu F sign(s) while it slips, |Q'| <= mu_static F with s' = 0 while it sticks,
 *
 * s its slip; W has normals and tangents. In space slips and Q have two numbers a contact (lzb_cone.h).
 * Friction takes mu F |s| and never gives: energy is not created. Of one contact this is Stronge's law, and k does not
 * matter. */
#ifndef CAROM_IMPACT_LZB_FRICTION_H
#define CAROM_IMPACT_LZB_FRICTION_H

#include <stddef.h>

#include "carom/impact.h"

/* What e means: e^2 the ratio of works out and in, or e that of impulses. The springs of the second give back what is
 * owed along a path of their own; of one contact neither depends on k. */
enum carom_lzb_friction_law { CAROM_LZB_FRICTION_STRONGE, CAROM_LZB_FRICTION_POISSON };

/* n contacts: what they do before, and by which laws. */
struct carom_lzb_friction_problem {
    size_t n;
    const double *w;              /* 2n x 2n, in space 3n x 3n: of each normal and the tangents that follow it */
    const double *rate, *slip;    /* of gaps, below 0 where they close, and of slips */
    const double *e, *k, *p;      /* es, and the force k x^p; e below 1e-3 counts as that among several */
    const double *mu, *mu_static; /* 0: none */
    double tol;                   /* error of the velocities after it, relative to the fastest approach */
    double *impulse, *rub, *lost, *friction_loss; /* answers: impulses along both, and energy that each takes */
    enum carom_lzb_friction_law law;
    const struct carom_collision *collision; /* whose patience is asked now and then; NULL: nobody's */
    bool space;                              /* two tangents a contact: slips and rubs have two numbers each */
};

struct carom_lzb_friction;

struct carom_lzb_friction *carom_lzb_friction_create(size_t room); /* NULL: out of memory */
void carom_lzb_friction_free(struct carom_lzb_friction *rub);

/* Steps from the first approach until nothing is pressed and nothing approaches. An impact that does not end is an
 * error. */
enum carom_status carom_lzb_friction_solve(struct carom_lzb_friction *rub,
                                           const struct carom_lzb_friction_problem *problem, struct carom_error *error);

/* Of the last one: slips up to this had stopped, and what is left of them is that of steps. */
double carom_lzb_answer_stopped(const struct carom_lzb_friction *rub);

#endif
