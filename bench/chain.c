/* carom bench, group chain: nanoseconds per bead and step on rows of beads between walls with every contact pressed and
 * every bead moving, so that no scheme can leave anything out. The ledger's losses are summed as in any run. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "bench/bench.h"
#include "scheme/chain/lanes.h"

enum { SIDE_BY_SIDE = 8 }; /* chains of a batch */

struct row {
    const char *name;
    const struct carom_scheme *scheme;
    const struct carom_law *law;
    size_t n;
    double gamma;
    const char *option; /* the one that is not at its default */
    double value;
    double limit;                    /* nanoseconds where a square root takes 1.35, 0: none stated */
    bool iterative;                  /* is the number of Newton iterations of interest? */
    bool memory;                     /* is the number of bytes limited? */
    const struct carom_lanes *lanes; /* not NULL: several chains side by side */
};

#define THETA &carom_scheme_theta, &carom_law_kuwabara_kono
#define IRK &carom_scheme_irk, &carom_law_kuwabara_kono
#define CN_REG &carom_scheme_cn_reg, &carom_law_kuwabara_kono
#define EM &carom_scheme_energy_momentum, &carom_law_kuwabara_kono
#define GL_REG &carom_scheme_gl_reg, &carom_law_kuwabara_kono

#define VERLET(law) &carom_scheme_verlet, &carom_law_##law
#define DP5 &carom_scheme_dp5, &carom_law_kuwabara_kono

/* clang-format off */
static const struct row rows[] = {
    {"verlet  hertz          N = 1000", VERLET(hertz), 1000, 0.0, "step", 0.01, 1.3 * 1.35, false, false, NULL},
    {"verlet  hertz          N = 25", VERLET(hertz), 25, 0.0, "step", 0.01, 0.0, false, false, NULL},
    {"verlet  hertz          N = 1e6", VERLET(hertz), 1000000, 0.0, "step", 0.01, 0.0, false, false, NULL},
    {"verlet  kuwabara-kono  N = 1000", VERLET(kuwabara_kono), 1000, 0.06, "step", 0.01, 5.4, false, false, NULL},
    {"theta   kuwabara-kono  N = 25", THETA, 25, 0.06, "step", 0.1, 25.0, true, false, NULL},
    {"theta   kuwabara-kono  N = 1e4", THETA, 10000, 0.06, "step", 0.1, 25.0, true, false, NULL},
    {"theta   kuwabara-kono  N = 1e6", THETA, 1000000, 0.06, "step", 0.1, 50.0, true, false, NULL},
    {"theta   in lanes       N = 25", THETA, 25, 0.06, "step", 0.1, 12.0, true, false, &carom_batch_theta_lanes},
    {"irk     kuwabara-kono  N = 25", IRK, 25, 0.06, "step", 0.1, 55.0, true, false, NULL},
    {"irk     kuwabara-kono  N = 1e4", IRK, 10000, 0.06, "step", 0.1, 55.0, true, false, NULL},
    {"irk     kuwabara-kono  N = 1e6", IRK, 1000000, 0.06, "step", 0.1, 110.0, true, true, NULL},
    {"irk     in lanes       N = 25", IRK, 25, 0.06, "step", 0.1, 32.0, true, false, &carom_batch_irk_lanes},
    {"cn-reg  kuwabara-kono  N = 25", CN_REG, 25, 0.06, "step", 0.1, 0.0, true, false, NULL},
    {"energy-momentum k.-k.  N = 25", EM, 25, 0.06, "step", 0.1, 0.0, true, false, NULL},
    {"gl-reg  kuwabara-kono  N = 25", GL_REG, 25, 0.06, "step", 0.1, 0.0, true, false, NULL},
    {"dp5     kuwabara-kono  N = 1000", DP5, 1000, 0.06, "tol", 1e-6, 0.0, false, false, NULL},
};
/* clang-format on */

enum { ROWS = sizeof rows / sizeof *rows };

static enum carom_status join_all(struct carom_model *model, const struct row *row, struct carom_error *error)
{
    const size_t n = row->n;
    int32_t(*pair)[2] = carom_memory_zeroed(n + 1, sizeof *pair);
    double *columns[3] = {carom_memory_zeroed(n + 1, sizeof(double)), carom_memory_zeroed(n + 1, sizeof(double)),
                          carom_memory_zeroed(n + 1, sizeof(double))};
    const bool room = pair && columns[0] && columns[1] && columns[2];
    enum carom_status status = room ? CAROM_OK : carom_memory_error(error);
    if (room) {
        for (size_t j = 0; j <= n; j++) {
            pair[j][0] = j == 0 ? CAROM_WALL_LEFT : (int32_t)(j - 1);
            pair[j][1] = j == n ? CAROM_WALL_RIGHT : (int32_t)j;
            columns[0][j] = 1.0;
            columns[1][j] = row->gamma;
            columns[2][j] = -0.1; /* gap: pressed by this much */
        }
        const double *const param[2] = {columns[0], columns[1]};
        status = carom_model_join(model, row->law, CAROM_END_GAP, n + 1, (const int32_t(*)[2])pair, columns[2], param,
                                  error);
    }
    carom_memory_free(pair);
    for (size_t c = 0; c < 3; c++)
        carom_memory_free(columns[c]);
    return status;
}

static struct carom_model *build(const struct row *row, double *room, struct carom_error *error)
{
    struct carom_model *model = carom_model_create();
    for (size_t i = 0; i < row->n; i++)
        room[i] = 1.0; /* masses */
    struct carom_beads *beads = model ? carom_beads_create(row->n, room, NULL, NULL, error) : NULL;
    if (beads && carom_model_add(model, &carom_part_beads, beads, error) == CAROM_OK &&
        join_all(model, row, error) == CAROM_OK && carom_model_finish(model, error) == CAROM_OK)
        return model;
    carom_model_free(model);
    return NULL;
}

/* A row under way: one chain, or several side by side. Damping would bring the beads to rest, so a repetition goes over
 * the same few steps again and again, from states in which iterations have something to start from. */
struct runner {
    size_t count; /* chains */
    struct carom_sim *sim[SIDE_BY_SIDE];
    struct carom_stepper *stepper[SIDE_BY_SIDE];
    struct carom_state *state[SIDE_BY_SIDE], *begin[SIDE_BY_SIDE];
    struct carom_lanes_batch *batch;
    size_t steps, rounds; /* of a repetition */
    double best, bytes, iterations;
};

static void close_row(struct runner *r)
{
    carom_lanes_free(r->batch);
    for (size_t c = 0; c < SIDE_BY_SIDE; c++) {
        carom_sim_free(r->sim[c]);
        carom_state_free(r->begin[c]);
    }
}

static enum carom_status make_sim(struct runner *r, size_t c, const struct row *row, double *room,
                                  struct carom_error *error)
{
    double *const q = room, *const v = room + row->n;
    void *options = carom_options_create(&row->scheme->kind);
    struct carom_model *model = build(row, room, error);
    if (!options || !model || carom_options_set(&row->scheme->kind, options, row->option, row->value, error)) {
        carom_options_free(options);
        carom_model_free(model);
        return error->status ? error->status : carom_memory_error(error);
    }
    for (size_t i = 0; i < row->n; i++) {
        q[i] = 0.0;
        v[i] = 0.05 * sin(0.7 * (double)i + (double)c);
    }
    const struct carom_setup setup = {
        .model = model, .scheme = row->scheme, .options = options, .q = q, .v = v, .until = 1e9, .threads = 1};
    r->sim[c] = carom_sim_create(&setup, error);
    if (!r->sim[c])
        return error->status;
    r->stepper[c] = r->sim[c]->stepper;
    r->state[c] = r->sim[c]->state;
    return CAROM_OK;
}

static struct carom_sim *sim_of(const struct row *row, struct carom_error *error)
{
    struct runner r = {0};
    double *room = carom_memory_zeroed(2 * row->n, sizeof *room);
    if (room)
        make_sim(&r, 0, row, room, error);
    else
        carom_memory_error(error);
    carom_memory_free(room);
    return r.sim[0];
}

struct carom_sim *cli_bench_hertz(size_t n, struct carom_error *error)
{
    const struct row row = {"", VERLET(hertz), n, 0.0, "step", 0.01, 0.0, false, false, NULL};
    return sim_of(&row, error);
}

struct carom_sim *cli_bench_theta(size_t n, struct carom_error *error)
{
    const struct row row = {"", THETA, n, 1e-4, "step", 0.1, 0.0, false, false, NULL};
    return sim_of(&row, error);
}

static enum carom_status take_steps(struct runner *r, const struct row *row, size_t steps, struct carom_error *error)
{
    if (row->lanes)
        return carom_lanes_advance(r->batch, r->state, row->value, 1e9, steps, error);
    const struct carom_bound bound = {.t_stop = 1e9, .t_dense = HUGE_VAL, .steps = steps};
    return row->scheme->step(r->stepper[0], r->state[0], &bound, error);
}

/* a few steps on, and keeps the states */
static enum carom_status begin_row(struct runner *r, const struct row *row, struct carom_error *error)
{
    if (row->lanes && !(r->batch = carom_lanes_create(row->lanes, r->count, r->stepper, error)))
        return error->status;
    if (take_steps(r, row, 5, error) != CAROM_OK)
        return error->status;
    for (size_t c = 0; c < r->count; c++) {
        r->begin[c] = carom_state_create(r->sim[c]->model, r->state[c]->nmemory);
        if (!r->begin[c])
            return carom_memory_error(error);
        carom_state_copy(r->begin[c], r->state[c]);
    }
    return CAROM_OK;
}

static enum carom_status open_row(struct runner *r, const struct row *row, struct carom_error *error)
{
    *r = (struct runner){.count = row->lanes ? SIDE_BY_SIDE : 1, .best = HUGE_VAL};
    const size_t steps = 1 + 400000 / (row->n * r->count);
    r->steps = steps < 200 ? steps : 200;
    r->rounds = steps / r->steps;
    const double before = cli_bench_bytes();
    double *room = carom_memory_zeroed(2 * row->n, sizeof *room);
    enum carom_status status = room ? CAROM_OK : carom_memory_error(error);
    for (size_t c = 0; c < r->count && status == CAROM_OK; c++)
        status = make_sim(r, c, row, room, error);
    carom_memory_free(room);
    r->bytes = (cli_bench_bytes() - before) / (double)row->n;
    return status == CAROM_OK ? begin_row(r, row, error) : status;
}

static struct carom_counts counts_of(const struct runner *r, const struct row *row)
{
    return row->lanes ? carom_lanes_counts(r->batch) : r->stepper[0]->counts;
}

static enum carom_status time_row(struct runner *r, const struct row *row, struct carom_error *error)
{
    const struct carom_counts before = counts_of(r, row);
    enum carom_status status = CAROM_OK;
    double seconds = 0.0;
    for (size_t i = 0; i < r->rounds && status == CAROM_OK; i++) {
        for (size_t c = 0; c < r->count; c++)
            carom_state_copy(r->state[c], r->begin[c]);
        const double start = carom_clock_busy();
        status = take_steps(r, row, r->steps, error);
        seconds += carom_clock_busy() - start;
    }
    const struct carom_counts after = counts_of(r, row);
    r->best = fmin(r->best, 1e9 * seconds / ((double)(r->steps * r->rounds * r->count) * (double)row->n));
    r->iterations = (double)(after.iterations - before.iterations) / (double)(after.steps - before.steps);
    return status;
}

static void print_rows(const struct cli_bench *bench, const struct runner *runner)
{
    cli_bench_head_roots("per bead and step, every contact closed");
    for (size_t i = 0; i < ROWS; i++) {
        char note[60] = "";
        if (rows[i].iterative)
            snprintf(note, sizeof note, "%.2f Newton iterations a step", runner[i].iterations);
        cli_bench_row_roots(bench, rows[i].name, runner[i].best, rows[i].limit, note);
    }
    printf("  A Hertz contact costs one square root a step: the first row's ratio is the distance from that limit.\n");
    cli_bench_head("Newton iterations a step", "measured");
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].iterative && rows[i].limit > 0.0)
            cli_bench_row(rows[i].name, runner[i].iterations, 2.1, "");
    cli_bench_head("bytes per bead, nothing recorded", "measured");
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].n == 1000000)
            cli_bench_row(rows[i].name, runner[i].bytes, rows[i].memory ? 300.0 : 0.0, "");
}

enum carom_status cli_bench_chain(struct cli_bench *bench, struct carom_error *error)
{
    static struct runner runner[ROWS];
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < ROWS && status == CAROM_OK; i++)
        status = open_row(&runner[i], &rows[i], error);
    for (size_t r = 0; r < bench->repeats && status == CAROM_OK; r++) {
        cli_bench_limits(bench);
        for (size_t i = 0; i < ROWS && status == CAROM_OK; i++)
            status = time_row(&runner[i], &rows[i], error);
    }
    if (status == CAROM_OK)
        print_rows(bench, runner);
    for (size_t i = 0; i < ROWS; i++)
        close_row(&runner[i]);
    return status;
}
