/* Forces that pass 0 while a contact is closed, as events: of dampers that hold bodies together, or of a contact that
 * its force ends. */
#include "sim/book/episodes_zeros.h"

#include "model/latch.h"
#include "sim/between/events.h"

double carom_episodes_zeros_ends(const struct carom_episodes *e, const struct carom_model *model, size_t j)
{
    const struct carom_look *a = &e->peak.look[1], *b = &e->peak.look[2];
    const double h = b->times[j] - a->times[j];
    if (!carom_latch_holds(model, b->history, j))
        return carom_events_locate((double[]){a->deform[j], b->deform[j]}, (double[]){a->rate[j], b->rate[j]},
                                   a->times[j], h, j)
            .time;
    const struct carom_interval interval = carom_impulses_between(&e->peak, j, 1);
    return a->times[j] + (a->force[j] > 0.0 ? carom_interval_zero(&interval) * h : 0.0);
}

enum carom_status carom_episodes_zeros_note(const struct carom_episodes *e, struct carom_sim *sim, size_t from,
                                            size_t to, struct carom_error *error)
{
    const struct carom_look *a = &e->peak.look[1], *b = &e->peak.look[2];
    enum carom_status status = CAROM_OK;
    for (size_t j = from; e->peak.seen > 1 && j < to && status == CAROM_OK; j++) {
        if (a->force[j] == 0.0 || (a->force[j] > 0.0) == (b->force[j] > 0.0) ||
            (a->force[j] < 0.0 && b->force[j] == 0.0))
            continue;
        const struct carom_interval interval = carom_impulses_between(&e->peak, j, 1);
        const double at = interval.law ? carom_interval_zero(&interval) : a->force[j] / (a->force[j] - b->force[j]),
                     rate = carom_cubic_slope(&interval.deform, at) / interval.h;
        if (carom_cubic_at(&interval.deform, at) > 1e-9 * carom_episodes_deepest(e, j))
            status = carom_recorder_event(sim->recorder,
                                          &(struct carom_event){.time = a->times[j] + at * interval.h,
                                                                .contact = j,
                                                                .kind = CAROM_EVENT_ZERO,
                                                                .before = -rate,
                                                                .after = -rate},
                                          error);
    }
    return status;
}
