/* What contacts of any law push too much in a step of Dormand and Prince that begins or ends near touch.
 * There a force goes like (rate x time)^p, whose integral the weights miss where p is no whole number, and of that the
 * estimated error sees a part only. */
#ifndef CAROM_SCHEME_COMPLIANT_TOUCH_H
#define CAROM_SCHEME_COMPLIANT_TOUCH_H

#include "scheme/compliant/losses.h"

/* A step, and the times of its ends: walls may be driven. */
struct carom_touch_step {
    const struct carom_dormand_prince *step;
    double t0, t1;
};

/* Regularised chains: puts that right in y1 for the contacts listed (carom_losses_near), and for any where laws have a
 * memory; the rates are as evaluated at the end of the step. Velocities that are off
 * by less than `least`, and displacements by less than least x time, are left alone. True if any was put right. */
bool carom_touch_correct(const struct carom_losses *start, const struct carom_rates *rates,
                         const struct carom_touch_step *in, const size_t *list, size_t count, double least, double time,
                         double *y1);

/* By how much the velocity of the lighter bead of contact j is put right so, as far as its elastic force goes. */
double carom_touch_missed(const struct carom_losses *start, const struct carom_rates *rates,
                          const struct carom_touch_step *in, size_t j);

/* The same inside a step that is done, at s of it, in y, whose q and w are those of the dense output; `end` are the
 * contacts at its end. */
void carom_touch_between(const struct carom_losses *start, const struct carom_losses *end,
                         const struct carom_rates *rates, const struct carom_touch_step *in, double s, double least,
                         double time, double *y);

#endif
