/* The cluster of a sim: balls and flat walls as its model has them, at rest or moving as its view does. Laws are up to
 * who asks. And how far samples of displacements, velocities and spins are from it. */
#ifndef CAROM_TESTS_REFERENCE_CLUSTER_OF_H
#define CAROM_TESTS_REFERENCE_CLUSTER_OF_H

#include "carom/bodies.h"
#include "carom/carom.h"
#include "check.h"
#include "reference/cluster.h"

static void cluster_of(struct cluster *c, const struct carom_sim *sim)
{
    const struct carom_bodies *b = carom_model_bodies(sim->model);
    const size_t nv = carom_bodies_nv(b), d = b->dimension;
    int ball = 0;
    c->n = c->nwalls = 0;
    c->plane = d == 2;
    for (size_t i = 0; i < b->n; i++)
        c->n += b->body[i].surface == CAROM_BALL;
    CHECK_OR_STOP(c->n <= CLUSTER_BALLS && (int)b->n - c->n <= CLUSTER_WALLS);
    memset(c->y, 0, sizeof c->y);
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        const double *v = sim->view->v + i * nv;
        if (body->surface != CAROM_BALL) {
            memcpy(c->wall[c->nwalls], body->at, sizeof body->at);
            memcpy(c->normal[c->nwalls++], body->normal, sizeof body->normal);
            continue;
        }
        memcpy(c->at[ball], body->at, sizeof body->at);
        c->radius[ball] = body->radius;
        c->mass[ball] = body->mass;
        c->inertia[ball] = body->inertia;
        for (size_t k = 0; k < nv; k++)
            c->y[k < d ? 3 * (c->n + ball) + (int)k : 3 * (2 * c->n + ball) + (d == 2 ? 2 : (int)k - 3)] = (real)v[k];
        ball++;
    }
    memcpy(c->gravity, b->gravity, sizeof c->gravity);
    c->length = sim->scales.length;
    c->speed = sim->scales.speed;
}

/* How far a row of u, v and spin of all bodies, balls first, is from the cluster, over the scales. */
static double cluster_apart(const struct cluster *c, const struct carom_bodies *b, const double *row)
{
    const size_t d = b->dimension, spins = d == 2 ? 1 : 3, n = (size_t)c->n;
    double worst = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < d; k++) {
            worst = fmax(worst, fabs((double)((real)row[i * d + k] - c->y[3 * i + k])) / c->length);
            worst = fmax(worst, fabs((double)((real)row[(b->n + i) * d + k] - c->y[3 * (n + i) + k])) / c->speed);
        }
        for (size_t k = 0; k < spins; k++) {
            const real spin = c->y[3 * (2 * n + i) + (d == 2 ? 2 : k)];
            worst =
                fmax(worst, fabs((double)((real)row[2 * b->n * d + i * spins + k] - spin)) * c->radius[i] / c->speed);
        }
    }
    return worst;
}

/* The largest error of each of some runs of one scene; false if the cluster could not be followed. */
static bool cluster_errors(struct cluster *c, const struct carom_sim *sim, struct carom_memory *const *memory,
                           size_t nruns, double *worst)
{
    const struct carom_bodies *b = carom_model_bodies(sim->model);
    cluster_start(c);
    for (size_t i = 0; i < nruns; i++)
        worst[i] = 0.0;
    for (size_t row = 0; row < memory[0]->nrows; row++) {
        if (!cluster_to(c, memory[0]->time[row]))
            return false;
        for (size_t i = 0; i < nruns; i++) {
            CHECK_OR_STOP(memory[i]->nrows == memory[0]->nrows && memory[i]->time[row] == memory[0]->time[row]);
            worst[i] = fmax(worst[i], cluster_apart(c, b, memory[i]->value + row * memory[i]->width));
        }
    }
    return true;
}

#endif
