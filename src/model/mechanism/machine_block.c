/* Machine `block`: a block that does not tilt, on a surface that may be a slope and may run like a belt. q = its place
 * along the surface, up the slope positive, and its lift. A spring and a damper may hold it to a fixed point. With
 * friction and mu_static > mu a block on a belt sticks and slips in turn. */
#include "base/angle.h"
#include "model/mechanism/machine.h"

struct block {
    double mass, gravity, slope, stiffness, rest, damping;
    struct carom_signal belt;
};

static const struct carom_param params[] = {
    CAROM_MACHINE_NUMBER(block, mass, 1, CAROM_POSITIVE, "kg", "mass"),
    CAROM_MACHINE_NUMBER(block, gravity, 9.81, 0, "m/s^2", "downwards"),
    CAROM_ROW_REAL(block, slope, 0, -1.570796, 1.570796, "1", "angle of the surface, rising where place is positive"),
    CAROM_MACHINE_NUMBER(block, stiffness, 0, 0, "N/m", "of the spring along the surface"),
    CAROM_MACHINE_NUMBER(block, rest, 0, -HUGE_VAL, "m", "place at which the spring is at rest"),
    CAROM_MACHINE_NUMBER(block, damping, 0, 0, "N s/m", "of the damper beside the spring"),
    CAROM_PARAM_END,
};

static void mass(const void *own, const double *q, double *m)
{
    (void)q;
    m[0] = m[3] = ((const struct block *)own)->mass;
    m[1] = m[2] = 0.0;
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct block *b = own;
    (void)t;
    f[0] = -b->mass * b->gravity * carom_angle_sin(b->slope) - b->stiffness * (q[0] - b->rest) - b->damping * v[0];
    f[1] = -b->mass * b->gravity * carom_angle_cos(b->slope);
}

static double distance(const void *own, size_t i, double t, const double *q)
{
    (void)own, (void)i, (void)t;
    return q[1];
}

static void slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    (void)own, (void)i, (void)t, (void)q;
    slope[0] = *drift = 0.0;
    slope[1] = 1.0;
}

/* the belt tells its speed, so only how fast the block slips is known */
static void slip_slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    (void)i, (void)q;
    slope[0] = 1.0;
    slope[1] = 0.0;
    *drift = -carom_signal_value(&((const struct block *)own)->belt, t);
}

static double stored(const void *own, double t, const double *q)
{
    const struct block *b = own;
    const double stretch = q[0] - b->rest;
    (void)t;
    return b->mass * b->gravity * (q[0] * carom_angle_sin(b->slope) + q[1] * carom_angle_cos(b->slope)) +
           0.5 * b->stiffness * stretch * stretch;
}

static void power(const void *own, double t, const double *q, const double *v, double *dissipated, double *work)
{
    (void)t, (void)q;
    *dissipated = ((const struct block *)own)->damping * v[0] * v[0];
    *work = 0.0;
}

static size_t outline(const void *own, double t, const double *q, double size, struct carom_outline *part)
{
    const struct block *b = own;
    const double s = 0.08 * size, hold = fmin(b->rest, q[0]) - 0.6 * size, middle = q[1] + 0.8 * s;
    const bool held = b->stiffness > 0.0 || b->damping > 0.0;
    (void)t;
    part[0] = (struct carom_outline){CAROM_OUTLINE_SURFACE, {hold, 0.0}, {q[0] + 0.6 * size, 0.0}, 0.0};
    part[1] = carom_outline_block(q[0], middle, 0.0, 2.6 * s, 1.6 * s);
    part[2] = (struct carom_outline){CAROM_OUTLINE_HOLD, {hold, 2.0 * s}, {hold, 0.0}, 0.0};
    part[3] = (struct carom_outline){CAROM_OUTLINE_SPRING, {hold, middle}, {q[0] - 1.3 * s, middle}, s};
    return carom_outline_slope(part, held ? 4 : 2, b->slope);
}

static const char *const coordinates[] = {"place along the surface", "lift above it", NULL};
static const char *const distances[] = {"block and surface", NULL};

const struct carom_machine carom_machine_block = {
    .kind = {"block", "a block on a surface that may slope or run like a belt, held by a spring or not", params,
             sizeof(struct block)},
    .coordinates = coordinates,
    .distances = distances,
    .outline = outline,
    CAROM_MACHINE_SIGNAL(block, belt, "belt", "m/s"),
    .mechanism = {.name = "block",
                  .still = true,
                  .n = 2,
                  .ndistances = 1,
                  .constant_mass = true,
                  CAROM_MACHINE_FUNCTIONS,
                  .slip_slope = slip_slope,
                  .power = power},
};
