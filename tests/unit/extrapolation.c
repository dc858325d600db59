/* Extrapolated midpoint steps: a pendulum-like system with a known solution, the order, a rate without a value. */
#include "solve/extrapolation.h"

#include "check.h"

/* y = (sin, cos) of the angle t^2 / 2, and the growth exp(t) beside it */
static void chirp(const void *own, double t, const double *y, double *rate)
{
    (void)own;
    rate[0] = t * y[1];
    rate[1] = -t * y[0];
    rate[2] = y[2];
}

static void ends_at_one(const void *own, double t, const double *y, double *rate)
{
    (void)own;
    (void)y;
    rate[0] = t < 1.0 ? sqrt(1.0 - t) : nan("");
}

int main(void)
{
    struct carom_extrapolation system = {.n = 3, .rate = chirp, .tolerance = 1e-14, .scale = {1.0, 1.0, 20.0}};
    double y[3] = {0.0, 1.0, 1.0}, t = 0.0, h = 0.1;
    int steps = 0;
    for (; t < 3.0 && steps < 100; steps++)
        CHECK_STATUS(carom_extrapolation_advance(&system, 3.0, &t, &h, y, NULL), CAROM_OK);
    CHECK(t == 3.0 && steps < 20);
    CHECK_NEAR(y[0], sin(4.5), 1e-13);
    CHECK_NEAR(y[1], cos(4.5), 1e-13);
    CHECK_NEAR(y[2], exp(3.0), 2e-12);
    for (h = -0.1; t > 0.0 && steps < 100; steps++) /* and back */
        CHECK_STATUS(carom_extrapolation_advance(&system, 0.0, &t, &h, y, NULL), CAROM_OK);
    CHECK_NEAR(y[0], 0.0, 1e-13);
    CHECK_NEAR(y[2], 1.0, 1e-13);

    /* one long step against half of it: order 14 at least, so the error falls by about 2^15 */
    const double start[3] = {0.0, 1.0, 1.0};
    double once[3], half[3];
    carom_extrapolation_step(&system, 0.0, 2.5, start, once);
    carom_extrapolation_step(&system, 0.0, 1.25, start, half);
    const double coarse = fabs(once[0] - sin(3.125)), fine = fabs(half[0] - sin(0.78125));
    CHECK(coarse > 1e-9 && coarse / fine > 1e4);

    system = (struct carom_extrapolation){.n = 1, .rate = ends_at_one, .tolerance = 1e-12, .scale = {1.0}};
    struct carom_error error = {.status = CAROM_OK};
    enum carom_status status = CAROM_OK;
    y[0] = t = 0.0;
    h = 0.5;
    for (steps = 0; status == CAROM_OK && steps < 1000; steps++)
        status = carom_extrapolation_advance(&system, 2.0, &t, &h, y, &error);
    CHECK(status == CAROM_E_NUMERIC);
    CHECK_NEAR(t, 1.0, 1e-6);
    CHECK_NEAR(y[0], 2.0 / 3.0, 1e-8);
    CHECK_CONTAINS(error.text, "small enough");
    return check_end();
}
