/* Joints under scheme rattle, which is named after them (Andersen 1983): in the first half of a step impulses along the
 * directions of its start, so large that joints are closed at its end, in the second one impulses along the directions
 * of its end, so that velocities are along what they leave free. The step stays symplectic and of order 2, and joints
 * do no work in it beyond what that leaves. The coordinate of a motor that keeps its speed is held likewise, at a place
 * that moves. Balls are round: spins change by moments alone.
 *
 * Cells of solids that a joint holds go with their solid first, then they are moved and kicked on as one (struct
 * carom_solid_anchor). Damping of solids is split off at both ends of a step. The impulses of the end are such that
 * velocities are allowed after it, if it does there what it did at the start, as a symmetric step wants it; what is
 * left, of second order, is taken away then. */
#include "scheme/solid/rattle_joints.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/solid/strike/solid_stops.h"
#include "solve/dense.h"

#define CLOSED 1e-15 /* of the sizes of places, or rad */
#define SAME 1e-12   /* joints that say what others do */
#define SLOW 1e-9    /* of its speed: a motor that is off by more has yet to bring up what it drives */
#define ROUNDS 50
#define PI 3.14159265358979323846
#define FURTHEST 3.1 /* angles of space: beyond half a turn they begin anew */

/* A limit at the start of a step: how far the coordinate is beyond it, and how fast. */
struct stop {
    double beyond, rate;
};

struct carom_rattle_joints {
    const struct carom_model *model;
    const struct carom_solid_balls *balls;
    size_t member; /* of the balls */
    size_t q0, v0;
    double size; /* of what is held */
    bool apart;  /* could joints not be closed in this step? */
    size_t n, *order;
    struct carom_solid_joint_row *at[2];   /* at the start of the step and at the end */
    double *matrix, *push, *scale, *given; /* given: impulses of the whole step */
    double *carried;                       /* by joints: on the second body and about the point that is held */
    struct stop *stop;                     /* njoints */
    bool damped;                           /* did damping change velocities of anchors in this step? */
    double *seen;                          /* of anchors, `dimension` numbers each: velocities before joints act, */
    double *place, *drag;                  /* how far they have moved then, and what damping does to velocities */
};

void carom_rattle_joints_free(struct carom_rattle_joints *w)
{
    if (w)
        carom_memory_free_all(w->order, w->at[0], w->at[1], w->matrix, w->push, w->carried, w->stop, w->seen, w);
}

/* rods, arms and balls */
static double size_of(const struct carom_solid_balls *balls)
{
    double size = 0.0;
    for (size_t j = 0; j < balls->njoints; j++) {
        const struct carom_joint *joint = &balls->joint[j];
        size = fmax(size, fmax(carom_vec_norm(joint->apart), carom_vec_norm(joint->at[1])));
        size = fmax(size, balls->radius[joint->body[1]]);
    }
    return size;
}

struct carom_rattle_joints *carom_rattle_joints_create(const struct carom_model *model)
{
    const struct carom_solid_strike *of = carom_solid_strike_of(model);
    struct carom_rattle_joints *w = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return NULL;
    const size_t n = w->n = carom_solid_balls_held(of->balls);
    w->model = model;
    w->balls = of->balls;
    w->member = of->balls_member;
    w->q0 = model->member[w->member].q0;
    w->v0 = model->member[w->member].v0;
    w->size = size_of(of->balls);
    w->order = carom_memory_zeroed(n, sizeof *w->order);
    w->at[0] = carom_memory_zeroed(n, sizeof *w->at[0]);
    w->at[1] = carom_memory_zeroed(n, sizeof *w->at[1]);
    w->matrix = carom_memory_zeroed(n * n, sizeof *w->matrix);
    w->push = carom_memory_zeroed(3 * n, sizeof *w->push);
    w->carried = carom_memory_zeroed(w->balls->njoints * carom_solid_balls_wide(w->balls), sizeof *w->carried);
    w->stop = carom_memory_zeroed(w->balls->njoints, sizeof *w->stop);
    const size_t numbers = w->balls->nanchors * (size_t)w->balls->dimension;
    w->seen = carom_memory_zeroed(3 * numbers, sizeof *w->seen);
    if (!w->seen || !w->order || !w->at[0] || !w->at[1] || !w->matrix || !w->push || !w->carried || !w->stop) {
        carom_rattle_joints_free(w);
        return NULL;
    }
    w->scale = w->push + n;
    w->given = w->push + 2 * n;
    w->place = w->seen + numbers;
    w->drag = w->seen + 2 * numbers;
    return w;
}

/* impulses along rows b that take `push` away from rows a, whose units differ */
static void solve(struct carom_rattle_joints *w, const struct carom_solid_joint_row *a,
                  const struct carom_solid_joint_row *b)
{
    for (size_t i = 0; i < w->n; i++) {
        w->scale[i] = 1.0 / sqrt(carom_solid_balls_answer(w->balls, &b[i], &b[i]));
        w->push[i] *= w->scale[i];
    }
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j < w->n; j++)
            w->matrix[i * w->n + j] = w->scale[i] * w->scale[j] * carom_solid_balls_answer(w->balls, &a[i], &b[j]);
    carom_dense_solve(w->n, w->matrix, w->push, w->order, SAME);
    for (size_t i = 0; i < w->n; i++)
        w->push[i] *= w->scale[i];
}

static void kick(struct carom_rattle_joints *w, const struct carom_joint *joint, const struct carom_joint_row *row,
                 double impulse, double *v)
{
    const struct carom_solid_balls *balls = w->balls;
    const size_t wide = carom_solid_balls_wide(balls), d = (size_t)balls->dimension;
    double *carried = w->carried + wide * (size_t)(joint - balls->joint);
    for (size_t k = 0; k < wide; k++)
        carried[k] += impulse * (k < d ? row->of[1][k] : row->moment[d == 2 ? 2 : k - d]);
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < carom_solid_balls_ways(balls, joint->body[side]); k++) {
            const size_t i = carom_solid_balls_number(balls, joint->body[side], k);
            v[i] += impulse * row->of[side][k] / carom_solid_balls_weight(balls, i);
        }
}

/* what solve has found, times `by` */
static void kick_all(struct carom_rattle_joints *w, const struct carom_solid_joint_row *row, double by, double *v)
{
    for (size_t i = 0; i < w->n; i++) {
        kick(w, row[i].joint, &row[i].row, -by * w->push[i], v);
        w->given[i] -= by * w->push[i];
    }
}

/* --- cells of solids -------------------------------------------------------------------------------------------- */

static void keep(double *to, size_t anchor, size_t dimension, const double of[3])
{
    memcpy(to + anchor * dimension, of, dimension * sizeof *to);
}

/* how anchors stand and move with their solids */
static void look(struct carom_rattle_joints *w, struct carom_state *to)
{
    const size_t d = (size_t)w->balls->dimension, n = w->balls->nanchors * d;
    for (size_t a = 0; a < w->balls->nanchors; a++) {
        const struct carom_solid_anchor *anchor = &w->balls->anchor[a];
        double mean[3];
        carom_solid_balls_anchor_moved(anchor, to->q + w->model->member[anchor->member].q0, mean);
        keep(w->place, a, d, mean);
        carom_solid_balls_anchor_rate(anchor, to->v + w->model->member[anchor->member].v0, mean);
        keep(w->seen, a, d, mean);
    }
    if (n == 0)
        return;
    memcpy(to->q + w->q0 + carom_solid_balls_anchors_q(w->balls), w->place, n * sizeof(double));
    memcpy(to->v + w->v0 + carom_solid_balls_anchors_v(w->balls), w->seen, n * sizeof(double));
}

/* their cells gain what they have, and move by it for h */
static void pass_on(const struct carom_rattle_joints *w, double h, struct carom_state *to)
{
    const size_t d = (size_t)w->balls->dimension;
    const double *v = to->v + w->v0 + carom_solid_balls_anchors_v(w->balls);
    for (size_t a = 0; a < w->balls->nanchors; a++) {
        const struct carom_solid_anchor *anchor = &w->balls->anchor[a];
        const struct carom_member *m = &w->model->member[anchor->member];
        for (size_t i = 0; i < anchor->count; i++)
            for (size_t k = 0; k < d; k++) {
                const double gain = v[a * d + k] - w->seen[a * d + k];
                to->v[m->v0 + anchor->solid->fast * anchor->cell[i] + k] += gain;
                to->q[m->q0 + anchor->solid->wide * anchor->cell[i] + k] += h * gain;
            }
    }
}

void carom_rattle_joints_damped(struct carom_rattle_joints *w, size_t member, const struct carom_state *from,
                                const double *v)
{
    const size_t d = (size_t)w->balls->dimension;
    for (size_t a = 0; a < w->balls->nanchors; a++) {
        double before[3], after[3];
        if (w->balls->anchor[a].member != member)
            continue;
        carom_solid_balls_anchor_rate(&w->balls->anchor[a], from->v + w->model->member[member].v0, before);
        carom_solid_balls_anchor_rate(&w->balls->anchor[a], v, after);
        for (size_t k = 0; k < d; k++)
            w->drag[a * d + k] = after[k] - before[k];
        w->damped = true;
    }
}

/* anchors' velocities as damping will leave them, or as they are before it */
static void foresee(const struct carom_rattle_joints *w, double by, double *v)
{
    for (size_t i = 0; w->damped && i < w->balls->nanchors * (size_t)w->balls->dimension; i++)
        v[carom_solid_balls_anchors_v(w->balls) + i] += by * w->drag[i];
}

/* --- motors ------------------------------------------------------------------------------------------------------ */

static double wanted(const struct carom_solid_joint_row *row)
{
    return row->motor ? row->joint->drive : 0.0;
}

/* where a coordinate came from; angles of space begin anew after half a turn */
static double way(const struct carom_joint_row *from, const struct carom_joint_row *to)
{
    const double by = to->gap - from->gap;
    return from->turns && fabs(by) > PI ? by - copysign(2.0 * PI, by) : by;
}

/* those with a torque or a force: half a step of it */
static void drive(struct carom_rattle_joints *w, double h, const double *q, double *v)
{
    for (size_t j = 0; j < w->balls->njoints; j++) {
        struct carom_joint_row row;
        const struct carom_joint *joint = &w->balls->joint[j];
        if (joint->motor != CAROM_MOTOR_EFFORT)
            continue;
        carom_solid_balls_coordinate(w->balls, joint, q, &row);
        kick(w, joint, &row, 0.5 * h * joint->drive, v);
    }
}

/* a motor that keeps its speed has it from its first step on: what it takes to bring up what stood still */
static void bring_up(struct carom_rattle_joints *w, const struct carom_state *from, struct carom_state *to)
{
    bool slow = false;
    for (size_t i = 0; i < w->n; i++) {
        w->push[i] = carom_solid_balls_row_rate(w->balls, &w->at[0][i], from->v + w->v0) - wanted(&w->at[0][i]);
        slow = slow || (w->at[0][i].motor && fabs(w->push[i]) > SLOW * fabs(wanted(&w->at[0][i])));
        w->given[i] = w->push[i];
    }
    if (slow) {
        solve(w, w->at[0], w->at[0]);
        for (size_t i = 0; i < w->n; i++)
            to->work[w->member] -= w->push[i] * (wanted(&w->at[0][i]) + 0.5 * w->given[i]);
        kick_all(w, w->at[0], 1.0, to->v + w->v0);
    }
    memset(w->given, 0, w->n * sizeof *w->given);
}

static double work_of(const struct carom_rattle_joints *w, const struct carom_state *from, const struct carom_state *to)
{
    double work = 0.0;
    for (size_t i = 0; i < w->n; i++)
        work += w->given[i] * wanted(&w->at[1][i]);
    for (size_t j = 0; j < w->balls->njoints; j++) {
        struct carom_joint_row row[2];
        const struct carom_joint *joint = &w->balls->joint[j];
        if (joint->motor != CAROM_MOTOR_EFFORT)
            continue;
        carom_solid_balls_coordinate(w->balls, joint, from->q + w->q0, &row[0]);
        carom_solid_balls_coordinate(w->balls, joint, to->q + w->q0, &row[1]);
        work += joint->drive * way(&row[0], &row[1]);
    }
    return work;
}

/* --- limits: kicks and losses as those of contacts (rattle_strike.c) --------------------------------------------- */

/* the first kick */
static void press(struct carom_rattle_joints *w, double h, const struct carom_state *from, double *v)
{
    for (size_t j = 0; j < w->balls->njoints; j++) {
        const struct carom_solid_stop *of = &w->balls->stop[j];
        struct stop *stop = &w->stop[j];
        struct carom_solid_joint_row row;
        if (!w->balls->joint[j].limited)
            continue;
        stop->beyond = carom_solid_stops_beyond(w->balls, j, from->q + w->q0, &row);
        stop->rate = carom_solid_balls_row_rate(w->balls, &row, from->v + w->v0);
        const double drag = stop->beyond != 0.0 ? of->gamma * stop->rate : 0.0;
        kick(w, row.joint, &row.row, -0.5 * h * of->k * (stop->beyond + drag), v);
    }
}

/* the second one */
static void press_on(struct carom_rattle_joints *w, double h, const double *q, double *v)
{
    for (size_t j = 0; j < w->balls->njoints; j++) {
        const struct carom_solid_stop *of = &w->balls->stop[j];
        const struct stop *stop = &w->stop[j];
        struct carom_solid_joint_row row;
        if (!w->balls->joint[j].limited)
            continue;
        const double beyond = carom_solid_stops_beyond(w->balls, j, q, &row),
                     drag = stop->beyond != 0.0 ? of->gamma * stop->rate : 0.0;
        kick(w, row.joint, &row.row, -of->k * (0.5 * h * (beyond - drag) + of->gamma * (beyond - stop->beyond)), v);
    }
}

/* what dashpots have taken */
static double lost(const struct carom_rattle_joints *w, const struct carom_state *to)
{
    double sum = 0.0;
    for (size_t j = 0; j < w->balls->njoints; j++) {
        const struct carom_solid_stop *of = &w->balls->stop[j];
        struct carom_solid_joint_row row;
        if (!w->balls->joint[j].limited)
            continue;
        const double beyond = carom_solid_stops_beyond(w->balls, j, to->q + w->q0, &row),
                     rate = carom_solid_balls_row_rate(w->balls, &row, to->v + w->v0);
        sum += of->k * of->gamma * (beyond - w->stop[j].beyond) * 0.5 * (w->stop[j].rate + rate);
    }
    return sum;
}

/* --- steps ------------------------------------------------------------------------------------------------------- */

static void drift(const struct carom_rattle_joints *w, double h, const double *q0, const double *v, double *q)
{
    const struct carom_solid_balls *balls = w->balls;
    const size_t aq = carom_solid_balls_anchors_q(balls), av = carom_solid_balls_anchors_v(balls);
    for (size_t i = 0; i < carom_solid_balls_moves(balls); i++)
        q[i] = q0[i] + h * v[i];
    for (size_t i = 0; i < balls->n; i++) {
        double by[3];
        carom_solid_balls_spin(balls, i, v, by);
        for (int k = 0; k < 3; k++)
            by[k] *= h;
        carom_solid_balls_spun(balls, i, by, q0, q);
    }
    for (size_t i = 0; i < balls->nanchors * (size_t)balls->dimension; i++)
        q[aq + i] = w->place[i] + h * (v[av + i] - w->seen[i]);
}

static bool close_joints(struct carom_rattle_joints *w, double h, const struct carom_state *from,
                         struct carom_state *to)
{
    const double *q0 = from->q + w->q0;
    double *q = to->q + w->q0, *v = to->v + w->v0, last = HUGE_VAL;
    memset(w->carried, 0, w->balls->njoints * carom_solid_balls_wide(w->balls) * sizeof *w->carried);
    look(w, to);
    carom_solid_balls_rows(w->balls, q0, w->at[0]);
    bring_up(w, from, to);
    drive(w, h, q0, v);
    press(w, h, from, v);
    for (int round = 0; round < ROUNDS; round++) {
        double most = 0.0;
        drift(w, h, q0, v, q);
        carom_solid_balls_rows(w->balls, q, w->at[1]);
        for (size_t i = 0; i < w->n; i++) {
            const struct carom_solid_joint_row *row = &w->at[1][i];
            w->push[i] = row->motor ? way(&w->at[0][i].row, &row->row) - h * wanted(row) : row->row.gap;
            most = fmax(most, fabs(w->push[i]) / (row->row.turns ? 1.0 : w->size));
        }
        if (!(most > CLOSED) || (most < 1e-12 && most >= last)) /* closed, or as far as rounding goes */
            return most == most;
        last = most;
        solve(w, w->at[1], w->at[0]);
        kick_all(w, w->at[0], 1.0 / h, v);
    }
    return false;
}

/* the first hinge of space that has gone through its limits to near half a turn, or SIZE_MAX */
static size_t past_limits(const struct carom_rattle_joints *w, const double *q)
{
    for (size_t j = 0; j < w->balls->njoints; j++) {
        struct carom_solid_joint_row row;
        const bool turns = w->balls->joint[j].limited && w->balls->joint[j].kind == CAROM_JOINT_HINGE;
        if (turns && w->balls->dimension == 3 && carom_solid_stops_beyond(w->balls, j, q, &row) != 0.0 &&
            fabs(row.row.gap) > FURTHEST)
            return j;
    }
    return SIZE_MAX;
}

enum carom_status carom_rattle_joints_bounded(const struct carom_rattle_joints *w, const struct carom_state *to,
                                              struct carom_error *error)
{
    const size_t past = past_limits(w, to->q + w->q0);
    if (w->apart)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "joints of balls cannot be closed at t = %g: the step is too long", to->time);
    if (past != SIZE_MAX)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "the hinge of joint %zu has gone through its limits to half a turn at t = %g: its k is "
                               "too small",
                               past + 1, to->time);
    return CAROM_OK;
}

void carom_rattle_joints_move(struct carom_rattle_joints *w, double h, const struct carom_state *from,
                              struct carom_state *to)
{
    w->apart = !close_joints(w, h, from, to);
    pass_on(w, h, to);
}

/* velocities become such as joints allow */
static void allow(struct carom_rattle_joints *w, double *v)
{
    for (size_t i = 0; i < w->n; i++)
        w->push[i] = carom_solid_balls_row_rate(w->balls, &w->at[1][i], v) - wanted(&w->at[1][i]);
    solve(w, w->at[1], w->at[1]);
    kick_all(w, w->at[1], 1.0, v);
}

void carom_rattle_joints_stop(struct carom_rattle_joints *w, double h, struct carom_state *to)
{
    double *v = to->v + w->v0;
    look(w, to);
    drive(w, h, to->q + w->q0, v);
    press_on(w, h, to->q + w->q0, v);
    carom_solid_balls_rows(w->balls, to->q + w->q0, w->at[1]);
    foresee(w, 1.0, v);
    allow(w, v);
    foresee(w, -1.0, v);
    pass_on(w, 0.0, to);
}

void carom_rattle_joints_settle(struct carom_rattle_joints *w, double h, const struct carom_state *from,
                                struct carom_state *to)
{
    if (w->damped) {
        look(w, to);
        allow(w, to->v + w->v0);
        pass_on(w, 0.0, to);
    }
    w->damped = false;
    to->work[w->member] += work_of(w, from, to);
    to->spent[w->member] += lost(w, to);
    for (size_t i = 0; i < to->nforce; i++)
        to->force[i] = w->carried[i] / h;
}
