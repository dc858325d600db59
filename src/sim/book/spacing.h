/* How many steps lie between two looks of the book of impacts. */
#ifndef CAROM_SIM_BOOK_SPACING_H
#define CAROM_SIM_BOOK_SPACING_H

#include "carom/sim.h"

/* For a sim at its start, with the contacts that are closed then and all overlaps. */
uint64_t carom_spacing_steps(const struct carom_sim *sim, const unsigned char *closed, const double *deform);

/* The same, at least `stride`, where courses through four looks lie between them and no contact closes or opens; and
 * the time between such looks where steps are not fixed, 0: every step is looked at. */
uint64_t carom_spacing_leap(const struct carom_sim *sim, const unsigned char *closed, const double *deform,
                            uint64_t stride);
double carom_spacing_apart(const struct carom_sim *sim, const unsigned char *closed, const double *deform);

/* Leaps after a closing or opening before looks leap again: those behind are smooth. */
double carom_spacing_quiet(const struct carom_sim *sim);

#endif
