/* A look at one contact of the book of impacts, apart from others: as it closes or opens inside a step, and at the wall
 * on the left wherever what has passed through it is asked for. */
#include "sim/book/episodes_alone.h"

#include "model/contact_force.h"
#include "sim/between/sync_range.h"

void carom_episodes_alone(struct carom_episodes *e, const struct carom_sim *sim, size_t j,
                          const struct carom_state *state, double deform, double rate)
{
    struct carom_look *look = e->peak.look;
    if (e->swings.on)
        carom_swings_tell(&e->swings, &e->peak, j);
    for (size_t i = 0; i < 2; i++) {
        look[i].times[j] = look[i + 1].times[j];
        look[i].deform[j] = look[i + 1].deform[j];
        look[i].rate[j] = look[i + 1].rate[j];
        look[i].force[j] = look[i + 1].force[j];
        carom_sync_range_history(sim->model, j, j + 1, look[i + 1].history, look[i].history);
    }
    carom_sync_range_history(sim->model, j, j + 1, state->history, look[2].history);
    look[2].times[j] = state->time;
    look[2].deform[j] = deform;
    look[2].rate[j] = rate;
    look[2].force[j] =
        deform > 0.0 && e->peak.force ? carom_contact_force_at(sim->model, j, look[2].history, deform, rate) : 0.0;
}
