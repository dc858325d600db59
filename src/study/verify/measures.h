/* Measures: how the rows of papers are measured. A measure is a function of a row's keys; those that any paper may use
 * are here, a paper's own beside its rows, in papers/<key>/. */
#ifndef CAROM_STUDY_VERIFY_MEASURES_H
#define CAROM_STUDY_VERIFY_MEASURES_H

#include "base/threads.h"
#include "carom/progress.h"
#include "carom/scene.h"
#include "study/verify/paper.h"

/* The last answer, see carom_measures_once. */
struct carom_measures_memory {
    char question[600]; /* what was asked; "" if nothing */
    double *answer;
};

struct carom_measuring {
    const struct carom_paper *paper;
    const struct carom_paper_row *row;
    struct carom_threads *threads; /* NULL: one */
    const struct carom_progress *progress;
    struct carom_measures_memory *memory;
    const struct carom_measure *const *lists; /* measures of single papers, NULL-ended; NULL: none */
};

struct carom_measure {
    const char *name;
    const char *const *keys; /* that a row may have for it, NULL-ended */
    enum carom_status (*run)(const struct carom_measuring *m, double *value, struct carom_error *error);
};

/* Ended by a NULL name. */
extern const struct carom_measure carom_measures_list[];

/* Numbers that several rows read, one after the other, off the same runs: `ask` finds them, `count`, for the first of
 * the rows that have the same `what` and the same values of `keys` (NULL-ended), given `with`. *answer stays until
 * something else is asked. */
typedef enum carom_status carom_measures_ask(const struct carom_measuring *m, void *with, double *answer,
                                             struct carom_error *error);
enum carom_status carom_measures_once(const struct carom_measuring *m, const char *what, const char *const *keys,
                                      carom_measures_ask *ask, void *with, size_t count, const double **answer,
                                      struct carom_error *error);

/* One of so many numbers that `ask` finds for rows of the same scene and overrides. */
enum carom_status carom_measures_pick(const struct carom_measuring *m, const char *what, carom_measures_ask *ask,
                                      size_t count, size_t which, double *value, struct carom_error *error);

/* The row's scene (a file beside the rows) with its overrides and `more`; NULL and the sentence on error. `name`
 * receives its path. */
struct carom_scene *carom_measures_scene(const struct carom_measuring *m, const char *const *more, size_t nmore,
                                         char name[512], struct carom_error *error);

/* The scheme that the row's key names; NULL and the sentence if there is none of that name. */
const struct carom_scheme *carom_measures_scheme(const struct carom_measuring *m, const char *key,
                                                 struct carom_error *error);

/* A number of the row, or `standard` if the key is not there. */
enum carom_status carom_measures_number(const struct carom_measuring *m, const char *key, double standard,
                                        double *value, struct carom_error *error);

#endif
