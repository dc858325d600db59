/* Fits keys of a scene to measured data by least squares: a search (NLopt), then Levenberg and Marquardt's method,
 * which also gives uncertainties. Every run is kept in a log, so that a fit that was killed goes on, with the same
 * bits. */
#ifndef CAROM_STUDY_FIT_FIT_H
#define CAROM_STUDY_FIT_FIT_H

#include "carom/progress.h"
#include "carom/scene.h"
#include "solve/least_squares.h"
#include "study/fit/fit_data.h"

#define CAROM_FIT_KEYS CAROM_LEAST_SQUARES_MOST
#define CAROM_FIT_SHIFT "time_shift" /* as key: time of the run = time of the data + shift */
#define CAROM_FIT_CURVE 501          /* times of the fitted curve */

enum carom_fit_method { CAROM_FIT_LOCAL, CAROM_FIT_GLOBAL, CAROM_FIT_POLISH };

struct carom_fit_key {
    char key[96];
    bool shift;
    double start, low, high; /* in SI; bounds may be infinite */
    double unit;             /* a first step */
};

struct carom_ranks;   /* rank/rank.h */
struct carom_abreast; /* scheme/abreast.h */

struct carom_fit {
    char *name;                /* of the scene, for errors */
    struct carom_scene *scene; /* as read, with its overrides */
    struct carom_fit_data data;
    size_t nkeys;
    struct carom_fit_key key[CAROM_FIT_KEYS];
    char free[CAROM_FIT_KEYS][200]; /* as they were written */
    enum carom_fit_method method;
    size_t most;                  /* runs of the search; 0: chosen */
    double noise;                 /* of the runs, relative: what differences have to rise above */
    struct carom_abreast *device; /* where data of runs are worked out, in a fit under way; NULL: the processor */
    struct carom_ranks *ranks; /* that share the runs; NULL: this process alone. Rank 0 has the log and the result. */
};

/* Plans: `free` has entries "key", "key=low:high", or several with commas between. The start is the scene's value
 * or, if the key is not there, the middle of the bounds. Free with carom_fit_free, also on failure. */
enum carom_status carom_fit_plan(struct carom_fit *fit, const char *path, const char *const *set, size_t nset,
                                 const char *data, const char *const *free, size_t nfree, struct carom_error *error);
void carom_fit_free(struct carom_fit *fit);

/* The unit of key i: in SI; "1": it has none, or the tables do not say it. */
const char *carom_fit_unit(const struct carom_fit *fit, size_t i);

/* Where the standard deviation of a column's measurements is from. */
enum carom_fit_noise {
    CAROM_FIT_NOISE_GIVEN,
    CAROM_FIT_NOISE_OWN,  /* its residuals */
    CAROM_FIT_NOISE_UNIT, /* those of all columns of its unit */
    CAROM_FIT_NOISE_ALL   /* those of all columns, relative to the values of their unit */
};

struct carom_fit_result {
    double value[CAROM_FIT_KEYS], sigma[CAROM_FIT_KEYS]; /* NaN: at a bound */
    double covariance[CAROM_FIT_KEYS * CAROM_FIT_KEYS];  /* nkeys x nkeys */
    double student[CAROM_FIT_KEYS]; /* degrees of freedom for which sigma is widened (Student's t) */
    bool fixed[CAROM_FIT_KEYS];
    bool converged, given; /* given: every column has its sigma, so that chi-square means something */
    double start_chi2, chi2, freedom, probability;
    enum carom_fit_noise noise[CAROM_FIT_DATA_COLUMNS];
    double spread
        [CAROM_FIT_DATA_COLUMNS]; /* standard deviation of a measurement: 1 where sigma is given, else estimated */
    double rms[CAROM_FIT_DATA_COLUMNS]; /* of model - data */
    double lag[CAROM_FIT_DATA_COLUMNS]; /* correlation of neighbouring residuals: near 0 if the model fits */
    double *model, *before;             /* npoints: at the end, at the start */
    double *curve_time, *curve;         /* CAROM_FIT_CURVE; columns x CAROM_FIT_CURVE; NULL for data of runs */
    size_t runs, replayed;              /* runs of this session; taken from the log */
    char device[400];                   /* what has run data of runs, and its driver; empty: the processor */
};

/* Fits, on the scene's device if it has one. `log` is the file in which runs are kept: made if it is not there, gone on
 * with if it is this fit's. NULL: none. CAROM_E_STOPPED if `progress` said so: what is done is kept. */
enum carom_status carom_fit_run(const struct carom_fit *fit, const char *log, size_t threads,
                                const struct carom_progress *progress, struct carom_fit_result *result,
                                struct carom_error *error);
void carom_fit_forget(struct carom_fit_result *result); /* fine for zeros */

/* --- fit_plan.c: carom_fit_plan reads the free keys, here for tests ---------------------------------------------- */

/* What tells one fit from another: scene, overrides, data, keys, method, version. */
uint64_t carom_fit_plan_identity(const struct carom_fit *fit);

/* Says by name what the solver says by number; returns error->status. */
enum carom_status carom_fit_plan_explain(const struct carom_fit *fit, const struct carom_least_squares_result *found,
                                         struct carom_error *error);

/* --- fit_noise.c: columns without sigma -------------------------------------------------------------------------- */

/* Where columns have their sigma from, which their numbers of points decide, and first guesses. */
void carom_fit_noise_plan(const struct carom_fit *fit, enum carom_fit_noise *noise, double *spread);

/* Standard deviations from the residuals of a fit with the old ones; true: one has changed by more than 1 %. */
bool carom_fit_noise_estimate(const struct carom_fit *fit, const enum carom_fit_noise *noise,
                              const struct carom_least_squares_result *found, const double *jacobian,
                              const double *predicted, double *spread);

/* Covariance, sigma and student, with model, noise and freedom there. */
void carom_fit_noise_uncertainties(const struct carom_fit *fit, const struct carom_least_squares_result *found,
                                   const double *jacobian, struct carom_fit_result *to);

/* What was assumed, a line for each sentence; empty where all sigmas are given. */
void carom_fit_noise_text(const struct carom_fit *fit, const struct carom_fit_result *result, char *text, size_t size);
#define CAROM_FIT_NOISE_TEXT 4096

/* --- fit_model.c: what the scene predicts for the data, with given values of its keys ---------------------------- */

/* Refuses data that the scene cannot have: bodies that are not there, times outside the run. */
enum carom_status carom_fit_model_check(const struct carom_fit *fit, struct carom_error *error);

/* Fills npoints predictions for the values x of the keys. Runs on the calling thread. CAROM_E_STOPPED and
 * CAROM_E_MEMORY end a fit; other errors say that there is no such run. */
enum carom_status carom_fit_model_run(const struct carom_fit *fit, const double *x, const struct carom_watch *watch,
                                      double *predicted, struct carom_error *error);

/* The same along even times of the run: CAROM_FIT_CURVE times, then as many numbers for every column. */
enum carom_status carom_fit_model_curve(const struct carom_fit *fit, const double *x, double *time, double *curve,
                                        struct carom_error *error);

/* --- fit_file.c: keys with their uncertainties, data beside the model, the fitted curve -------------------------- */

/* Writes the result; the file appears whole or not at all. Another file at `path` is replaced only if it is one of a
 * fit. */
enum carom_status carom_fit_file_write(const struct carom_fit *fit, const struct carom_fit_result *result,
                                       const char *path, struct carom_error *error);

/* May it be written there? To be asked before the work. */
enum carom_status carom_fit_file_may(const char *path, struct carom_error *error);

#endif
