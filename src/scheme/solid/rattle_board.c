/* What both ways of bodies on a device share. */
#include "scheme/solid/rattle_board.h"

bool carom_rattle_board_fill(struct carom_board *b, size_t which, const void *from, size_t bytes,
                             struct carom_error *error)
{
    b->memory[which] = carom_device_take(b->device, bytes, error);
    if (b->memory[which] && from)
        carom_device_write(b->memory[which], from, bytes);
    return b->memory[which] != NULL;
}

void carom_rattle_board_run(const struct carom_board *b, const char *kernel, const size_t places[2],
                            const struct carom_device_argument *value, size_t nvalues, const size_t *memory,
                            size_t nmemories)
{
    struct carom_device_argument argument[CAROM_BOARD_ARGUMENTS];
    for (size_t i = 0; i < nvalues; i++)
        argument[i] = value[i];
    for (size_t i = 0; i < nmemories; i++)
        argument[nvalues + i] = (struct carom_device_argument){.memory = b->memory[memory[i]]};
    carom_device_run(b->program, kernel, places, argument, nvalues + nmemories);
}

bool carom_rattle_board_lost(struct carom_error *error)
{
    carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme rattle on a device");
    return false;
}
