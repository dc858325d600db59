/* The passes of verlet_spheres.h, in as many lanes as registers have: each lane does what verlet_phases.c and
 * verlet_squeezed.c do with one bead or contact, in the same order. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_SPHERES_PASS_H
#define CAROM_SCHEME_COMPLIANT_VERLET_SPHERES_PASS_H

#include "base/lane.h"
#include "scheme/compliant/verlet_spheres.h"

/* x of beads i and on less x of those on their right */
ALWAYS_INLINE carom_lane difference(const double *x, size_t i)
{
    return carom_lane_load(x + i) - carom_lane_load(x + i + 1);
}

/* the force of contacts j and on, between beads i and on and the next ones, as it acts where the step begins */
ALWAYS_INLINE carom_lane acting(const struct carom_verlet_squeezed *held, const double *v, size_t i, size_t j)
{
    const carom_lane force = carom_lane_load(held->elastic + j) + carom_lane_load(held->drag + j) * difference(v, i);
    return carom_lane_where(carom_lane_load(held->deform + j) > 0.0, force);
}

static size_t move_some(const struct carom_verlet_spheres *s, size_t first, size_t last)
{
    const struct carom_verlet_squeezed held = s->held;
    const double *restrict x0 = s->x0, *restrict v0 = s->v0, *restrict inverse_mass = s->inverse_mass;
    double *restrict x1 = s->x1, *restrict v1 = s->v1;
    const double h = s->h, half = 0.5 * h;
    if (first + CAROM_LANES > last)
        return first;
    const size_t left = first + s->shift - 1;
    const double one = held.elastic[left] + held.drag[left] * (v0[first - 1] - v0[first]);
    carom_lane before = carom_lane_all(held.deform[left] > 0.0 ? one : 0.0);
    size_t i = first;
    for (; i + CAROM_LANES <= last; i += CAROM_LANES) {
        const carom_lane force = acting(&held, v0, i, i + s->shift), push = carom_lane_between(before, force) - force;
        const carom_lane speed = carom_lane_load(v0 + i) + push * (half * carom_lane_load(inverse_mass + i));
        carom_lane_store(v1 + i, speed);
        carom_lane_store(x1 + i, carom_lane_load(x0 + i) + h * speed);
        before = force;
    }
    return i;
}

static size_t squeeze_some(const struct carom_verlet_spheres *s, size_t first, size_t last, bool *switched)
{
    double *restrict deform = s->held.deform, *restrict elastic = s->held.elastic;
    double *restrict viscous = s->held.viscous, *restrict drag = s->held.drag;
    const double *restrict k = s->k, *restrict gamma = s->gamma, *restrict gap = s->gap, *restrict lost0 = s->lost0;
    double *restrict lost1 = s->lost1, *restrict both = s->both;
    const double h = s->h, half = 0.5 * h, *x = s->x1;
    carom_lane_mask some = {0};
    size_t j = first;
    for (; j + CAROM_LANES <= last; j += CAROM_LANES) {
        const carom_lane y0 = carom_lane_load(deform + j), y1 = difference(x, j - s->shift) - carom_lane_load(gap + j);
        const carom_lane d = carom_lane_positive(y1), root = carom_lane_sqrt(d);
        const carom_lane stiff = carom_lane_load(k + j), time = carom_lane_load(gamma + j), push = stiff * (d * root);
        const carom_lane given = time * push, damper = given - carom_lane_load(viscous + j);
        carom_lane_store(both + j, carom_lane_load(elastic + j) + push + damper / half);
        carom_lane_store(lost1 + j, carom_lane_load(lost0 + j) + (y1 - y0) / h * damper);
        carom_lane_store(deform + j, y1);
        carom_lane_store(elastic + j, push);
        carom_lane_store(viscous + j, given);
        carom_lane_store(drag + j, time * (1.5 * stiff * root));
        some |= (y0 > 0.0) ^ (y1 > 0.0);
    }
    *switched |= carom_lane_any(some);
    return j;
}

static size_t kick_some(const struct carom_verlet_spheres *s, size_t first, size_t last, bool *finite)
{
    const double *restrict v0 = s->v0, *restrict inverse_mass = s->inverse_mass;
    const double *both = s->both + s->shift;
    double *restrict v1 = s->v1;
    const double half = 0.5 * s->h;
    carom_lane_mask all = ~(carom_lane_mask){0};
    size_t i = first;
    for (; i + CAROM_LANES <= last; i += CAROM_LANES) {
        const carom_lane push = carom_lane_load(both + i - 1) - carom_lane_load(both + i);
        const carom_lane v = carom_lane_load(v0 + i) + push * (half * carom_lane_load(inverse_mass + i));
        carom_lane_store(v1 + i, v);
        all &= carom_lane_abs(v) < HUGE_VAL;
    }
    *finite &= !carom_lane_any(~all);
    return i;
}

#endif
