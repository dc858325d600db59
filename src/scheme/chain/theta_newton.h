/* A whole theta step of folded chains: prediction, Newton, the end of the step. Each chain sees the same operations
 * in the same order whatever lies beside it. */
#ifndef CAROM_SCHEME_CHAIN_THETA_NEWTON_H
#define CAROM_SCHEME_CHAIN_THETA_NEWTON_H

#include "scheme/chain/theta_fold.h"

/* Elastic forces at x into `next`; or into `elastic`. */
void carom_theta_newton_press(struct carom_theta_fold *fold);
void carom_theta_newton_refresh(struct carom_theta_fold *fold);

/* A step of the size given by carom_theta_fold_pace with all chains that are not idle: x, v, lost, elastic and
 * earlier go on. Of a chain that fails, x, v and lost are left as they were, and `next` is what `earlier` was. */
void carom_theta_newton_step(struct carom_theta_fold *fold);

#endif
