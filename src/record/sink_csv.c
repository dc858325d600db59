/* One CSV file with a line per sample: time, step, then every channel. Contacts that come and go stand in a second one,
 * a line for each of them in every sample. Keeps no events and no checkpoints, so a run cannot be resumed from it.
 * Never replaces a file that is not such a table. */
#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "carom/bodies.h"
#include "record/export/csv.h"
#include "record/probe.h"

struct csv_sink {
    char *path;
    FILE *out;
    char *beside; /* of contacts: run.csv has run_contacts.csv beside it */
    FILE *contacts;
    const struct carom_layout *layout;
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
    const bool good = !ferror(sink->out);
    if (good && (sink->contacts == NULL || !ferror(sink->contacts)))
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_FILE, "%s: could not write to it: %s",
                           good ? sink->beside : carom_csv_name(sink->path), strerror(errno));
}

static void write_header(const struct csv_sink *sink)
{
    const struct carom_layout *layout = sink->layout;
    const struct carom_model *model = layout->model;
    fputs("time,step", sink->out);
    for (size_t i = 0; i < layout->nchannels; i++) {
        const struct carom_channel *channel = &layout->channel[i];
        const enum carom_extent extent = channel->probe->extent;
        size_t before = 0;
        if (extent == CAROM_PER_COORDINATE)
            before = model->member[channel->member].q0;
        else if (extent == CAROM_PER_VELOCITY)
            before = model->member[channel->member].v0;
        char name[CAROM_CSV_PART + 40];
        snprintf(name, sizeof name, "%.31s", channel->probe->kind.name);
        char part[CAROM_CSV_PART];
        if (carom_csv_part(channel->path, channel->depth, part)) {
            snprintf(name, sizeof name, "%s_%.31s", part, channel->probe->kind.name);
            before = 0;
        }
        if (extent == CAROM_PER_SENSOR)
            snprintf(name, sizeof name, "%s%.31s", channel->probe == &carom_probe_sensor ? "sensor_" : "",
                     strrchr(channel->path, '/') + 1);
        carom_csv_heading(sink->out, name, extent, before, channel->size, channel->depth,
                          carom_model_chain(model) ? (const int32_t(*)[2])model->pair : NULL);
    }
    putc('\n', sink->out);
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
    sink->layout = layout;
    if ((sink->out = create(sink->path, error)) == NULL)
        return CAROM_E_FILE;
    write_header(sink);
    if (layout->touching) {
        if ((sink->contacts = create(sink->beside, error)) == NULL)
            return CAROM_E_FILE;
        carom_csv_touch_heading(sink->contacts, carom_model_bodies(layout->model)->dimension);
    }
    return written(sink, error);
}

static enum carom_status csv_row(void *own, const struct carom_row *row, struct carom_error *error)
{
    struct csv_sink *sink = own;
    carom_csv_number(sink->out, row->time);
    fprintf(sink->out, ",%llu", (unsigned long long)row->step);
    carom_csv_numbers(sink->out, row->value, sink->layout->width);
    putc('\n', sink->out);
    for (size_t i = 0; sink->contacts != NULL && i < row->ntouches; i++)
        carom_csv_touch(sink->contacts, row->time, row->step, &row->touch[i],
                        carom_model_bodies(sink->layout->model)->dimension);
    return written(sink, error);
}

static enum carom_status csv_flush(void *own, struct carom_error *error)
{
    struct csv_sink *sink = own;
    fflush(sink->out);
    if (sink->contacts != NULL)
        fflush(sink->contacts);
    return written(sink, error);
}

static enum carom_status csv_close(void *own, const struct carom_counts *counts, struct carom_error *error)
{
    struct csv_sink *sink = own;
    (void)counts;
    enum carom_status status = csv_flush(own, error);
    if (fclose(sink->out) != 0 && status == CAROM_OK)
        status = carom_error_set(error, CAROM_E_FILE, "%s: could not write to it: %s", carom_csv_name(sink->path),
                                 strerror(errno));
    sink->out = NULL;
    if (sink->contacts != NULL && fclose(sink->contacts) != 0 && status == CAROM_OK)
        status = carom_error_set(error, CAROM_E_FILE, "%s: could not write to it: %s", sink->beside, strerror(errno));
    sink->contacts = NULL;
    return status;
}

static void csv_release(void *own)
{
    struct csv_sink *sink = own;
    if (sink == NULL)
        return;
    if (sink->out != NULL)
        fclose(sink->out);
    if (sink->contacts != NULL)
        fclose(sink->contacts);
    carom_memory_free_all(sink->beside, sink->path, sink);
}

const struct carom_sink carom_sink_csv = {
    .kind = {"csv", "one table, a line per sample", NULL, 0},
    .open = csv_open,
    .row = csv_row,
    .flush = csv_flush,
    .close = csv_close,
    .release = csv_release,
};
