/* Solving one island of contacts: what is tried in which order. */
#ifndef CAROM_SOLVE_CONTACT_FRICTION_ISLAND_H
#define CAROM_SOLVE_CONTACT_FRICTION_ISLAND_H

#include "solve/contact/friction_islands.h"

/* Solves p, which points into `islands`; wide: its matrix is islands->wide. r holds a first guess and gets the answer;
 * `best` is room for as many. */
void carom_friction_island_solve(struct carom_friction_islands *islands, struct carom_friction_problem *p, bool wide,
                                 enum carom_friction_solver solver, const struct carom_friction_aims *aims,
                                 struct carom_friction_room *room, double *r, double *best,
                                 struct carom_friction_report *report);

#endif
