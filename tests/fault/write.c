/* The nth write to a run file fails, for every n there is: one sentence, no crash, nothing half made is left, and what
 * had reached the disk before can be read. Each run is a process of its own. Then the same with the nth allocation of
 * recording and reading, in one process, so that AddressSanitizer sees leaks. */
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chain.h"
#include "record/hdf5/hdf5_driver.h"
#include "record/run_file.h"

enum { BATCHES = 3, BATCH = 40, COMPLETE = 0, FAILED = 1, WRONG = 2 };

static struct chain chain; /* large */

/* Rows in batches, each brought to disk; then the end. The child's exit code. */
static int record(const char *path, unsigned long nth)
{
    const char *const probes[] = {"u", "contact_force"};
    const struct carom_schedule schedule = {.every = 1.0, .events = true};
    const struct carom_origin origin = {"", "scene", "", "si", "", 0};
    const struct carom_counts counts = {.steps = 1};
    const double param[] = {1.0};
    chain_uniform(&chain, 4, true, true, &carom_law_hertz, CAROM_END_GAP, param);
    struct carom_model *model = chain_model(&chain);
    struct carom_state *view = carom_state_create(model, 0);
    struct carom_recorder *recorder = carom_recorder_create(model, probes, 2, &schedule, NULL);
    struct carom_error error = {CAROM_OK, ""};
    CHECK_OR_STOP(view != NULL && recorder != NULL);
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_hdf5, carom_sink_hdf5_new(path), NULL), CAROM_OK);
    carom_hdf5_driver_fail(nth);
    enum carom_status status = carom_recorder_begin(recorder, &origin, "verlet", view->n, 0, 0, &error);
    for (int i = 0; i < BATCHES * BATCH && status == CAROM_OK; i++) {
        const struct carom_event event = {.time = i};
        view->time = view->q[0] = i;
        status = carom_recorder_sample(recorder, view, &error);
        if (status == CAROM_OK)
            status = carom_recorder_event(recorder, &event, &error);
        if (status == CAROM_OK && i % BATCH == BATCH - 1)
            status = carom_recorder_checkpoint(recorder, view, &counts, &error);
    }
    if (status == CAROM_OK)
        status = carom_recorder_end(recorder, &counts, &error);
    carom_recorder_free(recorder);
    carom_state_free(view);
    carom_model_free(model);
    if (status == CAROM_OK)
        return COMPLETE;
    if (status == CAROM_E_FILE && strstr(error.text, path) != NULL && strstr(error.text, "No space left") != NULL)
        return FAILED;
    fprintf(stderr, "write %lu: status %d, %s\n", nth, (int)status, error.text);
    return WRONG;
}

static bool exists(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

/* How many rows a file holds, all of them right; -1: there is no file. */
static long rows_in(const char *path)
{
    struct carom_error error = {CAROM_OK, ""};
    if (!exists(path))
        return -1;
    struct carom_run_file *run = carom_run_file_open(path, &error);
    CHECK_TEXT(error.text, "");
    if (run == NULL)
        return -1;
    CHECK(!run->marked);
    for (uint64_t i = 0; i < run->rows; i++) {
        double time, u[4];
        CHECK_STATUS(carom_run_file_times(run, i, 1, &time, NULL), CAROM_OK);
        CHECK_STATUS(carom_run_file_read(run, carom_run_file_item(run, "u"), i, 1, u, NULL), CAROM_OK);
        CHECK(time == (double)i && u[0] == (double)i);
    }
    const long rows = (long)run->rows;
    carom_run_file_close(run);
    return rows;
}

/* Recording into all sinks and reading back; CAROM_OK or the status of what failed. */
static enum carom_status there_and_back(const struct carom_model *model, const struct carom_state *view)
{
    const char *const probes[] = {"u", "gap"};
    const struct carom_schedule schedule = {.every = 1.0};
    const struct carom_origin origin = {"", "scene", "", "si", "", 0};
    const struct carom_counts counts = {.steps = 1};
    struct carom_error error = {CAROM_OK, ""};
    struct carom_recorder *recorder = carom_recorder_create(model, probes, 2, &schedule, &error);
    if (recorder == NULL)
        return error.status;
    enum carom_status status =
        carom_recorder_attach(recorder, &carom_sink_hdf5, carom_sink_hdf5_new("memory.h5"), &error);
    if (status == CAROM_OK)
        status = carom_recorder_attach(recorder, &carom_sink_csv, carom_sink_csv_new("memory.csv"), &error);
    if (status == CAROM_OK)
        status = carom_recorder_attach(recorder, &carom_sink_memory, carom_sink_memory_new(), &error);
    if (status == CAROM_OK)
        status = carom_recorder_begin(recorder, &origin, "verlet", view->n, 0, 0, &error);
    if (status == CAROM_OK)
        status = carom_recorder_sample(recorder, view, &error);
    if (status == CAROM_OK)
        status = carom_recorder_checkpoint(recorder, view, &counts, &error);
    if (status == CAROM_OK)
        status = carom_recorder_end(recorder, &counts, &error);
    carom_recorder_free(recorder);
    if (status != CAROM_OK)
        return status;
    struct carom_run_checkpoint last;
    struct carom_run_file *run = carom_run_file_open("memory.h5", &error);
    if (run == NULL)
        return error.status;
    status = carom_run_file_last(run, &last, &error);
    carom_run_file_close(run);
    return status;
}

static void test_allocations(void)
{
    const double param[] = {1.0};
    chain_uniform(&chain, 4, true, true, &carom_law_hertz, CAROM_END_GAP, param);
    struct carom_model *model = chain_model(&chain);
    struct carom_state *view = carom_state_create(model, 0);
    CHECK_OR_STOP(view != NULL);
    unsigned long nth = 1, memory = 0;
    for (; nth < 1000; nth++) {
        carom_memory_fail(nth);
        const enum carom_status status = there_and_back(model, view);
        carom_memory_fail(0);
        if (status == CAROM_OK)
            break;
        CHECK(status == CAROM_E_MEMORY || status == CAROM_E_FILE); /* HDF5 does not pass on why a file failed to open */
        memory += status == CAROM_E_MEMORY;
        CHECK(!exists("memory.h5.part"));
    }
    printf("%lu allocations\n", nth - 1);
    CHECK(nth > 20 && nth < 1000 && memory > nth / 2);
    carom_state_free(view);
    carom_model_free(model);
}

int main(void)
{
    const char *path = "fault.h5", *part = "fault.h5.part";
    long last = -1;
    int outcome = FAILED;
    unsigned long nth = 0, without = 0, with = 0;
    carom_run_file_alone();
    while (outcome != COMPLETE && ++nth < 5000) {
        unlink(path);
        const pid_t child = fork();
        CHECK_OR_STOP(child >= 0);
        if (child == 0)
            _exit(record(path, nth));
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child);
        if (!WIFEXITED(status))
            fprintf(stderr, "write %lu: crashed\n", nth);
        CHECK_OR_STOP(WIFEXITED(status) && WEXITSTATUS(status) != WRONG);
        outcome = WEXITSTATUS(status);
        CHECK(!exists(part));
        const long rows = rows_in(path);
        CHECK(rows >= last - BATCH && rows <= BATCHES * BATCH); /* a later failure loses no more */
        without += rows < 0;
        with += rows > 0;
        last = rows > last ? rows : last;
    }
    printf("%lu writes\n", nth);
    CHECK(outcome == COMPLETE && last == BATCHES * BATCH);
    CHECK(without > 0 && with > 0 && nth > 50);
    test_allocations();
    return check_end();
}
