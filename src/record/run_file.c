/* Reads run files. After a kill the datasets may have different lengths, as each was last brought to
 * disk at its own moment; readers are given the rows that all of them have. Checkpoints are written in turn into two
 * slots; the newer one whose checksum holds counts. */
#include "record/run_file.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/bodies/list.h"
#include "model/slices.h"
#include "record/hdf5/hdf5_tree.h"
#include "record/run_blunders.h"
#include "record/run_ends.h"
#include "record/run_items.h"
#include "record/run_layout.h"

#define EVENT_COLUMNS CAROM_RUN_LAYOUT_EVENT_COLUMNS
#define BLOW_COLUMNS CAROM_RUN_LAYOUT_BLOW_COLUMNS
#define EVENT_BLOCK 256

/* --- opening --------------------------------------------------------------------------------------------------- */

/* contacts, and whether their bodies stand in a row */
static bool read_pairs(struct carom_run_file *run, struct carom_error *error)
{
    struct carom_hdf5_spec pairs = carom_run_layout_pairs(0), listed = carom_run_layout_event(1, true, true);
    struct carom_hdf5_spec mass = {.path = "particles/beads/mass", .type = CAROM_HDF5_REAL, .rank = 1};
    int set = carom_hdf5_set_find(run->file, &pairs, NULL);
    run->listed = set < 0 && carom_hdf5_set_find(run->file, &listed, NULL) >= 0;
    if (run->listed)
        return carom_run_touches_find(&run->touches, run->file, error) == CAROM_OK;
    if (set < 0 && (set = carom_hdf5_set_find(run->file, &pairs, error)) < 0)
        return false;
    run->nc = (size_t)pairs.rows;
    run->pair = carom_memory_zeroed(run->nc, sizeof *run->pair);
    if (run->pair == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts", run->nc), false;
    const bool good = carom_hdf5_set_read(run->file, set, 0, run->nc, run->pair, error) == CAROM_OK;
    run->row = carom_hdf5_set_find(run->file, &mass, NULL) >= 0;
    for (size_t j = 0; j < run->nc; j++) /* beads of other networks are no row */
        run->row = run->row && run->pair[j][0] >= (j > 0 ? run->pair[j - 1][0] + 1 : CAROM_WALL_LEFT);
    return good;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool count_impacts(struct carom_run_file *run, struct carom_error *error)
{
    struct carom_hdf5_spec forces = carom_run_layout_forces(true);
    run->impacts = UINT64_MAX;
    for (size_t i = 0; i < BLOW_COLUMNS; i++) {
        struct carom_hdf5_spec spec = carom_run_layout_blow(i, true);
        if ((run->blow[i] = carom_hdf5_set_find(run->file, &spec, error)) < 0)
            return false;
        run->impacts = least(run->impacts, spec.rows);
    }
    run->force = carom_hdf5_set_find(run->file, &forces, error);
    run->forces = forces.rows;
    return run->force >= 0;
}

/* The rows in common; the last of them must have a time, or it never reached the disk. */
static bool count_rows(struct carom_run_file *run, struct carom_error *error)
{
    run->rows = least(carom_hdf5_set_rows(run->file, run->time), carom_hdf5_set_rows(run->file, run->step));
    for (size_t i = 0; i < run->nitems; i++)
        run->rows = least(run->rows, run->item[i].length);
    if (run->touches.there)
        run->rows = carom_run_touches_whole(&run->touches, run->file, run->rows);
    for (double last = nan(""); run->rows > 0; run->rows--) {
        if (carom_run_file_times(run, run->rows - 1, 1, &last, error) != CAROM_OK)
            return false;
        if (!isnan(last))
            break;
    }
    run->events = UINT64_MAX;
    for (size_t i = 0; i < EVENT_COLUMNS; i++) {
        struct carom_hdf5_spec spec = carom_run_layout_event(i, run->listed, true);
        if ((run->event[i] = carom_hdf5_set_find(run->file, &spec, error)) < 0)
            return false;
        run->events = least(run->events, spec.rows);
    }
    if (carom_run_episodes_find(&run->episodes, run->file, run->listed, error) != CAROM_OK)
        return false;
    return count_impacts(run, error);
}

static bool read_texts(struct carom_run_file *run, struct carom_error *error)
{
    const struct {
        const char *path;
        char **text;
    } texts[] = {
        {"parameters/scene", &run->scene},     {"parameters/set", &run->set},
        {"parameters/title", &run->title},     {"parameters/units", &run->units},
        {"parameters/command", &run->command}, {"parameters/scheme", &run->scheme},
        {"parameters/version", &run->version},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if ((*texts[i].text = carom_hdf5_tree_read_text(run->file, texts[i].path, error)) == NULL)
            return false;
    char *const shown[] = {run->title, run->units, run->command, run->scheme, run->version};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        carom_text_plain(shown[i]);
    run->ends = carom_hdf5_tree_read_text(run->file, CAROM_RUN_ENDS_PATH, NULL); /* older files have none */
    return true;
}

static bool read_single(struct carom_run_file *run, struct carom_hdf5_spec spec, void *to, struct carom_error *error)
{
    const int set = carom_hdf5_set_find(run->file, &spec, error);
    return set >= 0 && carom_hdf5_set_read(run->file, set, 0, 1, to, error) == CAROM_OK;
}

static bool read_parameters(struct carom_run_file *run, struct carom_error *error)
{
    int32_t complete = 0;
    const bool good = read_single(run, carom_run_layout_seed(), &run->seed, error) &&
                      read_single(run, carom_run_layout_complete(), &complete, error) &&
                      read_single(run, carom_run_layout_counts(true), &run->counts, error);
    run->complete = complete != 0;
    struct carom_blunders *b = &run->blunders;
    struct carom_doubt *d = &run->doubt;
    /* clang-format off */
    double *const errors[CAROM_RUN_LAYOUT_ERRORS] = {
        &run->scales.speed, &run->scales.length, &run->scales.contact_time, &run->tol, &run->estimate, &run->growth,
        &run->horizon, &run->sight, &run->unbalanced, &b->created, &b->cut, &b->cut_energy, &b->deadened,
        &b->newtonian, &d->why, &d->time, &d->contact, &d->other, &d->gap, &d->lasts, &run->flown};
    /* clang-format on */
    for (size_t i = 0; i < CAROM_RUN_LAYOUT_ERRORS; i++)
        if (!read_single(run, carom_run_layout_errors(i, true), errors[i], NULL))
            *errors[i] = 0.0;
    return good;
}

/* Files of studies look like run files from outside, and are none. */
static bool is_study(const struct carom_run_file *run, struct carom_error *error)
{
    char *over = carom_hdf5_tree_read_text(run->file, "parameters/over", NULL);
    char *study = over != NULL ? over : carom_hdf5_tree_read_text(run->file, "parameters/study", NULL);
    const char *what = over ? "sweep" : study && strcmp(study, "fit") == 0 ? "fit" : study ? "comparison" : NULL;
    carom_memory_free(study);
    if (what != NULL)
        carom_error_set(error, CAROM_E_INPUT, "%s: this is a %s, not a run; 'carom report' shows it%s",
                        carom_hdf5_file_path(run->file), what,
                        over ? ", and 'carom sweep' goes on with it unless it is finished" : "");
    return what != NULL;
}

static bool is_known(struct carom_run_file *run, struct carom_error *error)
{
    int32_t layout = 1;
    if (!read_single(run, carom_run_layout_version(), &layout, NULL) || layout <= CAROM_RUN_LAYOUT_VERSION)
        return true;
    carom_error_set(error, CAROM_E_FILE, "%s: a run file of layout %d is for a later carom, this one reads layout %d",
                    carom_hdf5_file_path(run->file), (int)layout, CAROM_RUN_LAYOUT_VERSION);
    return false;
}

struct carom_run_file *carom_run_file_open(const char *path, struct carom_error *error)
{
    if (path == NULL)
        return carom_error_missing(error), NULL;
    struct carom_run_file *run = carom_memory_zeroed(1, sizeof *run);
    if (run == NULL)
        return carom_memory_error(error), NULL;
    run->file = carom_hdf5_file_open(path, &run->marked, error);
    if (run->file != NULL && !is_study(run, error) && is_known(run, error) && carom_run_items_list(run, error) &&
        read_pairs(run, error) && carom_run_items_open(run, error) && carom_run_sums_open(run, error) &&
        count_rows(run, error) && read_texts(run, error) && read_parameters(run, error))
        return run;
    carom_run_file_close(run);
    return NULL;
}

void carom_run_file_close(struct carom_run_file *run)
{
    if (run == NULL)
        return;
    carom_hdf5_file_close(run->file, NULL);
    char *const texts[] = {run->title,   run->scene,  run->set,     run->units,
                           run->command, run->scheme, run->version, run->ends};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        carom_memory_free(texts[i]);
    carom_memory_free_all(run->item, run->pair, run->sums.column, run);
}

void carom_run_file_alone(void)
{
    carom_hdf5_file_alone();
}

bool carom_run_file_looks(const char *path)
{
    return carom_hdf5_file_looks(path);
}

bool carom_run_file_busy(const char *path)
{
    return carom_hdf5_file_busy(path);
}

const struct carom_run_item *carom_run_file_item(const struct carom_run_file *run, const char *name)
{
    if (run == NULL || name == NULL)
        return NULL;
    for (size_t i = 0; i < run->nitems; i++)
        if (strcmp(run->item[i].name, name) == 0 || strcmp(run->item[i].path, name) == 0)
            return &run->item[i];
    return NULL;
}

/* --- numbers --------------------------------------------------------------------------------------------------- */

enum carom_status carom_run_file_read(const struct carom_run_file *run, const struct carom_run_item *item,
                                      uint64_t first, uint64_t count, double *out, struct carom_error *error)
{
    if (run == NULL || item == NULL)
        return carom_error_missing(error);
    return carom_run_sums_read(run, item, first, count, out, error);
}

enum carom_status carom_run_file_times(const struct carom_run_file *run, uint64_t first, uint64_t count, double *out,
                                       struct carom_error *error)
{
    if (run == NULL)
        return carom_error_missing(error);
    return carom_run_sums_read_clock(run, CAROM_RUN_SUMS_TIME, first, count, out, error);
}

enum carom_status carom_run_file_steps(const struct carom_run_file *run, uint64_t first, uint64_t count, uint64_t *out,
                                       struct carom_error *error)
{
    if (run == NULL)
        return carom_error_missing(error);
    return carom_run_sums_read_clock(run, CAROM_RUN_SUMS_STEP, first, count, out, error);
}

/* the columns of a file become the rows of an array, a block at a time */
enum carom_status carom_run_file_events(const struct carom_run_file *run, uint64_t first, uint64_t count,
                                        struct carom_event *out, struct carom_error *error)
{
    if (run == NULL)
        return carom_error_missing(error);
    double real[EVENT_BLOCK];
    uint64_t contact[2 * EVENT_BLOCK];
    int32_t kind[EVENT_BLOCK];
    for (uint64_t at = 0; at < count; at += EVENT_BLOCK) {
        const uint64_t n = least(count - at, EVENT_BLOCK);
        for (size_t c = 0; c < EVENT_COLUMNS; c++) {
            void *to = c == 1 ? (void *)contact : c == 2 ? (void *)kind : (void *)real;
            const enum carom_status status = carom_hdf5_set_read(run->file, run->event[c], first + at, n, to, error);
            if (status != CAROM_OK)
                return status;
            for (uint64_t i = 0; i < n; i++) {
                struct carom_event *event = &out[at + i];
                double *const reals[EVENT_COLUMNS] = {&event->time,    NULL,           NULL,
                                                      &event->impulse, &event->before, &event->after};
                if (c == 1)
                    event->contact = run->listed ? carom_event_pair(contact[2 * i], contact[2 * i + 1]) : contact[i];
                else if (c == 2 && (kind[i] < 0 || kind[i] > CAROM_EVENT_ZERO))
                    return carom_error_set(error, CAROM_E_FILE, "%s: an event is of a kind that is not known",
                                           carom_hdf5_file_path(run->file));
                else if (c == 2)
                    event->kind = (enum carom_event_kind)kind[i];
                else
                    *reals[c] = real[i];
            }
        }
    }
    return CAROM_OK;
}

enum carom_status carom_run_file_touching(const struct carom_run_file *run, uint64_t i, uint64_t *first,
                                          uint64_t *count, struct carom_error *error)
{
    if (run == NULL)
        return carom_error_missing(error);
    return carom_run_touches_row(&run->touches, run->file, i, first, count, error);
}

enum carom_status carom_run_file_touches(const struct carom_run_file *run, uint64_t first, uint64_t count,
                                         struct carom_touch *out, struct carom_error *error)
{
    if (run == NULL)
        return carom_error_missing(error);
    return carom_run_touches_read(&run->touches, run->file, first, count, out, error);
}

enum carom_status carom_run_file_episodes(const struct carom_run_file *run, uint64_t first, uint64_t count,
                                          struct carom_episode *out, struct carom_error *error)
{
    if (run == NULL)
        return carom_error_missing(error);
    return carom_run_episodes_read(&run->episodes, run->file, first, count, out, error);
}

enum carom_status carom_run_file_blows(const struct carom_run_file *run, uint64_t first, uint64_t count,
                                       struct carom_blow *out, struct carom_error *error)
{
    if (run == NULL)
        return carom_error_missing(error);
    double real[EVENT_BLOCK];
    for (uint64_t at = 0; at < count; at += EVENT_BLOCK) {
        const uint64_t n = least(count - at, EVENT_BLOCK);
        for (size_t c = 0; c < BLOW_COLUMNS; c++) {
            const enum carom_status status = carom_hdf5_set_read(run->file, run->blow[c], first + at, n, real, error);
            if (status != CAROM_OK)
                return status;
            for (uint64_t i = 0; i < n; i++)
                *(c == 0 ? &out[at + i].time : c == 1 ? &out[at + i].duration : &out[at + i].estimate) = real[i];
        }
    }
    return CAROM_OK;
}

enum carom_status carom_run_file_forces(const struct carom_run_file *run, uint64_t first, uint64_t count,
                                        struct carom_blow_force *out, struct carom_error *error)
{
    if (run == NULL)
        return carom_error_missing(error);
    return carom_hdf5_set_read(run->file, run->force, first, count, out, error);
}

/* --- checkpoints ----------------------------------------------------------------------------------------------- */

struct found {
    struct carom_run_layout_header header;
    uint64_t episodes;
    double *state;
};

/* A slot that is empty, torn or of another size is as good as not there. */
static bool read_slot(const struct carom_run_file *run, int slot, struct found *found)
{
    char path[CAROM_RUN_LAYOUT_PATH];
    struct carom_hdf5_spec header = carom_run_layout_slot_header(slot, true, path);
    const int header_set = carom_hdf5_set_find(run->file, &header, NULL);
    if (header_set < 0 || carom_hdf5_set_read(run->file, header_set, 0, 1, &found->header, NULL) != CAROM_OK ||
        found->header.serial == 0)
        return false;
    struct carom_hdf5_spec state = carom_run_layout_slot_state(slot, 0, run->listed, path);
    const int state_set = carom_hdf5_set_find(run->file, &state, NULL);
    const uint64_t n = found->header.n; /* a slot that grows may have held more contacts before */
    if (state_set < 0 || (run->listed ? state.rows < n : state.rows != n))
        return false;
    found->state = carom_memory_zeroed((size_t)n, sizeof(double));
    return found->state != NULL && carom_hdf5_set_read(run->file, state_set, 0, n, found->state, NULL) == CAROM_OK &&
           carom_run_layout_is_whole(&found->header, found->state) &&
           (!run->episodes.there || carom_run_episodes_load(&run->episodes, run->file, slot, found->header.serial,
                                                            &found->episodes, NULL, NULL));
}

/* The newest valid checkpoint whose rows are all there; the caller frees the state. */
static enum carom_status newest(const struct carom_run_file *run, struct found *best, int *slot,
                                struct carom_error *error)
{
    *best = (struct found){.state = NULL};
    for (int i = 0; i < CAROM_RUN_LAYOUT_SLOTS; i++) {
        struct found found = {.state = NULL};
        if (read_slot(run, i, &found) && found.header.rows <= run->rows && found.header.events <= run->events &&
            found.header.impacts <= run->impacts && found.header.forces <= run->forces &&
            found.header.serial > best->header.serial) {
            carom_memory_free(best->state);
            *best = found;
            *slot = i;
        } else
            carom_memory_free(found.state);
    }
    if (best->state != NULL)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_FILE,
                           "%s: holds no checkpoint to go on from; 'carom run' with it starts its scene anew",
                           carom_hdf5_file_path(run->file));
}

enum carom_status carom_run_file_last(const struct carom_run_file *run, struct carom_run_checkpoint *last,
                                      struct carom_error *error)
{
    struct found found;
    int slot = 0;
    const enum carom_status status = newest(run, &found, &slot, error);
    carom_memory_free(found.state);
    if (status == CAROM_OK)
        *last = (struct carom_run_checkpoint){.time = found.header.time,
                                              .step = found.header.step,
                                              .rows = found.header.rows,
                                              .events = found.header.events,
                                              .impacts = found.header.impacts,
                                              .forces = found.header.forces,
                                              .episodes = found.episodes,
                                              .counts = found.header.counts,
                                              .n = (size_t)found.header.n,
                                              .slot = slot,
                                              .serial = found.header.serial};
    return status;
}

/* where contacts come and go they stand behind the numbers of the state */
static enum carom_status restore_contacts(const struct carom_run_file *run, const struct carom_model *model,
                                          struct carom_state *state, const struct found *found,
                                          struct carom_error *error)
{
    const struct carom_bodies *bodies = carom_model_bodies(model);
    const uint64_t n = found->header.n;
    if (n == state->n && state->contacts == NULL)
        return CAROM_OK;
    if (n <= state->n || state->contacts == NULL)
        return carom_error_set(error, CAROM_E_INPUT, "%s: the checkpoint holds %llu numbers, the scene has %zu",
                               carom_hdf5_file_path(run->file), (unsigned long long)n, state->n);
    if (carom_list_unpack(state->contacts, bodies, found->state + state->n, (size_t)n - state->n))
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_INPUT,
                           "%s: the contacts in the checkpoint are not those of the scene's bodies",
                           carom_hdf5_file_path(run->file));
}

/* the episodes that were under way */
static void restore_book(const struct carom_run_file *run, int slot, const struct found *found,
                         struct carom_state *state)
{
    uint64_t rows;
    carom_memory_free(state->book);
    state->book = NULL;
    if (run->episodes.there)
        carom_run_episodes_load(&run->episodes, run->file, slot, found->header.serial, &rows, &state->book,
                                &state->nbook);
}

enum carom_status carom_run_file_restore(const struct carom_run_file *run, const struct carom_model *model,
                                         struct carom_state *state, struct carom_checkpoint *checkpoint,
                                         struct carom_error *error)
{
    struct found found;
    int slot = 0;
    enum carom_status status = newest(run, &found, &slot, error);
    if (status == CAROM_OK)
        status = restore_contacts(run, model, state, &found, error);
    if (status == CAROM_OK) {
        state->time = found.header.time;
        state->time_low = found.header.time_low;
        state->step = found.header.step;
        state->energy = found.header.energy;
        carom_slices_fill(state, found.state);
        *checkpoint = (struct carom_checkpoint){
            .state = state,
            .counts = found.header.counts,
            .rows = found.header.rows,
            .events = found.header.events,
            .impacts = found.header.impacts,
            .forces = found.header.forces,
            .episodes = found.episodes,
            .blunders = carom_run_blunders_load(run->file, slot, found.header.serial, &run->blunders)};
        restore_book(run, slot, &found, state);
    }
    carom_memory_free(found.state);
    return status;
}
