/* Steps of rattle on bodies in space, one place for each cell: what the processor does link by link (solid_grid.c,
 * solid_slice.c) and portion by portion (rattle_space.c) is done here in three passes: pressures; forces with the kicks
 * and the way of the centre; turns. Every link is worked out by both its cells. Same formulas, same order: same bits.
 * Compiled after lane.cl, lane3.h, vec.h, quat.h, pair.h, turn.h, hinge.h and still.h. */

/* as carom_solid_shape, and what carom_solid_sort tells a device */
struct shape {
    double apart[3], arm[3], stiff, part[2], bend[6];
};

struct sort {
    double mass, inverse_mass, factor, inverse_inertia[3], skew[3], frame[4];
};

/* one end of a link: the cell at the other end, and what the link is like */
struct end {
    uint other, shape;
};

/* of the body, and of the step that ends and the one that begins */
struct step {
    double gravity[3], still[3]; /* still: velocities, angular momenta, half turns below which cells are at rest */
    double end, begin, h; /* halves of the two, and the second as a whole */
    uint n, grid[3];      /* grid: cells along the axes of a box of one material; 0: links have records */
    int ends, begins, holds, loads, heavy, framed;
};

/* what a load does to a cell now */
struct push {
    double force[6], swell;
    int live, last; /* does it act at all; is it the last one of its cell? */
};

/* a link with both its cells */
struct bond {
    struct carom_pair_side i, j;
    struct carom_pair_form form;
    struct carom_pair_stretch stretch;
};

ALWAYS_INLINE struct carom_lane3 three(__global const double *x)
{
    return (struct carom_lane3){x[0], x[1], x[2]};
}

/* Numbers of one kind stand side by side for all cells, so that neighbours' come in one go. */
ALWAYS_INLINE struct carom_lane3 three_of(__global const double *x, uint n, uint i)
{
    return (struct carom_lane3){x[i], x[(size_t)n + i], x[2 * (size_t)n + i]};
}

ALWAYS_INLINE struct carom_pair_side look(__global const double *q, uint n, uint i)
{
    return (struct carom_pair_side){three_of(q, n, i), q[3 * (size_t)n + i], three_of(q + 4 * (size_t)n, n, i)};
}

/* How many links come into cell i, or are its own; boxes say 3, some of which may not be there. Records of links stand
 * at start[2 i]: those that come in, in the order in which the processor meets them, then from start[2 i + 1] on its
 * own. */
ALWAYS_INLINE uint links_of(const struct step *t, uint i, bool own, __global const uint *start)
{
    return t->grid[0] > 0 ? 3 : start[2 * i + own + 1] - start[2 * i + own];
}

/* link k of them; it is not there if the other end is the cell itself */
ALWAYS_INLINE struct end link_at(const struct step *t, uint i, bool own, uint k, __global const uint *start,
                          __global const struct end *end)
{
    if (t->grid[0] == 0)
        return end[start[2 * i + own] + k];
    const uint nx = t->grid[0], ny = t->grid[1], axis = own ? k : 2 - k, row = i / nx;
    const uint at = axis == 0 ? i - row * nx : axis == 1 ? row % ny : row / ny;
    const uint stride = axis == 0 ? 1 : axis == 1 ? nx : nx * ny;
    const bool there = own ? at + 1 < t->grid[axis] : at > 0;
    return (struct end){!there ? i : own ? i + stride : i - stride, axis};
}

ALWAYS_INLINE struct bond join(const struct carom_pair_side i, const struct carom_pair_side j, __global const struct shape *s)
{
    struct bond b = {i, j, {three(s->apart), three(s->arm), {s->part[0], s->part[1]}}};
    b.stretch = carom_pair_stretch_of(&b.i, &b.j, &b.form);
    return b;
}

ALWAYS_INLINE double open(const struct bond *b)
{
    return carom_pair_open(&b->i, &b->j, &b->form, &b->stretch);
}

__kernel void press(const struct step t, __global const double *q, __global const uint *start,
                    __global const struct end *end, __global const struct shape *shape, __global const uint *sort,
                    __global const struct sort *sorts, __global const int *first, __global const struct push *push,
                    __global double *pressure)
{
    const uint i = get_global_id(0);
    if (i >= t.n)
        return;
    const struct carom_pair_side here = look(q, t.n, i);
    double sum = 0.0, own = 0.0;
    if (t.loads && first[i] >= 0)
        for (int e = first[i];; e++) {
            if (push[e].live & 2)
                sum += push[e].swell;
            if (push[e].last)
                break;
        }
    for (uint k = 0; k < links_of(&t, i, false, start); k++) {
        const struct end e = link_at(&t, i, false, k, start, end);
        if (e.other == i)
            continue;
        const struct bond b = join(look(q, t.n, e.other), here, &shape[e.shape]);
        sum += b.form.part[1] * open(&b);
    }
    for (uint k = 0; k < links_of(&t, i, true, start); k++) {
        const struct end e = link_at(&t, i, true, k, start, end);
        if (e.other == i)
            continue;
        const struct bond b = join(here, look(q, t.n, e.other), &shape[e.shape]);
        own += b.form.part[0] * open(&b);
    }
    pressure[i] = (sum + own) * sorts[sort[i]].factor;
}

ALWAYS_INLINE struct carom_pair_pull pull(const struct bond *b, __global const struct shape *s, double p_i, double p_j)
{
    struct carom_pair_stiffness stiffness = {s->stiff};
    for (int k = 0; k < 6; k++)
        stiffness.bend[k] = s->bend[k];
    return carom_pair_pull_of(&b->i, &b->j, &b->form, &stiffness, &b->stretch,
                              b->form.part[0] * p_i + b->form.part[1] * p_j);
}

/* what links do to cell i, onto f */
ALWAYS_INLINE void links(const struct step *t, uint i, __global const double *q, __global const double *pressure,
                  __global const uint *start, __global const struct end *end, __global const struct shape *shape,
                  double f[6])
{
    const struct carom_pair_side here = look(q, t->n, i);
    const double p_i = pressure[i];
    struct carom_lane3 force = {0.0, 0.0, 0.0}, torque = force;
    for (uint k = 0; k < links_of(t, i, false, start); k++) {
        const struct end e = link_at(t, i, false, k, start, end);
        if (e.other == i)
            continue;
        const struct bond b = join(look(q, t->n, e.other), here, &shape[e.shape]);
        const struct carom_pair_pull p = pull(&b, &shape[e.shape], pressure[e.other], p_i);
        f[0] -= p.force.x;
        f[1] -= p.force.y;
        f[2] -= p.force.z;
        f[3] -= p.off_second.x;
        f[4] -= p.off_second.y;
        f[5] -= p.off_second.z;
    }
    for (uint k = 0; k < links_of(t, i, true, start); k++) {
        const struct end e = link_at(t, i, true, k, start, end);
        if (e.other == i)
            continue;
        const struct bond b = join(here, look(q, t->n, e.other), &shape[e.shape]);
        const struct carom_pair_pull p = pull(&b, &shape[e.shape], p_i, pressure[e.other]);
        force = carom_lane_add(force, p.force);
        torque = carom_lane_add(torque, p.on_first);
    }
    f[0] += force.x;
    f[1] += force.y;
    f[2] += force.z;
    f[3] += torque.x;
    f[4] += torque.y;
    f[5] += torque.z;
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

/* The second kick of the step that ends, the first kick and the way of the one that begins, or one of the two. turns:
 * what the turn of that step comes from, and the size of it. wrong: set where the motion is not finite. */
__kernel void advance(const struct step t, __global const double *q0, __global double *q1, __global double *v,
                      __global const double *pressure, __global const uint *start, __global const struct end *end,
                      __global const struct shape *shape, __global const uint *sort, __global const struct sort *sorts,
                      __global const uchar *held, __global const int *first, __global const struct push *push,
                      __global double4 *turns, __global int *wrong)
{
    const uint i = get_global_id(0);
    if (i >= t.n)
        return;
    __global const struct sort *s = &sorts[sort[i]];
    const size_t n = t.n;
    double f[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, u[6], sum = 0.0;
    for (int k = 0; k < 3 && t.heavy; k++)
        f[k] = s->mass * t.gravity[k];
    if (t.loads && first[i] >= 0)
        for (int e = first[i];; e++) {
            for (int k = 0; k < 6 && (push[e].live & 1); k++)
                f[k] += push[e].force[k];
            if (push[e].last)
                break;
        }
    links(&t, i, q0, pressure, start, end, shape, f);
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
        turns[i] = (double4)(x, y, z, fabs(x) + fabs(y) + fabs(z));
    }
    for (int k = 0; k < 6; k++)
        v[k * n + i] = u[k];
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

/* Turns of the step that begins. lopsided: of each portion. wrong: set where a cell turns beyond the bound, which is
 * the processor's to do. */
__kernel void turn(const struct step t, __global const double *q0, __global double *q1, __global const double4 *turns,
                   __global const double *v, __global const double *lopsided, __global const uint *sort,
                   __global const struct sort *sorts, __global const uchar *held, __global int *wrong)
{
    const uint i = get_global_id(0);
    if (i >= t.n)
        return;
    const uint portion = i / CAROM_TURN_PORTION;
    const size_t n = t.n;
    const double4 own = turns[i];
    const struct carom_lane3 a = {own.x, own.y, own.z};
    __global const struct sort *s = &sorts[sort[i]];
    struct carom_turn q = {q0[3 * n + i], three_of(q0 + 4 * n, n, i)}, e;
    double largest = 0.0;
    if (!(own.w <= 0.5 * CAROM_TURN_BOUND))
        *wrong = 1;
    if (t.holds && hinges(held[i]) != 0) {
        if (!turn_hinged(n, held[i], t.h, s, q0 + i, v + i, q1 + i))
            *wrong = 1;
        return;
    }
    for (uint k = portion * CAROM_TURN_PORTION; k < (portion + 1) * CAROM_TURN_PORTION && k < t.n; k++)
        largest = turns[k].w > largest ? turns[k].w : largest;
    if (own.w > 0.0 && own.w <= 0.5 * CAROM_TURN_BOUND) {
        if (carom_turn_is_small(largest, lopsided[portion])) {
            e = carom_turn_small_step(a);
        } else if (largest <= 0.5 * CAROM_TURN_BOUND) { /* else another cell is wrong */
            const int rounds = carom_turn_rounds(largest, lopsided[portion]);
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

/* what the processor wants to know of loaded cells: where they are, and their pressures */
__kernel void sample(const ulong n, const ulong count, __global const double *q, __global const double *pressure,
                     __global const int *which, __global double *out)
{
    const uint e = get_global_id(0);
    if (e >= count)
        return;
    for (int k = 0; k < 7; k++)
        out[8 * e + k] = q[k * n + which[e]];
    out[8 * e + 7] = pressure[which[e]];
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
