/* Runs at the same pace: each stands at its next comparison, the reference goes on to the earliest of these. */
#include "study/follow/lockstep.h"

enum { LOOK_UP = 64, SAMPLES = 1000 }; /* comparisons between two calls of `progress`; for L1 where nobody says when */

struct lockstep {
    struct carom_reference *reference;
    const struct carom_recorder *times; /* only asked when to sample */
    bool timed;                         /* the schedule has times */
    double until;
};

static bool by_steps(const struct lockstep *together, const struct carom_lockstep *entry)
{
    const bool sampled = together->timed || together->reference->norm == CAROM_NORM_L1;
    return together->reference->run == NULL && (entry->track.step > 0.0 || !sampled);
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
static double scheduled(const struct lockstep *together, double t)
{
    if (!together->timed)
        return sample_after(t, together->until);
    const double next = carom_recorder_next(together->times, t);
    if (next > together->until && next <= together->until * (1.0 + 1e-12) && t < together->until)
        return together->until;
    return next <= together->until ? next : HUGE_VAL;
}

/* Takes a run to where it is compared next: `next` and the view tell. */
static enum carom_status move_on(const struct lockstep *together, struct carom_lockstep *entry,
                                 struct carom_error *error)
{
    struct carom_track *track = &entry->track;
    if (by_steps(together, entry)) {
        const bool ended = track->step > 0.0 ? carom_track_no_whole_step(track) : carom_sim_ended(track->sim);
        entry->next = HUGE_VAL;
        if (ended || carom_sim_step(track->sim, 1, error) != CAROM_OK)
            return ended ? CAROM_OK : error->status;
        entry->next = track->sim->state->time;
        return CAROM_OK;
    }
    if (together->reference->run == NULL)
        entry->next = scheduled(together, entry->next);
    else
        entry->next =
            together->reference->next <= together->until * (1.0 + 1e-12) ? together->reference->next : HUGE_VAL;
    return entry->next < HUGE_VAL ? carom_sim_to(track->sim, entry->next, error) : CAROM_OK;
}

static double earliest(const struct carom_lockstep *entry, size_t count)
{
    double next = HUGE_VAL;
    for (size_t i = 0; i < count; i++)
        next = entry[i].next < next ? entry[i].next : next;
    return next;
}

static void compare(const struct lockstep *together, struct carom_lockstep *entry)
{
    const struct carom_reference *truth = together->reference;
    const struct carom_apart_place here = carom_track_place(&entry->track);
    if (truth->norm == CAROM_NORM_L1)
        carom_reference_sum(&entry->sup, entry->next - entry->last, &here, &truth->at);
    else
        carom_reference_sup(&entry->sup, &here, &truth->at);
    entry->last = entry->next;
}

static enum carom_status run(const struct lockstep *together, struct carom_lockstep *entry, size_t count,
                             const struct carom_progress *progress, struct carom_error *error)
{
    for (size_t i = 0; i < count; i++) {
        entry[i].next = 0.0;
        if (move_on(together, &entry[i], error) != CAROM_OK)
            return error->status;
    }
    for (size_t times = 0;; times++) {
        const double now = earliest(entry, count);
        if (!(now < HUGE_VAL))
            return CAROM_OK;
        if (carom_reference_at(together->reference, now, error) != CAROM_OK)
            return error->status;
        for (size_t i = 0; i < count; i++) {
            if (entry[i].next != now)
                continue;
            compare(together, &entry[i]);
            if (move_on(together, &entry[i], error) != CAROM_OK)
                return error->status;
        }
        if (times % LOOK_UP == 0 &&
            !carom_progress_go_on(progress, together->until > 0.0 ? now / together->until : 0.0))
            return carom_error_set(error, CAROM_E_STOPPED, "stopped at t = %g of %g", now, together->until);
    }
}

enum carom_status carom_lockstep_run(struct carom_reference *reference, struct carom_lockstep *entry, size_t count,
                                     const struct carom_schedule *schedule, const struct carom_progress *progress,
                                     struct carom_error *error)
{
    const struct carom_sim *sim = entry[0].track.sim;
    struct carom_recorder *times = carom_recorder_create(sim->model, NULL, 0, schedule, error);
    if (times == NULL)
        return error->status;
    struct lockstep together = {.reference = reference, .times = times, .until = sim->until};
    together.timed = carom_recorder_next(times, 0.0) < HUGE_VAL;
    const enum carom_status status = run(&together, entry, count, progress, error);
    carom_recorder_free(times);
    return status;
}
