/* A mechanism of two coordinates with one contact that may slip, and its model under law rigid with friction mu. */
#ifndef CAROM_TESTS_SLIPPING_H
#define CAROM_TESTS_SLIPPING_H

#include <math.h>

#include "carom/carom.h"
#include "carom/mechanism.h"
#include "check.h"

static const double slipping_q[] = {0.31, 0.47}, slipping_v[] = {0.7, -1.1};

static inline void slipping_mass(const void *own, const double *at, double *m)
{
    (void)own, (void)at;
    m[0] = 2.0;
    m[1] = m[2] = 0.5;
    m[3] = 1.0;
}

static inline double slipping_distance(const void *own, size_t i, double t, const double *at)
{
    (void)own, (void)i, (void)t;
    return at[0] + 0.1 * at[1];
}

static inline double slipping_slip(const void *own, size_t i, double t, const double *at)
{
    (void)own, (void)i;
    return at[1] * at[1] - 3.0 * sin(t);
}

static inline struct carom_model *slipping_model(double (*slips)(const void *, size_t, double, const double *),
                                                 double mu, struct carom_error *error, enum carom_status *status)
{
    struct carom_mechanism m = {
        .name = "own", .n = 2, .ndistances = 1, .mass = slipping_mass, .distance = slipping_distance, .slip = slips};
    const double gap = 0.0, e = 0.5, still = 0.0, *const columns[CAROM_RIGID_COLUMNS] = {&e, NULL, NULL, &mu, &still};
    const int32_t pair[1][2] = {{CAROM_WALL_LEFT, 0}};
    struct carom_model *model = carom_model_create();
    void *part = carom_mechanism_create(&m, slipping_q, slipping_v, error);
    CHECK_OR_STOP(model && part);
    CHECK_STATUS(carom_model_add(model, &carom_part_mechanism, part, error), CAROM_OK);
    *status = carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1, pair, &gap, columns, error);
    if (*status == CAROM_OK)
        *status = carom_model_finish(model, error);
    return model;
}

#endif
