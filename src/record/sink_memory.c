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
static bool grow(void **block, size_t used, size_t room, size_t size)
{
    void *grown = carom_memory_grow(*block, used, room, size);
    if (grown != NULL)
        *block = grown;
    return grown != NULL;
}

static enum carom_status make_room(struct carom_memory *memory, struct carom_error *error)
{
    if (memory->nrows < memory->room)
        return CAROM_OK;
    const size_t room = memory->room > 0 ? 2 * memory->room : 64;
    void *time = memory->time, *step = memory->step, *value = memory->value;
    const size_t used = memory->nrows;
    const bool fits = memory->width == 0 || room <= SIZE_MAX / sizeof(double) / memory->width;
    bool good = fits && grow(&time, used, room, sizeof(double)) && grow(&step, used, room, sizeof(uint64_t)) &&
                grow(&value, used, room, memory->width * sizeof(double));
    memory->time = time;
    memory->step = step;
    memory->value = value;
    void *first = memory->first;
    good = good && (!memory->listed || grow(&first, memory->first ? used + 1 : 0, room + 1, sizeof *memory->first));
    memory->first = first;
    if (!good)
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
        void *grown = carom_memory_grow(memory->touch, memory->ntouches, room, sizeof *memory->touch);
        if (grown == NULL)
            return no_memory(memory, error);
        memory->touch = grown;
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

static enum carom_status memory_event(void *own, const struct carom_event *event, struct carom_error *error)
{
    struct carom_memory *memory = own;
    if (memory->nevents == memory->event_room) {
        const size_t room = memory->event_room > 0 ? 2 * memory->event_room : 64;
        void *grown = carom_memory_grow(memory->event, memory->nevents, room, sizeof *memory->event);
        if (grown == NULL)
            return no_memory(memory, error);
        memory->event = grown;
        memory->event_room = room;
    }
    memory->event[memory->nevents++] = *event;
    return CAROM_OK;
}

static enum carom_status memory_episode(void *own, const struct carom_episode *episode, struct carom_error *error)
{
    struct carom_memory *memory = own;
    if (memory->nepisodes == memory->episode_room) {
        const size_t room = memory->episode_room > 0 ? 2 * memory->episode_room : 64;
        void *grown = carom_memory_grow(memory->episode, memory->nepisodes, room, sizeof *memory->episode);
        if (grown == NULL)
            return no_memory(memory, error);
        memory->episode = grown;
        memory->episode_room = room;
    }
    memory->episode[memory->nepisodes++] = *episode;
    return CAROM_OK;
}

static enum carom_status memory_blow(void *own, const struct carom_blow *blow, struct carom_error *error)
{
    struct carom_memory *memory = own;
    if (memory->nblows == memory->blow_room) {
        const size_t room = memory->blow_room > 0 ? 2 * memory->blow_room : 64;
        void *grown = carom_memory_grow(memory->blow, memory->nblows, room, sizeof *memory->blow);
        if (grown == NULL)
            return no_memory(memory, error);
        memory->blow = grown;
        memory->blow_room = room;
    }
    memory->blow[memory->nblows++] = *blow;
    return CAROM_OK;
}

static enum carom_status memory_force(void *own, const struct carom_blow_force *force, struct carom_error *error)
{
    struct carom_memory *memory = own;
    if (memory->nforces == memory->force_room) {
        const size_t room = memory->force_room > 0 ? 2 * memory->force_room : 1024;
        void *grown = carom_memory_grow(memory->force, memory->nforces, room, sizeof *memory->force);
        if (grown == NULL)
            return no_memory(memory, error);
        memory->force = grown;
        memory->force_room = room;
    }
    memory->force[memory->nforces++] = *force;
    return CAROM_OK;
}

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
