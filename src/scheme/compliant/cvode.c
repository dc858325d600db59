/* CVODE of SUNDIALS as a scheme of its own: an independent check on ours, in physical variables (q, v), with the
 * Adams methods of order 1 to 12 and fixed-point iteration. Built only with CAROM_CVODE; the only file that knows
 * SUNDIALS. CVODE keeps a past that a checkpoint cannot hold, so it begins anew at every step of ours, some
 * contact times long; dense output runs the same stretch again. `tol` is CVODE's local tolerance, not a promise
 * for the whole run. */
#include "carom/scheme.h"

#ifdef CAROM_WITH_CVODE

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "base/memory.h"
#include "scheme/compliant/rates.h"
#include "scheme/stepper.h"

struct options {
    double tol, step;
};

static const struct carom_param params[] = {
    {"tol", CAROM_REAL, offsetof(struct options, tol), 1e-8, 1e-14, 1e-1, "1",
     "local tolerance, relative to the scales; not over the whole run", NULL},
    {"step", CAROM_REAL, offsetof(struct options, step), 0.0, 0.0, HUGE_VAL, "s",
     "time after which CVODE begins anew, 0: a contact time", NULL},
    CAROM_PARAM_END,
};

/* One CVODE and what belongs to it. */
struct solver {
    void *memory;
    N_Vector y;
    SUNNonlinearSolver iteration;
    double *at; /* nall: the numbers of y */
};

struct work {
    SUNContext context;
    struct carom_rates rates;
    double *weight, *rate; /* nall; nall and what the rates write beyond */
    double origin;         /* time at which the stretch under work began */
    double stretch;
    struct solver run, look; /* look: for dense output */
    bool looking;            /* `look` is inside the last step, at look_time */
    uint64_t look_step;
    double look_time;
};

/* --- what CVODE asks
 * --------------------------------------------------------------------------------------------- */

static int right_hand_side(realtype t, N_Vector y, N_Vector dy, void *own)
{
    struct carom_stepper *stepper = own;
    struct work *w = stepper->work;
    const double *from = N_VGetArrayPointer(y);
    double *to = N_VGetArrayPointer(dy), sum = 0.0;
    carom_rates_evaluate(&w->rates, w->origin + t, from, w->rate);
    memcpy(to, w->rate, w->rates.nall * sizeof *to);
    for (size_t i = 0; i < w->rates.nstate; i++)
        sum += fabs(to[i]) + fabs(from[i]);
    stepper->counts.evaluations++;
    return isfinite(sum) ? 0 : -1;
}

static int weights(N_Vector y, N_Vector weight, void *own)
{
    const struct carom_stepper *stepper = own;
    const struct work *w = stepper->work;
    (void)y;
    memcpy(N_VGetArrayPointer(weight), w->weight, w->rates.nall * sizeof(double));
    return 0;
}

/* Positive scales also where nothing moves; what is only integrated is measured by the energy of the heaviest
 * body. */
static void fill_weights(const struct carom_stepper *stepper, struct work *w)
{
    const struct carom_model *model = stepper->model;
    const struct options *o = stepper->options;
    const double speed = stepper->scales.speed > 0.0 ? stepper->scales.speed : 1.0;
    const double length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    /* CVODE's norm is a mean square: a share of it for one bead in a long row must not drown */
    const double many = sqrt((double)w->rates.nall);
    double mass = 0.0;
    const struct carom_beads *beads = carom_model_chain(model);
    for (size_t i = 0; beads != NULL && i < beads->n; i++)
        mass = beads->mass[i] > mass ? beads->mass[i] : mass;
    const double energy = (mass > 0.0 ? mass : 1.0) * speed * speed;
    for (size_t i = 0; i < w->rates.nall; i++) {
        const double scale = i < model->nq ? length : i < model->nq + model->nv ? speed : energy;
        w->weight[i] = many / (o->tol * scale);
    }
}

/* --- opening
 * ----------------------------------------------------------------------------------------------------- */

static void close_solver(struct solver *s)
{
    if (s->memory)
        CVodeFree(&s->memory);
    if (s->iteration)
        SUNNonlinSolFree(s->iteration);
    if (s->y)
        N_VDestroy(s->y);
    carom_memory_free(s->at);
    *s = (struct solver){0};
}

static bool open_solver(struct solver *s, struct carom_stepper *stepper, struct work *w)
{
    const size_t n = w->rates.nall;
    s->at = carom_memory_zeroed(n, sizeof *s->at);
    s->y = s->at ? N_VMake_Serial((sunindextype)n, s->at, w->context) : NULL;
    s->memory = s->y ? CVodeCreate(CV_ADAMS, w->context) : NULL;
    s->iteration = s->memory ? SUNNonlinSol_FixedPoint(s->y, 0, w->context) : NULL;
    return s->iteration && CVodeSetErrFile(s->memory, NULL) == CV_SUCCESS &&
           CVodeInit(s->memory, right_hand_side, 0.0, s->y) == CV_SUCCESS &&
           CVodeWFtolerances(s->memory, weights) == CV_SUCCESS && CVodeSetUserData(s->memory, stepper) == CV_SUCCESS &&
           CVodeSetNonlinearSolver(s->memory, s->iteration) == CV_SUCCESS &&
           CVodeSetMaxNumSteps(s->memory, 10000000) == CV_SUCCESS;
}

static void close_work(struct carom_stepper *stepper)
{
    struct work *w = stepper->work;
    if (!w)
        return;
    close_solver(&w->run);
    close_solver(&w->look);
    if (w->context)
        SUNContext_Free(&w->context);
    carom_rates_close(&w->rates);
    carom_memory_free_all(w->weight, w->rate, w);
    stepper->work = NULL;
}

static enum carom_status open_work(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct options *o = stepper->options;
    struct work *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    const double contact = stepper->scales.contact_time > 0.0 ? stepper->scales.contact_time : 1.0;
    enum carom_status status = w ? carom_rates_open(&w->rates, stepper->model, error)
                                 : carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme cvode");
    if (status != CAROM_OK) {
        close_work(stepper);
        return status;
    }
    const size_t room = w->rates.nall + w->rates.nextra;
    carom_rates_stand(&w->rates);
    w->stretch = o->step > 0.0 ? o->step : contact;
    w->weight = carom_memory_zeroed(w->rates.nall, sizeof(double));
    w->rate = carom_memory_zeroed(room, sizeof(double));
    const bool good = w->weight && w->rate && SUNContext_Create(NULL, &w->context) == 0 &&
                      open_solver(&w->run, stepper, w) && open_solver(&w->look, stepper, w);
    if (good) {
        fill_weights(stepper, w);
        return CAROM_OK;
    }
    close_work(stepper);
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme cvode");
}

/* --- stepping
 * ---------------------------------------------------------------------------------------------------- */

/* Begins a stretch of length h at `from`. The first step does not depend on how far CVODE is asked to go at first. */
static bool begin(struct work *w, struct solver *s, const struct carom_state *from, double h)
{
    memcpy(s->at, from->data, w->rates.nall * sizeof(double));
    w->origin = from->time;
    return CVodeReInit(s->memory, 0.0, s->y) == CV_SUCCESS && CVodeSetInitStep(s->memory, 1e-6 * h) == CV_SUCCESS &&
           CVodeSetStopTime(s->memory, h) == CV_SUCCESS;
}

static bool advance(struct solver *s, double to)
{
    realtype reached = 0.0;
    const int flag = CVode(s->memory, to, s->y, &reached, CV_NORMAL);
    return flag == CV_SUCCESS || flag == CV_TSTOP_RETURN;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    struct work *w = stepper->work;
    stepper->switched = false;
    for (size_t taken = 0; !carom_stepper_done(stepper, state, bound, taken); taken++) {
        const double h = carom_stepper_size(state, w->stretch, bound->t_stop);
        w->looking = false;
        if (!begin(w, &w->run, state, h) || !advance(&w->run, h))
            return carom_error_set(error, CAROM_E_NUMERIC, "scheme cvode could not go on from t = %.9g", state->time);
        carom_stepper_begin_step(stepper, state);
        memcpy(state->data, w->run.at, w->rates.nall * sizeof(double));
        carom_stepper_arrive(state, h, bound->t_stop);
        carom_stepper_count(stepper, h);
        stepper->switched = true; /* it may have: nobody looked */
        stepper->switched_first = stepper->switched_last = 0;
    }
    return CAROM_OK;
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    struct work *w = stepper->work;
    const struct carom_state *before = stepper->before;
    const double h = carom_state_until(before, state->time) + state->time_low, at = carom_state_until(before, t);
    if (!(at < h)) {
        carom_state_view(view, state);
        return;
    }
    carom_state_view(view, before);
    if (!w->looking || w->look_step != state->step || !(at >= w->look_time))
        w->looking = at > 0.0 && begin(w, &w->look, before, h);
    w->origin = before->time;
    w->look_step = state->step;
    w->look_time = at;
    w->looking = w->looking && advance(&w->look, at);
    if (w->looking)
        memcpy(view->data, w->look.at, w->rates.nall * sizeof(double));
    carom_state_clock(view, t);
    view->step = state->step;
}

const struct carom_scheme carom_scheme_cvode = {
    .kind = {"cvode", "CVODE of SUNDIALS, Adams methods: an independent check", params, sizeof(struct options)},
    .needs = CAROM_COMPLIANT | CAROM_MEMORYLESS,
    .order = 12,
    .dense_order = 12,
    .open = open_work,
    .step = step,
    .sync = carom_stepper_sync,
    .dense = dense,
    .close = close_work,
};

#endif
