/* Keeps motions. Left limits of a run that chooses its steps are asked for just before the end of the step. */
#include "study/follow/trail.h"

#include <string.h>

#include "base/memory.h"
#include "sim/loop.h"

enum { LEAST = 4, MOST = 4096, LOOK_UP = 256 }; /* pieces of a step; steps between two calls of `progress` */

void carom_trail_free(struct carom_trail *trail)
{
    carom_memory_free_all(trail->time, trail->q, trail->before, trail->after);
    *trail = (struct carom_trail){0};
}

/* A new sample; before and after are alike until someone says otherwise. */
static enum carom_status add(struct carom_trail *trail, double t, const double *q, const double *v,
                             struct carom_error *error)
{
    const size_t width = 1 + trail->nq + 2 * trail->nv;
    if (trail->n == trail->room) {
        const size_t larger = 2 * trail->room + 256;
        if (larger > CAROM_TRAIL_MOST / width)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "more than %zu samples of %zu coordinates: too many to keep for the Hausdorff "
                                   "distance; take --norm sup or l1, or a shorter run",
                                   trail->n, trail->nv);
        const size_t rows = trail->room, place = trail->nq * sizeof(double), speed = trail->nv * sizeof(double);
        if (!carom_memory_widen(&trail->time, rows, larger, sizeof(double)) ||
            !carom_memory_widen(&trail->q, rows, larger, place) ||
            !carom_memory_widen(&trail->before, rows, larger, speed) ||
            !carom_memory_widen(&trail->after, rows, larger, speed))
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu samples", larger);
        trail->room = larger;
    }
    const size_t i = trail->n++;
    trail->time[i] = t;
    memcpy(trail->q + i * trail->nq, q, trail->nq * sizeof *q);
    memcpy(trail->before + i * trail->nv, v, trail->nv * sizeof *v);
    memcpy(trail->after + i * trail->nv, v, trail->nv * sizeof *v);
    return CAROM_OK;
}

/* The view in metres; `now` has room for a q and a v. */
static void look(const struct carom_trail *trail, const struct carom_track *track, double *now)
{
    const struct carom_apart_place place = carom_track_place(track);
    carom_apart_metres(&place, now, now + trail->nq);
}

static enum carom_status add_view(struct carom_trail *trail, double t, const struct carom_track *track, double *now,
                                  struct carom_error *error)
{
    look(trail, track, now);
    return add(trail, t, now, now + trail->nq, error);
}

/* What the view shows are the velocities after the last sample. */
static void jump(struct carom_trail *trail, const struct carom_track *track, double *now)
{
    look(trail, track, now);
    memcpy(trail->after + (trail->n - 1) * trail->nv, now + trail->nq, trail->nv * sizeof *now);
}

double carom_trail_bend(const double *a, const double *b, const double *c, size_t n, double scale)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(b[i] - 0.5 * (a[i] + c[i])));
    return most / (scale > 0.0 ? scale : 1.0);
}

/* How much the curve from t0, the last sample, to `to` bends in its middle, by what chords may miss. */
static double bend(const struct carom_trail *trail, const struct carom_track *track, double t0, double to, double *now,
                   double *end)
{
    struct carom_sim *sim = track->sim;
    const size_t last = trail->n - 1, nq = trail->nq, nv = trail->nv;
    carom_sim_view(sim, to);
    look(trail, track, end);
    carom_sim_view(sim, 0.5 * (t0 + to));
    look(trail, track, now);
    const double q = carom_trail_bend(trail->q + last * nq, now, end, nq, sim->scales.length);
    const double v = carom_trail_bend(trail->after + last * nv, now + nq, end + nq, nv, sim->scales.speed);
    return fmax(q, v) / CAROM_TRAIL_CHORD;
}

/* Into how many pieces the curve of the last step is to be cut so that chords miss it by CAROM_TRAIL_CHORD of the
 * scales: the miss goes with the square of a piece. A step without impacts may last for many swings of a spring, whose
 * middle and end tell nothing of them: beginnings of it are asked as well, each so much shorter than the one before,
 * until two of them tell of no more bending. The last sample is the start of the step. */
static int pieces(const struct carom_trail *trail, const struct carom_track *track, double t0, double just_before,
                  double *now, double *end)
{
    const double shorter = 0.6180339887498949;
    double most = 0.0, part = 1.0;
    for (int level = 0, calm = 0; level < 20 && calm < 2; level++, part *= shorter) {
        const double bends = bend(trail, track, t0, t0 + part * (just_before - t0), now, end) / (part * part);
        calm = level > 0 && bends <= 1.5 * most + 1.0 ? calm + 1 : 0;
        most = fmax(most, bends);
    }
    bend(trail, track, t0, just_before, now, end);
    const double count = ceil(sqrt(most));
    return count < LEAST ? LEAST : count < MOST ? (int)count : MOST;
}

/* The step from t0 on that has just been taken: inside it, then its end from both sides. Impacts at one time are one
 * jump, from before the first to after the last. `now` and `end` have room for a q and a v each. */
static enum carom_status add_step(struct carom_trail *trail, const struct carom_track *track, double t0, double *now,
                                  double *end, struct carom_error *error)
{
    struct carom_sim *sim = track->sim;
    const double t1 = sim->state->time, just_before = nextafter(t1, t0);
    if (!(just_before > t0)) {
        jump(trail, track, now);
        return CAROM_OK;
    }
    /* a scheme may strike at the start of a step: what holds right after it is asked for */
    carom_sim_view(sim, nextafter(t0, t1));
    jump(trail, track, now);
    const int count = pieces(trail, track, t0, just_before, now, end);
    for (int k = 1; k < count; k++) {
        const double t = t0 + (just_before - t0) * k / count;
        carom_sim_view(sim, t);
        if (t > t0 && t < just_before && add_view(trail, t, track, now, error) != CAROM_OK)
            return error->status;
    }
    if (add(trail, t1, end, end + trail->nq, error) != CAROM_OK)
        return error->status;
    carom_sim_sync(sim);
    jump(trail, track, now);
    return CAROM_OK;
}

enum carom_status carom_trail_follow(struct carom_trail *trail, struct carom_track *track,
                                     const struct carom_progress *progress, struct carom_error *error)
{
    const struct carom_sim *sim = track->sim;
    *trail =
        (struct carom_trail){.nq = carom_apart_width(sim->model, false), .nv = carom_apart_width(sim->model, true)};
    const size_t width = trail->nq + trail->nv;
    double *now = carom_memory_zeroed(2 * width, sizeof *now), *end = now != NULL ? now + width : NULL;
    enum carom_status status =
        now != NULL ? add_view(trail, sim->state->time, track, now, error) : carom_memory_error(error);
    for (size_t steps = 1; status == CAROM_OK; steps++) {
        const double t0 = sim->state->time;
        if (track->step > 0.0 ? carom_track_no_whole_step(track) : carom_sim_ended(track->sim)) {
            carom_memory_free(now);
            return CAROM_OK;
        }
        status = carom_sim_step(track->sim, 1, error);
        if (status == CAROM_OK)
            status = track->step > 0.0 ? add_view(trail, sim->state->time, track, now, error)
                                       : add_step(trail, track, t0, now, end, error);
        if (status == CAROM_OK && steps % LOOK_UP == 0 && !carom_progress_go_on(progress, t0 / sim->until))
            status = carom_error_set(error, CAROM_E_STOPPED, "stopped at t = %g of %g", t0, sim->until);
    }
    carom_memory_free(now);
    carom_trail_free(trail);
    return status;
}

enum carom_status carom_trail_exact(struct carom_trail *trail, const struct carom_academic_motion *motion,
                                    double spacing, struct carom_error *error)
{
    size_t next = 0;
    enum carom_status status = CAROM_OK;
    *trail = (struct carom_trail){.nq = 1, .nv = 1};
    for (size_t k = 0; status == CAROM_OK; k++) {
        const double regular = (double)k * spacing, end = regular < motion->until ? regular : motion->until;
        for (; next < motion->count && motion->impact[next].time <= end && status == CAROM_OK; next++) {
            const struct carom_academic_place at = carom_academic_at(motion, motion->impact[next].time);
            status = add(trail, motion->impact[next].time, &at.q, &at.left, error);
            if (status == CAROM_OK)
                trail->after[trail->n - 1] = at.right;
        }
        const struct carom_academic_place at = carom_academic_at(motion, end);
        if (status == CAROM_OK)
            status = add(trail, end, &at.q, &at.right, error);
        if (status == CAROM_OK && end == motion->until)
            return CAROM_OK;
    }
    carom_trail_free(trail);
    return status;
}

struct carom_graph carom_trail_places(const struct carom_trail *trail)
{
    return (struct carom_graph){trail->n, trail->nq, trail->time, trail->q, trail->q};
}

struct carom_graph carom_trail_speeds(const struct carom_trail *trail)
{
    return (struct carom_graph){trail->n, trail->nv, trail->time, trail->before, trail->after};
}
