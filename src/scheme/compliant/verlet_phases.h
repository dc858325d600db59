/* What verlet keeps of a row of beads, and the phases of one step of it: blocks of beads and contacts that threads
 * share. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_PHASES_H
#define CAROM_SCHEME_COMPLIANT_VERLET_PHASES_H

#include "carom/state.h"
#include "model/beads/chain.h"
#include "scheme/compliant/verlet_fused.h"
#include "scheme/compliant/verlet_spheres.h"
#include "scheme/stepper.h"

enum {
    CAROM_VERLET_BLOCK = 1024
}; /* beads or contacts that one thread handles at a time, small enough for the first cache */

struct carom_verlet {
    struct carom_chain chain;
    double *elastic;                   /* nc, at the state's x; not if damped */
    struct carom_verlet_squeezed held; /* nc of each, at the state's x; only if damped and plain */
    double *both;                      /* nc, of the step under way: twice the mean force; only if damped */
    uint64_t step;                     /* the state these belong to */
    double time;
    struct carom_verlet_fused kept; /* its arrays only if fused */
    bool cached, fused;
    bool plain; /* do contacts end with their gap, without loads and walls that move? */
    const struct carom_verlet_spheres_passes *passes; /* NULL: this is no plain row of viscoelastic spheres */
    bool *switched, *broken;    /* per block: did a contact open or close; is a velocity not finite */
    double *load[2];            /* n: weights and loads at both ends of the step; only if loaded */
    double *aside;              /* two per drive: forces beside it */
    struct carom_chain last[2]; /* the chain at both ends of the last step */
    bool filled;
    struct carom_verlet_device *device; /* NULL: the processor takes the steps */
};

/* One step under way. */
struct carom_verlet_advance {
    struct carom_stepper *stepper;
    struct carom_verlet *work;
    const struct carom_state *from;
    struct carom_state *to;
    double h;
    struct carom_chain early, late;  /* the chain at both ends */
    struct carom_verlet_spheres row; /* the same as passes see it */
};

static inline size_t carom_verlet_row_blocks(size_t n)
{
    return (n + CAROM_VERLET_BLOCK - 1) / CAROM_VERLET_BLOCK;
}

static inline size_t carom_verlet_row_end(size_t block, size_t n)
{
    return (block + 1) * CAROM_VERLET_BLOCK < n ? (block + 1) * CAROM_VERLET_BLOCK : n;
}

/* Beads move, contacts are pressed, beads are kicked: positions, velocities and losses of `to`, flags of blocks. */
void carom_verlet_phases_run(struct carom_verlet_advance *a);

/* Contacts that let go at the end of the step do so. */
void carom_verlet_phases_latch(struct carom_verlet_advance *a);

/* --- verlet_clip.c: contacts that their force ends, in steps that may pass the switch ---------------------------- */

/* The impulse of contact j in a step of h; what it loses goes into to->lost and to->clipped. before, after: elastic and
 * viscous force, drag and deformation at both ends; early: the chain at the first. Rates at the end are extrapolated,
 * which is exact to h^2. */
double carom_verlet_clip(const struct carom_state *from, struct carom_state *to, const struct carom_chain *early,
                         double h, size_t j, const double before[4], const double after[4]);

#endif
