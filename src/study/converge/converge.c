/* Convergence studies. Where all rows are one problem they run beside one reference; where gamma goes with the step,
 * each row has its own. */
#include "study/converge/converge.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/solid.h"
#include "study/follow/norms.h"
#include "study/follow/trail.h"
#include "study/range.h"
#include "study/theories.h"
#include "study/variant.h"

double carom_converge_reference_tol(const struct carom_converge_plan *plan)
{
    double tol = 1e-12; /* tighter is lost in round-off */
    if (strcmp(plan->knob, "tol") == 0)
        for (size_t i = 0; i < plan->count; i++)
            tol = 1e-3 * plan->value[i] < tol ? 1e-3 * plan->value[i] : tol;
    return tol > 1e-13 ? tol : 1e-13;
}

/* The scene of a row; NULL and the sentence on error. Gamma comes with the step it belongs to: what a scheme takes of
 * the one may depend on the other. */
static struct carom_scene *row_scene(const struct carom_converge_plan *plan, double value, struct carom_error *error)
{
    char number[32], gamma[48], step[48];
    const char *more[2] = {gamma, step};
    carom_range_print(plan->gamma_per_step * value, number);
    snprintf(gamma, sizeof gamma, "gamma=%s", number);
    carom_range_print(value, number);
    snprintf(step, sizeof step, "run.step=%s", number);
    const bool damped = plan->gamma_per_step != 0.0, own = plan->scheme == NULL || plan->scheme == plan->scene->scheme;
    struct carom_scene *scene = carom_variant_of(plan->scene, plan->name, more, !damped ? 0 : own ? 2 : 1, error);
    if (scene == NULL)
        return NULL;
    if ((plan->scheme == NULL || carom_theories_move(&scene, plan->name, plan->scheme, NULL, error) == CAROM_OK) &&
        carom_variant_option(scene, plan->knob, value, error) == CAROM_OK)
        return scene;
    carom_scene_free(scene);
    return NULL;
}

static enum carom_status open_entry(const struct carom_converge_plan *plan, double value,
                                    const struct carom_watch *watch, struct carom_lockstep *entry,
                                    struct carom_error *error)
{
    struct carom_scene *scene = row_scene(plan, value, error);
    if (scene == NULL)
        return error->status;
    const enum carom_status status = carom_track_open(&entry->track, scene, watch, error);
    carom_scene_free(scene);
    return status;
}

static double smallest(const struct carom_converge_plan *plan)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < plan->count; i++)
        least = plan->value[i] < least ? plan->value[i] : least;
    return least;
}

static void tell(const struct carom_converge_plan *plan, enum carom_converge_truth truth,
                 const struct carom_scheme *scheme, double value, double rest)
{
    if (plan->report == NULL)
        return;
    plan->report->truth = truth;
    plan->report->scheme = scheme;
    plan->report->value = value;
    plan->report->rest = rest;
}

/* Which reference: see converge.h. */
static enum carom_status choose_reference(const struct carom_converge_plan *plan, const struct carom_scene *scene,
                                          const struct carom_watch *watch, struct carom_reference *reference,
                                          struct carom_error *error)
{
    if (carom_reference_open_closed(reference, scene, error) != CAROM_OK)
        return error->status;
    if (reference->closed) {
        tell(plan, CAROM_TRUTH_CLOSED, NULL, 0.0, reference->exact.rest);
        return CAROM_OK;
    }
    const bool fine = !(scene->model->offers & CAROM_COMPLIANT) || carom_solid_of(scene->model, NULL) != NULL;
    const bool steps = strcmp(plan->knob, "step") == 0;
    const double tol = plan->reference_tol > 0.0 ? plan->reference_tol : carom_converge_reference_tol(plan);
    enum carom_status status = carom_reference_open(reference, scene, plan->name, tol, true, watch, error);
    tell(plan, CAROM_TRUTH_TIGHT, carom_reference_scheme(scene->model), tol, HUGE_VAL);
    if (status == CAROM_E_REFUSED && fine && steps) {
        const double step = smallest(plan) / 16.0;
        status = carom_reference_open_fine(reference, scene, plan->name, step, watch, error);
        tell(plan, CAROM_TRUTH_FINE, scene->scheme, step, HUGE_VAL);
    }
    return status;
}

static enum carom_status open_reference(const struct carom_converge_plan *plan, double value,
                                        const struct carom_watch *watch, const struct carom_lockstep *entry,
                                        struct carom_reference *reference, struct carom_error *error)
{
    if (plan->reference_file != NULL) {
        tell(plan, CAROM_TRUTH_FILE, NULL, 0.0, HUGE_VAL);
        return carom_reference_open_file(reference, plan->reference_file, entry->track.sim->model, error);
    }
    struct carom_scene *scene = row_scene(plan, value, error);
    if (scene == NULL)
        return error->status;
    const enum carom_status status = choose_reference(plan, scene, watch, reference, error);
    carom_scene_free(scene);
    return status;
}

static void note(const struct carom_converge_plan *plan, struct carom_converge_row *row, double value,
                 const struct carom_lockstep *entry, const struct carom_sup *doubt, const struct carom_sup *own)
{
    const struct carom_sim *sim = entry->track.sim;
    const double time = plan->norm == CAROM_NORM_L1 && sim->until > 0.0 ? sim->until : 1.0;
    *row = (struct carom_converge_row){.value = value,
                                       .steps = sim->stepper->counts.steps,
                                       .evaluations = sim->stepper->counts.evaluations,
                                       .sup = entry->sup,
                                       .doubt_u = doubt->u,
                                       .doubt_v = doubt->v,
                                       .own_u = own->u,
                                       .own_v = own->v,
                                       .scales = sim->scales};
    row->u = row->sup.u / (sim->scales.length > 0.0 ? sim->scales.length : 1.0) / time;
    row->v = row->sup.v / (sim->scales.speed > 0.0 ? sim->scales.speed : 1.0) / time;
}

/* Rows [first, first + count) against one reference. */
static enum carom_status run_rows(const struct carom_converge_plan *plan, size_t first, size_t count,
                                  const struct carom_progress *progress, struct carom_converge_row *row,
                                  struct carom_error *error)
{
    struct carom_track_asker asker = {progress};
    const struct carom_watch watch = {.call = carom_track_ask, .own = &asker};
    struct carom_reference reference = {0};
    struct carom_lockstep *entry = carom_memory_zeroed(count, sizeof *entry);
    if (entry == NULL)
        return carom_memory_error(error);
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && status == CAROM_OK; i++)
        status = open_entry(plan, plan->value[first + i], &watch, &entry[i], error);
    if (status == CAROM_OK)
        status = open_reference(plan, plan->value[first], &watch, &entry[0], &reference, error);
    reference.norm = plan->norm;
    if (status == CAROM_OK)
        status = carom_lockstep_run(&reference, entry, count, &plan->scene->schedule, progress, error);
    for (size_t i = 0; i < count; i++) {
        if (status == CAROM_OK)
            note(plan, &row[first + i], plan->value[first + i], &entry[i], &reference.doubt, &(struct carom_sup){0});
        carom_track_close(&entry[i].track);
    }
    carom_reference_close(&reference);
    carom_memory_free(entry);
    return status;
}

/* Rows one after another; each costs about as much as it has steps. */
struct part {
    const struct carom_progress *whole;
    double before, share;
};

static bool tell_part(void *own, double done)
{
    const struct part *part = own;
    return carom_progress_go_on(part->whole, part->before + part->share * done);
}

/* --- filled-in graphs --------------------------------------------------------------------------------------------- */

/* How much of x counts as one unit of time. */
struct rates {
    double u, v;
};

static struct rates rates_of(const struct carom_converge_plan *plan, const struct carom_scales *scales)
{
    const double length = scales->length > 0.0 ? scales->length : 1.0,
                 speed = scales->speed > 0.0 ? scales->speed : 1.0;
    const double time = plan->time_scale > 0.0 ? plan->time_scale : length / speed;
    if (plan->report != NULL)
        plan->report->time_scale = time;
    return (struct rates){length / time, speed / time};
}

static struct carom_sup distance(const struct carom_trail *a, const struct carom_trail *b, struct rates rates)
{
    const struct carom_graph qa = carom_trail_places(a), qb = carom_trail_places(b);
    const struct carom_graph va = carom_trail_speeds(a), vb = carom_trail_speeds(b);
    return (struct carom_sup){carom_norms_hausdorff(&qa, &qb, rates.u, 1e-4),
                              carom_norms_hausdorff(&va, &vb, rates.v, 1e-4), a->n};
}

/* How far samples of an exact motion may stand apart: chords miss a curve by a d^2 / 8. For the acceleration a at the
 * start and the speed u at the stop that is to be a hundredth of what a scheme of order 1 errs by in a step, u h / 4;
 * where the order is higher or there are no steps, as little as runs are kept to. */
static double chord(const struct carom_converge_plan *plan, const struct carom_academic_motion *motion)
{
    const struct carom_academic *p = &motion->problem;
    const double a = fabs(p->pull) + p->omega * p->omega * (p->q - p->stop), even = motion->until / 2000.0;
    const double u = motion->count > 0 ? motion->impact[0].speed : fabs(p->v);
    if (!(a > 0.0) || !(u > 0.0))
        return even;
    const struct carom_scheme *scheme = plan->scheme != NULL ? plan->scheme : plan->scene->scheme;
    const bool steps = strcmp(plan->knob, "step") == 0 && scheme->order == 1;
    const double apart = sqrt(steps ? 0.02 * smallest(plan) * u / a : 8.0 * CAROM_TRAIL_CHORD * u * u / (a * a));
    return apart < even ? apart : even;
}

/* The reference's whole motion, how far it may be off, and what its straight lines miss: runs that choose their steps
 * have their samples where it has them and miss the same. */
static enum carom_status keep_reference(const struct carom_converge_plan *plan, struct carom_reference *reference,
                                        struct carom_trail *trail, struct carom_sup *doubt, struct carom_sup *own,
                                        struct carom_error *error)
{
    if (reference->closed) {
        const struct carom_academic *p = &reference->exact.problem;
        const double apart = chord(plan, &reference->exact), most = p->omega * p->omega * apart * apart / 8.0;
        const double u = reference->exact.count > 0 ? reference->exact.impact[0].speed : fabs(p->v);
        own->u = fabs(p->pull) * apart * apart / 8.0 + most * fabs(p->q - p->stop);
        own->v = most * u;
        return carom_trail_exact(trail, &reference->exact, apart, error);
    }
    if (carom_trail_follow(trail, &reference->best, NULL, plan->progress, error) != CAROM_OK)
        return carom_error_prefix(error, "the reference");
    struct carom_trail check = {0};
    if (carom_trail_follow(&check, &reference->check, trail, plan->progress, error) != CAROM_OK)
        return carom_error_prefix(error, "the check of the reference");
    const struct carom_scales *scales = &reference->best.sim->scales;
    *doubt = distance(&check, trail, rates_of(plan, scales));
    own->u = CAROM_TRAIL_CHORD * scales->length;
    own->v = CAROM_TRAIL_CHORD * scales->speed;
    carom_trail_free(&check);
    return CAROM_OK;
}

static enum carom_status compare_row(const struct carom_converge_plan *plan, double value,
                                     const struct carom_trail *truth, const struct carom_sup *doubt,
                                     const struct carom_sup *own, const struct carom_progress *progress,
                                     struct carom_converge_row *row, struct carom_error *error)
{
    struct carom_track_asker asker = {progress};
    const struct carom_watch watch = {.call = carom_track_ask, .own = &asker};
    struct carom_lockstep entry = {0};
    struct carom_trail trail = {0};
    enum carom_status status = open_entry(plan, value, &watch, &entry, error);
    if (status == CAROM_OK)
        status = carom_trail_follow(&trail, &entry.track, truth, progress, error);
    if (status == CAROM_OK) {
        entry.sup = distance(&trail, truth, rates_of(plan, &entry.track.sim->scales));
        note(plan, row, value, &entry, doubt, entry.track.step > 0.0 ? own : &(struct carom_sup){0});
    }
    carom_trail_free(&trail);
    carom_track_close(&entry.track);
    return status;
}

/* One run after another: only the reference and one run are kept. */
static enum carom_status compare_graphs(const struct carom_converge_plan *plan, struct carom_converge_row *row,
                                        struct carom_error *error)
{
    struct carom_track_asker asker = {plan->progress};
    const struct carom_watch watch = {.call = carom_track_ask, .own = &asker};
    struct carom_reference reference = {0};
    struct carom_trail truth = {0};
    struct carom_sup doubt = {0}, own = {0};
    if (plan->reference_file != NULL)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "a run file holds samples, not both sides of jumps: the Hausdorff distance needs a run");
    enum carom_status status = open_reference(plan, plan->value[0], &watch, NULL, &reference, error);
    if (status == CAROM_OK)
        status = keep_reference(plan, &reference, &truth, &doubt, &own, error);
    carom_reference_close(&reference);
    double all = 0.0;
    for (size_t i = 0; i < plan->count; i++)
        all += 1.0 / plan->value[i];
    struct part part = {.whole = plan->progress};
    const struct carom_progress progress = {tell_part, &part};
    for (size_t i = 0; i < plan->count && status == CAROM_OK; i++) {
        part.share = 1.0 / plan->value[i] / all;
        status = compare_row(plan, plan->value[i], &truth, &doubt, &own, &progress, &row[i], error);
        part.before += part.share;
    }
    carom_trail_free(&truth);
    return status;
}

enum carom_status carom_converge_run(const struct carom_converge_plan *plan, struct carom_converge_row *row,
                                     struct carom_error *error)
{
    if (plan->norm == CAROM_NORM_HAUSDORFF && plan->gamma_per_step != 0.0)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "where gamma goes with the step there is no one graph to compare");
    if (plan->norm == CAROM_NORM_HAUSDORFF)
        return compare_graphs(plan, row, error);
    if (plan->gamma_per_step == 0.0)
        return run_rows(plan, 0, plan->count, plan->progress, row, error);
    double all = 0.0;
    for (size_t i = 0; i < plan->count; i++)
        all += 1.0 / plan->value[i];
    struct part part = {.whole = plan->progress};
    const struct carom_progress progress = {tell_part, &part};
    for (size_t i = 0; i < plan->count; i++) {
        part.share = 1.0 / plan->value[i] / all;
        if (run_rows(plan, i, 1, &progress, row, error) != CAROM_OK)
            return error->status;
        part.before += part.share;
    }
    return CAROM_OK;
}

/* --- slopes ----------------------------------------------------------------------------------------------------- */

struct line {
    double n, x, y, xx, xy; /* sums */
};

static void add_point(struct line *line, double x, double y)
{
    line->n += 1.0;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
}

static bool counts(double x, double e)
{
    return x > 0.0 && e > 0.0 && e < HUGE_VAL;
}

/* The largest e of bin b among `bins`; count: the bin is empty. */
static size_t largest_of_bin(const double *x, const double *e, size_t count, double low, double high, size_t b,
                             size_t bins)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        const double place = high > low ? (log(x[i]) - low) / (high - low) * (double)bins : 0.0;
        const size_t bin = place < (double)bins ? (size_t)place : bins - 1;
        if (counts(x[i], e[i]) && bin == b && (best == count || e[i] > e[best]))
            best = i;
    }
    return best;
}

double carom_converge_slope(const double *x, const double *e, size_t count, size_t bins)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    struct line line = {0};
    for (size_t i = 0; i < count; i++)
        if (counts(x[i], e[i])) {
            low = log(x[i]) < low ? log(x[i]) : low;
            high = log(x[i]) > high ? log(x[i]) : high;
            if (bins == 0)
                add_point(&line, log(x[i]), log(e[i]));
        }
    for (size_t b = 0; b < bins; b++) {
        const size_t best = largest_of_bin(x, e, count, low, high, b, bins);
        if (best < count)
            add_point(&line, log(x[best]), log(e[best]));
    }
    const double spread = line.n * line.xx - line.x * line.x;
    return line.n >= 2.0 && spread > 0.0 ? (line.n * line.xy - line.x * line.y) / spread : nan("");
}
