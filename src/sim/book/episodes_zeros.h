/* Moments without force in the book of impacts, see the file. */
#ifndef CAROM_SIM_BOOK_EPISODES_ZEROS_H
#define CAROM_SIM_BOOK_EPISODES_ZEROS_H

#include "sim/book/episodes.h"

/* When between the last two looks the gap of contact j opened or, in one that has latched, the force ended. */
double carom_episodes_zeros_ends(const struct carom_episodes *book, const struct carom_model *model, size_t j);

/* Forces of contacts [from, to) that have passed 0 since the look before. Where they do so as the contact opens, that
 * is said already. */
enum carom_status carom_episodes_zeros_note(const struct carom_episodes *book, struct carom_sim *sim, size_t from,
                                            size_t to, struct carom_error *error);

#endif
