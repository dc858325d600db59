/* Static solutions: the minimum of elastic energy less the work of loads, by Newton's method with preconditioned
 * conjugate gradients (solve/minimise.h). Curvature comes from differences of forces. Tractions that follow their
 * face and moments have no potential in large turns; there the slope alone decides. Bodies that nothing holds are
 * fine as long as their loads balance. */
#include <string.h>

#include "base/memory.h"
#include "model/solid.h"
#include "solve/minimise.h"

struct settle {
    const struct carom_solid *s;
    const struct carom_part *part;
    double t;
    double *q, *kept, *moved, *zero, *step, *force, *diagonal;
    double size; /* of differences, relative to a cell */
};

/* part->force in local axes with holds left out; v = 0 */
static void slope_at(const struct settle *w, const double *q, double *g)
{
    const struct carom_solid *s = w->s;
    w->part->force(s, w->t, q, w->zero, g);
    for (size_t i = 0; i < s->fast * s->n; i++)
        g[i] = -g[i];
}

static void slope(void *own, double *g)
{
    const struct settle *w = own;
    slope_at(w, w->q, g);
}

/* work of the loads is counted from the kept point, forces as they are there: exact for small steps */
static double energy(void *own)
{
    const struct settle *w = own;
    const struct carom_solid *s = w->s;
    double *none = w->diagonal + s->fast * s->n;
    const double stored = carom_solid_forces_energy(s, w->t, w->q);
    carom_solid_loads_extend(s, w->t, none);
    const double *rest = none + carom_solid_loads_faces(s);
    return stored - carom_solid_loads_work(s, w->t, w->kept, rest, w->t, w->q, none);
}

static void curve(void *own, const double *along, double *out)
{
    struct settle *w = own;
    const struct carom_solid *s = w->s;
    const size_t nv = s->fast * s->n, turn = (size_t)s->dimension;
    double most = 0.0;
    for (size_t i = 0; i < nv; i++) {
        const size_t k = i % s->fast;
        const double edge = carom_solid_sort_of(s, i / s->fast)->edge[k < turn ? k : 0];
        most = fmax(most, fabs(along[i]) / (k < turn ? edge : 1.0));
    }
    const double h = most > 0.0 ? w->size / most : 0.0;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < nv; i++)
            w->step[i] = (side == 0 ? h : -h) * along[i];
        w->part->move(s, w->kept, w->step, w->moved);
        slope_at(w, w->moved, side == 0 ? out : w->force);
    }
    for (size_t i = 0; i < nv; i++)
        out[i] = h > 0.0 ? (out[i] - w->force[i]) / (2.0 * h) : 0.0;
}

static void precondition(void *own, const double *r, double *z)
{
    const struct settle *w = own;
    for (size_t i = 0; i < w->s->fast * w->s->n; i++)
        z[i] = r[i] / w->diagonal[i];
}

static void go(void *own, const double *along, double length)
{
    struct settle *w = own;
    for (size_t i = 0; i < w->s->fast * w->s->n; i++)
        w->step[i] = length * along[i];
    w->part->move(w->s, w->kept, w->step, w->q);
}

static void keep(void *own)
{
    struct settle *w = own;
    const struct carom_solid *s = w->s;
    memcpy(w->kept, w->q, s->wide * s->n * sizeof *w->q);
    carom_solid_forces_pressures(s, NULL, w->t, w->q);
    carom_solid_loads_extend(s, w->t, w->diagonal + s->fast * s->n + carom_solid_loads_faces(s));
}

/* stiffness of each cell against its neighbours, for moving and for turning */
static void find_diagonal(const struct carom_solid *s, double *diagonal)
{
    const size_t turn = (size_t)s->dimension;
    for (size_t l = 0; l < s->nlinks; l++) {
        const struct carom_solid_shape *shape = &s->shape[s->link[l].shape];
        for (int side = 0; side < 2; side++) {
            const size_t cell = s->link[l].cell[side];
            const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
            double arm = 0.0, bend = 0.0;
            for (int k = 0; k < 3; k++) {
                const double x = shape->arm[k] - (side == 1 ? shape->apart[k] : 0.0);
                arm += x * x;
                bend += s->dimension == 3 || k == 0 ? shape->bend[k] : 0.0;
            }
            const double pull =
                shape->stiff + fmax(sort->lambda, 0.0) * sort->share * shape->part[side] * shape->part[side];
            for (size_t k = 0; k < s->fast; k++)
                diagonal[s->fast * cell + k] += k < turn ? pull : shape->stiff * arm + bend;
        }
    }
    for (size_t i = 0; i < s->fast * s->n; i++)
        if (!(diagonal[i] > 0.0))
            diagonal[i] = 1.0;
}

enum carom_status carom_solid_settle(const struct carom_solid *s, double t, double tol, double *q,
                                     struct carom_error *error)
{
    const size_t nv = s->fast * s->n, nq = s->wide * s->n, faces = carom_solid_loads_faces(s);
    double *room = carom_memory_zeroed(9 * nv + 2 * nq + 2 * faces, sizeof *room);
    if (!room)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a static solution");
    struct settle w = {.s = s,
                       .part = s->dimension == 3 ? &carom_part_solid : &carom_part_solid_plane,
                       .t = t,
                       .q = q,
                       .kept = room,
                       .moved = room + nq,
                       .zero = room + 2 * nq,
                       .step = room + 2 * nq + nv,
                       .force = room + 2 * nq + 2 * nv,
                       .diagonal = room + 2 * nq + 3 * nv + 5 * nv,
                       .size = 1e-6};
    double *work = room + 2 * nq + 3 * nv;
    find_diagonal(s, w.diagonal);
    carom_solid_loads_hold(s, t, q, work); /* velocities go nowhere */
    memset(work, 0, 5 * nv * sizeof *work);
    keep(&w);
    double scale = 0.0; /* the residual is measured by the largest force at the start */
    slope(&w, work);
    for (size_t i = 0; i < nv; i++)
        scale = fmax(scale, fabs(work[i]));
    const struct carom_minimise problem = {nv, &w, energy, slope, curve, precondition, go, keep};
    const struct carom_minimise_result result = carom_minimise_run(&problem, tol * scale, 200, work);
    carom_memory_free(room);
    if (!result.converged)
        return carom_error_set(
            error, CAROM_E_NUMERIC,
            "the body finds no rest under its loads: a force of %.2g is left of %.2g; is "
            "it held, or do its loads balance?",
            result.residual, scale);
    return CAROM_OK;
}
