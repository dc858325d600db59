/* What contacts lose, and push, in a step of Dormand and Prince, where the weights of the step alone would not be good
 * enough. */
#ifndef CAROM_SCHEME_COMPLIANT_LOSSES_H
#define CAROM_SCHEME_COMPLIANT_LOSSES_H

#include "scheme/compliant/rates.h"
#include "scheme/dormand_prince.h"

/* Contacts at one end of a step, nc each. */
struct carom_losses {
    double *deform, *rate, *viscous;
    double small; /* overlaps below this lose nothing that counts while they stay on their side of touch */
};

/* Which of contacts [from, to) touch, or nearly, at an end of the step or inside, into `list` (room for all); the rates
 * are as evaluated at its end. All others need nothing of what follows. */
size_t carom_losses_near(const struct carom_losses *start, const struct carom_rates *rates, size_t from, size_t to,
                         size_t *list);

/* Puts right, in y1, what the weights made of the losses of the contacts listed; impulse (nc, NULL: from the slopes) is
 * what they made of their impulses. */
void carom_losses_correct(const struct carom_losses *start, const struct carom_rates *rates,
                          const struct carom_dormand_prince *step, const size_t *list, size_t count,
                          const double *impulse, double *y1);

/* And of contacts in [from, to) that are cut. */
void carom_losses_correct_cut(const struct carom_losses *start, const struct carom_rates *rates,
                              const struct carom_dormand_prince *step, size_t from, size_t to, double *y1);

/* The same between the ends of the step, at s in [0, 1], for a contact listed and for those that are cut in [from, to),
 * in y, whose q is that of s; so are the rates' viscous impulses. */
void carom_losses_between(const struct carom_losses *start, const struct carom_losses *end,
                          const struct carom_rates *rates, const struct carom_dormand_prince *step, double s, size_t j,
                          double *y);
void carom_losses_between_cut(const struct carom_losses *start, const struct carom_rates *rates,
                              const struct carom_dormand_prince *step, size_t from, size_t to, double *y);

/* The same for what drives put in through dampers in a step from t0 to t1. */
void carom_losses_correct_drives(const struct carom_losses *start, const struct carom_rates *rates,
                                 const struct carom_dormand_prince *step, double t0, double t1, double *y1);

/* nc contacts; false: out of memory, and what there is can be closed. */
bool carom_losses_open(struct carom_losses *losses, size_t nc);
void carom_losses_close(struct carom_losses *losses);

/* Takes over the contacts that the rates have evaluated last; what it had is theirs to write. */
void carom_losses_keep(struct carom_losses *losses, struct carom_rates *rates);

#endif
