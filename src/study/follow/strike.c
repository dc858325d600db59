/* Takes the first impact out of a scene and solves it alone. Where nothing approaches at the start the scene is run by
 * scheme event up to there. */
#include "study/follow/strike.h"

#include <string.h>

#include "base/memory.h"
#include "carom/law.h"
#include "impact/lzb.h"
#include "model/motion.h"
#include "sim/loop.h"

static const char what[] = "an impact";

void carom_strike_close(struct carom_strike *s)
{
    carom_memory_free_all(s->e, s->force);
    carom_frame_close(&s->frame);
    carom_track_close(&s->track);
    *s = (struct carom_strike){0};
}

static const struct carom_model *model_of(const struct carom_strike *s)
{
    return s->track.sim->model;
}

static bool allocate(struct carom_strike *s)
{
    const struct carom_model *model = model_of(s);
    return carom_memory_together(CAROM_ROOM(s->e, model->nc), CAROM_ROOM(s->k, model->nc), CAROM_ROOM(s->p, model->nc),
                                 CAROM_ROOM(s->rate, model->nc), CAROM_ROOM(s->impulse, model->nc),
                                 CAROM_ROOM(s->lost, model->nc), CAROM_ROOM(s->place, model->nc),
                                 CAROM_ROOM(s->q, model->nq), CAROM_ROOM(s->v, model->nv),
                                 CAROM_ROOM(s->after, model->nv));
}

/* --- finding it -------------------------------------------------------------------------------------------------- */

/* the contacts that touch, and how fast they approach */
static enum carom_status find_contacts(struct carom_strike *s, struct carom_error *error)
{
    const struct carom_model *model = model_of(s);
    const double near = 1e-9 * s->track.sim->scales.length;
    size_t *touching = s->place, n = 0;
    carom_contacts_deform(model, s->time, s->q, s->v, s->rate, NULL);
    for (size_t j = 0; j < model->nc; j++)
        if (-s->rate[j] <= near)
            touching[n++] = j;
    if (carom_frame_set(&s->frame, s->time, s->q, touching, n, error) != CAROM_OK)
        return error->status;
    s->n = n;
    s->fastest = 0.0;
    carom_frame_rates(&s->frame, s->v, s->rate);
    for (size_t i = 0; i < n; i++)
        s->fastest = fmax(s->fastest, -s->rate[i]);
    return CAROM_OK;
}

/* flights up to the first impact */
static enum carom_status fly(struct carom_strike *s, struct carom_error *error)
{
    struct carom_sim *sim = s->track.sim;
    while (sim->stepper->counts.impacts == 0) {
        if (carom_sim_ended(s->track.sim))
            return carom_error_set(error, CAROM_E_REFUSED, "nothing strikes before the end of the run");
        if (carom_sim_step(s->track.sim, 1, error) != CAROM_OK)
            return error->status;
    }
    s->time = sim->state->time;
    carom_sim_view(sim, nextafter(s->time, -HUGE_VAL));
    memcpy(s->q, sim->state->q, sim->model->nq * sizeof(double));
    memcpy(s->v, sim->view->v, sim->model->nv * sizeof(double));
    return find_contacts(s, error);
}

static void read_contacts(struct carom_strike *s)
{
    const struct carom_model *model = model_of(s);
    for (size_t i = 0; i < s->n; i++) {
        const size_t j = s->frame.contact[i];
        s->place[j] = i;
        for (size_t g = 0; g < model->ngroups; g++) {
            const struct carom_group *group = &model->group[g];
            if (j < group->first || j >= group->first + group->count)
                continue;
            s->e[i] = group->param[CAROM_RIGID_E][j - group->first];
            s->k[i] = group->param[CAROM_RIGID_K][j - group->first];
            s->p[i] = group->param[CAROM_RIGID_P][j - group->first];
        }
    }
}

static double option(const struct carom_scene *scene, const char *name)
{
    const struct carom_param *row = carom_param_find(scene->scheme->kind.params, name);
    return row != NULL ? carom_param_value(row, scene->options) : 0.0;
}

static enum carom_status read_options(struct carom_strike *s, struct carom_scene *scene, struct carom_error *error)
{
    if (scene->scheme != &carom_scheme_event)
        return carom_error_set(error, CAROM_E_REFUSED, "scheme %s has no impacts to take out of a run, event has",
                               scene->scheme->kind.name);
    s->impact = carom_striker_impacts[(size_t)option(scene, "impact")];
    if (!s->impact->springy)
        return carom_error_set(error, CAROM_E_REFUSED, "impact %s uses no stiffness, lzb and lzb-impulse do",
                               s->impact->kind.name);
    s->tol = option(scene, "impact_tol") > 0.0 ? option(scene, "impact_tol") : option(scene, "tol");
    s->printed = (struct carom_lzb_impulse_options){.dP = option(scene, "dP"),
                                                    .threshold = option(scene, "threshold"),
                                                    .safeguards = (int)option(scene, "safeguards"),
                                                    .stiffness = (int)option(scene, "stiffness"),
                                                    .impact_steps = (long)option(scene, "impact_steps")};
    for (size_t i = 0; carom_striker_impacts[i] != NULL; i++) /* the way there is not to depend on dP */
        if (carom_striker_impacts[i] == &carom_impact_lzb)
            return carom_options_set(&scene->scheme->kind, scene->options, "impact", (double)i, error);
    return CAROM_OK;
}

enum carom_status carom_strike_open(struct carom_strike *s, struct carom_scene *scene,
                                    const struct carom_progress *progress, struct carom_error *error)
{
    *s = (struct carom_strike){.asker = {progress}};
    const struct carom_watch watch = {.call = carom_track_ask, .own = &s->asker};
    if (read_options(s, scene, error) != CAROM_OK || carom_track_open(&s->track, scene, &watch, error) != CAROM_OK)
        return error->status;
    if (!allocate(s) || carom_frame_open(&s->frame, model_of(s), model_of(s)->nc, error) != CAROM_OK)
        return carom_memory_error_for(error, what);
    memcpy(s->q, s->track.sim->view->q, model_of(s)->nq * sizeof(double));
    memcpy(s->v, s->track.sim->view->v, model_of(s)->nv * sizeof(double));
    s->time = s->track.sim->state->time;
    enum carom_status status = find_contacts(s, error);
    if (status == CAROM_OK && !(s->fastest > 0.0))
        status = fly(s, error);
    if (status == CAROM_OK)
        read_contacts(s);
    return status;
}

/* --- solving it -------------------------------------------------------------------------------------------------- */

static void hear(void *own, size_t contact, double time, double force)
{
    struct carom_strike *s = own;
    const size_t i = (size_t)(time / s->every + 0.5);
    if (i >= s->room) {
        const size_t room = 2 * i + 1024;
        s->full |= !carom_memory_widen(&s->force, s->room * s->n, room * s->n, sizeof *s->force);
        if (s->full)
            return;
        s->room = room;
    }
    s->force[i * s->n + s->place[contact]] = force;
    s->samples = i + 1;
}

static enum carom_status solve(struct carom_strike *s, const struct carom_impact *impact, const void *options,
                               double every, struct carom_error *error)
{
    const struct carom_trace trace = {.every = every, .force = hear, .own = s};
    struct carom_striker *striker = carom_striker_create(impact, model_of(s), options, s->n, error);
    if (striker == NULL)
        return error->status;
    struct carom_collision c = {.frame = &s->frame,
                                .e = s->e,
                                .k = s->k,
                                .p = s->p,
                                .trace = every > 0.0 ? &trace : NULL,
                                .patience = s->track.sim->stepper->patience,
                                .v = s->v,
                                .after = s->after,
                                .impulse = s->impulse,
                                .lost = s->lost};
    striker->speed = s->track.sim->scales.speed;
    carom_memory_free(s->force);
    s->force = NULL;
    s->samples = s->room = 0;
    s->full = false;
    s->every = every;
    enum carom_status status = impact->solve(striker, &c, error);
    carom_striker_free(striker);
    s->steps = c.iterations;
    s->estimate = c.estimate;
    s->duration = c.duration;
    return status == CAROM_OK && s->full ? carom_memory_error_for(error, what) : status;
}

enum carom_status carom_strike_lzb(struct carom_strike *s, double tol, double every, struct carom_error *error)
{
    const struct carom_lzb_options options = {.impact_tol = tol, .stiffness = s->printed.stiffness};
    return solve(s, &carom_impact_lzb, &options, every, error);
}

enum carom_status carom_strike_printed(struct carom_strike *s, const struct carom_lzb_impulse_options *options,
                                       double every, struct carom_error *error)
{
    return solve(s, &carom_impact_lzb_impulse, options, every, error);
}

enum carom_status carom_strike_own(struct carom_strike *s, double every, struct carom_error *error)
{
    return s->impact == &carom_impact_lzb_impulse ? carom_strike_printed(s, &s->printed, every, error)
                                                  : carom_strike_lzb(s, s->tol, every, error);
}

double carom_strike_kinetic(const struct carom_strike *s, const double *v)
{
    double kinetic, stored;
    carom_motion_energy(model_of(s), s->time, s->q, v, s->track.sim->view->scratch, &kinetic, &stored);
    return kinetic;
}

/* --- two steps side by side -------------------------------------------------------------------------------------- */

struct pair {
    struct carom_lzb_walk walk;
    double *v, *old; /* nv: now, and before the last step */
    double P;        /* before the last step */
};

static void pair_close(struct pair *pair)
{
    carom_lzb_walk_close(&pair->walk);
    carom_memory_free_all(pair->v, pair->old);
}

static bool pair_open(struct pair *pair, const struct carom_strike *s)
{
    const size_t nv = model_of(s)->nv;
    pair->v = carom_memory_zeroed(nv, sizeof(double));
    pair->old = carom_memory_zeroed(nv, sizeof(double));
    return pair->v != NULL && pair->old != NULL && carom_lzb_walk_open(&pair->walk, s->n, nv);
}

static void pair_begin(struct pair *pair, const struct carom_strike *s, const struct carom_lzb_walk_manner *manner,
                       double part)
{
    struct carom_lzb_walk_manner mine = *manner;
    mine.dP *= part;
    mine.stride *= part;
    carom_lzb_walk_begin(&pair->walk, &s->frame, s->v, s->k, s->p, s->e, &mine);
    memcpy(pair->v, s->v, model_of(s)->nv * sizeof(double));
    memcpy(pair->old, s->v, model_of(s)->nv * sizeof(double));
    pair->P = 0.0;
}

/* one step; v is brought along (the walk's own v is not that of every step) */
static void pair_step(struct pair *pair, const struct carom_strike *s)
{
    const size_t nv = model_of(s)->nv;
    memcpy(pair->old, pair->v, nv * sizeof(double));
    pair->P = pair->walk.P;
    carom_lzb_walk_step(&pair->walk);
    memcpy(pair->v, pair->walk.v, nv * sizeof(double));
    carom_frame_push(&s->frame, pair->walk.part, pair->v);
}

/* (46) at the impulse P of the coarse walk, the fine one just beyond it */
static double discrepancy(const struct pair *coarse, const struct pair *fine, size_t nv)
{
    const double way = fine->walk.P - fine->P, P = fmin(coarse->walk.P, fine->walk.P);
    const double part = way > 0.0 ? (P - fine->P) / way : 1.0;
    double off = 0.0, size = 0.0;
    for (size_t i = 0; i < nv; i++) {
        const double v = fine->old[i] + part * (fine->v[i] - fine->old[i]);
        off = fmax(off, fabs(coarse->v[i] - v));
        size = fmax(size, fabs(v));
    }
    return off / size;
}

/* asked every few milliseconds */
static bool lost_patience(const struct carom_strike *s, const struct pair *pair)
{
    const struct carom_patience *patience = s->track.sim->stepper->patience;
    const uint64_t pause = 1 + 200000 / (1 + s->n);
    return patience != NULL && pair->walk.steps % pause == pause - 1 && !patience->lasts(patience->own);
}

static enum carom_status walk_to(const struct carom_strike *s, struct pair *pair, double P, uint64_t most,
                                 struct carom_error *error)
{
    while (carom_lzb_walk_goes_on(&pair->walk) && pair->walk.P < P) {
        if (lost_patience(s, pair))
            return carom_error_set(error, CAROM_E_STOPPED, "stopped inside the impact");
        if (pair->walk.steps >= most)
            return carom_error_set(error, CAROM_E_NUMERIC, "%llu steps did not end the impact (option impact_steps)",
                                   (unsigned long long)most);
        pair_step(pair, s);
    }
    return CAROM_OK;
}

static enum carom_status walk_both(const struct carom_strike *s, struct pair *coarse, struct pair *fine,
                                   struct carom_strike_discrepancy *answer, uint64_t most, struct carom_error *error)
{
    const size_t nv = model_of(s)->nv;
    *answer = (struct carom_strike_discrepancy){0};
    while (carom_lzb_walk_goes_on(&coarse->walk)) {
        if (walk_to(s, coarse, nextafter(coarse->walk.P, HUGE_VAL), most, error) != CAROM_OK ||
            walk_to(s, fine, coarse->walk.P * (1.0 - 1e-13), 2 * most, error) != CAROM_OK)
            return error->status;
        if (fine->walk.P >= coarse->walk.P * (1.0 - 1e-13))
            answer->during = fmax(answer->during, discrepancy(coarse, fine, nv));
    }
    if (walk_to(s, fine, HUGE_VAL, 2 * most, error) != CAROM_OK)
        return error->status;
    answer->steps = coarse->walk.steps;
    double off = 0.0, size = 0.0;
    for (size_t i = 0; i < nv; i++) {
        off = fmax(off, fabs(coarse->v[i] - fine->v[i]));
        size = fmax(size, fabs(fine->v[i]));
    }
    answer->end = off / size;
    return CAROM_OK;
}

enum carom_status carom_strike_compare(struct carom_strike *s, const struct carom_lzb_impulse_options *options,
                                       struct carom_strike_discrepancy *answer, struct carom_error *error)
{
    const struct carom_lzb_walk_manner manner =
        carom_lzb_impulse_manner(options, &s->frame, s->rate, s->track.sim->scales.speed);
    struct pair coarse = {0}, fine = {0};
    enum carom_status status =
        pair_open(&coarse, s) && pair_open(&fine, s) ? CAROM_OK : carom_memory_error_for(error, what);
    if (status == CAROM_OK) {
        pair_begin(&coarse, s, &manner, 1.0);
        pair_begin(&fine, s, &manner, 0.5);
        status = walk_both(s, &coarse, &fine, answer, manner.limit, error);
    }
    pair_close(&coarse);
    pair_close(&fine);
    return status;
}
