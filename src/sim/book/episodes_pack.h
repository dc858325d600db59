/* The book of impacts as numbers for a checkpoint, so that a resumed run writes the same rows. */
#ifndef CAROM_SIM_BOOK_EPISODES_PACK_H
#define CAROM_SIM_BOOK_EPISODES_PACK_H

#include "sim/book/episodes.h"

/* Into book->pack; false: out of memory. */
bool carom_episodes_pack_write(struct carom_episodes *book);

/* False: they do not fit; the book is then as good as a new one. */
bool carom_episodes_pack_read(struct carom_episodes *book, const double *pack, size_t npack);

#endif
