/* Files that tests write and read as a whole. */
#ifndef CAROM_TESTS_FILES_H
#define CAROM_TESTS_FILES_H

#include "check.h"

static inline void file_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK_OR_STOP(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static inline void file_put(const char *path, const char *text)
{
    file_write(path, text, strlen(text));
}

/* as much of it as there is room for; returns how much that is */
static inline size_t file_read(const char *path, void *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    CHECK_OR_STOP(file != NULL);
    const size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

static inline void file_copy(const char *from, const char *to)
{
    static char bytes[1 << 22];
    const size_t size = file_read(from, bytes, sizeof bytes);
    CHECK_OR_STOP(size < sizeof bytes);
    file_write(to, bytes, size);
}

#endif
