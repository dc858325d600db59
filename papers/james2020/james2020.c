/* Measures of James, Vorotnikov and Brogliato 2020 that other papers have no use for: restitution at weak damping
 * (9), the first swing of the cradle (fig. 4), where one scheme is the best or the worst of several (figs. 10, 11),
 * the least damping of stiff components (A.1). */
#include "papers/james2020/james2020.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/law.h"
#include "law/restitution.h"
#include "papers/james2020/contest.h"
#include "scheme/tableau.h"
#include "study/variant.h"

static const char *const no_keys[] = {NULL};

/* --- (9): gamma / (1 - e) as gamma goes to 0, for unit mass, stiffness and speed -------------------------------- */

static enum carom_status ratio(double gamma, double *value, struct carom_error *error)
{
    const double param[] = {1.0, gamma}; /* k, gamma */
    double e;
    if (carom_restitution_of(&carom_law_kuwabara_kono, param, CAROM_END_GAP, 1.0, 1.0, &e, NULL, NULL, error) !=
        CAROM_OK)
        return error->status;
    *value = gamma / (1.0 - e);
    return CAROM_OK;
}

/* The ratio is a power series in gamma; three values take out its two lowest powers. */
static enum carom_status measure_restitution(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    (void)m;
    double r[3];
    for (int i = 0; i < 3; i++)
        if (ratio(0.01 / (double)(1 << i), &r[i], error) != CAROM_OK)
            return error->status;
    const double first = 2.0 * r[1] - r[0], second = 2.0 * r[2] - r[1];
    *value = (4.0 * second - first) / 3.0;
    return CAROM_OK;
}

/* --- fig. 4: the last bead's deflection after the first impact -------------------------------------------------- */

static const char *const deflection_keys[] = {"scene", "set", "scheme", "step", "reference_tol", NULL};

/* Both runs side by side; the largest displacements of the last bead at the scheme's grid points. */
static enum carom_status follow_last(struct carom_track *track, struct carom_reference *reference, double most[2],
                                     struct carom_error *error)
{
    const size_t last = track->sim->model->nq - 1;
    while (!carom_track_no_whole_step(track)) {
        if (carom_sim_step(track->sim, 1, error) != CAROM_OK ||
            carom_reference_at(reference, track->sim->state->time, error) != CAROM_OK)
            return error->status;
        most[0] = fmax(most[0], track->sim->view->q[last]);
        most[1] = fmax(most[1], reference->at.q[last]);
    }
    return CAROM_OK;
}

/* one reference, which may be off by `doubt` */
static enum carom_status deflect(const struct carom_scene *base, const char *name, const struct carom_scheme *scheme,
                                 double step, double tol, double most[2], double *doubt, struct carom_error *error)
{
    struct carom_track track = {0};
    struct carom_reference reference = {0};
    struct carom_scene *scene = carom_variant_of(base, name, NULL, 0, error);
    if (scene == NULL)
        return error->status;
    most[0] = most[1] = 0.0;
    enum carom_status status = carom_reference_open(&reference, scene, name, tol, true, NULL, error);
    if (status == CAROM_OK)
        status = carom_variant_scheme(scene, scheme, error);
    if (status == CAROM_OK)
        status = carom_variant_option(scene, "step", step, error);
    if (status == CAROM_OK)
        status = carom_track_open(&track, scene, NULL, error);
    if (status == CAROM_OK)
        status = follow_last(&track, &reference, most, error);
    *doubt = reference.doubt.u;
    carom_track_close(&track);
    carom_reference_close(&reference);
    carom_scene_free(scene);
    return status;
}

static enum carom_status measure_deflection(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    char name[512];
    double step, tol, most[2] = {0.0, 0.0}, doubt = HUGE_VAL;
    const struct carom_scheme *scheme = carom_measures_scheme(m, "scheme", error);
    if (scheme == NULL || carom_paper_number(m->paper, m->row, "step", &step, error) != CAROM_OK ||
        carom_measures_number(m, "reference_tol", 1e-10, &tol, error) != CAROM_OK)
        return error->status;
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    enum carom_status status = CAROM_OK;
    for (bool told = false; status == CAROM_OK && !told; tol = fmax(1e-2 * tol, CAROM_REFERENCE_FINEST)) {
        status = deflect(scene, name, scheme, step, tol, most, &doubt, error);
        told = doubt <= 0.1 * fabs(most[0] - most[1]);
        if (status == CAROM_OK && !told && tol <= CAROM_REFERENCE_FINEST)
            status = carom_error_set(error, CAROM_E_FAILED, "row %s: the error is not far above that of the reference",
                                     m->row->name);
    }
    if (status == CAROM_OK)
        *value = fabs(most[0] - most[1]) / most[1];
    carom_scene_free(scene);
    return status;
}

/* --- figs. 10, 11: where a scheme is the best or the worst ------------------------------------------------------ */

static const char *const rank_keys[] = {"scene", "set",   "schemes", "scheme",        "step",
                                        "key",   "range", "tie",     "reference_tol", NULL};

static enum carom_status find_schemes(const struct carom_measuring *m, struct carom_contest *contest, size_t *chosen,
                                      struct carom_error *error)
{
    const char *names, *one;
    char copy[200];
    if (carom_paper_need(m->paper, m->row, "schemes", &names, error) != CAROM_OK ||
        carom_paper_need(m->paper, m->row, "scheme", &one, error) != CAROM_OK)
        return error->status;
    *chosen = CAROM_CONTEST_SCHEMES;
    snprintf(copy, sizeof copy, "%s", names);
    char *rest = copy;
    for (char *name = strsep(&rest, ","); name != NULL && contest->nschemes < CAROM_CONTEST_SCHEMES;
         name = strsep(&rest, ",")) {
        if (strcmp(name, one) == 0)
            *chosen = contest->nschemes;
        contest->scheme[contest->nschemes] = carom_variant_find(name, error);
        if (contest->scheme[contest->nschemes++] == NULL)
            return error->status;
    }
    return *chosen < contest->nschemes
               ? CAROM_OK
               : carom_error_set(error, CAROM_E_INPUT, "row %s: %s is not among %s", m->row->name, one, names);
}

static enum carom_status run_contest(const struct carom_measuring *m, void *with, double *answer,
                                     struct carom_error *error)
{
    struct carom_contest *contest = with;
    char name[512];
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    contest->scene = scene;
    contest->name = name;
    contest->progress = m->progress;
    const enum carom_status status = carom_contest_run(contest, m->threads, answer, error);
    carom_scene_free(scene);
    return status;
}

/* Which end of which run of values is wanted. */
enum place { BEST_FROM, BEST_TO, WORST_FROM, WORST_TO };

/* Is scheme `chosen` the best (or worst) at a value? Others may be ahead by the part `tie`. */
static bool leads(const double *error_of, size_t nschemes, size_t chosen, double tie, bool best)
{
    for (size_t k = 0; k < nschemes; k++) {
        if (k == chosen)
            continue;
        if (best ? error_of[chosen] > (1.0 + tie) * error_of[k] : (1.0 + tie) * error_of[chosen] < error_of[k])
            return false;
    }
    return true;
}

/* The longest run of neighbouring values at which it leads. Near-ties may lie inside but not at its ends. */
static enum carom_status longest_run(const struct carom_contest *contest, const double *error_of, size_t chosen,
                                     double tie, enum place place, double *value, struct carom_error *error)
{
    const bool best = place == BEST_FROM || place == BEST_TO;
    const size_t n = contest->nschemes, count = contest->range->count;
    size_t first = count, last = count, begin = count;
    for (size_t i = 0; i < count; i++) {
        if (!leads(error_of + i * n, n, chosen, tie, best))
            begin = count;
        if (!leads(error_of + i * n, n, chosen, 0.0, best))
            continue;
        begin = begin < count ? begin : i;
        if (first == count || i - begin > last - first) {
            first = begin;
            last = i;
        }
    }
    if (first == count)
        return carom_error_set(error, CAROM_E_FAILED, "%s is nowhere the %s", contest->scheme[chosen]->kind.name,
                               best ? "best" : "worst");
    *value = contest->range->value[place == BEST_FROM || place == WORST_FROM ? first : last];
    return CAROM_OK;
}

static enum carom_status measure_rank(const struct carom_measuring *m, enum place place, double *value,
                                      struct carom_error *error)
{
    static const char *const same[] = {"scene", "set", "schemes", "step", "key", "range", "reference_tol", NULL};
    struct carom_contest contest = {0};
    struct carom_range range;
    const char *text;
    const double *answer;
    size_t chosen = 0;
    double tie = 0.0;
    if (find_schemes(m, &contest, &chosen, error) != CAROM_OK ||
        carom_paper_number(m->paper, m->row, "step", &contest.step, error) != CAROM_OK ||
        carom_measures_number(m, "tie", 0.0, &tie, error) != CAROM_OK ||
        carom_measures_number(m, "reference_tol", 1e-9, &contest.reference_tol, error) != CAROM_OK ||
        carom_paper_need(m->paper, m->row, "key", &contest.key, error) != CAROM_OK ||
        carom_paper_need(m->paper, m->row, "range", &text, error) != CAROM_OK ||
        carom_range_read(text, false, &range, error) != CAROM_OK)
        return error->status;
    contest.range = &range;
    enum carom_status status =
        carom_measures_once(m, "contest", same, run_contest, &contest, range.count * contest.nschemes, &answer, error);
    if (status == CAROM_OK)
        status = longest_run(&contest, answer, chosen, tie, place, value, error);
    carom_range_free(&range);
    return status;
}

static enum carom_status measure_best_from(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return measure_rank(m, BEST_FROM, value, error);
}

static enum carom_status measure_best_to(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return measure_rank(m, BEST_TO, value, error);
}

static enum carom_status measure_worst_from(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return measure_rank(m, WORST_FROM, value, error);
}

static enum carom_status measure_worst_to(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return measure_rank(m, WORST_TO, value, error);
}

/* --- A.1: |R| at infinity of the third-order tailored tableau, over C11 ----------------------------------------- */

static double far(double c11)
{
    const struct carom_tableau tableau = carom_tableau_tailored(c11);
    struct carom_tableau_report report;
    carom_tableau_report(&tableau, &report);
    return report.far;
}

/* Golden section on [0.05, 1], where it falls and then rises. */
static double least_far(void)
{
    const double part = 0.5 * (sqrt(5.0) - 1.0);
    double a = 0.05, b = 1.0;
    while (b - a > 1e-9) {
        const double c = b - part * (b - a), d = a + part * (b - a);
        if (far(c) < far(d))
            b = d;
        else
            a = c;
    }
    return 0.5 * (a + b);
}

static enum carom_status measure_least_far(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    (void)m, (void)error;
    *value = far(least_far());
    return CAROM_OK;
}

static enum carom_status measure_least_far_place(const struct carom_measuring *m, double *value,
                                                 struct carom_error *error)
{
    (void)m, (void)error;
    *value = least_far();
    return CAROM_OK;
}

const struct carom_measure carom_james2020_list[] = {
    {"restitution", no_keys, measure_restitution},
    {"deflection", deflection_keys, measure_deflection},
    {"best_from", rank_keys, measure_best_from},
    {"best_to", rank_keys, measure_best_to},
    {"worst_from", rank_keys, measure_worst_from},
    {"worst_to", rank_keys, measure_worst_to},
    {"least_far", no_keys, measure_least_far},
    {"least_far_place", no_keys, measure_least_far_place},
    {NULL, NULL, NULL},
};
