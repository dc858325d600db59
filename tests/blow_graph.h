/* Contacts of random bodies in plane and space, some before walls, for tests of blows with friction: W = H M^-1 H^T,
 * rows of H as a normal, tangents and arms make them, and the rates H v along them. */
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

/* three directions of length 1 across each other; in the plane the last is the axis */
static inline void blow_graph_axes(struct carom_random *random, size_t dim, double axis[3][3])
{
    for (size_t k = 0; k < 9; k++)
        axis[k / 3][k % 3] = dim == 2 && (k / 3 == 2) != (k % 3 == 2) ? 0.0 : carom_random_normal(random);
    for (size_t k = 0; k < 3; k++) {
        double length = 0.0;
        for (size_t l = 0; l < k; l++) {
            double along = 0.0;
            for (size_t m = 0; m < 3; m++)
                along += axis[k][m] * axis[l][m];
            for (size_t m = 0; m < 3; m++)
                axis[k][m] -= along * axis[l][m];
        }
        for (size_t m = 0; m < 3; m++)
            length += axis[k][m] * axis[k][m];
        for (size_t m = 0; m < 3; m++)
            axis[k][m] /= sqrt(length);
    }
}

/* The same of boxes in plane (dim 2) or space (3): w (n dim)^2, u the rates, a normal and its tangents after it; masses
 * of all sizes where `harsh` is more than a part of 1. */
static inline void blow_graph_boxes(struct carom_random *random, size_t n, size_t dim, size_t bodies, double harsh,
                                    double *w, double *u)
{
    double h[3 * BLOW_CONTACTS][6 * BLOW_BODIES] = {{0.0}}, mass[6 * BLOW_BODIES], v[6 * BLOW_BODIES];
    for (size_t k = 0; k < 6 * bodies; k++) {
        mass[k] = exp(harsh * carom_random_normal(random));
        v[k] = carom_random_normal(random);
    }
    for (size_t i = 0; i < n; i++) {
        double axis[3][3];
        blow_graph_axes(random, dim, axis);
        const size_t pair[2] = {i % bodies, (i + 1 + carom_random_below(random, bodies - 1)) % bodies};
        for (size_t side = 0; side < 2 - (size_t)(i % 3 == 0); side++) {
            double arm[3];
            for (size_t k = 0; k < 3; k++)
                arm[k] = dim == 2 && k == 2 ? 0.0 : carom_random_normal(random);
            for (size_t k = 0; k < dim; k++)
                for (size_t l = 0; l < 3; l++) {
                    const size_t y = (l + 1) % 3, z = (l + 2) % 3;
                    h[i * dim + k][6 * pair[side] + l] = (side ? 1.0 : -1.0) * axis[k][l];
                    h[i * dim + k][6 * pair[side] + 3 + l] =
                        (side ? 1.0 : -1.0) * (arm[y] * axis[k][z] - arm[z] * axis[k][y]);
                }
        }
    }
    for (size_t a = 0; a < n * dim; a++) {
        u[a] = 0.0;
        for (size_t k = 0; k < 6 * bodies; k++)
            u[a] += h[a][k] * v[k];
        for (size_t b = 0; b < n * dim; b++) {
            w[a * n * dim + b] = 0.0;
            for (size_t k = 0; k < 6 * bodies; k++)
                w[a * n * dim + b] += h[a][k] * h[b][k] / mass[k];
        }
    }
}

#endif
