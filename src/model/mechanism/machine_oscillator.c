/* Machine `oscillator`: a mass on a spring and damper with a stop, q = place, q >= stop. A stop beyond the spring's
 * rest prestresses it; a force may drive it. Problems O (stop 0) and O+ (stop 0.2) of the academic problems are mass
 * 1, stiffness 1. */
#include "model/mechanism/machine.h"

struct oscillator {
    double mass, stiffness, damping, rest, stop;
    struct carom_signal force;
};

static const struct carom_param params[] = {
    CAROM_MACHINE_NUMBER(oscillator, mass, 1, CAROM_POSITIVE, "kg", "mass"),
    CAROM_MACHINE_NUMBER(oscillator, stiffness, 1, 0, "N/m", "of the spring"),
    CAROM_MACHINE_NUMBER(oscillator, damping, 0, 0, "N s/m", "of the damper beside it"),
    CAROM_MACHINE_NUMBER(oscillator, rest, 0, -HUGE_VAL, "m", "where the spring is relaxed"),
    CAROM_MACHINE_NUMBER(oscillator, stop, 0, -HUGE_VAL, "m",
                         "the mass stays at or beyond this place; more than rest: prestressed"),
    CAROM_PARAM_END,
};

static void mass(const void *own, const double *q, double *m)
{
    (void)q;
    m[0] = ((const struct oscillator *)own)->mass;
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct oscillator *o = own;
    f[0] = carom_signal_value(&o->force, t) - o->stiffness * (q[0] - o->rest) - o->damping * v[0];
}

static double distance(const void *own, size_t i, double t, const double *q)
{
    (void)i, (void)t;
    return q[0] - ((const struct oscillator *)own)->stop;
}

static void slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    (void)own, (void)i, (void)t, (void)q;
    slope[0] = 1.0;
    *drift = 0.0;
}

static double stored(const void *own, double t, const double *q)
{
    const struct oscillator *o = own;
    (void)t;
    return 0.5 * o->stiffness * (q[0] - o->rest) * (q[0] - o->rest);
}

static void power(const void *own, double t, const double *q, const double *v, double *dissipated, double *work)
{
    const struct oscillator *o = own;
    (void)q;
    *dissipated = o->damping * v[0] * v[0];
    *work = carom_signal_value(&o->force, t) * v[0];
}

static size_t outline(const void *own, double t, const double *q, double size, struct carom_outline *part)
{
    const struct oscillator *o = own;
    const double wide = 0.3 * size, hold = fmax(fmax(o->rest, o->stop), q[0]) + 0.8 * size;
    (void)t;
    part[0] = (struct carom_outline){CAROM_OUTLINE_SURFACE, {o->stop, 0.2 * size}, {o->stop, -0.2 * size}, 0.0};
    part[1] = (struct carom_outline){CAROM_OUTLINE_HOLD, {hold, 0.2 * size}, {hold, -0.2 * size}, 0.0};
    part[2] = (struct carom_outline){CAROM_OUTLINE_SPRING, {q[0] + wide, 0.0}, {hold, 0.0}, 0.15 * size};
    part[3] = (struct carom_outline){CAROM_OUTLINE_BAR, {q[0], 0.0}, {q[0] + wide, 0.0}, wide};
    return 4;
}

static const char *const coordinates[] = {"place of the mass", NULL};
static const char *const distances[] = {"mass and stop", NULL};

const struct carom_machine carom_machine_oscillator = {
    .kind = {"oscillator", "a mass on a spring, with a stop and a driving force", params, sizeof(struct oscillator)},
    .coordinates = coordinates,
    .distances = distances,
    .outline = outline,
    CAROM_MACHINE_SIGNAL(oscillator, force, "force", "N"),
    .mechanism = {.name = "oscillator",
                  .still = true,
                  .n = 1,
                  .ndistances = 1,
                  .constant_mass = true,
                  .velocity_terms = true,
                  CAROM_MACHINE_FUNCTIONS,
                  .power = power},
};
