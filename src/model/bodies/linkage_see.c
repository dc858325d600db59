/* What contacts and joints see of bodies that are one mechanism, see linkage_see.h. */
#include "model/bodies/linkage_see.h"

#include <string.h>

#include "model/bodies/meet.h"
#include "model/bodies/move.h"
#include "model/bodies/tumble.h"

void carom_linkage_see_put(const struct carom_linkage *l, const size_t body[2], const double *q, double *full)
{
    const size_t nq = carom_bodies_nq(l->bodies), wide = carom_linkage_wide(l);
    for (int s = 0; s < 2; s++) {
        if (body[s] == CAROM_WORLD)
            continue;
        double *to = full + body[s] * nq, square = 0.0;
        memset(to, 0, nq * sizeof *to);
        if (l->seat[body[s]] != SIZE_MAX)
            memcpy(to, q + wide * l->seat[body[s]], wide * sizeof *to);
        else if (l->bodies->dimension == 3)
            to[3] = 1.0;
        for (size_t k = 3; k < wide; k++)
            square += to[k] * to[k];
        for (size_t k = 3; k < wide; k++) /* inside a step it is no rotation to the last digit */
            to[k] /= sqrt(square);
    }
}

void carom_linkage_see_move(const void *own, const double *q, const double *step, double *moved)
{
    const struct carom_linkage *l = own;
    const size_t wide = carom_linkage_wide(l), nv = carom_bodies_nv(l->bodies);
    for (size_t i = 0; i < carom_linkage_count(l->bodies); i++) {
        for (size_t k = 0; k < 3; k++)
            moved[i * wide + k] = q[i * wide + k] + step[i * nv + k];
        if (wide > 3)
            carom_move_turned(step + i * nv + 3, q + i * wide + 3, moved + i * wide + 3);
    }
}

static void see_contact(const struct carom_linkage *l, const struct carom_contact_key *key, const double *q,
                        struct carom_linkage_seen *out)
{
    const bool plane = l->bodies->dimension == 2;
    double full[CAROM_LINKAGE_Q];
    struct carom_meeting m = {.gap = 0.0};
    out->body[0] = key->a;
    out->body[1] = key->b;
    carom_linkage_see_put(l, out->body, q, full);
    carom_meet(l->bodies, key, full, &m);
    const double tangent[3] = {-m.normal[1], m.normal[0], 0.0};
    out->value = m.gap;
    for (int s = 0; s < 2; s++) {
        carom_meet_row(plane, s ? 1.0 : -1.0, m.normal, m.arm[s], out->of[s]);
        if (plane)
            carom_meet_row(plane, s ? 1.0 : -1.0, tangent, m.arm[s], out->along[s]);
    }
    memcpy(out->normal, m.normal, sizeof out->normal);
    memcpy(out->arm, m.arm, sizeof out->arm);
}

struct carom_joint_row carom_linkage_see_joint_row(const struct carom_linkage *l, size_t j, bool coordinate,
                                                   size_t which, const double *q)
{
    const struct carom_joint *joint = &l->bodies->joint[j];
    double full[CAROM_LINKAGE_Q];
    struct carom_joint_row row[CAROM_JOINT_ROWS];
    carom_linkage_see_put(l, joint->body, q, full);
    if (coordinate)
        carom_joints_coordinate(l->bodies, joint, full, &row[which]);
    else
        carom_joints_rows(l->bodies, joint, full, row);
    return row[which];
}

static void see_joint(const struct carom_linkage *l, size_t j, bool coordinate, size_t which, const double *q,
                      struct carom_linkage_seen *out)
{
    const struct carom_joint *joint = &l->bodies->joint[j];
    const struct carom_joint_row row = carom_linkage_see_joint_row(l, j, coordinate, which, q);
    *out = (struct carom_linkage_seen){.value = row.gap, .body = {joint->body[0], joint->body[1]}};
    memcpy(out->of, row.of, sizeof out->of);
}

void carom_linkage_see(const struct carom_linkage *l, size_t i, const double *q, struct carom_linkage_seen *out)
{
    const struct carom_linkage_place *p = &l->place[i];
    if (p->joint == SIZE_MAX) {
        struct carom_contact_key key = p->key;
        key.feature = l->kept && l->kept[i] > 0 ? l->kept[i] : key.feature;
        see_contact(l, &key, q, out);
        return;
    }
    const double scale = p->sign * p->lever;
    see_joint(l, p->joint, true, 0, q, out);
    out->value = scale * (out->value - l->bodies->joint[p->joint].limit[p->sign < 0.0]);
    for (int s = 0; s < 2; s++)
        for (size_t k = 0; k < carom_bodies_nv(l->bodies); k++)
            out->of[s][k] *= scale;
}

double carom_linkage_see_pass(const struct carom_linkage *l, size_t i, size_t axis, const double *q,
                              struct carom_linkage_seen *out)
{
    const double unit[3] = {axis == 0, axis == 1, axis == 2};
    carom_linkage_see(l, i, q, out);
    memset(out->along, 0, sizeof out->along);
    if (l->place[i].joint != SIZE_MAX)
        return 0.0;
    for (int s = 0; s < 2; s++)
        carom_meet_row(false, s ? 1.0 : -1.0, unit, out->arm[s], out->along[s]);
    return out->normal[axis];
}

void carom_linkage_see_spread(const struct carom_linkage *l, const struct carom_linkage_seen *seen, bool slips,
                              double factor, double *out)
{
    const size_t nv = carom_bodies_nv(l->bodies);
    for (int s = 0; s < 2; s++) {
        const size_t seat = seen->body[s] == CAROM_WORLD ? SIZE_MAX : l->seat[seen->body[s]];
        const double *row = slips ? seen->along[s] : seen->of[s];
        for (size_t k = 0; seat != SIZE_MAX && k < nv; k++)
            out[nv * seat + k] += factor * row[k];
    }
}

/* --- joints ------------------------------------------------------------------------------------------------------- */

void carom_linkage_see_rows(const void *own, double t, const double *q, double *value, double *slope, double *drift)
{
    const struct carom_linkage *l = own;
    const struct carom_bodies *b = l->bodies;
    const size_t n = carom_linkage_nv(l);
    (void)t;
    for (size_t j = 0, i = 0; j < b->njoints; j++) {
        double full[CAROM_LINKAGE_Q];
        struct carom_joint_row row[CAROM_JOINT_ROWS];
        struct carom_linkage_seen seen = {.body = {b->joint[j].body[0], b->joint[j].body[1]}};
        carom_linkage_see_put(l, seen.body, q, full);
        const size_t rows = carom_joints_rows(b, &b->joint[j], full, row);
        for (size_t k = 0; k < rows; k++, i++) {
            memcpy(seen.of, row[k].of, sizeof seen.of);
            memset(slope + i * n, 0, n * sizeof *slope);
            carom_linkage_see_spread(l, &seen, false, 1.0, slope + i * n);
            value[i] = row[k].gap;
            drift[i] = 0.0;
        }
    }
}

void carom_linkage_see_respond(const struct carom_linkage *l, const double *q, const double *push, double *out)
{
    const size_t nv = carom_bodies_nv(l->bodies);
    double full[CAROM_LINKAGE_Q];
    for (size_t i = 0; i < l->bodies->n; i++) {
        const size_t body[2] = {CAROM_WORLD, i}, at = nv * l->seat[i];
        if (l->seat[i] == SIZE_MAX)
            continue;
        carom_linkage_see_put(l, body, q, full);
        carom_bodies_respond(l->bodies, i, full, push + at, out + at);
    }
}

void carom_linkage_see_weigh(const struct carom_linkage *l, const double *q, double *row, double *s)
{
    const size_t n = carom_linkage_nv(l);
    double value[CAROM_MECHANISM_WIDTH], drift[CAROM_MECHANISM_WIDTH], answer[CAROM_MECHANISM_WIDTH];
    carom_linkage_see_rows(l, 0.0, q, value, row, drift);
    for (size_t k = 0; k < l->nrows; k++) {
        carom_linkage_see_respond(l, q, row + k * n, answer);
        for (size_t i = k; i < l->nrows; i++) {
            s[i * l->nrows + k] = 0.0;
            for (size_t c = 0; c < n; c++)
                s[i * l->nrows + k] += row[i * n + c] * answer[c];
        }
    }
}

static double norm(size_t n, const double *x)
{
    double square = 0.0;
    for (size_t k = 0; k < n; k++)
        square += x[k] * x[k];
    return sqrt(square);
}

/* how fast the two points that joint j keeps apart may turn about each other */
static double pace_of_distance(const struct carom_linkage *l, size_t j, const double *v)
{
    const struct carom_joint *joint = &l->bodies->joint[j];
    const size_t d = l->bodies->dimension, nv = carom_bodies_nv(l->bodies);
    double speed = 0.0;
    for (int s = 0; s < 2; s++) {
        const size_t seat = joint->body[s] == CAROM_WORLD ? SIZE_MAX : l->seat[joint->body[s]];
        if (seat != SIZE_MAX)
            speed += norm(d, v + nv * seat) + norm(nv - d, v + nv * seat + d) * norm(3, joint->at[s]);
    }
    const double apart = norm(3, joint->apart);
    return apart > 0.0 ? speed / apart : 0.0;
}

double carom_linkage_see_pace(const void *own, const double *q, const double *v)
{
    const struct carom_linkage *l = own;
    const size_t d = l->bodies->dimension, nv = carom_bodies_nv(l->bodies);
    double most = 0.0;
    (void)q;
    for (size_t i = 0; i < carom_linkage_count(l->bodies); i++)
        most = fmax(most, norm(nv - d, v + nv * i + d));
    for (size_t j = 0; j < l->bodies->njoints; j++)
        if (l->bodies->joint[j].kind == CAROM_JOINT_DISTANCE)
            most = fmax(most, pace_of_distance(l, j, v));
    return most;
}

/* --- forces ------------------------------------------------------------------------------------------------------- */

void carom_linkage_see_push(const struct carom_linkage *l, double t, const double *q, double *f)
{
    const struct carom_bodies *b = l->bodies;
    const size_t nv = carom_bodies_nv(b);
    for (size_t i = 0; i < b->nloads; i++)
        for (size_t k = 0; l->seat[b->load[i].body] != SIZE_MAX && k < b->dimension; k++)
            f[nv * l->seat[b->load[i].body] + k] += b->load[i].force[k] * carom_signal_value(&b->load[i].signal, t);
    for (size_t j = 0; j < b->njoints; j++) {
        struct carom_linkage_seen seen;
        if (b->joint[j].motor != CAROM_MOTOR_EFFORT)
            continue;
        see_joint(l, j, true, 0, q, &seen);
        carom_linkage_see_spread(l, &seen, false, b->joint[j].drive, f);
    }
}

/* f += the moment that turns the spin of a body whose moments differ */
static void add_gyre(const struct carom_linkage *l, size_t i, const double *q, const double *v, double *f)
{
    const size_t body[2] = {CAROM_WORLD, i}, nq = carom_bodies_nq(l->bodies);
    double full[CAROM_LINKAGE_Q], torque[3];
    carom_linkage_see_put(l, body, q, full);
    carom_tumble_gyre(&l->bodies->body[i], full + nq * i + 3, v + 3, torque);
    for (int k = 0; k < 3; k++)
        f[3 + k] += torque[k];
}

void carom_linkage_see_force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct carom_linkage *l = own;
    const size_t nv = carom_bodies_nv(l->bodies);
    carom_linkage_see_push(l, t, q, f);
    for (size_t i = 0; i < l->bodies->n; i++) {
        if (l->seat[i] == SIZE_MAX)
            continue;
        for (size_t k = 0; k < l->bodies->dimension; k++)
            f[nv * l->seat[i] + k] += l->bodies->body[i].mass * l->bodies->gravity[k];
        if (l->bodies->body[i].moments[0] > 0.0)
            add_gyre(l, i, q, v + nv * l->seat[i], f + nv * l->seat[i]);
    }
}
