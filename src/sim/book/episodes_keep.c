/* Rows that are kept, see episodes_keep.h. */
#include "sim/book/episodes_keep.h"

#include "base/memory.h"

/* by which episodes are compared */
static double strength(const struct carom_episode *row)
{
    return row->peak_force > 0.0 ? row->peak_force : row->impulse;
}

static enum carom_status leave_out(struct carom_episodes *e, const struct carom_episode *row, struct carom_error *error)
{
    e->left++;
    if (!e->best && !(e->best = carom_memory_zeroed(e->n, sizeof *e->best)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the episodes of %zu contacts", e->n);
    struct carom_episode *best = &e->best[row->contact];
    if (strength(row) > e->kept[row->contact] && strength(row) > strength(best))
        *best = *row;
    return CAROM_OK;
}

enum carom_status carom_episodes_keep(struct carom_episodes *e, const struct carom_episode *row,
                                      struct carom_recorder *recorder, struct carom_error *error)
{
    if (carom_recorder_tally(recorder)->episodes >= e->most)
        return leave_out(e, row, error);
    e->kept[row->contact] = fmax(e->kept[row->contact], strength(row));
    return carom_recorder_episode(recorder, row, error);
}

enum carom_status carom_episodes_keep_best(struct carom_episodes *e, struct carom_recorder *recorder,
                                           struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t j = 0; e->best && j < e->n && status == CAROM_OK; j++)
        if (strength(&e->best[j]) > 0.0) {
            status = carom_recorder_episode(recorder, &e->best[j], error);
            e->left--;
        }
    return status == CAROM_OK ? carom_recorder_left_out(recorder, e->left, error) : status;
}
