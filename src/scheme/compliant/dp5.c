/* Dormand and Prince's explicit Runge-Kutta pair of order 5(4) with error control and dense output of order 5. Runs any
 * model; chains run on regularised variables (rates.h). `tol` bounds the local error of each step relative to the
 * scales; steps end where contacts open, close or are cut, which is located (modes.h). Beads of a chain that no wave
 * has reached, or that fly freely, cost nothing (window.h). */
#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "model/latch.h"
#include "scheme/compliant/dp5.h"
#include "scheme/compliant/dp5_bodies.h"
#include "scheme/compliant/dp5_fused.h"
#include "scheme/compliant/rates.h"
#include "scheme/compliant/spans.h"
#include "scheme/compliant/touch.h"
#include "solve/control.h"

const struct carom_param carom_dp5_params[] = {
    {"tol", CAROM_REAL, offsetof(struct carom_dp5_options, tol), 1e-6, 1e-14, 0.1, "1",
     "error allowed over the run, relative to the scales U (displacement) and V (velocity)", NULL},
    {"share", CAROM_REAL, offsetof(struct carom_dp5_options, share), 0.0, 0.0, 1.0, "1",
     "part of tol that one step may take; 0: found by pilot runs", NULL},
    {"window", CAROM_FLAG, offsetof(struct carom_dp5_options, window), 1.0, 0.0, 1.0, "1",
     "step only the beads that a wave has reached and that do not fly freely", NULL},
    {"doze", CAROM_FLAG, offsetof(struct carom_dp5_options, doze), 0.0, 0.0, 1.0, "1",
     "do not step beads either that hardly move, within the error that a single step may have", NULL},
    CAROM_PARAM_END,
};

enum { STAGES = CAROM_DORMAND_PRINCE_STAGES };
enum { NEXT_STEP = CAROM_DP5_NEXT_STEP, LAST_ERROR = CAROM_DP5_LAST_ERROR, ALLOWED = CAROM_DP5_ALLOWED };
enum { REST_EVERY = 16 };              /* steps between looks for beads that may sleep */
enum { MOST_DIPS = 16 };               /* that a step is shortened for; one is the rule, even if contacts just graze */
static const double usual_share = 0.1; /* errors of single steps add up */

/* of the time of a contact: steps of flights are so long that the estimate of their error means nothing in touch, and
 * may happen to be small */
static const double first_in_touch = 0.2;

/* of a step: a force that changes its sign so early, after having done so where the step begins, is that of a dense
 * output over a step too long for what it tells: without shorter ones the contact is cut and mended without end */
static const double at_its_start = 1e-3;

/* times what a step may err: what is put right of a push near touch. Stages have felt what was missed, and that is not
 * put right: steps that miss more are halved. */
static const double trusted = 1.0;

static void close(struct carom_stepper *stepper)
{
    struct carom_dp5 *w = stepper->work;
    for (size_t s = 0; s < STAGES; s++)
        carom_memory_free(w->step.k[s]);
    carom_memory_free_all(w->trial, w->physical, w->near);
    carom_losses_close(&w->start);
    carom_losses_close(&w->last);
    carom_modes_close(&w->modes);
    carom_rates_close(&w->rates);
    carom_memory_free(w);
    stepper->work = NULL;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    struct carom_dp5 *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme dp5");
    enum carom_status status = carom_rates_open(&w->rates, stepper->model, error);
    if (status == CAROM_OK)
        status = carom_modes_open(&w->modes, &w->rates, error);
    if (status != CAROM_OK)
        return status;
    if (stepper->model->latches && !w->rates.regular)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "contact_end: latched goes with no law whose history has rates of its own");
    w->fused = carom_dp5_fused_fits(&w->rates);
    const size_t numbers = w->rates.nall + w->rates.nextra + (w->fused ? carom_dp5_fused_more(&w->rates) : 0);
    bool all = true;
    for (size_t s = 0; s < STAGES; s++)
        all &= (w->step.k[s] = carom_memory_zeroed(numbers, sizeof(double))) != NULL;
    all &= (w->trial = carom_memory_zeroed(w->rates.nall, sizeof(double))) != NULL;
    all &= (w->physical = carom_memory_zeroed(stepper->model->nv, sizeof(double))) != NULL;
    all &= (w->near = carom_memory_zeroed(stepper->model->nc + 1, sizeof *w->near)) != NULL;
    all &= carom_losses_open(&w->start, stepper->model->nc) && carom_losses_open(&w->last, stepper->model->nc);
    w->step.y1 = w->trial;
    w->pull = carom_dp5_stages_fastest(&w->rates);
    return all ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme dp5");
}

const struct carom_column carom_dp5_columns[CAROM_DP5_COLUMNS] = {
    {"next step", .once = 1}, {"last error", .once = 1}, {"allowed", .once = 1},
    {"modes", .contact = 1},  {"since", .q = 1},
};

static size_t memory(const struct carom_model *model, const void *options)
{
    (void)options;
    return carom_columns_size(carom_dp5_columns, model->offers & CAROM_CHAIN ? CAROM_DP5_COLUMNS : CAROM_DP5_SINCE,
                              model);
}

/* What is too little to look at goes with the error that a step may have, and with nothing else: a run errs as its
 * pilots do that had the same. Less than 1e-17 of the scales is rounding anyway. */
static void set_little(struct carom_stepper *stepper, const struct carom_state *state)
{
    struct carom_dp5 *w = stepper->work;
    const double little = 1e-3 * fmax(state->memory[ALLOWED], 1e-14);
    w->modes.small = w->start.small = w->last.small = little * stepper->scales.length;
    w->modes.slow = little * stepper->scales.speed;
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    (void)error;
    const struct carom_dp5_options *o = stepper->options;
    struct carom_dp5 *w = stepper->work;
    state->memory[NEXT_STEP] = state->memory[LAST_ERROR] = 0.0;
    /* a resumed run has not flown pilots: only its state knows what they found */
    state->memory[ALLOWED] =
        stepper->renews ? stepper->renews->memory[ALLOWED] : o->tol * (o->share > 0.0 ? o->share : usual_share);
    set_little(stepper, state);
    w->known = false;
    if (w->rates.regular) {
        for (size_t i = 0; i < stepper->model->nq; i++)
            carom_dp5_since(state, stepper->model)[i] = CAROM_WINDOW_AWAKE;
        carom_window_load(&w->rates.window, carom_dp5_since(state, stepper->model));
    }
    carom_motion_impose(stepper->model, state->time, state->q, state->v);
    carom_rates_clock(&w->rates, state->time + state->time_low);
    carom_latch_see(stepper->model, state, 0, stepper->model->nc);
    carom_modes_start(&w->modes, state->time, state->q, state->v, state->history);
    carom_modes_save(&w->modes, carom_dp5_modes(state));
    carom_rates_regular(&w->rates, state->q, state->v);
    return CAROM_OK;
}

/* a first guess; the error control corrects it at once */
static double first_step(const struct carom_stepper *stepper, const struct carom_state *state, double left)
{
    const double time = stepper->scales.contact_time > 0.0 ? stepper->scales.contact_time : left;
    const double guess = 0.1 * time * carom_power(state->memory[ALLOWED], 0.2);
    return guess < left ? guess : left;
}

static enum carom_status give_up(struct carom_stepper *stepper, struct carom_state *state, double h,
                                 struct carom_error *error)
{
    struct carom_dp5 *w = stepper->work;
    carom_state_swap(state, stepper->before);
    w->known = w->last_known = false;
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "dp5 cannot keep tol = %g at t = %g: its step shrank to %g; a larger tol may do",
                           carom_stepper_tol(stepper), state->time, h);
}

/* contacts as the last evaluation left them: the start of the next step */
static void keep_contacts(struct carom_dp5 *w)
{
    const struct carom_losses hold = w->last;
    w->last = w->start;
    w->start = hold;
    carom_losses_keep(&w->start, &w->rates);
}

/* the contacts that touch or nearly touch at an end of the step, into w->near */
static void list_near(struct carom_dp5 *w)
{
    size_t from, to;
    w->nnear = 0;
    for (size_t i = 0; carom_spans_contacts(&w->rates, i, &from, &to); i++)
        w->nnear += carom_losses_near(&w->start, &w->rates, from, to, w->near + w->nnear);
}

static void note(struct carom_stepper *stepper, size_t j)
{
    stepper->switched_first = j < stepper->switched_first ? j : stepper->switched_first;
    stepper->switched_last = j < stepper->switched_last ? stepper->switched_last : j + 1;
    stepper->switched = true;
}

/* Has contact j opened or closed in the step? Or may it have where the step begins or ends? There overlaps change by
 * rounding, of beads that are driven because their signals put them, and who looks on takes no notice of that before
 * there is more. */
static bool has_switched(const struct carom_dp5 *w, size_t j)
{
    const double d0 = w->start.deform[j], d1 = w->rates.deform[j];
    return (d0 > 0.0) != (d1 > 0.0) || fmin(fabs(d0), fabs(d1)) <= w->modes.small;
}

/* which contacts have opened or closed: those listed by their overlaps, and those whose modes have changed */
static void note_switched(struct carom_stepper *stepper)
{
    const struct carom_dp5 *w = stepper->work;
    stepper->switched = false;
    stepper->switched_first = stepper->model->nc;
    stepper->switched_last = 0;
    for (size_t i = 0; i < w->nnear; i++)
        if (has_switched(w, w->near[i]))
            note(stepper, w->near[i]);
    for (size_t i = 0; i < w->modes.nchanged && i + 1 < CAROM_MODES_MANY; i++)
        note(stepper, w->modes.changed[i]);
}

static struct carom_touch_step ends_of(const struct carom_stepper *stepper)
{
    const struct carom_dp5 *w = stepper->work;
    return (struct carom_touch_step){&w->step, stepper->before->time + stepper->before->time_low, w->rates.chain.time};
}

/* Is more put right of a push than `most`? Of contacts near touch, and of the one that ends the step, which may be near
 * a dent. */
static bool misses(const struct carom_stepper *stepper, size_t which, double most)
{
    const struct carom_dp5 *w = stepper->work;
    const struct carom_touch_step in = ends_of(stepper);
    bool any =
        w->rates.regular && which < stepper->model->nc && carom_touch_missed(&w->start, &w->rates, &in, which) > most;
    for (size_t i = 0; w->rates.regular && !any && i < w->nnear; i++)
        any = carom_touch_missed(&w->start, &w->rates, &in, w->near[i]) > most;
    return any;
}

static bool correct_pushes(const struct carom_stepper *stepper, double least)
{
    const struct carom_dp5 *w = stepper->work;
    const struct carom_touch_step in = ends_of(stepper);
    return w->rates.regular && carom_touch_correct(&w->start, &w->rates, &in, w->near, w->nnear, least,
                                                   stepper->scales.contact_time, w->trial);
}

/* pushes and losses put right */
static void settle_contacts(struct carom_stepper *stepper, double least)
{
    struct carom_dp5 *w = stepper->work;
    size_t from, to;
    if (correct_pushes(stepper, least)) {
        stepper->counts.evaluations++;
        carom_dp5_stages_evaluate(w, w->rates.chain.time, w->trial, w->step.k[6]);
        list_near(w);
        w->modes.calm = false;
    }
    if (w->fused) {
        carom_dp5_fused_contacts(&w->rates, &w->step, &w->start, w->near, w->nnear);
        carom_dp5_fused_lose(&w->rates, &w->step, w->trial);
    }
    carom_losses_correct(&w->start, &w->rates, &w->step, w->near, w->nnear, w->fused ? w->rates.drag : NULL, w->trial);
    for (size_t i = 0; w->rates.cut && carom_spans_contacts(&w->rates, i, &from, &to); i++)
        carom_losses_correct_cut(&w->start, &w->rates, &w->step, from, to, w->trial);
    if (w->rates.regular && w->rates.chain.beads->ndrives > 0)
        carom_losses_correct_drives(&w->start, &w->rates, &w->step, stepper->before->time + stepper->before->time_low,
                                    w->rates.chain.time, w->trial);
}

/* k[6] is the next k[0], except where time or rotations enter, which a restart could not repeat to the bit */
static bool carries(const struct carom_dp5 *w)
{
    return w->rates.regular && !w->rates.chain.beads->nloads && !w->rates.chain.beads->ndrives;
}

/* settles an accepted step of size h */
static void settle(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop, double err)
{
    struct carom_dp5 *w = stepper->work;
    size_t from, to;
    settle_contacts(stepper, 1e-2 * state->memory[ALLOWED] * stepper->scales.speed);
    for (size_t i = 0; carom_spans_feeding(&w->rates, i, &from, &to); i++)
        memcpy(state->data + from, w->trial + from, (to - from) * sizeof(double));
    for (size_t i = 0; carom_spans_tallied(&w->rates, i, &from, &to); i++)
        memcpy(state->data + from, w->trial + from, (to - from) * sizeof(double));
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    stepper->counts.local_error += err;
    w->last_known = carries(w);
    w->known = true;
    w->count = state->step;
    w->time = state->time;
    carom_motion_normalise(stepper->model, state->q, w->physical);
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
}

/* what a step does not write goes alike into both blocks: of beads that woke or fell asleep, and modes that changed */
static void copy_still(struct carom_stepper *stepper, const struct carom_state *state)
{
    const struct carom_dp5 *w = stepper->work;
    const struct carom_model *model = stepper->model;
    struct carom_state *other = stepper->before;
    carom_modes_save(&w->modes, carom_dp5_modes(other));
    for (size_t k = 0; k < w->rates.window.nnext; k++) {
        const struct carom_span *s = &w->rates.window.next[k];
        const size_t beads = (s->last - s->first) * sizeof(double), inner = (s->outer - s->inner) * sizeof(double);
        memcpy(other->q + s->first, state->q + s->first, beads);
        memcpy(other->v + s->first, state->v + s->first, beads);
        memcpy(carom_dp5_since(other, model) + s->first, carom_dp5_since(state, model) + s->first, beads);
        memcpy(carom_dp5_modes(other) + s->inner, carom_dp5_modes(state) + s->inner, inner);
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
    const struct carom_dp5_options *o = stepper->options;
    struct carom_dp5 *w = stepper->work;
    const double allowed = state->memory[ALLOWED];
    const bool may = o->doze && !w->rates.cut && !w->modes.phases;
    w->rates.window.pace = may ? allowed * stepper->scales.speed : 0.0;
    w->rates.window.depth = may ? 0.3 * stepper->scales.length * carom_power(allowed, 0.8) : 0.0;
}

/* turns the page and sees to k[0] and the overlaps at the start of the step: left by the last one, or worked out */
static void begin(struct carom_stepper *stepper, struct carom_state *state)
{
    const struct carom_dp5_options *o = stepper->options;
    struct carom_dp5 *w = stepper->work;
    const double t = state->time + state->time_low;
    carom_motion_impose(stepper->model, t, state->q, state->v);
    const bool known = w->known && w->count == state->step && w->time == state->time;
    if (!known) { /* a new or restored state */
        carom_state_copy(stepper->before, state);
        carom_modes_load(&w->modes, carom_dp5_modes(state));
        if (w->rates.regular)
            carom_window_load(&w->rates.window, carom_dp5_since(state, stepper->model));
        set_doze(stepper, state);
        set_little(stepper, state);
        w->last_known = false;
    }
    carom_modes_load_cut(&w->modes, carom_dp5_modes(state));
    w->rates.window.nnext = 0;
    if (w->rates.regular && o->window &&
        carom_window_update(&w->rates.window, t, state->q, state->v, carom_dp5_since(state, stepper->model),
                            state->step % REST_EVERY == 0))
        w->last_known = false;
    else
        w->rates.window.nnext = 0;
    copy_still(stepper, state);
    carom_stepper_turn_some(stepper, state, CAROM_DP5_MODES);
    /* not where beads wake up, or in a resumed run: a run counts alike, whoever goes on with it */
    stepper->counts.evaluations += stepper->before->step == 0 || !carries(w);
    if (w->last_known) {
        double *const hold = w->step.k[0];
        w->step.k[0] = w->step.k[6];
        w->step.k[6] = hold;
        return;
    }
    carom_dp5_stages_evaluate(w, t, stepper->before->data, w->step.k[0]);
    keep_contacts(w);
}

/* The error is of order 4. With memory of the last one steps go with now^-0.14 last^0.08, which keeps them from
 * swinging (Gustafsson); 0.02 is the power of what both are made of, by products alone. */
static const struct carom_control steady = {.safety = 0.9, .power = 0.02, .least = 0.2, .most = 5.0},
                                  again = {.safety = 0.9, .power = -0.2, .least = 0.2, .most = 0.9};

/* no growth right after a rejection */
static double next_step(struct carom_state *state, double wish, double error, bool rejected)
{
    const double last = state->memory[LAST_ERROR] > 0.0 ? state->memory[LAST_ERROR] : 1.0;
    const double now = error > 1e-4 ? error : 1e-4;
    state->memory[LAST_ERROR] = now;
    const double ratio = last / now, both = ratio * ratio * (ratio * ratio) / (now * now * now);
    const double factor = carom_control_factor(&steady, both);
    return wish * (rejected ? fmin(factor, 1.0) : factor);
}

static enum carom_status one_step(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                                  struct carom_error *error)
{
    struct carom_dp5 *w = stepper->work;
    begin(stepper, state);
    const struct carom_state *from = stepper->before;
    w->last_known = w->known = false;
    carom_modes_begin(&w->modes);
    int dips = 0;
    /* walls and floors that move push nothing until they are met: no error tells how they go to and fro meanwhile.
     * Where that bounds steps it must bound those of tighter runs more, or pilots would see no error. */
    const double now = from->time + from->time_low;
    double longest = carom_motion_pace(stepper->model, CAROM_ACTS_PORT | CAROM_ACTS_INSIDE, &now);
    if (longest < HUGE_VAL)
        longest *= fmin(carom_power(1e3 * state->memory[ALLOWED], 0.1), 1.0);
    longest = fmin(longest, carom_motion_pulse(stepper->model, now));
    double wish = state->memory[NEXT_STEP], whole = 0.0; /* before it was shortened for a dip */
    if (!(wish > 0.0))
        wish = first_step(stepper, state, carom_state_until(from, t_stop));
    for (bool rejected = false;; rejected = true) {
        double h = carom_stepper_size(from, fmin(wish, longest), t_stop);
        carom_dp5_stages_take(stepper, from, h, t_stop);
        /* in long flights V h is so much longer than U that the estimate is nothing but its own rounding */
        const double err = carom_dp5_stages_error(stepper, from->data),
                     noise = 1e-16 * h / stepper->scales.contact_time;
        const double relative = err / fmax(state->memory[ALLOWED], noise < HUGE_VAL ? noise : 0.0);
        if (!(relative <= 1.0)) {
            stepper->counts.rejected++;
            wish = h * (relative < HUGE_VAL ? carom_control_factor(&again, relative) : 0.1);
            if (!(wish > 1e-15 * fabs(from->time)) || !(wish > 1e-12 * stepper->scales.contact_time))
                return give_up(stepper, state, wish, error);
            whole = 0.0;
            continue;
        }
        size_t which;
        const double part = carom_modes_first(&w->modes, &w->step, now, &which);
        const double dip = carom_modes_dip(&w->modes, &w->step, now, w->start.deform, w->start.rate, part);
        if (dip < part && dips++ < MOST_DIPS) {
            stepper->counts.rejected++;
            whole = whole > 0.0 ? whole : wish;
            wish = dip * h;
            continue;
        }
        if (which < stepper->model->nc && part < 1.0) {
            const double size = part * h;
            carom_dp5_stages_take(stepper, from, size, t_stop);
            h = carom_dp5_stages_meet(stepper, from, which, size, h, t_stop);
            if (carom_dp5_stages_error(stepper, from->data) > state->memory[ALLOWED] &&
                h > 1e-3 * stepper->scales.contact_time) {
                stepper->counts.rejected++; /* stages met what changes at its end */
                wish = 0.7 * h;
                continue;
            }
            if (dips < MOST_DIPS && carom_modes_passed(&w->modes, &w->step, now, which)) {
                stepper->counts.rejected++;
                dips++;
                whole = whole > 0.0 ? whole : wish;
                wish = h;
                continue;
            }
        }
        list_near(w);
        if (misses(stepper, part < 1.0 ? which : stepper->model->nc,
                   trusted * state->memory[ALLOWED] * stepper->scales.speed) &&
            h > 1e-3 * stepper->scales.contact_time) {
            stepper->counts.rejected++;
            wish = 0.5 * h;
            continue;
        }
        /* a step cut short says nothing about the next: it starts as this one would have */
        state->memory[NEXT_STEP] = whole > 0.0 ? whole : h < wish ? wish : next_step(state, wish, relative, rejected);
        if (which < stepper->model->nc && part < at_its_start && carom_modes_can_be_cut(&w->modes, which) &&
            w->modes.mode[which] != CAROM_CONTACT_OPEN)
            state->memory[NEXT_STEP] *= 0.5;
        settle(stepper, state, h, t_stop, err);
        bool changed = carom_modes_change(&w->modes, which, state->data);
        if (w->rates.cut && !(carom_state_until(state, t_stop) > 0.0) &&
            carom_modes_jerk(&w->modes, t_stop, state->data))
            changed = true;
        if (changed && w->last_known) { /* the next k[0] is counted here, where it is known to be needed */
            stepper->counts.evaluations++;
            w->last_known = false;
        }
        note_switched(stepper);
        keep_contacts(w);
        state->memory[NEXT_STEP] /= sqrt(w->modes.stiffer); /* or one step might pass over the whole phase */
        if (which < stepper->model->nc && w->modes.mode[which] == CAROM_CONTACT_STICKS &&
            stepper->scales.contact_time > 0.0)
            state->memory[NEXT_STEP] = fmin(state->memory[NEXT_STEP], first_in_touch * stepper->scales.contact_time);
        carom_modes_save(&w->modes, carom_dp5_modes(state));
        return CAROM_OK;
    }
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    for (size_t taken = 0; carom_stepper_goes_on(stepper, state, bound, taken); taken++) {
        const enum carom_status status = one_step(stepper, state, bound->t_stop, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

const struct carom_scheme carom_scheme_dp5 = {
    .kind = {"dp5", "explicit, order 5, error-controlled; runs any model", carom_dp5_params,
             sizeof(struct carom_dp5_options)},
    .needs = CAROM_COMPLIANT,
    .order = 5,
    .dense_order = 5,
    .memory = memory,
    .open = open,
    .start = start,
    .step = step,
    .sync = carom_dp5_look_sync,
    .sync_range = carom_dp5_look_sync_range,
    .dense = carom_dp5_look_dense,
    .close = close,
    .latches = true,
    .looks = true,
    .listed = &carom_dp5_bodies,
};
