/* carom bench, group solid: scheme rattle on boxes of cells beside what the machine allows. The limit counts each
 * link record once and the state and the force of each cell once, at the bandwidth measured in the same run, or the
 * additions and multiplications of the formulas at the rate measured in the same run, in the registers that the kernels
 * use, with what an inverse root adds among them, whichever takes longer. Two threads are held to what the arithmetic
 * gains by a second one. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "bench/arithmetic.h"
#include "bench/bench.h"
#include "bench/runner.h"
#include "model/solid/solid.h"
#include "model/solid/solid_slice.h"

/* Additions and multiplications, counted in the formulas as they stand in solid_pair.h, solid_grid.c (dilatation and
 * force of a link, 84 + 187 and 50 + 159), rattle_space.c (small turns of cubes: kicks 24, move 6, turn 90; pressure 1,
 * and 7 to add what a cell's own links do to it), solid_sheet.c and rattle_sheet.c (with the series that stand for
 * roots there, 13 a link and 14 a cell); of inverse roots there is one a link in space. Signs, comparisons and moves
 * are not counted. */
#define FLOPS_LINK 271.0
#define FLOPS_GRID 209.0
#define FLOPS_FLAT 71.0
#define FLOPS_CELL 128.0
#define FLOPS_FLAT_CELL 48.0

enum { STEPS = 1 };

struct row {
    const char *name;
    enum carom_solid_case kind;
    size_t count[3];
    bool records;   /* every link has a record of its own */
    bool voronoi;   /* so many Voronoi cells as a box of that count has */
    double allowed; /* times the limit */
    size_t alone;   /* with two threads: the row of the same body with one, counted from 1 */
};

/* how much of what the arithmetic gains by a second thread has to be gained */
#define GAIN 0.9

static const struct row rows[] = {
    {"60^3 cells, a record for every link", CAROM_SOLID_SPACE, {60, 60, 60}, true, false, 1.0 / 0.6, 0},
    {"60^3 cells, grid", CAROM_SOLID_SPACE, {60, 60, 60}, false, false, 0.0, 0},
    {"1000^2 cells, plane grid", CAROM_SOLID_STRAIN, {1000, 1000, 1}, false, false, 2.0, 0},
    {"40^3 Voronoi cells", CAROM_SOLID_SPACE, {40, 40, 40}, true, true, 0.0, 0},
    {"60^3 cells, a record for every link", CAROM_SOLID_SPACE, {60, 60, 60}, true, false, 1.0 / GAIN, 1},
    {"60^3 cells, grid", CAROM_SOLID_SPACE, {60, 60, 60}, false, false, 1.0 / GAIN, 2},
    {"40^3 Voronoi cells", CAROM_SOLID_SPACE, {40, 40, 40}, true, true, 1.0 / GAIN, 4},
};

enum { ROWS = sizeof rows / sizeof *rows };

/* Nanoseconds per cell and step: of the processor where there is one thread, as others may be at work on the machine;
 * by the clock where there are two. */
static double runner_time(struct cli_runner *r, struct carom_error *error)
{
    const struct carom_bound bound = {.t_stop = HUGE_VAL, .t_dense = HUGE_VAL, .steps = STEPS};
    double (*clock)(void) = r->threads ? carom_clock_now : carom_clock_busy;
    const double start = clock();
    if (carom_scheme_rattle.step(r->stepper, r->state, &bound, error) != CAROM_OK)
        return HUGE_VAL;
    return 1e9 * (clock() - start) / ((double)STEPS * (double)r->solid->n);
}

/* what the machine can do; short tries, as machines are noisy */
struct arithmetic {
    const struct cli_arithmetic *how;
    double plain, roots, both; /* seconds of a try: one thread without and with roots, two threads without */
};

static void time_arithmetic(struct carom_threads *threads, struct arithmetic *a)
{
    enum { TRIES = 40 };
    double sum[2];
    for (int try = 0; try < TRIES; try++) {
        double start = carom_clock_now();
        a->how->plain(sum, 0);
        a->plain = fmin(a->plain, carom_clock_now() - start);
        start = carom_clock_now();
        a->how->roots(sum, 0);
        a->roots = fmin(a->roots, carom_clock_now() - start);
        start = carom_clock_now();
        carom_threads_run(threads, a->how->plain, sum, 2);
        a->both = fmin(a->both, carom_clock_now() - start);
    }
}

/* operations per nanosecond, one thread; what an inverse root adds to them; how much faster two threads are */
static double rate_of(const struct arithmetic *a)
{
    return a->how->operations / (1e9 * a->plain);
}

static double root_of(const struct arithmetic *a)
{
    return fmax(1e9 * (a->roots - a->plain) / a->how->inverse_roots, 0.0);
}

static double gain_of(const struct arithmetic *a)
{
    return 2.0 * a->plain / a->both;
}

static double bytes_of(const struct row *row, const struct carom_solid *s)
{
    const double state = 8.0 * (double)(s->wide + s->fast), force = 8.0 * (double)s->fast;
    const struct carom_solid_slices *t = row->records ? s->slices : NULL;
    const size_t numbers = CAROM_SLICE * (CAROM_SLOT_FORM + CAROM_SLOT_STIFFNESS);
    const double slot = t ? (double)(sizeof *t->slot + numbers * sizeof *t->form) : 0.0;
    const double links = t ? slot * (double)t->nslots + (double)(t->count * sizeof *t->begin) : 0.0;
    return 2.0 * state + 2.0 * force + links / (double)s->n;
}

static double flops_of(const struct row *row, const struct carom_solid *s)
{
    const double links = (double)s->nlinks / (double)s->n;
    if (s->dimension == 2)
        return FLOPS_FLAT_CELL + FLOPS_FLAT * links;
    return FLOPS_CELL + (row->records ? FLOPS_LINK : FLOPS_GRID) * links;
}

static void print_alone(const struct cli_bench *bench, const struct arithmetic *a, size_t i, const struct cli_runner *r,
                        double best)
{
    const double links = (double)r->solid->nlinks / (double)r->solid->n;
    const double roots = r->solid->dimension == 3 ? links : 0.0;
    const double bytes = bytes_of(&rows[i], r->solid), flops = flops_of(&rows[i], r->solid);
    const double memory = bytes / bench->bandwidth, work = flops / rate_of(a) + roots * root_of(a);
    char note[160], more[40] = "";
    if (roots > 0.0)
        snprintf(more, sizeof more, " and %.2f inverse roots", roots);
    snprintf(note, sizeof note, "%.1f ns; %.0f bytes take %.1f ns, %.0f operations%s %.1f ns", best, bytes, memory,
             flops, more, work);
    cli_bench_row(rows[i].name, best / fmax(memory, work), rows[i].allowed, note);
}

static void print_two(const struct arithmetic *a, size_t i, const struct cli_runner *one, const struct cli_runner *two,
                      double alone, double best)
{
    const bool same = carom_state_hash(one->state) == carom_state_hash(two->state);
    char note[160];
    snprintf(note, sizeof note, "%.1f ns, %.2f times as fast as one; arithmetic %.2f times; %s", best, alone / best,
             gain_of(a), same ? "the same bits" : "OTHER BITS");
    cli_bench_row(rows[i].name, same ? gain_of(a) * best / alone : HUGE_VAL, rows[i].allowed, note);
}

static void print_all(const struct cli_bench *bench, const struct arithmetic *a, const struct cli_runner *runner,
                      const double *best)
{
    printf("\nsolids, one thread, registers of %zu numbers: %.1f additions and multiplications per ns, an inverse root "
           "among them adds %.2f ns\n",
           a->how->lanes, rate_of(a), root_of(a));
    cli_bench_head("rattle, time of a cell and step", "x limit");
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].alone == 0)
            print_alone(bench, a, i, &runner[i], best[i]);
    cli_bench_head("rattle, two threads", "gain missed");
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].alone > 0)
            print_two(a, i, &runner[rows[i].alone - 1], &runner[i], best[rows[i].alone - 1], best[i]);
}

static enum carom_status open_row(struct cli_runner *runner, const struct row *row, struct carom_error *error)
{
    const size_t *n = row->count, threads = row->alone > 0 ? 2 : 0;
    return row->voronoi ? cli_runner_voronoi(runner, n[0] * n[1] * n[2], threads, error)
                        : cli_runner_create(runner, row->kind, n, row->records, threads, error);
}

enum carom_status cli_bench_solid(struct cli_bench *bench, struct carom_error *error)
{
    double best[ROWS];
    struct cli_runner runner[ROWS] = {0};
    struct arithmetic arithmetic = {cli_arithmetic(), HUGE_VAL, HUGE_VAL, HUGE_VAL};
    struct carom_threads *team = carom_threads_create(2);
    enum carom_status status = team ? CAROM_OK : carom_memory_error(error);
    for (size_t i = 0; i < ROWS && status == CAROM_OK; i++) {
        best[i] = HUGE_VAL;
        status = open_row(&runner[i], &rows[i], error);
    }
    for (size_t r = 0; r < bench->repeats && status == CAROM_OK; r++) {
        cli_bench_limits(bench);
        time_arithmetic(team, &arithmetic);
        for (size_t i = 0; i < ROWS; i++)
            best[i] = fmin(best[i], runner_time(&runner[i], error));
    }
    if (status == CAROM_OK)
        print_all(bench, &arithmetic, runner, best);
    for (size_t i = 0; i < ROWS; i++)
        cli_runner_free(&runner[i]);
    carom_threads_free(team);
    return status;
}
