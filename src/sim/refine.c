/* Two flights through the whole run, at step h and at h/2, compared at many times. For a method of second order the
 * first is off by 4/3 of their distance, and errors go with h^2, which gives the step for the tolerance. Where the
 * flights differ by too much for that (waves near the mesh's limit are out of phase), or where the step comes out less
 * than a tenth of theirs (small waves may be out of phase unseen), they are flown again with a quarter of the step.
 * Errors are displacements over U and velocities over V, over all cells and sensors. Velocities between steps are
 * differences of displacements over the step: their rounding grows as steps get small, so steps stop where both errors
 * are alike. */
#include "sim/refine.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "carom/solid.h"
#include "sim/breaks.h"

enum { LOOKS = 200, ATTEMPTS = 4 };

static const double safety = 2.0; /* the run aims at tol / safety */
static const double linear = 0.3; /* of the scales: distances beyond this say nothing of the order */
static const double reach = 100;  /* times the aim: distances beyond this are too far from it to tell */

struct flight {
    struct carom_stepper *stepper;
    struct carom_state *state, *view;
    void *options;
    double far; /* the largest displacement seen */
};

bool carom_refine_wanted(const struct carom_scheme *scheme, const void *options)
{
    const struct carom_param *step = carom_param_find(scheme->kind.params, "step");
    const struct carom_param *tol = carom_param_find(scheme->kind.params, "tol");
    return step && tol && carom_param_value(tol, options) > 0.0 && !carom_param_find(scheme->kind.params, "share");
}

static void land(struct flight *f)
{
    carom_stepper_free(f->stepper);
    carom_state_free(f->state);
    carom_state_free(f->view);
    carom_options_free(f->options);
    *f = (struct flight){0};
}

static enum carom_status take_off(struct flight *f, const struct carom_sim *sim, const void *options, double step,
                                  struct carom_error *error)
{
    const struct carom_scheme *scheme = sim->stepper->scheme;
    *f = (struct flight){.options = carom_options_create(&scheme->kind)};
    if (!f->options)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for pilot runs");
    memcpy(f->options, options, scheme->kind.size);
    carom_param_store(carom_param_find(scheme->kind.params, "step"), f->options, step);
    f->stepper = carom_stepper_create(scheme, sim->model, f->options, &sim->scales, sim->threads, error);
    if (!f->stepper)
        return error ? error->status : CAROM_E_MEMORY;
    f->state = carom_state_create(sim->model, sim->state->nmemory);
    f->view = carom_state_create(sim->model, 0);
    if (!f->state || !f->view)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for pilot runs");
    carom_state_view(f->state, sim->view);
    return scheme->start ? scheme->start(f->stepper, f->state, error) : CAROM_OK;
}

static enum carom_status fly_to(struct flight *f, double t, double until, const struct carom_breaks *breaks,
                                struct carom_error *error)
{
    const struct carom_scheme *scheme = f->stepper->scheme;
    enum carom_status status = CAROM_OK;
    while (status == CAROM_OK && carom_state_until(f->state, t) > 0.0) {
        const struct carom_bound bound = {
            .t_stop = carom_breaks_next(breaks, f->state, until), .t_dense = t, .steps = SIZE_MAX};
        status = scheme->step(f->stepper, f->state, &bound, error);
    }
    if (status != CAROM_OK)
        return status;
    if (carom_state_until(f->state, t) < 0.0)
        scheme->dense(f->stepper, f->state, t, f->view);
    else
        scheme->sync(f->stepper, f->state, f->view);
    return CAROM_OK;
}

/* displacements over U, velocities over V; rotations follow from them */
static double distance(const struct carom_sim *sim, const struct flight *a, const struct flight *b)
{
    const double length = sim->scales.length > 0.0 ? sim->scales.length : 1.0;
    const double speed = sim->scales.speed > 0.0 ? sim->scales.speed : 1.0;
    size_t member;
    const struct carom_solid *s = carom_solid_of(sim->model, &member);
    const size_t q0 = sim->model->member[member].q0, v0 = sim->model->member[member].v0;
    double worst = 0.0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < (size_t)s->dimension; k++) {
            const size_t q = q0 + s->wide * i + k, v = v0 + s->fast * i + k;
            worst = fmax(worst, fabs(a->view->q[q] - b->view->q[q]) / length);
            worst = fmax(worst, fabs(a->view->v[v] - b->view->v[v]) / speed);
        }
    for (size_t i = 0; i < s->nsensors; i++) {
        double u[2][3], w[2][3];
        carom_solid_sense(s, &s->sensor[i], a->view->q + q0, a->view->v + v0, u[0], w[0]);
        carom_solid_sense(s, &s->sensor[i], b->view->q + q0, b->view->v + v0, u[1], w[1]);
        for (int k = 0; k < s->dimension; k++)
            worst = fmax(worst, fmax(fabs(u[0][k] - u[1][k]) / length, fabs(w[0][k] - w[1][k]) / speed));
    }
    return worst;
}

static double farthest(const struct carom_sim *sim, const struct flight *a)
{
    size_t member;
    const struct carom_solid *s = carom_solid_of(sim->model, &member);
    double far = 0.0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < (size_t)s->dimension; k++)
            far = fmax(far, fabs(a->view->q[sim->model->member[member].q0 + s->wide * i + k]));
    return far;
}

/* the largest distance of two flights; ends early where it says nothing any more */
static enum carom_status compare(struct carom_sim *sim, struct flight *a, struct flight *b,
                                 const struct carom_watch *watch, double *worst, struct carom_error *error)
{
    struct carom_breaks breaks;
    enum carom_status status = carom_breaks_open(&breaks, sim->model)
                                   ? CAROM_OK
                                   : carom_error_set(error, CAROM_E_MEMORY, "out of memory for pilot runs");
    *worst = 0.0;
    for (int look = 1; look <= LOOKS && status == CAROM_OK && *worst < linear; look++) {
        const double t = look < LOOKS ? sim->until * look / LOOKS : sim->until;
        status = fly_to(a, t, sim->until, &breaks, error);
        if (status == CAROM_OK)
            status = fly_to(b, t, sim->until, &breaks, error);
        if (status == CAROM_OK) {
            *worst = fmax(*worst, distance(sim, a, b));
            a->far = fmax(a->far, farthest(sim, a));
        }
        sim->progress = (double)look / LOOKS;
        if (status == CAROM_OK && watch && watch->call && !watch->call(watch->own, sim))
            status = carom_error_set(error, CAROM_E_STOPPED, "stopped in the pilot runs, before the run itself");
    }
    carom_breaks_close(&breaks);
    return status;
}

enum carom_status carom_refine_fly(struct carom_sim *sim, const void *options, const struct carom_watch *watch,
                                   struct carom_refine *found, struct carom_error *error)
{
    const struct carom_param *params = sim->stepper->scheme->kind.params;
    const double tol = carom_param_value(carom_param_find(params, "tol"), options), aim = tol / safety;
    double h = carom_param_value(carom_param_find(params, "step"), options), worst = 0.0, far = 0.0;
    enum carom_status status = CAROM_OK;
    sim->phase = "pilot runs";
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        struct flight a = {0}, b = {0};
        status = take_off(&a, sim, options, h, error);
        if (status == CAROM_OK)
            status = take_off(&b, sim, options, 0.5 * h, error);
        if (status == CAROM_OK)
            status = compare(sim, &a, &b, watch, &worst, error);
        far = a.far;
        land(&a);
        land(&b);
        if (status != CAROM_OK || worst < fmin(linear, reach * aim) || attempt + 1 == ATTEMPTS)
            break;
        h *= 0.25;
    }
    const double off = 4.0 / 3.0 * worst;
    /* rounding of velocities, over V: grain / step; the least sum of both is where off (step / h)^2 is half of it */
    const double grain = sim->scales.speed > 0.0 ? 2.0 * DBL_EPSILON * far / sim->scales.speed : 0.0;
    const double least = off > 0.0 ? pow(0.5 * grain * h * h / off, 1.0 / 3.0) : 0.0;
    found->step = off > aim ? fmax(h * sqrt(aim / off), fmin(least, h)) : h;
    found->estimate = off * (found->step / h) * (found->step / h) + grain / found->step;
    if (worst >= linear) /* no order was seen: the estimate is only what was seen */
        found->estimate = fmax(found->estimate, 2.0 * tol);
    return status;
}
