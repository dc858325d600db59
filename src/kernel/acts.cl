/* What goes on between the passes of a step of rattle: what the processor hears and tells of some cells, damping by
 * mass, absorbing sides. Compiled after links.cl, hinge.h, sum.h and damp.h, and after a line that says of all bodies
 *
 *     DIMENSION  2: cells have (x, y, a, d) and three velocities; 3: seven numbers and six, those of one kind side by
 *                side for all cells */
#if DIMENSION == 2
#define NUMBERS 4
#define SPEEDS 3
#else
#define NUMBERS 7
#define SPEEDS 6
#endif
#if DIMENSION == 3
#define PLACE(i, k) ((k) * (size_t)n + (i))
#define PACE(i, k) ((k) * (size_t)n + (i))
#else
#define PLACE(i, k) (NUMBERS * (size_t)(i) + (k))
#define PACE(i, k) (SPEEDS * (size_t)(i) + (k))
#endif

/* as struct carom_solid_absorber */
struct side {
    uint cell, inner;
    double inward, mass, along, across, normal[3], turn[3];
};

/* what the processor wants to know of loaded cells: where they are, and their pressures */
__kernel void sample(const ulong n, const ulong count, __global const double *q, __global const double *pressure,
                     __global const int *which, __global double *out)
{
    const size_t e = get_global_id(0);
    if (e >= count || get_global_id(1) > 0)
        return;
    const size_t i = which[e];
    for (int k = 0; k < NUMBERS; k++)
        out[(NUMBERS + 1) * e + k] = q[PLACE(i, k)];
    out[(NUMBERS + 1) * e + NUMBERS] = pressure[i];
}

/* what acts on cells that are driven */
__kernel void feel(const ulong n, const ulong count, __global const int *which, __global const double *force,
                   __global double *out)
{
    const size_t e = get_global_id(0);
    if (e >= count || get_global_id(1) > 0)
        return;
    for (int k = 0; k < SPEEDS; k++)
        out[SPEEDS * e + k] = force[PACE(which[e], k)];
}

/* Where driven cells are and how they move; bits: which numbers are given. */
__kernel void drive(const ulong n, const ulong count, __global const int *which, __global const int *bits,
                    __global const double *given, __global double *q, __global double *v)
{
    const size_t e = get_global_id(0);
    if (e >= count || get_global_id(1) > 0)
        return;
    for (int k = 0; k < NUMBERS; k++)
        if (bits[e] >> k & 1)
            q[PLACE(which[e], k)] = given[(NUMBERS + SPEEDS) * e + k];
    for (int k = 0; k < SPEEDS; k++)
        if (bits[e] >> (NUMBERS + k) & 1)
            v[PACE(which[e], k)] = given[(NUMBERS + SPEEDS) * e + NUMBERS + k];
}

/* a cell as damping sees it */
struct mover {
    double u[SPEEDS], mass, inverse_mass, inverse[3], axes[4];
    unsigned held;
};

ALWAYS_INLINE struct mover mover_of(size_t n, uint i, int holds, __global const double *q, __global const double *v,
                                    __global const uchar *held, __global const struct sort *s)
{
    struct mover m;
    for (int k = 0; k < SPEEDS; k++)
        m.u[k] = v[PACE(i, k)];
    m.mass = s->mass;
    m.inverse_mass = s->inverse_mass;
    for (int k = 0; k < 3; k++)
        m.inverse[k] = s->inverse_inertia[k];
    m.held = holds ? held[i] : 0;
#if DIMENSION == 3
    double at[4], frame[4];
    for (int k = 0; k < 4; k++) {
        at[k] = q[PLACE(i, 3 + k)];
        frame[k] = s->frame[k];
    }
    carom_quat_product(at, frame, m.axes);
#else
    for (int k = 0; k < 4; k++)
        m.axes[k] = 0.0;
#endif
    return m;
}

/* Damping by mass; what it takes is told cell by cell: free motions and then, where some are held, given ones. */
__kernel void shrink(const ulong n, const int holds, const int pad, const double factor, __global const double *q,
                     __global double *v, __global const uchar *held, __global const uint *sort,
                     __global const struct sort *sorts, __global double *term)
{
    const size_t i = get_global_id(0);
    if (i >= n || get_global_id(1) > 0)
        return;
    struct mover m = mover_of(n, i, holds, q, v, held, &sorts[sort[i]]);
    double given;
    term[i] = carom_damp_shrink(DIMENSION, m.held, m.mass, m.inverse, m.axes, factor, m.u, &given);
    if (holds)
        term[n + i] = given;
    for (int k = 0; k < SPEEDS; k++)
        v[PACE(i, k)] = m.u[k];
}

/* Faces that have no cell in common, as the processor takes them one after the other; what each takes, by its turn. */
__kernel void absorb(const ulong n, const ulong from, const ulong count, const ulong all, const double h,
                     const int last, const int holds, __global const struct side *side, __global const uint *order,
                     __global const double *q, __global double *v, __global const uchar *held,
                     __global const uint *sort, __global const struct sort *sorts, __global double *term)
{
    const size_t e = get_global_id(0);
    if (e >= count || get_global_id(1) > 0)
        return;
    const uint number = order[from + e], turn = last ? all - 1 - number : number;
    const struct side a = side[number];
    struct mover own = mover_of(n, a.cell, holds, q, v, held, &sorts[sort[a.cell]]),
                 inner = mover_of(n, a.inner, holds, q, v, held, &sorts[sort[a.inner]]);
    double impulse[3];
    carom_damp_face(DIMENSION, a.mass, a.inward, a.normal, carom_damp_factor(a.across, h, last),
                    carom_damp_factor(a.along, h, last), own.u, inner.u, impulse);
    double lost = carom_damp_push(DIMENSION, own.held, own.mass, own.inverse_mass, impulse, 1.0 - a.inward, own.u);
    if (a.inward > 0.0) {
        lost = lost + carom_damp_push(DIMENSION, inner.held, inner.mass, inner.inverse_mass, impulse, a.inward, inner.u);
        for (int k = 0; k < DIMENSION; k++)
            v[PACE(a.inner, k)] = inner.u[k];
    }
    term[2 * turn] = lost;
    term[2 * turn + 1] = 0.0;
    if (carom_damp_turns(DIMENSION, own.held)) {
        double *momentum = own.u + DIMENSION;
        const double before = 0.5 * carom_damp_turning(DIMENSION, own.inverse, own.axes, momentum);
        for (int k = 0; k < SPEEDS - DIMENSION; k++)
            momentum[k] *= carom_damp_factor(a.turn[DIMENSION == 3 ? k : 2], h, last);
        term[2 * turn + 1] = before - 0.5 * carom_damp_turning(DIMENSION, own.inverse, own.axes, momentum);
    }
    for (int k = 0; k < SPEEDS; k++)
        v[PACE(a.cell, k)] = own.u[k];
}

/* Which numbers are added up: runs, of `batch` of all the `rows` and at last of what is left. The first begins at `from`,
 * they lie `apart`, and other kinds of numbers `kind` behind; sums go to `at`, `beside` each other, `kinds` behind. */
struct sums {
    ulong rows, batch, runs, from, apart, kind, at, beside, kinds;
};

/* A sum takes one number after the other, as the processor adds up, and numbers take long to come. So a group has a few
 * sums side by side, and while some of its places add up, the other half fetches what comes next. */
#define SUMS 8
#define FETCHED 64

__kernel void add_up(const struct sums t, __global const double *term, __global double *out)
{
    __local double fetched[2][SUMS][FETCHED + 1];
    const size_t l = get_local_id(0), fetchers = get_local_size(0) / 2, kind = get_global_id(1),
                 first = get_group_id(0) * SUMS;
    const bool adds = l < SUMS && first + l < t.runs;
    struct carom_sum sum = {0.0, 0.0};
    for (size_t from = 0, part = 0; from < t.batch + FETCHED; from += FETCHED, part = 1 - part) {
        for (size_t k = l - fetchers; l >= fetchers && k < FETCHED && from + k < t.batch; k += fetchers) {
            double next[SUMS];
            for (size_t s = 0; s < SUMS; s++) {
                const size_t run = first + s;
                const bool there = run < t.runs && run * t.batch + from + k < t.rows;
                next[s] = there ? term[t.from + kind * t.kind + run * t.apart + from + k] : 0.0;
            }
            for (size_t s = 0; s < SUMS; s++)
                fetched[part][s][k] = next[s];
        }
        const size_t begin = from - FETCHED; /* of what was fetched before */
        if (from > 0 && adds)
            for (size_t k = 0; k < FETCHED && begin + k < min(t.batch, t.rows - (first + l) * t.batch); k++)
                carom_sum_add(&sum, fetched[1 - part][l][k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (adds)
        out[t.at + (first + l) * t.beside + kind * t.kinds] = carom_sum_value(&sum);
}
