/* Looks at states of scheme dp5: in physical variables, around contacts that have just changed, and inside the last
 * step. They change no state. */
#include <string.h>

#include "model/motion.h"
#include "scheme/compliant/dp5.h"
#include "scheme/compliant/dp5_fused.h"
#include "scheme/compliant/spans.h"
#include "scheme/compliant/touch.h"

void carom_dp5_look_sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    struct carom_dp5 *w = stepper->work;
    carom_state_view(view, state);
    if (!w->rates.regular)
        return;
    if (!(w->known && w->count == state->step && w->time == state->time) && state != stepper->before)
        carom_window_load(&w->rates.window, carom_dp5_since(state, stepper->model));
    carom_modes_load_cut(&w->modes, carom_dp5_modes(state));
    w->rates.history = view->history;
    carom_rates_clock(&w->rates, state->time + state->time_low);
    carom_rates_physical(&w->rates, view->q, view->v);
    carom_window_advance(&w->rates.window, state->time + state->time_low, state->v,
                         carom_dp5_since(state, stepper->model), view->q);
    carom_motion_impose(stepper->model, state->time + state->time_low, view->q, view->v);
}

/* do the slopes that the last step ended with, which the next begins with, tell the velocities of these beads? */
static bool slopes_tell(const struct carom_dp5 *w, const struct carom_stepper *stepper, const struct carom_state *state,
                        size_t first, size_t last)
{
    const struct carom_window *window = &w->rates.window;
    if (!w->last_known || !w->known || w->count != state->step || w->time != state->time || state == stepper->before)
        return false;
    for (size_t i = 0; i < window->count; i++)
        if (window->span[i].first <= first && last <= window->span[i].last)
            return true;
    return false;
}

/* only around contacts that have just changed: their neighbours are awake */
void carom_dp5_look_sync_range(struct carom_stepper *stepper, const struct carom_state *state, size_t first,
                               size_t last, struct carom_state *view)
{
    struct carom_dp5 *w = stepper->work;
    const struct carom_chain *chain = &w->rates.chain;
    const size_t size = (last - first) * sizeof(double);
    memcpy(view->q + first, state->q + first, size);
    carom_state_clock(view, state->time);
    if (slopes_tell(w, stepper, state, first, last)) {
        memcpy(view->v + first, w->step.k[6] + first, size);
        return;
    }
    memcpy(view->v + first, state->v + first, size);
    if (!w->rates.regular || !stepper->model->damped)
        return;
    size_t from, to;
    carom_chain_beside(chain, first, last, &from, &to);
    double *deform = w->rates.power, *viscous = w->rates.lambda, *push = w->rates.force;
    const double *mode = carom_dp5_modes(state);
    carom_rates_clock(&w->rates, state->time + state->time_low);
    carom_chain_deform(chain, from, to, state->q, deform + from);
    const struct carom_response want = {.viscous = viscous + from};
    carom_contacts_evaluate(stepper->model, from, to, deform + from, NULL, state->history, &want);
    if (w->rates.acts)
        carom_modes_load_cut(&w->modes, mode);
    for (size_t j = from; w->rates.acts && j < to; j++)
        viscous[j] = carom_rates_viscous(&w->rates, j, deform[j]);
    for (size_t j = from; w->rates.cut && j < to; j++)
        viscous[j] *= mode[j] == CAROM_MODES_CUT ? 0.0 : 1.0;
    carom_chain_push(chain, first, last, viscous, 0, push + first);
    for (size_t i = first; i < last; i++)
        view->v[i] += push[i] * chain->beads->inverse_mass[i];
}

/* y at part s of the last step, time t, in the variables of the step */
static void look_inside(struct carom_stepper *stepper, const struct carom_state *state, double s, double t, double *y)
{
    struct carom_dp5 *w = stepper->work;
    const struct carom_model *model = stepper->model;
    const struct carom_state *from = stepper->before;
    size_t first, last;
    for (size_t i = 0; carom_spans_feeding(&w->rates, i, &first, &last); i++)
        carom_dormand_prince_dense(&w->step, s, first, last, y);
    for (size_t i = 0; carom_spans_tallied(&w->rates, i, &first, &last); i++)
        carom_dormand_prince_dense(&w->step, s, first, last, y);
    carom_motion_normalise(model, y, w->physical);
    carom_modes_load_cut(&w->modes, carom_dp5_modes(from)); /* those of the step */
    w->rates.history = y + model->nq + model->nv;
    carom_rates_clock(&w->rates, t);
    const struct carom_touch_step in = {&w->step, from->time + from->time_low,
                                        carom_loads_before(state->time + state->time_low)};
    carom_touch_between(&w->last, &w->start, &w->rates, &in, s,
                        1e-2 * state->memory[CAROM_DP5_ALLOWED] * stepper->scales.speed, stepper->scales.contact_time,
                        y);
    carom_motion_impose(model, t, y, y + model->nq);
}

/* So often dashpots relax in steps whose dense output stays of order 4: slopes at places that are off a little are off
 * by as many times that, and would make a worse one. */
static const double often = 2.0;

/* Makes the dense output of the last step one of order 5, whose errors in mid-step are those at its end: two more
 * evaluations, which nothing else hears of. Pilots do without: so they see no less than what samples err by. What
 * stages no longer need has room for the second place, `y` for the first. */
static void refine(struct carom_stepper *stepper, const struct carom_state *state, double *y)
{
    struct carom_dp5 *w = stepper->work;
    const double begin = stepper->before->time + stepper->before->time_low;
    double *const place[] = {y, w->step.k[1]}, t[] = {begin + carom_dormand_prince_place(0) * w->step.h,
                                                      begin + carom_dormand_prince_place(1) * w->step.h};
    for (size_t i = 0; i < 2; i++)
        look_inside(stepper, state, carom_dormand_prince_place(i), t[i], place[i]);
    carom_dormand_prince_refine(&w->step, w->rates.nall + w->rates.nextra);
    for (size_t i = 0; i < 2; i++) {
        double *slope = w->step.k[i == 0 ? CAROM_DORMAND_PRINCE_FIRST : CAROM_DORMAND_PRINCE_SECOND];
        carom_dp5_stages_evaluate(w, t[i], place[i], slope);
        if (w->fused)
            carom_dp5_fused_spread(&w->rates, slope);
    }
    const struct carom_model *model = stepper->model; /* what evaluations leave as it is has slopes of 0 */
    memset(w->step.k[1] + model->nq + model->nv, 0, model->nh * sizeof(double));
}

void carom_dp5_look_dense(struct carom_stepper *stepper, const struct carom_state *state, double t,
                          struct carom_state *view)
{
    struct carom_dp5 *w = stepper->work;
    const struct carom_state *from = stepper->before;
    const double h = carom_state_until(from, state->time) + state->time_low;
    const double s = carom_state_until(from, t) / h;
    size_t first, last;
    if (stepper->model->latches && !(t < state->time)) { /* what latches does so where a step ends */
        carom_dp5_look_sync(stepper, state, view);
        return;
    }
    carom_state_view(view, state);
    for (size_t i = 0; w->fused && !w->spread && i < CAROM_DORMAND_PRINCE_STAGES; i++)
        carom_dp5_fused_spread(&w->rates, w->step.k[i]);
    w->spread = true;
    if (w->relaxed < often && !stepper->asked && !w->step.fine)
        refine(stepper, state, view->data);
    look_inside(stepper, state, s, t, view->data);
    carom_state_clock(view, t);
    if (!w->rates.regular)
        return;
    carom_rates_physical(&w->rates, view->q, view->v);
    for (size_t i = 0; w->rates.nextra && i < w->nnear; i++)
        carom_losses_between(&w->last, &w->start, &w->rates, &w->step, s, w->near[i], view->data);
    for (size_t i = 0; w->rates.cut && carom_spans_contacts(&w->rates, i, &first, &last); i++)
        carom_losses_between_cut(&w->last, &w->rates, &w->step, first, last, view->data);
    carom_window_advance(&w->rates.window, t, state->v, carom_dp5_since(state, stepper->model), view->q);
}
