/* Steps of flights, see event_step.h. */
#include "scheme/rigid/event/event_step.h"

#include <float.h>
#include <string.h>

#include "model/beads/loads.h"
#include "model/motion.h"
#include "scheme/rigid/event/event_cone.h"
#include "scheme/rigid/event/event_stiff.h"
#include "scheme/rigid/rigid_tell.h"
#include "scheme/stepper.h"
#include "solve/control.h"

enum { STAGES = CAROM_DORMAND_PRINCE_STAGES };

void carom_event_step_begin(struct carom_stepper *stepper, const struct carom_state *state)
{
    const struct carom_model *model = stepper->model;
    double *y = ((struct carom_event_work *)stepper->work)->smooth.start;
    memcpy(y, state->q, model->nq * sizeof(double));
    memcpy(y += model->nq, state->v, model->nv * sizeof(double));
    memcpy(y += model->nv, state->spent, model->nparts * sizeof(double));
    memcpy(y += model->nparts, state->work, model->nparts * sizeof(double));
    memcpy(y + model->nparts, state->friction_loss, state->nfriction * sizeof(double));
}

void carom_event_step_write(const struct carom_stepper *stepper, const double *y, struct carom_state *state)
{
    const struct carom_model *model = stepper->model;
    memcpy(state->q, y, model->nq * sizeof(double));
    memcpy(state->v, y += model->nq, model->nv * sizeof(double));
    memcpy(state->spent, y += model->nv, model->nparts * sizeof(double));
    memcpy(state->work, y += model->nparts, model->nparts * sizeof(double));
    memcpy(state->friction_loss, y + model->nparts, state->nfriction * sizeof(double));
}

void carom_event_step_stages(struct carom_stepper *stepper, double t, double h)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    s->step.h = h;
    s->from = t;
    s->to = t + h;
    if (s->stiff.on) {
        carom_event_stiff_stages(stepper, t, h);
        return;
    }
    for (size_t i = 1; i < STAGES; i++) {
        const double node = carom_dormand_prince_node(i), at = fmin(t + node * h, carom_loads_within(t, t + h));
        double *y = i + 1 < STAGES ? s->stage : s->end;
        carom_dormand_prince_stage(&s->step, i, 0, s->ny, y);
        carom_event_smooth_rates(stepper, at, y, s->step.k[i]);
    }
}

double carom_event_step_energy(const struct carom_stepper *stepper, double t, const double *q, const double *v)
{
    const struct carom_event_work *w = stepper->work;
    double own, of_speed, stored, *swift = w->smooth.swift, *scratch = stepper->before->scratch;
    for (size_t i = 0; i < w->model->nv; i++)
        swift[i] = w->speed / carom_motion_lever(w->model, true, i);
    carom_motion_energy(w->model, t, q, v, scratch, &own, &stored);
    carom_motion_energy(w->model, t, q, swift, scratch, &of_speed, &stored);
    return own + of_speed;
}

/* Of what loads, drives, dampers and friction have done: no motion depends on it, but the ledger does. */
static double error_of_works(const struct carom_stepper *stepper, double t)
{
    const struct carom_event_smooth *s = &((const struct carom_event_work *)stepper->work)->smooth;
    const size_t nq = stepper->model->nq, nv = stepper->model->nv;
    const double error = carom_dormand_prince_error(&s->step, nq + nv, s->ny);
    const double energy = error > 0.0 ? carom_event_step_energy(stepper, t, s->start, s->start + nq) : 0.0;
    return energy > 0.0 ? error / energy : 0.0;
}

static double local_error(const struct carom_stepper *stepper, double t)
{
    const struct carom_event_work *w = stepper->work;
    const size_t nq = w->model->nq, nv = w->model->nv;
    double q = 0.0, v = 0.0;
    for (size_t i = 0; i < nq; i++)
        q = fmax(q, carom_motion_lever(w->model, false, i) * carom_dormand_prince_error(&w->smooth.step, i, i + 1));
    for (size_t i = 0; i < nv; i++)
        v = fmax(v, carom_motion_lever(w->model, true, i) *
                        carom_dormand_prince_error(&w->smooth.step, nq + i, nq + i + 1));
    return fmax(fmax(q / w->length, v / w->speed), error_of_works(stepper, t));
}

/* What rounding alone makes of a step's error: nothing smaller can be asked for. Drives are asked at times that are
 * rounded. */
static double rounding(const struct carom_stepper *stepper, double t)
{
    const struct carom_event_work *w = stepper->work;
    const struct carom_event_smooth *s = &w->smooth;
    const size_t nq = w->model->nq, nv = w->model->nv;
    const double time = s->longest < HUGE_VAL ? fabs(t) : 0.0;
    double q = 0.0, v = 0.0;
    for (size_t i = 0; i < nq; i++)
        q = fmax(q, carom_motion_lever(w->model, false, i) * (fabs(s->start[i]) + time * fabs(s->step.k[0][i])));
    for (size_t i = 0; i < nv; i++)
        v = fmax(v,
                 carom_motion_lever(w->model, true, i) * (fabs(s->start[nq + i]) + time * fabs(s->step.k[0][nq + i])));
    return 4.0 * DBL_EPSILON * fmax(q / w->length, v / w->speed);
}

/* Dormand and Prince's estimate is of order 4, that of implicit steps of order 2. Where steps are rejected, forces may
 * have grown without measure. */
static const struct carom_control grow = {.safety = 0.9, .power = 0.2, .least = 0.9, .most = 5.0},
                                  again = {.safety = 0.9, .power = 0.2, .least = 0.1, .most = 0.9},
                                  implicit[2] = {{.safety = 0.9, .power = 1.0 / 3.0, .least = 0.9, .most = 3.0},
                                                 {.safety = 0.9, .power = 1.0 / 3.0, .least = 0.1, .most = 0.9}};

/* differences over a small part of the step */
static void bound_probe(struct carom_stepper *stepper, double h)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    s->probe = 0.01 * h < s->probe ? fmax(0.01 * h, carom_event_drives_least(stepper->work)) : s->probe;
}

/* How long a step of at most h may be before slips come to a stop, in space, where friction has no direction beyond.
 * One in which friction turns slips many times over is implicit. */
static double before_stops(struct carom_stepper *stepper, double t, double h)
{
    const double worth = 10.0, stable = 1.0, unseen = 3.0; /* of the time in which friction turns a slip */
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    double turning;
    bool seen;
    s->stiff.on = false;
    if (s->nheld == 0 || s->frame.tangents < 2)
        return h;
    s->flying = false;
    carom_event_smooth_rates(stepper, t, s->start, s->step.k[0]);
    carom_event_cone_begin(stepper->work);
    s->flying = true;
    h = fmin(h, carom_event_cone_limit(stepper->work, &turning, &seen));
    s->stiff.on = h > (seen ? worth : unseen) * turning;
    return s->stiff.on || seen ? h : fmin(h, stable * turning);
}

static double controlled(struct carom_stepper *stepper, double t, double allowed, double limit, double *size)
{
    const double strict = 10.0; /* early errors of a slip grow with it, and explicit steps make hardly any */
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    double h = fmin(fmin(*size, limit), s->longest);
    h = h < (1.0 - 1e-9) * limit ? h : limit; /* nothing is left over */
    const double tried = h;
    h = before_stops(stepper, t, h);
    const bool cut = h < tried;
    for (int attempt = 0; attempt < 200; attempt++) {
        bound_probe(stepper, h);
        if (attempt == 0 || s->nheld > 0)
            carom_event_smooth_rates(stepper, t, s->start, s->step.k[0]);
        allowed = attempt == 0 ? fmax(allowed, rounding(stepper, t)) : allowed;
        carom_event_step_stages(stepper, t, h);
        const double error = (s->stiff.on ? strict : 1.0) * local_error(stepper, t), ratio = allowed / error;
        if (error <= allowed) {
            stepper->counts.local_error += error;
            const double next = h * carom_control_factor(s->stiff.on ? &implicit[0] : &grow, ratio);
            *size = cut ? fmax(next, tried) : next;
            return h;
        }
        stepper->counts.rejected++;
        h *= carom_control_factor(s->stiff.on ? &implicit[1] : &again, ratio);
        if (!(t + h > t))
            return 0.0;
    }
    return 0.0;
}

double carom_event_step_sliver(struct carom_stepper *stepper, double t, double h)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    carom_event_smooth_rates(stepper, t, s->start, s->step.k[0]);
    carom_event_step_stages(stepper, t, h);
    return h;
}

/* one that is known to keep the local error, with differences over a part of it */
static double half_step(struct carom_stepper *stepper, double t, double h)
{
    bound_probe(stepper, h);
    return carom_event_step_sliver(stepper, t, h);
}

double carom_event_step_on(struct carom_stepper *stepper, const struct carom_state *state, double limit, double *size)
{
    struct carom_event_work *w = stepper->work;
    const double t = state->time + state->time_low, allowed = state->memory[CAROM_EVENT_ALLOWED];
    const double half = fmin(w->half, limit);
    w->half = 0.0;
    if (half > 0.0)
        return half_step(stepper, t, half);
    return controlled(stepper, t, stepper->finer ? CAROM_STEPPER_FINER * allowed : allowed, limit, size);
}

void carom_event_step_halve(struct carom_stepper *stepper, double t, bool event, struct carom_event_next *next)
{
    struct carom_event_work *w = stepper->work;
    const double h = 0.5 * next->time, short_one = 0.01 * w->length / w->speed; /* errs by rounding */
    const double beyond = 1.1;                                                  /* where the event is, or was */
    if (!(next->time > short_one))
        return;
    w->half = event ? beyond * h : h;
    *next = (struct carom_event_next){.time = h, .contact = stepper->model->nc};
    half_step(stepper, t, h);
}

enum carom_status carom_event_step_refuse(const struct carom_stepper *stepper, const struct carom_state *state,
                                          struct carom_error *error)
{
    const struct carom_event_smooth *s = &((const struct carom_event_work *)stepper->work)->smooth;
    for (size_t i = 0; i < s->ny; i++)
        if (!(fabs(s->start[i]) < HUGE_VAL) || !(fabs(s->step.k[0][i]) < HUGE_VAL))
            return carom_frame_explain(stepper->model, state->time + state->time_low, state->q, state->v, error);
    char text[CAROM_RIGID_TELL_ROOM];
    const char *names = carom_rigid_tell(stepper->model, s->held, s->nheld, text);
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "event cannot keep tol = %g at t = %g%s%s%s: its step shrank to nothing; %sa larger tol may "
                           "do",
                           carom_stepper_tol(stepper), state->time, *names ? " (" : "", names,
                           *names ? " in contact)" : "",
                           s->rubs && s->nheld > 0 ? "where a contact slips its force may grow without bound "
                                                     "(Painleve), which a smaller mu prevents, else "
                                                   : "");
}

static bool touches(const void *own, size_t j)
{
    return ((const double *)own)[j] != CAROM_EVENT_FREE;
}

/* Contacts that stick and slip in turn without time between them, or next to none, do not go on for ever: where forces
 * of several are not unique, those that say who slips and those that move bodies may be others. */
enum carom_status carom_event_step_clock(struct carom_stepper *stepper, const struct carom_state *state, double h,
                                         struct carom_error *error)
{
    enum { STILL = 1000, RESTLESS = 400 };
    const double none = 1e-13, little = 1e-5; /* of the time that bodies take for U */
    struct carom_event_work *w = stepper->work;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE), time = w->length / w->speed;
    bool struck = false;
    for (size_t j = 0; j < w->model->nc; j++)
        struck |= w->struck[j];
    w->still = h > none * time ? 0 : w->still + 1;
    w->restless = h > little * time || struck ? 0 : w->restless + 1;
    if ((w->still < STILL && w->restless < RESTLESS) || !w->model->frictional)
        return CAROM_OK;
    return carom_rigid_tell_still(stepper, state->time, w->still < STILL ? RESTLESS : STILL, touches, mode, error);
}
