/* Step and order control of scheme mannshardt. Every flight tells the constant of the error of its order, error /
 * step^(order + 1); from it follows the step that the order could take and, with what a flight costs, how far an
 * evaluation gets. What a flight has seen of the derivatives of the motion says the same, less surely, of the other
 * orders; the one that gets farthest is taken. Where events cut flights short, a long step is worth no more than the
 * way to the next event. */
#include <float.h>
#include <string.h>

#include "base/power.h"
#include "scheme/rigid/mannshardt/mannshardt.h"
#include "scheme/stepper.h"
#include "solve/control.h"

static const double FALL = 0.03;
/* an order that takes as many evaluations as the next; flights that a measured grade stands for; sizes tried for one */
enum { DOMINATED = 7, FRESH = 30, ATTEMPTS = 200, DOUBT = 4 }; /* DOUBT: a guess may be off by so much */

bool carom_mannshardt_control_has(int method, int order)
{
    if (method == CAROM_MANNSHARDT_EXPLICIT)
        return carom_tableau_explicit_of(order) != NULL;
    return order >= 1 && order <= 6 && (order % 2 == 0) == (method == CAROM_MANNSHARDT_GAUSS);
}

int carom_mannshardt_control_first(const struct carom_mannshardt_options *o, double allowed)
{
    if (o->order > 0)
        return o->order;
    const bool fine = o->step > 0.0 || allowed < 1e-5;
    if (o->method == CAROM_MANNSHARDT_GAUSS)
        return fine ? 6 : 4;
    if (o->method == CAROM_MANNSHARDT_RADAU)
        return fine ? 5 : 3;
    return 4;
}

/* The order in use. A checkpoint that a stranger wrote may say anything: then one that there is. */
static int order_of(const struct carom_mannshardt *m, const struct carom_state *state)
{
    const struct carom_mannshardt_options *o = m->options;
    const double order = carom_mannshardt_memory(state, m->event.model->nc)[CAROM_MANNSHARDT_ORDER];
    if (o->order == 0 && o->method == CAROM_MANNSHARDT_EXPLICIT && order >= CAROM_TABLEAU_EXPLICIT_LEAST &&
        order <= CAROM_TABLEAU_EXPLICIT_MOST)
        return (int)order;
    const int coarse = carom_mannshardt_control_first(o, 1.0);
    return order == coarse ? coarse : carom_mannshardt_control_first(o, 0.0);
}

/* What rounding alone makes of a step's error: nothing smaller can be asked for. Drives are asked at times that are
 * rounded. */
static double rounding(const struct carom_mannshardt *m)
{
    const struct carom_event_smooth *s = &m->event.smooth;
    const double time = s->longest < HUGE_VAL ? fabs(s->from) : 0.0;
    double q = 0.0, v = 0.0;
    for (size_t i = 0; i < m->n; i++) {
        double *largest = i < m->event.model->nq ? &q : &v;
        *largest = fmax(*largest, fabs(s->start[i]) + time * fabs(m->k[0][i]));
    }
    return 4.0 * DBL_EPSILON * fmax(q / m->event.length, v / m->event.speed);
}

/* the step with which an order of this grade errs by a little less than allowed */
static double step_for(double grade, int order, double allowed)
{
    const struct carom_control control = {.safety = 0.77, .power = 1.0 / (order + 1), .most = HUGE_VAL};
    return grade > 0.0 ? carom_control_factor(&control, allowed / grade) : HUGE_VAL;
}

/* how far an evaluation gets with this order; 0: not known */
static double reach(const struct carom_mannshardt *m, const struct carom_state *state, int order, double allowed)
{
    const double *own = carom_mannshardt_memory(state, m->event.model->nc);
    const double grade = own[CAROM_MANNSHARDT_GRADES + order], span = own[CAROM_MANNSHARDT_SPAN];
    if (!(grade > 0.0))
        return 0.0;
    const double step = fmin(step_for(grade, order, allowed), 5.0 * state->memory[CAROM_EVENT_NEXT_STEP]);
    return (span > 0.0 && step > span ? span : step) / carom_mannshardt_move_cost(m, order);
}

static void choose(struct carom_mannshardt *m, struct carom_state *state, double allowed)
{
    const int order = order_of(m, state);
    m->order = order;
    if (m->options->order == 0 && m->options->method == CAROM_MANNSHARDT_EXPLICIT)
        for (int p = CAROM_TABLEAU_EXPLICIT_LEAST; p <= CAROM_TABLEAU_EXPLICIT_MOST; p++)
            if (p != DOMINATED && reach(m, state, p, allowed) > (p == order || m->order != order ? 1.0 : 1.1) *
                                                                    reach(m, state, m->order, allowed))
                m->order = p;
    carom_mannshardt_memory(state, m->event.model->nc)[CAROM_MANNSHARDT_ORDER] = m->order;
}

/* the step to try: what the grade of the order says, not far from the last */
static double try_step(const struct carom_mannshardt *m, const double *own, double last, bool finer, double allowed)
{
    const double grade = own[CAROM_MANNSHARDT_GRADES + m->order];
    return grade > 0.0 ? fmin(step_for(grade, m->order, allowed), (finer ? 2.5 : 5.0) * last) : last;
}

/* What a flight of length h has told: the grade of its order and, by the derivatives that it saw, those of the others;
 * one that was measured not long ago is not thought to be better than that. Short flights to an event err by rounding,
 * which does not fall with the step, and tell nothing. */
static void learn(struct carom_mannshardt *m, struct carom_state *state, double h, double wanted, double error,
                  double allowed)
{
    double *own = carom_mannshardt_memory(state, m->event.model->nc), *last = &state->memory[CAROM_EVENT_NEXT_STEP];
    const double least = 1e-17;
    if (!(error < HUGE_VAL) || !(h > 0.3 * fmin(wanted, *last) || error > allowed))
        return;
    for (int p = CAROM_TABLEAU_EXPLICIT_LEAST; p <= CAROM_TABLEAU_EXPLICIT_MOST; p++) {
        double *grade = &own[CAROM_MANNSHARDT_GRADES + p], *fresh = &own[CAROM_MANNSHARDT_FRESH + p];
        if (p == m->order || m->options->method != CAROM_MANNSHARDT_EXPLICIT)
            continue;
        const double guess = carom_tableau_explicit_guess(carom_tableau_explicit_of(m->order), m->form[0], m->form[1],
                                                          carom_tableau_explicit_of(p));
        const double guessed = fmax(DOUBT * guess, least) / carom_power(h, p + 1);
        *fresh = fmax(*fresh - 1.0, 0.0);
        *grade = *fresh > 0.0 && *grade > guessed ? *grade : guessed;
    }
    /* errors come and go along a motion: one that was much larger a flight ago will be so again */
    double *grade = &own[CAROM_MANNSHARDT_GRADES + m->order], *fresh = &own[CAROM_MANNSHARDT_FRESH + m->order];
    const double told = fmax(error, least) / carom_power(h, m->order + 1);
    *grade = *fresh > 0.0 && error > 1e-6 * allowed ? fmax(told, FALL * *grade) : told;
    *fresh = FRESH;
    if (error <= allowed)
        *last = h;
}

static double fly_once(struct carom_stepper *stepper, double h)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    return carom_mannshardt_move_fly(stepper, m->order, h, s->end, true)
               ? carom_mannshardt_move_error(stepper, m->order, h, s->end)
               : HUGE_VAL;
}

enum verdict { NO_EVENT, GOOD, ERRS };

/* The first event of a flight, and whether the flight is good up to there. Equations may mean nothing beyond an event
 * (a block that has turned over its foot), so a flight that errs too much may be good up to it; and they may change
 * right at it, so one that was good may not be. */
static enum verdict until_event(struct carom_stepper *stepper, struct carom_state *state, double h, double allowed,
                                struct carom_mannshardt_meet *meet)
{
    struct carom_mannshardt *m = stepper->work;
    double error = 0.0;
    *meet = carom_mannshardt_find_first(stepper, state, h);
    if (meet->contact == stepper->model->nc && meet->at == h)
        return NO_EVENT;
    if (meet->at > 0.0 && !(meet->nudged > 0.0))
        carom_mannshardt_move_end(stepper, m->order, meet->at, m->event.smooth.end);
    if (meet->at > 0.0)
        error = carom_mannshardt_move_error(stepper, m->order, meet->nudged > 0.0 ? meet->nudged : meet->at,
                                            m->event.smooth.end);
    if (!(error <= allowed))
        return ERRS;
    stepper->counts.local_error += error;
    return GOOD;
}

static bool fly_fixed(struct carom_stepper *stepper, struct carom_state *state, double limit,
                      struct carom_mannshardt_meet *meet)
{
    struct carom_mannshardt *m = stepper->work;
    const struct carom_event_smooth *s = &m->event.smooth;
    m->order = order_of(m, state);
    if (!carom_mannshardt_move_fly(stepper, m->order, limit, s->end, true))
        return false;
    for (size_t i = 0; i < m->ny; i++)
        if (!(fabs(s->end[i]) < HUGE_VAL))
            return false;
    *meet = carom_mannshardt_find_first(stepper, state, limit);
    if (meet->contact == stepper->model->nc && meet->at < limit)
        carom_mannshardt_move_end(stepper, m->order, meet->at, s->end);
    return true;
}

/* a flight shorter than times can tell: nothing happens in it */
static bool fly_sliver(struct carom_stepper *stepper, const struct carom_state *state, double h,
                       struct carom_mannshardt_meet *meet)
{
    struct carom_mannshardt *m = stepper->work;
    m->order = order_of(m, state);
    *meet = (struct carom_mannshardt_meet){.at = h, .contact = stepper->model->nc};
    if (!carom_mannshardt_move_fly(stepper, m->order, h, m->event.smooth.end, false))
        return false;
    carom_mannshardt_move_end(stepper, m->order, h, m->event.smooth.end);
    return true;
}

bool carom_mannshardt_control_fly(struct carom_stepper *stepper, struct carom_state *state, double limit,
                                  struct carom_mannshardt_meet *meet)
{
    struct carom_mannshardt *m = stepper->work;
    const struct carom_event_smooth *s = &m->event.smooth;
    double *own = carom_mannshardt_memory(state, stepper->model->nc);
    const double *last = &state->memory[CAROM_EVENT_NEXT_STEP];
    if (!(s->from + limit > s->from))
        return fly_sliver(stepper, state, limit, meet);
    if (m->fixed)
        return fly_fixed(stepper, state, limit, meet);
    const double allowed = fmax(state->memory[CAROM_EVENT_ALLOWED], rounding(m));
    choose(m, state, allowed);
    const double wanted = try_step(m, own, *last, stepper->finer, allowed);
    double h = fmin(fmin(wanted, carom_stepper_longest(stepper, s->longest)), limit);
    if (stepper->finer && own[CAROM_MANNSHARDT_SPAN] > 0.0) /* events end flights, whatever the tolerance */
        h = fmin(h, fmax(0.5 * own[CAROM_MANNSHARDT_SPAN], 0.01 * m->event.length / m->event.speed));
    h = h < (1.0 - 1e-9) * limit ? h : limit; /* nothing is left over */
    for (int attempt = 0; attempt < ATTEMPTS && s->from + h > s->from; attempt++) {
        const double error = fly_once(stepper, h), form[2] = {m->form[0], m->form[1]};
        const enum verdict verdict = error < HUGE_VAL ? until_event(stepper, state, h, allowed, meet) : NO_EVENT;
        memcpy(m->form, form, sizeof form); /* of the whole flight, not of that to the event */
        if (verdict != ERRS)
            learn(m, state, h, wanted, error, allowed);
        if (verdict == NO_EVENT && error <= allowed)
            stepper->counts.local_error += error;
        if (verdict == GOOD || (verdict == NO_EVENT && error <= allowed))
            return true;
        stepper->counts.rejected++;
        if (verdict == ERRS) {
            h = 0.5 * meet->at;
            continue;
        }
        const double next = step_for(own[CAROM_MANNSHARDT_GRADES + m->order], m->order, allowed);
        h *= fmin(fmax(error < HUGE_VAL ? next / h : 0.1, 0.1), 0.8);
    }
    return false;
}
