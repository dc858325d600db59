/* Steps of dp5 and cvode are long beside what a cubic through both ends follows: at tol 1e-9 by a hundred times what
 * they err. Where a force or an overlap may have a top in the last step its middle is looked at, too, by the scheme's
 * own interpolation, and overlaps are courses of degree 5 through the three looks (between/course.h). Plain rows need
 * none: their courses go through several steps. */
#ifndef CAROM_SIM_BOOK_EPISODES_INSIDE_H
#define CAROM_SIM_BOOK_EPISODES_INSIDE_H

#include "sim/book/episodes.h"

/* Has the scheme of this sim such steps? */
bool carom_episodes_inside_helps(const struct carom_sim *sim);

/* Peaks and overlaps of contacts [from, to) between the last two looks, at the start and the end of the last step. The
 * sim's view is as it was. */
void carom_episodes_inside_note(struct carom_episodes *book, struct carom_sim *sim, size_t from, size_t to);

#endif
