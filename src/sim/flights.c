/* Two flights in step with each other, at times that do not depend on what is recorded: recording changes no bit. */
#include "sim/flights.h"

#include "base/memory.h"
#include "sim/jog.h"

enum { OFTEN = 10 }; /* pushes of bodies on the way */

/* every velocity of the flight becomes larger by a part of itself: what is symmetric remains so */
static enum carom_status hurry(struct carom_sim *flight, double part, struct carom_error *error)
{
    const size_t nv = flight->model->nv;
    double *v = carom_memory_zeroed(nv, sizeof *v);
    if (!v)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a pilot run");
    for (size_t i = 0; i < nv; i++)
        v[i] = (1.0 + part) * flight->view->v[i];
    const enum carom_status status = carom_sim_set(flight, NULL, v, error);
    carom_memory_free(v);
    return status;
}

static enum carom_status nudge(struct carom_sim *flight, double part, struct carom_error *error)
{
    carom_sim_sync(flight); /* it may have gone on a little further than it was looked at */
    return carom_model_bodies(flight->model) ? carom_jog_bodies(flight, part, error) : hurry(flight, part, error);
}

/* Bodies that touch at first, or graze each other later, may be pushed by themselves only between. */
static bool is_time(const struct carom_flights *f, int look)
{
    return look == 1 || (look % (f->looks / OFTEN) == 0 && carom_model_bodies(f->sim->model));
}

static enum carom_status compare(const struct carom_flights *f, struct carom_sim *const flight[2], double *worst,
                                 struct carom_error *error)
{
    struct carom_sim *sim = f->sim;
    enum carom_status status = CAROM_OK;
    double from = -HUGE_VAL; /* where the second was made faster: looks before that are behind it */
    for (int look = 1; look <= f->looks && status == CAROM_OK && *worst < f->enough; look++) {
        const double t = look < f->looks ? sim->until * look / f->looks : sim->until;
        for (int i = 0; i < 2 && status == CAROM_OK && t >= from; i++)
            status = carom_sim_to(flight[i], t, error);
        if (status == CAROM_OK && t >= from)
            *worst = fmax(*worst, f->apart(f->own, flight[0], flight[1]));
        if (status == CAROM_OK && f->nudge > 0.0 && t >= from && is_time(f, look)) {
            status = nudge(flight[1], f->nudge, error);
            from = flight[1]->state->time;
        }
        sim->progress = (double)look / f->looks;
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
    struct carom_sim *flight[2] = {NULL, NULL};
    for (int i = 0; i < 2 && own.status == CAROM_OK; i++)
        flight[i] = carom_sim_flight(f->sim, f->watch, f->option[i], f->noptions, &own);
    *worst = 0.0;
    const enum carom_status status =
        flight[1] ? compare(f, flight, worst, error) : carom_error_set(error, own.status, "%s", own.text);
    carom_sim_free(flight[0]);
    carom_sim_free(flight[1]);
    return status;
}
