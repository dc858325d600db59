/* Small motion of pressed and driven chains against closed forms: normal modes of a Hertz chain pressed between walls,
 * the speed of long waves on it, a linear chain driven below its band edge and above it. */
#include "check.h"

#include "loads.h"

static const double pi = 3.14159265358979323846;

/* A mode of N beads between fixed walls has the frequency 2 sqrt(K/m) sin(pi j / (2 (N + 1))), K the tangent stiffness
 * 3/2 k^(2/3) F^(1/3). */
static void check_mode(size_t n, size_t mode, double force)
{
    struct rig rig = {.n = n, .left_wall = true, .right_wall = true, .p = 1.5};
    for (size_t i = 0; i < n; i++)
        rig.mass[i] = 2.0;
    for (size_t j = 0; j <= n; j++)
        rig.k[j] = 3.0;
    struct carom_model *model = rig_model(&rig);
    double q[RIG_BEADS], v[RIG_BEADS] = {0.0}, rest[RIG_BEADS];
    CHECK_STATUS(carom_static_press(model, 0, n, force, rest, NULL), CAROM_OK);
    const double small = 1e-7 * pow(force / 3.0, 2.0 / 3.0), turn = pi * (double)mode / (double)(n + 1);
    for (size_t i = 0; i < n; i++)
        q[i] = rest[i] + small * sin(turn * (double)(i + 1));
    const double stiffness = 1.5 * pow(3.0, 2.0 / 3.0) * cbrt(force);
    const double w = 2.0 * sqrt(stiffness / 2.0) * sin(0.5 * turn), until = 7.3 / w;
    struct rig_run run;
    CHECK_OR_STOP(rig_open(&run, model, &carom_scheme_dp5, 1e-7, q, v, NULL));
    CHECK_STATUS(rig_go(&run, until, NULL), CAROM_OK);
    double part = 0.0, norm = 0.0;
    for (size_t i = 0; i < n; i++) {
        part += (run.view->q[i] - rest[i]) * sin(turn * (double)(i + 1));
        norm += small * sin(turn * (double)(i + 1)) * sin(turn * (double)(i + 1));
    }
    printf("mode %zu of %zu: %.9f, closed form %.9f\n", mode, n, part / norm, cos(w * until));
    CHECK_NEAR(part / norm, cos(w * until), 2e-6);
    rig_close(&run);
}

/* A long smooth pulse on a pressed chain goes sqrt(K/m) beads per unit of time, less (its wave number)^2/8 */
static void check_speed(void)
{
    enum { N = RIG_BEADS };
    struct rig rig = {.n = N, .left_wall = true, .right_wall = true, .p = 1.5};
    for (size_t i = 0; i < N; i++)
        rig.mass[i] = 1.0;
    for (size_t j = 0; j <= N; j++)
        rig.k[j] = 1.0;
    struct carom_model *model = rig_model(&rig);
    double rest[N], q[N], v[N];
    CHECK_STATUS(carom_static_press(model, 0, N, 1.0, rest, NULL), CAROM_OK);
    const double speed = sqrt(1.5), width = 6.0, size = 1e-6;
    for (size_t i = 0; i < N; i++) { /* running to the right */
        const double x = ((double)i - 20.0) / width;
        q[i] = rest[i] + size * exp(-x * x);
        v[i] = size * speed * 2.0 * x / width * exp(-x * x);
    }
    struct rig_run run;
    CHECK_OR_STOP(rig_open(&run, model, &carom_scheme_dp5, 1e-7, q, v, NULL));
    const double until = 18.0;
    CHECK_STATUS(rig_go(&run, until, NULL), CAROM_OK);
    double sum = 0.0, middle = 0.0;
    for (size_t i = 0; i < N; i++) {
        const double u = run.view->q[i] - rest[i];
        sum += u * u;
        middle += u * u * (double)i;
    }
    const double measured = (middle / sum - 20.0) / until;
    printf("speed of a long wave %.5f, sqrt(K/m) = %.5f\n", measured, speed);
    CHECK_NEAR(measured / speed, 1.0 - 1.0 / (8.0 * width * width), 3e-3);
    rig_close(&run);
}

/* a linear chain whose first bead is driven; pressed, so that contacts never open */
static struct carom_model *linear(size_t n, double frequency, double phase, double *rest)
{
    struct rig rig = {.n = n, .right_wall = true, .p = 1.0};
    for (size_t i = 0; i < n; i++)
        rig.mass[i] = 1.0;
    for (size_t j = 0; j <= n; j++)
        rig.k[j] = 1.0;
    rig.drive[rig.ndrives++] = (struct carom_drive){
        0, {.shape = CAROM_SHAPE_SINE, .amplitude = 1e-3, .frequency = frequency, .phase = phase}, 0.0};
    struct carom_model *model = rig_model(&rig);
    CHECK_STATUS(carom_static_press(model, 0, n, 1.0, rest, NULL), CAROM_OK);
    const double start = carom_signal_value(&rig.drive[0].place, 0.0);
    for (size_t i = 1; i < n; i++) /* the equilibrium is that of the driven bead at 0 */
        rest[i] -= start;
    return model;
}

/* Above the band edge w = 2 cosh(kappa/2), bead i moves like (-e^-kappa)^i: a chain that starts so goes on so. */
static void check_stop_band(double above)
{
    enum { N = 50 };
    double rest[N], q[N], v[N] = {0.0};
    const double w = 2.0 * above, kappa = 2.0 * acosh(above), phase = 0.5 * pi; /* velocities are 0 at the start */
    struct rig_run run;
    struct carom_model *model = linear(N, w / (2.0 * pi), phase, rest);
    struct carom_beads *beads = model->member[0].own;
    for (size_t k = 0; k < beads->ndrives; k++) /* the wall was placed for the driven bead at its start */
        if (beads->drive[k].which < 0)
            beads->drive[k].offset -= 1e-3;
    for (size_t i = 0; i < N; i++)
        q[i] = rest[i] + 1e-3 * pow(-exp(-kappa), (double)i);
    CHECK_OR_STOP(rig_open(&run, model, &carom_scheme_dp5, 1e-10, q, v, NULL));
    const double until = 40.3;
    CHECK_STATUS(rig_go(&run, until, NULL), CAROM_OK);
    for (size_t i = 0; i < 12; i++)
        CHECK_NEAR((run.view->q[i] - (i > 0 ? rest[i] : 0.0)) / 1e-3, pow(-exp(-kappa), (double)i) * cos(w * until),
                   1e-7);
    printf("%.2f times the band edge: bead 1 moves %.6f of the drive, closed form %.6f\n", above,
           (run.view->q[1] - rest[1]) / (1e-3 * cos(w * until)), -exp(-kappa));
    rig_close(&run);
}

/* Below it the same amplitude arrives everywhere, late by kappa per bead, w = 2 sin(kappa/2). */
static void check_pass_band(double below)
{
    enum { N = RIG_BEADS, AT = 15 };
    double rest[N], v[N] = {0.0};
    const double w = 2.0 * below, kappa = 2.0 * asin(below);
    struct rig_run run;
    CHECK_OR_STOP(rig_open(&run, linear(N, w / (2.0 * pi), 0.0, rest), &carom_scheme_dp5, 1e-7, rest, v, NULL));
    const double from = 55.0, period = 2.0 * pi / w; /* the front has passed, its echo is not back */
    double as_sine = 0.0, as_cosine = 0.0;
    const int samples = 400, periods = (int)(35.0 / period);
    for (int i = 0; i < samples; i++) {
        const double t = from + periods * period * i / samples;
        CHECK_STATUS(rig_go(&run, t, NULL), CAROM_OK);
        const double u = (run.view->q[AT] - rest[AT]) / 1e-3;
        as_sine += 2.0 / samples * u * sin(w * t - kappa * AT);
        as_cosine += 2.0 / samples * u * cos(w * t - kappa * AT);
    }
    printf("%.2f of the band edge: bead %d moves %.4f of the drive, late by its phase + %.4f\n", below, AT, as_sine,
           as_cosine);
    CHECK_NEAR(as_sine, 1.0, 0.03);
    CHECK_NEAR(as_cosine, 0.0, 0.05);
    rig_close(&run);
}

int main(void)
{
    check_mode(20, 1, 1.0);
    check_mode(20, 7, 0.01);
    check_mode(33, 33, 5.0);
    check_speed();
    check_pass_band(0.3);
    check_pass_band(0.6);
    check_stop_band(1.05);
    check_stop_band(1.5);
    CHECK_MAIN_END;
}
