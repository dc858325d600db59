/* To make all velocities a little larger tells nothing of discs and spheres: without forces they go the same way in
 * less time. So groups of bodies that touch are pushed one against the other, each as a whole: to open a contact by
 * however little would change what an impact does to all of the group. The push of a group depends on its distance from
 * the middle and on its speed alone and points away from the middle or along its velocity, so that bodies that are
 * mirror images of each other are pushed like mirror images: else impacts that come at once by symmetry would not any
 * more. */
#include "sim/ahead/ahead.h"

#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/vec.h"
#include "carom/bodies.h"
#include "model/bodies/list.h"
#include "model/bodies/meet.h"
#include "model/bodies/search.h"

/* of U: nearer is touching; far above the rounding of places, far below how bodies part between two looks */
static const double touching = 1e-9;

struct jog {
    const struct carom_sim *sim;
    const struct carom_bodies *b;
    const double *q;
    double *v;                          /* changed */
    size_t *group;                      /* of each body: the lowest number among those it touches */
    bool *grounded;                     /* of each group: something that stands still is in it */
    double (*place)[3], (*velocity)[3]; /* of each group */
    double *mass;
    double middle[3], size; /* of all, and how far the farthest group is from it */
};

static size_t find(const size_t *group, size_t i)
{
    while (group[i] != i)
        i = group[i];
    return i;
}

static void unite(struct jog *jog, const struct carom_contacts *list)
{
    const double near = touching * (jog->sim->scales.length > 0.0 ? jog->sim->scales.length : 1.0);
    for (size_t i = 0; i < jog->b->n; i++)
        jog->group[i] = i;
    for (size_t j = 0; j < list->n; j++) {
        const struct carom_contact_key *key = &list->key[j];
        struct carom_meeting m;
        if (!carom_meet(jog->b, key, jog->q, &m) || !(m.gap <= near))
            continue;
        const size_t fixed = jog->b->body[key->a].fixed ? key->a : key->b, other = fixed == key->a ? key->b : key->a;
        if (jog->b->body[fixed].fixed) { /* it does not join those that rest on it */
            jog->grounded[other] = true;
            continue;
        }
        const size_t a = find(jog->group, key->a), b = find(jog->group, key->b);
        jog->group[a > b ? a : b] = a < b ? a : b;
    }
}

static enum carom_status find_groups(struct jog *jog, struct carom_error *error)
{
    struct carom_search search = {0};
    struct carom_contacts *list = carom_list_create(jog->b);
    enum carom_status status = list ? carom_search_open(&search, jog->b, error)
                                    : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a pilot run");
    if (status == CAROM_OK)
        status = carom_search_renew(&search, jog->q, 0.0, &list, 1, error);
    if (status == CAROM_OK)
        unite(jog, list);
    carom_search_close(&search);
    carom_list_free(list);
    return status;
}

/* places and velocities of groups, and the middle of all bodies; of planes the place means nothing */
static void find_places(struct jog *jog)
{
    const size_t nv = carom_bodies_nv(jog->b), d = jog->b->dimension;
    double count = 0.0;
    for (size_t i = 0; i < jog->b->n; i++) {
        const struct carom_body *body = &jog->b->body[i];
        const size_t g = jog->group[i] = find(jog->group, i);
        double centre[3];
        carom_bodies_centre(jog->b, i, jog->q, centre);
        for (size_t k = 0; k < 3 && body->surface != CAROM_PLANE; k++)
            jog->middle[k] += centre[k];
        count += body->surface != CAROM_PLANE;
        jog->grounded[g] |= jog->grounded[i];
        jog->mass[g] += body->fixed ? 0.0 : body->mass;
        for (size_t k = 0; k < d && !body->fixed; k++) {
            jog->place[g][k] += body->mass * centre[k];
            jog->velocity[g][k] += body->mass * jog->v[i * nv + k];
        }
    }
    for (size_t k = 0; k < 3 && count > 0.0; k++)
        jog->middle[k] /= count;
    for (size_t g = 0; g < jog->b->n; g++) {
        for (size_t k = 0; k < 3 && jog->mass[g] > 0.0; k++) {
            jog->place[g][k] = jog->place[g][k] / jog->mass[g] - jog->middle[k];
            jog->velocity[g][k] /= jog->mass[g];
        }
        jog->size = fmax(jog->size, jog->mass[g] > 0.0 ? carom_vec_norm(jog->place[g]) : 0.0);
    }
}

static void push(struct jog *jog, double part)
{
    const size_t nv = carom_bodies_nv(jog->b), d = jog->b->dimension;
    const double speed = jog->sim->scales.speed > 0.0 ? jog->sim->scales.speed : 1.0;
    const double size = jog->size > 0.0 ? jog->size : 1.0;
    for (size_t i = 0; i < jog->b->n; i++) {
        const size_t g = jog->group[i];
        if (jog->b->body[i].fixed)
            continue;
        const double far = carom_vec_norm(jog->place[g]) / size, fast = carom_vec_norm(jog->velocity[g]) / speed;
        const double along = carom_angle_cos(3.0 * far + 5.0 * fast); /* any numbers that differ from group to group */
        const double away = jog->grounded[g] ? 0.0 : carom_angle_cos(7.0 * far - 2.0 * fast);
        for (size_t k = 0; k < d; k++)
            jog->v[i * nv + k] += part * (along * jog->v[i * nv + k] + away * speed * jog->place[g][k] / size);
    }
}

static bool allocate(struct jog *jog)
{
    const size_t n = jog->b->n;
    return carom_memory_together(CAROM_ROOM(jog->v, jog->sim->model->nv), CAROM_ROOM(jog->group, n),
                                 CAROM_ROOM(jog->grounded, n), CAROM_ROOM(jog->place, n), CAROM_ROOM(jog->velocity, n),
                                 CAROM_ROOM(jog->mass, n));
}

enum carom_status carom_jog_bodies(struct carom_sim *flight, double part, struct carom_error *error)
{
    struct jog jog = {.sim = flight, .b = carom_model_bodies(flight->model), .q = flight->view->q};
    enum carom_status status = allocate(&jog) ? find_groups(&jog, error)
                                              : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a pilot run");
    if (status == CAROM_OK) {
        for (size_t i = 0; i < flight->model->nv; i++)
            jog.v[i] = flight->view->v[i];
        find_places(&jog);
        push(&jog, part);
        status = carom_sim_set(flight, NULL, jog.v, error);
    }
    carom_memory_free(jog.v);
    return status;
}

static uint64_t bits_of(const double *v, size_t n, uint64_t seed)
{
    for (size_t k = 0; k < n; k++) {
        uint64_t bits;
        memcpy(&bits, &v[k], sizeof bits);
        seed = (seed ^ bits) * 0x9e3779b97f4a7c15u; /* an odd number without pattern: the golden ratio of 2^64 */
    }
    return seed;
}

enum carom_status carom_jog_shake(struct carom_sim *flight, double part, size_t number, struct carom_error *error)
{
    const struct carom_bodies *b = carom_model_bodies(flight->model);
    const size_t nv = carom_bodies_nv(b), d = b->dimension;
    const double most = part * (flight->scales.speed > 0.0 ? flight->scales.speed : 1.0);
    double *v = carom_memory_zeroed(flight->model->nv, sizeof *v);
    if (!v)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a pilot run");
    memcpy(v, flight->view->v, flight->model->nv * sizeof *v);
    for (size_t i = 0; i < b->n; i++) {
        double *of = v + i * nv, sum = 0.0;
        struct carom_random random;
        carom_random_start(&random, bits_of(of, d, number));
        for (size_t k = 0; k < d; k++)
            sum += fabs(of[k]);
        for (size_t k = 0; k < d && sum > 0.0 && !b->body[i].fixed; k++)
            of[k] += most * (2.0 * carom_random_uniform(&random) - 1.0);
    }
    const enum carom_status status = carom_sim_set(flight, NULL, v, error);
    carom_memory_free(v);
    return status;
}
