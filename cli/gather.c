/* carom gather: the parts of a sweep, run wherever there was room, in one file. */
#include <stdio.h>
#include <string.h>

#include "record/export/csv.h"
#include "study.h"
#include "study/sweep/sweep.h"
#include "sweep_table.h"

enum { MOST_PARTS = 10000 };

struct wish {
    const char *output, *csv;
    bool quiet;
};

/* the exit code is that of the sweep: runs that failed, or are missing */
static enum carom_status judge(const struct carom_sweep *sweep, const struct carom_sweep_result *result,
                               const char *output, struct carom_error *error)
{
    const unsigned long long all = sweep->points, missing = all - result->done, failed = result->failed;
    if (missing > 0)
        return carom_error_set(error, CAROM_E_STOPPED,
                               "%llu of %llu runs %s in none of the files; 'carom sweep %s' runs %s", missing, all,
                               missing == 1 ? "is" : "are", output, missing == 1 ? "it" : "them");
    return failed == 0 ? CAROM_OK
                       : carom_error_set(error, result->reason.status,
                                         "%llu of %llu runs failed; 'carom sweep %s' says which is the first", failed,
                                         all, output);
}

static enum carom_status gather(const struct carom_sweep *sweep, const char *const *part, size_t count,
                                const struct wish *wish, struct carom_error *error)
{
    static struct carom_sweep_result result;
    enum carom_status status = carom_sweep_gather(sweep, part, count, wish->output, &result, error);
    if (status == CAROM_OK && wish->csv)
        status = cli_sweep_table(sweep, wish->output, wish->csv, error);
    if (status != CAROM_OK)
        return status;
    if (!wish->quiet)
        printf("%s\nruns       %llu of %llu, from %zu file%s\nwritten    %s\n", sweep->scene->title,
               (unsigned long long)result.done, (unsigned long long)sweep->points, count, cli_s(count), wish->output);
    return judge(sweep, &result, wish->output, error);
}

int carom_cli_gather(int argc, char **argv)
{
    static const char *part[MOST_PARTS];
    struct wish wish = {0};
    const struct cli_option options[] = {
        {"--output", "-o", "SWEEP.h5", "where to write; goes on in a file of the same sweep", .single = &wish.output},
        {"--csv", NULL, "FILE",
         "also write the table as CSV: keys, outputs, status of each run; -: to the standard output",
         .single = &wish.csv, .alone = true},
        {"--quiet", "-q", NULL, "no summary", .flag = &wish.quiet},
        {0},
    };
    const struct cli_command command = {
        "carom gather PART.h5 [PART.h5 ...] -o SWEEP.h5",
        "Brings the parts of a sweep ('carom sweep SCENE --over ... --part K/N') into the one file that a sweep of "
        "the\n"
        "whole grid would have written, to the bit. What two files have must be the same.",
        options, 1, MOST_PARTS};
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sweep sweep = {0};
    size_t count;
    int code;
    if (!cli_read(&command, argc, argv, part, &count, &code))
        return code;
    if (!wish.output)
        carom_error_set(&error, CAROM_E_USAGE, "say where to write: -o SWEEP.h5");
    else if (wish.csv && strcmp(wish.csv, wish.output) == 0)
        carom_error_set(&error, CAROM_E_USAGE, "-o and --csv both name %s", wish.csv);
    else if (carom_sweep_plan_file(&sweep, part[0], &error) == CAROM_OK &&
             (!wish.csv || carom_csv_may_replace_table(wish.csv, sweep.axis[0].key, &error) == CAROM_OK))
        gather(&sweep, part, count, &wish, &error);
    carom_sweep_free(&sweep);
    return error.status == CAROM_OK ? CAROM_OK : cli_fail(&error);
}
