/* Pilots that take the same steps round alike, and do not see what they share: an elastic ball that bounces 1e5 times
 * gains or loses a little at every impact. So two flights of the run itself are compared, of which one is made a little
 * faster now and then: how far they come apart is what becomes of an error, and rounding makes one in every step.
 * Roundings of bounces that repeat themselves are alike and add up. */
#include "sim/ahead/ahead.h"

#include <float.h>

#include "model/motion.h"
#include "scheme/stepper.h"
#include "sim/ahead/flights.h"

enum { LOOKS = 150 };

static const double nudges[] = {1e-8, 1e-12}; /* part of the velocities; the second where the first grows too large */
static const double linear = 0.01;            /* of the scales: what is more does not grow in proportion */
static const double many = 10.0;              /* crossings of U: impacts may magnify errors, each of them */
static const double luck = 3.0;               /* of two flights: more is stated than was seen */
static const double last_bits = CAROM_FLIGHTS_NUDGES * DBL_EPSILON; /* flights that differ by nothing else */

struct sight {
    const struct carom_sim *sim;
    double steps;     /* of the first flight */
    double far;       /* the largest displacement: it is rounded itself */
    double speeds[2]; /* errors of velocities, averaged over the run */
    double before[2]; /* a moment before a look */
    double left_out, blur;
    double impact_error; /* what impacts over springs of the first flight say that they err by */
};

/* of displacements and, *speeds, of velocities */
static double differ(const struct carom_sim *sim, const struct carom_sim *a, const struct carom_sim *b, double *speeds)
{
    double worst = 0.0;
    *speeds = 0.0;
    carom_motion_apart(sim->model, a->view, b->view, &worst, speeds);
    *speeds /= sim->scales.speed > 0.0 ? sim->scales.speed : 1.0;
    return worst / (sim->scales.length > 0.0 ? sim->scales.length : 1.0);
}

static void glance(void *own, size_t which, const struct carom_sim *a, const struct carom_sim *b)
{
    struct sight *sight = own;
    differ(sight->sim, a, b, &sight->before[which]);
}

static double apart(void *own, size_t which, const struct carom_sim *a, const struct carom_sim *b)
{
    struct sight *sight = own;
    const struct carom_model *model = sight->sim->model;
    const double length = sight->sim->scales.length > 0.0 ? sight->sim->scales.length : 1.0;
    double speeds, worst = differ(sight->sim, a, b, &speeds);
    sight->speeds[which] += carom_flights_speeds(sight->before[which], speeds) / LOOKS;
    worst = fmax(worst, sight->speeds[which]);
    for (size_t i = 0; i < model->nq; i++)
        sight->far = fmax(sight->far, carom_motion_lever(model, false, i) * fabs(a->view->q[i]) / length);
    sight->steps = (double)a->stepper->counts.steps;
    sight->blur = fmax(sight->blur, a->stepper->blur);
    sight->left_out = fmax(sight->left_out, fmax(a->stepper->left_out, b->stepper->left_out));
    sight->impact_error = a->stepper->counts.impact_error;
    return worst;
}

/* How far two flights in closed form are apart, of which one follows smaller bounces and gaps, and impacts over springs
 * more closely. *told: did both come to their end? */
static enum carom_status fly_closer(struct carom_sim *sim, const struct carom_watch *watch, double tol,
                                    struct sight *sight, double *worst, bool *told, struct carom_error *error)
{
    const double part = 1.0 / CAROM_STEPPER_FINER;
    *sight = (struct sight){.sim = sim};
    struct carom_flights flights = {.sim = sim,
                                    .watch = watch,
                                    .noptions = 1,
                                    .option = {{{"tol", tol}}, {{"tol", fmax(tol * part, 1e-14)}}},
                                    .looks = LOOKS,
                                    .enough = 1.0,
                                    .glance = glance,
                                    .apart = apart,
                                    .own = sight};
    struct carom_error own = {CAROM_OK, ""};
    carom_flights_follow(&flights, part);
    const enum carom_status status = carom_flights_fly(&flights, worst, &own);
    if (status == CAROM_E_STOPPED || status == CAROM_E_MEMORY)
        return carom_error_set(error, status, "%s", own.text);
    *told = status == CAROM_OK;
    return CAROM_OK;
}

/* What rounding comes to by the end, 0 if no flights tell, and what they left out, if they tell. Every step makes an
 * error of it, impacts that they note as well, and all become what flights show of one. Where bounces are so small that
 * no error is small beside them, flights that differ in nothing but last bits tell more. */
static enum carom_status fly(struct carom_sim *sim, const struct carom_watch *watch, double share, double *rounding,
                             double *left_out, struct carom_error *error)
{
    /* leaps of moreau-adaptive are six steps; moments in closed form are roots of differences */
    const bool leaps = sim->stepper->scheme == &carom_scheme_moreau_adaptive;
    const double grain = (leaps ? 6.0 : sim->stepper->exact ? 4.0 : 1.0) * DBL_EPSILON;
    *rounding = 0.0;
    enum { COUNT = sizeof nudges / sizeof *nudges };
    for (size_t i = 0; i < COUNT; i++) {
        struct sight sight = {.sim = sim};
        struct carom_error own = {CAROM_OK, ""};
        const struct carom_flights flights = {.sim = sim,
                                              .watch = watch,
                                              .noptions = 1,
                                              .option = {{{"share", share}}, {{"share", share}}},
                                              .nudge = {nudges[i], last_bits},
                                              .looks = LOOKS,
                                              .enough = i + 1 < COUNT ? linear : 1.0, /* the next tells more */
                                              .glance = glance,
                                              .apart = apart,
                                              .own = &sight};
        double worst[2];
        const enum carom_status status = carom_flights_fly(&flights, worst, &own);
        if (status == CAROM_E_STOPPED || status == CAROM_E_MEMORY)
            return carom_error_set(error, status, "%s", own.text);
        if (status != CAROM_OK) /* the run itself will tell, if it meets the same */
            break;
        /* steps err all along the run, an impact once, perhaps where one portion of the nudge did it all */
        const double once = CAROM_FLIGHTS_NUDGES * sight.blur;
        const double grown = worst[0] / nudges[i], errors = grain * sight.steps + once;
        *rounding = fmax(*rounding, fmax(errors * grown, DBL_EPSILON * sight.far));
        *rounding = fmax(*rounding, luck * (worst[1] - last_bits * grown)); /* beyond what becomes of one error */
        *left_out = sight.left_out;
        if (worst[0] < linear)
            break;
    }
    return CAROM_OK;
}

/* Springy impacts take long: flights tell what rounding does of them only where bodies cross U so often that roundings
 * add up. */
static bool crosses_often(const struct carom_sim *sim)
{
    return sim->scales.length > 0.0 && sim->scales.speed * sim->until > many * sim->scales.length;
}

/* Impacts over springs err by what their steps do, and that velocity becomes displacements and is magnified by impacts
 * after it: what they say of themselves is only the least of it. */
static enum carom_status add_springy(struct carom_sim *sim, const struct carom_watch *watch, double tol,
                                     double rounding, double *estimate, struct carom_error *error)
{
    struct sight sight;
    double worst;
    bool told;
    const enum carom_status status = fly_closer(sim, watch, tol, &sight, &worst, &told, error);
    if (status == CAROM_OK && told)
        *estimate += fmax(fmax(rounding, DBL_EPSILON) + fmax(luck * worst, sight.impact_error), sight.left_out);
    return status;
}

enum carom_status carom_rounding_add(struct carom_sim *sim, const struct carom_watch *watch, double share,
                                     double *estimate, struct carom_error *error)
{
    const struct carom_param *params = sim->stepper->scheme->kind.params;
    const double tol = carom_param_value(carom_param_find(params, "tol"), sim->stepper->options);
    const bool exact = sim->stepper->exact, springy = sim->stepper->traces;
    double rounding = 0.0, worst = 0.0, left_out = HUGE_VAL;
    struct sight sight;
    enum carom_status status = CAROM_OK;
    bool told = false;
    sim->phase = "pilot runs of rounding";
    if (!springy || crosses_often(sim))
        status = fly(sim, watch, share, &rounding, &left_out, error);
    if (exact && springy && status == CAROM_OK)
        return add_springy(sim, watch, tol, rounding, estimate, error);
    if (exact && left_out > 0.0 && status == CAROM_OK) { /* those that leave nothing out would do so again */
        status = fly_closer(sim, watch, tol, &sight, &worst, &told, error);
        worst = told ? worst : 0.0;
        left_out = sight.left_out;
    }
    if (!springy)
        rounding = fmax(rounding, DBL_EPSILON) + fmin(luck * worst, fmax(worst, 0.98 * tol));
    *estimate += fmax(rounding, exact ? left_out : 0.0);
    return status;
}
