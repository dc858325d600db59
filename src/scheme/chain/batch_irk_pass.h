/* Four chains of equal length in the lanes of one register or two, and the passes over them that a two-stage step is
 * made of. Every lane sees the operations of twostage_sweep.c and twostage_ledger.c in their order, so that it comes
 * out the same to the bit. Hertz and Kuwabara-Kono contacts of one viscous time per chain, no local springs or loads;
 * batch_irk.c puts the passes together. */
#ifndef CAROM_SCHEME_CHAIN_BATCH_IRK_PASS_H
#define CAROM_SCHEME_CHAIN_BATCH_IRK_PASS_H

#include "scheme/chain/twostage.h"

#define CAROM_BATCH_IRK_WIDTH 4

typedef double carom_irk_lane[CAROM_BATCH_IRK_WIDTH]; /* a number of each chain */

/* Numbers per chain. Blocks (a b; c d) and pairs are stored entry by entry. */
struct carom_irk_lanes {
    carom_irk_lane both[4], carried[4];
    carom_irk_lane reach[2], to_x[2], to_v[2];
    carom_irk_lane half, second;      /* of (67), as in variables.h */
    carom_irk_lane goal;              /* residuals this small are rounding */
    carom_irk_lane known;             /* 1: there is a Z to extrapolate from */
    carom_irk_lane farthest;          /* largest |x| at the start of the step */
    bool live[CAROM_BATCH_IRK_WIDTH]; /* still to be solved */
    bool left_wall[CAROM_BATCH_IRK_WIDTH];
};

/* A bead of each chain and the contact on its right. All numbers of a place lie together, so that passes need one
 * address. */
struct carom_irk_slot {
    carom_irk_lane inverse_mass;
    carom_irk_lane m11, m12, m21, m22;             /* mass times the inverse of the stages' matrix */
    carom_irk_lane x, v, x_low, v_low, z1, z2;     /* the state and the unknown */
    carom_irk_lane x_to, v_to, x_low_to, v_low_to; /* the end of the step */
    carom_irk_lane stiffness, gap, gamma;          /* contact; where there is none the gap is endless */
    carom_irk_lane f1, f2, s1, s2;                 /* contact: force and slope at both stages */
    carom_irk_lane viscous, lost;                  /* contact: impulse at x, losses so far */
    carom_irk_lane e11, e12, e21, e22, k1, k2;     /* eliminated row, x = k + (e11 -e12; -e21 e22) x_next */
};

/* Slots 0 ... n + 1; the first and the last are walls at rest, the one after is padding. */
struct carom_irk_block {
    size_t n;
    double h;
    struct carom_irk_lanes lanes;
    struct carom_irk_slot *slot;
    const struct carom_irk_passes *passes;
};

enum carom_status carom_batch_irk_pass_open(struct carom_irk_block *block, size_t n, struct carom_error *error);
void carom_batch_irk_pass_close(struct carom_irk_block *block);

/* Of each chain the largest update (not finite if one is not), the largest Z and the largest slope/m. */
struct carom_irk_sizes {
    carom_irk_lane update, largest, stiffest;
};

struct carom_irk_passes {
    /* Z extrapolated from that of the last step; notes the farthest bead. */
    void (*predict)(struct carom_irk_block *block);
    /* One Newton update of the live chains' Z. */
    void (*update)(struct carom_irk_block *block, struct carom_irk_sizes *sizes);
    /* The end of the step from the stages' forces. good: all residuals are within the goal and all numbers finite. */
    void (*finish)(struct carom_irk_block *block, bool *good);
    /* In which chains does a contact close or open between the state and the end? */
    void (*switched)(const struct carom_irk_block *block, bool *switched);
    /* The end becomes the state; losses of the step, if damped; viscous impulses become those of the end. */
    void (*settle)(struct carom_irk_block *block, bool damped);
    /* Viscous impulses at x. */
    void (*impulses)(struct carom_irk_block *block);
};

/* In registers of two numbers; of four, or NULL where the processor has none; and whichever is quicker here. All give
 * the same bits. */
extern const struct carom_irk_passes carom_batch_irk_pass_narrow;
const struct carom_irk_passes *carom_batch_irk_wide(void);

#endif
