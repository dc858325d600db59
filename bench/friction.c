/* carom bench, group friction: one contact problem with friction to 1e-8, made and solved from r = 0, preparing of
 * the factors included; beside the milliseconds published for a step of the best-known general code, where there are
 * any. */
#include <stdio.h>

#include "bench/bench.h"
#include "bench/heap.h"

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
        struct carom_friction_report report = {0};
        const size_t repeats = rows[i].limit > 0.0 ? bench->repeats : 1;
        for (size_t k = 0; k < repeats && error->status == CAROM_OK; k++) {
            const double time = 1e3 * cli_bench_heap_solve(&data, CAROM_FRICTION_AUTO, NULL, NULL, &report, error);
            best = time < best ? time : best;
        }
        carom_friction_data_close(&data);
        if (error->status != CAROM_OK)
            return error->status;
        char note[120];
        snprintf(note, sizeof note, "%s%s", rows[i].note, report.solved ? "" : ", NOT SOLVED");
        cli_bench_row(rows[i].name, best, rows[i].limit, note);
    }
    return CAROM_OK;
}
