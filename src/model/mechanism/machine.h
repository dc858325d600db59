/* What the machines have in common: rows of their parameter tables, and feet that are put onto the floor. */
#ifndef CAROM_MODEL_MECHANISM_MACHINE_H
#define CAROM_MODEL_MECHANISM_MACHINE_H

#include "base/rows.h"
#include "carom/mechanism.h"

/* a number with a lower limit alone */
#define CAROM_MACHINE_NUMBER(type, field, standard, low, unit, text) \
    CAROM_ROW_REAL(type, field, standard, low, HUGE_VAL, unit, text)

/* The functions that every machine has, under these names; of one with friction those of its slip too. */
#define CAROM_MACHINE_FUNCTIONS .mass = mass, .force = force, .distance = distance, .slope = slope, .stored = stored
#define CAROM_MACHINE_SLIPS .slip = slip, .slip_slope = slip_slope

/* What drives it: a signal, which its parameters keep. */
#define CAROM_MACHINE_SIGNAL(type, field, name, unit) \
    .signal = name, .signal_unit = unit, .signal_offset = offsetof(struct type, field)

/* Lifts what has two feet so far that none is below the floor. */
static inline void carom_machine_stand(const void *own,
                                       double (*distance)(const void *own, size_t i, double t, const double *q),
                                       double *q, size_t lift)
{
    for (size_t i = 0; i < 2; i++) {
        const double below = distance(own, i, 0.0, q);
        q[lift] -= below < 0.0 ? below : 0.0;
    }
}

#endif
