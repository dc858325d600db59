/* The instant: all contacts that touch and are joined to the bodies that meet, the impact law at work on them until
 * nothing approaches, the contacts that last, and the flights that follow. Bodies that stand still do not join. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "carom/law.h"
#include "scheme/rigid/event/event_bodies.h"

/* W is dense here: a set this large takes a gigabyte, and hours under lzb. */
enum { MOST_CONTACTS = 4000 };

void carom_event_cluster_close(struct carom_event_cluster *c)
{
    void *const all[] = {c->body,  c->struck, c->slot, c->touch, c->link,   c->set,
                         c->group, c->v,      c->a,    c->after, c->of_set, c->matrix};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        carom_memory_free(all[i]);
    carom_striker_free(c->striker);
    carom_frame_close(&c->frame);
    carom_lcp_close(&c->lcp);
    *c = (struct carom_event_cluster){0};
}

/* --- room -------------------------------------------------------------------------------------------------------- */

static bool room_for_touch(struct carom_event_cluster *c)
{
    return carom_memory_room(&c->touch, c->n, &c->touch_room, 16, sizeof *c->touch);
}

static bool room_for_body(struct carom_event_cluster *c)
{
    if (c->nbodies < c->body_room)
        return true;
    const size_t room = 2 * c->body_room + 16;
    if (!carom_memory_widen(&c->body, c->body_room, room, sizeof *c->body) ||
        !carom_memory_widen(&c->v, 3 * c->body_room, 3 * room, sizeof *c->v) ||
        !carom_memory_widen(&c->a, 3 * c->body_room, 3 * room, sizeof *c->a) ||
        !carom_memory_widen(&c->after, 3 * c->body_room, 3 * room, sizeof *c->after) ||
        !carom_memory_widen(&c->group, c->body_room, room, sizeof *c->group) ||
        !carom_memory_widen(&c->struck, c->body_room, room, sizeof *c->struck))
        return false;
    c->body_room = room;
    return true;
}

/* room for the linear algebra of c->n contacts */
static enum carom_status room_for_set(struct carom_event_bodies *w, struct carom_error *error)
{
    struct carom_event_cluster *c = &w->cluster;
    if (c->n <= c->room)
        return CAROM_OK;
    if (c->n > MOST_CONTACTS)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "t = %g: %zu contacts touch at once, scheme event takes up to %d; moreau-jean takes any",
                               carom_event_bodies_time(w), c->n, MOST_CONTACTS);
    const size_t room = c->n + c->n / 2 < MOST_CONTACTS ? c->n + c->n / 2 : MOST_CONTACTS, old = c->room;
    carom_striker_free(c->striker);
    carom_frame_close(&c->frame);
    c->striker = NULL;
    c->room = 0; /* until all is there */
    if (!carom_memory_widen(&c->link, old, room, sizeof *c->link) ||
        !carom_memory_widen(&c->set, old, room, sizeof *c->set) ||
        !carom_memory_widen(&c->of_set, 8 * old, 8 * room, sizeof *c->of_set) ||
        !carom_memory_widen(&c->matrix, old * old, room * room, sizeof *c->matrix))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts that touch at once", c->n);
    enum carom_status status = carom_frame_links_open(&c->frame, room, error);
    if (status == CAROM_OK)
        status = carom_lcp_open(&c->lcp, room, true, error);
    if (status != CAROM_OK)
        return status;
    c->striker = carom_striker_create(w->impact, c->frame.model, w->impact_options, room, error);
    if (!c->striker)
        return error ? error->status : CAROM_E_MEMORY;
    c->striker->speed = w->speed;
    c->room = room;
    return CAROM_OK;
}

/* --- who takes part ---------------------------------------------------------------------------------------------- */

struct collecting {
    const struct carom_contact_key *hit;
    size_t done; /* bodies of the cluster that have been asked */
    bool lacking;
};

static bool join(struct carom_event_cluster *c, size_t i)
{
    if (c->slot[i] != 0)
        return true;
    if (!room_for_body(c))
        return false;
    c->body[c->nbodies++] = (uint32_t)i;
    c->slot[i] = (uint32_t)c->nbodies;
    return true;
}

static bool add(struct carom_event_bodies *w, const struct carom_contact_key *key, struct collecting *of)
{
    struct carom_event_cluster *c = &w->cluster;
    const struct carom_event_bond *bond = carom_event_bonds_find(&w->bonds, key);
    const bool held = bond && bond->mode == CAROM_EVENT_HELD;
    const bool hit = of->hit && carom_list_order(of->hit, key) == 0;
    struct carom_meeting m;
    carom_meet(w->bodies, key, w->state->q, &m);
    if (!held && !hit && m.gap > carom_event_bodies_near(w)) {
        carom_event_order_note(w, key, &m);
        return true;
    }
    if (!room_for_touch(c))
        return false;
    c->touch[c->n++] = (struct carom_event_touch){.key = *key,
                                                  .meeting = m,
                                                  .e = carom_list_param(w->bodies, key, CAROM_RIGID_E),
                                                  .k = carom_list_param(w->bodies, key, CAROM_RIGID_K),
                                                  .p = carom_list_param(w->bodies, key, CAROM_RIGID_P),
                                                  .was = held,
                                                  .rested = held && bond->keeps[CAROM_RIGID_REST] > 0.0};
    return true;
}

static bool add_ball(struct carom_event_bodies *w, size_t i, size_t j, void *own)
{
    struct collecting *of = own;
    struct carom_event_cluster *c = &w->cluster;
    const struct carom_bodies *b = w->bodies;
    const uint32_t low = (uint32_t)(i < j ? i : j), high = (uint32_t)(i < j ? j : i);
    const uint32_t pairing = b->meets[b->body[low].material * b->nmaterials + b->body[high].material];
    const struct carom_contact_key key = {pairing, low, high, 0};
    if (pairing == CAROM_UNPAIRED || (c->slot[j] != 0 && c->slot[j] <= of->done))
        return true;
    carom_event_bodies_bring(w, j);
    const size_t before = c->n;
    of->lacking |= !add(w, &key, of) || (c->n > before && !b->body[j].fixed && !join(c, j));
    return !of->lacking;
}

static bool add_walls(struct carom_event_bodies *w, size_t i, struct collecting *of)
{
    const struct carom_bodies *b = w->bodies;
    for (size_t k = 0; k < w->cells.nwalls; k++) {
        const size_t wall = w->cells.wall[k], features = carom_meet_features(&b->body[i], &b->body[wall]);
        const uint32_t low = (uint32_t)(i < wall ? i : wall), high = (uint32_t)(i < wall ? wall : i);
        const uint32_t pairing = b->meets[b->body[low].material * b->nmaterials + b->body[high].material];
        struct carom_contact_key key = {pairing, low, high, 0};
        for (; pairing != CAROM_UNPAIRED && key.feature < features; key.feature++)
            if (!(features == 6 && key.feature / 2 >= b->dimension) && !add(w, &key, of))
                return false;
    }
    return true;
}

static int by_key(const void *a, const void *b)
{
    return carom_list_order(&((const struct carom_event_touch *)a)->key, &((const struct carom_event_touch *)b)->key);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* velocities and accelerations that are not the contacts' own */
static void read_bodies(struct carom_event_bodies *w)
{
    struct carom_event_cluster *c = &w->cluster;
    const size_t nv = carom_bodies_nv(w->bodies), d = w->bodies->dimension;
    for (size_t s = 0; s < c->nbodies; s++) {
        const size_t i = c->body[s];
        c->slot[i] = (uint32_t)s + 1;
        for (size_t k = 0; k < 3; k++) {
            c->v[3 * s + k] = k < d ? w->state->v[i * nv + k] : 0.0;
            c->a[3 * s + k] = w->freely[3 * i + k];
        }
    }
}

static enum carom_status collect(struct carom_event_bodies *w, size_t a, size_t b, const struct carom_contact_key *hit,
                                 struct carom_error *error)
{
    struct carom_event_cluster *c = &w->cluster;
    struct collecting of = {.hit = hit};
    c->n = c->nbodies = 0;
    c->beside.meeting.gap = HUGE_VAL;
    const size_t seed[2] = {a, b};
    for (int i = 0; i < 2; i++)
        if (seed[i] < w->bodies->n && !w->bodies->body[seed[i]].fixed)
            of.lacking |= !join(c, seed[i]);
    for (; of.done < c->nbodies && !of.lacking; of.done++) {
        const size_t i = c->body[of.done];
        carom_event_bodies_bring(w, i);
        of.lacking |= !carom_event_cells_around(w, i, add_ball, &of) || !add_walls(w, i, &of);
    }
    if (of.lacking)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for contacts that touch at once");
    if (c->n > 1)
        qsort(c->touch, c->n, sizeof *c->touch, by_key);
    if (c->nbodies > 1)
        qsort(c->body, c->nbodies, sizeof *c->body, by_number);
    read_bodies(w);
    return room_for_set(w, error);
}

/* --- impacts ----------------------------------------------------------------------------------------------------- */

void carom_event_cluster_link(struct carom_event_bodies *w, const size_t *set, size_t n)
{
    struct carom_event_cluster *c = &w->cluster;
    for (size_t i = 0; i < n; i++) {
        const struct carom_event_touch *t = &c->touch[set ? set[i] : i];
        const uint32_t body[2] = {t->key.a, t->key.b};
        struct carom_frame_link *link = &c->link[i];
        memcpy(link->normal, t->meeting.normal, sizeof link->normal);
        link->gap = t->meeting.gap;
        link->drift = 0.0;
        for (int s = 0; s < 2; s++) {
            const bool moves = !w->bodies->body[body[s]].fixed;
            link->body[s] = moves ? c->slot[body[s]] - 1 : CAROM_FRAME_FIXED;
            link->inverse[s] = moves ? 1.0 / w->bodies->body[body[s]].mass : 0.0;
        }
    }
    carom_frame_links_set(&c->frame, c->nbodies, c->link, n);
}

/* of b past a, for v or a of the cluster */
void carom_event_cluster_between(const struct carom_event_bodies *w, const struct carom_event_touch *t, const double *x,
                                 double out[3])
{
    const struct carom_event_cluster *c = &w->cluster;
    const bool a = !w->bodies->body[t->key.a].fixed, b = !w->bodies->body[t->key.b].fixed;
    for (size_t k = 0; k < 3; k++)
        out[k] = (b ? x[3 * (c->slot[t->key.b] - 1) + k] : 0.0) - (a ? x[3 * (c->slot[t->key.a] - 1) + k] : 0.0);
}

void carom_event_cluster_rates(struct carom_event_bodies *w)
{
    struct carom_event_cluster *c = &w->cluster;
    double past[3];
    for (size_t i = 0; i < c->n; i++) {
        carom_event_cluster_between(w, &c->touch[i], c->v, past);
        c->touch[i].rate = carom_vec_dot(c->touch[i].meeting.normal, past);
    }
}

static bool any_approaches(const struct carom_event_bodies *w)
{
    for (size_t i = 0; i < w->cluster.n; i++)
        if (w->cluster.touch[i].rate < -carom_event_bodies_slow(w))
            return true;
    return false;
}

/* forces inside impacts are told of pairs of bodies */
static void pass_force(void *own, size_t contact, double time, double force)
{
    struct carom_event_bodies *w = own;
    const struct carom_contact_key *key = &w->cluster.touch[contact].key;
    const uint64_t pair = carom_event_key_pair(key);
    w->listener->force(w->listener->own, pair, time, force);
    w->trace.every = w->listener->every; /* which may have had enough */
}

static void tell_impact(struct carom_stepper *stepper, const struct carom_collision *c)
{
    struct carom_event_bodies *w = stepper->work;
    if (!w->impact->springy || !(c->duration > 0.0))
        return; /* next to nothing was stopped at once */
    stepper->counts.impacts++;
    stepper->counts.impact_error += c->estimate / w->speed;
    if (stepper->trace)
        stepper->trace->end(stepper->trace->own, carom_event_bodies_time(w), c->duration, c->estimate);
}

/* losses, and what is told of the contacts that were struck */
static enum carom_status book(struct carom_event_bodies *w, const double *impulse, const double *lost,
                              const double *before, struct carom_error *error)
{
    struct carom_event_cluster *c = &w->cluster;
    for (size_t i = 0; i < c->n; i++) {
        struct carom_event_touch *t = &c->touch[i];
        carom_list_book(w->state->contacts, CAROM_RETIRED_VISCOUS, lost[i]);
        if (!(impulse[i] > 0.0))
            continue;
        t->struck = true;
        if (!carom_event_bodies_tell(w, &t->key, carom_event_bodies_time(w), CAROM_EVENT_IMPACT, impulse[i], before[i],
                                     t->rate, lost[i]))
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for events");
    }
    return CAROM_OK;
}

static const struct carom_trace *listen(struct carom_stepper *stepper)
{
    struct carom_event_bodies *w = stepper->work;
    w->listener = stepper->trace;
    if (!stepper->trace)
        return NULL;
    w->trace = *stepper->trace;
    w->trace.force = pass_force;
    w->trace.own = w;
    return &w->trace;
}

static enum carom_status strike(struct carom_stepper *stepper, struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work;
    struct carom_event_cluster *c = &w->cluster;
    double *e = c->of_set, *k = e + c->room, *p = k + c->room, *impulse = p + c->room, *lost = impulse + c->room,
           *before = lost + c->room;
    carom_event_cluster_link(w, NULL, c->n);
    for (size_t i = 0; i < c->n; i++) {
        e[i] = c->touch[i].e;
        k[i] = c->touch[i].k;
        p[i] = c->touch[i].p;
        before[i] = c->touch[i].rate;
    }
    struct carom_collision collision = {.frame = &c->frame,
                                        .e = e,
                                        .k = k,
                                        .p = p,
                                        .trace = listen(stepper),
                                        .v = c->v,
                                        .after = c->after,
                                        .impulse = impulse,
                                        .lost = lost,
                                        .patience = stepper->patience};
    collision.quiet = 0.01 * w->options->tol * w->speed;
    const enum carom_status status = w->impact->solve(c->striker, &collision, error);
    if (status != CAROM_OK)
        return carom_error_prefix(error, "t = %g, bodies %zu to %zu, which touch", carom_event_bodies_time(w),
                                  (size_t)c->body[0] + 1, (size_t)c->body[c->nbodies - 1] + 1);
    stepper->counts.iterations += collision.iterations;
    stepper->worst_residual = fmax(stepper->worst_residual, collision.residual);
    tell_impact(stepper, &collision);
    memcpy(c->v, c->after, 3 * c->nbodies * sizeof(double));
    carom_event_cluster_rates(w);
    return book(w, impulse, lost, before, error);
}

static enum carom_status strike_all(struct carom_stepper *stepper, long *rounds, struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work;
    enum carom_status status = CAROM_OK;
    for (; status == CAROM_OK && any_approaches(w); ++*rounds) {
        if (*rounds >= w->options->most)
            return carom_error_set(
                error, CAROM_E_NUMERIC,
                "impacts of bodies %zu to %zu at t = %g do not end: %ld in one instant, and contacts "
                "still approach (option most); bodies without room between walls and e = 1 never "
                "come to rest",
                (size_t)w->cluster.body[0] + 1, (size_t)w->cluster.body[w->cluster.nbodies - 1] + 1,
                carom_event_bodies_time(w), *rounds);
        status = strike(stepper, error);
    }
    return status;
}

/* --- afterwards -------------------------------------------------------------------------------------------------- */

static enum carom_status no_memory(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for what happens in a step");
}

/* c->struck: which bodies were */
static void mark_struck(struct carom_event_bodies *w)
{
    struct carom_event_cluster *c = &w->cluster;
    memset(c->struck, 0, c->nbodies * sizeof *c->struck);
    for (size_t i = 0; i < c->n; i++) {
        const uint32_t slot[2] = {c->slot[c->touch[i].key.a], c->slot[c->touch[i].key.b]};
        for (int s = 0; s < 2 && c->touch[i].struck; s++)
            if (slot[s] != 0)
                c->struck[slot[s] - 1] = true;
    }
}

/* new flights of all bodies of the cluster */
static enum carom_status set_off(struct carom_event_bodies *w, struct carom_error *error)
{
    struct carom_event_cluster *c = &w->cluster;
    mark_struck(w);
    const size_t nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies), d = w->bodies->dimension;
    for (size_t s = 0; s < c->nbodies; s++) {
        const size_t i = c->body[s];
        struct carom_event_turn turn = {.when = w->now, .body = (uint32_t)i};
        for (size_t k = 0; k < 3; k++) {
            turn.v[k] = c->v[3 * s + k];
            turn.a[k] = w->acceleration[3 * i + k] = c->a[3 * s + k];
            if (k >= d)
                continue;
            turn.u[k] = w->state->q[i * nq + k];
            w->state->v[i * nv + k] = turn.v[k];
        }
        w->count[i]++;
        if (c->struck[s])
            carom_event_collapse_note(w, i);
        if (!carom_event_views_log_turn(w, &turn))
            return no_memory(error);
    }
    return carom_event_views_log_loss(w) ? CAROM_OK : no_memory(error);
}

/* what contacts remember, and what they tell of having become held or free */
static enum carom_status conclude(struct carom_event_bodies *w, struct carom_error *error)
{
    struct carom_event_cluster *c = &w->cluster;
    const double t = carom_event_bodies_time(w);
    for (size_t i = 0; i < c->n; i++) {
        struct carom_event_touch *touch = &c->touch[i];
        struct carom_event_bond bond = {.key = touch->key};
        carom_event_hold_remember(w, touch, &bond);
        const bool resting = bond.keeps[CAROM_RIGID_REST] > 0.0;
        bool good = carom_event_bonds_put(&w->bonds, &bond) && carom_event_views_log_change(w, &bond);
        if (good && touch->was && !touch->held && !touch->rested)
            good = carom_event_bodies_tell(w, &touch->key, t, CAROM_EVENT_OPEN, 0.0, 0.0, touch->rate, 0.0);
        if (good && touch->held && !touch->was && !resting && w->state->memory[CAROM_EVENT_BEGUN] != 0.0)
            good = carom_event_bodies_tell(w, &touch->key, t, CAROM_EVENT_CLOSE, 0.0, 0.0, 0.0, 0.0);
        if (!good)
            return no_memory(error);
    }
    return CAROM_OK;
}

enum carom_status carom_event_cluster_instant(struct carom_stepper *stepper, size_t a, size_t b,
                                              const struct carom_contact_key *hit, struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work;
    struct carom_event_cluster *c = &w->cluster;
    long rounds = 0;
    w->instant = w->nevents;
    enum carom_status status = collect(w, a, b, hit, error);
    for (size_t i = 0; status == CAROM_OK && i < c->n; i++)
        stepper->worst_gap = fmin(stepper->worst_gap, c->touch[i].meeting.gap);
    if (status == CAROM_OK)
        carom_event_cluster_rates(w);
    if (status == CAROM_OK && carom_event_collapse_ends(w, hit))
        status = carom_event_collapse_stop(stepper, error);
    else if (status == CAROM_OK)
        stepper->counts.impact_error += carom_event_order_error(w, hit);
    for (bool more = true; status == CAROM_OK && more; more = any_approaches(w)) {
        status = strike_all(stepper, &rounds, error);
        if (status == CAROM_OK)
            status = carom_event_hold(stepper, error);
    }
    carom_event_order_nearest(stepper);
    if (status == CAROM_OK)
        status = set_off(w, error);
    if (status == CAROM_OK)
        status = conclude(w, error);
    for (size_t s = 0; status == CAROM_OK && s < c->nbodies; s++)
        carom_event_cells_predict(w, c->body[s], true);
    for (size_t s = 0; s < c->nbodies; s++)
        c->slot[c->body[s]] = 0;
    return status;
}
