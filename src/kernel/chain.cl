/* Steps of verlet on rows of beads: one long row, a place for each bead (begin, leap; move and kick where contacts are
 * damped), or many short ones, a place for each row, which takes all steps of a call at once (runs). What the processor
 * does in src/scheme/compliant/verlet.c, in the same order: same bits. Compiled after lane.cl and press.h, and after
 * lines that say of all rows
 *
 *     LEFT, RIGHT  1: there is a wall at that end
 *     HERTZ        1: all contacts are k d^(3/2)
 *     DAMPED       1: some are damped
 *     ALIKE        1: all beads have the same mass, and contacts between the first and the last are the same
 *     N            beads of each of many rows; 0: one row
 *
 * and for many rows after abreast.cl.
 *
 * Numbers of rows side by side stand side by side: bead after bead, each of all rows. */

struct contact {
    double k, p, gamma, b, gap;
};

/* contact j of row c; alike ones have one row of numbers for the first, for those between, and for the last */
ALWAYS_INLINE struct contact contact_of(__global const double *made, size_t nc, size_t rows, size_t c, size_t j)
{
    const size_t kinds = ALIKE ? 3 : nc, at = ALIKE ? (j == 0 ? 0 : j + 1 == nc ? 2 : 1) : j;
    struct contact to;
    to.k = made[at * rows + c];
    to.gap = made[(kinds + at) * rows + c];
    to.p = HERTZ ? 1.5 : made[(2 * kinds + at) * rows + c];
    to.gamma = HERTZ ? 0.0 : made[(3 * kinds + at) * rows + c];
    to.b = HERTZ ? 0.0 : made[(4 * kinds + at) * rows + c];
    return to;
}

ALWAYS_INLINE double elastic(const struct contact c, double d)
{
    return HERTZ ? carom_kernel_hertz(c.k, d) : c.k * carom_kernel_power(d, c.p);
}

ALWAYS_INLINE double viscous(const struct contact c, double d)
{
    return carom_kernel_viscous_form(c.k, c.gamma, c.b, d);
}

/* the force as it acts, carom_contact_force_read */
ALWAYS_INLINE double acting(const struct contact c, double deform, double rate)
{
    const double d = carom_kernel_overlap(deform);
    return deform > 0.0 ? elastic(c, d) + carom_kernel_drag_form(c.k, c.gamma, c.b, d) * rate : 0.0;
}

/* numbers of the bodies on both sides of contact j of n beads, less one another; walls stand at 0 */
ALWAYS_INLINE double difference(size_t n, size_t j, double left, double right)
{
    return LEFT != 0 && j == 0 ? -right : RIGHT != 0 && j == n - 1 + LEFT ? left : left - right;
}

/* forces on both sides of bead i; ends without a wall have but one */
ALWAYS_INLINE double push(size_t n, size_t i, double left, double right)
{
    return LEFT == 0 && i == 0 ? -right : RIGHT == 0 && i + 1 == n ? left : left - right;
}

/* twice the mean force of a damped contact in a step, and what it loses */
ALWAYS_INLINE double impulse(const struct contact c, double h, double deform0, double deform1, double *lost)
{
    const double d0 = carom_kernel_overlap(deform0), d1 = carom_kernel_overlap(deform1);
    const double damper = viscous(c, d1) - viscous(c, d0);
    *lost += (deform1 - deform0) / h * damper;
    return elastic(c, d0) + elastic(c, d1) + damper / (0.5 * h);
}

#if N == 0

/* --- one long row ------------------------------------------------------------------------------------------------- */

enum { SWITCHED, WRONG };

struct row {
    double h;
    ulong n, nc;
    int ends; /* the last step of several: velocities are told, and what happened */
};

/* the force at contact j out of the places of both its bodies */
ALWAYS_INLINE double squeeze(const struct row t, __global const double *made, size_t j, double left, double right)
{
    const struct contact c = contact_of(made, t.nc, 1, 0, j);
    return elastic(c, carom_kernel_overlap(difference(t.n, j, left, right) - c.gap));
}

ALWAYS_INLINE double ease(const struct row t, __global const double *inverse, size_t i)
{
    return 0.5 * t.h * inverse[ALIKE ? 0 : i];
}

/* mid: velocities in the middle of the step that begins */
__kernel void begin(const struct row t, __global const double *made, __global const double *inverse,
                    __global const double *x, __global const double *v, __global double *mid)
{
    const size_t i = get_global_id(0);
    if (i >= t.n)
        return;
    const double left = i > 0 || LEFT ? squeeze(t, made, i + LEFT - 1, i > 0 ? x[i - 1] : 0.0, x[i]) : 0.0;
    const double right = i + 1 < t.n || RIGHT ? squeeze(t, made, i + LEFT, x[i], i + 1 < t.n ? x[i + 1] : 0.0) : 0.0;
    mid[i] = v[i] + push(t.n, i, left, right) * ease(t, inverse, i);
}

ALWAYS_INLINE double moved(const struct row t, __global const double *x, __global const double *mid, size_t i)
{
    return x[i] + t.h * mid[i];
}

/* did contact j open or close? */
ALWAYS_INLINE int switches(const struct row t, __global const double *made, __global const double *x, size_t j, double force)
{
    const double before = squeeze(t, made, j, j + 1 > LEFT ? x[j - LEFT] : 0.0, j + 1 < t.n + LEFT ? x[j + 1 - LEFT] : 0.0);
    return (before > 0.0) != (force > 0.0);
}

/* to the end of a step and, unless it ends there, to the middle of the next; to: velocities there */
__kernel void leap(const struct row t, __global const double *made, __global const double *inverse,
                   __global const double *x0, __global const double *mid, __global double *x1, __global double *to,
                   __global int *marks)
{
    const size_t i = get_global_id(0);
    if (i >= t.n)
        return;
    const double x = moved(t, x0, mid, i);
    const double left = i > 0 || LEFT ? squeeze(t, made, i + LEFT - 1, i > 0 ? moved(t, x0, mid, i - 1) : 0.0, x) : 0.0;
    const double right =
        i + 1 < t.n || RIGHT ? squeeze(t, made, i + LEFT, x, i + 1 < t.n ? moved(t, x0, mid, i + 1) : 0.0) : 0.0;
    const double kick = push(t.n, i, left, right) * ease(t, inverse, i), v = mid[i] + kick;
    x1[i] = x;
    to[i] = t.ends ? v : v + kick;
    if (!t.ends)
        return;
    if (!(fabs(v) < INFINITY))
        marks[WRONG] = 1;
    if (((i + 1 < t.n || RIGHT) && switches(t, made, x0, i + LEFT, right)) ||
        (i == 0 && LEFT && switches(t, made, x0, 0, left)))
        marks[SWITCHED] = 1;
}

/* whether bead i has a contact on its left (side 0) or right (1) */
ALWAYS_INLINE bool touched(const struct row t, size_t i, int side)
{
    return side == 0 ? LEFT != 0 || i > 0 : RIGHT != 0 || i + 1 < t.n;
}

/* the difference across that contact of what beads have; walls have 0 */
ALWAYS_INLINE double across(const struct row t, size_t i, int side, __global const double *x)
{
    const bool inner = side == 0 ? i > 0 : i + 1 < t.n;
    return difference(t.n, i + LEFT + side - 1, side == 1 || inner ? x[i + side - 1] : 0.0,
                      side == 0 || inner ? x[i + side] : 0.0);
}

/* damped: the first half of a step */
__kernel void move(const struct row t, __global const double *made, __global const double *inverse,
                   __global const double *x, __global const double *v, __global double *x1)
{
    const size_t i = get_global_id(0);
    if (i >= t.n)
        return;
    double force[2] = {0.0, 0.0};
    for (int side = 0; side < 2; side++) {
        if (!touched(t, i, side))
            continue;
        const struct contact c = contact_of(made, t.nc, 1, 0, i + LEFT + side - 1);
        force[side] = acting(c, across(t, i, side, x) - c.gap, across(t, i, side, v));
    }
    x1[i] = x[i] + t.h * (v[i] + push(t.n, i, force[0], force[1]) * ease(t, inverse, i));
}

/* damped: the second half; a bead sees to what the contact on its right loses, the first also to a wall's */
__kernel void kick(const struct row t, __global const double *made, __global const double *inverse,
                   __global const double *x0, __global const double *v0, __global const double *lost0,
                   __global const double *x1, __global double *v1, __global double *lost1, __global int *marks)
{
    const size_t i = get_global_id(0);
    if (i >= t.n)
        return;
    double both[2] = {0.0, 0.0};
    for (int side = 0; side < 2; side++) {
        const size_t j = i + LEFT + side - 1;
        if (!touched(t, i, side))
            continue;
        const struct contact c = contact_of(made, t.nc, 1, 0, j);
        const double before = across(t, i, side, x0) - c.gap, after = across(t, i, side, x1) - c.gap;
        double lost = lost0[j];
        both[side] = impulse(c, t.h, before, after, &lost);
        if (side == 1 || i == 0)
            lost1[j] = lost;
        if (t.ends && (before > 0.0) != (after > 0.0))
            marks[SWITCHED] = 1;
    }
    const double v = v0[i] + push(t.n, i, both[0], both[1]) * ease(t, inverse, i);
    v1[i] = v;
    if (t.ends && !(fabs(v) < INFINITY))
        marks[WRONG] = 1;
}

#else

/* --- many rows ---------------------------------------------------------------------------------------------------- */

#define NC (N - 1 + LEFT + RIGHT)

/* Short rows stay in registers, where loops are unrolled; those that would not fit stay where they are. */
#define SHORT 32
#if N <= SHORT
#define ROLL _Pragma("unroll")
#else
#define ROLL _Pragma("unroll 1")
#endif

/* what a row is worked on in: arrays of its own, or of all rows */
#if N <= SHORT
#define ROW(a, i) a##_own[i]
#else
#define ROW(a, i) a[(i) * rows + c]
#endif

/* `steps` steps of each row. next: room for places at the end of a step, where contacts are damped or
 * LOOKED. */
__kernel void runs(const ulong rows, const double h, const ulong steps, __global const double *made,
                   __global const double *inverse, __global double *x, __global double *v, __global double *lost,
                   __global double *next LOOKED_AT)
{
    const size_t c = get_global_id(0);
    if (c >= rows)
        return;
    bool switched = false;
#if N <= SHORT
    double x_own[N], v_own[N];
#if DAMPED || LOOKED
    double next_own[N];
#endif
    ROLL for (int i = 0; i < N; i++)
    {
        x_own[i] = x[i * rows + c];
        v_own[i] = v[i * rows + c];
    }
#endif
#if N <= SHORT && DAMPED
    double lost_own[NC];
    ROLL for (int j = 0; j < NC; j++)
        lost_own[j] = lost[j * rows + c];
#endif
#if ALIKE
    const struct contact first = contact_of(made, NC, rows, c, 0), inner = contact_of(made, 3, rows, c, 1),
                         last = contact_of(made, 3, rows, c, 2);
    const double half_mass = 0.5 * h * inverse[c];
#define CONTACT(j) ((j) == 0 ? first : (j) + 1 == NC ? last : inner)
#define EASE(i) half_mass
#else
#define CONTACT(j) contact_of(made, NC, rows, c, j)
#define EASE(i) (0.5 * h * inverse[(i) * rows + c])
#endif
#if !DAMPED && !LOOKED
    /* x, and velocities in the middle of steps. One sweep a step from left to right: a bead is moved, the contact on its
     * left squeezed, the bead beyond that kicked. The first sweep only finds the kicks to begin with. */
    for (ulong s = 0; s <= steps; s++) {
        double left = 0.0, behind = 0.0;
        ROLL for (int i = 0; i <= N; i++)
        {
            double here = 0.0, right = 0.0;
            if (i < N) {
                here = ROW(x, i);
                if (s > 0)
                    here = ROW(x, i) = here + h * ROW(v, i);
            }
            if (i > 0 ? i < N || RIGHT : LEFT) {
                const struct contact at = CONTACT(i + LEFT - 1);
                right = elastic(at, carom_kernel_overlap(difference(N, i + LEFT - 1, behind, here) - at.gap));
            }
            if (i > 0) {
                const double kick = push(N, i - 1, left, right) * EASE(i - 1), now = ROW(v, i - 1) + kick;
                ROW(v, i - 1) = s == 0 || s == steps ? now : now + kick;
            }
            left = right;
            behind = here;
        }
    }
#else
    const ulong most = STEPS_OF_ROW;
    ulong s = 0;
    for (; s < most && !switched; s++) {
        double left = 0.0;
        ROLL for (int i = 0; i <= N; i++)
        {
            double right = 0.0;
            if (i > 0 ? i < N || RIGHT : LEFT) {
                const struct contact at = CONTACT(i + LEFT - 1);
                const int l = i > 0 ? i - 1 : 0, r = i < N ? i : 0;
                const double deform = difference(N, i + LEFT - 1, ROW(x, l), ROW(x, r)) - at.gap;
                right = DAMPED ? acting(at, deform, difference(N, i + LEFT - 1, ROW(v, l), ROW(v, r)))
                               : elastic(at, carom_kernel_overlap(deform));
            }
            if (i > 0) {
                const double mid = ROW(v, i - 1) + push(N, i - 1, left, right) * EASE(i - 1);
                ROW(next, i - 1) = ROW(x, i - 1) + h * mid;
                BEGAN(x0[(i - 1) * rows + c] = ROW(x, i - 1));
                BEGAN(v0[(i - 1) * rows + c] = ROW(v, i - 1));
                if (!DAMPED)
                    ROW(v, i - 1) = mid;
            }
            left = right;
        }
        ROLL for (int i = 0; i <= N; i++)
        {
            double right = 0.0;
            if (i > 0 ? i < N || RIGHT : LEFT) {
                const int j = i + LEFT - 1, l = i > 0 ? i - 1 : 0, r = i < N ? i : 0;
                const struct contact at = CONTACT(j);
                const double before = difference(N, j, ROW(x, l), ROW(x, r)) - at.gap,
                             after = difference(N, j, ROW(next, l), ROW(next, r)) - at.gap;
#if DAMPED
                double gone = ROW(lost, j);
                BEGAN(lost0[j * rows + c] = gone);
                right = impulse(at, h, before, after, &gone);
                ROW(lost, j) = gone;
                switched = switched || (LOOKED && (before > 0.0) != (after > 0.0));
#else
                right = elastic(at, carom_kernel_overlap(after));
                switched = switched || (elastic(at, carom_kernel_overlap(before)) > 0.0) != (right > 0.0);
#endif
            }
            if (i > 0)
                ROW(v, i - 1) = ROW(v, i - 1) + push(N, i - 1, left, right) * EASE(i - 1);
            left = right;
        }
        ROLL for (int i = 0; i < N; i++)
            ROW(x, i) = ROW(next, i);
    }
    TOOK(s, switched);
#endif
#if N <= SHORT
    ROLL for (int i = 0; i < N; i++)
    {
        x[i * rows + c] = x_own[i];
        v[i * rows + c] = v_own[i];
    }
#endif
#if N <= SHORT && DAMPED
    ROLL for (int j = 0; j < NC; j++)
        lost[j * rows + c] = lost_own[j];
#endif
}

#endif
