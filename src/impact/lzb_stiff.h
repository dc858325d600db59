/* Steps of impact lzb where a contact with small es expands: its x answers 1 / es^2 times faster than it was
 * compressed, which explicit steps could follow only by being as short. */
#ifndef CAROM_IMPACT_LZB_STIFF_H
#define CAROM_IMPACT_LZB_STIFF_H

#include "impact/lzb.h"

/* Does a contact expand so fast? */
bool carom_lzb_stiff_wanted(const struct carom_lzb *w);

/* As carom_lzb_step_try; the error goes with the fourth power of h. */
double carom_lzb_stiff_try(struct carom_lzb *w, double h);

#endif
