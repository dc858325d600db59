/* Scheme rattle on small bodies: momentum, angular momentum, energy as dt^2 without drift, reversibility, order 2,
 * free rotation against Jacobi's elliptic functions, the fixed point beyond its bound, refusal of unstable steps. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "scheme/solid/rattle_turn.h"
#include "solids.h"

/* a body thrown with random velocities and spins; the model owns it */
struct throw
{
    struct carom_model *model;
    const struct carom_solid *solid;
    struct carom_stepper *stepper;
    struct carom_state *state, *view;
    void *options;
};

static void throw_free(struct throw *t)
{
    carom_stepper_free(t->stepper);
    carom_state_free(t->state);
    carom_state_free(t->view);
    carom_options_free(t->options);
    carom_model_free(t->model);
}

static void rest(const struct carom_solid *s, double *q)
{
    for (size_t i = 0; i < s->n; i++)
        q[s->wide * i + (s->dimension == 3 ? 3 : 2)] = 1.0;
}

static void throw_body(struct throw *t, struct carom_solid *s, double step, double speed, uint64_t seed)
{
    struct carom_random random;
    carom_random_start(&random, seed);
    CHECK_OR_STOP(s != NULL);
    *t = (struct throw){.model = carom_model_create(), .solid = s};
    const struct carom_part *part = s->dimension == 3 ? &carom_part_solid : &carom_part_solid_plane;
    CHECK_OR_STOP(t->model && carom_model_add(t->model, part, s, NULL) == CAROM_OK);
    CHECK_OR_STOP(carom_model_finish(t->model, NULL) == CAROM_OK);
    t->options = carom_options_create(&carom_scheme_rattle.kind);
    CHECK_OR_STOP(carom_options_set(&carom_scheme_rattle.kind, t->options, "step", step, NULL) == CAROM_OK);
    const struct carom_scales scales = {1.0, 1.0, 1.0};
    struct carom_error error = {CAROM_OK, ""};
    t->stepper = carom_stepper_create(&carom_scheme_rattle, t->model, t->options, &scales, NULL, &error);
    if (!t->stepper)
        fprintf(stderr, "%s\n", error.text);
    t->state = carom_state_create(t->model, carom_stepper_memory(&carom_scheme_rattle, t->model, t->options));
    t->view = carom_state_create(t->model, 0);
    CHECK_OR_STOP(t->stepper && t->state && t->view);
    rest(s, t->state->q);
    for (size_t i = 0; i < t->model->nv; i++)
        t->state->v[i] = speed * carom_random_normal(&random);
    CHECK_OR_STOP(carom_scheme_rattle.start(t->stepper, t->state, NULL) == CAROM_OK);
}

static void fly(struct throw *t, double until)
{
    const struct carom_bound bound = {.t_stop = until, .t_dense = HUGE_VAL, .steps = SIZE_MAX};
    struct carom_error error = {CAROM_OK, ""};
    const enum carom_status status = carom_scheme_rattle.step(t->stepper, t->state, &bound, &error);
    if (status != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(status == CAROM_OK);
}

static double energy(struct throw *t)
{
    struct carom_ledger ledger;
    carom_scheme_rattle.sync(t->stepper, t->state, t->view);
    carom_balance_read(t->model, t->view, NULL, &ledger);
    return ledger.kinetic + ledger.stored;
}

/* momentum and angular momentum about the origin */
static void momenta(const struct throw *t, double p[3], double l[3])
{
    const struct carom_solid *s = t->solid;
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    for (size_t i = 0; i < s->n; i++) {
        double x[3], m[3] = {0.0, 0.0, 0.0}, moment[3];
        const double *v = t->state->v + s->fast * i, zero[3] = {0.0, 0.0, 0.0};
        carom_solid_moved(s, t->state->q, i, zero, x);
        for (int k = 0; k < s->dimension; k++)
            p[k] += m[k] = carom_solid_sort_of(s, i)->mass * v[k];
        carom_vec_cross(x, m, moment);
        for (int k = 0; k < 3; k++)
            l[k] += moment[k] + (s->dimension == 3 ? v[3 + k] : k == 2 ? v[2] : 0.0);
    }
}

static struct carom_solid *body(int which)
{
    static const double origin[3] = {-0.4, 0.2, 0.1}, size[3] = {1.2, 0.8, 0.9};
    const struct carom_solid_material m = {1.0, 0.25, 1.0};
    const size_t count[3] = {4, 3, which == 0 ? 2 : 1};
    if (which == 2)
        return carom_solid_cylinder(6, 3, 1.0, 2.0, 0.3, origin, &m, NULL);
    if (which == 3)
        return solid_voronoi((const double[]){1.8, 1.2, 1.35}, 24, 5, &m);
    return carom_solid_box(which == 0 ? CAROM_SOLID_SPACE : CAROM_SOLID_STRAIN, count, size, origin, 1.0, &m, NULL);
}

static void check_conservation(int which)
{
    struct throw t;
    double p0[3], l0[3], p1[3], l1[3], drift[3], worst[3] = {0.0, 0.0, 0.0};
    const double steps[3] = {0.04, 0.02, 0.01};
    for (int k = 0; k < 3; k++) {
        throw_body(&t, body(which), steps[k], 0.03, 7);
        momenta(&t, p0, l0);
        const double start = energy(&t);
        double early = 0.0, late = 0.0;
        for (int i = 1; i <= 400; i++) {
            fly(&t, 0.5 * i);
            const double off = energy(&t) / start - 1.0;
            worst[k] = fmax(worst[k], fabs(off));
            *(i <= 200 ? &early : &late) += off / 200.0;
        }
        drift[k] = late - early;
        momenta(&t, p1, l1);
        double size = 0.0;
        for (int i = 0; i < 3; i++)
            size = fmax(size, fabs(p0[i]));
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(p1[i], p0[i], 1e-12 * size);
            CHECK_NEAR(l1[i], l0[i], 1e-11 * size);
        }
        throw_free(&t);
    }
    printf("body %d: energy off by %.2e %.2e %.2e, drift %.1e %.1e %.1e\n", which, worst[0], worst[1], worst[2],
           drift[0], drift[1], drift[2]);
    CHECK(worst[2] > 0.0 && worst[0] / worst[1] > 3.0 && worst[0] / worst[1] < 5.0);
    CHECK(worst[1] / worst[2] > 3.0 && worst[1] / worst[2] < 5.0);
    CHECK(fabs(drift[2]) < 0.1 * worst[2]);
}

/* damping by stiffness is internal: a body that spins and vibrates loses energy, and neither momentum */
static void check_damped(int which)
{
    struct throw t;
    double p0[3], l0[3], p1[3], l1[3], size = 0.0;
    struct carom_solid *s = body(which);
    CHECK_OR_STOP(s != NULL);
    s->damping_stiffness = 0.02;
    throw_body(&t, s, 0.02, 0.1, 13);
    momenta(&t, p0, l0);
    const double start = energy(&t);
    fly(&t, 40.0);
    momenta(&t, p1, l1);
    const double left = energy(&t) / start;
    printf("body %d, damped: %.3f of the energy is left\n", which, left);
    CHECK(left > 0.0 && left < 0.9);
    for (int i = 0; i < 3; i++)
        size = fmax(size, fmax(fabs(p0[i]), fabs(l0[i])));
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(p1[i], p0[i], 1e-12 * size);
        CHECK_NEAR(l1[i], l0[i], 1e-12 * size);
    }
    throw_free(&t);
}

static void check_reversibility(int which)
{
    struct throw t;
    throw_body(&t, body(which), 0.03, 0.03, 11);
    double *q = carom_memory_zeroed(t.model->nq, sizeof *q);
    CHECK_OR_STOP(q != NULL);
    memcpy(q, t.state->q, t.model->nq * sizeof *q);
    fly(&t, 60.0);
    for (size_t i = 0; i < t.model->nv; i++)
        t.state->v[i] = -t.state->v[i];
    fly(&t, 120.0);
    double worst = 0.0;
    for (size_t i = 0; i < t.model->nq; i++)
        worst = fmax(worst, fabs(t.state->q[i] - q[i]));
    printf("body %d: back within %.1e\n", which, worst);
    CHECK_NEAR(worst, 0.0, 1e-10);
    carom_memory_free(q);
    throw_free(&t);
}

static void check_order(int which)
{
    struct throw t;
    double *q[4];
    for (int k = 0; k < 4; k++) {
        throw_body(&t, body(which), 0.08 / (1 << (k < 3 ? k : 5)), 0.03, 13);
        fly(&t, 4.0);
        carom_scheme_rattle.sync(t.stepper, t.state, t.view);
        q[k] = carom_memory_zeroed(t.model->nq, sizeof(double));
        CHECK_OR_STOP(q[k] != NULL);
        memcpy(q[k], t.view->q, t.model->nq * sizeof(double));
        if (k < 3)
            throw_free(&t);
    }
    double error[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < t.model->nq; i++)
        for (int k = 0; k < 3; k++)
            error[k] = fmax(error[k], fabs(q[k][i] - q[3][i]));
    printf("body %d: order %.3f %.3f\n", which, log2(error[0] / error[1]), log2(error[1] / error[2]));
    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.1);
    CHECK_NEAR(log2(error[1] / error[2]), 2.0, 0.05);
    throw_free(&t);
    for (int k = 0; k < 4; k++)
        carom_memory_free(q[k]);
}

/* sn, cn, dn by descending Landen transformations (arithmetic-geometric means) */
static void jacobi(double u, double m, double *sn, double *cn, double *dn)
{
    double a[16] = {1.0}, c[16] = {sqrt(m)}, b = sqrt(1.0 - m);
    int n = 0;
    for (; n < 14 && fabs(c[n]) > 1e-16; n++) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
    }
    double phi = ldexp(a[n] * u, n), last = phi;
    for (; n > 0; n--) {
        last = phi;
        phi = 0.5 * (phi + asin(c[n] * sin(phi) / a[n]));
    }
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = cos(phi) / cos(last - phi);
}

/* a single free cell: Euler's top. Angular velocities in its own axes against the elliptic functions */
static double spin_error(double step)
{
    const struct carom_solid_material m = {1.0, 0.25, 1.0};
    const double size[3] = {1.0, 2.0, 3.0}, origin[3] = {0.0, 0.0, 0.0};
    struct throw t;
    throw_body(&t, carom_solid_box(CAROM_SOLID_SPACE, (const size_t[]){1, 1, 1}, size, origin, 1.0, &m, NULL), step,
               0.0, 1);
    const double *moment = carom_solid_sort_of(t.solid, 0)->inertia; /* falling */
    const double i1 = moment[2], i2 = moment[1], i3 = moment[0];     /* rising */
    double w[3] = {0.5, 0.0, 0.8};                                   /* about i1, i2, i3 */
    CHECK_OR_STOP(i1 < i2 && i2 < i3);
    t.state->v[3] = w[2];
    t.state->v[4] = w[1];
    t.state->v[5] = w[0];
    CHECK_OR_STOP(carom_scheme_rattle.start(t.stepper, t.state, NULL) == CAROM_OK);
    const double twice = i1 * w[0] * w[0] + i3 * w[2] * w[2];
    const double square = i1 * i1 * w[0] * w[0] + i3 * i3 * w[2] * w[2];
    CHECK_OR_STOP(square > twice * i2);
    const double rate = sqrt((i3 - i2) * (square - twice * i1) / (i1 * i2 * i3));
    const double m2 = (i2 - i1) * (twice * i3 - square) / ((i3 - i2) * (square - twice * i1));
    double worst = 0.0;
    for (int i = 1; i <= 50; i++) {
        const double time = 0.37 * i;
        double sn, cn, dn;
        fly(&t, time);
        carom_scheme_rattle.sync(t.stepper, t.state, t.view);
        jacobi(rate * time, m2, &sn, &cn, &dn);
        worst = fmax(worst, fabs(t.view->v[5] - w[0] * cn));
        worst = fmax(worst, fabs(t.view->v[3] - w[2] * dn));
        worst = fmax(worst, fabs(fabs(t.view->v[4]) - fabs(sqrt((twice * i3 - square) / (i2 * (i3 - i2))) * sn)));
    }
    throw_free(&t);
    return worst;
}

static void check_turn(uint64_t seed)
{
    struct carom_random random;
    carom_random_start(&random, seed);
    for (int trial = 0; trial < 2000; trial++) {
        double edge[3], inertia[3], x[3], e[4], total = 0.0;
        for (int k = 0; k < 3; k++)
            edge[k] = 0.2 + carom_random_uniform(&random);
        for (int k = 0; k < 3; k++)
            inertia[k] = edge[(k + 1) % 3] * edge[(k + 1) % 3] + edge[(k + 2) % 3] * edge[(k + 2) % 3];
        for (int k = 0; k < 3; k++) {
            x[k] = inertia[k] * carom_random_normal(&random);
            total += fabs(x[k]) / inertia[k];
        }
        const double inverse[3] = {1.0 / inertia[0], 1.0 / inertia[1], 1.0 / inertia[2]};
        const double aim = 0.8 * carom_random_uniform(&random);
        for (int k = 0; k < 3; k++)
            x[k] *= aim / total;
        CHECK(carom_rattle_turn_solve(inertia, inverse, x, e));
        double rest_of = e[0] * e[0] - 1.0;
        for (int k = 0; k < 3; k++) {
            const int j = (k + 1) % 3, l = (k + 2) % 3;
            CHECK_NEAR(2.0 * inertia[k] * e[0] * e[k + 1] + 2.0 * (inertia[l] - inertia[j]) * e[j + 1] * e[l + 1], x[k],
                       1e-14);
            rest_of += e[k + 1] * e[k + 1];
        }
        CHECK_NEAR(rest_of, 0.0, 1e-15);
    }
    const double inertia[3] = {1.0, 1.25, 1.6}, inverse[3] = {1.0, 0.8, 0.625}, far[3] = {3.0, 2.0, 2.0};
    double e[4];
    CHECK(!carom_rattle_turn_solve(inertia, inverse, far, e));
}

static void check_refusal(void)
{
    struct throw t;
    struct carom_error error = {CAROM_OK, ""};
    throw_body(&t, body(0), 0.01, 0.01, 3);
    double omega;
    CHECK_STATUS(carom_solid_frequency(t.solid, NULL, NULL, &omega, NULL), CAROM_OK);
    const double limit = 2.0 / omega;
    const struct carom_scales scales = {1.0, 1.0, 1.0};
    CHECK(carom_options_set(&carom_scheme_rattle.kind, t.options, "step", 1.01 * limit, NULL) == CAROM_OK);
    CHECK(carom_stepper_create(&carom_scheme_rattle, t.model, t.options, &scales, NULL, &error) == NULL);
    CHECK(error.status == CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "largest stable");
    throw_free(&t);
    throw_body(&t, body(0), 0.98 * limit, 1e-6, 3); /* and the limit is a limit: just below it nothing grows */
    const double start = energy(&t);
    fly(&t, 3000.0 * limit);
    CHECK(energy(&t) < 60.0 * start);
    throw_free(&t);
}

/* The same bits by every compiler, and the same rounds, which may change the last of them. Where a change of the way is
 * meant, this is the hash that is printed. */
static void check_turn_bits(void)
{
    struct carom_random random;
    uint64_t hash = 1, bits;
    carom_random_start(&random, 5);
    for (int trial = 0; trial < 2000; trial++) {
        double inertia[3], inverse[3], moment[3], e[4];
        const double size = trial % 2 ? 0.02 : 0.4;
        for (int k = 0; k < 3; k++) {
            inertia[k] = 1.0 + 0.8 * carom_random_uniform(&random);
            inverse[k] = 1.0 / inertia[k];
            moment[k] = size * (carom_random_uniform(&random) - 0.5);
        }
        CHECK(carom_rattle_turn_solve(inertia, inverse, moment, e));
        for (int k = 0; k < 4; k++) {
            memcpy(&bits, &e[k], sizeof bits);
            hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 29;
        }
    }
    if (hash != 0xb8280b860b6d6a4fu)
        fprintf(stderr, "turns have the hash 0x%016" PRIx64 "\n", hash);
    CHECK(hash == 0xb8280b860b6d6a4fu);
}

int main(void)
{
    for (int which = 0; which < 4; which++) {
        check_conservation(which);
        check_damped(which);
        check_reversibility(which);
        check_order(which);
    }
    const double coarse = spin_error(0.02), fine = spin_error(0.01);
    printf("free rotation: %.2e, %.2e\n", coarse, fine);
    CHECK_NEAR(log2(coarse / fine), 2.0, 0.05);
    CHECK(fine < 1e-3);
    check_turn(5);
    check_turn_bits();
    check_refusal();
    return check_end();
}
