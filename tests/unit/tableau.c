/* Two-stage tableaux: James, Vorotnikov and Brogliato 2020, sections 3.3, 3.4, A.1. */
#include "scheme/tableau.h"
#include "check.h"

static const double values[] = {0.0, 1e-3, 0.03, 0.1, 0.3, 0.5, 1.0, 4.0};
enum { VALUES = sizeof values / sizeof *values };

/* (58)-(59), (75) and A-stability along the family */
static void check_family(void)
{
    for (size_t i = 0; i < VALUES; i++) {
        const double c = values[i];
        const struct carom_tableau t = carom_tableau_tailored(c);
        struct carom_tableau_report r;
        carom_tableau_report(&t, &r);
        const double size = 1e-13 * (1.0 + c * c) * (1.0 + c * c);
        CHECK_NEAR(r.c11, c, size);
        CHECK_NEAR(r.c22, 2.0 * c + c * c, size);
        CHECK_NEAR(r.c21, c - c * c, size);
        CHECK_NEAR(r.third1, 0.0, size);
        CHECK_NEAR(r.third2, 0.0, size);
        CHECK(r.tailored_order == 3);
        CHECK(r.order == (c == 0.0 ? 4 : 1));
        CHECK_NEAR(r.over[1], 0.5 - 2.0 * c, size);
        CHECK_NEAR(r.over[2], 1.0 / 12.0 - 0.5 * c + 1.5 * c * c, size);
        CHECK_NEAR(r.under[1], -0.5 - 2.0 * c, size);
        CHECK_NEAR(r.under[2], 1.0 / 12.0 + 0.5 * c + 1.5 * c * c, size);
        CHECK(r.a_stable);
    }
}

/* R(z) at z = x + iy */
static void stability(const struct carom_tableau_report *r, double x, double y, double *re, double *im)
{
    const double xx = x * x - y * y, xy = 2.0 * x * y; /* z^2 */
    const double pr = r->over[0] + r->over[1] * x + r->over[2] * xx, pi = r->over[1] * y + r->over[2] * xy;
    const double qr = r->under[0] + r->under[1] * x + r->under[2] * xx, qi = r->under[1] * y + r->under[2] * xy;
    const double s = qr * qr + qi * qi;
    *re = (pr * qr + pi * qi) / s;
    *im = (pi * qr - pr * qi) / s;
}

/* |R| at infinity is least at sqrt(2)/6, where it is 3 - 2 sqrt 2 */
static void check_farthest(void)
{
    double least = 1.0, at = 0.0;
    struct carom_tableau_report r;
    for (double c = 0.0; c < 1.0; c += 1e-4) {
        const struct carom_tableau t = carom_tableau_tailored(c);
        carom_tableau_report(&t, &r);
        if (r.far < least) {
            least = r.far;
            at = c;
        }
    }
    const struct carom_tableau best = carom_tableau_tailored(sqrt(2.0) / 6.0);
    carom_tableau_report(&best, &r);
    printf("|R| at infinity is least at C11 = %.4f: %.6f; at sqrt(2)/6 it is %.6f\n", at, least, r.far);
    CHECK_NEAR(at, sqrt(2.0) / 6.0, 1e-4);
    CHECK_NEAR(r.far, 3.0 - 2.0 * sqrt(2.0), 1e-12);
    CHECK(least >= r.far - 1e-12);
    double re, im;
    stability(&r, -1e9, 1e9, &re, &im);
    CHECK_NEAR(sqrt(re * re + im * im), r.far, 1e-8);
}

/* |R| <= 1 on the imaginary axis and in the left half plane, where the report says so; R is exp to the order given */
static void check_function(void)
{
    for (size_t i = 0; i < VALUES; i++) {
        const struct carom_tableau t = carom_tableau_tailored(values[i]);
        struct carom_tableau_report r;
        carom_tableau_report(&t, &r);
        for (double y = -30.0; y <= 30.0; y += 0.37)
            for (double x = -20.0; x <= 0.0; x += 2.0) {
                double re, im;
                stability(&r, x, y, &re, &im);
                CHECK(re * re + im * im <= 1.0 + 1e-12);
            }
        double re, im, a = 0.02;
        stability(&r, a, 0.0, &re, &im);
        CHECK(im == 0.0);
        if (values[i] == 0.0)
            CHECK_NEAR(re, exp(a), a * a * a * a * a / 360.0);
        else
            CHECK_NEAR(re - exp(a), a * a * values[i], 3.0 * a * a * a * (1.0 + values[i] * values[i]));
    }
}

/* tableaux known from elsewhere */
static void check_known(void)
{
    static const struct {
        const char *name;
        struct carom_tableau tableau;
        int order, tailored;
        bool stable;
        double c11, far;
    } known[] = {
        {"implicit Euler, twice a stage", {0.0, 0.0, 0.0, 0.0, 1.0}, 1, 2, true, 0.5, 0.0},
        {"Crank-Nicolson", {0.5, 0.0, 0.0, 0.5, 0.5}, 2, 2, true, 0.0, 1.0},
        {"Heun (explicit)", {0.5, 0.0, 0.0, 1.0, 0.0}, 2, 2, false, 0.0, HUGE_VAL},
        {"Euler (explicit)", {1.0, 0.0, 0.0, 0.0, 0.0}, 1, 2, false, -0.5, HUGE_VAL},
        {"Radau IIA", {0.75, 5.0 / 12.0, -1.0 / 12.0, 0.75, 0.25}, 3, 3, true, 0.0, 0.0},
        {"Lobatto IIIC", {0.5, 0.5, -0.5, 0.5, 0.5}, 2, 2, true, 0.0, 0.0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct carom_tableau_report r;
        carom_tableau_report(&known[i].tableau, &r);
        printf("%-30s order %d, C11 %.3f, |R| at infinity %g, %s\n", known[i].name, r.order, r.c11, r.far,
               r.a_stable ? "A-stable" : "not A-stable");
        CHECK(r.order == known[i].order);
        CHECK(r.tailored_order == known[i].tailored);
        CHECK(r.a_stable == known[i].stable);
        CHECK_NEAR(r.c11, known[i].c11, 1e-15);
        CHECK_NEAR(r.far, known[i].far, 1e-14);
    }
}

int main(void)
{
    check_family();
    check_farthest();
    check_function();
    check_known();
    return check_end();
}
