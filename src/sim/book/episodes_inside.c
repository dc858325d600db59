/* The middle of steps, see episodes_inside.h. */
#include "sim/book/episodes_inside.h"

#include <string.h>

#include "sim/between/course.h"
#include "sim/between/sync_range.h"
#include "sim/book/spacing.h"
#include "solve/locate.h"

enum { MOST = 1000 }; /* coordinates: the scheme interpolates all of them, also those that sleep */

bool carom_episodes_inside_helps(const struct carom_sim *sim)
{
    return sim->model->nv <= MOST && sim->stepper->scheme->dense_order > 4 && carom_spacing_tolerance(sim) > 0.0;
}

/* Has contact j begun in the last step, or its force at the start of it? */
static bool begins(const struct carom_episodes *e, size_t j)
{
    const struct carom_look *a = &e->peak.look[0], *b = &e->peak.look[1];
    return e->peak.seen < 3 || !(a->deform[j] > 0.0) || !(b->deform[j] > 0.0) || !(b->times[j] > a->times[j]) ||
           carom_breaks_at(e->breaks, b->times[j]);
}

/* May the force of contact j have a top in the last step, larger than any so far? By the parabola through three looks,
 * with half as much room again on either side. */
static bool promises(const struct carom_peak_force *p, size_t j)
{
    const struct carom_look *a = &p->look[0], *b = &p->look[1], *c = &p->look[2];
    const double h0 = b->times[j] - a->times[j], h1 = c->times[j] - b->times[j];
    const double r0 = (b->force[j] - a->force[j]) / h0, r1 = (c->force[j] - b->force[j]) / h1;
    const double bend = (r1 - r0) / (h0 + h1), room = 0.5 * fabs(bend) * h1, rise = r1 - bend * h1;
    return rise > -room && r1 + bend * h1 < room && fmax(b->force[j], c->force[j]) + 2.0 * room * h1 > p->largest[j];
}

/* May its overlap have one? */
static bool turns(const struct carom_episodes *e, size_t j)
{
    const struct carom_look *b = &e->peak.look[1], *c = &e->peak.look[2];
    const double h = c->times[j] - b->times[j];
    return b->rate[j] > 0.0 && c->rate[j] < 0.0 && b->deform[j] + h * b->rate[j] > e->sums.overlap[j];
}

/* Where contact j, open at the start of the step, closes; 0: it was closed. Its force may begin with a jump. */
static double closing(const struct carom_peak_force *p, size_t j)
{
    const struct carom_interval interval = carom_impulses_between(p, j, 1);
    return p->look[1].deform[j] > 0.0 ? 0.0 : 1e-12 + (1.0 - 1e-12) * carom_locate_on_cubic(&interval.deform, 1.0);
}

static void look_inside(struct carom_episodes *e, const struct carom_sim *sim, size_t j)
{
    struct carom_course_past middle = {.time = sim->view->time};
    carom_contacts_deform_some(sim->model, j, j + 1, middle.time, sim->view->q, sim->view->v, &middle.deform,
                               &middle.rate);
    const struct carom_course course = carom_course_inside(&e->peak, j, &middle);
    const double top = carom_course_top(&course, 0.0);
    double at[3];
    if (top <= 1.0) {
        carom_course_at(&course, top, at);
        e->sums.overlap[j] = fmax(e->sums.overlap[j], at[0]);
    }
    carom_course_climb(&course, &e->peak, closing(&e->peak, j));
}

void carom_episodes_inside_note(struct carom_episodes *e, struct carom_sim *sim, size_t from, size_t to)
{
    struct carom_peak_force *p = &e->peak;
    const struct carom_state *before = sim->stepper->before, *state = sim->state;
    const double middle = before->time + 0.5 * (state->time - before->time);
    bool looks = false;
    for (size_t j = from; p->seen > 1 && j < to; j++) {
        const bool there = p->look[1].times[j] < middle && middle < p->look[2].times[j];
        for (size_t i = 1; i < 3; i++) {
            const struct carom_look *look = &p->look[i];
            e->sums.overlap[j] = fmax(e->sums.overlap[j], look->deform[j]);
            if (look->force[j] > p->largest[j])
                p->largest[j] = look->force[j], p->when[j] = look->times[j];
        }
        if (!there || !(begins(e, j) || promises(p, j) || turns(e, j)))
            continue;
        if (!looks)
            sim->stepper->scheme->dense(sim->stepper, state, middle, sim->view);
        looks = true;
        look_inside(e, sim, j);
    }
    if (!looks)
        return;
    memcpy(sim->view->history, state->history, p->nh * sizeof *state->history);
    carom_sync_range_at(sim, state, 0, e->n);
}
