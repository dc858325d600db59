/* Measures for the rows of papers/monasse2012: Monasse and Mariotti, An energy-preserving Discrete Element Method for
 * elastodynamics (2012). */
#ifndef CAROM_PAPERS_MONASSE2012_H
#define CAROM_PAPERS_MONASSE2012_H

#include "study/verify/measures.h"

/* Ended by a NULL name: what the scheme keeps, and the forces; what waves, bars and beams show; Lamb's problem; what
 * strikes a body; cracks; refinement on Voronoi cells. */
extern const struct carom_measure carom_monasse2012_list[];
extern const struct carom_measure carom_monasse2012_bodies_list[];
extern const struct carom_measure carom_monasse2012_lamb_list[];
extern const struct carom_measure carom_monasse2012_strike_list[];
extern const struct carom_measure carom_monasse2012_fracture_list[];
extern const struct carom_measure carom_monasse2012_voronoi_list[];

#endif
