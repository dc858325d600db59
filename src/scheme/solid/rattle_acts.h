/* What goes on between the passes of a step on a device: damping, absorbing sides, drives; see the file. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_ACTS_H
#define CAROM_SCHEME_SOLID_RATTLE_ACTS_H

#include "scheme/solid/rattle_board.h"

/* Does the body have any of them? Then board->acts is theirs, and forces are kept. */
bool carom_rattle_acts_are(const struct carom_solid *solid);
bool carom_rattle_acts_open(struct carom_board *board, struct carom_error *error);
void carom_rattle_acts_free(struct carom_board_acts *acts);

/* Damping and absorbing sides in half of step h at its start or its end (`last`), at the places where the cells are; v
 * has the velocities of driven cells. */
void carom_rattle_acts_damp(struct carom_board *board, double h, bool last, const double *v);

/* Moves driven cells to where they are at t1, here (in q and v of the body) and there. */
void carom_rattle_acts_drive(struct carom_board *board, double t1, double *q, double *v);

/* Forces on driven cells, to body->force. */
void carom_rattle_acts_feel(struct carom_board *board);

/* Work on the body that is known at step's end; it is added where it belongs among what damping takes. */
void carom_rattle_acts_work(struct carom_board *board, double work);

/* Ends a step of size h. True: what was lost is to be counted now, in the state at its end. */
bool carom_rattle_acts_end(struct carom_board *board, double h);

/* Counts what the steps since the last time have lost. */
void carom_rattle_acts_count(struct carom_board *board, struct carom_state *state, size_t member);

/* Forgets those steps. */
void carom_rattle_acts_forget(struct carom_board *board);

#endif
