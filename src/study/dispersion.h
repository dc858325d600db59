/* Small waves of a chain: its normal modes, and the dispersion curves of the cell it repeats. */
#ifndef CAROM_STUDY_DISPERSION_H
#define CAROM_STUDY_DISPERSION_H

#include "carom/scene.h"

#define CAROM_DISPERSION_MODES 20000 /* larger chains get curves only */
#define CAROM_DISPERSION_CELL 200    /* beads in a cell, at most */

struct carom_dispersion {
    size_t n;      /* bodies that can move */
    size_t *body;  /* n: which, from 0 */
    double *omega; /* n angular frequencies, rising; NULL: too many */
    double *shape; /* n x n: row i, column k is the displacement of body[i] in mode k, largest 1; NULL: not wanted */
    size_t closed; /* contacts that carry small waves */
    double force;  /* the largest static force of a contact */
    double unbalanced; /* the largest force on a body at the start that nothing balances; 0: it is an equilibrium */
    size_t pushed;     /* whose it is, from 0 */
    size_t period;     /* beads in a cell; 0: the chain does not repeat */
    size_t first;      /* its first body, from 0 */
    double length;     /* of the cell in the reference, where neighbours just touch */
    double *mass, *local, *link; /* period: of the cell; link[i] lies right of bead i, the last joins the next cell */
    double sound;                /* speed of long waves; 0: there are none (local springs) */
    double *low, *high;          /* period: edges of the bands, angular frequencies, rising */
    double *matrix;              /* scratch */
};

/* Linearises the scene at its start, damping left out. `period`: beads in a cell, 0: the smallest that repeats.
 * NULL and the sentence where there are no small waves. */
struct carom_dispersion *carom_dispersion_find(const struct carom_scene *scene, size_t period, bool shapes,
                                               struct carom_error *error);
void carom_dispersion_free(struct carom_dispersion *d);

/* The branches at a phase per cell (0 to pi): angular frequencies (period, rising) and group velocities. */
enum carom_status carom_dispersion_branches(const struct carom_dispersion *d, double phase, double *omega,
                                            double *group, struct carom_error *error);

#endif
