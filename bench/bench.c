/* carom bench: times beside the limits of the machine, measured in the same run. This is the frame: limits, tables,
 * options; what is timed is in bench_<group>.c. */
#include "bench/bench.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"

/* a new group of rows: a file bench_<name>.c, its function in bench.h, a line here */
static const struct {
    const char *name, *text;
    enum carom_status (*run)(struct cli_bench *bench, struct carom_error *error);
} groups[] = {
    {"book", "what the book of impacts adds to runs", cli_bench_book},
    {"chain", "schemes on chains with every contact closed, one thread", cli_bench_chain},
    {"device", "solids, rows of beads and packings on a device, which --device names", cli_bench_device},
    {"friction", "contact problems with friction, as carom solve takes them", cli_bench_friction},
    {"heap", "contact problems of many bodies, and the residual over time for 1e4 boxes", cli_bench_heap},
    {"impact", "one impact in a long chain; dp5 to a given error", cli_bench_impact},
    {"lzb", "impacts lzb and lzb-impulse on a struck chain, beside Siconos if it is there", cli_bench_lzb},
    {"packing", "dense packings of spheres and discs under verlet, beside LAMMPS if it is there", cli_bench_packing},
    {"page", "pages of runs in chromium, if it is there", cli_bench_page},
    {"press", "solids that lie on each other: what their contact adds to a step", cli_bench_press},
    {"rigid", "rigid contacts: ball and columns under moreau-jean, beside Siconos if it is there", cli_bench_rigid},
    {"solid", "elastic solids under rattle, beside bandwidth and arithmetic rate", cli_bench_solid},
};

enum { GROUPS = sizeof groups / sizeof *groups, ROOTS = 1000, BIG = 4000000 };

double cli_bench_distance(size_t count, const double *a, const double *b)
{
    double worst = 0.0;
    for (size_t i = 0; i < count; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

double cli_bench_bytes(void)
{
    const struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

/* nanoseconds per square root, arrays in the first cache */
static double time_roots(double *from, double *to, size_t n)
{
    const int rounds = 400;
    const double start = carom_clock_busy();
    for (int r = 0; r < rounds; r++) {
        for (size_t i = 0; i < n; i++)
            to[i] = sqrt(from[i]);
        from[r % (int)n] = to[(r + 1) % (int)n] + 1.0; /* keeps the rounds apart for the compiler */
    }
    return 1e9 * (carom_clock_busy() - start) / ((double)rounds * (double)n);
}

/* bytes per nanosecond of a = b + s c on arrays larger than the caches */
static double time_memory(double *a, double *b, double *c, size_t n)
{
    const double start = carom_clock_busy();
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + 0.5 * c[i];
    const double seconds = carom_clock_busy() - start;
    b[0] = a[n / 2];
    return 24.0 * (double)n / (1e9 * seconds);
}

void cli_bench_limits(struct cli_bench *bench)
{
    double *room = bench->own;
    double small[2][ROOTS];
    for (size_t i = 0; i < ROOTS; i++)
        small[0][i] = 1.0 + (double)i;
    bench->root = fmin(bench->root, time_roots(small[0], small[1], ROOTS));
    bench->bandwidth = fmax(bench->bandwidth, time_memory(room, room + BIG, room + 2 * (size_t)BIG, BIG));
}

static const char *verdict(double value, double limit)
{
    return !(limit > 0.0) ? "" : value <= limit ? "within" : "ABOVE";
}

static void print_limit(double limit)
{
    if (limit > 0.0)
        printf(" %10.3g", limit);
    else
        printf(" %10s", "");
}

void cli_bench_head(const char *title, const char *value)
{
    printf("\n%-42s %12s %10s\n", title, value, "limit");
    fflush(stdout);
}

void cli_bench_row(const char *name, double value, double limit, const char *note)
{
    printf("  %-40s %12.4g", name, value);
    print_limit(limit);
    printf(" %-7s %s\n", verdict(value, limit), note);
    fflush(stdout);
}

void cli_bench_head_roots(const char *title)
{
    printf("\n%-42s %10s %14s %10s\n", title, "ns", "x square root", "limit");
    fflush(stdout);
}

void cli_bench_row_roots(const struct cli_bench *bench, const char *name, double nanoseconds, double at,
                         const char *note)
{
    const double ratio = nanoseconds / bench->root, limit = at / 1.35;
    printf("  %-40s %10.3f %14.2f", name, nanoseconds, ratio);
    print_limit(limit);
    printf(" %-7s %s\n", verdict(ratio, limit), note);
    fflush(stdout);
}

/* seconds of so many steps in one call */
static double call_steps(struct carom_stepper *stepper, struct carom_state *state, size_t steps,
                         struct carom_error *error)
{
    const struct carom_bound bound = {.t_stop = HUGE_VAL, .t_dense = HUGE_VAL, .steps = steps};
    const double start = carom_clock_now();
    return stepper->scheme->step(stepper, state, &bound, error) == CAROM_OK ? carom_clock_now() - start : HUGE_VAL;
}

enum carom_status cli_bench_pace(struct carom_stepper *stepper, struct carom_state *state, size_t brief, size_t more,
                                 size_t repeats, struct cli_bench_pace *pace, struct carom_error *error)
{
    double less = HUGE_VAL, all = HUGE_VAL;
    if (!(call_steps(stepper, state, brief, error) < HUGE_VAL)) /* the first compiles */
        return error->status;
    for (size_t k = 0; k < repeats; k++) {
        less = fmin(less, call_steps(stepper, state, brief, error));
        all = fmin(all, call_steps(stepper, state, brief + more, error));
        if (!(less < HUGE_VAL && all < HUGE_VAL))
            return error->status;
    }
    pace->step = (all - less) / (double)more;
    pace->rest = less - (double)brief * pace->step;
    return CAROM_OK;
}

bool cli_bench_wants(const struct cli_bench *bench, const char *name)
{
    return !bench->row || strstr(name, bench->row);
}

static enum carom_status run_groups(const char *only, struct cli_bench *bench, struct carom_error *error)
{
    bench->own = carom_memory_zeroed(3 * BIG, sizeof(double));
    if (!bench->own)
        return carom_memory_error(error);
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < GROUPS && status == CAROM_OK; i++)
        if (!only || strcmp(only, groups[i].name) == 0)
            status = groups[i].run(bench, error);
    if (status == CAROM_OK && bench->bandwidth > 0.0) {
        printf("\nlimits of this machine, one thread\n");
        printf("  square root              %8.3f ns\n", bench->root);
        printf("  memory                   %8.2f GB/s\n", bench->bandwidth);
    }
    carom_memory_free(bench->own);
    return status;
}

static bool is_group(const char *name, struct carom_error *error)
{
    const char *names[GROUPS];
    for (size_t i = 0; i < GROUPS; i++) {
        names[i] = groups[i].name;
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    const char *near = carom_param_nearest(name, names, GROUPS);
    if (near)
        carom_error_set(error, CAROM_E_USAGE, "--only %s: there is no such group, did you mean '%s'?", name, near);
    else
        carom_error_set(error, CAROM_E_USAGE, "--only %s: there is no such group; 'carom bench --help' names them",
                        name);
    return false;
}

int carom_cli_bench(int argc, char **argv)
{
    const char *repeats = NULL, *only = NULL, *device = NULL, *row = NULL, *none[1];
    size_t npositional;
    bool quiet = false, large = false;
    const struct cli_option options[] = {
        {"--repeats", NULL, "N", "repetitions, of which the best counts (default 15)", .single = &repeats},
        {"--only", NULL, "GROUP", "one group of rows instead of all", .single = &only},
        {"--device", NULL, "NAME",
         "times solids, rows and packings on a device of 'carom list devices' (or auto), and nothing else",
         .single = &device},
        {"--row", NULL, "TEXT", "of a device only rows whose names have TEXT in them", .single = &row},
        {"--large", NULL, NULL, "also rows that need minutes and gigabytes (packing: 1e6 spheres)", .flag = &large},
        {"--quiet", "-q", NULL, "accepted by every command; changes nothing here", .flag = &quiet},
        {0},
    };
    char text[2000];
    int length = snprintf(text, sizeof text,
                          "Times carom beside the limits of the machine measured in the same run. Where a limit is "
                          "stated, the\nrow says whether it is kept.\n\ngroups:\n");
    for (size_t i = 0; i < GROUPS; i++)
        length += snprintf(text + length, sizeof text - (size_t)length, "  %-8s %s\n", groups[i].name, groups[i].text);
    const struct cli_command command = {
        "carom bench [--only GROUP | --device NAME [--row TEXT]] [--repeats N] [--large]", text, options, 0, 0};
    int code;
    if (!cli_read(&command, argc, argv, none, &npositional, &code))
        return code;
    struct carom_error error = {CAROM_OK, ""};
    const long count = repeats ? strtol(repeats, NULL, 10) : 15;
    if (count < 1 || count > 10000)
        return cli_usage("--repeats %s: must be a number from 1 to 10000", repeats);
    if (only && !is_group(only, &error))
        return cli_fail(&error);
    if (only && device && strcmp(only, "device") != 0)
        return cli_usage("--only %s: --device %s times group device alone", only, device);
    if (only && !device && strcmp(only, "device") == 0)
        device = "auto";
    if (row && !device)
        return cli_usage("--row %s: rows are chosen among those of a device; name it by --device", row);
    struct cli_bench bench = {.repeats = (size_t)count, .large = large, .device = device, .row = row, .root = HUGE_VAL};
    return run_groups(device ? "device" : only, &bench, &error) == CAROM_OK ? CAROM_OK : cli_fail(&error);
}
