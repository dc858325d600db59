/* Measures for the rows of papers/chung2011: Chung and Ooi, Granular Matter 13 (2011), impacts of spheres. */
#ifndef CAROM_PAPERS_CHUNG2011_H
#define CAROM_PAPERS_CHUNG2011_H

#include "study/verify/measures.h"

/* Ended by a NULL name. */
extern const struct carom_measure carom_chung2011_list[];

#endif
