/* A file driver for HDF5: plain reads and writes of one file, with four properties run files rely on.
 * Space is taken from the disk before HDF5 may use it, so a file is never shorter than it says of itself. After
 * the first write that fails nothing more reaches the disk and HDF5 is told that all is well: on disk the file is
 * then what a kill at that moment leaves, which readers cope with, and HDF5 can be closed in good order. A
 * lock tells others that a writer lives; it does not keep readers out. And a file that was written is on the disk
 * when it is closed. */
#include "record/hdf5/hdf5_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

#define GROWTH ((haddr_t)256 * 1024) /* files grow in such steps while they are written */
#define CLAIM ((off_t)1 << 61)       /* the byte whose lock says that a writer lives; far beyond any data */
#define LARGEST ((haddr_t)1 << 61)
#define HOLE ((size_t)64 << 20) /* more than that is not missing at the end of a file, unless the file lies */

struct driver_info {
    struct carom_hdf5_trouble *trouble;
};

struct driver_file {
    H5FD_t head; /* HDF5's own part must come first */
    int fd;
    bool writes;
    haddr_t used, size; /* what HDF5 has given out, what the disk has */
    struct carom_hdf5_trouble *trouble;
};

#ifdef CAROM_FAULT
#include <stdatomic.h>

static atomic_ulong remaining; /* only in the build that tests failures */

void carom_hdf5_driver_fail(unsigned long nth)
{
    atomic_store(&remaining, nth);
}

static bool fails(void)
{
    const unsigned long now = atomic_load(&remaining);
    if (now != 0)
        atomic_store(&remaining, now - 1);
    return now == 1;
}
#else
static bool fails(void)
{
    return false;
}
#endif

static struct flock claim(short type)
{
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = CLAIM, .l_len = 1};
}

/* Locks of this kind belong to the open file and go with it, also after a kill. Systems without them do without. */
static bool held_by_other(int fd)
{
#ifdef F_OFD_GETLK
    struct flock probe = claim(F_WRLCK);
    return fcntl(fd, F_OFD_GETLK, &probe) == 0 && probe.l_type != F_UNLCK;
#else
    return fd < 0;
#endif
}

/* Shared locks, then a look whether there is another one: of two that come at once neither goes on unnoticed. */
static bool take_claim(int fd)
{
#ifdef F_OFD_SETLK
    struct flock mine = claim(F_RDLCK);
    (void)fcntl(fd, F_OFD_SETLK, &mine);
#endif
    return !held_by_other(fd);
}

bool carom_hdf5_driver_busy(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool busy = fd >= 0 && held_by_other(fd);
    if (fd >= 0)
        close(fd);
    return busy;
}

int carom_hdf5_driver_hold(const char *path)
{
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || take_claim(fd))
        return fd;
    close(fd);
    return -2;
}

static int open_flags(unsigned flags)
{
    return ((flags & H5F_ACC_RDWR) ? O_RDWR : O_RDONLY) | ((flags & H5F_ACC_CREAT) ? O_CREAT : 0) |
           ((flags & H5F_ACC_EXCL) ? O_EXCL : 0) | O_CLOEXEC;
}

static bool prepare(struct driver_file *file, unsigned flags)
{
    struct stat about;
    if (file->writes && !take_claim(file->fd)) {
        file->trouble->taken = true;
        return false;
    }
    /* emptied only now, when no other writer can lose it */
    if ((flags & H5F_ACC_TRUNC) != 0 && ftruncate(file->fd, 0) != 0) {
        file->trouble->number = errno;
        return false;
    }
    if (fstat(file->fd, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    file->size = (haddr_t)about.st_size;
    return true;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t highest)
{
    const struct driver_info *info = H5Pget_driver_info(access);
    if (info == NULL || highest == 0)
        return NULL;
    struct driver_file *file = carom_memory_zeroed(1, sizeof *file);
    if (file == NULL)
        return NULL;
    file->trouble = info->trouble;
    file->writes = (flags & H5F_ACC_RDWR) != 0;
    file->fd = open(name, open_flags(flags), 0666);
    if (file->fd < 0 || !prepare(file, flags)) {
        if (file->fd >= 0)
            close(file->fd);
        carom_memory_free(file);
        return NULL;
    }
    return &file->head;
}

/* Who is told that a file is closed may count on it after a power cut. */
static bool settled(int fd)
{
    if (fails()) {
        errno = ENOSPC;
        return false;
    }
    return fsync(fd) == 0 || errno == EINVAL; /* what is not on a disk need not go there */
}

static herr_t driver_close(H5FD_t *of)
{
    struct driver_file *file = (struct driver_file *)of;
    const bool counts = file->writes && file->trouble->number == 0;
    if (counts && !settled(file->fd))
        file->trouble->number = errno;
    if (close(file->fd) != 0 && counts && file->trouble->number == 0)
        file->trouble->number = errno;
    carom_memory_free(file);
    return 0;
}

static herr_t driver_query(const H5FD_t *of, unsigned long *flags)
{
    (void)of;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

/* Takes the space itself from the disk where the file system can, else only the length. */
static int grow(int fd, off_t from, off_t to)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && (rlim_t)to > limit.rlim_cur)
        return EFBIG; /* asking for it would end the process by a signal */
    if (fails())
        return ENOSPC;
#ifdef __linux__
    if (fallocate(fd, 0, from, to - from) == 0)
        return 0;
    if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)
        return errno;
#endif
    return ftruncate(fd, to) == 0 ? 0 : errno;
}

static herr_t driver_set_used(H5FD_t *of, H5FD_mem_t type, haddr_t used)
{
    struct driver_file *file = (struct driver_file *)of;
    (void)type;
    file->used = used;
    if (file->writes && used > file->size && file->trouble->number == 0) {
        const haddr_t size = (used + GROWTH - 1) / GROWTH * GROWTH;
        file->trouble->number = grow(file->fd, (off_t)file->size, (off_t)size);
        if (file->trouble->number == 0)
            file->size = size;
    }
    return 0;
}

static haddr_t driver_used(const H5FD_t *of, H5FD_mem_t type)
{
    (void)type;
    return ((const struct driver_file *)of)->used;
}

static haddr_t driver_size(const H5FD_t *of, H5FD_mem_t type)
{
    (void)type;
    return ((const struct driver_file *)of)->size;
}

/* Beyond the end of the file there are zeros: places given out but not yet written. */
static herr_t driver_read(H5FD_t *of, H5FD_mem_t type, hid_t transfer, haddr_t from, size_t size, void *buffer)
{
    const struct driver_file *file = (const struct driver_file *)of;
    (void)type, (void)transfer;
    char *at = buffer;
    while (size > 0) {
        const ssize_t got = pread(file->fd, at, size, (off_t)from);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || (got == 0 && size > HOLE))
            return -1;
        if (got == 0) {
            memset(at, 0, size);
            return 0;
        }
        at += got;
        from += (haddr_t)got;
        size -= (size_t)got;
    }
    return 0;
}

static herr_t driver_write(H5FD_t *of, H5FD_mem_t type, hid_t transfer, haddr_t to, size_t size, const void *buffer)
{
    struct driver_file *file = (struct driver_file *)of;
    (void)type, (void)transfer;
    const char *at = buffer;
    if (file->trouble->number == 0 && fails())
        file->trouble->number = ENOSPC;
    while (size > 0 && file->trouble->number == 0) {
        const ssize_t put = pwrite(file->fd, at, size, (off_t)to);
        if (put <= 0) {
            if (put == 0 || errno != EINTR)
                file->trouble->number = put == 0 ? ENOSPC : errno;
            continue;
        }
        at += put;
        to += (haddr_t)put;
        size -= (size_t)put;
    }
    if (file->trouble->number == 0 && to > file->size)
        file->size = to;
    return 0;
}

/* While the file is written it keeps the space ahead; when it is closed it gives back what is not used. */
static herr_t driver_truncate(H5FD_t *of, hid_t transfer, hbool_t closing)
{
    struct driver_file *file = (struct driver_file *)of;
    (void)transfer;
    if (!closing || !file->writes || file->trouble->number != 0 || file->size == file->used)
        return 0;
    if (ftruncate(file->fd, (off_t)file->used) != 0)
        file->trouble->number = errno;
    else
        file->size = file->used;
    return 0;
}

static herr_t driver_flush(H5FD_t *of, hid_t transfer, hbool_t closing)
{
    struct driver_file *file = (struct driver_file *)of;
    (void)transfer;
    if (file->trouble->settle && !closing && file->writes && file->trouble->number == 0 && !settled(file->fd))
        file->trouble->number = errno;
    return 0;
}

/* HDF5 marks files as open for writing only where a driver can lock; the claim above is the lock. */
static herr_t driver_lock(H5FD_t *of, hbool_t writes)
{
    (void)of, (void)writes;
    return 0;
}

static herr_t driver_unlock(H5FD_t *of)
{
    (void)of;
    return 0;
}

static const H5FD_class_t driver = {
    .name = "carom",
    .maxaddr = LARGEST,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(struct driver_info),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_used,
    .set_eoa = driver_set_used,
    .get_eof = driver_size,
    .read = driver_read,
    .write = driver_write,
    .flush = driver_flush,
    .truncate = driver_truncate,
    .lock = driver_lock,
    .unlock = driver_unlock,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

int64_t carom_hdf5_driver_register(void)
{
    return H5FDregister(&driver);
}

bool carom_hdf5_driver_use(int64_t access, int64_t id, struct carom_hdf5_trouble *trouble)
{
    const struct driver_info info = {.trouble = trouble};
    return H5Pset_driver(access, id, &info) >= 0;
}
