/* Flights of discs and spheres under event are in closed form: what they err is rounding, what springy impacts state of
 * themselves, and bounces that are left out. Impacts of round bodies magnify all of it, each of them by about the way
 * to the next over a radius. So the run itself is flown ahead together with one whose bodies are pushed a little, ten
 * times on the way, and once more with one that is pushed less: how far they come apart tells what becomes of an error.
 * Those pushes leave together what touches, and symmetric what is, so that they grow in proportion. Rounding does not:
 * it turns a straight row, opens contacts, and lets one of two impacts that come at once be the first. So beside them
 * fly some that are shaken by no more than rounding, and what these come apart by is stated as it is.
 * Where bounces were left out, two more flights, of which one follows them sixteen times closer, tell what that does.
 */
#include "sim/ahead/ahead.h"

#include <float.h>

#include "base/power.h"
#include "base/vec.h"
#include "carom/bodies.h"
#include "sim/ahead/flights.h"

enum { LOOKS = 150, SHAKEN = 2, BESIDE = 1 + SHAKEN };

static const double pushes[] = {1e-8, 1e-12}; /* of V */
static const double linear = 0.01;            /* of the scales: what is more does not grow in proportion */
static const double apart_for_good = 0.1;     /* of the scales: nor does it tell how much it would have become */
static const double roots = 4.0;              /* of rounding: what a moment in closed form and an impact are off */
static const double luck = 3.0; /* of flights that are shaken or follow smaller bounces: more is stated than was seen */
static const double shake = 4.0; /* of rounding, at ten moments for what all impacts on the way make */
static const double undecided =
    1.0;                        /* of the scales: stated where errors may decide which of two contacts closes first */
static const double busy = 4.0; /* impacts of a body, over the mean of all: those of the busiest */

struct sight {
    struct carom_sim *sim;
    double apart[BESIDE][LOOKS]; /* by each look; 0: there was none */
    double own[LOOKS];           /* what a body has erred by itself */
    double nearest[LOOKS];       /* of impacts since the look before, see struct carom_stepper; 0: none */
    double speeds[BESIDE];       /* errors of velocities that jump, on average */
    double far;                  /* the largest displacement: it is rounded itself */
    double instants, impact_error, residual, left_out; /* of the first flight */
};

static double length_of(const struct carom_sim *sim)
{
    return sim->scales.length > 0.0 ? sim->scales.length : 1.0;
}

/* what a body errs by itself so far, of the scales: places round with the largest coordinate, at every impact */
static double own_error(const struct sight *sight)
{
    const struct carom_bodies *b = carom_model_bodies(sight->sim->model);
    double moving = 0.0;
    for (size_t i = 0; i < b->n; i++)
        moving += b->body[i].fixed ? 0.0 : 1.0;
    const double impacts = 1.0 + busy * 2.0 * sight->instants / fmax(moving, 1.0);
    const double far = fmax(b->far, sight->far) / length_of(sight->sim);
    return impacts * fmax(roots * DBL_EPSILON * (1.0 + far), sight->residual) + sight->impact_error;
}

static double apart(void *own, size_t which, const struct carom_sim *a, const struct carom_sim *b)
{
    struct sight *sight = own;
    const struct carom_sim *sim = sight->sim;
    const struct carom_bodies *bodies = carom_model_bodies(sim->model);
    double length, speed;
    carom_bodies_apart(bodies, a->view->q, b->view->q, a->view->v, b->view->v, &length, &speed);
    sight->speeds[which] += speed / (sim->scales.speed > 0.0 ? sim->scales.speed : 1.0) / LOOKS;
    const double worst = fmax(length / length_of(sim), sight->speeds[which]);
    for (size_t i = 0; i < bodies->n && which == 0; i++) {
        double moved[3];
        carom_bodies_moved(bodies, i, a->view->q, moved);
        sight->far = fmax(sight->far, carom_vec_norm(moved));
    }
    const int look = (int)fmin(LOOKS * a->view->time / sim->until - 0.5, LOOKS - 1);
    sight->apart[which][look] = fmax(sight->apart[which][look], worst);
    sight->nearest[look] = a->stepper->nearest;
    sight->instants = (double)a->stepper->counts.evaluations;
    sight->impact_error = a->stepper->counts.impact_error;
    sight->residual = a->stepper->worst_residual;
    sight->left_out = fmax(a->stepper->left_out, b->stepper->left_out);
    sight->own[look] = own_error(sight);
    return worst;
}

static double tol_of(const struct carom_sim *sim)
{
    return carom_param_value(carom_param_find(sim->stepper->scheme->kind.params, "tol"), sim->stepper->options);
}

/* Two flights, and so many that are shaken; of the second the bodies are pushed, or bounces followed closer. *worst:
 * how far the second was from the first. *told: did all come to an end? */
static enum carom_status fly(struct sight *sight, const struct carom_watch *watch, double push, double closer,
                             size_t shaken, double *worst, bool *told, struct carom_error *error)
{
    struct carom_sim *sim = sight->sim;
    const double tol = tol_of(sim), far = carom_model_bodies(sim->model)->far / length_of(sim);
    double all[BESIDE];
    struct carom_error own = {CAROM_OK, ""};
    *sight = (struct sight){.sim = sim};
    const struct carom_flights flights = {.sim = sim,
                                          .watch = watch,
                                          .noptions = 1,
                                          .option = {{{"tol", tol}}, {{"tol", fmax(tol * closer, 1e-14)}}},
                                          .nudge = {push, 0.0},
                                          .shaken = shaken,
                                          .shake = shake * DBL_EPSILON * (1.0 + far),
                                          .looks = LOOKS,
                                          .enough = 1.0,
                                          .apart = apart,
                                          .own = sight};
    const enum carom_status status = carom_flights_fly(&flights, all, &own);
    *worst = all[0];
    *told = status == CAROM_OK;
    if (status == CAROM_E_STOPPED || status == CAROM_E_MEMORY)
        return carom_error_set(error, status, "%s", own.text);
    return CAROM_OK; /* the run itself will tell, if it meets the same */
}

/* What becomes of an error `own`, from what became of two pushes. Bodies that graze each other err by the root of what
 * they are off, so that a smaller push is magnified more, and an error that is smaller still more than that. */
static double become(const double *push, const double *worst, double own)
{
    double less = 1.0; /* the power of the push that they are apart by */
    if (worst[0] > 0.0 && worst[1] > 0.0 && worst[0] < linear)
        less = fmin(fmax(carom_power_log(worst[0] / worst[1]) / carom_power_log(push[0] / push[1]), 0.5), 1.0);
    const double small = fmax(worst[1] / push[1], 1.0) * own;
    return own < push[1] ? small * carom_power(push[1] / own, 1.0 - less) : small;
}

/* What is stated by each look: what becomes of errors made by then, which are `grown` times as large where flights are
 * apart by 1, and what those that are shaken have come to. */
static void state_all(const struct sight *sight, double grown, double stated[LOOKS])
{
    double most = 0.0;
    for (int look = 0; look < LOOKS; look++) {
        most = fmax(most, sight->own[look] * fmax(sight->apart[0][look] * grown, 1.0));
        for (size_t i = 1; i < BESIDE; i++)
            most = fmax(most, luck * sight->apart[i][look]);
        if (sight->nearest[look] > 0.0 && sight->nearest[look] < most)
            most = fmax(most, undecided);
        stated[look] = most;
    }
}

/* until when errors stay below tol */
static double horizon_of(const struct sight *sight, const double stated[LOOKS])
{
    int look = 0;
    while (look < LOOKS && stated[look] <= tol_of(sight->sim))
        look++;
    return sight->sim->until * look / LOOKS;
}

static enum carom_status look_closer(struct sight *sight, const struct carom_watch *watch, struct carom_error *error)
{
    const double left_out = sight->left_out;
    double worst;
    bool told;
    const enum carom_status status = fly(sight, watch, 0.0, 1.0 / 16.0, 0, &worst, &told, error);
    if (status == CAROM_OK && told)
        sight->sim->estimate += luck * worst + left_out;
    return status;
}

enum carom_status carom_magnify_state(struct carom_sim *sim, const struct carom_watch *watch, struct carom_error *error)
{
    enum { PUSHES = sizeof pushes / sizeof *pushes };
    struct sight sight = {.sim = sim};
    double worst[PUSHES], stated[LOOKS];
    bool told = true;
    sim->phase = "pilot runs";
    for (size_t i = 0; i < PUSHES; i++) {
        const size_t shaken = i + 1 == PUSHES ? SHAKEN : 0;
        const enum carom_status status = fly(&sight, watch, pushes[i], 1.0, shaken, &worst[i], &told, error);
        if (status != CAROM_OK || !told)
            return status;
    }
    const double own = own_error(&sight), error_then = become(pushes, worst, own), last = worst[PUSHES - 1];
    state_all(&sight, error_then / own / fmax(last, DBL_MIN), stated);
    sim->estimate = fmax(stated[LOOKS - 1], last >= apart_for_good ? last : 0.0);
    sim->growth = sim->estimate / own;
    sim->horizon = sim->estimate > tol_of(sim) ? horizon_of(&sight, stated) : 0.0;
    return sight.left_out > 0.0 ? look_closer(&sight, watch, error) : CAROM_OK;
}
