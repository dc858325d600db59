/* Sets of contacts of a row of beads: masses and neighbours straight from flat arrays. */
#include "model/beads/chain.h"
#include "model/frame_own.h"

/* the bead left or right of contact j that impulses can move; n where there is a wall or a driven bead, whose motion at
 * the chain's time is then `driven` */
static size_t bead_beside(const struct carom_chain *c, size_t j, int s, struct carom_motion *driven)
{
    const bool wall = s == 0 ? j < c->shift : j + 1 - c->shift >= c->n;
    *driven = (struct carom_motion){0.0, 0.0};
    if (wall) {
        if (c->moving)
            *driven = c->wall[s];
        return c->n;
    }
    const size_t i = j + (size_t)s - c->shift;
    if (!carom_loads_driven(c->beads, i))
        return i;
    for (size_t k = 0; k < c->beads->ndrives; k++)
        if (c->beads->drive[k].which == (int32_t)i)
            *driven = carom_loads_motion(&c->beads->drive[k], c->time);
    return c->n;
}

void carom_frame_chain_set(struct carom_frame *frame, double t, const double *q)
{
    struct carom_chain chain = carom_chain_of(frame->model);
    const double *inverse = chain.beads->inverse_mass;
    carom_chain_clock(&chain, t);
    for (size_t i = 0; i < frame->n; i++) {
        const size_t j = frame->contact[i];
        struct carom_motion a, b;
        const size_t left = bead_beside(&chain, j, 0, &a), right = bead_beside(&chain, j, 1, &b);
        const bool next = i + 1 < frame->n && frame->contact[i + 1] == j + 1 && right < chain.n;
        frame->gap[i] = chain.gap[j] + ((right < chain.n ? q[right] : b.place) - (left < chain.n ? q[left] : a.place));
        frame->drift[i] = b.rate - a.rate;
        frame->diagonal[i] = (left < chain.n ? inverse[left] : 0.0) + (right < chain.n ? inverse[right] : 0.0);
        frame->beside[i] = next ? -inverse[right] : 0.0;
    }
}

void carom_frame_chain_rates(const struct carom_frame *frame, const double *v, double *rate)
{
    const struct carom_chain chain = carom_chain_of(frame->model);
    for (size_t i = 0; i < frame->n; i++) {
        const int32_t *pair = frame->model->pair[frame->contact[i]];
        const bool left = pair[0] >= 0 && !carom_loads_driven(chain.beads, (size_t)pair[0]);
        const bool right = pair[1] >= 0 && !carom_loads_driven(chain.beads, (size_t)pair[1]);
        rate[i] = ((right ? v[pair[1]] : 0.0) - (left ? v[pair[0]] : 0.0)) + frame->drift[i];
    }
}

/* the inverse mass of a driven bead is 0 */
void carom_frame_chain_push(const struct carom_frame *frame, const double *impulse, double *v)
{
    const double *inverse = carom_model_chain(frame->model)->inverse_mass;
    for (size_t i = 0; i < frame->n; i++) {
        const int32_t *pair = frame->model->pair[frame->contact[i]];
        if (pair[0] >= 0)
            v[pair[0]] -= inverse[pair[0]] * impulse[i];
        if (pair[1] >= 0)
            v[pair[1]] += inverse[pair[1]] * impulse[i];
    }
}
