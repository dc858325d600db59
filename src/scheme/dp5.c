/* Dormand and Prince's explicit Runge-Kutta pair of order 5(4) with error control and dense output of order 4. Runs any
 * model; chains run on regularised variables (rates.h). `tol` bounds the local error of each step relative to the
 * scales; steps end where contacts open, close or are cut, which is located (modes.h). Beads of a chain that no wave
 * has reached, or that fly freely, cost nothing (window.h). */
#include <string.h>

#include "base/memory.h"
#include "scheme/dormand_prince.h"
#include "scheme/losses.h"
#include "scheme/modes.h"
#include "scheme/rates.h"
#include "scheme/rates_fused.h"
#include "scheme/spans.h"
#include "scheme/stepper.h"

struct options {
    double tol, share;
    bool window, doze;
};

static const struct carom_param params[] = {
    {"tol", CAROM_REAL, offsetof(struct options, tol), 1e-6, 1e-14, 0.1, "1",
     "error allowed over the run, relative to the scales U (displacement) and V (velocity)", NULL},
    {"share", CAROM_REAL, offsetof(struct options, share), 0.0, 0.0, 1.0, "1",
     "part of tol that one step may take; 0: found by pilot runs", NULL},
    {"window", CAROM_FLAG, offsetof(struct options, window), 1.0, 0.0, 1.0, "1",
     "step only the beads that a wave has reached and that do not fly freely", NULL},
    {"doze", CAROM_FLAG, offsetof(struct options, doze), 0.0, 0.0, 1.0, "1",
     "do not step beads either that hardly move, within the error that a single step may have", NULL},
    CAROM_PARAM_END,
};

/* Stages; and what the state's memory holds: the next step, the last error, what a step may have; then the modes of all
 * contacts and, for chains, since when each bead is asleep. */
enum { STAGES = CAROM_DORMAND_PRINCE_STAGES, NEXT_STEP = 0, LAST_ERROR = 1, ALLOWED = 2, MODES = 3 };
enum { REST_EVERY = 16 }; /* steps between looks for beads that may sleep */

static const double usual_share = 0.1; /* errors of single steps add up */

struct dp5 {
    struct carom_rates rates;
    struct carom_modes modes;
    struct carom_dormand_prince step; /* the last one; y1 is `trial`, its end in the variables of its start */
    double *trial;                    /* nall */
    double *physical;                 /* nv */
    struct carom_losses start, last;  /* contacts at the start of the step; and of the step before */
    uint64_t count;                   /* the state the last step led to */
    double time;
    bool hertzian;   /* pushes near touch can be put right: carom_losses_correct_push */
    bool known;      /* that state and stepper->before are alike in all that a step does not write */
    bool last_known; /* k[6] belongs to that state: it is the next k[0] */
};

static void close(struct carom_stepper *stepper)
{
    struct dp5 *w = stepper->work;
    for (size_t s = 0; s < STAGES; s++)
        carom_memory_free(w->step.k[s]);
    carom_memory_free(w->trial);
    carom_memory_free(w->physical);
    carom_losses_close(&w->start);
    carom_losses_close(&w->last);
    carom_modes_close(&w->modes);
    carom_rates_close(&w->rates);
    carom_memory_free(w);
    stepper->work = NULL;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct options *o = stepper->options;
    struct dp5 *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme dp5");
    enum carom_status status = carom_rates_open(&w->rates, stepper->model, error);
    if (status == CAROM_OK)
        status = carom_modes_open(&w->modes, &w->rates, 1e-3 * o->tol * stepper->scales.length, error);
    if (status != CAROM_OK)
        return status;
    w->hertzian = carom_rates_fused_fits(&w->rates) && w->rates.chain.beads->ndrives == 0;
    w->modes.slow = 1e-3 * o->tol * stepper->scales.speed;
    bool all = true;
    for (size_t s = 0; s < STAGES; s++)
        all &= (w->step.k[s] = carom_memory_zeroed(w->rates.nall + w->rates.nextra, sizeof(double))) != NULL;
    all &= (w->trial = carom_memory_zeroed(w->rates.nall, sizeof(double))) != NULL;
    all &= (w->physical = carom_memory_zeroed(stepper->model->nv, sizeof(double))) != NULL;
    all &= carom_losses_open(&w->start, stepper->model->nc);
    all &= carom_losses_open(&w->last, stepper->model->nc);
    w->step.y1 = w->trial;
    return all ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme dp5");
}

static size_t memory(const struct carom_model *model, const void *options)
{
    (void)options;
    return MODES + model->nc + (model->offers & CAROM_CHAIN ? model->nq : 0);
}

static double *since(const struct carom_state *state, const struct carom_model *model)
{
    return state->memory + MODES + model->nc;
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    (void)error;
    const struct options *o = stepper->options;
    struct dp5 *w = stepper->work;
    state->memory[NEXT_STEP] = state->memory[LAST_ERROR] = 0.0;
    state->memory[ALLOWED] = o->tol * (o->share > 0.0 ? o->share : usual_share);
    w->known = false;
    if (w->rates.regular) {
        for (size_t i = 0; i < stepper->model->nq; i++)
            since(state, stepper->model)[i] = CAROM_WINDOW_AWAKE;
        carom_window_load(&w->rates.window, since(state, stepper->model));
    }
    carom_model_impose(stepper->model, state->time, state->q, state->v);
    carom_rates_clock(&w->rates, state->time + state->time_low);
    carom_modes_start(&w->modes, state->time, state->q, state->v, state->history);
    carom_modes_save(&w->modes, state->memory + MODES);
    carom_rates_regular(&w->rates, state->q, state->v);
    return CAROM_OK;
}

/* does all that feeds back move? Then it is one range */
static bool is_whole(const struct dp5 *w)
{
    const struct carom_window *window = &w->rates.window;
    return w->rates.regular && window->count == 1 && window->span[0].first == 0 &&
           window->span[0].last == w->rates.chain.n;
}

/* local error in units of the scales; what is not q or v is history, which has units of its own: relative to its
 * largest */
static double local_error(const struct carom_stepper *stepper, const double *y)
{
    const struct dp5 *w = stepper->work;
    const struct carom_model *m = stepper->model;
    const double length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    const double speed = stepper->scales.speed > 0.0 ? stepper->scales.speed : 1.0;
    double worst = 0.0;
    size_t from, to;
    for (size_t i = 0; w->rates.regular && carom_spans_feeding(&w->rates, i, &from, &to); i++)
        worst = fmax(worst, carom_dormand_prince_error(&w->step, from, to) / (i % 2 == 0 ? length : speed));
    if (w->rates.regular)
        return worst;
    worst = fmax(carom_dormand_prince_error(&w->step, 0, m->nq) / length,
                 carom_dormand_prince_error(&w->step, m->nq, m->nq + m->nv) / speed);
    double largest = 0.0;
    for (size_t i = m->nq + m->nv; i < w->rates.nstate; i++)
        largest = fmax(largest, fabs(y[i]));
    if (largest > 0.0)
        worst = fmax(worst, carom_dormand_prince_error(&w->step, m->nq + m->nv, w->rates.nstate) / largest);
    return worst;
}

/* The stages of a step of size h from `from` into w->trial; k[0] is known. Signals that break at the end of the step
 * are taken as they are before. */
static void stages(struct carom_stepper *stepper, const struct carom_state *from, double h, double t_stop)
{
    struct dp5 *w = stepper->work;
    const double t = from->time + from->time_low, end = carom_loads_before(t_stop);
    size_t first, last;
    w->step.y0 = from->data;
    w->step.h = h;
    for (size_t s = 1; s < STAGES; s++) {
        if (is_whole(w))
            carom_dormand_prince_stage(&w->step, s, 0, w->rates.nstate, w->trial);
        for (size_t i = 0; !is_whole(w) && carom_spans_feeding(&w->rates, i, &first, &last); i++)
            carom_dormand_prince_stage(&w->step, s, first, last, w->trial);
        for (size_t i = 0; s + 1 == STAGES && carom_spans_tallied(&w->rates, i, &first, &last); i++)
            carom_dormand_prince_stage(&w->step, s, first, last, w->trial);
        const double at = fmin(t + carom_dormand_prince_node(s) * h, end);
        carom_model_impose(stepper->model, at, w->trial, w->trial + stepper->model->nq);
        carom_rates_evaluate(&w->rates, at, w->trial, w->step.k[s]);
    }
    stepper->counts.evaluations += STAGES - 1;
}

/* a first guess; the error control corrects it at once */
static double first_step(const struct carom_stepper *stepper, double left)
{
    const struct options *o = stepper->options;
    const double time = stepper->scales.contact_time > 0.0 ? stepper->scales.contact_time : left;
    const double guess = 0.1 * time * pow(o->tol, 0.2);
    return guess < left ? guess : left;
}

static enum carom_status give_up(struct carom_stepper *stepper, struct carom_state *state, double h,
                                 struct carom_error *error)
{
    const struct options *o = stepper->options;
    struct dp5 *w = stepper->work;
    carom_state_swap(state, stepper->before);
    w->known = w->last_known = false;
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "dp5 cannot keep tol = %g at t = %g: its step shrank to %g; a larger tol may do", o->tol,
                           state->time, h);
}

/* rotations go back onto their manifold */
static void normalise(struct carom_stepper *stepper, double *q)
{
    struct dp5 *w = stepper->work;
    for (size_t i = 0; i < stepper->model->nparts; i++) {
        const struct carom_member *m = &stepper->model->member[i];
        if (!m->part->move)
            continue;
        memset(w->physical, 0, m->nv * sizeof(double));
        memcpy(w->step.k[1], q + m->q0, m->nq * sizeof(double));
        m->part->move(m->own, w->step.k[1], w->physical, q + m->q0);
    }
}

/* contacts as the last evaluation left them: the start of the next step */
static void keep_contacts(struct dp5 *w)
{
    const struct carom_losses hold = w->last;
    size_t from, to;
    w->last = w->start;
    w->start = hold;
    for (size_t i = 0; carom_spans_contacts(&w->rates, i, &from, &to); i++)
        carom_losses_keep(&w->start, &w->rates, from, to);
}

/* do contacts [from, to) that are closed before and after differ? Most steps: no */
static bool any_switched(const double *before, const double *now, size_t from, size_t to)
{
    unsigned any = 0;
    for (size_t j = from; j < to; j++)
        any |= (unsigned)(before[j] > 0.0) ^ (unsigned)(now[j] > 0.0);
    return any != 0;
}

/* losses put right, and what opened or closed */
static void settle_contacts(struct carom_stepper *stepper)
{
    struct dp5 *w = stepper->work;
    size_t from, to;
    stepper->switched = false;
    stepper->switched_first = stepper->model->nc;
    stepper->switched_last = 0;
    const double *before = w->start.deform, *now = w->rates.deform;
    for (size_t i = 0; carom_spans_contacts(&w->rates, i, &from, &to); i++) {
        carom_losses_correct(&w->start, &w->rates, &w->step, from, to, w->trial);
        for (size_t j = any_switched(before, now, from, to) ? from : to; j < to; j++) {
            if ((before[j] > 0.0) == (now[j] > 0.0))
                continue;
            stepper->switched_first = stepper->switched ? stepper->switched_first : j;
            stepper->switched_last = j + 1;
            stepper->switched = true;
        }
    }
    if (w->rates.regular && w->rates.chain.beads->ndrives > 0)
        carom_losses_correct_drives(&w->start, &w->rates, &w->step, stepper->before->time + stepper->before->time_low,
                                    w->rates.chain.time, w->trial);
    keep_contacts(w);
}

/* settles an accepted step of size h */
static void settle(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop, double err)
{
    struct dp5 *w = stepper->work;
    size_t from, to;
    const double least = 1e-2 * state->memory[ALLOWED] * stepper->scales.speed;
    if (w->hertzian && carom_losses_correct_push(&w->start, &w->rates, &w->step, least, w->trial)) {
        carom_rates_evaluate(&w->rates, w->rates.chain.time, w->trial, w->step.k[6]);
        stepper->counts.evaluations++;
    }
    settle_contacts(stepper);
    for (size_t i = 0; carom_spans_feeding(&w->rates, i, &from, &to); i++)
        memcpy(state->data + from, w->trial + from, (to - from) * sizeof(double));
    for (size_t i = 0; carom_spans_tallied(&w->rates, i, &from, &to); i++)
        memcpy(state->data + from, w->trial + from, (to - from) * sizeof(double));
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    stepper->counts.local_error += err;
    /* k[6] is the next k[0], except where time or rotations enter, which a restart could not repeat to the bit */
    w->last_known = w->rates.regular && !w->rates.chain.beads->nloads && !w->rates.chain.beads->ndrives;
    w->known = true;
    w->count = state->step;
    w->time = state->time;
    normalise(stepper, state->q);
    carom_model_impose(stepper->model, state->time + state->time_low, state->q, state->v);
}

/* what a step does not write goes alike into both blocks: of beads that woke or fell asleep, and modes that changed */
static void copy_still(struct carom_stepper *stepper, const struct carom_state *state)
{
    const struct dp5 *w = stepper->work;
    const struct carom_model *model = stepper->model;
    struct carom_state *other = stepper->before;
    carom_modes_save(&w->modes, other->memory + MODES);
    for (size_t k = 0; k < w->rates.window.nnext; k++) {
        const struct carom_span *s = &w->rates.window.next[k];
        const size_t beads = (s->last - s->first) * sizeof(double), inner = (s->outer - s->inner) * sizeof(double);
        memcpy(other->q + s->first, state->q + s->first, beads);
        memcpy(other->v + s->first, state->v + s->first, beads);
        memcpy(since(other, model) + s->first, since(state, model) + s->first, beads);
        memcpy(other->memory + MODES + s->inner, state->memory + MODES + s->inner, inner);
        if (state->nlost)
            memcpy(other->lost + s->inner, state->lost + s->inner, inner);
        if (state->nclipped)
            memcpy(other->clipped + s->inner, state->clipped + s->inner, inner);
    }
}

/* What may doze moves no more than the error that a step may have anyway: speeds by that, overlaps by the speed that
 * their energy could become, which goes with their power 5/4. */
static void set_doze(struct carom_stepper *stepper, const struct carom_state *state)
{
    const struct options *o = stepper->options;
    struct dp5 *w = stepper->work;
    const double allowed = state->memory[ALLOWED];
    const bool may = o->doze && !w->rates.cut && !w->modes.phases;
    w->rates.window.pace = may ? allowed * stepper->scales.speed : 0.0;
    w->rates.window.depth = may ? 0.3 * stepper->scales.length * pow(allowed, 0.8) : 0.0;
}

/* turns the page and sees to k[0] and the overlaps at the start of the step: left by the last one, or worked out */
static void begin(struct carom_stepper *stepper, struct carom_state *state)
{
    const struct options *o = stepper->options;
    struct dp5 *w = stepper->work;
    const double t = state->time + state->time_low;
    carom_model_impose(stepper->model, t, state->q, state->v);
    const bool known = w->known && w->count == state->step && w->time == state->time;
    if (!known) { /* a new or restored state */
        carom_state_copy(stepper->before, state);
        carom_modes_load(&w->modes, state->memory + MODES);
        if (w->rates.regular)
            carom_window_load(&w->rates.window, since(state, stepper->model));
        set_doze(stepper, state);
        w->last_known = false;
    }
    carom_modes_load_cut(&w->modes, state->memory + MODES);
    w->rates.window.nnext = 0;
    if (w->rates.regular && o->window &&
        carom_window_update(&w->rates.window, t, state->q, state->v, since(state, stepper->model),
                            state->step % REST_EVERY == 0))
        w->last_known = false;
    else
        w->rates.window.nnext = 0;
    copy_still(stepper, state);
    carom_stepper_turn_some(stepper, state, MODES);
    if (w->last_known) {
        double *const hold = w->step.k[0];
        w->step.k[0] = w->step.k[6];
        w->step.k[6] = hold;
        return;
    }
    carom_rates_evaluate(&w->rates, t, stepper->before->data, w->step.k[0]);
    keep_contacts(w);
    stepper->counts.evaluations++;
}

/* a controller with memory of the last error (Gustafsson); no growth right after a rejection */
static double next_step(struct carom_state *state, double wish, double error, bool rejected)
{
    const double last = state->memory[LAST_ERROR] > 0.0 ? state->memory[LAST_ERROR] : 1.0;
    const double now = error > 1e-4 ? error : 1e-4;
    state->memory[LAST_ERROR] = now;
    return wish * fmin(rejected ? 1.0 : 5.0, fmax(0.2, 0.9 * pow(now, -0.14) * pow(last, 0.08)));
}

static enum carom_status one_step(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                                  struct carom_error *error)
{
    struct dp5 *w = stepper->work;
    begin(stepper, state);
    const struct carom_state *from = stepper->before;
    w->last_known = w->known = false;
    double wish = state->memory[NEXT_STEP];
    if (!(wish > 0.0))
        wish = first_step(stepper, carom_state_until(from, t_stop));
    for (bool rejected = false;; rejected = true) {
        double h = carom_stepper_size(from, wish, t_stop);
        stages(stepper, from, h, t_stop);
        const double err = local_error(stepper, from->data), relative = err / state->memory[ALLOWED];
        if (!(relative <= 1.0)) {
            stepper->counts.rejected++;
            wish = h * (relative < HUGE_VAL ? fmax(0.2, 0.9 * pow(relative, -0.2)) : 0.1);
            if (!(wish > 1e-15 * fabs(from->time)) || !(wish > 1e-12 * stepper->scales.contact_time))
                return give_up(stepper, state, wish, error);
            continue;
        }
        size_t which;
        const double part = carom_modes_first(&w->modes, &w->step, from->time + from->time_low, &which);
        if (which < stepper->model->nc && part < 1.0) {
            h *= part;
            stages(stepper, from, h, t_stop);
        }
        /* a step cut short says nothing about the next: it starts as this one would have */
        state->memory[NEXT_STEP] = h < wish ? wish : next_step(state, wish, relative, rejected);
        settle(stepper, state, h, t_stop, err);
        if (carom_modes_change(&w->modes, which, state->data))
            w->last_known = false;
        state->memory[NEXT_STEP] /= sqrt(w->modes.stiffer); /* or one step might pass over the whole phase */
        carom_modes_save(&w->modes, state->memory + MODES);
        return CAROM_OK;
    }
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    for (size_t taken = 0; taken == 0 || !carom_stepper_done(stepper, state, bound, taken); taken++) {
        const enum carom_status status = one_step(stepper, state, bound->t_stop, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

static void sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    struct dp5 *w = stepper->work;
    carom_state_view(view, state);
    if (!w->rates.regular)
        return;
    if (!(w->known && w->count == state->step && w->time == state->time) && state != stepper->before)
        carom_window_load(&w->rates.window, since(state, stepper->model));
    carom_modes_load_cut(&w->modes, state->memory + MODES);
    w->rates.history = view->history;
    carom_rates_clock(&w->rates, state->time + state->time_low);
    carom_rates_physical(&w->rates, view->q, view->v);
    carom_window_advance(&w->rates.window, state->time + state->time_low, state->v, since(state, stepper->model),
                         view->q);
    carom_model_impose(stepper->model, state->time + state->time_low, view->q, view->v);
}

/* only around contacts that have just changed: their neighbours are awake */
static void glimpse(struct carom_stepper *stepper, const struct carom_state *state, size_t first, size_t last,
                    struct carom_state *view)
{
    struct dp5 *w = stepper->work;
    const struct carom_chain *chain = &w->rates.chain;
    const size_t size = (last - first) * sizeof(double);
    memcpy(view->q + first, state->q + first, size);
    memcpy(view->v + first, state->v + first, size);
    carom_state_clock(view, state->time);
    if (!w->rates.regular || !stepper->model->damped)
        return;
    size_t from, to;
    carom_chain_beside(chain, first, last, &from, &to);
    double *deform = w->rates.power, *viscous = w->rates.lambda, *push = w->rates.force;
    carom_rates_clock(&w->rates, state->time + state->time_low);
    carom_chain_deform(chain, from, to, state->q, deform + from);
    const struct carom_response want = {.viscous = viscous + from};
    carom_contacts_evaluate(stepper->model, from, to, deform + from, NULL, state->history, &want);
    for (size_t j = from; w->rates.cut && j < to; j++)
        viscous[j] *= state->memory[MODES + j] == CAROM_MODE_CUT ? 0.0 : 1.0;
    carom_chain_push(chain, first, last, viscous, 0, push + first);
    for (size_t i = first; i < last; i++)
        view->v[i] += push[i] * chain->beads->inverse_mass[i];
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    struct dp5 *w = stepper->work;
    const struct carom_state *from = stepper->before;
    const double h = carom_state_until(from, state->time) + state->time_low;
    const double s = carom_state_until(from, t) / h;
    size_t first, last;
    carom_state_view(view, state);
    for (size_t i = 0; carom_spans_feeding(&w->rates, i, &first, &last); i++)
        carom_dormand_prince_dense(&w->step, s, first, last, view->data);
    for (size_t i = 0; carom_spans_tallied(&w->rates, i, &first, &last); i++)
        carom_dormand_prince_dense(&w->step, s, first, last, view->data);
    normalise(stepper, view->q);
    carom_state_clock(view, t);
    if (!w->rates.regular)
        return;
    carom_modes_load_cut(&w->modes, from->memory + MODES); /* those of the step */
    w->rates.history = view->history;
    carom_rates_clock(&w->rates, t);
    carom_model_impose(stepper->model, t, view->q, view->v);
    carom_rates_physical(&w->rates, view->q, view->v);
    for (size_t i = 0; w->rates.nextra && carom_spans_contacts(&w->rates, i, &first, &last); i++)
        for (size_t j = first; j < last; j++)
            carom_losses_between(&w->last, &w->start, &w->rates, &w->step, s, j, view->data);
    carom_window_advance(&w->rates.window, t, state->v, since(state, stepper->model), view->q);
}

const struct carom_scheme carom_scheme_dp5 = {
    .kind = {"dp5", "explicit, order 5, error-controlled; runs any model", params, sizeof(struct options)},
    .needs = CAROM_COMPLIANT,
    .order = 5,
    .dense_order = 4,
    .memory = memory,
    .open = open,
    .start = start,
    .step = step,
    .sync = sync,
    .glimpse = glimpse,
    .dense = dense,
    .close = close,
};
