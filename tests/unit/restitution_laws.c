/* Restitution of every law that has damping, held against a plain integration of one collision with formulas of its
 * own: e from 0.05 to 1, four decades of speed, both endings, to 1e-9; closed forms where they exist; limits of no
 * damping. The plain integration is Runge and Kutta's with fixed steps in variables in which half powers of the
 * overlap are smooth: time = s^2 at touch, overlap = y^2 at the end. */
#include "law/restitution.h"

#include "carom/law.h"
#include "check.h"

static const double pi = 3.14159265358979323846;

/* The law in the test's own words: force = k d^p + d/dt (c d^b). After a turning point a law with memory has
 * another k and meets zero force at another overlap. */
struct formula {
    double k, p, c, b, mass;
    double back, rest; /* unloading: back (d - rest)^p; back = 0: no memory */
};

struct point {
    double d, w, t; /* w = d' + c d^b / m */
};

static double viscous(const struct formula *f, double d)
{
    return f->c > 0.0 && d > 0.0 ? f->c * pow(d, f->b) : 0.0;
}

static double speed_of(const struct formula *f, const struct point *at)
{
    return at->w - viscous(f, at->d) / f->mass;
}

static double force_of(const struct formula *f, const struct point *at)
{
    const double drag = f->c > 0.0 ? f->c * f->b * pow(at->d, f->b - 1.0) : 0.0;
    return f->k * pow(at->d, f->p) + drag * speed_of(f, at);
}

/* Slopes in a variable s: `power` 1: time s, 2: time s^2 (from touch), 0: overlap s^2 (to the end). */
static struct point slope(const struct formula *f, int power, double s, const struct point *at)
{
    const double d = power == 0 ? s * s : at->d, speed = at->w - viscous(f, d) / f->mass;
    const double pace = power == 0 ? 2.0 * s / speed : power == 2 ? 2.0 * s : 1.0;
    const double elastic = d > 0.0 ? f->k * pow(d, f->p) : 0.0;
    return (struct point){power == 0 ? 2.0 * s : pace * speed, -pace * elastic / f->mass, pace};
}

/* A classical step. */
static struct point step(const struct formula *f, int power, double s, double h, struct point at)
{
    static const double ahead[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    struct point k = {0.0, 0.0, 0.0}, sum = at;
    for (int i = 0; i < 4; i++) {
        const struct point y = {at.d + ahead[i] * h * k.d, at.w + ahead[i] * h * k.w, at.t + ahead[i] * h * k.t};
        k = slope(f, power, s + ahead[i] * h, &y);
        sum.d += weight[i] / 6.0 * h * k.d;
        sum.w += weight[i] / 6.0 * h * k.w;
        sum.t += weight[i] / 6.0 * h * k.t;
    }
    return sum;
}

/* The part of a step after which the speed (or, if `force`, the force) has come to zero. */
static struct point cut(const struct formula *f, int power, double s, double h, struct point at, bool force)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        const struct point there = step(f, power, s, middle * h, at);
        *((force ? force_of(f, &there) : speed_of(f, &there)) > 0.0 ? &low : &high) = middle;
    }
    return step(f, power, s, low * h, at);
}

/* Touch to the turning point; the unit of time is about a quarter of the contact. */
static struct point come_in(const struct formula *f, double speed, double unit, int steps)
{
    struct point at = {0.0, speed, 0.0}, next;
    const double h = 1.5 / steps; /* of the square root of time / unit */
    const struct formula scaled = *f;
    for (int i = 0;; i++) {
        next = step(&scaled, 2, i * h * sqrt(unit), h * sqrt(unit), at);
        if (!(speed_of(f, &next) > 0.0))
            return cut(&scaled, 2, i * h * sqrt(unit), h * sqrt(unit), at, false);
        at = next;
    }
}

/* The turning point to the end of contact. False: the force ended it on the way. */
static struct point go_out(const struct formula *f, struct point at, double unit, int steps, bool by_force)
{
    const double peak = at.d, h = unit / steps;
    while (at.d > 0.7 * peak) {
        const struct point next = step(f, 1, at.t, h, at);
        if (by_force && force_of(f, &next) < 0.0)
            return cut(f, 1, at.t, h, at, true);
        at = next;
    }
    const double y0 = sqrt(at.d);
    for (int i = 0; i < steps; i++) {
        const double y = y0 * (steps - i) / steps, end = y0 * (steps - i - 1) / steps;
        const struct point next = step(f, 0, y, end - y, at);
        if (by_force && i + 1 < steps && force_of(f, &next) < 0.0)
            return cut(f, 0, y, end - y, at, true);
        at = next;
    }
    at.d = 0.0;
    return at;
}

/* e and how long force acts */
static double collide(const struct formula *law, double speed, enum carom_ending ending, int steps, double *time)
{
    struct formula f = *law;
    const double unit = pow(f.mass / f.k, 1.0 / (f.p + 1.0)) * pow(speed, (1.0 - f.p) / (1.0 + f.p));
    struct point at = come_in(&f, speed, unit, steps);
    double out = unit;
    if (f.back > 0.0) { /* the overlap counts from where the force will vanish */
        at.d -= f.rest * at.d;
        at.w = 0.0;
        out = unit * sqrt(f.k / f.back);
        f.k = f.back;
        if (f.p != 1.0)
            out = pow(f.mass * at.d / (f.k * pow(at.d, f.p)), 0.5);
    }
    at = go_out(&f, at, out, steps, ending == CAROM_END_FORCE && f.c > 0.0);
    *time = at.t;
    return -speed_of(&f, &at) / speed;
}

/* A law, its parameters and its formula. */
struct candidate {
    const struct carom_law *law;
    double value[4];
    size_t damping; /* the row that a restitution chooses */
};

static const struct candidate candidates[] = {
    {&carom_law_kuwabara_kono, {3e9, 0.0}, 1},      {&carom_law_hunt_crossley, {3e9, 1.5, 0.0}, 2},
    {&carom_law_hunt_crossley, {3e7, 1.0, 0.0}, 2}, {&carom_law_hertz_dashpot, {3e9, 0.0}, 1},
    {&carom_law_linear_dashpot, {1e7, 0.0}, 1},     {&carom_law_power, {3e9, 1.5, 0.0, 1.5}, 2},
    {&carom_law_power, {1e8, 1.0, 0.0, 2.0}, 2},    {&carom_law_bistiff, {3e9, 1.5, 1.0}, 2},
    {&carom_law_bistiff, {1e7, 1.0, 1.0}, 2},       {&carom_law_walton_braun, {1e7, 0.0}, 1},
};

static struct formula formula_of(const struct candidate *c, const double *value, double mass)
{
    struct formula f = {.k = value[0], .p = 1.5, .b = 1.0, .mass = mass};
    if (c->law == &carom_law_linear_dashpot || c->law == &carom_law_walton_braun)
        f.p = 1.0;
    else if (c->law != &carom_law_kuwabara_kono && c->law != &carom_law_hertz_dashpot)
        f.p = value[1];
    if (c->law == &carom_law_bistiff) {
        f.back = f.k / pow(value[2], 2.0 * f.p);
        f.rest = 1.0 - value[2] * value[2];
    } else if (c->law == &carom_law_walton_braun) {
        f.back = value[1] > 0.0 ? value[1] : value[0];
        f.rest = 1.0 - value[0] / f.back;
    } else {
        f.c = f.k * value[c->damping];
        f.b = c->law == &carom_law_kuwabara_kono   ? 1.5
              : c->law == &carom_law_hunt_crossley ? f.p + 1.0
              : c->law == &carom_law_power         ? value[3]
                                                   : 1.0;
    }
    return f;
}

static void test_against_plain_steps(const struct candidate *c, double wanted, double speed, enum carom_ending ending)
{
    const double mass = 0.02;
    double value[4], e = 0.0, time = 0.0, plain_time = 0.0;
    memcpy(value, c->value, sizeof value);
    CHECK_STATUS(carom_restitution_gamma(c->law, value, ending, mass, speed, wanted, &value[c->damping], NULL),
                 CAROM_OK);
    const struct formula f = formula_of(c, value, mass);
    const double plain = collide(&f, speed, ending, 1500, &plain_time);
    CHECK_NEAR(plain, wanted, 1e-9);
    CHECK_STATUS(carom_restitution_of(c->law, value, ending, mass, speed, &e, &time, NULL, NULL), CAROM_OK);
    CHECK_NEAR(e, plain, 1e-9);
    CHECK_NEAR(time / plain_time, 1.0, 1e-8);
}

/* m d'' + k gamma d' + k d = 0: both endings */
static void test_linear_dashpot(void)
{
    const double k = 1e7, m = 0.02;
    for (double ratio = 0.02; ratio < 0.95; ratio += 0.07) {
        const double omega0 = sqrt(k / m), damp = ratio * omega0, omega = omega0 * sqrt(1.0 - ratio * ratio);
        const double param[] = {k, 2.0 * damp * m / k};
        double e = 0.0;
        CHECK_STATUS(
            carom_restitution_of(&carom_law_linear_dashpot, param, CAROM_END_GAP, m, 0.3, &e, NULL, NULL, NULL),
            CAROM_OK);
        CHECK_NEAR(e / exp(-pi * damp / omega), 1.0, 1e-11);
        CHECK_STATUS(
            carom_restitution_of(&carom_law_linear_dashpot, param, CAROM_END_FORCE, m, 0.3, &e, NULL, NULL, NULL),
            CAROM_OK);
        const double last = (pi - atan2(2.0 * damp * omega, omega * omega - damp * damp)) / omega;
        CHECK_NEAR(e, exp(-damp * last) * (damp / omega * sin(omega * last) - cos(omega * last)), 1e-12);
    }
}

/* e = sqrt(k1 / k2) and e = es, at every speed, and the durations: half a period in and e times as long out */
static void test_memory(void)
{
    for (double e = 1.0; e >= 0.05; e *= 0.77)
        for (double speed = 1e-2; speed < 200.0; speed *= 10.0) {
            const double param[] = {1e7, 1e7 / (e * e)}, bistiff[] = {3e9, 1.5, e}, m = 0.02, hertz = 3e9;
            double found = 0.0, time = 0.0, peak = 0.0, elastic = 0.0, deepest = 0.0;
            CHECK_STATUS(carom_restitution_of(&carom_law_walton_braun, param, CAROM_END_GAP, m, speed, &found, &time,
                                              &peak, NULL),
                         CAROM_OK);
            CHECK_NEAR(found, e, 1e-15);
            CHECK_NEAR(time / (0.5 * pi * sqrt(m / 1e7) * (1.0 + e)), 1.0, 1e-12);
            CHECK_NEAR(peak / (speed * sqrt(m / 1e7)), 1.0, 1e-12);
            CHECK_STATUS(
                carom_restitution_of(&carom_law_bistiff, bistiff, CAROM_END_GAP, m, speed, &found, &time, &peak, NULL),
                CAROM_OK);
            CHECK_STATUS(
                carom_restitution_of(&carom_law_hertz, &hertz, CAROM_END_GAP, m, speed, NULL, &elastic, &deepest, NULL),
                CAROM_OK);
            CHECK_NEAR(found, e, 1e-15);
            CHECK_NEAR(time / (0.5 * elastic * (1.0 + e)), 1.0, 1e-12);
            CHECK_NEAR(peak / deepest, 1.0, 1e-12);
        }
}

/* e = 1 is the law without damping, whose restitution is 1 */
static void test_no_damping(void)
{
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        const struct candidate *c = &candidates[i];
        double value[4], e = 0.0, gamma = nan("");
        memcpy(value, c->value, sizeof value);
        CHECK_STATUS(carom_restitution_gamma(c->law, value, CAROM_END_GAP, 0.1, 2.0, 1.0, &gamma, NULL), CAROM_OK);
        CHECK(gamma == (c->law->damping_of ? c->law == &carom_law_bistiff ? 1.0 : value[0] : 0.0));
        value[c->damping] = gamma;
        for (int ending = 0; ending < 2; ending++) {
            CHECK_STATUS(carom_restitution_of(c->law, value, (enum carom_ending)ending, 0.1, 2.0, &e, NULL, NULL, NULL),
                         CAROM_OK);
            CHECK(e == 1.0);
        }
    }
}

int main(void)
{
    static const double wanted[] = {1.0, 0.98, 0.9, 0.7, 0.4, 0.15, 0.05}, speeds[] = {1e-2, 1e-1, 1.0, 10.0, 100.0};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            for (size_t v = 0; v < sizeof speeds / sizeof *speeds; v++)
                for (int ending = CAROM_END_GAP; ending <= CAROM_END_FORCE; ending++)
                    test_against_plain_steps(&candidates[i], wanted[k], speeds[v], (enum carom_ending)ending);
    test_linear_dashpot();
    test_memory();
    test_no_damping();
    return check_end();
}
