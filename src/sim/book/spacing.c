/* How often the book of impacts looks, see spacing.h. */
#include "sim/book/spacing.h"

#include "base/angle.h"
#include "base/memory.h"
#include "base/power.h"
#include "model/ports.h"

/* how long the quickest contact takes: that of the scales, or half a swing of one that is pressed from the start */
static double quickest(const struct carom_sim *sim, const unsigned char *closed, const double *deform)
{
    const struct carom_model *model = sim->model;
    double least = sim->scales.contact_time;
    double *inverse = carom_memory_zeroed(model->nports + 2 * model->nv, sizeof *inverse);
    double *slope = carom_memory_zeroed(model->nc, sizeof *slope);
    if (!inverse || !slope)
        least = 0.0; /* then every step is looked at */
    else {
        const struct carom_response want = {.slope = slope};
        carom_ports_inverse_mass(model, sim->view->q, inverse, inverse + model->nports);
        carom_contacts_evaluate(model, 0, model->nc, deform, NULL, sim->view->history, &want);
        for (size_t j = 0; j < model->nc; j++) {
            const double square = closed[j] ? slope[j] * carom_ports_between(model, j, inverse) : 0.0;
            least = square > 0.0 ? fmin(least, CAROM_ANGLE_PI / sqrt(square)) : least;
        }
    }
    carom_memory_free_all(inverse, slope);
    return least;
}

/* 0: steps are not fixed */
static double fixed_step(const struct carom_sim *sim)
{
    const struct carom_param *step = carom_param_find(sim->stepper->scheme->kind.params, "step");
    return step ? carom_param_value(step, sim->stepper->options) : 0.0;
}

/* steps in the quickest contact; 1 where there are no fixed ones */
static double steps_within(const struct carom_sim *sim, const unsigned char *closed, const double *deform)
{
    const double h = fixed_step(sim);
    return h > 0.0 ? quickest(sim, closed, deform) / h : 1.0;
}

/* That of the scheme; third-order tableaux that are tailored to damping are Gauss's, of fourth, where there is none. */
static double order_of(const struct carom_sim *sim)
{
    const int order = sim->stepper->scheme->order;
    return order == 3 && !sim->model->damped ? 4.0 : order;
}

/* Fixed steps that are short beside all contacts are not looked at one by one. With L looks in a contact a cubic misses
 * its overlap by (pi / L)^4 / 384; a scheme of order p with r steps in it errs by some (pi / r)^p / 24. L is chosen so
 * that the first is a third of the second; at 48 looks it is 5e-8 of the overlap, which is enough for any order. */
uint64_t carom_spacing_steps(const struct carom_sim *sim, const unsigned char *closed, const double *deform)
{
    const double r = steps_within(sim, closed, deform), pi = CAROM_ANGLE_PI;
    const double errs = carom_power(pi / r, order_of(sim)) / 72.0;
    const double stride = r / fmin(48.0, fmax(5.0, pi / sqrt(sqrt(384.0 * errs))));
    return !(stride > 1.0) ? 1 : stride < 65536.0 ? (uint64_t)stride : 65536;
}

/* Degree 7 through four looks misses the overlap by (pi / L)^8 / 40320. Neighbours swing against each other sqrt(2)
 * times as quickly as a pair does; 20 looks miss 1.5e-10 of the overlap even then, and five are needed to see that
 * it turns. */
#define QUICK (1.4142135623730951 * CAROM_ANGLE_PI)

static double looks_for(double errs)
{
    return fmin(20.0, fmax(5.0, QUICK / carom_power(40320.0 * errs, 1.0 / 8.0)));
}

uint64_t carom_spacing_leap(const struct carom_sim *sim, const unsigned char *closed, const double *deform,
                            uint64_t stride)
{
    const double r = steps_within(sim, closed, deform);
    const double leap = r / looks_for(carom_power(QUICK / r, order_of(sim)) / 72.0);
    return !(leap > (double)stride) ? stride : leap < 65536.0 ? (uint64_t)leap : 65536;
}

/* what a scheme that chooses its steps may err by; 0: it does not */
static double tolerance(const struct carom_sim *sim)
{
    const struct carom_param *tol = carom_param_find(sim->stepper->scheme->kind.params, "tol");
    return tol && !(fixed_step(sim) > 0.0) ? carom_param_value(tol, sim->stepper->options) : 0.0;
}

/* By how much a contact of a spring steeper than Hertz's is quicker at its top than on the way there: d^p takes a part
 * of its time there that falls with the root of p. */
static double steepness(const struct carom_sim *sim)
{
    const size_t n = sim->model->nc;
    double *deform = carom_memory_zeroed(3 * n, sizeof *deform), most = 1.5;
    if (!deform)
        return 1.0;
    double *const slope = deform + n, *const elastic = deform + 2 * n;
    for (size_t j = 0; j < n; j++)
        deform[j] = sim->scales.length;
    const struct carom_response want = {.elastic = elastic, .slope = slope};
    carom_contacts_evaluate(sim->model, 0, n, deform, NULL, sim->view->history, &want);
    for (size_t j = 0; j < n; j++) {
        const double power = elastic[j] > 0.0 ? slope[j] * deform[j] / elastic[j] : 0.0;
        most = power < 10.0 ? fmax(most, power) : most;
    }
    carom_memory_free(deform);
    return most > 1.5 * (1.0 + 1e-9) ? sqrt(most / 1.5) : 1.0;
}

/* What looks miss is no more than tol allows. */
double carom_spacing_apart(const struct carom_sim *sim, const unsigned char *closed, const double *deform)
{
    const double allowed = tolerance(sim);
    return allowed > 0.0 ? quickest(sim, closed, deform) / (looks_for(allowed) * steepness(sim)) : 0.0;
}

/* The force of a damped contact begins like a root, and overlaps beside it like t^(5/2). Degree 7 misses 4e-4 x^(-11/2)
 * of that where it began x leaps before. Fixed steps err by more than that one leap behind it. */
double carom_spacing_quiet(const struct carom_sim *sim)
{
    const double allowed = tolerance(sim);
    return allowed > 0.0 ? fmax(1.0, carom_power(4e-4 / allowed, 2.0 / 11.0)) : 1.0;
}
