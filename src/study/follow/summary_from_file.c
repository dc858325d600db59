/* Reads run files into witnesses. Nothing is run; forces, impulses and losses are those of the book of impacts or, in
 * files without one, of the samples and events that were recorded. */
#include "study/follow/run_summary.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/bodies/linkage.h"
#include "model/peak_force.h"
#include "model/solid/strike/solid_balls.h"
#include "record/probe.h"
#include "record/run_file.h"
#include "scene/keep.h"
#include "sim/doubt.h"

/* Rows of all items of one kind, side by side, handed over in pieces. */
struct rows {
    const struct carom_run_file *run;
    const struct carom_model *model; /* whose parts items are; NULL: not known */
    double *time, *value;            /* PIECE times; PIECE x width */
    size_t width;
};

enum { PIECE = 256 };

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

/* Reads one item into its columns of the rows, from column *at on, which goes on to the next. */
static enum carom_status read_item(struct rows *rows, const struct carom_run_item *item, uint64_t first, uint64_t count,
                                   size_t *at, double *own, struct carom_error *error)
{
    const enum carom_status status = carom_run_file_read(rows->run, item, first, count, own, error);
    for (uint64_t k = 0; k < count && status == CAROM_OK; k++)
        memcpy(rows->value + k * rows->width + *at, own + k * item->width, item->width * sizeof *own);
    *at += item->width;
    return status;
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

static enum carom_status read_parts(struct rows *rows, const char *name, uint64_t first, uint64_t count, double *own,
                                    struct carom_error *error)
{
    const size_t last = 1 + (rows->model != NULL ? rows->model->nparts : 0);
    enum carom_status status = CAROM_OK;
    size_t at = 0;
    for (size_t rank = 0; rank <= last; rank++)
        for (size_t i = 0; i < rows->run->nitems && status == CAROM_OK; i++)
            if (is_item(&rows->run->item[i], name) && rank_of(&rows->run->item[i], rows->model) == rank)
                status = read_item(rows, &rows->run->item[i], first, count, &at, own, error);
    return status;
}

static enum carom_status read_piece(struct rows *rows, const char *name, uint64_t first, uint64_t count,
                                    struct carom_error *error)
{
    enum carom_status status = carom_run_file_times(rows->run, first, count, rows->time, error);
    double *own = carom_memory_zeroed(PIECE * rows->width, sizeof *own);
    if (own == NULL)
        return carom_memory_error(error);
    if (status == CAROM_OK)
        status = read_parts(rows, name, first, count, own, error);
    carom_memory_free(own);
    return status;
}

struct reading {
    struct carom_run_summary *w;
    const struct carom_model *linkage; /* its coordinates are what the file holds; NULL: it holds those of points */
    const struct carom_model *model;   /* of the file's scene; NULL: not known */
    double *still, *aside;             /* with a linkage: zeros, and what is not asked for */
    double time;                       /* of the last sample of contact_force */
    struct carom_peak_samples *force;  /* nc */
};

/* Calls `see` with every row. */
static enum carom_status each_row(const struct carom_run_file *run, const char *name, struct reading *found,
                                  enum carom_status (*see)(struct reading *found, uint64_t row, double time,
                                                           const double *value, struct carom_error *error),
                                  struct carom_error *error)
{
    struct rows rows = {.run = run, .model = found->model, .width = width_of(run, name)};
    rows.time = carom_memory_zeroed(PIECE, sizeof(double));
    rows.value = carom_memory_zeroed(PIECE * rows.width, sizeof(double));
    enum carom_status status = rows.time != NULL && rows.value != NULL ? CAROM_OK : carom_memory_error(error);
    for (uint64_t first = 0; first < run->rows && status == CAROM_OK; first += PIECE) {
        const uint64_t count = run->rows - first < PIECE ? run->rows - first : PIECE;
        status = read_piece(&rows, name, first, count, error);
        for (uint64_t k = 0; k < count && status == CAROM_OK; k++)
            status = see(found, first + k, rows.time[k], rows.value + k * rows.width, error);
    }
    carom_memory_free_all(rows.time, rows.value);
    return status;
}

static enum carom_status see_u(struct reading *r, uint64_t row, double t, const double *x, struct carom_error *error)
{
    struct carom_run_summary *w = r->w;
    enum carom_status status = CAROM_OK;
    w->first = row == 0 ? t : w->first;
    w->last = t;
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

static enum carom_status see_turn(struct reading *r, uint64_t row, double t, const double *x, struct carom_error *error)
{
    (void)row;
    return carom_turns_add(&r->w->turns, t, x, error);
}

static enum carom_status see_v(struct reading *r, uint64_t row, double t, const double *x, struct carom_error *error)
{
    struct carom_run_summary *w = r->w;
    enum carom_status status = CAROM_OK;
    (void)row;
    if (r->linkage != NULL) /* velocities of bodies do not depend on where they stand */
        carom_points_see(&w->points, r->linkage, r->still, x, r->aside, w->v_end);
    else
        memcpy(w->v_end, x, w->nv * sizeof *x);
    for (size_t i = 0; i < w->nv && status == CAROM_OK; i++)
        status = carom_history_add(&w->v[i], t, w->v_end[i], error);
    return status;
}

/* impulses by the trapezoidal rule */
static enum carom_status see_force(struct reading *r, uint64_t row, double t, const double *x,
                                   struct carom_error *error)
{
    struct carom_run_summary *w = r->w;
    (void)error;
    for (size_t j = 0; j < w->nc; j++) {
        const size_t count = r->force[j].count;
        w->impulse[j] = row == 0 ? 0.0 : w->impulse[j] + 0.5 * (t - r->time) * (x[j] + r->force[j].force[count - 1]);
        carom_peak_force_sample(&r->force[j], t, x[j]);
    }
    r->time = t;
    return CAROM_OK;
}

static enum carom_status see_lost(struct reading *r, uint64_t row, double t, const double *x, struct carom_error *error)
{
    (void)row, (void)t, (void)error;
    memcpy(r->w->lost, x, r->w->nc * sizeof *x);
    return CAROM_OK;
}

static enum carom_status last_of(const struct carom_run_file *run, const char *path, uint64_t row, double *value,
                                 struct carom_error *error)
{
    const struct carom_run_item *item = carom_run_file_item(run, path);
    *value = nan("");
    return item != NULL && item->width == 1 ? carom_run_file_read(run, item, row, 1, value, error) : CAROM_OK;
}

static enum carom_status read_ledger(const struct carom_run_file *run, struct carom_run_summary *w,
                                     struct carom_error *error)
{
    struct carom_ledger *l = &w->ledger;
    const uint64_t last = run->rows - 1;
    double kinetic = 0.0, stored = 0.0;
    const struct {
        const char *path;
        double *to;
    } wanted[] = {
        {"observables/ledger/kinetic", &l->kinetic},           {"observables/ledger/stored", &l->stored},
        {"observables/ledger/dissipated", &l->dissipated},     {"observables/ledger/work", &l->work},
        {"observables/ledger/residual", &l->residual},         {"observables/ledger/mechanism/viscous", &l->viscous},
        {"observables/ledger/mechanism/clipped", &l->clipped}, {"observables/ledger/mechanism/internal", &l->internal},
        {"observables/ledger/mechanism/impact", &l->impact}};
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && status == CAROM_OK; i++)
        status = last_of(run, wanted[i].path, last, wanted[i].to, error);
    if (status == CAROM_OK)
        status = last_of(run, wanted[0].path, 0, &kinetic, error);
    if (status == CAROM_OK)
        status = last_of(run, wanted[1].path, 0, &stored, error);
    w->energy = kinetic + stored;
    return status;
}

static enum carom_status read_events(const struct carom_run_file *run, struct carom_run_summary *w,
                                     struct carom_error *error)
{
    struct carom_event event[PIECE];
    enum carom_status status = CAROM_OK;
    for (uint64_t first = 0; first < run->events && status == CAROM_OK; first += PIECE) {
        const uint64_t count = run->events - first < PIECE ? run->events - first : PIECE;
        status = carom_run_file_events(run, first, count, event, error);
        for (uint64_t k = 0; k < count && status == CAROM_OK; k++) {
            const uint64_t j = event[k].contact;
            if (event[k].kind != CAROM_EVENT_IMPACT || (j >= w->nc && !run->listed))
                continue;
            carom_run_summary_struck(w, &event[k]);
            if (run->listed)
                continue;
            w->impulse[j] = (isnan(w->impulse[j]) ? 0.0 : w->impulse[j]) + event[k].impulse;
            w->blow[j] = isnan(w->blow[j]) ? event[k].impulse : fmax(w->blow[j], event[k].impulse);
        }
    }
    return status;
}

/* the peaks of what has been sampled so far */
static void keep_peaks(struct reading *r)
{
    for (size_t j = 0; j < r->w->nc; j++) {
        carom_peak_force_sampled(&r->force[j]);
        r->w->peak[j] = r->force[j].largest;
        r->w->peak_time[j] = r->force[j].when;
        r->force[j] = (struct carom_peak_samples){0};
    }
    r->w->forces = true;
}

struct booked {
    struct carom_run_summary *w;
    bool listed;
};

static void see_episode(void *own, const struct carom_episode *row)
{
    const struct booked *b = own;
    struct carom_run_summary *w = b->w;
    const size_t j = (size_t)row->contact;
    if (b->listed && row->peak_force > w->top.peak_force)
        w->top = *row;
    if (row->contact >= w->nc)
        return;
    w->impulse[j] += row->impulse;
    if (row->impulse > 0.0)
        w->met[j] = fmin(w->met[j], row->closed);
    if (row->peak_force > w->peak[j]) {
        w->peak[j] = row->peak_force;
        w->peak_time[j] = row->peak_time;
    }
}

/* what the book of impacts says of contacts that give way: the truth, whatever samples have hit */
static enum carom_status read_book(const struct carom_run_file *run, struct carom_run_summary *w,
                                   struct carom_error *error)
{
    struct booked booked = {w, run->listed};
    for (size_t j = 0; j < w->nc; j++)
        w->peak[j] = w->peak_time[j] = w->impulse[j] = 0.0;
    w->forces = true;
    w->impulses = run->episodes.left_out == 0;
    return carom_run_episodes_each(&run->episodes, run->file, see_episode, &booked, error);
}

/* forces inside impacts, in an impact's own time */
static enum carom_status read_forces(const struct carom_run_file *run, struct reading *r, struct carom_error *error)
{
    struct carom_blow_force force[PIECE];
    enum carom_status status = CAROM_OK;
    for (uint64_t first = 0; first < run->forces && status == CAROM_OK; first += PIECE) {
        const uint64_t count = run->forces - first < PIECE ? run->forces - first : PIECE;
        status = carom_run_file_forces(run, first, count, force, error);
        for (uint64_t k = 0; k < count && status == CAROM_OK; k++)
            if (force[k].contact < r->w->nc)
                carom_peak_force_told(&r->force[force[k].contact], force[k].time, force[k].force);
    }
    r->w->traced = status == CAROM_OK;
    if (r->w->traced)
        keep_peaks(r);
    return status;
}

/* What the file says of contacts; forces of rigid ones are those that last, and no peaks. */
static enum carom_status read_contacts(const struct carom_run_file *run, struct reading *r, struct carom_error *error)
{
    struct carom_run_summary *w = r->w;
    enum carom_status status = CAROM_OK;
    if (width_of(run, "contact_force") == w->nc && w->nc > 0) {
        status = each_row(run, "contact_force", r, see_force, error);
        w->impulses = true;
        keep_peaks(r);
    }
    if (status == CAROM_OK && width_of(run, "contact_dissipated") == w->nc && w->nc > 0) {
        status = each_row(run, "contact_dissipated", r, see_lost, error);
        w->losses = true;
    }
    if (status == CAROM_OK && !w->rigid && run->complete && run->episodes.there && (w->nc > 0 || run->listed))
        status = read_book(run, w, error);
    if (status == CAROM_OK)
        status = read_events(run, w, error);
    if (!w->rigid)
        return status;
    w->forces = false;
    w->impulses = w->impulses && w->impacts > 0;
    for (size_t j = 0; j < w->nc; j++)
        w->peak[j] = w->peak_time[j] = nan("");
    return status == CAROM_OK && run->forces > 0 ? read_forces(run, r, error) : status;
}

/* Bodies that a scheme has as one mechanism: the file holds its coordinates, and they are compared as bodies. */
static bool is_linkage(const struct carom_scene *scene)
{
    return scene != NULL && scene->model != NULL && carom_linkage_of(scene->model) != NULL;
}

static enum carom_status read_all(const struct carom_run_file *run, const struct carom_scene *scene,
                                  struct carom_run_summary *w, struct carom_error *error)
{
    struct reading r = {
        .w = w, .linkage = is_linkage(scene) ? scene->model : NULL, .model = scene != NULL ? scene->model : NULL};
    const size_t wide = r.linkage != NULL ? r.linkage->nq + r.linkage->nv + w->nq : 0;
    enum carom_status status =
        carom_memory_together(CAROM_ROOM(r.force, w->nc), CAROM_ROOM(r.still, wide), CAROM_ROOM(r.aside, wide))
            ? each_row(run, name_of(run, "u"), &r, see_u, error)
            : carom_memory_error(error);
    if (status == CAROM_OK)
        status = each_row(run, name_of(run, "v"), &r, see_v, error);
    if (status == CAROM_OK && w->turns.n > 0 && r.linkage == NULL)
        status = each_row(run, "rotation", &r, see_turn, error);
    if (status == CAROM_OK)
        status = carom_turns_end(&w->turns, error);
    if (status == CAROM_OK)
        status = read_contacts(run, &r, error);
    carom_memory_free(r.force);
    for (size_t i = 0; i < w->nq && status == CAROM_OK; i++)
        status = carom_history_end(&w->u[i], error);
    for (size_t i = 0; i < w->nv && status == CAROM_OK; i++)
        status = carom_history_end(&w->v[i], error);
    return status == CAROM_OK ? read_ledger(run, w, error) : status;
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
    w->rigid = w->nc > 0 && !(scene->model->offers & CAROM_COMPLIANT);
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
