/* Many chains of equal length, stepped by scheme theta side by side in SIMD lanes: for sweeps. Masses, stiffnesses,
 * gammas, gaps, springs, walls, laws and motions may differ from chain to chain. Every state comes out the same to the
 * bit as if scheme theta had taken the same steps with it alone, whatever chains are beside it. States are those of
 * scheme theta, in its variables and with its memory; so each may go on alone at any time. */
#ifndef CAROM_SCHEME_CHAIN_BATCH_THETA_H
#define CAROM_SCHEME_CHAIN_BATCH_THETA_H

#include "scheme/chain/lanes.h"

struct carom_batch_theta;

/* Can two models be stepped side by side? Both must be what scheme theta steps, equally long, and without loads. */
bool carom_batch_theta_fits(const struct carom_model *a, const struct carom_model *b);

/* Any number of models that fit, with their scales; the models must outlive the batch. NULL and a sentence, which
 * names the chain counted from 1, if one is refused. */
struct carom_batch_theta *carom_batch_theta_create(size_t count, const struct carom_model *const *model,
                                                   const struct carom_scales *scales, struct carom_error *error);
void carom_batch_theta_free(struct carom_batch_theta *batch);

/* Physical states -> states of the scheme. */
void carom_batch_theta_start(struct carom_batch_theta *batch, struct carom_state *const *state);

/* Up to `steps` steps of size `step` with all chains, never past t_stop; all states must have the same time. A chain
 * whose step cannot be solved is left as it was before that step, and the others go on; the status and sentence are
 * then those of the first such chain. */
enum carom_status carom_batch_theta_advance(struct carom_batch_theta *batch, struct carom_state *const *state,
                                            double step, double t_stop, size_t steps, struct carom_error *error);

/* Could a step of this chain (counted from 0) not be solved in the last advance? */
bool carom_batch_theta_failed(const struct carom_batch_theta *batch, size_t chain);

/* From here on notes the largest force of every contact (peaks.h), these states included. Refused where a law is
 * neither hertz nor kuwabara-kono. `largest` has room for the contacts of the chain. */
enum carom_status carom_batch_theta_watch(struct carom_batch_theta *batch, struct carom_state *const *state,
                                          struct carom_error *error);
void carom_batch_theta_largest(const struct carom_batch_theta *batch, size_t chain, double *largest);

/* The physical state of one chain. */
void carom_batch_theta_sync(struct carom_batch_theta *batch, size_t chain, const struct carom_state *state,
                            struct carom_state *view);

/* Steps, evaluations and Newton iterations of all chains together; the rest is 0. */
struct carom_counts carom_batch_theta_counts(const struct carom_batch_theta *batch);

#endif
