/* The nth allocation or write of reading, solving and writing an FCLIB file fails, for every n there is: one
 * sentence, no leak, and the file is as it was. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "check.h"
#include "record/export/fclib.h"
#include "record/hdf5/hdf5_driver.h"
#include "study/stacks.h"

static enum carom_status make(const char *path, const char *name, struct carom_error *error)
{
    struct carom_friction_data data = {0};
    enum carom_status status = carom_stacks_make(name, &data, error);
    if (status == CAROM_OK)
        status = carom_fclib_write(path, name, &data, NULL, NULL, error);
    carom_friction_data_close(&data);
    return status;
}

/* All that carom solve does. */
static enum carom_status work(const char *path, struct carom_error *error)
{
    struct carom_fclib file = {0};
    struct carom_friction_data data = {0};
    struct carom_friction_room *room = NULL;
    enum carom_status status = carom_fclib_read(path, &file, error);
    if (status == CAROM_OK)
        status = carom_fclib_reduce(&file, &data, error);
    if (status == CAROM_OK) {
        room = carom_friction_open(data.n, data.dim, data.first[data.n], error);
        status = room ? CAROM_OK : error->status;
    }
    const struct carom_friction_problem problem = carom_friction_data_problem(&data);
    if (status == CAROM_OK)
        status = carom_friction_prepare(room, &problem, error);
    if (status == CAROM_OK) {
        double r[200] = {0.0}, u[200];
        struct carom_friction_report report;
        carom_friction_solve(&problem, CAROM_FRICTION_AUTO, 1e-8, 0, room, r, u, &report);
        CHECK(report.solved);
        status = carom_fclib_write_solution(path, path, &file, r, u, error);
    }
    carom_friction_close(room);
    carom_friction_data_close(&data);
    carom_fclib_close(&file);
    return status;
}

static off_t size_of(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? about.st_size : -1;
}

static void one_sentence(const struct carom_error *error, unsigned long nth, enum carom_status status)
{
    CHECK(error->text[0] != '\0' && strchr(error->text, '\n') == NULL);
    if (error->status != status)
        fprintf(stderr, "failure %lu: %s\n", nth, error->text);
    CHECK(error->status == status);
}

static void allocations(const char *path)
{
    unsigned long nth = 1;
    for (bool done = false; !done && nth < 5000; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        const off_t before = size_of(path);
        carom_memory_fail(nth);
        const enum carom_status status = work(path, &error);
        carom_memory_fail(0);
        done = status == CAROM_OK;
        if (done)
            continue;
        CHECK(status == error.status);
        if (status != CAROM_E_FILE && status != CAROM_E_INPUT) /* a driver that finds no memory is a file that fails */
            one_sentence(&error, nth, CAROM_E_MEMORY);
        CHECK(size_of(path) == before);
        CHECK(size_of("problem.hdf5.part") == -1);
    }
    CHECK(nth > 20 && nth < 5000);
}

static void writes(const char *path)
{
    unsigned long nth = 1;
    for (bool done = false; !done && nth < 500; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        const off_t before = size_of(path);
        carom_hdf5_driver_fail(nth);
        const enum carom_status status = work(path, &error);
        carom_hdf5_driver_fail(0);
        done = status == CAROM_OK;
        if (done)
            continue;
        one_sentence(&error, nth, CAROM_E_FILE);
        CHECK_CONTAINS(error.text, "No space left");
        CHECK(size_of(path) == before);
        CHECK(size_of("problem.hdf5.part") == -1);
    }
    CHECK(nth > 1 && nth < 500);
}

int main(void)
{
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(make("problem.hdf5", "random:12:3:5", &error), CAROM_OK);
    writes("problem.hdf5");
    CHECK_STATUS(make("problem.hdf5", "random:12:3:5", &error), CAROM_OK);
    allocations("problem.hdf5");
    for (unsigned long nth = 1; nth < 40; nth++) {
        carom_memory_fail(nth);
        struct carom_error failed = {CAROM_OK, ""};
        if (make("made.hdf5", "random:12:3:5", &failed) != CAROM_OK)
            CHECK(failed.text[0] != '\0');
        carom_memory_fail(0);
    }
    unlink("problem.hdf5");
    unlink("made.hdf5");
    CHECK_MAIN_END;
}
