/* Modes of pairs of balls for reference/cluster.h: how far a pair is from leaving its mode, and how it goes on. */
#ifndef CAROM_TESTS_REFERENCE_CLUSTER_MODES_H
#define CAROM_TESTS_REFERENCE_CLUSTER_MODES_H

#include "reference/cluster_pair.h"

/* what a pair may leave its mode by */
enum cluster_watched {
    CLUSTER_TOUCH,
    CLUSTER_PRESS,   /* whether it presses at all */
    CLUSTER_SLIP,    /* of Coulomb's friction: slower than slip_speed, or not */
    CLUSTER_ROLL,    /* likewise */
    CLUSTER_CONE,    /* sticks, or slips */
    CLUSTER_CAP,     /* spring and damper together reach the cone, or not */
    CLUSTER_GROW,    /* form rescaled: whether the overlap grows */
    CLUSTER_TURN,    /* a slipping spring is so short that it points where the slip goes, or not */
    CLUSTER_OVERLAP, /* a law with a memory changes its phase: by overlap, by yielding again, by rate */
    CLUSTER_YIELD,
    CLUSTER_RATE,
    CLUSTER_WATCHED
};

#define CLUSTER_SHORT 1e-6 /* of the time of a contact: how fast springs that turn with the slip do */

static real cluster_typical(const struct cluster *c)
{
    return (real)c->k * real_power((real)c->length, c->p);
}

/* of a spring: what is left until it slips, or how much faster it is stretched than the cone grows */
static real cluster_cone(const struct cluster *c, const struct cluster_pair *j, const real *y, real *grain)
{
    static real flow[CLUSTER_NUMBERS];
    struct cluster_look l;
    cluster_see(c, j, y, &l);
    const real mu = (real)c->mu, *z = cluster_spring(c, j, y), size = real_root(cluster_dot(z, z));
    *grain = 64 * REAL_EPSILON * mu * cluster_typical(c) + (real)1e-12 * mu * real_size(l.force);
    if (!j->slips)
        return mu * l.force - (cluster_forces(c, j) ? size : l.stiffness * size);
    cluster_flow(c, y, flow);
    const real d = -l.gap, cone = mu * cluster_law_rate(c, j, d, l.rate, cluster_faster(c, j, &l, flow));
    const real swells = c->form == CLUSTER_CONSTANT || cluster_forces(c, j) || !(d > 0) ? 0 : l.rate / (2 * d);
    const real spring = l.stiffness * cluster_dot(l.slip, l.toward) + swells * mu * l.force;
    *grain = (real)1e-10 * (l.stiffness * l.speed + real_size(cone) + real_size(spring));
    return spring - cone;
}

/* of a law with a memory */
static real cluster_phase_left(const struct cluster *c, const struct cluster_pair *j, enum cluster_watched what, real d,
                               real rate)
{
    const bool walton = c->memory == CLUSTER_WALTON_BRAUN;
    if (what == CLUSTER_RATE)
        return j->phase == CLUSTER_LOADS ? rate : j->phase == CLUSTER_UNLOADS && !walton ? -rate : 1;
    if (what == CLUSTER_YIELD)
        return walton && j->phase == CLUSTER_UNLOADS ? j->dent - (1 - (real)c->k / (real)c->again) * d : 1;
    return j->phase == CLUSTER_FREE ? j->dent - d : walton && j->phase == CLUSTER_LOADS ? 1 : d - j->dent;
}

/* How far pair j is from leaving its mode by something: below -grain, it has. */
static real cluster_margin(const struct cluster *c, const struct cluster_pair *j, enum cluster_watched what,
                           const real *y, real *grain)
{
    const bool springs = c->form != CLUSTER_PLAIN && j->closed && !j->pulls, recalls = c->memory != CLUSTER_NONE;
    const real sum = (real)c->radius[j->b] + (j->a >= 0 ? (real)c->radius[j->a] : 0) + (real)c->length;
    const real noise = 8 * REAL_EPSILON * sum, speed = (real)c->speed;
    struct cluster_look l;
    *grain = noise;
    if (what != CLUSTER_TOUCH && cluster_smooth(c) && !recalls)
        return 1;
    if (what == CLUSTER_TOUCH) {
        if (cluster_smooth(c) && cluster_sleeps(c, j, y))
            return j->closed ? -j->gap : j->gap;
        cluster_gap(c, j, y, &l);
        return j->closed ? -l.gap : l.gap;
    }
    const bool asked = what == CLUSTER_PRESS  ? c->mu > 0.0 && !recalls
                       : what == CLUSTER_SLIP ? c->mu > 0.0 && c->form == CLUSTER_PLAIN
                       : what == CLUSTER_ROLL ? c->roll > 0.0
                       : what == CLUSTER_CONE ? springs
                       : what == CLUSTER_CAP  ? springs && c->gamma_t > 0.0
                       : what == CLUSTER_GROW ? springs && c->form == CLUSTER_RESCALED
                       : what == CLUSTER_TURN ? springs && j->slips && !c->plane
                                              : recalls;
    if (!asked || !j->closed)
        return 1;
    if (what == CLUSTER_CONE)
        return cluster_cone(c, j, y, grain);
    cluster_see(c, j, y, &l);
    const real cone = (real)c->mu * l.force, slow = (real)(what == CLUSTER_ROLL ? c->roll_speed : c->slip_speed);
    real value = 0;
    switch (what) {
    case CLUSTER_PRESS:
        *grain = real_size(cluster_law(c, j, noise, 8 * REAL_EPSILON * speed));
        return j->pulls ? -l.force : l.force;
    case CLUSTER_SLIP:
    case CLUSTER_ROLL:
        *grain = 64 * REAL_EPSILON * (slow + speed);
        value = (what == CLUSTER_ROLL ? l.rolling : l.speed) - slow;
        return (what == CLUSTER_ROLL ? j->rolls : j->whole) ? value : -value;
    case CLUSTER_CAP:
        *grain = (real)1e-12 * cone * cone + REAL_EPSILON * real_power((real)c->mu * cluster_typical(c), 2.0) / 1024;
        value = cluster_dot(l.pull, l.pull) - cone * real_size(cone); /* a step may end where it pulls */
        return j->capped ? value : -value;
    case CLUSTER_GROW:
        *grain = 64 * REAL_EPSILON * speed;
        return j->grows ? l.rate : -l.rate;
    case CLUSTER_TURN:
        value = (l.stiffness > 0 ? cone / l.stiffness : 0) - l.speed * (real)(CLUSTER_SHORT * c->length / c->speed);
        *grain = (real)1e-9 * real_size(value);
        return j->turns ? -value : value;
    case CLUSTER_OVERLAP:
    case CLUSTER_YIELD:
    case CLUSTER_RATE:
        *grain = what == CLUSTER_RATE ? 64 * REAL_EPSILON * speed : noise;
        return cluster_phase_left(c, j, what, -l.gap, l.rate);
    default:
        return 1;
    }
}

static bool cluster_changed(const struct cluster *c, int j, enum cluster_watched what, const real *y)
{
    real grain;
    const real margin = cluster_margin(c, &c->pair[j], what, y, &grain);
    return margin < -grain;
}

static real cluster_length(const real *z)
{
    return real_root(cluster_dot(z, z));
}

/* A pair begins to press: does its spring stick at first? Force and stretch both begin at 0: a moment later tells. */
static void cluster_begin(struct cluster *c, struct cluster_pair *j)
{
    static real flow[CLUSTER_NUMBERS];
    const real moment = (real)(1e-6 * c->length / c->speed), mu = (real)c->mu;
    real *z = c->y + 9 * c->n + 3 * (j - c->pair);
    struct cluster_look l;
    if (c->form == CLUSTER_PLAIN)
        return;
    memset(z, 0, 3 * sizeof *z);
    j->slips = j->capped = j->turns = false;
    j->pulls = true;
    cluster_flow(c, c->y, flow);
    j->pulls = false;
    cluster_see(c, j, c->y, &l);
    j->grows = l.rate > 0;
    const real d = -l.gap > 0 ? -l.gap : 0, faster = cluster_faster(c, j, &l, flow), rate = l.rate + faster * moment;
    const real later = d + (l.rate + rate) / 2 * moment, cone = mu * cluster_law(c, j, later, rate);
    const real ends[2] = {cluster_stiffness(c, d), cluster_stiffness(c, later)};
    real mean = ends[1];
    if (cluster_forces(c, j)) /* of a root between both ends */
        mean = d > 0 ? (ends[0] + 4 * cluster_stiffness(c, (d + later) / 2) + ends[1]) / 6 : ends[1] * 2 / 3;
    const real spring = mean * l.speed * moment;
    j->slips = spring > cone;
    j->capped = c->gamma_t > 0.0 && spring + ends[1] * (real)c->gamma_t * l.speed > cone;
    j->turns = j->slips && !c->plane;
    for (int k = 0; k < 3 && j->slips && l.speed > 0; k++)
        z[k] = l.slip[k] / l.speed;
}

/* a spring that sticks goes on by slipping, or the other way round */
static void cluster_switch(struct cluster *c, struct cluster_pair *j)
{
    real *z = c->y + 9 * c->n + 3 * (j - c->pair);
    struct cluster_look l;
    cluster_see(c, j, c->y, &l);
    const real cone = (real)c->mu * l.force, size = cluster_length(z);
    const real held = cluster_forces(c, j) ? cone : l.stiffness > 0 ? cone / l.stiffness : 0;
    for (int k = 0; k < 3; k++)
        z[k] = j->slips ? l.toward[k] * held : size > 0 ? z[k] / size : 0;
    j->slips = !j->slips;
    j->turns = j->slips && !c->plane && cone < l.stiffness * l.speed * (real)(CLUSTER_SHORT * c->length / c->speed);
    cluster_see(c, j, c->y, &l);
    j->capped = c->gamma_t > 0.0 && cluster_dot(l.pull, l.pull) > cone * real_size(cone);
}

/* the overlap of a sticking spring of the rescaled form begins to fall, or to grow */
static void cluster_reverse(struct cluster *c, struct cluster_pair *j)
{
    real *z = c->y + 9 * c->n + 3 * (j - c->pair);
    struct cluster_look l;
    cluster_see(c, j, c->y, &l);
    for (int k = 0; k < 3 && !j->slips; k++)
        z[k] = j->grows ? z[k] / l.stiffness : z[k] * l.stiffness;
    j->grows = !j->grows;
}

static void cluster_recalls(struct cluster *c, struct cluster_pair *j, enum cluster_watched what, real d)
{
    const real square = (real)(c->again * c->again);
    const bool walton = c->memory == CLUSTER_WALTON_BRAUN, loads = j->phase == CLUSTER_LOADS;
    if (what == CLUSTER_OVERLAP && j->phase == CLUSTER_FREE) {
        j->phase = walton ? CLUSTER_UNLOADS : CLUSTER_LOADS;
        j->pulls = false;
        cluster_begin(c, j);
    } else if (what == CLUSTER_OVERLAP) {
        j->phase = CLUSTER_FREE;
        j->pulls = true;
    } else if (what == CLUSTER_YIELD) {
        j->phase = CLUSTER_LOADS;
    } else {
        j->dent = walton ? (1 - (real)c->k / (real)c->again) * d : d - (d - j->dent) * (loads ? square : 1 / square);
        j->dent = j->dent > 0 ? j->dent : 0;
        j->phase = loads ? CLUSTER_UNLOADS : CLUSTER_LOADS;
    }
}

static void cluster_change(struct cluster *c, int which, enum cluster_watched what)
{
    struct cluster_pair *j = &c->pair[which];
    struct cluster_look l;
    cluster_see(c, j, c->y, &l);
    if (what == CLUSTER_TOUCH) {
        j->closed = !j->closed;
        j->pulls = l.rate < 0;
        j->phase = CLUSTER_LOADS;
        j->dent = 0;
    } else if (what == CLUSTER_PRESS) {
        j->pulls = !j->pulls;
    } else if (what == CLUSTER_CONE) {
        cluster_switch(c, j);
    } else if (what == CLUSTER_CAP) {
        j->capped = !j->capped;
    } else if (what == CLUSTER_GROW) {
        cluster_reverse(c, j);
    } else if (what == CLUSTER_TURN) {
        real *z = c->y + 9 * c->n + 3 * which;
        for (int k = 0; k < 3 && l.speed > 0; k++)
            z[k] = l.slip[k] / l.speed;
        j->turns = !j->turns;
    } else if (what == CLUSTER_OVERLAP || what == CLUSTER_YIELD || what == CLUSTER_RATE) {
        cluster_recalls(c, j, what, -l.gap);
    }
    if ((what == CLUSTER_TOUCH || what == CLUSTER_PRESS) && j->closed && !j->pulls)
        cluster_begin(c, j);
    j->whole = what == CLUSTER_SLIP ? !j->whole : l.speed > (real)c->slip_speed;
    j->rolls = what == CLUSTER_ROLL ? !j->rolls : l.rolling > (real)c->roll_speed;
}

#endif
