/* Measures for the rows of papers/acary2009: Acary, Higher order schemes for nonsmooth mechanical systems, NUMDIFF 12
 * (2009). */
#ifndef CAROM_PAPERS_ACARY2009_H
#define CAROM_PAPERS_ACARY2009_H

#include "study/verify/measures.h"

/* Ended by a NULL name. */
extern const struct carom_measure carom_acary2009_list[];

#endif
