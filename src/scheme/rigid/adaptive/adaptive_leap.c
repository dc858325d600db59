/* Steps of moreau-adaptive while no contact changes its mode. A basic step is moreau-jean's with theta = 1/2,
 * where closed contacts have no gap rate at its end (at the place where it ends), sticking ones no slip either,
 * and slipping ones a friction of mu times the normal impulse. That is a symmetric step of order 2 whose errors
 * have even powers of h only, so that 1, 2 and 3 of them give order 6 by extrapolation; the last two alone give
 * order 4 and tell the error. */
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/motion.h"
#include "model/ports.h"
#include "scheme/rigid/adaptive/adaptive_cone.h"
#include "solve/dense.h"
#include "solve/tridiagonal.h"

enum { TURNS = 60, SEQUENCES = 3 };

static const double weight[SEQUENCES] = {1.0 / 24.0, -16.0 / 15.0, 81.0 / 40.0};
static const double last_two[SEQUENCES] = {0.0, -4.0 / 5.0, 9.0 / 5.0};

void carom_adaptive_leap_modes(struct carom_adaptive *w)
{
    w->nclosed = 0;
    for (size_t j = 0; j < w->moreau.rigid.model->nc; j++)
        if (w->mode[j] != CAROM_COULOMB_OPEN) {
            w->some[w->nclosed] = w->mode[j];
            w->closed[w->nclosed++] = j;
        }
}

/* --- forces of closed contacts --------------------------------------------------------------------------------- */

/* W x = -b of a row of contacts; a little added to W makes x unique, one correction takes it out again */
static void hold_chain(struct carom_adaptive *w, const double *b, double *x)
{
    const struct carom_frame *f = &w->moreau.frame;
    const size_t n = f->n;
    double *diagonal = w->matrix, *off = w->matrix + n, *left = w->side;
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, f->diagonal[i]);
        x[i] = 0.0;
        left[i] = -b[i];
    }
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < n; i++) {
            diagonal[i] = f->diagonal[i] + 1e-12 * largest;
            off[i] = f->beside[i];
        }
        if (!carom_tridiagonal_solve(n, diagonal, off, left))
            left[0] = nan("");
        for (size_t i = 0; i < n; i++)
            x[i] += left[i];
        for (size_t i = 0; i < n; i++)
            left[i] = -b[i] - f->diagonal[i] * x[i] - (i > 0 ? f->beside[i - 1] * x[i - 1] : 0.0) -
                      (i + 1 < n ? f->beside[i] * x[i + 1] : 0.0);
    }
    w->redundant |= n > w->moreau.rigid.model->nv;
}

/* there are no impulses yet */
static void forget(struct carom_adaptive *w)
{
    struct carom_moreau *m = &w->moreau;
    memset(m->rigid.impulse, 0, w->nclosed * sizeof(double));
    if (m->friction.impulse)
        memset(m->friction.impulse, 0, m->frame.tangents * w->nclosed * sizeof(double));
}

/* Impulses that make the rates b vanish, b + W x = 0, into w->normal_more and w->along_more: normal ones, and
 * tangential ones as modes have it. `b` and `slips` (n each, the second for friction only) are rates, or gaps. */
static void hold(struct carom_adaptive *w, const double *b, const double *slips, bool friction)
{
    struct carom_coulomb *r = &w->moreau.friction;
    const struct carom_frame *f = &w->moreau.frame;
    const size_t n = f->n;
    if (f->chain) {
        hold_chain(w, b, w->normal_more);
        return;
    }
    if (w->wide > 1) {
        carom_adaptive_cone_hold(w, b, slips, friction);
        return;
    }
    if (!f->both) {
        memcpy(w->matrix, f->matrix, n * n * sizeof(double));
        for (size_t i = 0; i < n; i++)
            w->normal_more[i] = -b[i];
        w->redundant |= carom_dense_solve(n, w->matrix, w->normal_more, w->order, 1e-13) < n;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        r->b[2 * i] = b[i];
        r->b[2 * i + 1] = slips[i];
        r->now[i] = friction && f->slips[i] ? r->mu[f->contact[i]] : 0.0;
    }
    w->redundant |= !carom_coulomb_modes(r, f, w->some, r->r);
    for (size_t i = 0; i < n; i++) {
        w->normal_more[i] = r->r[2 * i];
        w->along_more[i] = r->r[2 * i + 1];
    }
}

/* v += what impulses do */
static void push(const struct carom_adaptive *w, const double *normal, const double *along, double *v)
{
    carom_frame_push(&w->moreau.frame, normal, v);
    if (w->moreau.frame.both)
        carom_frame_friction(&w->moreau.frame, along, v);
}

/* --- one step -------------------------------------------------------------------------------------------------- */

/* velocities after a step without contacts, forces taken at its middle: m->place, m->mean */
static void fly(struct carom_stepper *stepper, double t, double h, const double *q, const double *v, double *v1)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_moreau *m = &w->moreau;
    const struct carom_model *model = stepper->model;
    for (size_t i = 0; i < model->nv; i++) {
        m->mean[i] = 0.5 * (m->trial[i] + v[i]);
        w->way[i] = 0.5 * h * m->mean[i];
    }
    carom_motion_move(model, q, w->way, m->place);
    carom_motion_impose(model, t + 0.5 * h, m->place, m->mean);
    carom_motion_accelerate(model, t + 0.5 * h, m->place, m->mean, NULL, stepper->scratch, m->force, m->accelerate,
                            NULL);
    stepper->counts.evaluations++;
    for (size_t i = 0; i < model->nv; i++)
        v1[i] = v[i] + h * m->accelerate[i];
}

/* gap and slip rates of the closed contacts at the end of the step, into m->before and friction.before */
static void look_ahead(struct carom_stepper *stepper, double t, double h, const double *q, const double *v,
                       const double *v1)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_moreau *m = &w->moreau;
    const struct carom_model *model = stepper->model;
    const double end = carom_adaptive_before(w, t, h);
    double *q1 = w->there, *u1 = w->there + model->nq;
    for (size_t i = 0; i < model->nv; i++) {
        w->way[i] = 0.5 * h * (v[i] + v1[i]);
        u1[i] = v1[i];
    }
    carom_motion_move(model, q, w->way, q1);
    carom_motion_impose(model, end, q1, u1);
    carom_contacts_deform(model, end, q1, u1, m->after, m->freely);
    for (size_t k = 0; k < w->nclosed; k++)
        m->before[k] = -m->freely[w->closed[k]];
    for (size_t k = 0; k < w->nclosed && w->wide > 1; k++) {
        double normal[3], pass[3];
        carom_ports_passage(model, w->closed[k], q1, u1, normal, pass);
        for (size_t way = 0; way < 2; way++)
            m->friction.before[2 * k + way] = carom_vec_dot(m->frame.axes[k] + 3 * way, pass);
    }
    if (!m->frame.both || w->wide > 1)
        return;
    carom_contacts_slip(model, end, q1, u1, m->freely);
    for (size_t k = 0; k < w->nclosed; k++)
        m->friction.before[k] = m->freely[w->closed[k]];
}

/* in space: slips in the middle of the step, into friction.after */
static void look_amid(struct carom_adaptive *w, const double *v, const double *v1)
{
    struct carom_moreau *m = &w->moreau;
    for (size_t i = 0; i < m->rigid.model->nv; i++)
        w->way[i] = 0.5 * (v[i] + v1[i]);
    carom_frame_slips(&m->frame, m->frame.slide, w->way, m->friction.after);
}

/* v1 from m->trial and the impulses found so far, which are corrected by what the rates at the end are off */
static enum carom_status turn(struct carom_stepper *stepper, double t, double h, const double *q, const double *v,
                              double *v1, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_moreau *m = &w->moreau;
    fly(stepper, t, h, q, v, v1);
    const enum carom_status status = carom_frame_set(&m->frame, t + 0.5 * h, m->place, w->closed, w->nclosed, error);
    if (status != CAROM_OK || w->nclosed == 0)
        return status;
    push(w, m->rigid.impulse, m->friction.impulse, v1);
    look_ahead(stepper, t, h, q, v, v1);
    if (w->wide > 1)
        look_amid(w, v, v1);
    hold(w, m->before, m->friction.before, true);
    push(w, w->normal_more, w->along_more, v1);
    for (size_t k = 0; k < w->nclosed; k++)
        m->rigid.impulse[k] += w->normal_more[k];
    for (size_t k = 0; k < m->frame.tangents * w->nclosed; k++)
        m->friction.impulse[k] += w->along_more[k];
    return CAROM_OK;
}

/* what the step dissipated and what worked, at its middle; v0 and v1 its velocities */
static void book(struct carom_stepper *stepper, double t, double h, double *y)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_moreau *m = &w->moreau;
    const struct carom_model *model = stepper->model;
    double *spent = y + model->nq + model->nv, *work = spent + model->nparts, *friction_loss = work + model->nparts;
    carom_motion_spend(model, t + 0.5 * h, m->place, m->mean, h, stepper->scratch, spent, work);
    if (w->nclosed == 0)
        return;
    carom_frame_work(&m->frame, m->rigid.impulse, work);
    if (!m->frame.both)
        return;
    carom_frame_slips(&m->frame, m->frame.slide, m->mean, m->friction.after);
    carom_frame_slip_work(&m->frame, m->frame.slide, m->friction.impulse, work);
    const size_t ways = m->frame.tangents;
    for (size_t k = 0; k < ways * w->nclosed; k++)
        friction_loss[w->closed[k / ways]] -= m->friction.impulse[k] * m->friction.after[k];
}

enum carom_status carom_adaptive_leap_step(struct carom_stepper *stepper, double t, double h, double *y,
                                           struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_moreau *m = &w->moreau;
    const size_t nv = stepper->model->nv;
    double *q = y, *v = y + stepper->model->nq, *v1 = m->step, last = HUGE_VAL;
    memcpy(m->trial, v, nv * sizeof(double));
    forget(w);
    for (int i = 0; i < TURNS; i++) {
        const enum carom_status status = turn(stepper, t, h, q, v, v1, error);
        w->coarse = status != CAROM_OK && i > 0; /* turns that run away: in a shorter step they do not */
        if (status != CAROM_OK)
            return status;
        double change = 0.0, size = 0.0, poison = 0.0;
        for (size_t k = 0; k < nv; k++) {
            change = carom_rigid_step_larger(fabs(v1[k] - m->trial[k]), change);
            size = carom_rigid_step_larger(fabs(v1[k]), size);
            size = carom_rigid_step_larger(fabs(v[k]), size);
            size = carom_rigid_step_larger(fabs(h * m->accelerate[k]), size); /* at rest contacts hold against this */
            poison += v1[k] * 0.0;
        }
        w->coarse = poison != 0.0 && i > 0;
        if (poison != 0.0)
            return carom_frame_explain(stepper->model, t + 0.5 * h, m->place, m->mean, error);
        memcpy(m->trial, v1, nv * sizeof(double));
        if (change <= 4.0 * DBL_EPSILON * size || (change <= 1e-11 * size && change >= 0.5 * last)) {
            for (size_t k = 0; k < nv; k++) {
                m->mean[k] = 0.5 * (v[k] + v1[k]);
                w->way[k] = h * m->mean[k];
                v[k] = v1[k];
            }
            carom_motion_move(stepper->model, q, w->way, q);
            carom_motion_impose(stepper->model, t + 0.5 * h, m->place, m->mean);
            book(stepper, t, h, y);
            carom_motion_impose(stepper->model, t + h, q, v);
            return CAROM_OK;
        }
        last = change;
    }
    w->coarse = true;
    return carom_error_set(error, CAROM_E_NUMERIC, "a step of %g could not be solved at t = %g", h, t);
}

/* --- constraints ----------------------------------------------------------------------------------------------- */

/* q moved so that closed contacts have no gap: twice, where gaps are curved */
enum carom_status carom_adaptive_leap_close(struct carom_stepper *stepper, double t, double *q,
                                            struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_moreau *m = &w->moreau;
    for (int round = 0; round < 2; round++) {
        const enum carom_status status = carom_frame_set(&m->frame, t, q, w->closed, w->nclosed, error);
        if (status != CAROM_OK)
            return status;
        for (size_t k = 0; k < m->frame.tangents * w->nclosed; k++)
            m->friction.before[k] = 0.0; /* how far it has slipped stays */
        forget(w);
        hold(w, m->frame.gap, m->friction.before, false);
        memset(w->way, 0, stepper->model->nv * sizeof(double));
        push(w, w->normal_more, w->along_more, w->way);
        carom_motion_move(stepper->model, q, w->way, q);
    }
    return CAROM_OK;
}

enum carom_status carom_adaptive_leap_settle(struct carom_stepper *stepper, double t, double *q, double *v,
                                             bool friction, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_moreau *m = &w->moreau;
    carom_motion_normalise(stepper->model, q, w->way);
    carom_motion_project(stepper->model, t, q, v);
    if (w->nclosed == 0)
        return CAROM_OK;
    enum carom_status status = carom_adaptive_leap_close(stepper, t, q, error);
    if (status == CAROM_OK)
        status = carom_frame_set(&m->frame, t, q, w->closed, w->nclosed, error);
    if (status != CAROM_OK)
        return status;
    if (m->frame.both)
        carom_frame_slips(&m->frame, m->frame.slide, v, m->friction.before);
    if (w->wide > 1) {
        memcpy(m->friction.after, m->friction.before, 2 * w->nclosed * sizeof(double));
        forget(w);
    }
    carom_frame_rates(&m->frame, v, m->before);
    hold(w, m->before, m->friction.before, friction);
    push(w, w->normal_more, w->along_more, v);
    return CAROM_OK;
}

/* w->along += part times the friction of contact k of the frame */
static void press_along(struct carom_adaptive *w, size_t k, double part)
{
    const struct carom_moreau *m = &w->moreau;
    double *along = w->along + w->wide * w->closed[k];
    if (w->wide == 1)
        along[0] += part * m->friction.impulse[k];
    for (size_t c = 0; c < 3 && w->wide > 1; c++)
        along[c] += part * (m->friction.impulse[2 * k] * m->frame.axes[k][c] +
                            m->friction.impulse[2 * k + 1] * m->frame.axes[k][3 + c]);
}

enum carom_status carom_adaptive_leap_press(struct carom_stepper *stepper, double t, const double *q, const double *v,
                                            double h, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const struct carom_model *model = stepper->model;
    const struct carom_counts counts = stepper->counts;
    const double fastest = carom_rigid_step_size(v, model->nv);
    enum carom_status status = CAROM_OK;
    memset(w->normal, 0, model->nc * sizeof(double));
    memset(w->along, 0, w->wide * model->nc * sizeof(double));
    carom_adaptive_cone_fix(w, q, v);
    for (int half = 0; half < 2 && w->nclosed > 0 && status == CAROM_OK; half++) {
        const double size = half ? 0.5 * h : h, part = half ? 2.0 / size : -1.0 / size;
        memset(w->tiny, 0, w->ny * sizeof(double));
        memcpy(w->tiny, q, model->nq * sizeof(double));
        memcpy(w->tiny + model->nq, v, model->nv * sizeof(double));
        status = carom_adaptive_leap_step(stepper, t, size, w->tiny, error);
        for (size_t k = 0; k < w->nclosed && status == CAROM_OK; k++) {
            w->noise[w->closed[k]] = 8.0 * DBL_EPSILON * fastest / (w->moreau.frame.diagonal[k] * fabs(h));
            w->normal[w->closed[k]] += part * w->moreau.rigid.impulse[k];
            if (w->moreau.frame.both)
                press_along(w, k, part);
        }
    }
    carom_adaptive_cone_fix(w, NULL, NULL);
    const uint64_t evaluations = stepper->counts.evaluations;
    stepper->counts = counts;
    stepper->counts.evaluations = evaluations;
    return status;
}

/* --- leaps ----------------------------------------------------------------------------------------------------- */

/* how large the tangential impulse of contact k of the frame is */
static double size_of(const struct carom_adaptive *w, const double *along, size_t k)
{
    return !along ? 0.0 : w->wide == 1 ? fabs(along[k]) : carom_adaptive_cone_length(along + 2 * k);
}

/* does contact k of the frame slip, by friction.after, the other way than its mode has it? */
static bool turned(const struct carom_adaptive *w, size_t k)
{
    const struct carom_moreau *m = &w->moreau;
    const double *slip = m->friction.after, *toward = w->toward + 3 * w->closed[k];
    if (w->wide > 1)
        return w->some[k] == CAROM_COULOMB_SLIP &&
               slip[2 * k] * carom_vec_dot(m->frame.axes[k], toward) +
                       slip[2 * k + 1] * carom_vec_dot(m->frame.axes[k] + 3, toward) <
                   -w->none;
    return (w->some[k] == CAROM_COULOMB_UP && slip[k] > w->slow) ||
           (w->some[k] == CAROM_COULOMB_DOWN && slip[k] < -w->slow);
}

/* is anything wrong after a step of size h that ended at t? Only a hint: the leap is judged at its end */
static bool wrong(struct carom_stepper *stepper, double t, const double *y)
{
    struct carom_adaptive *w = stepper->work;
    const struct carom_moreau *m = &w->moreau;
    const struct carom_model *model = stepper->model;
    const double *v = y + model->nq;
    for (size_t k = 0; k < w->nclosed; k++) {
        const size_t j = w->closed[k];
        if (w->redundant)
            break;
        const double normal = m->rigid.impulse[k], along = size_of(w, m->friction.impulse, k);
        if (normal < 0.0 ||
            (w->some[k] == CAROM_COULOMB_STICK && m->frame.both && along > m->friction.mu_static[j] * normal))
            return true;
    }
    if (w->nclosed > 0 && m->frame.both) {
        carom_frame_slips(&m->frame, m->frame.slide, v, m->friction.after);
        for (size_t k = 0; k < w->nclosed; k++)
            if (turned(w, k))
                return true;
    }
    carom_contacts_deform(model, t, y, NULL, w->gap, NULL);
    for (size_t j = 0; j < model->nc; j++)
        if (w->mode[j] == CAROM_COULOMB_OPEN && w->gap[j] > w->near)
            return true;
    return false;
}

/* the error of the two last sequences alone, in units of the scales */
static double estimate(const struct carom_model *model, struct carom_adaptive *w, size_t nq, size_t nv)
{
    double worst = 0.0;
    for (size_t k = 0; k < nq + nv; k++) {
        double off = 0.0;
        for (size_t i = 0; i < SEQUENCES; i++)
            off += (weight[i] - last_two[i]) * (w->x[i][k] - w->tiny[k]);
        off *= carom_motion_lever(model, k >= nq, k < nq ? k : k - nq);
        worst = carom_rigid_step_larger(fabs(off) / (k < nq ? w->length : w->speed), worst);
    }
    return worst;
}

/* What rounding alone makes of that where a leap begins at w->tiny: no leap, however short, errs by less. */
static double rounding(const struct carom_model *model, const struct carom_adaptive *w)
{
    double most = 0.0;
    for (size_t k = 0; k < model->nq + model->nv; k++) {
        const bool speed = k >= model->nq;
        const double size = carom_motion_lever(model, speed, speed ? k - model->nq : k) * fabs(w->tiny[k]);
        most = carom_rigid_step_larger(size / (speed ? w->speed : w->length), most);
    }
    return 4.0 * DBL_EPSILON * most;
}

enum carom_status carom_adaptive_leap(struct carom_stepper *stepper, const struct carom_state *from, double h,
                                      struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const size_t nq = stepper->model->nq, nv = stepper->model->nv;
    const double t = from->time, end = carom_adaptive_before(w, t, h);
    w->early = 2.0;
    w->coarse = w->redundant = false;
    for (size_t i = 0; i < SEQUENCES; i++) {
        double *y = w->x[i];
        memset(y, 0, w->ny * sizeof(double));
        memcpy(y, from->q, nq * sizeof(double));
        memcpy(y + nq, from->v, nv * sizeof(double));
        for (size_t k = 0; k <= i; k++) {
            const double part = (double)k / (double)(i + 1), next = (double)(k + 1) / (double)(i + 1);
            enum carom_status status = carom_adaptive_leap_step(stepper, t + part * h, h / (double)(i + 1), y, error);
            if (status != CAROM_OK)
                return status;
            if (k < i && next < w->early && wrong(stepper, t + next * h, y))
                w->early = next;
        }
        const enum carom_status status = carom_adaptive_leap_settle(stepper, end, y, y + nq, false, error);
        if (status != CAROM_OK)
            return status;
    }
    memset(w->tiny, 0, w->ny * sizeof(double));
    memcpy(w->tiny, from->q, nq * sizeof(double));
    memcpy(w->tiny + nq, from->v, nv * sizeof(double));
    w->error = estimate(stepper->model, w, nq, nv);
    w->enough = fmax(w->allowed, rounding(stepper->model, w));
    memcpy(w->end, w->tiny, w->ny * sizeof(double));
    for (size_t k = 0; k < w->ny; k++) {
        double change = 0.0;
        for (size_t i = 0; i < SEQUENCES; i++)
            change += weight[i] * (w->x[i][k] - w->tiny[k]);
        w->end[k] += change;
    }
    carom_motion_impose(stepper->model, t + h, w->end, w->end + nq);
    return carom_adaptive_leap_settle(stepper, end, w->end, w->end + nq, false, error);
}
