/* carom bench, group heap: contact problems of many bodies, each one step from rest, solved from r = 0 to 1e-8: beside
 * plain sweeps of Gauss-Seidel, which most codes have, and Siconos where python3-siconos is installed
 * (bench/beside_siconos_heaps.py has the same problems there). For one heap of 1e4 boxes the residual over time. */
#include <stdio.h>

#include "base/memory.h"
#include "bench/bench.h"
#include "bench/heap.h"
#include "study/stacks.h"

enum { MARKS = 9 };

/* when the residual first fell below 1e-0, ..., 1e-8 */
struct course {
    double start, limit; /* seconds, and when it is enough */
    double reached[MARKS];
};

static void mark(struct course *course, double residual)
{
    double level = 1.0;
    for (size_t k = 0; k < MARKS; k++, level *= 0.1)
        if (residual <= level && !(course->reached[k] < HUGE_VAL))
            course->reached[k] = carom_clock_busy() - course->start;
}

static bool note(void *own, size_t iterations, double residual)
{
    struct course *course = own;
    (void)iterations;
    mark(course, residual);
    return carom_clock_busy() - course->start < course->limit;
}

double cli_bench_heap_solve(const struct carom_friction_data *data, enum carom_friction_solver solver,
                            bool (*watch)(void *own, size_t iterations, double residual), void *own,
                            struct carom_friction_report *report, struct carom_error *error)
{
    const struct carom_friction_problem problem = carom_friction_data_problem(data);
    const size_t width = data->n * data->dim;
    double *r = carom_memory_zeroed(width, sizeof *r), *u = carom_memory_zeroed(width, sizeof *u);
    *report = (struct carom_friction_report){0};
    const double start = carom_clock_busy();
    struct carom_friction_room *room = carom_friction_open(data->n, data->dim, data->first[data->n], error);
    if (r && u && room &&
        (solver == CAROM_FRICTION_GAUSS_SEIDEL || carom_friction_prepare(room, &problem, error) == CAROM_OK)) {
        carom_friction_watch(room, watch, own);
        carom_friction_solve(&problem, solver, 1e-8, watch ? 1000000 : 0, room, r, u, report);
    } else if (error->status == CAROM_OK) {
        carom_memory_error(error);
    }
    const double time = carom_clock_busy() - start;
    carom_friction_close(room);
    carom_memory_free_all(r, u);
    return time;
}

/* seconds of one solution, HUGE_VAL if there is none within `limit` */
static double time_one(const struct carom_friction_data *data, enum carom_friction_solver solver, double limit,
                       struct course *course, struct carom_error *error)
{
    struct carom_friction_report report;
    *course = (struct course){.start = carom_clock_busy(), .limit = limit};
    for (size_t k = 0; k < MARKS; k++)
        course->reached[k] = HUGE_VAL;
    const double time = cli_bench_heap_solve(data, solver, note, course, &report, error);
    mark(course, report.residual);
    return report.solved ? time : HUGE_VAL;
}

static enum carom_status time_both(const char *name, double limit, struct course course[2], struct carom_error *error)
{
    struct carom_friction_data data;
    if (carom_stacks_make(name, &data, error) != CAROM_OK)
        return error->status;
    const double ours = time_one(&data, CAROM_FRICTION_AUTO, limit, &course[0], error);
    const double plain = time_one(&data, CAROM_FRICTION_GAUSS_SEIDEL, limit, &course[1], error);
    char note[120], text[60];
    if (plain < HUGE_VAL)
        snprintf(note, sizeof note, "%zu contacts; plain sweeps %.3g s, %.1f times as long", data.n, plain,
                 plain / ours);
    else
        snprintf(note, sizeof note, "%zu contacts; plain sweeps do not end within %g s", data.n, limit);
    snprintf(text, sizeof text, "%s%s", name, ours < HUGE_VAL ? "" : " NOT SOLVED");
    carom_friction_data_close(&data);
    cli_bench_row(text, ours, 0.0, note);
    return error->status;
}

static void print_course(const struct course course[2])
{
    printf("\nbricks:150:100, seconds until the residual is below   ours   plain sweeps\n");
    double level = 1.0;
    for (size_t k = 0; k < MARKS; k++, level *= 0.1) {
        printf("  %46.0e", level);
        for (size_t s = 0; s < 2; s++)
            if (course[s].reached[k] < HUGE_VAL)
                printf(" %9.3g", course[s].reached[k]);
            else
                printf(" %9s", "-");
        printf("\n");
    }
}

enum carom_status cli_bench_heap(struct cli_bench *bench, struct carom_error *error)
{
    static const char *const names[] = {"bricks:10:10", "bricks:20:20", "bricks:40:40", "spheres:10", "spheres:21"};
    struct course course[2];
    cli_bench_limits(bench);
    cli_bench_head("heaps, one step from rest to 1e-8", "s");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (time_both(names[i], 60.0, course, error) != CAROM_OK)
            return error->status;
    if (time_both("bricks:150:100", bench->large ? 600.0 : 20.0, course, error) == CAROM_OK)
        print_course(course);
    return error->status;
}
