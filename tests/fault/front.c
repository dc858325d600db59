/* Each allocation of `carom pulse` of discs fails once, then each write of the tables it keeps: one sentence, no crash,
 * no leak, and the run file is as it was, with nothing beside it. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"
#include "record/hdf5/hdf5_driver.h"
#include "study/pulse/front_file.h"
#include "study/pulse/front_picture.h"

static const char scene_text[] =
    "units: none\nbodies: [{lattice: {kind: hexagonal, count: [4, 4], at: [0, 0], radius: 1}}]\n"
    "contacts: {law: hertz, k: 1}\nstart: [{body: 5, velocity: [0.1, 0]}]\n"
    "run: {until: 12, scheme: verlet, step: 0.1}\nrecord: {every: 0.1, probes: [u, v]}\n";
static const char path[] = "fault-front.h5", part[] = "fault-front.h5.part";

static void make_run(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", scene_text, sizeof scene_text - 1, NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5, carom_sink_hdf5_new(path), &error), CAROM_OK);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

/* The failure is ordered when the run is open: HDF5 tries to open files in two ways and may get over it. */
static enum carom_status measure(void (*fail)(unsigned long nth), unsigned long nth, struct carom_error *error)
{
    struct carom_front_request request = carom_front_request();
    struct carom_front front;
    request.along[0] = 1.0;
    struct carom_run_file *run = carom_run_file_open(path, error);
    if (run == NULL)
        return error->status;
    fail(nth);
    enum carom_status status = carom_front_measure(run, &request, &front, error);
    carom_run_file_close(run);
    if (status != CAROM_OK)
        return status;
    CHECK(front.n == 16 && front.ndirections == 12 && front.nray == 4);
    FILE *out = tmpfile();
    CHECK_OR_STOP(out != NULL);
    status = carom_front_picture_page(out, &front, "a title", error);
    fclose(out);
    if (status == CAROM_OK)
        status = carom_front_file_keep(path, &front, "test", error);
    carom_front_free(&front);
    return status;
}

/* the run can be read, all of it */
static void check_file(const char *what, unsigned long nth)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_run_file *run = carom_run_file_open(path, &error);
    if (run == NULL || access(part, F_OK) == 0)
        fprintf(stderr, "%s %lu: %s\n", what, nth, error.text);
    CHECK(access(part, F_OK) != 0);
    CHECK_OR_STOP(run != NULL);
    CHECK(run->rows == 121 && !run->marked && run->complete);
    carom_run_file_close(run);
}

static void fail_each(const char *what, void (*fail)(unsigned long nth), unsigned long least)
{
    unsigned long nth = 1;
    for (; nth < 5000; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        const enum carom_status status = measure(fail, nth, &error);
        fail(0);
        check_file(what, nth);
        if (status == CAROM_OK)
            break;
        CHECK(status == CAROM_E_MEMORY || status == CAROM_E_FILE);
        CHECK(error.text[0] != '\0');
    }
    printf("%s: %lu\n", what, nth - 1);
    CHECK(nth > least && nth < 5000);
}

int main(void)
{
    struct carom_error error = {CAROM_OK, ""};
    carom_run_file_alone();
    make_run();
    CHECK_STATUS(measure(carom_memory_fail, 0, &error), CAROM_OK);
    fail_each("allocation", carom_memory_fail, 15);
    fail_each("write", carom_hdf5_driver_fail, 5);
    return check_end();
}
