/* What acts on beads beside their contacts: local springs and strings, weights, dampers, loads and drives. Formulas
 * for one bead at a time, for schemes that add them to their own sums. */
#ifndef CAROM_MODEL_BEADS_LOADS_H
#define CAROM_MODEL_BEADS_LOADS_H

#include "base/angle.h"
#include "carom/model.h"

/* Force of the local spring and of the string of bead i at x; nothing for driven beads. */
static inline double carom_loads_local(const struct carom_beads *b, size_t i, double x)
{
    double force = b->spring ? -b->spring[i] * x : 0.0;
    if (b->string && b->string[i] > 0.0)
        force -= b->mass[i] * b->down * carom_angle_sin(x / b->string[i]);
    return b->driven && b->driven[i] ? 0.0 : force;
}

/* Minus its derivative: the stiffness of spring and string. */
static inline double carom_loads_stiffness(const struct carom_beads *b, size_t i, double x)
{
    double slope = b->spring ? b->spring[i] : 0.0;
    if (b->string && b->string[i] > 0.0)
        slope += b->mass[i] * b->down / b->string[i] * carom_angle_cos(x / b->string[i]);
    return b->driven && b->driven[i] ? 0.0 : slope;
}

static inline double carom_loads_weight(const struct carom_beads *b, size_t i)
{
    return b->weight && !(b->driven && b->driven[i]) ? b->weight[i] : 0.0;
}

static inline double carom_loads_damper(const struct carom_beads *b, size_t i)
{
    return b->damper && !(b->driven && b->driven[i]) ? b->damper[i] : 0.0;
}

static inline bool carom_loads_driven(const struct carom_beads *b, size_t i)
{
    return b->driven && b->driven[i];
}

/* Energy stored in spring, string and weight of bead i. */
double carom_loads_energy(const struct carom_beads *beads, size_t i, double x);

/* Power that the dampers of beads [first, last) take; v holds velocities of all beads. */
double carom_loads_damping(const struct carom_beads *beads, size_t first, size_t last, const double *v);

/* Power of the loads (not of the drives, which act through contacts). */
double carom_loads_power(const struct carom_beads *beads, double t, const double *v);

/* Weights and loads at t into `force` (n). A first call fills all of it; later ones, with `again`, change only what
 * loads change. */
void carom_loads_fill(const struct carom_beads *beads, double t, bool again, double *force);

/* The last moment before t: where a step ends on a break, its signals are those of the step. */
static inline double carom_loads_before(double t)
{
    return nextafter(t, -HUGE_VAL);
}

/* The same for a step from `from`, which may have begun at a break and be shorter than times can tell. */
static inline double carom_loads_within(double from, double t)
{
    const double last = nextafter(t, -HUGE_VAL);
    return last > from ? last : from;
}

/* A drive at t. */
struct carom_motion {
    double place, rate;
};

static inline struct carom_motion carom_loads_motion(const struct carom_drive *drive, double t)
{
    return (struct carom_motion){drive->offset + carom_signal_value(&drive->place, t),
                                 carom_signal_rate(&drive->place, t)};
}

/* Driven beads at t, their low parts (unless NULL) zero. */
void carom_loads_lead(const struct carom_beads *beads, double t, double *q, double *v, double *q_low, double *v_low);

/* Frees the table of a signal. */
void carom_loads_forget(struct carom_signal *signal);

#endif
