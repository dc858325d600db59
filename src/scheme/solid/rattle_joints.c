/* Joints under scheme rattle, which is named after them (Andersen 1983): in the first half of a step impulses along the
 * directions of its start, so large that joints are closed at its end, in the second one impulses along the directions
 * of its end, so that velocities are along what they leave free. The step stays symplectic and of order 2, and joints
 * do no work in it beyond what that leaves. */
#include "scheme/solid/rattle_joints.h"

#include <math.h>

#include "base/memory.h"
#include "solve/dense.h"

#define CLOSED 1e-15 /* of the sizes of places */
#define SAME 1e-12   /* joints that say what others do */
#define ROUNDS 50

struct carom_rattle_joints {
    const struct carom_solid_balls *balls;
    size_t n, *order;
    struct carom_solid_joint_row *at[2];
    double *matrix, *push;
};

void carom_rattle_joints_free(struct carom_rattle_joints *w)
{
    if (w)
        carom_memory_free_all(w->order, w->at[0], w->at[1], w->matrix, w->push, w);
}

struct carom_rattle_joints *carom_rattle_joints_create(const struct carom_solid_balls *balls)
{
    struct carom_rattle_joints *w = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return NULL;
    const size_t n = w->n = carom_solid_balls_held(balls);
    w->balls = balls;
    w->order = carom_memory_zeroed(n, sizeof *w->order);
    w->at[0] = carom_memory_zeroed(n, sizeof *w->at[0]);
    w->at[1] = carom_memory_zeroed(n, sizeof *w->at[1]);
    w->matrix = carom_memory_zeroed(n * n, sizeof *w->matrix);
    w->push = carom_memory_zeroed(n, sizeof *w->push);
    if (w->order && w->at[0] && w->at[1] && w->matrix && w->push)
        return w;
    carom_rattle_joints_free(w);
    return NULL;
}

/* how fast row a changes under an impulse of 1 along row b */
static double answer(const struct carom_solid_balls *balls, const struct carom_solid_joint_row *a,
                     const struct carom_solid_joint_row *b)
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3 && a->ball[i] == b->ball[j] && a->ball[i] != CAROM_SOLID_WORLD; k++)
                sum += (i == j ? 1.0 : -1.0) * a->along[k] * b->along[k] / balls->mass[a->ball[i]];
    return sum;
}

/* impulses along rows b that take `push` away from rows a */
static void solve(struct carom_rattle_joints *w, const struct carom_solid_joint_row *a,
                  const struct carom_solid_joint_row *b)
{
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j < w->n; j++)
            w->matrix[i * w->n + j] = answer(w->balls, &a[i], &b[j]);
    carom_dense_solve(w->n, w->matrix, w->push, w->order, SAME);
}

/* x of all balls by impulses along rows, times `by` over their masses */
static void move(const struct carom_rattle_joints *w, const struct carom_solid_joint_row *row, double by, double *x)
{
    const size_t d = (size_t)w->balls->dimension;
    for (size_t i = 0; i < w->n; i++)
        for (int side = 0; side < 2; side++)
            for (size_t k = 0; k < d && row[i].ball[side] != CAROM_SOLID_WORLD; k++)
                x[d * row[i].ball[side] + k] -=
                    (side == 0 ? by : -by) * w->push[i] * row[i].along[k] / w->balls->mass[row[i].ball[side]];
}

bool carom_rattle_joints_move(struct carom_rattle_joints *w, double h, const double *q0, double *q, double *v)
{
    double last = HUGE_VAL, size = 0.0;
    carom_solid_balls_rows(w->balls, q0, w->at[0]);
    for (size_t j = 0; j < w->balls->njoints; j++)
        size = fmax(size, w->balls->joint[j].slides ? w->balls->radius[w->balls->joint[j].ball[0]]
                                                    : w->balls->joint[j].length);
    for (int round = 0; round < ROUNDS; round++) {
        double most = 0.0;
        carom_solid_balls_rows(w->balls, q, w->at[1]);
        for (size_t i = 0; i < w->n; i++) {
            w->push[i] = w->at[1][i].gap;
            most = fmax(most, fabs(w->push[i]));
        }
        if (!(most > CLOSED * size) || (most < 1e-12 * size && most >= last)) /* closed, or as far as rounding goes */
            return most == most;
        last = most;
        solve(w, w->at[1], w->at[0]);
        move(w, w->at[0], 1.0, q);
        move(w, w->at[0], 1.0 / h, v);
    }
    return false;
}

void carom_rattle_joints_stop(struct carom_rattle_joints *w, const double *q, double *v)
{
    carom_solid_balls_rows(w->balls, q, w->at[1]);
    for (size_t i = 0; i < w->n; i++)
        w->push[i] = carom_solid_balls_row_rate(w->balls, &w->at[1][i], v);
    solve(w, w->at[1], w->at[1]);
    move(w, w->at[1], 1.0, v);
}
