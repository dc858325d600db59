/* A sim is changed while it runs. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "carom/run.h"
#include "model/motion.h"
#include "sim/recording.h"

/* A scheme at work knows more than its state tells (forces it keeps, its last step): a new one takes over. */
static enum carom_status take_over(struct carom_sim *sim, struct carom_stepper *fresh, struct carom_state *state,
                                   struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    struct carom_stepper *old = sim->stepper;
    fresh->renews = sim->state;
    const enum carom_status status = carom_sim_start(sim, fresh, state, error);
    fresh->renews = NULL;
    if (status != CAROM_OK)
        return status;
    fresh->counts = old->counts;
    fresh->worst_gap = old->worst_gap;
    fresh->worst_residual = old->worst_residual;
    fresh->created = old->created;
    fresh->newtonian = old->newtonian;
    fresh->cut = old->cut;
    fresh->deadened = old->deadened;
    fresh->split = old->split;
    fresh->left_out = old->left_out;
    fresh->blur = old->blur;
    fresh->nearest = old->nearest;
    fresh->deep = old->deep;
    fresh->trace = old->trace;
    fresh->patience = old->patience;
    if (sim->ranks && fresh->scheme->keep_ranks)
        fresh->scheme->keep_ranks(fresh, old);
    sim->stepper = fresh;
    carom_stepper_free(old);
    carom_state_copy(sim->state, state);
    loop->dense = false;
    return CAROM_OK;
}

enum carom_status carom_sim_set_renew(struct carom_sim *sim, struct carom_error *error)
{
    struct carom_state *state = carom_state_create(sim->model, sim->state->nmemory);
    if (!state)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a state");
    struct carom_stepper *fresh = carom_sim_stepper(sim, sim->stepper->scheme, error);
    enum carom_status status = fresh ? CAROM_OK : error ? error->status : CAROM_E_MEMORY;
    if (fresh)
        status = take_over(sim, fresh, state, error);
    if (fresh != sim->stepper)
        carom_stepper_free(fresh);
    carom_state_free(state);
    return status;
}

static bool all_finite(const double *x, size_t n)
{
    bool good = true;
    for (size_t i = 0; x && i < n; i++)
        good &= fabs(x[i]) < HUGE_VAL;
    return good;
}

/* Has run files say that the state was changed, and how often. A run that is resumed begins at the last checkpoint, so
 * that the first change is followed by one at once, later changes by one within a second or when the sim is freed. */
static enum carom_status note_change(struct carom_sim *sim, struct carom_error *error)
{
    enum { SECONDS = 1 };
    struct carom_loop *loop = sim->own;
    const bool first = loop->changes == 0.0;
    if (first)
        loop->changed = sim->state->time;
    loop->changes += 1.0;
    if (!loop->begun || loop->ended || !sim->recorder)
        return CAROM_OK;
    loop->unsaved = true;
    const double t = carom_clock_now();
    if (!first && t - loop->saved < SECONDS)
        return CAROM_OK;
    loop->saved = t;
    const enum carom_status status = carom_recording_state(sim, error);
    return status == CAROM_OK ? carom_sim_checkpoint(sim, error) : status;
}

enum carom_status carom_sim_set(struct carom_sim *sim, const double *q, const double *v, struct carom_error *error)
{
    if (!sim)
        return carom_error_missing(error);
    const struct carom_model *model = sim->model;
    if (!all_finite(q, model->nq) || !all_finite(v, model->nv))
        return carom_error_set(error, CAROM_E_INPUT, "the new coordinates and velocities must all be finite");
    if (q && sim->state->contacts)
        return carom_error_set(error, CAROM_E_REFUSED, "where contacts come and go, only velocities can be changed");
    carom_sim_sync(sim);
    struct carom_swings *swings = &((struct carom_loop *)sim->own)->book.swings;
    const double before = carom_sim_energy(sim);
    carom_swings_kick(swings, sim->view->v, -1.0);
    if (q)
        memmove(sim->view->q, q, model->nq * sizeof *q);
    if (v)
        memmove(sim->view->v, v, model->nv * sizeof *v);
    carom_motion_impose(model, sim->state->time, sim->view->q, sim->view->v);
    if (model->nparts > 0)
        sim->view->work[0] += carom_sim_energy(sim) - before;
    carom_swings_kick(swings, sim->view->v, 1.0);
    const enum carom_status status = carom_sim_set_renew(sim, error);
    if (status != CAROM_OK)
        carom_swings_kick(swings, sim->view->v, -1.0);
    carom_sim_sync(sim);
    if (status != CAROM_OK)
        carom_swings_kick(swings, sim->view->v, 1.0);
    return status == CAROM_OK ? note_change(sim, error) : status;
}
