/* What contacts give to bodies in a step of verlet. It goes straight to them in the order of keys or, where several
 * threads work, is kept and gathered body by body in the same order: the bits are the same. */
#include "base/sum.h"
#include "scheme/compliant/verlet_bodies.h"

/* what contact i of a batch gives */
static inline void push_of(const struct carom_verlet_bodies_work *w, const struct carom_contact_key *key,
                           const struct carom_verlet_batch *batch, size_t i, const struct carom_meeting *m,
                           struct carom_verlet_push *push, struct carom_verlet_share *share)
{
    const struct carom_bodies *b = w->bodies;
    const size_t *width = w->columns.width;
    double across[3] = {0.0, 0.0, 0.0}, arm[3];
    if (width[CAROM_SLIDES] == 3)
        for (int k = 0; k < 3; k++)
            across[k] = batch->aside[CAROM_SLIDES][k][i];
    else if (width[CAROM_SLIDES] == 1) {
        across[0] = -m->normal[1] * batch->aside[CAROM_SLIDES][0][i];
        across[1] = m->normal[0] * batch->aside[CAROM_SLIDES][0][i];
    }
    for (int k = 0; k < 3; k++) {
        share->force[k] = push->force[k] = batch->along[i] * m->normal[k] + across[k];
        push->torque[k] = 0.0;
    }
    if (width[CAROM_ROLLS] + width[CAROM_TWISTS] > 0) {
        const double lever = carom_meet_lever(&b->body[key->a], &b->body[key->b]);
        const double about = width[CAROM_TWISTS] > 0 ? lever * batch->aside[CAROM_TWISTS][0][i] : 0.0;
        for (int k = 0; k < 3; k++)
            push->torque[k] = about * m->normal[k];
        for (size_t k = 0; k < width[CAROM_ROLLS]; k++)
            push->torque[width[CAROM_ROLLS] == 1 ? 2 : k] += lever * batch->aside[CAROM_ROLLS][k][i];
    }
    for (int side = 0; side < 2 && b->frictional; side++) {
        carom_vec_cross(m->arm[side], across, arm);
        for (int k = 0; k < 3; k++)
            share->torque[side][k] = arm[k] + push->torque[k];
    }
}

static inline void give(double *f, double sign, const double force[3], const double torque[3], bool plane, bool spins)
{
    for (int k = 0; k < (plane ? 2 : 3); k++)
        f[k] += sign * force[k];
    for (int k = plane ? 2 : 0; k < 3 && spins; k++)
        f[plane ? 2 : 3 + k] += sign * torque[k];
}

/* What a batch gives, to bodies or into shares; `plane` is known to the compiler */
static inline void push_some(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                             const struct carom_verlet_batch *batch, const struct carom_meeting *meeting, bool plane)
{
    const size_t nv = plane ? 3 : 6;
    const bool spins = w->bodies->frictional;
    for (size_t i = 0; i < batch->n; i++) {
        const uint32_t j = batch->contact[i];
        const struct carom_contact_key *key = &c->key[j];
        struct carom_verlet_push push;
        struct carom_verlet_share share;
        push_of(w, key, batch, i, &meeting[i], &push, &share);
        if (w->push)
            w->push[j] = push;
        if (w->share) {
            w->share[j] = share;
            w->shares[j] = true;
            continue;
        }
        give(w->force + key->a * nv, -1.0, share.force, share.torque[0], plane, spins);
        give(w->force + key->b * nv, 1.0, share.force, share.torque[1], plane, spins);
    }
}

void carom_verlet_push_batch(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                             const struct carom_verlet_batch *batch, const struct carom_meeting *meeting)
{
    if (w->bodies->dimension == 2)
        push_some(w, c, batch, meeting, true);
    else
        push_some(w, c, batch, meeting, false);
}

void carom_verlet_push_gather(struct carom_verlet_bodies_work *w, size_t first, size_t last)
{
    const struct carom_search *s = &w->search;
    const bool plane = w->bodies->dimension == 2;
    const size_t nv = carom_bodies_nv(w->bodies);
    for (size_t i = first; i < last; i++)
        for (size_t at = s->first[i]; at < s->first[i + 1]; at++) {
            const size_t j = s->side[at] / 2, side = s->side[at] & 1;
            if (w->shares[j])
                give(w->force + i * nv, side ? 1.0 : -1.0, w->share[j].force, w->share[j].torque[side], plane,
                     w->bodies->frictional);
        }
}

/* power of a push on a body that is led */
static double power_on(const struct carom_bodies *b, size_t i, const double arm[3],
                       const struct carom_verlet_push *push, const double *v)
{
    const double *w = v + i * carom_bodies_nv(b), plane[3] = {0.0, 0.0, w[2]};
    const double *spin = b->dimension == 2 ? plane : w + 3;
    double velocity[3];
    carom_vec_cross(spin, arm, velocity);
    for (size_t k = 0; k < b->dimension; k++)
        velocity[k] += w[k];
    return carom_vec_dot(velocity, push->force) + carom_vec_dot(spin, push->torque);
}

double carom_verlet_push_work(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c)
{
    const struct carom_bodies *b = w->bodies;
    struct carom_sum sum = {0.0, 0.0};
    for (size_t block = 0; block * CAROM_VERLET_BLOCK < c->n; block++)
        for (size_t at = 0; at < w->block[block].n; at++) {
            const uint32_t j = w->list[block * CAROM_VERLET_BLOCK + at];
            const size_t side[2] = {c->key[j].a, c->key[j].b};
            struct carom_meeting m;
            if (b->body[side[0]].lead < 0 && b->body[side[1]].lead < 0)
                continue;
            carom_verlet_recall(w, &c->key[j], j, &m);
            for (int s = 0; s < 2;
                 s++) /* on side b the push, on side a its opposite; what it takes, the lead puts in */
                if (b->body[side[s]].lead >= 0)
                    carom_sum_add(&sum, (s == 1 ? -1.0 : 1.0) * power_on(b, side[s], m.arm[s], &w->push[j], w->drift));
        }
    return carom_sum_value(&sum);
}
