/* What contacts that are not worked out in lanes give to bodies in a step of verlet. */
#include "base/sum.h"
#include "scheme/compliant/packing/verlet_bodies.h"

/* what contact i of a batch gives */
static inline void push_of(const struct carom_verlet_bodies_work *w, const struct carom_contact_key *key,
                           const struct carom_verlet_batch *batch, size_t i, const struct carom_meeting *m,
                           struct carom_verlet_push *push, double torque[2][3])
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
        push->force[k] = batch->along[i] * m->normal[k] + across[k];
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
    for (int side = 0; side < 2 && (b->frictional || b->tumbling); side++) {
        const bool tumbles = carom_bodies_tumbles(&b->body[side ? key->b : key->a]);
        carom_vec_cross(m->arm[side], tumbles ? push->force : across, arm); /* normals of balls go through centres */
        for (int k = 0; k < 3; k++)
            torque[side][k] = arm[k] + push->torque[k];
    }
}

static inline void give(double *f, double sign, const double force[3], const double torque[3], bool plane, bool spins)
{
    for (int k = 0; k < (plane ? 2 : 3); k++)
        f[k] += sign * force[k];
    for (int k = plane ? 2 : 0; k < 3 && spins; k++)
        f[plane ? 2 : 3 + k] += sign * torque[k];
}

/* `plane` is known to the compiler */
static inline void push_some(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                             const struct carom_verlet_batch *batch, const struct carom_meeting *meeting, bool plane)
{
    const bool spins = w->bodies->frictional || w->bodies->tumbling;
    for (size_t i = 0; i < batch->n; i++) {
        const uint32_t j = batch->contact[i];
        struct carom_verlet_push push;
        double torque[2][3] = {{0.0}}; /* on both, that of the force's arms included */
        push_of(w, &c->key[j], batch, i, &meeting[i], &push, torque);
        if (w->push)
            w->push[j] = push;
        for (int side = 0; side < 2; side++)
            give(w->force + w->contact[j].on[side], side ? 1.0 : -1.0, push.force, torque[side], plane, spins);
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

double carom_verlet_push_work(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c)
{
    const struct carom_bodies *b = w->bodies;
    struct carom_sum sum = {0.0, 0.0};
    for (size_t block = 0; block < carom_verlet_blocks(w); block++)
        for (size_t at = 0; at < w->block[block].n; at++) {
            const uint32_t j = w->list[w->block[block].first + at];
            const size_t side[2] = {c->key[j].a, c->key[j].b};
            struct carom_meeting m;
            if (b->body[side[0]].lead < 0 && b->body[side[1]].lead < 0)
                continue;
            carom_verlet_recall(w, &c->key[j], j, &m);
            for (int s = 0; s < 2;
                 s++) /* on side b the push, on side a its opposite; what it takes, the lead puts in */
                if (b->body[side[s]].lead >= 0)
                    carom_sum_add(&sum,
                                  (s == 1 ? -1.0 : 1.0) * carom_act_power_on(b, side[s], m.arm[s], w->push[j].force,
                                                                             w->push[j].torque, w->drift));
        }
    return carom_sum_value(&sum);
}

void carom_verlet_push_tally(const struct carom_verlet_bodies_work *w, const struct carom_state *from,
                             struct carom_state *to, double h, double end, double early)
{
    const struct carom_bodies *b = w->bodies;
    const size_t nv = carom_bodies_nv(b);
    double work = 0.0;
    for (size_t j = 0; j < b->nloads; j++) {
        const struct carom_body_load *load = &b->load[j];
        const double mean = 0.5 * (carom_signal_value(&load->signal, from->time + from->time_low) +
                                   carom_signal_value(&load->signal, end));
        for (size_t k = 0; k < b->dimension && !b->body[load->body].fixed; k++)
            work += h * mean * load->force[k] * w->drift[load->body * nv + k];
    }
    if (b->nleads > 0)
        work += early + carom_verlet_push_work(w, to->contacts);
    to->work[0] += work;
}
