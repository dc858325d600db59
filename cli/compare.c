/* carom compare: one scene under several theories, several scenes, or run files side by side. */
#include "compare.h"

#include <string.h>

#include "record/export/csv.h"
#include "study.h"
#include "study/compare/compare.h"

struct wish {
    const char *theories, *schemes, *output, *csv, *threads, *time_scale, *rows, *set[CLI_MANY];
    size_t nset;
    bool plain, quiet;
};

static enum carom_status write_csv(const struct carom_compare *compare, const char *path, struct carom_error *error)
{
    FILE *file = carom_csv_create(path, NULL, error);
    if (!file)
        return error->status;
    cli_compare_csv(compare, file);
    return carom_csv_close(file, path, CAROM_OK, error);
}

/* Said before the work: where results cannot go. */
static enum carom_status check_outputs(const struct wish *wish, struct carom_error *error)
{
    if (wish->csv && carom_csv_may_replace_table(wish->csv, "quantity,number,unit", error) != CAROM_OK)
        return error->status;
    const char *dot = wish->output ? strrchr(wish->output, '.') : NULL;
    if (dot && (strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0))
        return carom_error_set(error, CAROM_E_USAGE,
                               "-o %s: compare writes HDF5; take -o %.*s.h5, of which 'carom report' makes a page",
                               wish->output, (int)(dot - wish->output), wish->output);
    return wish->output ? carom_compare_file_may(wish->output, error) : CAROM_OK;
}

static int finish(const struct carom_compare *compare, const struct wish *wish, size_t rows)
{
    struct carom_error error = {CAROM_OK, ""};
    size_t good = 0;
    const struct carom_compare_entry *bad = NULL;
    for (size_t i = 0; i < compare->count; i++) {
        good += compare->entry[i].error.status == CAROM_OK;
        bad = bad == NULL && compare->entry[i].error.status != CAROM_OK ? &compare->entry[i] : bad;
    }
    if (good > 0 && !wish->quiet)
        cli_compare_print(compare, rows);
    if (good > 0 && wish->csv && write_csv(compare, wish->csv, &error) != CAROM_OK)
        return cli_fail(&error);
    if (good > 0 && wish->output && carom_compare_file_write(compare, wish->output, &error) != CAROM_OK)
        return cli_fail(&error);
    if (good > 0 && wish->output && !wish->quiet)
        printf("written    %s\n", wish->output);
    if (good >= 2 || !bad) /* one alone is nothing compared */
        return CAROM_OK;
    error = bad->error;
    if (!bad->file || strncmp(error.text, bad->path, strlen(bad->path)) != 0) /* those of files begin with them */
        carom_error_prefix(&error, "%s", bad->label);
    return cli_fail(&error);
}

static int compare(const struct wish *wish, const char *const *path, size_t npaths, size_t threads, size_t rows,
                   double time_scale)
{
    static struct carom_theory theory[CAROM_THEORIES_MOST];
    static struct carom_compare work;
    struct carom_error error = {CAROM_OK, ""};
    struct cli_study watch;
    const struct carom_progress progress = {cli_study_watch, &watch};
    size_t ntheories = 0;
    int code;
    if (check_outputs(wish, &error) != CAROM_OK ||
        carom_theories_read(wish->theories, wish->schemes, theory, &ntheories, &error) != CAROM_OK)
        return cli_fail(&error);
    if (npaths * (ntheories > 0 ? ntheories : 1) < 2)
        return cli_usage("compare: one run alone; add --theories compliant,lzb,nonsmooth, --schemes, or another file");
    enum carom_status status =
        carom_compare_plan(&work, path, npaths, theory, ntheories, wish->set, wish->nset, &error);
    if (status == CAROM_OK) {
        work.time_scale = time_scale;
        cli_study_begin(&watch, wish->quiet, "compare");
        status = carom_compare_run(&work, threads, !wish->plain, &progress, &error);
        cli_study_end(&watch);
    }
    code = status == CAROM_OK ? finish(&work, wish, rows) : cli_fail(&error);
    carom_compare_free(&work);
    return code;
}

int carom_cli_compare(int argc, char **argv)
{
    struct wish wish = {0};
    const char *path[CAROM_COMPARE_MOST];
    size_t npaths, threads = 0, rows = 16;
    double time_scale = 0.0;
    const struct cli_option options[] = {
        {"--theories", NULL, "NAMES",
         "theories, separated by commas; each may name a scheme and an impact law after it,\n"
         "                          as in nonsmooth:newton or nonsmooth:moreau-jean",
         .single = &wish.theories},
        {"--schemes", NULL, "NAMES", "schemes, separated by commas, each under the theories that it can run",
         .single = &wish.schemes},
        {"--set", NULL, "KEY=VALUE", "override a key of all scenes; may be repeated", .many = wish.set,
         .count = &wish.nset},
        {"--output", "-o", "COMPARE.h5", "also write all numbers and the motions as HDF5", .single = &wish.output},
        {"--csv", NULL, "FILE", "also write all numbers as CSV; -: to the standard output", .single = &wish.csv,
         .alone = true},
        {"--rows", NULL, "N", "bodies and contacts to show at most: those that differ most (default 16)",
         .single = &wish.rows},
        {"--time-scale", NULL, "T", "a time that counts as much as U and V in Hausdorff distances (default: U / V)",
         .single = &wish.time_scale},
        {"--threads", NULL, "N", "threads to use, or auto (the result is the same to the bit)",
         .single = &wish.threads},
        {"--no-timing", NULL, NULL, "do not run all once more to measure their cost", .flag = &wish.plain},
        {"--quiet", "-q", NULL, "no progress, no tables", .flag = &wish.quiet},
        {0},
    };
    const struct cli_command command = {
        "carom compare SCENE --theories compliant,lzb,nonsmooth [--schemes ...] | carom compare FILE FILE ...",
        "The same scene under several theories or schemes; or several scenes, or run files, side by side: velocities\n"
        "after impact, forces, impulses, arrival times, energy lost, differences of the motions, cost. A theory that\n"
        "refuses the scene is reported with its reason, the others go on. Run files are read as they are, unless\n"
        "--theories or --schemes ask for runs of their scenes.",
        options, 1, CAROM_COMPARE_MOST};
    int code;
    if (!cli_read(&command, argc, argv, path, &npaths, &code) ||
        (wish.threads && !cli_study_threads(wish.threads, &threads, &code)) ||
        (wish.rows && !cli_study_count("--rows", wish.rows, 4096, &rows, &code)) ||
        (wish.time_scale && !cli_study_number("--time-scale", wish.time_scale, &time_scale, &code)))
        return code;
    return compare(&wish, path, npaths, threads, rows, time_scale);
}
