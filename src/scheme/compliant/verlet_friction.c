/* Friction in a step of verlet: how far contacts slide, springs carried along with their contact's plane, and what the
 * friction laws make of it. */
#include <string.h>

#include "base/vec.h"
#include "scheme/compliant/verlet_bodies.h"

/* How a contact's plane turns in a step: from one normal to another, and about that with the bodies' mean spin. */
struct turning {
    double to[3], axis[3], cosine, c, s;
};

static inline void turning_of(const struct carom_bodies *b, const struct carom_contact_key *key, const double *spin_of,
                              const double from[3], const double to[3], double h, struct turning *out)
{
    const size_t nv = carom_bodies_nv(b);
    const double *wa = spin_of + key->a * nv + 3, *wb = spin_of + key->b * nv + 3;
    const bool a_turns = b->body[key->a].inertia > 0.0, b_turns = b->body[key->b].inertia > 0.0;
    double rate = 0.0;
    for (int k = 0; k < 3; k++)
        rate += to[k] * ((a_turns ? wa[k] : 0.0) + (b_turns ? wb[k] : 0.0));
    const double half = 0.5 * h * rate / (a_turns && b_turns ? 2.0 : 1.0), square = half * half;
    memcpy(out->to, to, sizeof out->to);
    carom_vec_cross(from, to, out->axis);
    out->cosine = carom_vec_dot(from, to);
    out->c = (1.0 - square) / (1.0 + square); /* a rotation by that angle to third order, and exactly a rotation */
    out->s = 2.0 * half / (1.0 + square);
}

/* a tangential vector of space carried along */
static inline void carry(const struct turning *t, double x[3])
{
    double turned[3], twist[3];
    const double along = carom_vec_dot(t->axis, x) / (1.0 + t->cosine);
    carom_vec_cross(t->axis, x, turned);
    for (int k = 0; k < 3; k++)
        turned[k] += t->cosine * x[k] + along * t->axis[k];
    carom_vec_cross(t->to, turned, twist);
    const double level = carom_vec_dot(t->to, turned);
    for (int k = 0; k < 3; k++)
        x[k] = t->c * turned[k] + t->s * twist[k] - t->c * level * t->to[k];
}

/* the columns of a step of one way: how far contacts slide, springs and forces at its start, turned with the contact */
struct ways {
    double *const *slid, *const *spring, *const *force;
};

/* how far contact j gives way in the step, as far as its bodies touch */
static inline void slide(struct carom_verlet_bodies_work *w, const struct carom_contacts *c, size_t j, double h,
                         enum carom_way way, size_t width, const struct ways *to)
{
    const struct carom_act *a = &w->start, *b = &w->end;
    const double d0 = a->deform[j], d1 = b->deform[j];
    double early[3], late[3], vector[3], tangential[3] = {0.0};
    carom_act_slip(a, &c->key[j], &a->meeting[j], w->drift, way, early);
    carom_act_slip(b, &c->key[j], &b->meeting[j], w->drift, way, late);
    const double part = d0 > 0.0 ? d1 > 0.0 ? 1.0 : d0 / (d0 - d1) : d1 / (d1 - d0);
    for (size_t k = 0; k < width; k++)
        tangential[k] = 0.5 * h * part * (early[k] + late[k]);
    if (width == 3) { /* back into the plane of the end */
        carom_act_tangential(b, &b->meeting[j], tangential, vector);
        memcpy(tangential, vector, sizeof vector);
    }
    for (size_t k = 0; k < width; k++)
        to->slid[k][j] = tangential[k];
    struct turning turning;
    if (width == 3)
        turning_of(w->bodies, &c->key[j], w->drift, a->meeting[j].normal, b->meeting[j].normal, h, &turning);
    for (int what = 0; what < 2; what++) {
        double *const *column = what == 0 ? to->spring : to->force;
        for (size_t k = 0; k < width; k++)
            tangential[k] = what == 0 ? c->column[a->columns.spring[way] + k][j] : a->tangent[way][k][j];
        if (width == 3)
            carry(&turning, tangential);
        for (size_t k = 0; k < width; k++)
            column[k][j] = tangential[k];
    }
}

/* the normal force at the end of the step as far as it is known without the velocities there */
static double last_normal(const struct carom_verlet_bodies_work *w, size_t j, double h)
{
    const struct carom_act *a = &w->start, *b = &w->end;
    const double d0 = a->deform[j], d1 = b->deform[j], mean = (d1 - d0) / h;
    const double rate1 = d0 > 0.0 ? 2.0 * mean - a->rate[j] : mean;
    return d1 > 0.0 ? b->elastic[j] + b->drag[j] * rate1 : 0.0;
}

/* what the law makes of the ways of n contacts from `first` on */
static void answer(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                   const struct carom_friction *friction, enum carom_way way, size_t first, size_t n, double h,
                   const struct ways *ways)
{
    const double *param[CAROM_FRICTION_PARAMS], *slid[3], *spring[3], *force[3];
    double *spring_to[3], *force_to[3], *impulse[3];
    for (size_t i = 0; i < w->bodies->nrub[way]; i++)
        param[i] = c->column[w->start.columns.rub[way] + i] + first;
    for (size_t k = 0; k < w->start.columns.width[way]; k++) {
        slid[k] = ways->slid[k] + first;
        spring[k] = ways->spring[k] + first;
        force[k] = ways->force[k] + first;
        spring_to[k] = c->column[w->start.columns.spring[way] + k] + first;
        force_to[k] = w->end.tangent[way][k] + first;
        impulse[k] = w->aside[way][k] + first;
    }
    friction->step(&(struct carom_friction_step){.n = n,
                                                 .width = w->start.columns.width[way],
                                                 .h = h,
                                                 .step = w->start.step,
                                                 .mobility = c->column[w->start.columns.mobility[way]] + first,
                                                 .param = param,
                                                 .deform0 = w->start.deform + first,
                                                 .deform1 = w->end.deform + first,
                                                 .normal0 = w->start.normal + first,
                                                 .normal1 = w->end.normal + first,
                                                 .slide = slid,
                                                 .spring0 = spring,
                                                 .force0 = force,
                                                 .spring1 = spring_to,
                                                 .force1 = force_to,
                                                 .impulse = impulse,
                                                 .push1 = w->end.push[way] + first,
                                                 .lost = w->end.rubbed[way] + first,
                                                 .change = w->end.change[way] + first});
}

/* contacts [first, last) of pairing p, one way, whose width is known to the compiler */
static inline void kicks(struct carom_verlet_bodies_work *w, const struct carom_state *to, size_t p, enum carom_way way,
                         size_t width, size_t first, size_t last, double h)
{
    const struct carom_contacts *c = to->contacts;
    const struct carom_friction *friction = carom_pairing_resists(&w->bodies->pairing[p], way);
    const struct ways ways = {w->room, w->room + 3, w->room + 6};
    for (size_t k = 0; k < width; k++)
        for (size_t j = first; j < last; j++)
            w->aside[way][k][j] = ways.slid[k][j] = ways.spring[k][j] = ways.force[k][j] = 0.0;
    if (!friction)
        return;
    for (size_t j = first; j < last; j++)
        if (w->start.deform[j] > 0.0 || w->end.deform[j] > 0.0)
            slide(w, c, j, h, way, width, &ways);
    answer(w, c, friction, way, first, last - first, h, &ways);
    const enum carom_retired mechanism = (enum carom_retired)(CAROM_RETIRED_FRICTION + way);
    for (size_t j = first; j < last; j++) {
        if (!(w->start.deform[j] > 0.0) && !(w->end.deform[j] > 0.0))
            continue;
        carom_verlet_bodies_lost(w, to, mechanism)[j] += w->end.rubbed[way][j];
        carom_verlet_bodies_lost(w, to, CAROM_RETIRED_CHANGE)[j] += w->end.change[way][j];
        w->kick[j] += 0.5 * h * w->end.push[way][j];
        for (size_t k = 0; k < width; k++)
            w->aside[way][k][j] -= 0.5 * h * ways.force[k][j]; /* what the first kick has given */
    }
}

void carom_verlet_friction_kicks(struct carom_verlet_bodies_work *w, const struct carom_state *to, size_t first,
                                 size_t last, double h)
{
    const struct carom_contacts *c = to->contacts;
    for (size_t j = first; j < last; j++)
        w->end.normal[j] = last_normal(w, j, h);
    for (size_t p = 0; p < c->npairings; p++) {
        const size_t low = c->first[p] > first ? c->first[p] : first,
                     high = c->first[p + 1] < last ? c->first[p + 1] : last;
        for (int way = 0; way < CAROM_WAYS && low < high; way++)
            if (w->start.columns.width[way] == 3)
                kicks(w, to, p, (enum carom_way)way, 3, low, high, h);
            else if (w->start.columns.width[way] == 1)
                kicks(w, to, p, (enum carom_way)way, 1, low, high, h);
    }
}
