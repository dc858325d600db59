/* A look at one contact, see the file. */
#ifndef CAROM_SIM_BOOK_EPISODES_ALONE_H
#define CAROM_SIM_BOOK_EPISODES_ALONE_H

#include "sim/book/episodes.h"

/* Contact j in a state, with the overlap and its rate there. */
void carom_episodes_alone(struct carom_episodes *book, const struct carom_sim *sim, size_t j,
                          const struct carom_state *state, double deform, double rate);

#endif
