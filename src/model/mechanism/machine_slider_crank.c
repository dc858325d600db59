/* Machine `slider-crank`: crank, rod and a slider in a straight guide that leaves it some clearance. q = angles of
 * crank, rod and slider against the guide, counterclockwise positive. The slider's four corners are the contacts, two
 * with the upper side of the guide and two with the lower. Rods are thin and even; the slider is a rectangle. */
#include "base/angle.h"
#include "model/mechanism/machine.h"

struct crank {
    double crank_length, rod_length, crank_mass, rod_mass, slider_mass;
    double slider_length, slider_height, clearance, gravity;
    struct carom_signal moment;
};

static const struct carom_param params[] = {
    CAROM_MACHINE_NUMBER(crank, crank_length, 0.153, CAROM_POSITIVE, "m", "from the shaft to the rod"),
    CAROM_MACHINE_NUMBER(crank, rod_length, 0.306, CAROM_POSITIVE, "m", "from the crank to the slider's centre"),
    CAROM_MACHINE_NUMBER(crank, crank_mass, 0.038, CAROM_POSITIVE, "kg", "spread evenly"),
    CAROM_MACHINE_NUMBER(crank, rod_mass, 0.038, CAROM_POSITIVE, "kg", "spread evenly"),
    CAROM_MACHINE_NUMBER(crank, slider_mass, 0.076, CAROM_POSITIVE, "kg", "spread evenly"),
    CAROM_MACHINE_NUMBER(crank, slider_length, 0.1, CAROM_POSITIVE, "m", "along the guide"),
    CAROM_MACHINE_NUMBER(crank, slider_height, 0.05, CAROM_POSITIVE, "m", "across the guide"),
    CAROM_MACHINE_NUMBER(crank, clearance, 0.001, 0, "m", "between slider and guide, on each side"),
    CAROM_MACHINE_NUMBER(crank, gravity, 9.81, 0, "m/s^2", "across the guide, downwards"),
    CAROM_PARAM_END,
};

/* mass that crank and rod carry at their joint, times both lengths */
static double coupling(const struct crank *c)
{
    return (0.5 * c->rod_mass + c->slider_mass) * c->crank_length * c->rod_length;
}

static void mass(const void *own, const double *q, double *m)
{
    const struct crank *c = own;
    for (int i = 0; i < 9; i++)
        m[i] = 0.0;
    m[0] = (c->crank_mass / 3.0 + c->rod_mass + c->slider_mass) * c->crank_length * c->crank_length;
    m[1] = m[3] = coupling(c) * carom_angle_cos(q[0] - q[1]);
    m[4] = (c->rod_mass / 3.0 + c->slider_mass) * c->rod_length * c->rod_length;
    m[8] = c->slider_mass * (c->slider_length * c->slider_length + c->slider_height * c->slider_height) / 12.0;
}

/* weights times lengths: what lifts with the crank and with the rod */
static void heavy(const struct crank *c, double w[2])
{
    w[0] = c->gravity * (0.5 * c->crank_mass + c->rod_mass + c->slider_mass) * c->crank_length;
    w[1] = c->gravity * (0.5 * c->rod_mass + c->slider_mass) * c->rod_length;
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct crank *c = own;
    const double swing = coupling(c) * carom_angle_sin(q[0] - q[1]);
    double w[2];
    heavy(c, w);
    f[0] = carom_signal_value(&c->moment, t) - swing * v[1] * v[1] - w[0] * carom_angle_cos(q[0]);
    f[1] = swing * v[0] * v[0] - w[1] * carom_angle_cos(q[1]);
    f[2] = 0.0;
}

/* corners 0, 1: upper side, toward the shaft and away from it; 2, 3: lower side */
static void corner(const struct crank *c, size_t i, double *up, double *along)
{
    *up = i < 2 ? 1.0 : -1.0;
    *along = i % 2 == 0 ? -0.5 * c->slider_length : 0.5 * c->slider_length;
}

static double distance(const void *own, size_t i, double t, const double *q)
{
    const struct crank *c = own;
    double up, along;
    (void)t;
    corner(c, i, &up, &along);
    const double rise =
        c->crank_length * carom_angle_sin(q[0]) + c->rod_length * carom_angle_sin(q[1]) + along * carom_angle_sin(q[2]);
    const double s = carom_angle_sin(0.5 * q[2]); /* half the height times 1 - cos, without loss of digits */
    return c->clearance + c->slider_height * s * s - up * rise;
}

static void slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    const struct crank *c = own;
    double up, along;
    (void)t;
    corner(c, i, &up, &along);
    slope[0] = -up * c->crank_length * carom_angle_cos(q[0]);
    slope[1] = -up * c->rod_length * carom_angle_cos(q[1]);
    slope[2] = 0.5 * c->slider_height * carom_angle_sin(q[2]) - up * along * carom_angle_cos(q[2]);
    *drift = 0.0;
}

/* along the guide, away from the shaft */
static double slip(const void *own, size_t i, double t, const double *q)
{
    const struct crank *c = own;
    double up, along;
    (void)t;
    corner(c, i, &up, &along);
    return c->crank_length * carom_angle_cos(q[0]) + c->rod_length * carom_angle_cos(q[1]) +
           along * carom_angle_cos(q[2]) - 0.5 * up * c->slider_height * carom_angle_sin(q[2]);
}

static void slip_slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    const struct crank *c = own;
    double up, along;
    (void)t;
    corner(c, i, &up, &along);
    slope[0] = -c->crank_length * carom_angle_sin(q[0]);
    slope[1] = -c->rod_length * carom_angle_sin(q[1]);
    slope[2] = -along * carom_angle_sin(q[2]) - 0.5 * up * c->slider_height * carom_angle_cos(q[2]);
    *drift = 0.0;
}

static double stored(const void *own, double t, const double *q)
{
    double w[2];
    (void)t;
    heavy(own, w);
    return w[0] * carom_angle_sin(q[0]) + w[1] * carom_angle_sin(q[1]);
}

static void power(const void *own, double t, const double *q, const double *v, double *dissipated, double *work)
{
    (void)q;
    *dissipated = 0.0;
    *work = carom_signal_value(&((const struct crank *)own)->moment, t) * v[0];
}

static enum carom_status check(const void *own, struct carom_error *error)
{
    const struct crank *c = own;
    if (c->rod_length > c->crank_length)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_INPUT, "rod_length: must be longer than the crank (%g), got %g",
                           c->crank_length, c->rod_length);
}

static size_t outline(const void *own, double t, const double *q, double size, struct carom_outline *part)
{
    const struct crank *c = own;
    const double a = c->crank_length, b = c->rod_length, half = 0.5 * c->slider_length;
    const double guide = 0.5 * c->slider_height + c->clearance, from = b - a - 1.4 * half, to = a + b + 1.4 * half;
    const double pin[2] = {a * carom_angle_cos(q[0]), a * carom_angle_sin(q[0])};
    const double x = pin[0] + b * carom_angle_cos(q[1]), y = pin[1] + b * carom_angle_sin(q[1]);
    const double dx = half * carom_angle_cos(q[2]), dy = half * carom_angle_sin(q[2]);
    (void)t, (void)size;
    part[0] = (struct carom_outline){CAROM_OUTLINE_SURFACE, {from, -guide}, {to, -guide}, 0.0};
    part[1] = (struct carom_outline){CAROM_OUTLINE_SURFACE, {to, guide}, {from, guide}, 0.0};
    part[2] = (struct carom_outline){CAROM_OUTLINE_BAR, {x - dx, y - dy}, {x + dx, y + dy}, c->slider_height};
    part[3] = (struct carom_outline){CAROM_OUTLINE_BAR, {0.0, 0.0}, {pin[0], pin[1]}, 0.0};
    part[4] = (struct carom_outline){CAROM_OUTLINE_BAR, {pin[0], pin[1]}, {x, y}, 0.0};
    part[5] = (struct carom_outline){CAROM_OUTLINE_HOLD, {-0.2 * a, 0.0}, {0.2 * a, 0.0}, 0.0};
    return 6;
}

static const char *const coordinates[] = {"angle of the crank", "angle of the rod", "angle of the slider", NULL};
static const char *const distances[] = {"upper corner near the shaft", "upper corner away from it",
                                        "lower corner near the shaft", "lower corner away from it", NULL};

const struct carom_machine carom_machine_slider_crank = {
    .kind = {"slider-crank", "crank, rod, and a slider with clearance in its guide", params, sizeof(struct crank)},
    .coordinates = coordinates,
    .distances = distances,
    .outline = outline,
    CAROM_MACHINE_SIGNAL(crank, moment, "moment", "N m"),
    .check = check,
    .mechanism = {.name = "slider-crank",
                  .still = true,
                  .n = 3,
                  .ndistances = 4,
                  .velocity_terms = true,
                  CAROM_MACHINE_FUNCTIONS,
                  CAROM_MACHINE_SLIPS,
                  .power = power},
};
