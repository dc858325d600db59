/* carom converge: a scene at a series of steps or tolerances, its errors and observed orders. Steps of impulse are in
 * converge_impulse.c. */
#include <stdio.h>
#include <string.h>

#include "carom/impact.h"
#include "converge_impulse.h"
#include "record/export/csv.h"
#include "scene/keys/keys.h"
#include "scene/text/units.h"
#include "study.h"
#include "study/converge/converge.h"
#include "study/range.h"
#include "study/theories.h"
#include "study/variant.h"
#include "terminal.h"

#define LONG 1e8  /* steps of beads: seconds */
#define EACH 1e-7 /* seconds that a step of one coordinate takes at most: 5e-9 (verlet) to 1e-7 (irk) were measured */

struct wish {
    const char *scheme, *steps, *tols, *reference, *reference_tol, *gamma, *envelope, *norm, *time_scale, *csv, *dPs;
    bool quiet, evaluations;
};

/* Rows closer to the reference than a reference of ten times its tolerance say as much about it as about the scheme,
 * rows within ten times of what the norm itself may err by about that, and rows as close as rounding, some in every
 * step, say nothing. */
static bool is_near_floor(const struct carom_converge_row *row, bool rate)
{
    const double rounding = fmax(1e-12, 0x1p-53 * (double)row->steps);
    return rate ? row->v < rounding || row->sup.v < fmax(row->doubt_v, 10.0 * row->own_v)
                : row->u < rounding || row->sup.u < fmax(row->doubt_u, 10.0 * row->own_u);
}

double cli_converge_order(double e0, double e1, double x0, double x1)
{
    return e0 > 0.0 && e1 > 0.0 ? log(e0 / e1) / log(x0 / x1) : nan("");
}

/* a narrow table has no errors in metres, and one blank between columns */
static bool is_narrow(bool evaluations)
{
    const size_t room = cli_terminal_width();
    return room > 0 && room < (evaluations ? 99 : 87);
}

void cli_converge_print_order(double order, bool narrow)
{
    const char *blanks = narrow ? " " : "  ";
    if (order == order)
        printf("%s%7.2f", blanks, order);
    else
        printf("%s%7s", blanks, "-");
}

static void print_errors(const struct carom_converge_row *r, bool narrow)
{
    if (narrow)
        printf(" %9.2e %9.2e", r->u, r->v);
    else
        printf("  %9.2e  %9.2e  %9.2e  %9.2e", r->u, r->v, r->sup.u, r->sup.v);
}

static void print_heading(const char *knob, bool evaluations, bool narrow)
{
    const char *slope = strcmp(knob, "step") == 0 ? "order" : "slope";
    printf("\n%12s %10s%s", knob, "steps", evaluations ? " evaluations" : "");
    if (narrow)
        printf(" %9s %9s u %s v %s\n", "|du|/U", "|dv|/V", slope, slope);
    else
        printf("  %9s  %9s  %9s  %9s  u %s  v %s\n", "|du|/U", "|dv|/V", "|du|", "|dv|", slope, slope);
}

/* the slope over the rows that say something; NaN: there are too few */
static double fit(const struct carom_converge_row *row, size_t count, size_t bins, bool rate)
{
    static double x[CAROM_CONVERGE_ROWS], e[CAROM_CONVERGE_ROWS];
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (!is_near_floor(&row[i], rate)) {
            x[n] = row[i].value;
            e[n++] = rate ? row[i].sup.v : row[i].sup.u;
        }
    return carom_converge_slope(x, e, n, bins);
}

/* the order between two rows; NaN where one of them says nothing */
static double order(const struct carom_converge_row *a, const struct carom_converge_row *b, bool rate)
{
    if (is_near_floor(a, rate) || is_near_floor(b, rate))
        return nan("");
    return cli_converge_order(rate ? a->sup.v : a->sup.u, rate ? b->sup.v : b->sup.u, a->value, b->value);
}

static void print_reference(const struct carom_converge_plan *plan, const struct carom_converge_row *row)
{
    const struct carom_converge_report *report = plan->report;
    const bool si = plan->scene->si, integral = plan->norm == CAROM_NORM_L1;
    const char *metre = !si ? "" : integral ? " m s" : " m", *speed = !si ? "" : integral ? " m" : " m/s";
    const char *second = si ? " s" : "";
    double u = 0.0, v = 0.0;
    for (size_t i = 0; i < plan->count; i++) {
        u = fmax(u, row[i].doubt_u);
        v = fmax(v, row[i].doubt_v);
    }
    printf("reference  ");
    if (report->truth == CAROM_TRUTH_FILE)
        printf("%s\n", plan->reference_file);
    else if (report->truth == CAROM_TRUTH_CLOSED && report->rest < HUGE_VAL)
        printf("closed form, impacts end in rest at t = %.15g%s\n", report->rest, second);
    else if (report->truth == CAROM_TRUTH_CLOSED)
        printf("closed form\n");
    else if (report->truth == CAROM_TRUTH_TIGHT)
        printf("%s, tol %g; ten times that moves it by %.1e%s and %.1e%s\n", report->scheme->kind.name, report->value,
               u, metre, v, speed);
    else
        printf("%s, step %g%s; twice that moves it by %.1e%s and %.1e%s\n", report->scheme->kind.name, report->value,
               second, u, metre, v, speed);
}

static void print_norm(const struct carom_converge_plan *plan, const struct carom_converge_row *row)
{
    double u = 0.0, v = 0.0;
    for (size_t i = 0; i < plan->count; i++) {
        u = fmax(u, row[i].own_u);
        v = fmax(v, row[i].own_v);
    }
    const char *second = plan->scene->si ? " s" : "";
    if (plan->norm == CAROM_NORM_L1)
        printf("norm       L1 over time; relative to U T and V T, T = %g%s\n", plan->scene->until, second);
    else if (plan->norm == CAROM_NORM_HAUSDORFF)
        printf("norm       Hausdorff distance of filled-in graphs; a time of %.6g%s counts as much as U and V",
               plan->report->time_scale, second);
    if (plan->norm == CAROM_NORM_HAUSDORFF && fmax(u, v) > 0.0)
        printf("; its lines miss %.1e%s and %.1e%s", u, plan->scene->si ? " m" : "", v, plan->scene->si ? " m/s" : "");
    if (plan->norm == CAROM_NORM_HAUSDORFF)
        printf("\n");
}

/* --set may name options that only the scheme of --scheme has: the scene under that scheme, then, instead of its own.
 * NULL: that was not it, and what was wrong stands in `error` already, or what is now. */
static struct carom_scene *read_under(const struct carom_scheme *scheme, const char *path, const char *const *set,
                                      size_t nset, bool quiet, struct carom_error *error)
{
    const char *rest[CLI_MANY], *own[CLI_MANY];
    size_t nrest = 0, nown = 0;
    char name[64], dropped[256];
    struct carom_error other;
    for (size_t i = 0; i < nset; i++) {
        const bool of_run = sscanf(set[i], "run.%63[^=]", name) == 1 && carom_param_find(scheme->kind.params, name);
        if (of_run)
            own[nown++] = set[i];
        else
            rest[nrest++] = set[i];
    }
    struct carom_scene *scene = nown > 0 ? cli_study_scene(path, rest, nrest, quiet, 0, &other) : NULL;
    if (!scene || scene->scheme == scheme) {
        carom_scene_free(scene);
        return NULL;
    }
    struct carom_scene *under =
        carom_theories_scene(&(struct carom_theory){.scheme = scheme}, scene, path, dropped, sizeof dropped, error);
    struct carom_scene *made = under ? carom_variant_of(under, path, own, nown, error) : NULL;
    carom_scene_free(under);
    carom_scene_free(scene);
    return made;
}

/* What the scene says for its own scheme does not hold for another one: said, so that nobody takes it for granted. */
static void print_aside(const struct carom_converge_plan *plan)
{
    bool any = false;
    if (!plan->scheme || plan->scheme == plan->scene->scheme)
        return;
    for (const struct carom_param *p = plan->scene->scheme->kind.params; p && p->name; p++) {
        const double value = carom_param_value(p, plan->scene->options);
        if (value == p->standard || strcmp(p->name, plan->knob) == 0)
            continue;
        printf("%s %s = ", any ? "," : "aside      the scene's", p->name);
        if (p->type == CAROM_CHOICE)
            printf("%s", p->choices[(size_t)value]);
        else
            printf("%g", value);
        any = true;
    }
    if (any)
        printf(" for %s; %s has its defaults\n", plan->scene->scheme->kind.name, plan->scheme->kind.name);
}

static void print_head(const struct carom_converge_plan *plan, const struct carom_converge_row *row)
{
    const struct carom_scheme *scheme = plan->scheme ? plan->scheme : plan->scene->scheme;
    const char *metre = plan->scene->si ? " m" : "", *speed = plan->scene->si ? " m/s" : "";
    printf("%s\n", plan->scene->title);
    printf("scheme     %s, %zu value%s of %s", scheme->kind.name, plan->count, cli_s(plan->count), plan->knob);
    if (plan->gamma_per_step != 0.0)
        printf(", gamma = %g step", plan->gamma_per_step);
    printf("\n");
    print_aside(plan);
    print_reference(plan, row);
    print_norm(plan, row);
    printf("scales     U = %.6g%s, V = %.6g%s\n", row[0].scales.length, metre, row[0].scales.speed, speed);
}

static void print_table(const struct carom_converge_plan *plan, const struct carom_converge_row *row, size_t bins,
                        bool evaluations)
{
    const bool step = strcmp(plan->knob, "step") == 0;
    bool floor = false;
    const bool narrow = is_narrow(evaluations);
    evaluations = evaluations && !narrow;
    print_heading(plan->knob, evaluations, narrow);
    for (size_t i = 0; i < plan->count; i++) {
        const struct carom_converge_row *r = &row[i], *b = i > 0 ? &row[i - 1] : r;
        printf("%12.6g %10llu", r->value, (unsigned long long)r->steps);
        if (evaluations)
            printf(" %11llu", (unsigned long long)r->evaluations);
        print_errors(r, narrow);
        const bool near = is_near_floor(r, false) || is_near_floor(r, true);
        cli_converge_print_order(i > 0 ? order(b, r, false) : nan(""), narrow);
        cli_converge_print_order(i > 0 ? order(b, r, true) : nan(""), narrow);
        printf("%s\n", near ? " *" : "");
        floor |= near;
    }
    char name[48] = "least squares";
    if (bins > 0)
        snprintf(name, sizeof name, "least squares over %zu maxima", bins);
    printf("%-*s", narrow ? 43 : evaluations ? 79 : 67, name);
    cli_converge_print_order(fit(row, plan->count, bins, false), narrow);
    cli_converge_print_order(fit(row, plan->count, bins, true), narrow);
    printf("\n");
    if (floor)
        printf("* tells no order: the error is below that of the reference, ten times that of the norm, or rounding\n");
    const struct carom_impact *impact = plan->scheme ? NULL : carom_keys_impact(plan->scene);
    if (!step && impact && impact->springy)
        printf("under impact %s tol is what one step inside an impact may err by: the whole impact may be off by some "
               "times "
               "that, as carom run states\n",
               impact->kind.name);
}

/* A file that holds something else is not ours to empty. */
static bool may_replace(const char *path)
{
    struct carom_error ignored;
    return carom_csv_may_replace_table(path, "step,steps", &ignored) == CAROM_OK ||
           carom_csv_may_replace_table(path, "tol,steps", &ignored) == CAROM_OK;
}

static enum carom_status write_csv(const char *path, const struct carom_converge_plan *plan,
                                   const struct carom_converge_row *row, struct carom_error *error)
{
    FILE *file = carom_csv_create(path, NULL, error);
    if (!file)
        return error->status;
    fprintf(file, "%s,steps,times,du,dv,du_relative,dv_relative,reference_du,reference_dv\n", plan->knob);
    for (size_t i = 0; i < plan->count; i++) {
        const struct carom_converge_row *r = &row[i];
        const double rest[] = {r->sup.u, r->sup.v, r->u, r->v, r->doubt_u, r->doubt_v};
        carom_csv_number(file, r->value);
        fprintf(file, ",%llu,%llu", (unsigned long long)r->steps, (unsigned long long)r->sup.times);
        carom_csv_numbers(file, rest, sizeof rest / sizeof *rest);
        putc('\n', file);
    }
    return carom_csv_close(file, path, CAROM_OK, error);
}

/* Velocities that jump differ by whole jumps wherever two runs do not jump at once, so their largest difference says
 * nothing: the default for rigid contacts is L1. */
static enum carom_status choose_norm(const struct wish *wish, struct carom_converge_plan *plan,
                                     struct carom_error *error)
{
    static const char *const names[] = {"sup", "l1", "hausdorff"};
    plan->norm = plan->scene->model->offers & CAROM_COMPLIANT ? CAROM_NORM_SUP : CAROM_NORM_L1;
    if (wish->time_scale && (!wish->norm || strcmp(wish->norm, "hausdorff") != 0))
        return carom_error_set(error, CAROM_E_USAGE, "--time-scale goes with --norm hausdorff");
    if (!wish->norm)
        return CAROM_OK;
    for (int i = 0; i < 3; i++)
        if (strcmp(wish->norm, names[i]) == 0) {
            plan->norm = (enum carom_norm)i;
            return CAROM_OK;
        }
    return carom_error_set(error, CAROM_E_USAGE, "--norm %s: must be sup, l1 or hausdorff", wish->norm);
}

/* The scene's step, whatever its scheme; else a twentieth of the contact time or, where contacts are rigid, of the time
 * of flight U / V. */
static double first_step(const struct carom_scene *scene)
{
    const struct carom_param *row = carom_param_find(scene->scheme->kind.params, "step");
    const double given = row ? carom_param_value(row, scene->options) : 0.0;
    if (given > 0.0)
        return given;
    if (scene->scales.contact_time > 0.0)
        return scene->scales.contact_time / 20.0;
    return scene->scales.speed > 0.0 ? scene->scales.length / scene->scales.speed / 20.0 : 0.0;
}

enum carom_status cli_converge_values(const char *option, const char *text, const char *unit, bool si,
                                      struct carom_range *range, struct carom_error *error)
{
    enum carom_status status = carom_range_read(text, true, range, error);
    for (size_t i = 0; i < range->count && status == CAROM_OK; i++) {
        const char *value = range->text[i];
        struct carom_quantity quantity = {.value = 0.0};
        status = carom_units_read(value, &quantity, error);
        if (status == CAROM_OK && quantity.unit && !unit)
            status = carom_error_set(error, CAROM_E_USAGE, "tolerances are pure numbers, got '%s'", value);
        else if (status == CAROM_OK && quantity.unit && !si)
            status = carom_error_set(error, CAROM_E_USAGE, "the scene has no units (units: none), got '%s'", value);
        else if (status == CAROM_OK && unit)
            status = carom_units_value(value, unit, &quantity, error);
        if (status == CAROM_OK && !(quantity.value > 0.0))
            status = carom_error_set(error, CAROM_E_USAGE, "must be positive, got '%s'", value);
        range->value[i] = quantity.value;
    }
    if (status == CAROM_OK && range->count > CAROM_CONVERGE_ROWS)
        status = carom_error_set(error, CAROM_E_USAGE, "at most %d values", CAROM_CONVERGE_ROWS);
    if (status == CAROM_OK)
        return CAROM_OK;
    error->status = CAROM_E_USAGE;
    return carom_error_prefix(error, "%s %s", option, text);
}

/* a step longer than the run */
static enum carom_status check_steps(const struct carom_converge_plan *plan, const struct carom_range *range,
                                     const char *text, struct carom_error *error)
{
    for (size_t i = 0; i < range->count; i++)
        if (range->value[i] > plan->scene->until * (1.0 + 1e-12))
            return carom_error_set(error, CAROM_E_USAGE,
                                   "--steps %s: '%s' is longer than the run: no step ends in it, so there is nothing "
                                   "to compare",
                                   text, range->text[i]);
    return CAROM_OK;
}

/* The values of the knob: as asked for, else five halvings of the scene's step, or tolerances from 1e-3 to 1e-9. */
static enum carom_status choose_values(const struct wish *wish, struct carom_converge_plan *plan,
                                       struct carom_range *range, struct carom_error *error)
{
    const struct carom_scheme *scheme = plan->scheme ? plan->scheme : plan->scene->scheme;
    const bool has_step = carom_param_find(scheme->kind.params, "step") != NULL;
    const char *given = wish->steps ? wish->steps : wish->tols;
    char own[80] = "1e-3:1e-9:7";
    plan->knob = wish->steps || (!wish->tols && has_step) ? "step" : "tol";
    const char *with_steps = plan->scene->scales.contact_time > 0.0 ? "verlet" : "moreau-jean";
    const bool only_tol = wish->steps && carom_param_find(scheme->kind.params, "tol");
    if (!carom_param_find(scheme->kind.params, plan->knob))
        return carom_error_set(error, CAROM_E_REFUSED, "scheme %s has no %s to vary; %s%s", scheme->kind.name,
                               plan->knob,
                               only_tol ? "its tolerances are --tols 1e-3:1e-9:7, and steps are studied by --scheme "
                                        : "'carom list schemes' has the options of all",
                               only_tol ? with_steps : "");
    if (!given && has_step) {
        const double first = first_step(plan->scene);
        if (!(first > 0.0))
            return carom_error_set(error, CAROM_E_USAGE, "nothing collides, so say which steps: --steps first:last:n");
        snprintf(own, sizeof own, "%.17g:%.17g:6", first, first / 32.0);
    }
    const bool steps = strcmp(plan->knob, "step") == 0;
    given = given ? given : own;
    if (cli_converge_values(steps ? "--steps" : "--tols", given, steps ? "s" : NULL, plan->scene->si, range, error) !=
            CAROM_OK ||
        (steps && check_steps(plan, range, given, error) != CAROM_OK))
        return error->status;
    plan->count = range->count;
    plan->value = range->value;
    return CAROM_OK;
}

/* said before the work where that is more than a moment */
static void print_work(const struct carom_converge_plan *plan)
{
    double steps = 0.0;
    if (strcmp(plan->knob, "step") != 0)
        return;
    for (size_t i = 0; i < plan->count; i++)
        steps += cli_steps(plan->scene->until, plan->value[i]);
    const double work = steps * (double)plan->scene->model->nv;
    if (!(work > LONG))
        return;
    char time[32];
    cli_progress_time(EACH * work, time, sizeof time);
    fprintf(stderr,
            "converge: %zu run%s of %.2g steps in all, up to about %s, and the reference, which may take longer; "
            "--set run.until=%.2g or fewer and longer --steps make it a tenth\n",
            plan->count, cli_s(plan->count), steps, time, 0.1 * plan->scene->until);
}

static int study(const struct wish *wish, struct carom_converge_plan *plan, size_t bins)
{
    static struct carom_converge_row row[CAROM_CONVERGE_ROWS];
    struct carom_error error = {CAROM_OK, ""};
    struct carom_range range = {0};
    struct cli_study watch;
    struct carom_converge_report report = {0};
    enum carom_status status = CAROM_OK;
    if (wish->csv && !may_replace(wish->csv)) /* said before hours of work, not after */
        status = carom_error_set(&error, CAROM_E_FILE, "%s: exists and is no such table, so it is not overwritten",
                                 wish->csv);
    if (status == CAROM_OK)
        status = choose_values(wish, plan, &range, &error);
    if (status == CAROM_OK && plan->gamma_per_step != 0.0 && strcmp(plan->knob, "step") != 0)
        status = carom_error_set(&error, CAROM_E_USAGE, "--gamma-follows-step needs steps to follow, not tolerances");
    if (status == CAROM_OK) {
        const struct carom_progress progress = {cli_study_watch, &watch};
        plan->progress = &progress;
        plan->report = &report;
        if (!wish->quiet)
            print_work(plan);
        cli_study_begin(&watch, wish->quiet, "converge");
        status = carom_converge_run(plan, row, &error);
        cli_study_end(&watch);
    }
    if (status == CAROM_OK && !(wish->csv && strcmp(wish->csv, "-") == 0)) {
        print_head(plan, row);
        print_table(plan, row, bins, wish->evaluations);
    }
    if (status == CAROM_OK && wish->csv)
        status = write_csv(wish->csv, plan, row, &error);
    carom_range_free(&range);
    return status == CAROM_OK ? CAROM_OK : cli_fail(&error);
}

int carom_cli_converge(int argc, char **argv)
{
    struct wish wish = {0};
    const char *set[CLI_MANY], *path[1];
    size_t nset = 0, npositional, bins = 0;
    const struct cli_option options[] = {
        {"--scheme", NULL, "NAME", "the scheme to study (default: the scene's)", .single = &wish.scheme},
        {"--steps", NULL, "A:B:N",
         "N steps from A to B by equal ratios, or a list A,B,C; may carry a unit (\"2 ms:1 ms:5\")",
         .single = &wish.steps},
        {"--tols", NULL, "A:B:N", "the same for tolerances", .single = &wish.tols},
        {"--dPs", NULL, "A:B:N", "the same for steps of impulse, under impact lzb-impulse", .single = &wish.dPs},
        {"--gamma-follows-step", NULL, "FACTOR", "gamma = FACTOR * step in each row and its reference",
         .single = &wish.gamma},
        {"--envelope", NULL, "BINS", "least squares over the largest errors of this many groups of rows",
         .single = &wish.envelope},
        {"--norm", NULL, "NAME", "sup, l1 or hausdorff (default: sup; l1 if contacts are rigid)", .single = &wish.norm},
        {"--time-scale", NULL, "T", "hausdorff: a time that counts as much as U and V (default: U / V)",
         .single = &wish.time_scale},
        {"--reference", NULL, "RUN.h5", "compare with a run file, at its times", .single = &wish.reference},
        {"--reference-tol", NULL, "TOL", "tolerance of the reference run", .single = &wish.reference_tol},
        {"--set", NULL, "KEY=VALUE", "override a key of the scene; may be repeated", .many = set, .count = &nset},
        {"--evaluations", NULL, NULL, "also print how often forces were evaluated: work over precision",
         .flag = &wish.evaluations},
        {"--csv", NULL, "FILE", "also write the table as CSV; -: to the standard output", .single = &wish.csv,
         .alone = true},
        {"--quiet", "-q", NULL, "no progress", .flag = &wish.quiet},
        {0},
    };
    const struct cli_command command = {
        "carom converge SCENE [--scheme NAME] [--steps A:B:N | --tols A:B:N | --dPs A:B:N] [--set key=value ...]",
        "Runs a scene at a series of steps or tolerances and prints the errors of displacements and velocities, with\n"
        "the observed orders. Schemes with a fixed step are compared at t = k h, others at the recorded times; the\n"
        "reference is a closed form where there is one, a run with a far tighter tolerance, or a run file. Under\n"
        "impact lzb-impulse: the scene's first impact at a series of dP, against dP / 2 and against impact lzb.",
        options, 1, 1};
    int code;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_converge_plan plan = {0};
    if (!cli_read(&command, argc, argv, path, &npositional, &code) ||
        (wish.gamma && !cli_study_number("--gamma-follows-step", wish.gamma, &plan.gamma_per_step, &code)) ||
        (wish.reference_tol && !cli_study_number("--reference-tol", wish.reference_tol, &plan.reference_tol, &code)) ||
        (wish.time_scale && !cli_study_number("--time-scale", wish.time_scale, &plan.time_scale, &code)) ||
        (wish.envelope && !cli_study_count("--envelope", wish.envelope, CAROM_CONVERGE_ROWS, &bins, &code)))
        return code;
    if ((wish.steps != NULL) + (wish.tols != NULL) + (wish.dPs != NULL) > 1)
        return cli_usage("converge: one of --steps, --tols and --dPs, not both");
    if (wish.reference && wish.gamma)
        return cli_usage("converge: where gamma changes, one run file cannot be the reference");
    if (wish.scheme && !(plan.scheme = carom_variant_find(wish.scheme, &error)))
        return cli_fail(&error);
    struct carom_scene *scene = cli_study_scene(path[0], set, nset, wish.quiet, 0, &error);
    if (!scene && plan.scheme && error.status != CAROM_E_FILE)
        scene = read_under(plan.scheme, path[0], set, nset, wish.quiet, &error);
    if (!scene)
        return cli_fail(&error);
    if (cli_converge_impulse_fits(scene) && !wish.steps && !wish.tols && !wish.scheme) {
        code = cli_converge_impulse(scene, wish.dPs, wish.csv, wish.quiet);
        carom_scene_free(scene);
        return code;
    }
    if (wish.dPs) {
        carom_error_set(&error, CAROM_E_REFUSED, "--dPs: only impact lzb-impulse counts in steps of impulse");
        carom_scene_free(scene);
        return cli_fail(&error);
    }
    plan.scene = scene;
    plan.name = path[0];
    plan.reference_file = wish.reference;
    code = choose_norm(&wish, &plan, &error) == CAROM_OK ? study(&wish, &plan, bins) : cli_fail(&error);
    carom_scene_free(scene);
    return code;
}
