/* Measures for the rows of papers/nguyen2011: Nguyen and Brogliato, Shock dynamics in granular chains: numerical
 * simulations and comparison with experimental tests, INRIA report 7636 (2011). */
#ifndef CAROM_PAPERS_NGUYEN2011_H
#define CAROM_PAPERS_NGUYEN2011_H

#include "study/verify/measures.h"

/* Ended by a NULL name. */
extern const struct carom_measure carom_nguyen2011_list[];
extern const struct carom_measure carom_nguyen2011_waves_list[];

#endif
