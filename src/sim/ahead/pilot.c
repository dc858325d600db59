/* Two flights in step with each other, a at local tolerance e and b at e / 8, compared at many
 * times. Their distance D is the error of a, and D / e is how errors grow in this scene: local errors of a
 * step that add up, and velocity errors that become displacements. Errors are taken to be proportional to the
 * local tolerance, which holds while they are small: flights that differ by more than a hundredth of the scales
 * are flown again, tighter; those that always are, and by more than the scales, are not flown to the end. */
#include "sim/ahead/ahead.h"

#include <float.h>

#include "base/power.h"
#include "carom/bodies.h"
#include "model/bodies/linkage_places.h"
#include "model/motion.h"
#include "scheme/rigid/event/event_step.h"
#include "scheme/rigid/mannshardt/mannshardt.h"
#include "scheme/stepper.h"
#include "sim/ahead/flights.h"

/* Impacts of rigid bodies in the plane and in space, with flights after them, err in proportion to the local tolerance
 * only below this: above it the run itself is tried. Those of springy ones do nowhere. */
#define COARSE 5e-8

enum { LOOKS = 150 }; /* comparisons */

static const double ratio = 8.0;      /* between the flights' tolerances */
static const double safety = 3.0;     /* the run aims at tol / safety */
static const double wary = 4.2;       /* or, of chains and mechanisms, at tol / wary */
static const double luck = 2.0;       /* what is stated over what was seen: errors of bounces scatter so much */
static const double bounces = 3.0;    /* the same of rigid bodies: the run may err by as much and the other way */
static const double below = 0.98;     /* of tol: the most that is stated where it is kept */
static const double doubt = 4.1;      /* and over what was predicted of steps that nobody has flown */
static const double most = 0.3;       /* of tol for one step, however kind the scene */
static const double follows = 0.8;    /* errors shrink like (local tolerance)^(4/5): steps are as many as tol^(-1/5) */
static const double rounding = 2e-14; /* steps that may take less err by rounding: two flights there tell by how much */
static const double upwards = 3.0;    /* times the flights' tolerance, no further: there errors grow faster */
static const double large = 100.0;    /* growth: errors of some steps outgrow all others, and may cancel by luck */
static const double afar = 100.0;     /* flights at so many times the tolerance of the run do not tell of that */
static const double nearer = 30.0;    /* those that do */
static const double several = 10.0;   /* times rounding, or they tell of nothing else */
static const double nonlinear = 0.01; /* of the scales: errors beyond this do not scale */
static const double unsettled = 1e-10; /* of the scales: less that does not fall with the tolerance is rounding */
static const double abrupt = 1e-3;     /* of what errors fall by as their tolerance does */
static const double chaos = 1.0;       /* of the scales: nor do they stop here */

/* What two flights show beside the largest distance. */
struct sight {
    struct carom_sim *sim;
    double speeds;       /* errors of velocities that jump, averaged over the run */
    double before;       /* errors of velocities a moment before the look */
    double worked;       /* and of works */
    double works;        /* the largest error of works */
    double energy;       /* the most there was at a look, which that is relative to */
    double apart[LOOKS]; /* at each look, or since the one before; 0 where none was taken */
    double since;        /* the most along steps since the last look */
    double peak;         /* and of all */
    int looks;
    double left_out; /* in one of them: what both leave out neither shows */
};

/* in units of the scales: displacements and velocities */
static double differ(const struct carom_sim *sim, const struct carom_sim *a, const struct carom_sim *b, double *speeds)
{
    const double length = sim->scales.length > 0.0 ? sim->scales.length : 1.0;
    const double speed = sim->scales.speed > 0.0 ? sim->scales.speed : 1.0;
    double worst = 0.0;
    const struct carom_bodies *bodies = carom_model_bodies(sim->model);
    *speeds = 0.0;
    if (bodies) /* rotations and anchors are no lengths */
        carom_bodies_apart(bodies, a->view->q, b->view->q, a->view->v, b->view->v, &worst, speeds);
    else
        carom_motion_apart(sim->model, a->view, b->view, &worst, speeds);
    *speeds /= speed;
    return worst / length;
}

/* what there is where a flight is; where nothing tells V, none of it is that of V */
static double energy_of(const struct carom_sim *flight)
{
    const struct carom_state *view = flight->view;
    double kinetic, stored;
    if (flight->scales.speed > 0.0)
        return carom_event_step_energy(flight->stepper, view->time, view->q, view->v);
    carom_motion_energies(flight->model, view, &kinetic, &stored);
    return kinetic;
}

/* How far flights are apart in what loads, drives, dampers and friction have done: event alone counts that in steps. */
static double works_apart(struct sight *sight, const struct carom_sim *a, const struct carom_sim *b)
{
    const struct carom_state *x = a->view, *y = b->view;
    double worst = 0.0, friction_loss = 0.0;
    if (a->stepper->scheme != &carom_scheme_event || carom_model_bodies(a->model))
        return 0.0;
    for (size_t i = 0; i < x->nparts; i++)
        worst = fmax(worst, fmax(fabs(x->work[i] - y->work[i]), fabs(x->spent[i] - y->spent[i])));
    for (size_t i = 0; i < x->nfriction; i++)
        friction_loss += x->friction_loss[i] - y->friction_loss[i];
    sight->energy = fmax(sight->energy, energy_of(a));
    return fmax(worst, fabs(friction_loss));
}

/* a moment before a look */
static void glance(void *own, size_t which, const struct carom_sim *a, const struct carom_sim *b)
{
    struct sight *sight = own;
    (void)which;
    differ(sight->sim, a, b, &sight->before);
    sight->worked = works_apart(sight, a, b);
}

static double apart(void *own, size_t which, const struct carom_sim *a, const struct carom_sim *b)
{
    (void)which;
    struct sight *sight = own;
    const struct carom_sim *sim = sight->sim;
    double speeds, worst = differ(sim, a, b, &speeds);
    if (!(sim->model->offers & CAROM_COMPLIANT))
        speeds = carom_flights_speeds(sight->before, speeds);
    sight->speeds += speeds / LOOKS;
    sight->left_out = fmax(sight->left_out, fmax(a->stepper->left_out, b->stepper->left_out));
    worst = fmax(worst, sim->model->offers & CAROM_COMPLIANT ? speeds : sight->speeds);
    const double works = works_apart(sight, a, b), energy = sight->energy;
    if (energy > 0.0) /* those of impacts jump, too */
        sight->works = fmax(sight->works, energy * carom_flights_speeds(sight->worked / energy, works / energy));
    sight->apart[sight->looks++] = fmax(worst, sight->since);
    sight->peak = fmax(sight->peak, fmax(worst, sight->since));
    sight->since = 0.0;
    return worst;
}

/* between looks */
static void along(void *own, size_t which, const struct carom_sim *a, const struct carom_sim *b)
{
    struct sight *sight = own;
    double speeds;
    (void)which;
    const double worst = differ(sight->sim, a, b, &speeds);
    sight->since = fmax(sight->since, fmax(worst, speeds));
}

/* the error over the run if a step may take `step`, from flights at `allowed` */
static double predict(double growth, double allowed, double step)
{
    return growth * step * (step < allowed ? carom_power(allowed / step, 1.0 - follows) : 1.0);
}

/* what a step may take so that the error over the run is `aim`, but no more than `most` of tol */
static double step_for(double aim, double tol, double growth, double allowed)
{
    const double step = fmax(most * tol, 1e-15);
    if (predict(growth, allowed, step) <= aim)
        return step;
    return growth * allowed <= aim ? aim / growth : allowed * carom_power(aim / (growth * allowed), 1.0 / follows);
}

/* What is stated of chains and mechanisms, whose errors grow so much at looks and so much anywhere. A step may take
 * what it may, and does, whatever two flights happen to show. */
static double state_smooth(double growth, double steepest, double allowed, double step)
{
    const double at_looks = (step < allowed ? doubt : luck) * fmax(predict(growth, allowed, step), DBL_EPSILON);
    return fmax(fmax(at_looks, luck * predict(steepest, allowed, step)), luck * step);
}

/* until when errors stay below tol, if at the end they are `stated` where the flights were `worst` apart */
static double horizon_of(const struct sight *sight, double worst, double stated, double tol)
{
    int look = 0;
    while (look < sight->looks && sight->apart[look] * stated <= tol * worst)
        look++;
    return sight->sim->until * look / LOOKS;
}

/* the largest distance up to a part of what was flown */
static double seen_by(const struct sight *sight, double part)
{
    double most_seen = 0.0;
    for (int look = 0; look < part * sight->looks; look++)
        most_seen = fmax(most_seen, sight->apart[look]);
    return most_seen;
}

/* Errors that grow by the same factor in equal times reach the scales sooner or later, however small: when, if those of
 * steps are rounding? 0 if they grow less: like a power of time, half of it then does what the other half does. */
static double end_of_sight(const struct sight *sight, double growth)
{
    const double quarter = seen_by(sight, 0.25), half = seen_by(sight, 0.5), whole = seen_by(sight, 1.0);
    if (!(quarter > 0.0) || !(whole > 4.0 * half) ||
        !(carom_power_log(whole / half) > 1.4 * carom_power_log(half / quarter)))
        return 0.0;
    const double flown = sight->sim->until * sight->looks / LOOKS, pace = carom_power_log(whole / half) / (0.5 * flown);
    return fmax(flown + carom_power_log(1.0 / (growth * DBL_EPSILON)) / pace, 0.0);
}

/* Where impacts end steps, flights of all tolerances take the same steps. So the second of those that choose their
 * order has the highest, or both would err alike. False: there is no such choice. */
static bool has_orders(const struct carom_sim *sim, double *order)
{
    const struct carom_param *params = sim->stepper->scheme->kind.params, *own = carom_param_find(params, "order"),
                             *method = carom_param_find(params, "method");
    *order = own ? carom_param_value(own, sim->stepper->options) : 0.0;
    return own && method && carom_param_value(method, sim->stepper->options) == CAROM_MANNSHARDT_EXPLICIT;
}

/* Two flights, at `allowed` and at a part of it; *worst is how far they are apart, and `enough` ends them. `tol` is
 * that of the first, with which goes what it leaves out; 0: allowed itself. */
static enum carom_status fly_pair(struct sight *sight, const struct carom_watch *watch, double tol, double allowed,
                                  double part, double enough, double *worst, struct carom_error *error)
{
    struct carom_sim *sim = sight->sim;
    const double least = 1e-14, first = fmax(fmax(tol, allowed), least), second = fmax(first * part, least);
    double order;
    *sight = (struct sight){.sim = sim};
    const bool orders = has_orders(sim, &order);
    struct carom_flights flights = {
        .sim = sim,
        .watch = watch,
        .noptions = orders ? 3 : 2,
        .option = {{{"tol", first}, {"share", allowed / first}, {"order", order}},
                   {{"tol", second}, {"share", allowed * part / second}, {"order", CAROM_TABLEAU_EXPLICIT_MOST}}},
        .finer = tol > 0.0,
        .looks = LOOKS,
        .glance = sim->model->offers & CAROM_COMPLIANT ? NULL : glance,
        .enough = enough,
        .apart = apart,
        .along = sim->model->offers & CAROM_COMPLIANT ? along : NULL,
        .own = sight};
    carom_flights_follow(&flights, part);
    const enum carom_status status = carom_flights_fly(&flights, worst, error);
    if (sight->works > 0.0 && sight->energy > 0.0)
        *worst = fmax(*worst, sight->works / sight->energy);
    return status;
}

/* Schemes that also choose their order do not err in proportion to the local tolerance, nor does one that errs by how
 * it happens to locate impacts, which magnify that. The first flight is the run itself, the second one with a
 * sixteenth of its local tolerance: how far they are apart is the error of the run. Where it is too much, both are
 * flown again, tighter. Where that does not help, or helps so much that they agree by chance, less than steps can tell
 * decides how the run goes on: the most that any pair shows is stated, and nothing promised. The run has the tolerance
 * `whole`, of which its steps may take a part; 0: those of bodies, whose schemes know of nothing but what a step may
 * take. */
static enum carom_status prove(struct sight *sight, const struct carom_watch *watch, double whole, double tol,
                               double *share, double *estimate, struct carom_error *error)
{
    enum { ATTEMPTS = 6 };
    static const char *const phase[ATTEMPTS] = {
        "pilot runs, pair 1 of at most 6", "pilot runs, pair 2 of at most 6",
        "pilot runs, pair 3 of at most 6", "pilot runs, pair 4 of at most 6",
        "pilot runs, pair 5 of at most 6", "pilot runs, pair 6 of at most 6"}; /* each takes its own time */
    const double least = 2e-13 /* less is rounding */, part = 1.0 / CAROM_STEPPER_FINER;
    double tried = fmax(*share, least / tol), tried_before = 1.0, before = 0.0, worst = HUGE_VAL, most_apart = 0.0,
           until = sight->sim->until;
    int stalls = 0;
    bool by_chance = false;
    struct carom_loop *loop = sight->sim->own;
    for (int attempt = 0; attempt < ATTEMPTS && stalls < 2; attempt++) {
        double apart;
        sight->sim->phase = phase[attempt];
        sight->sim->progress = 0.0;
        enum carom_status status = fly_pair(sight, watch, whole, tried * tol, part, HUGE_VAL, &apart, error);
        if (status == CAROM_E_NUMERIC &&
            whole > 0.0) /* impacts at the very start that do not end, steps being so fine */
            status = fly_pair(sight, watch, 0.0, tried * tol, part, HUGE_VAL, &apart, error);
        if (status == CAROM_E_NUMERIC && attempt > 0)
            break; /* finer steps cannot be had: the best of those before */
        if (status != CAROM_OK)
            return status;
        apart = fmax(apart, sight->peak);
        most_apart = fmax(most_apart, apart);
        until = fmin(until, horizon_of(sight, apart, apart, tol));
        stalls += apart > 0.9 * worst ? 1 : 0;
        by_chance |= before > unsettled && before < nonlinear && apart < abrupt * before * tried / tried_before;
        before = apart;
        if (apart < worst) {
            worst = apart;
            *share = tried;
        }
        if (apart <= 0.9 * tol || tried * tol <= least)
            break;
        tried_before = tried;
        tried = fmax(tried * fmin(fmax(0.4 * tol / apart, 1.0 / 64.0), 0.4), least / tol);
    }
    *estimate = fmax(worst, DBL_EPSILON);
    const bool helpless = worst > tol && worst > unsettled && (stalls > 0 || tried * tol <= least);
    if (helpless || by_chance) {
        *estimate = most_apart;
        loop->unsettled = true;
        loop->settled = until;
    }
    return CAROM_OK;
}

/* Between impacts flights of rigid bodies may take the same steps at the tolerances of both pilots, and err alike: the
 * run itself is compared with one that takes each of its steps in two halves. Where they differ too much, steps of the
 * run become finer, too. */
static enum carom_status check_steps(struct sight *sight, const struct carom_watch *watch, double tol, double *share,
                                     double *estimate, struct carom_error *error)
{
    const double found = bounces * *share;
    double tried = found, seen;
    const enum carom_status status = prove(sight, watch, tol, tol / bounces, &tried, &seen, error);
    if (status == CAROM_E_NUMERIC) /* finer steps cannot be had: what was predicted stands */
        return CAROM_OK;
    *share = tried < found ? tried / bounces : *share;
    *estimate = tried < found ? bounces * seen : fmax(*estimate, bounces * seen);
    *estimate = fmax(*estimate, sight->left_out);
    return status;
}

/* what rounding of places comes to at least, of the scales */
static double noise_of(const struct carom_sim *sim)
{
    const double far = fmax(carom_model_bodies(sim->model)->far, sim->scales.speed * sim->until);
    return sim->scales.length > 0.0 ? 4.0 * DBL_EPSILON * far / sim->scales.length : 0.0;
}

/* moreau-adaptive as printed passes impacts by, and no flight of it proves anything */
static bool is_as_printed(const struct carom_sim *sim)
{
    const struct carom_param *printed = carom_param_find(sim->stepper->scheme->kind.params, "estimate");
    return printed && carom_param_value(printed, sim->stepper->options) != 0.0;
}

enum carom_status carom_pilot_fly(struct carom_sim *sim, const struct carom_watch *watch, double *share,
                                  double *estimate, struct carom_error *error)
{
    enum { ATTEMPTS = 4 };
    const struct carom_param *params = sim->stepper->scheme->kind.params;
    const double tol = carom_param_value(carom_param_find(params, "tol"), sim->stepper->options);
    /* of chains and mechanisms the first flight is the run itself where steps may take the most: nothing is guessed */
    const bool smooth = sim->model->offers & CAROM_COMPLIANT && !carom_model_bodies(sim->model);
    double allowed = fmin(smooth ? fmax(most * tol, 3e-8) : fmax(0.1 * tol, 1e-7), 1e-3), worst = 0.0;
    struct sight sight = {.sim = sim};
    enum carom_status status = CAROM_OK;
    sim->phase = "pilot runs";
    *share = 0.3;
    const bool leaps = sim->stepper->scheme == &carom_scheme_moreau_adaptive && !is_as_printed(sim);
    const bool lucky = leaps && !sim->model->frictional;
    /* with friction errors of event go by how it happens to locate stops and slips, and by its impacts; so do those of
     * moreau-adaptive in space, where slips stop at what a step may err by; in space, and
     * where polygons meet, impacts magnify what steps err by, and differently from tolerance to tolerance */
    const bool turns = !(sim->model->offers & (CAROM_FLAT | CAROM_COMPLIANT)) && !carom_model_bodies(sim->model);
    const bool rubs = (sim->stepper->scheme == &carom_scheme_event &&
                       (sim->model->frictional || turns || carom_linkage_places_corners(sim->model))) ||
                      (leaps && turns && sim->model->frictional);
    if (carom_param_find(params, "order") || lucky || rubs) {
        const double aim = lucky ? tol : tol / bounces; /* steps of moreau-adaptive may not be much finer */
        status = prove(&sight, watch, tol, aim, share, estimate, error);
        *share *= aim / tol;
        const double seen = *estimate, stated = bounces * seen;
        /* where finer steps did not help, friction errs by as much as flights differ, and some more */
        *estimate = fmax(rubs ? stated : fmin(stated, fmax(seen, 0.98 * tol)), sight.left_out);
        if (rubs) /* a step may take what it may, whatever two flights happen to show */
            *estimate = fmax(*estimate, luck * *share * tol);
        return status;
    }
    for (int attempt = 1;; attempt++) {
        const bool last = attempt == ATTEMPTS + (smooth ? 1 : 0);
        status = fly_pair(&sight, watch, 0.0, allowed, 1.0 / ratio, last ? chaos : nonlinear, &worst, error);
        if (status != CAROM_OK || worst < nonlinear || last)
            break;
        allowed = fmax(allowed * (smooth && attempt == 1 ? 0.1 : 0.01), 1e-13);
        sim->phase = "pilot runs, tighter";
    }
    if (worst >= chaos) { /* no local tolerance leads to the end, so the tightest would be wasted on the run */
        *share = fmin(allowed / tol, 1.0);
        *estimate = worst;
        sim->growth = worst / (allowed * (1.0 - 1.0 / ratio));
        sim->sight = end_of_sight(&sight, sim->growth);
        sim->horizon = horizon_of(&sight, worst, worst, tol);
        return status;
    }
    const double aim = tol / (smooth ? wary : safety);
    double growth = worst / (allowed * (1.0 - 1.0 / ratio)), step = step_for(aim, tol, growth, allowed);
    double steepest = sight.peak / (allowed * (1.0 - 1.0 / ratio)); /* the same, between looks as well */
    const bool far = growth > large && step * afar < allowed && step > several * rounding;
    if (smooth && status == CAROM_OK && far) {
        allowed = nearer * step;
        sim->phase = "pilot runs, tighter";
        status = fly_pair(&sight, watch, 0.0, allowed, 1.0 / ratio, chaos, &worst, error);
        growth =
            fmax(growth, worst / (allowed * (1.0 - 1.0 / ratio))); /* either pair may cancel, so the worse counts */
        steepest = fmax(steepest, sight.peak / (allowed * (1.0 - 1.0 / ratio)));
        step = step_for(aim, tol, growth, allowed);
    }
    if (smooth) /* what looks show says how long steps are, unless peaks between them would then be more than tol */
        step = fmin(step, step_for(below * tol / luck, tol, steepest, allowed));
    step = fmax(smooth ? fmin(step, upwards * allowed) : step, 1e-15); /* less is rounding */
    *share = fmin(step / tol, 1.0);
    const bool compliant = sim->model->offers & CAROM_COMPLIANT;
    sim->growth = growth;
    sim->sight = compliant ? end_of_sight(&sight, growth) : 0.0;
    if (carom_model_bodies(sim->model) && (compliant || tol > COARSE) &&
        status == CAROM_OK) { /* where errors do not fall evenly */
        status = prove(&sight, watch, 0.0, 0.5 * tol, share, estimate, error);
        *share *= 0.5;
        *estimate = fmax(luck * *estimate, noise_of(sim));
        if (compliant) /* a step may take what it may, whatever two flights happen to show */
            *estimate = fmax(*estimate, luck * *share * tol);
        sim->horizon = *estimate > tol ? horizon_of(&sight, 0.5 * *estimate, *estimate, tol) : 0.0;
        return status;
    }
    *estimate = smooth ? state_smooth(growth, steepest, allowed, step)
                       : fmax(predict(growth, allowed, step), DBL_EPSILON); /* 0 would say that none was made */
    if (smooth && step < rounding && status == CAROM_OK) {
        double apart;
        status = fly_pair(&sight, watch, 0.0, step, 2.0, chaos, &apart, error);
        apart = fmax(apart, sight.peak);
        worst = fmax(apart, DBL_MIN);
        *estimate = fmax(*estimate, luck * apart);
    }
    if ((sim->stepper->scheme == &carom_scheme_event || leaps) && !carom_model_bodies(sim->model) && status == CAROM_OK)
        status = check_steps(&sight, watch, tol, share, estimate, error);
    if (leaps && !carom_model_bodies(sim->model)) /* a leap may take what it may, whatever two flights happen to show */
        *estimate = fmax(*estimate, luck * *share * tol);
    sim->horizon = *estimate > tol ? horizon_of(&sight, fmax(worst, sight.peak), *estimate, tol) : 0.0;
    return status;
}
