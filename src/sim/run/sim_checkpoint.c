/* Writes checkpoints: all that is needed to resume a run from here. */
#include "carom/run.h"
#include "sim/recording.h"

enum carom_status carom_sim_checkpoint(struct carom_sim *sim, struct carom_error *error)
{
    struct carom_loop *loop = sim ? sim->own : NULL;
    if (!sim)
        return carom_error_missing(error);
    if (!loop->begun || loop->ended || loop->checkpoint_every < 0.0)
        return CAROM_OK;
    loop->unsaved = false;
    enum carom_status status = carom_sim_ranks_whole(sim, error); /* or the last checkpoint stays */
    if (status == CAROM_OK &&
        (sim->stepper->split.seen || loop->changes > 0.0)) /* a resumed run cannot find them again */
        status = carom_recording_state(sim, error);
    return status == CAROM_OK ? carom_stopping_save(&loop->stopping, sim, error) : status;
}
