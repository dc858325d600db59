/* Which rows the book of impacts keeps. */
#ifndef CAROM_SIM_BOOK_EPISODES_KEEP_H
#define CAROM_SIM_BOOK_EPISODES_KEEP_H

#include "sim/book/episodes.h"

/* A row goes into the book, or is left out where that has as many as it may. */
enum carom_status carom_episodes_keep(struct carom_episodes *episodes, const struct carom_episode *row,
                                      struct carom_recorder *recorder, struct carom_error *error);

/* The strongest of every contact, where it was left out, and how many others were. */
enum carom_status carom_episodes_keep_best(struct carom_episodes *episodes, struct carom_recorder *recorder,
                                           struct carom_error *error);

#endif
