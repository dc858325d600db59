/* Blows of several contacts along the path of their impulses, by Stronge's or Poisson's law with Coulomb's friction, in
 * plane and space: the law of lzb_friction.h in a number of steps that is known before. Each contact is a spring k x^p
 * of its own. In a step all contacts act at once, each by a small impulse whose work is known exactly, as its rates are
 * those in the middle of the step: what it takes is stored in the spring, what the spring gives back is at most e^2 of
 * that, and friction opposes the slip in the middle or ends it; Poisson's law gives back more only out of what others
 * have lost. So whatever the step no energy is created and no cone is left; where bodies are alike on both sides so are
 * impulses, to rounding, without friction. */
#ifndef CAROM_IMPACT_BLOW_PATH_H
#define CAROM_IMPACT_BLOW_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "impact/lzb_friction.h"

struct carom_blow_path_problem {
    size_t n, dim;                /* contacts, and directions of each: its normal and one or two tangents */
    const size_t *first, *column; /* W in rows of blocks, as in carom_friction_problem */
    const double *block;
    const double *e, *k, *p, *mu; /* n */
    enum carom_lzb_friction_law law;
    double *u;       /* n dim: rates before; becomes those after */
    double *impulse; /* n dim: answers */
};

struct carom_blow_path {
    size_t room;
    double quiet;          /* rates of gaps below this are none */
    double start;          /* energy of the approach of all contacts */
    double share;          /* Poisson: what each may give in a step beyond e^2 of what it has stored */
    double left;           /* energy that contacts might still have given back where a path was cut; else 0 */
    double *energy;        /* stored in each spring */
    double *owed;          /* Poisson: the impulse that it has to give back */
    double *deep, *debt;   /* Poisson: both when it last turned back */
    double *taken;         /* energy that each normal impulse has taken along the path */
    double *friction_loss; /* and its friction */
    double *press;         /* of a step: normal impulses, */
    double *most;          /* with e = 0 what they may be, */
    double *rough;         /* mu, 0 where friction would give energy, */
    double *small;         /* 3 n: impulses */
    double *change;        /* 3 n: and what they do to rates */
    size_t *own;           /* where the block of a contact with itself stands */
};

bool carom_blow_path_reserve(struct carom_blow_path *path, size_t n); /* false: out of memory */
void carom_blow_path_close(struct carom_blow_path *path);

/* Follows the path until no spring is pressed and nothing approaches, for as many blows as a pulse needs to run through
 * all contacts and back again. False: it is cut there, and what is then stored is lost; what approaches still with next
 * to no e is not, and is left to whoever asks. */
bool carom_blow_path_follow(struct carom_blow_path *path, const struct carom_blow_path_problem *problem);

/* --- blow_friction.c: friction of one contact in a step along the path ------------------------------------------- */

/* The impulse q of a contact with mobility a (dim x dim, normal first) that slips by `slip` at first and, by what all
 * others do in the step, by `change` more; at most `most`. Where it can it ends the slip; else it opposes the slip in
 * the middle, or keeps it at 0 there. */
void carom_blow_friction(size_t dim, const double *a, double most, const double *slip, const double *change,
                         double q[2]);

#endif
