/* For tests, to be preloaded: the program is killed, as by `kill -9`, at the nth call that changes a file or a name, n
 * from KILL_AT. With KILL_TORN only writes to more than one page count, and half of the last one is done. With KILL_LOG
 * every call is told there, in the layout tests/kills.py reads. Standard output and error do not count. */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { PAGE = 4096 };

static atomic_ulong calls;

static void die(void)
{
    kill(getpid(), SIGKILL);
}

/* One call in the log: what, inode of the file, where, how many bytes, the name or names; then the bytes. */
static void note(char what, int fd, const char *first, const char *second, uint64_t at, const void *bytes, size_t size)
{
    const char *log = getenv("KILL_LOG");
    char link[64], name[1024] = "-", head[4096];
    struct stat about = {0};
    if (log == NULL || (fd >= 0 ? fstat(fd, &about) : stat(first, &about)) != 0)
        return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = first == NULL ? readlink(link, name, sizeof name - 1) : -1;
    if (length >= 0)
        name[length] = '\0';
    const int written =
        snprintf(head, sizeof head, "%c %llu %llu %zu %s %s\n", what, (unsigned long long)about.st_ino,
                 (unsigned long long)at, size, first != NULL ? first : name, second != NULL ? second : "-");
    const int to = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    syscall(SYS_write, to, head, (size_t)written);
    syscall(SYS_write, to, bytes, size);
    close(to);
}

static int counts_to_last(void)
{
    const char *nth = getenv("KILL_AT");
    return nth != NULL && atomic_fetch_add(&calls, 1) + 1 == strtoul(nth, NULL, 10);
}

/* Is this the call to be killed at? */
static int now(void)
{
    return getenv("KILL_TORN") == NULL && counts_to_last();
}

/* How much of a write the kernel may have done when it was killed: whole pages, about half of it. 0: all or nothing. */
static size_t part(uint64_t at, size_t size)
{
    const uint64_t before = (at + size / 2) / PAGE * PAGE, after = before + PAGE;
    return before > at ? before - at : after < at + size ? after - at : 0;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
    const size_t torn = getenv("KILL_TORN") != NULL ? part((uint64_t)at, size) : 0;
    if (torn > 0 && counts_to_last()) {
        syscall(SYS_pwrite64, fd, bytes, torn, at);
        die();
    }
    if (now())
        die();
    const ssize_t put = syscall(SYS_pwrite64, fd, bytes, size, at);
    if (put > 0)
        note('w', fd, NULL, NULL, (uint64_t)at, bytes, (size_t)put);
    return put;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    return pwrite64(fd, bytes, size, at);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    if (fd > STDERR_FILENO && now())
        die();
    const off_t at = lseek(fd, 0, SEEK_CUR);
    const ssize_t put = syscall(SYS_write, fd, bytes, size);
    if (put > 0 && at >= 0 && fd > STDERR_FILENO)
        note('w', fd, NULL, NULL, (uint64_t)at, bytes, (size_t)put);
    return put;
}

/* Copies are made by reads and writes, which the log can tell. */
ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *put, size_t size, unsigned flags)
{
    (void)from, (void)at, (void)to, (void)put, (void)size, (void)flags;
    return -1;
}

int ftruncate64(int fd, off64_t size)
{
    if (now())
        die();
    note('t', fd, NULL, NULL, (uint64_t)size, NULL, 0);
    return (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate(int fd, off_t size)
{
    return ftruncate64(fd, size);
}

int fallocate64(int fd, int mode, off64_t at, off64_t size)
{
    if (now())
        die();
    note('g', fd, NULL, NULL, (uint64_t)(at + size), NULL, 0);
    return (int)syscall(SYS_fallocate, fd, mode, at, size);
}

int fallocate(int fd, int mode, off_t at, off_t size)
{
    return fallocate64(fd, mode, at, size);
}

int fsync(int fd)
{
    if (now())
        die();
    note('s', fd, NULL, NULL, 0, NULL, 0);
    return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
    if (now())
        die();
    note('r', -1, from, to, 0, NULL, 0);
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int link(const char *from, const char *to)
{
    if (now())
        die();
    note('l', -1, from, to, 0, NULL, 0);
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path)
{
    if (now())
        die();
    note('u', -1, path, NULL, 0, NULL, 0);
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
