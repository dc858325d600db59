/* carom bench --device NAME: rows of beads on a device. Under verlet one long row beside what its memory allows, a
 * place and a velocity read and written once a step; many short ones, whose numbers stay in registers, beside the
 * square roots that the device takes in the same run; those also under theta. Times are those between calls of the
 * kernel, or differences of long and short ones. */
#include <stdio.h>

#include "base/memory.h"
#include "bench/bench.h"
#include "carom/carom.h"
#include "device/device.h"
#include "kernel/texts.h"
#include "scheme/abreast.h"

enum { SHORT = 5, BEADS = 25, ROOTS = 4 * 64, BYTES = 32 };

static const char roots_text[] = "__kernel void roots(const ulong n, __global double4 *a)\n"
                                 "{ const size_t i = get_global_id(0); if (i >= n) return; double4 x = a[i];\n"
                                 "  for (int k = 0; k < 64; k++) { x += 1.0;\n"
                                 "    x = (double4)(sqrt(x.x), sqrt(x.y), sqrt(x.z), sqrt(x.w)); } a[i] = x; }\n";

/* square roots per second: in each place four after four, which wait for the last ones */
static double root_rate(struct carom_device *device, size_t repeats, struct carom_error *error)
{
    const char *const text[] = {carom_texts_lane, roots_text};
    const uint64_t n = carom_device_what(device)->card ? 1 << 22 : 1 << 14;
    const size_t places[2] = {n, 1};
    struct carom_device_program *program = carom_device_compile(device, "the bench", text, 2, error);
    struct carom_device_memory *a = program ? carom_device_take(device, 32 * n, error) : NULL;
    const struct carom_device_argument argument[] = {{.value = &n, .size = sizeof n}, {.memory = a}};
    double best = 0.0;
    for (size_t r = 0; a && r <= repeats; r++) {
        const double start = carom_clock_now();
        carom_device_run(program, "roots", places, argument, 2);
        if (carom_device_finish(device, error) != CAROM_OK)
            break;
        if (r > 0) /* the first compiles */
            best = fmax(best, (double)n * ROOTS / (carom_clock_now() - start));
    }
    carom_device_release(a);
    carom_device_program_free(program);
    return best;
}

enum carom_status cli_bench_device_long(const struct cli_bench *bench, struct carom_device *device, double bandwidth,
                                        struct carom_error *error)
{
    static const char what[] = "one Hertz chain";
    const bool card = carom_device_what(device)->card;
    const size_t n = card ? 100000000 : 1000000, steps = card ? 2000 : 20;
    if (!cli_bench_wants(bench, what))
        return CAROM_OK;
    struct carom_sim *sim = cli_bench_hertz(n, error);
    struct cli_bench_pace pace = {0.0, 0.0};
    enum carom_status status = sim ? carom_stepper_move(sim->stepper, device, error) : error->status;
    if (status == CAROM_OK)
        status = cli_bench_pace(sim->stepper, sim->state, SHORT, steps, bench->repeats, &pace, error);
    if (status == CAROM_OK) {
        const double one = pace.step;
        char name[80], note[160];
        snprintf(name, sizeof name, "%s, N = %.0e", what, (double)n);
        snprintf(note, sizeof note, "%.2f x what %d bytes take; %.2g s to and fro",
                 one * bandwidth / (double)(n * BYTES), BYTES, pace.rest);
        cli_bench_head("one row on it, beads and steps per second", "1/s");
        cli_bench_row(name, (double)n / one, 0.0, note);
    }
    carom_sim_free(sim);
    return status;
}

/* one row many times: how it moves changes no time */
struct ensemble {
    const struct carom_abreast_scheme *scheme;
    size_t count;
    struct carom_sim *sim;
    struct carom_stepper **stepper;
    struct carom_state **state;
    bool *broken;
    struct carom_abreast *batch;
};

static const char *chains_of(const struct carom_abreast_scheme *scheme)
{
    return scheme == &carom_theta_abreast ? "theta chains" : "Hertz chains";
}

static enum carom_status open_ensemble(struct ensemble *c, struct carom_device *device, struct carom_error *error)
{
    c->sim = (c->scheme == &carom_theta_abreast ? cli_bench_theta : cli_bench_hertz)(BEADS, error);
    c->batch = c->sim ? carom_abreast_open(device, 1, error) : NULL;
    c->stepper = carom_memory_zeroed(c->count, sizeof(struct carom_stepper *));
    c->state = carom_memory_zeroed(c->count, sizeof(struct carom_state *));
    c->broken = carom_memory_zeroed(c->count, sizeof *c->broken);
    if (!c->sim || !c->batch)
        return error->status;
    if (!c->stepper || !c->state || !c->broken)
        return carom_memory_error(error);
    for (size_t i = 0; i < c->count; i++) {
        c->stepper[i] = c->sim->stepper;
        c->state[i] = c->sim->state;
    }
    return CAROM_OK;
}

static void close_ensemble(struct ensemble *c)
{
    carom_abreast_close(c->batch);
    carom_sim_free(c->sim);
    carom_memory_free_all(c->stepper, c->state, c->broken);
}

/* Between calls of the kernel: the first one, which may wait for what is sent and compiled, is over. */
struct pace {
    double began, from, now, time;
};

static bool note_pace(void *own, double time)
{
    struct pace *p = own;
    p->now = carom_clock_now();
    p->time = time;
    if (!(p->began > 0.0)) {
        p->began = p->now;
        p->from = time;
    }
    return true;
}

/* steps per second of all rows; 0: it failed */
static double pace_of(struct ensemble *c, double step, size_t steps, struct carom_error *error)
{
    struct pace pace = {0};
    const struct carom_abreast_watch watch = {.call = note_pace, .own = &pace};
    const double until = c->sim->state->time + step * (double)steps;
    return carom_abreast_run(c->batch, c->scheme, c->count, c->stepper, c->state, until, &watch, c->broken, error) ==
                   CAROM_OK
               ? (pace.time - pace.from) / step / (pace.now - pace.began)
               : 0.0;
}

static enum carom_status time_short(struct carom_device *device, const struct carom_abreast_scheme *scheme,
                                    double roots, struct carom_error *error)
{
    const bool card = carom_device_what(device)->card, theta = scheme == &carom_theta_abreast;
    struct ensemble c = {.scheme = scheme, .count = card ? 1000000 : 4096};
    const size_t steps = card ? theta ? 2048 : 16384 : theta ? 192 : 256;
    enum carom_status status = open_ensemble(&c, device, error);
    const double pace = status == CAROM_OK ? pace_of(&c, theta ? 0.1 : 0.01, steps, error) : 0.0;
    if (pace > 0.0) {
        const double rate = pace * (double)(c.count * BEADS);
        char name[80], note[160];
        snprintf(name, sizeof name, "%.0e %s, N = %d", (double)c.count, chains_of(scheme), BEADS);
        snprintf(note, sizeof note, "%.2f x what a square root takes (%.3g roots/s)", roots / rate, roots);
        cli_bench_row(name, rate, 0.0, note);
    }
    close_ensemble(&c);
    return pace > 0.0 ? CAROM_OK : error->status;
}

enum carom_status cli_bench_device_rows(const struct cli_bench *bench, struct carom_device *device,
                                        struct carom_error *error)
{
    static const struct carom_abreast_scheme *const scheme[] = {&carom_verlet_abreast, &carom_theta_abreast};
    double roots = 0.0;
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < sizeof scheme / sizeof *scheme && status == CAROM_OK; i++) {
        if (!cli_bench_wants(bench, chains_of(scheme[i])))
            continue;
        if (!(roots > 0.0)) {
            cli_bench_head("rows of beads on it, beads and steps per second", "1/s");
            roots = root_rate(device, bench->repeats, error);
        }
        status = roots > 0.0 ? time_short(device, scheme[i], roots, error) : error->status;
    }
    return status;
}
