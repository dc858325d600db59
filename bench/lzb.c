/* carom bench, group lzb: the chain of table 2 of Nguyen and Brogliato 2011 (21 steel balls) by impacts lzb-impulse and
 * lzb, beside Siconos' MultipleImpact where bench/beside_siconos_lzb.cpp was built (it runs in the same run of this
 * program). */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "bench/bench.h"
#include "impact/lzb.h"
#include "impact/lzb_impulse.h"

enum { BALLS = 21 };

#define STEP 1e-6 /* dP, N s */
#define TRUTH 1e-12

/* a row of steel balls that touch, the first of which comes with 1 m/s */
struct chain {
    size_t n;
    struct carom_model *model;
    struct carom_frame frame;
    double *e, *k, *p, *v, *after, *impulse, *lost;
};

static void close_chain(struct chain *c)
{
    carom_memory_free(c->e);
    carom_frame_close(&c->frame);
    carom_model_free(c->model);
    *c = (struct chain){0};
}

static enum carom_status make_model(struct chain *c, double es, struct carom_error *error)
{
    const size_t n = c->n;
    double *mass = carom_memory_zeroed(n, sizeof *mass), *zero = carom_memory_zeroed(n, sizeof *zero);
    int32_t(*pair)[2] = carom_memory_zeroed(n, sizeof *pair);
    size_t *contact = carom_memory_zeroed(n, sizeof *contact);
    enum carom_status status = CAROM_E_MEMORY;
    for (size_t i = 0; mass && pair && contact && i < n; i++) {
        mass[i] = 4.0 / 3.0 * 3.14159265358979323846 * 1e-6 * 7780.0;
        pair[i][0] = (int32_t)i;
        pair[i][1] = (int32_t)i + 1;
        contact[i] = i;
        c->e[i] = es;
        c->k[i] = 4.0 / 3.0 * sqrt(0.005) * 203e9 / (2.0 * (1.0 - 0.09));
        c->p[i] = 1.5;
    }
    const double *const columns[CAROM_RIGID_COLUMNS] = {c->e, c->k, c->p};
    c->model = carom_model_create();
    struct carom_beads *beads = mass ? carom_beads_create(n, mass, NULL, NULL, error) : NULL;
    if (c->model && beads && zero && pair && contact &&
        carom_model_add(c->model, &carom_part_beads, beads, error) == CAROM_OK &&
        carom_model_join(c->model, &carom_law_rigid, CAROM_END_GAP, n - 1, (const int32_t(*)[2])pair, zero, columns,
                         error) == CAROM_OK &&
        carom_model_finish(c->model, error) == CAROM_OK &&
        carom_frame_open(&c->frame, c->model, n - 1, error) == CAROM_OK)
        status = carom_frame_set(&c->frame, 0.0, zero, contact, n - 1, error);
    else
        carom_memory_error(error);
    carom_memory_free_all(mass, zero, pair, contact);
    return status;
}

static enum carom_status open_chain(struct chain *c, size_t n, double es, struct carom_error *error)
{
    *c = (struct chain){.n = n};
    if (!carom_memory_together(CAROM_ROOM(c->e, n), CAROM_ROOM(c->k, n), CAROM_ROOM(c->p, n), CAROM_ROOM(c->v, n),
                               CAROM_ROOM(c->after, n), CAROM_ROOM(c->impulse, n), CAROM_ROOM(c->lost, n)))
        return carom_memory_error(error);
    c->v[0] = 1.0;
    return make_model(c, es, error);
}

/* --- carom ------------------------------------------------------------------------------------------------------- */

/* seconds of one walk; *steps */
static double time_walk(const struct chain *c, bool safe, size_t *steps, struct carom_error *error)
{
    struct carom_lzb_walk walk;
    double *rate = carom_memory_zeroed(c->n, sizeof *rate);
    const struct carom_lzb_impulse_options options = {
        .dP = STEP, .threshold = safe ? 0.0 : DBL_EPSILON, .safeguards = safe ? 0 : 1};
    if (!rate || !carom_lzb_walk_open(&walk, c->n - 1, c->n)) {
        carom_memory_error(error);
        carom_memory_free(rate);
        return HUGE_VAL;
    }
    carom_frame_rates(&c->frame, c->v, rate);
    const struct carom_lzb_walk_manner manner = carom_lzb_impulse_manner(&options, &c->frame, rate, 0.0);
    const double start = carom_clock_busy();
    carom_lzb_walk_begin(&walk, &c->frame, c->v, c->k, c->p, c->e, &manner);
    while (carom_lzb_walk_goes_on(&walk))
        carom_lzb_walk_step(&walk);
    carom_lzb_walk_balance(&walk);
    const double seconds = carom_clock_busy() - start;
    *steps = (size_t)walk.steps;
    memcpy(c->after, walk.v, c->n * sizeof(double));
    carom_lzb_walk_close(&walk);
    carom_memory_free(rate);
    return seconds;
}

/* seconds of impact lzb at a tolerance */
static double time_lzb(const struct chain *c, double tol, struct carom_error *error)
{
    const struct carom_lzb_options options = {.impact_tol = tol};
    struct carom_striker *striker = carom_striker_create(&carom_impact_lzb, c->model, &options, c->n - 1, error);
    if (!striker)
        return HUGE_VAL;
    struct carom_collision collision = {.frame = &c->frame,
                                        .e = c->e,
                                        .k = c->k,
                                        .p = c->p,
                                        .v = c->v,
                                        .after = c->after,
                                        .impulse = c->impulse,
                                        .lost = c->lost};
    const double start = carom_clock_busy();
    const enum carom_status status = carom_impact_lzb.solve(striker, &collision, error);
    const double seconds = carom_clock_busy() - start;
    carom_striker_free(striker);
    return status == CAROM_OK ? seconds : HUGE_VAL;
}

/* --- Siconos ----------------------------------------------------------------------------------------------------- */

/* the program lies beside this one; false if it is not there */
static bool ask_siconos(double *seconds, double v[BALLS])
{
    char path[1024], command[1100];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 40);
    if (length <= 0)
        return false;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, "beside_siconos_lzb");
    if (strpbrk(path, "'\\") || access(path, X_OK) != 0)
        return false;
    snprintf(command, sizeof command, "OPENBLAS_NUM_THREADS=1 '%s' %g 2>/dev/null", path, STEP);
    FILE *answer = popen(command, "r");
    double dP;
    bool good = answer && fscanf(answer, "%lf %lf", &dP, seconds) == 2;
    for (size_t i = 0; good && i < BALLS; i++)
        good = fscanf(answer, "%lf", &v[i]) == 1;
    if (answer)
        pclose(answer);
    return good;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

static void print_steps(const double *best, const size_t *steps, double siconos, double apart)
{
    static const char *const names[] = {"lzb-impulse, as printed", "lzb-impulse, safeguards on"};
    cli_bench_head("21 balls, dP = 1e-6 N s, nanoseconds a step", "measured");
    for (int i = 0; i < 2; i++) {
        const double mine = 1e9 * best[i] / (double)steps[i], theirs = 1e9 * siconos / (double)steps[0];
        char note[120];
        int length = snprintf(note, sizeof note, "%zu steps", steps[i]);
        if (siconos > 0.0)
            length += snprintf(note + length, sizeof note - (size_t)length, "; Siconos %.0f: %.0f times as long",
                               theirs, theirs / mine);
        if (siconos > 0.0 && i == 0)
            snprintf(note + length, sizeof note - (size_t)length, ", limit: that / 30; v apart by %.0e", apart);
        cli_bench_row(names[i], mine, siconos > 0.0 && i == 0 ? theirs / 30.0 : 0.0, note);
    }
}

static enum carom_status time_table(struct cli_bench *bench, struct carom_error *error)
{
    struct chain c;
    double best[2] = {HUGE_VAL, HUGE_VAL}, truth[BALLS], v[BALLS], siconos = 0.0, apart = 0.0, off = 5e-4;
    size_t steps[2] = {1, 1};
    if (open_chain(&c, BALLS, 1.0, error) == CAROM_OK)
        time_lzb(&c, TRUTH, error);
    if (error->status == CAROM_OK)
        memcpy(truth, c.after, sizeof truth);
    const bool beside = error->status == CAROM_OK && ask_siconos(&siconos, v);
    for (size_t r = 0; r < bench->repeats && error->status == CAROM_OK; r++) {
        cli_bench_limits(bench);
        for (int safe = 1; safe >= 0; safe--)
            best[safe] = fmin(best[safe], time_walk(&c, safe, &steps[safe], error));
    }
    if (error->status == CAROM_OK) {
        apart = beside ? cli_bench_distance(BALLS, v, c.after) : 0.0;
        off = cli_bench_distance(BALLS, beside ? v : c.after, truth);
        print_steps(best, steps, beside ? siconos : 0.0, apart);
    }
    double tol = 0.1, seconds = HUGE_VAL, mine = HUGE_VAL;
    for (; error->status == CAROM_OK && mine > off && tol > TRUTH; tol *= 0.5) {
        seconds = time_lzb(&c, tol, error);
        mine = cli_bench_distance(BALLS, c.after, truth);
    }
    for (size_t r = 0; r < 3 * bench->repeats && error->status == CAROM_OK; r++)
        seconds = fmin(seconds, time_lzb(&c, 2.0 * tol, error));
    if (error->status == CAROM_OK) {
        char note[120];
        int length = snprintf(note, sizeof note, "error %.1e, printed steps %.1e", mine, off);
        if (beside)
            snprintf(note + length, sizeof note - (size_t)length,
                     "; Siconos %.0f: %.0f times as long; limit: that / 3000", 1e6 * siconos, siconos / seconds);
        cli_bench_head("the same impact to the same error, microseconds", "measured");
        cli_bench_row("lzb", 1e6 * seconds, beside ? 1e6 * siconos / 3000.0 : 0.0, note);
    }
    if (error->status == CAROM_OK && !beside)
        printf("  Beside Siconos where libsiconos-kernel-dev was there when carom was built; here it was not.\n");
    close_chain(&c);
    return error->status;
}

/* rows struck at one end: the wave is all that costs, where nothing is lost */
static enum carom_status time_rows(struct cli_bench *bench, struct carom_error *error)
{
    static const struct {
        const char *name;
        size_t n;
        double es, tol, limit; /* seconds */
    } rows[] = {
        {"1e5 balls, es = 1, impact_tol 1e-7", 100000, 1.0, 1e-7, 1.0},
        {"1e5 balls, es = 1, impact_tol 1e-9", 100000, 1.0, 1e-9, 1.0},
        {"1e5 balls, es = 0.9, impact_tol 1e-2", 100000, 0.9, 1e-2, 0.0},
        {"100 balls, es = 0.9, impact_tol 1e-9", 100, 0.9, 1e-9, 0.0},
        {"200 balls, es = 0.9, impact_tol 1e-9", 200, 0.9, 1e-9, 0.0},
        {"21 balls, es = 0.6, impact_tol 1e-9", 21, 0.6, 1e-9, 0.0},
    };
    cli_bench_head("rows that touch, struck at one end, seconds", "measured");
    for (size_t i = 0; i < sizeof rows / sizeof *rows && error->status == CAROM_OK; i++) {
        struct chain c;
        double best = HUGE_VAL;
        if (open_chain(&c, rows[i].n, rows[i].es, error) == CAROM_OK)
            for (size_t r = 0; r < (bench->repeats < 3 ? bench->repeats : 3) && error->status == CAROM_OK; r++)
                best = fmin(best, time_lzb(&c, rows[i].tol, error));
        close_chain(&c);
        if (error->status == CAROM_OK)
            cli_bench_row(rows[i].name, best, rows[i].limit, "impact lzb");
    }
    return error->status;
}

enum carom_status cli_bench_lzb(struct cli_bench *bench, struct carom_error *error)
{
    const enum carom_status status = time_table(bench, error);
    return status == CAROM_OK ? time_rows(bench, error) : status;
}
