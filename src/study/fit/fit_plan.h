/* Plans of fits: carom_fit_plan reads the free keys, here for tests. */
#ifndef CAROM_STUDY_FIT_FIT_PLAN_H
#define CAROM_STUDY_FIT_FIT_PLAN_H

#include "solve/least_squares.h"
#include "study/fit/fit.h"

/* What tells one fit from another: scene, overrides, data, keys, method, version. */
uint64_t carom_fit_plan_identity(const struct carom_fit *fit);

/* Says by name what the solver says by number; returns error->status. */
enum carom_status carom_fit_plan_explain(const struct carom_fit *fit, const struct carom_least_squares_result *found,
                                         struct carom_error *error);

#endif
