/* Joints between bodies, see joints.h. */
#include "model/bodies/joints.h"

#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "base/quat.h"
#include "base/sorted.h"
#include "base/vec.h"
#include "model/bodies/meet.h"
#include "model/bodies/pieces.h"

/* one of the two bodies, as its joint sees it */
struct stand {
    const double *turn;
    double arm[3], shift[3]; /* from its centre to the point that is held, and what the turn has moved that */
};

void carom_joints_stand(size_t dimension, const double *moved, const double *turn, struct carom_joint_stand *out)
{
    *out = (struct carom_joint_stand){.turn = {1.0, 0.0, 0.0, 0.0}};
    memcpy(out->moved, moved, dimension * sizeof *moved);
    if (dimension == 3) {
        memcpy(out->turn, turn, sizeof out->turn);
        return;
    }
    out->angle = turn[0];
    carom_angle_both(0.5 * turn[0], &out->turn[3], &out->turn[0]);
}

static void stand_at(const struct carom_bodies *b, const struct carom_joint *joint, const double *q,
                     struct carom_joint_stand out[2])
{
    for (int side = 0; side < 2; side++) {
        const size_t i = joint->body[side];
        double moved[3];
        if (i == CAROM_WORLD) {
            out[side] = CAROM_JOINT_STILL;
            continue;
        }
        carom_bodies_moved(b, i, q, moved);
        carom_joints_stand(b->dimension, moved, q + i * carom_bodies_nq(b) + b->dimension, &out[side]);
    }
}

/* and from the point of the first to that of the second */
static void look(const struct carom_joint *joint, const struct carom_joint_stand at[2], struct stand out[2],
                 double apart[3])
{
    for (int side = 0; side < 2; side++) {
        out[side].turn = at[side].turn;
        carom_quat_shift(at[side].turn, joint->at[side], out[side].shift);
        for (int k = 0; k < 3; k++)
            out[side].arm[k] = joint->at[side][k] + out[side].shift[k];
    }
    for (int k = 0; k < 3; k++)
        apart[k] = joint->apart[k] + ((at[1].moved[k] - at[0].moved[k]) + (out[1].shift[k] - out[0].shift[k]));
}

static void set_point(bool plane, const double direction[3], const double first[3], const double second[3], double gap,
                      struct carom_joint_row *row)
{
    *row = (struct carom_joint_row){.gap = gap};
    carom_meet_row(plane, -1.0, direction, first, row->of[0]);
    carom_meet_row(plane, 1.0, direction, second, row->of[1]);
}

static void set_turn(bool plane, const double about[3], double gap, struct carom_joint_row *row)
{
    *row = (struct carom_joint_row){.gap = gap, .turns = true};
    memcpy(row->moment, about, sizeof row->moment);
    for (int k = 0; k < (plane ? 1 : 3); k++) {
        row->of[0][(plane ? 2 : 3) + k] = -about[plane ? 2 : k];
        row->of[1][(plane ? 2 : 3) + k] = about[plane ? 2 : k];
    }
}

/* two directions across one of length 1 */
static void across(const double axis[3], double side[2][3])
{
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(axis[k]) < fabs(axis[least]))
            least = k;
    double pick[3] = {0.0};
    pick[least] = 1.0;
    carom_vec_cross(axis, pick, side[0]);
    const double length = carom_vec_norm(side[0]);
    for (int k = 0; k < 3; k++)
        side[0][k] /= length;
    carom_vec_cross(axis, side[0], side[1]);
}

/* the turn of the second past the first, as a quaternion in the axes of space */
static void turn_between(const struct stand s[2], double turn[4])
{
    const double back[4] = {s[0].turn[0], -s[0].turn[1], -s[0].turn[2], -s[0].turn[3]};
    carom_quat_product(s[1].turn, back, turn);
}

/* in the plane angles may be many turns */
static size_t hold_turns(size_t dimension, const struct carom_joint_stand at[2], const struct stand s[2],
                         struct carom_joint_row *row)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double turn[4];
    if (dimension == 2) {
        set_turn(true, unit[2], at[1].angle - at[0].angle, row);
        return 1;
    }
    turn_between(s, turn);
    for (int k = 0; k < 3; k++)
        set_turn(false, unit[k], (turn[0] < 0.0 ? -2.0 : 2.0) * turn[1 + k], &row[k]);
    return 3;
}

/* the axis of the second across two directions of the first */
static size_t hold_axis(const struct carom_joint *joint, const struct stand s[2], struct carom_joint_row *row)
{
    double side[2][3], own[3], about[3];
    across(joint->axis, side);
    carom_quat_turn(s[1].turn, joint->axis, own);
    for (int k = 0; k < 2; k++) {
        carom_quat_turn(s[0].turn, side[k], side[k]);
        carom_vec_cross(own, side[k], about);
        set_turn(false, about, carom_vec_dot(side[k], own), &row[k]);
    }
    return 2;
}

static size_t hold_points(size_t dimension, const struct stand s[2], const double apart[3], struct carom_joint_row *row)
{
    for (size_t k = 0; k < dimension; k++) {
        const double direction[3] = {k == 0, k == 1, k == 2};
        set_point(dimension == 2, direction, s[0].arm, s[1].arm, apart[k], &row[k]);
    }
    return dimension;
}

/* along a direction that turns with the first: the point is the second's, for both */
static void hold_along(size_t dimension, const struct stand s[2], const double apart[3], const double direction[3],
                       struct carom_joint_row *row)
{
    const double seen[3] = {s[0].arm[0] + apart[0], s[0].arm[1] + apart[1], s[0].arm[2] + apart[2]};
    set_point(dimension == 2, direction, seen, s[1].arm, carom_vec_dot(direction, apart), row);
}

static size_t hold_track(size_t dimension, const struct carom_joint *joint, const struct stand s[2],
                         const double apart[3], struct carom_joint_row *row)
{
    double side[2][3] = {{-joint->axis[1], joint->axis[0], 0.0}};
    if (dimension == 3)
        across(joint->axis, side);
    for (size_t k = 0; k + 1 < dimension; k++) {
        carom_quat_turn(s[0].turn, side[k], side[k]);
        hold_along(dimension, s, apart, side[k], &row[k]);
    }
    return dimension - 1;
}

/* gap: the distance; without points apart it has no direction, and the row is 0 */
static void hold_distance(size_t dimension, const struct stand s[2], const double apart[3], struct carom_joint_row *row)
{
    const double length = carom_vec_norm(apart);
    double direction[3] = {0.0};
    for (int k = 0; k < 3 && length > 0.0; k++)
        direction[k] = apart[k] / length;
    set_point(dimension == 2, direction, s[0].arm, s[1].arm, length, row);
}

size_t carom_joints_rows_of(size_t dimension, const struct carom_joint *joint, const struct carom_joint_stand at[2],
                            struct carom_joint_row row[CAROM_JOINT_ROWS])
{
    struct stand s[2];
    double apart[3];
    look(joint, at, s, apart);
    size_t n = 0;
    switch (joint->kind) {
    case CAROM_JOINT_HINGE:
        n = hold_points(dimension, s, apart, row);
        return dimension == 2 ? n : n + hold_axis(joint, s, row + n);
    case CAROM_JOINT_BALL:
        return hold_points(dimension, s, apart, row);
    case CAROM_JOINT_SLIDER:
        n = hold_track(dimension, joint, s, apart, row);
        return n + hold_turns(dimension, at, s, row + n);
    case CAROM_JOINT_WELD:
        n = hold_points(dimension, s, apart, row);
        return n + hold_turns(dimension, at, s, row + n);
    default:
        if (joint->limited)
            return 0;
        hold_distance(dimension, s, apart, row);
        row->gap -= carom_vec_norm(joint->apart);
        return 1;
    }
}

size_t carom_joints_rows(const struct carom_bodies *b, const struct carom_joint *joint, const double *q,
                         struct carom_joint_row row[CAROM_JOINT_ROWS])
{
    struct carom_joint_stand at[2];
    stand_at(b, joint, q, at);
    return carom_joints_rows_of(b->dimension, joint, at, row);
}

size_t carom_joints_count(size_t dimension, const struct carom_joint *joint)
{
    static const size_t counts[2][CAROM_JOINTS] = {{2, 2, 2, 3, 1}, {5, 3, 5, 6, 1}};
    const bool rope = joint->kind == CAROM_JOINT_DISTANCE && joint->limited;
    return rope ? 0 : counts[dimension == 3][joint->kind];
}

void carom_joints_coordinate_of(size_t dimension, const struct carom_joint *joint, const struct carom_joint_stand at[2],
                                struct carom_joint_row *row)
{
    struct stand s[2];
    double apart[3], axis[3] = {0.0, 0.0, 1.0}, turn[4];
    look(joint, at, s, apart);
    if (joint->kind == CAROM_JOINT_DISTANCE) {
        hold_distance(dimension, s, apart, row);
        return;
    }
    if (dimension == 3 || joint->kind == CAROM_JOINT_SLIDER)
        carom_quat_turn(s[0].turn, joint->axis, axis);
    if (joint->kind == CAROM_JOINT_SLIDER) {
        hold_along(dimension, s, apart, axis, row);
        return;
    }
    turn_between(s, turn);
    const double half = carom_vec_dot(axis, turn + 1) * (turn[0] < 0.0 ? -1.0 : 1.0);
    set_turn(dimension == 2, axis,
             dimension == 2 ? at[1].angle - at[0].angle : 2.0 * carom_angle_atan2(half, fabs(turn[0])), row);
}

void carom_joints_coordinate(const struct carom_bodies *b, const struct carom_joint *joint, const double *q,
                             struct carom_joint_row *row)
{
    struct carom_joint_stand at[2];
    stand_at(b, joint, q, at);
    carom_joints_coordinate_of(b->dimension, joint, at, row);
}

static bool moves(const struct carom_bodies *b, size_t i)
{
    return i != CAROM_WORLD && !b->body[i].fixed;
}

/* --- the start ---------------------------------------------------------------------------------------------------- */

/* how fast what a row holds moves apart, and the largest number of the row */
static double rate_of(const struct carom_bodies *b, const struct carom_joint *joint, const struct carom_joint_row *row,
                      const double *v, double *reach)
{
    const size_t nv = carom_bodies_nv(b);
    double rate = 0.0;
    *reach = 0.0;
    for (int s = 0; s < 2; s++)
        for (size_t k = 0; k < nv && joint->body[s] != CAROM_WORLD; k++) {
            rate += row->of[s][k] * v[joint->body[s] * nv + k];
            *reach = fmax(*reach, fabs(row->of[s][k]));
        }
    return rate;
}

enum carom_status carom_joints_start(const struct carom_bodies *b, const double *q, const double *v, size_t *which,
                                     struct carom_error *error)
{
    const double size = b->edge + b->far;
    double fastest = 0.0, reach;
    for (size_t k = 0; k < b->n * carom_bodies_nv(b); k++)
        fastest = fmax(fastest, fabs(v[k]));
    for (size_t j = *which = 0; j < b->njoints; j = ++*which) {
        struct carom_joint_row row[CAROM_JOINT_ROWS];
        const size_t n = carom_joints_rows(b, &b->joint[j], q, row);
        for (size_t i = 0; i < n; i++) {
            const double rate = rate_of(b, &b->joint[j], &row[i], v, &reach);
            if (!(fabs(row[i].gap) <= 1e-9 * (row[i].turns ? 1.0 : size)))
                return carom_error_set(error, CAROM_E_INPUT,
                                       "joint %zu is open by %g%s at the start: joints hold bodies as their `at` say, "
                                       "so start without displacement",
                                       j + 1, fabs(row[i].gap), row[i].turns ? " rad" : "");
            if (!(fabs(rate) <= 1e-6 * reach * fastest))
                return carom_error_set(error, CAROM_E_INPUT,
                                       "joint %zu does not allow the velocities at the start: what it holds moves "
                                       "apart at %g; bodies on a joint that turns need both velocity and spin",
                                       j + 1, fabs(rate));
        }
    }
    return CAROM_OK;
}

size_t carom_joints_memory(const struct carom_bodies *b)
{
    bool limited = false;
    for (size_t j = 0; j < b->njoints; j++)
        limited |= b->joint[j].limited;
    return carom_joints_standing(b) + (limited ? b->njoints : 0);
}

/* --- who is held -------------------------------------------------------------------------------------------------- */

enum carom_status carom_joints_check(const struct carom_bodies *b, size_t j, struct carom_error *error)
{
    const struct carom_joint *joint = &b->joint[j];
    for (int s = 0; s < 2; s++) {
        const size_t i = joint->body[s];
        if (i >= b->n && (s == 1 || i != CAROM_WORLD))
            return carom_error_set(error, CAROM_E_INPUT, "joint %zu: there is no body %zu", j + 1, i + 1);
        if (i != CAROM_WORLD && b->body[i].surface == CAROM_PLANE && !b->body[i].fixed)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "joint %zu: body %zu is a plane that moves, which no joint holds", j + 1, i + 1);
    }
    for (int k = 0; k < 6; k++) /* squares of distances must be numbers */
        if (!(fabs(joint->at[k / 3][k % 3]) < 1e100))
            return carom_error_set(error, CAROM_E_INPUT, "joint %zu: its place is not a usable number", j + 1);
    if (joint->body[0] == joint->body[1])
        return carom_error_set(error, CAROM_E_INPUT, "joint %zu: it holds body %zu to itself", j + 1,
                               joint->body[1] + 1);
    if (!moves(b, joint->body[0]) && !moves(b, joint->body[1]))
        return carom_error_set(error, CAROM_E_INPUT, "joint %zu: neither of its bodies moves freely", j + 1);
    return CAROM_OK;
}

/* how far a place of a body, in its own axes, is from the axis of a joint; in the plane from the point */
static double off_axis(const struct carom_joint *joint, int side, const double frame[4], const double own[3])
{
    double off[3];
    carom_quat_turn(frame, own, off);
    for (int k = 0; k < 3; k++)
        off[k] -= joint->at[side][k];
    const double along = carom_vec_dot(off, joint->axis);
    return sqrt(fmax(0.0, carom_vec_dot(off, off) - along * along));
}

static double reach_of(const struct carom_joint *joint, int side, const struct carom_body *body)
{
    const struct carom_piece whole = {.convex = body->convex, .radius = body->radius};
    const struct carom_piece *piece = body->pieces ? body->pieces->piece : &whole;
    double far = 0.0;
    for (size_t i = 0; i < (body->pieces ? body->pieces->n : 1); i++) {
        const struct carom_convex *c = piece[i].convex;
        for (size_t k = 0; k < (c ? c->ncorners : 2); k++)
            far = fmax(far, off_axis(joint, side, body->frame, c ? c->corner[k] : piece[i].end[k]) +
                                (c ? 0.0 : piece[i].radius));
    }
    return far;
}

static double lever_of(const struct carom_bodies *b, const struct carom_joint *joint)
{
    double lever = 0.0;
    for (int s = 0; s < 2 && joint->kind == CAROM_JOINT_HINGE; s++)
        if (moves(b, joint->body[s]))
            lever = fmax(lever, reach_of(joint, s, &b->body[joint->body[s]]));
    return lever > 0.0 ? lever : 1.0;
}

enum carom_status carom_joints_finish(struct carom_bodies *b, struct carom_error *error)
{
    carom_memory_free(b->joined);
    b->joined = NULL;
    b->njoined = 0;
    if (b->njoints == 0)
        return CAROM_OK;
    b->joined = carom_memory_zeroed(b->njoints, sizeof *b->joined);
    if (!b->joined)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu joints", b->njoints);
    for (size_t j = 0; j < b->njoints; j++) {
        const struct carom_joint *joint = &b->joint[j];
        const enum carom_status status = carom_joints_check(b, j, error);
        if (status != CAROM_OK)
            return status;
        b->joint[j].lever = lever_of(b, joint);
        if (joint->body[0] == CAROM_WORLD)
            continue;
        const size_t low = joint->body[0] < joint->body[1] ? joint->body[0] : joint->body[1];
        b->joined[b->njoined++] = (uint64_t)low * b->n + (joint->body[0] + joint->body[1] - low);
    }
    if (b->njoined > 0)
        qsort(b->joined, b->njoined, sizeof *b->joined, carom_sorted_longs);
    return CAROM_OK;
}

bool carom_joints_join(const struct carom_bodies *b, size_t i, size_t j)
{
    const uint64_t key = i < j ? (uint64_t)i * b->n + j : (uint64_t)j * b->n + i;
    return b->njoined > 0 && bsearch(&key, b->joined, b->njoined, sizeof key, carom_sorted_longs) != NULL;
}
