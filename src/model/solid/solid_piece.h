/* The part of a body that one of several processes has: its cells may stand in any places. Bodies with slices
 * (solid_slice.h) or bonds only. */
#ifndef CAROM_MODEL_SOLID_SOLID_PIECE_H
#define CAROM_MODEL_SOLID_SOLID_PIECE_H

#include "kernel/turn.h"
#include "model/solid/solid.h"

/* Cells are dealt out in portions, as they turn together. */
static inline size_t carom_solid_piece_portions(const struct carom_solid *solid)
{
    return (solid->n + CAROM_TURN_PORTION - 1) / CAROM_TURN_PORTION;
}

/* What a process has to know of a cell: nothing; where it is; its pressure too, which it works out; it moves it. */
enum carom_solid_look { CAROM_LOOK_AWAY, CAROM_LOOK_PLACE, CAROM_LOOK_PRESSURE, CAROM_LOOK_OWN };

/* For process `who`, where owner[i] has portion i; n bytes. */
void carom_solid_piece_look(const struct carom_solid *solid, const uint32_t *owner, uint32_t who, uint8_t *look);

/* The same where own cells are marked already, and all others are away. */
void carom_solid_piece_look_around(const struct carom_solid *solid, uint8_t *look);

struct carom_solid_piece;
struct carom_solid_runs;

/* NULL: out of memory. */
struct carom_solid_piece *carom_solid_piece_create(const struct carom_solid *solid, const uint8_t *look,
                                                   size_t threads);
void carom_solid_piece_free(struct carom_solid_piece *piece);

/* What it works on, of a body with bonds. */
const struct carom_solid_some *carom_solid_piece_some(const struct carom_solid_piece *piece);

/* Its slices, and those that act on them, in blocks: for pressures, or for forces. */
const struct carom_solid_runs *carom_solid_piece_runs(const struct carom_solid_piece *piece, bool forces,
                                                      size_t *blocks);

/* Forces on its cells, as carom_solid_forces_some; where cells may meet, q is known of all. */
void carom_solid_piece_forces(const struct carom_solid *solid, const struct carom_solid_piece *piece,
                              const struct carom_solid_work *work, struct carom_threads *threads, double t,
                              const double *q, bool clear, double *f);

#endif
