/* Blows with friction in space along the path of their impulses (impact/lzb_cone.h), of random bodies. One contact
 * follows its hodograph, which is followed here in logarithms of the slip, stops, sticks or slips on; without a second
 * slip it is that of the plane; balls have a closed form. Several: no energy is created, cones hold, nothing approaches
 * any more, turned tangents change nothing, and the answer depends on the tolerance by no more than that. The seed is
 * printed. */
#include <string.h>

#include "blow_follow.h"
#include "blow_graph.h"

enum { SEVERAL = 6, BODIES = 4 };

static void graph(struct carom_random *random, size_t n, struct blow *s)
{
    double u[WIDE];
    *s = (struct blow){.n = n, .ways = 2};
    blow_graph_boxes(random, n, 3, BODIES, 0.3, s->w, u);
    for (size_t i = 0; i < n; i++) {
        s->rate[i] = u[3 * i];
        memcpy(s->slip + 2 * i, u + 3 * i + 1, 2 * sizeof *u);
        s->e[i] = 0.1 + 0.85 * carom_random_uniform(random);
        s->k[i] = exp(0.5 * carom_random_normal(random));
        s->p[i] = 1.5;
        s->mu[i] = s->mu_static[i] = 1.2 * carom_random_uniform(random);
    }
}

/* --- one contact: its hodograph ----------------------------------------------------------------------------------- */

/* Along the logarithm of the slip nothing is stiff: dP = slip d(tau). Straight pieces: dP = d(tau), direction kept. */
struct path {
    const struct blow *of;
    bool straight;
    double pull[2];                        /* of a straight piece */
    double rho, angle, p, rub[2], in, out; /* slip, its direction; impulses; works of the normal */
};

static void speeds(const struct path *x, double u[3])
{
    for (size_t a = 0; a < 3; a++)
        u[a] = (a == 0 ? x->of->rate[0] : x->of->slip[a - 1]) + x->of->w[3 * a] * x->p +
               x->of->w[3 * a + 1] * x->rub[0] + x->of->w[3 * a + 2] * x->rub[1];
}

/* changes of rho, angle, p, rub, in, out */
static void slopes(const struct path *x, double d[7])
{
    const double *w = x->of->w, c = cos(x->angle), s = sin(x->angle), scale = x->straight ? 1.0 : x->rho;
    const double pull[2] = {x->straight ? x->pull[0] : -x->of->mu[0] * c, x->straight ? x->pull[1] : -x->of->mu[0] * s};
    const double f[2] = {w[3] + w[4] * pull[0] + w[5] * pull[1], w[6] + w[7] * pull[0] + w[8] * pull[1]};
    double u[3];
    speeds(x, u);
    d[0] = x->straight ? 0.0 : x->rho * (c * f[0] + s * f[1]);
    d[1] = x->straight ? 0.0 : c * f[1] - s * f[0];
    d[2] = scale;
    d[3] = scale * pull[0];
    d[4] = scale * pull[1];
    d[5] = scale * fmax(-u[0], 0.0);
    d[6] = scale * fmax(u[0], 0.0);
}

static struct path moved(const struct path *x, const double d[7], double h)
{
    struct path y = *x;
    double *const of[7] = {&y.rho, &y.angle, &y.p, &y.rub[0], &y.rub[1], &y.in, &y.out};
    for (size_t k = 0; k < 7; k++)
        *of[k] += h * d[k];
    return y;
}

static struct path stepped(const struct path *x, double h)
{
    double d[4][7], sum[7];
    struct path y;
    slopes(x, d[0]);
    for (int s = 1; s < 4; s++) {
        y = moved(x, d[s - 1], s < 3 ? 0.5 * h : h);
        slopes(&y, d[s]);
    }
    for (size_t k = 0; k < 7; k++)
        sum[k] = (d[0][k] + 2.0 * d[1][k] + 2.0 * d[2][k] + d[3][k]) / 6.0;
    return moved(x, sum, h);
}

/* the slip has stopped: it sticks, or goes on along the one direction in which it grows */
static void stop(struct path *x)
{
    const double *w = x->of->w, mu = x->of->mu[0], det = w[4] * w[8] - w[5] * w[7];
    double low = 0.0, high = 1e6;
    x->straight = true;
    x->pull[0] = -(w[8] * w[3] - w[5] * w[6]) / det;
    x->pull[1] = -(w[4] * w[6] - w[7] * w[3]) / det;
    for (int k = 0; k < 200 && hypot(x->pull[0], x->pull[1]) > mu * (1.0 + 1e-15); k++) {
        const double g = 0.5 * (low + high), a = mu * w[4] + g, b = mu * w[5], c = mu * w[8] + g;
        const double e[2] = {(c * w[3] - b * w[6]) / (a * c - b * b), (a * w[6] - b * w[3]) / (a * c - b * b)};
        if (hypot(e[0], e[1]) > 1.0)
            low = g;
        else
            high = g;
        if (k == 199) {
            x->pull[0] = -mu * e[0];
            x->pull[1] = -mu * e[1];
        }
    }
}

/* how far the phase is from its end: of pressing, then of springing back */
static double missing(const struct path *x, enum carom_lzb_friction_law law, bool back, double nearest, double work)
{
    const double e = x->of->e[0];
    double u[3];
    speeds(x, u);
    if (!back)
        return -u[0];
    return law == CAROM_LZB_FRICTION_POISSON ? (1.0 + e) * nearest - x->p : e * e * work - x->out;
}

static void follow_hodograph(const struct blow *s, enum carom_lzb_friction_law law, struct path *x)
{
    *x = (struct path){.of = s, .rho = hypot(s->slip[0], s->slip[1]), .angle = atan2(s->slip[1], s->slip[0])};
    double nearest = 0.0, work = 0.0;
    for (int back = 0; back < 2; back++) {
        for (long step = 0; step < 3000000; step++) {
            const double h = x->straight ? 1e-2 / s->w[0] : fmin(1e-2 / (1.0 + s->w[4] + s->w[8]), 1e-2 / x->rho);
            struct path y = stepped(x, h);
            if (missing(&y, law, back, nearest, work) > 0.0) {
                *x = y;
                if (!x->straight && x->rho < 1e-14)
                    stop(x);
                continue;
            }
            double low = 0.0, high = h;
            for (int k = 0; k < 100; k++) {
                y = stepped(x, 0.5 * (low + high));
                if (missing(&y, law, back, nearest, work) > 0.0)
                    low = 0.5 * (low + high);
                else
                    high = 0.5 * (low + high);
            }
            *x = y;
            break;
        }
        nearest = x->p;
        work = x->in;
        x->out = 0.0;
    }
}

static double off_hodograph(struct carom_random *random, enum carom_lzb_friction_law law, double tol, size_t *stops)
{
    struct blow s;
    struct path x;
    graph(random, 1, &s);
    s.rate[0] = -0.2 - carom_random_uniform(random);
    for (size_t a = 0; a < 2; a++)
        s.slip[a] *= 0.2;
    follow_hodograph(&s, law, &x);
    CHECK(follow(&s, law, tol));
    *stops += x.straight;
    return fmax(fabs(s.impulse[0] - x.p), hypot(s.rub[0] - x.rub[0], s.rub[1] - x.rub[1])) * s.w[0] / -s.rate[0];
}

/* --- one contact: as in the plane --------------------------------------------------------------------------------- */

/* the plane's blow, turned by an angle about its normal, beside a direction that nothing is in */
static double off_plane(struct carom_random *random, size_t n, enum carom_lzb_friction_law law, double tol)
{
    struct blow flat = {.n = n, .ways = 1}, s;
    double c[MOST], d[MOST], off = 0.0, most = 0.0;
    blow_graph(random, n, BODIES, flat.w, flat.rate, flat.slip);
    for (size_t i = 0; i < n; i++) {
        const double angle = 7.0 * carom_random_uniform(random);
        c[i] = cos(angle);
        d[i] = sin(angle);
        flat.e[i] = 0.2 + 0.75 * carom_random_uniform(random);
        flat.k[i] = exp(0.5 * carom_random_normal(random));
        flat.p[i] = 1.5;
        flat.mu[i] = 0.8 * carom_random_uniform(random);
        flat.mu_static[i] = flat.mu[i] * (1.0 + (carom_random_uniform(random) < 0.3 ? 0.3 : 0.0));
    }
    s = flat;
    s.ways = 2;
    for (size_t i = 0; i < n; i++) {
        const double to[2][3] = {{1.0, 0.0, 0.0}, {0.0, c[i], d[i]}}, across[3] = {0.0, -d[i], c[i]};
        s.slip[2 * i] = c[i] * flat.slip[i];
        s.slip[2 * i + 1] = d[i] * flat.slip[i];
        for (size_t j = 0; j < n; j++) {
            const double from[2][3] = {{1.0, 0.0, 0.0}, {0.0, c[j], d[j]}}, beside[3] = {0.0, -d[j], c[j]};
            for (size_t a = 0; a < 3; a++)
                for (size_t b = 0; b < 3; b++) {
                    double w = i == j ? 2.0 * across[a] * beside[b] : 0.0;
                    for (size_t k = 0; k < 4; k++)
                        w += flat.w[(2 * i + k / 2) * 2 * n + 2 * j + k % 2] * to[k / 2][a] * from[k % 2][b];
                    s.w[(3 * i + a) * 3 * n + 3 * j + b] = w;
                }
        }
    }
    if (!follow(&flat, law, tol) || !follow(&s, law, tol))
        return HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        off = fmax(off, fabs(s.impulse[i] - flat.impulse[i]));
        off = fmax(off, hypot(s.rub[2 * i] - c[i] * flat.rub[i], s.rub[2 * i + 1] - d[i] * flat.rub[i]));
        most = fmax(most, flat.impulse[i]);
    }
    return most > 0.0 ? off / most : 0.0;
}

/* a ball: normal and tangents do not know each other, and the slip is stopped or it is not */
static void check_ball(double mu, double e, double slip, enum carom_lzb_friction_law law)
{
    struct blow s = {.n = 1, .ways = 2, .w = {2.0, 0, 0, 0, 7.0, 0, 0, 0, 7.0}, .rate = {-1.0}, .k = {1.0}, .p = {1.5}};
    s.e[0] = e;
    s.mu[0] = s.mu_static[0] = mu;
    s.slip[0] = 0.6 * slip;
    s.slip[1] = -0.8 * slip;
    CHECK(follow(&s, law, 1e-12));
    const double p = (1.0 + e) / 2.0, q = fmin(mu * p, slip / 7.0);
    CHECK_NEAR(s.impulse[0], p, 1e-10);
    CHECK_NEAR(s.rub[0], -0.6 * q, 1e-10);
    CHECK_NEAR(s.rub[1], 0.8 * q, 1e-10);
    CHECK_NEAR(s.friction_loss[0], q * (slip - 3.5 * q), 1e-10);
}

/* --- several ------------------------------------------------------------------------------------------------------ */

static double off_coarse(struct carom_random *random, size_t n, enum carom_lzb_friction_law law, size_t *unended)
{
    struct blow s, fine;
    graph(random, n, &s);
    fine = s;
    if (!follow(&s, law, 1e-6) || !follow(&fine, law, 1e-10)) {
        ++*unended;
        return 0.0;
    }
    check_several(&s, law, 1e-6);
    check_several(&fine, law, 1e-10);
    return apart(&s, &fine);
}

/* A cube on a face, four corners at once; with a slip of all of them, or none. */
static void check_face(double slip, double turn, double e, enum carom_lzb_friction_law law)
{
    struct blow s = {.n = 4, .ways = 2};
    double h[12][6] = {{0.0}};
    const double inverse[6] = {1.0, 1.0, 1.0, 1.5, 1.5, 1.5}, v[6] = {slip, 0.3 * slip, -1.0, 0.0, 0.0, turn};
    for (size_t i = 0; i < 4; i++) {
        const double x[3] = {i % 2 ? 1.0 : -1.0, i / 2 ? 1.0 : -1.0, -1.0};
        const double rows[3][6] = {{0, 0, 1, x[1], -x[0], 0}, {1, 0, 0, 0, x[2], -x[1]}, {0, 1, 0, -x[2], 0, x[0]}};
        memcpy(h[3 * i], rows, sizeof rows);
        s.e[i] = e;
        s.k[i] = 1.0;
        s.p[i] = 1.5;
        s.mu[i] = s.mu_static[i] = 0.3;
        for (size_t k = 0; k < 6; k++) {
            s.rate[i] += rows[0][k] * v[k];
            s.slip[2 * i] += rows[1][k] * v[k];
            s.slip[2 * i + 1] += rows[2][k] * v[k];
        }
    }
    for (size_t a = 0; a < 12; a++)
        for (size_t b = 0; b < 12; b++)
            for (size_t k = 0; k < 6; k++)
                s.w[12 * a + b] += h[a][k] * h[b][k] * inverse[k];
    CHECK(follow(&s, law, 1e-9));
    check_several(&s, law, 1e-9);
}

int main(int argc, char **argv)
{
    static const enum carom_lzb_friction_law laws[2] = {CAROM_LZB_FRICTION_STRONGE, CAROM_LZB_FRICTION_POISSON};
    struct carom_random random;
    double worst[4] = {0.0};
    size_t stops = 0, unended = 0;
    const int trials = check_take(25, 100);
    carom_random_start(&random, check_seed(argc, argv));
    for (int trial = 0; trial < trials; trial++) {
        const enum carom_lzb_friction_law law = laws[trial % 2];
        worst[0] = fmax(worst[0], off_hodograph(&random, law, 1e-10, &stops));
        worst[1] = fmax(worst[1], off_plane(&random, 1, law, 1e-11));
        worst[2] = fmax(worst[2], off_plane(&random, 2 + carom_random_below(&random, 2), law, 1e-9));
        worst[3] = fmax(worst[3], off_coarse(&random, 1 + carom_random_below(&random, SEVERAL), law, &unended));
    }
    for (int k = 0; k < 16; k++) {
        check_ball(k % 2 ? 0.1 : 0.5, k % 4 < 2 ? 0.0 : 0.7, k % 8 < 4 ? 0.3 : 3.0, laws[k / 8]);
        check_face(k % 2 ? 0.5 : 0.0, k % 4 < 2 ? 0.0 : 0.4, k % 8 < 4 ? 0.3 : 0.8, laws[k / 8]);
    }
    printf(
        "hodograph %.1e (%zu of %d stop), plane %.1e, of several %.1e, tol 1e-6 and 1e-10 %.1e, %zu without an end\n",
        worst[0], stops, trials, worst[1], worst[2], worst[3], unended);
    CHECK(stops > 5 && unended == 0);
    CHECK(worst[0] < 1e-9 && worst[1] < 1e-11 && worst[2] < 1e-8 && worst[3] < 1e-6);
    return check_end();
}
