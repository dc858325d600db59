/* carom bench, group friction: one contact problem with friction to 1e-8, made and solved from r = 0, preparing of
 * the factors included; beside the milliseconds published for a step of the best-known general code, where there are
 * any. */
#include <stdio.h>

#include "base/memory.h"
#include "bench/bench.h"
#include "study/stacks.h"

static const struct {
    const char *name;
    double limit; /* milliseconds, 0: none is known */
    const char *note;
} rows[] = {
    {"pyramid:10", 26.0, "145 contacts in the plane"},
    {"pyramid:16", 0.0, "376 contacts in the plane"},
    {"pyramid:20", 0.0, "590 contacts; the other code stops after 1380 ms without a solution"},
    {"tower:10", 31.0, "10 boxes, 40 contacts in space"},
    {"spheres:5", 95.0, "125 spheres, 325 contacts in space"},
    {"random:1000:3:1", 0.0, "1000 contacts in space"},
    {"tangle:10000:3:1", 0.0, "10000 contacts in space"},
};

/* milliseconds of one solution; *solved: was it one? */
static double time_one(const struct carom_friction_data *data, bool *solved, struct carom_error *error)
{
    const struct carom_friction_problem problem = carom_friction_data_problem(data);
    const size_t width = data->n * data->dim;
    double *r = carom_memory_zeroed(width, sizeof *r), *u = carom_memory_zeroed(width, sizeof *u);
    struct carom_friction_report report = {0};
    const double start = cli_bench_busy();
    struct carom_friction_room *room = carom_friction_open(data->n, data->dim, data->first[data->n], error);
    if (r && u && room && carom_friction_prepare(room, &problem, error) == CAROM_OK)
        carom_friction_solve(&problem, CAROM_FRICTION_AUTO, 1e-8, 0, room, r, u, &report);
    else if (error->status == CAROM_OK)
        carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    const double time = 1e3 * (cli_bench_busy() - start);
    *solved = report.solved;
    carom_friction_close(room);
    carom_memory_free(r);
    carom_memory_free(u);
    return time;
}

enum carom_status cli_bench_friction(struct cli_bench *bench, struct carom_error *error)
{
    for (size_t k = 0; k < bench->repeats; k++)
        cli_bench_limits(bench);
    cli_bench_head("contact problems with friction, one solution to 1e-8", "ms");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct carom_friction_data data;
        const enum carom_status status = carom_stacks_make(rows[i].name, &data, error);
        if (status != CAROM_OK)
            return status;
        double best = HUGE_VAL;
        bool solved = false;
        const size_t repeats = rows[i].limit > 0.0 ? bench->repeats : 1;
        for (size_t k = 0; k < repeats && error->status == CAROM_OK; k++) {
            const double time = time_one(&data, &solved, error);
            best = time < best ? time : best;
        }
        carom_friction_data_close(&data);
        if (error->status != CAROM_OK)
            return error->status;
        char note[120];
        snprintf(note, sizeof note, "%s%s", rows[i].note, solved ? "" : ", NOT SOLVED");
        cli_bench_row(rows[i].name, best, rows[i].limit, note);
    }
    return CAROM_OK;
}
