/* A step of scheme rattle on a plane box of one material, see the file. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_SHEET_H
#define CAROM_SCHEME_SOLID_RATTLE_SHEET_H

#include "scheme/solid/rattle.h"

/* Can the body go this way? */
bool carom_rattle_sheet_fits(const struct carom_solid *solid);

/* From q0, v0 and body->force to q1, v1 a step h later and the forces there, at time t1; v0 and v1 may be the same. */
struct carom_rattle_move {
    struct carom_threads *threads;
    double h, t1;
    const double *q0, *v0;
    double *q1, *v1;
    size_t blocks, from, to; /* blocks of rows, and those that are meant: of parts of a step */
    size_t fast;             /* a cell that turns too fast, once it was found; begins with SIZE_MAX */
    const struct carom_rattle_sheet_passes *passes; /* NULL: those that the processor has */
};

/* The number of a cell that turns too fast or does not move finitely, or SIZE_MAX. */
size_t carom_rattle_sheet_step(const struct carom_rattle_body *body, struct carom_rattle_move *move);

/* What cells do as they arrive and leave, and at the borders of blocks, in as many lanes as the processor has: in two,
 * as all have them, or in four, NULL where it has not. */
struct carom_rattle_sheet_passes {
    void (*arrive)(void *own, size_t block, size_t first, size_t last, double *const place[]);
    void (*leave)(void *own, size_t block, size_t first, size_t last);
    void (*borders)(void *own, size_t number);
};
extern const struct carom_rattle_sheet_passes carom_rattle_sheet_narrow;
const struct carom_rattle_sheet_passes *carom_rattle_sheet_wide(void);
const struct carom_rattle_sheet_passes *carom_rattle_sheet_passes(void);

/* The same in parts: first what blocks of rows show their neighbours, two rows at each side; then all the rest, which
 * needs those rows of the neighbours. */
void carom_rattle_sheet_borders(const struct carom_rattle_body *body, struct carom_rattle_move *move);
size_t carom_rattle_sheet_sweep(const struct carom_rattle_body *body, const struct carom_rattle_move *move);

#endif
