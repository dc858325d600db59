/* What contacts lose in a step of Dormand and Prince, where the weights of the step alone would not be good enough. */
#ifndef CAROM_SCHEME_LOSSES_H
#define CAROM_SCHEME_LOSSES_H

#include "scheme/dormand_prince.h"
#include "scheme/rates.h"

/* Contacts at the start of a step, nc each. */
struct carom_losses {
    double *deform, *rate, *viscous;
};

/* Puts right, in y1, what the weights made of contact j's losses; the rates are as evaluated at the end of the step. */
void carom_losses_correct(const struct carom_losses *start, const struct carom_rates *rates,
                          const struct carom_dormand_prince *step, size_t j, double *y1);

#endif
