/* Room for four chains side by side, and which passes go over them. */
#include "scheme/chain/batch_irk_pass.h"

#include "base/memory.h"
#include "scheme/chain/batch_irk_abreast.h"

const struct carom_irk_passes carom_batch_irk_pass_narrow = {predict, update, finish, switched, settle, impulses};

static const struct carom_irk_passes *best(void)
{
    const struct carom_irk_passes *wide = carom_batch_irk_wide();
    return wide ? wide : &carom_batch_irk_pass_narrow;
}

void carom_batch_irk_pass_close(struct carom_irk_block *b)
{
    carom_memory_free(b->slot);
    *b = (struct carom_irk_block){0};
}

enum carom_status carom_batch_irk_pass_open(struct carom_irk_block *b, size_t n, struct carom_error *error)
{
    *b = (struct carom_irk_block){.n = n, .slot = carom_memory_zeroed(n + 4, sizeof *b->slot), .passes = best()};
    if (!b->slot)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a batch of chains");
    for (size_t i = 0; i < n + 4; i++)
        for (size_t c = 0; c < CAROM_BATCH_IRK_WIDTH; c++)
            b->slot[i].gap[c] = HUGE_VAL; /* until a contact is laid here */
    return CAROM_OK;
}
