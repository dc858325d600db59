/* The links of plane bodies, two at a time, by kernel/flat.h. Boxes of one material go through solid_sheet.c
 * instead. */
#include "base/sum.h"
#include "kernel/flat.h"
#include "model/solid/solid.h"

struct pair {
    const struct carom_solid_link *link[CAROM_LANES];
    struct carom_flat_form form;
    struct carom_flat_bond bond;
};

#define BOTH(expression0, expression1) ((carom_lane){(expression0), (expression1)})

static inline struct carom_flat_side side(const double *one, const double *two)
{
    return (struct carom_flat_side){BOTH(one[0], two[0]), BOTH(one[1], two[1]), BOTH(one[2], two[2]),
                                    BOTH(one[3], two[3])};
}

static inline void load(const struct carom_solid *s, const double *q, const struct carom_solid_link *l0,
                        const struct carom_solid_link *l1, struct pair *p)
{
    const struct carom_solid_shape *s0 = &s->shape[l0->shape], *s1 = &s->shape[l1->shape];
    const struct carom_flat_side i = side(q + 4 * (size_t)l0->cell[0], q + 4 * (size_t)l1->cell[0]);
    const struct carom_flat_side j = side(q + 4 * (size_t)l0->cell[1], q + 4 * (size_t)l1->cell[1]);
    p->link[0] = l0;
    p->link[1] = l1;
    p->form = (struct carom_flat_form){BOTH(s0->apart[0], s1->apart[0]),
                                       BOTH(s0->apart[1], s1->apart[1]),
                                       BOTH(s0->arm[0], s1->arm[0]),
                                       BOTH(s0->arm[1], s1->arm[1]),
                                       {BOTH(s0->part[0], s1->part[0]), BOTH(s0->part[1], s1->part[1])},
                                       BOTH(s0->stiff, s1->stiff),
                                       BOTH(s0->bend[0], s1->bend[0])};
    carom_flat_join(&i, &j, &p->form, &p->bond);
}

static void dilate(const struct carom_solid_call *c, size_t from, size_t to, size_t first, size_t last)
{
    const struct carom_solid *s = c->solid;
    struct pair p;
    for (size_t l = from; l < to; l += CAROM_LANES) {
        const size_t lanes = to - l < CAROM_LANES ? to - l : CAROM_LANES;
        load(s, c->q, &s->link[l], &s->link[l + lanes - 1], &p);
        for (size_t k = 0; k < lanes; k++)
            for (int end = 0; end < 2; end++) {
                const size_t cell = p.link[k]->cell[end];
                if (cell >= first && cell < last)
                    c->sum[cell] += p.form.part[end][k] * p.bond.open[k];
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
            p.form.part[0] * BOTH(c->sum[c0[0]], c->sum[c1[0]]) + p.form.part[1] * BOTH(c->sum[c0[1]], c->sum[c1[1]]);
        const struct carom_flat_pull pulls = carom_flat_pull_of(&p.bond, &p.form, press);
        for (size_t k = 0; k < lanes; k++) {
            const size_t i = p.link[k]->cell[0], j = p.link[k]->cell[1];
            double *f = c->f + 3 * i;
            if (i >= first && i < last) {
                f[0] += pulls.force_x[k];
                f[1] += pulls.force_y[k];
                f[2] += pulls.on_first[k];
            }
            f = c->f + 3 * j;
            if (j >= first && j < last) {
                f[0] -= pulls.force_x[k];
                f[1] -= pulls.force_y[k];
                f[2] += pulls.on_second[k];
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
        const carom_lane r = carom_flat_relative(&p.bond), gap_x = p.bond.gap_x, gap_y = p.bond.gap_y;
        const carom_lane energy = 0.5 * p.form.stiff * (gap_x * gap_x + gap_y * gap_y) + 2.0 * p.form.bend * r * r;
        carom_sum_add(sum, energy[0]);
    }
}
