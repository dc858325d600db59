/* Scheme moreau-jean on bodies: what became of the contacts of a step. */
#ifndef CAROM_SCHEME_RIGID_MOREAU_MOREAU_CONCLUDE_H
#define CAROM_SCHEME_RIGID_MOREAU_MOREAU_CONCLUDE_H

#include "scheme/rigid/moreau/moreau_graph.h"

/* The list of contacts at the end of a step of h, and its events; false: out of memory. */
bool carom_moreau_conclude(struct carom_moreau_graph *w, const struct carom_state *from, struct carom_state *to,
                           double h);

#endif
