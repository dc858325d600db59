/* Friction in a step of verlet: how far contacts slide, springs carried along with their contact's plane, and what the
 * friction laws make of it. */
#include <string.h>

#include "carom/friction.h"
#include "scheme/compliant/packing/verlet_bodies.h"
#include "scheme/turning.h"

/* numbers of a batch by the coordinates of one way: how far contacts slide, springs and forces at the start of a step,
 * turned with the contact */
typedef double columns[3][CAROM_VERLET_BATCH];
struct ways {
    columns slid, spring, force;
};

/* contact i of the batch has no way to give in this step */
static inline void rest(struct ways *ways, size_t i, size_t width)
{
    for (size_t k = 0; k < width; k++)
        ways->slid[k][i] = ways->spring[k][i] = ways->force[k][i] = 0.0;
}

/* how fast a contact gives way in the step */
static inline void past(const struct carom_verlet_bodies_work *w, const struct carom_contact_key *key,
                        const struct carom_meeting *m, enum carom_way way, size_t width, double *slip)
{
    double vector[3];
    if (way != CAROM_SLIDES) {
        carom_meet_way(w->bodies, key, m, w->drift, way, slip);
        return;
    }
    const size_t nv = width == 1 ? 3 : 6;
    carom_meet_pass(width == 1, w->drift + nv * key->a, w->drift + nv * key->b, m, vector);
    carom_meet_tangential(width == 1, m, vector, slip);
}

/* how far contact i of the batch gives way in the step, as far as its bodies touch */
static inline void slide(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                         const struct carom_verlet_batch *batch, size_t i, double h, enum carom_way way, size_t width,
                         struct ways *to)
{
    const size_t j = batch->contact[i];
    const struct carom_meeting *a = &batch->start[i], *b = &batch->end[i];
    const double d0 = batch->deform[0][i], d1 = batch->deform[1][i];
    double early[3] = {0.0}, late[3] = {0.0}, vector[3] = {0.0}, tangential[3] = {0.0};
    past(w, &c->key[j], a, way, width, early);
    past(w, &c->key[j], b, way, width, late);
    const double part = d0 > 0.0 ? d1 > 0.0 ? 1.0 : d0 / (d0 - d1) : d1 / (d1 - d0);
    for (size_t k = 0; k < width; k++)
        tangential[k] = 0.5 * h * part * (early[k] + late[k]);
    if (width == 3) { /* back into the plane of the end */
        carom_meet_tangential(false, b, tangential, vector);
        memcpy(tangential, vector, sizeof vector);
    }
    for (size_t k = 0; k < width; k++)
        to->slid[k][i] = tangential[k];
    struct carom_turning turning;
    if (width == 3)
        carom_turning_of(w->bodies, &c->key[j], w->drift, a->normal, b->normal, h, &turning);
    for (int what = 0; what < 2; what++) {
        double(*column)[CAROM_VERLET_BATCH] = what == 0 ? to->spring : to->force;
        for (size_t k = 0; k < width; k++)
            tangential[k] = what == 0 ? c->column[w->columns.spring[way] + k][j] : carom_verlet_tangent(w, j, way)[k];
        if (width == 3)
            carom_turning_carry(&turning, tangential);
        for (size_t k = 0; k < width; k++)
            column[k][i] = tangential[k];
    }
}

/* the normal force of contact i at the end of the step as far as it is known without the velocities there */
static double last_normal(const struct carom_verlet_bodies_work *w, const struct carom_verlet_batch *batch, size_t i,
                          double h)
{
    const double d0 = batch->deform[0][i], d1 = batch->deform[1][i], mean = (d1 - d0) / h;
    const double rate1 = d0 > 0.0 ? 2.0 * mean - *carom_verlet_rate(w, batch->contact[i]) : mean;
    return d1 > 0.0 ? batch->elastic[i] + batch->drag[i] * rate1 : 0.0;
}

/* what laws are told of a contact: parameters, and the slip that an impulse of 1 makes */
struct told {
    const double *param[CAROM_FRICTION_PARAMS], *mobility;
    double room[CAROM_FRICTION_PARAMS + 1][CAROM_VERLET_BATCH];
};

static void tell(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                 const struct carom_verlet_batch *batch, enum carom_way way, struct told *told)
{
    const struct carom_pairing *pairing = &w->bodies->pairing[batch->pairing];
    const struct carom_scaled *const all[CAROM_WAYS] = {pairing->rub, pairing->roll, pairing->twist};
    for (size_t i = 0; i < w->bodies->nrub[way]; i++)
        told->param[i] =
            carom_verlet_take_param(batch, c->column[w->columns.rub[way] + i], &all[way][i], told->room[i]);
    told->mobility = carom_verlet_take(batch, c->column[w->columns.mobility[way]], told->room[CAROM_FRICTION_PARAMS]);
}

/* which contacts of a batch slip in one of the ways, where sticking is another matter; else NULL */
static const bool *slipping(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                            const struct carom_verlet_batch *batch, enum carom_way way, bool *room)
{
    const double *phase = c->column[w->columns.phase + (size_t)way];
    for (size_t i = 0; w->bodies->latched && i < batch->n; i++)
        room[i] = phase[batch->contact[i]] != 0.0;
    return w->bodies->latched ? room : NULL;
}

/* one way of a batch at a moment, whose width is known to the compiler */
static inline void moment(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                          struct carom_verlet_batch *batch, enum carom_way way, size_t width)
{
    const struct carom_contacts *c = from->contacts;
    const struct carom_friction *friction = carom_pairing_resists(&w->bodies->pairing[batch->pairing], way);
    double(*force)[CAROM_VERLET_BATCH] = batch->aside[way], push[CAROM_VERLET_BATCH];
    columns slip, room;
    const double *slips[3], *spring[3];
    double *forces[3];
    struct told told;
    bool slips_now[CAROM_VERLET_BATCH];
    for (size_t i = 0; i < batch->n; i++) {
        const double vector[3] = {batch->vector[0][i], batch->vector[1][i], batch->vector[2][i]};
        double of[3] = {0.0};
        if (way == CAROM_SLIDES)
            carom_meet_tangential(width == 1, &batch->start[i], vector, of);
        else
            carom_meet_way(w->bodies, &c->key[batch->contact[i]], &batch->start[i], from->v, way, of);
        push[i] = 0.0;
        for (size_t k = 0; k < width; k++) {
            slip[k][i] = of[k];
            force[k][i] = 0.0;
        }
    }
    for (size_t k = 0; k < width; k++) {
        slips[k] = slip[k];
        spring[k] = carom_verlet_take(batch, c->column[w->columns.spring[way] + k], room[k]);
        forces[k] = force[k];
    }
    if (friction) {
        tell(w, c, batch, way, &told);
        friction->moment(&(struct carom_friction_moment){.n = batch->n,
                                                         .width = width,
                                                         .param = told.param,
                                                         .deform = batch->deform[0],
                                                         .rate = batch->rate,
                                                         .normal = batch->normal[0],
                                                         .slip = slips,
                                                         .spring = spring,
                                                         .step = w->step_size,
                                                         .mobility = told.mobility,
                                                         .slips = slipping(w, c, batch, way, slips_now),
                                                         .force = forces,
                                                         .push = push});
    }
    for (size_t i = 0; i < batch->n; i++) {
        batch->along[i] += push[i];
        for (size_t k = 0; k < width; k++)
            carom_verlet_tangent(w, batch->contact[i], way)[k] = force[k][i];
    }
}

void carom_verlet_friction_moment(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                                  struct carom_verlet_batch *batch)
{
    for (int way = 0; way < CAROM_WAYS; way++)
        if (w->columns.width[way] == 3)
            moment(w, from, batch, (enum carom_way)way, 3);
        else if (w->columns.width[way] == 1)
            moment(w, from, batch, (enum carom_way)way, 1);
}

/* what the law makes of the ways of a batch */
static inline void answer(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                          const struct carom_friction *friction, struct carom_verlet_batch *batch, enum carom_way way,
                          size_t width, double h, const struct ways *ways, columns after, double *push, double *lost,
                          double *change)
{
    bool slips[2][CAROM_VERLET_BATCH];
    const double *slid[3], *spring[3], *force[3];
    double *spring_to[3], *force_to[3], *impulse[3];
    columns left; /* the force at the end is asked for again, with the velocities there */
    struct told told;
    tell(w, c, batch, way, &told);
    for (size_t k = 0; k < width; k++) {
        slid[k] = ways->slid[k];
        spring[k] = ways->spring[k];
        force[k] = ways->force[k];
        spring_to[k] = after[k];
        force_to[k] = left[k];
        impulse[k] = batch->aside[way][k];
    }
    friction->step(&(struct carom_friction_step){.n = batch->n,
                                                 .width = width,
                                                 .h = h,
                                                 .step = w->step_size,
                                                 .mobility = told.mobility,
                                                 .param = told.param,
                                                 .deform0 = batch->deform[0],
                                                 .deform1 = batch->deform[1],
                                                 .normal0 = batch->normal[0],
                                                 .normal1 = batch->normal[1],
                                                 .slide = slid,
                                                 .spring0 = spring,
                                                 .force0 = force,
                                                 .slips0 = slipping(w, c, batch, way, slips[0]),
                                                 .slips1 = w->bodies->latched ? slips[1] : NULL,
                                                 .spring1 = spring_to,
                                                 .force1 = force_to,
                                                 .impulse = impulse,
                                                 .push1 = push,
                                                 .lost = lost,
                                                 .change = change});
    for (size_t i = 0; w->bodies->latched && i < batch->n; i++)
        c->column[w->columns.phase + (size_t)way][batch->contact[i]] = slips[1][i] ? -1.0 : 0.0;
}

/* one way of a batch, whose width is known to the compiler */
static inline void kicks(struct carom_verlet_bodies_work *w, const struct carom_state *to,
                         struct carom_verlet_batch *batch, enum carom_way way, size_t width, double h)
{
    const struct carom_contacts *c = to->contacts;
    const struct carom_friction *friction = carom_pairing_resists(&w->bodies->pairing[batch->pairing], way);
    const enum carom_retired mechanism = (enum carom_retired)((int)CAROM_RETIRED_FRICTION + (int)way);
    double push[CAROM_VERLET_BATCH], lost[CAROM_VERLET_BATCH], change[CAROM_VERLET_BATCH];
    columns after;
    struct ways ways;
    for (size_t i = 0; i < batch->n; i++) {
        for (size_t k = 0; k < width; k++)
            batch->aside[way][k][i] = 0.0;
        if (friction && (batch->deform[0][i] > 0.0 || batch->deform[1][i] > 0.0))
            slide(w, c, batch, i, h, way, width, &ways);
        else
            rest(&ways, i, width);
    }
    if (!friction)
        return;
    answer(w, c, friction, batch, way, width, h, &ways, after, push, lost, change);
    for (size_t i = 0; i < batch->n; i++) {
        const size_t j = batch->contact[i];
        for (size_t k = 0; k < width; k++)
            c->column[w->columns.spring[way] + k][j] = after[k][i];
        if (!(batch->deform[0][i] > 0.0) && !(batch->deform[1][i] > 0.0))
            continue;
        carom_verlet_bodies_lost(w, c, mechanism)[j] += lost[i];
        carom_verlet_bodies_lost(w, c, CAROM_RETIRED_CHANGE)[j] += change[i];
        batch->along[i] += 0.5 * h * push[i];
        for (size_t k = 0; k < width; k++)
            batch->aside[way][k][i] -= 0.5 * h * ways.force[k][i]; /* what the first kick has given */
    }
}

void carom_verlet_friction_kicks(struct carom_verlet_bodies_work *w, const struct carom_state *to,
                                 struct carom_verlet_batch *batch, double h)
{
    for (size_t i = 0; i < batch->n; i++) {
        batch->normal[0][i] = w->law[batch->contact[i]].force;
        batch->normal[1][i] = last_normal(w, batch, i, h);
    }
    for (int way = 0; way < CAROM_WAYS; way++)
        if (w->columns.width[way] == 3)
            kicks(w, to, batch, (enum carom_way)way, 3, h);
        else if (w->columns.width[way] == 1)
            kicks(w, to, batch, (enum carom_way)way, 1, h);
}
