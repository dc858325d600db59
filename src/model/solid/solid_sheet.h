/* A sweep through a plane box of one material, row by row: as soon as a row of cells and the two above it have come in,
 * its forces are known and it may go on. So a scheme moves cells, finds their forces and kicks them while they are
 * still in the cache. */
#ifndef CAROM_MODEL_SOLID_SOLID_SHEET_H
#define CAROM_MODEL_SOLID_SOLID_SHEET_H

#include "kernel/sheet.h"
#include "model/solid/solid.h"

/* What links need to know of cells, one array each: displacements, 1 - cos and sin of the turn. */
enum { CAROM_SHEET_X, CAROM_SHEET_Y, CAROM_SHEET_LESS, CAROM_SHEET_SINE, CAROM_SHEET_PLACES };

enum { CAROM_SHEET_CHUNK = 1024, CAROM_SHEET_BLOCKS = 16 }; /* cells of a row at a time; blocks of rows for threads */

struct carom_sheet_sweep {
    const struct carom_solid *solid;
    double *rows; /* carom_solid_sheet_room of the blocks */
    double t;
    const double *q;  /* as it stands when the cells have arrived */
    double *pressure; /* n; NULL: not wanted */
    double *f;        /* 3 n: force and torque, written; NULL: not wanted */
    size_t blocks;    /* 1 for one thread */
    /* Cells [first, last) of a row come in: fills q, if need be, and what links need to know. Rows come in rising
     * order; two rows at either side of a block come to both its neighbour and itself. */
    void (*arrive)(void *own, size_t block, size_t first, size_t last, double *const place[CAROM_SHEET_PLACES]);
    /* Their forces are in f; nobody asks for these cells again. NULL: nothing to do. */
    void (*leave)(void *own, size_t block, size_t first, size_t last);
    void *own;
};

/* Is the body such a box? */
static inline bool carom_solid_sheet_fits(const struct carom_solid *s)
{
    return s->gridded && s->dimension == 2 && s->sheet && !s->bonds;
}

/* How many blocks for several threads; and the rows [first, last) of one. */
size_t carom_solid_sheet_blocks(const struct carom_solid *solid);
void carom_solid_sheet_rows(const struct carom_solid *solid, size_t blocks, size_t block, size_t *first, size_t *last);

/* Sweeps through block `number` of a struct carom_sheet_sweep, for carom_threads_run, in as many lanes as the processor
 * has: in two, as all have them, or in four, NULL where it has not. */
void carom_solid_sheet_sweep(void *sweep, size_t number);
void carom_solid_sheet_narrow(void *sweep, size_t number);
void (*carom_solid_sheet_wide(void))(void *sweep, size_t number);

/* Constants of its links along axis k, and of the dilatations of row `row`: lambda x share of its cells. */
struct carom_sheet_axis carom_solid_sheet_axis(const struct carom_solid *solid, int k);
const double *carom_solid_sheet_scale(const struct carom_solid *solid, size_t row);

/* Cells [first, last) as they stand in q. */
void carom_solid_sheet_unpack(const double *q, size_t first, size_t last, double *const place[CAROM_SHEET_PLACES]);

/* All forces and pressures by such a sweep, or pressures alone (f = NULL). */
void carom_solid_sheet_forces(const struct carom_solid *solid, const struct carom_solid_work *work,
                              struct carom_threads *threads, double t, const double *q, double *f);

/* The same of blocks [from, to) of so many alone. */
void carom_solid_sheet_forces_some(const struct carom_solid *solid, const struct carom_solid_work *work,
                                   struct carom_threads *threads, double t, const double *q, size_t blocks, size_t from,
                                   size_t to, double *f);

/* Doubles of scratch for a sweep in so many blocks. */
size_t carom_solid_sheet_room(const struct carom_solid *solid, size_t blocks);

/* Constants of the body; false: out of memory. */
bool carom_solid_sheet_ready(struct carom_solid *solid);

#endif
