/* Two flights in step with each other, a at local tolerance e and b at e / 8, compared at many
 * times. Their distance D is the error of a, and D / e is how errors grow in this scene: local errors of a
 * step that add up, and velocity errors that become displacements. Errors are taken to be proportional to the
 * local tolerance, which holds while they are small: flights that differ by more than a hundredth of the scales
 * are flown again, tighter; those that always are, and by more than the scales, are not flown to the end. */
#include "sim/pilot.h"

#include <string.h>

#include "base/memory.h"
#include "sim/breaks.h"

enum { LOOKS = 150 }; /* comparisons, at times that do not depend on what is recorded: recording changes no bit */

static const double ratio = 8.0;      /* between the flights' tolerances */
static const double safety = 3.0;     /* the run aims at tol / safety */
static const double most = 0.3;       /* of tol for one step, however kind the scene */
static const double follows = 0.8;    /* errors shrink like (local tolerance)^(4/5): steps are as many as tol^(-1/5) */
static const double nonlinear = 0.01; /* of the scales: errors beyond this do not scale */
static const double chaos = 1.0;      /* of the scales: nor do they stop here */

struct flight {
    struct carom_stepper *stepper;
    struct carom_state *state, *view;
    void *options;
};

static void land(struct flight *f)
{
    carom_stepper_free(f->stepper);
    carom_state_free(f->state);
    carom_state_free(f->view);
    carom_options_free(f->options);
    *f = (struct flight){0};
}

/* a copy of the sim's start with local tolerance `allowed` */
static enum carom_status take_off(struct flight *f, const struct carom_sim *sim, const void *options, double allowed,
                                  struct carom_error *error)
{
    const struct carom_scheme *scheme = sim->stepper->scheme;
    *f = (struct flight){.options = carom_options_create(&scheme->kind)};
    if (!f->options)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for pilot runs");
    memcpy(f->options, options, scheme->kind.size);
    carom_param_store(carom_param_find(scheme->kind.params, "tol"), f->options, allowed);
    carom_param_store(carom_param_find(scheme->kind.params, "share"), f->options, 1.0);
    f->stepper = carom_stepper_create(scheme, sim->model, f->options, &sim->scales, NULL, error);
    if (!f->stepper)
        return error ? error->status : CAROM_E_MEMORY;
    f->stepper->patience = sim->stepper->patience;
    f->state = carom_state_create(sim->model, sim->state->nmemory);
    f->view = carom_state_create(sim->model, 0);
    if (!f->state || !f->view)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for pilot runs");
    carom_state_view(f->state, sim->view); /* the view is the physical start */
    return scheme->start ? scheme->start(f->stepper, f->state, error) : CAROM_OK;
}

static enum carom_status call(struct carom_sim *sim, const struct carom_watch *watch, struct carom_error *error)
{
    if (!watch || !watch->call || watch->call(watch->own, sim))
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_STOPPED, "stopped in the pilot runs, before the run itself");
}

/* flies on to t; the view is the state there. Now and then the watch is called: t may be far away. */
static enum carom_status fly_to(struct flight *f, double t, struct carom_sim *sim, const struct carom_breaks *breaks,
                                const struct carom_watch *watch, struct carom_error *error)
{
    enum { AT_ONCE = 4096 };
    const struct carom_scheme *scheme = f->stepper->scheme;
    enum carom_status status = CAROM_OK;
    while (status == CAROM_OK && carom_state_until(f->state, t) > 0.0) {
        const struct carom_bound bound = {
            .t_stop = carom_breaks_next(breaks, f->state, sim->until), .t_dense = t, .steps = AT_ONCE};
        status = scheme->step(f->stepper, f->state, &bound, error);
        if (status == CAROM_OK)
            status = call(sim, watch, error);
    }
    if (status != CAROM_OK)
        return status;
    if (carom_state_until(f->state, t) < 0.0)
        scheme->dense(f->stepper, f->state, t, f->view);
    else
        scheme->sync(f->stepper, f->state, f->view);
    return CAROM_OK;
}

/* how far apart two flights are, in units of the scales: displacements, and velocities into *speeds */
static double distance(const struct carom_sim *sim, const struct flight *a, const struct flight *b, double *speeds)
{
    const double length = sim->scales.length > 0.0 ? sim->scales.length : 1.0;
    const double speed = sim->scales.speed > 0.0 ? sim->scales.speed : 1.0;
    double worst = 0.0;
    for (size_t i = 0; i < sim->model->nq; i++)
        worst = fmax(worst, fabs(a->view->q[i] - b->view->q[i]) / length);
    *speeds = 0.0;
    for (size_t i = 0; i < sim->model->nv; i++)
        *speeds = fmax(*speeds, fabs(a->view->v[i] - b->view->v[i]) / speed);
    return worst;
}

/* both flights side by side until they are `enough` apart; *worst is their largest distance */
static enum carom_status compare(struct carom_sim *sim, struct flight *a, struct flight *b, double enough,
                                 const struct carom_watch *watch, double *worst, struct carom_error *error)
{
    struct carom_breaks breaks;
    enum carom_status status = carom_breaks_open(&breaks, sim->model)
                                   ? CAROM_OK
                                   : carom_error_set(error, CAROM_E_MEMORY, "out of memory for pilot runs");
    const bool jumps = !(sim->model->offers & CAROM_COMPLIANT); /* velocities jump: their error is an average */
    double sum = 0.0;
    *worst = 0.0;
    for (int look = 1; look <= LOOKS && status == CAROM_OK && *worst < enough; look++) {
        const double t = look < LOOKS ? sim->until * look / LOOKS : sim->until;
        status = fly_to(a, t, sim, &breaks, watch, error);
        if (status == CAROM_OK)
            status = fly_to(b, t, sim, &breaks, watch, error);
        double speeds = 0.0;
        if (status == CAROM_OK)
            *worst = fmax(*worst, distance(sim, a, b, &speeds));
        sum += speeds / LOOKS;
        *worst = fmax(*worst, jumps ? sum : speeds);
        sim->progress = (double)look / LOOKS;
        if (status == CAROM_OK)
            status = call(sim, watch, error);
    }
    carom_breaks_close(&breaks);
    return status;
}

/* the error over the run if a step may take `step`, from flights at `allowed` */
static double predict(double growth, double allowed, double step)
{
    return growth * step * (step < allowed ? pow(allowed / step, 1.0 - follows) : 1.0);
}

/* two flights, at `allowed` and at a part of it; *worst is how far they are apart, and `enough` ends them */
static enum carom_status fly_pair(struct carom_sim *sim, const void *options, const struct carom_watch *watch,
                                  double allowed, double part, double enough, double *worst, struct carom_error *error)
{
    struct flight a = {0}, b = {0};
    enum carom_status status = take_off(&a, sim, options, allowed, error);
    if (status == CAROM_OK)
        status = take_off(&b, sim, options, allowed * part, error);
    if (status == CAROM_OK)
        status = compare(sim, &a, &b, enough, watch, worst, error);
    land(&a);
    land(&b);
    return status;
}

/* Schemes that also choose their order do not err in proportion to the local tolerance. The first flight is the run
 * itself, the second one with a sixteenth of its local tolerance: how far they are apart is the error of the run. Where
 * it is too much, both are flown again, tighter. */
static enum carom_status prove(struct carom_sim *sim, const void *options, const struct carom_watch *watch, double tol,
                               struct carom_pilot *pilot, struct carom_error *error)
{
    enum { ATTEMPTS = 6 };
    const double least = 2e-13; /* less is rounding */
    double share = pilot->share = 0.3, worst = HUGE_VAL;
    int stalls = 0;
    for (int attempt = 0; attempt < ATTEMPTS && stalls < 2; attempt++) {
        double apart;
        const enum carom_status status =
            fly_pair(sim, options, watch, share * tol, 1.0 / 16.0, HUGE_VAL, &apart, error);
        if (status != CAROM_OK)
            return status;
        stalls += apart > 0.9 * worst ? 1 : 0;
        if (apart < worst) {
            worst = apart;
            pilot->share = share;
        }
        if (apart <= 0.9 * tol || share * tol <= least)
            break;
        share = fmax(share * fmin(fmax(0.4 * tol / apart, 1.0 / 64.0), 0.4), least / tol);
    }
    pilot->estimate = fmax(worst, DBL_EPSILON);
    return CAROM_OK;
}

enum carom_status carom_pilot_fly(struct carom_sim *sim, const void *options, const struct carom_watch *watch,
                                  struct carom_pilot *pilot, struct carom_error *error)
{
    enum { ATTEMPTS = 4 };
    const struct carom_param *params = sim->stepper->scheme->kind.params;
    const double tol = carom_param_value(carom_param_find(params, "tol"), options);
    double allowed = fmin(fmax(0.1 * tol, 1e-7), 1e-3), worst = 0.0;
    enum carom_status status = CAROM_OK;
    sim->phase = "pilot runs";
    if (carom_param_find(params, "order"))
        return prove(sim, options, watch, tol, pilot, error);
    for (int attempt = 1;; attempt++) {
        const bool last = attempt == ATTEMPTS;
        status = fly_pair(sim, options, watch, allowed, 1.0 / ratio, last ? chaos : nonlinear, &worst, error);
        if (status != CAROM_OK || worst < nonlinear || last)
            break;
        allowed *= 0.01;
        sim->phase = "pilot runs, tighter";
    }
    if (worst >= chaos) { /* no local tolerance leads to the end, so the tightest would be wasted on the run */
        *pilot = (struct carom_pilot){.share = fmin(allowed / tol, 1.0), .estimate = worst};
        return status;
    }
    const double growth = worst / (allowed * (1.0 - 1.0 / ratio)), aim = tol / safety;
    double step = fmax(most * tol, 1e-15);
    if (predict(growth, allowed, step) > aim)
        step = growth * allowed <= aim ? aim / growth : allowed * pow(aim / (growth * allowed), 1.0 / follows);
    step = fmax(step, 1e-15); /* less is rounding */
    pilot->share = fmin(step / tol, 1.0);
    pilot->estimate = fmax(predict(growth, allowed, step), DBL_EPSILON); /* 0 would say that none was made */
    return status;
}
