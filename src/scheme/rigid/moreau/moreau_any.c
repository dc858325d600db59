/* Steps of moreau-jean on any model of rigid contacts: M and G at q_{k+theta}, forces at (t, q, v)_{k+theta}, all
 * found together by iterating on v_{k+1}, with the contact problem inside. The iteration gains a factor of about h
 * theta |dF/dv| + (h theta)^2 |dF/dq| over the mass each time; a step too coarse for that is refused in words. The
 * set of contacts that may carry an impulse is fixed at the start of the step. */
#include <string.h>

#include "scheme/rigid/moreau/moreau.h"
#include "scheme/stepper.h"

enum { TURNS = 200 };

/* which contacts may carry an impulse, once w->accelerate is known */
static enum carom_status select(struct carom_stepper *stepper, double h, const struct carom_state *from,
                                struct carom_error *error)
{
    struct carom_moreau *w = stepper->work;
    struct carom_rigid_step *c = &w->rigid;
    const double ahead = h * w->options->gamma;
    double largest = 0.0;
    for (size_t i = 0; i < stepper->model->nq; i++)
        largest = fabs(from->q[i]) > largest ? fabs(from->q[i]) : largest;
    carom_contacts_deform(stepper->model, from->time, from->q, from->v, w->after, w->before);
    c->n = 0;
    for (size_t j = 0; j < stepper->model->nc; j++) {
        if (!isfinite(w->after[j]) || !isfinite(w->before[j])) {
            carom_frame_explain(stepper->model, from->time, from->q, from->v, error);
            return carom_error_prefix(error, "contact %zu", carom_frame_number(stepper->model, j));
        }
        if (-w->after[j] < stepper->worst_gap)
            stepper->worst_gap = -w->after[j];
        const double near = carom_moreau_near(w->options, h * c->kick, largest, from->force[j] > 0.0);
        if (w->after[j] + ahead * w->before[j] + near >= 0.0) {
            if (stepper->model->frictional)
                w->friction.impulse[c->n] = h * from->friction[j];
            c->impulse[c->n] = h * from->force[j];
            c->contact[c->n++] = j;
        }
    }
    return CAROM_OK;
}

/* v0 + h (acceleration by the parts' forces at t + theta h) */
static void fly(struct carom_moreau *w, double *scratch, const struct carom_state *from, double h, double *out)
{
    const struct carom_model *model = w->rigid.model;
    const double t = from->time + w->options->theta * h;
    carom_motion_accelerate(model, t, w->place, w->mean, NULL, scratch, w->force, w->accelerate, NULL);
    for (size_t i = 0; i < model->nv; i++)
        out[i] = from->v[i] + h * w->accelerate[i];
}

/* the contact problem with friction: slips before and without impulses, then the solver */
static enum carom_status solve_friction(struct carom_stepper *stepper, const struct carom_state *from, double h,
                                        const double *v1, struct carom_error *error)
{
    struct carom_moreau *w = stepper->work;
    struct carom_rigid_step *c = &w->rigid;
    struct carom_coulomb *r = &w->friction;
    const double *sticks = carom_columns_at(carom_moreau_jean_columns, CAROM_MOREAU_STICKS, from, stepper->model->nc);
    double fastest = 0.0;
    carom_frame_slide(&w->frame, from->time, w->place, r->slide0);
    carom_frame_slide(&w->frame, nextafter(from->time + h, from->time), w->place, r->slide1); /* left limit */
    carom_frame_slips(&w->frame, r->slide0, from->v, r->before);
    carom_frame_slips(&w->frame, r->slide1, v1, r->freely);
    for (size_t k = 0; k < c->n; k++)
        fastest = fmax(fastest, fmax(fabs(w->before[k]), fmax(fabs(r->before[k]), fabs(r->slide0[k]))));
    for (size_t k = 0; k < c->n; k++) {
        const size_t j = c->contact[k];
        const bool fresh = from->memory[j] == CAROM_RIGID_STEP_OPEN; /* at rest along each other: sticks */
        r->stuck[k] = sticks[j] != 0.0 || (fresh && fabs(r->before[k]) <= 16.0 * DBL_EPSILON * fastest);
        if (carom_moreau_sent_back(w->bounce + 2 * j, w->before[k], 0.0, fabs(r->before[k]), sticks[j] != 0.0))
            r->freely[k] += w->bounce[2 * j + 1] * r->before[k];
    }
    /* where no force obeys Coulomb's law, the step's impulses do (Painleve's states): a shock that stops the slip */
    return carom_coulomb_solve(r, stepper, &w->frame, from->time, c->b, NULL, c->impulse, error);
}

/* one turn: from a v1 (in w->trial) to the next; the first makes the set of contacts. w->before and freely are gap
 * rates of the set */
static enum carom_status turn(struct carom_stepper *stepper, const struct carom_state *from, double h, bool first,
                              double *v1, struct carom_error *error)
{
    struct carom_moreau *w = stepper->work;
    struct carom_rigid_step *c = &w->rigid;
    const struct carom_model *model = stepper->model;
    const double theta = w->options->theta, t = from->time + theta * h;
    for (size_t i = 0; i < model->nv; i++) {
        w->mean[i] = theta * w->trial[i] + (1.0 - theta) * from->v[i];
        w->step[i] = theta * h * w->mean[i];
    }
    carom_motion_move(model, from->q, w->step, w->place);
    carom_motion_impose(model, t, w->place, w->mean);
    fly(w, stepper->scratch, from, h, v1);
    stepper->counts.evaluations++;
    if (first)
        carom_rigid_step_quiet(c, from->v, v1);
    enum carom_status status = first ? select(stepper, h, from, error) : CAROM_OK;
    if (status == CAROM_OK)
        status = carom_frame_set(&w->frame, t, w->place, c->contact, c->n, error);
    if (status != CAROM_OK || c->n == 0)
        return status;
    carom_frame_rates(&w->frame, from->v, w->before);
    carom_frame_rates(&w->frame, v1, w->freely);
    for (size_t k = 0; k < c->n; k++) {
        const double e = w->bounce[2 * c->contact[k] + (w->before[k] > 0.0)];
        c->b[k] = w->freely[k] + e * w->before[k];
        if (w->frame.chain) {
            c->diagonal[k] = w->frame.diagonal[k];
            c->beside[k] = w->frame.beside[k];
        }
    }
    status = model->frictional ? solve_friction(stepper, from, h, v1, error)
                               : carom_rigid_step_solve(c, stepper, t, w->frame.chain ? NULL : w->frame.matrix, error);
    if (status == CAROM_OK)
        carom_frame_push(&w->frame, c->impulse, v1);
    if (status == CAROM_OK && model->frictional)
        carom_frame_friction(&w->frame, w->friction.impulse, v1);
    return status;
}

/* until v1 stands still, or as still as rounding lets it */
static enum carom_status iterate(struct carom_stepper *stepper, const struct carom_state *from, double h, double *v1,
                                 struct carom_error *error)
{
    struct carom_moreau *w = stepper->work;
    const size_t nv = stepper->model->nv;
    double last = HUGE_VAL;
    memcpy(w->trial, from->v, nv * sizeof(double));
    for (int i = 0; i < TURNS; i++) {
        const enum carom_status status = turn(stepper, from, h, i == 0, v1, error);
        if (status != CAROM_OK)
            return status;
        double change = 0.0, size = 0.0, poison = 0.0;
        for (size_t k = 0; k < nv; k++) {
            const double moved = fabs(v1[k] - w->trial[k]);
            change = moved > change ? moved : change;
            size = fabs(v1[k]) > size ? fabs(v1[k]) : size;
            size = fabs(from->v[k]) > size ? fabs(from->v[k]) : size;
            poison += v1[k] * 0.0;
        }
        if (poison != 0.0)
            return carom_frame_explain(stepper->model, from->time + w->options->theta * h, w->place, w->mean, error);
        if (change <= 4.0 * DBL_EPSILON * size || (change <= 1e-11 * size && change >= 0.5 * last))
            return CAROM_OK;
        last = change;
        memcpy(w->trial, v1, nv * sizeof(double));
    }
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "%s could not solve its step at t = %g: forces or directions change too fast for step %g, "
                           "take a smaller one",
                           stepper->scheme->kind.name, from->time, h);
}

/* the same for friction, and which contacts stick; a belt's work is that of its mean speed */
static void book_friction(struct carom_moreau *w, const struct carom_state *from, struct carom_state *to, double h)
{
    struct carom_rigid_step *c = &w->rigid;
    struct carom_coulomb *r = &w->friction;
    const size_t nc = to->nfriction;
    const double *stuck = carom_columns_at(carom_moreau_jean_columns, CAROM_MOREAU_STICKS, from, nc);
    double *sticks = carom_columns_at(carom_moreau_jean_columns, CAROM_MOREAU_STICKS, to, nc);
    memcpy(to->friction_loss, from->friction_loss, nc * sizeof(double));
    memset(to->friction, 0, nc * sizeof(double));
    memset(sticks, 0, nc * sizeof(double));
    carom_frame_slips(&w->frame, r->slide1, to->v, r->after);
    for (size_t k = 0; k < c->n; k++) {
        const size_t j = c->contact[k];
        to->friction[j] = r->impulse[k] / h;
        to->friction_loss[j] += carom_coulomb_took(1, &r->impulse[k], &r->before[k], &r->after[k], &to->lost[j]);
        sticks[j] = r->mode[k] == CAROM_COULOMB_STICK ? 1.0 : 0.0;
        if (stuck[j] != sticks[j] && from->memory[j] == CAROM_RIGID_STEP_CLOSED && c->impulse[k] > 0.0)
            carom_rigid_step_note(c, from->time + h, j,
                                  r->mode[k] == CAROM_COULOMB_STICK ? CAROM_EVENT_STICK : CAROM_EVENT_SLIP, 0.0,
                                  r->before[k], r->after[k]);
        r->slide0[k] = 0.5 * (r->slide0[k] + r->slide1[k]);
    }
    carom_frame_slip_work(&w->frame, r->slide0, r->impulse, to->work);
}

/* losses, forces, works and what became of the contacts; rates are those of the set */
static void book(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *to, double h)
{
    struct carom_moreau *w = stepper->work;
    struct carom_rigid_step *c = &w->rigid;
    const double t = from->time + h;
    memcpy(to->lost, from->lost, to->nlost * sizeof(double));
    for (size_t j = 0; j < to->nforce; j++)
        to->force[j] = to->memory[j] = 0.0;
    carom_frame_rates(&w->frame, to->v, w->after);
    carom_frame_work(&w->frame, c->impulse, to->work);
    if (to->nfriction > 0)
        book_friction(w, from, to, h);
    c->hit = false;
    for (size_t k = 0; k < c->n; k++)
        c->hit |= w->before[k] < -c->quiet;
    for (size_t k = 0; k < c->n; k++) {
        const size_t j = c->contact[k];
        const double p = c->impulse[k], before = w->before[k], after = w->after[k], jump = p * w->frame.diagonal[k];
        if (!(p > 0.0))
            continue;
        to->force[j] = p / h;
        to->lost[j] -= 0.5 * p * (before + after);
        if (carom_rigid_step_strikes(c, from->memory[j], before, jump)) {
            to->memory[j] = CAROM_RIGID_STEP_STRUCK;
            c->struck = true;
            carom_rigid_step_note(c, t, j, CAROM_EVENT_IMPACT, p, before, after);
            continue;
        }
        to->memory[j] = carom_rigid_step_pressed(c, from->memory[j], jump);
        if (to->memory[j] != from->memory[j] && to->memory[j] == CAROM_RIGID_STEP_CLOSED && from->step > 0)
            carom_rigid_step_note(c, t, j, CAROM_EVENT_CLOSE, p, before, after);
    }
}

/* openings, with the gap rates of the whole model at the end of the step */
static void note_openings(struct carom_stepper *stepper, const struct carom_state *from, const struct carom_state *to,
                          double t)
{
    struct carom_moreau *w = stepper->work;
    bool any = false;
    for (size_t j = 0; j < to->nforce; j++)
        any |= from->memory[j] == CAROM_RIGID_STEP_CLOSED && !(to->force[j] > 0.0);
    if (!any)
        return;
    carom_contacts_deform(stepper->model, t, to->q, to->v, w->after, w->before);
    for (size_t j = 0; j < to->nforce; j++)
        if (from->memory[j] == CAROM_RIGID_STEP_CLOSED && !(to->force[j] > 0.0))
            carom_rigid_step_note(&w->rigid, t, j, CAROM_EVENT_OPEN, 0.0, -w->before[j], -w->before[j]);
}

/* energy that the impacts of a step made out of nothing */
static void note_creation(struct carom_stepper *stepper, const struct carom_state *from, const struct carom_state *to)
{
    double loss = 0.0;
    for (size_t j = 0; j < to->nlost; j++)
        loss += to->lost[j] - from->lost[j];
    for (size_t j = 0; j < to->nfriction; j++)
        loss += to->friction_loss[j] - from->friction_loss[j];
    if (loss < 0.0)
        stepper->created -= loss;
}

enum carom_status carom_moreau_any_step(struct carom_stepper *stepper, struct carom_state *state, double h,
                                        struct carom_error *error)
{
    struct carom_moreau *w = stepper->work;
    const struct carom_model *model = stepper->model;
    const struct carom_state *from = stepper->before;
    const double theta = w->options->theta, t = from->time + h;
    const enum carom_status status = iterate(stepper, from, h, state->v, error);
    if (status != CAROM_OK)
        return status;
    for (size_t i = 0; i < model->nv; i++) {
        w->mean[i] = theta * state->v[i] + (1.0 - theta) * from->v[i];
        w->step[i] = h * w->mean[i];
    }
    carom_motion_move(model, from->q, w->step, state->q);
    book(stepper, from, state, h);
    carom_motion_spend(model, from->time + theta * h, w->place, w->mean, h, stepper->scratch, state->spent,
                       state->work);
    carom_motion_project(model, t, state->q, state->v);
    carom_motion_impose(model, t, state->q, state->v);
    note_openings(stepper, from, state, t);
    if (w->rigid.struck)
        note_creation(stepper, from, state);
    return CAROM_OK;
}
