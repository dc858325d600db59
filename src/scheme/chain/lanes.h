/* Many chains of equal length, stepped by one scheme side by side in SIMD lanes: for sweeps. States are those of the
 * scheme, in its variables and with its memory, and come out the same to the bit as if each chain had been stepped
 * alone, whatever is beside it; so a chain may go on alone at any time. Chains go in blocks of a few, which a scheme
 * steps; what stands here is the same for all of them. */
#ifndef CAROM_SCHEME_CHAIN_LANES_H
#define CAROM_SCHEME_CHAIN_LANES_H

#include "carom/scheme.h"

/* Who looks at single chains between steps. */
struct carom_lanes_look {
    void *own;
    /* How many steps may this chain take before the next look at it, unless a contact of it closes or opens? */
    size_t (*within)(void *own, size_t chain);
    /* Its state is up to date; `switched`: a contact closed or opened in the last step, whose start is in
     * stepper->before as far as motions, losses and clock go. */
    void (*see)(void *own, size_t chain, bool switched);
};

/* How a block begins. Lanes without a chain are filled with the first and are never looked at. */
struct carom_lanes_block {
    size_t first, count;                  /* chains, and the number of the first */
    struct carom_stepper *const *stepper; /* of them */
    const struct carom_lanes_look *look;  /* NULL: nobody looks */
};

/* Of one block and one run: when chains are looked at next, in steps of its clock. */
enum { CAROM_LANES_WIDEST = 4 };
struct carom_lanes_due {
    size_t step[CAROM_LANES_WIDEST];
};
void carom_lanes_due_begin(const struct carom_lanes_block *block, struct carom_lanes_due *due);

/* After a step, the chain's state being up to date: tells who looks. */
void carom_lanes_tell(const struct carom_lanes_block *block, struct carom_lanes_due *due, size_t chain, size_t taken,
                      bool switched);

/* What a scheme does with a block; it is given zeroed but for its chains. */
struct carom_lanes {
    const struct carom_scheme *scheme;
    size_t width, size; /* chains that a block has room for; bytes of a block */
    /* Can these two be stepped side by side? With itself: at all? */
    bool (*fits)(const struct carom_stepper *a, const struct carom_stepper *b);
    enum carom_status (*open)(void *block, struct carom_error *error);
    void (*close)(void *block); /* fine for zeros */
    /* Up to `steps` steps of size `step`, never past t_stop, with all chains; how many. A chain whose step cannot be
     * solved is left behind. */
    size_t (*run)(void *block, struct carom_state *const *state, double step, double t_stop, size_t steps);
    /* Was this chain left behind in the last run? Adds evaluations and iterations that it took. */
    bool (*failed)(const void *block, size_t chain, struct carom_counts *counts);
};

extern const struct carom_lanes carom_batch_theta_lanes;
extern const struct carom_lanes carom_batch_irk_lanes;
extern const struct carom_lanes carom_batch_irk_narrow; /* in registers of two numbers, whatever the processor has */

struct carom_lanes_batch;

/* Steppers that fit and outlive the batch; NULL and the sentence, which counts chains from 1, on error. */
struct carom_lanes_batch *carom_lanes_create(const struct carom_lanes *lanes, size_t count,
                                             struct carom_stepper *const *stepper, struct carom_error *error);
void carom_lanes_free(struct carom_lanes_batch *batch);

/* Somebody looks at chains from now on; outlives the batch. */
void carom_lanes_watch(struct carom_lanes_batch *batch, const struct carom_lanes_look *look);

/* Up to `steps` steps of size `step`, that of the steppers, with all chains, never past t_stop; all states have the
 * same time. A chain whose step cannot be solved is left behind; the status is then CAROM_E_NUMERIC, and the others
 * have gone on. */
enum carom_status carom_lanes_advance(struct carom_lanes_batch *batch, struct carom_state *const *state, double step,
                                      double t_stop, size_t steps, struct carom_error *error);

struct carom_counts
carom_lanes_counts(const struct carom_lanes_batch *batch); /* of all: steps, evaluations, iterations */

#endif
