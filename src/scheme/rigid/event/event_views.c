/* Flights of discs and spheres as functions of time, what is noted of a step while it is taken, and views inside it:
 * every body flies on from its last turn before the moment asked for. */
#include <string.h>

#include "base/memory.h"
#include "scheme/rigid/event/event_bodies.h"

void carom_event_views_fly(size_t d, double t, const double *a, double *u, double *v)
{
    for (size_t k = 0; k < d; k++) {
        u[k] += t * (v[k] + 0.5 * t * a[k]);
        v[k] += t * a[k];
    }
}

void carom_event_views_turn(const struct carom_bodies *b, double t, const double *v, double *q)
{
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b);
    for (size_t i = 0; i < b->n; i++) {
        double step[6] = {0.0}, moved[10];
        bool turns = false;
        for (size_t k = b->dimension; k < nv; k++) {
            step[k] = b->body[i].fixed ? 0.0 : t * v[i * nv + k];
            turns |= step[k] != 0.0;
        }
        if (!turns)
            continue;
        carom_bodies_move(b, 0, 1, q + i * nq, step, moved);
        memcpy(q + i * nq, moved, nq * sizeof *q);
    }
}

double carom_event_views_work(const struct carom_bodies *b, const double *value, const double *from, const double *to)
{
    double work = 0.0, before[3], after[3];
    for (size_t j = 0; j < b->nloads; j++) {
        if (b->body[b->load[j].body].fixed)
            continue;
        carom_bodies_moved(b, b->load[j].body, from, before);
        carom_bodies_moved(b, b->load[j].body, to, after);
        for (size_t k = 0; k < b->dimension; k++)
            work += value[j] * b->load[j].force[k] * (after[k] - before[k]);
    }
    return work;
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

bool carom_event_views_log_turn(struct carom_event_bodies *w, const struct carom_event_turn *turn)
{
    struct carom_event_log *log = &w->log;
    if (!carom_memory_room(&log->turn, log->nturns, &log->turn_room, 64, sizeof *log->turn))
        return false;
    log->turn[log->nturns++] = *turn;
    return true;
}

bool carom_event_views_log_change(struct carom_event_bodies *w, const struct carom_event_bond *bond)
{
    struct carom_event_log *log = &w->log;
    if (!carom_memory_room(&log->change, log->nchanges, &log->change_room, 64, sizeof *log->change))
        return false;
    log->change[log->nchanges++] = (struct carom_event_change){w->now, *bond};
    return true;
}

bool carom_event_views_log_loss(struct carom_event_bodies *w)
{
    struct carom_event_log *log = &w->log;
    const double *retired = w->state->contacts->retired + 2 * CAROM_RETIRED_VISCOUS;
    if (!carom_memory_room(&log->loss, log->nlosses, &log->loss_room, 64, sizeof *log->loss))
        return false;
    log->loss[log->nlosses++] = (struct carom_event_loss){w->now, {retired[0], retired[1]}};
    return true;
}

/* --- views -------------------------------------------------------------------------------------------------------- */

/* contacts as they were `past` after the start of the last step */
static bool recall(struct carom_event_bodies *w, const struct carom_state *before, double past,
                   struct carom_contacts *list)
{
    const struct carom_event_log *log = &w->log;
    bool good = carom_event_bonds_read(&w->seen, w->bodies, before->contacts);
    for (size_t i = 0; i < log->nchanges && log->change[i].when <= past && good; i++)
        good = carom_event_bonds_put(&w->seen, &log->change[i].bond);
    for (size_t i = 0; i < log->nlosses && log->loss[i].when <= past; i++)
        memcpy(list->retired + 2 * CAROM_RETIRED_VISCOUS, log->loss[i].retired, sizeof log->loss[i].retired);
    return good && carom_event_bonds_write(&w->seen, w->bodies, list);
}

void carom_event_views_dense(struct carom_stepper *stepper, const struct carom_state *state, double t,
                             struct carom_state *view)
{
    struct carom_event_bodies *w = stepper->work;
    const struct carom_bodies *b = w->bodies;
    const struct carom_state *before = stepper->before;
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b), d = b->dimension;
    const double past = carom_state_until(before, t), *value = state->memory + 1;
    carom_state_view(view, before);
    /* where each flight began; these arrays are the next step's only from its beginning on */
    memset(w->when, 0, b->n * sizeof *w->when);
    memcpy(w->freely, before->memory + 1 + b->nloads, 3 * b->n * sizeof *w->freely);
    for (size_t i = 0; i < w->log.nturns && w->log.turn[i].when <= past; i++) {
        const struct carom_event_turn *now = &w->log.turn[i];
        w->when[now->body] = now->when;
        memcpy(w->freely + 3 * now->body, now->a, sizeof now->a);
        memcpy(view->q + now->body * nq, now->u, d * sizeof(double));
        memcpy(view->v + now->body * nv, now->v, d * sizeof(double));
    }
    for (size_t i = 0; i < b->n; i++)
        if (!b->body[i].fixed)
            carom_event_views_fly(d, past - w->when[i], w->freely + 3 * i, view->q + i * nq, view->v + i * nv);
    carom_event_views_turn(b, past, view->v, view->q);
    view->work[0] += carom_event_views_work(b, value, before->q, view->q);
    carom_bodies_anchor(b, view->q);
    view->contacts->lacking |= !recall(w, before, past, view->contacts);
    view->step = state->step;
    carom_state_clock(view, t);
}
