/* Machine `pendulum`: a bob on a rod that hits a wall, q = angle from the vertical, to the right positive. The wall
 * stands at a distance to the right of the hinge: wall - length sin(angle) >= 0. A moment may drive the hinge. */
#include "base/angle.h"
#include "model/mechanism/machine.h"

struct pendulum {
    double mass, length, gravity, damping, wall;
    struct carom_signal moment;
};

static const struct carom_param params[] = {
    CAROM_MACHINE_NUMBER(pendulum, mass, 1, CAROM_POSITIVE, "kg", "of the bob"),
    CAROM_MACHINE_NUMBER(pendulum, length, 1, CAROM_POSITIVE, "m", "of the rod, which has no mass"),
    CAROM_MACHINE_NUMBER(pendulum, gravity, 9.81, 0, "m/s^2", "downwards"),
    CAROM_MACHINE_NUMBER(pendulum, damping, 0, 0, "N m s", "moment of the hinge per angular velocity"),
    CAROM_MACHINE_NUMBER(pendulum, wall, 0, -HUGE_VAL, "m", "where the wall stands, to the right of the hinge"),
    CAROM_PARAM_END,
};

static void mass(const void *own, const double *q, double *m)
{
    const struct pendulum *p = own;
    (void)q;
    m[0] = p->mass * p->length * p->length;
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct pendulum *p = own;
    f[0] = carom_signal_value(&p->moment, t) - p->mass * p->gravity * p->length * carom_angle_sin(q[0]) -
           p->damping * v[0];
}

static double distance(const void *own, size_t i, double t, const double *q)
{
    const struct pendulum *p = own;
    (void)i, (void)t;
    return p->wall - p->length * carom_angle_sin(q[0]);
}

static void slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    (void)i, (void)t;
    slope[0] = -((const struct pendulum *)own)->length * carom_angle_cos(q[0]);
    *drift = 0.0;
}

static double stored(const void *own, double t, const double *q)
{
    const struct pendulum *p = own;
    (void)t;
    return p->mass * p->gravity * p->length * (1.0 - carom_angle_cos(q[0]));
}

static void power(const void *own, double t, const double *q, const double *v, double *dissipated, double *work)
{
    const struct pendulum *p = own;
    (void)q;
    *dissipated = p->damping * v[0] * v[0];
    *work = carom_signal_value(&p->moment, t) * v[0];
}

static enum carom_status check(const void *own, struct carom_error *error)
{
    const struct pendulum *p = own;
    if (fabs(p->wall) < p->length)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_INPUT, "wall: must be nearer than the length %g of the pendulum, got %g",
                           p->length, p->wall);
}

static size_t outline(const void *own, double t, const double *q, double size, struct carom_outline *part)
{
    const struct pendulum *p = own;
    const double l = p->length, x = l * carom_angle_sin(q[0]), y = -l * carom_angle_cos(q[0]), r = 0.07 * l;
    (void)t, (void)size;
    part[0] = (struct carom_outline){CAROM_OUTLINE_SURFACE, {p->wall + r, -1.1 * l}, {p->wall + r, -0.35 * l}, 0.0};
    part[1] = (struct carom_outline){CAROM_OUTLINE_HOLD, {-0.15 * l, 0.0}, {0.15 * l, 0.0}, 0.0};
    part[2] = (struct carom_outline){CAROM_OUTLINE_BAR, {0.0, 0.0}, {x, y}, 0.0};
    part[3] = (struct carom_outline){CAROM_OUTLINE_DISC, {x, y}, {0.0, 0.0}, 2.0 * r};
    return 4;
}

static const char *const coordinates[] = {"angle from the vertical, to the right positive", NULL};
static const char *const distances[] = {"bob and wall", NULL};

const struct carom_machine carom_machine_pendulum = {
    .kind = {"pendulum", "a pendulum that hits a wall", params, sizeof(struct pendulum)},
    .coordinates = coordinates,
    .distances = distances,
    .outline = outline,
    CAROM_MACHINE_SIGNAL(pendulum, moment, "moment", "N m"),
    .check = check,
    .mechanism = {.name = "pendulum",
                  .still = true,
                  .n = 1,
                  .ndistances = 1,
                  .constant_mass = true,
                  .velocity_terms = true,
                  CAROM_MACHINE_FUNCTIONS,
                  .power = power},
};
