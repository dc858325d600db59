/* Friction of balls in lanes: the springs under the cone of src/law/friction_spring.c, without its static coefficient
 * and its push along the normal. Contacts inside the cone need no root and no division; lanes that slip are put onto it
 * apart. */
#include "scheme/compliant/verlet_lanes.h"

typedef carom_lane lane;
typedef carom_lane_mask mask;
typedef struct carom_lane3 lane3;

ALWAYS_INLINE bool any(mask m)
{
    return (m[0] | m[1]) != 0;
}

ALWAYS_INLINE lane3 pick(mask m, lane3 y, lane3 x)
{
    return (lane3){carom_lane_pick(m, y.x, x.x), carom_lane_pick(m, y.y, x.y), carom_lane_pick(m, y.z, x.z)};
}

/* what x must be multiplied by, whose square is given, so as not to be longer than `most` */
ALWAYS_INLINE lane shortening(lane square, lane most)
{
    const lane one = {1.0, 1.0};
    return carom_lane_pick(square > most * most, most / carom_lane_sqrt(square), one);
}

/* stiffness of the spring of contacts i and i + 1 */
ALWAYS_INLINE lane stiffness(const struct carom_verlet_lane_batch *batch, size_t i, lane k_t, lane deform, lane root)
{
    (void)i;
    return batch->law->hertzian ? k_t * root : carom_lane_where(deform > 0.0, k_t);
}

/* the damper, no stronger than a step can bear (carom_friction_spring_damper) */
ALWAYS_INLINE lane damper(lane strength, lane mobility, double step)
{
    const lane takes = strength * (step * mobility);
    if (any(takes >= 0.49))
        return carom_lane_pick(takes < 0.49, strength, carom_lane_min(strength, 0.5 / (step * mobility)));
    return strength;
}

void carom_verlet_lanes_friction_moment(struct carom_verlet_lane_batch *batch, double step)
{
    for (size_t i = 0; i < batch->n; i += 2) {
        const lane3 n = carom_verlet_lane_load(batch->normal, i), fly = carom_verlet_lane_load(batch->fly, i);
        const lane deform = carom_lane_load(batch->deform + i), rate = carom_lane_load(batch->rate + i);
        const lane k = stiffness(batch, i, carom_lane_load(batch->k_t + i), deform, carom_lane_load(batch->root + i));
        const lane3 turn = carom_lane_less(carom_verlet_lane_load(batch->turn, i),
                                           carom_lane_times(0.5 * deform, carom_verlet_lane_load(batch->spin, i)));
        const lane3 slip = carom_lane_less(carom_lane_add(fly, carom_lane_times(rate, n)), carom_lane_cross(turn, n));
        const lane cone = batch->law->mu * carom_lane_positive(carom_lane_load(batch->along + i));
        lane3 force = carom_lane_times(k, carom_verlet_lane_load(batch->spring, i));
        const lane stretched = carom_lane_dot(force, force);
        if (any(stretched > cone * cone))
            force = carom_lane_times(shortening(stretched, cone), force);
        const lane drag = damper(k * carom_lane_load(batch->gamma_t + i), carom_lane_load(batch->mobility + i), step);
        force = carom_lane_add(force, carom_lane_times(drag, slip));
        const lane pull = carom_lane_dot(force, force);
        if (any(pull > cone * cone))
            force = carom_lane_times(shortening(pull, cone), force);
        carom_verlet_lane_store(batch->aside, i, (lane3){-force.x, -force.y, -force.z});
    }
}

/* --- over a step ------------------------------------------------------------------------------------------------- */

/* the part of the step in which bodies touch */
ALWAYS_INLINE lane touching(lane d0, lane d1)
{
    const lane one = {1.0, 1.0};
    const mask was = d0 > 0.0, is = d1 > 0.0;
    if (!any(~was | ~is))
        return one;
    const lane part = carom_lane_pick(was, d0, d1) / carom_lane_abs(d1 - d0);
    return carom_lane_where(was | is, carom_lane_pick(was & is, one, part));
}

/* Rotation from one normal to another and about that with the bodies' mean spin. Of a vector x across n0 the first is
 * x - (n1.x) (n0 + n1) / (1 + n0.n1); c and s of the second belong to its angle to third order, and exactly to one. */
struct turning {
    lane3 normal, sum;
    lane inverse, c, s;
};

ALWAYS_INLINE void turning_of(lane3 n0, lane3 n1, lane twist, struct turning *t)
{
    const lane square = twist * twist, flat = 1.0 + carom_lane_dot(n0, n1), round = 1.0 + square;
    const lane inverse = 1.0 / (flat * round), turned = flat * inverse;
    t->normal = n1;
    t->sum = carom_lane_add(n0, n1);
    t->inverse = round * inverse;
    t->c = (1.0 - square) * turned;
    t->s = 2.0 * twist * turned;
}

ALWAYS_INLINE lane3 turned(const struct turning *t, lane3 x)
{
    const lane3 y = carom_lane_less(x, carom_lane_times(carom_lane_dot(t->normal, x) * t->inverse, t->sum));
    return carom_lane_add(carom_lane_times(t->c, y), carom_lane_times(t->s, carom_lane_cross(t->normal, y)));
}

void carom_verlet_lanes_friction_slide(struct carom_verlet_lane_batch *batch, double h)
{
    for (size_t i = 0; i < batch->n; i += 2) {
        const lane3 n0 = carom_verlet_lane_load(batch->normal0, i), n1 = carom_verlet_lane_load(batch->normal, i);
        const lane3 fly = carom_verlet_lane_load(batch->fly, i), spin = carom_verlet_lane_load(batch->spin, i);
        const lane d0 = carom_lane_load(batch->deform0 + i), d1 = carom_lane_load(batch->deform + i);
        struct turning t;
        turning_of(n0, n1, 0.25 * h * carom_lane_dot(n1, spin), &t);
        /* at the middle of the step, then into the plane of its end */
        const lane3 middle = carom_lane_times((lane){0.5, 0.5}, t.sum);
        const lane3 turn =
            carom_lane_less(carom_verlet_lane_load(batch->turn, i), carom_lane_times(0.25 * (d0 + d1), spin));
        const lane3 past = carom_lane_less(fly, carom_lane_cross(turn, middle));
        const lane3 across = carom_lane_less(past, carom_lane_times(carom_lane_dot(past, middle), middle));
        const lane3 level = carom_lane_less(across, carom_lane_times(carom_lane_dot(across, n1), n1));
        carom_verlet_lane_store(batch->slid, i, carom_lane_times(h * touching(d0, d1), level));
        carom_verlet_lane_store(batch->spring, i, turned(&t, carom_verlet_lane_load(batch->spring, i)));
        carom_verlet_lane_store(batch->force0, i, turned(&t, carom_verlet_lane_load(batch->force0, i)));
    }
}

/* Two springs over a step. */
struct springs {
    lane3 before, way, force0;
    lane k0, k1, shrink, grow; /* grow: what of the way goes into the stretch; shrink: of the stretch before */
    lane cone, damper0, damper1;
    mask holds;
    lane3 after, taken, end;
    mask capped;
};

/* the spring after its slide, on or inside the cone; what of the slide is elastic */
ALWAYS_INLINE void stretch(struct springs *s)
{
    const lane3 trial = carom_lane_add(carom_lane_times(s->shrink, s->before), carom_lane_times(s->grow, s->way));
    const lane square = carom_lane_dot(trial, trial);
    const mask slips = s->k1 * s->k1 * square > s->cone * s->cone;
    s->after = trial;
    s->taken = s->way;
    s->capped = slips | ~s->holds;
    if (!any(s->capped))
        return;
    const lane scale = carom_lane_where(
        s->holds, carom_lane_pick(slips, s->cone / (s->k1 * carom_lane_sqrt(square)), (lane){1.0, 1.0}));
    const lane missed = carom_lane_where(s->holds & slips, (1.0 - scale) / s->grow);
    s->after = pick(s->holds, carom_lane_times(scale, trial), (lane3){{0.0}, {0.0}, {0.0}});
    s->taken = carom_lane_less(s->way, carom_lane_times(missed, trial));
}

/* force of spring and damper at the end, and whether that or the one at the start is at the cone */
ALWAYS_INLINE void pull(struct springs *s, lane cone0, double often)
{
    s->end = carom_lane_add(carom_lane_times(s->k1, s->after), carom_lane_times(s->damper1 * often, s->way));
    const lane square = carom_lane_dot(s->end, s->end), most = cone0 * (1.0 - 1e-12);
    const mask over = square > s->cone * s->cone;
    s->capped |= over | (carom_lane_dot(s->force0, s->force0) >= most * most);
    if (any(over))
        s->end = carom_lane_times(shortening(square, s->cone), s->end);
    if (any(~s->holds))
        s->end = pick(s->holds, s->end, (lane3){{0.0}, {0.0}, {0.0}});
}

ALWAYS_INLINE void read_springs(const struct carom_verlet_lane_batch *batch, size_t i, double step, struct springs *s)
{
    const struct carom_verlet_lanes *law = batch->law;
    const lane d0 = carom_lane_load(batch->deform0 + i), d1 = carom_lane_load(batch->deform + i);
    const lane root0 = carom_lane_load(batch->root0 + i), root1 = carom_lane_load(batch->root + i), one = {1.0, 1.0};
    const lane k_t = carom_lane_load(batch->k_t + i), gamma = carom_lane_load(batch->gamma_t + i);
    const lane mobility = carom_lane_load(batch->mobility + i), pressed = carom_lane_load(batch->pressed[1] + i);
    s->before = carom_verlet_lane_load(batch->spring, i);
    s->way = carom_verlet_lane_load(batch->slid, i);
    s->force0 = carom_verlet_lane_load(batch->force0, i);
    s->k0 = stiffness(batch, i, k_t, d0, root0);
    s->k1 = stiffness(batch, i, k_t, d1, root1);
    s->shrink = s->grow = one;
    s->holds = (d1 > 0.0) & (pressed > 0.0);
    s->cone = law->mu * carom_lane_positive(pressed);
    s->damper0 = damper(s->k0 * gamma, mobility, step);
    s->damper1 = damper(s->k1 * gamma, mobility, step);
    if (law->follows) {
        const mask holds = law->always ? s->holds : s->holds & (s->k1 > s->k0);
        const lane ratio = s->k0 / s->k1;
        s->shrink = carom_lane_pick(holds, ratio, one);
        s->grow = carom_lane_pick(holds, 0.5 + 0.5 * ratio, one);
    }
}

void carom_verlet_lanes_friction_kicks(struct carom_verlet_lane_batch *batch, double step, double h)
{
    const double half = 0.5 * h, often = 1.0 / h;
    for (size_t i = 0; i < batch->n; i += 2) {
        struct springs s;
        read_springs(batch, i, step, &s);
        stretch(&s);
        pull(&s, batch->law->mu * carom_lane_positive(carom_lane_load(batch->pressed[0] + i)), often);
        const lane3 springs = carom_lane_add(carom_lane_times(s.k0, s.before), carom_lane_times(s.k1, s.after));
        const lane3 first = carom_lane_times((lane){half, half}, s.force0);
        const lane3 whole = {-half * springs.x, -half * springs.y, -half * springs.z};
        lane3 impulse = carom_lane_less(whole, carom_lane_times(0.5 * (s.damper0 + s.damper1), s.way));
        if (any(s.capped))
            impulse = pick(s.capped, carom_lane_less(first, carom_lane_times((lane){half, half}, s.end)), impulse);
        const lane took = 0.5 * carom_lane_dot(springs, s.taken);
        const lane square0 = carom_lane_dot(s.before, s.before), square1 = carom_lane_dot(s.after, s.after);
        carom_verlet_lane_store(batch->aside, i, carom_lane_less(impulse, first)); /* the first kick has given its */
        carom_verlet_lane_store(batch->spring, i, s.after);
        carom_lane_store(batch->lost + i, -often * carom_lane_dot(impulse, s.way) - took);
        carom_lane_store(batch->change + i, took - 0.5 * (s.k1 * square1 - s.k0 * square0));
    }
}
