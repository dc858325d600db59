/* The fused step of verlet for undamped Hertz chains; verlet.c decides when it may be taken. */
#ifndef CAROM_SCHEME_VERLET_FUSED_H
#define CAROM_SCHEME_VERLET_FUSED_H

#include "carom/state.h"
#include "model/chain.h"

/* Can this model take the fused step? One group of Hertz contacts, no springs. */
bool carom_verlet_fused_fits(const struct carom_model *model);

/* One step of size h from one state to another. elastic (nc) is that at `from` and becomes that at `to`; ease (n) is
 * h / 2 / mass. Returns false if a velocity is not finite; *switched: has a contact opened or closed? NULL: not asked,
 * which is faster. The same to the bit as the general phases. */
bool carom_verlet_fused_step(const struct carom_model *model, const struct carom_chain *chain,
                             const struct carom_state *from, struct carom_state *to, double h, const double *ease,
                             double *elastic, bool *switched);

#endif
