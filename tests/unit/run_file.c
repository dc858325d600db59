/* Run files from within: what is written is read back, checkpoints survive a torn slot, runs go on after the last
 * checkpoint, killed writers leave readable files, living ones are left alone, and failing disks cost only what had
 * not reached them. */
#include "record/run_file.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chain.h"
#include "files.h"
#include "record/run_layout.h"

static struct chain chain; /* large */

static const struct carom_origin origin = {
    "A title \x1b[1mwith \xc3\xa4", "scene: text\n", "a=1\nb=2", "si", "carom run x\x07", 12345};

/* A recorder on its way, and the view it samples. */
struct run {
    struct carom_model *model;
    struct carom_state *view;
    struct carom_recorder *recorder;
};

static struct run make(size_t n, size_t nstate_extra)
{
    const double param[] = {2.0, 0.25};
    chain_uniform(&chain, n, true, true, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    struct run run = {.model = chain_model(&chain)};
    run.view = carom_state_create(run.model, nstate_extra);
    const char *const probes[] = {"u", "v", "contact_force", "gap"};
    const struct carom_schedule schedule = {.every = 1.0, .events = true};
    run.recorder = carom_recorder_create(run.model, probes, 4, &schedule, NULL);
    CHECK_OR_STOP(run.view != NULL && run.recorder != NULL);
    return run;
}

static void drop(struct run *run)
{
    carom_recorder_free(run->recorder);
    carom_state_free(run->view);
    carom_model_free(run->model);
}

static enum carom_status start(struct run *run, void *sink, const struct carom_origin *from, uint64_t rows,
                               uint64_t events, struct carom_error *error)
{
    CHECK_OR_STOP(sink != NULL);
    CHECK_STATUS(carom_recorder_attach(run->recorder, &carom_sink_hdf5, sink, NULL), CAROM_OK);
    return carom_recorder_begin(run->recorder, from, "dp5", run->view->n, rows, events, error);
}

/* Row i has time i, and numbers one can tell. */
static enum carom_status sample(struct run *run, uint64_t i, double salt, struct carom_error *error)
{
    run->view->time = (double)i;
    run->view->step = 2 * i;
    for (size_t j = 0; j < run->view->nq; j++)
        run->view->q[j] = salt + (double)i + 0.001 * (double)j;
    return carom_recorder_sample(run->recorder, run->view, error);
}

static void check_rows(const struct carom_run_file *file, uint64_t first, uint64_t last, size_t n, double salt)
{
    const struct carom_run_item *u = carom_run_file_item(file, "u");
    CHECK_OR_STOP(u != NULL && u->width == n && file->rows >= last);
    double *row = carom_memory_zeroed(n, sizeof *row);
    for (uint64_t i = first; i < last; i++) {
        double time;
        uint64_t step;
        CHECK_STATUS(carom_run_file_times(file, i, 1, &time, NULL), CAROM_OK);
        CHECK_STATUS(carom_run_file_steps(file, i, 1, &step, NULL), CAROM_OK);
        CHECK_STATUS(carom_run_file_read(file, u, i, 1, row, NULL), CAROM_OK);
        CHECK(time == (double)i && step == 2 * i);
        CHECK(row[0] == salt + (double)i && row[n - 1] == salt + (double)i + 0.001 * (double)(n - 1));
    }
    carom_memory_free(row);
}

static struct carom_run_file *open_run(const char *path)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_run_file *file = carom_run_file_open(path, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(file != NULL);
    return file;
}

static bool exists(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

static const struct carom_counts some_counts = {11, 12, 13, 14, 0.5, 1.5, 2.5, 15, 3.5};

/* --- there and back ------------------------------------------------------------------------------------------ */

static void test_round_trip(size_t n, uint64_t rows)
{
    struct run run = make(n, 5);
    CHECK_STATUS(start(&run, carom_sink_hdf5_new("round.h5"), &origin, 0, 0, NULL), CAROM_OK);
    for (uint64_t i = 0; i < rows; i++)
        CHECK_STATUS(sample(&run, i, 0.0, NULL), CAROM_OK);
    for (uint64_t i = 0; i < 600; i++) { /* more than are gathered at once */
        const struct carom_event event = {(double)i, i % (n + 1), (enum carom_event_kind)(i % 3), 1.0, -2.0,
                                          (double)i, 0.0};
        CHECK_STATUS(carom_recorder_event(run.recorder, &event, NULL), CAROM_OK);
    }
    CHECK_STATUS(carom_recorder_checkpoint(run.recorder, run.view, &some_counts, NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_end(run.recorder, &some_counts, NULL), CAROM_OK);
    CHECK(!exists("round.h5.part"));

    struct carom_run_file *file = open_run("round.h5");
    CHECK(file->complete && !file->marked && file->rows == rows && file->events == 600 && file->seed == 12345);
    CHECK_TEXT(file->title, "A title ?[1mwith \xc3\xa4"); /* no codes that a terminal obeys */
    CHECK_TEXT(file->scene, origin.scene);
    CHECK_TEXT(file->set, origin.set);
    CHECK_TEXT(file->units, "si");
    CHECK_TEXT(file->command, "carom run x?");
    CHECK_TEXT(file->scheme, "dp5");
    CHECK(memcmp(&file->counts, &some_counts, sizeof some_counts) == 0);
    CHECK(file->nc == n + 1 && file->pair[0][0] == CAROM_WALL_LEFT && file->pair[n][1] == CAROM_WALL_RIGHT);
    CHECK(file->nitems == 14);
    CHECK_TEXT(carom_run_file_item(file, "particles/beads/velocity")->unit, "m/s");
    CHECK(carom_run_file_item(file, "contact_force")->width == n + 1);
    CHECK(carom_run_file_item(file, "kinetic")->extent == CAROM_PER_RUN);
    CHECK(carom_run_file_item(file, "nothing") == NULL);
    check_rows(file, 0, rows, n, 0.0);
    struct carom_event events[600];
    CHECK_STATUS(carom_run_file_events(file, 0, 600, events, NULL), CAROM_OK);
    for (uint64_t i = 0; i < 600; i++)
        CHECK(events[i].time == (double)i && events[i].contact == i % (n + 1) &&
              events[i].kind == (enum carom_event_kind)(i % 3) && events[i].before == -2.0 &&
              events[i].after == (double)i);
    CHECK_STATUS(carom_run_file_events(file, 599, 2, events, NULL), CAROM_E_FILE); /* there is no such event */
    carom_run_file_close(file);
    drop(&run);
}

static void test_no_units_no_contacts(void)
{
    const struct carom_origin bare = {NULL, "", NULL, "none", NULL, 0};
    const double mass = 1.0;
    const char *const probes[] = {"contact_force", "position"};
    const struct carom_schedule schedule = {.every = 1.0};
    struct run run = {.model = carom_model_create()};
    struct carom_beads *bead = carom_beads_create(1, &mass, NULL, NULL, NULL);
    CHECK_OR_STOP(run.model != NULL && bead != NULL);
    CHECK_STATUS(carom_model_add(run.model, &carom_part_beads, bead, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_finish(run.model, NULL), CAROM_OK);
    run.view = carom_state_create(run.model, 0);
    run.recorder = carom_recorder_create(run.model, probes, carom_model_chain(run.model) ? 2 : 1, &schedule, NULL);
    CHECK_OR_STOP(run.view != NULL && run.recorder != NULL);
    CHECK_STATUS(start(&run, carom_sink_hdf5_new("bare.h5"), &bare, 0, 0, NULL), CAROM_OK);
    for (uint64_t i = 0; i < 3; i++)
        CHECK_STATUS(sample(&run, i, 0.0, NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_end(run.recorder, &some_counts, NULL), CAROM_OK);
    struct carom_run_file *file = open_run("bare.h5");
    CHECK(file->rows == 3 && file->nc == 0 && carom_run_file_item(file, "contact_force")->width == 0);
    CHECK_TEXT(file->title, "");
    for (size_t i = 0; i < file->nitems; i++)
        CHECK_TEXT(file->item[i].unit, "1");
    carom_run_file_close(file);
    drop(&run);
}

/* --- checkpoints --------------------------------------------------------------------------------------------- */

/* Changes one number of a slot's state, as a torn write would. */
static void tear(const char *path, int slot)
{
    char name[CAROM_RUN_LAYOUT_PATH];
    const double wrong = 1e300;
    struct carom_hdf5_file *file = carom_hdf5_file_reopen(path, NULL);
    CHECK_OR_STOP(file != NULL);
    struct carom_hdf5_spec spec = carom_run_layout_slot_state(slot, 0, false, name);
    const int set = carom_hdf5_set_find(file, &spec, NULL);
    CHECK_OR_STOP(set >= 0);
    CHECK_STATUS(carom_hdf5_set_write(file, set, spec.rows - 1, 1, &wrong, NULL), CAROM_OK);
    CHECK_STATUS(carom_hdf5_file_close(file, NULL), CAROM_OK);
}

static void test_checkpoints(void)
{
    struct run run = make(4, 3);
    CHECK_STATUS(start(&run, carom_sink_hdf5_new("check.h5"), &origin, 0, 0, NULL), CAROM_OK);
    struct carom_run_file *file = open_run("check.h5"); /* this process itself is the writer */
    struct carom_run_checkpoint last;
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_run_file_last(file, &last, &error), CAROM_E_FILE);
    CHECK_CONTAINS(error.text, "no checkpoint");
    carom_run_file_close(file);
    for (uint64_t i = 0; i < 3; i++) {
        struct carom_counts counts = some_counts;
        counts.steps = 100 + i;
        CHECK_STATUS(sample(&run, i, 0.0, NULL), CAROM_OK);
        run.view->time_low = 1e-20 * (double)i;
        run.view->energy = 7.0;
        run.view->data[run.view->n - 1] = 50.0 + (double)i;
        CHECK_STATUS(carom_recorder_checkpoint(run.recorder, run.view, &counts, NULL), CAROM_OK);
    }
    carom_recorder_free(run.recorder); /* stopped, not ended */
    run.recorder = NULL;

    for (uint64_t valid = 3; valid >= 2; valid--) { /* the newest, then the one before it */
        struct carom_state *state = carom_state_create(run.model, 3);
        struct carom_checkpoint checkpoint;
        CHECK_OR_STOP(state != NULL);
        file = open_run("check.h5");
        CHECK(!file->complete && !file->marked);
        CHECK_STATUS(carom_run_file_last(file, &last, NULL), CAROM_OK);
        CHECK(last.serial == valid && last.rows == valid && last.counts.steps == 99 + valid && last.n == state->n);
        CHECK_STATUS(carom_run_file_restore(file, run.model, state, &checkpoint, NULL), CAROM_OK);
        CHECK(checkpoint.state == state && checkpoint.rows == valid && checkpoint.counts.steps == 99 + valid);
        CHECK(state->time == (double)(valid - 1) && state->time_low == 1e-20 * (double)(valid - 1));
        CHECK(state->energy == 7.0 && state->step == 2 * (valid - 1));
        CHECK(state->data[state->n - 1] == 49.0 + (double)valid && state->q[0] == (double)(valid - 1));
        carom_run_file_close(file);
        carom_state_free(state);
        tear("check.h5", last.slot);
    }
    file = open_run("check.h5");
    CHECK_STATUS(carom_run_file_last(file, &last, NULL), CAROM_E_FILE);
    carom_run_file_close(file);
    drop(&run);
}

static void test_resume(void)
{
    struct run run = make(3, 0);
    const struct carom_event event = {.time = 1.0};
    CHECK_STATUS(start(&run, carom_sink_hdf5_new("resume.h5"), &origin, 0, 0, NULL), CAROM_OK);
    for (uint64_t i = 0; i < 3000; i++) {
        CHECK_STATUS(sample(&run, i, 0.0, NULL), CAROM_OK);
        CHECK_STATUS(carom_recorder_event(run.recorder, &event, NULL), CAROM_OK);
        if (i == 1499)
            CHECK_STATUS(carom_recorder_checkpoint(run.recorder, run.view, &some_counts, NULL), CAROM_OK);
    }
    drop(&run);
    struct carom_run_file *file = open_run("resume.h5");
    CHECK(file->rows == 3000 && file->events == 3000 && !file->complete);
    carom_run_file_close(file);

    /* a run of another size does not fit, and nothing is cut */
    struct carom_error error = {CAROM_OK, ""};
    run = make(5, 0);
    CHECK_STATUS(start(&run, carom_sink_hdf5_resume("resume.h5", 1500, 1500), &origin, 1500, 1500, &error),
                 CAROM_E_FILE);
    CHECK_CONTAINS(error.text, "resume.h5");
    drop(&run);
    file = open_run("resume.h5");
    CHECK(file->rows == 3000 && !file->marked);
    carom_run_file_close(file);

    run = make(3, 0);
    CHECK_STATUS(start(&run, carom_sink_hdf5_resume("resume.h5", 1500, 1500), &origin, 1500, 1500, &error), CAROM_OK);
    for (uint64_t i = 1500; i < 1700; i++)
        CHECK_STATUS(sample(&run, i, 0.5, NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_checkpoint(run.recorder, run.view, &some_counts, NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_end(run.recorder, &some_counts, NULL), CAROM_OK);
    drop(&run);
    file = open_run("resume.h5");
    struct carom_run_checkpoint last;
    CHECK(file->rows == 1700 && file->events == 1500 && file->complete);
    check_rows(file, 0, 1500, 3, 0.0);
    check_rows(file, 1500, 1700, 3, 0.5);
    CHECK_STATUS(carom_run_file_last(file, &last, NULL), CAROM_OK);
    CHECK(last.serial == 2 && last.rows == 1700); /* the slot it came from was not the first to go */
    carom_run_file_close(file);
}

/* --- killed and living writers ------------------------------------------------------------------------------- */

/* A child that writes rows, flushes, writes some more, tells its parent, and waits for the end. */
static pid_t writer(const char *path, int tell)
{
    const pid_t child = fork();
    CHECK_OR_STOP(child >= 0);
    if (child > 0)
        return child;
    alarm(60); /* should the parent not come to kill it */
    struct run run = make(3, 0);
    bool good = start(&run, carom_sink_hdf5_new(path), &origin, 0, 0, NULL) == CAROM_OK;
    for (uint64_t i = 0; i < 5000 && good; i++) {
        good = sample(&run, i, 0.0, NULL) == CAROM_OK;
        if (i == 3999)
            good = good && carom_recorder_checkpoint(run.recorder, run.view, &some_counts, NULL) == CAROM_OK;
    }
    if (write(tell, good ? "y" : "n", 1) == 1)
        pause();
    _exit(1);
}

static void test_killed(void)
{
    int tell[2];
    char answer = 'n';
    CHECK_OR_STOP(pipe(tell) == 0);
    const pid_t child = writer("killed.h5", tell[1]);
    CHECK(read(tell[0], &answer, 1) == 1 && answer == 'y');

    /* alive: readable, and nobody else's to write */
    struct carom_error error = {CAROM_OK, ""};
    struct carom_run_repair found;
    CHECK(carom_run_file_busy("killed.h5"));
    struct carom_run_file *file = open_run("killed.h5");
    CHECK(file->marked && !file->complete && file->rows >= 4000);
    check_rows(file, 0, 4000, 3, 0.0);
    carom_run_file_close(file);
    CHECK_STATUS(carom_run_file_repair("killed.h5", &found, &error), CAROM_E_FILE);
    CHECK_CONTAINS(error.text, "another process");
    struct run run = make(3, 0);
    CHECK_STATUS(start(&run, carom_sink_hdf5_new("killed.h5"), &origin, 0, 0, &error), CAROM_E_FILE);
    CHECK_CONTAINS(error.text, "another process");
    drop(&run);

    kill(child, SIGKILL);
    CHECK(waitpid(child, NULL, 0) == child);
    CHECK(!carom_run_file_busy("killed.h5"));
    file = open_run("killed.h5");
    CHECK(file->marked && !file->complete && file->rows >= 4000 && file->rows <= 5000);
    check_rows(file, 0, file->rows, 3, 0.0);
    const uint64_t rows = file->rows;
    carom_run_file_close(file);
    CHECK_STATUS(carom_run_file_repair("killed.h5", &found, &error), CAROM_OK);
    CHECK(found.was_marked && found.rows == rows);
    CHECK_STATUS(carom_run_file_repair("killed.h5", &found, &error), CAROM_OK);
    CHECK(!found.was_marked && found.cut == 0);
    file = open_run("killed.h5");
    CHECK(!file->marked && file->rows == rows);
    for (size_t i = 0; i < file->nitems; i++)
        CHECK(file->item[i].length == rows); /* all equally long */
    struct carom_run_checkpoint last;
    CHECK_STATUS(carom_run_file_last(file, &last, NULL), CAROM_OK);
    CHECK(last.rows == 4000);
    carom_run_file_close(file);
    close(tell[0]);
    close(tell[1]);
}

/* --- files that cannot be written ------------------------------------------------------------------------------ */

static void refuse(const char *path, const char *why)
{
    struct carom_error error = {CAROM_OK, ""};
    struct run run = make(3, 0);
    CHECK_STATUS(start(&run, carom_sink_hdf5_new(path), &origin, 0, 0, &error), CAROM_E_FILE);
    CHECK_CONTAINS(error.text, why);
    CHECK_CONTAINS(error.text, path);
    drop(&run);
}

static void test_refusals(void)
{
    file_put("scene.yaml", "title: precious\n");
    refuse("scene.yaml", "is not a run file");
    refuse("no/such/folder.h5", "No such file");
    refuse(".", "is not a file");
    struct stat about;
    CHECK(stat("scene.yaml", &about) == 0 && about.st_size == 16);
    CHECK(!exists("scene.yaml.part"));

    const char *const unreadable[] = {"scene.yaml", "missing.h5", ".", "/dev/null"};
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++) {
        struct carom_error error = {CAROM_OK, ""};
        CHECK(carom_run_file_open(unreadable[i], &error) == NULL);
        CHECK(error.status == CAROM_E_FILE);
        CHECK_CONTAINS(error.text, unreadable[i]);
        CHECK(!carom_run_file_looks(unreadable[i]));
    }
}

/* Reads and repairs one damaged file: cut short, or with a byte changed. Exit codes: 0 refused, 1 read, 2 wrong. */
static int read_damaged(char *bytes, size_t size, size_t at, bool cut)
{
    FILE *file = fopen("damaged.h5", "wb");
    bytes[at] = (char)~bytes[at];
    if (file == NULL || fwrite(bytes, 1, cut ? at : size, file) != (cut ? at : size) || fclose(file) != 0)
        return 2;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_run_repair found;
    struct carom_run_file *run = carom_run_file_open("damaged.h5", &error);
    const bool read = run != NULL;
    carom_run_file_close(run);
    if (read == (error.text[0] != '\0'))
        return 2; /* neither a file nor a sentence, or both */
    carom_run_file_repair("damaged.h5", &found, NULL);
    return read ? 1 : 0;
}

/* Damaged files are refused or read, never a crash. Each is read by a process of its own: HDF5 loses memory over
 * them, which is not what is tested here. */
static void test_damaged(uint64_t seed)
{
    static char bytes[1 << 21];
    const size_t size = file_read("bare.h5", bytes, sizeof bytes);
    CHECK_OR_STOP(size > 1000 && size < sizeof bytes);
    unsigned outcome[3] = {0};
    for (int round = 0; round < 150; round++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const size_t at = (size_t)(seed >> 20) % size;
        const pid_t child = fork();
        CHECK_OR_STOP(child >= 0);
        if (child == 0)
            _exit(read_damaged(bytes, size, at, round % 3 == 0));
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child);
        outcome[WIFEXITED(status) && WEXITSTATUS(status) < 2 ? WEXITSTATUS(status) : 2]++;
    }
    CHECK(outcome[0] > 0 && outcome[1] > 0 && outcome[2] == 0);
    unlink("damaged.h5");
}

/* The limit on the size of files stands for a full disk. */
static int write_until_full(const char *path, rlim_t limit)
{
    const struct rlimit most = {limit, limit};
    struct carom_error error = {CAROM_OK, ""};
    struct run run = make(3, 0);
    if (setrlimit(RLIMIT_FSIZE, &most) != 0)
        return 2;
    enum carom_status status = start(&run, carom_sink_hdf5_new(path), &origin, 0, 0, &error);
    for (uint64_t i = 0; i < 1000000 && status == CAROM_OK; i++)
        status = sample(&run, i, 0.0, &error);
    drop(&run);
    return status == CAROM_E_FILE && strstr(error.text, "File too large") != NULL ? 0 : 1;
}

static void test_full_disk(void)
{
    const rlim_t limits[] = {1000, 100000, 300000, 600000, 1000000, 3000000};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        unlink("full.h5");
        const pid_t child = fork();
        CHECK_OR_STOP(child >= 0);
        if (child == 0)
            _exit(write_until_full("full.h5", limits[i]));
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        CHECK(!exists("full.h5.part"));
        if (i < 2) {
            CHECK(!exists("full.h5")); /* it could not even begin, and left nothing */
            continue;
        }
        struct carom_run_file *file = open_run("full.h5");
        CHECK(!file->marked && !file->complete); /* an ordinary file again */
        check_rows(file, 0, file->rows, 3, 0.0);
        CHECK(i < 4 || file->rows > 1000);
        carom_run_file_close(file);
    }
}

/* The old run stays whole until the new one can begin. */
static void test_replacing(void)
{
    const pid_t child = fork();
    CHECK_OR_STOP(child >= 0);
    if (child == 0)
        _exit(write_until_full("round.h5", 1000));
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    struct carom_run_file *file = open_run("round.h5");
    CHECK(file->complete && file->rows > 0);
    carom_run_file_close(file);
    CHECK(symlink("round.h5", "link.h5") == 0 || exists("link.h5"));
    struct run run = make(3, 0);
    CHECK_STATUS(start(&run, carom_sink_hdf5_new("link.h5"), &origin, 0, 0, NULL), CAROM_OK);
    drop(&run);
    file = open_run("round.h5"); /* through the link */
    CHECK(!file->complete && file->rows == 0);
    carom_run_file_close(file);
}

int main(int argc, char **argv)
{
    carom_run_file_alone();
    test_round_trip(3, 5000);
    test_round_trip(3, 1);
    test_round_trip(2000, 30); /* a few rows at a time */
    test_no_units_no_contacts();
    test_checkpoints();
    test_resume();
    test_killed();
    test_refusals();
    test_damaged(check_seed(argc, argv));
    test_full_disk();
    test_replacing();
    return check_end();
}
