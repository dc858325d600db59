/* Convergence studies. Where all rows are one problem they race against one reference; where gamma goes with the step,
 * each row has its own. */
#include "study/converge.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "study/range.h"
#include "study/variant.h"

double carom_converge_reference_tol(const struct carom_converge_plan *plan)
{
    double tol = 1e-12; /* tighter is lost in round-off */
    if (strcmp(plan->knob, "tol") == 0)
        for (size_t i = 0; i < plan->count; i++)
            tol = 1e-3 * plan->value[i] < tol ? 1e-3 * plan->value[i] : tol;
    return tol > 1e-13 ? tol : 1e-13;
}

/* The scene of a row; NULL and the sentence on error. */
static struct carom_scene *row_scene(const struct carom_converge_plan *plan, double value, struct carom_error *error)
{
    char number[32], option[48];
    const char *more[1] = {option};
    carom_range_print(plan->gamma_per_step * value, number);
    snprintf(option, sizeof option, "gamma=%s", number);
    const bool damped = plan->gamma_per_step != 0.0;
    struct carom_scene *scene = carom_variant_of(plan->scene, plan->name, more, damped ? 1 : 0, error);
    if (scene == NULL)
        return NULL;
    if ((plan->scheme == NULL || carom_variant_scheme(scene, plan->scheme, error) == CAROM_OK) &&
        carom_variant_option(scene, plan->knob, value, error) == CAROM_OK)
        return scene;
    carom_scene_free(scene);
    return NULL;
}

/* Pilot runs come before anything is done, but can be stopped. */
struct asker {
    const struct carom_progress *progress;
};

static bool ask(void *own, const struct carom_sim *sim)
{
    (void)sim;
    return carom_progress_go_on(((const struct asker *)own)->progress, 0.0);
}

static enum carom_status open_racer(const struct carom_converge_plan *plan, double value, struct carom_racer *racer,
                                    struct carom_error *error)
{
    struct carom_scene *scene = row_scene(plan, value, error);
    if (scene == NULL)
        return error->status;
    struct asker asker = {plan->progress};
    const struct carom_watch watch = {.call = ask, .own = &asker};
    const enum carom_status status = carom_track_open(&racer->track, scene, &watch, error);
    carom_scene_free(scene);
    return status;
}

static enum carom_status open_reference(const struct carom_converge_plan *plan, double value,
                                        const struct carom_racer *racer, struct carom_reference *reference,
                                        struct carom_error *error)
{
    if (plan->reference_file != NULL)
        return carom_reference_open_file(reference, plan->reference_file, racer->track.sim->model, error);
    const double tol = plan->reference_tol > 0.0 ? plan->reference_tol : carom_converge_reference_tol(plan);
    struct carom_scene *scene = row_scene(plan, value, error);
    if (scene == NULL)
        return error->status;
    const enum carom_status status = carom_reference_open(reference, scene, plan->name, tol, true, error);
    carom_scene_free(scene);
    return status;
}

static void note(struct carom_converge_row *row, double value, const struct carom_racer *racer,
                 const struct carom_reference *reference)
{
    const struct carom_sim *sim = racer->track.sim;
    *row = (struct carom_converge_row){.value = value,
                                       .steps = sim->stepper->counts.steps,
                                       .sup = racer->sup,
                                       .doubt_u = reference->doubt.u,
                                       .doubt_v = reference->doubt.v,
                                       .scales = sim->scales};
    row->u = row->sup.u / (sim->scales.length > 0.0 ? sim->scales.length : 1.0);
    row->v = row->sup.v / (sim->scales.speed > 0.0 ? sim->scales.speed : 1.0);
}

/* Rows [first, first + count) against one reference. */
static enum carom_status race_rows(const struct carom_converge_plan *plan, size_t first, size_t count,
                                   const struct carom_progress *progress, struct carom_converge_row *row,
                                   struct carom_error *error)
{
    struct carom_reference reference = {0};
    struct carom_racer *racer = carom_memory_zeroed(count, sizeof *racer);
    if (racer == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && status == CAROM_OK; i++)
        status = open_racer(plan, plan->value[first + i], &racer[i], error);
    if (status == CAROM_OK)
        status = open_reference(plan, plan->value[first], &racer[0], &reference, error);
    if (status == CAROM_OK)
        status = carom_race_run(&reference, racer, count, &plan->scene->schedule, progress, error);
    for (size_t i = 0; i < count; i++) {
        if (status == CAROM_OK)
            note(&row[first + i], plan->value[first + i], &racer[i], &reference);
        carom_track_close(&racer[i].track);
    }
    carom_reference_close(&reference);
    carom_memory_free(racer);
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

enum carom_status carom_converge_run(const struct carom_converge_plan *plan, struct carom_converge_row *row,
                                     struct carom_error *error)
{
    if (plan->gamma_per_step == 0.0)
        return race_rows(plan, 0, plan->count, plan->progress, row, error);
    double all = 0.0;
    for (size_t i = 0; i < plan->count; i++)
        all += 1.0 / plan->value[i];
    struct part part = {.whole = plan->progress};
    const struct carom_progress progress = {tell_part, &part};
    for (size_t i = 0; i < plan->count; i++) {
        part.share = 1.0 / plan->value[i] / all;
        if (race_rows(plan, i, 1, &progress, row, error) != CAROM_OK)
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
