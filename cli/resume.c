/* carom resume: goes on from the last checkpoint of a run file, in the same file, to the same bits. */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "ranks.h"
#include "record/room.h"
#include "record/run_old.h"
#include "study.h"

/* Ranks but the first need no more than the model: where it stands they are told. */
static int work_for_others(struct carom_scene *scene)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = cli_ranks_sim(scene, &error);
    int code = CAROM_OK;
    if (!sim)
        code = cli_fail(&error);
    else
        code = cli_ranks_share(sim, &error) ? CAROM_OK : (int)error.status;
    carom_sim_free(sim);
    carom_scene_free(scene);
    return code;
}

/* What is wrong with the end is said of the option that was given, not of the override that it becomes. */
static void name_until(const char *until, struct carom_error *error)
{
    static const char made[] = "--set run.until=", key[] = ": until: ";
    const char *why = strstr(error->text, key);
    if (strncmp(error->text, made, strlen(made)) != 0)
        return;
    const struct carom_error said = *error;
    why = why ? said.text + (why - error->text) + strlen(key) : strstr(said.text + strlen(made), ": ") + 2;
    carom_error_set(error, said.status, "--until %s: %s", until, why);
}

/* the scene of a run file, with its overrides and a later end if one is wanted */
static struct carom_scene *stored_scene(const char *path, const char *until, bool quiet, struct carom_error *error)
{
    char later[64];
    const char *set[] = {later};
    if (until && (snprintf(later, sizeof later, "run.until=%s", until) >= (int)sizeof later ||
                  strcmp(until, "null") == 0 || strchr(until, '\n') != NULL)) { /* null would take the end away */
        carom_error_set(error, CAROM_E_USAGE, "--until %.20s: must be a time, such as 2 ms", until);
        return NULL;
    }
    struct carom_scene *scene = cli_study_scene(path, set, until ? 1 : 0, quiet, 0, error);
    if (!scene && until)
        name_until(until, error);
    return scene;
}

static struct carom_sim *restored(struct carom_scene *scene, const struct carom_run_file *run,
                                  struct cli_output *output, struct carom_error *error)
{
    struct carom_sim *sim = cli_ranks_sim(scene, error);
    if (!sim)
        return NULL;
    uint64_t rows, events;
    bool good = carom_sim_resume(sim, run, &rows, &events, error) == CAROM_OK;
    good = good && cli_ranks_share(sim, error);
    if (good) {
        void *file = carom_sink_hdf5_resume(output->path, rows, events);
        output->sink = file;
        good = file && carom_recorder_attach(sim->recorder, &carom_sink_hdf5, file, error) == CAROM_OK &&
               cli_watch_yield(sim, scene, error) &&
               carom_room_check(sim->recorder, output->path, sim->state->time, sim->until, error) == CAROM_OK;
        if (!file)
            carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    }
    if (good)
        return sim;
    carom_sim_free(sim);
    return NULL;
}

int carom_cli_resume(int argc, char **argv)
{
    const char *until = NULL, *device = NULL, *path[1];
    size_t npositional;
    bool quiet = false;
    const struct cli_option options[] = {
        {"--until", NULL, "TIME", "run to this time instead of the scene's", .single = &until},
        {"--device", NULL, "NAME", "take the steps on this device, or none (the same bits)", .single = &device},
        {"--quiet", "-q", NULL, "no progress, no summary", .flag = &quiet},
        {0},
    };
    const struct cli_command command = {
        "carom resume RUN [--until TIME]",
        "Goes on from the last checkpoint of a run file, in the same file. The result is the same, to the bit, as if\n"
        "the run had never stopped (with --until: as if it had been planned like that from the checkpoint on). What "
        "was\n"
        "recorded after that checkpoint is recorded again.",
        options, 1, 1};
    int code;
    if (!cli_read(&command, argc, argv, path, &npositional, &code))
        return code;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_run_file *run = carom_run_file_open(path[0], &error);
    if (!run)
        return cli_fail(&error);
    struct carom_scene *scene = stored_scene(path[0], until, quiet, &error);
    struct cli_output output = {.path = path[0], .until = until};
    const bool placed = scene && (!device || cli_device(scene, device, &error));
    if (placed && carom_rank_own(cli_ranks()) > 0) {
        carom_run_file_close(run); /* rank 0 will write to it */
        return work_for_others(scene);
    }
    struct carom_sim *sim = placed ? restored(scene, run, &output, &error) : NULL;
    const bool complete = run->complete;
    carom_run_file_close(run);
    const double left = sim ? carom_state_until(sim->state, sim->until) : 0.0;
    if (!sim) {
        code = cli_fail(&error);
    } else if (complete && (left == 0.0 || (left < 0.0 && !until))) { /* an earlier --until may have led beyond */
        code = carom_run_old_finish(path[0], &error) == CAROM_OK ? CAROM_OK : cli_fail(&error);
        if (code == CAROM_OK && !quiet)
            printf("%s is complete: it has run to t = %g; --until TIME goes further\n", path[0], sim->state->time);
    } else if (left < 0.0) {
        code = until
                   ? cli_usage("--until %s is before t = %g, which %s has already reached", until, sim->state->time,
                               path[0])
                   : cli_usage("%s was going on beyond the end of its scene and has reached t = %g: say --until again",
                               path[0], sim->state->time);
    } else {
        code = cli_run_sim(sim, scene, quiet, &output);
    }
    carom_sim_free(sim);
    carom_scene_free(scene);
    return code;
}
