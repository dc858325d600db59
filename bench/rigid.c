/* carom bench, group rigid: what a step of moreau-jean costs on a bouncing ball and on columns, at rest and shocked,
 * and that it is linear in the number of beads; beside Siconos where python3-siconos is installed
 * (bench/beside_siconos.py runs the same scenes there, in the same run of this program). */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "bench/bench.h"
#include "cli/study.h"

#define STEP 1e-4 /* as in beside_siconos.py, and so are gravity 10 and e = 1/2 */

struct scene {
    const char *name; /* in the lines of beside_siconos.py */
    const char *text;
    size_t n, steps;
    bool shock;     /* the last bead falls on the others with speed 1 */
    double least;   /* how often carom is to win */
    double siconos; /* seconds a step, 0: not known */
};

/* a column of n beads on the floor, the last `drop` above the others; room has 4 n */
static struct carom_model *build(size_t n, double drop, double *room, struct carom_error *error)
{
    int32_t(*pair)[2] = carom_memory_zeroed(n, sizeof *pair);
    double *const mass = room, *const gap = room + n, *const e = room + 2 * n;
    struct carom_model *model = carom_model_create();
    for (size_t i = 0; pair && i < n; i++) {
        pair[i][0] = i == 0 ? CAROM_WALL_LEFT : (int32_t)i - 1;
        pair[i][1] = (int32_t)i;
        mass[i] = 1.0;
        gap[i] = i + 1 == n ? drop : 0.0;
        e[i] = 0.5;
    }
    const double *const columns[CAROM_RIGID_COLUMNS] = {e};
    struct carom_beads *beads = pair && model ? carom_beads_create(n, mass, NULL, NULL, error) : NULL;
    bool good = beads && carom_beads_weigh(beads, -10.0, error) == CAROM_OK;
    good = beads && carom_model_add(model, &carom_part_beads, beads, error) == CAROM_OK && good &&
           carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, n, (const int32_t(*)[2])pair, gap, columns,
                            error) == CAROM_OK &&
           carom_model_finish(model, error) == CAROM_OK;
    carom_memory_free(pair);
    if (good)
        return model;
    carom_model_free(model);
    if (error->status == CAROM_OK)
        carom_memory_error(error);
    return NULL;
}

static struct carom_sim *open_sim(size_t n, bool shock, struct carom_error *error)
{
    const struct carom_kind *kind = &carom_scheme_moreau_jean.kind;
    double *room = carom_memory_zeroed(4 * n, sizeof *room);
    void *options = carom_options_create(kind);
    struct carom_model *model = room && options ? build(n, n == 1 ? 1.0 : shock ? 1e-5 : 0.0, room, error) : NULL;
    struct carom_sim *sim = NULL;
    if (model && carom_options_set(kind, options, "step", STEP, error) == CAROM_OK) {
        memset(room, 0, 2 * n * sizeof *room);
        room[2 * n - 1] = shock ? -1.0 : 0.0;
        const struct carom_setup setup = {.model = model,
                                          .scheme = &carom_scheme_moreau_jean,
                                          .options = options,
                                          .q = room,
                                          .v = room + n,
                                          .until = 1e9,
                                          .threads = 1};
        sim = carom_sim_create(&setup, error);
    } else {
        carom_options_free(options);
        carom_model_free(model);
    }
    carom_memory_free(room);
    return sim;
}

/* seconds per step, the first two not counted; *residual: the worst of its contact problems */
static double time_steps(size_t n, bool shock, size_t steps, double *residual, struct carom_error *error)
{
    struct carom_sim *sim = open_sim(n, shock, error);
    if (!sim)
        return HUGE_VAL;
    enum carom_status status = carom_sim_step(sim, 2, error);
    const double start = carom_clock_now();
    if (status == CAROM_OK)
        status = carom_sim_step(sim, steps, error);
    const double seconds = carom_clock_now() - start;
    *residual = sim->stepper->worst_residual;
    carom_sim_free(sim);
    return status == CAROM_OK ? seconds / (double)steps : HUGE_VAL;
}

/* the script lies beside the folder of papers; false if there is no script or no Siconos */
static bool ask_siconos(struct scene *scene, size_t count)
{
    char folder[1024], command[1200], line[256], name[64];
    struct carom_error ignored;
    if (!cli_study_papers(NULL, folder, sizeof folder - 40, &ignored))
        return false;
    strcat(folder, "/../bench/beside_siconos.py");
    if (strpbrk(folder, "'\\") || access(folder, R_OK) != 0)
        return false;
    const char *python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
    snprintf(command, sizeof command, "OPENBLAS_NUM_THREADS=1 %s '%s' 2>/dev/null", python, folder);
    FILE *answers = popen(command, "r");
    bool any = false;
    while (answers && fgets(line, sizeof line, answers)) {
        double seconds;
        if (sscanf(line, "%63s %lf", name, &seconds) != 2)
            continue;
        for (size_t i = 0; i < count; i++)
            if (strcmp(name, scene[i].name) == 0) {
                scene[i].siconos = seconds;
                any = true;
            }
    }
    if (answers)
        pclose(answers);
    return any;
}

static enum carom_status time_scenes(struct cli_bench *bench, struct scene *scene, size_t count,
                                     struct carom_error *error)
{
    double best[8];
    const bool beside = ask_siconos(scene, count);
    cli_bench_head("moreau-jean, microseconds a step", "measured");
    for (size_t i = 0; i < count; i++) {
        double residual = 0.0;
        best[i] = HUGE_VAL;
        for (size_t r = 0; r < bench->repeats && error->status == CAROM_OK; r++) {
            if (i == 0)
                cli_bench_limits(bench);
            best[i] = fmin(best[i], time_steps(scene[i].n, scene[i].shock, scene[i].steps, &residual, error));
        }
        if (error->status != CAROM_OK)
            return error->status;
        char note[80] = "";
        if (scene[i].siconos > 0.0)
            snprintf(note, sizeof note, "Siconos %.4g: %.0f times as long; limit: that / %g", 1e6 * scene[i].siconos,
                     scene[i].siconos / best[i], scene[i].least);
        cli_bench_row(scene[i].text, 1e6 * best[i],
                      scene[i].siconos > 0.0 ? 1e6 * scene[i].siconos / scene[i].least : 0.0, note);
    }
    if (!beside)
        printf("  Beside Siconos where python3-siconos and bench/beside_siconos.py are found; here they are not.\n");
    return CAROM_OK;
}

static enum carom_status time_lengths(struct cli_bench *bench, struct carom_error *error)
{
    double best[2] = {HUGE_VAL, HUGE_VAL}, residual[2] = {0.0};
    for (size_t r = 0; r < bench->repeats && error->status == CAROM_OK; r++) {
        best[0] = fmin(best[0], time_steps(10000, false, 300, &residual[0], error));
        best[1] = fmin(best[1], time_steps(1000000, false, 3, &residual[1], error));
    }
    if (error->status != CAROM_OK)
        return error->status;
    char note[60];
    cli_bench_head("column at rest, nanoseconds a bead and step", "measured");
    snprintf(note, sizeof note, "residual %.0e", residual[0]);
    cli_bench_row("N = 1e4", 1e5 * best[0], 0.0, note);
    snprintf(note, sizeof note, "residual %.0e", residual[1]);
    cli_bench_row("N = 1e6", 1e3 * best[1], 0.0, note);
    /* a million beads do not fit the caches: that much more is allowed */
    cli_bench_row("N = 1e6 over N = 1e4", 0.01 * best[1] / best[0], 2.5, "");
    return CAROM_OK;
}

enum carom_status cli_bench_rigid(struct cli_bench *bench, struct carom_error *error)
{
    struct scene scene[] = {
        {"ball", "ball, 1.5 s", 1, 15000, false, 50.0, 0.0},
        {"rest-100", "column at rest, N = 100", 100, 2000, false, 200.0, 0.0},
        {"rest-1000", "column at rest, N = 1000", 1000, 200, false, 200.0, 0.0},
        {"shock-100", "shocked column, N = 100", 100, 200, true, 200.0, 0.0},
        {"shock-1000", "shocked column, N = 1000", 1000, 20, true, 200.0, 0.0},
    };
    const enum carom_status status = time_scenes(bench, scene, sizeof scene / sizeof *scene, error);
    return status == CAROM_OK ? time_lengths(bench, error) : status;
}
