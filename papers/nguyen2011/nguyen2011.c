/* Nguyen and Brogliato 2011, appendix A and section 4: steps of the printed algorithm and its discrepancies (46), (47),
 * its errors and orders against impact lzb, energies and velocities after an impact. Waves: nguyen2011_waves.c. */
#include "papers/nguyen2011/nguyen2011.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "study/converge/converge.h"
#include "study/follow/strike.h"
#include "study/range.h"

#define TRUTH 1e-12 /* tolerance of impact lzb where it is the reference */

static enum carom_status open_strike(const struct carom_measuring *m, struct carom_strike *strike,
                                     struct carom_error *error)
{
    char name[512];
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    *strike = (struct carom_strike){0};
    if (scene == NULL)
        return error->status;
    const enum carom_status status = carom_strike_open(strike, scene, m->progress, error);
    carom_scene_free(scene);
    return status;
}

/* --- steps of the printed algorithm ------------------------------------------------------------------------------ */

static const char *const printed_keys[] = {"scene", "set", "dP", NULL};
static const char *const order_keys[] = {"scene", "set", "dPs", NULL};

/* steps, Phi and Phi+, which three rows ask for in turn */
static enum carom_status compare(const struct carom_measuring *m, void *with, double *answer, struct carom_error *error)
{
    struct carom_strike strike;
    struct carom_strike_discrepancy d = {0};
    (void)with;
    enum carom_status status = open_strike(m, &strike, error);
    if (status == CAROM_OK)
        status = carom_paper_number(m->paper, m->row, "dP", &strike.printed.dP, error);
    if (status == CAROM_OK)
        status = carom_strike_compare(&strike, &strike.printed, &d, error);
    carom_strike_close(&strike);
    answer[0] = (double)d.steps;
    answer[1] = d.during;
    answer[2] = d.end;
    return status;
}

static enum carom_status pick(const struct carom_measuring *m, size_t which, double *value, struct carom_error *error)
{
    const double *answer;
    const enum carom_status status = carom_measures_once(m, "compare", printed_keys, compare, NULL, 3, &answer, error);
    if (status == CAROM_OK)
        *value = answer[which];
    return status;
}

/* The report counts the step in which the end is found. */
static enum carom_status measure_steps(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    const enum carom_status status = pick(m, 0, value, error);
    if (status == CAROM_OK)
        *value += 1.0;
    return status;
}

static enum carom_status measure_phi(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return pick(m, 1, value, error);
}

static enum carom_status measure_phi_end(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return pick(m, 2, value, error);
}

/* --- errors ------------------------------------------------------------------------------------------------------ */

/* largest error of a velocity after the impact, relative to the fastest approach, at `count` steps */
static enum carom_status errors(const struct carom_measuring *m, const double *dP, size_t count, double *e,
                                struct carom_error *error)
{
    struct carom_strike s;
    double *truth = NULL;
    enum carom_status status = open_strike(m, &s, error);
    const size_t nv = status == CAROM_OK ? s.track.sim->model->nv : 0;
    if (status == CAROM_OK)
        status = carom_strike_lzb(&s, TRUTH, 0.0, error);
    if (status == CAROM_OK && (truth = carom_memory_zeroed(nv, sizeof(double))) == NULL)
        status = carom_memory_error(error);
    if (status == CAROM_OK)
        memcpy(truth, s.after, nv * sizeof(double));
    for (size_t i = 0; i < count && status == CAROM_OK; i++) {
        s.printed.dP = dP[i];
        status = carom_strike_printed(&s, &s.printed, 0.0, error);
        e[i] = 0.0;
        for (size_t b = 0; b < nv; b++)
            e[i] = fmax(e[i], fabs(s.after[b] - truth[b]) / s.fastest);
        if (!carom_progress_go_on(m->progress, (double)(i + 1) / (double)count))
            status = carom_error_set(error, CAROM_E_STOPPED, "stopped");
    }
    carom_memory_free(truth);
    carom_strike_close(&s);
    return status;
}

static enum carom_status measure_error(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    double dP;
    return carom_paper_number(m->paper, m->row, "dP", &dP, error) == CAROM_OK ? errors(m, &dP, 1, value, error)
                                                                              : error->status;
}

static enum carom_status measure_order(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    const char *text;
    struct carom_range dPs = {0};
    double e[32];
    if (carom_paper_need(m->paper, m->row, "dPs", &text, error) != CAROM_OK ||
        carom_range_read(text, true, &dPs, error) != CAROM_OK)
        return error->status;
    enum carom_status status = dPs.numeric && dPs.count <= 32
                                   ? errors(m, dPs.value, dPs.count, e, error)
                                   : carom_error_set(error, CAROM_E_INPUT, "dPs %s: must be at most 32 numbers", text);
    if (status == CAROM_OK)
        *value = carom_converge_slope(dPs.value, e, dPs.count, 0);
    carom_range_free(&dPs);
    return status;
}

/* --- after the impact, as the scene says -------------------------------------------------------------------------- */

static const char *const after_keys[] = {"scene", "set", "body", NULL};

static enum carom_status strike_scene(const struct carom_measuring *m, struct carom_strike *s,
                                      struct carom_error *error)
{
    enum carom_status status = open_strike(m, s, error);
    return status == CAROM_OK ? carom_strike_own(s, 0.0, error) : status;
}

/* kinetic energy after over before */
static enum carom_status measure_energy(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    struct carom_strike s;
    const enum carom_status status = strike_scene(m, &s, error);
    if (status == CAROM_OK)
        *value = carom_strike_kinetic(&s, s.after) / carom_strike_kinetic(&s, s.v);
    carom_strike_close(&s);
    return status;
}

/* its decimal logarithm, where it can be anything */
static enum carom_status measure_decades(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    const enum carom_status status = measure_energy(m, value, error);
    *value = log10(*value);
    return status;
}

/* kinetic + dissipated over kinetic before, minus 1 */
static enum carom_status measure_ledger(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    struct carom_strike s;
    const enum carom_status status = strike_scene(m, &s, error);
    if (status == CAROM_OK) {
        double sum = carom_strike_kinetic(&s, s.after);
        for (size_t i = 0; i < s.n; i++)
            sum += s.lost[i];
        *value = fabs(sum / carom_strike_kinetic(&s, s.v) - 1.0);
    }
    carom_strike_close(&s);
    return status;
}

/* velocity of a body over that of the striker, which is the fastest before */
static enum carom_status measure_velocity(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    struct carom_strike s = {0};
    double body;
    enum carom_status status = carom_paper_number(m->paper, m->row, "body", &body, error);
    if (status == CAROM_OK)
        status = strike_scene(m, &s, error);
    if (status == CAROM_OK && !(body >= 1.0 && body <= (double)s.track.sim->model->nv))
        status = carom_error_set(error, CAROM_E_INPUT, "body %g: there is no such body", body);
    if (status == CAROM_OK)
        *value = s.after[(size_t)body - 1] / s.fastest;
    carom_strike_close(&s);
    return status;
}

static enum carom_status measure_momentum(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    struct carom_strike s;
    const enum carom_status status = strike_scene(m, &s, error);
    const struct carom_beads *beads = status == CAROM_OK ? carom_model_chain(s.track.sim->model) : NULL;
    double before = 0.0, after = 0.0;
    for (size_t i = 0; beads != NULL && i < beads->n; i++) {
        before += beads->mass[i] * s.v[i];
        after += beads->mass[i] * s.after[i];
    }
    *value = beads != NULL ? fabs(after / before - 1.0) : nan("");
    carom_strike_close(&s);
    return status;
}

/* how far the velocities are from being all the same, relative to the striker's */
static enum carom_status measure_spread(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    struct carom_strike s;
    const enum carom_status status = strike_scene(m, &s, error);
    if (status == CAROM_OK) {
        const size_t n = s.track.sim->model->nv;
        *value = 0.0;
        for (size_t i = 0; i < n; i++)
            *value = fmax(*value, fabs(s.after[i] / s.fastest - 1.0 / (double)n));
    }
    carom_strike_close(&s);
    return status;
}

const struct carom_measure carom_nguyen2011_list[] = {
    {"printed_steps", printed_keys, measure_steps},     {"printed_phi", printed_keys, measure_phi},
    {"printed_phi_end", printed_keys, measure_phi_end}, {"printed_error", printed_keys, measure_error},
    {"printed_order", order_keys, measure_order},       {"impact_energy", after_keys, measure_energy},
    {"impact_decades", after_keys, measure_decades},    {"impact_ledger", after_keys, measure_ledger},
    {"impact_velocity", after_keys, measure_velocity},  {"impact_momentum", after_keys, measure_momentum},
    {"impact_spread", after_keys, measure_spread},      {NULL, NULL, NULL},
};
