/* carom bench, group packing: what a step of verlet costs in dense random packings of spheres and discs, all sides of
 * the domain joined, with and without friction and damping; that it is linear in their number; what a reading of the
 * ledger costs, threads bring and a sphere needs of memory; and the same packing and step in LAMMPS (pair style
 * gran/hertz/history, which keeps no ledger) where Debian's `lmp` is installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "bench/bench.h"
#include "carom/bodies.h"
#include "carom/device.h"
#include "model/bodies/list.h"
#include "model/place/packing.h"

enum { SPHERES = 10000, DISCS = 10000, MANY = 100000, STEPS = 20, LONG = 5, FEW = 3 };

/* radii about 1, mass about 1; an overlap of 1e-3 swings in some 200 steps */
#define STIFF 1e6
#define VISCOUS 1e-4
#define MU 0.3
#define STEP 1e-4
#define SPEED 0.02
#define SHARE 0.62    /* of the volume that spheres fill */
#define OVERLAP 1.004 /* radii over those that were placed: the share that makes z about 6.6 in space */

/* balls in a box whose sides are joined */
struct packing {
    size_t dimension, n;
    double (*centre)[3], *radius, edge;
};

struct row {
    const char *name;
    size_t dimension, copies[3]; /* copies: of the packing along each side */
    bool rubs, undamped;
    double times;          /* as fast as LAMMPS, is asked for; 0: nothing is */
    size_t threads, steps; /* steps: that are timed at once */
    struct carom_sim *sim;
    double best, wall, bytes, lammps; /* seconds a ball and step; bytes a ball; lammps 0: not known */
};

static void close_packing(struct packing *p)
{
    carom_memory_free_all(p->centre, p->radius);
}

static enum carom_status pack(struct packing *p, size_t dimension, size_t n, double fraction, struct carom_error *error)
{
    struct carom_random random;
    carom_random_start(&random, 7);
    *p = (struct packing){.dimension = dimension, .n = n};
    p->centre = carom_memory_zeroed(n, sizeof *p->centre);
    p->radius = carom_memory_zeroed(n, sizeof *p->radius);
    if (!p->centre || !p->radius)
        return carom_memory_error(error);
    double volume = 0.0;
    for (size_t i = 0; i < n; i++) {
        p->radius[i] = 0.8 + 0.4 * carom_random_uniform(&random);
        volume += dimension == 2 ? 3.14159265358979323846 * p->radius[i] * p->radius[i]
                                 : 4.0 / 3.0 * 3.14159265358979323846 * p->radius[i] * p->radius[i] * p->radius[i];
    }
    p->edge = pow(volume / fraction, 1.0 / (double)dimension);
    struct carom_place_region region = {.surface = CAROM_BOX};
    for (size_t k = 0; k < dimension; k++) {
        region.at[k] = region.size[k] = 0.5 * p->edge;
        region.periodic[k] = true;
    }
    const enum carom_status status =
        carom_packing_place(CAROM_PACKING_DENSE, dimension, &region, n, p->radius, 1, NULL, p->centre, error);
    if (status == CAROM_OK && !carom_place_order(dimension, n, p->centre, p->radius))
        return carom_memory_error(error);
    return status;
}

/* balls of the packing, and copies of it beside each other */
static void set_balls(const struct packing *p, const struct row *row, struct carom_bodies *b)
{
    for (size_t i = 0; i < b->n; i++) {
        const size_t from = i % p->n, copy = i / p->n;
        const size_t *of = row->copies, at[3] = {copy % of[0], copy / of[0] % of[1], copy / of[0] / of[1]};
        struct carom_body *body = &b->body[i];
        body->surface = CAROM_BALL;
        body->radius = OVERLAP * p->radius[from];
        body->mass = 1.0;
        body->inertia = (p->dimension == 2 ? 0.5 : 0.4) * body->mass * body->radius * body->radius;
        for (size_t k = 0; k < p->dimension; k++)
            body->at[k] = p->centre[from][k] + p->edge * (double)at[k];
    }
    b->bounded = true;
    for (size_t k = 0; k < p->dimension; k++) {
        b->periodic[k] = true;
        b->high[k] = p->edge * (double)row->copies[k];
    }
}

static struct carom_model *build(const struct packing *p, const struct row *row, struct carom_error *error)
{
    const size_t n = p->n * row->copies[0] * row->copies[1] * row->copies[2];
    struct carom_bodies *b = carom_bodies_create(p->dimension, n, 1, 1, 0, 0);
    struct carom_model *model = carom_model_create();
    if (!b || !model) {
        carom_memory_error(error);
        carom_bodies_free(b);
        carom_model_free(model);
        return NULL;
    }
    set_balls(p, row, b);
    const double viscous = row->undamped ? 0.0 : VISCOUS;
    const double param[] = {STIFF, viscous}, rub[] = {MU, 0.0, 0.8 * STIFF, viscous, 3.0};
    b->pairing[0].law = &carom_law_kuwabara_kono;
    b->pairing[0].ending = CAROM_END_GAP;
    for (size_t i = 0; i < 2; i++)
        b->pairing[0].param[i].param = param[i];
    b->pairing[0].friction = row->rubs ? &carom_friction_mindlin : NULL;
    for (size_t i = 0; i < 5; i++)
        b->pairing[0].rub[i].param = rub[i];
    if (carom_bodies_finish(b, error) == CAROM_OK && carom_model_add(model, &carom_part_bodies, b, error) == CAROM_OK &&
        carom_model_finish(model, error) == CAROM_OK)
        return model;
    carom_model_free(model);
    return NULL;
}

static enum carom_status open_row(const struct packing *p, struct row *row, struct carom_error *error)
{
    const struct carom_kind *kind = &carom_scheme_verlet.kind;
    const double before = cli_bench_bytes();
    struct carom_random random;
    carom_random_start(&random, 3);
    struct carom_model *model = build(p, row, error);
    if (!model)
        return error->status;
    const struct carom_bodies *b = carom_model_bodies(model);
    double *q = carom_memory_zeroed(model->nq, sizeof *q), *v = carom_memory_zeroed(model->nv, sizeof *v);
    void *options = carom_options_create(kind);
    if (q && v && options && carom_options_set(kind, options, "step", STEP, error) == CAROM_OK) {
        carom_bodies_rest(b, q);
        for (size_t i = 0; i < model->nv; i++)
            v[i] = SPEED * (2.0 * carom_random_uniform(&random) - 1.0);
        const struct carom_setup setup = {.model = model,
                                          .scheme = &carom_scheme_verlet,
                                          .options = options,
                                          .q = q,
                                          .v = v,
                                          .until = 1e9,
                                          .threads = row->threads};
        row->sim = carom_sim_create(&setup, error);
    }
    carom_memory_free_all(q, v);
    if (!row->sim)
        return error->status == CAROM_OK ? carom_memory_error(error) : error->status;
    row->best = row->wall = HUGE_VAL;
    row->steps = b->n == MANY ? LONG * STEPS : STEPS; /* beside many threads the view that is made after them counts */
    const enum carom_status status = carom_sim_step(row->sim, STEPS, error);
    row->bytes = (cli_bench_bytes() - before) / (double)b->n;
    return status;
}

static enum carom_status time_row(struct row *row, struct carom_error *error)
{
    const double work = (double)(row->steps * carom_model_bodies(row->sim->model)->n);
    const double start = carom_clock_busy(), start_wall = carom_clock_now();
    const enum carom_status status = carom_sim_step(row->sim, row->steps, error);
    row->wall = fmin(row->wall, (carom_clock_now() - start_wall) / work);
    row->best = row->threads > 1 ? row->wall : fmin(row->best, (carom_clock_busy() - start) / work);
    return status;
}

/* --- beside LAMMPS ----------------------------------------------------------------------------------------------- */

static bool write_balls(const char *path, const struct carom_bodies *b)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    const bool plane = b->dimension == 2;
    fprintf(file,
            "packing\n\n%zu atoms\n1 atom types\n0 %.17g xlo xhi\n0 %.17g ylo yhi\n%.17g %.17g zlo zhi\n\nAtoms\n\n",
            b->n, b->high[0], b->high[1], plane ? -0.5 : 0.0, plane ? 0.5 : b->high[2]);
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        const double r = body->radius;
        fprintf(file, "%zu 1 %.17g %.17g %.17g %.17g %.17g\n", i + 1, 2.0 * r,
                body->mass / (3.14159265358979323846 * r * r * (plane ? 1.0 : 4.0 / 3.0 * r)), body->at[0], body->at[1],
                body->at[2]);
    }
    return fclose(file) == 0;
}

static bool write_input(const char *path, const char *data, const struct row *row)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    const bool plane = row->dimension == 2;
    const double viscous = row->undamped ? 0.0 : VISCOUS;
    fprintf(file, "units lj\natom_style sphere\ndimension %zu\nboundary p p p\ncomm_modify vel yes\n", row->dimension);
    fprintf(file, "newton off\nread_data %s\nneighbor 0.24 bin\nneigh_modify delay 0 every 1 check yes\n", data);
    /* gran/hertz/history takes k over sqrt(R*), R* about a half; its gamma_n acts likewise */
    fprintf(file, "pair_style gran/hertz/history %g %g %g %g %g %d\npair_coeff * *\n", STIFF * 1.414,
            0.8 * STIFF * 1.414, 1.5 * viscous * STIFF, 0.8 * viscous * STIFF, row->rubs ? MU : 0.0, row->rubs ? 1 : 0);
    fprintf(file, "velocity all create %g 3\nfix 1 all nve/sphere%s\n%stimestep %g\nthermo 1000\n", SPEED * SPEED / 3.0,
            plane ? " disc" : "", plane ? "fix 2 all enforce2d\n" : "", STEP);
    fprintf(file, "run %d\nrun %d pre no\n", STEPS, LONG * STEPS);
    return fclose(file) == 0;
}

/* of the last of its runs, seconds of its processor a ball and step */
static double read_times(const char *command, size_t n)
{
    FILE *answers = popen(command, "r");
    char line[512];
    double seconds = 0.0, percent = 0.0;
    while (answers && fgets(line, sizeof line, answers))
        if (sscanf(line, "Loop time of %lf", &seconds) != 1)
            sscanf(line, "%lf%% CPU use", &percent);
    const bool good = answers && pclose(answers) == 0;
    return good ? 0.01 * percent * seconds / (LONG * STEPS * (double)n) : 0.0;
}

/* false: there is no lmp */
static bool ask_lammps(struct row *row)
{
    char folder[64], data[80], input[80], command[300];
    snprintf(folder, sizeof folder, "/tmp/carom-packing-%ld", (long)getpid());
    if (system("command -v lmp >/dev/null 2>&1") != 0 || mkdir(folder, 0700) != 0)
        return false;
    const struct carom_bodies *b = carom_model_bodies(row->sim->model);
    snprintf(data, sizeof data, "%s/data", folder);
    snprintf(input, sizeof input, "%s/in", folder);
    snprintf(command, sizeof command, "OMP_NUM_THREADS=1 lmp -in %s -log none 2>/dev/null", input);
    if (write_balls(data, b) && write_input(input, data, row))
        row->lammps = read_times(command, b->n);
    unlink(data);
    unlink(input);
    rmdir(folder);
    return true;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

/* `one`: the same in one thread, or NULL */
static void print_row(const struct row *row, const struct row *one)
{
    const struct carom_bodies *b = carom_model_bodies(row->sim->model);
    const struct carom_contacts *c = row->sim->state->contacts;
    size_t touching = 0;
    for (size_t j = 0; j < c->n; j++)
        touching += !carom_list_is_empty(c, j);
    char note[160];
    int length = snprintf(note, sizeof note, "%zu balls, z = %.2f, %.2f pairs listed and %.0f bytes a ball", b->n,
                          2.0 * (double)touching / (double)b->n, (double)c->n / (double)b->n, row->bytes);
    if (row->lammps > 0.0)
        snprintf(note + length, sizeof note - (size_t)length, "; LAMMPS %.4g, %.2f times as fast as it",
                 1e9 * row->lammps, row->lammps / row->best);
    else if (one)
        snprintf(note + length, sizeof note - (size_t)length, "; %.2f times as fast as one thread",
                 one->wall / row->wall);
    cli_bench_row(row->name, 1e9 * row->best, row->times > 0.0 ? 1e9 * row->lammps / row->times : 0.0, note);
}

/* seconds a ball that a reading of the ledger takes */
static double time_ledger(const struct row *row)
{
    const struct carom_sim *sim = row->sim;
    struct carom_ledger ledger;
    double best = HUGE_VAL;
    for (int i = 0; i < FEW; i++) {
        const double start = carom_clock_busy();
        carom_balance_read(sim->model, sim->view, NULL, &ledger);
        best = fmin(best, carom_clock_busy() - start);
    }
    return best / (double)carom_model_bodies(sim->model)->n;
}

static const struct row rows[] = {
    {.name = "spheres, friction", .dimension = 3, .copies = {3, 1, 1}, .rubs = true, .times = 2.0, .threads = 1},
    {.name = "the same, without damping",
     .dimension = 3,
     .copies = {3, 1, 1},
     .rubs = true,
     .undamped = true,
     .threads = 1},
    {.name = "spheres, normal forces only", .dimension = 3, .copies = {3, 1, 1}, .times = 3.0, .threads = 1},
    {.name = "discs, friction", .dimension = 2, .copies = {1, 1, 1}, .rubs = true, .threads = 1},
    {.name = "1e4 spheres, friction", .dimension = 3, .copies = {1, 1, 1}, .rubs = true, .threads = 1},
    {.name = "1e5 spheres, friction", .dimension = 3, .copies = {5, 2, 1}, .rubs = true, .threads = 1},
    {.name = "the same, two threads", .dimension = 3, .copies = {5, 2, 1}, .rubs = true, .threads = 2},
    {.name = "the same, four threads", .dimension = 3, .copies = {5, 2, 1}, .rubs = true, .threads = 4},
    {.name = "the same, eight threads", .dimension = 3, .copies = {5, 2, 1}, .rubs = true, .threads = 8},
    {.name = "the same, sixteen threads", .dimension = 3, .copies = {5, 2, 1}, .rubs = true, .threads = 16},
};
enum { ROWS = sizeof rows / sizeof *rows, ONE_THREAD = 5 }; /* ONE_THREAD: the row beside which those with more stand */

/* n rows, those that there are cores for */
static enum carom_status time_rows(struct cli_bench *bench, struct row *row, size_t n, struct carom_error *error)
{
    for (size_t r = 0; r < bench->repeats; r++) {
        cli_bench_limits(bench);
        for (size_t i = 0; i < n; i++)
            if (time_row(&row[i], error) != CAROM_OK)
                return error->status;
    }
    bool beside = true;
    for (size_t i = 0; i < n && beside; i++)
        beside = row[i].threads > 1 || ask_lammps(&row[i]);
    cli_bench_head("dense packings under verlet, ns a ball and step", "measured");
    for (size_t i = 0; i < n; i++)
        print_row(&row[i], row[i].threads > 1 ? &row[ONE_THREAD] : NULL);
    if (!beside)
        printf("  Beside LAMMPS where Debian's `lmp` (package lammps) is installed; here it is not.\n");
    cli_bench_row("a reading of the ledger, ns a ball", 1e9 * time_ledger(&row[0]), 0.0, "");
    cli_bench_row("bytes a sphere, friction", row[0].bytes, 2147.0, "1e6 of them in 2 GiB");
    return CAROM_OK;
}

/* a million of them, alone in memory */
static enum carom_status time_million(const struct packing *packing, struct carom_error *error)
{
    struct row row = {.name = "1e6 spheres, friction", .dimension = 3, .copies = {5, 5, 4}, .rubs = true, .threads = 1};
    enum carom_status status = open_row(packing, &row, error);
    for (int i = 0; i < FEW && status == CAROM_OK; i++)
        status = time_row(&row, error);
    if (status == CAROM_OK) {
        ask_lammps(&row);
        print_row(&row, NULL);
    }
    carom_sim_free(row.sim);
    return status;
}

enum carom_status cli_bench_packing(struct cli_bench *bench, struct carom_error *error)
{
    struct row row[ROWS];
    struct packing packing[2] = {{0}};
    size_t n = ROWS;
    while (rows[n - 1].threads > carom_threads_cores())
        n--;
    memcpy(row, rows, sizeof rows);
    enum carom_status status = pack(&packing[0], 2, DISCS, 0.82, error);
    if (status == CAROM_OK)
        status = pack(&packing[1], 3, SPHERES, SHARE, error);
    for (size_t i = 0; i < n && status == CAROM_OK; i++)
        status = open_row(&packing[row[i].dimension - 2], &row[i], error);
    if (status == CAROM_OK)
        status = time_rows(bench, row, n, error);
    for (size_t i = 0; i < n; i++)
        carom_sim_free(row[i].sim);
    if (status == CAROM_OK && bench->large)
        status = time_million(&packing[1], error);
    close_packing(&packing[0]);
    close_packing(&packing[1]);
    return status;
}

/* --- on a device ------------------------------------------------------------------------------------------------- */

/* bytes that a step moves at least: bodies once read and once written, of pairs who they are and D0, |D0| and g0, and
 * what those remember that touch */
static double bytes_of(const struct row *row)
{
    const struct carom_contacts *c = row->sim->state->contacts;
    size_t touching = 0;
    for (size_t j = 0; j < c->n; j++)
        touching += !carom_list_is_empty(c, j);
    return 8.0 * (2.0 * 13.0 * (double)carom_model_bodies(row->sim->model)->n + 6.0 * (double)c->n +
                  (row->rubs ? 2.0 * 6.0 : 2.0) * (double)touching);
}

static enum carom_status time_there(struct row *row, struct carom_device *device, size_t repeats, double bandwidth,
                                    struct carom_error *error)
{
    const size_t steps = carom_device_what(device)->card ? 200 : STEPS;
    const double n = (double)carom_model_bodies(row->sim->model)->n;
    struct carom_sim *const sim = row->sim;
    struct cli_bench_pace pace = {0.0, 0.0};
    enum carom_status status = carom_stepper_move(row->sim->stepper, device, error);
    if (status == CAROM_OK)
        status = cli_bench_pace(sim->stepper, sim->state, FEW, steps, repeats, &pace, error);
    if (status == CAROM_OK) {
        const double one = pace.step, bytes = bytes_of(row);
        char name[80], note[160];
        snprintf(name, sizeof name, "%s, N = %.0e", row->name, n);
        snprintf(note, sizeof note, "%.2f x what %.0f bytes take; %.2g s to and fro", one * bandwidth / bytes,
                 bytes / n, pace.rest);
        cli_bench_row(name, n / one, 0.0, note);
    }
    return status;
}

enum carom_status cli_bench_device_packing(const struct cli_bench *bench, struct carom_device *device, double bandwidth,
                                           struct carom_error *error)
{
    static const char *const name[] = {"a packing of spheres", "a packing of spheres, friction"};
    const bool card = carom_device_what(device)->card;
    struct packing packing = {0};
    enum carom_status status = CAROM_OK;
    for (size_t i = 0, told = 0; i < 2 && status == CAROM_OK; i++) {
        struct row row = {.name = name[i], .dimension = 3, .copies = {1, 1, 1}, .rubs = i == 1, .threads = 0};
        if (!cli_bench_wants(bench, name[i]))
            continue;
        if (card)
            memcpy(row.copies, (const size_t[]){5, 5, 4}, sizeof row.copies);
        if (told++ == 0) {
            cli_bench_head("packings under verlet on it, balls and steps per second", "1/s");
            status = pack(&packing, 3, SPHERES, SHARE, error);
        }
        if (status == CAROM_OK)
            status = open_row(&packing, &row, error);
        if (status == CAROM_OK)
            status = time_there(&row, device, bench->repeats, bandwidth, error);
        carom_sim_free(row.sim);
    }
    close_packing(&packing);
    return status;
}
