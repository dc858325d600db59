/* How ranks share bodies whose contacts come and go: for verlet_ranks*.c. */
#ifndef CAROM_SCHEME_COMPLIANT_PACKING_VERLET_RANKS_SHARE_H
#define CAROM_SCHEME_COMPLIANT_PACKING_VERLET_RANKS_SHARE_H

#include "scheme/compliant/packing/verlet_ranks.h"

/* What a block tells of itself after its second kicks, as numbers. */
enum {
    CAROM_VERLET_TOLD_WRONG, /* a contact, or -1 */
    CAROM_VERLET_TOLD_DEEP,  /* likewise, */
    CAROM_VERLET_TOLD_DEFORM,
    CAROM_VERLET_TOLD_SWITCHED,
    CAROM_VERLET_TOLD_ENDED,
    CAROM_VERLET_TOLD_FINITE,
    CAROM_VERLET_TOLD_TOUCHING, /* how many contacts */
    CAROM_VERLET_TOLD_LOST,     /* two numbers a mechanism */
    CAROM_VERLET_TOLD = CAROM_VERLET_TOLD_LOST + 2 * CAROM_RETIRED_KINDS
};

/* Bodies, rising, that go to other ranks or come from them, and room for their rows. */
struct carom_verlet_tour {
    size_t *first; /* count + 1: the first that has to do with a rank */
    uint32_t *body;
    double *row;
    size_t room;
};

struct carom_verlet_ranks {
    struct carom_ranks *ranks;
    struct carom_stepper *stepper;
    size_t count, own;
    size_t *block;   /* count + 1: the first block of bodies that a rank moves */
    size_t *load;    /* by blocks: work */
    uint32_t *mover; /* by blocks: its rank */
    uint64_t *asks;  /* by bodies, `words` numbers with a bit a rank: who must be told of it */
    size_t words;
    struct carom_verlet_tour out, in;
    double (*speed)[2];                 /* by blocks: the square of the largest, and whether one is far */
    double (*found)[CAROM_VERLET_TOLD]; /* by blocks: after the last step, */
    bool told;                          /* unless another state has come */
    double *number;                     /* by ranks */
    uint32_t *contact;                  /* by ranks to whose blocks they belong, rising */
    size_t *first;                      /* count + 1: into it */
    double *packed;                     /* what is remembered of contacts, likewise */
    size_t contacts, columns;           /* of which there are so many, with room for so many numbers each */
    struct carom_rank_piece *piece;
    size_t npieces;
    struct carom_state *saved; /* the start of a call, on rank 0, */
    bool kept;                 /* once it takes a second step */
    bool fresh;                /* others do not have the state */
    bool pending;              /* others still have parts of the start of the last step */
    bool lost;
};

static inline size_t carom_verlet_ranks_mover(const struct carom_verlet_ranks *r, size_t body)
{
    return r->mover[body / CAROM_VERLET_BODIES];
}

/* One behind the last body of a rank, and its first. */
static inline size_t carom_verlet_ranks_end(const struct carom_verlet_ranks *r,
                                            const struct carom_verlet_bodies_work *w, size_t rank)
{
    const size_t end = r->block[rank + 1] * CAROM_VERLET_BODIES;
    return end < w->bodies->n ? end : w->bodies->n;
}

static inline size_t carom_verlet_ranks_first(const struct carom_verlet_ranks *r,
                                              const struct carom_verlet_bodies_work *w, size_t rank)
{
    const size_t first = r->block[rank] * CAROM_VERLET_BODIES;
    return first < w->bodies->n ? first : w->bodies->n;
}

/* The whole state comes to rank 0, or to all. */
void carom_verlet_ranks_told_gather(struct carom_verlet_ranks *r, struct carom_state *state, bool all);

#endif
