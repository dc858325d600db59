/* Measures for the rows of papers/james2020: James, Vorotnikov and Brogliato, IMA Journal of Applied Mathematics 85
 * (2020). */
#ifndef CAROM_PAPERS_JAMES2020_H
#define CAROM_PAPERS_JAMES2020_H

#include "study/verify/measures.h"

/* Ended by a NULL name. */
extern const struct carom_measure carom_james2020_list[];

#endif
