/* The moves of scheme rattle on the cells of one body: kicks by forces, drifts with rotation, and what lies between two
 * steps. Cells are independent of each other here. */
#include "scheme/solid/rattle.h"

#include <string.h>

#include "kernel/still.h"
#include "kernel/turn.h"
#include "scheme/solid/rattle_cell.h"
#include "scheme/solid/rattle_pair.h"
#include "solve/cubic.h"

struct turning {
    const struct carom_solid *solid;
    const double *q;
    double *v;
};

static void start_block(void *own, size_t block)
{
    const struct turning *c = own;
    const struct carom_solid *s = c->solid;
    for (size_t i = block * CAROM_RATTLE_BLOCK; i < carom_rattle_block_end(s, block); i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        if (s->dimension == 2) {
            c->v[3 * i + 2] *= sort->inertia[2];
            continue;
        }
        double turn[4], spin[3];
        carom_solid_turns_axes(s, i, c->q, turn);
        for (size_t k = 0; k < 3; k++)
            spin[k] = sort->inertia[k] * c->v[6 * i + 3 + k];
        carom_quat_turn(turn, spin, c->v + 6 * i + 3);
    }
}

void carom_rattle_motion_start(const struct carom_solid *s, struct carom_threads *threads, const double *q, double *v)
{
    carom_threads_run(threads, start_block, &(struct turning){s, q, v}, carom_rattle_blocks(s));
}

static void sync_block(void *own, size_t block)
{
    const struct turning *c = own;
    const struct carom_solid *s = c->solid;
    for (size_t i = block * CAROM_RATTLE_BLOCK; i < carom_rattle_block_end(s, block); i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        if (s->dimension == 2) {
            c->v[3 * i + 2] /= sort->inertia[2];
            continue;
        }
        double turn[4], spin[3];
        carom_solid_turns_axes(s, i, c->q, turn);
        carom_quat_turn_back(turn, c->v + 6 * i + 3, spin);
        for (size_t k = 0; k < 3; k++)
            c->v[6 * i + 3 + k] = spin[k] / sort->inertia[k];
    }
}

void carom_rattle_motion_sync(const struct carom_solid *s, struct carom_threads *threads, const double *q, double *v)
{
    carom_threads_run(threads, sync_block, &(struct turning){s, q, v}, carom_rattle_blocks(s));
}

/* kick and drift of one cell, all but its turn in space */
ALWAYS_INLINE void move(const struct carom_rattle_body *body, size_t dimension, size_t i, double h, const double *q0,
                        const double *v0, double *q1, double *v1)
{
    const size_t wide = dimension == 3 ? 7 : 4, fast = dimension == 3 ? 6 : 3;
    double *v = v1 + fast * i;
    carom_rattle_cell_push(body->solid, dimension, i, 0.5 * h, body->force + fast * i, v0 + fast * i, v);
    for (size_t k = 0; k < fast; k++)
        v[k] = carom_still(v[k], body->still[k >= dimension]);
    for (size_t k = 0; k < dimension; k++)
        q1[wide * i + k] = q0[wide * i + k] + h * v[k];
}

static size_t drift_plane(const struct carom_rattle_body *body, size_t first, size_t last, double h, const double *q0,
                          const double *v0, double *q1, double *v1)
{
    size_t bad = SIZE_MAX;
    for (size_t i = first; i < last; i += 2) {
        struct carom_rattle_pair cell[2];
        const size_t cells = last - i < 2 ? 1 : 2;
        for (size_t k = 0; k < cells; k++) {
            move(body, 2, i + k, h, q0, v0, q1, v1);
            cell[k] = (struct carom_rattle_pair){carom_solid_sort_of(body->solid, i + k), q0 + 4 * (i + k) + 2,
                                                 v1 + 3 * (i + k) + 2, q1 + 4 * (i + k) + 2};
        }
        if (cells == 2 && carom_rattle_pair_plane(h, cell))
            continue;
        for (size_t k = 0; k < cells; k++)
            if (!carom_turn_plane_on(h * *cell[k].momentum * cell[k].sort->inverse_inertia[2], cell[k].q,
                                     cell[k].next) &&
                bad == SIZE_MAX)
                bad = i + k;
    }
    return bad;
}

size_t carom_rattle_motion_drift(const struct carom_rattle_body *body, size_t first, size_t last, double h,
                                 const double *q0, const double *v0, double *q1, double *v1)
{
    return body->solid->dimension == 3 ? carom_rattle_space_passes()->drift(body, first, last, h, q0, v0, q1, v1)
                                       : drift_plane(body, first, last, h, q0, v0, q1, v1);
}

ALWAYS_INLINE size_t finish(const struct carom_rattle_body *body, size_t dimension, size_t first, size_t last, double h,
                            double *v1)
{
    const size_t fast = dimension == 3 ? 6 : 3;
    size_t bad = SIZE_MAX;
    for (size_t i = first; i < last; i++) {
        double *v = v1 + fast * i, size = 0.0;
        carom_rattle_cell_push(body->solid, dimension, i, 0.5 * h, body->force + fast * i, v, v);
        for (size_t k = 0; k < fast; k++)
            size += fabs(v[k]);
        if (!(size < HUGE_VAL) && bad == SIZE_MAX)
            bad = i;
    }
    return bad;
}

size_t carom_rattle_motion_kick(const struct carom_rattle_body *body, size_t first, size_t last, double h,
                                const double *q1, double *v1)
{
    return body->solid->dimension == 3 ? carom_rattle_space_passes()->kick(body, first, last, h, q1, v1)
                                       : finish(body, 2, first, last, h, v1);
}

/* --- between steps --------------------------------------------------------------------------------------------- */

/* the cubic through both ends with both rates, and its own rate */
static void cubic(double s, double h, double x0, double x1, double r0, double r1, double *x, double *rate)
{
    const struct carom_cubic way = {{x0, x1}, {h * r0, h * r1}};
    *x = carom_cubic_at(&way, s);
    *rate = carom_cubic_slope(&way, s) / h;
}

/* rates of the quaternion: (0, spin in space) q / 2 */
static void quaternion_rate(const struct carom_solid *s, size_t i, const double *q, const double *v, double rate[4])
{
    double turn[4], spin[4] = {0.0, 0.0, 0.0, 0.0};
    carom_solid_quaternion(s, q, i, turn);
    if (s->dimension == 2)
        spin[3] = v[3 * i + 2] / carom_solid_sort_of(s, i)->inertia[2];
    else
        carom_rattle_cell_spin(s, i, q, v + 6 * i + 3, spin + 1);
    carom_quat_product(spin, turn, rate);
    for (int k = 0; k < 4; k++)
        rate[k] *= 0.5;
}

struct between {
    const struct carom_solid *solid;
    double at, h;
    const double *q0, *v0, *q1, *v1;
    double *q, *v;
};

static void between_block(void *own, size_t block)
{
    const struct between *b = own;
    const struct carom_solid *s = b->solid;
    const size_t d = (size_t)s->dimension;
    for (size_t i = block * CAROM_RATTLE_BLOCK; i < carom_rattle_block_end(s, block); i++) {
        const double *q0 = b->q0 + s->wide * i, *q1 = b->q1 + s->wide * i;
        const double *v0 = b->v0 + s->fast * i, *v1 = b->v1 + s->fast * i;
        double *q = b->q + s->wide * i, *v = b->v + s->fast * i;
        double rate[2][4], from[4], to[4], mixed[4], square = 0.0, unused;
        for (size_t k = 0; k < d; k++)
            cubic(b->at, b->h, q0[k], q1[k], v0[k], v1[k], &q[k], &v[k]);
        quaternion_rate(s, i, b->q0, b->v0, rate[0]);
        quaternion_rate(s, i, b->q1, b->v1, rate[1]);
        carom_solid_quaternion(s, b->q0, i, from);
        carom_solid_quaternion(s, b->q1, i, to);
        for (int k = 0; k < 4; k++) {
            cubic(b->at, b->h, from[k], to[k], rate[0][k], rate[1][k], &mixed[k], &unused);
            square += mixed[k] * mixed[k];
        }
        const double size = sqrt(square);
        if (d == 2) {
            q[2] = mixed[0] / size;
            q[3] = mixed[3] / size;
        }
        for (size_t k = 0; k < 4 && d == 3; k++)
            q[3 + k] = mixed[k] / size;
        for (size_t k = d; k < s->fast; k++)
            v[k] = v0[k] + b->at * (v1[k] - v0[k]);
    }
    sync_block(&(struct turning){s, b->q, b->v}, block);
}

void carom_rattle_motion_between(const struct carom_rattle_body *body, struct carom_threads *threads, double at,
                                 double h, const struct carom_state *from, const struct carom_state *to,
                                 struct carom_state *view)
{
    const size_t q0 = body->member->q0, v0 = body->member->v0;
    struct between b = {.solid = body->solid, .at = at, .h = h};
    b.q0 = from->q + q0, b.v0 = from->v + v0;
    b.q1 = to->q + q0, b.v1 = to->v + v0;
    b.q = view->q + q0, b.v = view->v + v0;
    carom_threads_run(threads, between_block, &b, carom_rattle_blocks(b.solid));
}
