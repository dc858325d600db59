/* Lamb's problem. In the Laplace domain every wave from source to receiver, direct or reflected, is an integral over
 * the slowness p,
 *
 *     u = 1/(2 pi rho) Im int_0^{i oo} C(p) exp(-s T(p)) dp,   T = p x + eta_P (path as P) + eta_S (path as S),
 *
 * with eta = sqrt(1/c^2 - p^2). Cagniard and de Hoop bend the path so that T is real and read the answer off. A Ricker
 * wavelet f is an entire function, so here f(t - T) is put under the integral instead, and the path bent so that T
 * keeps a small constant imaginary part: it then passes arrivals, head waves and the Rayleigh pole at a distance, and
 * Gauss quadrature reaches round-off. Only for wavelets of that kind. */
#include "study/lamb.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>

#include "base/memory.h"
#include "solve/root.h"

#define PI 3.14159265358979323846
#define LIFT 0.7     /* imaginary part of T, in units of 1 / (pi frequency): costs exp(0.49) in size */
#define NEAREST 0.01 /* of the length of an S wave: nearer to the source waves that cancel are lost in rounding */
#define REACH 7.0    /* the wavelet is below 1e-19 so far from its peak, in the same unit */

enum { POINTS = 16, PATHS = 6 };

/* of Gauss quadrature on [-1, 1], the positive half */
static const double abscissa[POINTS / 2] = {
    0.0950125098376374402, 0.2816035507792589132, 0.4580167776572273863, 0.6178762444026437484,
    0.7554044083550030339, 0.8656312023878317439, 0.9445750230732325761, 0.9894009349916499326,
};
static const double gauss_weight[POINTS / 2] = {
    0.1894506104550684963, 0.1826034150449235888, 0.1691565193950025382, 0.1495959888165767321,
    0.1246289712555338720, 0.0951585116824927848, 0.0622535239386478929, 0.0271524594117540949,
};

enum wave { DIRECT_P, DIRECT_S, P_TO_P, P_TO_S, S_TO_P, S_TO_S };

struct medium {
    double p, s; /* slownesses of both waves */
    double lambda, shear, density;
};

struct ray {
    const struct carom_lamb *problem;
    struct medium medium;
    enum wave wave;
    double x, as_p, as_s; /* path: along, and across as P and as S */
    bool down;            /* does a direct wave go down? */
};

static struct medium medium_of(const struct carom_lamb *problem)
{
    const double e = problem->young, nu = problem->poisson;
    const double shear = e / (2.0 * (1.0 + nu)), lambda = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    return (struct medium){.p = sqrt(problem->density / (lambda + 2.0 * shear)),
                           .s = sqrt(problem->density / shear),
                           .lambda = lambda,
                           .shear = shear,
                           .density = problem->density};
}

/* re + i im; CMPLX is not everywhere, and I is of type float in some places */
static double complex number(double re, double im)
{
    const union {
        double part[2];
        double complex whole;
    } z = {.part = {re, im}};
    return z.whole;
}

static double complex eta(double slowness, double complex p)
{
    return csqrt((slowness - p) * (slowness + p));
}

static double complex travel(const struct ray *ray, double complex p, double complex *slope)
{
    const double complex a = eta(ray->medium.p, p), b = eta(ray->medium.s, p);
    *slope = ray->x - p * (ray->as_p / a + ray->as_s / b);
    return p * ray->x + a * ray->as_p + b * ray->as_s;
}

/* --- amplitudes --------------------------------------------------------------------------------------------------- */

/* a wave exp(rise s z) with displacement u pulls a horizontal plane by s times this */
static void traction(const struct medium *m, double complex p, double complex rise, const double complex u[2],
                     double complex pull[2])
{
    pull[0] = m->shear * (rise * u[0] - p * u[1]);
    pull[1] = (m->lambda + 2.0 * m->shear) * rise * u[1] - m->lambda * p * u[0];
}

/* what the surface sends down, as P and as S, for a wave `u` with `rise` that comes up */
static void reflect(const struct medium *m, double complex p, double complex rise, const double complex u[2],
                    const double complex down[2][2], double complex back[2])
{
    const double complex a = eta(m->p, p), b = eta(m->s, p);
    double complex pull[2], of_p[2], of_s[2];
    traction(m, p, rise, u, pull);
    traction(m, p, -a, down[0], of_p);
    traction(m, p, -b, down[1], of_s);
    const double complex det = of_p[0] * of_s[1] - of_s[0] * of_p[1];
    back[0] = -(pull[0] * of_s[1] - of_s[0] * pull[1]) / det;
    back[1] = -(of_p[0] * pull[1] - pull[0] * of_p[1]) / det;
}

/* C(p) of a ray */
static void amplitude(const struct ray *ray, double complex p, double complex c[2])
{
    const struct medium *m = &ray->medium;
    const double *f = ray->problem->force;
    const double complex a = eta(m->p, p), b = eta(m->s, p);
    const double complex up[2][2] = {{-p, a}, {b, p}}, down[2][2] = {{-p, -a}, {-b, p}};
    const bool as_s = ray->wave == DIRECT_S || ray->wave == S_TO_P || ray->wave == S_TO_S;
    const double complex *leaves = ray->down ? down[as_s] : up[as_s];
    const double complex strength = (leaves[0] * f[0] + leaves[1] * f[1]) / (as_s ? b : a);
    if (ray->wave == DIRECT_P || ray->wave == DIRECT_S) {
        c[0] = strength * leaves[0];
        c[1] = strength * leaves[1];
        return;
    }
    double complex back[2];
    reflect(m, p, as_s ? b : a, leaves, down, back);
    const int arrives = ray->wave == P_TO_S || ray->wave == S_TO_S;
    c[0] = strength * back[arrives] * down[arrives][0];
    c[1] = strength * back[arrives] * down[arrives][1];
}

/* --- the contour -------------------------------------------------------------------------------------------------- */

static enum carom_status add_node(struct carom_lamb_record *r, const struct ray *ray, double complex p,
                                  double complex step, struct carom_error *error)
{
    if (!carom_memory_room(&r->node, r->count, &r->room, 1024, sizeof *r->node))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for Lamb's problem");
    double complex c[2], slope;
    amplitude(ray, p, c);
    const double complex t = travel(ray, p, &slope);
    const double complex x = c[0] * step / (2.0 * PI * ray->medium.density),
                         z = c[1] * step / (2.0 * PI * ray->medium.density);
    const double node[6] = {creal(t), cimag(t), creal(x), cimag(x), creal(z), cimag(z)};
    for (int i = 0; i < 6; i++) {
        if (!isfinite(node[i]))
            return carom_error_set(error, CAROM_E_NUMERIC, "Lamb's problem: the contour met a singular point");
        r->node[r->count][i] = node[i];
    }
    r->count++;
    return CAROM_OK;
}

/* the point s of a panel's quadrature, from -1 to 1, and its weight */
static double quadrature(int i, double *weight)
{
    const int half = POINTS / 2;
    *weight = gauss_weight[i < half ? half - 1 - i : i - half];
    return i < half ? -abscissa[half - 1 - i] : abscissa[i - half];
}

/* up the imaginary axis of p until T has its imaginary part or comes too late; *top is where that is */
static enum carom_status lift(struct carom_lamb_record *r, const struct ray *ray, double end, double *top,
                              struct carom_error *error)
{
    const double unit = 1.0 / (PI * ray->problem->frequency), across = ray->as_p + ray->as_s;
    const double length = fmin(0.5 * ray->medium.p, unit / (ray->x + across)), high = LIFT * unit / ray->x;
    double y = 0.0;
    while (y < high) {
        double complex slope;
        const double next = fmin(y + length, high);
        for (int i = 0; i < POINTS; i++) {
            double weight;
            const double s = quadrature(i, &weight), half = 0.5 * (next - y);
            const enum carom_status status =
                add_node(r, ray, number(0.0, y + half * (1.0 + s)), number(0.0, half * weight), error);
            if (status != CAROM_OK)
                return status;
        }
        y = next;
        if (creal(travel(ray, number(0.0, y), &slope)) > end)
            break;
    }
    *top = y;
    return CAROM_OK;
}

/* p with T(p) = t, from a p nearby */
static bool find_slowness(const struct ray *ray, double complex t, double complex *p)
{
    for (int i = 0; i < 40; i++) {
        double complex slope;
        const double complex miss = travel(ray, *p, &slope) - t, step = miss / slope;
        *p -= step;
        if (!(cabs(step) <= 1e3 * ray->medium.s))
            return false;
        if (cabs(step) <= 1e-12 * (cabs(*p) + ray->medium.p)) /* errors go by squares: what is left is round-off */
            return true;
    }
    return false;
}

/* along a line of constant imaginary part of T, as far as `end` */
static enum carom_status run_along(struct carom_lamb_record *r, const struct ray *ray, double end, double complex p,
                                   struct carom_error *error)
{
    const double unit = 1.0 / (PI * ray->problem->frequency), length = 0.5 * LIFT * unit;
    double complex slope, begin = travel(ray, p, &slope);
    while (creal(begin) < end) {
        for (int i = 0; i < POINTS; i++) {
            double weight;
            const double half = 0.5 * length;
            const double complex t = begin + half * (1.0 + quadrature(i, &weight));
            double complex guess = p + (t - travel(ray, p, &slope)) / slope;
            if (cimag(guess) < 0.0)
                guess = conj(guess);
            p = guess;
            if (!find_slowness(ray, t, &p))
                return carom_error_set(error, CAROM_E_NUMERIC, "Lamb's problem: the contour was lost at T = %g",
                                       creal(t));
            travel(ray, p, &slope);
            const enum carom_status status = add_node(r, ray, p, half * weight / slope, error);
            if (status != CAROM_OK)
                return status;
        }
        begin += length;
    }
    return CAROM_OK;
}

static enum carom_status follow(struct carom_lamb_record *r, const struct ray *ray, double end,
                                struct carom_error *error)
{
    double complex slope;
    double top = 0.0;
    if (creal(travel(ray, 0.0, &slope)) > end)
        return CAROM_OK; /* comes too late */
    enum carom_status status = lift(r, ray, end, &top, error);
    if (status == CAROM_OK)
        status = run_along(r, ray, end, number(0.0, top), error);
    return status;
}

/* --- the record --------------------------------------------------------------------------------------------------- */

static enum carom_status check(const struct carom_lamb *p, double x, double depth, double latest,
                               struct carom_error *error)
{
    const struct {
        const char *name;
        double value;
        bool good;
    } all[] = {
        {"young", p->young, p->young > 0.0 && p->young < HUGE_VAL},
        {"poisson", p->poisson, p->poisson > -1.0 && p->poisson < 0.5},
        {"density", p->density, p->density > 0.0 && p->density < HUGE_VAL},
        {"frequency", p->frequency, p->frequency > 0.0 && p->frequency < HUGE_VAL},
        {"source depth", p->source_depth, p->source_depth >= 0.0 && p->source_depth < HUGE_VAL},
        {"depth", depth, depth >= 0.0 && depth < HUGE_VAL},
        {"x", x, isfinite(x)},
        {"delay", p->delay, isfinite(p->delay)},
        {"latest time", latest, isfinite(latest)},
        {"force", p->force[0] + p->force[1], isfinite(p->force[0] + p->force[1])},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!all[i].good)
            return carom_error_set(error, CAROM_E_INPUT, "Lamb's problem: %s cannot be %g", all[i].name, all[i].value);
    if (x == 0.0 && depth == p->source_depth)
        return carom_error_set(error, CAROM_E_INPUT, "Lamb's problem: the displacement is infinite at the source");
    const double least = NEAREST / (medium_of(p).s * p->frequency), distance = hypot(x, depth - p->source_depth);
    if (distance < least)
        return carom_error_set(error, CAROM_E_INPUT,
                               "Lamb's problem: a receiver %g m from the source is too near; what the waves leave "
                               "there is lost in rounding within %g m, a hundredth of an S wave",
                               distance, least);
    return CAROM_OK;
}

enum carom_status carom_lamb_open(struct carom_lamb_record *record, const struct carom_lamb *problem, double x,
                                  double depth, double latest, struct carom_error *error)
{
    *record = (struct carom_lamb_record){.problem = *problem, .x = x, .depth = depth, .latest = latest};
    enum carom_status status = check(problem, x, depth, latest, error);
    if (x < 0.0) /* a mirrored receiver sees the mirrored force */
        record->problem.force[0] = -problem->force[0];
    const double end = latest - problem->delay + REACH / (PI * problem->frequency);
    const double source = problem->source_depth, beside = fabs(depth - source);
    const double across[PATHS][2] = {{beside, 0.0},   {0.0, beside},   {source + depth, 0.0},
                                     {source, depth}, {depth, source}, {0.0, source + depth}};
    for (int wave = 0; wave < PATHS && status == CAROM_OK; wave++) {
        const struct ray ray = {.problem = &record->problem,
                                .medium = medium_of(problem),
                                .wave = (enum wave)wave,
                                /* straight below the source the path would never leave the axis of p */
                                .x = fmax(fabs(x), 1e-9 * (source + depth)),
                                .as_p = across[wave][0],
                                .as_s = across[wave][1],
                                .down = wave <= DIRECT_S && depth > source};
        status = follow(record, &ray, end, error);
    }
    if (status != CAROM_OK)
        carom_lamb_close(record);
    return status;
}

void carom_lamb_close(struct carom_lamb_record *record)
{
    carom_memory_free(record->node);
    *record = (struct carom_lamb_record){0};
}

void carom_lamb_displacement(const struct carom_lamb_record *record, double t, double u[2])
{
    const double pace = PI * record->problem.frequency;
    u[0] = u[1] = 0.0;
    for (size_t i = 0; i < record->count; i++) {
        const double *node = record->node[i];
        const double complex lag = pace * number(t - record->problem.delay - node[0], -node[1]), a = lag * lag;
        if (creal(a) > 700.0)
            continue;
        const double complex wavelet = (1.0 - 2.0 * a) * cexp(-a);
        u[0] += creal(wavelet) * node[3] + cimag(wavelet) * node[2];
        u[1] += creal(wavelet) * node[5] + cimag(wavelet) * node[4];
    }
    if (record->x < 0.0)
        u[0] = -u[0];
}

/* Rayleigh's function of slownesses q > s, which has one root there */
static double surface(void *own, double q)
{
    const struct medium *m = own;
    const double two = 2.0 * q * q - m->s * m->s;
    return two * two - 4.0 * q * q * sqrt(q * q - m->p * m->p) * sqrt(q * q - m->s * m->s);
}

void carom_lamb_speeds(const struct carom_lamb *problem, double *p, double *s, double *rayleigh)
{
    struct medium m = medium_of(problem);
    *p = 1.0 / m.p;
    *s = 1.0 / m.s;
    *rayleigh = 1.0 / carom_root_near(surface, &m, m.s, 2.0 * m.s, 0.0);
}
