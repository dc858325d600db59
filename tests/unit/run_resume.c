/* Runs that are stopped, go on, record more and are then lost at once, and are taken up again in their files: every
 * number of the file is that of a run that was never stopped. Rows with sensors that filter, impacts with the forces
 * inside them, books of impacts, lists of contacts that come and go, solids. tests/determinism has the same by the
 * program. */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carom/carom.h"
#include "record/run_file.h"
#include "runs.h"
#include "stored_file.h"

static const char *const scenes[] = {
    /* a row with sensors of either kind */
    "units: none\nbodies: [wall: {side: left}, chain: {count: 8, mass: 1}, wall: {side: right, gap: 0.1}]\n"
    "contacts: {law: kuwabara-kono, k: 1000, gamma: 0.01}\nstart: [{body: 1, velocity: 1}]\n"
    "sensors: [{name: inner, body: 3, bandwidth: 4}, {name: pair, contact: 4}, {name: end, wall: right, bandwidth: "
    "30}]\n"
    "run: {until: 2, tol: 1e-7, checkpoint: 1e9}\nrecord: {every: 0.01}\n",
    "units: none\nbodies: [chain: {count: 8, mass: 1, gap: 0.01}]\ncontacts: {law: hertz, k: 1000}\n"
    "start: [{body: 1, velocity: 1}, {body: 8, velocity: -1}]\n"
    "run: {until: 2, scheme: verlet, step: 1e-3, checkpoint: 1e9}\nrecord: {every: 0.01}\n",
    /* impacts, and the forces inside them */
    "units: none\ntheory: nonsmooth\nbodies: [wall: {side: left, gap: 0.3}, chain: {count: 4, mass: 1, gap: [0, 0.2, "
    "0]}, "
    "wall: {side: right, gap: 0.4}]\ncontacts: {law: rigid, e: 0.9, k: 1000, p: 1.5}\n"
    "start: [{body: 1, velocity: 1}, {body: 4, velocity: 0.7}]\n"
    "run: {until: 3, scheme: event, impact: lzb, checkpoint: 1e9}\nrecord: {every: 0.02, impact_every: 0.001}\n",
    /* contacts that come and go */
    "units: none\ngravity: [0, -9]\nbodies:\n  - disc: {at: [0, 0.6], radius: 0.5, mass: 1.5}\n"
    "  - disc: {at: [1.1, 0.6], radius: 0.4, mass: 0.8}\n  - disc: {at: [0.4, 1.5], radius: 0.3, mass: 0.5}\n"
    "  - plane: {at: [0, 0], normal: [0, 1]}\n"
    "contacts: {law: kuwabara-kono, k: 3e4, gamma: 0.002, friction: {mu: 0.3, k_t: 2e4}}\n"
    "start: [{body: 1, velocity: [2, 0]}]\nrun: {until: 1, scheme: verlet, step: 5e-4, checkpoint: 1e9}\n"
    "record: {every: 0.01, probes: [position, v, contacts]}\n",
    "units: none\ntheory: nonsmooth\ngravity: [0, -9]\nbodies:\n  - disc: {at: [0, 0.6], radius: 0.5, mass: 1.5}\n"
    "  - disc: {at: [1.1, 0.6], radius: 0.4, mass: 0.8}\n  - disc: {at: [0.4, 1.5], radius: 0.3, mass: 0.5}\n"
    "  - plane: {at: [0, 0], normal: [0, 1]}\ncontacts: {law: rigid, e: 0.5, mu: 0.3}\n"
    "start: [{body: 1, velocity: [2, 0]}]\nrun: {until: 1, scheme: moreau-jean, step: 2e-3, checkpoint: 1e9}\n"
    "record: {every: 0.01, probes: [position, v, contacts]}\n",
    /* impacts that create energy before the run is stopped, which the file says */
    "units: none\ntheory: nonsmooth\ngravity: [0, -10]\nbodies:\n  - box: {at: [0, 3], size: [5, 6], inside: true}\n"
    "  - polygon: {points: [[-1.2, 0], [1.2, 0], [0.2, 1]], at: [0, 0], fixed: true}\n"
    "  - polygon: {sides: 3, radius: 0.6, at: [-1.2, 1.6], mass: 1, spin: 1}\n"
    "  - polygon: {sides: 5, radius: 0.6, at: [0.9, 2.2], mass: 1}\n"
    "  - polygon: {sides: 6, radius: 0.5, at: [-0.5, 3], mass: 1, spin: -2}\n"
    "contacts: {law: rigid, e: 0.2, mu: 0.4}\nrun: {until: 1.5, scheme: moreau-jean, step: 4e-3, checkpoint: 1e9}\n"
    "record: {every: 0.01, probes: [position, v, contacts]}\n",
    /* a ball on a solid */
    "units: none\ntheory: solid\nbodies:\n  - solid: {box: {size: [2, 1], cells: [6, 3]}, depth: 0.5, material: "
    "{young: "
    "1000, poisson: 0.3, density: 2}}\n  - disc: {at: [0.9, 1.31], radius: 0.3, mass: 0.2, velocity: [0, -1]}\n"
    "contacts: {law: linear-dashpot, k: 400, gamma: 0.002}\nrun: {until: 1, checkpoint: 1e9}\nrecord: {every: 0.01}\n",
};

static double stop_at; /* of the whole time */

static bool before(void *own, const struct carom_sim *sim)
{
    (void)own;
    return sim->state->time < stop_at * sim->until;
}

static const struct carom_watch watch = {before, NULL, 0.0};

static uint64_t hash_of(const char *path)
{
    hash = 1;
    mix_run_file(path);
    return hash;
}

/* taken up where a file has been left, if one has */
static struct carom_sim *sim_of(const char *text, const char *path, bool anew)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = runs_sim(text);
    void *sink = NULL;
    if (anew) {
        sink = carom_sink_hdf5_new(path);
    } else {
        uint64_t rows = 0, events = 0;
        struct carom_run_file *run = carom_run_file_open(path, &error);
        CHECK_OR_STOP(run != NULL && !run->complete);
        CHECK_STATUS(carom_sim_resume(sim, run, &rows, &events, &error), CAROM_OK);
        CHECK(rows > 0 && rows <= run->rows && events <= run->events);
        carom_run_file_close(run);
        sink = carom_sink_hdf5_resume(path, rows, events);
    }
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5, sink, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    return sim;
}

/* stopped once, which leaves a checkpoint, and lost at a later moment, with what had been recorded by then */
static void lose(struct carom_sim *sim)
{
    const pid_t child = fork();
    int status = -1;
    CHECK_OR_STOP(child >= 0);
    if (child == 0) {
        struct carom_error error = {CAROM_OK, ""};
        stop_at = 0.4;
        bool good = carom_sim_run(sim, &watch, &error) == CAROM_E_STOPPED;
        stop_at = 0.7;
        while (good && before(NULL, sim))
            good = carom_sim_step(sim, 1, &error) == CAROM_OK;
        good = good && carom_recorder_flush(sim->recorder, &error) == CAROM_OK;
        _exit(good ? 0 : 1);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* While a file is written it has room ahead on the disk; when it is closed it has not, but may end there by chance. */
static bool has_room(const char *path)
{
    const off_t growth = 256 * 1024;
    struct stat about;
    CHECK_OR_STOP(stat(path, &about) == 0);
    CHECK(about.st_size > 0);
    return about.st_size % growth == 0;
}

int main(void)
{
    size_t full = 0;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        struct carom_error error = {CAROM_OK, ""};
        struct carom_sim *sim = sim_of(scenes[i], "whole.h5", true);
        CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
        carom_sim_free(sim);
        const uint64_t whole = hash_of("whole.h5");
        full += has_room("whole.h5");

        sim = sim_of(scenes[i], "lost.h5", true);
        lose(sim);
        CHECK(has_room("lost.h5"));
        carom_sim_free(sim);
        sim = sim_of(scenes[i], "lost.h5", false);
        CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
        carom_sim_free(sim);
        CHECK(hash_of("lost.h5") == whole);
        if (hash != whole)
            fprintf(stderr, "another file, scene %zu %s\n", i, error.text);
        unlink("whole.h5");
        unlink("lost.h5");
    }
    CHECK(full < 2);
    return check_end();
}
