/* Machine `disc`: a disc, ball or ring on a floor that may slope; it bounces, slides and rolls. q = place along the
 * floor, up the slope positive, lift, and turn, positive as it rolls up: without slip place = radius x turn. `inertia`
 * is its moment of inertia over mass x radius^2. A disc thrown with speed v without spin ends rolling with
 * v / (1 + inertia): 2/3 for a disc, 5/7 for a ball. */
#include "base/angle.h"
#include "model/mechanism/machine.h"

struct disc {
    double mass, radius, inertia, gravity, slope;
};

static const struct carom_param params[] = {
    CAROM_MACHINE_NUMBER(disc, mass, 1, CAROM_POSITIVE, "kg", "mass"),
    CAROM_MACHINE_NUMBER(disc, radius, 1, CAROM_POSITIVE, "m", "radius"),
    CAROM_ROW_REAL(disc, inertia, 0.5, CAROM_POSITIVE, 1, "1",
                   "moment of inertia over mass radius^2: 1/2 disc, 2/5 ball, 1 ring"),
    CAROM_MACHINE_NUMBER(disc, gravity, 9.81, 0, "m/s^2", "downwards"),
    CAROM_ROW_REAL(disc, slope, 0, -1.570796, 1.570796, "1", "angle of the floor, rising where place is positive"),
    CAROM_PARAM_END,
};

static void mass(const void *own, const double *q, double *m)
{
    const struct disc *d = own;
    (void)q;
    for (int i = 0; i < 9; i++)
        m[i] = 0.0;
    m[0] = m[4] = d->mass;
    m[8] = d->inertia * d->mass * d->radius * d->radius;
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct disc *d = own;
    (void)t, (void)q, (void)v;
    f[0] = -d->mass * d->gravity * carom_angle_sin(d->slope);
    f[1] = -d->mass * d->gravity * carom_angle_cos(d->slope);
    f[2] = 0.0;
}

static double distance(const void *own, size_t i, double t, const double *q)
{
    (void)own, (void)i, (void)t;
    return q[1];
}

static void slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    (void)own, (void)i, (void)t, (void)q;
    slope[0] = slope[2] = *drift = 0.0;
    slope[1] = 1.0;
}

static double slip(const void *own, size_t i, double t, const double *q)
{
    (void)i, (void)t;
    return q[0] - ((const struct disc *)own)->radius * q[2];
}

static void slip_slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    (void)i, (void)t, (void)q;
    slope[0] = 1.0;
    slope[1] = *drift = 0.0;
    slope[2] = -((const struct disc *)own)->radius;
}

static double stored(const void *own, double t, const double *q)
{
    const struct disc *d = own;
    (void)t;
    return d->mass * d->gravity * (q[0] * carom_angle_sin(d->slope) + q[1] * carom_angle_cos(d->slope));
}

/* a rod from its centre to the rim turns with it */
static size_t outline(const void *own, double t, const double *q, double size, struct carom_outline *part)
{
    const struct disc *d = own;
    const double r = d->radius, x = q[0], y = q[1] + r;
    const double rim[2] = {x + r * carom_angle_sin(q[2]), y + r * carom_angle_cos(q[2])};
    (void)t, (void)size;
    part[0] = (struct carom_outline){CAROM_OUTLINE_SURFACE, {x - 3.0 * r, 0.0}, {x + 3.0 * r, 0.0}, 0.0};
    part[1] = (struct carom_outline){CAROM_OUTLINE_DISC, {x, y}, {0.0, 0.0}, 2.0 * r};
    part[2] = (struct carom_outline){CAROM_OUTLINE_BAR, {x, y}, {rim[0], rim[1]}, 0.0};
    return carom_outline_slope(part, 3, d->slope);
}

static const char *const coordinates[] = {"place along the floor", "lift above it", "turn, as it rolls up", NULL};
static const char *const distances[] = {"disc and floor", NULL};

const struct carom_machine carom_machine_disc = {
    .kind = {"disc", "a disc, ball or ring that bounces, slides and rolls on a floor that may slope", params,
             sizeof(struct disc)},
    .coordinates = coordinates,
    .distances = distances,
    .outline = outline,
    .mechanism =
        {.name = "disc", .n = 3, .ndistances = 1, .constant_mass = true, CAROM_MACHINE_FUNCTIONS, CAROM_MACHINE_SLIPS},
};
