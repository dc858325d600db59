/* carom repair: clears the mark a killed writer left in a run file, so that other programs open it like any file, and
 * makes all recorded items equally long. */
#include <stdio.h>

#include "cli.h"
#include "record/run_old.h"

/* what the file holds now */
static enum carom_status report(const char *path, const struct carom_run_repair *found, struct carom_error *error)
{
    struct carom_run_file *run = carom_run_file_open(path, error);
    if (!run)
        return error->status;
    struct carom_run_checkpoint last;
    double time = 0.0;
    const enum carom_status status =
        run->rows > 0 ? carom_run_file_times(run, run->rows - 1, 1, &time, error) : CAROM_OK;
    printf("%s: %s\n", path, found->was_marked ? "cleared the mark of a killed writer" : "was not marked");
    if (found->cut > 0)
        printf("  cut off %llu row%s that had not reached the disk in full\n", (unsigned long long)found->cut,
               cli_s(found->cut));
    printf("  %llu row%s, the last at t = %.9g; %llu event%s\n", (unsigned long long)run->rows, cli_s(run->rows), time,
           (unsigned long long)run->events, cli_s(run->events));
    if (run->complete)
        printf("  the run is complete\n");
    else if (carom_run_file_last(run, &last, NULL) == CAROM_OK)
        printf("  checkpoint at t = %.9g: 'carom resume %s' goes on from there\n", last.time, path);
    else
        printf("  no checkpoint: 'carom run %s -o NEW.h5' repeats the run\n", path);
    carom_run_file_close(run);
    return status;
}

int carom_cli_repair(int argc, char **argv)
{
    const char *path[1];
    size_t npositional;
    bool quiet = false;
    const struct cli_option options[] = {
        {"--quiet", "-q", NULL, "say nothing", .flag = &quiet},
        {0},
    };
    const struct cli_command command = {
        "carom repair RUN",
        "Clears the mark that a killed run left in its file, so that other programs open it like any other, and\n"
        "says what was found. carom itself reads and resumes such files without it.",
        options, 1, 1};
    int code;
    if (!cli_read(&command, argc, argv, path, &npositional, &code))
        return code;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_run_repair found;
    enum carom_status status = carom_run_file_repair(path[0], &found, &error);
    if (status == CAROM_OK)
        status = carom_run_old_finish(path[0], &error);
    if (status == CAROM_OK && !quiet)
        status = report(path[0], &found, &error);
    return status == CAROM_OK ? CAROM_OK : cli_fail(&error);
}
