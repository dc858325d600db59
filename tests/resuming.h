/* Runs that are stopped on the way, or killed, which a copy of their file taken in the middle of the run plays. */
#ifndef CAROM_TESTS_RESUMING_H
#define CAROM_TESTS_RESUMING_H

#include "carom/carom.h"
#include "files.h"

/* What the watch does, counted in its calls; 0: never. */
struct plan {
    int calls, save, copy, stop;
};

static inline bool follow_plan(void *own, const struct carom_sim *sim)
{
    struct plan *plan = own;
    if (sim->state->step == 0)
        return true; /* the pilot runs are not part of the plan */
    plan->calls++;
    if (plan->calls == plan->save)
        CHECK_STATUS(carom_recorder_checkpoint(sim->recorder, sim->state, &sim->stepper->counts, NULL), CAROM_OK);
    if (plan->calls == plan->copy) {
        CHECK_STATUS(carom_recorder_flush(sim->recorder, NULL), CAROM_OK);
        file_copy("part.h5", "copy.h5");
    }
    return plan->calls != plan->stop;
}

static inline enum carom_status run_and_free(struct carom_sim *sim, struct plan *plan, uint64_t *hash)
{
    const struct carom_watch watch = {.call = follow_plan, .own = plan, .seconds = 0.0};
    struct carom_error error = {.status = CAROM_OK};
    const enum carom_status status = carom_sim_run(sim, plan ? &watch : NULL, &error);
    if (status != CAROM_E_STOPPED)
        CHECK_TEXT(error.text, "");
    *hash = carom_state_hash(sim->state);
    carom_sim_free(sim);
    return status;
}

#endif
