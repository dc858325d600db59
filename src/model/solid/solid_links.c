/* The links of bodies in space, one call for each pass: boxes of one material go by solid_grid.c, all others by
 * solid_slice.c. Here besides: what comes into a block of a box from cells before it, and the energy, link by link from
 * the records. */
#include "base/sum.h"
#include "model/solid/solid.h"
#include "model/solid/solid_pair.h"
#include "model/solid/solid_slice.h"

/* two links, or one in both lanes */
struct two {
    struct carom_pair_side i, j;
    struct carom_pair_form form;
    struct carom_pair_stiffness stiffness;
    struct carom_pair_stretch stretch;
};

static carom_lane both(double x, double y)
{
    return (carom_lane){x, y};
}

static struct carom_lane3 both3(const double x[3], const double y[3])
{
    return (struct carom_lane3){both(x[0], y[0]), both(x[1], y[1]), both(x[2], y[2])};
}

static void load(const struct carom_solid *s, const double *q, const struct carom_solid_link *l,
                 const struct carom_solid_link *m, struct two *p)
{
    const struct carom_solid_shape *a = &s->shape[l->shape], *b = &s->shape[m->shape];
    p->i = carom_pair_side_of((const double *const[]){q + 7 * (size_t)l->cell[0], q + 7 * (size_t)m->cell[0]});
    p->j = carom_pair_side_of((const double *const[]){q + 7 * (size_t)l->cell[1], q + 7 * (size_t)m->cell[1]});
    p->form = (struct carom_pair_form){
        both3(a->apart, b->apart), both3(a->arm, b->arm), {both(a->part[0], b->part[0]), both(a->part[1], b->part[1])}};
    p->stiffness.stiff = both(a->stiff, b->stiff);
    for (size_t k = 0; k < 6; k++)
        p->stiffness.bend[k] = both(a->bend[k], b->bend[k]);
    p->stretch = carom_pair_stretch_of(&p->i, &p->j, &p->form);
}

/* what `count` links, one or two, do to the cells in which they end: their parts of the dilatation, or their forces */
static void act(const struct carom_solid_call *c, const struct carom_solid_link *const link[2], size_t count,
                bool forces)
{
    const uint32_t *a = link[0]->cell, *b = link[count - 1]->cell;
    struct two p;
    load(c->solid, c->q, link[0], link[count - 1], &p);
    if (!forces) {
        const carom_lane add = p.form.part[1] * carom_pair_open(&p.i, &p.j, &p.form, &p.stretch);
        for (size_t k = 0; k < count; k++)
            c->sum[link[k]->cell[1]] += add[k];
        return;
    }
    const carom_lane press =
        p.form.part[0] * both(c->sum[a[0]], c->sum[b[0]]) + p.form.part[1] * both(c->sum[a[1]], c->sum[b[1]]);
    const struct carom_pair_pull pull = carom_pair_pull_of(&p.i, &p.j, &p.form, &p.stiffness, &p.stretch, press);
    const carom_lane off[6] = {pull.force.x,      pull.force.y,      pull.force.z,
                               pull.off_second.x, pull.off_second.y, pull.off_second.z};
    for (size_t k = 0; k < count; k++)
        carom_lane_off_six(c->f + 6 * (size_t)link[k]->cell[1], off, k);
}

/* Links that begin before a block of cells [first, last) and end in it, two at a time but in the order of one pass over
 * all links, so that blocks change no bit. */
static void come_in(const struct carom_solid_call *c, size_t first, size_t last, bool forces)
{
    const struct carom_solid *s = c->solid;
    const size_t to = carom_solid_mesh_link(s, first);
    const struct carom_solid_link *found[2];
    size_t count = 0;
    for (size_t l = carom_solid_mesh_link(s, first > s->reach ? first - s->reach : 0); l < to; l++) {
        if (s->link[l].cell[1] < first || s->link[l].cell[1] >= last)
            continue;
        found[count++] = &s->link[l];
        if (count == 2)
            act(c, found, count, forces);
        count %= 2;
    }
    if (count == 1)
        act(c, found, count, forces);
}

static double pressure_factor(const struct carom_solid_sort *sort)
{
    return sort->share * sort->lambda;
}

/* two cells at a time, as most are of the same sorts as those before */
void carom_solid_links_press(const struct carom_solid *s, size_t first, size_t last, double *restrict sum)
{
    const uint32_t *restrict sort = s->sort;
    uint32_t known[2] = {UINT32_MAX, UINT32_MAX};
    carom_lane factor = {0.0, 0.0};
    size_t i = first;
    for (; i + 2 <= last; i += 2) {
        if (sort[i] != known[0] || sort[i + 1] != known[1]) {
            memcpy(known, sort + i, sizeof known);
            factor = (carom_lane){pressure_factor(&s->sorts[known[0]]), pressure_factor(&s->sorts[known[1]])};
        }
        carom_lane_store(sum + i, carom_lane_load(sum + i) * factor);
    }
    if (i < last)
        sum[i] *= pressure_factor(carom_solid_sort_of(s, i));
}

void carom_solid_links_dilate(void *call, size_t block)
{
    const struct carom_solid_call *c = call;
    const struct carom_solid *s = c->solid;
    size_t first, last;
    carom_solid_block(c, block, &first, &last);
    if (s->gridded) {
        come_in(c, first, last, false);
        carom_solid_grid_passes()->dilate(c, first, last);
    } else {
        carom_solid_slice_dilate(c, first, last);
    }
    carom_solid_links_press(s, first, last, c->sum);
}

void carom_solid_links_pull(void *call, size_t block)
{
    const struct carom_solid_call *c = call;
    size_t first, last;
    carom_solid_block(c, block, &first, &last);
    if (c->solid->gridded) {
        come_in(c, first, last, true);
        carom_solid_grid_passes()->pull(c, first, last);
    } else {
        carom_solid_slice_pull(c, first, last);
    }
}

/* two at a time, added up one by one */
void carom_solid_links_energy(const void *call, size_t first, size_t last, struct carom_sum *sum)
{
    const struct carom_solid_call *c = call;
    const struct carom_solid *s = c->solid;
    struct two p;
    for (size_t l = first; l < last; l += 2) {
        const bool single = l + 1 == last;
        load(s, c->q, &s->link[l], &s->link[single ? l : l + 1], &p);
        const struct carom_lane3 r = carom_pair_relative(&p.i, &p.j), bent = carom_pair_bent(&p.stiffness, r);
        const carom_lane energy =
            0.5 * p.stiffness.stiff * carom_lane_dot(p.stretch.gap, p.stretch.gap) + 2.0 * carom_lane_dot(r, bent);
        carom_sum_add(sum, energy[0]);
        if (!single)
            carom_sum_add(sum, energy[1]);
    }
}
