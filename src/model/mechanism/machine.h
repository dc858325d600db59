/* What the machines have in common: rows of their parameter tables, feet that are put onto the floor, and pictures. */
#ifndef CAROM_MODEL_MECHANISM_MACHINE_H
#define CAROM_MODEL_MECHANISM_MACHINE_H

#include "base/angle.h"
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

/* Pictures are made of bars from a to b (of no width: thin rods), discs about a with a diameter, springs from a to b,
 * surfaces that are struck from their left as one looks from a to b, and holds of hinges and springs. */
enum carom_outline_kind {
    CAROM_OUTLINE_BAR,
    CAROM_OUTLINE_DISC,
    CAROM_OUTLINE_SPRING,
    CAROM_OUTLINE_SURFACE,
    CAROM_OUTLINE_HOLD,
};
#define CAROM_OUTLINE_PARTS 8 /* at most */
struct carom_outline {
    enum carom_outline_kind kind;
    double a[2], b[2], width;
};

/* A block about (x, y), tilted to the right. */
static inline struct carom_outline carom_outline_block(double x, double y, double tilt, double width, double height)
{
    const double dx = 0.5 * height * carom_angle_sin(tilt), dy = 0.5 * height * carom_angle_cos(tilt);
    return (struct carom_outline){CAROM_OUTLINE_BAR, {x - dx, y - dy}, {x + dx, y + dy}, width};
}

/* What was drawn on level ground, on a slope. */
static inline size_t carom_outline_slope(struct carom_outline *part, size_t n, double slope)
{
    const double c = carom_angle_cos(slope), s = carom_angle_sin(slope);
    for (size_t i = 0; i < 2 * n; i++) {
        double *at = i % 2 ? part[i / 2].b : part[i / 2].a;
        const double x = at[0];
        at[0] = c * x - s * at[1];
        at[1] = s * x + c * at[1];
    }
    return n;
}

/* the machine that a mechanism is, or NULL */
const struct carom_machine *carom_machines_of(const struct carom_mechanism *mechanism);

#endif
