/* Checksums of recorded rows, see run_sums.h: a table in the order of the channels, whose paths stand beside it, and
 * the columns of time and step behind them. Nothing is compared in files that are being written, or whose writer was
 * killed: parts of a row may not have reached the disk yet. */
#include "record/run_sums.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "record/hdf5/hdf5_tree.h"
#include "record/run_file.h"
#include "record/run_layout.h"

#define TABLE "parameters/checksums/samples"
#define COLUMNS "parameters/checksums/items"

enum { CLOCK = 2, BLOCK = 512 }; /* time and step; rows that are looked at together */

/* of numbers of 8 bytes */
static uint64_t sum_of(const void *numbers, size_t count)
{
    return carom_run_layout_checksum_add(UINT64_C(0x73616d706c65), numbers, count);
}

static struct carom_hdf5_spec table(size_t width)
{
    return (struct carom_hdf5_spec){
        .path = TABLE, .unit = "1", .type = CAROM_HDF5_WORD, .rank = 2, .grows = true, .width = width};
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

void carom_run_sums_define(struct carom_run_sums *sums, struct carom_hdf5_file *file, const struct carom_layout *layout)
{
    const struct carom_hdf5_spec spec = table(layout->nchannels + CLOCK);
    size_t length = 1, at = 0;
    for (size_t i = 0; i < layout->nchannels; i++)
        length += strlen(layout->channel[i].path) + 1;
    char *paths = carom_memory_zeroed(length, 1);
    *sums = (struct carom_run_sums){.set = -1};
    for (size_t i = 0; paths && i < layout->nchannels; i++)
        at += (size_t)snprintf(paths + at, length - at, "%s\n", layout->channel[i].path);
    if (paths)
        carom_hdf5_tree_text(file, COLUMNS, paths);
    sums->set = paths ? carom_hdf5_set_define(file, &spec) : -1;
    carom_memory_free(paths);
}

void carom_run_sums_take_up(struct carom_run_sums *sums, struct carom_hdf5_file *file,
                            const struct carom_layout *layout, uint64_t rows)
{
    struct carom_hdf5_spec spec = table(0);
    *sums = (struct carom_run_sums){.set = carom_hdf5_set_find(file, &spec, NULL)};
    if (sums->set >= 0 && (!spec.grows || spec.width != layout->nchannels + CLOCK || spec.rows < rows))
        sums->set = -1;
}

enum carom_status carom_run_sums_write(struct carom_run_sums *sums, struct carom_hdf5_file *file,
                                       const struct carom_layout *layout, uint64_t first, uint64_t count, size_t room,
                                       const double *value, const double *time, const uint64_t *step,
                                       struct carom_error *error)
{
    const size_t n = layout->nchannels, width = n + CLOCK;
    if (sums->set < 0)
        return CAROM_OK;
    if (count > sums->room) {
        if (!carom_memory_widen(&sums->row, sums->room, count, width * sizeof *sums->row))
            return carom_memory_error_for(error, "recording");
        sums->room = count;
    }
    for (uint64_t r = 0; r < count; r++) {
        uint64_t *row = sums->row + width * r;
        for (size_t i = 0; i < n; i++) {
            const struct carom_channel *channel = &layout->channel[i];
            row[i] = sum_of(value + channel->offset * room + r * channel->size, channel->size);
        }
        row[n] = sum_of(&time[r], 1);
        row[n + 1] = sum_of(&step[r], 1);
    }
    return carom_hdf5_set_write(file, sums->set, first, count, sums->row, error);
}

void carom_run_sums_free(struct carom_run_sums *sums)
{
    carom_memory_free(sums->row);
    *sums = (struct carom_run_sums){.set = -1};
}

enum carom_status carom_run_sums_cut(struct carom_hdf5_file *file, uint64_t rows, struct carom_error *error)
{
    struct carom_hdf5_spec spec = table(0);
    const int set = carom_hdf5_set_find(file, &spec, NULL);
    return set < 0 || !spec.grows ? CAROM_OK : carom_hdf5_set_cut(file, set, rows, error);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* which line of a text this is; SIZE_MAX: none */
static size_t line_of(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; *text; i++) {
        const size_t line = strcspn(text, "\n");
        if (line == length && strncmp(text, word, length) == 0)
            return i;
        text += line + (text[line] == '\n');
    }
    return SIZE_MAX;
}

bool carom_run_sums_open(struct carom_run_file *run, struct carom_error *error)
{
    struct carom_run_sums_of *sums = &run->sums;
    struct carom_hdf5_spec spec = table(0);
    *sums = (struct carom_run_sums_of){.set = -1};
    char *paths = run->marked ? NULL : carom_hdf5_tree_read_text(run->file, COLUMNS, NULL);
    if (!paths)
        return true;
    sums->column = carom_memory_zeroed(run->nitems, sizeof *sums->column);
    for (size_t i = 0; sums->column && i < run->nitems; i++)
        sums->column[i] = line_of(paths, run->item[i].path);
    carom_memory_free(paths);
    if (!sums->column)
        return carom_memory_error(error), false;
    sums->set = carom_hdf5_set_find(run->file, &spec, NULL);
    sums->rows = spec.rows;
    sums->width = spec.width;
    if (!spec.grows || spec.width < CLOCK)
        sums->set = -1;
    return true;
}

/* rows of `wide` words each, in one block */
static enum carom_status check(const struct carom_run_file *run, size_t column, uint64_t first, uint64_t count,
                               const char *words, size_t wide, uint64_t *sums, const char *name,
                               struct carom_error *error)
{
    const size_t width = run->sums.width;
    enum carom_status status = carom_hdf5_set_read(run->file, run->sums.set, first, count, sums, error);
    for (uint64_t r = 0; r < count && status == CAROM_OK; r++)
        if (sum_of(words + 8 * wide * r, wide) != sums[width * r + column])
            status =
                carom_error_set(error, CAROM_E_FILE, "%s: sample %llu of %s is damaged: it does not match its checksum",
                                carom_hdf5_file_path(run->file), (unsigned long long)(first + r + 1), name);
    return status;
}

static enum carom_status read(const struct carom_run_file *run, int set, size_t column, size_t wide, const char *name,
                              uint64_t first, uint64_t count, void *out, struct carom_error *error)
{
    enum carom_status status = carom_hdf5_set_read(run->file, set, first, count, out, error);
    const uint64_t end = first + count < run->sums.rows ? first + count : run->sums.rows;
    if (status != CAROM_OK || run->sums.set < 0 || !(column < run->sums.width) || !(first < end))
        return status;
    uint64_t *sums = carom_memory_zeroed(BLOCK * run->sums.width, sizeof *sums);
    if (!sums)
        return carom_memory_error(error);
    for (uint64_t at = first; at < end && status == CAROM_OK; at += BLOCK)
        status = check(run, column, at, end - at < BLOCK ? end - at : BLOCK,
                       (const char *)out + 8 * wide * (at - first), wide, sums, name, error);
    carom_memory_free(sums);
    return status;
}

enum carom_status carom_run_sums_read(const struct carom_run_file *run, const struct carom_run_item *item,
                                      uint64_t first, uint64_t count, double *out, struct carom_error *error)
{
    const size_t column = run->sums.column ? run->sums.column[item - run->item] : SIZE_MAX;
    return read(run, item->set, column, item->width, item->path, first, count, out, error);
}

enum carom_status carom_run_sums_read_clock(const struct carom_run_file *run, size_t which, uint64_t first,
                                            uint64_t count, void *out, struct carom_error *error)
{
    const bool time = which == CAROM_RUN_SUMS_TIME;
    return read(run, time ? run->time : run->step, run->sums.width - which, 1, time ? "time" : "step", first, count,
                out, error);
}
