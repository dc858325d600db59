/* What contacts of solids need of a state, as `sync` leaves it: cells that may touch something, and balls. */
#include <string.h>

#include "scheme/solid/rattle_cell.h"
#include "scheme/solid/rattle_strike.h"

/* velocities of one cell as the part has them */
static void sync_cell(const struct carom_solid *s, size_t cell, const double *q, double *v)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    double turn[4], own[3];
    if (s->dimension == 2) {
        v[2] /= sort->inertia[2];
        return;
    }
    carom_solid_turns_axes(s, cell, q, turn);
    carom_quat_turn_back(turn, v + 3, own);
    for (size_t k = 0; k < 3; k++)
        v[3 + k] = own[k] / sort->inertia[k];
}

/* cells of the surface that may touch something; of others where they are */
static void sync_body(const struct carom_model *model, const struct carom_solid_strike *of, size_t body,
                      const double low[3], const double high[3], const struct carom_state *state,
                      struct carom_state *view)
{
    const struct carom_solid *s = of->body[body].solid;
    const struct carom_solid_skin *skin = of->body[body].skin;
    const struct carom_member *cells = &model->member[body];
    carom_rattle_carry_on(s, state->q + cells->q0, view->q + cells->q0);
    for (size_t r = 0; r < skin->nrims; r++) {
        const size_t cell = skin->rim[r].cell, q0 = cells->q0 + s->wide * cell, v0 = cells->v0 + s->fast * cell;
        bool near = true;
        for (size_t k = 0; k < (size_t)s->dimension; k++) {
            const double at = s->centre[cell][k] + state->q[q0 + k];
            view->q[q0 + k] = state->q[q0 + k];
            near = near && at > low[k] && at < high[k];
        }
        if (!near && of->nmeets == 0) /* surfaces may meet anywhere */
            continue;
        memcpy(view->q + q0, state->q + q0, s->wide * sizeof(double));
        memcpy(view->v + v0, state->v + v0, s->fast * sizeof(double));
        sync_cell(s, cell, state->q + cells->q0, view->v + v0);
    }
}

void carom_rattle_strike_sync(const struct carom_model *model, const struct carom_state *state,
                              struct carom_state *view)
{
    const struct carom_solid_strike *of = carom_solid_strike_of(model);
    double low[3], high[3];
    carom_solid_strike_box(model, state->q, low, high);
    if (of->balls) {
        const struct carom_member *balls = &model->member[of->balls_member];
        memcpy(view->q + balls->q0, state->q + balls->q0, balls->nq * sizeof(double));
        memcpy(view->v + balls->v0, state->v + balls->v0, balls->nv * sizeof(double));
    }
    memcpy(view->lost, state->lost, state->nlost * sizeof(double));
    memcpy(view->friction, state->friction, 2 * state->nfriction * sizeof(double)); /* and what friction took */
    memcpy(view->bonds, state->bonds, state->nbonds * sizeof(double));
    for (size_t i = 0; i < of->nbodies; i++)
        sync_body(model, of, i, low, high, state, view);
    carom_state_clock(view, state->time);
}
