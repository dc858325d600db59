/* The middle of steps, see episodes_inside.h. */
#include "sim/book/episodes_inside.h"

#include <string.h>

#include "sim/between/inside.h"
#include "sim/between/sync_range.h"

/* the view as it was */
static void look_away(const struct carom_episodes *e, struct carom_sim *sim)
{
    memcpy(sim->view->history, sim->state->history, e->peak.nh * sizeof *sim->view->history);
    carom_sync_range_at(sim, sim->state, 0, e->n);
}

double carom_episodes_inside_rate(const struct carom_episodes *e, struct carom_sim *sim, size_t j, double time,
                                  double rate)
{
    const struct carom_state *before = sim->stepper->before, *state = sim->state, *view = sim->view;
    const double beside = 1e-6 * (state->time - before->time);
    double deform;
    if (!e->inside || !carom_model_chain(sim->model) || !(time > before->time + beside) ||
        !(time < state->time - beside))
        return rate;
    sim->stepper->scheme->dense(sim->stepper, state, time, sim->view);
    carom_contacts_deform_some(sim->model, j, j + 1, time, view->q, view->v, &deform, &rate);
    look_away(e, sim);
    return rate;
}

void carom_episodes_inside(struct carom_episodes *e, struct carom_sim *sim, size_t from, size_t to)
{
    const struct carom_state *view = sim->view;
    const double time = carom_inside_time(sim);
    bool looks = false;
    for (size_t j = from; e->peak.seen > 1 && j < to; j++) {
        const struct carom_look *look = e->peak.look;
        const bool there = look[1].times[j] < time && time < look[2].times[j];
        const bool anew = carom_breaks_at(e->breaks, look[1].times[j]);
        struct carom_course_past middle = {.time = time};
        carom_inside_ends(&e->peak, j, &e->sums.overlap[j]);
        if (!there || !carom_inside_promises(&e->peak, j, e->sums.overlap[j], anew))
            continue;
        if (!looks)
            sim->stepper->scheme->dense(sim->stepper, sim->state, time, sim->view);
        looks = true;
        carom_contacts_deform_some(sim->model, j, j + 1, time, view->q, view->v, &middle.deform, &middle.rate);
        carom_inside_climb(&e->peak, j, &middle, &e->sums.overlap[j]);
    }
    if (looks)
        look_away(e, sim);
}
