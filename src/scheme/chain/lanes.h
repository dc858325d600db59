/* Schemes that can step several chains side by side in SIMD lanes: for sweeps. States are those of the scheme, in its
 * variables and with its memory, and come out the same to the bit as if each chain had been stepped alone, whatever is
 * beside it; so a chain may go on alone at any time. */
#ifndef CAROM_SCHEME_CHAIN_LANES_H
#define CAROM_SCHEME_CHAIN_LANES_H

#include "carom/scheme.h"

struct carom_lanes {
    const struct carom_scheme *scheme;
    /* Can these two be stepped side by side, noting largest forces if `peaks`? With itself: at all? */
    bool (*fits)(const struct carom_stepper *a, const struct carom_stepper *b, bool peaks);
    /* A batch of steppers that fit and outlive it; NULL and the sentence on error. */
    void *(*create)(size_t count, struct carom_stepper *const *stepper, struct carom_error *error);
    void (*free)(void *batch);
    /* From here on the largest force of every contact is noted (peaks.h), these states included. */
    enum carom_status (*watch)(void *batch, struct carom_state *const *state, struct carom_error *error);
    /* Up to `steps` steps of size `step` with all chains, never past t_stop; all states have the same time. A chain
     * whose step cannot be solved is left behind; the status is then CAROM_E_NUMERIC, and the others have gone on. */
    enum carom_status (*advance)(void *batch, struct carom_state *const *state, double step, double t_stop,
                                 size_t steps, struct carom_error *error);
    bool (*failed)(const void *batch, size_t chain); /* was this one left behind in the last advance? */
    void (*largest)(const void *batch, size_t chain, double *largest); /* nc numbers */
    struct carom_counts (*counts)(const void *batch); /* of all chains together: steps, evaluations, iterations */
};

extern const struct carom_lanes carom_batch_theta_lanes;
extern const struct carom_lanes carom_batch_irk_lanes;

#endif
