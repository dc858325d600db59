/* Impact `lzb-impulse`: LZB in steps of impulse, as Nguyen and Brogliato 2011 print it (lzb_walk.h has the algorithm).
 * First order in dP; impact `lzb` is the same physics in time, with a tolerance. The estimate of the error is the
 * difference from a walk with twice the step. With safeguards (as a rule) energy is never created and what is left at
 * the end, far below the error of the steps, is stopped; without them both defects of the printed scheme are there. */
#include "impact/lzb_impulse.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "carom/impact.h"
#include "impact/plastic.h"
#include "solve/contact/lcp.h"

static const char *const switches[] = {"on", "off", NULL};
static const char *const stiffnesses[] = {"bi", "mono", NULL};

static const double usual_step = 1e-5; /* of the impulse that would stop the heaviest pair at the speed V of the run */
static const double usual_energy = 1e-28; /* of the energy in its approach */
static const double weakest_told = 1e-5;  /* of the largest force told so far: what is weaker is not told */
static const double remainder_of = 1e-2;  /* of the error of a step, relative: what may be left at the end */

static const struct carom_param params[] = {
    {"dP", CAROM_REAL, offsetof(struct carom_lzb_impulse_options, dP), 0, CAROM_POSITIVE, HUGE_VAL, "N*s",
     "impulse of the primary contact in a step; if not given, 1e-5 of what stops the heaviest pair at V", NULL},
    {"threshold", CAROM_REAL, offsetof(struct carom_lzb_impulse_options, threshold), 0, 0, HUGE_VAL, "J",
     "stored energy that counts as none; 0: 1e-28 of the energy in the fastest approach", NULL},
    {"safeguards", CAROM_CHOICE, offsetof(struct carom_lzb_impulse_options, safeguards), 0, 0, 1, "1",
     "shorter steps where contacts end, so that no energy is created; off: as printed", switches},
    {"stiffness", CAROM_CHOICE, offsetof(struct carom_lzb_impulse_options, stiffness), 0, 0, 1, "1",
     "where energy is lost: in a stiffer way out (bi), or when it has given back its part (mono)", stiffnesses},
    {"impact_steps", CAROM_INTEGER, offsetof(struct carom_lzb_impulse_options, impact_steps), 0, 0, 1e15, "1",
     "steps in one impact before it is given up; 0: a hundred times the expected", NULL},
    CAROM_PARAM_END,
};

struct work {
    struct carom_lzb_impulse_options options;
    struct carom_lzb_walk walk;
    struct carom_lcp_room room;
    double *rate, *after, *plastic; /* room each */
    double *coarse;                 /* nv */
};

static void close(struct carom_striker *striker)
{
    struct work *w = striker->work;
    carom_lzb_walk_close(&w->walk);
    carom_lcp_close(&w->room);
    carom_memory_free_all(w->rate, w->after, w->plastic, w->coarse, w);
    striker->work = NULL;
}

static enum carom_status open(struct carom_striker *striker, struct carom_error *error)
{
    const size_t room = striker->room, nv = striker->model->nv;
    struct work *w = striker->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for impact lzb-impulse");
    w->rate = carom_memory_zeroed(room, sizeof(double));
    w->after = carom_memory_zeroed(room, sizeof(double));
    w->plastic = carom_memory_zeroed(room, sizeof(double));
    w->coarse = carom_memory_zeroed(nv, sizeof(double));
    if (!w->rate || !w->after || !w->plastic || !w->coarse || !carom_lzb_walk_open(&w->walk, room, nv))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for impact lzb-impulse");
    carom_param_defaults(&carom_impact_lzb_impulse.kind, &w->options);
    if (striker->options)
        w->options = *(const struct carom_lzb_impulse_options *)striker->options;
    return carom_lcp_open(&w->room, room, !(striker->model->offers & CAROM_CHAIN), error);
}

struct carom_lzb_walk_manner carom_lzb_impulse_manner(const struct carom_lzb_impulse_options *o,
                                                      const struct carom_frame *frame, const double *rate, double speed)
{
    double fastest = 0.0, stop = 0.0, energy = 0.0, least = HUGE_VAL;
    for (size_t j = 0; j < frame->n; j++) {
        const double a = rate[j] < 0.0 ? -rate[j] : 0.0;
        fastest = fmax(fastest, a);
        stop = fmax(stop, a / frame->diagonal[j]);
        energy = fmax(energy, 0.5 * a * a / frame->diagonal[j]);
        least = fmin(least, frame->diagonal[j]);
    }
    /* weak impacts need no finer steps than strong ones */
    const double usual = usual_step * (speed > fastest ? speed / least : stop);
    const double dP = o->dP > 0.0 ? o->dP : usual, left = remainder_of * fmin(dP / stop, 1.0);
    const double rest = left * left * energy, expected = (double)frame->n * stop / dP;
    return (struct carom_lzb_walk_manner){.dP = dP,
                                          .stride = 1.0,
                                          .limit = o->impact_steps > 0 ? (uint64_t)o->impact_steps
                                                                       : (uint64_t)fmin(1e7 + 100.0 * expected, 1e15),
                                          .threshold = o->threshold > 0.0 ? o->threshold : usual_energy * energy,
                                          .quiet = 0.5 * DBL_EPSILON * fastest,
                                          .rest = rest,
                                          .calm = fmin(left * fastest, sqrt(2.0 * rest * least)),
                                          .safe = o->safeguards == 0,
                                          .mono = o->stiffness == 1};
}

/* --- walking ----------------------------------------------------------------------------------------------------- */

static enum carom_status give_up(const struct work *w, struct carom_error *error)
{
    const struct carom_frame *frame = w->walk.frame;
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "impact lzb-impulse: %llu steps of dP = %g did not end an impact of %zu contacts, contact "
                           "%zu the first (option impact_steps); a longer dP takes fewer, impact lzb needs none; "
                           "bodies that have nowhere to go with es = 1 never come to an end",
                           (unsigned long long)w->walk.steps, w->walk.manner.dP, frame->n,
                           carom_frame_number(frame->model, frame->contact[0]));
}

/* what was told so far: the number of the next sample, the largest force */
struct told {
    uint64_t sample;
    double loudest;
};

/* forces at the samples that the last step, of time dt, has passed */
static void tell(const struct carom_lzb_walk *walk, const struct carom_trace *trace, double dt, struct told *told)
{
    for (; (double)told->sample * trace->every <= walk->t && dt > 0.0; told->sample++) {
        const double t = (double)told->sample * trace->every, past = (walk->t - t) / dt;
        for (size_t i = 0; i < walk->nspans; i++)
            for (size_t j = walk->span[i][0]; j < walk->span[i][1]; j++) {
                const double force = walk->F[j] + past * (walk->was[j] - walk->F[j]);
                told->loudest = fmax(told->loudest, force);
                if (force > weakest_told * told->loudest)
                    trace->force(trace->own, walk->frame->contact[j], t, force);
            }
    }
}

/* steps of n contacts between two questions to whoever waits for the end: some milliseconds */
static uint64_t patient(size_t n)
{
    return 1 + 200000 / (1 + n);
}

static enum carom_status walk_through(struct work *w, const struct carom_collision *c, double speed, double step,
                                      const struct carom_trace *trace, struct carom_error *error)
{
    struct carom_lzb_walk *walk = &w->walk;
    struct carom_lzb_walk_manner manner = carom_lzb_impulse_manner(&w->options, c->frame, w->rate, speed);
    struct told told = {.sample = 1};
    const uint64_t pause = patient(c->frame->n);
    manner.dP *= step;
    manner.stride *= step;
    walk->listens = trace != NULL && trace->every > 0.0;
    carom_lzb_walk_begin(walk, c->frame, c->v, c->k, c->p, c->e, &manner);
    while (carom_lzb_walk_goes_on(walk)) {
        if (walk->steps == manner.limit)
            return give_up(w, error);
        if (walk->steps % pause == pause - 1 && carom_striker_stopped(c, error))
            return CAROM_E_STOPPED;
        const double dt = carom_lzb_walk_step(walk);
        if (walk->listens)
            tell(walk, trace, dt, &told);
    }
    carom_lzb_walk_balance(walk);
    for (size_t i = 0; i < c->frame->model->nv; i++)
        if (!(fabs(walk->v[i]) < HUGE_VAL))
            return carom_error_set(error, CAROM_E_NUMERIC,
                                   "impact lzb-impulse: velocities grew beyond all numbers; safeguards: on forbids it");
    return CAROM_OK;
}

static enum carom_status look(struct work *w, const struct carom_collision *c, double *fastest,
                              struct carom_error *error)
{
    const struct carom_frame *frame = c->frame;
    *fastest = 0.0;
    carom_frame_rates(frame, c->v, w->rate);
    for (size_t i = 0; i < frame->n; i++) {
        const size_t number = carom_frame_number(frame->model, frame->contact[i]);
        if (!isfinite(w->rate[i]))
            return carom_error_set(error, CAROM_E_NUMERIC,
                                   "impact lzb-impulse: contact %zu: the gap rate must be finite, got %g", number,
                                   w->rate[i]);
        if ((c->k && !(c->k[i] > 0.0 && c->k[i] < HUGE_VAL)) || (c->p && !(c->p[i] >= 1.0 && c->p[i] < HUGE_VAL)) ||
            !(c->e[i] >= 0.0 && c->e[i] <= 1.0))
            return carom_error_set(error, CAROM_E_INPUT,
                                   "impact lzb-impulse: contact %zu: k must be positive, p at least 1 and es between 0 "
                                   "and 1, got k = %g, p = %g, es = %g",
                                   number, c->k ? c->k[i] : 1.0, c->p ? c->p[i] : 1.5, c->e[i]);
        *fastest = fmax(*fastest, -w->rate[i]);
    }
    return CAROM_OK;
}

/* A row of contacts with es = 1 between two sides that do not move, once struck, never comes to an end. Other sets
 * without a way out are found by the number of steps. */
static enum carom_status check_held(const struct work *w, const struct carom_collision *c, struct carom_error *error)
{
    const struct carom_frame *f = c->frame;
    size_t end;
    for (size_t first = 0; f->chain && first < f->n; first = end) {
        bool lossless = true, struck = false;
        for (end = first; end < f->n && (end == first || f->beside[end - 1] != 0.0); end++) {
            lossless &= c->e[end] == 1.0;
            struck |= w->rate[end] < 0.0;
        }
        /* diagonal: inverse masses of both sides; beside: minus that of the bead that two contacts share */
        if (end - first > 1 && lossless && struck && f->diagonal[first] + f->beside[first] == 0.0 &&
            f->diagonal[end - 1] + f->beside[end - 2] == 0.0)
            return carom_error_set(error, CAROM_E_NUMERIC,
                                   "impact lzb-impulse: contacts %zu to %zu are held between walls with es = 1: their "
                                   "impact has no end; it has one with es below 1, or under theory: compliant",
                                   carom_frame_number(f->model, f->contact[first]),
                                   carom_frame_number(f->model, f->contact[end - 1]));
    }
    return CAROM_OK;
}

static enum carom_status solve(struct carom_striker *striker, struct carom_collision *c, struct carom_error *error)
{
    struct work *w = striker->work;
    const struct carom_frame *frame = c->frame;
    const size_t n = frame->n, nv = frame->model->nv;
    double fastest;
    c->residual = c->estimate = c->duration = 0.0;
    c->iterations = 0;
    enum carom_status status = look(w, c, &fastest, error);
    if (status == CAROM_OK)
        status = check_held(w, c, error);
    if (status == CAROM_OK && fastest > 0.0)
        status = walk_through(w, c, striker->speed, 2.0, NULL, error);
    if (status != CAROM_OK)
        return status;
    if (fastest == 0.0) {
        memmove(c->after, c->v, nv * sizeof(double));
        memset(c->impulse, 0, n * sizeof(double));
        memset(c->lost, 0, n * sizeof(double));
        return CAROM_OK;
    }
    memcpy(w->coarse, w->walk.v, nv * sizeof(double));
    status = walk_through(w, c, striker->speed, 1.0, c->trace, error);
    if (status != CAROM_OK)
        return status;
    for (size_t i = 0; i < nv; i++)
        c->estimate = fmax(c->estimate, fabs(w->walk.v[i] - w->coarse[i]));
    c->duration = w->walk.t;
    memcpy(c->after, w->walk.v, nv * sizeof(double));
    memcpy(c->impulse, w->walk.impulse, n * sizeof(double));
    memcpy(c->lost, w->walk.work, n * sizeof(double));
    const struct carom_plastic plastic = {&w->room, w->rate, w->after, w->plastic};
    const enum carom_status ended = carom_plastic_stop(&plastic, c, "lzb-impulse", error);
    c->iterations = w->walk.steps;
    return ended;
}

const struct carom_impact carom_impact_lzb_impulse = {
    .kind = {"lzb-impulse", "the same in steps of impulse, as printed: first order in dP", params,
             sizeof(struct carom_lzb_impulse_options)},
    .springy = true,
    .open = open,
    .solve = solve,
    .close = close,
};
