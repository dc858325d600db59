/* Contacts of balls in the kicks of scheme rattle. Elastic pushes are forces like others; damping is given as impulse,
 * exact through the square-root start of Kuwabara-Kono contacts: the first kick of a contact is
 * h/2 (elastic0 + drag0 rate0), the second h/2 elastic1 + (viscous1 - viscous0) - h/2 drag0 rate0, each along the
 * normal and at the point of its own moment. Without damping the step stays symplectic. The loss of a step is the
 * impulse of the damper times the mean rate. */
#include "scheme/solid/rattle_strike.h"

#include <string.h>

#include "base/memory.h"
#include "scheme/solid/rattle_cell.h"
#include "solve/cubic.h"

/* a force of the solid before a push */
struct saved {
    size_t index;
    double value;
};

struct carom_rattle_strike {
    const struct carom_model *model;
    const struct carom_solid_strike *of;
    struct carom_strike *at;                                           /* nc, at the state */
    bool known;                                                        /* are they? */
    double *overlap[2], *rate[2], *viscous[2], *drag, *elastic, *push; /* nc; at the start and the end of a step */
    double *force;                                                     /* of the balls */
    struct saved *saved;
    size_t nsaved, room;
};

void carom_rattle_strike_free(struct carom_rattle_strike *w)
{
    if (!w)
        return;
    carom_memory_free(w->at);
    carom_memory_free(w->overlap[0]);
    carom_memory_free(w->force);
    carom_memory_free(w->saved);
    carom_memory_free(w);
}

struct carom_rattle_strike *carom_rattle_strike_create(const struct carom_model *model)
{
    struct carom_rattle_strike *w = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return NULL;
    const size_t nc = model->nc;
    w->model = model;
    w->of = carom_solid_strike_of(model);
    w->at = carom_memory_zeroed(nc, sizeof *w->at);
    w->force = carom_memory_zeroed(w->of->balls->n * (size_t)w->of->balls->dimension, sizeof *w->force);
    w->room = w->of->balls->n * CAROM_STRIKE_CELLS * w->of->solid->fast;
    w->saved = carom_memory_zeroed(w->room, sizeof *w->saved);
    double *all = carom_memory_zeroed(9 * nc, sizeof *all);
    w->overlap[0] = all;
    if (!w->at || !w->force || !w->saved || !all) {
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
    return w;
}

void carom_rattle_strike_forget(struct carom_rattle_strike *w)
{
    w->known = false;
}

static void find(struct carom_rattle_strike *w, const double *q, double *overlap)
{
    carom_solid_strike_find(w->model, 0, w->model->nc, q, w->at);
    for (size_t j = 0; j < w->model->nc; j++)
        overlap[j] = -w->at[j].gap;
    w->known = true;
}

/* how fast the sides of a contact close; turning is angular momentum here */
static double closing(const struct carom_rattle_strike *w, const struct carom_strike *at, const double *q,
                      const double *v)
{
    const struct carom_solid *s = w->of->solid;
    const struct carom_member *cells = &w->model->member[w->of->solid_member];
    const double *mine = v + w->model->member[w->of->balls_member].v0;
    const size_t d = (size_t)s->dimension;
    double rate = 0.0;
    for (size_t i = 0; i < at->ncells; i++) {
        const double *fast = v + cells->v0 + s->fast * at->cell[i];
        double spin[3] = {0.0, 0.0, 0.0}, sweep[3];
        if (d == 3)
            carom_rattle_cell_spin(s, at->cell[i], q + cells->q0, fast + 3, spin);
        else
            spin[2] = fast[2] * carom_solid_sort_of(s, at->cell[i])->inverse_inertia[2];
        carom_vec_cross(spin, at->arm[i], sweep);
        for (size_t k = 0; k < d; k++)
            rate += at->share[i] * at->normal[k] * (fast[k] + sweep[k]);
    }
    for (size_t k = 0; k < d; k++) {
        rate -= at->normal[k] * mine[d * (size_t)at->ball[1] + k];
        if (at->ball[0] >= 0)
            rate += at->normal[k] * mine[d * (size_t)at->ball[0] + k];
    }
    return rate;
}

/* rates of contacts that are closed, or were */
static void find_rates(struct carom_rattle_strike *w, const double *q, const double *v, double *rate)
{
    for (size_t j = 0; j < w->model->nc; j++)
        rate[j] = w->overlap[0][j] > 0.0 || w->overlap[1][j] > 0.0 ? closing(w, &w->at[j], q, v) : 0.0;
}

static void push_cells(struct carom_rattle_strike *w, struct carom_rattle_body *body, const struct carom_strike *at,
                       double lambda)
{
    const struct carom_solid *s = w->of->solid;
    const size_t d = (size_t)s->dimension;
    for (size_t i = 0; i < at->ncells; i++) {
        double *f = body->force + s->fast * at->cell[i], force[3], moment[3];
        for (size_t k = 0; k < 3; k++)
            force[k] = -lambda * at->share[i] * at->normal[k];
        carom_vec_cross(at->arm[i], force, moment);
        for (size_t k = 0; k < s->fast; k++) {
            w->saved[w->nsaved++] = (struct saved){s->fast * at->cell[i] + k, f[k]};
            f[k] += k < d ? force[k] : moment[d == 2 ? 2 : k - d];
        }
    }
}

/* all pushes onto the solid's forces and the balls' */
static void push_all(struct carom_rattle_strike *w, struct carom_rattle_body *body)
{
    const size_t d = (size_t)w->of->balls->dimension;
    memset(w->force, 0, w->of->balls->n * d * sizeof *w->force);
    w->nsaved = 0;
    for (size_t j = 0; j < w->model->nc; j++) {
        const struct carom_strike *at = &w->at[j];
        if (w->push[j] == 0.0)
            continue;
        push_cells(w, body, at, w->push[j]);
        for (size_t k = 0; k < d; k++) {
            w->force[d * (size_t)at->ball[1] + k] += w->push[j] * at->normal[k];
            if (at->ball[0] >= 0)
                w->force[d * (size_t)at->ball[0] + k] -= w->push[j] * at->normal[k];
        }
    }
}

/* v += h/2 force / mass */
static void kick_balls(const struct carom_rattle_strike *w, double h, const double *v0, double *v1)
{
    const size_t d = (size_t)w->of->balls->dimension;
    for (size_t i = 0; i < w->of->balls->n * d; i++)
        v1[i] = v0[i] + 0.5 * h * w->force[i] / w->of->balls->mass[i / d];
}

void carom_rattle_strike_begin(struct carom_rattle_strike *w, struct carom_rattle_body *body, double h,
                               const struct carom_state *from, struct carom_state *to)
{
    const struct carom_member *m = &w->model->member[w->of->balls_member];
    const size_t nc = w->model->nc;
    if (!w->known)
        find(w, from->q, w->overlap[0]);
    else
        memcpy(w->overlap[0], w->overlap[1], nc * sizeof(double));
    memset(w->overlap[1], 0, nc * sizeof(double));
    find_rates(w, from->q, from->v, w->rate[0]);
    const struct carom_response want = {.elastic = w->elastic, .viscous = w->viscous[0], .drag = w->drag};
    carom_contacts_evaluate(w->model, 0, nc, w->overlap[0], w->rate[0], NULL, &want);
    for (size_t j = 0; j < nc; j++)
        w->push[j] = w->elastic[j] + w->drag[j] * w->rate[0][j];
    push_all(w, body);
    kick_balls(w, h, from->v + m->v0, to->v + m->v0);
    for (size_t i = 0; i < m->nq; i++)
        to->q[m->q0 + i] = from->q[m->q0 + i] + h * to->v[m->v0 + i];
}

void carom_rattle_strike_end(struct carom_rattle_strike *w, struct carom_rattle_body *body, double h,
                             struct carom_state *to)
{
    const struct carom_member *m = &w->model->member[w->of->balls_member];
    find(w, to->q, w->overlap[1]);
    const struct carom_response want = {.elastic = w->elastic, .viscous = w->viscous[1]};
    carom_contacts_evaluate(w->model, 0, w->model->nc, w->overlap[1], NULL, NULL, &want);
    for (size_t j = 0; j < w->model->nc; j++)
        w->push[j] = w->elastic[j] + 2.0 / h * (w->viscous[1][j] - w->viscous[0][j]) - w->drag[j] * w->rate[0][j];
    push_all(w, body);
    kick_balls(w, h, to->v + m->v0, to->v + m->v0);
}

bool carom_rattle_strike_settle(struct carom_rattle_strike *w, struct carom_rattle_body *body,
                                const struct carom_state *from, struct carom_state *to)
{
    bool switched = false;
    for (size_t i = w->nsaved; i-- > 0;)
        body->force[w->saved[i].index] = w->saved[i].value;
    find_rates(w, to->q, to->v, w->rate[1]);
    for (size_t j = 0; j < w->model->nc; j++) {
        switched |= (w->overlap[0][j] > 0.0) != (w->overlap[1][j] > 0.0);
        if (to->nlost > 0)
            to->lost[j] = from->lost[j] + 0.5 * (w->viscous[1][j] - w->viscous[0][j]) * (w->rate[0][j] + w->rate[1][j]);
    }
    return switched;
}

bool carom_rattle_strike_finite(const struct carom_rattle_strike *w, const struct carom_state *to)
{
    const struct carom_member *m = &w->model->member[w->of->balls_member];
    for (size_t i = 0; i < m->nv; i++)
        if (!isfinite(to->v[m->v0 + i]) || !isfinite(to->q[m->q0 + i]))
            return false;
    return true;
}

bool carom_rattle_strike_bounded(const struct carom_rattle_strike *w, double h, const struct carom_state *to,
                                 size_t *ball)
{
    const struct carom_solid_balls *balls = w->of->balls;
    const struct carom_member *m = &w->model->member[w->of->balls_member];
    for (size_t j = 0; j < w->model->nc; j++)
        if (w->overlap[1][j] > balls->radius[ *ball = (size_t)w->at[j].ball[1]])
            return false;
    for (*ball = 0; *ball < balls->n; ++*ball) {
        const double *v = to->v + m->v0 + *ball * (size_t)balls->dimension;
        const double square = v[0] * v[0] + v[1] * v[1] + (balls->dimension == 3 ? v[2] * v[2] : 0.0);
        if (h * sqrt(square) > balls->radius[*ball])
            return false;
    }
    return true;
}

void carom_rattle_strike_between(const struct carom_rattle_strike *w, double at, double h,
                                 const struct carom_state *from, const struct carom_state *to, struct carom_state *view)
{
    const struct carom_member *m = &w->model->member[w->of->balls_member];
    for (size_t i = 0; i < m->nq; i++) {
        const struct carom_cubic c = {{from->q[m->q0 + i], to->q[m->q0 + i]},
                                      {h * from->v[m->v0 + i], h * to->v[m->v0 + i]}};
        view->q[m->q0 + i] = carom_cubic_at(&c, at);
        view->v[m->v0 + i] = carom_cubic_slope(&c, at) / h;
    }
    for (size_t j = 0; j < to->nlost; j++)
        view->lost[j] = from->lost[j] + at * (to->lost[j] - from->lost[j]);
}

/* velocities of one cell as the part has them */
static void sync_cell(const struct carom_solid *s, size_t cell, const double *q, double *v)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    double turn[4], own[3];
    if (s->dimension == 2) {
        v[2] /= sort->inertia[2];
        return;
    }
    carom_solid_turns_axes(s, cell, q, turn);
    carom_quat_turn_back(turn, v + 3, own);
    for (size_t k = 0; k < 3; k++)
        v[3 + k] = own[k] / sort->inertia[k];
}

void carom_rattle_strike_glimpse(const struct carom_rattle_strike *w, const struct carom_state *state,
                                 struct carom_state *view)
{
    const struct carom_solid *s = w->of->solid;
    const struct carom_member *balls = &w->model->member[w->of->balls_member],
                              *cells = &w->model->member[w->of->solid_member];
    const size_t d = (size_t)s->dimension;
    double low[3], high[3];
    carom_solid_strike_box(w->model, state->q, low, high);
    memcpy(view->q + balls->q0, state->q + balls->q0, balls->nq * sizeof(double));
    memcpy(view->v + balls->v0, state->v + balls->v0, balls->nv * sizeof(double));
    memcpy(view->lost, state->lost, state->nlost * sizeof(double));
    for (size_t r = 0; r < w->of->skin->nrims; r++) {
        const size_t cell = w->of->skin->rim[r].cell, q0 = cells->q0 + s->wide * cell, v0 = cells->v0 + s->fast * cell;
        bool near = true;
        for (size_t k = 0; k < d; k++) {
            const double at = s->centre[cell][k] + state->q[q0 + k];
            view->q[q0 + k] = state->q[q0 + k];
            near = near && at > low[k] && at < high[k];
        }
        if (!near)
            continue;
        memcpy(view->q + q0, state->q + q0, s->wide * sizeof(double));
        memcpy(view->v + v0, state->v + v0, s->fast * sizeof(double));
        sync_cell(s, cell, state->q + cells->q0, view->v + v0);
    }
    carom_state_clock(view, state->time);
}
