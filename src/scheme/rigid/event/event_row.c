/* The flights of event_row.h. Which contacts at rest stay held is a linear complementarity problem at the level of
 * accelerations; in a row it is the problem of the nearest rising sequence (each bead's own acceleration, weighted by
 * its mass, least change so that no neighbours approach), solved exactly by pooling neighbours that press. */
#include "scheme/rigid/event/event_row.h"

#include <float.h>

#include "base/memory.h"
#include "scheme/rigid/event/event.h"

bool carom_event_row_fits(const struct carom_model *model)
{
    if (!(model->offers & CAROM_CHAIN) || !(model->offers & CAROM_UNDRIVEN))
        return false;
    const struct carom_beads *beads = carom_model_chain(model);
    for (size_t k = 0; k < beads->nloads; k++) {
        const enum carom_shape shape = beads->load[k].force.shape;
        if (shape != CAROM_SHAPE_NONE && shape != CAROM_SHAPE_CONSTANT && shape != CAROM_SHAPE_STEP)
            return false;
    }
    return !beads->damper && !beads->string;
}

void carom_event_row_close(struct carom_event_row *row)
{
    carom_memory_free_all(row->load, row->force, row->doubt, row->motion, row->lambda, row->slope, row->pool);
    *row = (struct carom_event_row){0};
}

enum carom_status carom_event_row_open(struct carom_event_row *row, const struct carom_model *model, double length,
                                       struct carom_error *error)
{
    row->chain = carom_chain_of(model);
    row->length = length;
    const size_t n = row->chain.n;
    row->load = carom_memory_zeroed(n, sizeof(double));
    row->force = carom_memory_zeroed(n, sizeof(double));
    row->doubt = carom_memory_zeroed(n, sizeof(double));
    row->motion = carom_memory_zeroed(n, sizeof *row->motion);
    row->lambda = carom_memory_zeroed(model->nc, sizeof(double));
    row->slope = carom_memory_zeroed(model->nc, sizeof(double));
    row->pool = carom_memory_zeroed(n + 1, sizeof *row->pool);
    if (!row->load || !row->force || !row->doubt || !row->motion || !row->lambda || !row->slope || !row->pool)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme event on %zu beads", n);
    carom_loads_fill(row->chain.beads, 0.0, false, row->load);
    return CAROM_OK;
}

/* --- groups ------------------------------------------------------------------------------------------------------ */

/* contacts left and right of bead i; nc: there is none */
static size_t left_of(const struct carom_chain *c, size_t i)
{
    return i + c->shift > 0 ? i + c->shift - 1 : c->nc;
}

static size_t right_of(const struct carom_chain *c, size_t i)
{
    return i + c->shift < c->nc ? i + c->shift : c->nc;
}

static bool is_wall(const struct carom_chain *c, size_t j)
{
    return (c->left_wall && j == 0) || (c->right_wall && j + 1 == c->nc);
}

/* A group: beads [first, last) joined by held contacts. */
struct group {
    size_t first, last;
    bool at_left, at_right; /* held at a wall */
    double mass, force, spring, size;
};

/* sizes of the forces that add up to that of bead i; q is known to rounding of the way it has come */
static double size_of(const struct carom_event_row *row, const double *q, size_t i)
{
    const double *spring = row->chain.beads->spring;
    return fabs(row->load[i]) + (spring ? spring[i] * (fabs(q[i]) + row->length) : 0.0);
}

static struct group group_at(const struct carom_event_row *row, const double *mode, const double *q, size_t first)
{
    const struct carom_chain *c = &row->chain;
    struct group g = {.first = first};
    const size_t before = left_of(c, first);
    g.at_left = first == 0 && before < c->nc && mode[before] == CAROM_EVENT_HELD;
    for (size_t i = first;; i++) {
        g.mass += c->beads->mass[i];
        g.force += row->force[i];
        g.size += size_of(row, q, i);
        g.spring += c->beads->spring ? c->beads->spring[i] : 0.0;
        g.last = i + 1;
        const size_t j = right_of(c, i);
        if (j == c->nc || mode[j] != CAROM_EVENT_HELD)
            return g;
        if (is_wall(c, j)) {
            g.at_right = true;
            return g;
        }
    }
}

/* forces inside a group that stands still: from its open end; between two walls the least that keeps all >= 0 */
static void forces_at_walls(struct carom_event_row *row, const struct group *g)
{
    const struct carom_chain *c = &row->chain;
    double *lambda = row->lambda, sum = 0.0, least = 0.0;
    if (!g->at_left) {
        for (size_t i = g->first; i < g->last; i++) {
            sum += row->force[i];
            lambda[right_of(c, i)] = sum;
        }
        return;
    }
    for (size_t i = g->last; i-- > g->first;) {
        sum -= row->force[i];
        lambda[left_of(c, i)] = sum;
        least = sum < least ? sum : least;
    }
    for (size_t j = left_of(c, g->first); g->at_right && j <= right_of(c, g->last - 1); j++)
        lambda[j] = (j == right_of(c, g->last - 1) ? 0.0 : lambda[j]) - least;
}

/* forces inside a group that moves: what is left of each bead's force after its share of the acceleration */
static void forces_inside(struct carom_event_row *row, const struct group *g, const struct carom_event_motion *m)
{
    const struct carom_chain *c = &row->chain;
    double force = 0.0, slope = 0.0;
    for (size_t i = g->first; i + 1 < g->last; i++) {
        force += row->force[i] - c->beads->mass[i] * m->a;
        if (c->beads->spring)
            slope += c->beads->spring[i] - c->beads->mass[i] * (g->spring / g->mass);
        row->lambda[right_of(c, i)] = force;
        row->slope[right_of(c, i)] = slope;
    }
}

static void find_forces(struct carom_event_row *row, const struct carom_state *state)
{
    const struct carom_beads *beads = row->chain.beads;
    if (beads->nloads)
        carom_loads_fill(beads, state->time + state->time_low, true, row->load);
    for (size_t i = 0; i < beads->n; i++)
        row->force[i] = row->load[i] - (beads->spring ? beads->spring[i] * state->q[i] : 0.0);
}

static void find_groups(struct carom_event_work *w, const struct carom_state *state)
{
    struct carom_event_row *row = &w->row;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    for (size_t j = 0; j < w->model->nc; j++)
        row->lambda[j] = row->slope[j] = 0.0;
    for (size_t first = 0; first < row->chain.n;) {
        const struct group g = group_at(row, mode, state->q, first);
        struct carom_event_motion m = {0.0, 0.0, 0.0};
        if (g.at_left || g.at_right) {
            forces_at_walls(row, &g);
        } else {
            m = (struct carom_event_motion){state->v[first], g.force / g.mass,
                                            g.spring > 0.0 ? sqrt(g.spring / g.mass) : 0.0};
            forces_inside(row, &g, &m);
        }
        for (size_t i = first; i < g.last; i++) {
            row->motion[i] = m;
            row->doubt[i] = 16.0 * DBL_EPSILON * g.size / g.mass;
        }
        first = g.last;
    }
}

void carom_event_row_prepare(struct carom_event_work *w, const struct carom_state *state)
{
    find_forces(&w->row, state);
    find_groups(w, state);
}

/* --- which contacts are held ------------------------------------------------------------------------------------- */

/* Does a press on b, its right neighbour? Where accelerations are equal but for rounding the next moment decides:
 * springs make them differ at once by -K/M times what is common, the velocity or, at rest, the acceleration. */
static bool presses(const struct carom_event_pool *a, const struct carom_event_pool *b, bool ended, double v,
                    double slow)
{
    const double left = a->force / a->mass, right = b->force / b->mass;
    /* a force that has just ended was found to be 0 less exactly */
    if (fabs(left - right) > (ended ? 1e4 : 1.0) * 16.0 * DBL_EPSILON * (a->size / a->mass + b->size / b->mass))
        return left > right;
    return (a->spring / a->mass - b->spring / b->mass) * (fabs(v) > slow ? v : left) <= 0.0;
}

/* beads [first, last) are joined by contacts at rest; pools those that press, and what presses on a wall */
static void pool(struct carom_event_work *w, struct carom_state *state, size_t first, size_t last)
{
    struct carom_event_row *row = &w->row;
    const struct carom_chain *c = &row->chain;
    double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    const size_t before = left_of(c, first), behind = right_of(c, last - 1);
    const bool left = first == 0 && before < c->nc && w->at_rest[before];
    const bool right = last == c->n && behind < c->nc && w->at_rest[behind];
    size_t count = 0;
    for (size_t i = first; i < last; i++) {
        struct carom_event_pool p = {i, row->force[i], c->beads->mass[i], c->beads->spring ? c->beads->spring[i] : 0.0,
                                     size_of(row, state->q, i)};
        while (count > 0 && presses(&row->pool[count - 1], &p, w->released[right_of(c, p.first - 1)], state->v[i],
                                    carom_event_slow(w))) {
            const struct carom_event_pool *o = &row->pool[--count];
            p = (struct carom_event_pool){o->first, o->force + p.force, o->mass + p.mass, o->spring + p.spring,
                                          o->size + p.size};
        }
        row->pool[count++] = p;
    }
    row->pool[count].first = last;
    for (size_t k = 0; k < count; k++) {
        const struct carom_event_pool *p = &row->pool[k];
        const bool at_left = left && (p->force <= 0.0 || right), at_right = right && (p->force >= 0.0 || left);
        const size_t end = row->pool[k + 1].first;
        for (size_t i = p->first; i + 1 < end; i++)
            mode[right_of(c, i)] = CAROM_EVENT_HELD;
        if (at_left)
            mode[left_of(c, p->first)] = CAROM_EVENT_HELD;
        if (at_right)
            mode[right_of(c, end - 1)] = CAROM_EVENT_HELD;
    }
}

/* one velocity for each group; what that loses goes to the contact whose rate was largest */
static void unite(struct carom_event_work *w, struct carom_state *state)
{
    const struct carom_event_row *row = &w->row;
    const struct carom_chain *c = &row->chain;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    for (size_t first = 0; first < c->n;) {
        const struct group g = group_at(row, mode, state->q, first);
        double momentum = 0.0, lost = 0.0;
        first = g.last;
        if (g.last == g.first + 1 && !g.at_left && !g.at_right)
            continue;
        for (size_t i = g.first; i < g.last; i++)
            momentum += c->beads->mass[i] * (state->v[i] - state->v[g.first]);
        const double v = g.at_left || g.at_right ? 0.0 : state->v[g.first] + momentum / g.mass;
        size_t worst = g.at_left ? left_of(c, g.first) : right_of(c, g.first);
        for (size_t i = g.first; i < g.last; i++) {
            const size_t j = right_of(c, i);
            lost += 0.5 * c->beads->mass[i] * (state->v[i] - v) * (state->v[i] + v);
            state->v[i] = v;
            if (j < c->nc && mode[j] == CAROM_EVENT_HELD && fabs(w->rate[j]) > fabs(w->rate[worst]))
                worst = j;
        }
        state->lost[worst] += lost;
    }
}

void carom_event_row_hold(struct carom_event_work *w, struct carom_state *state)
{
    struct carom_event_row *row = &w->row;
    const struct carom_chain *c = &row->chain;
    double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    find_forces(row, state);
    for (size_t j = 0; j < c->nc; j++)
        if (mode[j] == CAROM_EVENT_HELD)
            mode[j] = CAROM_EVENT_TOUCH;
    for (size_t first = 0, last; first < c->n; first = last) {
        for (last = first + 1; last < c->n && w->at_rest[right_of(c, last - 1)]; last++)
            ;
        pool(w, state, first, last);
    }
    unite(w, state);
    find_groups(w, state);
    for (size_t j = 0; j < c->nc; j++) {
        const bool left = j >= c->shift, right = j + 1 - c->shift < c->n;
        state->force[j] = mode[j] == CAROM_EVENT_HELD ? fmax(row->lambda[j], 0.0) : 0.0;
        w->bend[j] = (right ? row->motion[j + 1 - c->shift].a : 0.0) - (left ? row->motion[j - c->shift].a : 0.0);
    }
}

/* --- flight ------------------------------------------------------------------------------------------------------ */

static const struct carom_event_motion nothing = {0.0, 0.0, 0.0};

/* the gap of contact j, which is not held */
static double gap_closes(const struct carom_event_work *w, const struct carom_state *state, size_t j, double limit)
{
    const struct carom_chain *c = &w->row.chain;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    const bool left = j >= c->shift, right = j + 1 - c->shift < c->n;
    const size_t a = j - c->shift, b = a + 1;
    struct carom_event_gap gap = {.left = left ? w->row.motion[a] : nothing,
                                  .right = right ? w->row.motion[b] : nothing};
    gap.r = gap.right.v - gap.left.v;
    gap.a = gap.right.a - gap.left.a;
    if (mode[j] == CAROM_EVENT_FREE) {
        gap.y0 = c->gap[j] + ((right ? state->q[b] : 0.0) - (left ? state->q[a] : 0.0));
        return carom_event_motion_meet(&gap, limit);
    }
    if (!(gap.r > carom_event_slow(w))) /* it opens by its acceleration alone */
        gap.r = 0.0;
    if (gap.r == 0.0 && gap.a <= (left ? w->row.doubt[a] : 0.0) + (right ? w->row.doubt[b] : 0.0))
        gap.a = 0.0;
    return carom_event_motion_meet(&gap, limit);
}

/* when the force of a held contact comes down to 0 */
static double force_ends(const struct carom_event_work *w, size_t j, double limit)
{
    const struct carom_event_row *row = &w->row;
    const struct carom_event_motion *m = &row->motion[j >= row->chain.shift ? j - row->chain.shift : 0];
    const double slope = row->slope[j];
    if (slope == 0.0 || m->w == 0.0)
        return HUGE_VAL;
    struct carom_event_gap gap = {.y0 = fmax(row->lambda[j], 0.0), .r = -slope * m->v, .a = -slope * m->a};
    gap.right = (struct carom_event_motion){gap.r, gap.a, m->w};
    return carom_event_motion_meet(&gap, limit);
}

struct carom_event_next carom_event_row_next(struct carom_event_work *w, const struct carom_state *state, double limit)
{
    const struct carom_beads *beads = w->row.chain.beads;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    struct carom_event_next next = {limit, w->model->nc, false, false};
    for (size_t k = 0; k < beads->nloads; k++) {
        const double quiet = carom_state_until(state, carom_signal_quiet(&beads->load[k].force, state->time));
        next.time = quiet > 0.0 && quiet < next.time ? quiet : next.time;
    }
    for (size_t i = 0; beads->spring && i < beads->n; i++) /* a search that ends: eight periods of the fastest */
        next.time = w->row.motion[i].w * next.time > 50.0 ? 50.0 / w->row.motion[i].w : next.time;
    for (size_t j = 0; j < w->model->nc; j++) {
        const bool held = mode[j] == CAROM_EVENT_HELD;
        const double t = held ? force_ends(w, j, next.time) : gap_closes(w, state, j, next.time);
        if (t < next.time)
            next = (struct carom_event_next){t, j, held, false};
    }
    return next;
}

void carom_event_row_move(struct carom_event_work *w, const struct carom_state *from, double t, struct carom_state *to)
{
    const struct carom_event_row *row = &w->row;
    const struct carom_chain *c = &row->chain;
    const double *mode = carom_event_memory(from, w->model->nc, CAROM_EVENT_MODE);
    double place = 0.0, speed = 0.0;
    for (size_t i = 0; i < c->n; i++) {
        const size_t j = left_of(c, i);
        if (i == 0 || j == c->nc || mode[j] != CAROM_EVENT_HELD) {
            place = carom_event_motion_place(&row->motion[i], t);
            speed = carom_event_motion_speed(&row->motion[i], t);
        }
        to->q[i] = from->q[i] + place;
        to->v[i] = speed;
        if (j < c->nc)
            to->force[j] = mode[j] == CAROM_EVENT_HELD ? fmax(row->lambda[j] - row->slope[j] * place, 0.0) : 0.0;
    }
    if (c->right_wall)
        to->force[c->nc - 1] = mode[c->nc - 1] == CAROM_EVENT_HELD ? fmax(row->lambda[c->nc - 1], 0.0) : 0.0;
    to->work[0] = from->work[0];
    for (size_t k = 0; k < c->beads->nloads; k++) {
        const size_t i = c->beads->load[k].bead;
        const double force = carom_signal_value(&c->beads->load[k].force, from->time + from->time_low);
        to->work[0] += force * carom_event_motion_place(&row->motion[i], t);
    }
}
