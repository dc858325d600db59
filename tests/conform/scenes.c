/* Every scene, or its beginning, as it is bound, run and recorded: bit for bit what stands in scenes.txt beside this
 * file, a seventh of its lines, and all in scenes_long. What those numbers should be is the business of other suites
 * (convergence, paper, campaign), which take minutes; this one takes seconds and tells whether any of them has moved.
 * Each line of the table has a hash, the share of the run that is taken, a scene and overrides; scenes that take long
 * to set up are left to determinism/scenes. Those in the folder scenes beside this file stand for many: their lines go
 * through laws, schemes, impacts and solvers, also such as do not go together, which are refused. All is recorded that
 * the model has, in memory and of some scenes in a run file, which are compared; some are taken up again in the middle.
 * Where a change is meant to change numbers,
 *
 *     SOURCE=$PWD build/tests/conform/scenes --write
 *
 * writes the table again, and its lines in the commit tell which scenes it touched. */
#include "stored.h"

#define HALVES 8 /* every so many lines are run in two halves as well */
#define FILES 25 /* every so many lines a run file: HDF5 takes longer than a short run */

/* --- the run file has what memory has ----------------------------------------------------------------------------- */

static bool same(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static void compare_items(const struct carom_run_file *run, const struct carom_memory *memory)
{
    double *read = carom_memory_zeroed(memory->nrows * memory->width + 1, sizeof *read);
    CHECK_STATUS(carom_run_file_times(run, 0, memory->nrows, read, NULL), CAROM_OK);
    CHECK(same(read, memory->time, memory->nrows));
    for (size_t i = 0; i < memory->nchannels; i++) {
        const struct carom_channel *channel = &memory->channel[i];
        const struct carom_run_item *item = carom_run_file_item(run, channel->path);
        if (channel->size == 0)
            continue;
        CHECK_OR_STOP(item != NULL && item->width == channel->size);
        CHECK_STATUS(carom_run_file_read(run, item, 0, memory->nrows, read, NULL), CAROM_OK);
        for (size_t row = 0; row < memory->nrows; row++)
            CHECK(same(read + row * item->width, memory->value + row * memory->width + channel->offset, item->width));
    }
    carom_memory_free(read);
}

static void compare_events(const struct carom_run_file *run, const struct carom_memory *memory)
{
    for (size_t i = 0; i < memory->nevents; i++) {
        struct carom_event read;
        const struct carom_event *e = &memory->event[i];
        CHECK_STATUS(carom_run_file_events(run, i, 1, &read, NULL), CAROM_OK);
        CHECK(read.time == e->time && read.contact == e->contact && read.kind == e->kind);
        CHECK(read.impulse == e->impulse && read.before == e->before && read.after == e->after);
    }
    for (size_t i = 0; i < memory->nepisodes; i++) {
        struct carom_episode read;
        CHECK_STATUS(carom_run_file_episodes(run, i, 1, &read, NULL), CAROM_OK);
        CHECK(read.contact == memory->episode[i].contact);
        CHECK(same(&read.closed, &memory->episode[i].closed, CAROM_EPISODE_REALS));
    }
    for (size_t i = 0; i < memory->nblows; i++) {
        struct carom_blow read;
        CHECK_STATUS(carom_run_file_blows(run, i, 1, &read, NULL), CAROM_OK);
        CHECK(same(&read.time, &memory->blow[i].time, 3));
    }
}

static void compare_touches(const struct carom_run_file *run, const struct carom_memory *memory)
{
    for (size_t row = 0; memory->listed && row < memory->nrows; row++) {
        uint64_t first, count;
        CHECK_STATUS(carom_run_file_touching(run, row, &first, &count, NULL), CAROM_OK);
        CHECK(first == memory->first[row] && first + count == memory->first[row + 1]);
    }
    for (size_t i = 0; i < memory->ntouches; i += 7) {
        struct carom_touch read;
        CHECK_STATUS(carom_run_file_touches(run, i, 1, &read, NULL), CAROM_OK);
        CHECK(read.pair[0] == memory->touch[i].pair[0] && read.pair[1] == memory->touch[i].pair[1]);
        CHECK(same(read.point, memory->touch[i].point, 3) && same(read.normal, memory->touch[i].normal, 3));
        CHECK(same(read.force, memory->touch[i].force, 3) && read.gap == memory->touch[i].gap);
    }
}

static void compare_file(const char *path, const struct carom_memory *memory, const struct carom_sim *sim)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_run_file *run = carom_run_file_open(path, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(run != NULL);
    struct carom_run_about about;
    carom_run_about(run, &about);
    CHECK(about.complete && about.rows == memory->nrows && about.events == memory->nevents);
    CHECK(about.episodes == memory->nepisodes && about.touches == memory->ntouches);
    CHECK(about.impacts == memory->nblows && about.forces == memory->nforces);
    CHECK(about.counts.steps == sim->stepper->counts.steps && about.estimate == sim->estimate);
    compare_items(run, memory);
    compare_events(run, memory);
    compare_touches(run, memory);
    carom_run_file_close(run);
}

/* --- a scene ------------------------------------------------------------------------------------------------------ */

static void run_sim(struct carom_sim *sim, bool file)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_memory *memory = carom_sink_memory_new();
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_memory, memory, NULL), CAROM_OK);
    void *sink = file ? carom_sink_hdf5_new("run.h5") : NULL;
    if (file)
        CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5, sink, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    mix_memory(memory);
    mix_sim(sim);
    if (file)
        compare_file("run.h5", memory, sim);
}

static void run_line(const struct line *line, size_t i, bool write)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = bind_line(line);
    if (scene == NULL)
        return;
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(sim != NULL);
    run_sim(sim, i % FILES == 0);
    if (i % HALVES == 0 && !write)
        run_halves(line);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

int main(int argc, char **argv)
{
    return compare_lines("scenes.txt", 7, argc, argv, run_line);
}
