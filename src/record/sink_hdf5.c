/* Run files: everything is created first (run_sets.c), then only rows are appended and numbers changed in place, so
 * that a kill at any moment leaves a readable file. Rows are gathered in at most 1 MiB (not at all where a row alone
 * is larger) and reach the file when that is full, at checkpoints, and at least every 2 s while rows come. Checkpoints,
 * and what is whole, also reach the disk, so that a power cut does not take them. */
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "carom/bodies.h"
#include "model/bodies/list.h"
#include "model/slices.h"
#include "record/run_blunders.h"
#include "record/run_old.h"
#include "record/run_sets.h"

#define BUFFER_BYTES ((size_t)1024 * 1024)
#define BUFFER_ROWS ((size_t)1024)
#define BUFFER_EVENTS ((size_t)256)
#define FLUSH_SECONDS 2.0
#define BUFFER_FORCES ((size_t)4096)
#define EVENT_COLUMNS CAROM_RUN_LAYOUT_EVENT_COLUMNS
#define BLOW_COLUMNS CAROM_RUN_LAYOUT_BLOW_COLUMNS

struct hdf5_sink {
    char *path;
    bool resumes;
    struct carom_run_old old;        /* kept until this run is whole */
    struct carom_run_sets_kept kept; /* on disk */
    uint64_t serial;                 /* of the last checkpoint */
    bool broken;
    const struct carom_layout *layout;
    struct carom_hdf5_file *file;
    struct carom_run_sets sets;
    /* gathered, not yet on disk; values channel by channel, `room` rows each */
    size_t room, gathered, gathered_events, gathered_blows, gathered_forces;
    double *value, *time;
    uint64_t *step;
    uint64_t *count; /* contacts that come and go of each row, and all of them */
    size_t ntouches, touch_room;
    struct carom_touch *touch;
    size_t contacts_room; /* numbers of contacts that come and go */
    double *contacts;
    struct carom_event event[BUFFER_EVENTS];
    struct carom_blow blow[BUFFER_EVENTS];
    struct carom_blow_force force[BUFFER_FORCES];
    double flushed; /* when, on the clock */
};

static void *new_sink(const char *path)
{
    struct hdf5_sink *sink = carom_memory_zeroed(1, sizeof *sink);
    if (sink == NULL)
        return NULL;
    sink->path = carom_memory_text(path);
    if (sink->path != NULL)
        return sink;
    carom_memory_free(sink);
    return NULL;
}

void *carom_sink_hdf5_new(const char *path)
{
    if (path == NULL)
        return NULL;
    return new_sink(path);
}

void *carom_sink_hdf5_resume(const char *path, uint64_t rows, uint64_t events)
{
    if (path == NULL)
        return NULL;
    struct hdf5_sink *sink = new_sink(path);
    if (sink != NULL) {
        sink->resumes = true;
        sink->kept.rows = rows;
        sink->kept.events = events;
    }
    return sink;
}

static size_t row_room(size_t width)
{
    const size_t rows = width > 0 ? BUFFER_BYTES / sizeof(double) / width : BUFFER_ROWS;
    return rows < 1 ? 1 : rows < BUFFER_ROWS ? rows : BUFFER_ROWS;
}

static enum carom_status make_room(struct hdf5_sink *sink, struct carom_error *error)
{
    const struct carom_layout *layout = sink->layout;
    sink->room = row_room(layout->width);
    if (carom_memory_together(CAROM_ROOM(sink->time, sink->room), CAROM_ROOM(sink->step, sink->room),
                              CAROM_ROOM(sink->value, sink->room > 1 ? sink->room * layout->width : 0),
                              CAROM_ROOM(sink->count, sink->room)))
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", sink->path);
}

/* The checkpoint the run goes on from must not be the first to be overwritten; it knows of impacts, too. */
static enum carom_status last_serial(struct hdf5_sink *sink, struct carom_error *error)
{
    struct carom_run_checkpoint last;
    struct carom_run_file *run = carom_run_file_open(sink->path, error);
    if (run == NULL)
        return error != NULL ? error->status : CAROM_E_FILE;
    const enum carom_status status = carom_run_file_last(run, &last, error);
    sink->serial = status == CAROM_OK ? last.serial : 0;
    sink->kept.impacts = status == CAROM_OK ? last.impacts : 0;
    sink->kept.forces = status == CAROM_OK ? last.forces : 0;
    sink->kept.episodes = status == CAROM_OK ? last.episodes : 0;
    carom_run_old_find(run, sink->path, &sink->old);
    carom_run_file_close(run);
    return status;
}

static enum carom_status resume(struct hdf5_sink *sink, struct carom_error *error)
{
    static const int32_t no = 0;
    enum carom_status status = last_serial(sink, error);
    if (status != CAROM_OK)
        return status;
    sink->file = carom_hdf5_file_reopen(sink->path, error);
    if (sink->file == NULL)
        return error != NULL ? error->status : CAROM_E_FILE;
    status = carom_run_sets_find(&sink->sets, sink->file, sink->layout, &sink->kept, error);
    if (status == CAROM_OK)
        status = carom_hdf5_set_write(sink->file, sink->sets.complete, 0, 1, &no, error);
    return status == CAROM_OK ? carom_hdf5_file_flush(sink->file, error) : status;
}

static enum carom_status create(struct hdf5_sink *sink, struct carom_error *error)
{
    sink->file = carom_hdf5_file_create(sink->path, error);
    if (sink->file == NULL)
        return error != NULL ? error->status : CAROM_E_FILE;
    enum carom_status status = carom_run_old_plan(sink->path, &sink->old, error);
    if (status == CAROM_OK)
        status = carom_run_sets_define(&sink->sets, sink->file, sink->layout, error);
    if (status == CAROM_OK)
        status = carom_run_old_put(&sink->old, sink->file, error);
    return status == CAROM_OK ? carom_hdf5_file_publish(sink->file, error) : status;
}

static enum carom_status hdf5_open(void *own, const struct carom_layout *layout, struct carom_error *error)
{
    struct hdf5_sink *sink = own;
    sink->layout = layout;
    sink->flushed = carom_clock_now();
    enum carom_status status = make_room(sink, error);
    if (status == CAROM_OK)
        status = sink->resumes ? resume(sink, error) : create(sink, error);
    sink->broken = status != CAROM_OK;
    if (sink->broken)
        carom_run_old_free(&sink->old); /* whatever stood there does so still */
    return status;
}

/* --- writing --------------------------------------------------------------------------------------------------- */

static enum carom_status write_rows(struct hdf5_sink *sink, const double *value, struct carom_error *error)
{
    const struct carom_layout *layout = sink->layout;
    const size_t count = sink->gathered;
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < layout->nchannels && status == CAROM_OK; i++)
        status = carom_hdf5_set_write(sink->file, sink->sets.item[i], sink->kept.rows, count,
                                      value + layout->channel[i].offset * sink->room, error);
    if (status == CAROM_OK && layout->touching)
        status = carom_run_touches_write(&sink->sets.touches, sink->file, count, sink->count, sink->touch, error);
    if (status == CAROM_OK)
        status = carom_run_sums_write(&sink->sets.sums, sink->file, layout, sink->kept.rows, count, sink->room, value,
                                      sink->time, sink->step, error);
    if (status == CAROM_OK)
        status = carom_hdf5_set_write(sink->file, sink->sets.step, sink->kept.rows, count, sink->step, error);
    if (status == CAROM_OK)
        status = carom_hdf5_set_write(sink->file, sink->sets.time, sink->kept.rows, count, sink->time, error);
    sink->broken |= status != CAROM_OK;
    sink->kept.rows += count;
    sink->gathered = 0;
    sink->ntouches = 0;
    return status;
}

/* One column of the gathered events, packed for writing. */
static void pack_events(const struct hdf5_sink *sink, size_t column, void *packed)
{
    const bool listed = carom_model_bodies(sink->layout->model) != NULL;
    for (size_t i = 0; i < sink->gathered_events; i++) {
        const struct carom_event *event = &sink->event[i];
        const double real[EVENT_COLUMNS] = {event->time, 0.0, 0.0, event->impulse, event->before, event->after};
        if (column == 1 && listed) {
            ((uint64_t *)packed)[2 * i] = carom_event_body(event, 0);
            ((uint64_t *)packed)[2 * i + 1] = carom_event_body(event, 1);
        } else if (column == 1)
            ((uint64_t *)packed)[i] = event->contact;
        else if (column == 2)
            ((int32_t *)packed)[i] = (int32_t)event->kind;
        else
            ((double *)packed)[i] = real[column];
    }
}

static enum carom_status write_events(struct hdf5_sink *sink, struct carom_error *error)
{
    uint64_t packed[2 * BUFFER_EVENTS];
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < EVENT_COLUMNS && status == CAROM_OK; i++) {
        pack_events(sink, i, packed);
        status = carom_hdf5_set_write(sink->file, sink->sets.event[i], sink->kept.events, sink->gathered_events, packed,
                                      error);
    }
    sink->broken |= status != CAROM_OK;
    sink->kept.events += sink->gathered_events;
    sink->gathered_events = 0;
    return status;
}

static enum carom_status write_blows(struct hdf5_sink *sink, struct carom_error *error)
{
    double packed[BUFFER_EVENTS];
    enum carom_status status = CAROM_OK;
    for (size_t c = 0; c < BLOW_COLUMNS && status == CAROM_OK; c++) {
        for (size_t i = 0; i < sink->gathered_blows; i++) {
            const struct carom_blow *blow = &sink->blow[i];
            packed[i] = c == 0 ? blow->time : c == 1 ? blow->duration : blow->estimate;
        }
        status = carom_hdf5_set_write(sink->file, sink->sets.blow[c], sink->kept.impacts, sink->gathered_blows, packed,
                                      error);
    }
    sink->broken |= status != CAROM_OK;
    sink->kept.impacts += sink->gathered_blows;
    sink->gathered_blows = 0;
    return status;
}

static enum carom_status write_forces(struct hdf5_sink *sink, struct carom_error *error)
{
    const enum carom_status status = carom_hdf5_set_write(sink->file, sink->sets.force, sink->kept.forces,
                                                          sink->gathered_forces, sink->force, error);
    sink->broken |= status != CAROM_OK;
    sink->kept.forces += sink->gathered_forces;
    sink->gathered_forces = 0;
    return status;
}

static enum carom_status write_gathered(struct hdf5_sink *sink, struct carom_error *error)
{
    enum carom_status status = sink->gathered > 0 ? write_rows(sink, sink->value, error) : CAROM_OK;
    if (status == CAROM_OK && sink->gathered_events > 0)
        status = write_events(sink, error);
    if (status == CAROM_OK && sink->gathered_forces > 0)
        status = write_forces(sink, error);
    if (status == CAROM_OK && sink->gathered_blows > 0)
        status = write_blows(sink, error);
    if (status == CAROM_OK)
        status = carom_run_episodes_flush(&sink->sets.episodes, sink->file, error);
    return status;
}

static enum carom_status hdf5_flush(void *own, struct carom_error *error)
{
    struct hdf5_sink *sink = own;
    enum carom_status status = write_gathered(sink, error);
    if (status == CAROM_OK)
        status = carom_hdf5_file_flush(sink->file, error);
    sink->broken |= status != CAROM_OK;
    sink->flushed = carom_clock_now();
    return status;
}

/* keeps the contacts of the row that is gathered at `at` */
static enum carom_status gather_touches(struct hdf5_sink *sink, const struct carom_row *row, size_t at,
                                        struct carom_error *error)
{
    const size_t need = sink->ntouches + row->ntouches;
    if (need > sink->touch_room) {
        const size_t room = need + need / 4 + 64;
        if (!carom_memory_widen(&sink->touch, sink->ntouches, room, sizeof *sink->touch))
            return carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory for %zu contacts", sink->path, need);
        sink->touch_room = room;
    }
    if (row->ntouches > 0)
        memcpy(sink->touch + sink->ntouches, row->touch, row->ntouches * sizeof *sink->touch);
    sink->count[at] = row->ntouches;
    sink->ntouches = need;
    return CAROM_OK;
}

static enum carom_status hdf5_row(void *own, const struct carom_row *row, struct carom_error *error)
{
    struct hdf5_sink *sink = own;
    const struct carom_layout *layout = sink->layout;
    const size_t at = sink->gathered++;
    enum carom_status status = layout->touching ? gather_touches(sink, row, at, error) : CAROM_OK;
    sink->time[at] = row->time;
    sink->step[at] = row->step;
    if (status == CAROM_OK && sink->room == 1)
        status = write_rows(sink, row->value, error); /* large rows go straight to the file */
    else
        for (size_t i = 0; i < layout->nchannels && status == CAROM_OK; i++) {
            const struct carom_channel *channel = &layout->channel[i];
            memcpy(sink->value + channel->offset * sink->room + at * channel->size, row->value + channel->offset,
                   channel->size * sizeof(double));
        }
    /* flushed with every full buffer: on a disk that fills up, no more than that is lost */
    const bool due = sink->room == 1 || sink->gathered == sink->room ||
                     carom_clock_now() - sink->flushed > FLUSH_SECONDS ||
                     sink->ntouches * sizeof *sink->touch > BUFFER_BYTES;
    return status == CAROM_OK && due ? hdf5_flush(own, error) : status;
}

static enum carom_status hdf5_event(void *own, const struct carom_event *event, struct carom_error *error)
{
    struct hdf5_sink *sink = own;
    sink->event[sink->gathered_events++] = *event;
    return sink->gathered_events == BUFFER_EVENTS ? write_events(sink, error) : CAROM_OK;
}

static enum carom_status hdf5_episode(void *own, const struct carom_episode *episode, struct carom_error *error)
{
    struct hdf5_sink *sink = own;
    const enum carom_status status = carom_run_episodes_add(&sink->sets.episodes, sink->file, episode, error);
    sink->broken |= status != CAROM_OK;
    return status;
}

static enum carom_status hdf5_left_out(void *own, uint64_t episodes, struct carom_error *error)
{
    struct hdf5_sink *sink = own;
    return carom_run_episodes_leave(&sink->sets.episodes, sink->file, episodes, error);
}

static enum carom_status hdf5_stated(void *own, const struct carom_stated *stated, struct carom_error *error)
{
    struct hdf5_sink *sink = own;
    const struct carom_blunders *b = &stated->blunders;
    const struct carom_doubt *d = &stated->doubt;
    const double number[CAROM_RUN_LAYOUT_STATED] = {stated->estimate,   stated->growth, stated->horizon, stated->sight,
                                                    stated->unbalanced, b->created,     b->cut,          b->cut_energy,
                                                    b->deadened,        b->newtonian,   d->why,          d->time,
                                                    d->contact,         d->other,       d->gap,          d->lasts,
                                                    stated->flown};
    enum carom_status status = CAROM_OK;
    const size_t first = stated->estimate > 0.0 ? 0 : CAROM_RUN_LAYOUT_PILOTS; /* what pilots once told stays */
    for (size_t i = first; i < CAROM_RUN_LAYOUT_STATED && status == CAROM_OK; i++)
        if (sink->sets.stated[i] >= 0)
            status = carom_hdf5_set_write(sink->file, sink->sets.stated[i], 0, 1, &number[i], error);
    return status;
}

static enum carom_status hdf5_force(void *own, const struct carom_blow_force *force, struct carom_error *error)
{
    struct hdf5_sink *sink = own;
    sink->force[sink->gathered_forces++] = *force;
    return sink->gathered_forces == BUFFER_FORCES ? write_forces(sink, error) : CAROM_OK;
}

static enum carom_status hdf5_blow(void *own, const struct carom_blow *blow, struct carom_error *error)
{
    struct hdf5_sink *sink = own;
    sink->blow[sink->gathered_blows++] = *blow;
    return sink->gathered_blows == BUFFER_EVENTS ? write_blows(sink, error) : CAROM_OK;
}

/* All numbers of a state in pieces, contacts that come and go the last. False: out of memory. */
static bool cut_up(struct hdf5_sink *sink, const struct carom_state *state, struct carom_slice piece[CAROM_SLICES + 1])
{
    const size_t n = state->contacts != NULL ? carom_list_count(state->contacts) : 0;
    if (n > sink->contacts_room) {
        carom_memory_free(sink->contacts);
        sink->contacts = carom_memory_zeroed(n + n / 4, sizeof *sink->contacts);
        sink->contacts_room = sink->contacts != NULL ? n + n / 4 : 0;
    }
    if (n > sink->contacts_room)
        return false;
    if (n > 0)
        carom_list_pack(state->contacts, sink->contacts);
    carom_slices_of(state, piece);
    piece[CAROM_SLICES] = (struct carom_slice){sink->contacts, n};
    return true;
}

static enum carom_status write_pieces(struct hdf5_sink *sink, int set, const struct carom_slice *piece,
                                      struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0, at = 0; i <= CAROM_SLICES && status == CAROM_OK; at += piece[i++].n)
        if (piece[i].n > 0)
            status = carom_hdf5_set_write(sink->file, set, at, piece[i].n, piece[i].at, error);
    return status;
}

static enum carom_status hdf5_checkpoint(void *own, const struct carom_checkpoint *checkpoint,
                                         struct carom_error *error)
{
    struct hdf5_sink *sink = own;
    const struct carom_state *state = checkpoint->state;
    struct carom_run_layout_header header = {
        .serial = sink->serial + 1,
        .time = state->time,
        .time_low = state->time_low,
        .step = state->step,
        .energy = state->energy,
        .rows = checkpoint->rows,
        .events = checkpoint->events,
        .impacts = checkpoint->impacts,
        .forces = checkpoint->forces,
        .counts = checkpoint->counts,
    };
    struct carom_slice piece[CAROM_SLICES + 1];
    if (!cut_up(sink, state, piece))
        return carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory for a checkpoint", sink->path);
    for (size_t i = 0; i <= CAROM_SLICES; i++)
        header.n += piece[i].n;
    header.checksum = carom_run_layout_checksum(&header, CAROM_RUN_LAYOUT_STATE);
    for (size_t i = 0; i <= CAROM_SLICES; i++)
        header.checksum = carom_run_layout_checksum_add(header.checksum, piece[i].at, piece[i].n);
    const size_t slot = header.serial % CAROM_RUN_LAYOUT_SLOTS;
    enum carom_status status = hdf5_flush(own, error); /* the rows it counts come first */
    if (status == CAROM_OK)
        status = write_pieces(sink, sink->sets.slot[slot].state, piece, error);
    if (status == CAROM_OK)
        status = carom_run_blunders_save(sink->file, sink->sets.slot[slot].blunders, header.serial,
                                         &checkpoint->blunders, error);
    if (status == CAROM_OK)
        status = carom_run_episodes_save(&sink->sets.episodes, sink->file, header.serial, checkpoint, error);
    if (status == CAROM_OK)
        status = carom_hdf5_set_write(sink->file, sink->sets.slot[slot].header, 0, 1, &header, error);
    if (status == CAROM_OK)
        status = carom_hdf5_set_write(sink->file, sink->sets.counts, 0, 1, &checkpoint->counts, error);
    if (status == CAROM_OK)
        status = carom_hdf5_file_settle(sink->file, error);
    sink->serial = header.serial;
    sink->broken |= status != CAROM_OK;
    return status;
}

static enum carom_status hdf5_close(void *own, const struct carom_counts *counts, struct carom_error *error)
{
    static const int32_t yes = 1;
    struct hdf5_sink *sink = own;
    enum carom_status status = hdf5_flush(own, error);
    if (status == CAROM_OK && sink->resumes)
        status = carom_run_sets_cut(&sink->sets, sink->file, sink->layout, &sink->kept, error);
    if (status == CAROM_OK)
        status = carom_hdf5_set_write(sink->file, sink->sets.counts, 0, 1, counts, error);
    if (status == CAROM_OK)
        status = carom_hdf5_set_write(sink->file, sink->sets.complete, 0, 1, &yes, error);
    const enum carom_status closed = carom_hdf5_file_close(sink->file, status == CAROM_OK ? error : NULL);
    sink->file = NULL;
    if (status == CAROM_OK && closed == CAROM_OK)
        carom_run_old_remove(&sink->old);
    return status == CAROM_OK ? closed : status;
}

const char *carom_sink_hdf5_keeps(const void *own)
{
    if (own == NULL)
        return NULL;
    const struct hdf5_sink *sink = own;
    return sink->old.path;
}

/* a run that was stopped keeps what it has */
static void hdf5_release(void *own)
{
    struct hdf5_sink *sink = own;
    if (sink == NULL)
        return;
    if (sink->file != NULL && !sink->broken)
        write_gathered(sink, NULL);
    carom_hdf5_file_close(sink->file, NULL);
    carom_memory_free(sink->path);
    carom_run_old_free(&sink->old);
    carom_run_sets_free(&sink->sets);
    carom_memory_free_all(sink->time, sink->touch, sink->contacts, sink);
}

const struct carom_sink carom_sink_hdf5 = {
    .kind = {"hdf5", "a run file that can be resumed, readable while it is written", NULL, 0},
    .open = hdf5_open,
    .row = hdf5_row,
    .event = hdf5_event,
    .episode = hdf5_episode,
    .left_out = hdf5_left_out,
    .stated = hdf5_stated,
    .force = hdf5_force,
    .blow = hdf5_blow,
    .checkpoint = hdf5_checkpoint,
    .flush = hdf5_flush,
    .close = hdf5_close,
    .release = hdf5_release,
};
