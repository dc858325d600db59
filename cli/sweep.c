/* carom sweep: a scene over a grid of values of its keys, on all cores, into one file. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "ranks.h"
#include "record/export/csv.h"
#include "record/run_file.h"
#include "study.h"
#include "study/sweep/sweep.h"
#include "sweep_table.h"

struct wish {
    const char *output, *outputs, *csv, *threads, *reference_tol, *part_text, *device, *set[CLI_MANY], *over[CLI_MANY];
    size_t nset, nover, part, parts; /* parts 0: all of it */
    bool ratios, quiet;
};

/* the default output: the scene's name with -sweep.h5, in the current folder; of a part -sweep-3of16.h5 */
static void default_output(const char *scene, const struct wish *wish, char *name, size_t size)
{
    int stem;
    const char *base = carom_file_name(scene, &stem);
    char part[64] = "";
    if (wish->parts > 0)
        snprintf(part, sizeof part, "-%zuof%zu", wish->part, wish->parts);
    snprintf(name, size, "%.*s-sweep%s.h5", stem, base, part);
}

static void print_extreme(const struct carom_sweep *sweep, double value, const char *unit, uint64_t at)
{
    char where[400];
    const bool told = *unit != '\0' && strcmp(unit, "1") != 0;
    carom_sweep_describe(sweep, at, where, sizeof where);
    printf("%12.6g%s%s  at %s", value, told ? " " : "", told ? unit : "", where);
}

static void print_summary(const struct carom_sweep *sweep, const struct carom_sweep_result *result, double seconds,
                          const char *file)
{
    printf("%s\n", sweep->scene->title);
    for (size_t k = 0; k < sweep->naxes; k++) {
        const struct carom_range *r = &sweep->axis[k].range;
        printf("%-10s %s: %zu value%s, %s ... %s\n", k == 0 ? "over" : "", sweep->axis[k].key, r->count,
               cli_s(r->count), r->text[0], r->text[r->count - 1]);
    }
    printf("runs       %llu", (unsigned long long)result->done);
    if (result->done < sweep->points)
        printf(" of %llu", (unsigned long long)sweep->points);
    if (result->before > 0)
        printf(", %llu of them before", (unsigned long long)result->before);
    if (result->failed > 0)
        printf(", %llu failed", (unsigned long long)result->failed);
    printf("\nsmallest and largest\n");
    int wide = 12;
    for (size_t k = 0; k < sweep->outputs.count; k++)
        wide = (int)strlen(sweep->outputs.output[k].name) > wide ? (int)strlen(sweep->outputs.output[k].name) : wide;
    for (size_t k = 0; k < sweep->outputs.count; k++) {
        const struct carom_sweep_extremes *e = &result->extremes[k];
        printf("  %-*s", wide, sweep->outputs.output[k].name);
        if (e->least <= e->most) {
            double size;
            const char *unit = cli_sweep_unit(sweep, k, &size);
            print_extreme(sweep, e->least / size, unit, e->at_least);
            printf("\n  %-*s", wide, "");
            print_extreme(sweep, e->most / size, unit, e->at_most);
        }
        printf("\n");
    }
    if (result->blundered > 0) {
        char where[400];
        carom_sweep_describe(sweep, result->first_blundered, where, sizeof where);
        printf("note: %llu of %llu runs have a remark, first at %s: %s\n", (unsigned long long)result->blundered,
               (unsigned long long)(result->done - result->before), where, result->blunder);
    }
    if (result->device[0] != '\0')
        printf("device     %s\n", result->device);
    printf("time       %.3g s\nwritten    %s\n", seconds, file);
}

/* what to say when not all is well, and the exit code */
static int end(const struct carom_sweep *sweep, const struct carom_sweep_result *result, enum carom_status status,
               const char *file, struct carom_error *error)
{
    char part[64] = "";
    if (sweep->parts > 0)
        snprintf(part, sizeof part, " --part %llu/%llu", (unsigned long long)sweep->part + 1,
                 (unsigned long long)sweep->parts);
    if (status == CAROM_E_STOPPED)
        carom_error_set(error, status, "stopped after %llu of %llu runs; 'carom sweep %s%s' goes on from here",
                        (unsigned long long)result->done, (unsigned long long)sweep->points, file, part);
    if (status != CAROM_OK)
        return cli_fail(error);
    if (result->first_failed == sweep->points)
        return CAROM_OK;
    char where[400];
    carom_sweep_describe(sweep, result->first_failed, where, sizeof where);
    *error = result->reason;
    carom_error_prefix(error, "%llu of %llu runs failed, first at %s", (unsigned long long)result->failed,
                       (unsigned long long)sweep->points, where);
    return cli_fail(error);
}

static int run(struct carom_sweep *sweep, const char *file, size_t threads, const struct wish *wish)
{
    struct carom_error error = {CAROM_OK, ""};
    static struct carom_sweep_result result;
    struct cli_study watch;
    const struct carom_progress progress = {cli_study_watch, &watch};
    sweep->ranks = cli_ranks();
    sweep->parts = wish->parts;
    sweep->part = wish->parts > 0 ? wish->part - 1 : 0;
    if (wish->device && !cli_device(sweep->scene, wish->device, &error))
        return cli_fail(&error);
    cli_study_begin(&watch, wish->quiet, "sweep");
    enum carom_status status = carom_sweep_run(sweep, file, threads, &progress, &result, &error);
    cli_study_end(&watch);
    if (carom_rank_own(sweep->ranks) > 0)
        return (int)status;
    if (status == CAROM_OK && wish->csv)
        status = cli_sweep_table(sweep, file, wish->csv, &error);
    if (status == CAROM_OK && !wish->quiet)
        print_summary(sweep, &result, cli_progress_seconds(&watch.progress), file);
    return end(sweep, &result, status, file, &error);
}

/* A sweep file as the scene: its own sweep goes on. */
static bool is_sweep_file(const char *path, struct carom_sweep *sweep, struct carom_error *error)
{
    const enum carom_status status = carom_sweep_plan_file(sweep, path, error);
    if (status == CAROM_OK)
        return true;
    carom_sweep_free(sweep);
    return false;
}

/* a table of the same sweep begins with its first key */
static enum carom_status may_replace(const struct wish *wish, struct carom_error *error)
{
    char first[200] = "";
    if (wish->nover > 0)
        snprintf(first, sizeof first, "%.*s", (int)strcspn(wish->over[0], "="), wish->over[0]);
    return carom_csv_may_replace_table(wish->csv, first, error);
}

static int go_on(const char *path, const struct wish *wish, size_t threads)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sweep sweep;
    if (!is_sweep_file(path, &sweep, &error))
        return cli_fail(&error);
    const int code = run(&sweep, path, threads, wish);
    carom_sweep_free(&sweep);
    return code;
}

static int start(const char *path, const struct wish *wish, double reference_tol, size_t threads)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sweep sweep;
    char name[1024];
    default_output(path, wish, name, sizeof name);
    int code;
    if (!wish->output && cli_guard(name, &error) != CAROM_OK)
        return cli_fail(&error);
    if (wish->csv && strcmp(wish->csv, wish->output ? wish->output : name) == 0)
        carom_error_set(&error, CAROM_E_USAGE, "-o and --csv both name %s", wish->csv);
    if (error.status != CAROM_OK || (wish->csv && may_replace(wish, &error) != CAROM_OK))
        return cli_fail(&error);
    if (cli_study_guard(path, wish->set, wish->nset, &error) != CAROM_OK)
        return cli_fail(&error);
    if (carom_sweep_plan(&sweep, path, wish->set, wish->nset, wish->over, wish->nover, wish->ratios, wish->outputs,
                         reference_tol, &error) == CAROM_OK)
        code = run(&sweep, wish->output ? wish->output : name, threads, wish);
    else
        code = cli_fail(&error);
    carom_sweep_free(&sweep);
    return code;
}

/* "3/16" */
static bool read_part(struct wish *wish, int *code)
{
    const char *text = wish->part_text, *slash = text ? strchr(text, '/') : NULL;
    char first[32] = "";
    if (!text)
        return true;
    if (!slash || slash - text >= (long)sizeof first) {
        *code = cli_usage("--part: write K/N, the Kth of N parts, not '%s'", text);
        return false;
    }
    snprintf(first, sizeof first, "%.*s", (int)(slash - text), text);
    return cli_study_count("--part", slash + 1, 1000000, &wish->parts, code) &&
           cli_study_count("--part", first, wish->parts, &wish->part, code);
}

int carom_cli_sweep(int argc, char **argv)
{
    struct wish wish = {0};
    const char *path[1];
    size_t npositional, threads = 0;
    double reference_tol = 1e-10;
    const struct cli_option options[] = {
        {"--over", NULL, "KEY=A:B:N", "N values of a key from A to B, or a list KEY=A,B,C; may be repeated",
         .many = wish.over, .count = &wish.nover},
        {"--log", NULL, NULL, "ranges go by equal ratios instead of equal steps", .flag = &wish.ratios},
        {"--outputs", NULL, "NAMES",
         "what to keep of each run, separated by commas (default: " CAROM_OUTPUTS_STANDARD
         "; of solids, discs and spheres " CAROM_OUTPUTS_ENERGIES ")",
         .single = &wish.outputs},
        {"--output", "-o", "SWEEP.h5", "where to write (default: the scene's name with -sweep.h5, here)",
         .single = &wish.output},
        {"--csv", NULL, "FILE",
         "also write the table as CSV: keys, outputs, status of each run; -: to the standard output",
         .single = &wish.csv, .alone = true},
        {"--set", NULL, "KEY=VALUE", "override a key of the scene in all runs; may be repeated", .many = wish.set,
         .count = &wish.nset},
        {"--part", NULL, "K/N", "run only the Kth of N parts; 'carom gather' brings their files together",
         .single = &wish.part_text},
        {"--reference-tol", NULL, "TOL",
         "tolerance of the runs that error outputs compare with (default 1e-10; finer where errors need it)",
         .single = &wish.reference_tol},
        {"--threads", NULL, "N", "threads to use, or auto (the result is the same to the bit)",
         .single = &wish.threads},
        {"--device", NULL, "NAME",
         "run rows of beads on this device of 'carom list devices', or auto (verlet, theta, irk)",
         .single = &wish.device},
        {"--quiet", "-q", NULL, "no progress, no summary", .flag = &wish.quiet},
        {0},
    };
    char text[2000];
    snprintf(text, sizeof text,
             "Runs a scene at every point of a grid and keeps some numbers of each run in one file. Keys are those of\n"
             "--set. An interrupted sweep goes on where it stopped: repeat the command, or give the file instead of\n"
             "the scene.\n\noutputs:\n%s",
             carom_outputs_help());
    const struct cli_command command = {
        "carom sweep SCENE --over key=a:b:n [--over ...] [-o SWEEP.h5] | carom sweep SWEEP.h5", text, options, 1, 1};
    int code;
    if (!cli_read(&command, argc, argv, path, &npositional, &code) ||
        (wish.threads && !cli_study_threads(wish.threads, &threads, &code)) ||
        (wish.reference_tol && !cli_study_number("--reference-tol", wish.reference_tol, &reference_tol, &code)) ||
        !read_part(&wish, &code))
        return code;
    return wish.nover == 0 && !wish.output && !wish.outputs && wish.nset == 0 && carom_run_file_looks(path[0])
               ? go_on(path[0], &wish, threads)
               : start(path[0], &wish, reference_tol, threads);
}
