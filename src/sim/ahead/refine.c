/* Two flights through the whole run, at step h and at h/2, compared at many times. For a method of second order the
 * first is off by 4/3 of their distance, and errors go with h^2, which gives the step for the tolerance. Where the
 * flights differ by too much for that (waves near the mesh's limit are out of phase), or where the step comes out less
 * than a tenth of theirs (small waves may be out of phase unseen), they are flown again with a quarter of the step.
 * Errors are displacements over U and velocities over V, over all cells and sensors. Velocities between steps are
 * differences of displacements over the step: their rounding grows as steps get small, so steps stop where both errors
 * are alike.
 *
 * Where solids meet, errors do not always go with h^2: points close, open and part with their faces inside steps,
 * dashpots begin with a force, and what sticks creeps by as much as a step leaves of its slip. So the run itself is
 * flown there, beside one with a quarter of its step: their distance holds most of the error, however errors fall, and
 * the step gets smaller until what it tells is within tol. */
#include "sim/ahead/ahead.h"

#include <float.h>

#include "base/power.h"
#include "carom/solid.h"
#include "model/solid/solid_self.h"
#include "model/solid/strike/solid_balls.h"
#include "model/solid/strike/solid_strike.h"
#include "sim/ahead/flights.h"

enum { LOOKS = 200, ATTEMPTS = 4, CHECKS = 5 };

static const double safety = 2.0;             /* the run aims at tol / safety */
static const double linear = 0.3;             /* of the scales: distances beyond this say nothing of the order */
static const double reach = 100;              /* times the aim: distances beyond this are too far from it to tell */
static const double finer = 0.25;             /* of the step, beside the run itself */
static const double least = 0.25, most = 0.5; /* of a step that errs too much, for the next check */
static const double slow = 0.1;               /* errors that fall like a lower power of the step hardly fall */
static const double luck = 1.5;               /* what is stated over what the power tells that was seen last */

bool carom_refine_wanted(const struct carom_scheme *scheme, const void *options)
{
    const struct carom_param *step = carom_param_find(scheme->kind.params, "step");
    const struct carom_param *tol = carom_param_find(scheme->kind.params, "tol");
    return step && tol && carom_param_value(tol, options) > 0.0 && !carom_param_find(scheme->kind.params, "share");
}

struct sight {
    const struct carom_sim *sim;
    double far; /* the largest displacement of the first flight */
};

/* of one solid, at cells and sensors */
static double solids_apart(struct sight *sight, size_t member, const struct carom_sim *a, const struct carom_sim *b)
{
    const struct carom_sim *sim = sight->sim;
    const double length = sim->scales.length > 0.0 ? sim->scales.length : 1.0;
    const double speed = sim->scales.speed > 0.0 ? sim->scales.speed : 1.0;
    const struct carom_solid *s = carom_solid_at(sim->model, member);
    const size_t q0 = sim->model->member[member].q0, v0 = sim->model->member[member].v0;
    double worst = 0.0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < (size_t)s->dimension; k++) {
            const size_t q = q0 + s->wide * i + k, v = v0 + s->fast * i + k;
            worst = fmax(worst, fabs(a->view->q[q] - b->view->q[q]) / length);
            worst = fmax(worst, fabs(a->view->v[v] - b->view->v[v]) / speed);
            sight->far = fmax(sight->far, fabs(a->view->q[q]));
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

/* displacements over U, velocities over V; rotations follow from them */
static double apart(void *own, size_t which, const struct carom_sim *a, const struct carom_sim *b)
{
    (void)which; /* there is one */
    struct sight *sight = own;
    const struct carom_sim *sim = sight->sim;
    const double length = sim->scales.length > 0.0 ? sim->scales.length : 1.0;
    const double speed = sim->scales.speed > 0.0 ? sim->scales.speed : 1.0;
    size_t member;
    double worst = 0.0;
    for (size_t i = 0; i < carom_solid_count(sim->model); i++)
        worst = fmax(worst, solids_apart(sight, i, a, b));
    const struct carom_solid_balls *balls = carom_solid_balls_of(sim->model, &member);
    for (size_t i = 0; balls && i < balls->n * (size_t)balls->dimension; i++) {
        const size_t q = sim->model->member[member].q0 + i, v = sim->model->member[member].v0 + i;
        worst = fmax(worst, fabs(a->view->q[q] - b->view->q[q]) / length);
        worst = fmax(worst, fabs(a->view->v[v] - b->view->v[v]) / speed);
    }
    return worst;
}

/* Does anything meet a solid, or itself? */
static bool meets(const struct carom_model *model)
{
    bool meets = carom_solid_strike_of(model) != NULL;
    for (size_t i = 0; i < carom_solid_count(model); i++)
        meets |= carom_solid_self_is_rough(carom_solid_at(model, i));
    return meets;
}

/* how far flights at step h and at a part of it are apart, and *far, the largest displacement */
static enum carom_status fly(struct carom_sim *sim, const struct carom_watch *watch, double h, double part,
                             double *worst, double *far, struct carom_error *error)
{
    struct sight sight = {.sim = sim};
    const struct carom_flights flights = {.sim = sim,
                                          .watch = watch,
                                          .noptions = 1,
                                          .option = {{{"step", h}}, {{"step", part * h}}},
                                          .looks = LOOKS,
                                          .enough = linear,
                                          .apart = apart,
                                          .own = &sight};
    const enum carom_status status = carom_flights_fly(&flights, worst, error);
    *far = sight.far;
    return status;
}

/* What is stated over the distance of flights at a step and at a part of it, if errors fall like this power of it. */
static double whole(double power)
{
    return luck / (1.0 - carom_power(finer, fmin(fmax(power, slow), 2.0)));
}

/* The run itself, with smaller steps where it errs more than tol, as long as that helps. `before`: how far its flights
 * would be apart, as far as that was seen, if *step were 1 / part times as long. */
static enum carom_status check(struct carom_sim *sim, const struct carom_watch *watch, double tol, int checks,
                               double before, double part, double *step, double *estimate, struct carom_error *error)
{
    double far = 0.0, worst, power = 1.0, h = *step;
    for (int i = 0; i < checks; i++) {
        const enum carom_status status = fly(sim, watch, h, finer, &worst, &far, error);
        if (status != CAROM_OK)
            return status;
        if (part < most && worst > 0.0)
            power = carom_power_log(worst / before) / carom_power_log(part);
        *step = h;
        *estimate = fmax(i == 0 ? *estimate : 0.0, whole(power) * worst);
        if (*estimate <= tol || (i > 0 && power < slow))
            break;
        before = worst;
        part = fmin(fmax(tol / *estimate, least), most);
        h *= part;
    }
    *estimate += sim->scales.speed > 0.0 ? 2.0 * DBL_EPSILON * far / sim->scales.speed / *step : 0.0;
    return CAROM_OK;
}

enum carom_status carom_refine_fly(struct carom_sim *sim, const struct carom_watch *watch, double *step,
                                   double *estimate, struct carom_error *error)
{
    const struct carom_param *params = sim->stepper->scheme->kind.params;
    const void *options = sim->stepper->options;
    const double tol = carom_param_value(carom_param_find(params, "tol"), options), aim = tol / safety;
    double h = carom_param_value(carom_param_find(params, "step"), options), worst = 0.0, far = 0.0;
    enum carom_status status = CAROM_OK;
    sim->phase = "pilot runs";
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        status = fly(sim, watch, h, 0.5, &worst, &far, error);
        if (status != CAROM_OK || worst < fmin(linear, reach * aim) || attempt + 1 == ATTEMPTS)
            break;
        h *= 0.25;
    }
    const double off = 4.0 / 3.0 * worst;
    /* rounding of velocities, over V: grain / step; the least sum of both is where off (step / h)^2 is half of it */
    const double grain = sim->scales.speed > 0.0 ? 2.0 * DBL_EPSILON * far / sim->scales.speed : 0.0;
    const double shortest = off > 0.0 ? carom_power(0.5 * grain * h * h / off, 1.0 / 3.0) : 0.0;
    *step = off > aim ? fmax(h * sqrt(aim / off), fmin(shortest, h)) : h;
    *estimate = off * (*step / h) * (*step / h) + grain / *step;
    if (status == CAROM_OK && meets(sim->model))
        status = check(sim, watch, tol, worst < linear ? CHECKS : 1, 1.25 * worst, *step / h, step, estimate, error);
    if (worst >= linear) /* no order was seen: the estimate is only what was seen */
        *estimate = fmax(*estimate, 2.0 * tol);
    return status;
}
