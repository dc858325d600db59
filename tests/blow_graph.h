/* Contacts of random bodies in the plane, some before walls, for tests of blows with friction: W = H M^-1 H^T, rows of
 * H as a normal, a tangent and arms make them, and the rates H v along both. */
#ifndef CAROM_TESTS_BLOW_GRAPH_H
#define CAROM_TESTS_BLOW_GRAPH_H

#include <math.h>
#include <stddef.h>

#include "base/random.h"

enum { BLOW_CONTACTS = 8, BLOW_BODIES = 5 };

static inline void blow_graph(struct carom_random *random, size_t n, size_t bodies, double *w, double *rate,
                              double *slip)
{
    double h[2 * BLOW_CONTACTS][3 * BLOW_BODIES] = {{0.0}}, mass[3 * BLOW_BODIES], v[3 * BLOW_BODIES];
    for (size_t k = 0; k < 3 * bodies; k++) {
        mass[k] = 0.2 + carom_random_uniform(random);
        v[k] = carom_random_normal(random);
    }
    for (size_t i = 0; i < n; i++) {
        const double angle = 7.0 * carom_random_uniform(random), c = cos(angle), d = sin(angle);
        const size_t pair[2] = {i % bodies, (i + 1 + carom_random_below(random, bodies - 1)) % bodies};
        for (int side = 0; side < 2 - (i % 3 == 0); side++) {
            const double x = carom_random_normal(random), y = carom_random_normal(random), sign = side ? 1.0 : -1.0;
            const double row[2][3] = {{c, d, x * d - y * c}, {-d, c, x * c + y * d}};
            for (size_t k = 0; k < 6; k++)
                h[2 * i + k / 3][3 * pair[side] + k % 3] = sign * row[k / 3][k % 3];
        }
    }
    for (size_t a = 0; a < 2 * n; a++) {
        double *of = a % 2 ? &slip[a / 2] : &rate[a / 2];
        *of = 0.0;
        for (size_t k = 0; k < 3 * bodies; k++)
            *of += h[a][k] * v[k];
        for (size_t b = 0; b < 2 * n; b++) {
            w[a * 2 * n + b] = 0.0;
            for (size_t k = 0; k < 3 * bodies; k++)
                w[a * 2 * n + b] += h[a][k] * h[b][k] / mass[k];
        }
    }
}

#endif
