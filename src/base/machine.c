/* What the machine has, asked of POSIX. Limits of control groups are not looked at. */
#include "base/machine.h"

#ifdef __wasm__ /* a page grows as far as the browser lets it, and has no disk */

double carom_machine_memory(void)
{
    return 0.0;
}

double carom_machine_disk(const char *path)
{
    (void)path;
    return -1.0;
}

#else

#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/memory.h"

double carom_machine_memory(void)
{
    const double pages = (double)sysconf(_SC_PHYS_PAGES), page = (double)sysconf(_SC_PAGESIZE);
    struct rlimit limit;
    double there = pages > 0.0 && page > 0.0 ? pages * page : HUGE_VAL;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        there = fmin(there, (double)limit.rlim_cur);
    return there < HUGE_VAL ? there : 0.0;
}

double carom_machine_disk(const char *path)
{
    struct statvfs disk;
    const char *last = strrchr(path, '/');
    char *folder = !last         ? carom_memory_text(".")
                   : last > path ? carom_memory_text_of(path, (size_t)(last - path))
                                 : carom_memory_text("/");
    const double free = folder && statvfs(folder, &disk) == 0 ? (double)disk.f_bavail * (double)disk.f_frsize : -1.0;
    carom_memory_free(folder);
    return free;
}

#endif
