/* Bodies that leave, see leaving.h. A scheme at work knows more than its state tells, so that another stepper takes
 * over where somebody has gone. What bodies had, and what contacts with them held, is what the energy falls by. */
#include "sim/leaving.h"

#include "model/bodies/list.h"
#include "model/bodies/outside.h"
#include "model/bodies/walls.h"
#include "sim/loop.h"

bool carom_leaving_matters(const struct carom_sim *sim)
{
    const struct carom_bodies *bodies = carom_model_bodies(sim->model);
    return bodies && (bodies->outside != CAROM_OUTSIDE_KEEP || (bodies->tumbling && !bodies->shapes));
}

/* contacts of a body are over: what they have lost stays counted */
static void part(struct carom_contacts *c, const struct carom_columns *columns, size_t body)
{
    for (size_t j = 0; j < c->n; j++)
        if (c->key[j].a == body || c->key[j].b == body)
            carom_list_retire(c, columns, j);
}

/* in the view: everybody who is beyond an open side */
static void remove_all(const struct carom_sim *sim, const struct carom_bodies *b, size_t first)
{
    const struct carom_columns columns = carom_list_columns(b);
    for (size_t i = first; i < b->n; i = carom_outside_next(b, sim->view->q, i + 1)) {
        part(sim->view->contacts, &columns, i);
        carom_outside_remove(b, i, sim->view->time, sim->view->q, sim->view->v);
    }
}

/* bodies that are beyond an open side */
static size_t count_outside(const struct carom_bodies *b, const double *q)
{
    size_t count = 0;
    for (size_t i = carom_outside_next(b, q, 0); i < b->n; i = carom_outside_next(b, q, i + 1))
        count++;
    return count;
}

enum carom_status carom_leaving_remove(struct carom_sim *sim, struct carom_error *error)
{
    const struct carom_bodies *b = carom_model_bodies(sim->model);
    struct carom_loop *loop = sim->own;
    if (loop->outside == SIZE_MAX) /* who stopped an earlier session does not stop this one */
        loop->outside = b->outside == CAROM_OUTSIDE_STOP ? count_outside(b, sim->state->q) : 0;
    const size_t first = b->outside == CAROM_OUTSIDE_REMOVE ? carom_outside_next(b, sim->state->q, 0) : b->n;
    if (first == b->n)
        return CAROM_OK;
    carom_sim_sync(sim);
    const double before = carom_sim_energy(sim);
    remove_all(sim, b, first);
    const enum carom_status status = carom_sim_set_renew(sim, error);
    if (status != CAROM_OK)
        return status;
    carom_sim_sync(sim);
    sim->state->spent[0] += before - carom_sim_energy(sim);
    carom_sim_sync(sim);
    return CAROM_OK;
}

enum carom_status carom_leaving_end(struct carom_sim *sim, struct carom_error *error)
{
    const struct carom_bodies *b = carom_model_bodies(sim->model);
    const struct carom_loop *loop = sim->own;
    size_t pair[2];
    if (!b->shapes && carom_walls_touch(b, sim->state->q, pair))
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "bodies %zu and %zu meet at t = %g: boxes and cylinders meet discs and spheres, not yet "
                               "each other or other walls; under theory nonsmooth boxes do",
                               pair[0] + 1, pair[1] + 1, sim->state->time);
    if (b->outside == CAROM_OUTSIDE_STOP && loop->whole == sim && /* flights ahead of a run end together */
        count_outside(b, sim->state->q) > loop->outside)
        sim->until = sim->state->time + sim->state->time_low;
    return CAROM_OK;
}
