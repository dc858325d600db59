/* Run files on systems that take fewer bytes at once than a write gives them, or give fewer than a read asks for, which
 * they may: what was written is read back; and two files that are read together are two. A disk that fills leaves a
 * file that plain HDF5 opens. */
#include <errno.h>
#include <hdf5.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "carom/carom.h"
#include "check.h"
#include "record/run_file.h"

static size_t most_at_once = SIZE_MAX, writes_left = SIZE_MAX;

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    if (writes_left == 0) {
        writes_left = SIZE_MAX; /* somebody has made room */
        errno = ENOSPC;
        return -1;
    }
    writes_left -= writes_left < SIZE_MAX;
    return syscall(SYS_pwrite64, fd, bytes, size < most_at_once ? size : most_at_once, at);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
    return syscall(SYS_pread64, fd, bytes, size < most_at_once ? size : most_at_once, at);
}

static enum carom_status record(const char *path, const char *speed)
{
    static const char text[] = "{units: none, bodies: [{chain: {mass: [1, 2, 1, 3]}}], contacts: {law: hertz, k: 1}, "
                               "start: [{body: 1, velocity: 1}], run: {until: 5}, record: {every: 0.1, events: true}}";
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("t.yaml", text, strlen(text), &speed, 1, &error);
    CHECK_TEXT(error.text, "");
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5, carom_sink_hdf5_new(path), NULL), CAROM_OK);
    const enum carom_status status = carom_sim_run(sim, NULL, &error);
    carom_sim_free(sim);
    carom_scene_free(scene);
    return status;
}

static double last_of(const struct carom_run_file *file)
{
    double row[4] = {nan(""), nan(""), nan(""), nan("")};
    const struct carom_run_item *v = carom_run_file_item(file, "v");
    CHECK_OR_STOP(v != NULL && v->width == 4 && file->rows == 51);
    CHECK_STATUS(carom_run_file_read(file, v, 50, 1, row, NULL), CAROM_OK);
    return row[0] + 2.0 * row[1] + row[2] + 3.0 * row[3];
}

static void check_full(size_t writes)
{
    writes_left = writes;
    CHECK_STATUS(record("full.h5", "start.1.velocity=1"), CAROM_E_FILE);
    const hid_t plain = H5Fopen("full.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(plain >= 0);
    H5Fclose(plain);
}

int main(void)
{
    carom_run_file_alone(); /* HDF5 looks for what could not be written when the program ends */
    struct carom_run_file *file[2];
    CHECK_STATUS(record("one.h5", "start.1.velocity=1"), CAROM_OK);
    most_at_once = 1000;
    CHECK_STATUS(record("other.h5", "start.1.velocity=0.5"), CAROM_OK);
    most_at_once = SIZE_MAX;
    file[0] = carom_run_file_open("one.h5", NULL);
    most_at_once = 100;
    file[1] = carom_run_file_open("other.h5", NULL);
    CHECK_OR_STOP(file[0] != NULL && file[1] != NULL);
    CHECK_NEAR(last_of(file[0]), 1.0, 1e-9); /* its momentum */
    CHECK_NEAR(last_of(file[1]), 0.5, 1e-9);
    for (int i = 0; i < 2; i++)
        carom_run_file_close(file[i]);
    most_at_once = SIZE_MAX;
    writes_left = 1 << 20;
    CHECK_STATUS(record("full.h5", "start.1.velocity=1"), CAROM_OK);
    const size_t writes = ((size_t)1 << 20) - writes_left;
    for (size_t i = 1; i < writes; i += 11)
        check_full(i);
    return check_end();
}
