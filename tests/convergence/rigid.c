/* Observed orders of time stepping on the ball B and the oscillator O, in the L1 norm over the steps, fitted over many
 * steps that have nothing in common with the impact times. Both are 1 (Acary 2009). References are closed forms. */
#include "rigid.h"

/* ball: falls from 1 under 10, e = 1/2; T = 2 is beyond the accumulation at 3 / sqrt 5 */
static void ball(double t, double *q, double *v)
{
    const double g = 10.0, e = 0.5;
    double begin = 0.0, speed = sqrt(2.0 * g), length = sqrt(2.0 / g);
    if (t < length) {
        *q = 1.0 - 0.5 * g * t * t;
        *v = -g * t;
        return;
    }
    begin = length;
    for (int bounce = 0; bounce < 60; bounce++) {
        speed *= e;
        length = 2.0 * speed / g;
        if (t < begin + length) {
            const double s = t - begin;
            *q = speed * s - 0.5 * g * s * s;
            *v = speed - g * s;
            return;
        }
        begin += length;
    }
    *q = *v = 0.0;
}

/* oscillator: q'' = -q, q >= 0, e = .8, starts at 1 */
static void oscillator(double t, double *q, double *v)
{
    const double half = 1.5707963267948966, turn = 3.1415926535897932;
    if (t < half) {
        *q = cos(t);
        *v = -sin(t);
        return;
    }
    double speed = 0.8, begin = half;
    for (; t >= begin + turn; begin += turn)
        speed *= 0.8;
    *q = speed * sin(t - begin);
    *v = speed * cos(t - begin);
}

struct problem {
    const char *name;
    struct row row;
    double until;
    void (*exact)(double t, double *q, double *v);
};

static const double one[1] = {1.0};

static const struct problem problems[] = {
    {"ball", {.n = 1, .left = true, .e_all = 0.5, .gravity = -10.0}, 2.0, ball},
    {"oscillator", {.n = 1, .left = true, .e_all = 0.8, .spring = one}, 10.0, oscillator},
};

/* L1 errors of one run */
static void errors(const struct problem *p, const struct carom_scheme *scheme, double h, double *q, double *v)
{
    struct play play = play_begin(row_model(&p->row), scheme, h);
    CHECK_STATUS(play_start(&play, scheme, one, NULL, NULL), CAROM_OK);
    *q = *v = 0.0;
    while (carom_state_until(play.state, p->until) > 0.0) {
        const double before = play.state->time;
        double place, speed;
        CHECK_OR_STOP(play_steps(&play, 1, p->until, NULL) == CAROM_OK);
        scheme->sync(play.stepper, play.state, play.view);
        p->exact(play.state->time, &place, &speed);
        *q += (play.state->time - before) * fabs(play.view->q[0] - place);
        *v += (play.state->time - before) * fabs(play.view->v[0] - speed);
    }
    play_close(&play);
}

static void check_order(const struct problem *p, const struct carom_scheme *scheme)
{
    enum { RUNS = 150 };
    double x[RUNS], y[2][RUNS], mean[3] = {0.0}, top[2] = {0.0}, bottom = 0.0;
    for (int k = 0; k < RUNS; k++) {
        double q, v;
        const double h = 0.01 * pow(1e-2, (double)k / RUNS) * (1.0 + 0.1 * sin(11.3 * k));
        errors(p, scheme, h, &q, &v);
        x[k] = log(h);
        y[0][k] = log(v);
        y[1][k] = log(q);
        mean[0] += y[0][k] / RUNS;
        mean[1] += y[1][k] / RUNS;
        mean[2] += x[k] / RUNS;
    }
    for (int k = 0; k < RUNS; k++) {
        top[0] += (x[k] - mean[2]) * (y[0][k] - mean[0]);
        top[1] += (x[k] - mean[2]) * (y[1][k] - mean[1]);
        bottom += (x[k] - mean[2]) * (x[k] - mean[2]);
    }
    printf("%-16s %-10s orders %.3f (v) %.3f (q), errors at h = 1e-4 about %.1e %.1e\n", scheme->kind.name, p->name,
           top[0] / bottom, top[1] / bottom, exp(y[0][RUNS - 1]), exp(y[1][RUNS - 1]));
    CHECK_NEAR(top[0] / bottom, 1.0, 0.1); /* the constant oscillates with (impact time mod h) */
    CHECK_NEAR(top[1] / bottom, 1.0, 0.1);
}

int main(void)
{
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        check_order(&problems[i], &carom_scheme_moreau_jean);
        check_order(&problems[i], &carom_scheme_schatzman_paoli);
    }
    return check_end();
}
