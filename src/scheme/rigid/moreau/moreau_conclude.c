/* What became of the contacts of a step, see moreau_graph.h. */
#include "scheme/rigid/moreau/moreau_graph.h"

#include <string.h>

#include "scheme/rigid/moreau/moreau_friction.h"
#include "scheme/rigid/moreau/moreau_joints.h"
#include "scheme/rigid/moreau/moreau_sleep.h"
#include "scheme/stepper.h"

/* the list of those that carried force, and what is told of them */
static bool note_pressed(struct carom_moreau_graph *w, const struct carom_state *from, struct carom_state *to, double h)
{
    const struct carom_columns columns = carom_list_columns(w->bodies);
    struct carom_contacts *list = to->contacts;
    const double t = from->time + h;
    size_t kept = 0;
    bool good = carom_list_reserve(list, w->n + from->contacts->n);
    if (w->joints)
        good = good && carom_moreau_held_conclude(w, from, to, t);
    list->n = 0;
    memset(list->first, 0, (list->npairings + 1) * sizeof *list->first);
    for (size_t i = 0; i < w->n && good; i++) {
        const struct carom_moreau_touch *c = &w->touch[i];
        const double p = w->impulse[i], jump = p * c->mobility;
        if (!(p > 0.0))
            continue;
        carom_moreau_sleep_carry(w, from->contacts, &kept, &c->key, list);
        const size_t j = list->n;
        const double status =
            c->struck ? CAROM_RIGID_STEP_STRUCK : carom_rigid_step_pressed(&w->rigid, c->status, jump);
        if (c->struck)
            good = carom_moreau_graph_note(w, t, carom_event_key_pair(&c->key), CAROM_EVENT_IMPACT, p, c->before,
                                           c->after) &&
                   carom_moreau_graph_took(w, i);
        else if (status != c->status && status == CAROM_RIGID_STEP_CLOSED && from->step > 0)
            good =
                carom_moreau_graph_note(w, t, carom_event_key_pair(&c->key), CAROM_EVENT_CLOSE, p, c->before, c->after);
        if (w->friction && c->status == CAROM_RIGID_STEP_CLOSED && c->stuck != carom_moreau_friction_sticks(w, i) &&
            c->mu[0] > 0.0)
            good &= carom_moreau_graph_note(w, t, carom_event_key_pair(&c->key),
                                            c->stuck ? CAROM_EVENT_SLIP : CAROM_EVENT_STICK, 0.0, c->before, c->after);
        list->n++;
        list->key[j] = c->key;
        list->first[c->key.pairing + 1]++;
        for (size_t k = columns.history; k < columns.end; k++)
            list->column[k][j] = 0.0;
        list->column[columns.phase][j] = status;
        list->column[columns.history + CAROM_RIGID_FORCE][j] = p / h;
        if (w->friction)
            carom_moreau_friction_keep(w, i, h, list, j);
        carom_list_bear(list, w->bodies, j);
    }
    if (good)
        carom_moreau_sleep_carry(w, from->contacts, &kept, NULL, list);
    for (size_t p = 0; p < list->npairings; p++)
        list->first[p + 1] += list->first[p];
    return good;
}

/* openings, with the gap rates at the end of the step */
static bool note_openings(struct carom_moreau_graph *w, const struct carom_state *from, const struct carom_state *to,
                          double t)
{
    const size_t phase = carom_list_columns(w->bodies).phase;
    bool good = true;
    for (size_t j = 0; j < from->contacts->n && good; j++) {
        const struct carom_contact_key *key = &from->contacts->key[j];
        struct carom_meeting m;
        if (from->contacts->column[phase][j] != CAROM_RIGID_STEP_CLOSED || carom_moreau_sleep_is(w, key->a) ||
            carom_moreau_sleep_is(w, key->b) || carom_moreau_graph_find(to->contacts, key) < to->contacts->n)
            continue;
        carom_meet(w->bodies, key, to->q, &m);
        const double rate = carom_moreau_graph_rate(w, key, &m, to->v, to->v);
        good = carom_moreau_graph_note(w, t, carom_event_key_pair(key), CAROM_EVENT_OPEN, 0.0, rate, rate);
    }
    return good;
}

bool carom_moreau_conclude(struct carom_moreau_graph *w, const struct carom_state *from, struct carom_state *to,
                           double h)
{
    return note_pressed(w, from, to, h) && note_openings(w, from, to, from->time + h);
}
