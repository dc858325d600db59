/* What scheme mannshardt does at events. A bracket of length w around the moment at which a gap is 0 is one step of
 * Moreau's method (Acary 2009, equation (9), theta = 1/2), with every contact that is held or closes in it:
 *     v_b = v_a + w M^-1 F + M^-1 G P,   q_b = q_a + w (v_a + v_b) / 2,   0 <= P _|_ U_b + e U_a >= 0.
 * Where tol is to be kept, forces (those of held contacts too) act for half the bracket, then the impact law, then
 * forces for the other half, which errs by w^2 instead of w; so do other impact laws than Moreau's.
 * Then contacts that came to rest are held if they press. A contact closes for good when it parts with less than |y''|
 * times the nominal bracket, or less than gaps can resolve: the first two of the rules without which impacts
 * that accumulate never end. */
#include <string.h>

#include "model/motion.h"
#include "scheme/rigid/event/event_sets.h"
#include "scheme/rigid/mannshardt/mannshardt.h"
#include "scheme/stepper.h"

/* bounces lower than this part of what a step may err, in units of U, need not be followed */
static const double low_bounce = 0.01;

/* --- the bracket ------------------------------------------------------------------------------------------------- */

/* The contacts of the bracket: those held, the one that was found to close, and those that were or will be closed
 * within a bracket's time: impacts that near are one, and all closed contacts take part in it, also those that open. */
static size_t collect(const struct carom_mannshardt *m, const struct carom_state *state, size_t hit)
{
    const struct carom_event_work *w = &m->event;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE), time = fmax(m->wide, m->delta);
    size_t n = 0;
    for (size_t j = 0; j < w->model->nc; j++) {
        const double away = time * fabs(w->rate[j]) + carom_event_noise(w, state->q, j);
        if (mode[j] == CAROM_EVENT_HELD || j == hit || w->gap[j] <= away)
            w->set[n++] = j;
    }
    return n;
}

/* the accelerations, with the forces of held contacts or without, into m->other, and what that spends and works in the
 * bracket */
static void accelerate(struct carom_stepper *stepper, struct carom_state *state, double t, bool with)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    const struct carom_model *model = stepper->model;
    const size_t held = s->nheld, head = model->nq + model->nv;
    memcpy(s->look, state->q, model->nq * sizeof(double));
    memcpy(s->look + model->nq, state->v, model->nv * sizeof(double));
    s->nheld = with ? held : 0;
    carom_event_smooth_rates(stepper, t, s->look, m->other);
    s->nheld = held;
    for (size_t i = 0; i < model->nparts; i++) {
        state->spent[i] += m->wide * m->other[head + i];
        state->work[i] += m->wide * m->other[head + model->nparts + i];
    }
}

/* the contact problem of the bracket: impulses into s->lambda, with rates before in s->side and m->doubt spent */
static enum carom_status solve(struct carom_stepper *stepper, double t, struct carom_error *error)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_work *w = &m->event;
    struct carom_event_smooth *s = &w->smooth;
    const struct carom_frame *f = &s->frame;
    const struct carom_lcp lcp = {
        .n = f->n, .matrix = f->matrix, .diagonal = f->chain ? f->diagonal : NULL, .beside = f->beside, .b = s->answer};
    struct carom_lcp_report report;
    for (size_t i = 0; i < f->n; i++) {
        s->answer[i] += w->e[f->contact[i]] * s->side[i];
        s->lambda[i] = s->answer[i] < 0.0 ? -s->answer[i] / f->diagonal[i] : 0.0;
    }
    carom_lcp_solve(&lcp, (enum carom_lcp_solver)m->options->solver, m->options->solver_tol, 0, &s->lcp, s->lambda,
                    &report);
    stepper->counts.iterations += report.iterations;
    stepper->worst_residual = fmax(stepper->worst_residual, report.residual);
    if (report.solved)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "mannshardt: the impact at t = %g (%zu contacts, contact %zu the first) was solved to %.1e "
                           "only, solver_tol is %.1e; the bodies may have nowhere to go",
                           t, f->n, carom_frame_number(w->model, f->contact[0]), report.residual,
                           m->options->solver_tol);
}

/* the impact law alone, at the middle of the bracket */
static enum carom_status solve_apart(struct carom_stepper *stepper, const double *v, struct carom_error *error)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_work *w = &m->event;
    struct carom_event_smooth *s = &w->smooth;
    double *e = w->of_set, *lost = e + w->model->nc;
    for (size_t i = 0; i < s->frame.n; i++)
        e[i] = w->e[s->frame.contact[i]];
    struct carom_collision collision = {
        .frame = &s->frame, .e = e, .v = v, .after = w->after, .impulse = s->lambda, .lost = lost};
    const enum carom_status status = w->striker->impact->solve(w->striker, &collision, error);
    stepper->counts.iterations += collision.iterations;
    stepper->worst_residual = fmax(stepper->worst_residual, collision.residual);
    return status;
}

/* losses and events of the impulses; s->side are the rates before. `whole`: forces of held contacts are among them */
static void book(struct carom_stepper *stepper, struct carom_state *state, const double *after, bool whole)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_work *w = &m->event;
    const struct carom_event_smooth *s = &w->smooth;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    carom_frame_work(&s->frame, s->lambda, state->work);
    for (size_t i = 0; i < s->frame.n; i++) {
        const size_t j = s->frame.contact[i];
        const double p = s->lambda[i], steady = whole && mode[j] == CAROM_EVENT_HELD ? m->wide * state->force[j] : 0.0;
        state->lost[j] -= 0.5 * p * (s->side[i] + after[i]);
        const double jump = (p - steady) * s->frame.diagonal[i];
        const double even = carom_event_slow(w) + 0.01 * steady * s->frame.diagonal[i];
        const bool struck = p > 0.0 && (mode[j] != CAROM_EVENT_HELD || jump > even);
        if (!struck)
            continue;
        w->struck[j] = true;
        if (w->striker->impact == &carom_impact_moreau && !whole)
            carom_stepper_blur(stepper, s->side[i], after[i], w->e[j]);
        carom_mannshardt_fine(state, w->model)[j] = 0.5 * m->wide * fmax(after[i], 0.0);
        carom_event_note_gentle(w, j, s->side[i], after[i]);
        carom_event_tell(w, state, j, CAROM_EVENT_IMPACT, p, s->side[i], after[i],
                         carom_event_taken(p, s->side[i], after[i]));
    }
}

/* Does the impact at `hit` begin a sequence of several contacts that dies out in a moment? Then it is over. */
static bool collapses(struct carom_stepper *stepper, struct carom_state *state, size_t hit)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_work *w = &m->event;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    if (hit == w->model->nc || w->collapse.room == 0)
        return false;
    for (size_t j = 0; j < w->model->nc; j++)
        w->collapse.shut[j] = mode[j] == CAROM_EVENT_HELD || w->gap[j] <= carom_event_noise(w, state->q, j);
    const double near = fmax(m->wide, m->delta) * w->speed + carom_event_noise(w, state->q, hit);
    const double zone = fmax(0.01 * m->options->tol * w->length, 10.0 * near);
    return carom_event_sets_collapse(stepper, &w->smooth.frame, state, hit, zone);
}

enum carom_status carom_mannshardt_strike_over(struct carom_stepper *stepper, struct carom_state *state, size_t hit,
                                               struct carom_error *error)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_work *w = &m->event;
    struct carom_event_smooth *s = &w->smooth;
    const struct carom_model *model = stepper->model;
    const double t = state->time + state->time_low, wide = m->wide;
    const bool moreau = m->fixed && m->options->impact == 0;
    carom_event_look(w, t, state->q, state->v);
    for (size_t j = 0; j < model->nc; j++)
        stepper->worst_gap = w->gap[j] < stepper->worst_gap ? w->gap[j] : stepper->worst_gap;
    if (collapses(stepper, state, hit)) {
        m->wide = 0.0;
        return CAROM_OK;
    }
    const size_t n = collect(m, state, hit);
    memset(m->kick, 0, model->nv * sizeof(double));
    if (wide > 0.0) {
        accelerate(stepper, state, t, !moreau);
        for (size_t i = 0; i < model->nv; i++)
            m->kick[i] = wide * m->other[model->nq + i];
    }
    for (size_t i = 0; i < model->nv; i++)
        s->swift[i] = 0.5 * wide * state->v[i];
    carom_motion_move(model, state->q, s->swift, s->moved);
    enum carom_status status = carom_frame_set(&s->frame, t + 0.5 * wide, s->moved, w->set, n, error);
    if (status != CAROM_OK)
        return status;
    const double half = moreau ? 1.0 : 0.5;
    for (size_t i = 0; i < model->nv; i++)
        w->after[i] = state->v[i] + half * m->kick[i];
    carom_frame_rates(&s->frame, moreau ? state->v : w->after, s->side);
    carom_frame_rates(&s->frame, w->after, s->answer);
    if (moreau) {
        status = solve(stepper, t, error);
        if (status == CAROM_OK)
            carom_frame_push(&s->frame, s->lambda, w->after);
    } else {
        memcpy(m->other, w->after, model->nv * sizeof(double));
        status = solve_apart(stepper, m->other, error);
    }
    if (status != CAROM_OK)
        return carom_error_prefix(error, "t = %g", t);
    carom_frame_rates(&s->frame, w->after, s->answer);
    for (size_t i = 0; i < model->nv && !moreau; i++)
        w->after[i] += half * m->kick[i];
    for (size_t i = 0; i < model->nv; i++)
        s->swift[i] = 0.5 * wide * (state->v[i] + w->after[i]);
    carom_state_tick(state, 0.5 * wide); /* impacts are told in the middle */
    book(stepper, state, s->answer, moreau);
    memcpy(s->moved, state->q, model->nq * sizeof(double));
    carom_motion_move(model, s->moved, s->swift, state->q);
    memcpy(state->v, w->after, model->nv * sizeof(double));
    carom_state_tick(state, 0.5 * wide);
    carom_motion_impose(model, state->time + state->time_low, state->q, state->v);
    return CAROM_OK;
}

/* --- contacts that last ------------------------------------------------------------------------------------------ */

/* Does contact j, which was struck and is pressed, close for good? */
static bool closes(struct carom_stepper *stepper, const struct carom_state *state, size_t j)
{
    const struct carom_mannshardt *m = stepper->work;
    const struct carom_event_work *w = &m->event;
    const double press = -w->bend[j], rate = w->rate[j];
    if (!w->struck[j] || !(press > 0.0))
        return false;
    if (rate <= press * m->delta ||
        rate <= 4.0 * sqrt(press * CAROM_MANNSHARDT_FINER * carom_event_noise(w, state->q, j)))
        return true;
    const double low = low_bounce * state->memory[CAROM_EVENT_ALLOWED] * w->length;
    return !m->fixed && rate * rate <= 2.0 * press * low && carom_event_sets_fades(w, state, j) &&
           carom_event_smooth_lasts(stepper, state, j, carom_event_sets_rest_time(w, state, j));
}

/* Decides which contacts are held, and pulls them onto gap 0: flights end there, so they must begin there. */
static enum carom_status hold(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    const enum carom_status status = carom_event_smooth_hold(stepper, state, error);
    if (status == CAROM_OK && s->nheld > 0) {
        memcpy(m->other, state->q, state->nq * sizeof(double));
        memcpy(m->other + state->nq, state->v, state->nv * sizeof(double));
        carom_event_smooth_project(stepper, state->time + state->time_low, m->other);
        memcpy(state->q, m->other, state->nq * sizeof(double));
        memcpy(state->v, m->other + state->nq, state->nv * sizeof(double));
    }
    carom_event_look(&m->event, state->time + state->time_low, state->q, state->v);
    return status;
}

static void classify(struct carom_mannshardt *m, struct carom_state *state, size_t part)
{
    struct carom_event_work *w = &m->event;
    const size_t nc = w->model->nc;
    double *mode = carom_event_memory(state, nc, CAROM_EVENT_MODE);
    memcpy(w->was, mode, nc * sizeof(double));
    for (size_t j = 0; j < nc; j++) {
        w->released[j] = j == part;
        if (mode[j] != CAROM_EVENT_HELD)
            mode[j] =
                w->struck[j] || w->gap[j] <= carom_event_noise(w, state->q, j) ? CAROM_EVENT_TOUCH : CAROM_EVENT_FREE;
        w->at_rest[j] = mode[j] != CAROM_EVENT_FREE && fabs(w->rate[j]) <= carom_event_slow(w);
    }
}

/* marks contacts that close for good as at rest; true if there are any */
static bool close_some(struct carom_stepper *stepper, struct carom_state *state)
{
    struct carom_event_work *w = &((struct carom_mannshardt *)stepper->work)->event;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    double *rest = carom_event_memory(state, w->model->nc, CAROM_EVENT_REST);
    bool any = false;
    for (size_t j = 0; j < w->model->nc; j++)
        if (mode[j] == CAROM_EVENT_TOUCH && w->rate[j] > 0.0 && !w->at_rest[j] && closes(stepper, state, j)) {
            rest[j] = carom_event_sets_rest_time(w, state, j);
            any = w->at_rest[j] = true;
            carom_stepper_leave_out(stepper, 0.5 * w->rate[j] * w->rate[j] / -w->bend[j], w->e[j]);
        }
    return any;
}

/* contacts that are held are followed by no gap of their own */
static void forget_fine(const struct carom_event_work *w, struct carom_state *state)
{
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    for (size_t j = 0; j < w->model->nc; j++)
        if (mode[j] == CAROM_EVENT_HELD)
            carom_mannshardt_fine(state, w->model)[j] = -1.0;
}

enum carom_status carom_mannshardt_strike_settle(struct carom_stepper *stepper, struct carom_state *state, size_t part,
                                                 struct carom_error *error)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_work *w = &m->event;
    carom_event_look(w, state->time + state->time_low, state->q, state->v);
    classify(m, state, part);
    if (part < w->model->nc)
        carom_event_smooth_release(stepper, state);
    enum carom_status status = hold(stepper, state, error);
    if (status == CAROM_OK && close_some(stepper, state))
        status = hold(stepper, state, error);
    if (status != CAROM_OK)
        return status;
    forget_fine(w, state);
    carom_event_sets_conclude(w, state);
    carom_event_leave_gentle(stepper, state);
    memset(w->struck, 0, w->model->nc * sizeof *w->struck);
    /* the slope was just looked at */
    memcpy(carom_mannshardt_slope(state, w->model->nc), w->smooth.slope, m->ny * sizeof(double));
    carom_mannshardt_memory(state, w->model->nc)[CAROM_MANNSHARDT_KNOWN] = 1.0;
    return CAROM_OK;
}

/* Is any contact held, and has one that is a rate: does it approach? */
static bool held_moves(const struct carom_event_work *w, const double *mode, bool *held, bool *approaches)
{
    bool moves = false;
    *held = *approaches = false;
    for (size_t j = 0; j < w->model->nc; j++)
        if (mode[j] == CAROM_EVENT_HELD) {
            *held = true;
            moves |= fabs(w->rate[j]) > carom_event_slow(w);
            *approaches |= w->rate[j] < -carom_event_slow(w);
        }
    return moves;
}

/* What is held goes on so, with the forces of now. */
static void go_on(struct carom_mannshardt *m, struct carom_state *state)
{
    const struct carom_event_smooth *s = &m->event.smooth;
    const size_t nc = m->event.model->nc;
    for (size_t i = 0; i < s->nheld; i++)
        state->force[s->held[i]] = fmax(m->first[i], 0.0);
    memcpy(carom_mannshardt_slope(state, nc), m->k[0], m->ny * sizeof(double));
    carom_mannshardt_memory(state, nc)[CAROM_MANNSHARDT_KNOWN] = 1.0;
}

enum carom_status carom_mannshardt_strike_anew(struct carom_stepper *stepper, struct carom_state *state,
                                               struct carom_error *error)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_work *w = &m->event;
    const size_t nc = w->model->nc;
    const double t = state->time + state->time_low;
    bool held, approaches;
    carom_motion_impose(w->model, t, state->q, state->v);
    carom_event_look(w, t, state->q, state->v);
    const bool moves = held_moves(w, carom_event_memory(state, nc, CAROM_EVENT_MODE), &held, &approaches);
    carom_mannshardt_memory(state, nc)[CAROM_MANNSHARDT_KNOWN] = 0.0;
    if (!held)
        return CAROM_OK;
    if (!moves) {
        carom_mannshardt_move_begin(stepper, state);
        if (!carom_mannshardt_part_pulls(m)) {
            go_on(m, state);
            return CAROM_OK;
        }
    }
    w->instant = w->nevents;
    m->wide = 0.0;
    const enum carom_status status = approaches ? carom_mannshardt_strike_over(stepper, state, nc, error) : CAROM_OK;
    return status == CAROM_OK ? carom_mannshardt_strike_settle(stepper, state, nc, error) : status;
}
