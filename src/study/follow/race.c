/* Runs at the same pace: each stands at its next comparison, the reference goes on to the earliest of these. */
#include "study/follow/race.h"

enum { LOOK_UP = 64, SAMPLES = 1000 }; /* comparisons between two calls of `progress`; for L1 where nobody says when */

struct race {
    struct carom_reference *reference;
    const struct carom_recorder *times; /* only asked when to sample */
    bool timed;                         /* the schedule has times */
    double until;
};

static bool by_steps(const struct race *race, const struct carom_racer *racer)
{
    const bool sampled = race->timed || race->reference->norm == CAROM_NORM_L1;
    return race->reference->run == NULL && (racer->track.step > 0.0 || !sampled);
}

/* the next of SAMPLES times, which stand where no round number does */
static double sample_after(double t, double until)
{
    const double spacing = until / SAMPLES, k = floor(t / spacing - 0.381966) + 1.0;
    double next = (k + 0.381966) * spacing;
    while (!(next > t * (1.0 + 1e-12)))
        next += spacing;
    return next <= until ? next : HUGE_VAL;
}

/* the time of the schedule after t; the last one may miss the end of the run by rounding */
static double scheduled(const struct race *race, double t)
{
    if (!race->timed)
        return sample_after(t, race->until);
    const double next = carom_recorder_next(race->times, t);
    if (next > race->until && next <= race->until * (1.0 + 1e-12) && t < race->until)
        return race->until;
    return next <= race->until ? next : HUGE_VAL;
}

/* Takes a run to where it is compared next: `next` and the view tell. */
static enum carom_status move_on(const struct race *race, struct carom_racer *racer, struct carom_error *error)
{
    struct carom_track *track = &racer->track;
    if (by_steps(race, racer)) {
        const bool ended = track->step > 0.0 ? carom_track_no_whole_step(track) : carom_sim_ended(track->sim);
        racer->next = HUGE_VAL;
        if (ended || carom_sim_step(track->sim, 1, error) != CAROM_OK)
            return ended ? CAROM_OK : error->status;
        racer->next = track->sim->state->time;
        return CAROM_OK;
    }
    if (race->reference->run == NULL)
        racer->next = scheduled(race, racer->next);
    else
        racer->next = race->reference->next <= race->until * (1.0 + 1e-12) ? race->reference->next : HUGE_VAL;
    return racer->next < HUGE_VAL ? carom_sim_to(track->sim, racer->next, error) : CAROM_OK;
}

static double earliest(const struct carom_racer *racer, size_t count)
{
    double next = HUGE_VAL;
    for (size_t i = 0; i < count; i++)
        next = racer[i].next < next ? racer[i].next : next;
    return next;
}

static void compare(const struct race *race, struct carom_racer *racer)
{
    const struct carom_sim *sim = racer->track.sim;
    const struct carom_reference *truth = race->reference;
    if (truth->norm == CAROM_NORM_L1)
        carom_reference_sum(&racer->sup, sim->model, racer->next - racer->last, sim->view->q, sim->view->v, truth->q,
                            truth->v);
    else
        carom_reference_sup(&racer->sup, sim->model, sim->view->q, sim->view->v, truth->q, truth->v);
    racer->last = racer->next;
}

static enum carom_status run(const struct race *race, struct carom_racer *racer, size_t count,
                             const struct carom_progress *progress, struct carom_error *error)
{
    for (size_t i = 0; i < count; i++) {
        racer[i].next = 0.0;
        if (move_on(race, &racer[i], error) != CAROM_OK)
            return error->status;
    }
    for (size_t times = 0;; times++) {
        const double now = earliest(racer, count);
        if (!(now < HUGE_VAL))
            return CAROM_OK;
        if (carom_reference_at(race->reference, now, error) != CAROM_OK)
            return error->status;
        for (size_t i = 0; i < count; i++) {
            if (racer[i].next != now)
                continue;
            compare(race, &racer[i]);
            if (move_on(race, &racer[i], error) != CAROM_OK)
                return error->status;
        }
        if (times % LOOK_UP == 0 && !carom_progress_go_on(progress, race->until > 0.0 ? now / race->until : 0.0))
            return carom_error_set(error, CAROM_E_STOPPED, "stopped at t = %g of %g", now, race->until);
    }
}

enum carom_status carom_race_run(struct carom_reference *reference, struct carom_racer *racer, size_t count,
                                 const struct carom_schedule *schedule, const struct carom_progress *progress,
                                 struct carom_error *error)
{
    const struct carom_sim *sim = racer[0].track.sim;
    struct carom_recorder *times = carom_recorder_create(sim->model, NULL, 0, schedule, error);
    if (times == NULL)
        return error->status;
    struct race race = {.reference = reference, .times = times, .until = sim->until};
    race.timed = carom_recorder_next(times, 0.0) < HUGE_VAL;
    const enum carom_status status = run(&race, racer, count, progress, error);
    carom_recorder_free(times);
    return status;
}
