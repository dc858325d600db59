/* Balls and flat walls for reference/cluster.h: what pairs do. Laws are k (d^p + gamma d/dt d^b) that end with the
 * overlap, or the two with a memory; friction is none, Coulomb's (viscous below slip_speed) or a spring under the cone,
 * of constant stiffness or after Mindlin in four forms; bodies may resist rolling. In the plane the third coordinate is
 * 0. Each pair is in one mode, inside which everything is smooth; numbers tell how far it is from leaving it.
 *
 * The variable of a spring is the one that stays smooth: how far it is stretched, or its force where the form follows
 * that, or the direction in which it slips, of length 1. It turns with the normal and about it with the mean spin. */
#ifndef CAROM_TESTS_REFERENCE_CLUSTER_PAIR_H
#define CAROM_TESTS_REFERENCE_CLUSTER_PAIR_H

#include <stdbool.h>
#include <string.h>

#include "campaign/real.h"

enum {
    CLUSTER_BALLS = 112,
    CLUSTER_WALLS = 6,
    CLUSTER_PAIRS = 1400,
    CLUSTER_SPRINGS = 64,
    CLUSTER_NUMBERS = 9 * CLUSTER_BALLS + 3 * CLUSTER_SPRINGS
};

enum cluster_form {
    CLUSTER_PLAIN,
    CLUSTER_CONSTANT,
    CLUSTER_SPRING,
    CLUSTER_POTENTIAL,
    CLUSTER_FORCE,
    CLUSTER_RESCALED
};
enum cluster_memory { CLUSTER_NONE, CLUSTER_WALTON_BRAUN, CLUSTER_BISTIFF };
enum cluster_phase { CLUSTER_LOADS, CLUSTER_UNLOADS, CLUSTER_FREE }; /* of a law with a memory */

struct cluster_pair {
    int a, b; /* balls; a < 0: wall -1 - a */
    real apart[3], length, gap;
    bool closed, whole, pulls; /* whole: slips faster than slip_speed; pulls: has no friction */
    bool slips, capped, grows; /* of springs: at the cone; with its damper the force is; the overlap grows */
    bool turns;                /* so short at the cone that it points where the slip goes */
    bool rolls;                /* faster than roll_speed */
    enum cluster_phase phase;
    real dent; /* overlap at which the force of a law with a memory vanishes */
};

struct cluster {
    int n, nwalls, npairs;
    bool plane;
    double at[CLUSTER_BALLS][3], radius[CLUSTER_BALLS], mass[CLUSTER_BALLS], inertia[CLUSTER_BALLS];
    double wall[CLUSTER_WALLS][3], normal[CLUSTER_WALLS][3];
    double k, p, gamma, b, mu, slip_speed, gravity[3];
    enum cluster_memory memory;
    double again; /* walton-braun: k of unloading; bistiff: es */
    enum cluster_form form;
    double k_t, gamma_t, roll, roll_speed;
    double length, speed; /* scales of errors */
    double pace;          /* of the steps: 1, or less to see whether that makes a difference */
    struct cluster_pair pair[CLUSTER_PAIRS];
    real origin, s, h;       /* t = origin + s^2; the next step in s */
    real y[CLUSTER_NUMBERS]; /* displacements, velocities, spins: three numbers of each ball each; springs of pairs */
    long steps, most;
};

/* one pair somewhere */
struct cluster_look {
    real gap, rate, force, normal[3], slip[3], speed, arm[2][3]; /* rate: of the overlap; arms of a and of b */
    real past[3], distance;                                      /* velocity of b past a; between centres; 0: a wall */
    real stiffness, damper;                                      /* of the spring */
    real toward[3], pull[3],
        push;              /* where it points; what spring and damper would do; normal force that goes with it */
    real roll[3], rolling; /* lever x spin, and how large */
};

static real cluster_dot(const real *a, const real *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cluster_cross(const real *a, const real *b, real *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* no friction at all: spins stay as they are */
static bool cluster_smooth(const struct cluster *c)
{
    return c->form == CLUSTER_PLAIN && !(c->mu > 0.0) && !(c->roll > 0.0);
}

static int cluster_size(const struct cluster *c)
{
    return (cluster_smooth(c) ? 6 : 9) * c->n + (c->form != CLUSTER_PLAIN ? 3 * c->npairs : 0);
}

static const real *cluster_spring(const struct cluster *c, const struct cluster_pair *j, const real *y)
{
    return y + 9 * c->n + 3 * (j - c->pair);
}

/* --- normal forces ----------------------------------------------------------------------------------------------- */

static void cluster_gap(const struct cluster *c, const struct cluster_pair *j, const real *y, struct cluster_look *l)
{
    const real *ub = y + 3 * j->b, zero[3] = {0, 0, 0}, *ua = j->a >= 0 ? y + 3 * j->a : zero;
    real du[3], now[3];
    for (int k = 0; k < 3; k++) {
        du[k] = ub[k] - ua[k];
        now[k] = j->apart[k] + du[k];
    }
    l->distance = 0;
    if (j->a < 0) {
        for (int k = 0; k < 3; k++)
            l->normal[k] = (real)c->normal[-1 - j->a][k];
        l->gap = j->gap + cluster_dot(l->normal, du);
        return;
    }
    l->distance = real_root(cluster_dot(now, now));
    for (int k = 0; k < 3; k++)
        l->normal[k] = now[k] / l->distance;
    l->gap = j->gap + (2 * cluster_dot(j->apart, du) + cluster_dot(du, du)) / (l->distance + j->length);
}

/* a law with a memory: force, and how it grows */
static real cluster_recall(const struct cluster *c, const struct cluster_pair *j, real d, real *slope)
{
    const real es = (real)c->again, steeper = j->phase == CLUSTER_UNLOADS ? 1 / (es * es) : 1;
    const real x = (d - j->dent) * steeper, size = real_size(x);
    *slope = 0;
    if (j->phase == CLUSTER_FREE)
        return 0;
    if (c->memory == CLUSTER_WALTON_BRAUN) {
        *slope = j->phase == CLUSTER_LOADS ? (real)c->k : (real)c->again;
        return *slope * (j->phase == CLUSTER_LOADS ? d : d - j->dent);
    }
    *slope = steeper * (real)(c->k * c->p) * real_power(size, c->p - 1.0);
    return (real)c->k * (x < 0 ? -1 : 1) * real_power(size, c->p);
}

/* the force of a pair in touch; a little beyond touch its mirror image, so that it is smooth */
static real cluster_law(const struct cluster *c, const struct cluster_pair *j, real d, real rate)
{
    real slope;
    if (c->memory != CLUSTER_NONE)
        return cluster_recall(c, j, d, &slope);
    const real size = real_size(d), elastic = real_power(size, c->p);
    const real drag = c->gamma > 0.0 ? (real)(c->gamma * c->b) * real_power(size, c->b - 1.0) : 0;
    return (real)c->k * ((d < 0 ? -elastic : elastic) + drag * rate);
}

/* how fast that changes, `faster` being how fast the rate does */
static real cluster_law_rate(const struct cluster *c, const struct cluster_pair *j, real d, real rate, real faster)
{
    real slope;
    if (c->memory != CLUSTER_NONE) {
        cluster_recall(c, j, d, &slope);
        return slope * rate;
    }
    const real size = real_size(d), k = (real)c->k, b = (real)c->b;
    real sum = k * (real)c->p * real_power(size, c->p - 1.0) * rate;
    if (c->gamma > 0.0)
        sum += k * (real)c->gamma * b * real_power(size, c->b - 1.0) * faster;
    if (c->gamma > 0.0 && c->b > 1.0 && size > 0)
        sum += k * (real)c->gamma * b * (b - 1) * (real_power(size, c->b - 1.0) / size) * rate * rate;
    return sum;
}

/* --- springs ----------------------------------------------------------------------------------------------------- */

static real cluster_stiffness(const struct cluster *c, real d)
{
    return (real)c->k_t * (c->form == CLUSTER_CONSTANT ? 1 : real_root(real_size(d)));
}

/* is the variable of a sticking spring its force? */
static bool cluster_forces(const struct cluster *c, const struct cluster_pair *j)
{
    return c->form == CLUSTER_FORCE || (c->form == CLUSTER_RESCALED && j->grows);
}

/* where the spring points and what it pulls with, damper and all */
static void cluster_pull(const struct cluster *c, const struct cluster_pair *j, const real *z, struct cluster_look *l)
{
    const real d = -l->gap, cone = (real)c->mu * l->force, k = l->stiffness = cluster_stiffness(c, d);
    const real slope = c->form == CLUSTER_POTENTIAL && d > 0 ? k / (2 * d) : 0, held = k > 0 ? cone / k : 0;
    const real *along = j->slips && j->turns ? l->slip : z, size = real_root(cluster_dot(along, along));
    l->damper = k * (real)c->gamma_t;
    l->push = slope * (j->slips ? held * held : cluster_dot(z, z)) / 2;
    for (int i = 0; i < 3; i++) {
        l->toward[i] = size > 0 ? along[i] / size : 0;
        l->pull[i] = (j->slips ? cone * l->toward[i] : cluster_forces(c, j) ? z[i] : k * z[i]) + l->damper * l->slip[i];
    }
}

static void cluster_see(const struct cluster *c, const struct cluster_pair *j, const real *y, struct cluster_look *l)
{
    const real *v = y + 3 * c->n, *w = y + 6 * c->n;
    real turned[3];
    cluster_gap(c, j, y, l);
    const real lever =
        j->a < 0 ? (real)c->radius[j->b]
                 : (real)c->radius[j->a] * (real)c->radius[j->b] / ((real)c->radius[j->a] + (real)c->radius[j->b]);
    for (int k = 0; k < 3; k++) {
        l->arm[0][k] = j->a >= 0 ? l->normal[k] * ((real)c->radius[j->a] + l->gap / 2) : 0;
        l->arm[1][k] = -l->normal[k] * ((real)c->radius[j->b] + (j->a >= 0 ? l->gap / 2 : l->gap));
        l->past[k] = v[3 * j->b + k] - (j->a >= 0 ? v[3 * j->a + k] : 0);
        l->roll[k] = lever * (w[3 * j->b + k] - (j->a >= 0 ? w[3 * j->a + k] : 0));
    }
    l->rate = -cluster_dot(l->past, l->normal);
    l->force = cluster_law(c, j, -l->gap, l->rate);
    cluster_cross(w + 3 * j->b, l->arm[1], turned);
    const real twist = cluster_dot(l->roll, l->normal);
    for (int k = 0; k < 3; k++) {
        l->slip[k] = l->past[k] + l->rate * l->normal[k] + turned[k];
        l->roll[k] -= twist * l->normal[k];
    }
    if (j->a >= 0) {
        cluster_cross(w + 3 * j->a, l->arm[0], turned);
        for (int k = 0; k < 3; k++)
            l->slip[k] -= turned[k];
    }
    l->speed = real_root(cluster_dot(l->slip, l->slip));
    l->rolling = real_root(cluster_dot(l->roll, l->roll));
    l->push = 0;
    if (c->form != CLUSTER_PLAIN)
        cluster_pull(c, j, cluster_spring(c, j, y), l);
}

/* the tangential force on b */
static void cluster_rub(const struct cluster *c, const struct cluster_pair *j, const struct cluster_look *l,
                        real across[3])
{
    const real cone = (real)c->mu * l->force;
    real part = cone / (j->whole ? l->speed : (real)c->slip_speed);
    if (c->form != CLUSTER_PLAIN) {
        const real size = real_root(cluster_dot(l->pull, l->pull));
        part = !j->capped ? 1 : size > 0 ? cone / size : 0;
    }
    for (int k = 0; k < 3; k++)
        across[k] = j->pulls || !(c->mu > 0.0) ? 0 : -part * (c->form != CLUSTER_PLAIN ? l->pull[k] : l->slip[k]);
}

/* how the variable of a spring goes on */
static void cluster_stretch(const struct cluster *c, const struct cluster_pair *j, const real *y,
                            const struct cluster_look *l, real rate[3])
{
    const real *z = cluster_spring(c, j, y), *w = y + 6 * c->n, cone = (real)c->mu * l->force;
    const real onward = cluster_dot(l->slip, l->toward);
    real turn[3], turned[3], about = cluster_dot(w + 3 * j->b, l->normal);
    about = j->a >= 0 ? (about + cluster_dot(w + 3 * j->a, l->normal)) / 2 : about;
    cluster_cross(l->normal, l->past, turn);
    for (int k = 0; k < 3; k++)
        turn[k] = (l->distance > 0 ? turn[k] / l->distance : 0) + about * l->normal[k];
    cluster_cross(turn, z, turned);
    for (int k = 0; k < 3; k++) {
        const real bends =
            c->plane || j->turns || !(cone > 0) ? 0 : (l->slip[k] - onward * l->toward[k]) * l->stiffness / cone;
        const real grows = j->slips ? bends : cluster_forces(c, j) ? l->stiffness * l->slip[k] : l->slip[k];
        rate[k] = j->pulls ? 0 : grows + turned[k];
    }
}

/* gap, rate of the overlap, and what they need: all that matters without friction */
static void cluster_meet(const struct cluster *c, const struct cluster_pair *j, const real *y, struct cluster_look *l)
{
    const real *v = y + 3 * c->n;
    cluster_gap(c, j, y, l);
    for (int k = 0; k < 3; k++)
        l->past[k] = v[3 * j->b + k] - (j->a >= 0 ? v[3 * j->a + k] : 0);
    l->rate = -cluster_dot(l->past, l->normal);
}

/* a ball where it was, at rest */
static bool cluster_rests(const struct cluster *c, int ball, const real *y)
{
    for (int k = 0; k < 3; k++)
        if (y[3 * ball + k] != 0 || y[3 * (c->n + ball) + k] != 0)
            return false;
    return true;
}

static bool cluster_sleeps(const struct cluster *c, const struct cluster_pair *j, const real *y)
{
    return cluster_rests(c, j->b, y) && (j->a < 0 || cluster_rests(c, j->a, y));
}

/* without friction; two that touch and that nothing has reached yet need not be asked */
static void cluster_press(const struct cluster *c, const struct cluster_pair *j, const real *y, real *out)
{
    struct cluster_look l;
    if (j->gap == 0 && cluster_sleeps(c, j, y))
        return;
    cluster_meet(c, j, y, &l);
    const real force = cluster_law(c, j, -l.gap, l.rate);
    for (int k = 0; k < 3; k++) {
        out[3 * (c->n + j->b) + k] += force * l.normal[k];
        if (j->a >= 0)
            out[3 * (c->n + j->a) + k] -= force * l.normal[k];
    }
}

/* what a pair does to its balls, and its spring */
static void cluster_push(const struct cluster *c, const struct cluster_pair *j, const real *y, real *out)
{
    struct cluster_look l;
    real across[3], torque[3];
    if (cluster_smooth(c)) {
        cluster_press(c, j, y, out);
        return;
    }
    cluster_see(c, j, y, &l);
    cluster_rub(c, j, &l, across);
    const real resists = c->roll > 0.0 && l.force > 0 && !j->pulls
                             ? (real)c->roll * l.force / (j->rolls ? l.rolling : (real)c->roll_speed)
                             : 0;
    const real lever =
        j->a < 0 ? (real)c->radius[j->b]
                 : (real)c->radius[j->a] * (real)c->radius[j->b] / ((real)c->radius[j->a] + (real)c->radius[j->b]);
    const real force = l.force + (j->pulls ? 0 : l.push);
    for (int side = 0; side < 2; side++) {
        const int ball = side ? j->b : j->a, sign = side ? 1 : -1;
        if (ball < 0)
            continue;
        cluster_cross(l.arm[side], across, torque);
        for (int k = 0; k < 3; k++) {
            out[3 * (c->n + ball) + k] += sign * (force * l.normal[k] + across[k]);
            out[3 * (2 * c->n + ball) + k] += sign * (torque[k] - lever * resists * l.roll[k]);
        }
    }
    if (c->form != CLUSTER_PLAIN)
        cluster_stretch(c, j, y, &l, out + 9 * c->n + 3 * (j - c->pair));
}

/* dy/dt */
static void cluster_flow(const struct cluster *c, const real *y, real *out)
{
    const int n = c->n;
    memset(out, 0, (size_t)cluster_size(c) * sizeof *out);
    for (int j = 0; j < c->npairs; j++)
        if (c->pair[j].closed)
            cluster_push(c, &c->pair[j], y, out);
    for (int i = 0; i < 3 * n; i++) {
        out[i] = y[3 * n + i];
        out[3 * n + i] = out[3 * n + i] / (real)c->mass[i / 3] + (real)c->gravity[i % 3];
        if (!cluster_smooth(c))
            out[6 * n + i] /= (real)c->inertia[i / 3];
    }
}

/* how fast the rate of an overlap changes, `flow` being dy/dt */
static real cluster_faster(const struct cluster *c, const struct cluster_pair *j, const struct cluster_look *l,
                           const real *flow)
{
    real sum = 0;
    for (int k = 0; k < 3; k++)
        sum -= l->normal[k] * (flow[3 * (c->n + j->b) + k] - (j->a >= 0 ? flow[3 * (c->n + j->a) + k] : 0));
    return l->distance > 0 ? sum - (cluster_dot(l->past, l->past) - l->rate * l->rate) / l->distance : sum;
}

#endif
