/* Many impacts under lzb: with and without recording, run through and resumed, the state is the same to the bit, and
 * the forces inside impacts that the files hold are, too. */
#include <stdio.h>
#include <unistd.h>

#include "base/memory.h"
#include "carom/scene.h"
#include "check.h"
#include "record/run_file.h"

static const char *const text = "units: none\n"
                                "theory: lzb\n"
                                "gravity: -10\n"
                                "bodies: [wall: {side: left, gap: 0.3}, chain: {count: 5}]\n"
                                "contacts: {e: 0.9, k: 1e6}\n"
                                "run: {until: 1.5}\n"
                                "record: {every: 0.01, impact_every: 5e-3%s}\n";

static char whole_path[64], part_path[64];

static struct carom_scene *read_scene(bool forces)
{
    char all[600];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(all, sizeof all, text, forces ? "" : ", probes: [u]");
    struct carom_scene *scene = carom_scene_parse("column", all, strlen(all), NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    return scene;
}

static bool stop_at(void *own, const struct carom_sim *sim)
{
    return !(sim->state->time > *(const double *)own);
}

/* runs to the end or until the watch stops it; `path` NULL: nothing is recorded */
static uint64_t run(const char *path, bool forces, double stop)
{
    struct carom_scene *scene = read_scene(forces);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    if (path)
        CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5, carom_sink_hdf5_new(path), NULL), CAROM_OK);
    const struct carom_watch watch = {.call = stop_at, .own = &stop, .seconds = 0.0};
    const enum carom_status status = carom_sim_run(sim, stop > 0.0 ? &watch : NULL, &error);
    CHECK(status == (stop > 0.0 ? CAROM_E_STOPPED : CAROM_OK));
    const uint64_t hash = carom_state_hash(sim->state);
    CHECK(sim->stepper->counts.impacts > 5);
    carom_sim_free(sim);
    carom_scene_free(scene);
    return hash;
}

static uint64_t resume(const char *path)
{
    struct carom_scene *scene = read_scene(true);
    struct carom_run_file *file = carom_run_file_open(path, NULL);
    CHECK_OR_STOP(file != NULL);
    struct carom_sim *sim = carom_scene_sim(scene, NULL);
    CHECK_OR_STOP(sim != NULL);
    struct carom_state *state = carom_state_create(sim->model, sim->state->nmemory);
    struct carom_checkpoint checkpoint;
    CHECK_STATUS(carom_run_file_restore(file, sim->model, state, &checkpoint, NULL), CAROM_OK);
    CHECK(checkpoint.impacts > 2 && checkpoint.forces > 20);
    carom_run_file_close(file);
    CHECK_STATUS(carom_sim_restore(sim, &checkpoint, NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5,
                                       carom_sink_hdf5_resume(path, checkpoint.rows, checkpoint.events), NULL),
                 CAROM_OK);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    const uint64_t hash = carom_state_hash(sim->state);
    carom_state_free(state);
    carom_sim_free(sim);
    carom_scene_free(scene);
    return hash;
}

static void compare_files(void)
{
    struct carom_run_file *a = carom_run_file_open(whole_path, NULL), *b = carom_run_file_open(part_path, NULL);
    CHECK_OR_STOP(a && b);
    CHECK_OR_STOP(a->impacts == b->impacts && a->forces == b->forces && a->impacts > 20 && a->forces > 1000);
    struct carom_blow *x = carom_memory_zeroed(a->impacts, sizeof *x), *y = carom_memory_zeroed(a->impacts, sizeof *y);
    struct carom_blow_force *f = carom_memory_zeroed(a->forces, sizeof *f),
                            *g = carom_memory_zeroed(a->forces, sizeof *g);
    CHECK_OR_STOP(x && y && f && g);
    CHECK_STATUS(carom_run_file_blows(a, 0, a->impacts, x, NULL), CAROM_OK);
    CHECK_STATUS(carom_run_file_blows(b, 0, a->impacts, y, NULL), CAROM_OK);
    CHECK_STATUS(carom_run_file_forces(a, 0, a->forces, f, NULL), CAROM_OK);
    CHECK_STATUS(carom_run_file_forces(b, 0, a->forces, g, NULL), CAROM_OK);
    CHECK(memcmp(x, y, a->impacts * sizeof *x) == 0);
    CHECK(memcmp(f, g, a->forces * sizeof *f) == 0);
    for (uint64_t i = 0; i < a->forces; i++)
        CHECK(f[i].impact < a->impacts && f[i].contact < a->nc && f[i].force > 0.0 &&
              f[i].time <= x[f[i].impact].duration * (1.0 + 1e-6));
    carom_memory_free(x);
    carom_memory_free(y);
    carom_memory_free(f);
    carom_memory_free(g);
    carom_run_file_close(a);
    carom_run_file_close(b);
}

int main(void)
{
    snprintf(whole_path, sizeof whole_path, "lzb_whole_%ld.h5", (long)getpid());
    snprintf(part_path, sizeof part_path, "lzb_part_%ld.h5", (long)getpid());
    const uint64_t bare = run(NULL, false, 0.0), whole = run(whole_path, true, 0.0);
    CHECK(bare == whole);
    run(part_path, true, 0.6);
    CHECK(resume(part_path) == whole);
    compare_files();
    unlink(whole_path);
    unlink(part_path);
    return check_end();
}
