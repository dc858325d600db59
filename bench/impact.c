/* carom bench, group impact: what one impact costs in a long chain, where most beads have not been reached; and how
 * long dp5 takes to come within 1e-6 of the motion of two chains. The same two beside SUNDIALS: bench/README.md. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "bench/bench.h"

/* n beads in touch, masses 1 and `light` in turn, Kuwabara-Kono with k = 1; the first bead strikes with speed 1 */
struct problem {
    const char *name;
    size_t n;
    double light, gamma, until;
    double sundials, least; /* milliseconds of SUNDIALS where a square root takes 1.35 ns; how often carom is to win */
};

enum { LOOKS = 50 };

static struct carom_model *build(const struct problem *p, double *room, struct carom_error *error)
{
    int32_t(*pair)[2] = carom_memory_zeroed(p->n, sizeof *pair);
    struct carom_model *model = carom_model_create();
    double *const one = room, *const gamma = room + p->n, *const gap = room + 2 * p->n;
    for (size_t i = 0; pair && i < p->n; i++) {
        pair[i][0] = (int32_t)i;
        pair[i][1] = (int32_t)i + 1;
        one[i] = i % 2 == 0 ? 1.0 : p->light; /* masses first */
        gamma[i] = p->gamma;
        gap[i] = 0.0;
    }
    struct carom_beads *beads = pair && model ? carom_beads_create(p->n, one, NULL, NULL, error) : NULL;
    bool good = beads && carom_model_add(model, &carom_part_beads, beads, error) == CAROM_OK;
    for (size_t i = 0; i < p->n; i++)
        one[i] = 1.0; /* then stiffnesses */
    const double *const columns[] = {one, gamma};
    good = good &&
           carom_model_join(model, &carom_law_kuwabara_kono, CAROM_END_GAP, p->n - 1, (const int32_t(*)[2])pair, gap,
                            columns, error) == CAROM_OK &&
           carom_model_finish(model, error) == CAROM_OK;
    carom_memory_free(pair);
    if (good)
        return model;
    carom_model_free(model);
    return NULL;
}

/* dp5 at a local tolerance */
static struct carom_sim *open_sim(const struct problem *p, double tol, struct carom_error *error)
{
    const struct carom_kind *kind = &carom_scheme_dp5.kind;
    void *options = carom_options_create(kind);
    double *room = carom_memory_zeroed(3 * p->n, sizeof *room);
    struct carom_model *model = options && room ? build(p, room, error) : NULL;
    struct carom_sim *sim = NULL;
    if (model && carom_options_set(kind, options, "tol", tol, error) == CAROM_OK &&
        carom_options_set(kind, options, "share", 1.0, error) == CAROM_OK) {
        memset(room, 0, 2 * p->n * sizeof *room);
        room[p->n] = 1.0;
        const struct carom_setup setup = {.model = model,
                                          .scheme = &carom_scheme_dp5,
                                          .options = options,
                                          .q = room,
                                          .v = room + p->n,
                                          .until = p->until,
                                          .threads = 1};
        sim = carom_sim_create(&setup, error);
    } else {
        carom_options_free(options);
        carom_model_free(model);
        if (error->status == CAROM_OK)
            carom_memory_error(error);
    }
    carom_memory_free(room);
    return sim;
}

/* --- one impact ----------------------------------------------------------------------------------------------- */

/* nanoseconds per step of the first thousands, after a few that find everything new to the caches */
static double time_impact(size_t n, struct carom_error *error)
{
    const struct problem p = {.n = n, .light = 1.0, .gamma = 0.06, .until = 1e9};
    const size_t steps = 3000;
    struct carom_sim *sim = open_sim(&p, 1e-6, error);
    if (!sim)
        return HUGE_VAL;
    struct carom_bound bound = {.t_stop = p.until, .t_dense = HUGE_VAL, .steps = 10};
    enum carom_status status = carom_scheme_dp5.step(sim->stepper, sim->state, &bound, error);
    bound.steps = steps;
    const double start = carom_clock_busy();
    if (status == CAROM_OK)
        status = carom_scheme_dp5.step(sim->stepper, sim->state, &bound, error);
    const double seconds = carom_clock_busy() - start;
    carom_sim_free(sim);
    return status == CAROM_OK ? 1e9 * seconds / (double)steps : HUGE_VAL;
}

static enum carom_status compare_lengths(struct cli_bench *bench, struct carom_error *error)
{
    double best[2] = {HUGE_VAL, HUGE_VAL};
    for (size_t r = 0; r < bench->repeats && error->status == CAROM_OK; r++) {
        cli_bench_limits(bench);
        best[0] = fmin(best[0], time_impact(10000, error));
        best[1] = fmin(best[1], time_impact(1000000, error));
    }
    if (error->status != CAROM_OK)
        return error->status;
    cli_bench_head("one impact under dp5, a step", "measured");
    cli_bench_row("N = 1e4, ns", best[0], 0.0, "");
    cli_bench_row("N = 1e6, ns", best[1], 0.0, "");
    cli_bench_row("N = 1e6 over N = 1e4", best[1] / best[0], 1.2, "");
    return CAROM_OK;
}

/* --- to a given error ------------------------------------------------------------------------------------------- */

/* seconds, with the displacements at LOOKS times as a recorder would take them */
static double run_to_end(const struct problem *p, double tol, double *looks, struct carom_error *error)
{
    const double start = carom_clock_busy();
    struct carom_sim *sim = open_sim(p, tol, error);
    enum carom_status status = sim ? CAROM_OK : error->status;
    for (int look = 0; look < LOOKS && status == CAROM_OK; look++) {
        const double t = p->until * (look + 1) / LOOKS;
        const struct carom_bound bound = {.t_stop = p->until, .t_dense = t, .steps = SIZE_MAX};
        while (status == CAROM_OK && carom_state_until(sim->state, t) > 0.0)
            status = carom_scheme_dp5.step(sim->stepper, sim->state, &bound, error);
        if (carom_state_until(sim->state, t) < 0.0)
            carom_scheme_dp5.dense(sim->stepper, sim->state, t, sim->view);
        else
            carom_sim_sync(sim);
        memcpy(looks + (size_t)look * p->n, sim->view->q, p->n * sizeof(double));
    }
    const double seconds = carom_clock_busy() - start;
    carom_sim_free(sim);
    return status == CAROM_OK ? seconds : HUGE_VAL;
}

/* the loosest local tolerance whose error is below 1e-6, from `tol` down by `factor`; and that error */
static double find_tolerance(const struct problem *p, double tol, double factor, const double *exact, double *looks,
                             double *off, struct carom_error *error)
{
    *off = HUGE_VAL;
    while (*off > 1e-6 && tol > 1e-13 && error->status == CAROM_OK) {
        tol *= factor;
        run_to_end(p, tol, looks, error);
        *off = cli_bench_distance(LOOKS * p->n, looks, exact);
    }
    return tol;
}

static enum carom_status time_problem(struct cli_bench *bench, const struct problem *p, struct carom_error *error)
{
    double *exact = carom_memory_zeroed(2 * LOOKS * p->n, sizeof *exact);
    if (!exact)
        return carom_memory_error(error);
    double *looks = exact + LOOKS * p->n;
    run_to_end(p, 1e-13, exact, error);
    double off, best = HUGE_VAL;
    double tol = find_tolerance(p, 1e-3, 0.5, exact, looks, &off, error);
    tol = find_tolerance(p, 2.0 * tol, 0.87, exact, looks, &off, error);
    for (size_t r = 0; r < bench->repeats && error->status == CAROM_OK; r++) {
        cli_bench_limits(bench);
        best = fmin(best, run_to_end(p, tol, looks, error));
    }
    carom_memory_free(exact);
    if (error->status != CAROM_OK)
        return error->status;
    char note[80];
    snprintf(note, sizeof note, "error %.1e; limit: %g ms / %g", off, p->sundials * bench->root / 1.35, p->least);
    cli_bench_row(p->name, 1e3 * best, p->sundials / p->least * bench->root / 1.35, note);
    return CAROM_OK;
}

enum carom_status cli_bench_impact(struct cli_bench *bench, struct carom_error *error)
{
    static const struct problem problems[] = {
        {"dimer, N = 25, t = 30", 25, 0.5, 0.06, 30.0, 1.6, 3.0},
        {"equal beads, N = 1000, t = 1000", 1000, 1.0, 0.06, 1000.0, 630.0, 8.0},
    };
    if (compare_lengths(bench, error) != CAROM_OK)
        return error->status;
    cli_bench_head("dp5 to error 1e-6, milliseconds", "measured");
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        if (time_problem(bench, &problems[i], error) != CAROM_OK)
            return error->status;
    printf("  Limits are from SUNDIALS 6.4 (ARKODE, Dormand-Prince, optimised): 1.6 and 630 ms where a square root\n"
           "  takes 1.35 ns. Beside a SUNDIALS of this machine: cmake --build build --target beside_sundials, and\n"
           "  run build/beside_sundials; it needs libsundials-dev, or SUNDIALS_DIR when configuring.\n");
    return CAROM_OK;
}
