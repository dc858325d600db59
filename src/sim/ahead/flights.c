/* Flights in step with each other, at times that do not depend on what is recorded: recording changes no bit. */
#include "sim/ahead/flights.h"

#include "base/memory.h"
#include "sim/ahead/ahead.h"

enum { OFTEN = 10 }; /* pushes of bodies on the way */

static const double numbers = 1e7;  /* compared along steps, which takes a few tenths of a second */
static const double slowest = 1e-3; /* of V: bodies are made faster as if one of them went so fast at least */

/* every velocity of the flight becomes larger by a part of itself, the largest of them by `part` of V: what is
 * symmetric remains so, and contacts that rest go on at rest */
static enum carom_status hurry(struct carom_sim *flight, double part, struct carom_error *error)
{
    const size_t nv = flight->model->nv;
    const double speed = flight->scales.speed;
    double largest = slowest * speed;
    carom_sim_sync(flight); /* it may have gone on a little further than it was looked at */
    double *v = carom_memory_zeroed(nv, sizeof *v);
    if (!v)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a pilot run");
    for (size_t i = 0; i < nv; i++)
        largest = fmax(largest, fabs(flight->view->v[i]));
    for (size_t i = 0; i < nv; i++)
        v[i] = (1.0 + (largest > 0.0 ? part * speed / largest : 0.0)) * flight->view->v[i];
    const enum carom_status status = carom_sim_set(flight, NULL, v, error);
    carom_memory_free(v);
    return status;
}

/* Those that are made faster go on as if they had begun there, and so does the one that is not: all take the same
 * steps. *from is where the last of them is. */
static enum carom_status hurry_all(const struct carom_flights *f, struct carom_sim *const *flight, size_t count,
                                   double *from, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && status == CAROM_OK; i++) {
        status = hurry(flight[i], i > 0 ? f->nudge[i - 1] / CAROM_FLIGHTS_NUDGES : 0.0, error);
        status =
            status == CAROM_E_INPUT ? CAROM_OK : status; /* struck so late that none can begin there: the next time */
        *from = fmax(*from, flight[i]->state->time);
    }
    return status;
}

/* flights of discs and spheres have no steps to share, so the first goes on as it was */
static enum carom_status nudge(const struct carom_flights *f, struct carom_sim *const *flight, size_t count,
                               double *from, struct carom_error *error)
{
    if (!carom_model_bodies(f->sim->model))
        return hurry_all(f, flight, count, from, error);
    enum carom_status status = CAROM_OK;
    for (size_t i = 1; i < count && status == CAROM_OK; i++) {
        carom_sim_sync(flight[i]);
        status = i + f->shaken < count ? carom_jog_bodies(flight[i], f->nudge[0], error)
                                       : carom_jog_shake(flight[i], f->shake, i, error);
        *from = fmax(*from, flight[i]->state->time);
    }
    return status;
}

static bool rests(struct carom_sim *flight)
{
    carom_sim_sync(flight);
    for (size_t i = 0; i < flight->model->nv; i++)
        if (flight->view->v[i] != 0.0)
            return false;
    return true;
}

/* From the start on, look 0: impacts there, and flights in closed form that go on to the end, magnify what came before;
 * or, of rows, soon after it where all starts at rest. */
static bool is_time(const struct carom_flights *f, int first, int look)
{
    return carom_model_bodies(f->sim->model)
               ? look % (f->looks / OFTEN) == 0
               : look < f->looks && look >= first && (look - first) % (f->looks / CAROM_FLIGHTS_NUDGES) == 0;
}

static double time_of(const struct carom_flights *f, int look)
{
    return look < f->looks ? f->sim->until * look / f->looks : f->sim->until;
}

/* Steps of discs and spheres go on through many impacts: they end where bodies are to be pushed, and those of the
 * first at each look, so that what it notes is of the time since the last one. */
static enum carom_status end_steps(const struct carom_flights *f, struct carom_sim *flight, bool first,
                                   struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (int look = 1; look < f->looks && carom_model_bodies(f->sim->model) && status == CAROM_OK; look++)
        if (f->nudge[0] > 0.0 && (first || is_time(f, 0, look)))
            status = carom_sim_break(flight, time_of(f, look), error);
    return status;
}

void carom_flights_follow(struct carom_flights *f, double part)
{
    static const char name[] = "impact_tol";
    const double finest = 1e-10; /* less where more is given: finer paths may not end */
    const struct carom_stepper *stepper = f->sim->stepper;
    const struct carom_param *param = carom_param_find(stepper->scheme->kind.params, name);
    const double given = param ? carom_param_value(param, stepper->options) : 0.0;
    if (!(given > 0.0))
        return;
    f->option[0][f->noptions] = (struct carom_flight_option){name, given};
    f->option[1][f->noptions++] = (struct carom_flight_option){name, fmax(part * given, fmin(given, finest))};
}

double carom_flights_speeds(double before, double now)
{
    const double jump = 0.01; /* of V, and of the jump: velocities that differ by more have jumped, or by less not */
    return now > jump && before < jump * now ? before : now;
}

static enum carom_status go_to(struct carom_sim *const *flight, size_t count, double t, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && status == CAROM_OK; i++)
        status = carom_sim_to(flight[i], t, error);
    return status;
}

/* the last step of the first flight */
struct span {
    double from, to;
    bool fresh;  /* a contact has opened or closed where it began */
    double room; /* for so many more numbers to compare */
};

/* Flights are compared at the parts of that step that lie after `since` and before t: in its middle, as samples there
 * err more than where steps end, and at its end. Where contacts have changed errors are largest soon after: one flight
 * met a jump of forces before the other did, and dampers end the difference within a part of the contact's time. */
static enum carom_status look_along(const struct carom_flights *f, struct carom_sim *const *flight, size_t count,
                                    struct span *span, double since, double t, struct carom_error *error)
{
    enum { PARTS = 4, OLD = 2 };
    static const double part[PARTS] = {0.02, 0.2, 0.5, 1.0};
    enum carom_status status = CAROM_OK;
    for (size_t k = span->fresh ? 0 : OLD; k < PARTS && status == CAROM_OK; k++) {
        const double at = part[k] < 1.0 ? span->from + part[k] * (span->to - span->from) : span->to;
        if (!(at > since) || !(at < t))
            continue;
        status = go_to(flight, count, at, error);
        for (size_t i = 1; i < count && status == CAROM_OK; i++)
            f->along(f->own, i - 1, flight[0], flight[i]);
        span->room -= (double)f->sim->model->nv;
    }
    return status;
}

/* From one look to the next step by step: steps are short where the motion changes, and so do its errors. Rows whose
 * steps move a few of many beads would take longer to compare than to fly. */
static enum carom_status follow(const struct carom_flights *f, struct carom_sim *const *flight, size_t count,
                                struct span *span, double since, double t, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    const double now = flight[0]->state->time;
    if (now > span->to) /* it has gone on from look to look since there was room */
        *span = (struct span){now, now, flight[0]->stepper->switched, span->room};
    while (f->along && span->room > 0.0 && status == CAROM_OK) {
        status = look_along(f, flight, count, span, since, t, error);
        if (!(span->to < t) || status != CAROM_OK)
            break;
        span->from = flight[0]->state->time;
        span->fresh = flight[0]->stepper->switched;
        status = carom_sim_step(flight[0], 1, error);
        span->to = flight[0]->state->time;
    }
    return status;
}

static enum carom_status compare(const struct carom_flights *f, struct carom_sim *const *flight, size_t count,
                                 double *worst, struct carom_error *error)
{
    struct carom_sim *sim = f->sim;
    enum carom_status status = CAROM_OK;
    double from = -HUGE_VAL; /* where they were made faster: looks before that are behind them */
    const double moment = 1e-3 * sim->until / f->looks;
    struct span span = {0};
    const int first = f->nudge[0] > 0.0 && rests(flight[0]) ? 1 : 0;
    sim->progress = 0.0;
    if (f->nudge[0] > 0.0 && is_time(f, first, 0))
        status = nudge(f, flight, count, &from, error);
    for (int look = 1; look <= f->looks && status == CAROM_OK && *worst < f->enough; look++) {
        const double t = time_of(f, look);
        if (f->glance && t - moment >= from)
            status = go_to(flight, count, t - moment, error);
        if (f->glance && t - moment >= from && status == CAROM_OK)
            for (size_t i = 1; i < count; i++)
                f->glance(f->own, i - 1, flight[0], flight[i]);
        span.room += numbers / f->looks;
        if (t >= from && status == CAROM_OK)
            status = follow(f, flight, count, &span, time_of(f, look - 1), t, error);
        if (t >= from && status == CAROM_OK)
            status = go_to(flight, count, t, error);
        for (size_t i = 1; i < count && status == CAROM_OK && t >= from; i++)
            worst[i - 1] = fmax(worst[i - 1], f->apart(f->own, i - 1, flight[0], flight[i]));
        flight[0]->stepper->nearest = 0.0;
        if (status == CAROM_OK && f->nudge[0] > 0.0 && t >= from && is_time(f, first, look))
            status = nudge(f, flight, count, &from, error);
        sim->progress = fmax(sim->progress, (double)look / f->looks); /* steps go beyond it */
        if (status == CAROM_OK && f->watch && f->watch->call && !f->watch->call(f->watch->own, sim))
            status = CAROM_E_STOPPED;
    }
    return status == CAROM_E_STOPPED
               ? carom_error_set(error, status, "stopped in the pilot runs, before the run itself")
               : status;
}

enum carom_status carom_flights_fly(const struct carom_flights *f, double *worst, struct carom_error *error)
{
    struct carom_error own = {CAROM_OK, ""}; /* whoever calls may want none */
    struct carom_sim *flight[CAROM_FLIGHTS_MOST] = {NULL};
    const size_t count = (f->nudge[1] > 0.0 ? 3 : 2) + f->shaken;
    for (size_t i = 0; i < count && own.status == CAROM_OK; i++) {
        flight[i] = carom_sim_flight(f->sim, f->watch, f->option[i > 0], f->noptions, &own);
        if (flight[i])
            flight[i]->stepper->finer = i > 0 && f->finer;
        if (flight[i])
            own.status = end_steps(f, flight[i], i == 0, &own);
    }
    for (size_t i = 1; i < count; i++)
        worst[i - 1] = 0.0;
    const enum carom_status status = own.status == CAROM_OK ? compare(f, flight, count, worst, error)
                                                            : carom_error_set(error, own.status, "%s", own.text);
    for (size_t i = 0; i < count; i++)
        carom_sim_free(flight[i]);
    return status;
}
