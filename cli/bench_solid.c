/* carom bench, group solid: scheme rattle on boxes of cells beside what the machine allows. The limit counts each
 * link record once and the state and the force of each cell once, at the bandwidth measured in the same run, or the
 * additions and multiplications of the formulas at the rate measured in the same run, whichever takes longer. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "bench.h"
#include "model/solid.h"
#include "model/solid_lane.h"

/* additions and multiplications, as the formulas stand in solid_links.c, solid_grid.c, solid_sheet.c, rattle_sheet.c,
 * rattle_pair.c (five rounds of its fixed point); roots and quotients are not counted, the series that stand for them
 * on plane grids are (13 operations a link and 14 a cell, less time than a root takes) */
#define FLOPS_LINK 325.0
#define FLOPS_GRID 270.0
#define FLOPS_FLAT 71.0
#define FLOPS_CELL 250.0
#define FLOPS_FLAT_CELL 48.0

enum { STEPS = 1 };

struct row {
    const char *name;
    enum carom_solid_case kind;
    size_t count[3];
    bool records; /* every link has a record of its own */
    size_t threads;
    double allowed; /* times the limit */
};

static const struct row rows[] = {
    {"60^3 cells, a record for every link", CAROM_SOLID_SPACE, {60, 60, 60}, true, 1, 1.0 / 0.6},
    {"60^3 cells, grid", CAROM_SOLID_SPACE, {60, 60, 60}, false, 1, 0.0},
    {"60^3 cells, grid, two threads", CAROM_SOLID_SPACE, {60, 60, 60}, false, 2, 0.0},
    {"1000^2 cells, plane grid", CAROM_SOLID_STRAIN, {1000, 1000, 1}, false, 1, 2.0},
};

enum { ROWS = sizeof rows / sizeof *rows };

struct runner {
    struct carom_model *model;
    struct carom_solid *solid;
    void *options;
    struct carom_threads *threads;
    struct carom_stepper *stepper;
    struct carom_state *state;
};

static void runner_free(struct runner *r)
{
    carom_stepper_free(r->stepper);
    carom_state_free(r->state);
    carom_threads_free(r->threads);
    carom_options_free(r->options);
    carom_model_free(r->model);
}

/* gives every link a shape of its own, as in a body of unlike cells */
static bool scatter(struct carom_solid *s)
{
    struct carom_solid_shape *shape = carom_memory_zeroed(s->nlinks, sizeof *shape);
    if (!shape)
        return false;
    for (size_t l = 0; l < s->nlinks; l++) {
        shape[l] = s->shape[s->link[l].shape];
        s->link[l].shape = (uint32_t)l;
    }
    carom_memory_free(s->shape);
    s->shape = shape;
    s->gridded = false;
    return true;
}

static enum carom_status runner_create(struct runner *r, const struct row *row, struct carom_error *error)
{
    const struct carom_solid_material m = {1.0, 0.25, 1.0};
    const double size[3] = {(double)row->count[0], (double)row->count[1], (double)row->count[2]};
    const double origin[3] = {0.0, 0.0, 0.0};
    const struct carom_scales scales = {1.0, 1.0, 1.0};
    r->solid = carom_solid_box(row->kind, row->count, size, origin, 1.0, &m, error);
    if (!r->solid)
        return error->status;
    r->solid->omega = 5.0; /* enough for the steps below */
    const struct carom_part *part = r->solid->dimension == 3 ? &carom_part_solid : &carom_part_solid_plane;
    r->model = carom_model_create();
    if (!r->model || (row->records && !scatter(r->solid)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    if (carom_model_add(r->model, part, r->solid, error) != CAROM_OK || carom_model_finish(r->model, error) != CAROM_OK)
        return error->status;
    r->options = carom_options_create(&carom_scheme_rattle.kind);
    r->threads = row->threads > 1 ? carom_threads_create(row->threads) : NULL;
    if (!r->options || carom_options_set(&carom_scheme_rattle.kind, r->options, "step", 0.1, error) != CAROM_OK)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    r->stepper = carom_stepper_create(&carom_scheme_rattle, r->model, r->options, &scales, r->threads, error);
    r->state = carom_state_create(r->model, carom_stepper_memory(&carom_scheme_rattle, r->model, r->options));
    if (!r->stepper || !r->state)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    for (size_t i = 0; i < r->solid->n; i++)
        r->state->q[r->solid->wide * i + (r->solid->dimension == 3 ? 3 : 2)] = 1.0;
    for (size_t i = 0; i < r->model->nv; i++)
        r->state->v[i] = 1e-3 * sin(0.37 * (double)(i % 100003));
    return carom_scheme_rattle.start(r->stepper, r->state, error);
}

/* nanoseconds per cell and step */
static double runner_time(struct runner *r, struct carom_error *error)
{
    const struct carom_bound bound = {.t_stop = HUGE_VAL, .t_dense = HUGE_VAL, .steps = STEPS};
    const double start = cli_bench_now();
    if (carom_scheme_rattle.step(r->stepper, r->state, &bound, error) != CAROM_OK)
        return HUGE_VAL;
    return 1e9 * (cli_bench_now() - start) / ((double)STEPS * (double)r->solid->n);
}

/* additions and multiplications per nanosecond, in registers, enough chains side by side to keep all units busy, one
 * thread; short tries, as machines are noisy */
static __attribute__((noinline)) double time_arithmetic(void)
{
    enum { TRIES = 40, ROUNDS = 5000, CHAINS = 12 };
    carom_lane x[CHAINS];
    double rate = 0.0, keep = 0.0;
    for (size_t i = 0; i < CHAINS; i++)
        x[i] = (carom_lane){1.0, 1e-3 * (double)i};
    for (int try = 0; try < TRIES; try++) {
        const double start = cli_bench_now();
        for (int r = 0; r < ROUNDS; r++)
            for (size_t i = 0; i < CHAINS; i++)
                x[i] = x[i] * 0.999 + 1e-3;
        const double seconds = cli_bench_now() - start;
        rate = fmax(rate, 2.0 * CAROM_LANES * ROUNDS * CHAINS / (1e9 * seconds));
    }
    for (size_t i = 0; i < CHAINS; i++)
        keep += x[i][0] + x[i][1];
    return keep > 0.0 ? rate : 0.0; /* the compiler must not leave it out */
}

static double bytes_of(const struct row *row, const struct carom_solid *s)
{
    const double state = 8.0 * (double)(s->wide + s->fast), force = 8.0 * (double)s->fast;
    const double record = row->records ? (double)(sizeof *s->shape + sizeof *s->link) : 0.0;
    return 2.0 * state + 2.0 * force + record * (double)s->nlinks / (double)s->n;
}

static double flops_of(const struct row *row, const struct carom_solid *s)
{
    const double links = (double)s->nlinks / (double)s->n;
    if (s->dimension == 2)
        return FLOPS_FLAT_CELL + FLOPS_FLAT * links;
    return FLOPS_CELL + (row->records ? FLOPS_LINK : FLOPS_GRID) * links;
}

enum carom_status cli_bench_solid(struct cli_bench *bench, struct carom_error *error)
{
    double best[ROWS], rate = 0.0;
    struct runner runner[ROWS] = {0};
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < ROWS && status == CAROM_OK; i++) {
        best[i] = HUGE_VAL;
        status = runner_create(&runner[i], &rows[i], error);
    }
    for (size_t r = 0; r < bench->repeats && status == CAROM_OK; r++) {
        cli_bench_limits(bench);
        rate = fmax(rate, time_arithmetic());
        for (size_t i = 0; i < ROWS; i++)
            best[i] = fmin(best[i], runner_time(&runner[i], error));
    }
    if (status == CAROM_OK) {
        printf("\nsolids: %.1f additions and multiplications per ns, one thread\n", rate);
        cli_bench_head("rattle, time of a cell and step", "x limit");
    }
    for (size_t i = 0; i < ROWS && status == CAROM_OK; i++) {
        const double bytes = bytes_of(&rows[i], runner[i].solid), flops = flops_of(&rows[i], runner[i].solid);
        const double memory = bytes / bench->bandwidth, work = flops / rate, limit = fmax(memory, work);
        char note[160];
        snprintf(note, sizeof note, "%.1f ns; %.0f bytes take %.1f ns, %.0f operations %.1f ns", best[i], bytes, memory,
                 flops, work);
        cli_bench_row(rows[i].name, best[i] / limit, rows[i].allowed, note);
    }
    for (size_t i = 0; i < ROWS; i++)
        runner_free(&runner[i]);
    return status;
}
