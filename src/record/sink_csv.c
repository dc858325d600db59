/* One CSV file with a line per sample: time, step, then every channel. Keeps no events and no checkpoints, so a
 * run cannot be resumed from it. Never replaces a file that is not such a table. */
#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "carom/record.h"
#include "record/export/csv.h"

struct csv_sink {
    char *path;
    FILE *out;
    const struct carom_layout *layout;
};

void *carom_sink_csv_new(const char *path)
{
    struct csv_sink *sink = carom_memory_zeroed(1, sizeof *sink);
    if (sink == NULL)
        return NULL;
    sink->path = carom_memory_text(path);
    if (sink->path != NULL)
        return sink;
    carom_memory_free(sink);
    return NULL;
}

static enum carom_status written(const struct csv_sink *sink, struct carom_error *error)
{
    if (!ferror(sink->out))
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_FILE, "%s: could not write to it: %s", sink->path, strerror(errno));
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
        char name[CAROM_SENSOR_NAME + 16];
        snprintf(name, sizeof name, "%.31s", channel->probe->kind.name);
        if (extent == CAROM_PER_SENSOR)
            snprintf(name, sizeof name, "sensor_%.31s", strrchr(channel->path, '/') + 1);
        carom_csv_heading(sink->out, name, extent, before, channel->size, channel->depth,
                          carom_model_chain(model) ? (const int32_t(*)[2])model->pair : NULL);
    }
    putc('\n', sink->out);
}

static enum carom_status csv_open(void *own, const struct carom_layout *layout, struct carom_error *error)
{
    struct csv_sink *sink = own;
    sink->layout = layout;
    if (carom_csv_may_replace(sink->path, error) != CAROM_OK)
        return CAROM_E_FILE;
    errno = 0;
    sink->out = fopen(sink->path, "w");
    if (sink->out == NULL)
        return carom_error_set(error, CAROM_E_FILE, "%s: could not be created: %s", sink->path, strerror(errno));
    write_header(sink);
    return written(sink, error);
}

static enum carom_status csv_row(void *own, const struct carom_row *row, struct carom_error *error)
{
    struct csv_sink *sink = own;
    carom_csv_number(sink->out, row->time);
    fprintf(sink->out, ",%llu", (unsigned long long)row->step);
    carom_csv_numbers(sink->out, row->value, sink->layout->width);
    putc('\n', sink->out);
    return written(sink, error);
}

static enum carom_status csv_flush(void *own, struct carom_error *error)
{
    struct csv_sink *sink = own;
    fflush(sink->out);
    return written(sink, error);
}

static enum carom_status csv_close(void *own, const struct carom_counts *counts, struct carom_error *error)
{
    struct csv_sink *sink = own;
    (void)counts;
    enum carom_status status = csv_flush(own, error);
    if (fclose(sink->out) != 0 && status == CAROM_OK)
        status = carom_error_set(error, CAROM_E_FILE, "%s: could not write to it: %s", sink->path, strerror(errno));
    sink->out = NULL;
    return status;
}

static void csv_release(void *own)
{
    struct csv_sink *sink = own;
    if (sink == NULL)
        return;
    if (sink->out != NULL)
        fclose(sink->out);
    carom_memory_free(sink->path);
    carom_memory_free(sink);
}

const struct carom_sink carom_sink_csv = {
    .kind = {"csv", "one table, a line per sample", NULL, 0},
    .open = csv_open,
    .row = csv_row,
    .flush = csv_flush,
    .close = csv_close,
    .release = csv_release,
};
