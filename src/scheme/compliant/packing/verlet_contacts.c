/* Contacts in a step of verlet. Pairs of the list that are open cost a look at the distance of their centres; the
 * others are worked out in batches of one pairing, each read and written once. */
#include <stdint.h>
#include <string.h>

#include "carom/law.h"
#include "scheme/compliant/packing/verlet_bodies.h"

/* --- geometry ---------------------------------------------------------------------------------------------------- */

/* contact j at q; false: its bodies have run into each other */
static bool meet(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c, size_t j, const double *q,
                 struct carom_meeting *m)
{
    const size_t nq = carom_bodies_nq(w->bodies);
    const double *qa = q + c->key[j].a * nq, *qb = q + c->key[j].b * nq;
    const double du[3] = {qb[0] - qa[0], qb[1] - qa[1], w->bodies->dimension == 2 ? 0.0 : qb[2] - qa[2]};
    if (carom_verlet_has_wall(w, j))
        return carom_meet(w->bodies, &c->key[j], q, m);
    const struct carom_meet_balls balls = carom_verlet_balls(w, &c->key[j], j);
    return carom_meet_moved(&balls, du, m);
}

/* contact j of two balls as it meets, kept */
static inline void keep(const struct carom_verlet_bodies_work *w, size_t j, const struct carom_meeting *m)
{
    struct carom_verlet_contact *contact = &w->contact[j];
    contact->deform = -m->gap;
    memcpy(contact->normal, m->normal, sizeof m->normal);
    if (carom_verlet_has_wall(w, j))
        memcpy(w->arm[j], m->arm, sizeof m->arm);
}

void carom_verlet_contacts_begin(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c, size_t j,
                                 const double *q)
{
    struct carom_meeting m;
    for (size_t k = 0; k < w->start_width; k++)
        w->start[j * w->start_width + k] = 0.0;
    if (w->in_lanes[j]) {
        w->contact[j] = carom_verlet_lanes_meet(w, &c->key[j], q, j);
        return;
    }
    meet(w, c, j, q, &m);
    keep(w, j, &m);
    w->law[j] = (struct carom_verlet_law){0.0, 0.0, 0.0, 0.0};
    for (size_t way = CAROM_ROLLS; way < CAROM_WAYS; way++)
        for (size_t k = 0; k < w->columns.width[way]; k++)
            w->tangent[way][j * w->columns.width[way] + k] = 0.0;
}

/* --- batches ----------------------------------------------------------------------------------------------------- */

/* what the law says of the overlaps batch->deform[at] */
static void evaluate(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                     struct carom_verlet_batch *batch, int at)
{
    double room[CAROM_LAW_WIDTH][CAROM_VERLET_BATCH];
    const double *param[CAROM_LAW_WIDTH];
    const struct carom_pairing *pairing = &w->bodies->pairing[batch->pairing];
    for (size_t i = 0; i < w->bodies->nparams; i++)
        param[i] = carom_verlet_take_param(batch, c->column[w->columns.param + i], &pairing->param[i], room[i]);
    pairing->law->evaluate(&(struct carom_batch){.law = pairing->law,
                                                 .n = batch->n,
                                                 .param = param,
                                                 .deform = batch->deform[at],
                                                 .elastic = batch->elastic,
                                                 .viscous = batch->viscous,
                                                 .drag = batch->drag});
}

/* keeps what the law said */
static void keep_law(const struct carom_verlet_bodies_work *w, const struct carom_verlet_batch *batch)
{
    for (size_t i = 0; i < batch->n; i++)
        w->law[batch->contact[i]] =
            (struct carom_verlet_law){batch->elastic[i], batch->viscous[i], batch->drag[i], 0.0};
}

/* --- a state ----------------------------------------------------------------------------------------------------- */

/* the batch at the state, kept */
static void place_batch(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                        struct carom_verlet_batch *batch)
{
    evaluate(w, c, batch, 0);
    keep_law(w, batch);
    batch->n = 0;
}

/* adds contact j to the batch, which is as far empty as it must be */
static inline size_t join(struct carom_verlet_batch *batch, const struct carom_contacts *c, size_t j)
{
    batch->pairing = c->key[j].pairing;
    batch->contact[batch->n] = (uint32_t)j;
    return batch->n++;
}

/* must the batch be worked off before contact j joins it? */
static inline bool is_full(const struct carom_verlet_batch *batch, const struct carom_contacts *c, size_t j)
{
    return batch->n == CAROM_VERLET_BATCH || (batch->n > 0 && batch->pairing != c->key[j].pairing);
}

/* does a step change column i of the list? */
static bool changes(const struct carom_verlet_bodies_work *w, size_t i)
{
    const struct carom_columns *columns = &w->columns;
    const size_t lost = columns->lost;
    if (i < columns->lost)
        return i >= columns->spring[0] && (i < columns->phase || w->bodies->latched);
    for (size_t way = 0; way < CAROM_WAYS; way++)
        if (i == lost + CAROM_RETIRED_FRICTION + way)
            return columns->width[way] > 0;
    return i == lost + CAROM_RETIRED_VISCOUS || (i == lost + CAROM_RETIRED_CLIPPED && w->bodies->clipped) ||
           (i == lost + CAROM_RETIRED_CHANGE && w->bodies->frictional);
}

/* columns that steps change, and others with anything in them */
void carom_verlet_contacts_carry(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                                 struct carom_contacts *other, size_t i)
{
    w->carried[i] = changes(w, i);
    for (size_t j = 0; j < c->n && !w->carried[i]; j++)
        w->carried[i] = c->column[i][j] != 0.0;
    if (other->own[i])
        memcpy(other->column[i], c->column[i], c->n * sizeof(double));
}

bool carom_verlet_contacts_extra(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c)
{
    bool extra = false;
    for (size_t i = c->nfixed; i < c->ncolumns; i++)
        extra |= w->carried[i] && !changes(w, i);
    return extra;
}

/* what two bodies keep of their meeting, and whether their contact is worked out in lanes */
static void prepare(struct carom_verlet_bodies_work *w, const struct carom_contacts *c, size_t j, const double *q)
{
    const struct carom_contact_key *key = &c->key[j];
    const struct carom_body *a = &w->bodies->body[key->a], *b = &w->bodies->body[key->b];
    const struct carom_verlet_lanes *lanes = &w->lanes[key->pairing];
    struct carom_verlet_contact *contact = &w->contact[j];
    struct carom_meet_balls balls;
    const bool both = carom_meet_prepare(w->bodies, key, q, &balls);
    const bool turn = !lanes->rubs || (a->inertia > 0.0 && b->inertia > 0.0);
    contact->a = key->a * CAROM_VERLET_SHOWN;
    contact->b = key->b * CAROM_VERLET_SHOWN;
    w->centres[j].length = -1.0;
    w->in_lanes[j] = lanes->good && both && turn && a->lead < 0 && b->lead < 0;
    if (!both)
        return;
    memcpy(w->centres[j].apart, balls.apart, sizeof balls.apart);
    w->centres[j].length = balls.length;
    contact->rest = balls.gap;
}

/* contact j at the state; what a law must say of it is asked with the batch */
static void place(struct carom_verlet_bodies_work *w, const struct carom_state *state, size_t j,
                  struct carom_verlet_block *block, struct carom_verlet_batch *batch)
{
    const struct carom_contacts *c = state->contacts;
    struct carom_meeting m;
    prepare(w, c, j, state->q);
    if (!meet(w, c, j, state->q, &m) && block->wrong == SIZE_MAX)
        block->wrong = j;
    carom_verlet_contacts_begin(w, c, j, state->q);
    w->live[j] = w->contact[j].deform > 0.0 || !carom_list_is_empty(c, j) ? CAROM_VERLET_CLOSED : CAROM_VERLET_OPEN;
    if (w->live[j] == CAROM_VERLET_OPEN || w->in_lanes[j])
        return;
    if (is_full(batch, c, j))
        place_batch(w, c, batch);
    batch->deform[0][join(batch, c, j)] = w->contact[j].deform;
}

void carom_verlet_contacts_place(struct carom_verlet_bodies_work *w, const struct carom_state *state, size_t number)
{
    struct carom_verlet_block *block = &w->block[number];
    struct carom_verlet_batch batch;
    batch.n = 0;
    block->wrong = block->deep = SIZE_MAX; /* numbers of another list */
    for (size_t at = block->first; at < block->end; at++)
        place(w, state, w->member[at], block, &batch);
    if (batch.n > 0)
        place_batch(w, state->contacts, &batch);
    carom_verlet_watch_place(w, block);
}

void carom_verlet_contacts_anew(struct carom_verlet_bodies_work *w, const struct carom_state *state,
                                struct carom_contacts *other, size_t number)
{
    const struct carom_contacts *c = state->contacts;
    struct carom_verlet_block *block = &w->block[number];
    struct carom_verlet_batch batch;
    batch.n = 0;
    for (size_t at = block->first; at < block->end; at++) {
        const uint32_t j = w->member[at];
        if (!w->anew[c->key[j].a] && !w->anew[c->key[j].b])
            continue;
        const enum carom_verlet_live before = w->live[j];
        place(w, state, j, block, &batch);
        carom_verlet_watch_change(w, other, block, j, before);
    }
    if (batch.n > 0)
        place_batch(w, c, &batch);
}

/* --- forces ------------------------------------------------------------------------------------------------------ */

static void press_batch(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                        struct carom_verlet_batch *batch)
{
    const struct carom_contacts *c = from->contacts;
    const bool clips = w->bodies->pairing[batch->pairing].ending == CAROM_END_FORCE;
    const size_t nv = carom_bodies_nv(w->bodies);
    for (size_t i = 0; i < batch->n; i++) {
        const uint32_t j = batch->contact[i];
        struct carom_verlet_contact *contact = &w->contact[j];
        double vector[3];
        carom_verlet_recall(w, &c->key[j], j, &batch->start[i]);
        batch->deform[0][i] = contact->deform;
        const double rate =
            -carom_meet_pass(nv == 3, from->v + c->key[j].a * nv, from->v + c->key[j].b * nv, &batch->start[i], vector);
        const double force = w->law[j].elastic + w->law[j].drag * rate;
        *carom_verlet_rate(w, j) = batch->rate[i] = rate;
        w->law[j].force = batch->normal[0][i] = batch->along[i] = clips && !(force > 0.0) ? 0.0 : force;
        for (int k = 0; k < 3; k++)
            batch->vector[k][i] = vector[k];
    }
    if (w->bodies->frictional)
        carom_verlet_friction_moment(w, from, batch);
    carom_verlet_push_batch(w, c, batch, batch->start);
    batch->n = 0;
}

/* how many of the contacts from the first on are worked out together in lanes: of one pairing and no more than fit */
static size_t together(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                       const uint32_t *contact, size_t n)
{
    const size_t most = n < CAROM_VERLET_BATCH ? n : CAROM_VERLET_BATCH;
    size_t count = 0;
    if (!w->apart && (c->npairings == 1 || c->key[contact[0]].pairing == c->key[contact[most - 1]].pairing))
        return most; /* keys rise */
    while (count < most && w->in_lanes[contact[count]] && c->key[contact[count]].pairing == c->key[contact[0]].pairing)
        count++;
    return count;
}

void carom_verlet_contacts_press(struct carom_verlet_bodies_work *w, const struct carom_state *from, size_t number)
{
    const struct carom_contacts *c = from->contacts;
    const size_t n = w->block[number].n;
    const uint32_t *list = w->list + w->block[number].first;
    struct carom_verlet_batch batch;
    batch.n = 0;
    for (size_t at = 0; at < n;) {
        const size_t count = together(w, c, list + at, n - at);
        if (batch.n > 0 && (count > 0 || is_full(&batch, c, list[at])))
            press_batch(w, from, &batch);
        if (count > 0)
            w->passes->press(w, c, list + at, count, n - at);
        else if (w->contact[list[at]].deform > 0.0)
            join(&batch, c, list[at]);
        else if (w->push) /* something to remember, but nothing to give */
            w->push[list[at]] = (struct carom_verlet_push){{0.0}, {0.0}};
        at += count > 0 ? count : 1;
    }
    if (batch.n > 0)
        press_batch(w, from, &batch);
}

/* --- kicks ------------------------------------------------------------------------------------------------------- */

/* second kick of a contact that force ends: the trapezoid of the clipped force where a step passes the switch */
static double clipped_kick(struct carom_verlet_bodies_work *w, const struct carom_state *to,
                           const struct carom_verlet_batch *batch, size_t i, double h)
{
    const size_t j = batch->contact[i];
    const struct carom_verlet_law *a = &w->law[j];
    const double d0 = batch->deform[0][i], d1 = batch->deform[1][i], mean = (d1 - d0) / h;
    const double rate0 = *carom_verlet_rate(w, j), rate1 = d0 > 0.0 ? 2.0 * mean - rate0 : mean;
    const double force0 = a->elastic + a->drag * rate0, force1 = batch->elastic[i] + batch->drag[i] * rate1;
    const bool cut0 = d0 > 0.0 && !(force0 > 0.0), cut1 = d1 > 0.0 && !(force1 > 0.0);
    const double damper = batch->viscous[i] - a->viscous;
    const double whole = 0.5 * h * (a->elastic + batch->elastic[i]) + damper;
    if (!cut0 && !cut1 && whole >= 0.0) {
        carom_verlet_bodies_lost(w, to->contacts, CAROM_RETIRED_VISCOUS)[j] += mean * damper;
        return whole - 0.5 * h * w->law[j].force;
    }
    if (!cut0)
        carom_verlet_bodies_lost(w, to->contacts, CAROM_RETIRED_VISCOUS)[j] += 0.5 * h * a->drag * rate0 * rate0;
    else
        carom_verlet_bodies_lost(w, to->contacts, CAROM_RETIRED_CLIPPED)[j] -= 0.5 * h * a->elastic * rate0;
    if (!cut1)
        carom_verlet_bodies_lost(w, to->contacts, CAROM_RETIRED_VISCOUS)[j] += 0.5 * h * batch->drag[i] * rate1 * rate1;
    else
        carom_verlet_bodies_lost(w, to->contacts, CAROM_RETIRED_CLIPPED)[j] -= 0.5 * h * batch->elastic[i] * rate1;
    return cut1 ? 0.0 : 0.5 * h * force1;
}

/* what contact i of a batch pulls with at touch */
static double pull_of(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                      const struct carom_verlet_batch *batch, size_t i)
{
    const double *param[CAROM_LAW_WIDTH];
    for (size_t k = 0; k < w->bodies->nparams; k++)
        param[k] = c->column[w->columns.param + k];
    return w->bodies->pairing[batch->pairing].law->pull(param, batch->contact[i]);
}

static void normal_kicks(struct carom_verlet_bodies_work *w, const struct carom_state *to,
                         struct carom_verlet_batch *batch, double h)
{
    double *viscous = carom_verlet_bodies_lost(w, to->contacts, CAROM_RETIRED_VISCOUS);
    const bool clips = w->bodies->pairing[batch->pairing].ending == CAROM_END_FORCE;
    const bool pull = w->bodies->pairing[batch->pairing].law->pull != NULL;
    for (size_t i = 0; i < batch->n; i++) {
        const struct carom_verlet_law *a = &w->law[batch->contact[i]];
        const double d0 = batch->deform[0][i], d1 = batch->deform[1][i];
        batch->along[i] = 0.0;
        if (!(d0 > 0.0) && !(d1 > 0.0))
            continue;
        if (clips) {
            batch->along[i] = clipped_kick(w, to, batch, i, h);
            continue;
        }
        const double damper = batch->viscous[i] - a->viscous;
        batch->along[i] =
            0.5 * h * batch->elastic[i] + damper - 0.5 * h * a->drag * *carom_verlet_rate(w, batch->contact[i]);
        if (pull && (d0 > 0.0) != (d1 > 0.0)) /* as long as they touch, not for half the step */
            batch->along[i] += pull_of(w, to->contacts, batch, i) * (0.5 * h - h * fmax(d0, d1) / fabs(d1 - d0));
        viscous[batch->contact[i]] += (d1 - d0) / h * damper;
    }
}

static void kick_batch(struct carom_verlet_bodies_work *w, const struct carom_state *to,
                       struct carom_verlet_batch *batch, double h)
{
    evaluate(w, to->contacts, batch, 1);
    normal_kicks(w, to, batch, h);
    if (w->bodies->frictional)
        carom_verlet_friction_kicks(w, to, batch, h);
    carom_verlet_push_batch(w, to->contacts, batch, batch->end);
    keep_law(w, batch);
    for (size_t i = 0; i < batch->n; i++)
        keep(w, batch->contact[i], &batch->end[i]);
    batch->n = 0;
}

/* walls have no radius worth the name: containers are larger than what they hold */
static inline double smaller_radius(const struct carom_verlet_bodies_work *w, const struct carom_contact_key *key,
                                    size_t j)
{
    if (!carom_verlet_has_wall(w, j))
        return fmin(w->body[key->a].radius, w->body[key->b].radius);
    const struct carom_body *a = &w->bodies->body[key->a], *b = &w->bodies->body[key->b];
    return a->surface == CAROM_BALL && !a->inside ? a->radius : b->radius;
}

/* what block finds of contact j, whose gap was and is */
static inline void note(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c, size_t j, double gap0,
                        double gap1, struct carom_verlet_block *block)
{
    const bool was = gap0 < 0.0, is = gap1 < 0.0;
    block->switched |= was != is;
    block->ended |= !is;
    w->live[j] = is ? CAROM_VERLET_CLOSED : CAROM_VERLET_ENDED;
    if (block->deep == SIZE_MAX && -gap1 > 0.1 * smaller_radius(w, &c->key[j], j))
        block->deep = j;
}

bool carom_verlet_contacts_touch(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c, size_t j,
                                 const double *q)
{
    struct carom_meeting m;
    if (w->in_lanes[j])
        return carom_verlet_lanes_meet(w, &c->key[j], q, j).deform > 0.0;
    meet(w, c, j, q, &m);
    return m.gap < 0.0;
}

/* what is remembered of a contact, from state to state */
static void carry(const struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                  const struct carom_contacts *to, size_t j)
{
    for (size_t i = to->nfixed; i < to->ncolumns; i++)
        if (w->carried[i])
            to->column[i][j] = from->column[i][j];
}

/* contact j of a batch */
static void join_kick(struct carom_verlet_bodies_work *w, const struct carom_state *from, const struct carom_state *to,
                      size_t j, struct carom_verlet_batch *batch, struct carom_verlet_block *block)
{
    const struct carom_contacts *c = to->contacts;
    const size_t i = join(batch, c, j);
    carry(w, from->contacts, c, j);
    carom_verlet_recall(w, &c->key[j], j, &batch->start[i]);
    if (!meet(w, c, j, to->q, &batch->end[i]) && block->wrong == SIZE_MAX)
        block->wrong = j;
    note(w, c, j, batch->start[i].gap, batch->end[i].gap, block);
    batch->deform[0][i] = -batch->start[i].gap;
    batch->deform[1][i] = -batch->end[i].gap;
}

void carom_verlet_contacts_kick(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                                const struct carom_state *to, size_t number, double h)
{
    const struct carom_contacts *c = to->contacts;
    struct carom_verlet_block block = w->block[number];
    struct carom_verlet_batch batch;
    const uint32_t *list = w->list + block.first;
    batch.n = 0;
    block.wrong = block.deep = SIZE_MAX;
    block.switched = block.ended = false;
    carom_verlet_watch_drift(w, from, to, &block);
    for (size_t at = 0; at < block.n && w->extras; at++)
        carry(w, from->contacts, c, list[at]);
    for (size_t at = 0; at < block.n;) {
        const size_t count = together(w, c, list + at, block.n - at);
        if (batch.n > 0 && (count > 0 || is_full(&batch, c, list[at])))
            kick_batch(w, to, &batch, h);
        if (count > 0)
            w->passes->kick(w, from->contacts, c, list + at, count, block.n - at, h, &block);
        else
            join_kick(w, from, to, list[at], &batch, &block);
        at += count > 0 ? count : 1;
    }
    if (batch.n > 0)
        kick_batch(w, to, &batch, h);
    w->block[number] = block;
}
