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
#include "scheme/stepper.h"

struct options {
    double tol, share;
    bool window;
};

static const struct carom_param params[] = {
    {"tol", CAROM_REAL, offsetof(struct options, tol), 1e-6, 1e-14, 0.1, "1",
     "error allowed over the run, relative to the scales U (displacement) and V (velocity)", NULL},
    {"share", CAROM_REAL, offsetof(struct options, share), 0.0, 0.0, 1.0, "1",
     "part of tol that one step may take; 0: found by pilot runs", NULL},
    {"window", CAROM_FLAG, offsetof(struct options, window), 1.0, 0.0, 1.0, "1",
     "step only the beads that a wave has reached and that do not fly freely", NULL},
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
    struct carom_losses start;        /* contacts at the start of the step */
    uint64_t count;                   /* the state the last step led to */
    double time;
    bool known;      /* that state and stepper->before are alike in all that a step does not write */
    bool last_known; /* k[6] belongs to that state: it is the next k[0] */
};

static void close(struct carom_stepper *stepper)
{
    struct dp5 *w = stepper->work;
    for (size_t s = 0; s < STAGES; s++)
        carom_memory_free(w->step.k[s]);
    double *const others[] = {w->trial, w->physical, w->start.deform, w->start.rate, w->start.viscous};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        carom_memory_free(others[i]);
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
    bool all = true;
    for (size_t s = 0; s < STAGES; s++)
        all &= (w->step.k[s] = carom_memory_zeroed(w->rates.nall + w->rates.nextra, sizeof(double))) != NULL;
    all &= (w->trial = carom_memory_zeroed(w->rates.nall, sizeof(double))) != NULL;
    all &= (w->physical = carom_memory_zeroed(stepper->model->nv, sizeof(double))) != NULL;
    double **const of_contacts[] = {&w->start.deform, &w->start.rate, &w->start.viscous};
    for (size_t i = 0; i < 3; i++)
        all &= (*of_contacts[i] = carom_memory_zeroed(stepper->model->nc, sizeof(double))) != NULL;
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
    carom_modes_start(&w->modes, state->time, state->q, state->v);
    carom_modes_save(&w->modes, state->memory + MODES);
    carom_rates_regular(&w->rates, state->q, state->v);
    return CAROM_OK;
}

/* Ranges of y that a step works on, one after the other: what feeds back (q, v, history) of awake beads, or what is
 * only tallied (losses, works). False: there are no more. */
static bool feeding(const struct dp5 *w, size_t i, size_t *from, size_t *to)
{
    if (!w->rates.regular) {
        *from = 0;
        *to = w->rates.nstate;
        return i == 0;
    }
    if (i >= 2 * w->rates.window.count)
        return false;
    const struct carom_span *s = &w->rates.window.span[i / 2];
    const size_t skip = i % 2 == 0 ? 0 : w->rates.chain.n;
    *from = skip + s->first;
    *to = skip + s->last;
    return true;
}

static bool tallied(const struct dp5 *w, size_t i, size_t *from, size_t *to)
{
    if (!w->rates.regular) {
        *from = w->rates.nstate;
        *to = w->rates.nall;
        return i == 0;
    }
    const size_t kinds = w->rates.cut ? 2 : w->rates.nextra ? 1 : 0;
    if (kinds == 0 || i >= kinds * w->rates.window.count)
        return false;
    const struct carom_span *s = &w->rates.window.span[i / kinds];
    const size_t skip = w->rates.nstate + (i % kinds) * w->rates.chain.nc;
    *from = skip + s->inner;
    *to = skip + s->outer;
    return true;
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
    for (size_t i = 0; w->rates.regular && feeding(w, i, &from, &to); i++)
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

/* the stages of a step of size h from `from` into w->trial; k[0] is known */
static void stages(struct carom_stepper *stepper, const struct carom_state *from, double h)
{
    struct dp5 *w = stepper->work;
    const double t = from->time + from->time_low;
    size_t first, last;
    w->step.y0 = from->data;
    w->step.h = h;
    for (size_t s = 1; s < STAGES; s++) {
        for (size_t i = 0; feeding(w, i, &first, &last); i++)
            carom_dormand_prince_stage(&w->step, s, first, last, w->trial);
        for (size_t i = 0; s + 1 == STAGES && tallied(w, i, &first, &last); i++)
            carom_dormand_prince_stage(&w->step, s, first, last, w->trial);
        carom_rates_evaluate(&w->rates, t + carom_dormand_prince_node(s) * h, w->trial, w->step.k[s]);
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

/* contacts that a step works on, range by range */
static bool contacts(const struct dp5 *w, size_t i, size_t *from, size_t *to)
{
    const struct carom_window *window = &w->rates.window;
    const bool more = i < (w->rates.regular ? window->count : 1);
    *from = more && w->rates.regular ? window->span[i].inner : 0;
    *to = !more ? 0 : w->rates.regular ? window->span[i].outer : w->rates.model->nc;
    return more;
}

/* contacts as the last evaluation left them: the start of the next step */
static void keep_contacts(struct dp5 *w)
{
    size_t from, to;
    for (size_t i = 0; contacts(w, i, &from, &to); i++) {
        const size_t size = (to - from) * sizeof(double);
        memcpy(w->start.deform + from, w->rates.deform + from, size);
        if (w->rates.nextra) {
            memcpy(w->start.rate + from, w->rates.rate + from, size);
            memcpy(w->start.viscous + from, w->rates.viscous + from, size);
        }
    }
}

/* losses put right, and what opened or closed */
static void settle_contacts(struct carom_stepper *stepper)
{
    struct dp5 *w = stepper->work;
    size_t from, to;
    stepper->switched = false;
    stepper->switched_first = stepper->model->nc;
    stepper->switched_last = 0;
    for (size_t i = 0; contacts(w, i, &from, &to); i++)
        for (size_t j = from; j < to; j++) {
            carom_losses_correct(&w->start, &w->rates, &w->step, j, w->trial);
            if ((w->start.deform[j] > 0.0) == (w->rates.deform[j] > 0.0))
                continue;
            stepper->switched_first = stepper->switched ? stepper->switched_first : j;
            stepper->switched_last = j + 1;
            stepper->switched = true;
        }
    keep_contacts(w);
}

/* settles an accepted step of size h */
static void settle(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop, double err)
{
    struct dp5 *w = stepper->work;
    size_t from, to;
    settle_contacts(stepper);
    for (size_t i = 0; feeding(w, i, &from, &to); i++)
        memcpy(state->data + from, w->trial + from, (to - from) * sizeof(double));
    for (size_t i = 0; tallied(w, i, &from, &to); i++)
        memcpy(state->data + from, w->trial + from, (to - from) * sizeof(double));
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    stepper->counts.local_error += err;
    /* k[6] is the next k[0], except where time or rotations enter, which a restart could not repeat to the bit */
    w->last_known = w->rates.regular;
    w->known = true;
    w->count = state->step;
    w->time = state->time;
    normalise(stepper, state->q);
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

/* turns the page and sees to k[0] and the overlaps at the start of the step: left by the last one, or worked out */
static void begin(struct carom_stepper *stepper, struct carom_state *state)
{
    const struct options *o = stepper->options;
    struct dp5 *w = stepper->work;
    const double t = state->time + state->time_low;
    const bool known = w->known && w->count == state->step && w->time == state->time;
    if (!known) { /* a new or restored state */
        carom_state_copy(stepper->before, state);
        carom_modes_load(&w->modes, state->memory + MODES);
        if (w->rates.regular)
            carom_window_load(&w->rates.window, since(state, stepper->model));
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
        stages(stepper, from, h);
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
            stages(stepper, from, h);
        }
        /* a step cut short says nothing about the next: it starts as this one would have */
        state->memory[NEXT_STEP] = h < wish ? wish : next_step(state, wish, relative, rejected);
        settle(stepper, state, h, t_stop, err);
        if (carom_modes_change(&w->modes, which, state->data))
            w->last_known = false;
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
    carom_rates_physical(&w->rates, view->q, view->v);
    carom_window_advance(&w->rates.window, state->time + state->time_low, state->v, since(state, stepper->model),
                         view->q);
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
    carom_chain_deform(chain, from, to, state->q, deform + from);
    const struct carom_response want = {.viscous = viscous + from};
    carom_contacts_evaluate(stepper->model, from, to, deform + from, NULL, NULL, &want);
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
    for (size_t i = 0; feeding(w, i, &first, &last); i++)
        carom_dormand_prince_dense(&w->step, s, first, last, view->data);
    for (size_t i = 0; tallied(w, i, &first, &last); i++)
        carom_dormand_prince_dense(&w->step, s, first, last, view->data);
    normalise(stepper, view->q);
    carom_state_clock(view, t);
    if (!w->rates.regular)
        return;
    carom_modes_load_cut(&w->modes, from->memory + MODES); /* those of the step */
    carom_rates_physical(&w->rates, view->q, view->v);
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
