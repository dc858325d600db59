/* carom bench --device NAME: rattle on a device beside what its memory allows: each cell's state once read and once
 * written a step, its neighbours' at hand, and of link records what both passes and both cells need at the bandwidth of
 * a = b + s a measured on it in the same run. Times are differences of long and short calls, so that what goes to and
 * fro between processor and device is not among them; the last column tells it. What is ready soonest comes first. */
#include <stdio.h>

#include "bench/bench.h"
#include "bench/runner.h"
#include "device/device.h"
#include "kernel/texts.h"

static const struct row {
    const char *name;
    enum carom_solid_case kind;
    size_t card[3], small[3]; /* cells on cards, and where the processor plays one */
    bool records;
    size_t bytes; /* that a step moves at least for a cell: places, velocities, pressure, what passes need of records */
} rows[] = {
    {"a record for every link",
     CAROM_SOLID_SPACE,
     {100, 100, 100},
     {30, 30, 30},
     true,
     8 * (3 * 7 + 2 * 6 + 2) + 6 * (2 * 8 + 8 * (8 + 15))},
    {"plane grid", CAROM_SOLID_STRAIN, {4000, 4000, 1}, {300, 300, 1}, false, 8 * (2 * 4 + 2 * 3)},
    {"grid in space", CAROM_SOLID_SPACE, {300, 300, 300}, {30, 30, 30}, false, 8 * (3 * 7 + 2 * 6 + 2)},
};

enum { ROWS = sizeof rows / sizeof *rows, SHORT = 5, TRIAD = 1 << 25, TRIAD_SMALL = 1 << 20 };

static const char triad_text[] = "__kernel void triad(const ulong n, __global double *a, __global const double *b)\n"
                                 "{ const size_t i = get_global_id(0); if (i < n) a[i] = b[i] + 0.5 * a[i]; }\n";

/* bytes per second */
static double bandwidth(struct carom_device *device, size_t repeats, struct carom_error *error)
{
    const char *const text[] = {carom_texts_lane, triad_text};
    const uint64_t n = carom_device_what(device)->card ? TRIAD : TRIAD_SMALL;
    const size_t places[2] = {n, 1};
    struct carom_device_program *program = carom_device_compile(device, "the bench", text, 2, error);
    struct carom_device_memory *a = program ? carom_device_take(device, 8 * n, error) : NULL,
                               *b = a ? carom_device_take(device, 8 * n, error) : NULL;
    double best = 0.0;
    for (size_t r = 0; b && r <= repeats; r++) {
        enum { CALLS = 20 };
        const double start = carom_clock_now();
        const struct carom_device_argument argument[] = {{.value = &n, .size = sizeof n}, {.memory = a}, {.memory = b}};
        for (int k = 0; k < CALLS; k++)
            carom_device_run(program, "triad", places, argument, 3);
        if (carom_device_finish(device, error) != CAROM_OK)
            break;
        if (r > 0) /* the first compiles */
            best = fmax(best, CALLS * 24.0 * (double)n / (carom_clock_now() - start));
    }
    carom_device_release(a);
    carom_device_release(b);
    carom_device_program_free(program);
    return best;
}

static enum carom_status time_row(const struct row *row, struct carom_device *device, size_t repeats, double rate,
                                  struct carom_error *error)
{
    const bool card = carom_device_what(device)->card;
    const size_t *count = card ? row->card : row->small, steps = card ? 100 : 2 * SHORT;
    struct cli_runner r = {0};
    struct cli_bench_pace pace = {0.0, 0.0};
    char name[80], note[160];
    enum carom_status status = cli_runner_create(&r, row->kind, count, row->records, 0, error);
    if (status == CAROM_OK)
        status = carom_scheme_rattle.device(r.stepper, device, error);
    if (status == CAROM_OK)
        status = cli_bench_pace(r.stepper, r.state, SHORT, steps, repeats, &pace, error);
    if (status == CAROM_OK) {
        const double cells = (double)r.solid->n, one = pace.step;
        snprintf(name, sizeof name, "%s, %zu x %zu x %zu", row->name, count[0], count[1], count[2]);
        snprintf(note, sizeof note, "%.2f x what %zu bytes take; %.2g s to and fro",
                 one * rate / (cells * (double)row->bytes), row->bytes, pace.rest);
        cli_bench_row(name, cells / one, 0.0, note);
    }
    cli_runner_free(&r);
    return status;
}

static enum carom_status time_rows(const struct cli_bench *bench, struct carom_device *device, double rate,
                                   struct carom_error *error)
{
    enum carom_status status = cli_bench_device_rows(bench, device, error);
    for (size_t i = 0, told = 0; i < ROWS && status == CAROM_OK; i++) {
        if (!cli_bench_wants(bench, rows[i].name))
            continue;
        if (told++ == 0)
            cli_bench_head("rattle on it, cells and steps per second", "1/s");
        status = time_row(&rows[i], device, bench->repeats, rate, error);
    }
    if (status == CAROM_OK)
        status = cli_bench_device_packing(bench, device, rate, error);
    return status == CAROM_OK ? cli_bench_device_long(bench, device, rate, error) : status;
}

enum carom_status cli_bench_device(struct cli_bench *bench, struct carom_error *error)
{
    if (!bench->device) /* among all groups */
        return CAROM_OK;
    struct carom_device *device = carom_device_open(bench->device, error);
    if (!device)
        return error->status;
    struct cli_bench few = *bench;
    few.repeats = bench->repeats < 3 ? bench->repeats : 3;
    const double rate = bandwidth(device, few.repeats, error);
    enum carom_status status = rate > 0.0 ? CAROM_OK : error->status;
    if (status == CAROM_OK) {
        printf("\n%s (%s): %.4g GB/s\n", carom_device_what(device)->name, carom_device_what(device)->driver,
               1e-9 * rate);
        status = time_rows(&few, device, rate, error);
    }
    carom_device_free(device);
    return status;
}
