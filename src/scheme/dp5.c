/* Dormand and Prince's explicit Runge-Kutta pair of order 5(4) with error control and dense output of order 4. Runs any
 * model; chains run on regularised variables (rates.h). `tol` bounds the local error of each step relative to the
 * scales; steps end where contacts open, close or are cut, which is located (modes.h). */
#include <string.h>

#include "base/memory.h"
#include "scheme/dormand_prince.h"
#include "scheme/modes.h"
#include "scheme/rates.h"
#include "scheme/stepper.h"

struct options {
    double tol, share;
};

static const struct carom_param params[] = {
    {"tol", CAROM_REAL, offsetof(struct options, tol), 1e-6, 1e-14, 0.1, "1",
     "error allowed over the run, relative to the scales U (displacement) and V (velocity)", NULL},
    {"share", CAROM_REAL, offsetof(struct options, share), 0.0, 0.0, 1.0, "1",
     "part of tol that one step may take; 0: found by pilot runs", NULL},
    CAROM_PARAM_END,
};

/* stages; and what the state's memory holds: the next step, the last error, what a step may have, the modes */
enum { STAGES = CAROM_DORMAND_PRINCE_STAGES, NEXT_STEP = 0, LAST_ERROR = 1, ALLOWED = 2, MODES = 3 };

static const double usual_share = 0.1; /* errors of single steps add up */

struct dp5 {
    struct carom_rates rates;
    struct carom_modes modes;
    struct carom_dormand_prince step; /* the last one; y1 is `trial`, its end in the variables of its start */
    double *trial;                    /* nall */
    double *physical;                 /* nv */
    double *deform, *rate, *viscous;  /* nc: at the start of the step */
    uint64_t count;                   /* the state the last step led to */
    double time;
    bool last_known; /* k[6] belongs to that state: it is the next k[0] */
};

static void close(struct carom_stepper *stepper)
{
    struct dp5 *w = stepper->work;
    for (size_t s = 0; s < STAGES; s++)
        carom_memory_free(w->step.k[s]);
    double *const others[] = {w->trial, w->physical, w->deform, w->rate, w->viscous};
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
    double **const of_contacts[] = {&w->deform, &w->rate, &w->viscous};
    for (size_t i = 0; i < 3; i++)
        all &= (*of_contacts[i] = carom_memory_zeroed(stepper->model->nc, sizeof(double))) != NULL;
    w->step.y1 = w->trial;
    return all ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme dp5");
}

static size_t memory(const struct carom_model *model, const void *options)
{
    (void)options;
    return MODES + model->nc;
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    (void)error;
    const struct options *o = stepper->options;
    struct dp5 *w = stepper->work;
    state->memory[ALLOWED] = o->tol * (o->share > 0.0 ? o->share : usual_share);
    carom_modes_start(&w->modes, state->time, state->q, state->v);
    carom_modes_save(&w->modes, state->memory + MODES);
    carom_rates_regular(&w->rates, state->q, state->v, state->v);
    return CAROM_OK;
}

/* local error in units of the scales */
static double local_error(const struct carom_stepper *stepper, const double *y)
{
    const struct dp5 *w = stepper->work;
    const struct carom_model *m = stepper->model;
    const double length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    const double speed = stepper->scales.speed > 0.0 ? stepper->scales.speed : 1.0;
    const double q = carom_dormand_prince_error(&w->step, 0, m->nq) / length;
    const double v = carom_dormand_prince_error(&w->step, m->nq, m->nq + m->nv) / speed;
    double worst = v > q ? v : q;
    double largest = 0.0; /* history has units of its own: relative to its largest */
    for (size_t i = m->nq + m->nv; i < w->rates.nstate; i++)
        largest = fabs(y[i]) > largest ? fabs(y[i]) : largest;
    if (largest > 0.0) {
        const double history = carom_dormand_prince_error(&w->step, m->nq + m->nv, w->rates.nstate) / largest;
        worst = history > worst ? history : worst;
    }
    return worst;
}

/* the stages of a step of size h from `from` into w->trial; k[0] is known */
static void stages(struct carom_stepper *stepper, const struct carom_state *from, double h)
{
    struct dp5 *w = stepper->work;
    const double t = from->time + from->time_low;
    w->step.y0 = from->data;
    w->step.h = h;
    for (size_t s = 1; s < STAGES; s++) {
        carom_dormand_prince_stage(&w->step, s, s + 1 < STAGES ? w->rates.nstate : w->rates.nall, w->trial);
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
    w->last_known = false;
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
    const size_t size = w->rates.model->nc * sizeof(double);
    memcpy(w->deform, w->rates.deform, size);
    if (w->rates.nextra) {
        memcpy(w->rate, w->rates.rate, size);
        memcpy(w->viscous, w->rates.viscous, size);
    }
}

/* Power is drag x rate^2, and drag begins like a square root at touch, which no Runge-Kutta weights integrate well. In
 * steps that see a contact begin or end, the part r x (integral of drag x rate), r the rate at the shallower end,
 * is replaced by its exact value r x (rise of the viscous impulse); what is left to the weights is a power smoother. */
static void correct_losses(struct dp5 *w)
{
    double *lost = w->trial + w->rates.nstate;
    for (size_t j = 0; j < w->rates.nextra; j++) {
        const double d0 = w->deform[j], d1 = w->rates.deform[j];
        if ((d0 <= 0.0 && d1 <= 0.0) || (d0 < 2.0 * d1 && d1 < 2.0 * d0))
            continue;
        const double summed = carom_dormand_prince_rise(&w->step, w->rates.nall + j);
        const double rate = d0 < d1 ? w->rate[j] : w->rates.rate[j];
        lost[j] += rate * (w->rates.viscous[j] - w->viscous[j] - summed);
    }
}

/* A cut contact discards exactly the energy it stores less at the end; the motion does not feel it, so the steps are
 * not chosen for its power. */
static void correct_clipped(struct dp5 *w, const double *y0)
{
    double *clipped = w->trial + w->rates.nstate + w->rates.model->nc;
    for (size_t j = 0; w->rates.cut && j < w->rates.model->nc; j++) {
        if (w->rates.cut[j] == 0.0)
            continue;
        double before, after;
        struct carom_response want = {.energy = &before};
        carom_contacts_evaluate(w->rates.model, j, j + 1, w->deform + j, NULL, NULL, &want);
        want.energy = &after;
        carom_contacts_evaluate(w->rates.model, j, j + 1, w->rates.deform + j, NULL, NULL, &want);
        clipped[j] = y0[w->rates.nstate + w->rates.model->nc + j] + (before - after);
    }
}

/* settles an accepted step of size h: clock, counts, what opened or closed */
static void settle(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop, double err)
{
    struct dp5 *w = stepper->work;
    const size_t nc = stepper->model->nc;
    correct_losses(w);
    correct_clipped(w, stepper->before->data);
    memcpy(state->data, w->trial, w->rates.nall * sizeof(double));
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    stepper->counts.local_error += err;
    stepper->switched = false;
    for (size_t j = 0; j < nc; j++)
        stepper->switched |= (w->deform[j] > 0.0) != (w->rates.deform[j] > 0.0);
    keep_contacts(w);
    /* k[6] is the next k[0], except where time or rotations enter, which a restart could not repeat to the bit */
    w->last_known = w->rates.regular;
    w->count = state->step;
    w->time = state->time;
    normalise(stepper, state->q);
}

/* k[0] and the overlaps at the start of a step: left by the last one, or worked out */
static void begin(struct carom_stepper *stepper, const struct carom_state *from)
{
    struct dp5 *w = stepper->work;
    carom_modes_load(&w->modes, from->memory + MODES);
    if (w->last_known && w->count == from->step && w->time == from->time) {
        double *const hold = w->step.k[0];
        w->step.k[0] = w->step.k[6];
        w->step.k[6] = hold;
        return;
    }
    carom_rates_evaluate(&w->rates, from->time + from->time_low, from->data, w->step.k[0]);
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
    carom_stepper_turn(stepper, state);
    const struct carom_state *from = stepper->before;
    begin(stepper, from);
    w->last_known = false;
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
    carom_modes_load(&w->modes, state->memory + MODES);
    carom_rates_physical(&w->rates, view->q, view->v, view->v);
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    struct dp5 *w = stepper->work;
    const struct carom_state *from = stepper->before;
    const double h = carom_state_until(from, state->time) + state->time_low;
    carom_dormand_prince_dense(&w->step, carom_state_until(from, t) / h, 0, w->rates.nall, view->data);
    normalise(stepper, view->q);
    view->energy = state->energy;
    view->step = state->step;
    carom_state_clock(view, t);
    carom_modes_load(&w->modes, from->memory + MODES); /* those of the step */
    carom_rates_physical(&w->rates, view->q, view->v, view->v);
}

const struct carom_scheme carom_scheme_dp5 = {
    .kind = {"dp5", "explicit, order 5, error-controlled; runs any model", params, sizeof(struct options)},
    .needs = 0,
    .order = 5,
    .dense_order = 4,
    .memory = memory,
    .open = open,
    .start = start,
    .step = step,
    .sync = sync,
    .dense = dense,
    .close = close,
};
