/* Opens plain files. What was opened is looked at, not what had the name a moment before; opening does not wait, as it
 * would for who writes to a fifo. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *carom_file_open(const char *path, long most_bytes, const char **why)
{
    struct stat about;
    FILE *file = NULL;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) != 0)
        *why = strerror(errno);
    else if (!S_ISREG(about.st_mode))
        *why = "it is no plain file";
    else if (about.st_size > most_bytes)
        *why = "it is too long";
    else if ((file = fdopen(fd, "rb")) == NULL)
        *why = strerror(errno);
    if (fd >= 0 && file == NULL)
        close(fd);
    return file;
}
