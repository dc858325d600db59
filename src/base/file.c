/* Opens plain files, and reads them. What was opened is looked at, not what had the name a moment before; opening does
 * not wait, as it would for who writes to a fifo. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

const char *carom_file_name(const char *path, int *stem)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *dot = strrchr(name, '.');
    if (stem != NULL)
        *stem = dot != NULL && dot != name ? (int)(dot - name) : (int)strlen(name);
    return name;
}

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

char *carom_file_text(FILE *file, size_t most, size_t *length)
{
    size_t room = 1 << 16, got = 1;
    char *text = carom_memory_zeroed(room + 1, 1);
    for (*length = 0; text != NULL && got > 0 && *length <= most; *length += got) {
        if (*length == room) {
            if (!carom_memory_widen(&text, room + 1, 2 * room + 1, 1)) {
                carom_memory_free(text);
                return NULL;
            }
            room *= 2;
        }
        got = fread(text + *length, 1, room - *length, file);
    }
    return text;
}

char *carom_file_whole(FILE *file, const char *path, size_t most, size_t *length, struct carom_error *error)
{
    char *text = file != NULL ? carom_file_text(file, most, length) : NULL;
    if (file != NULL && text == NULL)
        carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory while reading it", path);
    else if (file == NULL || ferror(file)) {
        carom_error_set(error, CAROM_E_FILE, "%s: cannot be read: %s", path, strerror(errno));
        carom_memory_free(text);
        text = NULL;
    }
    if (file != NULL && file != stdin)
        fclose(file);
    return text;
}
