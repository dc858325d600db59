/* Contacts that are held by all that mu_static allows, to rounding, from the first: whether they break away nobody can
 * tell, and all that follows depends on it. Where forces grow until a contact breaks away, the step ended for that. */
#include <string.h>

#include "scheme/rigid/adaptive/adaptive.h"
#include "scheme/stepper.h"

static const double edge = 1e-9; /* of mu_static: forces of a tiny step are rounded by about as much */

/* Is there a contact that stuck and, slipping, would have less friction? */
static bool may_break(const struct carom_adaptive *w)
{
    const struct carom_coulomb *r = &w->moreau.friction;
    const struct carom_model *model = w->moreau.rigid.model;
    for (size_t j = 0; model->frictional && j < model->nc; j++)
        if (w->rests[j] && w->stuck[j] && r->mu_static[j] > r->mu[j])
            return true;
    return false;
}

/* the modes with another mu_static of all contacts */
static enum carom_status modes_with(struct carom_stepper *stepper, const struct carom_state *state, double h,
                                    double part, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    double *still = w->moreau.friction.mu_static;
    const size_t nc = stepper->model->nc;
    memcpy(w->start, still, nc * sizeof *still);
    for (size_t j = 0; j < nc; j++)
        still[j] *= part;
    const enum carom_status status = carom_adaptive_turn_modes(stepper, state->time, state->q, state->v, h, error);
    memcpy(still, w->start, nc * sizeof *still);
    return status;
}

enum carom_status carom_adaptive_edge(struct carom_stepper *stepper, const struct carom_state *state, double h,
                                      struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const size_t nc = stepper->model->nc;
    const struct carom_counts counts = stepper->counts;
    const double residual = stepper->worst_residual;
    if (w->why == CAROM_ADAPTIVE_BREAKS || w->why == CAROM_ADAPTIVE_DIFFERS || stepper->split.seen || !may_break(w))
        return CAROM_OK;
    enum carom_status status = modes_with(stepper, state, h, 1.0 - edge, error);
    memcpy(w->some, w->mode, nc * sizeof *w->mode);
    if (status == CAROM_OK)
        status = modes_with(stepper, state, h, 1.0 + edge, error);
    for (size_t j = 0; j < nc && status == CAROM_OK && !stepper->split.seen; j++)
        if (w->mode[j] == CAROM_COULOMB_STICK && w->some[j] != w->mode[j])
            stepper->split = (struct carom_split){true, state->time, 0.0, j, j, 0.0};
    if (status == CAROM_OK)
        status = carom_adaptive_turn_modes(stepper, state->time, state->q, state->v, h, error);
    stepper->counts = counts;
    stepper->worst_residual = residual;
    return status;
}

/* With friction no sequence of impacts is followed to its end (collapse.h). */
void carom_adaptive_edge_amid(struct carom_stepper *stepper, const struct carom_state *state, bool first)
{
    const struct carom_adaptive *w = stepper->work;
    const struct carom_moreau *m = &w->moreau;
    const struct carom_rigid_step *c = &m->rigid;
    const bool may = first && m->frame.both && w->why == CAROM_ADAPTIVE_STRIKES;
    for (size_t k = 0; k < c->n && may && !stepper->split.seen; k++) {
        const size_t j = c->contact[k];
        const bool parts =
            j != w->which && w->was[j] == CAROM_COULOMB_OPEN && m->before[k] > w->slow && w->gap[j] > 0.0;
        if (parts && c->impulse[k] * m->frame.diagonal[k] > w->options->tol * stepper->scales.speed)
            stepper->split = (struct carom_split){true, state->time, w->gap[j], w->which, j, 0.0};
    }
}
