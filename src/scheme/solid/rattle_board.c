/* What all ways of bodies on a device share. */
#include "scheme/solid/rattle_board.h"

#include <string.h>

#include "base/memory.h"

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

static struct carom_board_sort sort_of(const struct carom_solid_sort *from)
{
    struct carom_board_sort to = {
        .mass = from->mass, .inverse_mass = from->inverse_mass, .factor = from->share * from->lambda};
    memcpy(to.inverse_inertia, from->inverse_inertia, sizeof to.inverse_inertia);
    memcpy(to.frame, from->frame, sizeof to.frame);
    for (size_t k = 0; k < 3; k++)
        to.skew[k] = (from->inertia[(k + 2) % 3] - from->inertia[(k + 1) % 3]) * from->inverse_inertia[k];
    return to;
}

bool carom_rattle_board_sorts(struct carom_board *b, struct carom_error *error)
{
    const struct carom_solid *s = b->body->solid;
    struct carom_board_sort *sorts = carom_memory_zeroed(s->nsorts, sizeof *sorts);
    for (size_t i = 0; sorts && i < s->nsorts; i++)
        sorts[i] = sort_of(&s->sorts[i]);
    const bool good = sorts ? carom_rattle_board_fill(b, CAROM_BOARD_SORT, s->sort, s->n * sizeof *s->sort, error) &&
                                  carom_rattle_board_fill(b, CAROM_BOARD_SORTS, sorts, s->nsorts * sizeof *sorts, error)
                            : carom_rattle_board_lost(error);
    carom_memory_free(sorts);
    return good;
}

bool carom_rattle_board_lost(struct carom_error *error)
{
    carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme rattle on a device");
    return false;
}
