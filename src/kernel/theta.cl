/* Steps of theta on many short rows of beads, a place for each row, which takes all steps of a call at once. What the
 * processor does pass by pass (src/scheme/chain/theta_pass.c, theta_newton.c), in the same order: same bits. Rows are
 * folded as there: slot i holds beads i - 1 and N - i, the second mirrored, and contact i lies between slots i and i + 1.
 * Numbers that one operation gives are worked out again where they are needed rather than kept, as memory is dear.
 * Compiled after lane.cl, and after lines that say of all rows
 *
 *     N        beads
 *     DAMPED   1: some contacts are damped
 *     ALIKE    1: all beads have the same mass, and contacts between beads are the same
 *     GROUP    rows of a work group
 *
 * Numbers of rows side by side stand side by side: slot after slot, first the left and then the right side of all rows.
 */

#define HALF ((N + 1) / 2) /* slots of beads: 1 ... HALF */
#define LAST (N / 2)       /* slots of contacts: 0 ... LAST */
#define ODD (N % 2)        /* a bead in the middle is in both sides of its slot */
#define MOST 60

typedef double2 duo;

#define ROLL _Pragma("unroll 1")

/* What a row works on is kept in memory of its work group. */
#define KEEP(name, count)                    \
    __local duo name##_all[(count) * GROUP]; \
    __local duo *name = name##_all + get_local_id(0)
#define BEAD(name, i) name[((i) - 1) * GROUP]
#define FORCE(name, i) name[(i) * GROUP]

ALWAYS_INLINE duo load(__global const double *from, size_t rows, size_t c, int slot)
{
    return (duo)(from[(2 * slot) * rows + c], from[(2 * slot + 1) * rows + c]);
}

ALWAYS_INLINE void store(__global double *to, size_t rows, size_t c, int slot, duo value)
{
    to[(2 * slot) * rows + c] = value.x;
    to[(2 * slot + 1) * rows + c] = value.y;
}

ALWAYS_INLINE duo positive(duo a)
{
    return (duo)(a.x > 0.0 ? a.x : 0.0, a.y > 0.0 ? a.y : 0.0);
}

ALWAYS_INLINE duo root_of(duo a)
{
    return (duo)(sqrt(a.x), sqrt(a.y));
}

/* sizes as integers: a NaN is larger than any number and stays */
ALWAYS_INLINE ulong larger(ulong so_far, double a)
{
    const ulong size = as_ulong(fabs(a));
    return size > so_far ? size : so_far;
}

ALWAYS_INLINE double largest(double so_far, duo a)
{
    const double x = fabs(a.x), y = fabs(a.y), one = x > so_far ? x : so_far;
    return y > one ? y : one;
}

struct contact {
    duo k, gap, gamma, lag;
};

ALWAYS_INLINE struct contact contact_of(__global const double *made, size_t rows, size_t c, int slot, double h)
{
    enum { SLOTS = ALIKE ? 2 : LAST + 1 };
    struct contact to = {load(made, rows, c, slot), load(made, rows, c, SLOTS + slot),
                         DAMPED ? load(made, rows, c, 2 * SLOTS + slot) : (duo)(0.0, 0.0)};
    to.lag = 0.5 * (h + to.gamma);
    return to;
}

/* the minimum along an update lies between a part `low` of it, where it goes down, and a part `high`, where it goes up */
struct search {
    double low, high, down, up, start, taken;
};

/* Notes the slope where the search has arrived; false if that is near enough. `back` is what to give back next. */
ALWAYS_INLINE bool narrow(struct search *s, double slope, int look, double *back)
{
    if (look == 0)
        s->start = slope;
    if (slope >= 0.0) {
        s->low = s->taken;
        s->down = slope;
    } else {
        s->high = s->taken;
        s->up = slope;
    }
    const double at = s->low + (s->high - s->low) * (s->down / (s->down - s->up));
    const double next = look % 2 != 1 && at > s->low && at < s->high ? at : 0.5 * (s->low + s->high);
    if (look > 0 && slope > -0.1 * s->start && slope < 0.5 * s->start)
        return false;
    *back = s->taken - next;
    s->taken = next;
    return true;
}

#if ALIKE
#define CONTACT(i) ((i) == 0 ? wall : inner)
#define MASS(i) heavy
#define LIGHT(i) light
#else
#define CONTACT(i) contact_of(made, rows, c, i, h)
#define MASS(i) load(mass, rows, c, (i) - 1)
#define LIGHT(i) load(mass, rows, c, HALF + (i) - 1)
#endif

/* beads are in slots 1 ... HALF */
#define X(i) BEAD(x, i)
#define V(i) BEAD(v, i)
#define U(i) BEAD(u, i)
#define UPDATE(i) BEAD(update, i)
#define RATIO(i) BEAD(ratio, i)
#define ELASTIC(i) FORCE(elastic, i)
#define NEXT(i) FORCE(next, i) /* after the prediction; until then forces at the start of the last step */
#define TRIAL(i) ((X(i) + h * V(i)) + U(i))

/* beyond slot i: the next one, or what is across the middle */
#define BEYOND(what, i) ((i) < HALF ? what((i) < HALF ? (i) + 1 : HALF) : -what(HALF).yx)

/* `steps` steps of each row. last: size of the last step, 0 if there was none, NaN once a step could not be solved. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void runs(const ulong rows, const double h, const ulong steps, __global const double *made,
                   __global const double *mass, __global const double *length, __global double *places,
                   __global double *velocities, __global double *lost, __global double *earlier, __global double *last)
{
    const size_t c = get_global_id(0);
    KEEP(x, HALF);
    KEEP(v, HALF);
    KEEP(u, HALF);
    KEEP(update, HALF);
    KEEP(ratio, HALF);
    KEEP(elastic, LAST + 1);
    KEEP(next, LAST + 1);
    if (c >= rows || isnan(last[c]))
        return;
#if ALIKE
    const struct contact wall = contact_of(made, rows, c, 0, h), inner = contact_of(made, rows, c, 1, h);
    const duo heavy = load(mass, rows, c, 0), light = load(mass, rows, c, 1);
#endif
    const double scale = length[c], rate = 1.0 / h;
    double stretch = last[c] > 0.0 ? h / last[c] : 0.0;
    bool good = true;
    ROLL for (int i = 1; i <= HALF; i++)
    {
        X(i) = load(places, rows, c, i - 1);
        V(i) = load(velocities, rows, c, i - 1);
    }
    ROLL for (int i = 0; i <= LAST; i++)
    {
        const struct contact at = CONTACT(i);
        const duo here = i > 0 ? X(i > 0 ? i : 1) : (duo)(0.0, 0.0), d = positive(here - BEYOND(X, i) - at.gap);
        ELASTIC(i) = at.k * (d * root_of(d));
        NEXT(i) = load(earlier, rows, c, i);
    }
    for (ulong s = 0; s < steps && good; s++) {
        /* a first guess, by elastic forces extrapolated in time */
        duo flow = (duo)(0.0, 0.0), sum = flow;
        double reach = 0.0;
        ROLL for (int i = 0; i <= HALF; i++)
        {
            duo ahead = flow.yx;
            if (i <= LAST) {
                const duo force = ELASTIC(i), t = CONTACT(i).lag;
                const duo trend = positive(force + stretch * (force - NEXT(i)));
                ahead = t * (t * trend + (h - t) * force);
            }
            if (i > 0) {
                U(i) = (flow - ahead) * LIGHT(i);
                sum += 0.0 * (X(i) + h * V(i)); /* no longer 0 once one is not finite */
                reach = largest(reach, X(i));
            }
            flow = ahead;
        }
        /* Newton's method; a step is solved when its error is a millionth of what the prediction was off */
        double goal = 0.0, before = 0.0, worst = 0.0;
        bool live = true;
        for (int round = 0; live; round++) {
            ulong size = 0;
            duo behind = (duo)(0.0, 0.0), tail_mass = behind, tail_residual = behind, here = behind;
            ROLL for (int i = 0; i <= HALF; i++)
            {
                duo ahead = behind.yx, bond = (duo)(0.0, 0.0), there = (duo)(0.0, 0.0);
                if (i <= LAST) {
                    const struct contact at = CONTACT(i);
                    const duo t = at.lag;
                    there = BEYOND(TRIAL, i);
                    const duo d = positive(here - there - at.gap), root = root_of(d), force = at.k * (d * root);
                    ahead = t * (t * force + (h - t) * ELASTIC(i));
                    bond = t * t * (1.5 * at.k * root);
                    NEXT(i) = force;
                }
                if (i == 0)
                    tail_mass = bond;
                if (i > 0) { /* no difference of positive numbers is taken: stiff contacts cost no digits */
                    const duo m = MASS(i), r = m * U(i) - (behind - ahead), off = r * LIGHT(i);
                    const duo own = m + tail_mass, all = r + tail_residual;
                    size = larger(larger(size, off.x), off.y);
                    if (i < HALF) {
                        const duo inverse = 1.0 / ((m + bond) + tail_mass), part = all * inverse;
                        RATIO(i) = bond * inverse;
                        UPDATE(i) = part;
                        tail_mass = (own * bond) * inverse;
                        tail_residual = bond * part;
                    } else if (ODD) {
                        UPDATE(i) = (r + (tail_residual - tail_residual.yx)) / (m + (tail_mass + tail_mass.yx));
                    } else {
                        const duo across = bond * (1.0 / (own + bond)).yx;
                        UPDATE(i) = (all - across * all.yx) / (own + across * own.yx);
                    }
                }
                behind = ahead;
                here = there;
            }
            worst = as_double(size);
            if (round == 0) {
                goal = 1e-6 * (worst < 1e-4 * scale ? worst : 1e-4 * scale) + 1e-12 * scale;
                live = !(worst <= goal);
            }
            if (!live || round == MOST)
                break;
            before = worst;
            /* Newton's update */
            duo solved = (duo)(0.0, 0.0);
            double step = 0.0;
            ROLL for (int i = HALF; i > 0; i--)
            {
                solved = i < HALF ? UPDATE(i) + RATIO(i) * solved : UPDATE(i) + 0.0 * solved;
                UPDATE(i) = solved;
                U(i) = U(i) - solved;
                step = largest(step, solved);
            }
            /* where it leads; if beyond the minimum along it without helping much, only a part of it is taken */
            struct search search = {.high = 1.0};
            double back = 1.0;
            for (int look = -1; look < MOST; look++) {
                double slope = 0.0;
                size = 0;
                here = (duo)(0.0, 0.0);
                ROLL for (int i = 0; i <= HALF; i++)
                {
                    duo ahead = behind.yx, there = (duo)(0.0, 0.0);
                    if (i <= LAST) {
                        const struct contact at = CONTACT(i);
                        there = BEYOND(TRIAL, i);
                        const duo d = positive(here - there - at.gap), force = at.k * (d * root_of(d));
                        ahead = at.lag * (at.lag * force + (h - at.lag) * ELASTIC(i));
                        NEXT(i) = force;
                    }
                    if (i > 0) {
                        const duo r = MASS(i) * U(i) - (behind - ahead), off = r * LIGHT(i);
                        size = larger(larger(size, off.x), off.y);
                        slope += r.x * UPDATE(i).x;
                        if (i < HALF + 1 - ODD)
                            slope += r.y * UPDATE(i).y;
                    }
                    behind = ahead;
                    here = there;
                }
                worst = as_double(size);
                if (look < 0) {
                    live = !(worst <= goal) &&
                           (!(worst < INFINITY) || !(worst <= goal + 1e-15 * reach ||
                                                     step <= 1e-11 * scale + 4e-15 * reach));
                    if (!live || worst < 0.01 * before || slope >= 0.0)
                        break;
                    search.up = slope;
                } else if (!narrow(&search, slope, look, &back)) {
                    break;
                }
                if (look + 1 < MOST) {
                    ROLL for (int i = 1; i <= HALF; i++)
                        U(i) = U(i) + back * UPDATE(i);
                }
            }
        }
        good = !live && sum.x + sum.y == 0.0;
        /* the end of the step */
        duo behind = (duo)(0.0, 0.0), here = behind, was = behind;
        ROLL for (int i = 0; i <= HALF; i++)
        {
            duo ahead = behind.yx, there = here, next_was = was;
            if (i <= LAST) {
                const struct contact at = CONTACT(i);
                const duo force = NEXT(i), old = ELASTIC(i);
                there = BEYOND(TRIAL, i);
                next_was = BEYOND(X, i);
                ahead = at.lag * force + (h - at.lag) * old;
                if (DAMPED)
                    store(lost, rows, c, i,
                          load(lost, rows, c, i) + at.gamma * (force - old) * (((here - there) - (was - next_was)) * rate));
                ELASTIC(i) = force;
                NEXT(i) = old;
            }
            if (i > 0) {
                V(i) = V(i) + (behind - ahead) * LIGHT(i);
                X(i) = here;
            }
            behind = ahead;
            here = there;
            was = next_was;
        }
        stretch = 1.0;
    }
    ROLL for (int i = 1; i <= HALF; i++)
    {
        store(places, rows, c, i - 1, X(i));
        store(velocities, rows, c, i - 1, V(i));
    }
    ROLL for (int i = 0; i <= LAST; i++)
        store(earlier, rows, c, i, NEXT(i));
    last[c] = good ? h : NAN;
}
