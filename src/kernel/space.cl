/* Steps of rattle on bodies in space on a device, one place for each cell: what the processor does link by link
 * (solid_grid.c, solid_slice.c) and portion by portion (rattle_space.c) is done here in two passes: pressures; forces
 * with the kicks and the drift. Links are worked out by both their cells; numbers of one kind stand side by side for all
 * cells. Same formulas, same order: same bits. Compiled after lane.cl, lane3.h, brick.h, vec.h, quat.h, pair.h, turn.h,
 * hinge.h, still.h and body.cl, and after a line that says of all bodies
 *
 *     BOXES  1: they are boxes of one material, whose cells know their neighbours; 0: links have records */

#define GROUP 128 /* places that work together, whole portions of cells */

ALWAYS_INLINE struct carom_lane3 three(__global const double *x)
{
    return (struct carom_lane3){x[0], x[1], x[2]};
}

/* Numbers of one kind stand side by side for all cells, so that neighbours' come in one go. */
ALWAYS_INLINE struct carom_lane3 three_of(__global const double *x, uint n, uint i)
{
    return (struct carom_lane3){x[i], x[(size_t)n + i], x[2 * (size_t)n + i]};
}

#if BOXES

/* A link along an axis between cells i and j: how far it opens; and what it does to both, as in brick.h. */
ALWAYS_INLINE double open(const struct carom_brick *i, const struct carom_brick *j, int axis, const struct shape *s)
{
    struct carom_brick_bond b;
    carom_brick_join(i, j, axis, s->apart[axis], &b);
    return carom_brick_open(&b);
}

ALWAYS_INLINE void pull(const struct carom_brick *i, const struct carom_brick *j, double p_i, double p_j, int axis,
                        const struct shape *s, double one[6], double two[6])
{
    struct carom_brick_bond b;
    carom_brick_join(i, j, axis, s->apart[axis], &b);
    carom_brick_pull(i, j, &b, s->stiff, s->bend, s->part[0] * p_i + s->part[1] * p_j, one, two);
}

/* a double of cell i, or of the next one that there is */
ALWAYS_INLINE double some(__global const double *x, const struct step *t, long i)
{
    return x[clamp(i, 0L, (long)t->n - 1)];
}

ALWAYS_INLINE struct carom_brick look(__global const double *q, const struct step *t, long i)
{
    const size_t n = t->n;
    return (struct carom_brick){{some(q, t, i), some(q + n, t, i), some(q + 2 * n, t, i)},
                                some(q + 3 * n, t, i),
                                {some(q + 4 * n, t, i), some(q + 5 * n, t, i), some(q + 6 * n, t, i)}};
}

/* has a cell a neighbour before and after it along each axis, and how far off are those? */
struct around {
    long before[3], after[3];
    long stride[3];
};

ALWAYS_INLINE struct around around_of(const struct step *t, uint i)
{
    const uint nx = t->grid[0], ny = t->grid[1], nz = t->grid[2];
    const uint row = i / nx, x = i - row * nx, z = row / ny, y = row - z * ny;
    return (struct around){{x > 0, y > 0, z > 0}, {x + 1 < nx, y + 1 < ny, z + 1 < nz}, {1, nx, (long)nx * ny}};
}

/* What links along an axis add to the dilatation of a cell: one that comes in, and an own one. A cell without such a
 * link adds 0, which changes nothing, so that the way through it has no branches. */
ALWAYS_INLINE double swell_in(const struct step *t, uint i, const struct carom_brick *here, const struct around *r,
                               int axis, __global const double *q)
{
    const struct carom_brick there = look(q, t, i - r->stride[axis]);
    return select(0.0, t->axis[axis].part[1] * open(&there, here, axis, &t->axis[axis]), r->before[axis]);
}

ALWAYS_INLINE double swell_own(const struct step *t, uint i, const struct carom_brick *here, const struct around *r,
                                int axis, __global const double *q)
{
    const struct carom_brick there = look(q, t, i + r->stride[axis]);
    return select(0.0, t->axis[axis].part[0] * open(here, &there, axis, &t->axis[axis]), r->after[axis]);
}

/* Links that come in, in the order in which the processor meets them, then the own ones. */
ALWAYS_INLINE double dilate(const struct step *t, uint i, __global const double *q, double sum)
{
    const struct around r = around_of(t, i);
    const struct carom_brick here = look(q, t, i);
    double own = 0.0;
    sum += swell_in(t, i, &here, &r, 2, q);
    sum += swell_in(t, i, &here, &r, 1, q);
    sum += swell_in(t, i, &here, &r, 0, q);
    own += swell_own(t, i, &here, &r, 0, q);
    own += swell_own(t, i, &here, &r, 1, q);
    own += swell_own(t, i, &here, &r, 2, q);
    return sum + own;
}

/* the same of forces */
ALWAYS_INLINE void pull_in(const struct step *t, uint i, const struct carom_brick *here, const struct around *r,
                           int axis, __global const double *q, __global const double *pressure, double f[6])
{
    const long other = i - r->stride[axis];
    const struct carom_brick there = look(q, t, other);
    double one[6], two[6];
    pull(&there, here, some(pressure, t, other), some(pressure, t, i), axis, &t->axis[axis], one, two);
    for (int e = 0; e < 6; e++)
        f[e] -= select(0.0, two[e], r->before[axis]);
}

ALWAYS_INLINE void pull_own(const struct step *t, uint i, const struct carom_brick *here, const struct around *r,
                            int axis, __global const double *q, __global const double *pressure, double own[6])
{
    const long other = i + r->stride[axis];
    const struct carom_brick there = look(q, t, other);
    double one[6], two[6];
    pull(here, &there, some(pressure, t, i), some(pressure, t, other), axis, &t->axis[axis], one, two);
    for (int e = 0; e < 6; e++)
        own[e] += select(0.0, one[e], r->after[axis]);
}

/* what links do to cell i, onto f */
ALWAYS_INLINE void links(const struct step *t, uint i, __global const double *q, __global const double *pressure,
                         double f[6])
{
    const struct around r = around_of(t, i);
    const struct carom_brick here = look(q, t, i);
    double own[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    pull_in(t, i, &here, &r, 2, q, pressure, f);
    pull_in(t, i, &here, &r, 1, q, pressure, f);
    pull_in(t, i, &here, &r, 0, q, pressure, f);
    pull_own(t, i, &here, &r, 0, q, pressure, own);
    pull_own(t, i, &here, &r, 1, q, pressure, own);
    pull_own(t, i, &here, &r, 2, q, pressure, own);
    for (int e = 0; e < 6; e++)
        f[e] += own[e];
}

#else

ALWAYS_INLINE struct carom_pair_side look(__global const double *q, uint n, uint i)
{
    return (struct carom_pair_side){three_of(q, n, i), q[3 * (size_t)n + i], three_of(q + 4 * (size_t)n, n, i)};
}

/* a link with both its cells */
struct bond {
    struct carom_pair_side i, j;
    struct carom_pair_form form;
    struct carom_pair_stretch stretch;
};

ALWAYS_INLINE struct bond join(const struct carom_pair_side i, const struct carom_pair_side j, const struct shape *s)
{
    struct bond b = {i, j, {{s->apart[0], s->apart[1], s->apart[2]}, {s->arm[0], s->arm[1], s->arm[2]},
                            {s->part[0], s->part[1]}}};
    b.stretch = carom_pair_stretch_of(&b.i, &b.j, &b.form);
    return b;
}

/* what a link adds to the dilatation of cell i, whose own it is or not */
ALWAYS_INLINE double swell(bool own, const struct carom_pair_side here, const struct carom_pair_side other,
                    const struct shape *s)
{
    const struct bond b = own ? join(here, other, s) : join(other, here, s);
    return b.form.part[own ? 0 : 1] * carom_pair_open(&b.i, &b.j, &b.form, &b.stretch);
}

/* Links that come in, in the order in which the processor meets them, then the own ones. Records of both stand at
 * start[2 i] and start[2 i + 1]. */
ALWAYS_INLINE double dilate(const struct step *t, uint i, __global const double *q, __global const uint *start,
                            __global const struct end *end, __global const double *made, double sum)
{
    const struct carom_pair_side here = look(q, t->n, i);
    double own = 0.0;
    for (uint k = start[2 * i]; k < start[2 * i + 1]; k++) {
        const struct shape s = shape_of(t->nshapes, end[k].shape, made);
        sum += swell(false, here, look(q, t->n, end[k].other), &s);
    }
    for (uint k = start[2 * i + 1]; k < start[2 * i + 2]; k++) {
        const struct shape s = shape_of(t->nshapes, end[k].shape, made);
        own += swell(true, here, look(q, t->n, end[k].other), &s);
    }
    return sum + own;
}

ALWAYS_INLINE struct carom_pair_pull pull(const struct bond *b, const struct shape *s, double p_i, double p_j)
{
    struct carom_pair_stiffness stiffness = {s->stiff};
    for (int k = 0; k < 6; k++)
        stiffness.bend[k] = s->bend[k];
    return carom_pair_pull_of(&b->i, &b->j, &b->form, &stiffness, &b->stretch,
                              b->form.part[0] * p_i + b->form.part[1] * p_j);
}

/* a cell as its links see it */
struct seen {
    struct carom_pair_side side;
    double pressure;
};

ALWAYS_INLINE struct seen see(const struct step *t, __global const double *q, __global const double *pressure, uint i)
{
    return (struct seen){look(q, t->n, i), pressure[i]};
}

/* what a link that comes in does to a cell, and one of its own */
ALWAYS_INLINE void pull_in(const struct seen here, const struct seen other, const struct shape *s, double f[6])
{
    const struct bond b = join(other.side, here.side, s);
    const struct carom_pair_pull p = pull(&b, s, other.pressure, here.pressure);
    f[0] -= p.force.x;
    f[1] -= p.force.y;
    f[2] -= p.force.z;
    f[3] -= p.off_second.x;
    f[4] -= p.off_second.y;
    f[5] -= p.off_second.z;
}

ALWAYS_INLINE void pull_own(const struct seen here, const struct seen other, const struct shape *s, double f[6])
{
    const struct bond b = join(here.side, other.side, s);
    const struct carom_pair_pull p = pull(&b, s, here.pressure, other.pressure);
    f[0] += p.force.x;
    f[1] += p.force.y;
    f[2] += p.force.z;
    f[3] += p.on_first.x;
    f[4] += p.on_first.y;
    f[5] += p.on_first.z;
}

/* what links do to cell i, onto f */
ALWAYS_INLINE void links(const struct step *t, uint i, __global const double *q, __global const double *pressure,
                         __global const uint *start, __global const struct end *end, __global const double *made,
                         double f[6])
{
    const struct seen here = see(t, q, pressure, i);
    double own[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (uint k = start[2 * i]; k < start[2 * i + 1]; k++) {
        const struct shape s = shape_of(t->nshapes, end[k].shape, made);
        pull_in(here, see(t, q, pressure, end[k].other), &s, f);
    }
    for (uint k = start[2 * i + 1]; k < start[2 * i + 2]; k++) {
        const struct shape s = shape_of(t->nshapes, end[k].shape, made);
        pull_own(here, see(t, q, pressure, end[k].other), &s, own);
    }
    for (int k = 0; k < 6; k++)
        f[k] += own[k];
}

#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
press(const struct step t, __global const double *q, __global const uint *start, __global const struct end *end,
      __global const double *made, __global const uint *sort, __global const struct sort *sorts,
      __global const int *first, __global const struct push *push, __global double *pressure)
{
    const uint i = get_global_id(0);
    if (i >= t.n)
        return;
    const double sum = pushed(&t, i, first, push);
#if BOXES
    pressure[i] = dilate(&t, i, q, sum) * sorts[sort[i]].factor;
#else
    pressure[i] = dilate(&t, i, q, start, end, made, sum) * sorts[sort[i]].factor;
#endif
}

/* the axes that a cell does not turn about, while it turns about others */
ALWAYS_INLINE unsigned hinges(unsigned held)
{
    return held >> 3 == 7 ? 0 : held >> 3;
}

/* half a step of force, where nothing holds; turns are held if all are */
ALWAYS_INLINE void kick(unsigned held, double time, double light, const double inverse[3], const double axes[4],
                 const double f[6], double u[6])
{
    for (int k = 0; k < 6; k++)
        if (!(k >= 3 ? held >> 3 == 7 : held >> k & 1))
            u[k] = u[k] + (k < 3 ? light : time) * f[k];
    if (hinges(held) != 0)
        carom_hinge_balance(hinges(held), inverse, axes, u + 3);
}

/* By forces f: the second kick of the step that ends, the first kick and the way of the one that begins, or one of the two. Gives what
 * the turn of that step comes from, and the size of it. wrong: set where the motion is not finite. */
ALWAYS_INLINE double4 move(const struct step t, const uint i, const double f[6], __global const double *q0,
                           __global double *q1, __global double *v, __global const struct sort *s,
                           __global const uchar *held, __global int *wrong)
{
    double4 turns = (double4)(0.0);
    const size_t n = t.n;
    double u[6], sum = 0.0;
    for (int k = 0; k < 6; k++)
        u[k] = v[k * n + i];
    const unsigned mask = t.holds ? held[i] : 0;
    double at[4], inverse[3], frame[4], axes[4];
    for (int k = 0; k < 4; k++) {
        at[k] = q0[(3 + k) * n + i];
        frame[k] = s->frame[k];
        inverse[k % 3] = s->inverse_inertia[k % 3];
    }
    if (hinges(mask) != 0)
        carom_quat_product(at, frame, axes);
    if (t.ends)
        kick(mask, t.end, t.end * s->inverse_mass, inverse, axes, f, u);
    for (int k = 0; k < 6; k++)
        sum += fabs(u[k]);
    if (!(sum < INFINITY))
        *wrong = 1;
    if (t.begins) {
        kick(mask, t.begin, t.begin * s->inverse_mass, inverse, axes, f, u);
        for (int k = 0; k < 6; k++)
            u[k] = carom_still(u[k], t.still[k >= 3]);
        for (int k = 0; k < 3; k++)
            q1[k * n + i] = q0[k * n + i] + t.h * u[k];
        const struct carom_lane3 momentum = {u[3], u[4], u[5]};
        struct carom_turn q = {at[0], {at[1], at[2], at[3]}};
        if (t.framed)
            q = carom_turn_product(q, (struct carom_turn){frame[0], {frame[1], frame[2], frame[3]}});
        const struct carom_lane3 moment = carom_turn_back(q, momentum);
        const double x = carom_still(moment.x * (t.begin * s->inverse_inertia[0]), t.still[2]),
                     y = carom_still(moment.y * (t.begin * s->inverse_inertia[1]), t.still[2]),
                     z = carom_still(moment.z * (t.begin * s->inverse_inertia[2]), t.still[2]);
        turns = (double4)(x, y, z, fabs(x) + fabs(y) + fabs(z));
    }
    for (int k = 0; k < 6; k++)
        v[k * n + i] = u[k];
    return turns;
}

/* the turn of a cell with hinges; false: too fast */
ALWAYS_INLINE bool turn_hinged(size_t n, unsigned held, double h, __global const struct sort *s, __global const double *q0,
                        __global const double *v, __global double *q1)
{
    double at[4], next[4], inverse[3], frame[4], momentum[3];
    for (int k = 0; k < 4; k++) {
        at[k] = q0[(3 + k) * n];
        frame[k] = s->frame[k];
        inverse[k % 3] = s->inverse_inertia[k % 3];
        momentum[k % 3] = v[(3 + k % 3) * n];
    }
    const bool good = carom_hinge_step(hinges(held), inverse, frame, h, at, momentum, next);
    for (int k = 0; k < 4; k++)
        q1[(3 + k) * n] = next[k];
    return good;
}

/* The turn of cell i. largest: size of any in its portion; lopsided: of the portion. wrong: set where a cell turns beyond
 * the bound, which is the processor's to do. */
ALWAYS_INLINE void turn(const struct step t, const uint i, const double4 own, const double largest, const double lopsided,
                 __global const double *q0, __global double *q1, __global const double *v, __global const struct sort *s,
                 __global const uchar *held, __global int *wrong)
{
    const size_t n = t.n;
    const struct carom_lane3 a = {own.x, own.y, own.z};
    struct carom_turn q = {q0[3 * n + i], three_of(q0 + 4 * n, n, i)}, e;
    if (!(own.w <= 0.5 * CAROM_TURN_BOUND))
        *wrong = 1;
    if (t.holds && hinges(held[i]) != 0) {
        if (!turn_hinged(n, held[i], t.h, s, q0 + i, v + i, q1 + i))
            *wrong = 1;
        return;
    }
    if (own.w > 0.0 && own.w <= 0.5 * CAROM_TURN_BOUND) {
        if (carom_turn_is_small(largest, lopsided)) {
            e = carom_turn_small_step(a);
        } else if (largest <= 0.5 * CAROM_TURN_BOUND) { /* else another cell is wrong */
            const int rounds = carom_turn_rounds(largest, lopsided);
            struct carom_lane3 y = a;
            for (int r = 0; r < rounds; r++)
                y = carom_turn_round(a, three(s->skew), y);
            e = carom_turn_step(y);
        } else {
            return;
        }
        if (t.framed) {
            const struct carom_turn frame = {s->frame[0], three(s->frame + 1)};
            e.w = carom_turn_forth(frame, e.w);
        }
        q = carom_turn_on(q, e);
    }
    q1[3 * n + i] = q.a;
    q1[4 * n + i] = q.w.x;
    q1[5 * n + i] = q.w.y;
    q1[6 * n + i] = q.w.z;
}

/* Kicks, way and turns of a step. lopsided: of each portion of cells. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
advance(const struct step t, __global const double *q0, __global double *q1, __global double *v,
        __global const double *pressure, __global const uint *start, __global const struct end *end,
        __global const double *made, __global const uint *sort, __global const struct sort *sorts,
        __global const uchar *held, __global const int *first, __global const struct push *push,
        __global const double *lopsided, __global double *force, __global int *wrong)
{
    __local double size[GROUP];
    const uint here = get_local_id(0), i = get_global_id(0);
    __global const struct sort *s = &sorts[i < t.n ? sort[i] : 0];
    double4 own = (double4)(0.0);
    double f[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, largest = 0.0;
    if (i < t.n && t.forces != TAKEN) {
        load(&t, i, s->mass, first, push, 3, f);
#if BOXES
        links(&t, i, q0, pressure, f);
#else
        links(&t, i, q0, pressure, start, end, made, f);
#endif
    }
    for (int k = 0; k < 6 && i < t.n && t.forces != 0; k++)
        if (t.forces == KEPT)
            force[k * (size_t)t.n + i] = f[k];
        else
            f[k] = force[k * (size_t)t.n + i];
    if (i < t.n)
        own = move(t, i, f, q0, q1, v, s, held, wrong);
    size[here] = own.w;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = here - here % CAROM_TURN_PORTION, last = k + CAROM_TURN_PORTION; k < last; k++)
        largest = size[k] > largest ? size[k] : largest;
    if (i < t.n && t.begins)
        turn(t, i, own, largest, lopsided[i / CAROM_TURN_PORTION], q0, q1, v, s, held, wrong);
}

/* from cell by cell, as the processor has it, to kind by kind; and back */
__kernel void lay_out(const ulong n, const int wide, __global const double *from, __global double *to)
{
    const size_t i = get_global_id(0);
    for (int k = 0; k < wide && i < n; k++)
        to[k * n + i] = from[wide * i + k];
}

__kernel void lay_back(const ulong n, const int wide, __global const double *from, __global double *to)
{
    const size_t i = get_global_id(0);
    for (int k = 0; k < wide && i < n; k++)
        to[wide * i + k] = from[k * n + i];
}
