/* The memory sink keeps every row and event, however often it has to grow. */
#include "chain.h"

static struct chain chain; /* large */

int main(void)
{
    const double param[] = {1.0};
    chain_uniform(&chain, 2, true, false, &carom_law_hertz, CAROM_END_GAP, param);
    struct carom_model *model = chain_model(&chain);
    struct carom_state *view = carom_state_create(model, 0);
    struct carom_memory *memory = carom_sink_memory_new();
    CHECK_OR_STOP(view != NULL && memory != NULL);
    const char *const probes[] = {"u", "gap"};
    const struct carom_schedule schedule = {.every = 1.0};
    const struct carom_origin origin = {"", "", "", "none", "", 0};
    struct carom_recorder *recorder = carom_recorder_create(model, probes, 2, &schedule, NULL);
    CHECK_OR_STOP(recorder != NULL);
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_memory, memory, NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_memory, NULL, NULL), CAROM_E_MEMORY);
    CHECK_STATUS(carom_recorder_begin(recorder, &origin, "verlet", view->n, 0, 0, NULL), CAROM_OK);
    CHECK(memory->nrows == 0 && memory->width == 2 + 2 + 10);

    enum { ROWS = 1000 };
    for (uint64_t i = 0; i < ROWS; i++) {
        view->time = (double)i;
        view->step = 3 * i;
        view->q[0] = 0.5 * (double)i;
        view->q[1] = -(double)i;
        const struct carom_event event = {(double)i, i, CAROM_EVENT_CLOSE, 0.25 * (double)i, -1.0, 2.0, 0.0};
        CHECK_STATUS(carom_recorder_sample(recorder, view, NULL), CAROM_OK);
        CHECK_STATUS(carom_recorder_event(recorder, &event, NULL), CAROM_OK);
    }
    CHECK_OR_STOP(memory->nrows == ROWS && memory->nevents == ROWS);
    const size_t u = carom_sink_memory_column(memory, "u", 1), gap = carom_sink_memory_column(memory, "gap", 0);
    CHECK(u == 1 && gap == 2);
    CHECK(carom_sink_memory_column(memory, "u", 2) == SIZE_MAX);
    CHECK(carom_sink_memory_column(memory, "nothing", 0) == SIZE_MAX);
    for (size_t i = 0; i < ROWS; i++) {
        const double *row = memory->value + i * memory->width;
        CHECK(memory->time[i] == (double)i && memory->step[i] == 3 * i);
        CHECK(row[u] == -(double)i && row[gap] == 0.5 * (double)i);
        CHECK(memory->event[i].contact == i && memory->event[i].impulse == 0.25 * (double)i);
    }
    const struct carom_counts counts = {.steps = 1};
    CHECK_STATUS(carom_recorder_end(recorder, &counts, NULL), CAROM_OK);
    CHECK(memory->nrows == ROWS); /* readable after the run */
    carom_recorder_free(recorder);
    carom_state_free(view);
    carom_model_free(model);
    return check_end();
}
