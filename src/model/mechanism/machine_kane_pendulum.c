/* Machine `kane-pendulum`: two even rods, one hung from the other, over a rough floor that the free end strikes. q =
 * both angles from the vertical. Kane and Levinson 1985 showed with it that Newton's restitution together with
 * Coulomb's friction may create energy in an impact; the ledger shows when it does. */
#include "base/angle.h"
#include "model/mechanism/machine.h"

struct pendulum {
    double mass, length, height, gravity;
};

static const struct carom_param params[] = {
    CAROM_MACHINE_NUMBER(pendulum, mass, 1, CAROM_POSITIVE, "kg", "of each rod, spread evenly"),
    CAROM_MACHINE_NUMBER(pendulum, length, 1, CAROM_POSITIVE, "m", "of each rod"),
    CAROM_MACHINE_NUMBER(pendulum, height, 1.5, CAROM_POSITIVE, "m", "of the hinge above the floor"),
    CAROM_MACHINE_NUMBER(pendulum, gravity, 9.81, 0, "m/s^2", "downwards"),
    CAROM_PARAM_END,
};

static void mass(const void *own, const double *q, double *m)
{
    const struct pendulum *p = own;
    const double unit = p->mass * p->length * p->length;
    m[0] = 4.0 / 3.0 * unit;
    m[1] = m[2] = 0.5 * unit * carom_angle_cos(q[0] - q[1]);
    m[3] = unit / 3.0;
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct pendulum *p = own;
    const double swing = 0.5 * p->mass * p->length * p->length * carom_angle_sin(q[0] - q[1]);
    const double heavy = 0.5 * p->mass * p->gravity * p->length;
    (void)t;
    f[0] = -swing * v[1] * v[1] - 3.0 * heavy * carom_angle_sin(q[0]);
    f[1] = swing * v[0] * v[0] - heavy * carom_angle_sin(q[1]);
}

static double distance(const void *own, size_t i, double t, const double *q)
{
    const struct pendulum *p = own;
    (void)i, (void)t;
    return p->height - p->length * (carom_angle_cos(q[0]) + carom_angle_cos(q[1]));
}

static void slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    const struct pendulum *p = own;
    (void)i, (void)t;
    slope[0] = p->length * carom_angle_sin(q[0]);
    slope[1] = p->length * carom_angle_sin(q[1]);
    *drift = 0.0;
}

static double slip(const void *own, size_t i, double t, const double *q)
{
    (void)i, (void)t;
    return ((const struct pendulum *)own)->length * (carom_angle_sin(q[0]) + carom_angle_sin(q[1]));
}

static void slip_slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    const struct pendulum *p = own;
    (void)i, (void)t;
    slope[0] = p->length * carom_angle_cos(q[0]);
    slope[1] = p->length * carom_angle_cos(q[1]);
    *drift = 0.0;
}

static double stored(const void *own, double t, const double *q)
{
    const struct pendulum *p = own;
    (void)t;
    return -0.5 * p->mass * p->gravity * p->length * (3.0 * carom_angle_cos(q[0]) + carom_angle_cos(q[1]));
}

static size_t outline(const void *own, double t, const double *q, double size, struct carom_outline *part)
{
    const struct pendulum *p = own;
    const double l = p->length, x = l * carom_angle_sin(q[0]), y = -l * carom_angle_cos(q[0]);
    const double end[2] = {x + l * carom_angle_sin(q[1]), y - l * carom_angle_cos(q[1])};
    (void)t, (void)size;
    part[0] = (struct carom_outline){CAROM_OUTLINE_SURFACE, {-2.0 * l, -p->height}, {2.0 * l, -p->height}, 0.0};
    part[1] = (struct carom_outline){CAROM_OUTLINE_HOLD, {-0.2 * l, 0.0}, {0.2 * l, 0.0}, 0.0};
    part[2] = (struct carom_outline){CAROM_OUTLINE_BAR, {0.0, 0.0}, {x, y}, 0.0};
    part[3] = (struct carom_outline){CAROM_OUTLINE_BAR, {x, y}, {end[0], end[1]}, 0.0};
    return 4;
}

static const char *const coordinates[] = {"angle of the upper rod from the vertical",
                                          "angle of the lower rod from the vertical", NULL};
static const char *const distances[] = {"free end and floor", NULL};

const struct carom_machine carom_machine_kane_pendulum = {
    .kind = {"kane-pendulum", "two hanging rods whose free end strikes a rough floor", params, sizeof(struct pendulum)},
    .coordinates = coordinates,
    .distances = distances,
    .outline = outline,
    .mechanism = {.name = "kane-pendulum",
                  .n = 2,
                  .ndistances = 1,
                  .velocity_terms = true,
                  CAROM_MACHINE_FUNCTIONS,
                  CAROM_MACHINE_SLIPS},
};
