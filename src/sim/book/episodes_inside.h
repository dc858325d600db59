/* The middle of steps in which a row's forces may peak, see between/inside.h. Plain rows need none: their courses go
 * through several steps. */
#ifndef CAROM_SIM_BOOK_EPISODES_INSIDE_H
#define CAROM_SIM_BOOK_EPISODES_INSIDE_H

#include "sim/book/episodes.h"

/* Peaks and overlaps of contacts [from, to) between the last two looks. The sim's view is as it was. */
void carom_episodes_inside(struct carom_episodes *book, struct carom_sim *sim, size_t from, size_t to);

/* The rate of contact j of a row at a time in the last step, where a cubic tells `rate`; at its ends that is right. */
double carom_episodes_inside_rate(const struct carom_episodes *book, struct carom_sim *sim, size_t j, double time,
                                  double rate);

#endif
