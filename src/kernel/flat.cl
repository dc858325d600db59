/* Steps of rattle on plane bodies whose links have records on a device, one place for each cell: what the
 * processor does link by link (solid_flat.c) and cell by cell (rattle_motion.c) is done here in two passes, as space.cl
 * has them. Same formulas, same order: same bits. Compiled after lane.cl, flat.h, glide.cl and body.cl. */
#define GROUP 128

ALWAYS_INLINE struct carom_flat_side look(__global const double4 *q, uint i)
{
    const double4 at = q[i];
    return (struct carom_flat_side){at.x, at.y, at.z, at.w};
}

ALWAYS_INLINE struct carom_flat_form form_of(const struct step *t, uint number, __global const double *made)
{
    const struct shape s = shape_of(t->nshapes, number, made);
    return (struct carom_flat_form){s.apart[0], s.apart[1], s.arm[0], s.arm[1], {s.part[0], s.part[1]}, s.stiff,
                                    s.bend[0]};
}

/* Links that come in, then the own ones, as the processor meets them. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
press(const struct step t, __global const double4 *q, __global const uint *start, __global const struct end *end,
      __global const double *made, __global const uint *sort, __global const struct sort *sorts,
      __global const int *first, __global const struct push *push, __global double *pressure)
{
    const uint i = get_global_id(0);
    if (i >= t.n)
        return;
    const struct carom_flat_side here = look(q, i);
    double sum = pushed(&t, i, first, push);
    for (uint k = start[2 * i]; k < start[2 * i + 2]; k++) {
        const bool own = k >= start[2 * i + 1];
        const struct carom_flat_side there = look(q, end[k].other);
        const struct carom_flat_form form = form_of(&t, end[k].shape, made);
        struct carom_flat_bond b;
        carom_flat_join(own ? &here : &there, own ? &there : &here, &form, &b);
        sum += form.part[own ? 0 : 1] * b.open;
    }
    pressure[i] = sum * sorts[sort[i]].factor;
}

/* weight, loads and links of cell i */
ALWAYS_INLINE void act(const struct step *t, uint i, double mass, __global const double4 *q,
                       __global const double *pressure, __global const uint *start, __global const struct end *end,
                       __global const double *made, __global const int *first, __global const struct push *push,
                       double f[3])
{
    const struct carom_flat_side here = look(q, i);
    load(t, i, mass, first, push, 2, f);
    for (uint k = start[2 * i]; k < start[2 * i + 2]; k++) {
        const bool own = k >= start[2 * i + 1];
        const uint other = end[k].other;
        const struct carom_flat_side there = look(q, other);
        const struct carom_flat_form form = form_of(t, end[k].shape, made);
        struct carom_flat_bond b;
        carom_flat_join(own ? &here : &there, own ? &there : &here, &form, &b);
        const double press = form.part[0] * pressure[own ? i : other] + form.part[1] * pressure[own ? other : i];
        const struct carom_flat_pull p = carom_flat_pull_of(&b, &form, press);
        f[0] += own ? p.force_x : -p.force_x;
        f[1] += own ? p.force_y : -p.force_y;
        f[2] += own ? p.on_first : p.on_second;
    }
}

/* Kicks, way and turns of a step, as in space.cl. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
advance(const struct step t, __global const double4 *q0, __global double4 *q1, __global double *v,
        __global const double *pressure, __global const uint *start, __global const struct end *end,
        __global const double *made, __global const uint *sort, __global const struct sort *sorts,
        __global const uchar *held, __global const int *first, __global const struct push *push,
        __global const double *lopsided, __global double *force, __global int *wrong)
{
    const uint i = get_global_id(0);
    if (i >= t.n)
        return;
    __global const struct sort *s = &sorts[sort[i]];
    double f[3] = {0.0, 0.0, 0.0};
    if (t.forces != TAKEN)
        act(&t, i, s->mass, q0, pressure, start, end, made, first, push, f);
    for (size_t k = 0; k < 3 && t.forces != 0; k++)
        if (t.forces == TAKEN)
            f[k] = force[3 * (size_t)i + k];
        else
            force[3 * (size_t)i + k] = f[k];
    const struct stride stride = {t.end, t.begin, t.h, {t.still[0], t.still[1]}, t.holds};
    glide(stride, i, f, q0, q1, v, s, held, wrong);
}
