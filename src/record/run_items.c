/* Which recorded items a run file holds: every group below particles and observables with a dataset "value". They share
 * one dataset of times and one of steps. */
#include "record/run_items.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "record/hdf5/hdf5_tree.h"
#include "record/probe.h"
#include "record/run_layout.h"

/* The items found so far; `failed`: out of memory. */
struct listing {
    struct carom_run_file *run;
    size_t room;
    bool failed;
};

static const char *last_word(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* ".../value" is an item */
static void see(void *own, const char *path)
{
    struct listing *list = own;
    struct carom_run_file *run = list->run;
    const size_t length = strlen(path);
    const bool item = length > 6 && strcmp(path + length - 6, "/value") == 0 && length - 6 < sizeof run->item->path &&
                      (strncmp(path, "particles/", 10) == 0 || strncmp(path, "observables/", 12) == 0);
    if (!item || list->failed)
        return;
    list->failed = !carom_memory_room(&run->item, run->nitems, &list->room, 32, sizeof *run->item);
    if (list->failed)
        return;
    struct carom_run_item *new = &run->item[run->nitems++];
    memcpy(new->path, path, length - 6);
    const struct carom_probe *probe = carom_probe_path_find(new->path);
    if (probe == &carom_probe_sensor) /* sensors have names of their own */
        snprintf(new->name, sizeof new->name, "sensor_%.24s", last_word(new->path));
    else
        snprintf(new->name, sizeof new->name, "%.31s",
                 probe != NULL && probe->extent != CAROM_PER_SENSOR ? probe->kind.name : last_word(new->path));
    new->extent = probe != NULL ? probe->extent : CAROM_PER_RUN;
}

static size_t place(const struct carom_run_item *item)
{
    const struct carom_probe *probe = carom_probe_path_find(item->path);
    size_t i = 0;
    while (carom_probe_list[i] != NULL && carom_probe_list[i] != probe)
        i++;
    return i;
}

/* in the order of the list of probes, parts by name */
static int compare_items(const void *first, const void *second)
{
    const struct carom_run_item *a = first, *b = second;
    const size_t i = place(a), j = place(b);
    return i != j ? (i < j ? -1 : 1) : strcmp(a->path, b->path);
}

bool carom_run_items_list(struct carom_run_file *run, struct carom_error *error)
{
    struct listing list = {.run = run};
    if (carom_hdf5_tree_visit(run->file, "particles", see, &list, error) != CAROM_OK ||
        carom_hdf5_tree_visit(run->file, "observables", see, &list, error) != CAROM_OK)
        return false;
    if (list.failed)
        return carom_memory_error(error), false;
    if (run->nitems == 0)
        return carom_error_set(error, CAROM_E_FILE, "%s: is not a run file: it holds no recorded items",
                               carom_hdf5_file_path(run->file)),
               false;
    qsort(run->item, run->nitems, sizeof *run->item, compare_items);
    return true;
}

size_t carom_run_items_cells(const struct carom_run_file *run, const char *part, uint64_t *cell, size_t room)
{
    char path[96];
    snprintf(path, sizeof path, "particles/%s/index", part);
    struct carom_hdf5_spec spec = {.path = path, .unit = "1", .type = CAROM_HDF5_COUNT, .rank = 1};
    const int set = run ? carom_hdf5_set_find(run->file, &spec, NULL) : -1;
    const size_t n = set >= 0 ? (size_t)spec.rows : 0;
    const bool read =
        n > 0 && (room == 0 || carom_hdf5_set_read(run->file, set, 0, n < room ? n : room, cell, NULL) == CAROM_OK);
    return read ? n : 0;
}

bool carom_run_items_open(struct carom_run_file *run, struct carom_error *error)
{
    char path[CAROM_RUN_LAYOUT_ITEM];
    struct carom_hdf5_spec time = carom_run_layout_item(run->item[0].path, "time", path);
    run->time = carom_hdf5_set_find(run->file, &time, error);
    struct carom_hdf5_spec step = carom_run_layout_item(run->item[0].path, "step", path);
    run->step = run->time < 0 ? -1 : carom_hdf5_set_find(run->file, &step, error);
    for (size_t i = 0; i < run->nitems && run->step >= 0; i++) {
        struct carom_run_item *item = &run->item[i];
        const struct carom_probe *probe = carom_probe_path_find(item->path);
        struct carom_hdf5_spec spec = carom_run_layout_item(item->path, "value", path);
        const bool known = probe != NULL, single = !known || carom_probe_single(probe); /* others may be of any rank */
        spec.rank = single || !known ? 1 : 2;
        spec.most = single && known ? 1 : 3;
        spec.exact = item->extent == CAROM_PER_CONTACT;
        spec.width = run->nc;
        if ((item->set = carom_hdf5_set_find(run->file, &spec, error)) < 0)
            return false;
        item->width = spec.rank >= 2 ? spec.width : 1;
        item->depth = spec.rank == 3 ? spec.depth : 1;
        item->length = spec.rows;
        if (spec.rank >= 2 && item->extent == CAROM_PER_RUN)
            item->extent = CAROM_PER_COORDINATE; /* an item no probe knows */
        carom_hdf5_set_unit(run->file, item->set, item->unit, sizeof item->unit);
        carom_text_plain(item->path); /* found by now: from here on it is shown */
        carom_text_plain(item->name);
        carom_text_plain(item->unit);
    }
    return run->step >= 0;
}
