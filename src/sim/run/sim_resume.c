/* A sim goes on with a run file: from its last checkpoint, with its sensors as they were. */
#include "base/memory.h"
#include "carom/run.h"
#include "record/run_file.h"
#include "record/sensors.h"
#include "sim/blunders.h"
#include "sim/doubt.h"
#include "sim/loop.h"

/* when half of the samples of closed contacts were taken, if they were */
static enum carom_status recall_half(struct carom_recorder *recorder, const struct carom_run_file *run, uint64_t rows,
                                     struct carom_error *error)
{
    const uint64_t half = recorder ? carom_recorder_half(recorder) : 0;
    double time = 0.0;
    if (half == 0 || half >= rows)
        return CAROM_OK;
    const enum carom_status status = carom_run_file_times(run, half, 1, &time, error);
    carom_recorder_recall_half(recorder, time);
    return status;
}

/* What pilots told at its start is true of all of the run, as far as they went. One that was stopped while they flew
 * has them fly again. */
static void recall_stated(struct carom_sim *sim, const struct carom_run_file *run)
{
    sim->since = sim->state->time;
    if (sim->state->step == 0)
        return;
    sim->estimate = run->estimate;
    sim->growth = run->growth;
    sim->horizon = run->horizon;
    sim->sight = run->sight;
    sim->flown = run->flown;
}

enum carom_status carom_sim_resume(struct carom_sim *sim, const struct carom_run_file *run, uint64_t *rows,
                                   uint64_t *events, struct carom_error *error)
{
    if (!sim || !run || !rows || !events)
        return carom_error_missing(error);
    struct carom_checkpoint checkpoint = {0};
    struct carom_state *state = sim ? carom_state_create(sim->model, sim->state->nmemory) : NULL;
    if (!state)
        return carom_error_missing(error);
    enum carom_status status = carom_run_file_restore(run, sim->model, state, &checkpoint, error);
    if (status == CAROM_OK)
        status = carom_sim_restore(sim, &checkpoint, error);
    if (status == CAROM_OK)
        carom_blunders_recall(sim, &checkpoint.blunders);
    if (status == CAROM_OK) {
        recall_stated(sim, run);
        carom_doubt_recall(sim, &run->doubt);
    }
    if (status == CAROM_OK)
        status = carom_sensors_recall(sim->recorder, run, checkpoint.rows, error);
    if (status == CAROM_OK)
        status = recall_half(sim->recorder, run, checkpoint.rows, error);
    carom_state_free(state);
    *rows = checkpoint.rows;
    *events = checkpoint.events;
    return status;
}
