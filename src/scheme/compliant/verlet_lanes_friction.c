/* Friction of balls in lanes over a step: the springs under the cone of src/law/friction_spring.c, without its static
 * coefficient and its push along the normal. */
#include "scheme/compliant/verlet_lanes.h"
#include "scheme/compliant/verlet_lanes_push.h"

typedef carom_lane lane;
typedef carom_lane_mask mask;
typedef struct carom_lane3 lane3;

ALWAYS_INLINE bool any(mask m)
{
    return carom_verlet_lane_any(m);
}

ALWAYS_INLINE lane3 pick(mask m, lane3 y, lane3 x)
{
    return (lane3){carom_lane_pick(m, y.x, x.x), carom_lane_pick(m, y.y, x.y), carom_lane_pick(m, y.z, x.z)};
}

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

/* Two springs over a step. */
struct springs {
    lane3 before, way, force0;
    lane k0, k1, shrink, grow; /* grow: what of the way goes into the stretch; shrink: of the stretch before */
    lane cone, damper0, damper1;
    mask holds;
    lane3 after, taken, end;
    mask capped;
};

/* how far contacts slide; springs and forces of the start turned into the plane of the end */
ALWAYS_INLINE void slide(const struct carom_verlet_lane_pair *p, double h, struct springs *s)
{
    const lane3 n0 = p->normal0, n1 = p->normal;
    struct turning t;
    turning_of(n0, n1, 0.25 * h * carom_lane_dot(n1, p->spin), &t);
    /* at the middle of the step, then into the plane of its end */
    const lane3 middle = carom_lane_times((lane){0.5, 0.5}, t.sum);
    const lane3 turn = carom_lane_less(p->turn, carom_lane_times(0.25 * (p->deform0 + p->deform), p->spin));
    const lane3 past = carom_lane_less(p->fly, carom_lane_cross(turn, middle));
    const lane3 across = carom_lane_less(past, carom_lane_times(carom_lane_dot(past, middle), middle));
    const lane3 level = carom_lane_less(across, carom_lane_times(carom_lane_dot(across, n1), n1));
    s->way = carom_lane_times(h * touching(p->deform0, p->deform), level);
    s->before = turned(&t, p->spring);
    s->force0 = turned(&t, p->force0);
}

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
        s->end = carom_lane_times(carom_verlet_lane_shortening(square, s->cone), s->end);
    if (any(~s->holds))
        s->end = pick(s->holds, s->end, (lane3){{0.0}, {0.0}, {0.0}});
}

ALWAYS_INLINE void read_springs(const struct carom_verlet_lanes *law, const struct carom_verlet_lane_pair *p, lane k_t,
                                lane gamma, double step, struct springs *s)
{
    const lane one = {1.0, 1.0};
    s->k0 = carom_verlet_lane_stiffness(law, k_t, p->deform0, p->root0);
    s->k1 = carom_verlet_lane_stiffness(law, k_t, p->deform, p->root);
    s->shrink = s->grow = one;
    s->holds = (p->deform > 0.0) & (p->pressed > 0.0);
    s->cone = law->mu * carom_lane_positive(p->pressed);
    s->damper0 = carom_verlet_lane_damper(s->k0 * gamma, p->mobility, step);
    s->damper1 = carom_verlet_lane_damper(s->k1 * gamma, p->mobility, step);
    if (law->follows) {
        const mask holds = law->always ? s->holds : s->holds & (s->k1 > s->k0);
        const lane ratio = s->k0 / s->k1;
        s->shrink = carom_lane_pick(holds, ratio, one);
        s->grow = carom_lane_pick(holds, 0.5 + 0.5 * ratio, one);
    }
}

/* springs as the list has them: in the plane one number along the tangent */
ALWAYS_INLINE void keep_springs(double *const *spring, bool plane, uint32_t j0, uint32_t j1, lane3 normal, lane3 x)
{
    const lane first = plane ? normal.x * x.y - normal.y * x.x : x.x;
    spring[0][j0] = first[0];
    spring[0][j1] = first[1];
    if (plane)
        return;
    spring[1][j0] = x.y[0];
    spring[1][j1] = x.y[1];
    spring[2][j0] = x.z[0];
    spring[2][j1] = x.z[1];
}

/* a column of losses, from state to state */
ALWAYS_INLINE void book(const double *from, double *to, uint32_t j0, uint32_t j1, lane lost)
{
    to[j0] = from[j0] + lost[0];
    to[j1] = from[j1] + lost[1];
}

/* springs at the end of a step and second kicks; `plane` is known to the compiler */
ALWAYS_INLINE void kick(struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                        const struct carom_contacts *to, const struct carom_verlet_lane_batch *batch, double h,
                        bool plane)
{
    const double half = 0.5 * h, often = 1.0 / h;
    double *const *spring = to->column + w->columns.spring[CAROM_SLIDES];
    double *const *was = from->column + w->columns.lost, *const *is = to->column + w->columns.lost;
    for (size_t i = 0; i < batch->n; i++) {
        const struct carom_verlet_lane_pair *p = &batch->pair[i];
        const uint32_t j0 = p->j[0], j1 = p->j[1];
        struct springs s;
        slide(p, h, &s);
        read_springs(batch->law, p, carom_verlet_lane_take(from, &batch->law->k_t, j0, j1),
                     carom_verlet_lane_take(from, &batch->law->gamma_t, j0, j1), w->step_size, &s);
        stretch(&s);
        pull(&s, batch->law->mu * carom_lane_positive(p->pressed0), often);
        const lane3 springs = carom_lane_add(carom_lane_times(s.k0, s.before), carom_lane_times(s.k1, s.after));
        const lane3 first = carom_lane_times((lane){half, half}, s.force0);
        const lane3 whole = {-half * springs.x, -half * springs.y, -half * springs.z};
        lane3 impulse = carom_lane_less(whole, carom_lane_times(0.5 * (s.damper0 + s.damper1), s.way));
        if (any(s.capped))
            impulse = pick(s.capped, carom_lane_less(first, carom_lane_times((lane){half, half}, s.end)), impulse);
        const lane took = 0.5 * carom_lane_dot(springs, s.taken);
        const lane square0 = carom_lane_dot(s.before, s.before), square1 = carom_lane_dot(s.after, s.after);
        const lane inside = 0.5 * p->deform, arm[2] = {p->arm[0] - inside, p->arm[1] - inside};
        keep_springs(spring, plane, j0, j1, p->normal, s.after);
        book(was[CAROM_RETIRED_FRICTION], is[CAROM_RETIRED_FRICTION], j0, j1,
             -often * carom_lane_dot(impulse, s.way) - took);
        book(was[CAROM_RETIRED_CHANGE], is[CAROM_RETIRED_CHANGE], j0, j1,
             took - 0.5 * (s.k1 * square1 - s.k0 * square0));
        carom_verlet_lane_push(w, j0, j1, p->normal, p->along, carom_lane_less(impulse, first), arm, plane,
                               true); /* the first kick has given its part */
    }
}

void carom_verlet_lanes_friction_kick(struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                                      const struct carom_contacts *to, const struct carom_verlet_lane_batch *batch,
                                      double h)
{
    if (w->bodies->dimension == 2)
        kick(w, from, to, batch, h, true);
    else
        kick(w, from, to, batch, h, false);
}
