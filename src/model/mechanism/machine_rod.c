/* Machine `rod`: a thin even rod over a floor. q = place of its centre, height of its centre above where it is when the
 * rod lies flat, and angle from the floor, the right end up positive. Both ends are contacts with friction. Sliding
 * on one end with its weight behind it (to the left on the left end), a rod has no force that obeys Coulomb's law
 * once mu > (1 + 3 cos^2) / (3 sin cos) of the angle, at the least 4/3: Painleve's paradox. */
#include "base/angle.h"
#include "model/mechanism/machine.h"

struct rod {
    double mass, length, gravity;
};

static const struct carom_param params[] = {
    CAROM_MACHINE_NUMBER(rod, mass, 1, CAROM_POSITIVE, "kg", "mass, spread evenly"),
    CAROM_MACHINE_NUMBER(rod, length, 1, CAROM_POSITIVE, "m", "from end to end"),
    CAROM_MACHINE_NUMBER(rod, gravity, 9.81, 0, "m/s^2", "downwards"),
    CAROM_PARAM_END,
};

static void mass(const void *own, const double *q, double *m)
{
    const struct rod *r = own;
    (void)q;
    for (int i = 0; i < 9; i++)
        m[i] = 0.0;
    m[0] = m[4] = r->mass;
    m[8] = r->mass * r->length * r->length / 12.0;
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct rod *r = own;
    (void)t, (void)q, (void)v;
    f[0] = f[2] = 0.0;
    f[1] = -r->mass * r->gravity;
}

/* end 0 is the left one */
static double reach(const struct rod *r, size_t i)
{
    return i == 0 ? -0.5 * r->length : 0.5 * r->length;
}

static double distance(const void *own, size_t i, double t, const double *q)
{
    (void)t;
    return q[1] + reach(own, i) * carom_angle_sin(q[2]);
}

static void slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    (void)t;
    slope[0] = *drift = 0.0;
    slope[1] = 1.0;
    slope[2] = reach(own, i) * carom_angle_cos(q[2]);
}

static double slip(const void *own, size_t i, double t, const double *q)
{
    (void)t;
    return q[0] + reach(own, i) * carom_angle_cos(q[2]);
}

static void slip_slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    (void)t;
    slope[0] = 1.0;
    slope[1] = *drift = 0.0;
    slope[2] = -reach(own, i) * carom_angle_sin(q[2]);
}

static double stored(const void *own, double t, const double *q)
{
    const struct rod *r = own;
    (void)t;
    return r->mass * r->gravity * q[1];
}

/* onto its lower end */
static void settle(const void *own, double *q)
{
    carom_machine_stand(own, distance, q, 1);
}

static size_t outline(const void *own, double t, const double *q, double size, struct carom_outline *part)
{
    const struct rod *r = own;
    const double x = 0.5 * r->length * carom_angle_cos(q[2]), y = 0.5 * r->length * carom_angle_sin(q[2]);
    (void)t, (void)size;
    part[0] = (struct carom_outline){CAROM_OUTLINE_SURFACE, {q[0] - r->length, 0.0}, {q[0] + r->length, 0.0}, 0.0};
    part[1] = (struct carom_outline){CAROM_OUTLINE_BAR, {q[0] - x, q[1] - y}, {q[0] + x, q[1] + y}, 0.0};
    return 2;
}

static const char *const coordinates[] = {"place of the centre", "height of the centre above the flat rod's",
                                          "angle from the floor, the right end up positive", NULL};
static const char *const distances[] = {"left end and floor", "right end and floor", NULL};

const struct carom_machine carom_machine_rod = {
    .kind = {"rod", "a thin rod that falls, slides and tips on a floor", params, sizeof(struct rod)},
    .coordinates = coordinates,
    .distances = distances,
    .outline = outline,
    .settle = settle,
    .mechanism =
        {.name = "rod", .n = 3, .ndistances = 2, .constant_mass = true, CAROM_MACHINE_FUNCTIONS, CAROM_MACHINE_SLIPS},
};
