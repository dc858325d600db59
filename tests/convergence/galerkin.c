/* Does time-discontinuous Galerkin pay for rigid contacts? A prototype: velocities are polynomials of degree 0, 1 or 2
 * in each step and jump between steps, which with Radau's nodes is Radau IIA of order 1, 3, 5; impulses act at the
 * jumps (Newton's law), on a contact that is closed there or would close in the first half of the step. Measured on
 * the academic problems beside scheme mannshardt. It does not: whatever the degree, impacts are at grid points, so the
 * order is 1; and where they are located, it is Radau IIA with located impacts, which mannshardt has (method: radau).
 * Prints the table of docs/any-order.md. */
#include "carom/carom.h"
#include "check.h"
#include "scheme/tableau_implicit.h"
#include "study/converge/converge.h"
#include "study/follow/academic.h"

enum { SIZES = 60, TEXT = 1000, PROBLEMS = 3 };

static const struct carom_academic problem[PROBLEMS] = {
    {.stop = 0.0, .pull = -10.0, .omega = 0.0, .e = 0.5, .q = 1.0, .v = 0.0},
    {.stop = 0.0, .pull = 0.0, .omega = 1.0, .e = 0.8, .q = 1.0, .v = 0.0},
    {.stop = 0.2, .pull = -0.2, .omega = 1.0, .e = 0.5, .q = 1.0, .v = 0.0},
};
static const double until[PROBLEMS] = {2.0, 10.0, 10.0};
static const char *const name[PROBLEMS] = {"B", "O", "O+"};
static const char *const scene[PROBLEMS] = {
    "bodies: [mechanism: {kind: ball, gravity: 10}]\ncontacts: {e: 0.5}\n",
    "bodies: [mechanism: {kind: oscillator}]\ncontacts: {e: 0.8}\n",
    "bodies: [mechanism: {kind: oscillator, stop: 0.2}]\ncontacts: {e: 0.5}\n",
};

struct outcome {
    double q, v;        /* L1 of errors at the points of the grid */
    double evaluations; /* of the force */
};

/* --- the prototype --------------------------------------------------------------------------------------------- */

/* one step of the smooth motion: x'' = pull - omega^2 x by Radau IIA, whose stages are solved by elimination */
static void galerkin(const struct carom_academic *p, const struct carom_tableau_implicit *t, double h, double *x,
                     double *v)
{
    const size_t n = (size_t)t->stages;
    const double w = p->omega * p->omega;
    double a[3][4] = {{0.0}};
    /* v_i = v + h sum a_ij (pull - w x_j), x_j = x + h sum a_jk v_k: a system for the v_i */
    for (size_t i = 0; i < n; i++) {
        a[i][i] = 1.0;
        a[i][n] = *v;
        for (size_t j = 0; j < n; j++) {
            a[i][n] += h * t->a[i][j] * (p->pull - w * *x);
            for (size_t k = 0; k < n; k++)
                a[i][k] += h * h * w * t->a[i][j] * t->a[j][k];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < n; r++) {
            const double factor = r == i ? 0.0 : a[r][i] / a[i][i];
            for (size_t c = i; c <= n && r != i; c++)
                a[r][c] -= factor * a[i][c];
        }
    double moved = 0.0;
    for (size_t i = 0; i < n; i++)
        moved += h * t->b[i] * a[i][n] / a[i][i];
    *v = a[n - 1][n] / a[n - 1][n - 1]; /* the last node is the end of the step */
    *x += moved;
}

static struct outcome run_galerkin(size_t which, int degree, double h)
{
    const struct carom_academic *p = &problem[which];
    const struct carom_tableau_implicit *t = carom_tableau_implicit_of(true, 2 * degree + 1);
    struct carom_academic_motion motion;
    struct outcome o = {0.0, 0.0, 0.0};
    CHECK_STATUS(carom_academic_open(&motion, p, until[which], NULL), CAROM_OK);
    double x = p->q - p->stop, v = p->v;
    for (size_t k = 1; (double)k * h <= until[which] * (1.0 + 1e-12); k++) {
        double there = x, speed = v;
        if (x + 0.5 * h * v <= 0.0) { /* closed, or closes in the first half of the step */
            speed = v < 0.0 ? -p->e * v : v;
            galerkin(p, t, h, &there, &speed);
            o.evaluations += t->stages;
            if (there <= x && speed <= 0.0) { /* pressed: the contact lasts */
                there = x;
                speed = 0.0;
            }
        } else {
            galerkin(p, t, h, &there, &speed);
            o.evaluations += t->stages;
        }
        x = there;
        v = speed;
        const struct carom_academic_place at = carom_academic_at(&motion, (double)k * h);
        o.q += h * fabs(x + p->stop - at.q);
        o.v += h * fabs(v - at.right);
    }
    carom_academic_close(&motion);
    return o;
}

/* --- mannshardt -------------------------------------------------------------------------------------------------- */

static struct outcome run_mannshardt(size_t which, const char *how, double step)
{
    char text[TEXT];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(text, sizeof text,
             "units: none\ntheory: nonsmooth\n%sstart: [{body: 1, displacement: 1}]\n"
             "run: {until: %g, scheme: mannshardt, %s, step: %.17g}\n",
             scene[which], until[which], how, step);
    struct carom_scene *read = carom_scene_parse("scene", text, strlen(text), NULL, 0, &error);
    CHECK_OR_STOP(read != NULL);
    struct carom_sim *sim = carom_scene_sim(read, &error);
    struct carom_academic_motion motion;
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_academic_open(&motion, &problem[which], until[which], NULL), CAROM_OK);
    struct outcome o = {0.0, 0.0, 0.0};
    double last = 0.0;
    while (!carom_sim_ended(sim)) {
        CHECK_STATUS(carom_sim_step(sim, 1, NULL), CAROM_OK);
        const double time = sim->state->time, place = time / step;
        if (fabs(place - round(place)) > 1e-9)
            continue;
        const struct carom_academic_place at = carom_academic_at(&motion, time);
        o.q += (time - last) * fabs(sim->state->q[0] - at.q);
        o.v += (time - last) * fabs(sim->state->v[0] - at.right);
        last = time;
    }
    o.evaluations = (double)sim->stepper->counts.evaluations;
    carom_academic_close(&motion);
    carom_sim_free(sim);
    carom_scene_free(read);
    return o;
}

/* --- work over precision -------------------------------------------------------------------------------------- */

struct line {
    double order, evaluations; /* for an error of 1e-4 of q */
};

/* the order in q and the evaluations that an error of 1e-4 takes, by a straight line through many steps */
static struct line measure(size_t which, int degree, const char *how, double from, double to)
{
    double h[SIZES], e[SIZES], work[SIZES], x = 0.0, y = 0.0;
    const size_t n = how ? 12 : SIZES;
    for (size_t i = 0; i < n; i++) {
        h[i] = from * pow(to / from, (double)i / (double)(n - 1));
        const struct outcome o = how ? run_mannshardt(which, how, h[i]) : run_galerkin(which, degree, h[i]);
        e[i] = o.q;
        work[i] = o.evaluations * h[i];
        x += log(h[i]) / (double)n;
        y += log(e[i]) / (double)n;
    }
    struct line line = {carom_converge_slope(h, e, n, 0), 0.0};
    const double wanted = exp(x + (log(1e-4) - y) / line.order);
    for (size_t i = 0; i < n; i++)
        line.evaluations += work[i] / (double)n / wanted;
    return line;
}

/* without a stop in the way the prototype has the orders 1, 3, 5 */
static void check_smooth(int degree)
{
    const struct carom_tableau_implicit *t = carom_tableau_implicit_of(true, 2 * degree + 1);
    double e[2];
    for (int i = 0; i < 2; i++) {
        const int steps = degree == 0 ? 200 << i : 20 << i;
        double x = 1.0, v = 0.0;
        for (int k = 0; k < steps; k++)
            galerkin(&problem[1], t, 1.0 / steps, &x, &v);
        e[i] = fabs(x - cos(1.0));
    }
    CHECK_NEAR(log(e[0] / e[1]) / log(2.0), 2.0 * degree + 1.0, 0.1);
}

int main(void)
{
    printf("L1 of q: order, and force evaluations for 1e-4\n%-22s", "");
    for (size_t which = 0; which < PROBLEMS; which++)
        printf("%8s", name[which]);
    printf("\n");
    for (int degree = 0; degree <= 2; degree++) {
        printf("galerkin, degree %d    ", degree);
        check_smooth(degree);
        for (size_t which = 0; which < PROBLEMS; which++) {
            const struct line line = measure(which, degree, NULL, 0.0137, 0.000113);
            printf("  %.2f %8.0f", line.order, line.evaluations);
            CHECK(line.order > 0.75 && line.order < 1.35);
        }
        printf("\n");
    }
    static const char *const how[] = {"method: radau, order: 3", "order: 4", "order: 6"};
    for (size_t k = 0; k < 3; k++) {
        printf("%-22s", how[k]);
        for (size_t which = 0; which < PROBLEMS; which++) {
            const struct line line = measure(which, 0, how[k], k == 0 ? 0.1 : 0.4, k == 0 ? 0.01 : 0.1);
            printf("  %.2f %8.0f", line.order, line.evaluations);
            CHECK(line.evaluations < 0.1 * measure(which, 1, NULL, 0.0137, 0.000113).evaluations);
        }
        printf("\n");
    }
    CHECK_MAIN_END;
}
