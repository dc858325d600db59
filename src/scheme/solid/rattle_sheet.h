/* A step of scheme rattle on a plane box of one material, see the file. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_SHEET_H
#define CAROM_SCHEME_SOLID_RATTLE_SHEET_H

#include "scheme/solid/rattle.h"

/* Can the body go this way? */
bool carom_rattle_sheet_fits(const struct carom_solid *solid);

/* From q0, v0 and body->force to q1, v1 a step h later and the forces there, at time t1; v0 and v1 may be the same.
 * The number of a cell that turns too fast or does not move finitely, or SIZE_MAX. */
size_t carom_rattle_sheet_step(const struct carom_rattle_body *body, struct carom_threads *threads, double h, double t1,
                               const double *q0, const double *v0, double *q1, double *v1);

#endif
