/* An impact with a time of its own may take minutes. It asks now and then whether it is still wanted; if not, the step
 * fails, and the sim goes back to where it was before. Forces that the impact has told by then stay recorded: the same
 * sim leaves them out when it hears them again, and whoever goes on from the checkpoint cuts them off. */
#include "sim/stopping.h"

#include "base/clock.h"
#include "carom/scheme.h"
#include "sim/blunders.h"

enum carom_status carom_stopping_open(struct carom_stopping *stopping, const struct carom_sim *sim,
                                      struct carom_error *error)
{
    *stopping = (struct carom_stopping){0};
    if (!sim->stepper->stoppable)
        return CAROM_OK;
    stopping->state = carom_state_create(sim->model, sim->state->nmemory);
    return stopping->state ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a state to keep");
}

void carom_stopping_close(struct carom_stopping *stopping)
{
    carom_state_free(stopping->state);
    *stopping = (struct carom_stopping){0};
}

static bool lasts(void *own)
{
    struct carom_stopping *stopping = own;
    const struct carom_watch *watch = &stopping->watch;
    struct carom_sim *sim = stopping->sim;
    const double t = carom_clock_now();
    if (t - stopping->watched < watch->seconds)
        return true;
    const char *phase = sim->phase;
    stopping->watched = t;
    sim->phase = "inside an impact";
    const bool goes_on = watch->call(watch->own, sim);
    sim->phase = phase;
    return goes_on;
}

void carom_stopping_ask(struct carom_stopping *stopping, struct carom_sim *sim, const struct carom_watch *watch)
{
    const bool asks = stopping->state && watch && watch->call;
    stopping->patience = (struct carom_patience){lasts, stopping};
    stopping->sim = sim;
    stopping->watch = asks ? *watch : (struct carom_watch){0};
    stopping->watched = carom_clock_now();
    sim->stepper->patience = asks ? &stopping->patience : NULL;
}

void carom_stopping_hear(struct carom_stopping *stopping)
{
    enum { OFTEN = 4096 };
    if (++stopping->heard % OFTEN == 0 && stopping->sim && stopping->sim->stepper->patience)
        stopping->tired = stopping->tired || !lasts(stopping);
}

void carom_stopping_keep(struct carom_stopping *stopping, const struct carom_sim *sim)
{
    if (!sim->stepper->patience)
        return;
    carom_state_copy(stopping->state, sim->state);
    stopping->counts = sim->stepper->counts;
    stopping->blunders = carom_blunders_so_far(sim);
    stopping->were_impacts = stopping->known_impacts;
    stopping->were_forces = stopping->known_forces;
    if (sim->recorder) {
        stopping->impacts = carom_recorder_tally(sim->recorder)->impacts;
        stopping->forces = carom_recorder_tally(sim->recorder)->forces;
    }
}

void carom_stopping_retreat(struct carom_stopping *stopping, struct carom_sim *sim)
{
    stopping->tired = false;
    if (!sim->stepper->patience) /* nothing was kept: the scheme has gone back by itself */
        return;
    carom_state_copy(sim->state, stopping->state);
    sim->stepper->counts = stopping->counts;
    carom_blunders_recall(sim, &stopping->blunders);
    if (!sim->recorder)
        return;
    stopping->known_impacts = stopping->were_impacts + carom_recorder_tally(sim->recorder)->impacts - stopping->impacts;
    stopping->known_forces = stopping->were_forces + carom_recorder_tally(sim->recorder)->forces - stopping->forces;
}

enum carom_status carom_stopping_save(const struct carom_stopping *stopping, struct carom_sim *sim,
                                      struct carom_error *error)
{
    if (!sim->recorder)
        return CAROM_OK;
    const struct carom_tally *tally = carom_recorder_tally(sim->recorder);
    const uint64_t impacts = tally->impacts, forces = tally->forces;
    carom_recorder_recall_impacts(sim->recorder, impacts - stopping->known_impacts, forces - stopping->known_forces);
    const struct carom_blunders blunders = carom_blunders_so_far(sim);
    carom_recorder_blundered(sim->recorder, &blunders);
    const enum carom_status status = carom_recorder_checkpoint(sim->recorder, sim->state, &sim->stepper->counts, error);
    carom_recorder_recall_impacts(sim->recorder, impacts, forces);
    return status;
}
