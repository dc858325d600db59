/* What the book of impacts says of the waves at contacts: the force at their peak and when, which samples may miss. */
#ifndef CAROM_STUDY_PULSE_PULSE_BOOK_H
#define CAROM_STUDY_PULSE_PULSE_BOOK_H

#include "record/run_file.h"
#include "study/pulse/pulse.h"

/* Episodes whose peak force is known, contact by contact in the order of time. */
struct carom_pulse_book {
    size_t nc;
    size_t *first; /* nc + 1; NULL: the file has no book */
    struct carom_episode *row;
};

/* Those with peaks between the times `from` and `until`. */
enum carom_status carom_pulse_book_open(struct carom_pulse_book *book, const struct carom_run_file *run, double from,
                                        double until, struct carom_error *error);
void carom_pulse_book_close(struct carom_pulse_book *book); /* fine for zeros */

/* Is a contact that counts (its peak is `least` of the largest) closed for so few samples that they tell no wave? */
bool carom_pulse_book_coarse(const struct carom_pulse_book *book, size_t contact,
                             const struct carom_pulse_series *series, double least);

/* The nth episode of a contact that counts, from 0, also as a wave above `rest`, of which only peak, time and foot are
 * known; NULL: there are not so many. */
const struct carom_episode *carom_pulse_book_wave(const struct carom_pulse_book *book, size_t contact, size_t n,
                                                  double least, double rest, struct carom_pulse *pulse);

/* The samples from the one before an episode to the one after it; false: they are too few to tell a wave. */
bool carom_pulse_book_around(const struct carom_episode *episode, const struct carom_pulse_series *series,
                             struct carom_pulse_series *around);

/* The true peak of a wave that samples show; false: the book has none there. */
bool carom_pulse_book_top(const struct carom_pulse_book *book, size_t contact, const struct carom_pulse_series *series,
                          const struct carom_pulse_wave *wave, struct carom_pulse_top *top);

#endif
