/* Repairs run files whose writer was killed: datasets become equally long, and the mark that somebody writes goes. */
#include "record/run_file.h"

#include "record/run_items.h"
#include "record/run_layout.h"

#define EVENT_COLUMNS CAROM_RUN_LAYOUT_EVENT_COLUMNS
#define BLOW_COLUMNS CAROM_RUN_LAYOUT_BLOW_COLUMNS

static bool cut(struct carom_hdf5_file *file, struct carom_hdf5_spec spec, uint64_t rows, struct carom_error *error)
{
    const int set = carom_hdf5_set_find(file, &spec, error);
    return set >= 0 && carom_hdf5_set_cut(file, set, rows, error) == CAROM_OK;
}

/* Opens the file for writing, which clears the mark, and makes all datasets equally long. */
static bool make_even(const struct carom_run_file *was, struct carom_hdf5_file *file, struct carom_error *error)
{
    const char *const first = was->item[0].path;
    char path[CAROM_RUN_LAYOUT_ITEM];
    bool good = true;
    for (size_t i = 0; i < was->nitems && good; i++)
        good = cut(file, carom_run_layout_item(was->item[i].path, "value", path), was->rows, error);
    good = good && carom_run_sums_cut(file, 0, error) == CAROM_OK && /* who knows what of which has come to the disk */
           cut(file, carom_run_layout_item(first, "time", path), was->rows, error) &&
           cut(file, carom_run_layout_item(first, "step", path), was->rows, error);
    for (size_t i = 0; i < EVENT_COLUMNS && good; i++)
        good = cut(file, carom_run_layout_event(i, was->listed, true), was->events, error);
    for (size_t i = 0; i < BLOW_COLUMNS && good; i++)
        good = cut(file, carom_run_layout_blow(i, true), was->impacts, error);
    good = good && cut(file, carom_run_layout_forces(true), was->forces, error);
    struct carom_run_episodes episodes = was->episodes; /* found anew, as below */
    if (good && episodes.there)
        good = carom_run_episodes_find(&episodes, file, was->listed, error) == CAROM_OK &&
               carom_run_episodes_cut(&episodes, file, was->episodes.rows, error) == CAROM_OK;
    struct carom_run_touches touches = was->touches;
    if (good && touches.there) /* found anew: their numbers belong to the file that was closed */
        good = carom_run_touches_find(&touches, file, error) == CAROM_OK &&
               carom_run_touches_cut(&touches, file, was->rows, error) == CAROM_OK;
    return good;
}

static uint64_t longest(const struct carom_run_file *run)
{
    uint64_t most = carom_hdf5_set_rows(run->file, run->time);
    for (size_t i = 0; i < run->nitems; i++)
        most = run->item[i].length > most ? run->item[i].length : most;
    return most;
}

enum carom_status carom_run_file_repair(const char *path, struct carom_run_repair *found, struct carom_error *error)
{
    struct carom_run_file *was = carom_run_file_open(path, error);
    if (was == NULL)
        return error != NULL ? error->status : CAROM_E_FILE;
    *found = (struct carom_run_repair){
        .was_marked = was->marked, .rows = was->rows, .events = was->events, .cut = longest(was) - was->rows};
    enum carom_status status = CAROM_OK;
    if (was->marked || found->cut > 0) {
        carom_hdf5_file_close(was->file, NULL); /* one file cannot be open twice, in two ways */
        was->file = NULL;
        struct carom_hdf5_file *file = carom_hdf5_file_reopen(path, error);
        const bool even = file != NULL && make_even(was, file, error);
        const enum carom_status closed = carom_hdf5_file_close(file, even ? error : NULL);
        status = even ? closed : error != NULL ? error->status : CAROM_E_FILE;
    }
    carom_run_file_close(was);
    return status;
}
