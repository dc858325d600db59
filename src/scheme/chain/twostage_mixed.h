/* The passes of a two-stage step in which forces differ in their ratio of impulse to force: contacts of several
 * viscous times, laws without one, damped contacts beside undamped local springs. Full 2 x 2 blocks. */
#ifndef CAROM_SCHEME_CHAIN_TWOSTAGE_MIXED_H
#define CAROM_SCHEME_CHAIN_TWOSTAGE_MIXED_H

#include "scheme/chain/twostage.h"

/* As their namesakes in twostage_sweep.h. */
void carom_twostage_mixed_eliminate(struct carom_twostage *w, const struct carom_model *model);
double carom_twostage_mixed_substitute(struct carom_twostage *w, double *largest);
bool carom_twostage_mixed_finish(struct carom_twostage *w, const struct carom_model *model,
                                 const struct carom_state *from);

#endif
