/* Static solutions: the minimum of elastic energy less the work of loads, by Newton's method with conjugate gradients
 * (solve/minimise.h), preconditioned by blocks (solid_blocks.c). Curvature comes from differences of forces. Tractions
 * that follow their face and moments have no potential in large turns; there the slope alone decides. Bodies that
 * nothing holds are fine as long as their loads balance. */
#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "base/random.h"
#include "model/solid/settle/solid_settle.h"
#include "model/solid/solid_turns.h"
#include "solve/dense.h"
#include "solve/minimise.h"

#define ROUGH 1e-6 /* how well loads balance on cells without a lattice, which are never quite symmetric */
#define TURNS 100  /* of a loose body as a whole, towards where its loads balance */

/* the part's force in local axes with holds left out; v = 0 */
static void force_at(const struct carom_solid_settle *w, const double *q, double *f)
{
    carom_solid_force_shared(w->s, w->threads, w->t, q, w->zero, w->scratch, f);
}

static void slope_at(const struct carom_solid_settle *w, const double *q, double *g)
{
    force_at(w, q, g);
    for (size_t i = 0; i < w->s->fast * w->s->n; i++)
        g[i] = -g[i];
}

/* What is left of loads that balance would move the body as a whole: no slope that bends it. */
void carom_solid_settle_slope(void *own, double *g)
{
    const struct carom_solid_settle *w = own;
    slope_at(w, w->q, g);
    if (!w->balanced)
        return;
    carom_solid_turns_to_space(w->s, w->threads, w->q, g, w->step);
    carom_solid_rigid_balance(&w->rigid, w->step);
    memcpy(g, w->step, w->s->fast * w->s->n * sizeof *g);
    carom_solid_turns_to_axes(w->s, w->threads, w->q, g);
}

/* work of the loads is counted from the kept point, forces as they are there: exact for small steps */
double carom_solid_settle_energy(void *own)
{
    const struct carom_solid_settle *w = own;
    const struct carom_solid *s = w->s;
    double *none = w->extension;
    const double stored = carom_solid_forces_energy(s, &w->work, w->threads, w->t, w->q);
    carom_solid_loads_extend(s, w->t, w->work.pressure, none);
    const double *rest = none + carom_solid_loads_faces(s);
    return stored -
           carom_solid_loads_work(s, w->threads, &(struct carom_solid_way){w->t, w->kept, rest, w->t, w->q, none});
}

/* A step along a direction, or the difference of two slopes. */
struct stepping {
    size_t fast;
    double h;
    const double *along, *other;
    double *out;
};

static void step_some(void *own, size_t first, size_t last)
{
    const struct stepping *c = own;
    for (size_t i = c->fast * first; i < c->fast * last; i++)
        c->out[i] = c->h * c->along[i];
}

static void step_along(const struct carom_solid_settle *w, double h, const double *along)
{
    carom_threads_share(w->threads, step_some, &(struct stepping){w->s->fast, h, along, NULL, w->step}, w->s->n);
}

static void differ_some(void *own, size_t first, size_t last)
{
    const struct stepping *c = own;
    for (size_t i = c->fast * first; i < c->fast * last; i++)
        c->out[i] = c->h > 0.0 ? (c->other[i] - c->out[i]) / (2.0 * c->h) : 0.0;
}

void carom_solid_settle_curve(void *own, const double *along, double *out)
{
    struct carom_solid_settle *w = own;
    const struct carom_solid *s = w->s;
    const size_t turn = (size_t)s->dimension;
    double most = 0.0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->fast; k++)
            most = fmax(most, fabs(along[s->fast * i + k]) * (k < turn ? 1.0 : w->large));
    const double h = most > 0.0 ? w->size / most : 0.0;
    for (int side = 0; side < 2; side++) {
        step_along(w, side == 0 ? h : -h, along);
        carom_solid_move_shared(s, w->threads, w->kept, w->step, w->moved);
        force_at(w, w->moved, side == 0 ? out : w->force);
    }
    carom_threads_share(w->threads, differ_some, &(struct stepping){s->fast, h, NULL, w->force, out}, s->n);
}

void carom_solid_settle_precondition(void *own, const double *r, double *z)
{
    struct carom_solid_settle *w = own;
    const struct carom_solid *s = w->s;
    carom_solid_turns_to_space(s, w->threads, w->kept, r, w->step);
    if (w->balanced || w->carried)
        carom_solid_rigid_balance(&w->rigid, w->step);
    if (w->blocks)
        carom_solid_blocks_solve(w->blocks, w->step, z);
    else
        carom_solid_clusters_solve(w->clusters, w->step, z);
    if (w->balanced || w->carried)
        carom_solid_rigid_still(&w->rigid, z);
    carom_solid_turns_to_axes(s, w->threads, w->kept, z);
}

void carom_solid_settle_go(void *own, const double *along, double length)
{
    struct carom_solid_settle *w = own;
    step_along(w, length, along);
    carom_solid_move_shared(w->s, w->threads, w->kept, w->step, w->q);
}

/* Steps are straight, and what turns by an angle a is stretched by a^2 / 2 by them: slender bodies do not bear much. */
double carom_solid_settle_reach(void *own, const double *along)
{
    const struct carom_solid *s = ((const struct carom_solid_settle *)own)->s;
    double most = 0.0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = (size_t)s->dimension; k < s->fast; k++)
            most = fmax(most, fabs(along[s->fast * i + k]));
    return most > 0.0 ? 0.05 / most : 1.0;
}

/* by how much cells have turned between two points, about half the angle */
static double turned(const struct carom_solid *s, const double *from, const double *to)
{
    double most = 0.0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = (size_t)s->dimension; k < s->wide; k++)
            most = fmax(most, fabs(to[s->wide * i + k] - from[s->wide * i + k]));
    return most;
}

/* What rounding of displacements makes of forces and torques: less cannot be asked for. */
double carom_solid_settle_noise(void *own)
{
    const struct carom_solid_settle *w = own;
    const struct carom_solid *s = w->s;
    double stiff = 0.0, moved = 0.0;
    for (size_t i = 0; i < s->nshapes; i++)
        stiff = fmax(stiff, s->shape[i].stiff);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < (size_t)s->dimension; k++)
            moved = fmax(moved, fabs(w->q[s->wide * i + k]));
    return 1e-15 * stiff * moved * fmax(1.0, 0.5 * w->large);
}

/* --- loose bodies whose loads balance ---------------------------------------------------------------------------- */

/* the largest force or torque by which loads move the body as a whole */
static double imbalance(const struct carom_solid_settle *w)
{
    slope_at(w, w->kept, w->force);
    carom_solid_turns_to_space(w->s, w->threads, w->kept, w->force, w->step);
    return carom_solid_rigid_balance(&w->rigid, w->step);
}

static double imbalance_allowed(struct carom_solid_settle *w)
{
    return fmax((w->clusters ? ROUGH : 0.5 * w->tol) * w->scale, carom_solid_settle_noise(w));
}

/* Loads that balance at the start leave a loose body where it is; others move it to where they do. */
static bool find_balance(struct carom_solid_settle *w)
{
    return w->rigid.some && imbalance(w) <= imbalance_allowed(w);
}

/* the torque of the loads with the body turned by an angle from where it is kept; `along`: 2 x fast n */
static void torque_at(struct carom_solid_settle *w, const double angle[3], double *along, double torque[3])
{
    double *force = along + w->s->fast * w->s->n;
    struct carom_solid_rigid there = w->rigid;
    there.q = w->q;
    carom_solid_rigid_turn(&w->rigid, angle, along);
    carom_solid_turns_to_axes(w->s, w->threads, w->kept, along);
    carom_solid_settle_go(w, along, 1.0);
    force_at(w, w->q, w->force);
    carom_solid_turns_to_space(w->s, w->threads, w->q, w->force, force);
    carom_solid_rigid_torque(&there, force, torque);
}

/* A body that bends takes the points at which its loads act with it, and is turned by them. One step of Newton's
 * towards the turn at which they balance again; turns that no torque answers to are left alone. */
static void turn_back(struct carom_solid_settle *w, double *room)
{
    const double none[3] = {0.0}, h = 1e-4;
    double torque[3], slope[3][3], most = 0.0;
    size_t order[3];
    for (int k = 0; k < 3; k++) {
        double side[2][3];
        for (int i = 0; i < 2; i++) {
            double angle[3] = {0.0};
            angle[k] = i == 0 ? -h : h;
            torque_at(w, angle, room, side[i]);
        }
        for (int i = 0; i < 3; i++)
            slope[i][k] = (side[0][i] - side[1][i]) / (2.0 * h);
    }
    torque_at(w, none, room, torque);
    carom_dense_solve(3, &slope[0][0], torque, order, 1e-6);
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(torque[k]));
    carom_solid_rigid_turn(&w->rigid, torque, room);
    carom_solid_turns_to_axes(w->s, w->threads, w->kept, room);
    carom_solid_settle_go(w, room, fmin(1.0, 0.05 / most));
    carom_solid_settle_keep(w);
}

void carom_solid_settle_keep(void *own)
{
    struct carom_solid_settle *w = own;
    const struct carom_solid *s = w->s;
    w->turned += turned(s, w->kept, w->q);
    memcpy(w->kept, w->q, carom_solid_size(s) * sizeof *w->q);
    memcpy(w->moved, w->q, carom_solid_size(s) * sizeof *w->q); /* what stands beside the cells */
    carom_solid_rigid_find(&w->rigid, s, w->kept);
    if (w->turned > 0.02) { /* the links stand otherwise than the preconditioner takes them */
        if (w->blocks)
            carom_solid_blocks_build(w->blocks, w->kept, w->rigid.some);
        else
            carom_solid_clusters_build(w->clusters, w->kept, w->rigid.some);
        w->turned = 0.0;
    }
    carom_solid_forces_pressures(s, &w->work, w->threads, w->t, w->q);
    carom_solid_loads_extend(s, w->t, w->work.pressure, w->extension + carom_solid_loads_faces(s));
}

static bool go_on(void *own, double residual)
{
    const struct carom_solid_settle *w = own;
    const double done = residual < w->scale ? carom_power_log(residual / w->scale) / carom_power_log(w->tol) : 0.0;
    return carom_progress_go_on(w->progress, fmin(done, 1.0));
}

/* Differences of forces that are a thousandth of the smallest edge apart: far from where forces are no longer linear
 * (the next term is its square), and far from rounding, which is that of all displacements in slender bodies. Cracks
 * that are hardly open must not close by that: a ten-millionth, still 1e8 times what rounding leaves of a gap. */
static void find_size(struct carom_solid_settle *w)
{
    for (size_t i = 0; i < w->s->nsorts; i++)
        for (int k = 0; k < w->s->dimension; k++) {
            const double edge = w->s->sorts[i].edge[k];
            w->size = edge > 0.0 ? fmin(w->size, (w->s->breaks ? 1e-7 : 1e-3) * edge) : w->size;
            w->large = fmax(w->large, edge);
        }
}

/* Loads of fixed direction whose sum is not 0 where nothing holds the body will not let it rest. */
static enum carom_status check_sum(const struct carom_solid *s, const double *g, struct carom_error *error)
{
    unsigned held = 0;
    for (size_t i = 0; s->held && i < s->n; i++)
        held |= s->held[i];
    for (size_t i = 0; i < s->nloads; i++)
        if (s->load[i].push == CAROM_SOLID_PRESSURE)
            return CAROM_OK;
    for (unsigned k = 0; k < (unsigned)s->dimension; k++) {
        double sum = 0.0, all = 0.0;
        for (size_t i = 0; i < s->n; i++) {
            sum -= g[s->fast * i + k];
            all += fabs(g[s->fast * i + k]);
        }
        if (!(held >> k & 1U) && fabs(sum) > 1e-6 * all)
            return carom_error_set(error, CAROM_E_NUMERIC,
                                   "the body finds no equilibrium under its loads: they come to %.3g along %c, and "
                                   "nothing that it touches holds it there; joints do not act while it settles: let "
                                   "loads grow slowly in the run instead",
                                   sum, 'x' + (int)k);
    }
    return CAROM_OK;
}

void carom_solid_settle_push(const struct carom_solid_settle *w, double *r)
{
    const struct carom_solid *s = w->s;
    struct carom_random random;
    carom_random_start(&random, 1);
    memset(r, 0, s->fast * s->n * sizeof *r);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < (size_t)s->dimension; k++) {
            const double push = carom_random_uniform(&random) - 0.5;
            r[s->fast * i + k] = carom_solid_holds(s, i, k) ? 0.0 : push;
        }
    if (w->balanced) {
        carom_solid_rigid_balance(&w->rigid, r);
        carom_solid_turns_to_axes(s, w->threads, w->kept, r);
    }
}

void carom_solid_settle_begin(struct carom_solid_settle *w)
{
    const size_t nv = w->s->fast * w->s->n;
    carom_solid_loads_hold(w->s, w->t, false, w->q, w->force); /* velocities go nowhere */
    slope_at(w, w->q, w->force);
    for (size_t i = 0; i < nv; i++)
        w->scale = fmax(w->scale, fabs(w->force[i]));
    w->turned = HUGE_VAL;
}

static enum carom_status settle(struct carom_solid_settle *w, bool *unstable, struct carom_error *error)
{
    carom_solid_settle_begin(w);
    if (check_sum(w->s, w->force, error) != CAROM_OK)
        return CAROM_E_NUMERIC;
    carom_solid_settle_keep(w);
    w->balanced = find_balance(w);
    const struct carom_minimise problem = {w->s->fast * w->s->n,
                                           w,
                                           carom_solid_settle_energy,
                                           carom_solid_settle_slope,
                                           carom_solid_settle_curve,
                                           carom_solid_settle_precondition,
                                           carom_solid_settle_go,
                                           carom_solid_settle_keep,
                                           carom_solid_settle_noise,
                                           carom_solid_settle_reach,
                                           go_on};
    struct carom_minimise_result result = carom_minimise_run(&problem, w->tol * w->scale, 200, w->room);
    for (int turns = 0; result.converged && w->balanced; turns++) {
        result.residual = imbalance(w);
        result.converged = result.residual <= imbalance_allowed(w);
        if (result.converged || turns == TURNS)
            break;
        turn_back(w, w->room);
        result = carom_minimise_run(&problem, w->tol * w->scale, 200, w->room);
    }
    if (result.stopped)
        return carom_error_set(error, CAROM_E_STOPPED, "stopped while the body was settling");
    if (!result.converged)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "the body finds no equilibrium under its loads: a force of %.2g is left of %.2g; is it "
                               "held, or do its loads balance?",
                               result.residual, w->scale);
    const bool loaded = w->s->nloads > 0 || carom_vec_norm(w->s->gravity) > 0.0;
    if (unstable && loaded && (w->balanced || !w->rigid.some)) { /* loose bodies have nothing to fall back to */
        carom_solid_settle_push(w, w->room);
        *unstable = carom_minimise_wavers(&problem, w->room);
    }
    return CAROM_OK;
}

enum carom_status carom_solid_settle_open(struct carom_solid_settle *w, const struct carom_solid *s,
                                          struct carom_threads *threads, double t, double tol, double *q,
                                          struct carom_error *error)
{
    const size_t nv = s->fast * s->n, nq = carom_solid_size(s), faces = carom_solid_loads_faces(s);
    size_t some, all;
    carom_solid_scratch(s, &some, &all);
    double *scratch = carom_memory_zeroed(all + 8 * nv + 2 * nq + 2 * faces, sizeof *scratch);
    *w = (struct carom_solid_settle){.s = s};
    if (!scratch)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a static solution of %zu cells", s->n);
    double *room = scratch + all;
    *w = (struct carom_solid_settle){.s = s,
                                     .threads = threads,
                                     .scratch = scratch,
                                     .work = carom_solid_forces_work(s, true, scratch),
                                     .t = t,
                                     .tol = tol,
                                     .q = q,
                                     .kept = room,
                                     .moved = room + nq,
                                     .zero = room + 2 * nq,
                                     .step = room + 2 * nq + nv,
                                     .force = room + 2 * nq + 2 * nv,
                                     .room = room + 2 * nq + 3 * nv,
                                     .extension = room + 2 * nq + 8 * nv,
                                     .size = HUGE_VAL};
    if (s->grid.count[0] > 0)
        w->blocks = carom_solid_blocks_create(s, threads, error);
    else
        w->clusters = carom_solid_clusters_create(s, error);
    find_size(w);
    return w->blocks || w->clusters ? CAROM_OK : CAROM_E_MEMORY;
}

void carom_solid_settle_close(struct carom_solid_settle *w)
{
    carom_solid_blocks_free(w->blocks);
    carom_solid_clusters_free(w->clusters);
    carom_memory_free(w->scratch);
}

enum carom_status carom_solid_settle_shared(const struct carom_solid *s, struct carom_threads *threads, double t,
                                            double tol, double *q, bool *unstable,
                                            const struct carom_progress *progress, struct carom_error *error)
{
    struct carom_solid_settle w;
    enum carom_status status = carom_solid_settle_open(&w, s, threads, t, tol, q, error);
    w.progress = progress;
    if (status == CAROM_OK)
        status = settle(&w, unstable, error);
    carom_solid_settle_close(&w);
    return status;
}

enum carom_status carom_solid_settle(const struct carom_solid *s, double t, double tol, double *q, bool *unstable,
                                     const struct carom_progress *progress, struct carom_error *error)
{
    if (!s)
        return carom_error_missing(error);
    return carom_solid_settle_shared(s, NULL, t, tol, q, unstable, progress, error);
}
