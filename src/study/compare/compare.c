/* Plans a comparison, runs its entries side by side and measures how far apart they are. Every entry is run by one
 * thread and distances are taken pair by pair, so that no bit depends on the number of threads. */
#include "study/compare/compare.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/threads.h"
#include "record/run_file.h"
#include "study/follow/run_summary.h"
#include "study/variant.h"

/* --- plan -------------------------------------------------------------------------------------------------------- */

void carom_compare_free(struct carom_compare *compare)
{
    for (size_t i = 0; compare->entry != NULL && i < compare->count; i++) {
        carom_run_summary_free(&compare->entry[i].found);
        carom_memory_free(compare->entry[i].arrival);
    }
    for (size_t i = 0; i < compare->nbases; i++)
        carom_scene_free(compare->bases[i]);
    carom_memory_free_all(compare->entry, compare->distance, compare->apart);
    *compare = (struct carom_compare){0};
}

/* The theory's label, or the scene's own theory; of several files with the file's name before it. */
static void label(struct carom_compare_entry *entry, bool several)
{
    const char *own = entry->theory.label;
    const bool scheme_only = entry->base != NULL && entry->theory.theory == NULL;
    char word[80];
    if (scheme_only)
        snprintf(word, sizeof word, "%s%s%.60s", entry->base->theory, own[0] != '\0' ? ":" : "", own);
    else
        snprintf(word, sizeof word, "%.79s", own);
    if (entry->file)
        snprintf(entry->label, sizeof entry->label, "%.90s", carom_file_name(entry->path, NULL));
    else if (several)
        snprintf(entry->label, sizeof entry->label, "%.40s %.50s", carom_file_name(entry->path, NULL), word);
    else
        snprintf(entry->label, sizeof entry->label, "%.90s", word);
}

static void plan_one(struct carom_compare *compare, const char *path, const struct carom_scene *base,
                     const struct carom_theory *theory, bool several)
{
    struct carom_compare_entry *entry = &compare->entry[compare->count++];
    *entry = (struct carom_compare_entry){.path = path, .base = base, .file = base == NULL};
    if (theory != NULL)
        entry->theory = *theory;
    if (base != NULL) {
        const char *under = entry->theory.theory != NULL ? entry->theory.theory : base->theory;
        snprintf(entry->name, sizeof entry->name, "%s", under);
        snprintf(entry->title, sizeof entry->title, "%.95s", base->title != NULL ? base->title : "");
        entry->si = base->si;
    }
    label(entry, several);
    for (size_t i = 0; i + 1 < compare->count; i++) /* two files of one name in two folders */
        if (strcmp(compare->entry[i].label, entry->label) == 0)
            snprintf(entry->label, sizeof entry->label, "%zu:%.70s", compare->count, carom_file_name(path, NULL));
}

enum carom_status carom_compare_plan(struct carom_compare *compare, const char *const *path, size_t npaths,
                                     const struct carom_theory *theory, size_t ntheories, const char *const *set,
                                     size_t nset, struct carom_error *error)
{
    const size_t each = ntheories > 0 ? ntheories : 1;
    *compare = (struct carom_compare){0};
    if (npaths * each > CAROM_COMPARE_MOST)
        return carom_error_set(error, CAROM_E_USAGE, "more than %d runs to compare", CAROM_COMPARE_MOST);
    compare->entry = carom_memory_zeroed(npaths * each, sizeof *compare->entry);
    if (compare->entry == NULL)
        return carom_memory_error(error);
    for (size_t i = 0; i < npaths; i++) {
        struct carom_scene *scene = NULL;
        if (ntheories > 0 || !carom_run_file_looks(path[i])) {
            scene = carom_scene_read(path[i], set, nset, error);
            if (scene == NULL)
                return error->status;
            compare->bases[compare->nbases++] = scene;
        } else if (nset > 0) {
            return carom_error_set(error, CAROM_E_USAGE,
                                   "--set changes scenes, but %s is a run file that is read as it is", path[i]);
        }
        for (size_t k = 0; k < each; k++)
            plan_one(compare, path[i], scene, ntheories > 0 ? &theory[k] : NULL, npaths > 1);
    }
    return CAROM_OK;
}

/* --- run --------------------------------------------------------------------------------------------------------- */

struct work {
    struct carom_compare *compare;
    const struct carom_progress *progress;
    bool timed;
    atomic_bool stop;
    atomic_flag lock;
    double done[CAROM_COMPARE_MOST]; /* behind the lock */
};

struct share {
    struct work *work;
    size_t entry;
};

static bool tell(void *own, double done)
{
    const struct share *share = own;
    struct work *w = share->work;
    if (!atomic_flag_test_and_set(&w->lock)) {
        double sum = 0.0;
        w->done[share->entry] = done;
        for (size_t i = 0; i < w->compare->count; i++)
            sum += w->done[i];
        if (!carom_progress_go_on(w->progress, sum / (double)w->compare->count))
            atomic_store(&w->stop, true);
        atomic_flag_clear(&w->lock);
    }
    return !atomic_load(&w->stop);
}

static enum carom_status run_scene(struct work *w, struct carom_compare_entry *entry,
                                   const struct carom_progress *progress)
{
    struct carom_scene *scene = carom_theories_scene(&entry->theory, entry->base, entry->path, entry->dropped,
                                                     sizeof entry->dropped, &entry->error);
    struct carom_scene *again = NULL;
    if (scene != NULL && w->timed)
        again = carom_variant_of(scene, entry->path, NULL, 0, &entry->error);
    if (scene == NULL || (w->timed && again == NULL)) {
        carom_scene_free(scene);
        return entry->error.status;
    }
    const enum carom_status status = carom_run_summary_run(&entry->found, scene, again, progress, &entry->error);
    carom_scene_free(again);
    carom_scene_free(scene);
    return status;
}

static void run_one(void *own, size_t i)
{
    struct work *w = own;
    struct carom_compare_entry *entry = &w->compare->entry[i];
    struct share share = {w, i};
    const struct carom_progress progress = {tell, &share};
    if (entry->file)
        return;
    if (atomic_load(&w->stop)) {
        carom_error_set(&entry->error, CAROM_E_STOPPED, "stopped");
        return;
    }
    if (run_scene(w, entry, &progress) != CAROM_OK)
        carom_run_summary_free(&entry->found);
    tell(&share, 1.0);
}

/* HDF5 is asked by one thread only. */
static void read_files(struct carom_compare *compare)
{
    for (size_t i = 0; i < compare->count; i++) {
        struct carom_compare_entry *entry = &compare->entry[i];
        if (entry->file &&
            carom_summary_from_file(entry->path, entry->name, sizeof entry->name, entry->title, sizeof entry->title,
                                    &entry->si, &entry->found, &entry->error) != CAROM_OK)
            carom_run_summary_free(&entry->found);
    }
}

/* --- differences ------------------------------------------------------------------------------------------------- */

static bool ran(const struct carom_compare *compare, size_t i)
{
    return compare->entry[i].error.status == CAROM_OK;
}

static double larger(double a, double b)
{
    return isnan(b) || b > a ? b : a; /* what is not known of one body is not known of all */
}

static void distance(const struct carom_compare *c, const struct carom_history *a, const struct carom_history *b,
                     double scale, double *norm)
{
    const struct carom_graph f = carom_history_graph(a), g = carom_history_graph(b);
    norm[CAROM_COMPARE_SUP] = larger(norm[CAROM_COMPARE_SUP], carom_history_sup(a, b));
    norm[CAROM_COMPARE_L1] = larger(norm[CAROM_COMPARE_L1], carom_norms_lp(&f, &g, 1.0));
    norm[CAROM_COMPARE_HAUSDORFF] =
        larger(norm[CAROM_COMPARE_HAUSDORFF], carom_norms_hausdorff(&f, &g, scale / c->time_scale, 1e-3));
}

/* pair number k of all ordered pairs, of which the upper half is worked out */
static void measure(void *own, size_t k)
{
    struct work *w = own;
    struct carom_compare *c = w->compare;
    const size_t i = k / c->count, j = k % c->count;
    struct carom_compare_distance *to = &c->distance[k];
    if (i >= j || !ran(c, i) || !ran(c, j) || atomic_load(&w->stop))
        return;
    const struct carom_run_summary *a = &c->entry[i].found, *b = &c->entry[j].found;
    for (size_t n = 0; n < a->nq; n++)
        distance(c, &a->u[n], &b->u[n], c->scales.length, to->u);
    for (size_t n = 0; n < a->nv; n++) {
        distance(c, &a->v[n], &b->v[n], c->scales.speed, to->v);
        if (i == c->first)
            c->apart[j * a->nv + n] = carom_history_sup(&a->v[n], &b->v[n]);
    }
    c->distance[j * c->count + i] = *to;
}

/* When something reaches a body: its velocity changes by 1 % of V. In a row that begins with its first contact, as
 * strings, springs and weights change velocities too; rigid contacts say themselves when they strike. `met`: that. */
static double arrival(const struct carom_compare *c, const struct carom_run_summary *w, size_t n, double met)
{
    if (w->rigid && !isnan(met))
        return met;
    return carom_history_reach(&w->v[n], isnan(met) ? w->first : met, CAROM_COMPARE_ARRIVAL * c->scales.speed);
}

/* the first contacts of bodies of a row */
static void find_met(const struct carom_run_summary *w, double *met)
{
    for (size_t n = 0; n < w->nv; n++)
        met[n] = nan(""); /* fmin passes over it */
    for (size_t j = 0; j < w->nc && w->row; j++)
        for (int side = 0; side < 2; side++)
            if (w->pair[j][side] >= 0 && (size_t)w->pair[j][side] < w->nv)
                met[w->pair[j][side]] = fmin(met[w->pair[j][side]], w->met[j]);
}

static enum carom_status find_arrivals(struct carom_compare *c, struct carom_error *error)
{
    for (size_t i = 0; i < c->count; i++) {
        struct carom_compare_entry *entry = &c->entry[i];
        if (!ran(c, i))
            continue;
        entry->arrival = carom_memory_zeroed(entry->found.nv, sizeof *entry->arrival);
        if (entry->arrival == NULL)
            return carom_memory_error(error);
        find_met(&entry->found, entry->arrival);
        for (size_t n = 0; n < entry->found.nv; n++)
            entry->arrival[n] = arrival(c, &entry->found, n, entry->arrival[n]);
    }
    return CAROM_OK;
}

/* The scales of the first; where a file does not say them, what its motion shows. */
static void find_scales(struct carom_compare *c)
{
    const struct carom_run_summary *first = &c->entry[c->first].found;
    c->scales = first->scales;
    for (size_t i = 0; i < c->count && !(c->scales.speed > 0.0); i++)
        c->scales = ran(c, i) ? c->entry[i].found.scales : c->scales;
    if (!(c->scales.speed > 0.0)) { /* nothing moves */
        c->scales.speed = 1.0;
        c->scales.length = first->last > first->first ? first->last - first->first : 1.0;
    }
    if (!(c->time_scale > 0.0))
        c->time_scale = c->scales.length > 0.0 ? c->scales.length / c->scales.speed : 1.0;
}

static enum carom_status check_shapes(const struct carom_compare *c, struct carom_error *error)
{
    const struct carom_compare_entry *first = &c->entry[c->first];
    for (size_t i = c->first + 1; i < c->count; i++) {
        const struct carom_compare_entry *other = &c->entry[i];
        if (ran(c, i) && !carom_points_agree(&first->found.points, &other->found.points))
            return carom_error_set(error, CAROM_E_INPUT,
                                   "%s and %s do not tell motions of the same points (sensors or recorded cells of "
                                   "solids, bodies, coordinates of mechanisms), and only these can be compared",
                                   first->label, other->label);
        if (ran(c, i) && (other->found.nv != first->found.nv || other->found.nq != first->found.nq))
            return carom_error_set(
                error, CAROM_E_INPUT,
                "%s has %zu velocities and %s has %zu: only motions of as many bodies can be compared", first->label,
                first->found.nv, other->label, other->found.nv);
        if (ran(c, i) && other->si != first->si)
            return carom_error_set(error, CAROM_E_INPUT, "%s has units and %s has none: they cannot be compared",
                                   first->si ? first->label : other->label, first->si ? other->label : first->label);
    }
    return CAROM_OK;
}

static enum carom_status compare_all(struct work *w, struct carom_threads *team, struct carom_error *error)
{
    struct carom_compare *c = w->compare;
    find_scales(c);
    if (check_shapes(c, error) != CAROM_OK || find_arrivals(c, error) != CAROM_OK)
        return error->status;
    c->distance = carom_memory_zeroed(c->count * c->count, sizeof *c->distance);
    c->apart = carom_memory_zeroed(c->count * c->entry[c->first].found.nv, sizeof *c->apart);
    if (c->distance == NULL || c->apart == NULL)
        return carom_memory_error(error);
    carom_threads_run(team, measure, w, c->count * c->count);
    return CAROM_OK;
}

/* Does an entry solve impacts of several contacts by Moreau's law, all at once? */
static bool at_once(const struct carom_compare *c, size_t i)
{
    const struct carom_run_summary *w = &c->entry[i].found;
    size_t struck = 0;
    for (size_t j = 0; ran(c, i) && w->impulses && j < w->nc; j++)
        struck += w->impulse[j] > 0.0 ? 1 : 0;
    return struck > 1 && w->rigid && !w->traced &&
           (strncmp(w->scheme, "moreau", 6) == 0 || strstr(w->options, "impact = moreau") != NULL);
}

bool carom_compare_laws(const struct carom_compare *c, char text[CAROM_COMPARE_TEXT])
{
    size_t law = c->count;
    bool others = false;
    for (size_t i = 0; i < c->count; i++) {
        law = law == c->count && at_once(c, i) ? i : law;
        others = others || (ran(c, i) && !at_once(c, i));
    }
    if (law == c->count || !others)
        return false;
    snprintf(text, CAROM_COMPARE_TEXT,
             "%s: Moreau's law takes the impacts of all contacts that touch at once, so that touching balls leave "
             "together at one speed; springs, or impacts pair by pair, hand the motion on from ball to ball, as real "
             "cradles do: theories differ here by construction",
             c->entry[law].label);
    return true;
}

enum carom_status carom_compare_run(struct carom_compare *compare, size_t threads, bool timed,
                                    const struct carom_progress *progress, struct carom_error *error)
{
    struct work w = {.compare = compare, .progress = progress, .timed = timed, .lock = ATOMIC_FLAG_INIT};
    struct carom_threads *team = NULL;
    const size_t most = threads > 0 ? threads : carom_threads_cores();
    if (most > 1 && (team = carom_threads_create(most)) == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "cannot start %zu threads", most);
    read_files(compare);
    carom_threads_run(team, run_one, &w, compare->count);
    enum carom_status status = CAROM_OK;
    compare->first = compare->count;
    for (size_t i = compare->count; i-- > 0;) {
        const struct carom_error *own = &compare->entry[i].error;
        if (own->status == CAROM_E_MEMORY || atomic_load(&w.stop))
            status = carom_error_set(error, atomic_load(&w.stop) ? CAROM_E_STOPPED : own->status, "%s",
                                     atomic_load(&w.stop) ? "stopped" : own->text);
        compare->first = own->status == CAROM_OK ? i : compare->first;
    }
    if (status == CAROM_OK && compare->first < compare->count)
        status = compare_all(&w, team, error);
    carom_threads_free(team);
    return status;
}
