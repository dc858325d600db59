/* Friction of one contact with two tangents along the path of a blow (lzb_friction.h; several: lzb_several.h), and what
 * its files share.
 *
 * A contact in space slips, Q' = - mu F s / |s|, or is at rest. The force of one at rest is the spring's and so known,
 * and Q' is that in the disc |Q'| <= mu F with the least of 1/2 Q' A Q' + c Q': a convex problem that says whether it
 * sticks, and which way a slip begins, at once. A young slip goes the way that it
 * grows: near 0 friction turns it so fast that explicit steps could not follow, and it hardly differs from that. */
#ifndef CAROM_IMPACT_LZB_CONE_H
#define CAROM_IMPACT_LZB_CONE_H

#include <math.h>

#include "impact/lzb_friction.h"
#include "solve/contact/discs.h"

enum carom_lzb_cone_way { OPEN, IN, OUT };
/* of each contact: as in lzb.h; energy that friction takes, and e; tangential, in space two */
enum { X, P, RUBS, LOSES, Q, NUMBERS = Q + 2 };
/* what `slides` says of contacts in space; AWAY: at rest, or slips since a moment, beyond the cone of mu_static */
enum { CAROM_LZB_CONE_REST, CAROM_LZB_CONE_SLIPS, CAROM_LZB_CONE_AWAY };

struct carom_lzb_friction {
    const struct carom_lzb_friction_problem *of;
    const double *w;       /* of the problem, but for what lzb_several.h takes out of it */
    size_t n, ways;        /* ways: tangents of a contact; all that is of slips has as many numbers */
    double fast;           /* the fastest approach at the start: impulses go with it, however fast contacts slip */
    double fastest;        /* gap or slip at the start */
    double quiet, still;   /* speeds of gaps, and slips, below this are none */
    double young;          /* in space: slips that have begun are young up to this */
    bool several;          /* in space, see lzb_several.h, which the next ones are of */
    double exact;          /* slips are found to this */
    double kinked;         /* slips where they stop, start or turn about in the step that was last tried */
    bool bent, unsolved;   /* there were any there; friction was not found */
    double *from, *row;    /* 5n: away, slip and pull where a step begins; NUMBERS n: what short steps add */
    double *starts, *last; /* n, 2n */
    struct carom_discs *discs;
    double *y, *trial, *fine; /* NUMBERS n: the state; after one step, after two of half the size */
    double *stage, *slope[4]; /* NUMBERS n */
    double *size, *force;     /* n: largest x of each alone; forces */
    double *away, *slip;      /* n: how fast gaps open, and slips, at the state that was last looked at */
    double *pull;             /* n: Q' */
    double *zero;             /* n: slips count from here: what was left, a rounding, when the contact last stopped */
    double *since, *owed;     /* n, Poisson: P when the contact last turned; the impulse that it has to give back */
    double *deep;             /* n, Poisson: what it stored when it turned back */
    double *matrix, *side;    /* linear systems of those that stick */
    size_t *who;              /* n */
    enum carom_lzb_cone_way *way; /* n */
    int *slides;                  /* n: 1, -1; 0: sticks */
    bool rubs;                    /* some contact has friction: else there is nothing along tangents */
    bool told;                    /* to stop: what is left of a step is not worked out */
    struct carom_error *error;    /* which says so */
    double step;
    int stalls; /* steps in a row that are next to nothing */
};

/* W of direction `a` of contact i (0: normal) and direction b of contact j */
static inline double carom_lzb_cone_coupling(const struct carom_lzb_friction *r, size_t i, size_t a, size_t j, size_t b)
{
    const size_t each = 1 + r->ways;
    return r->w[(each * i + a) * each * r->n + each * j + b];
}

/* Speeds and forces at y. */
void carom_lzb_friction_look(struct carom_lzb_friction *r, const double *y);

/* The answers of the problem, at the end of its path: energies so that those of e and of friction together are what the
 * velocities lose, to rounding. By e of works no contact loses less than nothing; by that of impulses one may. */
void carom_lzb_answer(struct carom_lzb_friction *r);

/* One contact without friction: both laws say that it leaves with e times its approach, there is no path to follow. */
void carom_lzb_answer_plain(const struct carom_lzb_friction_problem *of);

/* Errors `off` of all numbers as one, a part of r->fast. */
double carom_lzb_friction_error(const struct carom_lzb_friction *r, const double *off);

/* How x of contact i changes, its impulse being p. */
double carom_lzb_friction_presses(const struct carom_lzb_friction *r, size_t i, double p);

/* Space, after slips and forces were looked at: r->pull. */
void carom_lzb_cone_pull(struct carom_lzb_friction *r);

/* By how much is contact i beyond what it does along its tangents? As a speed; pulls are those of r->pull. */
double carom_lzb_cone_beyond(const struct carom_lzb_friction *r, size_t i);

/* Who is at rest and who slips from here on. */
void carom_lzb_cone_share(struct carom_lzb_friction *r);

/* The longest step: no slip ends before, as it goes on now, nor does friction turn one so fast that explicit steps
 * would swing about it. */
double carom_lzb_cone_reach(struct carom_lzb_friction *r);

/* --- lzb_line.c: the same questions of contacts with one tangent, which stick or slip one way or the other ------- */

static inline double carom_lzb_line_cone(const struct carom_lzb_friction *r, size_t i)
{
    return fmax(r->of->mu[i], r->of->mu_static[i]);
}

void carom_lzb_line_pull(struct carom_lzb_friction *r);
double carom_lzb_line_beyond(const struct carom_lzb_friction *r, size_t i);
void carom_lzb_line_share(struct carom_lzb_friction *r);

#endif
