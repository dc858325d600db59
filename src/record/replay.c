/* Replays run files, see replay.h. Tables are read piece by piece, so that memory does not grow with the file. */
#include "record/replay.h"

#include <string.h>

#include "base/memory.h"
#include "record/probe.h"

enum { PIECE = 4096, PIECE_BYTES = 4 << 20 };

/* --- tables that are read piece by piece ------------------------------------------------------------------------- */

struct table {
    const struct carom_run_file *run;
    enum carom_status (*read)(const struct carom_run_file *run, uint64_t first, uint64_t count, void *out,
                              struct carom_error *error);
    size_t size;        /* of a line */
    uint64_t lines;     /* in all */
    uint64_t next, end; /* end: behind the last line of the piece */
    void *piece;
};

#define READER(name)                                                                                                  \
    static enum carom_status read_##name(const struct carom_run_file *run, uint64_t first, uint64_t count, void *out, \
                                         struct carom_error *error)                                                   \
    {                                                                                                                 \
        return carom_run_file_##name(run, first, count, out, error);                                                  \
    }
READER(events)
READER(episodes)
READER(forces)
READER(blows)

/* The next line, which is not taken yet; NULL: that was all, or it cannot be read. */
static const void *next_of(struct table *table, enum carom_status *status, struct carom_error *error)
{
    if (*status != CAROM_OK || table->next == table->lines)
        return NULL;
    if (table->next == table->end) {
        const uint64_t left = table->lines - table->next, count = left < PIECE ? left : PIECE;
        if (table->piece == NULL && (table->piece = carom_memory_zeroed(PIECE, table->size)) == NULL)
            *status = carom_memory_error(error);
        else
            *status = table->read(table->run, table->next, count, table->piece, error);
        table->end += count;
    }
    return *status == CAROM_OK ? (const char *)table->piece + table->next % PIECE * table->size : NULL;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

struct replay {
    const struct carom_replay *what;
    const struct carom_sink *sink;
    void *own;
    struct carom_layout layout;
    struct carom_channel *channel; /* an item each */
    struct carom_probe *probe;     /* of items that no probe has */
    struct table events;
    double *time, *value, *item; /* of a piece: rows side by side; the item that is being read */
    uint64_t *step;
    struct carom_touch *touch;
    size_t touch_room;
};

/* events up to t */
static enum carom_status tell_events(struct replay *r, double t, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    const struct carom_event *event;
    while ((event = next_of(&r->events, &status, error)) != NULL && event->time <= t) {
        r->events.next++;
        status = r->sink->event(r->own, event, error);
    }
    return status;
}

static enum carom_status read_touches(struct replay *r, struct carom_row *row, struct carom_error *error)
{
    uint64_t first, count;
    enum carom_status status = carom_run_file_touching(r->what->run, row->index, &first, &count, error);
    if (status == CAROM_OK && count > r->touch_room) {
        if (!carom_memory_widen(&r->touch, 0, (size_t)count, sizeof *r->touch))
            return carom_memory_error(error);
        r->touch_room = (size_t)count;
    }
    if (status == CAROM_OK)
        status = carom_run_file_touches(r->what->run, first, count, r->touch, error);
    row->ntouches = (size_t)count;
    row->touch = r->touch;
    return status;
}

/* rows [first, first + count) */
static enum carom_status tell_piece(struct replay *r, uint64_t first, uint64_t count, struct carom_error *error)
{
    const struct carom_run_file *run = r->what->run;
    const size_t width = r->layout.width;
    enum carom_status status = carom_run_file_times(run, first, count, r->time, error);
    if (status == CAROM_OK)
        status = carom_run_file_steps(run, first, count, r->step, error);
    for (size_t i = 0; i < r->what->nitems && status == CAROM_OK; i++) {
        const struct carom_channel *channel = &r->channel[i];
        status = carom_run_file_read(run, r->what->item[i], first, count, r->item, error);
        for (uint64_t k = 0; k < count && status == CAROM_OK; k++)
            memcpy(r->value + k * width + channel->offset, r->item + k * channel->size,
                   channel->size * sizeof *r->value);
    }
    for (uint64_t k = 0; k < count && status == CAROM_OK; k++) {
        struct carom_row row = {
            .index = first + k, .time = r->time[k], .step = r->step[k], .value = r->value + k * width};
        status = tell_events(r, row.time, error);
        if (status == CAROM_OK && r->layout.touching)
            status = read_touches(r, &row, error);
        if (status == CAROM_OK)
            status = r->sink->row(r->own, &row, error);
    }
    return status;
}

static enum carom_status tell_rows(struct replay *r, struct carom_error *error)
{
    const size_t width = r->layout.width;
    const uint64_t rows = r->sink->row != NULL ? r->what->run->rows : 0;
    uint64_t most = width > 0 ? PIECE_BYTES / sizeof(double) / width : PIECE;
    most = most < 1 ? 1 : most > PIECE ? PIECE : most;
    if (!carom_memory_together(CAROM_ROOM(r->time, most), CAROM_ROOM(r->step, most), CAROM_ROOM(r->value, most * width),
                               CAROM_ROOM(r->item, most * width)))
        return carom_memory_error(error);
    enum carom_status status = CAROM_OK;
    for (uint64_t first = 0; first < rows && status == CAROM_OK; first += most)
        status = tell_piece(r, first, rows - first < most ? rows - first : most, error);
    return status == CAROM_OK ? tell_events(r, HUGE_VAL, error) : status;
}

/* --- the log ----------------------------------------------------------------------------------------------------- */

/* Impacts from inside: the forces, then the impact as a whole. */
static enum carom_status tell_blows(const struct replay *r, struct carom_error *error)
{
    const struct carom_run_file *run = r->what->run;
    struct table forces = {.run = run, .read = read_forces, .size = sizeof(struct carom_blow_force)},
                 blows = {.run = run, .read = read_blows, .size = sizeof(struct carom_blow)};
    const struct carom_blow_force *force;
    enum carom_status status = CAROM_OK;
    forces.lines = r->sink->force != NULL ? run->forces : 0;
    blows.lines = r->sink->blow != NULL ? run->impacts : 0;
    for (const struct carom_blow *blow = NULL; status == CAROM_OK; blows.next += blow != NULL) {
        blow = next_of(&blows, &status, error);
        while ((force = next_of(&forces, &status, error)) != NULL && (blow == NULL || force->impact <= blows.next)) {
            forces.next++;
            status = r->sink->force(r->own, force, error);
        }
        if (status == CAROM_OK && blow == NULL)
            break;
        if (status == CAROM_OK)
            status = r->sink->blow(r->own, blow, error);
    }
    carom_memory_free_all(forces.piece, blows.piece);
    return status;
}

static enum carom_status tell_episodes(const struct replay *r, struct carom_error *error)
{
    const struct carom_run_episodes *book = &r->what->run->episodes;
    struct table table = {.run = r->what->run, .read = read_episodes, .size = sizeof(struct carom_episode)};
    const struct carom_episode *episode;
    enum carom_status status = CAROM_OK;
    table.lines = r->sink->episode != NULL && book->there ? book->rows : 0;
    for (; (episode = next_of(&table, &status, error)) != NULL; table.next++)
        status = r->sink->episode(r->own, episode, error);
    carom_memory_free(table.piece);
    return status == CAROM_OK && r->sink->left_out != NULL && book->there
               ? r->sink->left_out(r->own, book->left_out, error)
               : status;
}

static enum carom_status tell_stated(const struct replay *r, struct carom_error *error)
{
    const struct carom_run_file *run = r->what->run;
    const struct carom_stated stated = {run->estimate,   run->growth,   run->horizon, run->sight,
                                        run->unbalanced, run->blunders, run->doubt,   run->flown};
    return r->sink->stated != NULL ? r->sink->stated(r->own, &stated, error) : CAROM_OK;
}

/* --- all of it --------------------------------------------------------------------------------------------------- */

static void lay_out(struct replay *r)
{
    const struct carom_run_file *run = r->what->run;
    for (size_t i = 0; i < r->what->nitems; i++) {
        const struct carom_run_item *item = r->what->item[i];
        const struct carom_probe *probe = carom_probe_path_find(item->path);
        r->probe[i] = (struct carom_probe){
            .kind = {.name = item->name}, .extent = item->extent, .path = item->path, .unit = item->unit};
        r->channel[i] = (struct carom_channel){.probe = probe != NULL ? probe : &r->probe[i],
                                               .offset = r->layout.width,
                                               .size = item->width,
                                               .depth = item->depth};
        memcpy(r->channel[i].path, item->path, sizeof item->path);
        r->layout.width += item->width;
    }
    r->layout.channel = r->channel;
    r->layout.nchannels = r->what->nitems;
    r->layout.scheme = run->scheme;
    r->layout.nc = run->nc;
    r->layout.pair = (const int32_t(*)[2])run->pair;
    r->layout.row = run->row;
    r->layout.listed = run->listed;
    r->layout.touching = r->what->touching && run->touches.there;
    r->layout.dimension = run->touches.there ? run->touches.dimension : 0;
    r->layout.episodes = run->episodes.there;
    r->layout.scales = run->scales;
    r->layout.tol = run->tol;
}

enum carom_status carom_replay(const struct carom_replay *what, const struct carom_sink *sink, void *own,
                               struct carom_error *error)
{
    const struct carom_run_file *run = what->run;
    const struct carom_origin origin = {run->title, run->scene, run->set, run->units, run->command, run->seed};
    struct replay r = {.what = what, .sink = sink, .own = own, .layout = {.origin = &origin}};
    r.events = (struct table){.run = run,
                              .read = read_events,
                              .size = sizeof(struct carom_event),
                              .lines = sink->event != NULL ? run->events : 0};
    enum carom_status status =
        carom_memory_together(CAROM_ROOM(r.channel, what->nitems), CAROM_ROOM(r.probe, what->nitems))
            ? CAROM_OK
            : carom_memory_error(error);
    if (status == CAROM_OK) {
        lay_out(&r);
        status = sink->open != NULL ? sink->open(own, &r.layout, error) : CAROM_OK;
    }
    if (status == CAROM_OK)
        status = tell_rows(&r, error);
    if (status == CAROM_OK)
        status = tell_blows(&r, error);
    if (status == CAROM_OK)
        status = tell_episodes(&r, error);
    if (status == CAROM_OK)
        status = tell_stated(&r, error);
    if (status == CAROM_OK && sink->close != NULL)
        status = sink->close(own, &run->counts, error);
    carom_memory_free_all(r.channel, r.time, r.events.piece, r.touch);
    return status;
}
