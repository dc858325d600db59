/* Momentum and angular momentum of solids, and of balls beside them. */
#ifndef CAROM_TESTS_MOMENTA_H
#define CAROM_TESTS_MOMENTA_H

#include <string.h>

#include "base/quat.h"
#include "base/vec.h"
#include "carom/carom.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_balls.h"

/* of solid m, about the origin, added to p and l */
static inline void momenta_solid(const struct carom_model *model, const struct carom_state *view, size_t m, double p[3],
                                 double l[3])
{
    const double none[3] = {0.0, 0.0, 0.0};
    const struct carom_solid *s = carom_solid_at(model, m);
    const double *q = view->q + model->member[m].q0;
    for (size_t i = 0; i < s->n; i++) {
        const double *v = view->v + model->member[m].v0 + s->fast * i;
        double place[3], push[3] = {0.0, 0.0, 0.0}, sweep[3], own[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < s->dimension; k++)
            push[k] = carom_solid_inertia(s, i, 0) * v[k];
        carom_solid_moved(s, q, i, none, place);
        if (s->dimension == 2) {
            own[2] = carom_solid_inertia(s, i, 2) * v[2];
        } else {
            double turn[4], total[4], spin[3];
            carom_solid_quaternion(s, q, i, turn);
            carom_quat_product(turn, carom_solid_sort_of(s, i)->frame, total);
            for (size_t k = 0; k < 3; k++)
                spin[k] = carom_solid_inertia(s, i, 3 + k) * v[3 + k];
            carom_quat_turn(total, spin, own);
        }
        carom_vec_cross(place, push, sweep);
        for (int k = 0; k < 3; k++) {
            p[k] += push[k];
            l[k] += sweep[k] + own[k];
        }
    }
}

/* of ball i; v is that of all balls */
static inline void momenta_ball(const struct carom_solid_balls *balls, const double *v, size_t i, double p[3])
{
    for (int k = 0; k < balls->dimension; k++)
        p[k] += balls->mass[i] * v[(size_t)balls->dimension * i + (size_t)k];
}

#endif
