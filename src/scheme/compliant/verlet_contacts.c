/* Contacts in a step of verlet. Pairs of the list that are open cost a look at the distance of their centres; the
 * others are worked out in batches of one pairing, each read and written once. */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "scheme/compliant/verlet_bodies.h"

enum { AHEAD = 16 }; /* contacts whose numbers are called for before they are needed */

static size_t end_of(size_t block, size_t n)
{
    const size_t first = block * CAROM_VERLET_BLOCK;
    return n - first < CAROM_VERLET_BLOCK ? n : first + CAROM_VERLET_BLOCK;
}

/* --- room -------------------------------------------------------------------------------------------------------- */

/* the arrays and what one contact takes of them */
struct array {
    void **at;
    size_t size;
};

enum { ARRAYS = 8 + CAROM_WAYS };

/* arrays that the model does without have size 0 */
static void arrays_of(struct carom_verlet_bodies_work *w, bool shared, struct array all[ARRAYS])
{
    const struct array own[8] = {
        {(void **)&w->contact, sizeof *w->contact},
        {(void **)&w->live, sizeof *w->live},
        {(void **)&w->list, sizeof *w->list},
        {(void **)&w->block, sizeof *w->block},
        {(void **)&w->arm, w->search.nwalls > 0 ? sizeof *w->arm : 0},
        {(void **)&w->push, w->bodies && w->bodies->nleads > 0 ? sizeof *w->push : 0},
        {(void **)&w->share, shared ? sizeof *w->share : 0},
        {(void **)&w->shares, shared ? sizeof *w->shares : 0},
    };
    memcpy(all, own, sizeof own);
    for (size_t way = 0; way < CAROM_WAYS; way++)
        all[8 + way] = (struct array){(void **)&w->tangent[way], w->columns.width[way] * sizeof(double)};
}

bool carom_verlet_contacts_reserve(struct carom_verlet_bodies_work *w, size_t n, bool shared)
{
    struct array all[ARRAYS];
    if (n <= w->contacts && w->contact)
        return true;
    const size_t room = n + n / 4 + 16;
    arrays_of(w, shared, all);
    for (size_t i = 0; i < ARRAYS; i++) {
        const bool blocks = all[i].at == (void **)&w->block;
        const size_t part = blocks ? CAROM_VERLET_BLOCK : 1;
        if (all[i].size == 0)
            continue;
        void *grown =
            carom_memory_grow(*all[i].at, (w->contacts + part - 1) / part, (room + part - 1) / part, all[i].size);
        if (!grown)
            return false;
        *all[i].at = grown;
    }
    w->contacts = room;
    return true;
}

void carom_verlet_contacts_free(struct carom_verlet_bodies_work *w)
{
    struct array all[ARRAYS];
    arrays_of(w, true, all);
    for (size_t i = 0; i < ARRAYS; i++)
        carom_memory_free(*all[i].at);
}

/* --- geometry ---------------------------------------------------------------------------------------------------- */

/* contact j at q; false: its bodies have run into each other */
static bool meet(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c, size_t j, const double *q,
                 struct carom_meeting *m)
{
    const size_t nq = carom_bodies_nq(w->bodies);
    const double *qa = q + c->key[j].a * nq, *qb = q + c->key[j].b * nq;
    const double du[3] = {qb[0] - qa[0], qb[1] - qa[1], w->bodies->dimension == 2 ? 0.0 : qb[2] - qa[2]};
    if (carom_verlet_has_wall(&w->contact[j]))
        return carom_meet(w->bodies, &c->key[j], q, m);
    return carom_meet_moved(&w->contact[j].balls, du, m);
}

/* the same at the end of the step; contacts that are `open` and whose balls are so far apart that they stay so are not
 * worked out, their gap is HUGE_VAL */
static inline bool meet_again(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c, size_t j,
                              const double *q, bool open, struct carom_meeting *m)
{
    const struct carom_verlet_contact *contact = &w->contact[j];
    const struct carom_meet_balls *balls = &contact->balls;
    const double *ua = w->body[c->key[j].a].u, *ub = w->body[c->key[j].b].u;
    const double du[3] = {ub[0] - ua[0], ub[1] - ua[1], ub[2] - ua[2]};
    double square = 0.0;
    if (carom_verlet_has_wall(contact))
        return carom_meet(w->bodies, &c->key[j], q, m);
    for (int k = 0; k < 3; k++)
        square += (balls->apart[k] + du[k]) * (balls->apart[k] + du[k]);
    m->gap = HUGE_VAL;
    return (open && square > balls->near) || carom_meet_moved(balls, du, m);
}

static inline void keep(const struct carom_verlet_bodies_work *w, size_t j, const struct carom_meeting *m)
{
    w->contact[j].gap = m->gap;
    memcpy(w->contact[j].normal, m->normal, sizeof m->normal);
    if (carom_verlet_has_wall(&w->contact[j]))
        memcpy(w->arm[j], m->arm, sizeof m->arm);
}

/* nothing is known of contact j but that it gives no force */
static void still(const struct carom_verlet_bodies_work *w, size_t j)
{
    w->contact[j] = (struct carom_verlet_contact){.balls = w->contact[j].balls};
    for (size_t way = 0; way < CAROM_WAYS; way++)
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
    pairing->law->evaluate(&(struct carom_batch){.n = batch->n,
                                                 .param = param,
                                                 .deform = batch->deform[at],
                                                 .elastic = batch->elastic,
                                                 .viscous = batch->viscous,
                                                 .drag = batch->drag});
}

/* keeps what the law said */
static void keep_law(const struct carom_verlet_bodies_work *w, const struct carom_verlet_batch *batch)
{
    for (size_t i = 0; i < batch->n; i++) {
        struct carom_verlet_contact *contact = &w->contact[batch->contact[i]];
        contact->elastic = batch->elastic[i];
        contact->viscous = batch->viscous[i];
        contact->drag = batch->drag[i];
    }
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

/* what steps must carry from state to state: columns that they change, and others with anything in them */
static void note_carried(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                         struct carom_contacts *other)
{
    for (size_t i = c->nfixed; i < c->ncolumns; i++) {
        w->carried[i] = changes(w, i);
        for (size_t j = 0; j < c->n && !w->carried[i]; j++)
            w->carried[i] = c->column[i][j] != 0.0;
        if (!w->carried[i])
            memset(other->column[i], 0, c->n * sizeof(double));
    }
}

size_t carom_verlet_contacts_place(struct carom_verlet_bodies_work *w, const struct carom_state *state,
                                   struct carom_state *other)
{
    const struct carom_contacts *c = state->contacts;
    note_carried(w, c, other->contacts);
    struct carom_verlet_batch batch = {.n = 0};
    struct carom_meeting m;
    size_t wrong = c->n;
    for (size_t j = 0; j < c->n; j++) {
        struct carom_verlet_block *block = &w->block[j / CAROM_VERLET_BLOCK];
        if (j % CAROM_VERLET_BLOCK == 0)
            block->n = 0;
        carom_meet_prepare(w->bodies, &c->key[j], state->q, &w->contact[j].balls);
        if (!meet(w, c, j, state->q, &m) && wrong == c->n)
            wrong = j;
        w->live[j] = -m.gap > 0.0 || !carom_list_is_empty(c, j) ? CAROM_VERLET_CLOSED : CAROM_VERLET_OPEN;
        if (w->live[j] == CAROM_VERLET_OPEN)
            continue;
        w->list[j / CAROM_VERLET_BLOCK * CAROM_VERLET_BLOCK + block->n++] = (uint32_t)j;
        still(w, j);
        keep(w, j, &m);
        if (is_full(&batch, c, j))
            place_batch(w, c, &batch);
        batch.deform[0][join(&batch, c, j)] = -m.gap;
    }
    if (batch.n > 0)
        place_batch(w, c, &batch);
    return wrong;
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
        carom_verlet_recall(w, j, &batch->start[i]);
        batch->deform[0][i] = -contact->gap;
        const double rate =
            -carom_meet_pass(nv == 3, from->v + c->key[j].a * nv, from->v + c->key[j].b * nv, &batch->start[i], vector);
        const double force = contact->elastic + contact->drag * rate;
        contact->rate = batch->rate[i] = rate;
        contact->force = batch->normal[0][i] = batch->along[i] = clips && !(force > 0.0) ? 0.0 : force;
        for (int k = 0; k < 3; k++)
            batch->vector[k][i] = vector[k];
    }
    if (w->bodies->frictional)
        carom_verlet_friction_moment(w, from, batch);
    carom_verlet_push_batch(w, c, batch, batch->start);
    batch->n = 0;
}

void carom_verlet_contacts_press(struct carom_verlet_bodies_work *w, const struct carom_state *from, size_t block)
{
    const struct carom_contacts *c = from->contacts;
    const size_t first = block * CAROM_VERLET_BLOCK, nv = carom_bodies_nv(w->bodies);
    struct carom_verlet_batch batch;
    batch.n = 0;
    if (w->shares)
        memset(w->shares + first, 0, end_of(block, c->n) - first);
    for (size_t at = 0; at < w->block[block].n; at++) {
        const uint32_t j = w->list[first + at];
        if (!(w->contact[j].gap < 0.0)) { /* with nothing but something to remember */
            if (w->push)
                w->push[j] = (struct carom_verlet_push){{0.0}, {0.0}};
            continue;
        }
        if (is_full(&batch, c, j))
            press_batch(w, from, &batch);
        if (at + AHEAD < w->block[block].n) {
            const uint32_t next = w->list[first + at + AHEAD];
            const size_t second = c->key[next].b * nv;
            __builtin_prefetch(from->v + second);
            __builtin_prefetch(from->v + second + nv - 1);
            __builtin_prefetch(w->force + second, 1);
            __builtin_prefetch(w->force + second + nv - 1, 1);
            __builtin_prefetch(&w->contact[next].gap);
        }
        join(&batch, c, j);
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
    const struct carom_verlet_contact *a = &w->contact[j];
    const double d0 = batch->deform[0][i], d1 = batch->deform[1][i], mean = (d1 - d0) / h;
    const double rate0 = a->rate, rate1 = d0 > 0.0 ? 2.0 * mean - rate0 : mean;
    const double force0 = a->elastic + a->drag * rate0, force1 = batch->elastic[i] + batch->drag[i] * rate1;
    const bool cut0 = d0 > 0.0 && !(force0 > 0.0), cut1 = d1 > 0.0 && !(force1 > 0.0);
    const double damper = batch->viscous[i] - a->viscous;
    const double whole = 0.5 * h * (a->elastic + batch->elastic[i]) + damper;
    if (!cut0 && !cut1 && whole >= 0.0) {
        carom_verlet_bodies_lost(w, to, CAROM_RETIRED_VISCOUS)[j] += mean * damper;
        return whole - 0.5 * h * a->force;
    }
    if (!cut0)
        carom_verlet_bodies_lost(w, to, CAROM_RETIRED_VISCOUS)[j] += 0.5 * h * a->drag * rate0 * rate0;
    else
        carom_verlet_bodies_lost(w, to, CAROM_RETIRED_CLIPPED)[j] -= 0.5 * h * a->elastic * rate0;
    if (!cut1)
        carom_verlet_bodies_lost(w, to, CAROM_RETIRED_VISCOUS)[j] += 0.5 * h * batch->drag[i] * rate1 * rate1;
    else
        carom_verlet_bodies_lost(w, to, CAROM_RETIRED_CLIPPED)[j] -= 0.5 * h * batch->elastic[i] * rate1;
    return cut1 ? 0.0 : 0.5 * h * force1;
}

static void normal_kicks(struct carom_verlet_bodies_work *w, const struct carom_state *to,
                         struct carom_verlet_batch *batch, double h)
{
    double *viscous = carom_verlet_bodies_lost(w, to, CAROM_RETIRED_VISCOUS);
    const bool clips = w->bodies->pairing[batch->pairing].ending == CAROM_END_FORCE;
    for (size_t i = 0; i < batch->n; i++) {
        const struct carom_verlet_contact *a = &w->contact[batch->contact[i]];
        const double d0 = batch->deform[0][i], d1 = batch->deform[1][i];
        batch->along[i] = 0.0;
        if (!(d0 > 0.0) && !(d1 > 0.0))
            continue;
        if (clips) {
            batch->along[i] = clipped_kick(w, to, batch, i, h);
            continue;
        }
        const double damper = batch->viscous[i] - a->viscous;
        batch->along[i] = 0.5 * h * batch->elastic[i] + damper - 0.5 * h * a->drag * a->rate;
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
                                    const struct carom_verlet_contact *contact)
{
    if (!carom_verlet_has_wall(contact))
        return fmin(contact->balls.radius[0], contact->balls.radius[1]);
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
    if (block->deep == SIZE_MAX && -gap1 > 0.1 * smaller_radius(w, &c->key[j], &w->contact[j]))
        block->deep = j;
}

void carom_verlet_contacts_kick(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                                const struct carom_state *to, size_t number, double h)
{
    const struct carom_contacts *c = to->contacts;
    const size_t first = number * CAROM_VERLET_BLOCK, last = end_of(number, c->n), nv = carom_bodies_nv(w->bodies);
    struct carom_verlet_block block = {.wrong = SIZE_MAX, .deep = SIZE_MAX};
    struct carom_verlet_batch batch;
    batch.n = 0;
    for (size_t i = c->nfixed; i < c->ncolumns; i++)
        if (w->carried[i])
            memcpy(c->column[i] + first, from->contacts->column[i] + first, (last - first) * sizeof(double));
    if (w->shares)
        memset(w->shares + first, 0, last - first);
    for (size_t j = first; j < last; j++) {
        const bool live = w->live[j] != CAROM_VERLET_OPEN;
        if (j + AHEAD < c->n) { /* bodies are numbered as they please: the second one is called for in time */
            const uint32_t second = c->key[j + AHEAD].b;
            __builtin_prefetch(w->body[second].u);
            __builtin_prefetch(&w->body[second].turns);
            __builtin_prefetch(w->force + second * nv, 1);
            __builtin_prefetch(w->force + second * nv + nv - 1, 1);
            __builtin_prefetch(&w->contact[j + AHEAD]);
            __builtin_prefetch(&w->contact[j + AHEAD].gap);
        }
        if (is_full(&batch, c, j))
            kick_batch(w, to, &batch, h);
        struct carom_meeting *start = &batch.start[batch.n], *end = &batch.end[batch.n];
        if (!meet_again(w, c, j, to->q, !live, end) && block.wrong == SIZE_MAX)
            block.wrong = j;
        if (!live && !(end->gap < 0.0))
            continue;
        if (live)
            carom_verlet_recall(w, j, start);
        else {
            meet(w, c, j, from->q, start);
            still(w, j);
        }
        note(w, c, j, start->gap, end->gap, &block);
        w->list[first + block.n++] = (uint32_t)j;
        const size_t i = join(&batch, c, j);
        batch.deform[0][i] = -start->gap;
        batch.deform[1][i] = -end->gap;
    }
    if (batch.n > 0)
        kick_batch(w, to, &batch, h);
    w->block[number] = block;
}
