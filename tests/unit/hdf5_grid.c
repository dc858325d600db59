/* Results over a grid: entries are written in place and read back, those that are not there stay missing, and a disk
 * that is full is told also where HDF5 notices it only when the array is closed. */
#include "record/hdf5/hdf5_grid.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "record/hdf5/hdf5_file.h"

static const uint64_t size[] = {3, 4};
static const struct carom_hdf5_grid grid = {"outputs/v", "1", CAROM_HDF5_REAL, 2, size};

static struct carom_hdf5_file *make(const char *path)
{
    unlink(path);
    struct carom_hdf5_file *file = carom_hdf5_file_create(path, NULL);
    CHECK_OR_STOP(file != NULL);
    carom_hdf5_grid_define(file, &grid);
    CHECK_STATUS(carom_hdf5_file_publish(file, NULL), CAROM_OK);
    return file;
}

static void test_entries(void)
{
    struct carom_hdf5_file *file = make("grid.h5");
    const double some[] = {1.0, 2.0, 3.0};
    double all[12];
    CHECK_STATUS(carom_hdf5_grid_write(file, &grid, 3, 3, some, NULL), CAROM_OK);
    CHECK_STATUS(carom_hdf5_grid_write(file, &grid, 0, 0, NULL, NULL), CAROM_OK);
    CHECK_STATUS(carom_hdf5_file_close(file, NULL), CAROM_OK);
    file = carom_hdf5_file_open("grid.h5", NULL, NULL);
    CHECK_OR_STOP(file != NULL);
    CHECK_STATUS(carom_hdf5_grid_read(file, &grid, all, NULL), CAROM_OK);
    for (size_t i = 0; i < 12; i++)
        CHECK(i >= 3 && i < 6 ? all[i] == some[i - 3] : isnan(all[i]));
    carom_hdf5_file_close(file, NULL);
}

/* 0: told, at the write that could not be done */
static int write_to_full(const char *path)
{
    const struct rlimit none = {1, 1};
    const double one = 1.0;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_hdf5_file *file = make(path);
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &none) != 0)
        return 2;
    const enum carom_status status = carom_hdf5_grid_write(file, &grid, 5, 1, &one, &error);
    return status == CAROM_E_FILE && strstr(error.text, "File too large") != NULL ? 0 : 1;
}

static void test_full_disk(void)
{
    const pid_t child = fork();
    CHECK_OR_STOP(child >= 0);
    if (child == 0)
        _exit(write_to_full("full.h5"));
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    test_full_disk();
    test_entries();
    return check_end();
}
