/* Scheme rattle keeps what scheme.h promises, on bodies with all that it must handle: never past t_stop, as many
 * steps as allowed, a failure leaves the state, a copied state goes on with the same bits, looking changes nothing,
 * one and two threads give the same bits, dense output meets both ends and has its order, the ledger closes with
 * damping and loads. */
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "carom/carom.h"
#include "check.h"
#include "model/motion.h"
#include "model/solid/solid.h"
#include "solids.h"

struct trial {
    struct carom_model *model;
    const struct carom_solid *solid;
    struct carom_stepper *stepper;
    struct carom_state *state, *view;
    void *options;
    double energy;
};

enum { BODIES = 5 };

/* what is put onto the bodies: all kinds of loads, holds, drives, damping */
static void load(struct carom_solid *s, int which)
{
    uint32_t face[64];
    const size_t faces = carom_solid_faces(s, which == 4 ? CAROM_SOLID_OUTSIDE : CAROM_SOLID_RIGHT, 0, NULL, face);
    const struct carom_solid_load pull = {.push = which == 1 ? CAROM_SOLID_TRACTION : CAROM_SOLID_PRESSURE,
                                          .vector = {0.02, 0.01, 0.0},
                                          .signal = {CAROM_SHAPE_HALF_SINE, 1.0, 0.31, 1.7, 0, 0, 0, 0, NULL, NULL},
                                          .count = faces,
                                          .at = face};
    const struct carom_solid_load push = {.push = CAROM_SOLID_FORCE,
                                          .vector = {0.0, 0.01, 0.0},
                                          .signal = {CAROM_SHAPE_STEP, 1.0, 0.52, 0, 0, 0, 0, 0, NULL, NULL},
                                          .count = 2,
                                          .at = (uint32_t[]){0, 1}};
    const struct carom_solid_load twist = {.push = CAROM_SOLID_MOMENT,
                                           .vector = {0.001, 0.0, 0.002},
                                           .signal = {CAROM_SHAPE_SINE, 1.0, 0, 0, 0.4, 0, 0, 0, NULL, NULL},
                                           .count = 1,
                                           .at = (uint32_t[]){1}};
    const struct carom_solid_hold clamp = {.mask = 63U, .count = 1, .cell = (uint32_t[]){2}};
    const struct carom_solid_hold drive = {.mask = 2U,
                                           .driven = true,
                                           .vector = {0.0, 0.02, 0.0},
                                           .signal = {CAROM_SHAPE_SINE, 1.0, 0, 0, 0.3, 0, 0, 0, NULL, NULL},
                                           .count = 1,
                                           .cell = (uint32_t[]){3}};
    CHECK_STATUS(carom_solid_add_load(s, &pull, NULL), CAROM_OK);
    CHECK_STATUS(carom_solid_add_load(s, &push, NULL), CAROM_OK);
    CHECK_STATUS(carom_solid_add_load(s, &twist, NULL), CAROM_OK);
    if (which >= 2) {
        CHECK_STATUS(carom_solid_add_hold(s, &clamp, NULL), CAROM_OK);
        CHECK_STATUS(carom_solid_add_hold(s, &drive, NULL), CAROM_OK);
    }
    s->gravity[0] = -0.01;
    s->damping_mass = which == 3 ? 0.05 : 0.0;
    s->damping_stiffness = which >= 3 ? 0.01 : 0.0;
}

static struct carom_solid *body(int which)
{
    const struct carom_solid_material m = {1.0, 0.3, 1.0}, other = {3.0, 0.1, 2.0};
    const double size[3] = {1.6, 1.2, 0.9}, origin[3] = {0.0, 0.0, 0.0};
    const size_t count[3] = {5, 4, 3};
    struct carom_solid *s = which == 4 ? carom_solid_cylinder(9, 3, 1.0, 2.0, 0.3, origin, &m, NULL)
                                       : carom_solid_box(which == 1   ? CAROM_SOLID_STRAIN
                                                         : which == 3 ? CAROM_SOLID_STRESS
                                                                      : CAROM_SOLID_SPACE,
                                                         count, size, origin, 1.0, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    if (which == 2)
        CHECK_STATUS(carom_solid_fill(s, &other, 3, (const uint32_t[]){4, 5, 9}, NULL), CAROM_OK);
    if (which > 0)
        load(s, which);
    return s;
}

static void trial_open(struct trial *t, int which, double step, struct carom_threads *threads)
{
    struct carom_random random;
    carom_random_start(&random, 42);
    struct carom_solid *s = body(which);
    *t = (struct trial){.model = carom_model_create(), .solid = s};
    const struct carom_part *part = s->dimension == 3 ? &carom_part_solid : &carom_part_solid_plane;
    CHECK_OR_STOP(t->model && carom_model_add(t->model, part, s, NULL) == CAROM_OK);
    CHECK_OR_STOP(carom_model_finish(t->model, NULL) == CAROM_OK);
    t->options = carom_options_create(&carom_scheme_rattle.kind);
    CHECK_OR_STOP(carom_options_set(&carom_scheme_rattle.kind, t->options, "step", step, NULL) == CAROM_OK);
    const struct carom_scales scales = {1.0, 1.0, 1.0};
    t->stepper = carom_stepper_create(&carom_scheme_rattle, t->model, t->options, &scales, threads, NULL);
    t->state = carom_state_create(t->model, carom_stepper_memory(&carom_scheme_rattle, t->model, t->options));
    t->view = carom_state_create(t->model, 0);
    CHECK_OR_STOP(t->stepper && t->state && t->view);
    for (size_t i = 0; i < s->n; i++)
        t->state->q[s->wide * i + (s->dimension == 3 ? 3 : 2)] = 1.0;
    for (size_t i = 0; i < t->model->nv; i++)
        t->state->v[i] = 0.02 * carom_random_normal(&random);
    carom_solid_loads_hold(s, 0.0, false, t->state->q, t->state->v);
    struct carom_ledger ledger;
    carom_state_view(t->view, t->state);
    carom_balance_read(t->model, t->view, NULL, &ledger);
    t->energy = t->state->energy = ledger.kinetic + ledger.stored;
    CHECK_OR_STOP(carom_scheme_rattle.start(t->stepper, t->state, NULL) == CAROM_OK);
}

static void trial_close(struct trial *t)
{
    carom_stepper_free(t->stepper);
    carom_state_free(t->state);
    carom_state_free(t->view);
    carom_options_free(t->options);
    carom_model_free(t->model);
}

/* to `until`, stopping at the breaks of the loads, in calls of at most `steps` steps */
static void run(struct trial *t, double until, size_t steps)
{
    size_t count;
    double *breaks = carom_motion_breaks(t->model, &count);
    CHECK_OR_STOP(breaks != NULL);
    while (carom_state_until(t->state, until) > 0.0) {
        struct carom_bound bound = {.t_stop = until, .t_dense = HUGE_VAL, .steps = steps};
        for (size_t i = 0; i < count; i++)
            if (carom_state_until(t->state, breaks[i]) > 0.0 && breaks[i] < bound.t_stop)
                bound.t_stop = breaks[i];
        const uint64_t before = t->state->step;
        CHECK_OR_STOP(carom_scheme_rattle.step(t->stepper, t->state, &bound, NULL) == CAROM_OK);
        CHECK(t->state->time <= bound.t_stop && t->state->step - before <= steps);
    }
    CHECK(t->state->time == until);
    carom_memory_free(breaks);
}

static void check_bits(int which)
{
    struct trial a, b;
    struct carom_threads *threads = carom_threads_create(2);
    CHECK_OR_STOP(threads != NULL);
    trial_open(&a, which, 0.03, NULL);
    run(&a, 3.0, SIZE_MAX);
    const uint64_t hash = carom_state_hash(a.state);
    trial_open(&b, which, 0.03, threads); /* two threads, step by step, looked at */
    while (b.state->time < 1.5) {
        const struct carom_bound one = {.t_stop = b.state->time < 0.31   ? 0.31
                                                  : b.state->time < 0.52 ? 0.52
                                                                         : 2.01,
                                        .t_dense = HUGE_VAL,
                                        .steps = 1};
        CHECK_OR_STOP(carom_scheme_rattle.step(b.stepper, b.state, &one, NULL) == CAROM_OK);
        carom_scheme_rattle.dense(b.stepper, b.state, b.state->time - 0.01, b.view);
        carom_scheme_rattle.sync(b.stepper, b.state, b.view);
    }
    trial_close(&a);
    trial_open(&a, which, 0.03, NULL); /* goes on from a copy */
    carom_state_copy(a.state, b.state);
    run(&a, 3.0, 7);
    run(&b, 3.0, SIZE_MAX);
    if (which > 0) { /* body 0 has no breaks, so its steps differ where this test stopped */
        CHECK(carom_state_hash(a.state) == hash);
        CHECK(carom_state_hash(b.state) == hash);
    }
    CHECK(carom_state_hash(a.state) == carom_state_hash(b.state));
    trial_close(&a);
    trial_close(&b);
    carom_threads_free(threads);
}

/* the ledger closes as dt^2 */
static void check_ledger(int which)
{
    double off[2];
    for (int k = 0; k < 2; k++) {
        struct trial t;
        struct carom_ledger ledger;
        trial_open(&t, which, k == 0 ? 0.02 : 0.01, NULL);
        off[k] = 0.0;
        for (int i = 1; i <= 60; i++) {
            run(&t, 0.1 * i, SIZE_MAX);
            carom_scheme_rattle.sync(t.stepper, t.state, t.view);
            carom_balance_read(t.model, t.view, NULL, &ledger);
            off[k] = fmax(off[k], fabs(ledger.residual) / t.energy);
        }
        CHECK(which != 3 || ledger.internal > 0.02 * t.energy);
        CHECK(which == 0 || ledger.work != 0.0);
        trial_close(&t);
    }
    printf("body %d: the ledger closes to %.1e, %.1e of the start\n", which, off[0], off[1]);
    CHECK(off[1] < 2e-3);
    CHECK(off[0] / off[1] > 3.0 && off[0] / off[1] < 5.3);
}

static void check_dense(int which)
{
    double worst[2];
    for (int k = 0; k < 2; k++) {
        struct trial t, fine;
        const double h = k == 0 ? 0.04 : 0.02;
        worst[k] = 0.0;
        trial_open(&t, which, h, NULL);
        trial_open(&fine, which, h / 64.0, NULL);
        const struct carom_bound one = {.t_stop = 0.31, .t_dense = HUGE_VAL, .steps = 1};
        CHECK_OR_STOP(carom_scheme_rattle.step(t.stepper, t.state, &one, NULL) == CAROM_OK);
        for (int i = 1; i < 8; i++) {
            run(&fine, h * i / 8.0, SIZE_MAX);
            carom_scheme_rattle.sync(fine.stepper, fine.state, fine.view);
            carom_scheme_rattle.dense(t.stepper, t.state, h * i / 8.0, t.view);
            for (size_t j = 0; j < t.model->nq; j++)
                worst[k] = fmax(worst[k], fabs(t.view->q[j] - fine.view->q[j]));
        }
        trial_close(&t);
        trial_close(&fine);
    }
    printf("body %d: dense output is off by %.1e, %.1e, order %.2f\n", which, worst[0], worst[1],
           log2(worst[0] / worst[1]));
    CHECK(log2(worst[0] / worst[1]) > carom_scheme_rattle.dense_order + 0.5);
}

/* boxes without link records give what those with them give, to rounding; a sample tells the frequency of a large
 * box */
static void check_grid(void)
{
    const struct carom_solid_material m = {1.0, 0.3, 1.0};
    const double size[3] = {1.1, 0.8, 0.7}, origin[3] = {0.0, 0.0, 0.0};
    struct carom_random random;
    carom_random_start(&random, 9);
    for (size_t nx = 1; nx <= 6; nx++) {
        struct carom_solid *s =
            carom_solid_box(CAROM_SOLID_SPACE, (const size_t[]){nx, 3, 4}, size, origin, 1.0, &m, NULL);
        CHECK_OR_STOP(s != NULL && s->gridded);
        double *q = carom_memory_zeroed(7 * s->n, sizeof *q), *f = carom_memory_zeroed(12 * s->n, sizeof *f);
        CHECK_OR_STOP(q != NULL && f != NULL);
        for (size_t i = 0; i < s->n; i++) {
            double square = 0.0;
            for (size_t k = 0; k < 7; k++)
                q[7 * i + k] = (k == 3 ? 1.0 : 0.0) + 0.05 * carom_random_normal(&random);
            for (size_t k = 3; k < 7; k++)
                square += q[7 * i + k] * q[7 * i + k];
            for (size_t k = 3; k < 7; k++)
                q[7 * i + k] /= sqrt(square);
        }
        solid_forces(s, NULL, 0.0, q, f, NULL);
        CHECK_OR_STOP(carom_solid_mesh_ungrid(s));
        solid_forces(s, NULL, 0.0, q, f + 6 * s->n, NULL);
        double largest = 0.0, off = 0.0;
        for (size_t i = 0; i < 6 * s->n; i++) {
            largest = fmax(largest, fabs(f[i]));
            off = fmax(off, fabs(f[i] - f[6 * s->n + i]));
        }
        CHECK(largest > 0.0 && off < 1e-15 * largest);
        carom_memory_free(f);
        carom_memory_free(q);
        carom_solid_free(s);
    }
    const double large[3] = {240.0, 240.0, 1.0};
    double sampled, whole;
    struct carom_solid *s =
        carom_solid_box(CAROM_SOLID_STRAIN, (const size_t[]){240, 240, 1}, large, origin, 1.0, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    CHECK_STATUS(carom_solid_frequency(s, NULL, NULL, &sampled, NULL), CAROM_OK);
    CHECK_OR_STOP(carom_solid_mesh_ungrid(s));
    CHECK_STATUS(carom_solid_frequency(s, NULL, NULL, &whole, NULL), CAROM_OK);
    printf("largest frequency: %.6f sampled, %.6f whole\n", sampled, whole);
    CHECK(sampled >= whole && sampled < 1.005 * whole);
    carom_solid_free(s);
}

/* stripes of two materials: a large body is as fast as a small one that was looked at closely */
static void check_frequency_rough(void)
{
    const struct carom_solid_material m = {1.0, 0.3, 1.0}, light = {0.5, 0.35, 0.3};
    const double origin[3] = {0.0, 0.0, 0.0};
    double omega[2];
    for (size_t large = 0; large < 2; large++) {
        const size_t edge = large == 0 ? 48 : 240;
        const double size[3] = {(double)edge, (double)edge, 1.0};
        struct carom_solid *s =
            carom_solid_box(CAROM_SOLID_STRAIN, (const size_t[]){edge, edge, 1}, size, origin, 1.0, &m, NULL);
        CHECK_OR_STOP(s != NULL);
        uint32_t *cell = carom_memory_zeroed(s->n, sizeof *cell);
        CHECK_OR_STOP(cell != NULL);
        size_t count = 0;
        for (size_t i = 0; i < s->n; i++)
            if (i % 6 < 2)
                cell[count++] = (uint32_t)i;
        CHECK_STATUS(carom_solid_fill(s, &light, count, cell, NULL), CAROM_OK);
        CHECK_STATUS(carom_solid_frequency(s, NULL, NULL, &omega[large], NULL), CAROM_OK);
        carom_memory_free(cell);
        carom_solid_free(s);
    }
    printf("stripes: largest frequency %.6f, of a large body %.6f\n", omega[0], omega[1]);
    CHECK(omega[1] >= omega[0] && omega[1] < 1.004 * omega[0]);
}

/* Corners show what is there of a cell: edges from corner to corner span its volume. */
static void check_corners(const struct carom_solid *s)
{
    for (size_t i = 0; i < s->n; i++) {
        double corner[8][3], volume = 1.0;
        const size_t count = carom_solid_corners(s, i, corner), far[3] = {1, 3, 4};
        CHECK(count == (s->dimension == 3 ? 8 : 4));
        for (int k = 0; k < s->dimension; k++)
            volume *= corner[far[k]][k] - corner[0][k];
        CHECK_NEAR(volume, carom_solid_sort_of(s, i)->volume, 1e-15);
    }
}

/* the shell ends where its ends are held */
static void check_shell_ends(void)
{
    const struct carom_solid_material m = {1.0, 0.3, 1.0};
    const double origin[3] = {0.0, 0.0, 2.0};
    struct carom_solid *s = carom_solid_cylinder(12, 3, 1.0, 0.9, 0.1, origin, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    uint32_t cell[24];
    size_t count = 0, seen = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (fabs(s->centre[i][2] - 2.45) > 0.1)
            cell[count++] = i;
    CHECK(count == 24);
    const struct carom_solid_hold hold = {.mask = 4U, .count = count, .cell = cell};
    CHECK_STATUS(carom_solid_add_hold(s, &hold, NULL), CAROM_OK);
    CHECK_STATUS(carom_solid_halve(s, NULL), CAROM_OK);
    for (size_t i = 0; i < s->n; i++) {
        double corner[8][3];
        carom_solid_corners(s, i, corner);
        const double at = s->centre[i][2];
        const double low = at < 2.2 ? 2.15 : at < 2.5 ? 2.3 : 2.6, high = at < 2.2 ? 2.3 : at < 2.5 ? 2.6 : 2.75;
        for (size_t c = 0; c < 8; c++, seen++)
            CHECK_NEAR(corner[c][2], c < 4 ? low : high, 1e-15);
    }
    CHECK(seen == 8 * 36);
    carom_solid_free(s);
}

/* a side that is held all over is cut; with nothing but clamps the kernels without link records still serve */
static void check_halved(enum carom_solid_case kind)
{
    const struct carom_solid_material m = {1.0, 0.3, 1.0};
    const double size[3] = {1.1, 0.8, 0.7}, origin[3] = {0.0, 0.0, 0.0};
    struct carom_solid *s = carom_solid_box(kind, (const size_t[]){5, 3, 4}, size, origin, 1.0, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    uint32_t cell[12];
    size_t count = 0;
    for (uint32_t i = 0; i < s->n; i += 5)
        cell[count++] = i;
    const double volume = carom_solid_sort_of(s, 0)->volume;
    const struct carom_solid_hold clamp = {.mask = kind == CAROM_SOLID_SPACE ? 63U : 35U, .count = count, .cell = cell};
    CHECK_STATUS(carom_solid_add_hold(s, &clamp, NULL), CAROM_OK);
    CHECK_STATUS(carom_solid_halve(s, NULL), CAROM_OK);
    CHECK(s->halved && s->gridded);
    CHECK_NEAR(carom_solid_sort_of(s, 0)->volume / volume, 0.5, 1e-15);
    CHECK_NEAR(carom_solid_sort_of(s, 1)->volume / volume, 1.0, 1e-15);
    check_corners(s);
    const double place[2][3] = {{0.0, 0.3, 0.3}, {1.1, 0.3, 0.3}}; /* behind the end of the body, and at the free one */
    CHECK_STATUS(carom_solid_add_sensor(s, "held", place[0], NULL), CAROM_OK);
    CHECK_STATUS(carom_solid_add_sensor(s, "free", place[1], NULL), CAROM_OK);
    CHECK(s->sensor[0].place[0] == s->centre[0][0] && s->sensor[0].place[1] == 0.3);
    CHECK(s->sensor[1].place[0] == 1.1);
    double *q = carom_memory_zeroed(s->wide * s->n, sizeof *q), *f = carom_memory_zeroed(12 * s->n, sizeof *f);
    CHECK_OR_STOP(q != NULL && f != NULL);
    struct carom_random random;
    carom_random_start(&random, 4);
    for (size_t i = 0; i < s->n; i++) {
        q[s->wide * i + (s->dimension == 3 ? 3 : 2)] = 1.0;
        for (size_t k = 0; i % 5 > 0 && k < (size_t)s->dimension; k++)
            q[s->wide * i + k] = 0.05 * carom_random_normal(&random);
    }
    solid_forces(s, NULL, 0.0, q, f, NULL);
    CHECK_OR_STOP(carom_solid_mesh_ungrid(s));
    solid_forces(s, NULL, 0.0, q, f + s->fast * s->n, NULL);
    double largest = 0.0, off = 0.0;
    for (size_t i = 0; i < s->fast * s->n; i++) {
        const bool held = i / s->fast % 5 == 0;
        largest = fmax(largest, fabs(f[i]));
        off = fmax(off, held ? 0.0 : fabs(f[i] - f[s->fast * s->n + i]));
    }
    CHECK(largest > 0.0 && off < 2e-15 * largest);
    carom_memory_free(f);
    carom_memory_free(q);
    carom_solid_free(s);
}

static void check_failure(void)
{
    struct trial t;
    struct carom_error error = {CAROM_OK, ""};
    trial_open(&t, 0, 0.03, NULL);
    t.state->v[9] = 1e30; /* angular momentum of the second cell */
    const uint64_t hash = carom_state_hash(t.state);
    const struct carom_bound bound = {.t_stop = 1.0, .t_dense = HUGE_VAL, .steps = 5};
    CHECK_STATUS(carom_scheme_rattle.step(t.stepper, t.state, &bound, &error), CAROM_E_NUMERIC);
    CHECK(carom_state_hash(t.state) == hash);
    CHECK_CONTAINS(error.text, "cell 1,");
    CHECK_CONTAINS(error.text, "largest stable step");
    trial_close(&t);
}

int main(void)
{
    for (int which = 0; which < BODIES; which++) {
        check_bits(which);
        check_ledger(which);
        check_dense(which);
    }
    check_failure();
    check_grid();
    check_halved(CAROM_SOLID_SPACE);
    check_halved(CAROM_SOLID_STRAIN);
    check_shell_ends();
    check_frequency_rough();
    return check_end();
}
