/* Lamb's problem: against sums over real wavenumbers and complex frequencies (another way altogether, with its own
 * derivation: a stiffness matrix of the half-space), by reciprocity, mirror symmetry, the speed of Rayleigh waves, and
 * the whole space far from the surface. */
#include "study/lamb.h"

#include <complex.h>

#include "check.h"

#define PI 3.14159265358979323846

static const struct carom_lamb soil = {
    .young = 1.88e10, .poisson = 0.25, .density = 2200.0, .force = {0.0, 1e6}, .frequency = 14.5, .delay = 0.08};

/* --- the other way: waves of a layered half-space at one frequency and wavenumber ------------------------------- */

static double complex number(double re, double im)
{
    const union {
        double part[2];
        double complex whole;
    } z = {.part = {re, im}};
    return z.whole;
}

struct wave_set {
    double complex a, b; /* vertical decay of P and S */
    double k, lambda, shear;
};

/* displacement and traction on a horizontal plane of P and S waves; sign +1: decay upwards (they come up) */
static void column(const struct wave_set *w, int as_s, double sign, double complex c[4])
{
    const double complex r = sign * (as_s ? w->b : w->a), ik = number(0.0, w->k);
    double complex u, v;
    if (as_s) {
        u = r;
        v = -ik;
    } else {
        u = ik;
        v = r;
    }
    c[0] = u;
    c[1] = v;
    c[2] = w->shear * (r * u + ik * v);
    c[3] = (w->lambda + 2.0 * w->shear) * r * v + w->lambda * ik * u;
}

/* solves a x = b for 6 unknowns, with pivots */
static void solve6(double complex a[6][7])
{
    for (int i = 0; i < 6; i++) {
        int best = i;
        for (int j = i + 1; j < 6; j++)
            best = cabs(a[j][i]) > cabs(a[best][i]) ? j : best;
        for (int c = 0; c < 7; c++) {
            const double complex hold = a[i][c];
            a[i][c] = a[best][c];
            a[best][c] = hold;
        }
        for (int j = 0; j < 6; j++) {
            const double complex factor = j == i ? 0.0 : a[j][i] / a[i][i];
            for (int c = i; c < 7; c++)
                a[j][c] -= factor * a[i][c];
        }
    }
    for (int i = 0; i < 6; i++)
        a[i][6] /= a[i][i];
}

/* Unknowns: P, S down and P, S up above the source; P, S down below it. The force is a jump of traction at the source.
 */
static void response(const struct carom_lamb *lamb, double complex omega, double k, double depth, double complex u[2])
{
    const double e = lamb->young, nu = lamb->poisson, h = lamb->source_depth;
    const double shear = e / (2.0 * (1.0 + nu)), lambda = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    struct wave_set w = {.k = k, .lambda = lambda, .shear = shear};
    w.a = csqrt(k * k - omega * omega * lamb->density / (lambda + 2.0 * shear));
    w.b = csqrt(k * k - omega * omega * lamb->density / shear);
    double complex c[2][2][4], m[6][7] = {{0.0}};
    for (int s = 0; s < 2; s++) {
        column(&w, s, -1.0, c[0][s]);
        column(&w, s, 1.0, c[1][s]);
    }
    for (int s = 0; s < 2; s++) {
        const double complex r = s ? w.b : w.a, far = cexp(-r * h);
        for (int i = 0; i < 2; i++) { /* no traction at the surface; waves that come up are scaled at the source */
            m[i][s] = c[0][s][2 + i];
            m[i][2 + s] = c[1][s][2 + i] * far;
        }
        for (int i = 0; i < 4; i++) { /* below less above at the source */
            m[2 + i][s] = -c[0][s][i] * far;
            m[2 + i][2 + s] = -c[1][s][i];
            m[2 + i][4 + s] = c[0][s][i];
        }
    }
    m[4][6] = -lamb->force[0];
    m[5][6] = -lamb->force[1];
    solve6(m);
    u[0] = u[1] = 0.0;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < 2; i++) {
            const double complex r = s ? w.b : w.a;
            if (depth <= h)
                u[i] += m[s][6] * c[0][s][i] * cexp(-r * depth) + m[2 + s][6] * c[1][s][i] * cexp(-r * (h - depth));
            else
                u[i] += m[4 + s][6] * c[0][s][i] * cexp(-r * (depth - h));
        }
}

/* sums over periodic sources `period` apart, and over frequencies with a small imaginary part */
static void by_sums(const struct carom_lamb *lamb, double x, double depth, const double *t, size_t nt, double (*u)[2])
{
    const double period = 6000.0, span = 1.2, damping = 14.0 / span;
    enum { WAVES = 1400, FREQUENCIES = 78 };
    for (size_t j = 0; j < nt; j++)
        u[j][0] = u[j][1] = 0.0;
    for (int f = 0; f < FREQUENCIES; f++) {
        const double complex omega = number(2.0 * PI * f / span, -damping), s = number(0.0, 1.0) * omega,
                             pace = PI * lamb->frequency, z = s / (2.0 * pace);
        /* transform of the wavelet with its delay */
        const double complex wavelet = -2.0 * z * z * cexp(z * z) * sqrt(PI) / pace * cexp(-s * lamb->delay);
        double complex sum[2] = {0.0, 0.0};
        for (int n = -WAVES; n <= WAVES; n++) {
            const double k = 2.0 * PI * n / period;
            double complex one[2];
            response(lamb, omega, k, depth, one);
            for (int i = 0; i < 2; i++)
                sum[i] += one[i] * cexp(number(0.0, k * x)) / period;
        }
        for (size_t j = 0; j < nt; j++)
            for (int i = 0; i < 2; i++)
                u[j][i] += (f == 0 ? 1.0 : 2.0) * creal(sum[i] * wavelet * cexp(s * t[j])) / span;
    }
}

static void test_sums(void)
{
    const double t[] = {0.12, 0.2, 0.26, 0.33, 0.4};
    const struct {
        double x, depth, source, nu, force[2];
    } cases[] = {
        {300.0, 120.0, 40.0, 0.25, {0.0, 1e6}}, {150.0, 259.8, 5.0, 0.25, {0.0, 1e6}},
        {300.0, 30.0, 60.0, 0.4, {1e6, 0.0}},   {-200.0, 60.0, 40.0, -0.3, {3e5, 1e6}},
        {0.0, 200.0, 30.0, 0.25, {2e5, 1e6}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct carom_lamb lamb = soil;
        struct carom_lamb_record record;
        double other[5][2], size = 0.0, u[5][2];
        lamb.source_depth = cases[c].source;
        lamb.poisson = cases[c].nu;
        lamb.force[0] = cases[c].force[0];
        lamb.force[1] = cases[c].force[1];
        CHECK_STATUS(carom_lamb_open(&record, &lamb, cases[c].x, cases[c].depth, 0.5, NULL), CAROM_OK);
        by_sums(&lamb, cases[c].x, cases[c].depth, t, 5, other);
        for (int j = 0; j < 5; j++) {
            carom_lamb_displacement(&record, t[j], u[j]);
            size = fmax(size, fmax(fabs(u[j][0]), fabs(u[j][1])));
        }
        CHECK(size > 1e-6);
        for (int j = 0; j < 5; j++)
            for (int i = 0; i < 2; i++)
                CHECK_NEAR(u[j][i] / size, other[j][i] / size, 3e-7);
        carom_lamb_close(&record);
    }
}

/* --- symmetries --------------------------------------------------------------------------------------------------- */

static void displacement(const struct carom_lamb *lamb, double x, double depth, double t, double u[2])
{
    struct carom_lamb_record record;
    CHECK_STATUS(carom_lamb_open(&record, lamb, x, depth, t, NULL), CAROM_OK);
    carom_lamb_displacement(&record, t, u);
    carom_lamb_close(&record);
}

/* what a force at A does at B is what a force at B does at A, directions exchanged */
static void test_reciprocity(void)
{
    struct carom_lamb at_a = soil, at_b = soil;
    double u[2], w[2];
    at_a.source_depth = 0.0;
    at_a.force[0] = 0.0;
    at_a.force[1] = 1.0;
    at_b.source_depth = 170.0;
    at_b.force[0] = 1.0;
    at_b.force[1] = 0.0;
    for (double t = 0.1; t < 0.5; t += 0.05) {
        displacement(&at_a, 220.0, 170.0, t, u);
        displacement(&at_b, -220.0, 0.0, t, w);
        CHECK_NEAR(u[0] * 1e12, w[1] * 1e12, 1e-10 * (1.0 + fabs(u[0] * 1e12)));
    }
}

/* the surface is the limit of small depths, and the answer does not feel how the latest time is chosen */
static void test_limits(void)
{
    struct carom_lamb near = soil;
    struct carom_lamb_record longer;
    double u[2], w[2];
    near.source_depth = 1e-6;
    CHECK_STATUS(carom_lamb_open(&longer, &soil, 300.0, 0.0, 2.0, NULL), CAROM_OK);
    for (double t = 0.1; t < 0.45; t += 0.03) {
        displacement(&soil, 300.0, 0.0, t, u);
        displacement(&near, 300.0, 1e-6, t, w);
        CHECK_NEAR(u[0], w[0], 1e-6 * 1e-4);
        CHECK_NEAR(u[1], w[1], 1e-6 * 1e-4);
        carom_lamb_displacement(&longer, t, w);
        CHECK_NEAR(u[0], w[0], 1e-13 * 1e-4);
    }
    carom_lamb_close(&longer);
    displacement(&soil, 300.0, 0.0, 0.02, u); /* before anything has arrived: tails of the wavelet only */
    CHECK_NEAR(u[1], 0.0, 1e-9 * 1e-4);
    double p, s, rayleigh;
    carom_lamb_speeds(&soil, &p, &s, &rayleigh);
    CHECK_NEAR(p / s, sqrt(3.0), 1e-12);
    CHECK_NEAR(rayleigh / s, sqrt(2.0 - 2.0 / sqrt(3.0)), 1e-12);
}

static void test_refusals(void)
{
    struct carom_lamb_record record;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_lamb wrong = soil;
    wrong.poisson = 0.5;
    CHECK_STATUS(carom_lamb_open(&record, &wrong, 1.0, 0.0, 1.0, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "poisson cannot be 0.5");
    CHECK_STATUS(carom_lamb_open(&record, &soil, 0.0, 0.0, 1.0, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "infinite at the source");
    CHECK_STATUS(carom_lamb_open(&record, &soil, 1.0, -1.0, 1.0, &error), CAROM_E_INPUT);
}

/* every path is found for any material and place: branch points lie close together for nu near 1/2 */
static void test_any(void)
{
    static const double nus[] = {-0.9, 0.0, 0.35, 0.4, 0.45, 0.49, 0.499}, sources[] = {0.0, 20.0, 105.0, 300.0};
    static const double places[][2] = {{300.0, 0.0}, {150.0, 259.8}, {0.0, 200.0}, {105.0, 0.0}, {300.0, 105.0}};
    for (size_t i = 0; i < sizeof nus / sizeof *nus; i++)
        for (size_t j = 0; j < sizeof sources / sizeof *sources; j++)
            for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
                struct carom_lamb lamb = soil;
                struct carom_lamb_record record;
                lamb.poisson = nus[i];
                lamb.source_depth = sources[j];
                CHECK_STATUS(carom_lamb_open(&record, &lamb, places[k][0], places[k][1], 0.5, NULL), CAROM_OK);
                carom_lamb_close(&record);
            }
}

int main(void)
{
    test_any();
    test_sums();
    test_reciprocity();
    test_limits();
    test_refusals();
    return check_end();
}
