/* Pilots that take the same steps round alike, and do not see what they share: an elastic ball that bounces 1e5 times
 * gains or loses a little at every impact. So two flights of the run itself are compared, of which one is made a little
 * faster soon after the start: how far they come apart is what becomes of an error, and rounding makes one in every
 * step. Roundings of bounces that repeat themselves are alike and add up. */
#include "sim/rounding.h"

#include <float.h>

#include "sim/flights.h"

enum { LOOKS = 150 };

static const double nudge = 1e-8;  /* part of the velocities */
static const double matters = 0.1; /* of tol */

struct sight {
    const struct carom_sim *sim;
    double steps; /* of the first flight */
};

static double apart(void *own, const struct carom_sim *a, const struct carom_sim *b)
{
    struct sight *sight = own;
    const double length = sight->sim->scales.length > 0.0 ? sight->sim->scales.length : 1.0;
    double worst = 0.0;
    for (size_t i = 0; i < sight->sim->model->nq; i++)
        worst = fmax(worst, fabs(a->view->q[i] - b->view->q[i]) / length);
    sight->steps = (double)a->stepper->counts.steps;
    return worst;
}

enum carom_status carom_rounding_add(struct carom_sim *sim, const struct carom_watch *watch, double share,
                                     double *estimate, struct carom_error *error)
{
    const struct carom_param *params = sim->stepper->scheme->kind.params;
    const double tol = carom_param_value(carom_param_find(params, "tol"), sim->stepper->options);
    const double speed = sim->scales.speed, length = sim->scales.length;
    /* so many times a body crosses U; a few steps each, whose errors of velocity become places */
    const double crossings = length > 0.0 ? speed * sim->until / length : 0.0;
    if (!(4.0 * DBL_EPSILON * crossings * crossings > matters * tol))
        return CAROM_OK;
    struct sight sight = {.sim = sim};
    const struct carom_flights flights = {.sim = sim,
                                          .watch = watch,
                                          .noptions = 1,
                                          .option = {{{"share", share}}, {{"share", share}}},
                                          .nudge = nudge,
                                          .looks = LOOKS,
                                          .enough = 1.0,
                                          .apart = apart,
                                          .own = &sight};
    double worst;
    const enum carom_status status = carom_flights_fly(&flights, &worst, error);
    *estimate += DBL_EPSILON * sight.steps * worst / nudge;
    return status;
}
