/* Machine `sliding-block`: a rectangular block on a base that may shake; it can rock, slide and jump. q = place
 * of its centre along the base, lift of the centre, tilt, to the right (clockwise) positive; all seen from the base.
 * Both feet are contacts with friction. (`rocking-block` is the same with feet that do not slip.) */
#include "base/angle.h"
#include "model/mechanism/machine.h"

struct block {
    double mass, width, height, gravity;
    struct carom_signal base;
};

static const struct carom_param params[] = {
    CAROM_MACHINE_NUMBER(block, mass, 1, CAROM_POSITIVE, "kg", "mass, spread evenly"),
    CAROM_MACHINE_NUMBER(block, width, 1, CAROM_POSITIVE, "m", "from foot to foot"),
    CAROM_MACHINE_NUMBER(block, height, 4, CAROM_POSITIVE, "m", "from the base to the top"),
    CAROM_MACHINE_NUMBER(block, gravity, 9.81, 0, "m/s^2", "downwards"),
    CAROM_PARAM_END,
};

static void mass(const void *own, const double *q, double *m)
{
    const struct block *b = own;
    (void)q;
    for (int i = 0; i < 9; i++)
        m[i] = 0.0;
    m[0] = m[4] = b->mass;
    m[8] = b->mass * (b->width * b->width + b->height * b->height) / 12.0;
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct block *b = own;
    (void)q, (void)v;
    f[0] = -b->mass * carom_signal_value(&b->base, t);
    f[1] = -b->mass * b->gravity;
    f[2] = 0.0;
}

/* foot 0 is the left one */
static double half(const struct block *b, size_t i)
{
    return i == 0 ? 0.5 * b->width : -0.5 * b->width;
}

static double distance(const void *own, size_t i, double t, const double *q)
{
    const struct block *b = own;
    const double s = carom_angle_sin(0.5 * q[2]); /* h (1 - cos) without loss of digits */
    (void)t;
    return q[1] + half(b, i) * carom_angle_sin(q[2]) + b->height * s * s;
}

static void slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    const struct block *b = own;
    (void)t;
    slope[0] = *drift = 0.0;
    slope[1] = 1.0;
    slope[2] = half(b, i) * carom_angle_cos(q[2]) + 0.5 * b->height * carom_angle_sin(q[2]);
}

static double slip(const void *own, size_t i, double t, const double *q)
{
    const struct block *b = own;
    const double s = carom_angle_sin(0.5 * q[2]);
    (void)t;
    return q[0] + 2.0 * half(b, i) * s * s -
           0.5 * b->height * carom_angle_sin(q[2]); /* from where the foot stands at rest */
}

static void slip_slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    const struct block *b = own;
    (void)t;
    slope[0] = 1.0;
    slope[1] = *drift = 0.0;
    slope[2] = half(b, i) * carom_angle_sin(q[2]) - 0.5 * b->height * carom_angle_cos(q[2]);
}

static double stored(const void *own, double t, const double *q)
{
    const struct block *b = own;
    (void)t;
    return b->mass * b->gravity * q[1];
}

static void power(const void *own, double t, const double *q, const double *v, double *dissipated, double *work)
{
    const struct block *b = own;
    (void)q;
    *dissipated = 0.0;
    *work = -b->mass * carom_signal_value(&b->base, t) * v[0];
}

/* onto its lower foot */
static void settle(const void *own, double *q)
{
    carom_machine_stand(own, distance, q, 1);
}

static size_t outline(const void *own, double t, const double *q, double size, struct carom_outline *part)
{
    const struct block *b = own;
    const double wide = 0.5 * b->width + b->height;
    (void)t, (void)size;
    part[0] = (struct carom_outline){CAROM_OUTLINE_SURFACE, {q[0] - wide, 0.0}, {q[0] + wide, 0.0}, 0.0};
    part[1] = carom_outline_block(q[0], 0.5 * b->height + q[1], q[2], b->width, b->height);
    return 2;
}

static const char *const coordinates[] = {"place of the centre along the base",
                                          "lift of the centre above its place at rest",
                                          "tilt, to the right (clockwise) positive", NULL};
static const char *const distances[] = {"left foot and base", "right foot and base", NULL};

const struct carom_machine carom_machine_sliding_block = {
    .kind = {"sliding-block", "a block that rocks and slides on a base that may shake", params, sizeof(struct block)},
    .coordinates = coordinates,
    .distances = distances,
    .outline = outline,
    CAROM_MACHINE_SIGNAL(block, base, "base_acceleration", "m/s^2"),
    .settle = settle,
    .mechanism = {.name = "sliding-block",
                  .still = true,
                  .n = 3,
                  .ndistances = 2,
                  .constant_mass = true,
                  CAROM_MACHINE_FUNCTIONS,
                  CAROM_MACHINE_SLIPS,
                  .power = power},
};
