/* Plans of fits: carom_fit_plan reads the free keys, here for tests. */
#ifndef CAROM_STUDY_FIT_FIT_PLAN_H
#define CAROM_STUDY_FIT_FIT_PLAN_H

#include "study/fit/fit.h"

/* What tells one fit from another: scene, overrides, data, keys, method, version. */
uint64_t carom_fit_plan_identity(const struct carom_fit *fit);

#endif
