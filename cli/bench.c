/* carom bench: times of the schemes beside the limits of the machine, measured in the same run, because machines
 * differ and are noisy: the ratios count. Every figure is the best of several interleaved repetitions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "cli.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A row of n beads between walls, all contacts pressed by the same overlap and every bead moving a little. */
struct bench_chain {
    struct carom_model *model;
    double *q, *v;
    struct carom_scales scales;
};

static void chain_free(struct bench_chain *chain)
{
    carom_model_free(chain->model);
    carom_memory_free(chain->q);
    carom_memory_free(chain->v);
}

static enum carom_status join_all(struct carom_model *model, const struct carom_law *law, size_t n, double gamma,
                                  struct carom_error *error)
{
    const double overlap = 0.1;
    int32_t(*pair)[2] = carom_memory_zeroed(n + 1, sizeof *pair);
    double *columns[3] = {carom_memory_zeroed(n + 1, sizeof(double)), carom_memory_zeroed(n + 1, sizeof(double)),
                          carom_memory_zeroed(n + 1, sizeof(double))};
    enum carom_status status = carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    if (pair && columns[0] && columns[1] && columns[2]) {
        for (size_t j = 0; j <= n; j++) {
            pair[j][0] = j == 0 ? CAROM_WALL_LEFT : (int32_t)(j - 1);
            pair[j][1] = j == n ? CAROM_WALL_RIGHT : (int32_t)j;
            columns[0][j] = 1.0;
            columns[1][j] = gamma;
            columns[2][j] = -overlap;
        }
        const double *const param[2] = {columns[0], columns[1]};
        status =
            carom_model_join(model, law, CAROM_END_GAP, n + 1, (const int32_t(*)[2])pair, columns[2], param, error);
    }
    carom_memory_free(pair);
    for (size_t c = 0; c < 3; c++)
        carom_memory_free(columns[c]);
    return status;
}

static enum carom_status chain_create(struct bench_chain *chain, const struct carom_law *law, size_t n, double gamma,
                                      struct carom_error *error)
{
    *chain = (struct bench_chain){.model = carom_model_create(),
                                  .q = carom_memory_zeroed(n, sizeof(double)),
                                  .v = carom_memory_zeroed(n, sizeof(double))};
    if (!chain->model || !chain->q || !chain->v)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++)
        chain->q[i] = 1.0; /* masses, for a moment */
    struct carom_beads *beads = carom_beads_create(n, chain->q, NULL, NULL, error);
    if (!beads)
        return error->status;
    enum carom_status status = carom_model_add(chain->model, &carom_part_beads, beads, error);
    if (status == CAROM_OK)
        status = join_all(chain->model, law, n, gamma, error);
    if (status == CAROM_OK)
        status = carom_model_finish(chain->model, error);
    for (size_t i = 0; i < n; i++) {
        chain->q[i] = 0.0;
        chain->v[i] = 0.01 * sin(0.7 * (double)i);
    }
    if (status == CAROM_OK)
        status = carom_scales_find(chain->model, chain->q, chain->v, &chain->scales, error);
    return status;
}

/* a scheme set going on a chain, ready to be timed */
struct runner {
    struct bench_chain chain;
    struct carom_stepper *stepper;
    struct carom_state *state;
    double options[4]; /* the step or the tolerance, the rest at 0 */
    size_t steps;      /* per repetition */
};

static void runner_free(struct runner *r)
{
    carom_stepper_free(r->stepper);
    carom_state_free(r->state);
    chain_free(&r->chain);
}

static enum carom_status runner_create(struct runner *r, const struct carom_scheme *scheme, const struct carom_law *law,
                                       size_t n, double gamma, double option, struct carom_error *error)
{
    *r = (struct runner){.options = {option}, .steps = 1 + 400000 / n};
    enum carom_status status = chain_create(&r->chain, law, n, gamma, error);
    if (status != CAROM_OK)
        return status;
    struct carom_model *model = r->chain.model;
    r->stepper = carom_stepper_create(scheme, model, r->options, &r->chain.scales, NULL, error);
    r->state = carom_state_create(model, carom_stepper_memory(scheme, model, r->options));
    if (!r->stepper || !r->state)
        return r->stepper ? carom_error_set(error, CAROM_E_MEMORY, "out of memory") : error->status;
    memcpy(r->state->q, r->chain.q, n * sizeof(double));
    memcpy(r->state->v, r->chain.v, n * sizeof(double));
    return scheme->start ? scheme->start(r->stepper, r->state, error) : CAROM_OK;
}

/* nanoseconds per bead and step */
static double runner_time(struct runner *r, struct carom_error *error)
{
    const struct carom_bound bound = {.t_stop = 1e9, .t_dense = HUGE_VAL, .steps = r->steps};
    const double start = now();
    if (r->stepper->scheme->step(r->stepper, r->state, &bound, error) != CAROM_OK)
        return HUGE_VAL;
    return 1e9 * (now() - start) / ((double)r->steps * (double)r->chain.model->nv);
}

/* nanoseconds per square root, arrays in the first cache */
static double time_roots(double *from, double *to, size_t n)
{
    const int rounds = 400;
    const double start = now();
    for (int r = 0; r < rounds; r++) {
        for (size_t i = 0; i < n; i++)
            to[i] = sqrt(from[i]);
        from[r % (int)n] = to[(r + 1) % (int)n] + 1.0; /* keeps the rounds apart for the compiler */
    }
    return 1e9 * (now() - start) / ((double)rounds * (double)n);
}

/* bytes per nanosecond of a = b + s c on arrays larger than the caches */
static double time_memory(double *a, double *b, double *c, size_t n)
{
    const double start = now();
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + 0.5 * c[i];
    const double seconds = now() - start;
    b[0] = a[n / 2];
    return 24.0 * (double)n / (1e9 * seconds);
}

struct row {
    const char *name;
    const struct carom_scheme *scheme;
    const struct carom_law *law;
    size_t n;
    double gamma, option;
};

static const struct row rows[] = {
    {"verlet  hertz          N = 1000", &carom_scheme_verlet, &carom_law_hertz, 1000, 0.0, 0.01},
    {"verlet  hertz          N = 1e6", &carom_scheme_verlet, &carom_law_hertz, 1000000, 0.0, 0.01},
    {"verlet  kuwabara-kono  N = 1000", &carom_scheme_verlet, &carom_law_kuwabara_kono, 1000, 0.06, 0.01},
    {"theta   kuwabara-kono  N = 25", &carom_scheme_theta, &carom_law_kuwabara_kono, 25, 0.06, 0.1},
    {"theta   kuwabara-kono  N = 1e4", &carom_scheme_theta, &carom_law_kuwabara_kono, 10000, 0.06, 0.1},
    {"dp5     kuwabara-kono  N = 1000", &carom_scheme_dp5, &carom_law_kuwabara_kono, 1000, 0.06, 1e-6},
};

enum { ROWS = sizeof rows / sizeof *rows, ROOTS = 1000, BIG = 4000000 };

static void print_rows(const double *best, const double *bytes, double root, double bandwidth)
{
    printf("limits of this machine, one thread\n");
    printf("  square root              %8.3f ns\n", root);
    printf("  memory                   %8.2f GB/s\n\n", bandwidth);
    printf("%-34s %12s %14s %14s\n", "ns per bead and step, all closed", "measured", "x square root", "bytes per bead");
    for (size_t i = 0; i < ROWS; i++)
        printf("  %-32s %12.3f %14.2f %14.0f\n", rows[i].name, best[i], best[i] / root, bytes[i]);
    printf("\nA Hertz contact costs one square root a step: the first row's ratio is the distance from that limit.\n");
}

static enum carom_status measure(size_t repeats, struct carom_error *error)
{
    struct runner runner[ROWS] = {0};
    double best[ROWS], bytes[ROWS], root = HUGE_VAL, bandwidth = 0.0;
    double *room = carom_memory_zeroed(3 * (size_t)BIG, sizeof(double));
    double small[2][ROOTS];
    enum carom_status status = room ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    for (size_t i = 0; i < ROOTS; i++)
        small[0][i] = 1.0 + (double)i;
    for (size_t i = 0; i < ROWS && status == CAROM_OK; i++) {
        best[i] = HUGE_VAL;
        status =
            runner_create(&runner[i], rows[i].scheme, rows[i].law, rows[i].n, rows[i].gamma, rows[i].option, error);
        if (status == CAROM_OK)
            bytes[i] = 8.0 * (double)(runner[i].state->n + runner[i].stepper->before->n) / (double)rows[i].n;
    }
    for (size_t r = 0; r < repeats && status == CAROM_OK; r++) {
        root = fmin(root, time_roots(small[0], small[1], ROOTS));
        bandwidth = fmax(bandwidth, time_memory(room, room + BIG, room + 2 * (size_t)BIG, BIG));
        for (size_t i = 0; i < ROWS; i++)
            best[i] = fmin(best[i], runner_time(&runner[i], error));
    }
    if (status == CAROM_OK)
        print_rows(best, bytes, root, bandwidth);
    for (size_t i = 0; i < ROWS; i++)
        runner_free(&runner[i]);
    carom_memory_free(room);
    return status;
}

int carom_cli_bench(int argc, char **argv)
{
    const char *repeats = NULL, *none[1];
    size_t npositional;
    bool quiet = false;
    const struct cli_option options[] = {
        {"--repeats", NULL, "N", "repetitions, of which the best counts (default 15)", .single = &repeats},
        {"--quiet", "-q", NULL, "accepted by every command; changes nothing here", .flag = &quiet},
        {0},
    };
    const struct cli_command command = {"carom bench [--repeats N]",
                                        "Times the schemes on chains with every contact closed, beside the time of a\n"
                                        "square root and the memory bandwidth measured in the same run.",
                                        options, 0, 0};
    int code;
    if (!cli_read(&command, argc, argv, none, &npositional, &code))
        return code;
    struct carom_error error = {CAROM_OK, ""};
    const long count = repeats ? strtol(repeats, NULL, 10) : 15;
    if (count < 1 || count > 10000) {
        carom_error_set(&error, CAROM_E_USAGE, "--repeats %s: must be a number from 1 to 10000", repeats);
        return cli_fail(&error);
    }
    return measure((size_t)count, &error) == CAROM_OK ? CAROM_OK : cli_fail(&error);
}
