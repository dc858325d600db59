/* The equations declared in event_smooth.h. Second derivatives of gaps that do not come from accelerations (curved
 * directions, moving walls) are differences of the gap rate along the motion. */
#include "scheme/rigid/event/event_smooth.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "model/motion.h"
#include "model/ports.h"
#include "scheme/rigid/event/event_friction.h"
#include "scheme/rigid/event/event_press.h"
#include "scheme/rigid/rigid_tell.h"
#include "solve/dense.h"

/* of the largest entry of W: what makes the forces unique and smallest where W is singular */
static const double regular = 1e-12;

void carom_event_smooth_close(struct carom_event_smooth *s)
{
    for (size_t i = 0; i < CAROM_DORMAND_PRINCE_STAGES; i++)
        carom_memory_free(s->step.k[i]);
    double *const arrays[] = {s->start,  s->end,    s->stage,   s->look,    s->slope,  s->force,
                              s->moved,  s->swift,  s->lambda,  s->side,    s->answer, s->factor,
                              s->gap[0], s->gap[1], s->rate[0], s->rate[1], s->gap[2], s->rate[2]};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        carom_memory_free(arrays[i]);
    carom_memory_free_all(s->held, s->near, s->breaks, s->facet);
    carom_event_friction_close(s);
    carom_frame_close(&s->frame);
    carom_lcp_close(&s->lcp);
    *s = (struct carom_event_smooth){0};
}

enum carom_status carom_event_smooth_open(struct carom_event_smooth *s, struct carom_stepper *stepper,
                                          struct carom_error *error)
{
    const struct carom_model *model = stepper->model;
    const struct carom_event_options *o = ((const struct carom_event_work *)stepper->work)->options;
    const size_t nc = model->nc, many = model->offers & CAROM_CHAIN ? 2 * nc : nc * nc;
    const bool sparse = (model->offers & CAROM_CHAIN) && o->solver != CAROM_LCP_LEMKE && o->solver != CAROM_LCP_NEWTON;
    s->ny = model->nq + model->nv + 2 * model->nparts + (model->frictional ? nc : 0);
    const struct {
        double **to;
        size_t n;
    } wanted[] = {{&s->start, s->ny}, {&s->end, s->ny},       {&s->stage, s->ny},     {&s->look, s->ny},
                  {&s->slope, s->ny}, {&s->force, model->nv}, {&s->moved, model->nq}, {&s->swift, model->nv},
                  {&s->lambda, nc},   {&s->side, nc},         {&s->answer, nc},       {&s->factor, many},
                  {&s->gap[0], nc},   {&s->gap[1], nc},       {&s->rate[0], nc},      {&s->rate[1], nc},
                  {&s->gap[2], nc},   {&s->rate[2], nc}};
    bool all = (s->held = carom_memory_zeroed(nc, sizeof *s->held)) != NULL;
    all &= (s->near = carom_memory_zeroed(nc, sizeof *s->near)) != NULL;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        all &= (*wanted[i].to = carom_memory_zeroed(wanted[i].n, sizeof(double))) != NULL;
    for (size_t i = 0; i < CAROM_DORMAND_PRINCE_STAGES; i++)
        all &= (s->step.k[i] = carom_memory_zeroed(s->ny, sizeof(double))) != NULL;
    all &= carom_event_drives_list(s, model);
    s->step.y0 = s->start;
    s->step.y1 = s->end;
    if (!all)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme event on %zu contacts", nc);
    enum carom_status status = carom_frame_open(&s->frame, model, nc, error);
    if (status == CAROM_OK)
        status = carom_event_friction_open(s, model, o->solver_tol, error);
    return status == CAROM_OK ? carom_lcp_open(&s->lcp, nc, !sparse, error) : status;
}

/* --- forces of held contacts ------------------------------------------------------------------------------------- */

/* W + regular: Cholesky's factor, or that of a tridiagonal matrix, of the frame's contacts */
static bool factorise(struct carom_event_smooth *s)
{
    const struct carom_frame *f = &s->frame;
    const size_t n = f->n;
    double *L = s->factor, largest = 0.0;
    s->redundant = false;
    for (size_t i = 0; i < n; i++)
        largest = f->diagonal[i] > largest ? f->diagonal[i] : largest;
    if (f->chain) {
        for (size_t i = 0; i < n; i++) {
            const double below = i > 0 ? f->beside[i - 1] : 0.0;
            L[2 * i + 1] = i > 0 ? below / L[2 * i - 2] : 0.0;
            L[2 * i] = f->diagonal[i] + regular * largest - L[2 * i + 1] * below;
            if (!(L[2 * i] > 0.0))
                return false;
        }
        return true;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k <= i; k++)
            L[i * n + k] = f->matrix[i * n + k] + (i == k ? regular * largest : 0.0);
    if (carom_dense_cholesky(n, L, 0.0) > 0)
        return false;
    for (size_t i = 0; i < n; i++) /* what was added is most of a pivot */
        s->redundant |= L[i * n + i] * L[i * n + i] < 10.0 * regular * largest;
    return true;
}

static void back_solve(const struct carom_event_smooth *s, double *x)
{
    const size_t n = s->frame.n;
    const double *L = s->factor;
    if (s->frame.chain) {
        for (size_t i = 1; i < n; i++)
            x[i] -= L[2 * i + 1] * x[i - 1];
        for (size_t i = n; i-- > 0;)
            x[i] = x[i] / L[2 * i] - (i + 1 < n ? L[2 * i + 3] * x[i + 1] : 0.0);
        return;
    }
    carom_dense_cholesky_solve(n, L, x);
}

/* x with W x = -side, improved once, so that what was added to W does not show */
static bool balance(struct carom_event_smooth *s, double *x)
{
    const size_t n = s->frame.n;
    if (!factorise(s))
        return false;
    for (size_t i = 0; i < n; i++)
        x[i] = -s->side[i];
    back_solve(s, x);
    carom_event_press_apply(&s->frame, x, s->answer);
    for (size_t i = 0; i < n; i++)
        s->answer[i] = -s->side[i] - s->answer[i];
    back_solve(s, s->answer);
    for (size_t i = 0; i < n; i++)
        x[i] += s->answer[i];
    return true;
}

/* --- second derivatives ------------------------------------------------------------------------------------------ */

/* Fourth order: in the middle of a step, at its start and at its end, because drives may break there. */
enum { MIDDLE, START, END, PLACES, POINTS = 5 };
static const double stencil[PLACES][POINTS] = {
    {-2.0, -1.0, 0.0, 1.0, 2.0}, {0.0, 1.0, 2.0, 3.0, 4.0}, {0.0, -1.0, -2.0, -3.0, -4.0}};
static const double weight[PLACES][POINTS] = {{1.0 / 12.0, -8.0 / 12.0, 0.0, 8.0 / 12.0, -1.0 / 12.0},
                                              {-25.0 / 12.0, 48.0 / 12.0, -36.0 / 12.0, 16.0 / 12.0, -3.0 / 12.0},
                                              {25.0 / 12.0, -48.0 / 12.0, 36.0 / 12.0, -16.0 / 12.0, 3.0 / 12.0}};

/* Where in the step t is, which must not be looked beyond. One that was cut short for an event may be too short for
 * both: what is behind it is like it, what is before may not be. */
static int place_of(const struct carom_event_smooth *s, double t)
{
    const double reach = 2.0 * s->probe;
    if (t - reach < s->from)
        return START;
    if (t + reach <= s->to)
        return MIDDLE;
    return t - 2.0 * reach < s->from ? START : END;
}

/* the motion `h` later with the velocity v and the acceleration a (NULL: none) */
static void go_on(struct carom_stepper *stepper, double t, const double *q, const double *v, const double *a, double h)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    const struct carom_model *model = stepper->model;
    for (size_t i = 0; i < model->nv; i++)
        s->swift[i] = h * (v[i] + (a ? 0.5 * h * a[i] : 0.0));
    carom_motion_move(model, q, s->swift, s->moved);
    for (size_t i = 0; i < model->nv; i++)
        s->swift[i] = v[i] + (a ? h * a[i] : 0.0);
    carom_motion_impose(model, t + h, s->moved, s->swift);
}

/* out[i] = second derivative of the gap of contact[i], with the acceleration a (NULL: what comes without it) */
static void bends(struct carom_stepper *stepper, double t, const double *q, const double *v, const double *a,
                  const size_t *contact, size_t n, double *out)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    const struct carom_model *model = stepper->model;
    memset(out, 0, n * sizeof *out);
    if (!a && (model->offers & CAROM_CHAIN) && (model->offers & CAROM_UNDRIVEN))
        return;
    const int place = (model->offers & CAROM_UNDRIVEN) ? MIDDLE : place_of(s, t);
    for (int p = 0; p < POINTS; p++) {
        const double h = stencil[place][p] * s->probe;
        if (weight[place][p] == 0.0)
            continue;
        go_on(stepper, t, q, v, a, h);
        for (size_t i = 0; i < n; i++) {
            double deform, rate;
            carom_contacts_deform_some(model, contact[i], contact[i] + 1, t + h, s->moved, s->swift, &deform, &rate);
            out[i] -= weight[place][p] / s->probe * rate;
        }
    }
}

/* s->drag = how the slips of the frame's contacts change under the accelerations a */
static void drags(struct carom_stepper *stepper, double t, const double *q, const double *v, const double *a)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    const struct carom_frame *f = &s->frame;
    const int place = (stepper->model->offers & CAROM_UNDRIVEN) ? MIDDLE : place_of(s, t);
    carom_frame_slips(f, f->slide, a, s->drag);
    for (size_t k = 0; k < f->tangents * f->n; k++)
        s->drag[k] -= f->slide[k];
    for (int p = 0; p < POINTS; p++) {
        const double h = stencil[place][p] * s->probe, share = weight[place][p] / s->probe;
        if (weight[place][p] == 0.0)
            continue;
        go_on(stepper, t, q, v, NULL, h);
        carom_event_friction_drift(stepper, t + h, share);
    }
}

bool carom_event_smooth_lasts(struct carom_stepper *stepper, const struct carom_state *state, size_t j, double until)
{
    const struct carom_event_work *w = stepper->work;
    double then;
    if (stepper->model->offers & CAROM_UNDRIVEN)
        return true;
    bends(stepper, until, state->q, state->v, w->smooth.slope + state->nq, &j, 1, &then);
    return then < 0.5 * w->bend[j];
}

double carom_event_smooth_noise(const struct carom_event_work *w)
{
    return 64.0 * DBL_EPSILON * w->speed / w->smooth.probe;
}

/* --- equations of motion ----------------------------------------------------------------------------------------- */

void carom_event_smooth_take(struct carom_stepper *stepper, const struct carom_state *state)
{
    struct carom_event_work *w = stepper->work;
    struct carom_event_smooth *s = &w->smooth;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    const double step = state->memory[CAROM_EVENT_NEXT_STEP];
    s->nheld = 0;
    s->from = state->time + state->time_low;
    s->to = HUGE_VAL;
    for (size_t j = 0; j < w->model->nc; j++)
        if (carom_event_held(mode[j]))
            s->held[s->nheld++] = j;
    carom_event_friction_take(w, state);
    /* small beside the time in which the motion changes, of which steps know, not beside that in which bodies cross a
     * clearance: rounding over it is noise of forces, and says when contacts part */
    const bool driven = !(w->model->offers & CAROM_UNDRIVEN);
    s->probe = 1e-4 * w->length / w->speed;
    if (step > 0.0 && (!driven || 0.01 * step < s->probe))
        s->probe = fmax(0.01 * step, carom_event_drives_least(w));
    s->probe = carom_event_drives_probe(w, s->probe);
}

/* accelerations without held contacts; rates of q, energy spent and works */
static void free_rates(struct carom_stepper *stepper, double t, double *y, double *dy)
{
    const struct carom_model *model = stepper->model;
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    double *q = y, *v = y + model->nq, *a = dy + model->nq, *spent = a + model->nv, *work = spent + model->nparts;
    carom_motion_impose(model, t, q, v);
    carom_motion_accelerate(model, t, q, v, NULL, stepper->scratch, s->force, a, NULL);
    carom_motion_flow(model, q, v, dy);
    carom_motion_power(model, t, q, v, stepper->scratch, spent, work);
    if (model->frictional)
        memset(work + model->nparts, 0, model->nc * sizeof *work);
    stepper->counts.evaluations++;
}

/* s->side = y'' of the contacts of the frame under the accelerations a, and s->drag */
static void second_derivatives(struct carom_stepper *stepper, double t, const double *q, const double *v,
                               const double *a)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    const struct carom_frame *f = &s->frame;
    bends(stepper, t, q, v, NULL, f->contact, f->n, s->answer);
    carom_frame_rates(f, a, s->side);
    for (size_t i = 0; i < f->n; i++)
        s->side[i] += s->answer[i] - f->drift[i];
    if (f->both)
        drags(stepper, t, q, v, a);
}

/* forces that keep the contacts of the frame in their modes, by s->side and s->drag */
static bool keep(struct carom_event_smooth *s, bool friction)
{
    if (!s->frame.both)
        return balance(s, s->lambda);
    carom_event_friction_hold(s, friction);
    return true;
}

/* v, or an acceleration, changed by the forces or impulses found */
static void push(const struct carom_event_smooth *s, double *v)
{
    carom_frame_push(&s->frame, s->lambda, v);
    if (s->frame.both)
        carom_frame_friction(&s->frame, s->along, v);
}

/* and what they work: at walls that move, and against slips of s->slips */
static void note_work(const struct carom_event_smooth *s, double *work)
{
    carom_frame_work(&s->frame, s->lambda, work);
    if (s->frame.both)
        carom_frame_slip_work(&s->frame, s->frame.slide, s->along, work);
}

void carom_event_smooth_rates(struct carom_stepper *stepper, double t, double *y, double *dy)
{
    const struct carom_model *model = stepper->model;
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    double *a = dy + model->nq, *work = a + model->nv + model->nparts;
    free_rates(stepper, t, y, dy);
    if (s->nheld == 0)
        return;
    if (carom_frame_set(&s->frame, t, y, s->held, s->nheld, NULL) == CAROM_OK) {
        second_derivatives(stepper, t, y, y + model->nq, a);
        if (s->frame.both)
            carom_event_friction_look(stepper->work, y + model->nq);
        if (keep(s, true)) {
            push(s, a);
            note_work(s, work);
            for (size_t i = 0; s->frame.both && i < s->nheld; i++)
                work[model->nparts + s->held[i]] = carom_event_friction_power(s, i);
            return;
        }
    }
    for (size_t i = 0; i < model->nv; i++)
        a[i] = nan("");
}

/* moves q by the impulses found, as a velocity would */
static void shift(struct carom_stepper *stepper, double *q)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    const struct carom_model *model = stepper->model;
    memset(s->swift, 0, model->nv * sizeof(double));
    push(s, s->swift);
    carom_motion_move(model, q, s->swift, q);
}

void carom_event_smooth_project(struct carom_stepper *stepper, double t, double *y)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    const struct carom_model *model = stepper->model;
    carom_motion_impose(model, t, y, y + model->nq);
    carom_motion_normalise(model, y, s->swift);
    carom_motion_project(model, t, y, y + model->nq);
    for (int turn = 0; turn < 3 && s->nheld > 0; turn++) {
        if (carom_frame_set(&s->frame, t, y, s->held, s->nheld, NULL) != CAROM_OK)
            return;
        if (turn < 2)
            memcpy(s->side, s->frame.gap, s->nheld * sizeof(double));
        else
            carom_frame_rates(&s->frame, y + model->nq, s->side);
        if (s->frame.both && turn < 2) /* how far it has slipped stays */
            memset(s->drag, 0, s->frame.tangents * s->nheld * sizeof(double));
        else if (s->frame.both)
            carom_frame_slips(&s->frame, s->frame.slide, y + model->nq, s->drag);
        if (!keep(s, false))
            return;
        if (turn < 2)
            shift(stepper, y);
        else
            push(s, y + model->nq);
    }
}

void carom_event_smooth_release(struct carom_stepper *stepper, const struct carom_state *state)
{
    struct carom_event_work *w = stepper->work;
    struct carom_event_smooth *s = &w->smooth;
    const double several = 16.0;
    carom_event_smooth_take(stepper, state);
    memcpy(s->look, state->q, state->nq * sizeof(double));
    memcpy(s->look + state->nq, state->v, state->nv * sizeof(double));
    carom_event_smooth_rates(stepper, state->time + state->time_low, s->look, s->slope);
    for (size_t i = 0; i < s->nheld; i++)
        if (s->lambda[i] * s->frame.diagonal[i] <= several * carom_event_smooth_noise(w))
            w->released[s->held[i]] = true;
}

/* --- which contacts are held ------------------------------------------------------------------------------------- */

/* 0 <= lambda _|_ y'' >= 0 at contacts w->set[0 .. n) at rest; sets their modes */
static enum carom_status choose(struct carom_stepper *stepper, struct carom_state *state, size_t n,
                                struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    struct carom_event_smooth *s = &w->smooth;
    const struct carom_frame *f = &s->frame;
    const double t = state->time + state->time_low;
    double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    enum carom_status status = carom_frame_set(&s->frame, t, state->q, w->set, n, error);
    if (status != CAROM_OK)
        return status;
    free_rates(stepper, t, s->look, s->slope);
    second_derivatives(stepper, t, state->q, state->v, s->slope + w->model->nq);
    if (f->both)
        return carom_event_friction_choose(stepper, state, n, error);
    struct carom_lcp_report report;
    char text[CAROM_RIGID_TELL_ROOM];
    const double none = carom_event_press_solve(stepper, &report);
    if (!report.solved)
        return carom_error_set(
            error, CAROM_E_NUMERIC,
            "no forces keep %zu contacts (%s) from overlapping at t = %g (residual %.1e, solver_tol %.1e)", n,
            carom_rigid_tell(w->model, w->set, n, text), t, report.residual, w->options->solver_tol);
    for (size_t i = 0; i < n; i++)
        mode[w->set[i]] = s->answer[i] <= none ? CAROM_EVENT_HELD : CAROM_EVENT_TOUCH;
    return CAROM_OK;
}

/* rates of held contacts become 0, and slips of those that stick; what that loses is booked */
static void unite(struct carom_stepper *stepper, struct carom_state *state)
{
    struct carom_event_work *w = stepper->work;
    struct carom_event_smooth *s = &w->smooth;
    const double t = state->time + state->time_low;
    if (s->nheld == 0 || carom_frame_set(&s->frame, t, state->q, s->held, s->nheld, NULL) != CAROM_OK)
        return;
    carom_frame_rates(&s->frame, state->v, s->side);
    carom_event_friction_stop(w, state);
    if (!keep(s, true))
        return;
    carom_event_friction_take(w, state);
    push(s, state->v);
    note_work(s, state->work);
    carom_frame_rates(&s->frame, state->v, s->answer);
    for (size_t i = 0; i < s->nheld; i++)
        state->lost[s->held[i]] -= 0.5 * s->lambda[i] * (s->side[i] + s->answer[i]);
    if (!s->frame.both)
        return;
    carom_frame_slips(&s->frame, s->frame.slide, state->v, s->slips);
    for (size_t i = 0; i < s->nheld; i++)
        state->friction_loss[s->held[i]] +=
            carom_event_friction_took(s, i, s->along, s->drag, s->slips, &state->lost[s->held[i]]);
}

void carom_event_smooth_tell(const struct carom_event_smooth *s, struct carom_state *state)
{
    for (size_t i = 0; i < s->nheld; i++)
        state->force[s->held[i]] = fmax(s->lambda[i], 0.0);
    carom_event_friction_tell(s, state);
}

enum carom_status carom_event_smooth_hold(struct carom_stepper *stepper, struct carom_state *state,
                                          struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    struct carom_event_smooth *s = &w->smooth;
    const size_t nc = w->model->nc, nq = state->nq, nv = state->nv;
    const double t = state->time + state->time_low;
    double *mode = carom_event_memory(state, nc, CAROM_EVENT_MODE);
    size_t n = 0, struck = 0;
    for (size_t j = 0; j < nc; j++) {
        if (carom_event_held(mode[j]))
            mode[j] = CAROM_EVENT_TOUCH;
        if (w->at_rest[j] && !w->released[j])
            w->set[n++] = j;
        w->bend[j] = 0.0;
    }
    memset(state->force, 0, state->nforce * sizeof(double));
    memset(state->friction, 0, state->nfriction * sizeof(double));
    carom_event_smooth_take(stepper, state);
    memcpy(s->look, state->q, nq * sizeof(double));
    memcpy(s->look + nq, state->v, nv * sizeof(double));
    /* twice: to make rates 0 may turn slips, of which there are then others */
    for (int turn = 0; turn < 2 && n > 0; turn++) {
        const enum carom_status status = choose(stepper, state, n, error);
        if (status != CAROM_OK)
            return status;
        carom_event_smooth_take(stepper, state);
        unite(stepper, state);
        memcpy(s->look + nq, state->v, nv * sizeof(double));
        if (!carom_event_friction_turned(w, state))
            break;
    }
    carom_event_smooth_rates(stepper, t, s->look, s->slope);
    carom_event_smooth_tell(s, state);
    for (size_t j = 0; j < nc; j++)
        if (w->struck[j] && mode[j] == CAROM_EVENT_TOUCH)
            w->set[struck++] = j;
    bends(stepper, t, state->q, state->v, s->slope + nq, w->set, struck, w->of_set);
    for (size_t i = 0; i < struck; i++)
        w->bend[w->set[i]] = w->of_set[i];
    return CAROM_OK;
}
