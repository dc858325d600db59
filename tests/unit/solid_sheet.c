/* Plane boxes of one material are swept row by row, without link records: forces, pressures and whole steps must be
 * those of the link records to rounding, on all sizes, under all loads, for small and large strains and turns, where
 * series change to roots; and the number of threads must not change a bit. */
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "carom/carom.h"
#include "check.h"
#include "model/solid/solid.h"
#include "model/solid/solid_sheet.h"
#include "solids.h"

static const size_t sizes[][2] = {{1, 1}, {1, 2}, {2, 1},  {1, 9},  {8, 1},   {2, 2},   {2, 3},  {3, 2},
                                  {4, 4}, {7, 5}, {5, 33}, {33, 6}, {130, 3}, {3, 130}, {6, 40}, {1027, 4}};

enum { SIZES = sizeof sizes / sizeof *sizes };

static struct carom_solid *box(enum carom_solid_case kind, const size_t count[2])
{
    const struct carom_solid_material m = {2.0, 0.3, 1.5};
    const double size[3] = {0.9 * (double)count[0], 1.3 * (double)count[1], 1.0}, origin[3] = {-1.0, 2.0, 0.0};
    struct carom_solid *s = carom_solid_box(kind, (const size_t[]){count[0], count[1], 1}, size, origin, 0.7, &m, NULL);
    CHECK_OR_STOP(s != NULL && carom_solid_sheet_fits(s));
    return s;
}

static void burden(struct carom_solid *s)
{
    uint32_t face[2200];
    const struct carom_signal steady = {
        .shape = CAROM_SHAPE_SINE, .amplitude = 1.0, .frequency = 0.1, .frequency_end = 0.3};
    const enum carom_solid_side side[] = {CAROM_SOLID_TOP, CAROM_SOLID_RIGHT};
    for (int k = 0; k < 2; k++) {
        const size_t faces = carom_solid_faces(s, side[k], 0, NULL, face);
        const struct carom_solid_load load = {.push = k == 0 ? CAROM_SOLID_TRACTION : CAROM_SOLID_PRESSURE,
                                              .vector = {0.03, 0.02, 0.0},
                                              .signal = steady,
                                              .count = faces,
                                              .at = face};
        CHECK_STATUS(carom_solid_add_load(s, &load, NULL), CAROM_OK);
    }
    const struct carom_solid_load others[] = {
        {.push = CAROM_SOLID_FORCE, .vector = {0.01, 0.02}, .signal = steady, .count = 2, .at = face},
        {.push = CAROM_SOLID_MOMENT, .vector = {0, 0, 0.01}, .signal = steady, .count = 1, .at = face}};
    face[0] = (uint32_t)(s->n - 1); /* not in rising order, and twice on one cell */
    face[1] = 0;
    CHECK_STATUS(carom_solid_add_load(s, &others[0], NULL), CAROM_OK);
    CHECK_STATUS(carom_solid_add_load(s, &others[1], NULL), CAROM_OK);
    s->gravity[0] = 0.02;
    s->gravity[1] = -0.05;
}

/* displaced and turned at random about a turn of the whole body */
static void shake(const struct carom_solid *s, double strain, double turn, struct carom_random *random, double *q)
{
    for (size_t i = 0; i < s->n; i++) {
        const double x = s->centre[i][0], y = s->centre[i][1];
        const double angle = 0.5 * (turn + strain * carom_random_normal(random));
        q[4 * i] = (cos(turn) - 1.0) * x - sin(turn) * y + strain * carom_random_normal(random);
        q[4 * i + 1] = sin(turn) * x + (cos(turn) - 1.0) * y + strain * carom_random_normal(random);
        q[4 * i + 2] = cos(angle);
        q[4 * i + 3] = sin(angle);
    }
}

static double difference(size_t n, const double *a, const double *b)
{
    double off = 0.0, most = 0.0;
    for (size_t i = 0; i < n; i++) {
        off = fmax(off, fabs(a[i] - b[i]));
        most = fmax(most, fabs(b[i]));
        if (!(fabs(a[i] - b[i]) < HUGE_VAL))
            return HUGE_VAL;
    }
    return most > 0.0 ? off / most : off;
}

/* Rounding of a link's opening, a difference of numbers of the size of edge and displacement, against its strain. */
static double allowed(const struct carom_solid *s, double strain, double turn)
{
    const double reach = turn != 0.0 ? 1.3 * (double)(s->grid.count[0] + s->grid.count[1]) : 1.0;
    return 2e-14 + 2e-15 * reach / strain;
}

static void check_forces(enum carom_solid_case kind, const size_t count[2], double strain, double turn)
{
    struct carom_random random;
    carom_random_start(&random, 1000 * count[0] + count[1]);
    struct carom_solid *s = box(kind, count);
    burden(s);
    const size_t n = s->n;
    double *q = carom_memory_zeroed(4 * n, sizeof *q), *f = carom_memory_zeroed(8 * n, sizeof *f);
    CHECK_OR_STOP(q != NULL && f != NULL);
    shake(s, strain, turn, &random, q);
    solid_forces(s, NULL, 0.7, q, f, f + 6 * n);
    s->gridded = false;
    solid_forces(s, NULL, 0.7, q, f + 3 * n, f + 7 * n);
    const double off = difference(3 * n, f, f + 3 * n), press = difference(n, f + 6 * n, f + 7 * n);
    if (off > allowed(s, strain, turn) || press > allowed(s, strain, turn))
        printf("%zu x %zu, strain %g, turn %g: forces off by %.1e, pressures by %.1e\n", count[0], count[1], strain,
               turn, off, press);
    CHECK(off <= allowed(s, strain, turn));
    CHECK(press <= allowed(s, strain, turn));
    carom_memory_free(f);
    carom_memory_free(q);
    carom_solid_free(s);
}

struct run {
    struct carom_model *model;
    struct carom_solid *solid;
    void *options;
    struct carom_stepper *stepper;
    struct carom_state *state;
};

static void run_free(struct run *r)
{
    carom_stepper_free(r->stepper);
    carom_state_free(r->state);
    carom_options_free(r->options);
    carom_model_free(r->model);
}

static void run_open(struct run *r, struct carom_solid *s, double speed, struct carom_threads *threads)
{
    const struct carom_scales scales = {1.0, 1.0, 1.0};
    struct carom_random random;
    carom_random_start(&random, 5);
    *r = (struct run){.model = carom_model_create(), .solid = s};
    CHECK_OR_STOP(r->model && carom_model_add(r->model, &carom_part_solid_plane, s, NULL) == CAROM_OK);
    CHECK_OR_STOP(carom_model_finish(r->model, NULL) == CAROM_OK);
    r->options = carom_options_create(&carom_scheme_rattle.kind);
    CHECK_OR_STOP(carom_options_set(&carom_scheme_rattle.kind, r->options, "step", 0.1, NULL) == CAROM_OK);
    r->stepper = carom_stepper_create(&carom_scheme_rattle, r->model, r->options, &scales, threads, NULL);
    r->state = carom_state_create(r->model, carom_stepper_memory(&carom_scheme_rattle, r->model, r->options));
    CHECK_OR_STOP(r->stepper && r->state);
    for (size_t i = 0; i < s->n; i++)
        r->state->q[4 * i + 2] = 1.0;
    for (size_t i = 0; i < r->model->nv; i++)
        r->state->v[i] = speed * carom_random_normal(&random);
    CHECK_OR_STOP(carom_scheme_rattle.start(r->stepper, r->state, NULL) == CAROM_OK);
}

static struct carom_solid *clamped(const size_t count[2], bool damped)
{
    struct carom_solid *s = box(CAROM_SOLID_STRESS, count);
    uint32_t cell[4] = {0, (uint32_t)(s->n / 2), (uint32_t)(s->n - 1), (uint32_t)(s->n / 3)};
    const struct carom_solid_hold fixed = {.mask = 63U, .count = 3, .cell = cell};
    const struct carom_solid_hold sliding = {.mask = 2U, .count = 1, .cell = cell + 3};
    burden(s);
    CHECK_STATUS(carom_solid_add_hold(s, &fixed, NULL), CAROM_OK);
    CHECK_STATUS(carom_solid_add_hold(s, &sliding, NULL), CAROM_OK);
    s->damping_mass = damped ? 0.1 : 0.0;
    s->damping_stiffness = damped ? 0.01 : 0.0;
    return s;
}

/* a whole side is clamped, so that its cells are cut in half; the others keep their mass */
static struct carom_solid *walled(const size_t count[2], enum carom_solid_side side)
{
    struct carom_solid *s = box(CAROM_SOLID_STRAIN, count);
    uint32_t cell[200];
    const size_t cells = carom_solid_faces(s, side, 0, NULL, cell);
    for (size_t i = 0; i < cells; i++)
        cell[i] = s->face[cell[i]].cell;
    burden(s);
    CHECK_STATUS(carom_solid_add_hold(s, &(struct carom_solid_hold){.mask = 63U, .count = cells, .cell = cell}, NULL),
                 CAROM_OK);
    CHECK_STATUS(carom_solid_halve(s, NULL), CAROM_OK);
    CHECK(carom_solid_sheet_fits(s));
    return s;
}

static void check_walls(const size_t count[2])
{
    const struct carom_bound bound = {.t_stop = 3.05, .t_dense = HUGE_VAL, .steps = SIZE_MAX};
    const enum carom_solid_side side[] = {CAROM_SOLID_LEFT, CAROM_SOLID_RIGHT, CAROM_SOLID_BOTTOM, CAROM_SOLID_TOP};
    for (int k = 0; k < 4; k++) {
        struct run sheet, records;
        run_open(&sheet, walled(count, side[k]), 1e-3, NULL);
        struct carom_solid *s = walled(count, side[k]);
        s->gridded = false;
        run_open(&records, s, 1e-3, NULL);
        /* cells that are cut are light, but stand still: hardly faster than a free body */
        struct carom_solid *loose = box(CAROM_SOLID_STRAIN, count);
        const struct carom_solid *const bodies[3] = {loose, sheet.solid, s};
        double omega[3];
        for (int i = 0; i < 3; i++)
            CHECK_STATUS(carom_solid_frequency(bodies[i], NULL, NULL, &omega[i], NULL), CAROM_OK);
        CHECK(fabs(omega[1] - omega[2]) <= 1e-5 * omega[2] && omega[2] <= 1.05 * omega[0]);
        carom_solid_free(loose);
        CHECK_STATUS(carom_scheme_rattle.step(sheet.stepper, sheet.state, &bound, NULL), CAROM_OK);
        CHECK_STATUS(carom_scheme_rattle.step(records.stepper, records.state, &bound, NULL), CAROM_OK);
        CHECK(difference(4 * s->n, sheet.state->q, records.state->q) <= 1e-12);
        CHECK(difference(3 * s->n, sheet.state->v, records.state->v) <= 1e-11);
        run_free(&sheet);
        run_free(&records);
    }
}

/* speeds for which turns of a step are far below, about, and beyond what the series do (0.011) */
static void check_steps(const size_t count[2], double speed, bool damped)
{
    const struct carom_bound bound = {.t_stop = 3.05, .t_dense = HUGE_VAL, .steps = SIZE_MAX};
    struct carom_threads *threads = carom_threads_create(3);
    struct run sheet, again, records;
    CHECK_OR_STOP(threads != NULL);
    run_open(&sheet, clamped(count, damped), speed, NULL);
    run_open(&again, clamped(count, damped), speed, threads);
    struct carom_solid *s = clamped(count, damped);
    s->gridded = false;
    run_open(&records, s, speed, NULL);
    CHECK_STATUS(carom_scheme_rattle.step(sheet.stepper, sheet.state, &bound, NULL), CAROM_OK);
    CHECK_STATUS(carom_scheme_rattle.step(again.stepper, again.state, &bound, NULL), CAROM_OK);
    CHECK_STATUS(carom_scheme_rattle.step(records.stepper, records.state, &bound, NULL), CAROM_OK);
    CHECK(carom_state_hash(sheet.state) == carom_state_hash(again.state));
    const double q = difference(4 * s->n, sheet.state->q, records.state->q);
    const double v = difference(3 * s->n, sheet.state->v, records.state->v);
    const double work = fabs(sheet.state->work[0] - records.state->work[0]);
    if (!(q <= 1e-12) || !(v <= 1e-11) || !(work <= 1e-12))
        printf("%zu x %zu at %g: q off by %.1e, v by %.1e, work by %.1e\n", count[0], count[1], speed, q, v, work);
    CHECK(q <= 1e-12);
    CHECK(v <= 1e-11);
    CHECK(work <= 1e-12);
    run_free(&sheet);
    run_free(&again);
    run_free(&records);
    carom_threads_free(threads);
}

/* one and several threads, forces alone */
static void check_threads(void)
{
    const size_t count[2] = {37, 70};
    struct carom_random random;
    carom_random_start(&random, 3);
    struct carom_solid *s = box(CAROM_SOLID_STRAIN, count);
    burden(s);
    double *q = carom_memory_zeroed(4 * s->n, sizeof *q), *f = carom_memory_zeroed(6 * s->n, sizeof *f);
    CHECK_OR_STOP(q != NULL && f != NULL);
    shake(s, 0.01, 0.5, &random, q);
    solid_forces(s, NULL, 0.7, q, f, NULL);
    for (size_t k = 2; k <= 4; k++) {
        struct carom_threads *threads = carom_threads_create(k);
        CHECK_OR_STOP(threads != NULL);
        solid_forces(s, threads, 0.7, q, f + 3 * s->n, NULL);
        CHECK(memcmp(f, f + 3 * s->n, 3 * s->n * sizeof *f) == 0);
        carom_threads_free(threads);
    }
    carom_memory_free(f);
    carom_memory_free(q);
    carom_solid_free(s);
}

/* A cell that turns too fast is named, and so is one that flies off; the state stays. */
static void check_failure(size_t threads_count)
{
    struct carom_threads *threads = threads_count > 1 ? carom_threads_create(threads_count) : NULL;
    for (int which = 0; which < 2; which++) {
        struct run r;
        struct carom_error error = {CAROM_OK, ""};
        run_open(&r, box(CAROM_SOLID_STRAIN, (const size_t[]){5, 40}), 0.01, threads);
        r.state->v[3 * 77 + (which == 0 ? 2 : 0)] = which == 0 ? 1e30 : HUGE_VAL;
        const uint64_t hash = carom_state_hash(r.state);
        const struct carom_bound bound = {.t_stop = 1.0, .t_dense = HUGE_VAL, .steps = 3};
        CHECK_STATUS(carom_scheme_rattle.step(r.stepper, r.state, &bound, &error), CAROM_E_NUMERIC);
        CHECK(carom_state_hash(r.state) == hash);
        if (which == 0)
            CHECK_CONTAINS(error.text, "cell 77,");
        run_free(&r);
    }
    carom_threads_free(threads);
}

int main(void)
{
    static const double strain[] = {1e-6, 1e-3, 0.003, 0.05}, turn[] = {0.0, 2.5};
    for (size_t i = 0; i < SIZES; i++)
        for (int k = 0; k < 8; k++)
            check_forces(k % 3 == 0 ? CAROM_SOLID_STRESS : CAROM_SOLID_STRAIN, sizes[i], strain[k / 2], turn[k % 2]);
    static const size_t bodies[][2] = {{7, 5}, {1, 4}, {4, 1}, {5, 33}, {34, 19}, {131, 17}};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        check_steps(bodies[i], 1e-3, false);
        check_steps(bodies[i], 0.1, i % 2 == 0);
    }
    check_walls((const size_t[]){7, 5});
    check_walls((const size_t[]){6, 20});
    check_threads();
    check_failure(1);
    check_failure(2);
    return check_end();
}
