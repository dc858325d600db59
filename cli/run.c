/* carom run: a scene in, a run file out. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli.h"
#include "live.h"
#include "ranks.h"
#include "record/room.h"
#include "record/run_file.h"
#include "record/run_old.h"
#include "run_fclib.h"
#include "study.h"

/* the default output: the scene's name with .h5, in the current folder */
static void default_output(const char *scene, char *name, size_t size)
{
    int stem;
    const char *base = carom_file_name(strcmp(scene, "-") == 0 ? "stdin" : scene, &stem);
    snprintf(name, size, "%.*s%s.h5", stem, base, strcmp(base + stem, ".h5") == 0 ? "-again" : "");
}

/* What stands there already, in words: "Cradle, 255 samples, of 2026-11-16 14:02"; "": nothing that can be read. */
static void describe_old(const char *path, char *text, size_t size)
{
    struct stat about;
    struct carom_run_file *old = stat(path, &about) == 0 ? carom_run_file_open(path, NULL) : NULL;
    char when[32] = "";
    text[0] = '\0';
    if (!old)
        return;
    struct tm parts;
    if (localtime_r(&about.st_mtime, &parts))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M", &parts);
    snprintf(text, size, "%.120s, %llu sample%s, of %s", old->title, (unsigned long long)old->rows, cli_s(old->rows),
             when);
    carom_text_plain(text); /* the cut may be inside a character */
    carom_run_file_close(old);
}

/* the same of the one that is kept already, while a run that was not completed stands at the path */
static void describe_kept(const char *path, char *text, size_t size)
{
    struct carom_run_old old = {0};
    if (carom_run_old_plan(path, &old, NULL) == CAROM_OK && old.path)
        describe_old(old.path, text, size);
    carom_run_old_free(&old);
}

/* The name of the file in which the run before this one is kept, or NULL. */
static const char *kept(const struct cli_output *output)
{
    const char *path = carom_sink_hdf5_keeps(output->sink);
    return path ? carom_file_name(path, NULL) : NULL;
}

int cli_run_fail(const struct carom_sim *sim, const struct carom_scene *scene, const struct cli_output *output,
                 struct carom_error *error)
{
    /* a rank that is gone may have taken its part of the state along */
    const char *from = carom_rank_given_up(sim->ranks) ? "its last checkpoint" : "here";
    if (error->status == CAROM_E_STOPPED && output->onwards)
        carom_error_set(error, error->status, "stopped at t = %g of %g; the run so far goes to the standard output%s",
                        sim->state->time, sim->until,
                        scene->checkpoint_every < 0.0 ? "" : ", and 'carom resume' of that file goes on from here");
    else if (error->status == CAROM_E_STOPPED && !(scene->checkpoint_every < 0.0))
        carom_error_set(error, error->status, "stopped at t = %g of %g; 'carom resume %s%s%s' goes on from %s",
                        sim->state->time, sim->until, output->path, output->until ? " --until " : "",
                        output->until ? output->until : "", from);
    if (error->status == CAROM_E_NUMERIC && *scene->step_at && strstr(error->text, "step") != NULL)
        carom_error_prefix(error, "%s", scene->step_at);
    if (kept(output))
        carom_error_set(error, error->status, "%s; the run before it is kept beside it as %s", error->text,
                        kept(output));
    return cli_fail(error);
}

void cli_run_summary(const struct carom_sim *sim, const struct carom_scene *scene, double seconds,
                     const struct cli_output *output)
{
    cli_summary(sim, scene, seconds, output->onwards ? NULL : output->path);
    if (kept(output))
        printf("replaced   the earlier run in this file%s%s (kept as %s while this one ran, now removed)\n",
               output->old && *output->old ? ": " : "", output->old ? output->old : "", kept(output));
}

int cli_run_sim(struct carom_sim *sim, const struct carom_scene *scene, bool quiet, const struct cli_output *output)
{
    struct carom_error error = {CAROM_OK, ""};
    struct cli_progress progress;
    cli_progress_begin(&progress, quiet);
    const struct carom_watch watch = {cli_progress_watch, &progress, 0.05};
    const enum carom_status status = carom_sim_run(sim, &watch, &error);
    cli_progress_end(&progress);
    if (status != CAROM_OK)
        return cli_run_fail(sim, scene, output, &error);
    if (!quiet)
        cli_run_summary(sim, scene, cli_progress_seconds(&progress), output);
    return CAROM_OK;
}

/* attaches the sinks asked for; false with the sentence */
static bool attach(struct carom_sim *sim, const struct carom_scene *scene, struct cli_output *output, const char *csv,
                   struct carom_error *error)
{
    void *file = carom_sink_hdf5_new(output->path);
    if (!file)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory"), false;
    output->sink = file;
    if (carom_recorder_attach(sim->recorder, &carom_sink_hdf5, file, error) != CAROM_OK ||
        !cli_watch_yield(sim, scene, error) ||
        carom_room_check(sim->recorder, output->path, 0.0, sim->until, error) != CAROM_OK)
        return false;
    if (!csv)
        return true;
    const bool standard = strcmp(csv, "-") == 0;
    if (standard && sim->state->contacts) {
        carom_error_set(error, CAROM_E_USAGE,
                        "--csv -: contacts that come and go are a second table, which only fits beside a file; --csv "
                        "FILE writes both");
        return false;
    }
    void *table = carom_sink_csv_new(csv);
    if (!table)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory"), false;
    return carom_recorder_attach(sim->recorder, &carom_sink_csv, table, error) == CAROM_OK;
}

/* -o -: HDF5 goes back and forth in its file, so that the run is made beside and then handed on. */
static bool make_beside(char *name, struct carom_error *error)
{
    const bool terminal = isatty(STDOUT_FILENO);
    memset(stpcpy(name, "/tmp/carom."), 'X', 6); /* mkstemp puts others there */
    const int made = terminal ? -1 : mkstemp(name);
    if (made < 0) {
        carom_error_set(error, terminal ? CAROM_E_USAGE : CAROM_E_FILE,
                        terminal ? "-o -: a run file is nothing for a terminal; send it on, such as -o - > RUN.h5"
                                 : "-o -: the run cannot be made in /tmp first");
        return false;
    }
    close(made);
    unlink(name);
    return true;
}

/* The standard output is the file's alone: what is said goes to the standard error. NULL: it could not be parted. */
static FILE *part_output(void)
{
    const int own = fcntl(STDOUT_FILENO, F_DUPFD, STDERR_FILENO + 1); /* not in the place of one that is closed */
    FILE *file = own >= 0 ? fdopen(own, "wb") : NULL;
    if (file && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
        return file;
    if (file)
        fclose(file);
    else if (own >= 0)
        close(own);
    return NULL;
}

static int hand_on(const char *name, FILE *to)
{
    char piece[1 << 14];
    fflush(stdout); /* what the run has said comes before what is wrong now */
    FILE *file = fopen(name, "rb");
    bool good = file != NULL;
    for (size_t got; good && (got = fread(piece, 1, sizeof piece, file)) > 0;)
        good = fwrite(piece, 1, got, to) == got;
    if (file)
        fclose(file);
    unlink(name);
    struct carom_error error;
    if (fclose(to) == 0 && good)
        return CAROM_OK;
    carom_error_set(&error, CAROM_E_FILE, "-o -: the run could not be written to the standard output");
    return cli_fail(&error);
}

bool cli_device(struct carom_scene *scene, const char *name, struct carom_error *error)
{
    if (*name == '\0' || strlen(name) >= sizeof scene->device) {
        carom_error_set(
            error, CAROM_E_USAGE,
            "--device %.80s: must be none, auto, or the number or a part of the name of one of 'carom list devices'",
            name);
        return false;
    }
    snprintf(scene->device, sizeof scene->device, "%s", name);
    snprintf(scene->device_at, sizeof scene->device_at, "--device %s", name);
    return true;
}

int carom_cli_run(int argc, char **argv)
{
    const char *output = NULL, *csv = NULL, *threads = NULL, *port = NULL, *fclib = NULL, *device = NULL,
               *set[CLI_MANY], *scene_path[1];
    size_t nset = 0, npositional;
    bool quiet = false, live = false, keep = false;
    const struct cli_option options[] = {
        {"--output", "-o", "RUN.h5", "where to write the run file (default: the scene's name with .h5, here)",
         .single = &output},
        {"--set", NULL, "KEY=VALUE", "override a key of the scene, such as run.until=1ms; may be repeated", .many = set,
         .count = &nset},
        {"--keep", NULL, NULL, "refuse to replace a run file that is there", .flag = &keep},
        {"--csv", NULL, "FILE", "also write the samples as CSV; - is the standard output", .single = &csv,
         .standard = true},
        {"--fclib", NULL, "DIR",
         "also write the contact problem of each step of moreau-jean, for carom solve (FILE.hdf5: the last)",
         .single = &fclib},
        {"--threads", NULL, "N", "threads to use, or auto (the result is the same to the bit)", .single = &threads},
        {"--device", NULL, "NAME", "take the steps on this device of 'carom list devices', or auto (the same bits)",
         .single = &device},
        {"--live", NULL, NULL, "show the growing page to a browser on this machine, at an address it prints",
         .flag = &live},
        {"--port", NULL, "N", "of that address (default: any that is free)", .single = &port},
        {"--quiet", "-q", NULL, "no progress, no summary", .flag = &quiet},
        {0},
    };
    const struct cli_command command = {
        "carom run SCENE [-o RUN.h5] [--set key=value ...]",
        "Runs a scene (a YAML file, - for the standard input, or a run file whose "
        "scene is taken again) and writes a run\n"
        "file (-o -: to the standard output; the summary then goes to the standard error).\n"
        "Ctrl-C stops it with a checkpoint; 'carom resume' goes on from there. A run "
        "file that already exists is kept\n"
        "as RUN.old.h5 until the new one is whole.",
        options, 1, 1};
    int code;
    if (!cli_read(&command, argc, argv, scene_path, &npositional, &code))
        return code;
    struct carom_error error = {CAROM_OK, ""};
    unsigned number = 0;
    char beyond;
    if (port && (!live || sscanf(port, "%5u%c", &number, &beyond) != 1 || number > 65535))
        return cli_usage("--port %s: must be a number up to 65535, and goes with --live", port);
    if (fclib && live)
        return cli_usage("--fclib: does not go with --live");
    if (cli_ranks() && strcmp(scene_path[0], "-") == 0)
        return cli_usage("-: mpirun hands the standard input to one rank alone; name a file");
    size_t wanted = 0;
    if (threads && !cli_study_threads(threads, &wanted, &code))
        return code;
    const bool onwards = output && strcmp(output, "-") == 0;
    char name[1024], beside[32] = "";
    if (onwards && !make_beside(beside, &error))
        return cli_fail(&error);
    if (onwards && csv && strcmp(csv, "-") == 0)
        return cli_usage("-o - and --csv -: only one of them fits the standard output");
    FILE *const parted = onwards ? part_output() : NULL;
    if (onwards && !parted) {
        carom_error_set(&error, CAROM_E_FILE, "-o -: the standard output or the standard error is closed");
        return cli_fail(&error);
    }
    const bool deaf = onwards && (fcntl(STDERR_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY; /* it was closed */
    quiet = quiet || deaf || (csv && strcmp(csv, "-") == 0);
    output = onwards ? beside : output;
    default_output(scene_path[0], name, sizeof name);
    if (!output && cli_guard(output = name, &error) != CAROM_OK)
        return cli_fail(&error);
    char old[200];
    describe_old(output, old, sizeof old);
    if (keep && access(output, F_OK) == 0)
        return cli_usage("--keep: %s is there already%s%s%s; choose another -o", output, *old ? " (" : "", old,
                         *old ? ")" : "");
    struct carom_scene *scene = cli_study_scene(scene_path[0], set, nset, quiet, wanted, &error);
    if (!scene)
        return cli_fail(&error);
    if (threads)
        scene->threads = wanted;
    if (device && !cli_device(scene, device, &error)) {
        carom_scene_free(scene);
        return cli_fail(&error);
    }
    if (strcmp(output, scene_path[0]) == 0) {
        carom_scene_free(scene);
        return cli_usage("%s: the run file would overwrite the scene; choose another -o", output);
    }
    struct cli_output to = {.path = output, .old = old, .onwards = onwards};
    bool lost;
    const bool may = carom_run_old_look(output, &lost, &error) == CAROM_OK; /* before a body settles */
    if (may && lost)
        describe_kept(output, old, sizeof old);
    struct carom_sim *sim = may ? cli_ranks_sim(scene, &error) : NULL;
    const bool mine = sim && cli_ranks_share(sim, &error);
    if (sim && !mine && error.status == CAROM_OK) { /* the part of another rank, which is done */
        carom_sim_free(sim);
        carom_scene_free(scene);
        return CAROM_OK;
    }
    if (!mine || (fclib && cli_fclib_begin(sim, fclib, &error) != CAROM_OK) || !attach(sim, scene, &to, csv, &error)) {
        carom_sim_free(sim);
        carom_scene_free(scene);
        return cli_fail(&error);
    }
    code = live    ? cli_live_run(sim, scene, quiet, &to, number)
           : fclib ? cli_fclib_run(sim, scene, quiet, &to, fclib)
                   : cli_run_sim(sim, scene, quiet, &to);
    if (code == CAROM_OK && !quiet && lost)
        printf("           and the unfinished run that stood there\n");
    carom_sim_free(sim);
    carom_scene_free(scene);
    if (!parted)
        return code;
    if (code != CAROM_OK && code != CAROM_E_STOPPED) {
        unlink(beside);
        return code;
    }
    const int handed = hand_on(beside, parted);
    return code == CAROM_OK ? handed : code;
}
