/* Steps of rattle on plane bodies whose links have records where the processor plays a device: blocks of cells, as the
 * processor goes through them (solid_flat.c). Same formulas, same order: same bits. Compiled after flat.h, between
 * wide.cl and narrow.cl, glide.cl and block.cl. */

/* four links with their cells */
struct bond {
    struct carom_flat_form_of_four form;
    struct carom_flat_bond_of_four bond;
};

ALWAYS_INLINE struct carom_flat_side_of_four look(__global const double4 *q, uint4 i)
{
    double4 row[4], x[4];
    EACH(l) row[l] = q[i[l]];
    swap(row, x);
    return (struct carom_flat_side_of_four){x[0], x[1], x[2], x[3]};
}

ALWAYS_INLINE struct bond join(const struct step *t, const struct four *l, __global const double4 *q,
                               __global const double *made)
{
    const size_t n = t->nshapes;
    const struct carom_flat_side_of_four i = look(q, l->own), j = look(q, l->other);
    struct bond b = {{made_at(made, l->shape),
                      made_at(made + n, l->shape),
                      made_at(made + 3 * n, l->shape),
                      made_at(made + 4 * n, l->shape),
                      {made_at(made + 7 * n, l->shape), made_at(made + 8 * n, l->shape)},
                      made_at(made + 6 * n, l->shape),
                      made_at(made + 9 * n, l->shape)}};
    carom_flat_join(&i, &j, &b.form, &b.bond);
    return b;
}

/* what links do to both their cells, as far as these are in the block */
ALWAYS_INLINE void dilate(const struct step *t, const struct four *l, struct block b, __global const double4 *q,
                          __global const double *made, __global double *sum)
{
    const struct bond s = join(t, l, q, made);
    const double4 one = s.form.part[0] * s.bond.open, two = s.form.part[1] * s.bond.open;
    for (uint k = 0; k < l->count; k++) {
        if (has(b, l->own[k]))
            sum[l->own[k]] += one[k];
        if (has(b, l->other[k]))
            sum[l->other[k]] += two[k];
    }
}

ALWAYS_INLINE void pull(const struct step *t, const struct four *l, struct block b, __global const double4 *q,
                        __global const double *made, __global const double *pressure, __global double *force)
{
    const struct bond s = join(t, l, q, made);
    const double4 press = s.form.part[0] * at(pressure, l->own) + s.form.part[1] * at(pressure, l->other);
    const struct carom_flat_pull_of_four p = carom_flat_pull_of(&s.bond, &s.form, press);
    for (uint k = 0; k < l->count; k++) {
        __global double *f = force + 3 * (size_t)l->own[k];
        if (has(b, l->own[k])) {
            f[0] += p.force_x[k];
            f[1] += p.force_y[k];
            f[2] += p.on_first[k];
        }
        f = force + 3 * (size_t)l->other[k];
        if (has(b, l->other[k])) {
            f[0] -= p.force_x[k];
            f[1] -= p.force_y[k];
            f[2] += p.on_second[k];
        }
    }
}

/* pressures of a block's cells */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
press(const struct step t, __global const double4 *q, __global const uint *start, __global const uint *end,
      __global const double *made, __global const uint *sort, __global const struct sort *sorts,
      __global const int *first, __global const struct push *push, __global double *pressure, __global double *apart)
{
    const struct block b = block_of(&t);
    const struct links r = links_of(&t, b, start);
    for (uint i = b.first; i < b.last; i++)
        pressure[i] = pushed(&t, i, first, push);
    for (uint k = r.early; k < r.last; k += 4) {
        const struct four l = four_of(&t, end, k, r.last);
        if (k >= r.first || any(&l, b))
            dilate(&t, &l, b, q, made, pressure);
    }
    for (uint i = b.first; i < b.last; i++)
        pressure[i] *= sorts[sort[i]].factor;
}

/* Forces of a block's cells, then kicks, way and turns of a step. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
advance(const struct step t, __global const double4 *q0, __global double4 *q1, __global double *v,
        __global const double *pressure, __global const uint *start, __global const uint *end,
        __global const double *made, __global const uint *sort, __global const struct sort *sorts,
        __global const uchar *held, __global const int *first, __global const struct push *push,
        __global const double *lopsided, __global double *force, __global int *wrong, __global double *apart)
{
    const struct stride stride = {t.end, t.begin, t.h, {t.still[0], t.still[1]}, t.holds};
    const struct block b = block_of(&t);
    const struct links r = links_of(&t, b, start);
    if (t.forces != TAKEN)
        load_block(&t, b, sort, sorts, first, push, 2, force);
    for (uint k = r.early; k < r.last && t.forces != TAKEN; k += 4) {
        const struct four l = four_of(&t, end, k, r.last);
        if (k >= r.first || any(&l, b))
            pull(&t, &l, b, q0, made, pressure, force);
    }
    for (uint i = b.first; i < b.last; i++) {
        const double f[3] = {force[3 * (size_t)i], force[3 * (size_t)i + 1], force[3 * (size_t)i + 2]};
        glide(stride, i, f, q0, q1, v, &sorts[sort[i]], held, wrong);
    }
}
