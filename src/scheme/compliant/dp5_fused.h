/* Steps of dp5 on chains of Kuwabara-Kono or Hertz contacts, with or without walls and springs, that nothing drives or
 * loads: stages in one loop over contacts and beads, and losses summed up only when a step has been accepted. The
 * motion is the same to the bit as through rates.h, losses are to rounding. */
#ifndef CAROM_SCHEME_COMPLIANT_DP5_FUSED_H
#define CAROM_SCHEME_COMPLIANT_DP5_FUSED_H

#include "scheme/compliant/losses.h"

/* Is it such a chain? */
bool carom_dp5_fused_fits(const struct carom_rates *rates);

/* Numbers that slopes have beside those of rates.h: a root of every overlap. */
size_t carom_dp5_fused_more(const struct carom_rates *rates);

/* Slopes of what feeds back, and the roots; of losses there is nothing yet. rates->deform is that of y. */
void carom_dp5_fused_evaluate(struct carom_rates *rates, const double *y, double *dy);

/* Slopes 1 to 6 of a step whose k[0] is known, and its end in y1: what feeds back. */
void carom_dp5_fused_stages(struct carom_rates *rates, const struct carom_dormand_prince *step, double *y1);

/* Rates and viscous impulses of the contacts listed, at both ends of the step: into `start` and the rates. */
void carom_dp5_fused_contacts(struct carom_rates *rates, const struct carom_dormand_prince *step,
                              struct carom_losses *start, const size_t *list, size_t count);

/* What contacts lose in the step, into y1, and its impulses, into rates->drag. */
void carom_dp5_fused_lose(struct carom_rates *rates, const struct carom_dormand_prince *step, double *y1);

/* The slopes of losses and impulses of one stage, for dense output. */
void carom_dp5_fused_spread(const struct carom_rates *rates, double *slope);

#endif
