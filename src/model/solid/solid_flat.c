/* The links of plane bodies: as solid_pair.h, with a rotation that is one half-angle (a, d) = (cos, sin). Boxes of one
 * material go through solid_sheet.c instead. */
#include "base/sum.h"
#include "model/solid/solid.h"

struct pair {
    const struct carom_solid_link *link[CAROM_LANES];
    carom_lane a[2], d[2];
    carom_lane gap_x, gap_y;
    carom_lane arm_x[2], arm_y[2];
    carom_lane part[2], stiff, bend;
    carom_lane inverse, normal_x, normal_y, open;
};

#define BOTH(expression0, expression1) ((carom_lane){(expression0), (expression1)})

/* (Q - 1) x: cos - 1 = -2 d^2, sin = 2 a d */
static inline void shift(carom_lane a, carom_lane d, carom_lane x, carom_lane y, carom_lane *out_x, carom_lane *out_y)
{
    const carom_lane twice = d + d, less = -twice * d, sine = twice * a;
    *out_x = less * x - sine * y;
    *out_y = sine * x + less * y;
}

static inline void load(const struct carom_solid *s, const double *q, const struct carom_solid_link *l0,
                        const struct carom_solid_link *l1, struct pair *p)
{
    const struct carom_solid_shape *s0 = &s->shape[l0->shape], *s1 = &s->shape[l1->shape];
    const double *i0 = q + 4 * (size_t)l0->cell[0], *i1 = q + 4 * (size_t)l1->cell[0];
    const double *j0 = q + 4 * (size_t)l0->cell[1], *j1 = q + 4 * (size_t)l1->cell[1];
    p->link[0] = l0;
    p->link[1] = l1;
    p->a[0] = BOTH(i0[2], i1[2]);
    p->d[0] = BOTH(i0[3], i1[3]);
    p->a[1] = BOTH(j0[2], j1[2]);
    p->d[1] = BOTH(j0[3], j1[3]);
    const carom_lane rest_x = BOTH(s0->apart[0], s1->apart[0]), rest_y = BOTH(s0->apart[1], s1->apart[1]);
    const carom_lane arm_x = BOTH(s0->arm[0], s1->arm[0]), arm_y = BOTH(s0->arm[1], s1->arm[1]);
    const carom_lane back_x = arm_x - rest_x, back_y = arm_y - rest_y;
    const carom_lane moved_x = BOTH(j0[0], j1[0]) - BOTH(i0[0], i1[0]);
    const carom_lane moved_y = BOTH(j0[1], j1[1]) - BOTH(i0[1], i1[1]);
    carom_lane here_x, here_y, there_x, there_y;
    shift(p->a[0], p->d[0], arm_x, arm_y, &here_x, &here_y);
    shift(p->a[1], p->d[1], back_x, back_y, &there_x, &there_y);
    p->gap_x = moved_x + (there_x - here_x);
    p->gap_y = moved_y + (there_y - here_y);
    p->arm_x[0] = arm_x + here_x;
    p->arm_y[0] = arm_y + here_y;
    p->arm_x[1] = back_x + there_x;
    p->arm_y[1] = back_y + there_y;
    p->part[0] = BOTH(s0->part[0], s1->part[0]);
    p->part[1] = BOTH(s0->part[1], s1->part[1]);
    p->stiff = BOTH(s0->stiff, s1->stiff);
    p->bend = BOTH(s0->bend[0], s1->bend[0]);
    const carom_lane x = rest_x + moved_x, y = rest_y + moved_y;
    p->inverse = 1.0 / carom_lane_sqrt(x * x + y * y);
    p->normal_x = p->inverse * x;
    p->normal_y = p->inverse * y;
    p->open = (p->gap_x * x + p->gap_y * y) * p->inverse;
}

static void dilate(const struct carom_solid_call *c, size_t from, size_t to, size_t first, size_t last)
{
    const struct carom_solid *s = c->solid;
    struct pair p;
    for (size_t l = from; l < to; l += CAROM_LANES) {
        const size_t lanes = to - l < CAROM_LANES ? to - l : CAROM_LANES;
        load(s, c->q, &s->link[l], &s->link[l + lanes - 1], &p);
        for (size_t k = 0; k < lanes; k++)
            for (int side = 0; side < 2; side++) {
                const size_t cell = p.link[k]->cell[side];
                if (cell >= first && cell < last)
                    c->sum[cell] += p.part[side][k] * p.open[k];
            }
    }
}

static void pull(const struct carom_solid_call *c, size_t from, size_t to, size_t first, size_t last)
{
    const struct carom_solid *s = c->solid;
    struct pair p;
    for (size_t l = from; l < to; l += CAROM_LANES) {
        const size_t lanes = to - l < CAROM_LANES ? to - l : CAROM_LANES;
        load(s, c->q, &s->link[l], &s->link[l + lanes - 1], &p);
        const uint32_t *c0 = p.link[0]->cell, *c1 = p.link[1]->cell;
        const carom_lane press =
            p.part[0] * BOTH(c->sum[c0[0]], c->sum[c1[0]]) + p.part[1] * BOTH(c->sum[c0[1]], c->sum[c1[1]]);
        const carom_lane grip_x = p.stiff * p.gap_x + press * p.normal_x;
        const carom_lane grip_y = p.stiff * p.gap_y + press * p.normal_y;
        const carom_lane lean = press * p.inverse;
        const carom_lane force_x = grip_x + lean * (p.gap_x - p.open * p.normal_x);
        const carom_lane force_y = grip_y + lean * (p.gap_y - p.open * p.normal_y);
        const carom_lane r0 = p.a[0] * p.a[1] + p.d[0] * p.d[1], r = p.a[0] * p.d[1] - p.a[1] * p.d[0];
        const carom_lane flex = 2.0 * p.bend * r0 * r;
        const carom_lane on_first = (p.arm_x[0] * grip_y - p.arm_y[0] * grip_x) + flex;
        const carom_lane on_second = (p.arm_y[1] * grip_x - p.arm_x[1] * grip_y) - flex;
        for (size_t k = 0; k < lanes; k++) {
            const size_t i = p.link[k]->cell[0], j = p.link[k]->cell[1];
            double *f = c->f + 3 * i;
            if (i >= first && i < last) {
                f[0] += force_x[k];
                f[1] += force_y[k];
                f[2] += on_first[k];
            }
            f = c->f + 3 * j;
            if (j >= first && j < last) {
                f[0] -= force_x[k];
                f[1] -= force_y[k];
                f[2] += on_second[k];
            }
        }
    }
}

/* see solid_links.c: the order of links is that of one pass over all of them */
static void block(const struct carom_solid_call *c, size_t number,
                  void (*work)(const struct carom_solid_call *, size_t, size_t, size_t, size_t))
{
    const struct carom_solid *s = c->solid;
    size_t first, last;
    carom_solid_block(c, number, &first, &last);
    const size_t own = carom_solid_mesh_link(s, first);
    const size_t from = carom_solid_mesh_link(s, first > s->reach ? first - s->reach : 0);
    for (size_t l = from; l < own; l++)
        if (s->link[l].cell[1] >= first && s->link[l].cell[1] < last)
            work(c, l, l + 1, first, last);
    work(c, own, carom_solid_mesh_link(s, last), first, last);
}

void carom_solid_flat_dilate(void *call, size_t number)
{
    const struct carom_solid_call *c = call;
    size_t first, last;
    block(c, number, dilate);
    carom_solid_block(c, number, &first, &last);
    for (size_t i = first; i < last; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(c->solid, i);
        c->sum[i] *= sort->share * sort->lambda;
    }
}

void carom_solid_flat_pull(void *call, size_t number)
{
    block(call, number, pull);
}

void carom_solid_flat_energy(const void *call, size_t first, size_t last, struct carom_sum *sum)
{
    const struct carom_solid_call *c = call;
    const struct carom_solid *s = c->solid;
    struct pair p;
    for (size_t l = first; l < last; l++) {
        load(s, c->q, &s->link[l], &s->link[l], &p);
        const carom_lane r = p.a[0] * p.d[1] - p.a[1] * p.d[0];
        const carom_lane energy = 0.5 * p.stiff * (p.gap_x * p.gap_x + p.gap_y * p.gap_y) + 2.0 * p.bend * r * r;
        carom_sum_add(sum, energy[0]);
    }
}
