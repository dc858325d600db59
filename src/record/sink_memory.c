/* Keeps rows and events in memory, for programs that use the library and for studies. Grows by doubling. */
#include <string.h>

#include "base/memory.h"
#include "carom/record.h"

struct carom_memory *carom_sink_memory_new(void)
{
    return carom_memory_zeroed(1, sizeof(struct carom_memory));
}

static enum carom_status no_memory(const struct carom_memory *memory, struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory after %zu recorded rows of %zu numbers", memory->nrows,
                           memory->width);
}

/* A block that could grow before another could not stays grown; `room` still tells the truth for all. */
static enum carom_status make_room(struct carom_memory *memory, struct carom_error *error)
{
    if (memory->nrows < memory->room)
        return CAROM_OK;
    const size_t room = memory->room > 0 ? 2 * memory->room : 64;
    const size_t used = memory->nrows;
    const bool fits = memory->width == 0 || room <= SIZE_MAX / sizeof(double) / memory->width;
    if (!fits || !carom_memory_widen(&memory->time, used, room, sizeof(double)) ||
        !carom_memory_widen(&memory->step, used, room, sizeof(uint64_t)) ||
        !carom_memory_widen(&memory->value, used, room, memory->width * sizeof(double)) ||
        (memory->listed &&
         !carom_memory_widen(&memory->first, memory->first ? used + 1 : 0, room + 1, sizeof *memory->first)))
        return no_memory(memory, error);
    memory->room = room;
    return CAROM_OK;
}

static enum carom_status memory_open(void *own, const struct carom_layout *layout, struct carom_error *error)
{
    struct carom_memory *memory = own;
    memory->width = layout->width;
    memory->channel = layout->channel;
    memory->nchannels = layout->nchannels;
    memory->listed = layout->touching;
    return make_room(memory, error);
}

/* the contacts of the row that is being added, which ends it */
static enum carom_status keep_touches(struct carom_memory *memory, const struct carom_row *row,
                                      struct carom_error *error)
{
    const size_t need = memory->ntouches + row->ntouches;
    if (memory->listed && need > memory->touch_room) {
        const size_t room = 2 * need + 64;
        if (!carom_memory_widen(&memory->touch, memory->ntouches, room, sizeof *memory->touch))
            return no_memory(memory, error);
        memory->touch_room = room;
    }
    if (memory->listed && row->ntouches > 0)
        memcpy(memory->touch + memory->ntouches, row->touch, row->ntouches * sizeof *memory->touch);
    if (memory->listed)
        memory->first[memory->nrows + 1] = memory->ntouches = need;
    memory->nrows++;
    return CAROM_OK;
}

static enum carom_status memory_row(void *own, const struct carom_row *row, struct carom_error *error)
{
    struct carom_memory *memory = own;
    if (make_room(memory, error) != CAROM_OK)
        return CAROM_E_MEMORY;
    memory->time[memory->nrows] = row->time;
    memory->step[memory->nrows] = row->step;
    if (memory->width > 0)
        memcpy(memory->value + memory->nrows * memory->width, row->value, memory->width * sizeof(double));
    return keep_touches(memory, row, error);
}

/* one more of what comes one by one; `first`: how many there is room for in the beginning */
#define KEEPS(what, type, first)                                                                         \
    static enum carom_status memory_##what(void *own, const struct type *one, struct carom_error *error) \
    {                                                                                                    \
        struct carom_memory *m = own;                                                                    \
        if (!carom_memory_room(&m->what, m->n##what##s, &m->what##_room, first, sizeof *m->what))        \
            return no_memory(m, error);                                                                  \
        m->what[m->n##what##s++] = *one;                                                                 \
        return CAROM_OK;                                                                                 \
    }
KEEPS(event, carom_event, 64)
KEEPS(episode, carom_episode, 64)
KEEPS(blow, carom_blow, 64)
KEEPS(force, carom_blow_force, 1024)

static void memory_release(void *own)
{
    struct carom_memory *memory = own;
    if (memory == NULL)
        return;
    carom_memory_free_all(memory->time, memory->step, memory->value, memory->event, memory->episode, memory->blow,
                          memory->force, memory->first, memory->touch, memory);
}

size_t carom_sink_memory_column(const struct carom_memory *memory, const char *probe, size_t i)
{
    if (!memory || !probe)
        return SIZE_MAX;
    for (size_t c = 0; c < memory->nchannels; c++) {
        const struct carom_channel *channel = &memory->channel[c];
        if (strcmp(channel->probe->kind.name, probe) != 0)
            continue;
        if (i < channel->size)
            return channel->offset + i;
        i -= channel->size; /* the bodies of the next part follow */
    }
    return SIZE_MAX;
}

const struct carom_sink carom_sink_memory = {
    .kind = {"memory", "keeps rows and events in memory", NULL, 0},
    .open = memory_open,
    .row = memory_row,
    .event = memory_event,
    .episode = memory_episode,
    .force = memory_force,
    .blow = memory_blow,
    .release = memory_release,
};
