/* The links of bodies in space: dilatation, forces and torques, energy. Monasse and Mariotti 2012, section 4, each as
 * the gradient of
 *
 *     U = sum over links (1/2 k |Du|^2 + 2 r^T B r) + sum over cells 1/2 lambda / share (dilatation)^2,
 *
 * Du the gap at the interface, r the vector part of the relative quaternion (the flexion energy (10) without its
 * constant), B bending and torsion stiffness. All from displacements and from Q - 1, so that small strains keep their
 * digits. Links go in pairs (solid_lane.h) and are added up in the order of their numbers, whatever the blocks. */
#include "base/sum.h"
#include "model/solid.h"
#include "model/solid_lane.h"

/* a pair of links, loaded */
struct pair {
    const struct carom_solid_link *link[CAROM_LANES];
    carom_lane a[2]; /* quaternions of both cells */
    struct carom_lane3 w[2];
    struct carom_lane3 apart;  /* X_J - X_I now */
    struct carom_lane3 gap;    /* Du */
    struct carom_lane3 arm[2]; /* Q_I X_I P and Q_J X_J P */
    carom_lane part[2], stiff;
    carom_lane inverse; /* 1 / |X_J - X_I| */
    struct carom_lane3 normal;
    carom_lane open; /* Du . n */
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

ALWAYS_INLINE void load(const struct carom_solid *s, const double *q, const struct carom_solid_link *l0,
                        const struct carom_solid_link *l1, struct pair *p)
{
    const struct carom_solid_shape *s0 = &s->shape[l0->shape], *s1 = &s->shape[l1->shape];
    struct carom_lane3 u[2], rest, arm;
    p->link[0] = l0;
    p->link[1] = l1;
    for (int side = 0; side < 2; side++)
        load_side(q + 7 * (size_t)l0->cell[side], q + 7 * (size_t)l1->cell[side], &u[side], &p->a[side], &p->w[side]);
    both(s0->apart, s1->apart, &rest.x, &rest.y);
    both(s0->apart + 2, s1->apart + 2, &rest.z, &arm.x);
    both(s0->arm + 1, s1->arm + 1, &arm.y, &arm.z);
    both(&s0->stiff, &s1->stiff, &p->stiff, &p->part[0]);
    p->part[1] = BOTH(s0->part[1], s1->part[1]);
    const struct carom_lane3 back = carom_lane_less(arm, rest), moved = carom_lane_less(u[1], u[0]);
    const struct carom_lane3 here = carom_lane_shift(p->a[0], p->w[0], arm);
    const struct carom_lane3 there = carom_lane_shift(p->a[1], p->w[1], back);
    p->gap = carom_lane_add(moved, carom_lane_less(there, here));
    p->apart = carom_lane_add(rest, moved);
    p->arm[0] = carom_lane_add(arm, here);
    p->arm[1] = carom_lane_add(back, there);
    p->inverse = 1.0 / carom_lane_sqrt(carom_lane_dot(p->apart, p->apart));
    p->normal = carom_lane_times(p->inverse, p->apart);
    p->open = carom_lane_dot(p->gap, p->apart) * p->inverse; /* ready as soon as the root is */
}

/* r, r0 and B r of a pair */
ALWAYS_INLINE void relative(const struct carom_solid *s, const struct pair *p, carom_lane *r0, struct carom_lane3 *r,
                            struct carom_lane3 *bent)
{
    const double *b0 = s->shape[p->link[0]->shape].bend, *b1 = s->shape[p->link[1]->shape].bend;
    carom_lane xx, yy, zz, yz, xz, xy;
    both(b0, b1, &xx, &yy);
    both(b0 + 2, b1 + 2, &zz, &yz);
    both(b0 + 4, b1 + 4, &xz, &xy);
    *r0 = p->a[0] * p->a[1] + carom_lane_dot(p->w[0], p->w[1]);
    *r = carom_lane_less(carom_lane_less(carom_lane_times(p->a[0], p->w[1]), carom_lane_times(p->a[1], p->w[0])),
                         carom_lane_cross(p->w[0], p->w[1]));
    bent->x = xx * r->x + xy * r->y + xz * r->z;
    bent->y = xy * r->x + yy * r->y + yz * r->z;
    bent->z = xz * r->x + yz * r->y + zz * r->z;
}

/* --- the dilatation -------------------------------------------------------------------------------------------- */

/* One pair (or twice one link: lanes = 1). `all`: both cells of both links are in [first, last). Constants where this
 * is compiled in, so that lanes need not go through memory. */
ALWAYS_INLINE void dilate_pair(const struct carom_solid_call *c, size_t l, size_t lanes, bool all, size_t first,
                               size_t last)
{
    const struct carom_solid *s = c->solid;
    struct pair p;
    load(s, c->q, &s->link[l], &s->link[l + lanes - 1], &p);
    const carom_lane add[2] = {p.part[0] * p.open, p.part[1] * p.open};
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

/* links [from, to) onto cells [first, last); of links before `inside` all cells are among these */
static void dilate(const struct carom_solid_call *call, size_t from, size_t inside, size_t to, size_t first,
                   size_t last)
{
    OWN(call);
    size_t l = from;
    for (; l + CAROM_LANES <= inside; l += CAROM_LANES)
        dilate_pair(c, l, CAROM_LANES, true, first, last);
    for (; l < to; l++)
        dilate_pair(c, l, 1, false, first, last);
}

/* The links that begin before the block and may end in it, one by one; then its own. Their order is that of one pass
 * over all links, so that blocks change no bit. */
static void incoming(const struct carom_solid_call *c, size_t first, size_t last,
                     void (*work)(const struct carom_solid_call *, size_t, size_t, size_t, size_t, size_t))
{
    const struct carom_solid *s = c->solid;
    const size_t from = carom_solid_mesh_link(s, first > s->reach ? first - s->reach : 0);
    for (size_t l = from; l < s->nlinks && s->link[l].cell[0] < first; l++)
        if (s->link[l].cell[1] >= first && s->link[l].cell[1] < last)
            work(c, l, l, l + 1, first, last);
}

/* the block's own links */
static void outgoing(const struct carom_solid_call *c, size_t first, size_t last,
                     void (*work)(const struct carom_solid_call *, size_t, size_t, size_t, size_t, size_t))
{
    const struct carom_solid *s = c->solid;
    const size_t from = carom_solid_mesh_link(s, first), to = carom_solid_mesh_link(s, last);
    const size_t deep = last == s->n ? last : last - first > s->reach ? last - s->reach : first;
    work(c, from, carom_solid_mesh_link(s, deep), to, first, last);
}

void carom_solid_links_dilate(void *call, size_t block)
{
    const struct carom_solid_call *c = call;
    const struct carom_solid *s = c->solid;
    size_t first, last;
    carom_solid_block(c, block, &first, &last);
    if (first > 0)
        incoming(c, first, last, dilate);
    if (s->gridded)
        carom_solid_grid_dilate(c, first, last);
    else
        outgoing(c, first, last, dilate);
    for (size_t i = first; i < last; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        c->sum[i] *= sort->share * sort->lambda;
    }
}

/* --- forces ---------------------------------------------------------------------------------------------------- */

ALWAYS_INLINE void pull_pair(const struct carom_solid_call *c, size_t l, size_t lanes, bool all, size_t first,
                             size_t last)
{
    const struct carom_solid *s = c->solid;
    struct pair p;
    load(s, c->q, &s->link[l], &s->link[l + lanes - 1], &p);
    const uint32_t *c0 = p.link[0]->cell, *c1 = p.link[1]->cell;
    const carom_lane press =
        p.part[0] * BOTH(c->sum[c0[0]], c->sum[c1[0]]) + p.part[1] * BOTH(c->sum[c0[1]], c->sum[c1[1]]);
    const struct carom_lane3 shear = carom_lane_times(p.stiff, p.gap);
    const struct carom_lane3 grip = carom_lane_add(shear, carom_lane_times(press, p.normal));
    const struct carom_lane3 aside = carom_lane_less(p.gap, carom_lane_times(p.open, p.normal));
    const struct carom_lane3 force = carom_lane_add(grip, carom_lane_times(press * p.inverse, aside));
    carom_lane r0;
    struct carom_lane3 r, bent;
    relative(s, &p, &r0, &r, &bent);
    struct carom_lane3 flex = carom_lane_add(carom_lane_times(r0, bent), carom_lane_cross(r, bent));
    flex = carom_lane_add(flex, flex);
    flex = carom_lane_add(flex, carom_lane_shift(p.a[0], p.w[0], flex)); /* into space axes */
    const struct carom_lane3 on_first = carom_lane_add(carom_lane_cross(p.arm[0], grip), flex);
    const struct carom_lane3 on_second = carom_lane_less(carom_lane_cross(grip, p.arm[1]), flex);
    const carom_lane one[6] = {force.x, force.y, force.z, on_first.x, on_first.y, on_first.z};
    const carom_lane two[6] = {-force.x, -force.y, -force.z, on_second.x, on_second.y, on_second.z};
    for (size_t k = 0; k < lanes; k++) {
        const size_t i = s->link[l + k].cell[0], j = s->link[l + k].cell[1];
        if (all || (i >= first && i < last))
            carom_lane_onto_six(c->f + 6 * i, one, k);
        if (all || (j >= first && j < last))
            carom_lane_onto_six(c->f + 6 * j, two, k);
    }
}

static void pull(const struct carom_solid_call *call, size_t from, size_t inside, size_t to, size_t first, size_t last)
{
    OWN(call);
    size_t l = from;
    for (; l + CAROM_LANES <= inside; l += CAROM_LANES)
        pull_pair(c, l, CAROM_LANES, true, first, last);
    for (; l < to; l++)
        pull_pair(c, l, 1, false, first, last);
}

void carom_solid_links_pull(void *call, size_t block)
{
    const struct carom_solid_call *c = call;
    size_t first, last;
    carom_solid_block(c, block, &first, &last);
    if (first > 0)
        incoming(c, first, last, pull);
    if (c->solid->gridded)
        carom_solid_grid_pull(c, first, last);
    else
        outgoing(c, first, last, pull);
}

double carom_solid_links_energy(const struct carom_solid *s, const double *q)
{
    struct carom_sum sum = {0.0, 0.0};
    struct pair p;
    for (size_t l = 0; l < s->nlinks; l++) {
        load(s, q, &s->link[l], &s->link[l], &p);
        carom_lane r0;
        struct carom_lane3 r, bent;
        relative(s, &p, &r0, &r, &bent);
        const carom_lane energy = 0.5 * p.stiff * carom_lane_dot(p.gap, p.gap) + 2.0 * carom_lane_dot(r, bent);
        carom_sum_add(&sum, energy[0]);
    }
    return carom_sum_value(&sum);
}
