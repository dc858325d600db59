/* What a run tells of its contacts while it goes, or a run file when it is replayed, gathered into their impulses and
 * largest forces. */
#include "study/follow/run_summary.h"

#include <math.h>

#define FAINT 1e-3 /* of an impulse: what a contact may carry besides */

/* Under time stepping impulses of contacts that close are no force of the steps before and after. A sample so near an
 * impact that it may be a part of it leaves nobody knowing what lasts. */
static void note_contact(const struct carom_run_summary *w, struct carom_run_summary_contact *c,
                         const struct carom_event *event)
{
    const bool impact = event->kind == CAROM_EVENT_IMPACT;
    const double impulse = impact || (w->step > 0.0 && event->kind == CAROM_EVENT_CLOSE) ? event->impulse : 0.0;
    const bool near = event->time - w->sampled < 2.5 * w->step && event->time > w->sampled;
    if (near && c->force * w->step > FAINT * impulse && impulse > 0.0)
        c->lasting = nan("");
    if (c->ends < c->begins)
        c->begins = event->time;
    if (event->time > c->ends)
        c->jolt = 0.0;
    c->ends = event->time;
    c->jolt += impulse;
    c->blown += impulse;
    c->struck += impact;
}

void carom_summary_heard_event(struct carom_run_summary *w, const struct carom_event *event)
{
    const bool there = event->contact < w->nc;
    if (there && w->rigid)
        note_contact(w, &w->contact[event->contact], event);
    if (event->kind != CAROM_EVENT_IMPACT)
        return;
    w->impacts++;
    w->struck_since++;
    w->struck += event->before < -1e-9 * w->scales.speed ? event->impulse : 0.0;
    w->hardest = fmax(w->hardest, event->impulse);
    if (there && event->impulse > 0.0)
        w->met[event->contact] = fmin(w->met[event->contact], event->time);
    if (there && !(w->blow[event->contact] >= event->impulse))
        w->blow[event->contact] = event->impulse;
}

/* The impulse of a force between two samples: by the trapezoidal rule, but constant up to the first and from the last
 * of its contact's events on, where it may jump; between these only what it was before and is after. Time stepping
 * tells no force at the start, nor one that lasts in the step of an impact. */
static double between(const struct carom_run_summary *w, const struct carom_run_summary_contact *c, double t,
                      double now)
{
    const bool calm = c->ends < c->begins || c->begins > t;
    const double from = w->sampled, then = !isnan(c->force) ? c->force : calm ? now : 0.0;
    if (calm) /* of time stepping each step has the force at its end */
        return 0.5 * ((t - from) * (then + now) + fmin(w->step, t - from) * (now - then));
    const double first = fmax(c->begins - w->step, from), last = fmin(c->ends, t);
    return then * (first - from) + fmax(fmin(then, now), 0.0) * (last - w->step - first) + now * (t - last);
}

/* Under time stepping closed contacts hand on the impulses of others as force, in single steps, which samples miss. */
static bool missed(const struct carom_run_summary *w, const struct carom_run_summary_contact *c, double now)
{
    const bool acts = c->force > 0.0 || now > 0.0, jolted = now * w->step < -FAINT * c->jolt;
    return w->step > 0.0 && (!w->logged || jolted || (acts && w->struck_since > c->struck));
}

void carom_summary_heard_forces(struct carom_run_summary *w, double time, const double *force)
{
    const bool first = isnan(w->sampled);
    for (size_t j = 0; j < w->nc; j++) {
        struct carom_run_summary_contact *c = &w->contact[j];
        const bool jolted = w->step > 0.0 && fabs(c->ends - time) < 0.5 * w->step;
        const double now = jolted ? force[j] - c->jolt / w->step : force[j];
        if (!first && missed(w, c, now))
            c->lasting = nan("");
        if (!first) {
            c->lasting += between(w, c, time, now);
            c->whole += time - w->sampled < 1.5 * w->step ? force[j] * (time - w->sampled) : nan("");
        }
        c->force = jolted || (first && w->step > 0.0) ? nan("") : now;
        if (!(c->begins > time)) {
            c->begins = HUGE_VAL;
            c->ends = -HUGE_VAL;
            c->struck = 0;
        }
    }
    w->sampled = time;
    w->struck_since = 0;
}

void carom_summary_heard_impulses(struct carom_run_summary *w)
{
    for (size_t j = 0; j < w->nc; j++) {
        const struct carom_run_summary_contact *c = &w->contact[j];
        w->impulse[j] = w->step > 0.0 && !isnan(c->whole) ? c->whole : c->lasting + c->blown;
    }
}
