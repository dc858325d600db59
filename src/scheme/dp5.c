/* Dormand and Prince's explicit Runge-Kutta pair of order 5(4) with local error control and dense output of order 4
 * (coefficients: Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, II.5-II.6). Runs any model;
 * chains run on regularised variables (rates.h). `tol` bounds the local error of each step relative to the scales;
 * where force ends a damped contact, the moment is located and a step ends there. */
#include <string.h>

#include "base/memory.h"
#include "scheme/rates.h"
#include "scheme/stepper.h"

struct options {
    double tol;
};

static const struct carom_param params[] = {
    {"tol", CAROM_REAL, offsetof(struct options, tol), 1e-6, 1e-14, 0.1, "1",
     "error allowed, relative to the scales U (displacement) and V (velocity)", NULL},
    CAROM_PARAM_END,
};

enum { STAGES = 7, NEXT_STEP = 0, LAST_ERROR = 1, MODES = 2 }; /* and what the state's memory holds */

/* errors of single steps add up: each may have a tenth of what the user allows */
static const double share = 0.1;

static const double node[STAGES] = {0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0};
static const double weight[STAGES][6] = {
    {0.0},
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
};
/* fifth order minus fourth order */
static const double error_weight[STAGES] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                            -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
/* the last term of the dense output */
static const double dense_weight[STAGES] = {-12715105075.0 / 11282082432.0,  0.0,
                                            87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                            701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                            69997945.0 / 29380423.0};

struct dp5 {
    struct carom_rates rates;
    double *k[STAGES];               /* nall + nextra each */
    double *trial;                   /* nall: the end of the step, in the variables of its start */
    double *physical;                /* nv */
    double *deform, *rate, *viscous; /* nc: at the start of the step */
    uint64_t step;                   /* the state the last step led to */
    double time;
    bool last_known; /* k[6] belongs to that state: it is the next k[0] */
};

static void close(struct carom_stepper *stepper)
{
    struct dp5 *w = stepper->work;
    for (size_t s = 0; s < STAGES; s++)
        carom_memory_free(w->k[s]);
    carom_memory_free(w->trial);
    carom_memory_free(w->physical);
    carom_memory_free(w->deform);
    carom_memory_free(w->rate);
    carom_memory_free(w->viscous);
    carom_rates_close(&w->rates);
    carom_memory_free(w);
    stepper->work = NULL;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    struct dp5 *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme dp5");
    const enum carom_status status = carom_rates_open(&w->rates, stepper->model, error);
    if (status != CAROM_OK)
        return status;
    bool all = true;
    for (size_t s = 0; s < STAGES; s++)
        all &= (w->k[s] = carom_memory_zeroed(w->rates.nall + w->rates.nextra, sizeof(double))) != NULL;
    all &= (w->trial = carom_memory_zeroed(w->rates.nall, sizeof(double))) != NULL;
    all &= (w->physical = carom_memory_zeroed(stepper->model->nv, sizeof(double))) != NULL;
    double **const of_contacts[] = {&w->deform, &w->rate, &w->viscous};
    for (size_t i = 0; i < 3; i++)
        all &= (*of_contacts[i] = carom_memory_zeroed(stepper->model->nc, sizeof(double))) != NULL;
    return all ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme dp5");
}

static size_t memory(const struct carom_model *model, const void *options)
{
    (void)options;
    return MODES + (model->clipped ? model->nc : 0);
}

/* the modes live in the state, so that a restart is exact */
static void load_modes(struct dp5 *w, const struct carom_state *state)
{
    if (w->rates.cut)
        memcpy(w->rates.cut, state->memory + MODES, w->rates.model->nc * sizeof(double));
}

static bool ends_by_force(const struct carom_model *model, size_t j)
{
    size_t g = 0;
    while (j >= model->group[g].first + model->group[g].count)
        g++;
    return model->group[g].ending == CAROM_END_FORCE;
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    (void)error;
    struct dp5 *w = stepper->work;
    for (size_t j = 0; w->rates.cut && j < stepper->model->nc; j++) {
        double deform;
        const double force = carom_rates_force(&w->rates, j, state->q, state->v, &deform);
        w->rates.cut[j] = state->memory[MODES + j] =
            ends_by_force(stepper->model, j) && deform > 0.0 && force < 0.0 ? 1.0 : 0.0;
    }
    carom_rates_regular(&w->rates, state->q, state->v, state->v);
    return CAROM_OK;
}

/* out = y + h (c[0] k[0] + ... ) over n numbers; the counts that occur are written out so that they vectorise */
static void combine(size_t n, const double *y, double h, size_t count, const double *c, double *const *k, double *out)
{
    const double *k0 = k[0], *k1 = k[1], *k2 = k[2], *k3 = k[3], *k4 = k[4], *k5 = k[5];
    switch (count) {
    case 1:
        for (size_t i = 0; i < n; i++)
            out[i] = y[i] + h * (c[0] * k0[i]);
        break;
    case 2:
        for (size_t i = 0; i < n; i++)
            out[i] = y[i] + h * (c[0] * k0[i] + c[1] * k1[i]);
        break;
    case 3:
        for (size_t i = 0; i < n; i++)
            out[i] = y[i] + h * (c[0] * k0[i] + c[1] * k1[i] + c[2] * k2[i]);
        break;
    case 4:
        for (size_t i = 0; i < n; i++)
            out[i] = y[i] + h * (c[0] * k0[i] + c[1] * k1[i] + c[2] * k2[i] + c[3] * k3[i]);
        break;
    case 5:
        for (size_t i = 0; i < n; i++)
            out[i] = y[i] + h * (c[0] * k0[i] + c[1] * k1[i] + c[2] * k2[i] + c[3] * k3[i] + c[4] * k4[i]);
        break;
    default: /* the solution itself: c[1] is 0 */
        for (size_t i = 0; i < n; i++)
            out[i] = y[i] + h * (c[0] * k0[i] + c[2] * k2[i] + c[3] * k3[i] + c[4] * k4[i] + c[5] * k5[i]);
    }
}

/* largest local error of numbers [from, to) relative to `scale`; infinite if any is not finite */
static double part_error(const struct dp5 *w, size_t from, size_t to, double h, double scale)
{
    const double *e = error_weight;
    const double *k0 = w->k[0], *k2 = w->k[2], *k3 = w->k[3], *k4 = w->k[4], *k5 = w->k[5], *k6 = w->k[6];
    double worst = 0.0;
    int broken = 0;
    for (size_t i = from; i < to; i++) {
        const double err =
            fabs(h * (e[0] * k0[i] + e[2] * k2[i] + e[3] * k3[i] + e[4] * k4[i] + e[5] * k5[i] + e[6] * k6[i]));
        broken |= !(err < HUGE_VAL);
        worst = err > worst ? err : worst;
    }
    return broken ? HUGE_VAL : worst / scale;
}

/* local error in units of the scales */
static double local_error(const struct carom_stepper *stepper, const double *y, double h)
{
    const struct dp5 *w = stepper->work;
    const struct carom_model *m = stepper->model;
    const double length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    const double speed = stepper->scales.speed > 0.0 ? stepper->scales.speed : 1.0;
    const double q = part_error(w, 0, m->nq, h, length);
    const double v = part_error(w, m->nq, m->nq + m->nv, h, speed);
    double worst = v > q ? v : q;
    double largest = 0.0; /* history has units of its own: relative to its largest */
    for (size_t i = m->nq + m->nv; i < w->rates.nstate; i++)
        largest = fabs(y[i]) > largest ? fabs(y[i]) : largest;
    if (largest > 0.0) {
        const double history = part_error(w, m->nq + m->nv, w->rates.nstate, h, largest);
        worst = history > worst ? history : worst;
    }
    return worst;
}

/* the stages of a step of size h from y into w->trial; k[0] is known */
static void stages(struct carom_stepper *stepper, double t, const double *y, double h)
{
    struct dp5 *w = stepper->work;
    for (size_t s = 1; s < STAGES; s++) {
        combine(s + 1 < STAGES ? w->rates.nstate : w->rates.nall, y, h, s, weight[s], w->k, w->trial);
        carom_rates_evaluate(&w->rates, t + node[s] * h, w->trial, w->k[s]);
    }
    stepper->counts.evaluations += STAGES - 1;
}

/* y at s in [0, 1] of the step from y0 to y1, numbers [from, to) */
static void interpolate(const struct dp5 *w, const double *y0, const double *y1, double h, double s, size_t from,
                        size_t to, double *out)
{
    const double *d = dense_weight;
    for (size_t i = from; i < to; i++) {
        const double rise = y1[i] - y0[i], early = h * w->k[0][i] - rise, late = rise - h * w->k[6][i] - early;
        const double last = h * (d[0] * w->k[0][i] + d[2] * w->k[2][i] + d[3] * w->k[3][i] + d[4] * w->k[4][i] +
                                 d[5] * w->k[5][i] + d[6] * w->k[6][i]);
        out[i] = y0[i] + s * (rise + (1.0 - s) * (early + s * (late + (1.0 - s) * last)));
    }
}

/* does contact j belong to its other mode at s of the step under way? y is room for q and v */
static bool in_other_mode(struct dp5 *w, size_t j, const double *y0, double h, double s, double *y)
{
    const size_t n = w->rates.chain.n;
    interpolate(w, y0, w->trial, h, s, 0, 2 * n, y);
    carom_rates_physical(&w->rates, y, y + n, w->physical);
    double deform;
    const double force = carom_rates_force(&w->rates, j, y, w->physical, &deform);
    return w->rates.cut[j] > 0.0 ? deform > 0.0 && force > 0.0 : deform > 0.0 && force < 0.0;
}

/* Where in (0, 1] of the step does a contact change its mode first? 1 and `which` = nc if none does. An acting contact
 * that is open at the end has passed its zero of force before; a cut one may open unseen, since it carries nothing. */
static double first_switch(struct carom_stepper *stepper, const double *y0, double h, size_t *which, double *room)
{
    struct dp5 *w = stepper->work;
    const size_t nc = stepper->model->nc;
    double earliest = 1.0;
    *which = nc;
    for (size_t j = 0; j < nc; j++) {
        if (!ends_by_force(stepper->model, j))
            continue;
        const bool opens = w->rates.cut[j] == 0.0 && w->deform[j] > 0.0 && !(w->rates.deform[j] > 0.0);
        double low = 0.0, high = earliest;
        if (opens) { /* find a moment of pulling before the gap opens */
            bool found = false;
            for (int i = 1; i <= 64 && !found; i++)
                found = in_other_mode(w, j, y0, h, high = earliest * i / 64.0, room);
            if (!found)
                continue;
        } else if (!in_other_mode(w, j, y0, h, high, room)) {
            continue;
        }
        for (int i = 0; i < 60 && high - low > 1e-15; i++) {
            const double middle = 0.5 * (low + high);
            if (in_other_mode(w, j, y0, h, middle, room))
                high = middle;
            else
                low = middle;
        }
        earliest = high;
        *which = j;
    }
    return earliest;
}

/* At the end of a step: contact `which` (if any) changes its mode; those that opened while cut act again, on nothing. */
static void change_modes(struct carom_stepper *stepper, struct carom_state *state, size_t which)
{
    struct dp5 *w = stepper->work;
    double *cut = w->rates.cut;
    if (which < stepper->model->nc) {
        carom_rates_switch(&w->rates, which, state->data, cut[which] == 0.0);
        w->last_known = false;
    }
    for (size_t j = 0; j < stepper->model->nc; j++)
        if (cut[j] > 0.0 && !(w->deform[j] > 0.0)) {
            cut[j] = 0.0;
            w->last_known = false;
        }
    memcpy(state->memory + MODES, cut, stepper->model->nc * sizeof(double));
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
        memcpy(w->k[1], q + m->q0, m->nq * sizeof(double)); /* k[1] enters neither dense output nor error */
        m->part->move(m->own, w->k[1], w->physical, q + m->q0);
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
static void correct_losses(struct dp5 *w, double h)
{
    double *lost = w->trial + w->rates.nstate;
    const double *b = weight[STAGES - 1];
    for (size_t j = 0; j < w->rates.nextra; j++) {
        const double d0 = w->deform[j], d1 = w->rates.deform[j];
        if ((d0 <= 0.0 && d1 <= 0.0) || (d0 < 2.0 * d1 && d1 < 2.0 * d0))
            continue;
        const size_t i = w->rates.nall + j;
        const double summed =
            h * (b[0] * w->k[0][i] + b[2] * w->k[2][i] + b[3] * w->k[3][i] + b[4] * w->k[4][i] + b[5] * w->k[5][i]);
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
    correct_losses(w, h);
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
    w->step = state->step;
    w->time = state->time;
    normalise(stepper, state->q);
}

/* a contact changes its mode inside the step: take the step again up to there; `which` is the contact or nc */
static double stop_at_switch(struct carom_stepper *stepper, const double *y0, double t, double h, size_t *which)
{
    struct dp5 *w = stepper->work;
    const double part = first_switch(stepper, y0, h, which, w->k[1]); /* k[1] enters neither dense output nor error */
    if (*which == stepper->model->nc)
        return h;
    stages(stepper, t, y0, part * h);
    return part * h;
}

/* k[0] and the overlaps at the start of a step: left by the last one, or worked out */
static void begin(struct carom_stepper *stepper, const struct carom_state *from, double t)
{
    struct dp5 *w = stepper->work;
    load_modes(w, from);
    if (w->last_known && w->step == from->step && w->time == from->time) {
        double *const hold = w->k[0];
        w->k[0] = w->k[6];
        w->k[6] = hold;
        return;
    }
    carom_rates_evaluate(&w->rates, t, from->data, w->k[0]);
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
    const struct options *o = stepper->options;
    struct dp5 *w = stepper->work;
    carom_stepper_turn(stepper, state);
    const struct carom_state *from = stepper->before;
    const double t = from->time + from->time_low;
    begin(stepper, from, t);
    w->last_known = false;
    double wish = state->memory[NEXT_STEP];
    if (!(wish > 0.0))
        wish = first_step(stepper, carom_state_until(from, t_stop));
    for (bool rejected = false;; rejected = true) {
        double h = carom_stepper_size(from, wish, t_stop);
        stages(stepper, t, from->data, h);
        const double err = local_error(stepper, from->data, h), relative = err / (share * o->tol);
        if (!(relative <= 1.0)) {
            stepper->counts.rejected++;
            wish = h * (relative < HUGE_VAL ? fmax(0.2, 0.9 * pow(relative, -0.2)) : 0.1);
            if (!(wish > 1e-15 * fabs(t)) || !(wish > 1e-12 * stepper->scales.contact_time))
                return give_up(stepper, state, wish, error);
            continue;
        }
        size_t which = stepper->model->nc;
        if (w->rates.cut)
            h = stop_at_switch(stepper, from->data, t, h, &which);
        /* a step cut short says nothing about the next: it starts as this one would have */
        state->memory[NEXT_STEP] = h < wish ? wish : next_step(state, wish, relative, rejected);
        settle(stepper, state, h, t_stop, err);
        if (w->rates.cut)
            change_modes(stepper, state, which);
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
    load_modes(w, state);
    carom_rates_physical(&w->rates, view->q, view->v, view->v);
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    struct dp5 *w = stepper->work;
    const struct carom_state *from = stepper->before;
    const double h = carom_state_until(from, state->time) + state->time_low;
    const double s = carom_state_until(from, t) / h;
    interpolate(w, from->data, w->trial, h, s, 0, w->rates.nall, view->data);
    normalise(stepper, view->q);
    view->energy = state->energy;
    view->step = state->step;
    carom_state_clock(view, t);
    load_modes(w, from); /* those of the step, and w->trial its end before any change of mode */
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
