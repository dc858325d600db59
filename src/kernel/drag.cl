/* Damping by stiffness between the passes of a step of rattle, at the places where cells are: what the processor does
 * two links at a time (solid_rates.c) with numbers that it keeps of every link is worked out by both cells of a link
 * each time it is needed. Same formulas, same order: same bits. Compiled after acts.cl and rates.h, or in the plane
 * flat.h and rates_flat.h. */

/* a link at both ends, at a frozen configuration and in motion */
#if DIMENSION == 3
typedef struct carom_rates_space frozen_link;
typedef struct carom_rates_space_motion motion;

ALWAYS_INLINE struct carom_pair_side side_of(size_t n, uint i, __global const double *q)
{
    return (struct carom_pair_side){{q[PLACE(i, 0)], q[PLACE(i, 1)], q[PLACE(i, 2)]},
                                    q[PLACE(i, 3)],
                                    {q[PLACE(i, 4)], q[PLACE(i, 5)], q[PLACE(i, 6)]}};
}

ALWAYS_INLINE void freeze(size_t n, uint i, uint j, const struct shape *s, __global const double *q, frozen_link *p)
{
    const struct carom_pair_side a = side_of(n, i, q), b = side_of(n, j, q);
    const struct carom_pair_form form = {{s->apart[0], s->apart[1], s->apart[2]},
                                         {s->arm[0], s->arm[1], s->arm[2]},
                                         {s->part[0], s->part[1]}};
    struct carom_pair_stiffness stiffness = {s->stiff};
    for (int k = 0; k < 6; k++)
        stiffness.bend[k] = s->bend[k];
    carom_rates_space_frozen(&a, &b, &form, &stiffness, p);
}

ALWAYS_INLINE motion motion_of(size_t n, uint i, __global const double *w)
{
    return (motion){{w[PACE(i, 0)], w[PACE(i, 1)], w[PACE(i, 2)]}, {w[PACE(i, 3)], w[PACE(i, 4)], w[PACE(i, 5)]}};
}

ALWAYS_INLINE double rate(const motion *i, const motion *j, frozen_link *p)
{
    return carom_rates_space_rate(i, j, p, &p->gap);
}

ALWAYS_INLINE double tug(const motion *i, const motion *j, const frozen_link *p, const struct shape *s, double press,
                         double one[SPEEDS], double two[SPEEDS])
{
    return carom_rates_space_pull(p, carom_lane_less(j->spin, i->spin), s->stiff, press, one, two);
}
#else
typedef struct carom_rates_flat frozen_link;
typedef struct carom_rates_flat_motion motion;

ALWAYS_INLINE struct carom_flat_side side_of(size_t n, uint i, __global const double *q)
{
    return (struct carom_flat_side){q[PLACE(i, 0)], q[PLACE(i, 1)], q[PLACE(i, 2)], q[PLACE(i, 3)]};
}

ALWAYS_INLINE void freeze(size_t n, uint i, uint j, const struct shape *s, __global const double *q, frozen_link *p)
{
    const struct carom_flat_side a = side_of(n, i, q), b = side_of(n, j, q);
    const struct carom_flat_form form = {s->apart[0], s->apart[1], s->arm[0], s->arm[1], {s->part[0], s->part[1]},
                                         s->stiff, s->bend[0]};
    carom_rates_flat_frozen(&a, &b, &form, p);
}

ALWAYS_INLINE motion motion_of(size_t n, uint i, __global const double *w)
{
    return (motion){{w[PACE(i, 0)], w[PACE(i, 1)]}, w[PACE(i, 2)]};
}

ALWAYS_INLINE double rate(const motion *i, const motion *j, frozen_link *p)
{
    return carom_rates_flat_rate(i, j, p, p->gap);
}

ALWAYS_INLINE double tug(const motion *i, const motion *j, const frozen_link *p, const struct shape *s, double press,
                         double one[SPEEDS], double two[SPEEDS])
{
    return carom_rates_flat_pull(p, j->spin - i->spin, s->stiff, s->bend[0], press, one, two);
}
#endif

/* Link k of cell i, its own or one that comes in; returns the rate of Du . n. */
ALWAYS_INLINE double join_rates(size_t n, uint i, uint k, bool own, const struct shape *s,
                                __global const struct end *end, __global const double *q, __global const double *w,
                                frozen_link *p, motion m[2])
{
    const uint other = end[k].other;
    freeze(n, own ? i : other, own ? other : i, s, q, p);
    m[0] = motion_of(n, own ? i : other, w);
    m[1] = motion_of(n, own ? other : i, w);
    return rate(&m[0], &m[1], p);
}

/* velocities with spins in space axes */
__kernel void turn_over(const ulong n, __global const double *q, __global const double *v, __global const uint *sort,
                        __global const struct sort *sorts, __global double *w)
{
    const size_t i = get_global_id(0);
    if (i >= n || get_global_id(1) > 0)
        return;
    const struct mover m = mover_of(n, i, 0, q, v, 0, &sorts[sort[i]]);
    double out[SPEEDS];
    for (int k = 0; k < SPEEDS; k++)
        out[k] = m.u[k];
#if DIMENSION == 3
    carom_hinge_spin(m.inverse, m.axes, m.u + 3, out + 3);
#else
    out[2] = m.u[2] * m.inverse[2];
#endif
    for (int k = 0; k < SPEEDS; k++)
        w[PACE(i, k)] = out[k];
}

/* Pressures that go with rates of dilatations, and their powers. Links that come in, then the own ones. */
__kernel void swell_rates(const ulong n, const ulong nshapes, __global const double *q, __global const double *w,
                          __global const uint *start, __global const struct end *end, __global const double *made,
                          __global const uint *sort, __global const struct sort *sorts, __global double *push,
                          __global double *loss)
{
    const size_t i = get_global_id(0);
    if (i >= n || get_global_id(1) > 0)
        return;
    double sum = 0.0, own_sum = 0.0;
    for (uint k = start[2 * i]; k < start[2 * i + 2]; k++) {
        const bool own = k >= start[2 * i + 1];
        const struct shape s = shape_of(nshapes, end[k].shape, made);
        frozen_link p;
        motion m[2];
        const double open = join_rates(n, i, k, own, &s, end, q, w, &p, m);
        if (own)
            own_sum += s.part[0] * open;
        else
            sum += s.part[1] * open;
    }
    sum += own_sum;
    push[i] = sorts[sort[i]].factor * sum;
    loss[i] = push[i] * sum;
}

/* The drag, times factor, onto the velocities with which the half of the step began (`from`); powers. */
__kernel void drag(const ulong n, const ulong nshapes, const double factor, const double still, const double still_turn,
                   const int holds, const int pad, __global const double *q, __global const double *w,
                   __global const uint *start, __global const struct end *end, __global const double *made,
                   __global const double *push, __global const uint *sort, __global const struct sort *sorts,
                   __global const uchar *held, __global const double *from, __global double *v, __global double *drags,
                   __global double *loss)
{
    const size_t i = get_global_id(0);
    if (i >= n || get_global_id(1) > 0)
        return;
    double f[SPEEDS], on[SPEEDS], power = 0.0;
    for (int e = 0; e < SPEEDS; e++)
        f[e] = on[e] = 0.0;
    for (uint k = start[2 * i]; k < start[2 * i + 2]; k++) {
        const bool own = k >= start[2 * i + 1];
        const uint other = end[k].other;
        const struct shape s = shape_of(nshapes, end[k].shape, made);
        frozen_link p;
        motion m[2];
        double one[SPEEDS], two[SPEEDS];
        join_rates(n, i, k, own, &s, end, q, w, &p, m);
        const double press = s.part[0] * push[own ? i : other] + s.part[1] * push[own ? other : i];
        const double taken = tug(&m[0], &m[1], &p, &s, press, one, two);
        power += own ? taken : 0.0;
        for (int e = 0; e < SPEEDS; e++) {
            on[e] += own ? one[e] : 0.0;
            f[e] -= own ? 0.0 : two[e];
        }
    }
    struct mover m = mover_of(n, i, holds, q, from, held, &sorts[sort[i]]);
    const double light = factor * m.inverse_mass;
    for (int e = 0; e < SPEEDS; e++) {
        f[e] += on[e];
        drags[PACE(i, e)] = f[e];
        if (!carom_damp_holds(DIMENSION, m.held, e))
            m.u[e] = m.u[e] + (e < DIMENSION ? light : factor) * f[e];
    }
#if DIMENSION == 3
    if (m.held >> 3 != 0 && m.held >> 3 != 7)
        carom_hinge_balance(m.held >> 3, m.inverse, m.axes, m.u + 3);
#endif
    for (int e = 0; e < SPEEDS; e++)
        v[PACE(i, e)] = carom_still(m.u[e], e < DIMENSION ? still : still_turn);
    loss[i] += power;
}

/* Sums of so many rows at a time, by fours, as the processor adds up powers: four places for each. */
__kernel void add_fours(const ulong rows, const ulong batch, const ulong at, __global const double *term,
                        __global double *out)
{
    __local double power[128]; /* of the largest group */
    const size_t l = get_local_id(0), b = get_global_id(0) / 4, end = min((ulong)(b + 1) * batch, rows);
    power[l] = 0.0;
    for (size_t i = b * batch + get_global_id(0) % 4; i < end; i += 4)
        power[l] += term[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 4 == 0 && b * batch < rows)
        out[at + b] = (power[l] + power[l + 1]) + (power[l + 2] + power[l + 3]);
}
