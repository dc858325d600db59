/* What the fuzz tests share: the bytes as a file or a text, and what must be true of every error. */
#ifndef CAROM_TESTS_FUZZ_H
#define CAROM_TESTS_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "carom/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program in a way that libFuzzer and the driver report. */
static inline void fuzz_need(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

/* Either all is well, or there is one line that says something. */
static inline void fuzz_error(enum carom_status status, const struct carom_error *error)
{
    if (status == CAROM_OK)
        return;
    fuzz_need(error->status == status, "an error says another status than was returned");
    fuzz_need(error->text[0] != '\0', "an error without a sentence");
    fuzz_need(strchr(error->text, '\n') == NULL, "an error of several lines");
}

/* A file in memory that holds the bytes, the same one every time; readers are given its path. */
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
    static int file = -1;
    static char path[64];
    if (file < 0) {
        file = memfd_create("fuzz", MFD_CLOEXEC);
        fuzz_need(file >= 0, "no file in memory");
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    fuzz_need(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size, "no room in memory");
    return path;
}

/* The bytes as a string, to be freed. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    fuzz_need(text != NULL, "out of memory");
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

#endif
