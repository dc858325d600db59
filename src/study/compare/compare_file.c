/* Writes comparisons. Rows are entries; NaN stands where a theory does not say something, and /reasons where an entry
 * did not run. */
#include "study/compare/compare.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/carom.h"
#include "record/hdf5/hdf5_grid.h"
#include "record/hdf5/hdf5_tree.h"

enum { TIMES = 501 };          /* of the motions */
#define MOTION_MOST 20000000.0 /* numbers */

enum carom_status carom_compare_file_may(const char *path, struct carom_error *error)
{
    return carom_hdf5_tree_may_replace(path, "compare", "a comparison", error);
}

struct writer {
    const struct carom_compare *c;
    struct carom_hdf5_file *file;
    enum carom_status status;
    struct carom_error *error;
};

/* An array of `rows`, of `width` numbers each (0: of one, rank 1). */
static void put_rows(struct writer *w, const char *path, const char *unit, size_t rows, size_t width,
                     const double *value)
{
    const struct carom_hdf5_grid grid = {path, w->c->entry[w->c->first].si ? unit : "1", CAROM_HDF5_REAL,
                                         width > 0 ? 2 : 1, (const uint64_t[]){rows, width}};
    carom_hdf5_grid_put(w->file, &grid, value, &w->status, w->error);
}

/* a row for each entry */
static void put(struct writer *w, const char *path, const char *unit, size_t width, const double *value)
{
    put_rows(w, path, unit, w->c->count, width, value);
}

/* The same from one array of each entry; `of` gives it, NULL: the entry does not have it. */
static void put_each(struct writer *w, const char *path, const char *unit, size_t width,
                     const double *(*of)(const struct carom_compare_entry *entry))
{
    double *all = width > 0 ? carom_memory_zeroed(w->c->count * width, sizeof *all) : NULL;
    if (width == 0)
        return;
    if (all == NULL)
        w->status = carom_memory_error(w->error);
    for (size_t i = 0; i < w->c->count && w->status == CAROM_OK; i++) {
        const struct carom_compare_entry *entry = &w->c->entry[i];
        const double *own = entry->error.status == CAROM_OK ? of(entry) : NULL;
        for (size_t k = 0; k < width; k++)
            all[i * width + k] = own != NULL ? own[k] : nan("");
    }
    if (w->status == CAROM_OK)
        put(w, path, unit, width, all);
    carom_memory_free(all);
}

/* Numbers of each entry: `of` gives number k. */
static void put_number(struct writer *w, const char *path, const char *unit,
                       double (*of)(const struct carom_compare_entry *entry, size_t k), size_t k)
{
    double all[CAROM_COMPARE_MOST];
    for (size_t i = 0; i < w->c->count; i++)
        all[i] = w->c->entry[i].error.status == CAROM_OK ? of(&w->c->entry[i], k) : nan("");
    put(w, path, unit, 0, all);
}

/* Lines of text, one for each entry. */
static void put_lines(struct writer *w, const char *path, const char *(*of)(const struct carom_compare_entry *entry))
{
    size_t length = 1;
    for (size_t i = 0; i < w->c->count; i++)
        length += strlen(of(&w->c->entry[i])) + 1;
    char *text = carom_memory_zeroed(length, 1), *end = text;
    if (text == NULL) {
        w->status = carom_memory_error(w->error);
        return;
    }
    for (size_t i = 0; i < w->c->count; i++) {
        if (i > 0)
            *end++ = '\n';
        for (const char *c = of(&w->c->entry[i]); *c != '\0'; c++)
            *end++ = *c == '\n' ? ' ' : *c;
    }
    carom_hdf5_tree_text(w->file, path, text);
    carom_memory_free(text);
}

/* --- what entries have ------------------------------------------------------------------------------------------- */

#define TEXT_OF(name, what)                                          \
    static const char *name(const struct carom_compare_entry *entry) \
    {                                                                \
        return what;                                                 \
    }
TEXT_OF(label_of, entry->label)
TEXT_OF(theory_of, entry->name)
TEXT_OF(path_of, entry->path)
TEXT_OF(scheme_of, entry->found.scheme)
TEXT_OF(contacts_of, entry->found.contacts)
TEXT_OF(options_of, entry->found.options)
TEXT_OF(dropped_of, entry->dropped)
TEXT_OF(reason_of, entry->error.status == CAROM_OK ? "" : entry->error.text)

#define ARRAY_OF(name, what)                                           \
    static const double *name(const struct carom_compare_entry *entry) \
    {                                                                  \
        return what;                                                   \
    }
ARRAY_OF(u_end_of, entry->found.u_end)
ARRAY_OF(v_end_of, entry->found.v_end)
ARRAY_OF(arrival_of, entry->arrival)
ARRAY_OF(peak_of, entry->found.forces ? entry->found.peak : NULL)
ARRAY_OF(peak_time_of, entry->found.forces ? entry->found.peak_time : NULL)
ARRAY_OF(impulse_of, entry->found.impulses ? entry->found.impulse : NULL)
ARRAY_OF(blow_of, entry->found.rigid ? entry->found.blow : NULL)
ARRAY_OF(lost_of, entry->found.losses ? entry->found.lost : NULL)
ARRAY_OF(e_of, entry->found.e)

#define LEDGER_VALUE(field, name, text, path, label) l->field,
static double ledger_of(const struct carom_compare_entry *entry, size_t k)
{
    const struct carom_ledger *l = &entry->found.ledger;
    const double all[] = {entry->found.energy, CAROM_LEDGER(LEDGER_VALUE)};
    return all[k];
}

static double cost_of(const struct carom_compare_entry *entry, size_t k)
{
    const struct carom_counts *c = &entry->found.counts;
    const double all[] = {entry->found.seconds,   (double)c->steps,      (double)c->rejected,
                          (double)c->evaluations, (double)c->iterations, (double)entry->found.impacts};
    return all[k];
}

/* --- parts of the file ------------------------------------------------------------------------------------------- */

static void put_texts(struct writer *w)
{
    carom_hdf5_tree_text(w->file, "parameters/study", "compare");
    carom_hdf5_tree_text(w->file, "parameters/version", CAROM_VERSION);
    carom_hdf5_tree_text(w->file, "parameters/title", w->c->entry[w->c->first].title);
    carom_hdf5_tree_text(w->file, "parameters/scene", w->c->nbases > 0 ? w->c->bases[0]->text : "");
    carom_hdf5_tree_text(w->file, "parameters/set", w->c->nbases > 0 ? w->c->bases[0]->set : "");
    put_lines(w, "entries/label", label_of);
    put_lines(w, "entries/theory", theory_of);
    put_lines(w, "entries/file", path_of);
    put_lines(w, "entries/scheme", scheme_of);
    put_lines(w, "entries/contacts", contacts_of);
    put_lines(w, "entries/options", options_of);
    put_lines(w, "entries/dropped", dropped_of);
    put_lines(w, "reasons", reason_of);
    char text[CAROM_COMPARE_TEXT];
    carom_hdf5_tree_text(w->file, "remarks", carom_compare_laws(w->c, text) ? text : "");
}

/* The coordinates of a machine, a line each, up to what explains their sign: "coordinate angle of the crank". */
static void put_coordinates(struct writer *w, const struct carom_machine *machine)
{
    char text[4096] = "";
    for (size_t i = 0; machine->coordinates[i] != NULL; i++) {
        const size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%scoordinate %.*s", i > 0 ? "\n" : "",
                 (int)strcspn(machine->coordinates[i], ","), machine->coordinates[i]);
    }
    carom_hdf5_tree_text(w->file, "bodies/points", text);
}

/* Point i as the scene calls it, or by what it is: bodies, and balls beside solids, may have names. */
static const char *point_name(const struct writer *w, size_t i)
{
    const struct carom_compare_entry *first = &w->c->entry[w->c->first];
    const struct carom_points *points = &first->found.points;
    const bool may = strcmp(points->what, "body") == 0 || i < points->balls;
    for (size_t k = 0; first->base != NULL && may && k < first->base->nnamed; k++)
        if (first->base->named[k].first == i && first->base->named[k].count == 1)
            return first->base->named[k].name;
    return points->name[i];
}

/* What the columns of motions are, a line each: "sensor tip x", "cell 12 y"; where discs and spheres stand. */
static void put_points(struct writer *w)
{
    const struct carom_points *points = &w->c->entry[w->c->first].found.points;
    const size_t count = points->count * points->axes, size = count * (sizeof *points->name + 16) + 1;
    char *text = count > 0 ? carom_memory_zeroed(size, 1) : NULL, *end = text;
    if (points->machine != NULL)
        put_coordinates(w, points->machine);
    if (count == 0)
        return;
    if (text == NULL) {
        w->status = carom_memory_error(w->error);
        return;
    }
    for (size_t i = 0; i < count; i++)
        end += snprintf(end, size - (size_t)(end - text), "%s%s %.31s %s", i > 0 ? "\n" : "", points->what,
                        point_name(w, i / points->axes), carom_points_axis(points, i));
    carom_hdf5_tree_text(w->file, "bodies/points", text);
    carom_memory_free(text);
    if (points->place == NULL)
        return;
    put_rows(w, "bodies/place", "m", points->count, sizeof *points->place / sizeof **points->place, *points->place);
    if (points->ncorners > 0)
        put_rows(w, "bodies/corner", "m", points->ncorners, sizeof *points->corner / sizeof **points->corner,
                 *points->corner);
}

static void put_status(struct writer *w)
{
    int32_t status[CAROM_COMPARE_MOST];
    const uint64_t size[] = {w->c->count};
    const struct carom_hdf5_grid grid = {"status", "1", CAROM_HDF5_NUMBER, 1, size};
    for (size_t i = 0; i < w->c->count; i++)
        status[i] = (int32_t)w->c->entry[i].error.status;
    carom_hdf5_grid_put(w->file, &grid, status, &w->status, w->error);
}

static void put_results(struct writer *w)
{
    const struct carom_run_summary *first = &w->c->entry[w->c->first].found;
    size_t nc = first->nc;
    for (size_t i = 0; i < w->c->count; i++) /* contacts are numbered alike, or not shown */
        if (w->c->entry[i].error.status == CAROM_OK && w->c->entry[i].found.nc != nc)
            nc = 0;
    put_each(w, "bodies/displacement", "m", first->nq, u_end_of);
    put_each(w, "bodies/velocity", "m/s", first->nv, v_end_of);
    put_each(w, "bodies/arrival", "s", first->nv, arrival_of);
    put_each(w, "contacts/peak_force", "N", nc, peak_of);
    put_each(w, "contacts/peak_time", "s", nc, peak_time_of);
    put_each(w, "contacts/impulse", "N s", nc, impulse_of);
    put_each(w, "contacts/largest_impulse", "N s", nc, blow_of);
    put_each(w, "contacts/dissipated", "J", nc, lost_of);
    put_each(w, "contacts/restitution", "1", nc, e_of);
#define LEDGER_PATH(field, name, text, path, label) "energy/" path,
    static const char *const energy[] = {"energy/start", CAROM_LEDGER(LEDGER_PATH)};
    for (size_t k = 0; k < sizeof energy / sizeof *energy; k++)
        put_number(w, energy[k], "J", ledger_of, k);
    static const char *const cost[] = {"cost/seconds",     "cost/steps",      "cost/rejected",
                                       "cost/evaluations", "cost/iterations", "cost/impacts"};
    for (size_t k = 0; k < sizeof cost / sizeof *cost; k++)
        put_number(w, cost[k], k == 0 ? "s" : "1", cost_of, k);
}

static void put_distances(struct writer *w)
{
    static const char *const name[] = {"sup", "l1", "hausdorff"};
    const size_t n = w->c->count;
    double *all = carom_memory_zeroed(n * n, sizeof *all);
    if (all == NULL) {
        w->status = carom_memory_error(w->error);
        return;
    }
    for (size_t k = 0; k < CAROM_COMPARE_NORMS; k++)
        for (int speed = 0; speed < 2; speed++) {
            char path[64];
            for (size_t i = 0; i < n * n; i++) {
                const bool ran =
                    w->c->entry[i / n].error.status == CAROM_OK && w->c->entry[i % n].error.status == CAROM_OK;
                all[i] = ran ? (speed ? w->c->distance[i].v : w->c->distance[i].u)[k] : nan("");
            }
            snprintf(path, sizeof path, "differences/%s_%s", speed ? "v" : "u", name[k]);
            put(w, path, k == CAROM_COMPARE_L1 ? (speed ? "m" : "m s") : speed ? "m/s" : "m", n, all);
        }
    carom_memory_free(all);
    if (w->c->entry[w->c->first].found.nv > 0)
        put(w, "differences/velocity", "m/s", w->c->entry[w->c->first].found.nv, w->c->apart);
}

/* The times that all have. */
static void common(const struct carom_compare *c, double *first, double *last)
{
    *first = -HUGE_VAL;
    *last = HUGE_VAL;
    for (size_t i = 0; i < c->count; i++)
        if (c->entry[i].error.status == CAROM_OK) {
            *first = fmax(*first, c->entry[i].found.first);
            *last = fmin(*last, c->entry[i].found.last);
        }
}

/* What there is of motions, as the file calls it. */
struct motion {
    const char *path, *unit;
    size_t width;
    struct carom_history *(*of)(const struct carom_run_summary *found);
};

static struct carom_history *u_of(const struct carom_run_summary *found)
{
    return found->u;
}

static struct carom_history *v_of(const struct carom_run_summary *found)
{
    return found->v;
}

static struct carom_history *turn_of(const struct carom_run_summary *found)
{
    return found->turns.history;
}

static void put_motion(struct writer *w, const struct motion *motion, const double *time, double *row)
{
    const struct carom_compare *c = w->c;
    const size_t width = motion->width;
    const uint64_t size[] = {c->count, TIMES, width};
    const struct carom_hdf5_grid grid = {motion->path, c->entry[c->first].si ? motion->unit : "1", CAROM_HDF5_REAL, 3,
                                         size};
    carom_hdf5_grid_define(w->file, &grid);
    for (size_t i = 0; i < c->count && w->status == CAROM_OK; i++) {
        const struct carom_history *history = motion->of(&c->entry[i].found);
        for (size_t t = 0; t < TIMES && w->status == CAROM_OK && c->entry[i].error.status == CAROM_OK; t++) {
            for (size_t k = 0; k < width; k++)
                row[k] = carom_history_at(&history[k], time[t]);
            w->status = carom_hdf5_grid_write(w->file, &grid, (i * TIMES + t) * width, width, row, w->error);
        }
    }
}

/* do all entries tell how bodies turn? Run files do not */
static bool all_turn(const struct carom_compare *c)
{
    bool all = true;
    for (size_t i = 0; i < c->count; i++)
        if (c->entry[i].error.status == CAROM_OK)
            all = all && c->entry[i].found.turns.n == c->entry[c->first].found.turns.n;
    return all && c->entry[c->first].found.turns.n > 0;
}

/* Motions at common times, left out where they would be too large. */
static void put_motions(struct writer *w)
{
    const struct carom_run_summary *one = &w->c->entry[w->c->first].found;
    const size_t turns = all_turn(w->c) ? one->turns.n : 0, width = one->nq + one->nv + turns; /* more than enough */
    double first, last, time[TIMES];
    common(w->c, &first, &last);
    if (!(first <= last) || width == 0 ||
        (double)(w->c->count * (one->nq > one->nv ? one->nq : one->nv)) * TIMES > MOTION_MOST)
        return;
    for (size_t t = 0; t < TIMES; t++)
        time[t] = t + 1 < TIMES ? first + (last - first) * (double)t / (TIMES - 1) : last;
    put_rows(w, "motions/time", "s", TIMES, 0, time);
    double *row = carom_memory_zeroed(width, sizeof *row);
    if (row == NULL)
        w->status = carom_memory_error(w->error);
    const struct motion motions[] = {{"motions/displacement", "m", one->nq, u_of},
                                     {"motions/velocity", "m/s", one->nv, v_of},
                                     {"motions/rotation", "1", turns, turn_of}};
    for (size_t k = 0; row != NULL && k < (turns > 0 ? 3 : 2); k++)
        put_motion(w, &motions[k], time, row);
    carom_memory_free(row);
}

enum carom_status carom_compare_file_write(const struct carom_compare *compare, const char *path,
                                           struct carom_error *error)
{
    if (carom_compare_file_may(path, error) != CAROM_OK)
        return error->status;
    struct writer w = {.c = compare, .error = error, .file = carom_hdf5_file_create(path, error)};
    if (w.file == NULL)
        return error->status;
    put_texts(&w);
    put_points(&w);
    put_status(&w);
    put_results(&w);
    put_distances(&w);
    put_motions(&w);
    if (w.status == CAROM_OK)
        return carom_hdf5_file_adopt(w.file, error);
    carom_hdf5_file_close(w.file, NULL);
    return w.status;
}
