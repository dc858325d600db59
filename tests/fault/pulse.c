/* Each allocation of `carom pulse`, of a row and of discs, fails once, then each write of the tables it keeps: one
 * sentence, no crash, no leak, and the run file is as it was, with nothing beside it. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"
#include "record/hdf5/hdf5_driver.h"
#include "study/pulse/front.h"
#include "study/pulse/pulse_run.h"

static const char row_text[] = "units: none\nbodies: [{chain: {count: 6}}, {wall: {side: right}}]\n"
                               "start: [{body: 1, velocity: 1}]\nrun: {until: 12, tol: 1e-4}\n"
                               "record: {every: 0.1, probes: [contact_force]}\nsensors: [{name: s, body: 3}]\n";
static const char front_text[] =
    "units: none\nbodies: [{lattice: {kind: hexagonal, count: [4, 4], at: [0, 0], radius: 1}}]\n"
    "contacts: {law: hertz, k: 1}\nstart: [{body: 5, velocity: [0.1, 0]}]\n"
    "run: {until: 12, scheme: verlet, step: 0.1}\nrecord: {every: 0.1, probes: [u, v]}\n";
static const char path[] = "fault-pulse.h5", part[] = "fault-pulse.h5.part";

static void make_run(const char *text)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
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
static enum carom_status measure_row(void (*fail)(unsigned long nth), unsigned long nth, struct carom_error *error)
{
    struct carom_pulse_request request = carom_pulse_run_request();
    struct carom_pulse_table table;
    request.train = request.collapse = true;
    request.contacts = "1-4,wall";
    request.beads = "2-5";
    request.sensors = "s";
    struct carom_run_file *run = carom_run_file_open(path, error);
    if (run == NULL)
        return error->status;
    fail(nth);
    enum carom_status status = carom_pulse_run_measure(run, &request, &table, error);
    carom_run_file_close(run);
    if (status != CAROM_OK)
        return status;
    CHECK(table.places.count == 10 && table.nrows >= 10);
    status = carom_pulse_file_keep(path, &table, "test", error);
    carom_pulse_run_free(&table);
    return status;
}

static enum carom_status measure_front(void (*fail)(unsigned long nth), unsigned long nth, struct carom_error *error)
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

typedef enum carom_status measuring(void (*fail)(unsigned long nth), unsigned long nth, struct carom_error *error);

static void fail_each(const char *what, measuring *measure, void (*fail)(unsigned long nth), unsigned long least)
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

static void fail_all(const char *text, measuring *measure)
{
    struct carom_error error = {CAROM_OK, ""};
    make_run(text);
    CHECK_STATUS(measure(carom_memory_fail, 0, &error), CAROM_OK);
    fail_each("allocation", measure, carom_memory_fail, 15);
    fail_each("write", measure, carom_hdf5_driver_fail, 5);
}

int main(void)
{
    carom_run_file_alone();
    fail_all(row_text, measure_row);
    fail_all(front_text, measure_front);
    return check_end();
}
