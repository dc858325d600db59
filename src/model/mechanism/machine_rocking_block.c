/* Machine `rocking-block`: a rectangular block on a base that may shake sideways. q = lift of its centre, and its
 * tilt, to the right (clockwise) positive. Its feet do not slip: the centre stands at X(tilt) = h sin + |..| b (1 -
 * cos), as if it turned about the foot on the side it leans to. Both feet are contacts; with e = 0 and impact moreau
 * each change of foot keeps the spin about the new foot, which takes the tilt's rate down by 1 - 3/2 sin^2(alpha),
 * tan(alpha) = b/h (Housner). */
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

/* where the centre stands and how that depends on the tilt; `bend` is the right limit at 0 */
static void centre(const struct block *b, double tilt, double *slope, double *bend)
{
    const double half = 0.5 * b->width, side = tilt < 0.0 ? -1.0 : 1.0;
    *slope = 0.5 * b->height * carom_angle_cos(tilt) + side * half * carom_angle_sin(tilt);
    *bend = -0.5 * b->height * carom_angle_sin(tilt) + side * half * carom_angle_cos(tilt);
}

static void mass(const void *own, const double *q, double *m)
{
    const struct block *b = own;
    double slope, bend;
    centre(b, q[1], &slope, &bend);
    m[0] = b->mass;
    m[1] = m[2] = 0.0;
    m[3] = b->mass * ((b->width * b->width + b->height * b->height) / 12.0 + slope * slope);
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct block *b = own;
    double slope, bend;
    centre(b, q[1], &slope, &bend);
    f[0] = -b->mass * b->gravity;
    f[1] = -b->mass * slope * (bend * v[1] * v[1] + carom_signal_value(&b->base, t));
}

/* the centre goes round the other foot */
static double jump(const void *own, const double *q)
{
    (void)own;
    return q[1];
}

/* foot 0 is the left one */
static double distance(const void *own, size_t i, double t, const double *q)
{
    const struct block *b = own;
    const double half = i == 0 ? 0.5 * b->width : -0.5 * b->width;
    (void)t;
    const double s = carom_angle_sin(0.5 * q[1]); /* h (1 - cos) without loss of digits */
    return q[0] + half * carom_angle_sin(q[1]) + b->height * s * s;
}

static void slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    const struct block *b = own;
    const double half = i == 0 ? 0.5 * b->width : -0.5 * b->width;
    (void)t;
    slope[0] = 1.0;
    slope[1] = half * carom_angle_cos(q[1]) + 0.5 * b->height * carom_angle_sin(q[1]);
    *drift = 0.0;
}

static double stored(const void *own, double t, const double *q)
{
    const struct block *b = own;
    (void)t;
    return b->mass * b->gravity * q[0];
}

static void power(const void *own, double t, const double *q, const double *v, double *dissipated, double *work)
{
    const struct block *b = own;
    double slope, bend;
    centre(b, q[1], &slope, &bend);
    *dissipated = 0.0;
    *work = -b->mass * slope * carom_signal_value(&b->base, t) * v[1];
}

/* onto its lower foot */
static void settle(const void *own, double *q)
{
    carom_machine_stand(own, distance, q, 0);
}

/* feet do not slip, so the centre moves to the side */
static size_t outline(const void *own, double t, const double *q, double size, struct carom_outline *part)
{
    const struct block *b = own;
    const double s = carom_angle_sin(0.5 * q[1]), side = q[1] < 0.0 ? -1.0 : 1.0, wide = 0.5 * b->width + b->height;
    const double x = 0.5 * b->height * carom_angle_sin(q[1]) + side * b->width * s * s;
    (void)t, (void)size;
    part[0] = (struct carom_outline){CAROM_OUTLINE_SURFACE, {-wide, 0.0}, {wide, 0.0}, 0.0};
    part[1] = carom_outline_block(x, 0.5 * b->height + q[0], q[1], b->width, b->height);
    return 2;
}

static const char *const coordinates[] = {"lift of the centre above its place at rest",
                                          "tilt, to the right (clockwise) positive", NULL};
static const char *const distances[] = {"left foot and base", "right foot and base", NULL};

const struct carom_machine carom_machine_rocking_block = {
    .kind = {"rocking-block", "a block rocking on its two feet, on a base that may shake", params,
             sizeof(struct block)},
    .coordinates = coordinates,
    .distances = distances,
    .outline = outline,
    CAROM_MACHINE_SIGNAL(block, base, "base_acceleration", "m/s^2"),
    .settle = settle,
    .mechanism = {.name = "rocking-block",
                  .still = true,
                  .n = 2,
                  .ndistances = 2,
                  .velocity_terms = true,
                  CAROM_MACHINE_FUNCTIONS,
                  .power = power,
                  .jump = jump},
};
