/* carom solve: one contact problem with friction, from a file in FCLIB's layout or made on the spot; says how well and
 * how fast it was solved and writes the solution back. The file is replaced by a whole new one or left as it was. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli.h"
#include "record/export/fclib.h"
#include "study/stacks.h"

struct wish {
    const char *path, *generate, *output; /* one of the first two */
    enum carom_friction_solver solver;
    double tol;
    size_t most;
    bool cold, keep, quiet;
};

/* Everything that is open while a problem is solved. */
struct work {
    struct carom_fclib file;
    struct carom_friction_data data;
    struct carom_friction_room *room;
    double *r, *u;
    struct carom_friction_report report;
    double seconds;
    struct cli_progress progress;
};

static const char *const solvers[] = {"auto", "gauss-seidel", "newton", "mixed"};

static bool watch(void *own, size_t iterations, double residual)
{
    struct work *work = own;
    char text[120];
    snprintf(text, sizeof text, "solving: %zu iteration%s, residual %.1e", iterations, cli_s(iterations), residual);
    return cli_progress_say(&work->progress, text);
}

static enum carom_status load(const struct wish *wish, struct work *work, struct carom_error *error)
{
    if (wish->generate)
        return carom_stacks_make(wish->generate, &work->data, error);
    enum carom_status status = carom_fclib_read(wish->path, &work->file, error);
    if (status != CAROM_OK)
        return status;
    status = carom_fclib_reduce(&work->file, &work->data, error);
    if (status != CAROM_OK)
        carom_error_prefix(error, "%s", wish->path);
    return status;
}

/* |r - P(r - u - (mu |u_T|, 0))| over all contacts, as it stands, without weights: what others print */
static double plain_map(const struct work *work)
{
    const struct carom_friction_data *data = &work->data;
    const size_t dim = data->dim;
    double sum = 0.0;
    for (size_t i = 0; i < data->n; i++) {
        const double *r = work->r + i * dim, *u = work->u + i * dim, mu = data->mu[i];
        double z[3] = {0.0, 0.0, 0.0}, square = 0.0, tangent = 0.0;
        for (size_t k = 1; k < dim; k++)
            square += u[k] * u[k];
        z[0] = r[0] - u[0] - mu * sqrt(square);
        for (size_t k = 1; k < dim; k++) {
            z[k] = r[k] - u[k];
            tangent += z[k] * z[k];
        }
        tangent = sqrt(tangent);
        if (tangent > mu * z[0] || z[0] < 0.0) { /* without friction the cone is a ray */
            const double normal = z[0] + mu * tangent > 0.0 ? (z[0] + mu * tangent) / (1.0 + mu * mu) : 0.0;
            for (size_t k = 1; k < dim; k++)
                z[k] *= tangent > 0.0 ? mu * normal / tangent : 0.0;
            z[0] = normal;
        }
        for (size_t k = 0; k < dim; k++)
            sum += (r[k] - z[k]) * (r[k] - z[k]);
    }
    return sqrt(sum);
}

/* Others judge by the plain map, without weights and over all contacts: some steps more where it is too large. */
static void polish(const struct wish *wish, const struct carom_friction_problem *problem, struct work *work)
{
    const double plain = plain_map(work);
    if (!work->report.solved || !(plain > wish->tol) || wish->most > 0)
        return;
    struct carom_friction_report more;
    carom_friction_solve(problem, wish->solver, 0.1 * wish->tol * wish->tol / plain,
                         wish->solver == CAROM_FRICTION_GAUSS_SEIDEL ? 1000 : 30, work->room, work->r, work->u, &more);
    work->report.iterations += more.iterations;
    work->report.residual = more.residual;
}

static enum carom_status solve(const struct wish *wish, struct work *work, struct carom_error *error)
{
    const struct carom_friction_problem problem = carom_friction_data_problem(&work->data);
    const size_t n = problem.n, width = n * problem.dim;
    const double start = carom_clock_now();
    work->r = carom_memory_zeroed(width, sizeof *work->r);
    work->u = carom_memory_zeroed(width, sizeof *work->u);
    if (!work->r || !work->u)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts", n);
    work->room = carom_friction_open(n, problem.dim, problem.first[n] > 0 ? problem.first[n] : 1, error);
    if (!work->room)
        return error->status;
    if (wish->solver != CAROM_FRICTION_GAUSS_SEIDEL) {
        const enum carom_status status = carom_friction_prepare(work->room, &problem, error);
        if (status != CAROM_OK)
            return status;
    }
    carom_friction_watch(work->room, watch, work);
    if (work->file.start && !wish->cold)
        memcpy(work->r, work->file.start, width * sizeof *work->r);
    carom_friction_solve(&problem, wish->solver, wish->tol, wish->most, work->room, work->r, work->u, &work->report);
    polish(wish, &problem, work);
    work->seconds = carom_clock_now() - start;
    return CAROM_OK;
}

/* What the contacts do, to within ten times the tolerance. */
static void count_kinds(const struct wish *wish, const struct work *work, size_t *open, size_t *stick, size_t *slip)
{
    const struct carom_friction_data *data = &work->data;
    const size_t dim = data->dim;
    double speed = 0.0;
    for (size_t k = 0; k < data->n * dim; k++)
        speed = fabs(data->b[k]) > speed ? fabs(data->b[k]) : speed;
    const double small = 10.0 * wish->tol * speed;
    *open = *stick = *slip = 0;
    for (size_t i = 0; i < data->n; i++) {
        double weight = 0.0, square = 0.0;
        for (size_t e = data->first[i]; e < data->first[i + 1]; e++)
            if (data->column[e] == i)
                weight = data->block[e * dim * dim];
        for (size_t k = 1; k < dim; k++)
            square += work->u[i * dim + k] * work->u[i * dim + k];
        if (weight * work->r[i * dim] <= small)
            ++*open;
        else if (sqrt(square) > small)
            ++*slip;
        else
            ++*stick;
    }
}

static void print(const struct wish *wish, const struct work *work)
{
    const struct carom_friction_data *data = &work->data;
    const struct carom_friction_report *report = &work->report;
    size_t open, stick, slip;
    count_kinds(wish, work, &open, &stick, &slip);
    printf("problem     %s", wish->generate ? wish->generate : wish->path);
    if (work->file.title[0])
        printf(" \"%s\"", work->file.title);
    printf("\ncontacts    %zu in %s, %zu block%s in W\n", data->n, data->dim == 2 ? "the plane" : "space",
           data->first[data->n], cli_s(data->first[data->n]));
    if (work->file.global)
        printf("            reduced from %zu freedom%s\n", work->file.freedoms, cli_s(work->file.freedoms));
    if (work->file.constraints > 0)
        printf("            %zu equality constraint%s eliminated\n", work->file.constraints,
               cli_s(work->file.constraints));
    printf("solver      %s%s\n", solvers[report->solver], wish->solver == CAROM_FRICTION_AUTO ? " (auto)" : "");
    printf("residual    %.2e of the natural map, relative to the largest |q| (tolerance %.1e)\n", report->residual,
           wish->tol);
    printf("            %.2e of the plain map r - P(r - u - mu |u_T|), its 2-norm\n", plain_map(work));
    printf("iterations  %zu\n", report->iterations);
    printf("time        %.3g ms\n", 1e3 * work->seconds);
    printf("state       %zu open, %zu stick, %zu slip\n", open, stick, slip);
}

/* Where the result goes; NULL: nowhere. */
static const char *target(const struct wish *wish)
{
    return wish->output ? wish->output : wish->keep ? NULL : wish->path;
}

static enum carom_status put(const struct wish *wish, const struct work *work, struct carom_error *error)
{
    const char *to = target(wish);
    const bool solved = work->report.solved;
    if (!to || (!solved && !wish->generate))
        return CAROM_OK;
    const enum carom_status status =
        wish->generate ? carom_fclib_write(to, wish->generate, &work->data, solved ? work->r : NULL, work->u, error)
                       : carom_fclib_write_solution(to, wish->path, &work->file, work->r, work->u, error);
    if (status == CAROM_OK && !wish->quiet)
        printf("written     %s%s\n", to, solved ? "" : " (without a solution)");
    return status;
}

/* The reason in a sentence, and the exit code. */
static int miss(const struct wish *wish, const struct work *work)
{
    struct carom_error error;
    const bool stopped = strcmp(work->report.reason, "stopped before the end") == 0;
    const bool above = !(work->report.residual <= wish->tol);
    carom_error_set(&error, stopped ? CAROM_E_STOPPED : CAROM_E_NUMERIC,
                    "%s: not solved: residual %.2e%s %.1e after %zu iteration%s: %s%s",
                    wish->generate ? wish->generate : wish->path, work->report.residual,
                    above ? " is above the tolerance" : ", tolerance", wish->tol, work->report.iterations,
                    cli_s(work->report.iterations), work->report.reason,
                    wish->path && !wish->output && !wish->keep ? "; the file is unchanged" : "");
    return cli_fail(&error);
}

static int run(const struct wish *wish)
{
    struct work work = {0};
    struct carom_error error = {CAROM_OK, ""};
    cli_progress_begin(&work.progress, wish->quiet);
    enum carom_status status = CAROM_OK;
    if (!wish->generate && target(wish) == wish->path && access(wish->path, W_OK) != 0)
        status = carom_error_set(
            &error, CAROM_E_FILE, "%s: %s%s", wish->path, strerror(errno),
            errno == EACCES || errno == EROFS ? "; -o FILE writes the solution elsewhere, --keep nowhere" : "");
    if (status == CAROM_OK)
        status = load(wish, &work, &error);
    if (status == CAROM_OK)
        status = solve(wish, &work, &error);
    cli_progress_end(&work.progress);
    if (status == CAROM_OK && !wish->quiet)
        print(wish, &work);
    if (status == CAROM_OK)
        status = put(wish, &work, &error);
    int code = CAROM_OK;
    if (status != CAROM_OK)
        code = cli_fail(&error);
    else if (!work.report.solved)
        code = miss(wish, &work);
    carom_friction_close(work.room);
    carom_friction_data_close(&work.data);
    carom_fclib_close(&work.file);
    carom_memory_free_all(work.r, work.u);
    return code;
}

/* the options' texts into the wish; false: *code */
static bool read_wish(struct wish *wish, const char *solver, const char *tol, const char *most, int *code)
{
    char *end;
    if (solver) {
        size_t k = 0;
        while (k < 4 && strcmp(solver, solvers[k]) != 0)
            k++;
        if (k == 4) {
            *code = cli_must_be("--solver", solver, "auto, gauss-seidel, newton or mixed");
            return false;
        }
        wish->solver = (enum carom_friction_solver)k;
    }
    if (tol) {
        wish->tol = strtod(tol, &end);
        if (end == tol || *end != '\0' || !(wish->tol > 0.0 && wish->tol < 1.0)) {
            *code = cli_must_be("--tol", tol, "a number between 0 and 1");
            return false;
        }
    }
    if (most) {
        const double value = strtod(most, &end);
        if (end == most || *end != '\0' || !(value >= 1.0 && value <= 1e9) || value != floor(value)) {
            *code = cli_must_be("--most", most, "a whole number from 1 to 1e9");
            return false;
        }
        wish->most = (size_t)value;
    }
    return true;
}

int carom_cli_solve(int argc, char **argv)
{
    struct wish wish = {.tol = 1e-8};
    const char *solver = NULL, *tol = NULL, *most = NULL, *positional[1];
    size_t npositional;
    int code;
    const struct cli_option options[] = {
        {"--solver", NULL, "NAME", "auto (default), gauss-seidel, newton or mixed", .single = &solver},
        {"--tol", NULL, "TOL", "on the residual of the natural map (1e-8)", .single = &tol},
        {"--most", NULL, "N", "iterations (the solver's own limit)", .single = &most},
        {"--output", "-o", "FILE", "write problem and solution there, leave PROBLEM as it is", .single = &wish.output},
        {"--keep", NULL, NULL, "write nothing back", .flag = &wish.keep},
        {"--cold", NULL, NULL, "begin with r = 0, not with the file's solution or guess", .flag = &wish.cold},
        {"--generate", NULL, "NAME", "make a problem: pyramid:ROWS, tower:BOXES, spheres:SIDE, random:N:DIM:SEED, ...",
         .single = &wish.generate},
        {"--quiet", NULL, NULL, "print nothing but errors", .flag = &wish.quiet},
        {0},
    };
    const struct cli_command command = {
        "carom solve PROBLEM.hdf5 [options], or carom solve --generate NAME [options]",
        "Solves a contact problem with Coulomb friction in FCLIB's layout (local or global, in the plane or in space) "
        "and\n"
        "writes r and u into its /solution. Fails, and leaves the file alone, if the tolerance is not met.",
        options, 0, 1};
    if (!cli_read(&command, argc, argv, positional, &npositional, &code))
        return code;
    wish.path = npositional > 0 ? positional[0] : NULL;
    if (!read_wish(&wish, solver, tol, most, &code))
        return code;
    if ((wish.path != NULL) == (wish.generate != NULL))
        return cli_usage("carom solve takes a problem file, or --generate and a name; see --help");
    return run(&wish);
}
