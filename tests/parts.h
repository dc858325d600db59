/* Two parts that exist only for tests, to show that the interface of parts carries more than beads: a pendulum on a
 * cart beside a shaken post (mass matrix that depends on q, friction in the hinge, a port that moves with time), and a
 * spinning box (rotations: more coordinates than velocities, gyroscopic forces). */
#ifndef CAROM_TESTS_PARTS_H
#define CAROM_TESTS_PARTS_H

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "carom/model.h"

/* --- pendulum: q = v = (cart, angle) -------------------------------------------------------------------------- */

struct pendulum {
    double cart, bob, length, gravity, friction; /* masses; friction: moment per angular velocity */
    double reach, pace;                          /* the post stands at reach * sin(pace * t) */
};

static inline void pendulum_sizes(const void *own, size_t *nq, size_t *nv, size_t *nports)
{
    (void)own;
    *nq = *nv = 2;
    *nports = 2;
}

static inline void pendulum_force(const void *own, double t, const double *q, const double *v, double *scratch,
                                  double *f)
{
    (void)scratch;
    const struct pendulum *p = own;
    (void)t;
    f[0] = p->bob * p->length * v[1] * v[1] * sin(q[1]);
    f[1] = -p->bob * p->gravity * p->length * sin(q[1]) - p->friction * v[1];
}

static inline void pendulum_mass(const struct pendulum *p, const double *q, double m[3])
{
    m[0] = p->cart + p->bob;
    m[1] = p->bob * p->length * cos(q[1]);
    m[2] = p->bob * p->length * p->length;
}

static inline void pendulum_mass_apply(const void *own, const double *q, const double *v, double *out)
{
    double m[3];
    pendulum_mass(own, q, m);
    out[0] = m[0] * v[0] + m[1] * v[1];
    out[1] = m[1] * v[0] + m[2] * v[1];
}

static inline void pendulum_mass_solve(const void *own, const double *q, const double *in, double *v)
{
    double m[3];
    pendulum_mass(own, q, m);
    const double det = m[0] * m[2] - m[1] * m[1];
    v[0] = (m[2] * in[0] - m[1] * in[1]) / det;
    v[1] = (m[0] * in[1] - m[1] * in[0]) / det;
}

static inline void pendulum_energy(const void *own, double t, const double *q, const double *v, double *scratch,
                                   double *kinetic, double *stored)
{
    (void)scratch;
    const struct pendulum *p = own;
    double momentum[2];
    (void)t;
    pendulum_mass_apply(own, q, v, momentum);
    *kinetic = 0.5 * (v[0] * momentum[0] + v[1] * momentum[1]);
    *stored = p->bob * p->gravity * p->length * (1.0 - cos(q[1]));
}

/* port 0: where the bob is; port 1: how far it is beyond the post */
static inline void pendulum_port(const void *own, size_t i, double t, const double *q, struct carom_port *out)
{
    const struct pendulum *p = own;
    out->value = q[0] + p->length * sin(q[1]) - (i == 1 ? p->reach * sin(p->pace * t) : 0.0);
    out->drift = i == 1 ? -p->reach * p->pace * cos(p->pace * t) : 0.0;
    out->first = 0;
    out->count = 2;
    out->slope[0] = 1.0;
    out->slope[1] = p->length * cos(q[1]);
}

static inline void pendulum_power(const void *own, double t, const double *q, const double *v, double *scratch,
                                  double *dissipated, double *work)
{
    (void)scratch;
    (void)t;
    (void)q;
    *dissipated = ((const struct pendulum *)own)->friction * v[1] * v[1];
    *work = 0.0;
}

static const struct carom_part part_pendulum = {
    .kind = {"pendulum", "a pendulum on a cart beside a shaken post", NULL, sizeof(struct pendulum)},
    .offers = CAROM_FLAT,
    .sizes = pendulum_sizes,
    .force = pendulum_force,
    .mass_apply = pendulum_mass_apply,
    .mass_solve = pendulum_mass_solve,
    .energy = pendulum_energy,
    .port = pendulum_port,
    .power = pendulum_power,
    .release = carom_memory_free,
};

/* --- box: q = (place, quaternion), v = (velocity, angular velocity in the box's own axes) --------------------- */

struct box {
    double mass, inertia[3], half[3]; /* half: of the edges */
    double gravity;
};

static inline void box_sizes(const void *own, size_t *nq, size_t *nv, size_t *nports)
{
    (void)own;
    *nq = 7;
    *nv = 6;
    *nports = 8;
}

static inline void box_force(const void *own, double t, const double *q, const double *v, double *scratch, double *f)
{
    (void)scratch;
    const struct box *box = own;
    const double *w = v + 3, spin[3] = {box->inertia[0] * w[0], box->inertia[1] * w[1], box->inertia[2] * w[2]};
    (void)t;
    (void)q;
    f[0] = f[1] = 0.0;
    f[2] = -box->mass * box->gravity;
    carom_vec_cross(spin, w, f + 3);
}

static inline void box_mass_apply(const void *own, const double *q, const double *v, double *out)
{
    const struct box *box = own;
    (void)q;
    for (int i = 0; i < 3; i++) {
        out[i] = box->mass * v[i];
        out[3 + i] = box->inertia[i] * v[3 + i];
    }
}

static inline void box_mass_solve(const void *own, const double *q, const double *in, double *v)
{
    const struct box *box = own;
    (void)q;
    for (int i = 0; i < 3; i++) {
        v[i] = in[i] / box->mass;
        v[3 + i] = in[3 + i] / box->inertia[i];
    }
}

static inline void box_energy(const void *own, double t, const double *q, const double *v, double *scratch,
                              double *kinetic, double *stored)
{
    (void)scratch;
    const struct box *box = own;
    (void)t;
    *kinetic = 0.0;
    for (int i = 0; i < 3; i++)
        *kinetic += 0.5 * (box->mass * v[i] * v[i] + box->inertia[i] * v[3 + i] * v[3 + i]);
    *stored = box->mass * box->gravity * q[2];
}

/* the vertical in the box's own axes: third row of the rotation matrix, for a quaternion of any length */
static inline void box_vertical(const double *q, double *up)
{
    const double a = q[3], b = q[4], c = q[5], d = q[6], size = a * a + b * b + c * c + d * d;
    up[0] = 2.0 * (b * d - a * c) / size;
    up[1] = 2.0 * (c * d + a * b) / size;
    up[2] = (a * a - b * b - c * c + d * d) / size;
}

/* port i: height of corner i */
static inline void box_port(const void *own, size_t i, double t, const double *q, struct carom_port *out)
{
    const struct box *box = own;
    const double corner[3] = {i & 1 ? box->half[0] : -box->half[0], i & 2 ? box->half[1] : -box->half[1],
                              i & 4 ? box->half[2] : -box->half[2]};
    double up[3];
    (void)t;
    box_vertical(q, up);
    out->value = q[2] + up[0] * corner[0] + up[1] * corner[1] + up[2] * corner[2];
    out->drift = 0.0;
    out->first = 2;
    out->count = 4;
    out->slope[0] = 1.0;
    carom_vec_cross(corner, up, out->slope + 1);
}

/* q' = q (0, w) / 2 */
static inline void box_flow(const void *own, const double *q, const double *v, double *rate)
{
    const double *w = v + 3, a = q[3], b = q[4], c = q[5], d = q[6];
    (void)own;
    memcpy(rate, v, 3 * sizeof *rate);
    rate[3] = 0.5 * (-b * w[0] - c * w[1] - d * w[2]);
    rate[4] = 0.5 * (a * w[0] + c * w[2] - d * w[1]);
    rate[5] = 0.5 * (a * w[1] + d * w[0] - b * w[2]);
    rate[6] = 0.5 * (a * w[2] + b * w[1] - c * w[0]);
}

/* turns by the rotation vector step[3..5], and gives the quaternion length 1 again */
static inline void box_move(const void *own, const double *q, const double *step, double *moved)
{
    double turn[7];
    const double *w = step + 3, angle = carom_vec_norm(w);
    const double half = 0.5 * angle, shrink = half > 0.0 ? sin(half) / half : 1.0;
    box_flow(own, q, step, turn);
    double size = 0.0;
    for (int i = 3; i < 7; i++) {
        turn[i] = cos(half) * q[i] + shrink * turn[i];
        size += turn[i] * turn[i];
    }
    for (int i = 0; i < 3; i++)
        moved[i] = q[i] + step[i];
    for (int i = 3; i < 7; i++)
        moved[i] = turn[i] / sqrt(size);
}

static const struct carom_part part_box = {
    .kind = {"box", "a spinning box", NULL, sizeof(struct box)},
    .offers = CAROM_DIAGONAL_MASS | CAROM_CONSTANT_MASS,
    .sizes = box_sizes,
    .force = box_force,
    .mass_apply = box_mass_apply,
    .mass_solve = box_mass_solve,
    .energy = box_energy,
    .port = box_port,
    .flow = box_flow,
    .move = box_move,
    .release = carom_memory_free,
};

#endif
