/* What the scene of a fit predicts for the data, with given values of its keys. */
#ifndef CAROM_STUDY_FIT_FIT_MODEL_H
#define CAROM_STUDY_FIT_FIT_MODEL_H

#include "study/fit/fit.h"

/* Refuses data that the scene cannot have: bodies that are not there, times outside the run. */
enum carom_status carom_fit_model_check(const struct carom_fit *fit, struct carom_error *error);

/* Fills npoints predictions for the values x of the keys. Runs on the calling thread. CAROM_E_STOPPED and
 * CAROM_E_MEMORY end a fit; other errors say that there is no such run. */
enum carom_status carom_fit_model_run(const struct carom_fit *fit, const double *x, const struct carom_watch *watch,
                                      double *predicted, struct carom_error *error);

/* The same along even times of the run: CAROM_FIT_CURVE times, then as many numbers for every column. */
enum carom_status carom_fit_model_curve(const struct carom_fit *fit, const double *x, double *time, double *curve,
                                        struct carom_error *error);

#endif
