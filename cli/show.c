/* carom show: what is in a run file. Works on files that are being written and on those of killed runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli.h"
#include "episodes.h"
#include "record/run_old.h"
#include "scene/keep.h"
#include "show_bodies.h"
#include "study/remarks.h"
#include "terminal.h"

static const char *seconds(const struct carom_run_file *run)
{
    return strcmp(run->units, "none") == 0 ? "" : " s";
}

static enum carom_status last_time(const struct carom_run_file *run, double *time, struct carom_error *error)
{
    *time = 0.0;
    return run->rows > 0 ? carom_run_file_times(run, run->rows - 1, 1, time, error) : CAROM_OK;
}

static void show_end(const struct carom_run_file *run, const char *path, double time)
{
    struct carom_run_checkpoint last;
    if (run->complete)
        printf("state      complete, last sample at t = %.9g%s\n", time, seconds(run));
    else if (carom_run_file_busy(path))
        printf("state      being written, last sample at t = %.9g%s\n", time, seconds(run));
    else
        printf("state      interrupted at t = %.9g%s%s\n", time, seconds(run),
               run->marked ? " ('carom repair' clears the mark it left)" : "");
    if (!run->complete && carom_run_file_last(run, &last, NULL) == CAROM_OK)
        printf("checkpoint t = %.9g%s, step %llu ('carom resume' goes on from there)\n", last.time, seconds(run),
               (unsigned long long)last.step);
    struct carom_run_old old;
    carom_run_old_find(run, path, &old);
    if (old.path)
        printf("replaces   %s, which is kept until this run is complete\n", carom_file_name(old.path, NULL));
    carom_run_old_free(&old);
}

/* Coordinates of mechanisms are lengths or angles; files have one unit for all of them. */
static const char *unit_of(const struct carom_run_item *item)
{
    const bool si = strcmp(item->unit, "1") != 0;
    return si && strcmp(item->path, "particles/mechanism/displacement") == 0 ? "m or rad"
           : si && strcmp(item->path, "particles/mechanism/velocity") == 0   ? "m/s or rad/s"
                                                                             : item->unit;
}

static int longer(int longest, const char *text)
{
    return (int)strlen(text) > longest ? (int)strlen(text) : longest;
}

static void show_items(const struct carom_run_file *run)
{
    enum { SHAPE = 14, UNIT = 7, USUAL_NAME = 20, USUAL_PATH = 38 };
    int name = 8, path = run->touches.there ? (int)strlen(CAROM_RUN_TOUCHES_LIST) : 0;
    for (size_t i = 0; i < run->nitems; i++) {
        name = longer(name, run->item[i].name);
        path = longer(path, run->item[i].path);
    }
    const size_t room = cli_terminal_width();
    const bool paths = room == 0 || (size_t)(name + path) + SHAPE + UNIT + 6 <= room;
    const int wide_name = name > USUAL_NAME ? name : USUAL_NAME, wide_path = path > USUAL_PATH ? path : USUAL_PATH;
    if (room == 0 || (size_t)(wide_name + wide_path) + SHAPE + UNIT + 6 <= room)
        name = wide_name, path = wide_path; /* columns stand where they usually do */
    printf("items%s\n", paths ? "" : " (places in the file are not shown, for lack of width)");
    for (size_t i = 0; i < run->nitems; i++) {
        const struct carom_run_item *item = &run->item[i];
        char shape[64];
        if (item->extent == CAROM_PER_RUN || item->extent == CAROM_PER_SENSOR ||
            (item->extent == CAROM_PER_REGION && item->width == 1))
            snprintf(shape, sizeof shape, "%llu", (unsigned long long)run->rows);
        else
            snprintf(shape, sizeof shape, "%llu x %zu", (unsigned long long)run->rows, item->width);
        printf("  %-*s %-*s%s%*s  %s\n", name, item->name, paths ? path : 0, paths ? item->path : "", paths ? " " : "",
               SHAPE, shape, unit_of(item));
    }
    if (run->touches.there)
        printf("  %-*s %-*s%s%8llu line%s\n", name, "contacts", paths ? path : 0, paths ? CAROM_RUN_TOUCHES_LIST : "",
               paths ? " " : "", (unsigned long long)run->touches.lines, cli_s(run->touches.lines));
}

static bool is_energy(const struct carom_run_item *item)
{
    return strncmp(item->path, "observables/ledger/", 19) == 0;
}

/* What is less than the last digit of the largest energy is rounding, and no number. */
static void show_energy(const struct carom_run_item *item, double value, double largest)
{
    const bool rounding = is_energy(item) && value != 0.0 && fabs(value) < 0x1p-52 * largest;
    if (rounding)
        printf("  %-20s %16s\n", item->name, "rounding");
    else
        printf("  %-20s %16.9e %s\n", item->name, value, strcmp(item->unit, "1") == 0 ? "" : item->unit);
}

static enum carom_status show_ledger(const struct carom_run_file *run, double time, struct carom_error *error)
{
    if (run->rows == 0)
        return CAROM_OK;
    printf("ledger at t = %.9g%s\n", time, seconds(run));
    double largest = 0.0;
    for (int print = 0; print < 2; print++)
        for (size_t i = 0; i < run->nitems; i++) {
            const struct carom_run_item *item = &run->item[i];
            double value;
            if (item->extent != CAROM_PER_RUN)
                continue;
            const enum carom_status status = carom_run_file_read(run, item, run->rows - 1, 1, &value, error);
            if (status != CAROM_OK)
                return status;
            if (print)
                show_energy(item, value, largest);
            largest = is_energy(item) ? fmax(largest, fabs(value)) : largest;
        }
    return CAROM_OK;
}

static void show_counts(const struct carom_run_file *run)
{
    const struct carom_counts *counts = &run->counts;
    printf("scheme     %s: %llu step%s, %llu rejected, %llu evaluation%s, %llu iteration%s", run->scheme,
           (unsigned long long)counts->steps, cli_s(counts->steps), (unsigned long long)counts->rejected,
           (unsigned long long)counts->evaluations, cli_s(counts->evaluations), (unsigned long long)counts->iterations,
           cli_s(counts->iterations));
    if (counts->largest_step > 0.0)
        printf(", steps from %.3g to %.3g%s", counts->smallest_step, counts->largest_step, seconds(run));
    printf("\nseed       %llu\n", (unsigned long long)run->seed);
}

/* what errors are measured by, which are asked for and stated */
static void show_errors(const struct carom_run_file *run, double time)
{
    const bool si = strcmp(run->units, "none") != 0;
    if (!(run->scales.speed > 0.0))
        return;
    printf("scales     V = %.6g%s, U = %.6g%s", run->scales.speed, si ? " m/s" : "", run->scales.length,
           si ? " m" : "");
    if (run->tol > 0.0)
        printf("; an error of at most %g of them was asked for", run->tol);
    else
        printf("; no error is stated: the step is fixed, carom converge measures it");
    if (run->estimate > 0.0)
        printf(", about %.1e is stated", run->estimate);
    else if (run->tol > 0.0)
        printf(", and none is stated");
    if (run->flown > 0.0 && run->flown < (1.0 - 1e-9) * time)
        printf(" up to t = %g%s, where the run was to end", run->flown, si ? " s" : "");
    printf("\n");
    if (run->horizon > 0.0)
        printf("           tol is kept until about t = %.3g%s\n", run->horizon, si ? " s" : "");
    cli_growth(run->growth, run->sight, time, si);
}

static void print_remark(void *own, const char *text)
{
    (void)own;
    printf("note       %s\n", text);
}

/* a scene of another version may no longer be read: then nothing is said of materials and of who meets whom */
static enum carom_status show_episodes(const struct carom_run_file *run, const char *path, struct carom_error *error)
{
    const struct carom_scene_wish wish = {.unsettled = true};
    const bool look = run->episodes.rows > 0 || (run->episodes.there && run->events == 0);
    struct carom_scene *scene = NULL;
    enum carom_status status = look ? carom_keep_scene(path, &wish, &scene, error) : CAROM_OK;
    if (status == CAROM_OK)
        status = cli_episodes_show(run, scene, error);
    if (status == CAROM_OK)
        status = carom_remarks(run, scene, print_remark, NULL, error);
    carom_scene_free(scene);
    return status;
}

static enum carom_status show(const struct carom_run_file *run, const char *path, struct carom_error *error)
{
    double time;
    enum carom_status status = last_time(run, &time, error);
    if (status != CAROM_OK)
        return status;
    printf("%s\n", *run->title != '\0' ? run->title : "(no title)");
    printf("file       %s, carom %s, units: %s\n", path, run->version, run->units);
    if (*run->command != '\0')
        printf("command    %s\n", run->command);
    show_end(run, path, time);
    show_counts(run);
    show_errors(run, time);
    cli_unbalanced(run->unbalanced, run->tol, run->counts.largest_step, run->scales.contact_time,
                   *seconds(run) != '\0');
    printf("recorded   %llu row%s, %llu event%s", (unsigned long long)run->rows, cli_s(run->rows),
           (unsigned long long)run->events, cli_s(run->events));
    if (!run->listed)
        printf(", %zu contact%s", run->nc, cli_s(run->nc));
    printf("\n");
    if (run->touches.there && (status = cli_show_touches(run, error)) != CAROM_OK)
        return status;
    if (run->impacts > 0)
        printf("impacts    %llu with forces inside them: %llu sample%s in impacts/force\n",
               (unsigned long long)run->impacts, (unsigned long long)run->forces, cli_s(run->forces));
    if ((status = show_episodes(run, path, error)) != CAROM_OK)
        return status;
    show_items(run);
    status = show_ledger(run, time, error);
    if (status == CAROM_OK && run->listed)
        status = cli_show_region(run, error);
    return status == CAROM_OK && run->touches.there ? cli_show_grains(run, error) : status;
}

int carom_cli_show(int argc, char **argv)
{
    const char *path[1];
    size_t npositional;
    bool quiet = false, scene = false;
    const struct cli_option options[] = {
        {"--scene", NULL, NULL, "print only the scene the run was made from", .flag = &scene},
        {"--quiet", "-q", NULL, "print nothing; the exit code says whether the file can be read", .flag = &quiet},
        {0},
    };
    const struct cli_command command = {
        "carom show RUN",
        "Says what is in a run file: how far it came, what was recorded, the strongest impacts, the energy ledger of\n"
        "the last sample.\n"
        "Also for runs that are under way or were killed.",
        options, 1, 1};
    int code;
    if (!cli_read(&command, argc, argv, path, &npositional, &code))
        return code;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_run_file *run = carom_run_file_open(path[0], &error);
    if (!run)
        return cli_fail(&error);
    enum carom_status status = CAROM_OK;
    if (scene && !quiet)
        fputs(run->scene, stdout);
    else if (!quiet)
        status = show(run, path[0], &error);
    carom_run_file_close(run);
    return status == CAROM_OK ? CAROM_OK : cli_fail(&error);
}
