/* Islands that sleep, see moreau_sleep.h. */
#include "scheme/rigid/moreau/moreau_sleep.h"

#include <string.h>

#include "base/memory.h"
#include "scheme/rigid/moreau/moreau_friction.h"

struct carom_moreau_sleep {
    bool *asleep, *restless; /* bodies: restless is said of the first of an island */
    size_t *leader;          /* bodies: towards the first of the island */
    double *kick;            /* bodies: what acts on an island in a step, of its first */
    double *q, *accelerate;  /* bodies x nq and nv: of those asleep, since they are */
    size_t count;            /* of those asleep */
};

enum carom_status carom_moreau_sleep_open(struct carom_moreau_graph *w, struct carom_error *error)
{
    const struct carom_bodies *b = w->bodies;
    if (!w->friction || w->roll || b->njoints > 0 || b->nleads > 0 || w->options->printed)
        return CAROM_OK;
    struct carom_moreau_sleep *s = w->sleep = carom_memory_zeroed(1, sizeof *s);
    if (!s ||
        !carom_memory_together(CAROM_ROOM(s->asleep, b->n), CAROM_ROOM(s->restless, b->n), CAROM_ROOM(s->leader, b->n),
                               CAROM_ROOM(s->kick, b->n), CAROM_ROOM(s->q, b->n * carom_bodies_nq(b)),
                               CAROM_ROOM(s->accelerate, b->n * carom_bodies_nv(b))))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme moreau-jean");
    return CAROM_OK;
}

void carom_moreau_sleep_close(struct carom_moreau_graph *w)
{
    if (w->sleep)
        carom_memory_free(w->sleep->asleep);
    carom_memory_free(w->sleep);
    w->sleep = NULL;
}

void carom_moreau_sleep_forget(struct carom_moreau_graph *w)
{
    if (!w->sleep)
        return;
    memset(w->sleep->asleep, 0, w->bodies->n * sizeof *w->sleep->asleep);
    w->sleep->count = 0;
}

bool carom_moreau_sleep_is(const struct carom_moreau_graph *w, size_t i)
{
    return w->sleep && w->sleep->asleep[i];
}

static void wake(struct carom_moreau_sleep *s, size_t i)
{
    s->count -= s->asleep[i];
    s->asleep[i] = false;
}

static bool same(const double *a, const double *b, size_t n)
{
    bool all = true;
    for (size_t k = 0; k < n; k++)
        all &= a[k] == b[k];
    return all;
}

static bool stands(const struct carom_moreau_graph *w, const double *v, size_t i)
{
    static const double none[6] = {0.0};
    const size_t nv = carom_bodies_nv(w->bodies);
    return same(v + i * nv, none, nv);
}

void carom_moreau_sleep_check(struct carom_moreau_graph *w, const struct carom_state *from)
{
    struct carom_moreau_sleep *s = w->sleep;
    const size_t nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies);
    for (size_t i = 0; s && s->count > 0 && i < w->bodies->n; i++)
        if (s->asleep[i] && !(stands(w, from->v, i) && same(s->q + i * nq, from->q + i * nq, nq) &&
                              same(s->accelerate + i * nv, w->accelerate + i * nv, nv)))
            wake(s, i);
}

bool carom_moreau_sleep_mixed(const struct carom_moreau_graph *w, const struct carom_contact_key *pair)
{
    const struct carom_moreau_sleep *s = w->sleep;
    return s && s->asleep[pair->a] != s->asleep[pair->b] && !w->bodies->body[pair->a].fixed &&
           !w->bodies->body[pair->b].fixed;
}

void carom_moreau_sleep_wake(struct carom_moreau_graph *w, const struct carom_contact_key *pair)
{
    wake(w->sleep, pair->a);
    wake(w->sleep, pair->b);
}

/* --- islands ------------------------------------------------------------------------------------------------------ */

static size_t first_of(size_t *leader, size_t i)
{
    while (leader[i] != i)
        i = leader[i] = leader[leader[i]];
    return i;
}

/* bodies that contacts of the step join; nobody is restless */
static void join(struct carom_moreau_graph *w)
{
    struct carom_moreau_sleep *s = w->sleep;
    for (size_t i = 0; i < w->n; i++)
        for (int k = 0; k < 2; k++) {
            const size_t body = k ? w->touch[i].key.b : w->touch[i].key.a;
            s->leader[body] = body;
            s->restless[body] = false;
            s->kick[body] = 0.0;
        }
    for (size_t i = 0; i < w->n; i++) {
        const struct carom_contact_key *key = &w->touch[i].key;
        if (!w->bodies->body[key->a].fixed && !w->bodies->body[key->b].fixed)
            s->leader[first_of(s->leader, key->a)] = first_of(s->leader, key->b);
    }
}

/* body k = 0, 1 of contact i, or false if it does not move */
static bool body_of(const struct carom_moreau_graph *w, size_t i, int k, size_t *body)
{
    *body = k ? w->touch[i].key.b : w->touch[i].key.a;
    return !w->bodies->body[*body].fixed;
}

/* how fast a body's surface moves at most */
static double speed(const struct carom_moreau_graph *w, const double *v, size_t i)
{
    const size_t nv = carom_bodies_nv(w->bodies), d = w->bodies->dimension;
    double square = 0.0, spin = 0.0;
    for (size_t k = 0; k < nv; k++)
        *(k < d ? &square : &spin) += v[i * nv + k] * v[i * nv + k];
    return sqrt(square) + sqrt(spin) * carom_bodies_reach(&w->bodies->body[i]);
}

/* what acts on each island in a step of h */
static void note_kicks(struct carom_moreau_graph *w, double h)
{
    struct carom_moreau_sleep *s = w->sleep;
    size_t body;
    for (size_t i = 0; i < w->n; i++)
        for (int k = 0; k < 2; k++)
            if (body_of(w, i, k, &body)) {
                double *kick = &s->kick[first_of(s->leader, body)];
                *kick = fmax(*kick, h * speed(w, w->accelerate, body));
            }
}

/* Islands in which a body moves faster than a part of that are restless. */
static void note_motion(struct carom_moreau_graph *w, const double *v, double part)
{
    struct carom_moreau_sleep *s = w->sleep;
    size_t body;
    for (size_t i = 0; i < w->n; i++)
        for (int k = 0; k < 2; k++)
            if (body_of(w, i, k, &body)) {
                const size_t first = first_of(s->leader, body);
                s->restless[first] |= !(speed(w, v, body) <= part * s->kick[first]);
            }
}

static bool is_calm(const struct carom_moreau_graph *w, size_t i)
{
    const struct carom_contact_key *key = &w->touch[i].key;
    return !w->sleep->restless[first_of(w->sleep->leader, w->bodies->body[key->a].fixed ? key->b : key->a)];
}

/* The part of what acts in a step below which motion is none: contacts that move no faster do not bounce, and the
 * solver does not tell it from rest. */
static double little(const struct carom_moreau_graph *w)
{
    return fmin(fmax(10.0 * w->options->solver_tol, 1e-12), 1e-8);
}

static bool any_calm(const struct carom_moreau_graph *w)
{
    size_t i = 0;
    while (i < w->n && !is_calm(w, i))
        i++;
    return i < w->n;
}

/* --- falling asleep ----------------------------------------------------------------------------------------------- */

static void lay_down(struct carom_moreau_graph *w, const struct carom_state *from, size_t i)
{
    struct carom_moreau_sleep *s = w->sleep;
    const size_t nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies);
    s->count += !s->asleep[i];
    s->asleep[i] = true;
    memcpy(s->q + i * nq, from->q + i * nq, nq * sizeof *s->q);
    memcpy(s->accelerate + i * nv, w->accelerate + i * nv, nv * sizeof *s->accelerate);
}

void carom_moreau_sleep_fall(struct carom_moreau_graph *w, const struct carom_state *from, const double *freely,
                             double h)
{
    struct carom_moreau_sleep *s = w->sleep;
    size_t body, left = 0;
    if (!s || w->n == 0)
        return;
    join(w);
    note_motion(w, from->v, 0.0);
    for (size_t i = 0; i < w->n; i++)
        for (int k = 0; k < 2; k++) /* a blow has not become a force yet */
            if (body_of(w, i, k, &body) && w->touch[i].bore > 0.0 && w->touch[i].status != CAROM_RIGID_STEP_CLOSED)
                s->restless[first_of(s->leader, body)] = true;
    if (!any_calm(w))
        return;
    note_kicks(w, h);
    carom_moreau_friction_set(w, from, freely, h, true);
    memcpy(w->force, freely, w->bodies->n * carom_bodies_nv(w->bodies) * sizeof *w->force);
    carom_moreau_friction_push(w, w->force, false);
    note_motion(w, w->force, 2.0 * little(w)); /* rounding must not wake what has just come to rest */
    for (size_t i = 0; i < w->n; i++) {
        for (int k = 0; k < 2; k++)
            if (is_calm(w, i) && body_of(w, i, k, &body))
                lay_down(w, from, body);
        if (is_calm(w, i))
            continue;
        w->touch[left] = w->touch[i];
        w->impulse[left++] = w->touch[i].bore;
    }
    w->n = left;
}

void carom_moreau_sleep_hold(const struct carom_moreau_graph *w, double *v)
{
    const size_t nv = carom_bodies_nv(w->bodies);
    for (size_t i = 0; w->sleep && w->sleep->count > 0 && i < w->bodies->n; i++)
        if (w->sleep->asleep[i])
            memset(v + i * nv, 0, nv * sizeof *v);
}

void carom_moreau_sleep_still(struct carom_moreau_graph *w, const struct carom_state *from, double h, double *v1)
{
    const size_t nv = carom_bodies_nv(w->bodies);
    size_t body;
    if (!w->sleep || w->n == 0)
        return;
    join(w);
    note_kicks(w, h);
    note_motion(w, from->v, little(w));
    note_motion(w, v1, little(w));
    for (size_t i = 0; i < w->n; i++)
        for (int k = 0; k < 2; k++)
            if (body_of(w, i, k, &body) && is_calm(w, i))
                memset(v1 + body * nv, 0, nv * sizeof *v1);
}

/* --- the list of contacts ----------------------------------------------------------------------------------------- */

void carom_moreau_sleep_carry(const struct carom_moreau_graph *w, const struct carom_contacts *from, size_t *k,
                              const struct carom_contact_key *key, struct carom_contacts *list)
{
    const size_t end = carom_list_columns(w->bodies).end;
    if (!w->sleep || w->sleep->count == 0)
        return;
    for (; *k < from->n && (!key || carom_list_order(&from->key[*k], key) < 0); ++*k) {
        const struct carom_contact_key *kept = &from->key[*k];
        if (!w->sleep->asleep[kept->a] && !w->sleep->asleep[kept->b])
            continue;
        list->key[list->n] = *kept;
        list->first[kept->pairing + 1]++;
        for (size_t c = 0; c < end; c++)
            list->column[c][list->n] = from->column[c][*k];
        list->n++;
    }
}
