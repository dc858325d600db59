/* The order of a state's numbers in hashes and checkpoints, see slices.h. Who changes it gives checkpoints a new
 * version (CAROM_RUN_LAYOUT_STATE in record/run_layout.h) and reads the old one. */
#include "model/slices.h"

#include <string.h>

void carom_slices_of(const struct carom_state *s, struct carom_slice slice[CAROM_SLICES])
{
    const struct carom_slice order[CAROM_SLICES] = {
        {s->q, s->bonds_q},
        {s->bonds, s->nbonds},
        {s->q + s->bonds_q, s->nq - s->bonds_q},
        {s->v, s->nv},
        {s->history, s->nh},
        {s->lost, s->nlost},
        {s->clipped, s->nclipped},
        {s->force, s->nforce},
        {s->friction, s->nfriction},
        {s->friction_loss, s->nfriction},
        {s->spent, s->nparts},
        {s->work, s->nparts},
        {s->memory, s->nmemory},
    };
    memcpy(slice, order, sizeof order);
}

void carom_slices_fill(struct carom_state *state, const double *number)
{
    struct carom_slice slice[CAROM_SLICES];
    carom_slices_of(state, slice);
    for (size_t i = 0; i < CAROM_SLICES; number += slice[i++].n)
        if (slice[i].n > 0)
            memcpy(slice[i].at, number, slice[i].n * sizeof *number);
}
