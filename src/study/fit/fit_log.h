/* The log of a fit: a text file with a line for every run, numbers to the last bit. Lines that a kill cut short are
 * forgotten. */
#ifndef CAROM_STUDY_FIT_FIT_LOG_H
#define CAROM_STUDY_FIT_FIT_LOG_H

#include <stdint.h>
#include <stdio.h>

#include "carom/error.h"

/* One run: at x, the model's values; or, of searches, what they came to. */
struct carom_fit_log_line {
    char kind; /* 'p': predictions, 'c': one number, 'f': the run failed */
    double *x, *y;
    size_t ny;
};

struct carom_fit_log {
    char *path;
    FILE *file;  /* NULL: nothing is written */
    size_t n, m; /* numbers in x; predictions */
    size_t count, room, next;
    struct carom_fit_log_line *line;
};

/* Opens or makes the file. `identity` says which fit it is: another one's log is refused, and so is one in use. Without
 * a path lines are kept in memory only. Free with carom_fit_log_close, also on failure. */
enum carom_status carom_fit_log_open(struct carom_fit_log *log, const char *path, uint64_t identity, size_t n, size_t m,
                                     struct carom_error *error);
void carom_fit_log_close(struct carom_fit_log *log); /* fine for zeros */

/* The line of that kind ('f' counts as any) at x, or NULL. */
const struct carom_fit_log_line *carom_fit_log_find(struct carom_fit_log *log, char kind, const double *x);

enum carom_status carom_fit_log_add(struct carom_fit_log *log, char kind, const double *x, const double *y, size_t ny,
                                    struct carom_error *error);

#endif
