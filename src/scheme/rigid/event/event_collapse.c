/* Inelastic collapse of discs and spheres: impacts of several contacts that follow each other ever faster and end in a
 * moment, all of them at rest. Gaps become smaller than what counts as touching while rates are still large, and to
 * strike all contacts at once there, with e, would set bodies free that stay together. Whatever the order of the
 * impacts that are left out, the velocities after them follow from rates that are 0 at contacts that pushed: one
 * impact with e = 0 of all that touches. */
#include <string.h>

#include "scheme/rigid/event/event_bodies.h"

/* of U / V: four instants of a body within this time are no chance */
static const double moment = 1e-8;

/* What is left of a sequence takes a part of the time that three impacts of a body have just taken; so much of it where
 * each flight is 0.93 of the one before. */
static const double left = 4.0;

static bool is_busy(const struct carom_event_bodies *w, size_t i)
{
    const double *recent = w->recent + CAROM_EVENT_RECENT * i;
    return !w->bodies->body[i].fixed && recent[0] > 0.0 &&
           carom_event_bodies_time(w) - recent[0] <= moment * w->length / w->speed;
}

void carom_event_collapse_note(struct carom_event_bodies *w, size_t i)
{
    double *recent = w->recent + CAROM_EVENT_RECENT * i;
    memmove(recent, recent + 1, (CAROM_EVENT_RECENT - 1) * sizeof *recent);
    recent[CAROM_EVENT_RECENT - 1] = carom_event_bodies_time(w);
}

bool carom_event_collapse_ends(const struct carom_event_bodies *w, const struct carom_contact_key *hit)
{
    const struct carom_event_cluster *c = &w->cluster;
    for (size_t i = 0; hit && i < c->n; i++) {
        const struct carom_event_touch *t = &c->touch[i];
        if (t->e < 1.0 && !t->was && fabs(t->rate) > carom_event_bodies_slow(w) &&
            carom_list_order(&t->key, hit) != 0 && (is_busy(w, t->key.a) || is_busy(w, t->key.b)))
            return true;
    }
    return false;
}

/* Bodies that slide past each other at V turn normals in the time that is left: rates that are 0 now are not then. */
static double error_of_end(const struct carom_event_bodies *w)
{
    double time = 0.0;
    for (size_t s = 0; s < w->cluster.nbodies; s++)
        if (is_busy(w, w->cluster.body[s]))
            time = fmax(time, carom_event_bodies_time(w) - w->recent[CAROM_EVENT_RECENT * w->cluster.body[s]]);
    return left * time * w->speed / w->length;
}

enum carom_status carom_event_collapse_stop(struct carom_stepper *stepper, struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work;
    struct carom_event_cluster *c = &w->cluster;
    double *before = c->of_set, *impulse = before + c->room;
    const double t = carom_event_bodies_time(w);
    struct carom_lcp_report report;
    carom_event_cluster_link(w, NULL, c->n);
    for (size_t i = 0; i < c->n; i++) {
        before[i] = c->touch[i].rate;
        impulse[i] = 0.0;
    }
    const struct carom_lcp lcp = {.n = c->n, .matrix = c->frame.matrix, .b = before};
    carom_lcp_solve(&lcp, CAROM_LCP_AUTO, w->options->solver_tol, 0, &c->lcp, impulse, &report);
    stepper->worst_residual = fmax(stepper->worst_residual, report.residual);
    if (!report.solved)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "impacts of bodies %zu to %zu follow each other infinitely often up to t = %g, and what "
                               "comes then could not be found (residual %.1e)",
                               (size_t)c->body[0] + 1, (size_t)c->body[c->nbodies - 1] + 1, t, report.residual);
    stepper->counts.impact_error += error_of_end(w);
    carom_frame_push(&c->frame, impulse, c->v);
    carom_event_cluster_rates(w);
    for (size_t i = 0; i < c->n; i++) {
        struct carom_event_touch *touch = &c->touch[i];
        const double lost = carom_event_taken(impulse[i], before[i], touch->rate);
        carom_list_book(w->state->contacts, CAROM_RETIRED_VISCOUS, lost);
        if (!(impulse[i] > 0.0))
            continue;
        touch->struck = true;
        if (!carom_event_bodies_tell(w, &touch->key, t, CAROM_EVENT_IMPACT, impulse[i], before[i], touch->rate, lost))
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for events");
    }
    return CAROM_OK;
}
