/* Errors: a status for the program, one sentence for the person. The record belongs to the caller;
 * the library never prints, exits or keeps a global. A command's exit code is its status. */
#ifndef CAROM_ERROR_H
#define CAROM_ERROR_H

#include "carom/api.h"

CAROM_BEGIN

#if defined(__GNUC__)
#define CAROM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CAROM_PRINTF(text, first)
#endif

/*                  name     code  meaning */
#define CAROM_STATUS_LIST(X)                                   \
    X(CAROM_OK, 0, "all is well")                              \
    X(CAROM_E_FAILED, 1, "a check did not hold")               \
    X(CAROM_E_USAGE, 2, "the command line is wrong")           \
    X(CAROM_E_INPUT, 3, "the scene or another input is wrong") \
    X(CAROM_E_REFUSED, 4, "this combination cannot be run")    \
    X(CAROM_E_NUMERIC, 5, "the computation broke down")        \
    X(CAROM_E_FILE, 6, "a file could not be read or written")  \
    X(CAROM_E_MEMORY, 7, "out of memory")                      \
    X(CAROM_E_STOPPED, 8, "stopped before the end")

enum carom_status {
#define CAROM_STATUS_ENUM(name, code, meaning) name = code,
    CAROM_STATUS_LIST(CAROM_STATUS_ENUM)
#undef CAROM_STATUS_ENUM
};

struct carom_error {
    enum carom_status status;
    char text[600]; /* one sentence; empty while all is well */
};

/* Fills the record (unless it is NULL) and returns `status`, so that `return carom_error_set(...)` reads well. */
enum carom_status carom_error_set(struct carom_error *error, enum carom_status status, const char *format, ...)
    CAROM_PRINTF(3, 4);

/* Puts "prefix: " in front of the sentence, for callers that know more of where it happened. */
enum carom_status carom_error_prefix(struct carom_error *error, const char *format, ...) CAROM_PRINTF(2, 3);

/* What a call says that is handed NULL instead of an object: the sentence of whoever failed to make it, if this record
 * has one, else "out of memory". So calls can be written in a row and the last one be asked. */
enum carom_status carom_error_missing(struct carom_error *error);

/* The meaning of a status in words. */
const char *carom_error_meaning(enum carom_status status);

CAROM_END

#endif
