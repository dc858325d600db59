/* The datasets of a run file: defines them all for a new run, finds them again for one that goes on. Every per-body,
 * per-contact and ledger item is a group {step, time, value}; step and time are one dataset each, linked into all of
 * them. Writes what never changes; rows are sink_hdf5.c's business. */
#include "record/run_sets.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/carom.h"
#include "model/solid/strike/solid_strike.h"
#include "record/cells.h"
#include "record/hdf5/hdf5_tree.h"
#include "record/probe.h"
#include "record/run_blunders.h"
#include "record/run_bodies.h"
#include "record/run_ends.h"

#define EVENT_COLUMNS CAROM_RUN_LAYOUT_EVENT_COLUMNS
#define BLOW_COLUMNS CAROM_RUN_LAYOUT_BLOW_COLUMNS

struct builder {
    struct carom_hdf5_file *file;
    const struct carom_layout *layout;
    struct carom_run_sets *sets;
    const struct carom_bodies *bodies; /* whose contacts come and go, or NULL */
    bool si;
};

static bool is_si(const struct carom_layout *layout)
{
    return layout->origin->units == NULL || strcmp(layout->origin->units, "none") != 0;
}

/* --- a new file ------------------------------------------------------------------------------------------------ */

static const char *unit_of(const struct builder *to, const char *unit)
{
    return to->si ? unit : "1";
}

static void define_head(struct builder *to)
{
    static const int32_t version[2] = {1, 1};
    carom_hdf5_tree_group(to->file, "h5md/author");
    carom_hdf5_tree_group(to->file, "h5md/creator");
    carom_hdf5_tree_note_numbers(to->file, "h5md", "version", version, 2);
    carom_hdf5_tree_note_text(to->file, "h5md/author", "name", "unknown", false);
    carom_hdf5_tree_note_text(to->file, "h5md/creator", "name", "carom", false);
    carom_hdf5_tree_note_text(to->file, "h5md/creator", "version", CAROM_VERSION, false);
}

/* Numbers that never change, written where they are defined; errors surface when the file is published. */
static void define_constant(struct builder *to, const char *part, const char *name, const char *unit, size_t n,
                            const double *x)
{
    char path[96];
    snprintf(path, sizeof path, "particles/%s/%s", part, name);
    const struct carom_hdf5_spec spec = {
        .path = path, .unit = unit_of(to, unit), .type = CAROM_HDF5_REAL, .rank = 1, .rows = n};
    const int set = carom_hdf5_set_define(to->file, &spec);
    if (set >= 0)
        carom_hdf5_set_write(to->file, set, 0, n, x, NULL);
}

/* a table of rows x 3 that never changes */
static void define_places(struct builder *to, const char *path, size_t n, const double *x)
{
    const struct carom_hdf5_spec spec = {
        .path = path, .unit = unit_of(to, "m"), .type = CAROM_HDF5_REAL, .rank = 2, .rows = n, .width = 3};
    const int set = carom_hdf5_set_define(to->file, &spec);
    if (set >= 0)
        carom_hdf5_set_write(to->file, set, 0, n, x, NULL);
}

/* which cells are recorded, where they stand in the unloaded body, and the sensors */
static void define_solid(struct builder *to, const char *part, const struct carom_solid *solid)
{
    char path[96];
    const size_t n = solid->record != NULL ? solid->nrecord : solid->n;
    double(*place)[3] = carom_memory_zeroed(n, sizeof *place);
    uint64_t *index = carom_memory_zeroed(n, sizeof *index);
    for (size_t i = 0; place != NULL && index != NULL && i < n; i++) {
        index[i] = solid->record != NULL ? solid->record[i] : i;
        memcpy(place[i], solid->centre[index[i]], sizeof place[i]);
    }
    snprintf(path, sizeof path, "particles/%s/centre", part);
    if (place != NULL && index != NULL && n > 0) {
        define_places(to, path, n, place[0]);
        snprintf(path, sizeof path, "particles/%s/index", part);
        const struct carom_hdf5_spec spec = {.path = path, .unit = "1", .type = CAROM_HDF5_COUNT, .rank = 1, .rows = n};
        const int set = carom_hdf5_set_define(to->file, &spec);
        if (set >= 0)
            carom_hdf5_set_write(to->file, set, 0, n, index, NULL);
    }
    carom_memory_free_all(index, place);
    for (size_t i = 0; i < solid->nsensors; i++) {
        snprintf(path, sizeof path, "particles/sensors/place/%s", solid->sensor[i].name);
        define_places(to, path, 1, solid->sensor[i].place);
    }
}

/* which cells the links of solids that break join, and where their faces stand unloaded; where that is recorded */
static void define_links(struct builder *to)
{
    const struct carom_model *model = to->layout->model;
    bool wanted = false;
    for (size_t i = 0; i < to->layout->nchannels; i++)
        wanted = wanted || strcmp(to->layout->channel[i].path, "particles/links/damage") == 0;
    const size_t n = wanted ? carom_cells_size_together(model, 0, CAROM_CELLS_LINK_DAMAGE) : 0;
    double(*place)[3] = carom_memory_zeroed(n, sizeof *place);
    uint64_t(*pair)[2] = carom_memory_zeroed(n, sizeof *pair);
    size_t next = 0;
    for (size_t m = 0; n > 0 && place != NULL && pair != NULL && m < carom_solid_count(model); m++) {
        const struct carom_solid *s = carom_solid_at(model, m);
        for (size_t l = 0; s->breaks != NULL && l < s->nlinks; l++, next++)
            for (size_t k = 0; k < 3; k++) {
                pair[next][k > 0] = s->link[l].cell[k > 0];
                place[next][k] = s->centre[s->link[l].cell[0]][k] + s->shape[s->link[l].shape].arm[k];
            }
    }
    if (next > 0) {
        const struct carom_hdf5_spec spec = {
            .path = "particles/links/cells", .unit = "1", .type = CAROM_HDF5_COUNT, .rank = 2, .rows = n, .width = 2};
        define_places(to, "particles/links/centre", n, place[0]);
        const int set = carom_hdf5_set_define(to->file, &spec);
        if (set >= 0)
            carom_hdf5_set_write(to->file, set, 0, n, pair, NULL);
    }
    carom_memory_free_all(pair, place);
}

static void define_parts(struct builder *to)
{
    const struct carom_model *model = to->layout->model;
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        struct carom_particles particles = {.dimension = 1};
        if (m->part->describe)
            m->part->describe(m->own, &particles);
        const int32_t dimension = particles.dimension;
        char part[CAROM_PROBE_PART_SIZE], box[CAROM_PROBE_PART_SIZE + 20];
        carom_probe_path_part(model, i, part);
        snprintf(box, sizeof box, "particles/%s/box", part);
        carom_hdf5_tree_group(to->file, box);
        carom_hdf5_tree_note_numbers(to->file, box, "dimension", &dimension, 1);
        carom_hdf5_tree_note_text(to->file, box, "boundary", "none", true);
        if (carom_solid_at(model, i) != NULL)
            define_solid(to, part, carom_solid_at(model, i));
        if (particles.mass != NULL)
            define_constant(to, part, "mass", "kg", particles.n, particles.mass);
        if (particles.radius != NULL)
            define_constant(to, part, "radius", "m", particles.n, particles.radius);
    }
    define_links(to);
}

/* step and time are one dataset each, seen under every item */
static void define_items(struct builder *to)
{
    char path[128], first_time[128] = "", first_step[128] = "";
    for (size_t i = 0; i < to->layout->nchannels; i++) {
        const struct carom_channel *channel = &to->layout->channel[i];
        const bool single = carom_probe_single(channel->probe);
        snprintf(path, sizeof path, "%s/value", channel->path);
        const struct carom_hdf5_spec value = {.path = path,
                                              .unit = unit_of(to, channel->probe->unit),
                                              .type = CAROM_HDF5_REAL,
                                              .rank = single               ? 1
                                                      : channel->depth > 1 ? 3
                                                                           : 2,
                                              .grows = true,
                                              .width = single ? 0 : channel->size,
                                              .depth = channel->depth};
        to->sets->item[i] = carom_hdf5_set_define(to->file, &value);
        if (i == 0) {
            snprintf(first_time, sizeof first_time, "%s/time", channel->path);
            snprintf(first_step, sizeof first_step, "%s/step", channel->path);
            const struct carom_hdf5_spec time = {
                .path = first_time, .unit = unit_of(to, "s"), .type = CAROM_HDF5_REAL, .rank = 1, .grows = true};
            const struct carom_hdf5_spec step = {
                .path = first_step, .unit = "1", .type = CAROM_HDF5_COUNT, .rank = 1, .grows = true};
            to->sets->time = carom_hdf5_set_define(to->file, &time);
            to->sets->step = carom_hdf5_set_define(to->file, &step);
            continue;
        }
        snprintf(path, sizeof path, "%s/time", channel->path);
        carom_hdf5_tree_link(to->file, first_time, path);
        snprintf(path, sizeof path, "%s/step", channel->path);
        carom_hdf5_tree_link(to->file, first_step, path);
    }
}

/* which contacts there are, or the table of those that come and go, whose samples are those of all items */
static void define_contacts(struct builder *to)
{
    const struct carom_model *model = to->layout->model;
    const struct carom_hdf5_spec pairs = carom_run_layout_pairs(model->nc);
    const int set = to->bodies == NULL ? carom_hdf5_set_define(to->file, &pairs) : -1;
    if (set >= 0)
        carom_hdf5_set_write(to->file, set, 0, model->nc, model->pair, NULL);
    carom_run_ends_put(to->file, model);
    if (to->bodies == NULL || !to->layout->touching)
        return;
    char first[128];
    carom_run_touches_define(&to->sets->touches, to->file, to->bodies->dimension, to->si);
    snprintf(first, sizeof first, "%s/time", to->layout->channel[0].path);
    carom_hdf5_tree_link(to->file, first, CAROM_RUN_TOUCHES_LIST "/time");
    snprintf(first, sizeof first, "%s/step", to->layout->channel[0].path);
    carom_hdf5_tree_link(to->file, first, CAROM_RUN_TOUCHES_LIST "/step");
}

/* numbers of impulses as vectors, where solids meet something */
static size_t vector_of(const struct carom_model *model)
{
    const struct carom_solid_strike *strike = carom_solid_strike_of(model);
    return strike ? (size_t)strike->body[0].solid->dimension : 0;
}

static void define_tables(struct builder *to)
{
    const struct carom_hdf5_spec forces = carom_run_layout_forces(to->si);
    define_contacts(to);
    for (size_t i = 0; i < EVENT_COLUMNS; i++) {
        const struct carom_hdf5_spec column = carom_run_layout_event(i, to->bodies != NULL, to->si);
        to->sets->event[i] = carom_hdf5_set_define(to->file, &column);
    }
    if (to->layout->episodes)
        carom_run_episodes_define(&to->sets->episodes, to->file, to->bodies != NULL, vector_of(to->layout->model),
                                  to->si);
    to->sets->force = carom_hdf5_set_define(to->file, &forces);
    for (size_t i = 0; i < BLOW_COLUMNS; i++) {
        const struct carom_hdf5_spec column = carom_run_layout_blow(i, to->si);
        to->sets->blow[i] = carom_hdf5_set_define(to->file, &column);
    }
}

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static void define_errors(struct builder *to)
{
    const struct carom_scales *scales = &to->layout->scales;
    const double known[CAROM_RUN_LAYOUT_ERRORS] = {scales->speed, scales->length, scales->contact_time,
                                                   to->layout->tol};
    carom_hdf5_tree_group(to->file, "parameters/scales");
    carom_hdf5_tree_group(to->file, "parameters/impacts");
    carom_hdf5_tree_group(to->file, "parameters/no_promise");
    for (size_t i = 0; i < CAROM_RUN_LAYOUT_ERRORS; i++) {
        const struct carom_hdf5_spec spec = carom_run_layout_errors(i, to->si);
        const int set = carom_hdf5_set_define(to->file, &spec);
        if (i >= CAROM_RUN_LAYOUT_ESTIMATE)
            to->sets->stated[i - CAROM_RUN_LAYOUT_ESTIMATE] = set;
        if (set >= 0)
            carom_hdf5_set_write(to->file, set, 0, 1, &known[i], NULL);
    }
}

static void define_parameters(struct builder *to)
{
    const struct carom_origin *origin = to->layout->origin;
    if (to->bodies == NULL) /* which have begun it */
        carom_hdf5_tree_group(to->file, "parameters");
    carom_hdf5_tree_text(to->file, "parameters/scene", or_empty(origin->scene));
    carom_hdf5_tree_text(to->file, "parameters/set", or_empty(origin->set));
    carom_hdf5_tree_text(to->file, "parameters/title", or_empty(origin->title));
    carom_hdf5_tree_text(to->file, "parameters/units", or_empty(origin->units));
    carom_hdf5_tree_text(to->file, "parameters/command", or_empty(origin->command));
    carom_hdf5_tree_text(to->file, "parameters/scheme", or_empty(to->layout->scheme));
    carom_hdf5_tree_text(to->file, "parameters/version", CAROM_VERSION);
    const struct carom_hdf5_spec seed = carom_run_layout_seed(), complete = carom_run_layout_complete();
    const struct carom_hdf5_spec counts = carom_run_layout_counts(to->si), version = carom_run_layout_version();
    const int32_t number = CAROM_RUN_LAYOUT_VERSION;
    int set = carom_hdf5_set_define(to->file, &version);
    if (set >= 0)
        carom_hdf5_set_write(to->file, set, 0, 1, &number, NULL);
    set = carom_hdf5_set_define(to->file, &seed);
    if (set >= 0)
        carom_hdf5_set_write(to->file, set, 0, 1, &origin->seed, NULL);
    define_errors(to);
    to->sets->counts = carom_hdf5_set_define(to->file, &counts);
    to->sets->complete = carom_hdf5_set_define(to->file, &complete);
    for (int i = 0; i < CAROM_RUN_LAYOUT_SLOTS; i++) {
        char path[CAROM_RUN_LAYOUT_PATH];
        const struct carom_hdf5_spec header = carom_run_layout_slot_header(i, to->si, path);
        to->sets->slot[i].header = carom_hdf5_set_define(to->file, &header);
        const struct carom_hdf5_spec state =
            carom_run_layout_slot_state(i, to->layout->nstate, to->bodies != NULL, path);
        to->sets->slot[i].state = carom_hdf5_set_define(to->file, &state);
        const struct carom_hdf5_spec blunders = carom_run_blunders_slot(i, path);
        to->sets->slot[i].blunders = carom_hdf5_set_define(to->file, &blunders);
    }
}

/* --- an old file ----------------------------------------------------------------------------------------------- */

/* Opens a growing dataset, which must have what the checkpoint counts. */
static int take_up(struct builder *to, struct carom_hdf5_spec spec, size_t width, uint64_t rows,
                   struct carom_error *error)
{
    struct carom_hdf5_spec found = spec;
    const int set = carom_hdf5_set_find(to->file, &found, error);
    if (set < 0)
        return -1;
    if (!found.grows || found.width != width || found.rows < rows) {
        carom_error_set(error, CAROM_E_FILE, "%s: %s does not fit the scene or the checkpoint",
                        carom_hdf5_file_path(to->file), spec.path);
        return -1;
    }
    return set;
}

static bool find_touches(struct builder *to, uint64_t rows, struct carom_error *error)
{
    struct carom_run_touches *touches = &to->sets->touches;
    if (carom_run_touches_find(touches, to->file, error) != CAROM_OK)
        return false;
    if (touches->there && touches->dimension == to->bodies->dimension &&
        carom_run_touches_whole(touches, to->file, rows) == rows)
        return true;
    carom_error_set(error, CAROM_E_FILE, "%s: " CAROM_RUN_TOUCHES_LIST " does not fit the scene or the checkpoint",
                    carom_hdf5_file_path(to->file));
    return false;
}

static bool find_items(struct builder *to, const struct carom_run_sets_kept *kept, struct carom_error *error)
{
    const uint64_t rows = kept->rows;
    const char *const first = to->layout->channel[0].path;
    char path[CAROM_RUN_LAYOUT_ITEM];
    bool good = true;
    for (size_t i = 0; i < to->layout->nchannels && good; i++) {
        const struct carom_channel *channel = &to->layout->channel[i];
        const size_t width = carom_probe_single(channel->probe) ? 0 : channel->size;
        const struct carom_hdf5_spec value = carom_run_layout_item(channel->path, "value", path);
        good = (to->sets->item[i] = take_up(to, value, width, rows, error)) >= 0;
    }
    good = good && (to->sets->time = take_up(to, carom_run_layout_item(first, "time", path), 0, rows, error)) >= 0 &&
           (to->sets->step = take_up(to, carom_run_layout_item(first, "step", path), 0, rows, error)) >= 0;
    for (size_t i = 0; i < EVENT_COLUMNS && good; i++)
        good = (to->sets->event[i] = take_up(to, carom_run_layout_event(i, to->bodies != NULL, to->si),
                                             to->bodies != NULL && i == 1 ? 2 : 0, kept->events, error)) >= 0;
    for (size_t i = 0; i < BLOW_COLUMNS && good; i++)
        good = (to->sets->blow[i] = take_up(to, carom_run_layout_blow(i, to->si), 0, kept->impacts, error)) >= 0;
    good = good && (to->sets->force = take_up(to, carom_run_layout_forces(to->si), 0, kept->forces, error)) >= 0;
    good = good && carom_run_episodes_find(&to->sets->episodes, to->file, to->bodies != NULL, error) == CAROM_OK;
    return good && (!to->layout->touching || find_touches(to, rows, error));
}

static bool find_parameters(struct builder *to, struct carom_error *error)
{
    struct carom_hdf5_spec counts = carom_run_layout_counts(to->si), complete = carom_run_layout_complete();
    for (size_t i = 0; i < CAROM_RUN_LAYOUT_STATED; i++) {
        struct carom_hdf5_spec stated = carom_run_layout_errors(CAROM_RUN_LAYOUT_ESTIMATE + i, to->si);
        to->sets->stated[i] = carom_hdf5_set_find(to->file, &stated, NULL);
    }
    to->sets->counts = carom_hdf5_set_find(to->file, &counts, error);
    to->sets->complete = carom_hdf5_set_find(to->file, &complete, error);
    bool good = to->sets->counts >= 0 && to->sets->complete >= 0;
    for (int i = 0; i < CAROM_RUN_LAYOUT_SLOTS && good; i++) {
        char path[CAROM_RUN_LAYOUT_PATH];
        struct carom_hdf5_spec header = carom_run_layout_slot_header(i, to->si, path);
        to->sets->slot[i].header = carom_hdf5_set_find(to->file, &header, error);
        struct carom_hdf5_spec state = carom_run_layout_slot_state(i, 0, to->bodies != NULL, path);
        to->sets->slot[i].state = carom_hdf5_set_find(to->file, &state, error);
        struct carom_hdf5_spec blunders = carom_run_blunders_slot(i, path);
        to->sets->slot[i].blunders = carom_hdf5_set_find(to->file, &blunders, NULL); /* older files have none */
        good = to->sets->slot[i].header >= 0 && to->sets->slot[i].state >= 0;
        const bool fits = to->bodies != NULL ? state.grows : state.rows == to->layout->nstate;
        if (good && !fits) {
            carom_error_set(error, CAROM_E_FILE, "%s: the checkpoint holds %llu numbers, the scene has %zu",
                            carom_hdf5_file_path(to->file), (unsigned long long)state.rows, to->layout->nstate);
            good = false;
        }
    }
    return good;
}

/* --- both ------------------------------------------------------------------------------------------------------ */

static bool make_room(struct carom_run_sets *sets, const struct carom_layout *layout, struct carom_error *error)
{
    sets->item = carom_memory_zeroed(layout->nchannels, sizeof *sets->item);
    if (sets->item == NULL)
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for a run file");
    return sets->item != NULL;
}

enum carom_status carom_run_sets_define(struct carom_run_sets *sets, struct carom_hdf5_file *file,
                                        const struct carom_layout *layout, struct carom_error *error)
{
    struct builder to = {file, layout, sets, carom_model_bodies(layout->model), is_si(layout)};
    if (!make_room(sets, layout, error))
        return CAROM_E_MEMORY;
    define_head(&to);
    if (to.bodies == NULL)
        define_parts(&to);
    else if (!carom_run_bodies_define(file, to.bodies, to.si))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a run file");
    define_items(&to);
    define_tables(&to);
    define_parameters(&to);
    carom_run_sums_define(&sets->sums, file, layout);
    return carom_hdf5_file_built(file, error);
}

enum carom_status carom_run_sets_find(struct carom_run_sets *sets, struct carom_hdf5_file *file,
                                      const struct carom_layout *layout, const struct carom_run_sets_kept *kept,
                                      struct carom_error *error)
{
    struct builder to = {file, layout, sets, carom_model_bodies(layout->model), is_si(layout)};
    if (!make_room(sets, layout, error))
        return CAROM_E_MEMORY;
    if (!find_parameters(&to, error) || !find_items(&to, kept, error))
        return error != NULL ? error->status : CAROM_E_FILE;
    sets->episodes.rows = kept->episodes;
    carom_run_sums_take_up(&sets->sums, file, layout, kept->rows);
    return layout->touching ? carom_run_touches_back(&sets->touches, file, kept->rows, error) : CAROM_OK;
}

enum carom_status carom_run_sets_cut(struct carom_run_sets *sets, struct carom_hdf5_file *file,
                                     const struct carom_layout *layout, const struct carom_run_sets_kept *kept,
                                     struct carom_error *error)
{
    const uint64_t rows = kept->rows;
    enum carom_status status = carom_hdf5_set_cut(file, sets->time, rows, error);
    if (status == CAROM_OK)
        status = carom_hdf5_set_cut(file, sets->step, rows, error);
    if (status == CAROM_OK && sets->sums.set >= 0)
        status = carom_hdf5_set_cut(file, sets->sums.set, rows, error);
    for (size_t i = 0; i < layout->nchannels && status == CAROM_OK; i++)
        status = carom_hdf5_set_cut(file, sets->item[i], rows, error);
    for (size_t i = 0; i < EVENT_COLUMNS && status == CAROM_OK; i++)
        status = carom_hdf5_set_cut(file, sets->event[i], kept->events, error);
    for (size_t i = 0; i < BLOW_COLUMNS && status == CAROM_OK; i++)
        status = carom_hdf5_set_cut(file, sets->blow[i], kept->impacts, error);
    if (status == CAROM_OK)
        status = carom_hdf5_set_cut(file, sets->force, kept->forces, error);
    if (status == CAROM_OK && sets->episodes.there)
        status = carom_run_episodes_cut(&sets->episodes, file, sets->episodes.rows, error);
    if (status == CAROM_OK && layout->touching)
        status = carom_run_touches_cut(&sets->touches, file, rows, error);
    return status;
}

void carom_run_sets_free(struct carom_run_sets *sets)
{
    carom_memory_free(sets->item);
    carom_run_sums_free(&sets->sums);
    sets->item = NULL;
}
