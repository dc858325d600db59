/* A run over an old one, as C programs make it: the old file is kept beside it under a name of its own until the new
 * one is whole, and files of others are left alone; cli.replaced sees the same of the commands, killed. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "record/run_old.h"
#include "runs.h"

static const char text[] =
    "{units: none, bodies: [{chain: {count: 3}}], contacts: {law: hertz, k: 1}, start: [{body: "
    "1, velocity: 1}], run: {until: 0.04, scheme: verlet, step: 0.001}, record: {every_steps: 2}}";

/* a run of so many steps, 0: whole */
static void record(const char *path, size_t steps)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = runs_sim(text);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5, carom_sink_hdf5_new(path), &error), CAROM_OK);
    CHECK_STATUS(steps > 0 ? carom_sim_step(sim, steps, &error) : carom_sim_run(sim, NULL, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    carom_sim_free(sim);
}

/* which file has this name, 0: none */
static ino_t file_of(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 ? about.st_ino : 0;
}

static bool is_lost(const char *path)
{
    bool lost = false;
    CHECK_STATUS(carom_run_old_look(path, &lost, NULL), CAROM_OK);
    return lost;
}

static void names(void)
{
    static const char *const name[][2] = {{"./run.h5", "run.old.h5"},
                                          {"plain", "plain.old"},
                                          {".h5", ".h5.old"},
                                          {"f.d/plain", "f.d/plain.old"},
                                          {"a.b.hdf5", "a.b.old.hdf5"}};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        const char *path = name[i][0], *kept = name[i][1];
        CHECK(!is_lost(path));
        record(path, 0);
        CHECK(!is_lost(path));
        const ino_t first = file_of(path);
        for (int k = 0; k < (i == 0 ? 2 : 1); k++) { /* unfinished ones come and go */
            record(path, 5);
            CHECK(first != 0 && file_of(kept) == first && file_of(path) != first);
            CHECK(is_lost(path));
        }
        record(path, 0);
        CHECK(file_of(path) != 0 && file_of(kept) == 0 && !is_lost(path));
        CHECK_STATUS(carom_run_old_finish(path, NULL), CAROM_OK);
        CHECK(unlink(path) == 0);
    }
}

/* an unfinished run alone is kept, too; a name that is taken is passed by; what was changed since stays */
static void others(void)
{
    record("run.h5", 5);
    const ino_t unfinished = file_of("run.h5");
    CHECK(!is_lost("run.h5"));
    file_put("run.old.h5", "mine");
    file_put("run.old2.h5", "mine");
    record("run.h5", 5);
    CHECK(file_of("run.old3.h5") == unfinished && is_lost("run.h5"));
    record("run.h5", 0);
    CHECK(file_of("run.old3.h5") == 0 && file_of("run.old.h5") != 0 && file_of("run.old2.h5") != 0);
    record("run.h5", 5);
    const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    CHECK(utimensat(AT_FDCWD, "run.old3.h5", times, 0) == 0 && !is_lost("run.h5"));
    record("run.h5", 0);
    CHECK(file_of("run.old3.h5") != 0);
    CHECK(file_of("run.old4.h5") == 0);
    for (int k = 1; k <= 3; k++) {
        char old[32] = "run.old.h5";
        if (k > 1)
            snprintf(old, sizeof old, "run.old%d.h5", k);
        CHECK(unlink(old) == 0);
    }
}

/* killed right between keeping and replacing: two names of one file */
static void twice(void)
{
    record("run.h5", 0);
    CHECK(link("run.h5", "run.old.h5") == 0);
    struct carom_run_old old;
    CHECK_STATUS(carom_run_old_plan("run.h5", &old, NULL), CAROM_OK);
    CHECK(old.path != NULL && strstr(old.path, "run.old.h5") != NULL && !old.fresh);
    carom_run_old_free(&old);
    record("run.h5", 0);
    CHECK(file_of("run.old.h5") == 0);
    CHECK_STATUS(carom_run_old_plan("run.h5", &old, NULL), CAROM_OK);
    CHECK(old.path != NULL && old.note != NULL && old.note[0] == '1' && old.fresh);
    carom_run_old_free(&old);
    CHECK(old.path == NULL && old.note == NULL && !old.fresh);
}

static void refused(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_run_old old;
    bool lost = true;
    CHECK_STATUS(carom_run_old_plan("none.h5", &old, &error), CAROM_OK);
    CHECK(old.path == NULL);
    file_put("other.h5", "\x89HDF\r\n\x1a\n and no more");
    CHECK_STATUS(carom_run_old_look("other.h5", &lost, &error), CAROM_E_FILE);
    CHECK(!lost);
    CHECK_TEXT(error.text, "other.h5: exists and is not a run file, so it is not overwritten");
    CHECK_STATUS(carom_run_old_finish("none.h5", &error), CAROM_E_FILE);
    char name[99][32] = {"run.old.h5"};
    for (int k = 1; k <= 99; k++) {
        if (k > 1)
            snprintf(name[k - 1], sizeof *name, "run.old%d.h5", k);
        if (k == 99) {
            CHECK_STATUS(carom_run_old_plan("run.h5", &old, &error), CAROM_OK);
            CHECK(old.path != NULL && strstr(old.path, "/run.old99.h5") != NULL);
            carom_run_old_free(&old);
        }
        file_put(name[k - 1], "mine");
    }
    CHECK_STATUS(carom_run_old_plan("run.h5", &old, &error), CAROM_E_FILE);
    CHECK_TEXT(error.text, "run.h5: too many old files stand beside it to keep it as one more");
    for (int k = 0; k < 99; k++)
        unlink(name[k]);
}

int main(void)
{
    char folder[40];
    snprintf(folder, sizeof folder, "run_old.%ld", (long)getpid());
    CHECK_OR_STOP(mkdir(folder, 0777) == 0 && chdir(folder) == 0 && mkdir("f.d", 0777) == 0);
    names();
    others();
    twice();
    refused();
    for (size_t i = 0; i < 2; i++)
        unlink(i ? "run.h5" : "other.h5");
    CHECK(rmdir("f.d") == 0 && chdir("..") == 0 && rmdir(folder) == 0); /* nothing else was left */
    return check_end();
}
