/* Steps a run from outside as study/trail.c does: runs that choose their steps are sampled inside each, runs with a
 * fixed step at their grid points. Nothing here changes a bit of the run. */
#include "study/follow/run_summary.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "carom/bodies.h"
#include "carom/law.h"
#include "law/restitution.h"
#include "model/scales.h"
#include "scheme/stepper.h"
#include "sim/blunders.h"
#include "sim/doubt.h"
#include "sim/loop.h"
#include "sim/unbalanced.h"
#include "study/follow/forces.h"
#include "study/follow/trail.h"

enum { LOOK_UP = 64 }; /* steps between two calls of `progress` */

struct follow {
    struct carom_run_summary *to;
    struct carom_track track;
    struct carom_forces forces;
    struct carom_forces_top top; /* of contacts that come and go */
    double *block, *q, *v;       /* limits from the left */
    double *u_now, *v_now;       /* the sample that is noted */
    bool listed;                 /* contacts come and go */
    bool si;                     /* numbers have units */
    const struct carom_progress *progress;
    double begin, share; /* of the progress that is this run's */
};

void carom_run_summary_free(struct carom_run_summary *summary)
{
    for (size_t i = 0; summary->u != NULL && i < summary->nq; i++)
        carom_history_free(&summary->u[i]);
    for (size_t i = 0; summary->v != NULL && i < summary->nv; i++)
        carom_history_free(&summary->v[i]);
    carom_turns_close(&summary->turns);
    carom_points_free(&summary->points);
    carom_memory_free_all(summary->u, summary->v, summary->pair, summary->contact);
    carom_memory_free(summary->u_end); /* the first of one block */
    *summary = (struct carom_run_summary){0};
}

/* --- room -------------------------------------------------------------------------------------------------------- */

enum carom_status carom_run_summary_open(struct carom_run_summary *summary, size_t nq, size_t nv, size_t nc,
                                         struct carom_error *error)
{
    const size_t all = nq + nv + 7 * nc;
    *summary = (struct carom_run_summary){
        .nq = nq, .nv = nv, .nc = nc, .seconds = nan(""), .sampled = nan(""), .logged = true};
    summary->u = carom_memory_zeroed(nq, sizeof *summary->u);
    summary->v = carom_memory_zeroed(nv, sizeof *summary->v);
    summary->pair = carom_memory_zeroed(nc, sizeof *summary->pair);
    summary->contact = carom_memory_zeroed(nc, sizeof *summary->contact);
    summary->u_end = carom_memory_zeroed(all, sizeof(double));
    if (summary->u == NULL || summary->v == NULL || summary->pair == NULL || summary->contact == NULL ||
        summary->u_end == NULL)
        return carom_memory_error(error);
    for (size_t j = 0; j < nc; j++)
        summary->contact[j] = (struct carom_run_summary_contact){.begins = HUGE_VAL, .ends = -HUGE_VAL};
    summary->v_end = summary->u_end + nq;
    summary->peak = summary->v_end + nv;
    summary->peak_time = summary->peak + nc;
    summary->impulse = summary->peak_time + nc;
    summary->blow = summary->impulse + nc;
    summary->lost = summary->blow + nc;
    summary->e = summary->lost + nc;
    summary->met = summary->e + nc;
    for (size_t i = 0; i < all; i++)
        summary->u_end[i] = nan("");
    return CAROM_OK;
}

/* --- samples ----------------------------------------------------------------------------------------------------- */

/* What is kept of a view: all coordinates, or points. */
static void see(const struct follow *f, const struct carom_state *view, double *u, double *v)
{
    if (f->to->points.axes > 0) {
        carom_points_see(&f->to->points, f->track.sim->model, view->q, view->v, u, v);
        return;
    }
    memcpy(u, view->q, f->to->nq * sizeof *u);
    memcpy(v, view->v, f->to->nv * sizeof *v);
}

/* The book has those of contacts that give way. */
static void note_forces(struct follow *f, const struct carom_state *view)
{
    if (f->track.book != NULL)
        return;
    carom_peak_force_see(&f->forces.peak, f->track.sim->model, view);
    carom_summary_heard_forces(f->to, view->time, f->forces.peak.look[2].force);
}

static enum carom_status note_places(struct follow *f, const struct carom_state *view, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    see(f, view, f->u_now, f->v_now);
    for (size_t i = 0; i < f->to->nq && status == CAROM_OK; i++)
        status = carom_history_add(&f->to->u[i], view->time, f->u_now[i], error);
    const struct carom_model *model = f->track.sim->model;
    return status == CAROM_OK
               ? carom_turns_note(&f->to->turns, &f->to->points, model, view->time, view->q, view->v, error)
               : status;
}

static enum carom_status note(struct follow *f, const struct carom_state *view, struct carom_error *error)
{
    struct carom_run_summary *w = f->to;
    enum carom_status status = note_places(f, view, error);
    for (size_t i = 0; i < w->nv && status == CAROM_OK; i++)
        status = carom_history_add(&w->v[i], view->time, f->v_now[i], error);
    note_forces(f, view);
    return status;
}

/* the end of a step of a scheme whose velocities may jump there */
static enum carom_status note_jumps(struct follow *f, const struct carom_state *view, struct carom_error *error)
{
    struct carom_run_summary *w = f->to;
    enum carom_status status = note_places(f, view, error);
    for (size_t i = 0; i < w->nv && status == CAROM_OK; i++)
        status = fabs(f->v_now[i] - f->v[i]) > w->v[i].miss
                     ? carom_history_jump(&w->v[i], view->time, f->v[i], f->v_now[i], error)
                     : carom_history_add(&w->v[i], view->time, f->v_now[i], error);
    note_forces(f, view);
    return status;
}

/* How much the curve from t0 to `end` bends in its middle, by what may be missed; the limits there stay in f->q and
 * f->v. */
static double bend(void *own, double t0, double end)
{
    const struct follow *f = own;
    struct carom_sim *sim = f->track.sim;
    const double *q0 = f->block, *v0 = f->block + f->to->nq; /* the start */
    carom_sim_view(sim, end);
    see(f, sim->view, f->q, f->v);
    carom_sim_view(sim, 0.5 * (t0 + end));
    see(f, sim->view, f->u_now, f->v_now);
    const double q = carom_trail_bend(q0, f->u_now, f->q, f->to->nq, sim->scales.length);
    return fmax(q, carom_trail_bend(v0, f->v_now, f->v, f->to->nv, sim->scales.speed)) / CAROM_RUN_SUMMARY_MISS;
}

/* From t0 to t1 of the step that has just been taken by a scheme that chooses its steps, `last` where that is its end:
 * v jumps at t1 if at all. */
static enum carom_status note_flight(struct follow *f, double t0, double t1, bool last, double *v0,
                                     struct carom_error *error)
{
    struct carom_sim *sim = f->track.sim;
    const double ulps = last ? 0.0 : 4.0 * DBL_EPSILON * fabs(t1); /* an event's time is rounded */
    const double just_before = nextafter(t1 - ulps, t0);
    if (f->to->rigid && just_before > t0) { /* a scheme may strike at the start: what holds right after it */
        carom_sim_view(sim, nextafter(t0, t1));
        sim->view->time = t0;
        memcpy(f->v, v0, f->to->nv * sizeof *f->v);
        if (note_jumps(f, sim->view, error) != CAROM_OK)
            return error->status;
        memcpy(v0, f->v_now, f->to->nv * sizeof *v0);
    }
    const int count = just_before > t0 ? carom_trail_pieces(bend, f, t0, just_before) : 0;
    if (count == 0) /* impacts at one time */
        memcpy(f->v, v0, f->to->nv * sizeof *f->v);
    for (int k = 1; k < count; k++) {
        const double t = t0 + (just_before - t0) * k / count;
        if (!(t > t0 && t < just_before))
            continue;
        carom_sim_view(sim, t);
        if (note(f, sim->view, error) != CAROM_OK)
            return error->status;
    }
    if (last)
        carom_sim_sync(sim);
    else
        carom_sim_view(sim, t1 + ulps);
    sim->view->time = t1;
    return f->to->rigid || count == 0 ? note_jumps(f, sim->view, error) : note(f, sim->view, error);
}

/* The step from t0 on, flight by flight: those of many bodies may have many. */
static enum carom_status note_step(struct follow *f, double t0, double *q0, double *v0, struct carom_error *error)
{
    const struct carom_sim *sim = f->track.sim;
    const double t1 = sim->state->time;
    for (size_t i = 0; f->listed && i < sim->stepper->nevents; i++) {
        const double t = sim->stepper->event[i].time, ulps = 16.0 * DBL_EPSILON * fabs(t);
        if (!(t > t0 + ulps && t < t1 - ulps))
            continue;
        if (note_flight(f, t0, t, false, v0, error) != CAROM_OK)
            return error->status;
        see(f, sim->view, q0, v0);
        t0 = t;
    }
    return note_flight(f, t0, t1, true, v0, error);
}

static void note_events(struct follow *f)
{
    const struct carom_stepper *stepper = f->track.sim->stepper;
    for (size_t i = 0; stepper->scheme->tells && i < stepper->nevents; i++)
        if (stepper->event[i].contact < f->to->nc || f->listed)
            carom_summary_heard_event(f->to, &stepper->event[i]);
}

/* --- in words ---------------------------------------------------------------------------------------------------- */

/* e of a pair that closes with V: a column of rigid contacts, else by one collision under the law. */
static double restitution(const struct carom_model *model, const struct carom_group *g, size_t j, double speed)
{
    const struct carom_beads *beads = carom_model_chain(model);
    const int32_t *pair = model->pair[g->first + j];
    double value[CAROM_LAW_WIDTH] = {0.0}, e = nan(""), inverse = 0.0;
    for (size_t c = 0; c < g->ncolumns; c++)
        value[c] = g->param[c][j];
    if (g->law->rigid)
        return value[CAROM_RIGID_E];
    if (beads == NULL || !(speed > 0.0))
        return e;
    for (int side = 0; side < 2; side++)
        inverse += pair[side] < 0 ? 0.0 : beads->inverse_mass[pair[side]];
    struct carom_error ignored;
    if (!(inverse > 0.0) ||
        carom_restitution_of(g->law, value, g->ending, 1.0 / inverse, speed, &e, NULL, NULL, &ignored) != CAROM_OK)
        return nan(""); /* a pair that sticks, or a law that does not say it */
    return e;
}

static bool same_pair(const struct carom_model *model, const struct carom_group *g, size_t i, size_t j)
{
    const struct carom_beads *beads = carom_model_chain(model);
    const int32_t *a = model->pair[g->first + i], *b = model->pair[g->first + j];
    for (size_t c = 0; c < g->ncolumns; c++)
        if (g->param[c][i] != g->param[c][j])
            return false;
    for (int side = 0; beads != NULL && side < 2; side++)
        if ((a[side] < 0) != (b[side] < 0) ||
            (a[side] >= 0 && beads->inverse_mass[a[side]] != beads->inverse_mass[b[side]]))
            return false;
    return beads != NULL;
}

static void find_restitution(struct carom_run_summary *w, const struct carom_model *model)
{
    for (size_t i = 0; i < model->ngroups; i++) {
        const struct carom_group *g = &model->group[i];
        for (size_t j = 0; j < g->count; j++)
            w->e[g->first + j] =
                j > 0 && same_pair(model, g, j, j - 1) ? w->e[g->first + j - 1] : restitution(model, g, j, w->closing);
    }
}

void carom_run_summary_model(struct carom_run_summary *w, const struct carom_model *model, const double *q,
                             const double *v)
{
    w->closing = carom_scales_closing(model, q, v, w->scales.speed);
    w->rigid = (w->nc > 0 || carom_model_bodies(model) != NULL) && !(model->offers & CAROM_COMPLIANT);
    if (w->nc == 0 || w->nc != model->nc)
        return;
    memcpy(w->pair, model->pair, w->nc * sizeof *w->pair);
    w->row = carom_model_chain(model) != NULL;
    find_restitution(w, model);
}

/* --- the run ----------------------------------------------------------------------------------------------------- */

static bool ask(const struct follow *f, double done)
{
    return carom_progress_go_on(f->progress, f->begin + f->share * done);
}

static bool watch(void *own, const struct carom_sim *sim)
{
    return ask(own, sim->until > 0.0 ? sim->state->time / sim->until : 0.0);
}

static enum carom_status open(struct follow *f, struct carom_error *error)
{
    const struct carom_sim *sim = f->track.sim;
    const struct carom_model *model = sim->model;
    struct carom_run_summary *w = f->to;
    struct carom_points points = {0};
    bool sensors = false;
    for (size_t i = 0; i < carom_solid_count(model); i++)
        sensors = sensors || carom_solid_at(model, i)->nsensors > 0;
    if (carom_points_open(&points, model, sensors, error) != CAROM_OK) {
        carom_points_free(&points);
        return error->status;
    }
    const size_t wide = points.count * points.axes;
    const enum carom_status opened =
        carom_run_summary_open(w, wide > 0 ? wide : model->nq, wide > 0 ? wide : model->nv, model->nc, error);
    w->points = points;
    if (opened != CAROM_OK || carom_points_place(&w->points, model, sim->view->q, sim->view->v, error) != CAROM_OK ||
        carom_turns_open(&w->turns, &w->points, error) != CAROM_OK ||
        carom_forces_open(&f->forces, model, error) != CAROM_OK)
        return error->status;
    const size_t width = w->nq + w->nv;
    f->block = carom_memory_zeroed(3 * width, sizeof *f->block);
    if (f->block == NULL)
        return carom_memory_error(error);
    f->q = f->block + width;
    f->v = f->q + w->nq;
    f->u_now = f->v + w->nv;
    f->v_now = f->u_now + w->nq;
    w->scales = sim->scales;
    carom_run_summary_model(w, model, sim->view->q, sim->view->v);
    f->listed = carom_model_bodies(model) != NULL;
    w->forces = !w->rigid;
    w->step = w->rigid ? f->track.step : 0.0;
    w->impulses = w->losses = true;
    w->first = sim->state->time;
    w->energy = sim->state->energy;
    for (size_t i = 0; i < w->nq; i++)
        w->u[i].miss = CAROM_RUN_SUMMARY_MISS * w->scales.length;
    for (size_t i = 0; i < w->nv; i++)
        w->v[i].miss = CAROM_RUN_SUMMARY_MISS * w->scales.speed;
    for (size_t j = 0; j < w->nc; j++)
        w->peak[j] = w->peak_time[j] = w->blow[j] = w->lost[j] = 0.0;
    carom_summary_words(w, f->si, model, sim->stepper);
    w->traced = carom_forces_told(sim->stepper);
    w->forces = w->forces || w->traced;
    f->forces.top = &f->top;
    f->forces.ntops = 1;
    if (carom_forces_listen(&f->forces, sim->stepper, error) != CAROM_OK)
        return error->status;
    return note(f, sim->view, error);
}

/* One step; the view before it has been copied. */
static enum carom_status step(struct follow *f, struct carom_error *error)
{
    struct carom_sim *sim = f->track.sim;
    double *const q0 = f->block, *const v0 = f->block + f->to->nq;
    const double t0 = sim->state->time;
    see(f, sim->view, q0, v0);
    if (carom_sim_step(sim, 1, error) != CAROM_OK)
        return error->status;
    note_events(f);
    const struct carom_counts counts = sim->stepper->counts;
    const enum carom_status status = f->track.step > 0.0 ? note(f, sim->view, error) : note_step(f, t0, q0, v0, error);
    sim->stepper->counts = counts; /* to look is no work of the run */
    return status;
}

static enum carom_status close(struct follow *f, struct carom_error *error)
{
    const struct carom_sim *sim = f->track.sim;
    struct carom_run_summary *w = f->to;
    const enum carom_status status = carom_run_summary_end(w, error);
    see(f, sim->view, w->u_end, w->v_end);
    carom_forces_end(&f->forces);
    const struct carom_track_book *book = f->track.book;
    carom_balance_read(sim->model, sim->view, NULL, &w->ledger);
    w->unbalanced = carom_unbalanced(sim, &w->ledger);
    w->blunders = carom_blunders(sim);
    w->doubt = carom_doubt(sim);
    w->tol = carom_unbalanced_tol(sim);
    for (size_t j = 0; j < w->nc; j++) {
        w->lost[j] += j < sim->view->nlost ? sim->view->lost[j] : 0.0;
        w->lost[j] += j < sim->view->nclipped ? sim->view->clipped[j] : 0.0;
        w->lost[j] += j < sim->view->nfriction ? sim->view->friction_loss[j] : 0.0;
        w->peak[j] = !w->forces ? nan("") : book != NULL ? book->peak[j] : f->forces.peak.largest[j];
        w->peak_time[j] = !w->forces ? nan("") : book != NULL ? book->peak_time[j] : f->forces.peak.when[j];
        if (book != NULL) {
            w->contact[j].lasting = book->impulse[j];
            w->met[j] = book->met[j];
        }
        if (!w->rigid)
            w->blow[j] = nan("");
    }
    carom_summary_heard_impulses(w);
    if (carom_track_peak(&f->track, 0) != NULL)
        w->top = *carom_track_peak(&f->track, 0);
    if (f->top.episode.contact > 0)
        w->top = f->top.episode;
    w->last = sim->state->time;
    w->counts = sim->stepper->counts;
    w->counts.steps = sim->state->step;
    return status;
}

enum carom_status carom_run_summary_end(struct carom_run_summary *w, struct carom_error *error)
{
    enum carom_status status = carom_turns_end(&w->turns, error);
    for (size_t i = 0; i < w->nq && status == CAROM_OK; i++)
        status = carom_history_end(&w->u[i], error);
    for (size_t i = 0; i < w->nv && status == CAROM_OK; i++)
        status = carom_history_end(&w->v[i], error);
    return status;
}

/* The same run with nobody looking. */
static enum carom_status time_plain(struct follow *f, struct carom_scene *scene, double *seconds,
                                    struct carom_error *error)
{
    const double start = carom_clock_busy();
    const struct carom_watch look = {.call = watch, .own = f};
    struct carom_track track = {0};
    f->begin = f->share;
    f->share = 1.0 - f->begin;
    enum carom_status status = carom_track_open(&track, scene, &look, error);
    if (status == CAROM_OK)
        status = carom_sim_step(track.sim, SIZE_MAX, error);
    carom_track_close(&track);
    *seconds = carom_clock_busy() - start;
    return status;
}

enum carom_status carom_run_summary_run(struct carom_run_summary *summary, struct carom_scene *scene,
                                        struct carom_scene *again, const struct carom_progress *progress,
                                        struct carom_error *error)
{
    struct follow f = {.to = summary, .si = scene->si, .progress = progress, .share = again != NULL ? 0.5 : 1.0};
    const struct carom_watch look = {.call = watch, .own = &f};
    *summary = (struct carom_run_summary){0};
    const struct carom_bodies *bodies = carom_model_bodies(scene->model);
    const bool listed = bodies != NULL && !bodies->rigid;
    enum carom_status status = listed ? carom_track_open_recorded(&f.track, scene, NULL, 0, true, &look, error)
                                      : carom_track_open_booked(&f.track, scene, &look, error);
    if (status == CAROM_OK)
        status = open(&f, error);
    for (size_t steps = 0; status == CAROM_OK && !carom_sim_ended(f.track.sim); steps++) {
        status = step(&f, error);
        if (status == CAROM_OK && steps % LOOK_UP == 0 && !ask(&f, f.track.sim->state->time / f.track.sim->until))
            status = carom_error_set(error, CAROM_E_STOPPED, "stopped");
    }
    if (status == CAROM_OK)
        status = close(&f, error);
    if (status == CAROM_OK && again != NULL)
        status = time_plain(&f, again, &summary->seconds, error);
    carom_forces_close(&f.forces);
    carom_memory_free(f.block);
    carom_track_close(&f.track);
    return status;
}
