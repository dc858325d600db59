/* Contacts of the surfaces of solids in the book of impacts. They ring: open and close for moments. What is apart for
 * less than a swing of the fastest cell, the shortest time that cells can tell of, and closes again is one episode; so
 * its row waits that long. */
#ifndef CAROM_SIM_BOOK_EPISODES_FACES_H
#define CAROM_SIM_BOOK_EPISODES_FACES_H

#include "carom/sim.h"

/* All zeros where no surfaces meet. */
struct carom_episodes_faces {
    size_t n, waiting;
    double *patience;          /* n contacts: how long rows wait; 0: not at all */
    double *lost;              /* n: what the contact had lost before the row */
    struct carom_episode *row; /* n, contact = UINT64_MAX where none waits */
};

bool carom_episodes_faces_open(struct carom_episodes_faces *faces, const struct carom_model *model);
void carom_episodes_faces_close(struct carom_episodes_faces *faces);

/* A row begins to wait; false: this one does not. */
bool carom_episodes_faces_wait(struct carom_episodes_faces *faces, const struct carom_episode *row, double lost);

/* Does a row of contact j wait? */
bool carom_episodes_faces_waits(const struct carom_episodes_faces *faces, size_t j);

/* Takes the row of contact j, which waits. */
struct carom_episode carom_episodes_faces_take(struct carom_episodes_faces *faces, size_t j, double *lost);

/* Takes a row that has waited long enough by this time; false: there is none. */
bool carom_episodes_faces_due(struct carom_episodes_faces *faces, double time, struct carom_episode *row);

/* How fast contact j closes that is pressed when the run begins; `rate` is that of its overlap. */
double carom_episodes_faces_speed(const struct carom_sim *sim, size_t j, double rate);

#endif
