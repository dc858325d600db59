/* The rates of Kuwabara-Kono and Hertz chains without calling laws: rates.c decides when. */
#ifndef CAROM_SCHEME_COMPLIANT_RATES_FUSED_H
#define CAROM_SCHEME_COMPLIANT_RATES_FUSED_H

#include "scheme/compliant/rates.h"

/* One group of Kuwabara-Kono or Hertz contacts, none of which can be cut? */
bool carom_rates_fused_fits(const struct carom_rates *rates);

/* dy of the awake beads in a span, the same to the bit as through the laws. Forces at the ends of the span are 0. */
void carom_rates_fused_span(struct carom_rates *rates, const struct carom_span *span, const double *y, double *dy);

#endif
