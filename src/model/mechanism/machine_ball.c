/* Machine `ball`: a ball bouncing on a floor, q = height above it. The floor may move: the distance is then height less
 * the floor's. Problem B of the academic problems is mass 1, gravity 10, height 1. */
#include "model/mechanism/machine.h"

struct ball {
    double mass, gravity;
    struct carom_signal floor;
};

static const struct carom_param params[] = {
    CAROM_MACHINE_NUMBER(ball, mass, 1, CAROM_POSITIVE, "kg", "mass"),
    CAROM_MACHINE_NUMBER(ball, gravity, 9.81, 0, "m/s^2", "downwards"),
    CAROM_PARAM_END,
};

static void mass(const void *own, const double *q, double *m)
{
    (void)q;
    m[0] = ((const struct ball *)own)->mass;
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct ball *b = own;
    (void)t, (void)q, (void)v;
    f[0] = -b->mass * b->gravity;
}

static double distance(const void *own, size_t i, double t, const double *q)
{
    const struct ball *b = own;
    (void)i;
    return q[0] - carom_signal_value(&b->floor, t);
}

static void slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    const struct ball *b = own;
    (void)i, (void)q;
    slope[0] = 1.0;
    *drift = -carom_signal_rate(&b->floor, t);
}

static double stored(const void *own, double t, const double *q)
{
    const struct ball *b = own;
    (void)t;
    return b->mass * b->gravity * q[0];
}

static size_t outline(const void *own, double t, const double *q, double size, struct carom_outline *part)
{
    const struct ball *b = own;
    const double r = 0.08 * size, floor = carom_signal_value(&b->floor, t);
    part[0] = (struct carom_outline){CAROM_OUTLINE_SURFACE, {-0.5 * size, floor}, {0.5 * size, floor}, 0.0};
    part[1] = (struct carom_outline){CAROM_OUTLINE_DISC, {0.0, q[0] + r}, {0.0, 0.0}, 2.0 * r};
    return 2;
}

static const char *const coordinates[] = {"height above the floor", NULL};
static const char *const distances[] = {"ball and floor", NULL};

const struct carom_machine carom_machine_ball = {
    .kind = {"ball", "a ball bouncing on a floor that may move", params, sizeof(struct ball)},
    .coordinates = coordinates,
    .distances = distances,
    .outline = outline,
    CAROM_MACHINE_SIGNAL(ball, floor, "floor", "m"),
    .mechanism = {.name = "ball",
                  .n = 1,
                  .ndistances = 1,
                  .constant_mass = true,
                  .velocity_terms = true,
                  CAROM_MACHINE_FUNCTIONS},
};
