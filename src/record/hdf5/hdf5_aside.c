/* What run files and plain HDF5 files share on their way to their names. Knows no HDF5; renaming is left to the owners,
 * who know what else must be closed before. */
#include "record/hdf5/hdf5_aside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/hdf5/hdf5_driver.h"
#include "record/hdf5/hdf5_file.h"

enum carom_status carom_hdf5_aside_may_replace(const char *path, const char *kind, struct carom_error *error)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return CAROM_OK;
    if (!S_ISREG(about.st_mode))
        return carom_error_set(error, CAROM_E_FILE, "%s: is not a file that could be written", path);
    if (access(path, W_OK) != 0)
        return carom_error_set(error, CAROM_E_FILE, "%s: %s", path, strerror(errno));
    if (about.st_size > 0 && !carom_hdf5_file_looks(path))
        return carom_error_set(error, CAROM_E_FILE, "%s: exists and is not %s, so it is not overwritten", path, kind);
    if (carom_hdf5_driver_busy(path))
        return carom_error_set(error, CAROM_E_FILE, "%s: another process is writing to it", path);
    return CAROM_OK;
}

/* Through links, so that the file itself and not the link is replaced. */
bool carom_hdf5_aside_names(const char *path, char **target, char **temporary)
{
    char real[PATH_MAX];
    *temporary = NULL;
    *target = carom_memory_text(realpath(path, real) != NULL ? real : path);
    if (*target == NULL)
        return false;
    const size_t size = strlen(*target) + sizeof ".part";
    *temporary = carom_memory_zeroed(size, 1);
    if (*temporary != NULL)
        snprintf(*temporary, size, "%s.part", *target);
    return *temporary != NULL;
}

/* What is left of the file after what was copied. */
static bool copy_by_hand(int from, int to)
{
    char block[64 * 1024];
    for (;;) {
        ssize_t got = read(from, block, sizeof block), put = 0;
        if (got == 0 || (got < 0 && errno != EINTR))
            return got == 0;
        for (ssize_t at = 0; at < got; at += put) {
            put = write(to, block + at, (size_t)(got - at));
            if (put < 0 && errno != EINTR)
                return false;
            put = put < 0 ? 0 : put;
        }
    }
}

/* File systems that can share blocks do so, and it costs nothing. */
bool carom_hdf5_aside_copy(int from, int to)
{
#ifdef __linux__
    for (;;) {
        const ssize_t got = copy_file_range(from, NULL, to, NULL, (size_t)1 << 30, 0);
        if (got <= 0)
            break;
    }
#endif
    return copy_by_hand(from, to);
}

void carom_hdf5_aside_settle_names(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const int length = slash == NULL ? 1 : slash == path ? 1 : (int)(slash - path);
    if (snprintf(folder, sizeof folder, "%.*s", length, slash != NULL ? path : ".") >= (int)sizeof folder)
        return;
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
}

bool carom_hdf5_aside_take_name(const char *temporary, const char *target)
{
    const bool good = rename(temporary, target) == 0;
    if (good)
        carom_hdf5_aside_settle_names(target);
    return good;
}

/* Where there are no second names it is renamed, and for a moment nothing stands at its place. */
bool carom_hdf5_aside_keep(const char *target, const char *name)
{
    const bool good =
        link(target, name) == 0 ||
        ((errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK) && rename(target, name) == 0);
    if (good)
        carom_hdf5_aside_settle_names(name);
    return good;
}
