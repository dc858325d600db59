/* Friction in a step of verlet: how far contacts slide, springs carried along with their contact's plane, and what the
 * friction laws make of it. */
#include <string.h>

#include "base/vec.h"
#include "scheme/compliant/verlet_bodies.h"

/* a tangential vector of space carried from the plane of one normal to that of another, and turned about it with the
 * bodies' mean spin */
static void carry(const struct carom_bodies *b, const struct carom_contact_key *key, const double *spin_of,
                  const double from[3], const double to[3], double h, double x[3])
{
    const size_t nv = carom_bodies_nv(b);
    const double *wa = spin_of + key->a * nv + 3, *wb = spin_of + key->b * nv + 3;
    double axis[3], twist[3];
    carom_vec_cross(from, to, axis);
    const double cosine = carom_vec_dot(from, to), along = carom_vec_dot(axis, x) / (1.0 + cosine);
    double turned[3];
    carom_vec_cross(axis, x, turned);
    for (int k = 0; k < 3; k++)
        turned[k] += cosine * x[k] + along * axis[k];
    const bool a_turns = b->body[key->a].inertia > 0.0, b_turns = b->body[key->b].inertia > 0.0;
    double rate = 0.0;
    for (int k = 0; k < 3; k++)
        rate += to[k] * ((a_turns ? wa[k] : 0.0) + (b_turns ? wb[k] : 0.0));
    rate *= h / (a_turns && b_turns ? 2.0 : 1.0);
    carom_vec_cross(to, turned, twist);
    const double c = cos(rate), s = sin(rate), level = carom_vec_dot(to, turned);
    for (int k = 0; k < 3; k++)
        x[k] = c * turned[k] + s * twist[k] - c * level * to[k];
}

/* how far b slides past a in the step, as far as they touch, and the normal force at its end */
static void slide(struct carom_verlet_bodies_work *w, const struct carom_contacts *c, size_t j, double h,
                  double *const slid[3], double *const spring[3], double *const force[3], double *last)
{
    const struct carom_act *a = &w->start, *b = &w->end;
    const size_t width = a->columns.width;
    const double d0 = a->deform[j], d1 = b->deform[j], mean = (d1 - d0) / h;
    double early[3], late[3], one[3], two[3], vector[3], tangential[3] = {0.0};
    carom_meet_slip(w->bodies, &c->key[j], &a->meeting[j], w->drift, early);
    carom_meet_slip(w->bodies, &c->key[j], &b->meeting[j], w->drift, late);
    carom_act_tangential(a, &a->meeting[j], early, one);
    carom_act_tangential(b, &b->meeting[j], late, two);
    const double part = d0 > 0.0 ? d1 > 0.0 ? 1.0 : d0 / (d0 - d1) : d1 / (d1 - d0);
    for (size_t k = 0; k < width; k++)
        tangential[k] = 0.5 * h * part * (one[k] + two[k]);
    if (width == 3) { /* back into the plane of the end */
        carom_act_tangential(b, &b->meeting[j], tangential, vector);
        memcpy(tangential, vector, sizeof vector);
    }
    for (size_t k = 0; k < width; k++)
        slid[k][j] = tangential[k];
    for (int what = 0; what < 2; what++) {
        double *const *to = what == 0 ? spring : force;
        for (size_t k = 0; k < width; k++)
            tangential[k] = what == 0 ? c->column[a->columns.spring + k][j] : a->tangent[k][j];
        if (width == 3 && (tangential[0] != 0.0 || tangential[1] != 0.0 || tangential[2] != 0.0))
            carry(w->bodies, &c->key[j], w->drift, a->meeting[j].normal, b->meeting[j].normal, h, tangential);
        for (size_t k = 0; k < width; k++)
            to[k][j] = tangential[k];
    }
    const double rate1 = d0 > 0.0 ? 2.0 * mean - a->rate[j] : mean;
    *last = d1 > 0.0 ? b->elastic[j] + b->drag[j] * rate1 : 0.0;
}

void carom_verlet_friction_kicks(struct carom_verlet_bodies_work *w, const struct carom_state *to, double h)
{
    const struct carom_contacts *c = to->contacts;
    const size_t width = w->start.columns.width;
    for (size_t p = 0; p < c->npairings; p++) {
        const struct carom_friction *friction = w->bodies->pairing[p].friction;
        const size_t first = c->first[p], n = c->first[p + 1] - first;
        for (size_t j = first; j < first + n; j++)
            for (size_t k = 0; k < width; k++)
                w->aside[k][j] = 0.0;
        if (!friction || n == 0)
            continue;
        double *slid[3] = {w->room[0], w->room[1], w->room[2]}, *spring[3] = {w->room[3], w->room[4], w->room[5]},
               *force[3] = {w->room[6], w->room[7], w->room[8]};
        for (size_t j = first; j < first + n; j++) {
            for (size_t k = 0; k < width; k++)
                slid[k][j] = spring[k][j] = force[k][j] = 0.0;
            w->end.normal[j] = 0.0;
            if (w->start.deform[j] > 0.0 || w->end.deform[j] > 0.0)
                slide(w, c, j, h, slid, spring, force, &w->end.normal[j]);
        }
        const double *param[CAROM_FRICTION_PARAMS];
        const double *slid_at[3], *spring_at[3], *force_at[3];
        double *spring_to[3], *force_to[3], *impulse[3];
        for (size_t i = 0; i < w->bodies->nrub; i++)
            param[i] = c->column[w->start.columns.rub + i] + first;
        for (size_t k = 0; k < width; k++) {
            slid_at[k] = slid[k] + first;
            spring_at[k] = spring[k] + first;
            force_at[k] = force[k] + first;
            spring_to[k] = c->column[w->start.columns.spring + k] + first;
            force_to[k] = w->end.tangent[k] + first;
            impulse[k] = w->aside[k] + first;
        }
        double *rubbed = w->end.rate + first, *changed = w->end.slip[0] + first; /* free until the next forces */
        friction->step(&(struct carom_friction_step){.n = n,
                                                     .width = width,
                                                     .h = h,
                                                     .param = param,
                                                     .deform0 = w->start.deform + first,
                                                     .deform1 = w->end.deform + first,
                                                     .normal0 = w->start.normal + first,
                                                     .normal1 = w->end.normal + first,
                                                     .slide = slid_at,
                                                     .spring0 = spring_at,
                                                     .force0 = force_at,
                                                     .spring1 = spring_to,
                                                     .force1 = force_to,
                                                     .impulse = impulse,
                                                     .push1 = w->end.push + first,
                                                     .lost = rubbed,
                                                     .change = changed});
        for (size_t j = first; j < first + n; j++) {
            if (!(w->start.deform[j] > 0.0) && !(w->end.deform[j] > 0.0))
                continue;
            carom_verlet_bodies_lost(w, to, CAROM_RETIRED_FRICTION)[j] += rubbed[j - first];
            carom_verlet_bodies_lost(w, to, CAROM_RETIRED_CHANGE)[j] += changed[j - first];
            w->kick[j] += 0.5 * h * w->end.push[j];
            for (size_t k = 0; k < width; k++)
                w->aside[k][j] -= 0.5 * h * force[k][j]; /* what the first kick has given */
        }
    }
}
