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

bool carom_rattle_board_lost(struct carom_error *error)
{
    carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme rattle on a device");
    return false;
}
