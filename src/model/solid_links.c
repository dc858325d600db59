/* The links of bodies in space: dilatation, forces and torques, energy. Monasse and Mariotti 2012, section 4, each as
 * the gradient of
 *
 *     U = sum over links (1/2 k |Du|^2 + 2 r^T B r) + sum over cells 1/2 lambda / share (dilatation)^2,
 *
 * Du the gap at the interface, r the vector part of the relative quaternion (the flexion energy (10) without its
 * constant), B bending and torsion stiffness. All from displacements and from Q - 1, so that small strains keep their
 * digits. Links go in pairs (solid_lane.h) and are added up in the order of their numbers, whatever the blocks. The
 * pass for the dilatation keeps Du and 1 / |X_J - X_I|, the dearest numbers, for that for the forces. */
#include "base/sum.h"
#include "model/solid.h"
#include "model/solid_lane.h"

/* a pair of links, loaded */
struct pair {
    const struct carom_solid_link *link[CAROM_LANES];
    carom_lane a[2]; /* quaternions of both cells */
    struct carom_lane3 w[2];
    struct carom_lane3 rest, moved, apart; /* X_J - X_I unloaded, what was added, and now */
    struct carom_lane3 foot, here, arm;    /* X_I P unloaded, what was added by Q_I, and now */
    struct carom_lane3 gap;                /* Du */
    carom_lane inverse;                    /* 1 / |X_J - X_I| */
    carom_lane part[2], stiff;
};

#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define BOTH(expression0, expression1) ((carom_lane){(expression0), (expression1)})

/* numbers 0 and 1 of two records, lane by lane */
ALWAYS_INLINE void both(const double *p0, const double *p1, carom_lane *x, carom_lane *y)
{
    carom_lane a, b;
    memcpy(&a, p0, sizeof a);
    memcpy(&b, p1, sizeof b);
    *x = (carom_lane){a[0], b[0]};
    *y = (carom_lane){a[1], b[1]};
}

ALWAYS_INLINE void load_side(const double *q0, const double *q1, struct carom_lane3 *u, carom_lane *a,
                             struct carom_lane3 *w)
{
    both(q0, q1, &u->x, &u->y);
    both(q0 + 2, q1 + 2, &u->z, a);
    both(q0 + 4, q1 + 4, &w->x, &w->y);
    w->z = BOTH(q0[6], q1[6]);
}

/* what both passes work out: X_J - X_I, and the arms at rest */
ALWAYS_INLINE void load_rest(const struct carom_solid *s, const double *q, const struct carom_solid_link *l0,
                             const struct carom_solid_link *l1, struct pair *p)
{
    const struct carom_solid_shape *s0 = &s->shape[l0->shape], *s1 = &s->shape[l1->shape];
    struct carom_lane3 u[2], arm;
    p->link[0] = l0;
    p->link[1] = l1;
    both(&s0->stiff, &s1->stiff, &p->stiff, &p->part[0]);
    p->part[1] = BOTH(s0->part[1], s1->part[1]);
    for (int side = 0; side < 2; side++)
        load_side(q + 7 * (size_t)l0->cell[side], q + 7 * (size_t)l1->cell[side], &u[side], &p->a[side], &p->w[side]);
    both(s0->apart, s1->apart, &p->rest.x, &p->rest.y);
    both(s0->apart + 2, s1->apart + 2, &p->rest.z, &arm.x);
    both(s0->arm + 1, s1->arm + 1, &arm.y, &arm.z);
    p->moved = carom_lane_less(u[1], u[0]);
    p->apart = carom_lane_add(p->rest, p->moved);
    p->here = carom_lane_shift(p->a[0], p->w[0], arm);
    p->foot = arm;
    p->arm = carom_lane_add(arm, p->here);
}

ALWAYS_INLINE void load(const struct carom_solid *s, const double *q, const struct carom_solid_link *l0,
                        const struct carom_solid_link *l1, struct pair *p)
{
    load_rest(s, q, l0, l1, p);
    const struct carom_lane3 there = carom_lane_shift(p->a[1], p->w[1], carom_lane_less(p->foot, p->rest));
    p->gap = carom_lane_add(p->moved, carom_lane_less(there, p->here));
    p->inverse = 1.0 / carom_lane_sqrt(carom_lane_dot(p->apart, p->apart));
}

/* r and B r of a pair */
ALWAYS_INLINE void relative(const struct carom_solid *s, const struct pair *p, struct carom_lane3 *r,
                            struct carom_lane3 *bent)
{
    const double *b0 = s->shape[p->link[0]->shape].bend, *b1 = s->shape[p->link[1]->shape].bend;
    carom_lane xx, yy, zz, yz, xz, xy;
    both(b0, b1, &xx, &yy);
    both(b0 + 2, b1 + 2, &zz, &yz);
    both(b0 + 4, b1 + 4, &xz, &xy);
    *r = carom_lane_less(carom_lane_less(carom_lane_times(p->a[0], p->w[1]), carom_lane_times(p->a[1], p->w[0])),
                         carom_lane_cross(p->w[0], p->w[1]));
    bent->x = xx * r->x + xy * r->y + xz * r->z;
    bent->y = xy * r->x + yy * r->y + yz * r->z;
    bent->z = xz * r->x + yz * r->y + zz * r->z;
}

/* The torque of the relative turn on the first cell, in space axes: 2 Q_I (r_0 B r + r x B r), which is twice the
 * vector part of q_J (B r) q_I^*. */
ALWAYS_INLINE struct carom_lane3 flex(const struct carom_solid *s, const struct pair *p)
{
    struct carom_lane3 r, bent;
    relative(s, p, &r, &bent);
    return carom_lane_flex(p->a[0], p->w[0], p->a[1], p->w[1], bent);
}

/* --- from the first pass to the second ---------------------------------------------------------------------------- */

/* what both passes need: gap, apart, arm of the first cell, inverse distance */
ALWAYS_INLINE void keep(const struct carom_solid *s, const struct pair *p, size_t l, size_t lanes)
{
    const carom_lane x[CAROM_SOLID_STRETCH] = {p->gap.x, p->gap.y, p->gap.z, p->inverse};
    double *to = s->stretch + l / 2 * 2 * CAROM_SOLID_STRETCH + l % 2;
    for (size_t k = 0; k < CAROM_SOLID_STRETCH; k++) {
        if (lanes == CAROM_LANES)
            memcpy(to + 2 * k, &x[k], sizeof x[k]);
        else
            to[2 * k] = x[k][0];
    }
}

ALWAYS_INLINE void recall(const struct carom_solid *s, size_t l, size_t lanes, struct pair *p)
{
    const double *from = s->stretch + l / 2 * 2 * CAROM_SOLID_STRETCH + l % 2;
    carom_lane x[CAROM_SOLID_STRETCH];
    for (size_t k = 0; k < CAROM_SOLID_STRETCH; k++)
        x[k] = BOTH(from[2 * k], from[2 * k + lanes - 1]);
    p->gap = (struct carom_lane3){x[0], x[1], x[2]};
    p->inverse = x[3];
}

/* --- the dilatation -------------------------------------------------------------------------------------------- */

/* One pair (or twice one link: lanes = 1) onto cells [first, last). `own`: of this block; `all`: both cells of both
 * links are there. Constants where this is compiled in, so that lanes need not go through memory. */
ALWAYS_INLINE void dilate_pair(const struct carom_solid_call *c, size_t l, size_t lanes, bool own, bool all,
                               size_t first, size_t last)
{
    const struct carom_solid *s = c->solid;
    struct pair p;
    load(s, c->q, &s->link[l], &s->link[l + lanes - 1], &p);
    if (own)
        keep(s, &p, l, lanes);
    const carom_lane open = carom_lane_dot(p.gap, p.apart) * p.inverse;
    const carom_lane add[2] = {p.part[0] * open, p.part[1] * open};
    for (size_t k = 0; k < lanes; k++)
        for (int side = 0; side < 2; side++) {
            const size_t cell = s->link[l + k].cell[side];
            if (all || (cell >= first && cell < last))
                c->sum[cell] += add[side][k];
        }
}

/* A call with a body that nobody else knows: what is stored cannot change them, so they need not be read again. */
#define OWN(call)                                                                                             \
    const struct carom_solid own_solid = *(call)->solid;                                                      \
    const struct carom_solid_call own_call = {&own_solid, (call)->q, (call)->sum, (call)->f, (call)->blocks}; \
    const struct carom_solid_call *const c = &own_call

/* Links onto cells [first, last). Those that begin before come first, in the order of one pass over all links, so that
 * blocks change no bit; they are another block's, and nothing is kept of them. Then the block's own ones, [from, to),
 * those up to `inside` acting on no other cells. */
struct range {
    size_t first, last, early, from, inside, to;
};

static struct range range_of(const struct carom_solid *s, size_t first, size_t last)
{
    const size_t deep = last == s->n ? last : last - first > s->reach ? last - s->reach : first;
    return (struct range){.first = first,
                          .last = last,
                          .early = carom_solid_mesh_link(s, first > s->reach ? first - s->reach : 0),
                          .from = carom_solid_mesh_link(s, first),
                          .inside = carom_solid_mesh_link(s, deep),
                          .to = carom_solid_mesh_link(s, last)};
}

static bool comes_in(const struct carom_solid *s, const struct range *r, size_t l)
{
    return s->link[l].cell[1] >= r->first && s->link[l].cell[1] < r->last;
}

static void dilate_early(const struct carom_solid_call *call, const struct range *r)
{
    OWN(call);
    for (size_t l = r->early; l < r->from; l++)
        if (comes_in(c->solid, r, l))
            dilate_pair(c, l, 1, false, false, r->first, r->last);
}

static void dilate(const struct carom_solid_call *call, const struct range *r)
{
    OWN(call);
    size_t l = r->from;
    if (l < r->to && l % CAROM_LANES > 0)
        dilate_pair(c, l++, 1, true, false, r->first, r->last);
    for (; l + CAROM_LANES <= r->inside; l += CAROM_LANES)
        dilate_pair(c, l, CAROM_LANES, true, true, r->first, r->last);
    for (; l + CAROM_LANES <= r->to; l += CAROM_LANES)
        dilate_pair(c, l, CAROM_LANES, true, false, r->first, r->last);
    if (l < r->to)
        dilate_pair(c, l, 1, true, false, r->first, r->last);
}

void carom_solid_links_dilate(void *call, size_t block)
{
    const struct carom_solid_call *c = call;
    const struct carom_solid *s = c->solid;
    size_t first, last;
    carom_solid_block(c, block, &first, &last);
    const struct range r = range_of(s, first, last);
    dilate_early(c, &r);
    if (s->gridded)
        carom_solid_grid_dilate(c, first, last);
    else
        dilate(c, &r);
    for (size_t i = first; i < last; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        c->sum[i] *= sort->share * sort->lambda;
    }
}

/* --- forces ---------------------------------------------------------------------------------------------------- */

ALWAYS_INLINE void pull_pair(const struct carom_solid_call *c, size_t l, size_t lanes, bool own, bool all, size_t first,
                             size_t last)
{
    const struct carom_solid *s = c->solid;
    struct pair p;
    if (own) {
        recall(s, l, lanes, &p);
        load_rest(s, c->q, &s->link[l], &s->link[l + lanes - 1], &p);
    } else {
        load(s, c->q, &s->link[l], &s->link[l + lanes - 1], &p);
    }
    const uint32_t *c0 = p.link[0]->cell, *c1 = p.link[1]->cell;
    const carom_lane press =
        p.part[0] * BOTH(c->sum[c0[0]], c->sum[c1[0]]) + p.part[1] * BOTH(c->sum[c0[1]], c->sum[c1[1]]);
    /* force = k Du + p n + p (Du - Du.n n) / D, of which all but the last turns the cells: k Du + p n */
    const carom_lane lean = press * p.inverse, both = p.stiff + lean;
    const carom_lane along = lean - lean * (carom_lane_dot(p.gap, p.apart) * (p.inverse * p.inverse));
    const struct carom_lane3 grip = carom_lane_add(carom_lane_times(p.stiff, p.gap), carom_lane_times(lean, p.apart));
    const struct carom_lane3 force = carom_lane_add(carom_lane_times(both, p.gap), carom_lane_times(along, p.apart));
    const struct carom_lane3 on_first = carom_lane_add(carom_lane_cross(p.arm, grip), flex(s, &p));
    /* the arm of the second is longer by Du - (X_J - X_I) */
    const struct carom_lane3 off_second =
        carom_lane_add(on_first, carom_lane_times(both, carom_lane_cross(p.gap, p.apart)));
    const carom_lane one[6] = {force.x, force.y, force.z, on_first.x, on_first.y, on_first.z};
    const carom_lane two[6] = {force.x, force.y, force.z, off_second.x, off_second.y, off_second.z};
    for (size_t k = 0; k < lanes; k++) {
        const size_t i = s->link[l + k].cell[0], j = s->link[l + k].cell[1];
        if (all || (i >= first && i < last))
            carom_lane_onto_six(c->f + 6 * i, one, k);
        if (all || (j >= first && j < last))
            carom_lane_off_six(c->f + 6 * j, two, k);
    }
}

static void pull_early(const struct carom_solid_call *call, const struct range *r)
{
    OWN(call);
    for (size_t l = r->early; l < r->from; l++)
        if (comes_in(c->solid, r, l))
            pull_pair(c, l, 1, false, false, r->first, r->last);
}

static void pull(const struct carom_solid_call *call, const struct range *r)
{
    OWN(call);
    size_t l = r->from;
    if (l < r->to && l % CAROM_LANES > 0)
        pull_pair(c, l++, 1, true, false, r->first, r->last);
    for (; l + CAROM_LANES <= r->inside; l += CAROM_LANES)
        pull_pair(c, l, CAROM_LANES, true, true, r->first, r->last);
    for (; l + CAROM_LANES <= r->to; l += CAROM_LANES)
        pull_pair(c, l, CAROM_LANES, true, false, r->first, r->last);
    if (l < r->to)
        pull_pair(c, l, 1, true, false, r->first, r->last);
}

void carom_solid_links_pull(void *call, size_t block)
{
    const struct carom_solid_call *c = call;
    size_t first, last;
    carom_solid_block(c, block, &first, &last);
    const struct range r = range_of(c->solid, first, last);
    pull_early(c, &r);
    if (c->solid->gridded)
        carom_solid_grid_pull(c, first, last);
    else
        pull(c, &r);
}

double carom_solid_links_energy(const struct carom_solid *s, const double *q)
{
    struct carom_sum sum = {0.0, 0.0};
    struct pair p;
    for (size_t l = 0; l < s->nlinks; l++) {
        load(s, q, &s->link[l], &s->link[l], &p);
        struct carom_lane3 r, bent;
        relative(s, &p, &r, &bent);
        const carom_lane energy = 0.5 * p.stiff * carom_lane_dot(p.gap, p.gap) + 2.0 * carom_lane_dot(r, bent);
        carom_sum_add(&sum, energy[0]);
    }
    return carom_sum_value(&sum);
}
