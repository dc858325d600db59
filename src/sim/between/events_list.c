/* Contacts that opened and closed, stuck and slipped, see events_list.h. A scheme that locates changes says in the
 * phase column who is closed and who slips, and ends its steps there; else the sign of the gap says who is closed, and
 * the moment is the zero of the cubic through gap and rate at both ends of the step. */
#include "sim/between/events_list.h"

#include <stdlib.h>

#include "base/memory.h"
#include "carom/friction.h"
#include "model/bodies/list.h"
#include "model/bodies/meet.h"
#include "scheme/compliant/dp5_bodies.h"
#include "sim/between/events.h"

void carom_events_list_open(struct carom_events_list *e, const struct carom_bodies *bodies)
{
    *e = (struct carom_events_list){.bodies = bodies};
}

void carom_events_list_close(struct carom_events_list *e)
{
    carom_memory_free_all(e->closed, e->now, e->found);
    *e = (struct carom_events_list){0};
}

static enum carom_status no_memory(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory watching contacts");
}

static bool reserve(struct carom_events_list *e, size_t n)
{
    if (n <= e->room)
        return true;
    const size_t room = n + n / 4 + 16;
    if (!carom_memory_widen(&e->closed, e->n, room, sizeof *e->closed) ||
        !carom_memory_widen(&e->now, 0, room, sizeof *e->now))
        return false;
    e->room = room;
    return true;
}

/* --- who is closed ----------------------------------------------------------------------------------------------- */

static double phase_of(const struct carom_events_list *e, const struct carom_contacts *c, size_t j)
{
    return c->column[carom_list_columns(e->bodies).phase][j];
}

static bool has_phases(const double *phase, size_t n)
{
    for (size_t j = 0; j < n; j++)
        if (phase[j] > 0.0)
            return true;
    return false;
}

static size_t list_closed(struct carom_events_list *e, const struct carom_state *state)
{
    const struct carom_contacts *c = state->contacts;
    const double *phase = c->column[carom_list_columns(e->bodies).phase];
    size_t n = 0;
    e->located = e->located || has_phases(phase, c->n);
    for (size_t j = 0; j < c->n; j++) {
        struct carom_meeting m;
        if (!e->located)
            carom_meet(e->bodies, &c->key[j], state->q, &m);
        if (e->located ? phase[j] > 0.0 : m.gap < 0.0)
            e->now[n++] = (struct carom_closed){c->key[j], e->located ? phase[j] : 0.0};
    }
    return n;
}

static void remember(struct carom_events_list *e, size_t n)
{
    struct carom_closed *hold = e->closed;
    e->closed = e->now;
    e->now = hold;
    e->n = n;
}

enum carom_status carom_events_list_begin(struct carom_events_list *e, const struct carom_state *state,
                                          struct carom_error *error)
{
    if (state->contacts->lacking || !reserve(e, state->contacts->n))
        return no_memory(error);
    remember(e, list_closed(e, state));
    return CAROM_OK;
}

/* --- what has changed -------------------------------------------------------------------------------------------- */

static void look(const struct carom_events_list *e, const struct carom_contact_key *key, const struct carom_state *at,
                 double *deform, double *rate)
{
    struct carom_meeting m;
    double slip[3];
    carom_meet(e->bodies, key, at->q, &m);
    *deform = -m.gap;
    *rate = -carom_meet_slip(e->bodies, key, &m, at->v, slip);
}

/* the phase of a contact at the start of the step; -1: it is not on the list there */
static double phase_before(const struct carom_events_list *e, const struct carom_contacts *before,
                           const struct carom_contact_key *key)
{
    const size_t j = carom_list_find(before, key);
    return j < before->n ? phase_of(e, before, j) : -1.0;
}

static struct carom_event *another(struct carom_events_list *e)
{
    if (!carom_memory_room(&e->found, e->nfound, &e->event_room, 16, sizeof *e->found))
        return NULL;
    e->found[e->nfound].number = e->nfound;
    return &e->found[e->nfound++].event;
}

static enum carom_status add(struct carom_events_list *e, const struct carom_contact_key *key, bool closes,
                             const struct carom_state *before, const struct carom_state *state,
                             const struct carom_events_list_told *told, struct carom_error *error)
{
    double deform[2], rate[2];
    struct carom_event *event = another(e);
    if (!event)
        return no_memory(error);
    look(e, key, before, &deform[0], &rate[0]);
    look(e, key, state, &deform[1], &rate[1]);
    const double phase = e->located ? phase_before(e, before->contacts, key) : -1.0;
    const bool early = phase >= 0.0 && (phase > 0.0) == closes; /* the change was located at the start of the step */
    /* Where forces ask for overlaps and not for phases, one that touches as a step begins counts as open until the end;
     * the cubic tells when it closed. Of those that end their step the overlap is nothing beside the gap before. */
    const bool inside = closes && !early && !e->bodies->rigid && deform[1] > -2.0 * deform[0];
    if (!e->located || inside)
        *event = carom_events_locate(deform, rate, before->time, carom_state_until(before, state->time),
                                     carom_event_key_pair(key));
    else
        *event = (struct carom_event){.time = early ? before->time : state->time,
                                      .contact = carom_event_key_pair(key),
                                      .kind = closes ? CAROM_EVENT_CLOSE : CAROM_EVENT_OPEN,
                                      .before = -rate[early ? 0 : 1],
                                      .after = -rate[early ? 0 : 1]};
    return told ? told->turned(told->own, key, event, deform, rate, error) : CAROM_OK;
}

/* a closed contact begins to stick or to slip, at the end of the step or, if its phase there says so, at its start */
static enum carom_status add_slip(struct carom_events_list *e, const struct carom_closed *now,
                                  const struct carom_state *before, const struct carom_state *state,
                                  struct carom_error *error)
{
    const struct carom_state *at = phase_before(e, before->contacts, &now->key) == now->phase ? before : state;
    struct carom_meeting m;
    double slip[3];
    struct carom_event *event = another(e);
    if (!event)
        return no_memory(error);
    carom_meet(e->bodies, &now->key, at->q, &m);
    carom_meet_slip(e->bodies, &now->key, &m, at->v, slip);
    const double rate = carom_vec_norm(slip);
    *event = (struct carom_event){.time = at->time,
                                  .contact = carom_event_key_pair(&now->key),
                                  .kind = now->phase == CAROM_CONTACT_SLIPS ? CAROM_EVENT_SLIP : CAROM_EVENT_STICK,
                                  .before = rate,
                                  .after = rate};
    return CAROM_OK;
}

/* does a spring hold the contact where it sticks? */
static bool springs(const struct carom_events_list *e, const struct carom_contact_key *key)
{
    const struct carom_friction *friction = e->bodies->pairing[key->pairing].friction;
    return friction && friction->spring;
}

/* what has become of a contact: `was` or `now` is NULL where it was or is open */
static enum carom_status compare(struct carom_events_list *e, const struct carom_closed *was,
                                 const struct carom_closed *now, const struct carom_state *before,
                                 const struct carom_state *state, const struct carom_events_list_told *told,
                                 struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    if (!was || !now)
        status = add(e, now ? &now->key : &was->key, now != NULL, before, state, told, error);
    if (!now || status != CAROM_OK)
        return status;
    const double then = was ? was->phase : CAROM_CONTACT_STICKS;
    const bool rubs = now->phase == CAROM_CONTACT_SLIPS || now->phase == CAROM_CONTACT_STICKS;
    return rubs && now->phase != then && springs(e, &now->key) ? add_slip(e, now, before, state, error) : CAROM_OK;
}

static int in_order(const void *a, const void *b)
{
    const struct carom_found *first = a, *second = b;
    const struct carom_event *x = &first->event, *y = &second->event;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->contact != y->contact)
        return x->contact < y->contact ? -1 : 1;
    if ((x->kind > CAROM_EVENT_CLOSE) != (y->kind > CAROM_EVENT_CLOSE))
        return x->kind > CAROM_EVENT_CLOSE ? 1 : -1;                             /* closed first, then it slips */
    return first->number < second->number ? -1 : first->number > second->number; /* two bodies may touch twice */
}

enum carom_status carom_events_list_follow(struct carom_events_list *e, const struct carom_state *before,
                                           const struct carom_state *state, struct carom_recorder *recorder,
                                           const struct carom_events_list_told *told, struct carom_error *error)
{
    if (!reserve(e, state->contacts->n))
        return no_memory(error);
    const size_t n = list_closed(e, state);
    enum carom_status status = CAROM_OK;
    e->nfound = 0;
    for (size_t i = 0, j = 0; (i < e->n || j < n) && status == CAROM_OK;) {
        const int order = i == e->n ? 1 : j == n ? -1 : carom_list_order(&e->closed[i].key, &e->now[j].key);
        status =
            compare(e, order <= 0 ? &e->closed[i] : NULL, order >= 0 ? &e->now[j] : NULL, before, state, told, error);
        i += order <= 0;
        j += order >= 0;
    }
    remember(e, n);
    if (e->nfound > 1)
        qsort(e->found, e->nfound, sizeof *e->found, in_order);
    for (size_t i = 0; i < e->nfound && status == CAROM_OK && carom_recorder_wants_events(recorder); i++)
        status = carom_recorder_event(recorder, &e->found[i].event, error);
    return status;
}
