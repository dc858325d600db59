/* Keeps motions. Left limits of a run that chooses its steps are asked for just before the end of the step. */
#include "study/follow/trail.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
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

/* A trail that goes on; `now` and `end` have room for a q and a v each. */
struct going {
    const struct carom_trail *trail;
    const struct carom_track *track;
    double *now, *end;
};

/* How much the curve from t0, the last sample, to `to` bends in its middle, by what chords may miss. */
static double bend(void *own, double t0, double to)
{
    const struct going *g = own;
    const struct carom_trail *trail = g->trail;
    struct carom_sim *sim = g->track->sim;
    const size_t last = trail->n - 1, nq = trail->nq, nv = trail->nv;
    carom_sim_view(sim, to);
    look(trail, g->track, g->end);
    carom_sim_view(sim, 0.5 * (t0 + to));
    look(trail, g->track, g->now);
    const double q = carom_trail_bend(trail->q + last * nq, g->now, g->end, nq, sim->scales.length);
    const double v = carom_trail_bend(trail->after + last * nv, g->now + nq, g->end + nq, nv, sim->scales.speed);
    return fmax(q, v) / CAROM_TRAIL_CHORD;
}

/* What lines miss goes with the square of a piece. A flight on springs may last for many swings, whose middle and end
 * tell nothing of them: beginnings of it are asked as well, each so much shorter than the one before, until two of them
 * tell of no more bending. */
int carom_trail_pieces(double (*bends)(void *own, double t0, double t1), void *own, double t0, double t1)
{
    const double shorter = 0.6180339887498949;
    double most = 0.0, part = 1.0;
    for (int level = 0, calm = 0; level < 20 && calm < 2; level++, part *= shorter) {
        const double now = bends(own, t0, t0 + part * (t1 - t0)) / (part * part);
        calm = level > 0 && now <= 1.5 * most + 1.0 ? calm + 1 : 0;
        most = fmax(most, now);
    }
    bends(own, t0, t1);
    const double count = ceil(sqrt(most));
    return count < LEAST ? LEAST : count < MOST ? (int)count : MOST;
}

/* At work on one: the trail it is compared with, or NULL; whether the last sample is but the end of a step; room for a
 * q and a v each. */
struct keeping {
    const struct carom_trail *grid;
    bool smooth;
    double *now, *end;
};

static double ulps(double t)
{
    return 16.0 * DBL_EPSILON * fabs(t); /* an event's time is rounded */
}

/* does the last call tell of an event at t? */
static bool happens(const struct carom_sim *sim, double t)
{
    bool any = false;
    for (size_t i = 0; i < sim->stepper->nevents; i++)
        any |= fabs(sim->stepper->event[i].time - t) <= ulps(t);
    return any;
}

/* the largest jump of a velocity at the last sample */
static double leap(const struct carom_trail *trail)
{
    const size_t at = (trail->n - 1) * trail->nv;
    double most = 0.0;
    for (size_t i = at; i < at + trail->nv; i++)
        most = fmax(most, fabs(trail->after[i] - trail->before[i]));
    return most;
}

/* the first sample of the grid after t */
static size_t grid_after(const struct carom_trail *grid, double t)
{
    size_t low = 0;
    CAROM_SORTED_FIRST(low, grid->n, grid->time[middle] <= t);
    return low;
}

/* samples inside (t0, t1) */
static enum carom_status add_inside(struct carom_trail *trail, const struct carom_track *track, struct keeping *k,
                                    double t0, double t1, struct carom_error *error)
{
    const struct carom_trail *grid = k->grid;
    const int count = grid ? 0 : carom_trail_pieces(bend, &(struct going){trail, track, k->now, k->end}, t0, t1);
    double last = t0;
    for (size_t i = grid ? grid_after(grid, t0) : 1; grid ? i < grid->n && grid->time[i] < t1 : i < (size_t)count;
         i++) {
        const double t = grid ? grid->time[i] : t0 + (t1 - t0) * (double)i / count;
        carom_sim_view(track->sim, t);
        if (t > last && t < t1 && add_view(trail, last = t, track, k->now, error) != CAROM_OK)
            return error->status;
    }
    carom_sim_view(track->sim, t1);
    look(trail, track, k->end);
    return CAROM_OK;
}

/* From t0 to t1 of the step that has just been taken, `last` where that is its end: inside it, then t1 from both sides.
 * Impacts at one time are one jump, from before the first to after the last. */
static enum carom_status add_flight(struct carom_trail *trail, const struct carom_track *track, struct keeping *k,
                                    double t0, double t1, bool last, struct carom_error *error)
{
    struct carom_sim *sim = track->sim;
    const double just_before = nextafter(last ? t1 : t1 - ulps(t1), t0);
    if (!(just_before > t0)) {
        jump(trail, track, k->now);
        k->smooth = false;
        return CAROM_OK;
    }
    /* a scheme may strike at the start of a step: what holds right after it is asked for */
    carom_sim_view(sim, nextafter(t0, t1));
    jump(trail, track, k->now);
    if (k->smooth && !happens(sim, t0) && leap(trail) <= CAROM_TRAIL_CHORD * sim->scales.speed)
        trail->n--;
    if (add_inside(trail, track, k, t0, just_before, error) != CAROM_OK ||
        add(trail, t1, k->end, k->end + trail->nq, error) != CAROM_OK)
        return error->status;
    if (last)
        carom_sim_sync(sim);
    else
        carom_sim_view(sim, t1 + ulps(t1));
    jump(trail, track, k->now);
    const size_t next = k->grid ? grid_after(k->grid, just_before) : 0;
    k->smooth = k->grid && !happens(sim, t1) && !(next < k->grid->n && k->grid->time[next] == t1);
    return CAROM_OK;
}

/* The step from t0 on, flight by flight: those of many bodies may have many. */
static enum carom_status add_step(struct carom_trail *trail, const struct carom_track *track, struct keeping *k,
                                  double t0, struct carom_error *error)
{
    const struct carom_sim *sim = track->sim;
    const double t1 = sim->state->time;
    for (size_t i = 0; i < sim->stepper->nevents; i++) {
        const double t = sim->stepper->event[i].time;
        if (!(t > t0 + ulps(t) && t < t1 - 2.0 * ulps(t)))
            continue;
        if (add_flight(trail, track, k, t0, t, false, error) != CAROM_OK)
            return error->status;
        t0 = t;
    }
    return add_flight(trail, track, k, t0, t1, true, error);
}

enum carom_status carom_trail_follow(struct carom_trail *trail, struct carom_track *track,
                                     const struct carom_trail *grid, const struct carom_progress *progress,
                                     struct carom_error *error)
{
    const struct carom_sim *sim = track->sim;
    *trail =
        (struct carom_trail){.nq = carom_apart_width(sim->model, false), .nv = carom_apart_width(sim->model, true)};
    const size_t width = trail->nq + trail->nv;
    struct keeping k = {.grid = grid, .now = carom_memory_zeroed(2 * width, sizeof *k.now)};
    k.end = k.now != NULL ? k.now + width : NULL;
    enum carom_status status =
        k.now != NULL ? add_view(trail, sim->state->time, track, k.now, error) : carom_memory_error(error);
    for (size_t steps = 1; status == CAROM_OK; steps++) {
        const double t0 = sim->state->time;
        if (carom_sim_ended(sim)) {
            carom_memory_free(k.now);
            return CAROM_OK;
        }
        status = carom_sim_step(track->sim, 1, error);
        if (status == CAROM_OK)
            status = track->step > 0.0 ? add_view(trail, sim->state->time, track, k.now, error)
                                       : add_step(trail, track, &k, t0, error);
        if (status == CAROM_OK && steps % LOOK_UP == 0 && !carom_progress_go_on(progress, t0 / sim->until))
            status = carom_error_set(error, CAROM_E_STOPPED, "stopped at t = %g of %g", t0, sim->until);
    }
    carom_memory_free(k.now);
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
