/* One CSV file with a line per sample: time, step, then every channel. Contacts that come and go stand in a second one,
 * a line for each of them in every sample. Keeps no events and no checkpoints, so a run cannot be resumed from it.
 * Never replaces a file that is not such a table. */
#include "record/sink_csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/contact_number.h"
#include "record/export/csv.h"
#include "record/probe.h"

struct csv_sink {
    char *path, *beside; /* of a run: run.csv has run_contacts.csv beside it; NULL: files are their owners' */
    FILE *out[CAROM_CSV_TABLES];
    const struct carom_layout *layout;
    const struct carom_channel **column; /* channels in the order of files */
    struct carom_blow_force *force;      /* nforces, of the impact that is going on */
    size_t nforces, room;
};

static char *beside(const char *path)
{
    const size_t length = strlen(path),
                 end = length > 4 && strcmp(path + length - 4, ".csv") == 0 ? length - 4 : length;
    char *name = carom_memory_zeroed(length + sizeof "_contacts.csv", 1);
    if (name != NULL)
        sprintf(name, "%.*s_contacts.csv", (int)end, path);
    return name;
}

void *carom_sink_csv_new(const char *path)
{
    if (path == NULL)
        return NULL;
    struct csv_sink *sink = carom_memory_zeroed(1, sizeof *sink);
    if (sink == NULL)
        return NULL;
    sink->path = carom_memory_text(path);
    sink->beside = beside(path);
    if (sink->path != NULL && sink->beside != NULL)
        return sink;
    carom_memory_free_all(sink->beside, sink->path, sink);
    return NULL;
}

static enum carom_status written(const struct csv_sink *sink, struct carom_error *error)
{
    for (size_t i = 0; i < CAROM_CSV_TABLES; i++)
        if (sink->out[i] != NULL && ferror(sink->out[i])) {
            const char *name = sink->path == NULL ? "the table" : i > 0 ? sink->beside : carom_csv_name(sink->path);
            return carom_error_set(error, CAROM_E_FILE, "%s: could not write to it: %s", name, strerror(errno));
        }
    return CAROM_OK;
}

/* --- columns of samples ------------------------------------------------------------------------------------------ */

static size_t place_of(const struct carom_channel *channel)
{
    size_t i = 0;
    while (carom_probe_list[i] != NULL && carom_probe_list[i] != channel->probe)
        i++;
    return i;
}

static int compare_columns(const void *first, const void *second)
{
    const struct carom_channel *a = *(const struct carom_channel *const *)first,
                               *b = *(const struct carom_channel *const *)second;
    const size_t i = place_of(a), j = place_of(b);
    return i != j ? (i < j ? -1 : 1) : strcmp(a->path, b->path);
}

/* Columns of a run are in the order in which its run file would have them, those of a replayed file as asked for. */
static bool order_columns(struct csv_sink *sink)
{
    const struct carom_layout *layout = sink->layout;
    sink->column = carom_memory_zeroed(layout->nchannels, sizeof *sink->column);
    for (size_t i = 0; sink->column != NULL && i < layout->nchannels; i++)
        sink->column[i] = &layout->channel[i];
    if (sink->column != NULL && layout->model != NULL && layout->nchannels > 0)
        qsort(sink->column, layout->nchannels, sizeof *sink->column, compare_columns);
    return sink->column != NULL;
}

/* do names of columns tell the part of the model? its bodies are then numbered from 1 */
static bool has_part(const struct carom_channel *channel, char part[CAROM_CSV_PART])
{
    return carom_csv_part(channel->path, channel->depth, part);
}

static void write_header(const struct csv_sink *sink)
{
    const struct carom_layout *layout = sink->layout;
    FILE *out = sink->out[CAROM_CSV_SAMPLES];
    fputs(carom_sink_csv_heading(CAROM_CSV_SAMPLES, false), out);
    for (size_t i = 0; i < layout->nchannels; i++) {
        const struct carom_channel *channel = sink->column[i];
        const enum carom_extent extent = channel->probe->extent;
        char name[CAROM_CSV_PART + 40], part[CAROM_CSV_PART], other[CAROM_CSV_PART];
        size_t before = 0; /* bodies of earlier parts */
        const bool own = has_part(channel, part);
        for (size_t j = 0; j < i && !own; j++)
            before += strcmp(sink->column[j]->probe->kind.name, channel->probe->kind.name) == 0 &&
                              !has_part(sink->column[j], other)
                          ? sink->column[j]->size
                          : 0;
        if (extent == CAROM_PER_SENSOR)
            snprintf(name, sizeof name, "%s%.31s", channel->probe == &carom_probe_sensor ? "sensor_" : "",
                     strrchr(channel->path, '/') + 1);
        else
            snprintf(name, sizeof name, "%s%s%.31s", part, own ? "_" : "", channel->probe->kind.name);
        carom_csv_heading(out, name, extent, before, channel->size, channel->depth, layout->row ? layout->pair : NULL);
    }
    putc('\n', out);
}

/* --- lines ------------------------------------------------------------------------------------------------------- */

static void write_sample(const struct csv_sink *sink, const struct carom_row *row)
{
    FILE *out = sink->out[CAROM_CSV_SAMPLES];
    carom_csv_number(out, row->time);
    fprintf(out, ",%llu", (unsigned long long)row->step);
    for (size_t i = 0; i < sink->layout->nchannels; i++)
        carom_csv_numbers(out, row->value + sink->column[i]->offset, sink->column[i]->size);
    putc('\n', out);
}

static enum carom_status csv_row(void *own, const struct carom_row *row, struct carom_error *error)
{
    const struct csv_sink *sink = own;
    if (sink->out[CAROM_CSV_SAMPLES] != NULL)
        write_sample(sink, row);
    for (size_t i = 0; sink->out[CAROM_CSV_CONTACTS] != NULL && i < row->ntouches; i++)
        carom_csv_touch(sink->out[CAROM_CSV_CONTACTS], row->time, row->step, &row->touch[i], sink->layout->dimension);
    return written(sink, error);
}

/* who takes part: the two bodies of contacts that come and go, or the contact */
static void write_place(const struct csv_sink *sink, FILE *out, uint64_t contact)
{
    const struct carom_layout *layout = sink->layout;
    if (layout->listed)
        fprintf(out, "%llu,%llu", (unsigned long long)(contact >> 32), (unsigned long long)(contact & UINT32_MAX));
    else
        fprintf(out, "%zu", carom_contact_number(layout->pair, layout->row && contact < layout->nc, (size_t)contact));
}

static enum carom_status csv_event(void *own, const struct carom_event *event, struct carom_error *error)
{
    static const char *const words[] = {
        [CAROM_EVENT_OPEN] = "open",   [CAROM_EVENT_CLOSE] = "close", [CAROM_EVENT_IMPACT] = "impact",
        [CAROM_EVENT_STICK] = "stick", [CAROM_EVENT_SLIP] = "slip",   [CAROM_EVENT_ZERO] = "zero_force"};
    const struct csv_sink *sink = own;
    FILE *out = sink->out[CAROM_CSV_EVENTS];
    carom_csv_number(out, event->time);
    fprintf(out, ",%s,", (size_t)event->kind < sizeof words / sizeof *words ? words[event->kind] : "unknown");
    write_place(sink, out, event->contact);
    carom_csv_numbers(out, (double[]){event->before, event->after, event->impulse}, 3);
    putc('\n', out);
    return written(sink, error);
}

static enum carom_status csv_episode(void *own, const struct carom_episode *row, struct carom_error *error)
{
    const struct csv_sink *sink = own;
    FILE *out = sink->out[CAROM_CSV_EPISODES];
    const double x[CAROM_EPISODE_REALS] = {row->closed,    row->opened,  row->speed,      row->peak_force,
                                           row->peak_time, row->impulse, row->dissipated, row->overlap};
    write_place(sink, out, row->contact);
    carom_csv_numbers(out, x, CAROM_EPISODE_REALS);
    putc('\n', out);
    return written(sink, error);
}

/* kept until their impact is told, which says when it was */
static enum carom_status csv_force(void *own, const struct carom_blow_force *force, struct carom_error *error)
{
    struct csv_sink *sink = own;
    if (!carom_memory_room(&sink->force, sink->nforces, &sink->room, 256, sizeof *sink->force))
        return carom_memory_error(error);
    sink->force[sink->nforces++] = *force;
    return CAROM_OK;
}

static enum carom_status write_forces(struct csv_sink *sink, double begins, struct carom_error *error)
{
    FILE *out = sink->out[CAROM_CSV_IMPACTS];
    for (size_t i = 0; i < sink->nforces; i++) {
        const struct carom_blow_force *force = &sink->force[i];
        fprintf(out, "%llu,", (unsigned long long)force->impact + 1);
        carom_csv_number(out, begins);
        putc(',', out);
        write_place(sink, out, force->contact);
        carom_csv_numbers(out, (double[]){force->time, force->force}, 2);
        putc('\n', out);
    }
    sink->nforces = 0;
    return written(sink, error);
}

static enum carom_status csv_blow(void *own, const struct carom_blow *blow, struct carom_error *error)
{
    return write_forces(own, blow->time, error);
}

/* the impact in which a run was killed */
static enum carom_status csv_last(void *own, const struct carom_counts *counts, struct carom_error *error)
{
    (void)counts;
    return write_forces(own, nan(""), error);
}

/* --- tables ------------------------------------------------------------------------------------------------------ */

const char *carom_sink_csv_heading(enum carom_csv_table table, bool listed)
{
    switch (table) {
    case CAROM_CSV_IMPACTS:
        return listed ? "impact,begins,first,second,time,force" : "impact,begins,contact,time,force";
    case CAROM_CSV_EVENTS:
        return listed ? "time,event,first,second,before,after,impulse" : "time,event,contact,before,after,impulse";
    case CAROM_CSV_EPISODES:
        return listed ? "first,second,closed,opened,speed,peak_force,peak_time,impulse,dissipated,overlap"
                      : "contact,closed,opened,speed,peak_force,peak_time,impulse,dissipated,overlap";
    default:
        return "time,step";
    }
}

static enum carom_status begin_tables(struct csv_sink *sink, const struct carom_layout *layout,
                                      struct carom_error *error)
{
    sink->layout = layout;
    if (!order_columns(sink))
        return carom_memory_error(error);
    for (size_t i = 0; i < CAROM_CSV_TABLES; i++)
        if (sink->out[i] != NULL && i == CAROM_CSV_SAMPLES)
            write_header(sink);
        else if (sink->out[i] != NULL && i == CAROM_CSV_CONTACTS)
            carom_csv_touch_heading(sink->out[i], layout->dimension);
        else if (sink->out[i] != NULL)
            fprintf(sink->out[i], "%s\n", carom_sink_csv_heading((enum carom_csv_table)i, layout->listed));
    return written(sink, error);
}

static FILE *create(const char *path, struct carom_error *error)
{
    if (carom_csv_may_replace(path, error) != CAROM_OK)
        return NULL;
    errno = 0;
    FILE *out = carom_csv_open(path);
    if (out == NULL)
        carom_error_set(error, CAROM_E_FILE, "%s: could not be opened: %s", carom_csv_name(path), strerror(errno));
    return out;
}

static enum carom_status csv_open(void *own, const struct carom_layout *layout, struct carom_error *error)
{
    struct csv_sink *sink = own;
    if ((sink->out[CAROM_CSV_SAMPLES] = create(sink->path, error)) == NULL ||
        (layout->touching && (sink->out[CAROM_CSV_CONTACTS] = create(sink->beside, error)) == NULL))
        return CAROM_E_FILE;
    return begin_tables(sink, layout, error);
}

static enum carom_status csv_flush(void *own, struct carom_error *error)
{
    const struct csv_sink *sink = own;
    for (size_t i = 0; i < CAROM_CSV_TABLES; i++)
        if (sink->out[i] != NULL)
            fflush(sink->out[i]);
    return written(sink, error);
}

static enum carom_status csv_close(void *own, const struct carom_counts *counts, struct carom_error *error)
{
    struct csv_sink *sink = own;
    (void)counts;
    enum carom_status status = csv_flush(own, error);
    for (size_t i = 0; i < CAROM_CSV_TABLES; i++) {
        if (sink->out[i] != NULL && fclose(sink->out[i]) != 0 && status == CAROM_OK)
            status = carom_error_set(error, CAROM_E_FILE, "%s: could not write to it: %s",
                                     i > 0 ? sink->beside : carom_csv_name(sink->path), strerror(errno));
        sink->out[i] = NULL;
    }
    return status;
}

static void csv_release(void *own)
{
    struct csv_sink *sink = own;
    if (sink == NULL)
        return;
    for (size_t i = 0; sink->path != NULL && i < CAROM_CSV_TABLES; i++)
        if (sink->out[i] != NULL)
            fclose(sink->out[i]);
    carom_memory_free_all(sink->beside, sink->path, sink->column, sink->force, sink);
}

void *carom_sink_csv_on(FILE *out, enum carom_csv_table table)
{
    struct csv_sink *sink = carom_memory_zeroed(1, sizeof *sink);
    if (sink != NULL)
        sink->out[table] = out;
    return sink;
}

static enum carom_status only_open(void *own, const struct carom_layout *layout, struct carom_error *error)
{
    return begin_tables(own, layout, error);
}

#define ONLY(what) .kind = {"csv", what, NULL, 0}, .open = only_open, .release = csv_release
const struct carom_sink carom_sink_csv_only[CAROM_CSV_TABLES] = {
    [CAROM_CSV_SAMPLES] = {ONLY("a line per sample"), .row = csv_row},
    [CAROM_CSV_CONTACTS] = {ONLY("contacts that come and go"), .row = csv_row},
    [CAROM_CSV_IMPACTS] = {ONLY("forces inside impacts"), .force = csv_force, .blow = csv_blow, .close = csv_last},
    [CAROM_CSV_EVENTS] = {ONLY("events"), .event = csv_event},
    [CAROM_CSV_EPISODES] = {ONLY("episodes"), .episode = csv_episode},
};

const struct carom_sink carom_sink_csv = {
    .kind = {"csv", "one table, a line per sample", NULL, 0},
    .open = csv_open,
    .row = csv_row,
    .flush = csv_flush,
    .close = csv_close,
    .release = csv_release,
};
