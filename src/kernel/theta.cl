/* Steps of theta on many short rows of beads, which are folded: slot i holds beads i - 1 and N - i, the second mirrored,
 * and contact i lies between slots i and i + 1. What the processor does pass by pass (src/scheme/chain/theta_pass.c,
 * theta_newton.c), in the same order: same bits. A place takes all steps of a call at once. On cards two places work on
 * a row, each on one side of the fold; they meet in the middle, and where a row asks for a largest number or a sum. Rows
 * of a group go on together there until all of them are done, and those that are done wait, as places may only hand
 * numbers to each other where all come by. Where the processor plays a device a place has both sides.
 * Numbers that one operation gives are worked out again where they are needed rather than kept, as memory is dear.
 * Compiled after lane.cl and abreast.cl, and after lines that say of all rows
 *
 *     N        beads
 *     DAMPED   1: some contacts are damped
 *     ALIKE    1: all beads have the same mass, and contacts between beads are the same
 *     HELD     1: places, velocities and changes are in registers
 *     GROUP    places of a work group
 *
 * Numbers of rows side by side stand side by side: slot after slot, first the left and then the right side of all rows.
 */

#define HALF ((N + 1) / 2) /* slots of beads: 1 ... HALF */
#define LAST (N / 2)       /* slots of contacts: 0 ... LAST */
#define ODD (N % 2)        /* a bead in the middle is in both sides of its slot */
#define MOST 60

/* What a place works on is kept in memory of its work group or, HELD, in registers, where loops that read it are
 * unrolled. */
#if HELD
#define EACH _Pragma("unroll")
#define BEAD(name, i) name[(i) - 1]
#define HOLD(name, count) side name[count]
#else
#define EACH _Pragma("unroll 1")
#define BEAD(name, i) KEPT(name, (i) - 1)
#define HOLD KEEP
#endif
#define KEEP(name, count)                     \
    __local side name##_all[(count) * GROUP]; \
    __local side *const name = name##_all + get_local_id(0)
#define KEPT(name, i) name[(i) * GROUP]

/* sizes as integers: a NaN is larger than any number and stays */
ALWAYS_INLINE ulong larger(ulong so_far, double a)
{
    const ulong size = as_ulong(fabs(a));
    return size > so_far ? size : so_far;
}

ALWAYS_INLINE double more(double a, double b)
{
    return a > b ? a : b;
}

ALWAYS_INLINE double largest(double so_far, double a)
{
    const double size = fabs(a);
    return size > so_far ? size : so_far;
}

#if CARD

#define PLACES 2 /* that a row has */
typedef double side;
#define OF_SIDES(f, so_far, a) f(so_far, a)
#define ROOT_OF(a) sqrt(a)

/* How places of a group speak to each other, all of them each time: by turns in two and three parts of the memory, so
 * that nobody writes where another still reads. */
struct talk {
    __local double *number;
    __local int *flag;
    int handed, asked;
};
#define TALK(name)                                                \
    __local double name##_numbers[2 * GROUP];                     \
    __local int name##_flags[3];                                  \
    struct talk name = {name##_numbers, name##_flags, 0, 0};      \
    name##_flags[0] = 0;                                          \
    barrier(CLK_LOCAL_MEM_FENCE)

ALWAYS_INLINE side positive(side a)
{
    return a > 0.0 ? a : 0.0;
}

/* what the other side of the row has */
ALWAYS_INLINE double across(struct talk *t, double own)
{
    const size_t i = get_local_id(0);
    __local double *at = t->number + (t->handed++ % 2) * GROUP;
    at[i] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    return at[i ^ 1];
}
#define OTHER(t, a) across(t, a)

ALWAYS_INLINE double sum_of(struct talk *t, double a)
{
    return a + across(t, a);
}

/* is it so in any row of the group? */
ALWAYS_INLINE bool any_of(struct talk *t, bool is)
{
    __local int *flag = t->flag + t->asked % 3;
    t->flag[++t->asked % 3] = 0;
    if (is)
        *flag = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    return *flag;
}

ALWAYS_INLINE side load(__global const double *from, size_t rows, size_t c, int slot)
{
    return from[(2 * slot + get_local_id(0) % 2) * rows + c];
}

ALWAYS_INLINE void store(__global double *to, size_t rows, size_t c, int slot, side value)
{
    to[(2 * slot + get_local_id(0) % 2) * rows + c] = value;
}

/* does a contact close or open between these forces? */
ALWAYS_INLINE double turns(side old, side force)
{
    return (old > 0.0) != (force > 0.0) ? 1.0 : 0.0;
}

/* of a number in memory of the group, those of both sides */
#define LEFT(name, i) (name - get_local_id(0) % 2)[(i) * GROUP]
#define RIGHT(name, i) (name - get_local_id(0) % 2)[(i) * GROUP + 1]

#else

#define PLACES 1
typedef double2 side;
#define OF_SIDES(f, so_far, a) f(f(so_far, (a).x), (a).y)
#define ROOT_OF(a) root_of(a)
#define TALK(name) struct talk name = {0}
#define OTHER(t, a) (a) /* of what is one number for both sides */
#define LEFT(name, i) KEPT(name, i).x
#define RIGHT(name, i) KEPT(name, i).y

struct talk {
    int nothing;
};

ALWAYS_INLINE side root_of(side a)
{
    return (side)(sqrt(a.x), sqrt(a.y));
}

ALWAYS_INLINE side positive(side a)
{
    return (side)(a.x > 0.0 ? a.x : 0.0, a.y > 0.0 ? a.y : 0.0);
}

ALWAYS_INLINE side across(struct talk *t, side own)
{
    return own.yx;
}

ALWAYS_INLINE double sum_of(struct talk *t, side a)
{
    return a.x + a.y;
}

ALWAYS_INLINE bool any_of(struct talk *t, bool is)
{
    return is;
}

ALWAYS_INLINE side load(__global const double *from, size_t rows, size_t c, int slot)
{
    return (side)(from[(2 * slot) * rows + c], from[(2 * slot + 1) * rows + c]);
}

ALWAYS_INLINE void store(__global double *to, size_t rows, size_t c, int slot, side value)
{
    to[(2 * slot) * rows + c] = value.x;
    to[(2 * slot + 1) * rows + c] = value.y;
}

ALWAYS_INLINE double turns(side old, side force)
{
    return (old.x > 0.0) != (force.x > 0.0) || (old.y > 0.0) != (force.y > 0.0) ? 1.0 : 0.0;
}

#endif

#define NOTHING ((side)(0.0))

struct contact {
    side k, gap, gamma, lag;
};

ALWAYS_INLINE struct contact contact_of(__global const double *made, size_t rows, size_t c, int slot, double h)
{
    enum { SLOTS = ALIKE ? 2 : LAST + 1 };
    struct contact to = {load(made, rows, c, slot), load(made, rows, c, SLOTS + slot),
                         DAMPED ? load(made, rows, c, 2 * SLOTS + slot) : NOTHING};
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
#define UPDATE(i) KEPT(update, (i) - 1)
#define RATIO(i) KEPT(ratio, (i) - 1)
#define ELASTIC(i) KEPT(elastic, i)
#define NEXT(i) KEPT(next, i) /* after the prediction; until then forces at the start of the last step */
#define TRIAL(i) ((X(i) + h * V(i)) + U(i))

/* beyond slot i: the next one, or what is across the middle */
#define BEYOND(what, i) ((i) < HALF ? what((i) < HALF ? (i) + 1 : HALF) : -across(&talk, what(HALF)))

/* `steps` steps of each row. last: size of the last step, 0 if there was none, NaN once a step could not be solved. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
runs(const ulong rows, const double h, const ulong steps, __global const double *made, __global const double *mass,
     __global const double *length, __global double *places, __global double *velocities, __global double *lost,
     __global double *earlier, __global double *last LOOKED_AT)
{
    const bool there_is = get_global_id(0) / PLACES < rows;
    const size_t c = there_is ? get_global_id(0) / PLACES : rows - 1;
    TALK(talk);
    HOLD(x, HALF);
    HOLD(v, HALF);
    HOLD(u, HALF);
    KEEP(update, HALF);
    KEEP(ratio, HALF); /* and, in a search, what each bead adds to the slope */
    KEEP(elastic, LAST + 1);
    KEEP(next, LAST + 1);
#if ALIKE
    const struct contact wall = contact_of(made, rows, c, 0, h), inner = contact_of(made, rows, c, 1, h);
    const side heavy = load(mass, rows, c, 0), light = load(mass, rows, c, 1);
#endif
    const double scale = length[c], rate = 1.0 / h;
    double stretch = last[c] > 0.0 ? h / last[c] : 0.0;
    bool good = there_is && !isnan(last[c]);
    const ulong most = STEPS_OF_ROW;
    bool goes = good && most > 0; /* others of the group may have more steps to take */
    EACH for (int i = 1; i <= HALF; i++)
    {
        X(i) = load(places, rows, c, i - 1);
        V(i) = load(velocities, rows, c, i - 1);
    }
    EACH for (int i = 0; i <= LAST; i++)
    {
        const struct contact at = CONTACT(i);
        const side here = i > 0 ? X(i > 0 ? i : 1) : NOTHING, d = positive(here - BEYOND(X, i) - at.gap);
        ELASTIC(i) = at.k * (d * ROOT_OF(d));
        NEXT(i) = load(earlier, rows, c, i);
    }
    for (ulong s = 0; s < steps && any_of(&talk, goes); s++) {
        /* a first guess, by elastic forces extrapolated in time */
        side flow = NOTHING, sum = NOTHING;
        double reach = 0.0;
        EACH for (int i = 0; i <= HALF; i++)
        {
            side ahead;
            if (i <= LAST) {
                const side force = ELASTIC(i), t = CONTACT(i).lag;
                const side trend = positive(force + stretch * (force - NEXT(i)));
                ahead = t * (t * trend + (h - t) * force);
            } else {
                ahead = across(&talk, flow);
            }
            if (i > 0) {
                U(i) = (flow - ahead) * LIGHT(i);
                sum += 0.0 * (X(i) + h * V(i)); /* no longer 0 once one is not finite */
                reach = OF_SIDES(largest, reach, X(i));
            }
            flow = ahead;
        }
        const bool finite = sum_of(&talk, sum) == 0.0;
        reach = largest(reach, OTHER(&talk, reach));
        /* Newton's method; a step is solved when its error is a millionth of what the prediction was off */
        double goal = 0.0, before = 0.0, worst = 0.0;
        bool live = goes;
        for (int round = 0; any_of(&talk, live); round++) {
            ulong size = 0;
            side behind = NOTHING, tail_mass = NOTHING, tail_residual = NOTHING, here = NOTHING;
            EACH for (int i = 0; i <= HALF; i++)
            {
                side ahead, bond = NOTHING, there = NOTHING;
                if (i <= LAST) {
                    const struct contact at = CONTACT(i);
                    const side t = at.lag;
                    there = BEYOND(TRIAL, i);
                    const side d = positive(here - there - at.gap), root = ROOT_OF(d), force = at.k * (d * root);
                    ahead = t * (t * force + (h - t) * ELASTIC(i));
                    bond = t * t * (1.5 * at.k * root);
                    NEXT(i) = force;
                } else {
                    ahead = across(&talk, behind);
                }
                if (i == 0)
                    tail_mass = bond;
                if (i > 0) { /* no difference of positive numbers is taken: stiff contacts cost no digits */
                    const side m = MASS(i), r = m * U(i) - (behind - ahead), off = r * LIGHT(i);
                    const side own = m + tail_mass, all = r + tail_residual;
                    size = OF_SIDES(larger, size, off);
                    if (i < HALF) {
                        const side inverse = 1.0 / ((m + bond) + tail_mass), part = all * inverse;
                        RATIO(i) = bond * inverse;
                        UPDATE(i) = part;
                        tail_mass = (own * bond) * inverse;
                        tail_residual = bond * part;
                    } else if (ODD) {
                        const side other = across(&talk, tail_residual);
                        UPDATE(i) = (r + (tail_residual - other)) / (m + (tail_mass + across(&talk, tail_mass)));
                    } else {
                        const side over = bond * across(&talk, 1.0 / (own + bond)), other = across(&talk, all);
                        UPDATE(i) = (all - over * other) / (own + over * across(&talk, own));
                    }
                }
                behind = ahead;
                here = there;
            }
            size = larger(size, OTHER(&talk, as_double(size)));
            if (live)
                worst = as_double(size);
            if (round == 0) {
                goal = 1e-6 * (worst < 1e-4 * scale ? worst : 1e-4 * scale) + 1e-12 * scale;
                live = live && !(worst <= goal);
            }
            if (!any_of(&talk, live) || round == MOST)
                break;
            before = worst;
            /* Newton's update */
            side solved = NOTHING;
            double step = 0.0;
            EACH for (int i = HALF; i > 0; i--)
            {
                solved = i < HALF ? UPDATE(i) + RATIO(i) * solved : UPDATE(i) + 0.0 * solved;
                UPDATE(i) = solved;
                if (live)
                    U(i) = U(i) - solved;
                step = OF_SIDES(largest, step, solved);
            }
            step = largest(step, OTHER(&talk, step));
            /* where it leads; if beyond the minimum along it without helping much, only a part of it is taken */
            struct search search = {.high = 1.0};
            double back = 1.0;
            bool looking = live;
            for (int look = -1; look < MOST && any_of(&talk, looking); look++) {
                size = 0;
                here = behind = NOTHING;
                EACH for (int i = 0; i <= HALF; i++)
                {
                    side ahead, there = NOTHING;
                    if (i <= LAST) {
                        const struct contact at = CONTACT(i);
                        there = BEYOND(TRIAL, i);
                        const side d = positive(here - there - at.gap), force = at.k * (d * ROOT_OF(d));
                        ahead = at.lag * (at.lag * force + (h - at.lag) * ELASTIC(i));
                        NEXT(i) = force;
                    } else {
                        ahead = across(&talk, behind);
                    }
                    if (i > 0) {
                        const side r = MASS(i) * U(i) - (behind - ahead), off = r * LIGHT(i);
                        size = OF_SIDES(larger, size, off);
                        RATIO(i) = r * UPDATE(i);
                    }
                    behind = ahead;
                    here = there;
                }
                size = larger(size, OTHER(&talk, as_double(size)));
                if (looking)
                    worst = as_double(size);
                if (looking && look < 0) {
                    live = !(worst <= goal) &&
                           (!(worst < INFINITY) || !(worst <= goal + 1e-15 * reach ||
                                                     step <= 1e-11 * scale + 4e-15 * reach));
                    looking = live && !(worst < 0.01 * before);
                }
                if (!any_of(&talk, looking))
                    break;
                double slope = 0.0;
                EACH for (int i = 1; i <= HALF; i++)
                {
                    slope += LEFT(ratio, i - 1);
                    if (i < HALF + 1 - ODD)
                        slope += RIGHT(ratio, i - 1);
                }
                if (looking && look < 0) {
                    looking = !(slope >= 0.0);
                    search.up = slope;
                } else if (looking) {
                    looking = narrow(&search, slope, look, &back);
                }
                if (looking && look + 1 < MOST) {
                    EACH for (int i = 1; i <= HALF; i++)
                        U(i) = U(i) + back * UPDATE(i);
                }
            }
        }
        good = good && !live && finite;
        /* the end of the step */
        side behind = NOTHING, here = NOTHING, was = NOTHING;
        double switched = 0.0;
        EACH for (int i = 0; i <= HALF; i++)
        {
            side ahead, there = here, next_was = was;
            if (i <= LAST) {
                const struct contact at = CONTACT(i);
                const side force = NEXT(i), old = ELASTIC(i);
                there = BEYOND(TRIAL, i);
                next_was = BEYOND(X, i);
                ahead = at.lag * force + (h - at.lag) * old;
                if (DAMPED && goes) {
                    const side gone = load(lost, rows, c, i);
                    BEGAN(store(lost0, rows, c, i, gone));
                    store(lost, rows, c, i, gone + at.gamma * (force - old) * (((here - there) - (was - next_was)) * rate));
                }
                switched = more(switched, turns(old, force));
                ELASTIC(i) = force;
                NEXT(i) = old;
            } else {
                ahead = across(&talk, behind);
            }
            if (i > 0 && goes) {
                BEGAN(store(x0, rows, c, i - 1, X(i)));
                BEGAN(store(v0, rows, c, i - 1, V(i)));
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
        const bool turned = LOOKED && more(switched, OTHER(&talk, switched)) > 0.0, ends = !good || turned || s + 1 == most;
        if (goes && ends) {
            EACH for (int i = 1; i <= HALF; i++)
            {
                store(places, rows, c, i - 1, X(i));
                store(velocities, rows, c, i - 1, V(i));
            }
            EACH for (int i = 0; i <= LAST; i++)
                store(earlier, rows, c, i, NEXT(i));
            last[c] = good ? h : NAN;
            TOOK(s + 1, turned);
        }
        goes = goes && !ends;
    }
}
