/* Machine `double-pendulum`: two bobs on two rods, q = both angles from the vertical, to the right positive; the lower
 * bob has a wall to its right, and the knee a stop: it bends to the right by at most `knee`. */
#include "base/angle.h"
#include "model/mechanism/machine.h"

struct pair {
    double upper_mass, lower_mass, upper_length, lower_length, gravity, wall, knee;
};

static const struct carom_param params[] = {
    CAROM_MACHINE_NUMBER(pair, upper_mass, 1, CAROM_POSITIVE, "kg", "of the bob at the knee"),
    CAROM_MACHINE_NUMBER(pair, lower_mass, 1, CAROM_POSITIVE, "kg", "of the bob at the end"),
    CAROM_MACHINE_NUMBER(pair, upper_length, 1, CAROM_POSITIVE, "m", "from the hinge to the knee"),
    CAROM_MACHINE_NUMBER(pair, lower_length, 1, CAROM_POSITIVE, "m", "from the knee to the end"),
    CAROM_MACHINE_NUMBER(pair, gravity, 9.81, 0, "m/s^2", "downwards"),
    CAROM_MACHINE_NUMBER(pair, wall, 1e6, -HUGE_VAL, "m",
                         "where the wall stands, to the right of the hinge; far away unless given"),
    CAROM_MACHINE_NUMBER(pair, knee, 1e6, -HUGE_VAL, "1",
                         "largest angle of the lower rod beyond the upper one; none unless given"),
    CAROM_PARAM_END,
};

static void mass(const void *own, const double *q, double *m)
{
    const struct pair *p = own;
    m[0] = (p->upper_mass + p->lower_mass) * p->upper_length * p->upper_length;
    m[1] = m[2] = p->lower_mass * p->upper_length * p->lower_length * carom_angle_cos(q[0] - q[1]);
    m[3] = p->lower_mass * p->lower_length * p->lower_length;
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct pair *p = own;
    const double swing = p->lower_mass * p->upper_length * p->lower_length * carom_angle_sin(q[0] - q[1]);
    (void)t;
    f[0] =
        -swing * v[1] * v[1] - (p->upper_mass + p->lower_mass) * p->gravity * p->upper_length * carom_angle_sin(q[0]);
    f[1] = swing * v[0] * v[0] - p->lower_mass * p->gravity * p->lower_length * carom_angle_sin(q[1]);
}

static double distance(const void *own, size_t i, double t, const double *q)
{
    const struct pair *p = own;
    (void)t;
    if (i == 0)
        return p->wall - p->upper_length * carom_angle_sin(q[0]) - p->lower_length * carom_angle_sin(q[1]);
    return p->knee - (q[1] - q[0]);
}

static void slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    const struct pair *p = own;
    (void)t;
    slope[0] = i == 0 ? -p->upper_length * carom_angle_cos(q[0]) : 1.0;
    slope[1] = i == 0 ? -p->lower_length * carom_angle_cos(q[1]) : -1.0;
    *drift = 0.0;
}

static double stored(const void *own, double t, const double *q)
{
    const struct pair *p = own;
    (void)t;
    return p->gravity * ((p->upper_mass + p->lower_mass) * p->upper_length * (1.0 - carom_angle_cos(q[0])) +
                         p->lower_mass * p->lower_length * (1.0 - carom_angle_cos(q[1])));
}

/* a wall far away is not seen */
static size_t outline(const void *own, double t, const double *q, double size, struct carom_outline *part)
{
    const struct pair *p = own;
    const double l = p->upper_length + p->lower_length, r = 0.04 * l, wall = p->wall + r;
    const double x = p->upper_length * carom_angle_sin(q[0]), y = -p->upper_length * carom_angle_cos(q[0]);
    const double end[2] = {x + p->lower_length * carom_angle_sin(q[1]), y - p->lower_length * carom_angle_cos(q[1])};
    (void)t, (void)size;
    part[0] = (struct carom_outline){CAROM_OUTLINE_HOLD, {-0.1 * l, 0.0}, {0.1 * l, 0.0}, 0.0};
    part[1] = (struct carom_outline){CAROM_OUTLINE_BAR, {0.0, 0.0}, {x, y}, 0.0};
    part[2] = (struct carom_outline){CAROM_OUTLINE_BAR, {x, y}, {end[0], end[1]}, 0.0};
    part[3] = (struct carom_outline){CAROM_OUTLINE_DISC, {x, y}, {0.0, 0.0}, 2.0 * r};
    part[4] = (struct carom_outline){CAROM_OUTLINE_DISC, {end[0], end[1]}, {0.0, 0.0}, 2.0 * r};
    part[5] = (struct carom_outline){CAROM_OUTLINE_SURFACE, {wall, -1.05 * l}, {wall, 0.1 * l}, 0.0};
    return p->wall < 3.0 * l ? 6 : 5;
}

static const char *const coordinates[] = {"angle of the upper rod from the vertical, to the right positive",
                                          "angle of the lower rod from the vertical, to the right positive", NULL};
static const char *const distances[] = {"lower bob and wall", "stop of the knee", NULL};

const struct carom_machine carom_machine_double_pendulum = {
    .kind = {"double-pendulum", "two pendulums in a row, with a wall and a stop of the knee", params,
             sizeof(struct pair)},
    .coordinates = coordinates,
    .distances = distances,
    .outline = outline,
    .mechanism = {.name = "double-pendulum", .n = 2, .ndistances = 2, .velocity_terms = true, CAROM_MACHINE_FUNCTIONS},
};
