/* Contacts in the kicks of scheme rattle. Elastic pushes are forces like others; damping is given as impulse,
 * exact through the square-root start of Kuwabara-Kono contacts: the first kick of a contact is
 * h/2 (elastic0 + drag0 rate0), the second h/2 elastic1 + (viscous1 - viscous0) - h/2 drag0 rate0, each along the
 * normal and at the point of its own moment. Without damping the step stays symplectic. The loss of a step is the
 * impulse of the damper times the mean rate. */
#include "scheme/solid/rattle_strike.h"

#include <string.h>

#include "base/memory.h"
#include "scheme/solid/rattle_cell.h"
#include "scheme/solid/rattle_faces.h"
#include "solve/cubic.h"

struct carom_rattle_strike {
    const struct carom_model *model;
    const struct carom_solid_strike *of;
    struct carom_rattle_live live;  /* only these contacts are looked at; others stand apart */
    struct carom_strike *at;        /* of balls, at the state */
    struct carom_skin_pool pool[2]; /* cells they touch: at one end of a step and at the other */
    int used;                       /* the one that is of the state */
    bool known;                     /* are they? */
    bool settled;                   /* are rates of the end of the last step those of the start of this one? */
    double *overlap[2], *rate[2], *viscous[2], *drag, *elastic, *push; /* nc; at the start and the end of a step */
    double *late_drag;                                                 /* nc; at the end, for friction */
    double *force;                                                     /* of the balls */
    struct carom_rattle_push onto;
    struct carom_rattle_faces faces;
    struct carom_rattle_friction *friction; /* NULL: there is no friction */
    struct carom_rattle_joints *joints;     /* NULL: there are none */
};

void carom_rattle_strike_free(struct carom_rattle_strike *w)
{
    if (!w)
        return;
    carom_rattle_push_close(&w->onto);
    carom_memory_free_all(w->at, w->overlap[0], w->force);
    carom_rattle_faces_close(&w->faces);
    carom_solid_skin_touch_close(&w->pool[0]);
    carom_solid_skin_touch_close(&w->pool[1]);
    carom_rattle_friction_free(w->friction);
    carom_rattle_joints_free(w->joints);
    carom_rattle_live_close(&w->live);
    carom_memory_free(w);
}

static bool make_room(struct carom_rattle_strike *w, struct carom_threads *threads)
{
    const struct carom_solid_strike *of = w->of;
    w->force = carom_memory_zeroed(of->balls ? of->nballs * (size_t)of->balls->dimension : 0, sizeof *w->force);
    w->at = carom_memory_zeroed(of->meets_first, sizeof *w->at);
    return carom_rattle_push_open(&w->onto, of) && carom_rattle_faces_open(&w->faces, w->model, threads) && w->force &&
           w->at;
}

struct carom_rattle_strike *carom_rattle_strike_create(const struct carom_model *model, struct carom_threads *threads)
{
    struct carom_rattle_strike *w = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return NULL;
    const size_t nc = model->nc;
    w->model = model;
    w->of = carom_solid_strike_of(model);
    double *all = w->overlap[0] = carom_memory_zeroed(10 * nc, sizeof *all);
    if (w->of->friction)
        w->friction = carom_rattle_friction_create(model);
    const bool held = w->of->balls && w->of->balls->njoints > 0;
    w->joints = held ? carom_rattle_joints_create(model) : NULL;
    if (!all || (held && !w->joints) || !make_room(w, threads) || !carom_rattle_live_open(&w->live, model) ||
        (w->of->friction && !w->friction)) {
        carom_rattle_strike_free(w);
        return NULL;
    }
    w->overlap[1] = all + nc;
    w->rate[0] = all + 2 * nc;
    w->rate[1] = all + 3 * nc;
    w->viscous[0] = all + 4 * nc;
    w->viscous[1] = all + 5 * nc;
    w->drag = all + 6 * nc;
    w->elastic = all + 7 * nc;
    w->push = all + 8 * nc;
    w->late_drag = all + 9 * nc;
    return w;
}

bool carom_rattle_strike_join(struct carom_rattle_strike *w, const struct carom_rattle_crew *crew)
{
    return carom_rattle_faces_join(&w->faces, crew);
}

struct carom_rattle_joints *carom_rattle_strike_joints(const struct carom_rattle_strike *w)
{
    return w->joints;
}

void carom_rattle_strike_forget(struct carom_rattle_strike *w)
{
    w->known = w->settled = false;
}

/* --- where they touch -------------------------------------------------------------------------------------------- */

/* q_before: where the step began; NULL: there, or it is not known */
static void find(struct carom_rattle_strike *w, const double *q, const double *q_before, double *overlap)
{
    w->used = 1 - w->used; /* friction still needs those of the start of the step */
    struct carom_skin_pool *pool = &w->pool[w->used];
    pool->n = 0;
    carom_rattle_live_look(&w->live, q, q_before, w->overlap[0]);
    for (size_t r = 0; r < w->live.nruns; r++) {
        const size_t first = w->live.run[r].first,
                     last = w->live.run[r].last < w->of->meets_first ? w->live.run[r].last : w->of->meets_first;
        if (first < last)
            carom_solid_strike_find(w->model, first, last, false, q, pool, w->at + first);
        for (size_t j = first; j < last; j++)
            overlap[j] = -w->at[j].gap;
    }
    carom_rattle_faces_find(&w->faces, q, q_before != NULL, overlap);
    w->known = true;
}

/* --- how fast they close; turning is angular momentum here ------------------------------------------------------- */

static double closing(const struct carom_rattle_strike *w, const struct carom_strike *at, const double *q,
                      const double *v)
{
    const double *mine = v + w->model->member[w->of->balls_member].v0;
    const size_t d = (size_t)w->of->balls->dimension;
    const double none[3] = {0.0, 0.0, 0.0};
    const struct carom_member *cells = &w->model->member[at->body];
    double rate = 0.0;
    for (size_t i = 0; i < at->ncells; i++) {
        const struct carom_skin_touch *touch = carom_solid_strike_touch(at, i);
        double spin[3], velocity[3];
        carom_rattle_cell_sweep(w->of->body[at->body].solid, touch->cell, none, q + cells->q0, v + cells->v0, spin,
                                velocity);
        rate += carom_vec_dot(touch->twist, spin);
        for (size_t k = 0; k < d; k++)
            rate += touch->along[k] * velocity[k];
    }
    for (size_t k = 0; k < d; k++) {
        rate -= at->slope[k] * mine[d * (size_t)at->ball[1] + k];
        if (at->ball[0] >= 0)
            rate += at->slope[k] * mine[d * (size_t)at->ball[0] + k];
    }
    return rate;
}

/* rates of contacts of balls that are closed, or were */
static void find_rates(struct carom_rattle_strike *w, int which, const double *q, const double *v)
{
    for (size_t i = 0; i < w->live.nballs; i++) {
        const size_t j = w->live.contact[i];
        const bool closed = w->overlap[0][j] > 0.0 || w->overlap[1][j] > 0.0;
        w->rate[which][j] = closed ? closing(w, &w->at[j], q, v) : 0.0;
    }
}

/* --- pushes ------------------------------------------------------------------------------------------------------- */

/* friction on balls and what they touch */
static void rub_balls(struct carom_rattle_strike *w, struct carom_rattle_body *body)
{
    const size_t d = (size_t)w->of->balls->dimension;
    for (size_t i = 0; i < w->live.nballs; i++) {
        const size_t j = w->live.contact[i];
        const struct carom_strike *at = &w->at[j];
        const double *force = carom_rattle_friction_force(w->friction, j, at);
        if (!force)
            continue;
        carom_rattle_push_friction(&w->onto, body, at, force);
        for (size_t k = 0; k < d; k++) {
            w->force[d * (size_t)at->ball[1] + k] += force[k];
            if (at->ball[0] >= 0)
                w->force[d * (size_t)at->ball[0] + k] -= force[k];
        }
    }
}

/* all pushes onto the solids' forces and the balls' */
static void push_all(struct carom_rattle_strike *w, struct carom_rattle_body *body, const double *overlap,
                     const struct carom_rattle_kick *kick)
{
    const size_t d = w->of->balls ? (size_t)w->of->balls->dimension : 0;
    if (w->of->balls)
        carom_solid_balls_weigh(w->of->balls, w->force);
    carom_rattle_push_begin(&w->onto);
    for (size_t i = 0; i < w->live.nballs; i++) {
        const size_t j = w->live.contact[i];
        const struct carom_strike *at = &w->at[j];
        if (w->push[j] == 0.0)
            continue;
        carom_rattle_push_touch(&w->onto, body, at, w->push[j]);
        for (size_t k = 0; k < d; k++) {
            w->force[d * (size_t)at->ball[1] + k] += w->push[j] * at->slope[k];
            if (at->ball[0] >= 0)
                w->force[d * (size_t)at->ball[0] + k] -= w->push[j] * at->slope[k];
        }
    }
    const struct carom_rattle_load load = {w->push, overlap, kick, w->friction};
    carom_rattle_faces_push(&w->faces, &load, &w->onto, body);
    if (w->friction && w->of->nballs > 0)
        rub_balls(w, body);
}

/* v += h/2 force / mass */
static void kick_balls(const struct carom_rattle_strike *w, double h, const struct carom_state *from,
                       struct carom_state *to)
{
    const struct carom_member *m = &w->model->member[w->of->balls_member];
    const size_t d = w->of->balls ? (size_t)w->of->balls->dimension : 0;
    for (size_t i = 0; i < w->of->nballs * d; i++)
        to->v[m->v0 + i] = from->v[m->v0 + i] + 0.5 * h * w->force[i] / w->of->balls->mass[i / d];
    if (w->of->balls && w->of->balls->ncontacts > 0)
        carom_rattle_friction_turn(w->friction, h, from, to);
    else if (w->joints && from != to)
        memcpy(to->v + m->v0 + w->of->nballs * d, from->v + m->v0 + w->of->nballs * d,
               (m->nv - w->of->nballs * d) * sizeof *to->v);
}

void carom_rattle_strike_begin(struct carom_rattle_strike *w, struct carom_rattle_body *body, double h,
                               const struct carom_state *from, struct carom_state *to)
{
    if (!w->known) {
        memset(w->overlap[0], 0, 10 * w->model->nc * sizeof(double)); /* what follows: of another state, if of any */
        find(w, from->q, NULL, w->overlap[0]);
        memcpy(w->overlap[1], w->overlap[0], w->model->nc * sizeof(double));
    }
    for (size_t i = 0; i < w->live.n; i++) {
        const size_t j = w->live.contact[i];
        w->overlap[0][j] = w->overlap[1][j];
        w->overlap[1][j] = 0.0;
    }
    find_rates(w, 0, from->q, from->v);
    carom_rattle_faces_damp_begin(&w->faces, w->settled, from->q, from->v); /* settled: nothing has moved since */
    w->settled = false;
    const struct carom_response want = {.elastic = w->elastic, .viscous = w->viscous[0], .drag = w->drag};
    carom_rattle_live_evaluate(&w->live, w->overlap[0], w->rate[0], &want);
    for (size_t i = 0; i < w->live.n; i++) {
        const size_t j = w->live.contact[i];
        w->push[j] = j < w->of->meets_first ? w->elastic[j] + w->drag[j] * w->rate[0][j] : w->elastic[j];
    }
    const struct carom_rattle_kick kick = {.h = h, .q = from->q, .v = from->v};
    if (w->friction)
        carom_rattle_friction_begin(w->friction, &kick, &w->live, w->at, w->overlap[0], w->rate[0], w->push, from, to);
    push_all(w, body, w->overlap[0], &kick);
    kick_balls(w, h, from, to);
    const struct carom_member *m = &w->model->member[w->of->balls_member];
    for (size_t i = 0; !w->joints && w->of->balls && i < carom_solid_balls_moves(w->of->balls); i++)
        to->q[m->q0 + i] = from->q[m->q0 + i] + h * to->v[m->v0 + i];
}

/* the normal force at the end of a step as far as it is known without the velocities there */
static double late_normal(const struct carom_rattle_strike *w, size_t j, double h)
{
    const double d0 = w->overlap[0][j], d1 = w->overlap[1][j], mean = (d1 - d0) / h;
    const double rate = d0 > 0.0 ? 2.0 * mean - w->rate[0][j] : mean;
    return d1 > 0.0 ? w->elastic[j] + w->late_drag[j] * rate : 0.0;
}

void carom_rattle_strike_end(struct carom_rattle_strike *w, struct carom_rattle_body *body, double h,
                             const struct carom_state *from, struct carom_state *to)
{
    find(w, to->q, from->q, w->overlap[1]);
    const struct carom_response want = {
        .elastic = w->elastic, .viscous = w->viscous[1], .drag = w->friction ? w->late_drag : NULL};
    carom_rattle_live_evaluate(&w->live, w->overlap[1], NULL, &want);
    for (size_t i = 0; i < w->live.n; i++) {
        const size_t j = w->live.contact[i];
        const double damps = 2.0 / h * (w->viscous[1][j] - w->viscous[0][j]) - w->drag[j] * w->rate[0][j];
        w->push[j] = j < w->of->meets_first ? w->elastic[j] + damps : w->elastic[j];
    }
    carom_rattle_faces_damp_end(&w->faces, h);
    const struct carom_rattle_kick kick = {.h = h, .q = to->q, .v = to->v, .q_before = from->q, .v_before = from->v};
    if (w->friction) {
        for (size_t i = 0; i < w->live.n; i++)
            w->late_drag[w->live.contact[i]] = late_normal(w, w->live.contact[i], h); /* its drag has been asked for */
        carom_rattle_friction_end(w->friction, &kick, &w->live, w->at, w->overlap, w->late_drag, w->push, to);
    }
    push_all(w, body, w->overlap[1], &kick);
    if (w->friction)
        carom_rattle_friction_settle(w->friction, h, to);
    kick_balls(w, h, to, to);
}

struct carom_rattle_run carom_rattle_strike_settle(struct carom_rattle_strike *w, struct carom_rattle_body *body,
                                                   double h, const struct carom_state *from, struct carom_state *to)
{
    struct carom_rattle_run switched = {0, 0};
    if (w->joints)
        carom_rattle_joints_settle(w->joints, h, from, to);
    carom_rattle_push_undo(&w->onto, body);
    find_rates(w, 1, to->q, to->v);
    if (to->nlost > 0)
        memcpy(to->lost, from->lost, to->nlost * sizeof *to->lost);
    for (size_t i = 0; i < w->live.n; i++) {
        const size_t j = w->live.contact[i];
        const bool was = w->overlap[0][j] > 0.0, is = w->overlap[1][j] > 0.0;
        if (was != is)
            switched = (struct carom_rattle_run){switched.last > 0 ? switched.first : j, j + 1};
        if (to->nlost > 0 && j < w->of->meets_first)
            to->lost[j] = from->lost[j] + 0.5 * (w->viscous[1][j] - w->viscous[0][j]) * (w->rate[0][j] + w->rate[1][j]);
    }
    if (to->nlost > 0)
        carom_rattle_faces_damp_settle(&w->faces, to->q, to->v, to->lost);
    w->settled = true;
    return switched;
}

bool carom_rattle_strike_finite(const struct carom_rattle_strike *w, const struct carom_state *to)
{
    const struct carom_member *m = &w->model->member[w->of->balls_member];
    bool finite = true;
    for (size_t i = 0; w->of->balls && i < m->nv; i++)
        finite = finite && isfinite(to->v[m->v0 + i]);
    for (size_t i = 0; w->of->balls && i < m->nq; i++)
        finite = finite && isfinite(to->q[m->q0 + i]);
    for (size_t i = 0; i < to->nbonds; i++)
        finite = finite && isfinite(to->bonds[i]);
    return finite;
}

/* the first ball that has gone through something, or SIZE_MAX */
static size_t ball_through(const struct carom_rattle_strike *w, double h, const struct carom_state *to)
{
    const struct carom_solid_balls *balls = w->of->balls;
    const struct carom_member *m = &w->model->member[w->of->balls_member];
    for (size_t i = 0; i < w->live.nballs; i++) {
        const struct carom_strike *at = &w->at[w->live.contact[i]];
        const double most = w->live.contact[i] < w->of->balls_first ? 1.0 - CAROM_STRIKE_DEEPEST : 1.0;
        if (w->overlap[1][w->live.contact[i]] > most * balls->radius[at->ball[1]])
            return (size_t)at->ball[1];
    }
    for (size_t i = 0; i < w->of->nballs; i++) {
        const double *v = to->v + m->v0 + i * (size_t)balls->dimension;
        const double square = v[0] * v[0] + v[1] * v[1] + (balls->dimension == 3 ? v[2] * v[2] : 0.0);
        if (h * sqrt(square) > balls->radius[i])
            return i;
    }
    return SIZE_MAX;
}

enum carom_status carom_rattle_strike_bounded(const struct carom_rattle_strike *w, double h,
                                              const struct carom_state *to, struct carom_error *error)
{
    const size_t ball = ball_through(w, h, to);
    if (w->pool[w->used].full)
        return carom_memory_error(error);
    if (w->joints && carom_rattle_joints_bounded(w->joints, to, error) != CAROM_OK)
        return error->status;
    if (ball != SIZE_MAX)
        return carom_error_set(
            error, CAROM_E_NUMERIC,
            "ball %zu is further inside another body than its radius (a solid: half of it) at t = %g, or crosses its "
            "radius in one step: the law is too soft, the ball too fast or the step too long, or "
            "it got in among the pieces of a body that broke",
            ball + 1, to->time);
    return carom_rattle_faces_bounded(&w->faces, to->time, error);
}

void carom_rattle_strike_between(const struct carom_rattle_strike *w, double at, double h,
                                 const struct carom_state *from, const struct carom_state *to, struct carom_state *view)
{
    const struct carom_member *m = &w->model->member[w->of->balls_member];
    const size_t moves = w->of->balls ? carom_solid_balls_moves(w->of->balls) : 0;
    for (size_t i = 0; i < moves; i++) {
        const struct carom_cubic c = {{from->q[m->q0 + i], to->q[m->q0 + i]},
                                      {h * from->v[m->v0 + i], h * to->v[m->v0 + i]}};
        view->q[m->q0 + i] = carom_cubic_at(&c, at);
        view->v[m->v0 + i] = carom_cubic_slope(&c, at) / h;
    }
    for (size_t i = m->q0 + moves; w->of->balls && i < m->q0 + m->nq; i++)
        view->q[i] = from->q[i] + at * (to->q[i] - from->q[i]);
    for (size_t i = m->v0 + moves; w->of->balls && i < m->v0 + m->nv; i++)
        view->v[i] = from->v[i] + at * (to->v[i] - from->v[i]);
    memcpy(view->force, to->force, to->nforce * sizeof *to->force); /* means over the step */
    for (size_t j = 0; j < to->nlost; j++)
        view->lost[j] = from->lost[j] + at * (to->lost[j] - from->lost[j]);
    for (size_t j = 0; j < to->nfriction; j++) {
        view->friction_loss[j] = from->friction_loss[j] + at * (to->friction_loss[j] - from->friction_loss[j]);
        view->friction[j] = from->friction[j] + at * (to->friction[j] - from->friction[j]);
    }
    for (size_t i = 0; i < to->nbonds; i++)
        view->bonds[i] = from->bonds[i] + at * (to->bonds[i] - from->bonds[i]);
}
