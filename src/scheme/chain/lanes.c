/* Batches of chains in blocks. A block takes all steps of a call before the next one begins, so that its arrays stay in
 * the first cache. */
#include "scheme/chain/lanes.h"

#include <string.h>

#include "base/memory.h"
#include "scheme/halving.h"

struct carom_lanes_batch {
    const struct carom_lanes *lanes;
    size_t count, nblocks;
    struct carom_stepper **stepper; /* count */
    char *block;                    /* nblocks of lanes->size bytes */
    struct carom_counts counts;
};

static struct carom_lanes_block *block_at(const struct carom_lanes_batch *batch, size_t i)
{
    return (void *)(batch->block + i * batch->lanes->size);
}

void carom_lanes_free(struct carom_lanes_batch *batch)
{
    if (!batch)
        return;
    for (size_t i = 0; batch->block && i < batch->nblocks; i++)
        batch->lanes->close(block_at(batch, i));
    carom_memory_free_all(batch->block, batch->stepper, batch);
}

static enum carom_status open(struct carom_lanes_batch *batch, size_t count, struct carom_stepper *const *stepper,
                              struct carom_error *error)
{
    const size_t width = batch->lanes->width;
    enum carom_status status = CAROM_OK;
    batch->count = count;
    batch->nblocks = (count + width - 1) / width;
    batch->stepper = carom_memory_zeroed(count, sizeof *batch->stepper);
    batch->block = carom_memory_zeroed(batch->nblocks, batch->lanes->size);
    if (!batch->stepper || !batch->block)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a batch of chains");
    memcpy(batch->stepper, stepper, count * sizeof *stepper);
    for (size_t i = 0; i < batch->nblocks && status == CAROM_OK; i++) {
        struct carom_lanes_block *b = block_at(batch, i);
        b->first = i * width;
        b->stepper = batch->stepper + b->first;
        b->count = count - i * width < width ? count - i * width : width;
        status = batch->lanes->open(b, error);
    }
    return status;
}

struct carom_lanes_batch *carom_lanes_create(const struct carom_lanes *lanes, size_t count,
                                             struct carom_stepper *const *stepper, struct carom_error *error)
{
    struct carom_lanes_batch *batch = NULL;
    enum carom_status status = CAROM_OK;
    if (count == 0)
        status = carom_error_set(error, CAROM_E_INPUT, "a batch has at least one chain");
    for (size_t c = 0; c < count && status == CAROM_OK; c++)
        if (!lanes->fits(stepper[0], stepper[c]))
            status = carom_error_set(error, CAROM_E_REFUSED, "chain %zu does not fit into the batch beside the first",
                                     c + 1);
    if (status == CAROM_OK && !(batch = carom_memory_zeroed(1, sizeof *batch)))
        status = carom_error_set(error, CAROM_E_MEMORY, "out of memory for a batch of chains");
    if (status != CAROM_OK)
        return NULL;
    batch->lanes = lanes;
    if (open(batch, count, stepper, error) == CAROM_OK)
        return batch;
    carom_lanes_free(batch);
    return NULL;
}

void carom_lanes_watch(struct carom_lanes_batch *batch, const struct carom_lanes_look *look)
{
    for (size_t i = 0; i < batch->nblocks; i++)
        block_at(batch, i)->look = look;
}

/* after so many steps */
static size_t due_of(const struct carom_lanes_block *block, size_t chain, size_t taken)
{
    const size_t within = block->look ? block->look->within(block->look->own, block->first + chain) : SIZE_MAX;
    return within < SIZE_MAX - taken ? taken + within : SIZE_MAX;
}

void carom_lanes_due_begin(const struct carom_lanes_block *block, struct carom_lanes_due *due)
{
    for (size_t c = 0; c < block->count; c++)
        due->step[c] = due_of(block, c, 0);
}

void carom_lanes_tell(const struct carom_lanes_block *block, struct carom_lanes_due *due, size_t chain, size_t taken,
                      bool switched)
{
    block->look->see(block->look->own, block->first + chain, switched);
    due->step[chain] = due_of(block, chain, taken);
}

static enum carom_status check_clocks(const struct carom_lanes_batch *batch, struct carom_state *const *state,
                                      struct carom_error *error)
{
    for (size_t c = 0; c < batch->count; c++) {
        if (state[c]->time != state[0]->time || state[c]->time_low != state[0]->time_low)
            return carom_error_set(error, CAROM_E_INPUT, "chain %zu of the batch has another time than the first",
                                   c + 1);
        if (state[c]->memory[CAROM_HALVING_REST] != 0.0)
            return carom_error_set(error, CAROM_E_INPUT, "chain %zu of the batch is in the middle of a halved step",
                                   c + 1);
    }
    return CAROM_OK;
}

static enum carom_status check_steps(const struct carom_lanes_batch *batch, double step, struct carom_error *error)
{
    const struct carom_param *param = carom_param_find(batch->lanes->scheme->kind.params, "step");
    for (size_t c = 0; c < batch->count; c++) {
        const double regular = carom_param_value(param, batch->stepper[c]->options);
        if (step != regular)
            return carom_error_set(error, CAROM_E_INPUT, "chain %zu of the batch has a step of %g, not %g", c + 1,
                                   regular, step);
    }
    return CAROM_OK;
}

enum carom_status carom_lanes_advance(struct carom_lanes_batch *batch, struct carom_state *const *state, double step,
                                      double t_stop, size_t steps, struct carom_error *error)
{
    const struct carom_lanes *lanes = batch->lanes;
    enum carom_status status = check_clocks(batch, state, error);
    if (status == CAROM_OK)
        status = check_steps(batch, step, error);
    if (status != CAROM_OK)
        return status;
    for (size_t i = 0; i < batch->nblocks; i++) {
        struct carom_lanes_block *b = block_at(batch, i);
        const size_t first = i * lanes->width;
        batch->counts.steps += b->count * lanes->run(b, state + first, step, t_stop, steps);
        for (size_t c = 0; c < b->count; c++)
            if (lanes->failed(b, c, &batch->counts) && status == CAROM_OK)
                status = carom_error_set(error, CAROM_E_NUMERIC,
                                         "%s could not solve a step of chain %zu near t = %g with step %g",
                                         lanes->scheme->kind.name, first + c + 1, state[first + c]->time, step);
    }
    return status;
}

struct carom_counts carom_lanes_counts(const struct carom_lanes_batch *batch)
{
    return batch->counts;
}
