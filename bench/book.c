/* carom bench, group book: what the book of impacts adds to rows of the other groups. Two sims of one scene, one with a
 * book and one without, take the same steps one right after the other, by turns the one and the other first: what
 * counts is the median of how their times compare in two such rounds, whatever the machine's clock does between
 * rounds. Rounds differ in their starts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "bench/bench.h"

struct row {
    const char *name;
    size_t n;           /* beads */
    const char *bodies; /* the scene's lines about bodies and contacts; %zu is n */
    const char *run;
    size_t skip, steps; /* steps that are not timed, and those that are, in one turn */
    double limit;       /* per cent */
    bool struck;        /* only the first bead moves; else all of them do */
};

#define PRESSED "bodies: [wall: {side: left}, chain: {count: %zu, mass: 1, gap: -0.1}, wall: {side: right}]\n"
#define TOUCHING "bodies: [chain: {count: %zu, mass: 1}]\n"
#define HERTZ "contacts: {law: hertz, k: 1}\n"
#define VISCOUS "contacts: {law: kuwabara-kono, k: 1, gamma: 0.06}\n"

static const struct row rows[] = {
    {"verlet  hertz          N = 1000", 1000, PRESSED HERTZ, "scheme: verlet, step: 0.01", 90, 6000, 10.0, false},
    {"verlet  hertz          N = 1e6", 1000000, PRESSED HERTZ, "scheme: verlet, step: 0.01, threads: 1", 90, 90, 10.0,
     false},
    {"verlet  kuwabara-kono  N = 1000", 1000, PRESSED VISCOUS, "scheme: verlet, step: 0.01", 90, 6000, 10.0, false},
    {"theta   kuwabara-kono  N = 25", 25, PRESSED VISCOUS, "scheme: theta, step: 0.1", 90, 600, 10.0, false},
    {"theta   kuwabara-kono  N = 1e4", 10000, PRESSED VISCOUS, "scheme: theta, step: 0.1", 90, 300, 10.0, false},
    {"irk     kuwabara-kono  N = 25", 25, PRESSED VISCOUS, "scheme: irk, step: 0.1", 90, 600, 5.0, false},
    {"irk     kuwabara-kono  N = 1e4", 10000, PRESSED VISCOUS, "scheme: irk, step: 0.1", 90, 300, 5.0, false},
    {"cn-reg  kuwabara-kono  N = 25", 25, PRESSED VISCOUS, "scheme: cn-reg, step: 0.1", 90, 600, 5.0, false},
    {"gl-reg  kuwabara-kono  N = 25", 25, PRESSED VISCOUS, "scheme: gl-reg, step: 0.1", 90, 600, 5.0, false},
    {"energy-momentum k.-k.  N = 25", 25, PRESSED VISCOUS, "scheme: energy-momentum, step: 0.1", 90, 600, 5.0, false},
    {"dp5     kuwabara-kono  N = 1000", 1000, PRESSED VISCOUS, "scheme: dp5, tol: 1e-6, share: 1", 90, 400, 5.0, false},
    {"dp5     the same, tol: 1e-9", 1000, PRESSED VISCOUS, "scheme: dp5, tol: 1e-9, share: 1", 90, 400, 5.0, false},
    {"dp5     one impact     N = 1e4", 10000, TOUCHING VISCOUS, "scheme: dp5, tol: 1e-6, share: 1", 90, 1000, 5.0,
     true},
    {"irk     at rest        N = 400", 400, PRESSED VISCOUS, "scheme: irk, step: 0.1", 3000, 400, 0.0, false},
    {"theta   at rest        N = 400", 400, PRESSED VISCOUS, "scheme: theta, step: 0.1", 3000, 400, 0.0, false},
};

enum { ROWS = sizeof rows / sizeof *rows, MOST = 400 };

static struct carom_sim *open_sim(const struct row *row, bool book, size_t round, struct carom_error *error)
{
    char text[1000];
    const char *const none[] = {"record.episodes=none"};
    size_t length = (size_t)snprintf(text, sizeof text, "units: none\n");
    length += (size_t)snprintf(text + length, sizeof text - length, row->bodies, row->n);
    length += (size_t)snprintf(text + length, sizeof text - length,
                               "start: [{body: 1, velocity: 1}]\nrun: {until: 1e6, %s}\n"
                               "record: {every: 1e6, probes: []}\n",
                               row->run);
    struct carom_scene *scene = carom_scene_parse("bench", text, length, none, book ? 0 : 1, error);
    struct carom_sim *sim = NULL;
    for (size_t i = 0; scene && !row->struck && i < row->n; i++)
        scene->v[i] = 0.05 * sin(0.7 * (double)i + (double)round);
    if (scene)
        sim = carom_scene_sim(scene, error);
    carom_scene_free(scene);
    return sim;
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, carom_sorted_reals);
    return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

static enum carom_status turn(struct carom_sim *sim, size_t steps, double *seconds, struct carom_error *error)
{
    const double start = carom_clock_busy();
    const enum carom_status status = carom_sim_step(sim, steps, error);
    *seconds = carom_clock_busy() - start;
    return status;
}

/* one round: both sims from their start, damping would bring them to rest */
static enum carom_status time_both(const struct row *row, size_t round, double seconds[2], struct carom_error *error)
{
    struct carom_sim *sim[2] = {open_sim(row, false, round, error), open_sim(row, true, round, error)};
    const size_t first = round % 2;
    enum carom_status status = sim[0] && sim[1] ? CAROM_OK : error->status;
    for (size_t i = 0; i < 2 && status == CAROM_OK; i++)
        status = carom_sim_step(sim[i], row->skip, error);
    for (size_t i = 0; i < 2 && status == CAROM_OK; i++) /* the one that is second finds a machine that is warm */
        status = turn(sim[i ^ first], row->steps, &seconds[i ^ first], error);
    carom_sim_free(sim[0]);
    carom_sim_free(sim[1]);
    return status;
}

/* The same row, round after round: the median of its times without a book, and what one adds to them. */
static enum carom_status compare(const struct row *row, size_t rounds, double *without, double *adds,
                                 struct carom_error *error)
{
    static double time[MOST], ratio[MOST], both[MOST];
    for (size_t r = 0; r < rounds; r++) {
        double seconds[2];
        if (time_both(row, r, seconds, error) != CAROM_OK)
            return error->status;
        time[r] = seconds[0];
        ratio[r] = seconds[1] / seconds[0];
    }
    for (size_t r = 0; r + 1 < rounds; r++) /* who was second in one was first in the other */
        both[r] = sqrt(ratio[r] * ratio[r + 1]);
    *without = median(time, rounds);
    *adds = median(both, rounds - 1) - 1.0;
    return CAROM_OK;
}

enum carom_status cli_bench_book(struct cli_bench *bench, struct carom_error *error)
{
    const size_t rounds = 3 * bench->repeats < MOST ? 3 * bench->repeats : MOST;
    cli_bench_limits(bench);
    cli_bench_head("what the book of impacts adds, per cent", "measured");
    for (size_t i = 0; i < ROWS; i++) {
        char note[80];
        double without = 0.0, adds = 0.0;
        if (compare(&rows[i], rounds, &without, &adds, error) != CAROM_OK)
            return error->status;
        snprintf(note, sizeof note, "%.3g ms without", 1e3 * without);
        cli_bench_row(rows[i].name, 100.0 * adds, rows[i].limit, note);
    }
    return CAROM_OK;
}
