/* Reads a run file into a summary. Nothing is run; forces, impulses and losses are those of the book of impacts or, in
 * files without one, of the samples and events that were recorded. */
#include "study/follow/run_summary.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/bodies/linkage.h"
#include "model/peak_force.h"
#include "model/solid/strike/solid_balls.h"
#include "record/probe.h"
#include "record/replay.h"
#include "scene/keep.h"
#include "sim/doubt.h"

#define COARSE 0.01 /* of an impulse: what samples of its force may miss */

/* Several parts have an item each; together they have `width` numbers. */
static bool is_item(const struct carom_run_item *item, const char *name)
{
    return strcmp(item->name, name) == 0;
}

static size_t width_of(const struct carom_run_file *run, const char *name)
{
    size_t width = 0;
    for (size_t i = 0; i < run->nitems; i++)
        width += is_item(&run->item[i], name) ? run->item[i].width : 0;
    return width;
}

/* Of a solid with sensors these are compared, and "sensor_u" is meant by "u". */
static const char *name_of(const struct carom_run_file *run, const char *name)
{
    const bool sensors = width_of(run, "sensor_u") > 0 && width_of(run, "sensor_v") > 0;
    return !sensors ? name : name[0] == 'u' ? "sensor_u" : "sensor_v";
}

/* Files have parts by their names. Points are those of balls, then those of solids in turn; others come last. */
static size_t rank_of(const struct carom_run_item *item, const struct carom_model *model)
{
    char part[CAROM_PROBE_PART_SIZE], path[sizeof item->path];
    for (size_t i = 0; model != NULL && i < model->nparts; i++) {
        carom_probe_path_part(model, i, part);
        snprintf(path, sizeof path, "particles/%s/", part);
        if (strncmp(item->path, path, strlen(path)) == 0)
            return carom_solid_balls_at(model, i) != NULL ? 0 : 1 + i;
    }
    return 1 + (model != NULL ? model->nparts : 0);
}

#define ENTRY_NAME(field, name, text, path, label) name,
static const char *const entries[] = {CAROM_LEDGER(ENTRY_NAME)};
enum { ENTRIES = sizeof entries / sizeof *entries };

/* Where a row has what. */
enum { U, V, TURN, FORCE, LOST, KINDS };

struct reading {
    struct carom_run_summary *w;
    const struct carom_run_file *run;
    const struct carom_model *linkage; /* its coordinates are what the file holds; NULL: it holds those of points */
    const struct carom_model *model;   /* of the file's scene; NULL: not known */
    double *still, *aside;             /* with a linkage: zeros, and what is not asked for */
    const struct carom_run_item **item;
    size_t nitems, width;
    size_t first[KINDS], entry[ENTRIES]; /* columns; SIZE_MAX: it has none */
    struct carom_peak_samples *force;    /* nc */
    struct inside *inside;               /* nc */
    double every;                        /* interval of forces inside impacts; 0: not known */
    struct carom_track_book book;        /* in arrays of the summary */
};

/* Forces inside the impact that is being told, of every other sample: both sums times their interval are the impulse if
 * samples are close enough to tell the largest force. */
struct inside {
    double sum[2];
    double all, apart; /* impulse of all impacts so told; the largest difference of the two */
};

/* --- what is read ------------------------------------------------------------------------------------------------ */

/* a name's items, side by side; first: the column where they begin */
static void choose(struct reading *r, const char *name, size_t *first)
{
    const size_t before = r->nitems, last = 1 + (r->model != NULL ? r->model->nparts : 0), at = r->width;
    for (size_t rank = 0; rank <= last; rank++)
        for (size_t i = 0; i < r->run->nitems; i++)
            if (is_item(&r->run->item[i], name) && rank_of(&r->run->item[i], r->model) == rank) {
                r->item[r->nitems++] = &r->run->item[i];
                r->width += r->run->item[i].width;
            }
    *first = r->nitems > before ? at : SIZE_MAX;
}

static void choose_all(struct reading *r)
{
    const struct carom_run_summary *w = r->w;
    for (size_t i = 0; i < KINDS; i++)
        r->first[i] = SIZE_MAX;
    choose(r, name_of(r->run, "u"), &r->first[U]);
    choose(r, name_of(r->run, "v"), &r->first[V]);
    if (w->turns.n > 0 && r->linkage == NULL)
        choose(r, "rotation", &r->first[TURN]);
    if (w->nc > 0 && width_of(r->run, "contact_force") == w->nc)
        choose(r, "contact_force", &r->first[FORCE]);
    if (w->nc > 0 && width_of(r->run, "contact_dissipated") == w->nc)
        choose(r, "contact_dissipated", &r->first[LOST]);
    for (size_t i = 0; i < ENTRIES; i++)
        choose(r, entries[i], &r->entry[i]);
}

/* An entry of the ledger that the file does not hold is 0 where the scene cannot have it; else nobody knows. */
static double entry_of(const struct reading *r, size_t i, const double *value)
{
    if (r->entry[i] != SIZE_MAX)
        return value[r->entry[i]];
    return r->model != NULL && !carom_probe_fits(carom_probe_find(entries[i]), r->model, NULL) ? 0.0 : nan("");
}

/* --- what is told ------------------------------------------------------------------------------------------------ */

static enum carom_status see_places(struct reading *r, double t, const double *x, struct carom_error *error)
{
    struct carom_run_summary *w = r->w;
    enum carom_status status = CAROM_OK;
    if (r->linkage != NULL)
        carom_points_see(&w->points, r->linkage, x, r->still, w->u_end, r->aside);
    else
        memcpy(w->u_end, x, w->nq * sizeof *x);
    for (size_t i = 0; i < w->nq && status == CAROM_OK; i++)
        status = carom_history_add(&w->u[i], t, w->u_end[i], error);
    return status == CAROM_OK && r->linkage != NULL
               ? carom_turns_note(&w->turns, &w->points, r->linkage, t, x, r->still, error)
               : status;
}

static enum carom_status see_speeds(struct reading *r, double t, const double *x, struct carom_error *error)
{
    struct carom_run_summary *w = r->w;
    enum carom_status status = CAROM_OK;
    if (r->linkage != NULL) /* velocities of bodies do not depend on where they stand */
        carom_points_see(&w->points, r->linkage, r->still, x, r->aside, w->v_end);
    else
        memcpy(w->v_end, x, w->nv * sizeof *x);
    for (size_t i = 0; i < w->nv && status == CAROM_OK; i++)
        status = carom_history_add(&w->v[i], t, w->v_end[i], error);
    return status;
}

static enum carom_status hear_row(void *own, const struct carom_row *row, struct carom_error *error)
{
    struct reading *r = own;
    struct carom_run_summary *w = r->w;
    const double t = row->time;
    enum carom_status status = see_places(r, t, row->value + r->first[U], error);
    if (status == CAROM_OK)
        status = see_speeds(r, t, row->value + r->first[V], error);
    if (status == CAROM_OK && r->first[TURN] != SIZE_MAX)
        status = carom_turns_add(&w->turns, t, row->value + r->first[TURN], error);
    const double *force = r->first[FORCE] != SIZE_MAX ? row->value + r->first[FORCE] : NULL;
    if (force != NULL)
        carom_summary_heard_forces(w, t, force);
    for (size_t j = 0; force != NULL && !w->rigid && j < w->nc; j++)
        carom_peak_force_sample(&r->force[j], t, force[j]);
    if (r->first[LOST] != SIZE_MAX)
        memcpy(w->lost, row->value + r->first[LOST], w->nc * sizeof *w->lost);
    double ledger[ENTRIES];
    for (size_t i = 0; i < ENTRIES; i++)
        ledger[i] = entry_of(r, i, row->value);
    static_assert(sizeof ledger == sizeof w->ledger, "entries");
    memcpy(&w->ledger, ledger, sizeof ledger);
    if (row->index == 0) {
        w->first = t;
        w->energy = w->ledger.kinetic + w->ledger.stored;
    }
    w->last = t;
    return status;
}

static enum carom_status hear_event(void *own, const struct carom_event *event, struct carom_error *error)
{
    const struct reading *r = own;
    (void)error;
    if (event->contact < r->w->nc || r->run->listed)
        carom_summary_heard_event(r->w, event);
    return CAROM_OK;
}

/* forces inside impacts, in an impact's own time */
static enum carom_status hear_force(void *own, const struct carom_blow_force *force, struct carom_error *error)
{
    struct reading *r = own;
    (void)error;
    if (force->contact >= r->w->nc)
        return CAROM_OK;
    if (r->every > 0.0)
        r->inside[force->contact].sum[fmod(round(force->time / r->every), 2.0) > 0.5] += force->force;
    carom_peak_force_told(&r->force[force->contact], force->time, force->force);
    return CAROM_OK;
}

static enum carom_status hear_blow(void *own, const struct carom_blow *blow, struct carom_error *error)
{
    const struct reading *r = own;
    (void)blow, (void)error;
    for (size_t j = 0; j < r->w->nc; j++) {
        struct inside *i = &r->inside[j];
        i->all += r->every * (i->sum[0] + i->sum[1]);
        i->apart = fmax(i->apart, 2.0 * r->every * fabs(i->sum[0] - i->sum[1]));
        i->sum[0] = i->sum[1] = 0.0;
    }
    return CAROM_OK;
}

static enum carom_status hear_episode(void *own, const struct carom_episode *episode, struct carom_error *error)
{
    struct reading *r = own;
    (void)error;
    carom_track_book_add(&r->book, episode);
    if (r->w->nc == 0 && episode->peak_force > r->w->top.peak_force)
        r->w->top = *episode;
    return CAROM_OK;
}

/* --- what is known of contacts ----------------------------------------------------------------------------------- */

/* the peaks of what has been sampled */
static void keep_peaks(struct reading *r)
{
    for (size_t j = 0; j < r->w->nc; j++) {
        carom_peak_force_sampled(&r->force[j]);
        r->w->peak[j] = r->force[j].largest;
        r->w->peak_time[j] = r->force[j].when;
    }
    r->w->forces = true;
}

/* Leaves out what samples inside impacts do not tell. */
static void leave_coarse(struct reading *r)
{
    for (size_t j = 0; j < r->w->nc; j++) {
        const double blown = r->w->contact[j].blown;
        if (!(fabs(r->inside[j].all - blown) <= COARSE * blown && r->inside[j].apart <= COARSE * r->w->blow[j]) &&
            blown > 0.0)
            r->w->peak[j] = r->w->peak_time[j] = nan("");
    }
}

/* Does the book of impacts tell forces? Else samples do; those of rigid contacts are forces that last, no peaks. */
static bool is_booked(const struct carom_run_file *run, const struct carom_run_summary *w)
{
    return !w->rigid && run->complete && run->episodes.there && (w->nc > 0 || run->listed);
}

static void close_contacts(struct reading *r)
{
    struct carom_run_summary *w = r->w;
    const bool sampled = r->first[FORCE] != SIZE_MAX, booked = is_booked(r->run, w);
    w->losses = r->first[LOST] != SIZE_MAX;
    w->impulses = booked ? r->run->episodes.left_out == 0 : sampled && (!w->rigid || w->logged || w->step > 0.0);
    w->traced = w->rigid && r->run->forces > 0;
    w->forces = booked;
    if (w->traced || (sampled && !booked && !w->rigid))
        keep_peaks(r);
    if (w->traced)
        leave_coarse(r);
    for (size_t j = 0; booked && j < w->nc; j++)
        w->contact[j].lasting = w->impulse[j];
    carom_summary_heard_impulses(w);
}

/* Bodies that a scheme has as one mechanism: the file holds its coordinates, and they are compared as bodies. */
static bool is_linkage(const struct carom_scene *scene)
{
    return scene != NULL && scene->model != NULL && carom_linkage_of(scene->model) != NULL;
}

static enum carom_status read_all(const struct carom_run_file *run, const struct carom_scene *scene,
                                  struct carom_run_summary *w, struct carom_error *error)
{
    struct reading r = {.w = w,
                        .run = run,
                        .book = {w->nc, w->peak, w->peak_time, w->impulse, w->met},
                        .linkage = is_linkage(scene) ? scene->model : NULL,
                        .model = scene != NULL ? scene->model : NULL,
                        .every = scene == NULL                        ? 0.0
                                 : scene->schedule.impact_every > 0.0 ? scene->schedule.impact_every
                                                                      : scene->schedule.every};
    const bool booked = is_booked(run, w);
    const size_t wide = r.linkage != NULL ? r.linkage->nq + r.linkage->nv + w->nq : 0;
    if (!carom_memory_together(CAROM_ROOM(r.item, run->nitems), CAROM_ROOM(r.force, w->nc), CAROM_ROOM(r.inside, w->nc),
                               CAROM_ROOM(r.still, wide), CAROM_ROOM(r.aside, wide)))
        return carom_memory_error(error);
    choose_all(&r);
    if (booked)
        r.first[FORCE] = SIZE_MAX; /* the truth, whatever samples have hit */
    for (size_t j = 0; booked && j < w->nc; j++)
        w->peak[j] = w->peak_time[j] = w->impulse[j] = 0.0;
    const struct carom_replay replay = {.run = run, .item = r.item, .nitems = r.nitems};
    const struct carom_sink sink = {.kind = {.name = "summary"},
                                    .row = hear_row,
                                    .event = hear_event,
                                    .force = hear_force,
                                    .blow = hear_blow,
                                    .episode = booked ? hear_episode : NULL};
    enum carom_status status = carom_replay(&replay, &sink, &r, error);
    if (status == CAROM_OK)
        status = carom_run_summary_end(w, error);
    if (status == CAROM_OK)
        close_contacts(&r);
    carom_memory_free(r.item);
    return status;
}

/* The points, by the names that its scene gives them. `nq`: coordinates that the file holds. */
static enum carom_status name_points(const struct carom_run_file *run, const struct carom_scene *scene, size_t nq,
                                     struct carom_points *points, struct carom_error *error)
{
    const bool sensors = strcmp(name_of(run, "u"), "u") != 0;
    const enum carom_status status = carom_points_open(points, scene->model, sensors, error);
    const size_t told = is_linkage(scene) ? scene->model->nq : points->count * points->axes;
    if (status == CAROM_OK && points->axes > 0 && told != nq)
        return carom_error_set(error, CAROM_E_INPUT, "the file holds another %s than its scene says", points->what);
    return status;
}

/* Room for what the file tells, and what the scene in it says: theory, scales, points. A scene of another version may
 * no longer be read, and is NULL then. */
static enum carom_status ask_scene(const struct carom_run_file *run, const struct carom_scene *scene, size_t nq,
                                   size_t nv, struct carom_run_summary *w, struct carom_error *error)
{
    struct carom_points points = {0};
    enum carom_status status = scene != NULL ? name_points(run, scene, nq, &points, error) : CAROM_OK;
    if (is_linkage(scene))
        nq = nv = points.count * points.axes;
    if (status == CAROM_OK)
        status = carom_run_summary_open(w, nq, nv, run->nc, error);
    w->points = points;
    if (scene == NULL || status != CAROM_OK)
        return status;
    if (carom_points_place(&w->points, scene->model, scene->q, scene->v, error) != CAROM_OK)
        return error->status;
    status = carom_turns_open(&w->turns, &w->points, error);
    if (status != CAROM_OK)
        return status;
    if (!is_linkage(scene) && width_of(run, "rotation") != w->turns.n) /* not recorded */
        carom_turns_close(&w->turns);
    w->scales = scene->scales;
    w->unbalanced = run->unbalanced;
    w->blunders = run->blunders;
    w->doubt = run->doubt;
    carom_doubt_name(&w->doubt, scene->model);
    w->tol = run->tol;
    carom_run_summary_model(w, scene->model, scene->q, scene->v);
    w->step = w->rigid ? carom_track_step(scene) : 0.0;
    w->logged = scene->schedule.events;
    return CAROM_OK;
}

enum carom_status carom_summary_from_file(const char *path, char *theory, size_t theory_size, char *title,
                                          size_t title_size, bool *si, struct carom_run_summary *found,
                                          struct carom_error *error)
{
    *found = (struct carom_run_summary){0};
    struct carom_run_file *run = carom_run_file_open(path, error);
    if (run == NULL)
        return error->status;
    const size_t nq = width_of(run, name_of(run, "u")), nv = width_of(run, name_of(run, "v"));
    struct carom_scene *scene;
    enum carom_status status = carom_keep_scene(path, NULL, &scene, error);
    snprintf(theory, theory_size, "%s", scene != NULL ? scene->theory : "?");
    if (status == CAROM_OK && (nq == 0 || nv == 0 || run->rows == 0))
        status = carom_error_set(error, CAROM_E_INPUT, "%s: has no %s to compare; record the probes u and v", path,
                                 run->rows == 0 ? "samples"
                                 : nq == 0      ? "displacements (u)"
                                                : "velocities (v)");
    if (status == CAROM_OK)
        status = ask_scene(run, scene, nq, nv, found, error);
    if (status == CAROM_OK) {
        snprintf(title, title_size, "%s", run->title != NULL ? run->title : "");
        *si = run->units == NULL || strcmp(run->units, "none") != 0;
        if (run->nc > 0)
            memcpy(found->pair, run->pair, run->nc * sizeof *found->pair);
        found->row = run->row;
        found->counts = run->counts;
        snprintf(found->scheme, sizeof found->scheme, "%s", run->scheme != NULL ? run->scheme : "?");
        snprintf(found->options, sizeof found->options, "%llu samples", (unsigned long long)run->rows);
        status = read_all(run, scene, found, error);
    }
    carom_scene_free(scene);
    carom_run_file_close(run);
    return status;
}
