/* Steps of irk on many short rows of beads, a place for each row, which takes all steps of a call at once. What the
 * processor does pass by pass (src/scheme/chain/batch_irk_abreast.h, batch_irk.c), in the same order: same bits. Slot i
 * has bead i and the contact on its right; slots 0 and N + 1 are walls at rest. Compiled after lane.cl and abreast.cl, and
 * after lines that say of all rows
 *
 *     N        beads
 *     DAMPED   1: contacts are damped
 *     GROUP    rows of a work group
 *
 * Numbers of rows side by side stand side by side. */

#define SOLVES 25

/* of a row, as the processor lays them out */
enum { BOTH = 0, CARRIED = 4, REACH = 8, TO_X = 10, TO_V = 12, LENGTH = 14, LEFT_WALL = 15 };

#define GIVEN(k) given[(k) * rows + c]
#define STIFFNESS(i) made[(i) * rows + c]
#define GAP(i) made[(N + 1 + (i)) * rows + c]
#define GAMMA(i) made[(2 * (N + 1) + (i)) * rows + c]
#define LIGHT(i) mass[((i) - 1) * rows + c]
#define M(k, i) mass[((k) * N + (i) - 1) * rows + c] /* mass times the inverse of the stages' matrix, k = 1 ... 4 */

/* a, unless it is not larger than b */
ALWAYS_INLINE double more(double a, double b)
{
    return a > b ? a : b;
}

ALWAYS_INLINE double positive(double a)
{
    return a > 0.0 ? a : 0.0;
}

/* an end of the elimination: the row passed last, and how stiff its beads are */
struct end {
    double e11, e12, e21, e22, k1, k2, stiffest;
};

/* forces and slopes of all contacts at both stages */
struct stages {
    double f1[N + 1], f2[N + 1], s1[N + 1], s2[N + 1];
};

/* a row: the state, the unknown, and eliminated rows, in whose place is the end of the step once it is solved */
struct work {
    double x[N + 2], v[N + 2], x_low[N + 2], v_low[N + 2], z1[N + 2], z2[N + 2];
    double e11[N + 2], e12[N + 2], e21[N + 2], e22[N + 2], k1[N + 2], k2[N + 2];
    struct stages at;
};
#define X_TO e11
#define V_TO e12
#define X_LOW_TO e21
#define V_LOW_TO e22

ALWAYS_INLINE void press(struct work *w, double reach1, double reach2, size_t rows, size_t c,
                         __global const double *made)
{
    for (int i = 0; i <= N; i++) {
        const double d = w->x[i] - w->x[i + 1] - GAP(i), rate = w->v[i] - w->v[i + 1], k = STIFFNESS(i);
        const double d1 = positive(d + (reach1 * rate + (w->z1[i] - w->z1[i + 1]))),
                     d2 = positive(d + (reach2 * rate + (w->z2[i] - w->z2[i + 1])));
        const double root1 = sqrt(d1), root2 = sqrt(d2);
        w->at.f1[i] = k * (d1 * root1);
        w->at.f2[i] = k * (d2 * root2);
        w->at.s1[i] = 1.5 * k * root1;
        w->at.s2[i] = 1.5 * k * root2;
    }
}

/* One row of a bead that joins an end; back, ahead: its contacts. Forces push beads of the right half back. */
ALWAYS_INLINE void join(struct work *w, struct end *end, int i, int back, int ahead, bool right, size_t rows, size_t c,
                        __global const double *mass)
{
    const struct stages *at = &w->at;
    const double m11 = M(1, i), m12 = M(2, i), m21 = M(3, i), m22 = M(4, i), z1 = w->z1[i], z2 = w->z2[i];
    const double s1 = at->s1[back], s2 = at->s2[back], n1 = at->s1[ahead], n2 = at->s2[ahead], sum1 = s1 + n1,
                 sum2 = s2 + n2;
    const double p11 = m11 + (sum1 - s1 * end->e11), p12 = m12 + s1 * end->e12, p21 = m21 + s2 * end->e21,
                 p22 = m22 + (sum2 - s2 * end->e22), t = 1.0 / (p11 * p22 - p12 * p21);
    const double g1 = at->f1[back] - at->f1[ahead], g2 = at->f2[back] - at->f2[ahead];
    const double held1 = m11 * z1 + m12 * z2, held2 = m21 * z1 + m22 * z2;
    const double carried1 = s1 * end->k1, carried2 = s2 * end->k2;
    const double r1 = right ? carried1 - (g1 + held1) : (g1 - held1) + carried1,
                 r2 = right ? carried2 - (g2 + held2) : (g2 - held2) + carried2;
    end->stiffest = more(more(sum1, sum2) * LIGHT(i), end->stiffest);
    w->e11[i] = end->e11 = (p22 * n1) * t;
    w->e12[i] = end->e12 = (p12 * n2) * t;
    w->e21[i] = end->e21 = (p21 * n1) * t;
    w->e22[i] = end->e22 = (p11 * n2) * t;
    w->k1[i] = end->k1 = (p22 * r1 - p12 * r2) * t;
    w->k2[i] = end->k2 = (p11 * r2 - p21 * r1) * t;
}

/* the last row, where both ends meet; its solution is k */
ALWAYS_INLINE void meet(struct work *w, struct end *l, const struct end *r, int i, double reach1, double reach2,
                        size_t rows, size_t c, __global const double *mass)
{
    const struct stages *at = &w->at;
    const double z1 = w->z1[i], z2 = w->z2[i], x = w->x[i], v = w->v[i], spring = 0.0;
    const double m11 = M(1, i), m12 = M(2, i), m21 = M(3, i), m22 = M(4, i);
    const double s1l = at->s1[i - 1], s2l = at->s2[i - 1], s1r = at->s1[i], s2r = at->s2[i];
    const double x1 = x + (reach1 * v + z1), x2 = x + (reach2 * v + z2), sum1 = s1l + s1r, sum2 = s2l + s2r;
    const double rest1 =
        (at->f1[i - 1] - at->f1[i]) - (m11 * z1 + m12 * z2) - spring * x1 + (s1l * l->k1 + s1r * r->k1);
    const double rest2 =
        (at->f2[i - 1] - at->f2[i]) - (m21 * z1 + m22 * z2) - spring * x2 + (s2l * l->k2 + s2r * r->k2);
    const double p11 = m11 + (sum1 - (s1l * l->e11 + s1r * r->e11)), p12 = m12 + (s1l * l->e12 + s1r * r->e12);
    const double p21 = m21 + (s2l * l->e21 + s2r * r->e21), p22 = m22 + (sum2 - (s2l * l->e22 + s2r * r->e22));
    const double t = 1.0 / (p11 * p22 - p12 * p21);
    l->stiffest = more(more(sum1, sum2) * LIGHT(i), l->stiffest);
    w->k1[i] = (t * p22) * rest1 + (-t * p12) * rest2;
    w->k2[i] = (-t * p21) * rest1 + (t * p11) * rest2;
}

struct sizes {
    double update, largest, stiffest;
};

/* Z += (x1, x2); the size of the new one. Sizes as integers: a NaN is larger than any number and stays. */
ALWAYS_INLINE double shift(struct work *w, struct sizes *sizes, int i, double x1, double x2)
{
    const double size = fabs(x1) + fabs(x2);
    if (as_ulong(fabs(size)) > as_ulong(sizes->update))
        sizes->update = fabs(size);
    w->z1[i] += x1;
    w->z2[i] += x2;
    return fabs(w->z1[i]) + fabs(w->z2[i]);
}

ALWAYS_INLINE void next_row(const struct work *w, int i, double *x1, double *x2)
{
    const double y1 = w->k1[i] + (w->e11[i] * *x1 - w->e12[i] * *x2);
    const double y2 = w->k2[i] + (w->e22[i] * *x2 - w->e21[i] * *x1);
    *x1 = y1;
    *x2 = y2;
}

/* one Newton update of Z, eliminated from both ends */
ALWAYS_INLINE struct sizes update(struct work *w, double reach1, double reach2, size_t rows, size_t c,
                                  __global const double *made, __global const double *mass)
{
    enum { MIDDLE = N / 2, BEHIND = N - 1 - MIDDLE };
    struct end left = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, right = left;
    struct sizes sizes = {0.0, 0.0, 0.0};
    press(w, reach1, reach2, rows, c, made);
    for (int k = 0; k < MIDDLE; k++) {
        join(w, &left, 1 + k, k, 1 + k, false, rows, c, mass);
        if (k < BEHIND)
            join(w, &right, N - k, N - k, N - k - 1, true, rows, c, mass);
    }
    meet(w, &left, &right, MIDDLE + 1, reach1, reach2, rows, c, mass);
    sizes.stiffest = more(left.stiffest, right.stiffest);
    double x1l = w->k1[MIDDLE + 1], x2l = w->k2[MIDDLE + 1], x1r = x1l, x2r = x2l;
    sizes.largest = shift(w, &sizes, MIDDLE + 1, x1l, x2l);
    if (BEHIND < MIDDLE) { /* only at the left end; this Z is not looked at, as on the processor */
        next_row(w, MIDDLE, &x1l, &x2l);
        shift(w, &sizes, MIDDLE, x1l, x2l);
    }
    for (int k = 0; k < BEHIND; k++) {
        const int l = BEHIND - k, r = MIDDLE + 2 + k;
        next_row(w, l, &x1l, &x2l);
        next_row(w, r, &x1r, &x2r);
        const double zl = shift(w, &sizes, l, x1l, x2l), zr = shift(w, &sizes, r, x1r, x2r);
        sizes.largest = more(zl, more(zr, sizes.largest));
    }
    return sizes;
}

/* carom_compensated_add */
ALWAYS_INLINE void add(double high, double low, double term, double *high_to, double *low_to)
{
    const double some = term + low, sum = high + some, part = sum - high;
    *low_to = (high - (sum - part)) + (some - part);
    *high_to = sum;
}

/* The end of the step from the stages' forces: are all residuals within the goal and all numbers finite? */
ALWAYS_INLINE bool finish(struct work *w, double h, double goal, size_t rows, size_t c, __global const double *mass,
                          __global const double *given)
{
    const double m11 = GIVEN(BOTH), m12 = GIVEN(BOTH + 1), m21 = GIVEN(BOTH + 2), m22 = GIVEN(BOTH + 3),
                 bx1 = GIVEN(TO_X), bx2 = GIVEN(TO_X + 1), bv1 = GIVEN(TO_V), bv2 = GIVEN(TO_V + 1);
    bool well = true;
    for (int i = 1; i <= N; i++) {
        const bool first = i == 1 && GIVEN(LEFT_WALL) == 0.0; /* a row without a left wall has only the force ahead */
        const double g1 = first ? -w->at.f1[i] : w->at.f1[i - 1] - w->at.f1[i],
                     g2 = first ? -w->at.f2[i] : w->at.f2[i - 1] - w->at.f2[i];
        const double a1 = g1 * LIGHT(i), a2 = g2 * LIGHT(i), v = w->v[i];
        const double lack1 = w->z1[i] - (m11 * a1 + m12 * a2), lack2 = w->z2[i] - (m21 * a1 + m22 * a2);
        add(w->x[i], w->x_low[i], h * v + (bx1 * a1 + bx2 * a2), &w->X_TO[i], &w->X_LOW_TO[i]);
        add(v, w->v_low[i], bv1 * a1 + bv2 * a2, &w->V_TO[i], &w->V_LOW_TO[i]);
        well = well && fabs(lack1) <= goal && fabs(lack2) <= goal && fabs(w->X_TO[i]) < INFINITY &&
               fabs(w->V_TO[i]) < INFINITY;
    }
    return well;
}

/* the impulse of a damper since touch */
ALWAYS_INLINE double viscous(double k, double gamma, double d)
{
    const double closed = positive(d);
    return gamma * (k * (closed * sqrt(closed)));
}

/* `steps` steps of each row. own: whether there is a Z to extrapolate from (-1: a step could not be solved), and above
 * which size an update is followed by another without a look at the residual. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
runs(const ulong rows, const double h, const ulong steps, __global const double *made, __global const double *mass,
     __global const double *given, __global double *places, __global double *velocities, __global double *lost,
     __global double *lows, __global double *stages, __global double *own LOOKED_AT)
{
    const size_t c = get_global_id(0);
    struct work w;
    if (c >= rows || own[c] < 0.0)
        return;
    const ulong most = STEPS_OF_ROW;
    ulong s = 0;
    if (most == 0)
        return;
    const double reach1 = GIVEN(REACH), reach2 = GIVEN(REACH + 1), inverse = 1.0 / h;
    const double top = fabs(GIVEN(BOTH)) + fabs(GIVEN(BOTH + 1)), bottom = fabs(GIVEN(BOTH + 2)) + fabs(GIVEN(BOTH + 3)),
                 answer = top > bottom ? top : bottom;
    double known = own[c], trust = own[rows + c];
    bool solved = true, switched = false;
    for (int i = 0; i <= N + 1; i++) {
        const bool bead = i > 0 && i <= N;
        const size_t at = bead ? (size_t)(i - 1) * rows + c : 0;
        w.x[i] = bead ? places[at] : 0.0;
        w.v[i] = bead ? velocities[at] : 0.0;
        w.x_low[i] = bead ? lows[at] : 0.0;
        w.v_low[i] = bead ? lows[N * rows + at] : 0.0;
        w.z1[i] = bead ? stages[at] : 0.0;
        w.z2[i] = bead ? stages[N * rows + at] : 0.0;
        w.X_TO[i] = 0.0;
    }
    for (; s < most && solved && !switched; s++) {
        double farthest = 0.0, last = INFINITY;
        bool live = true;
        for (int i = 1; i <= N; i++) {
            const double z1 = w.z1[i], z2 = w.z2[i];
            w.z1[i] = known > 0.0 ? GIVEN(CARRIED) * z1 + GIVEN(CARRIED + 1) * z2 : 0.0;
            w.z2[i] = known > 0.0 ? GIVEN(CARRIED + 2) * z1 + GIVEN(CARRIED + 3) * z2 : 0.0;
            farthest = more(fabs(w.x[i]), farthest);
        }
        for (int solve = 1; solve <= SOLVES && live; solve++) {
            const struct sizes sizes = update(&w, reach1, reach2, rows, c, made, mass);
            const double size = sizes.update;
            if (!(size < INFINITY))
                break;
            double goal = 1e-15 * (GIVEN(LENGTH) + sizes.largest + sizes.stiffest * answer * farthest) + DBL_MIN;
            if (size > trust && size > goal) {
                trust *= 1.05;
                continue;
            }
            press(&w, reach1, reach2, rows, c, made);
            if (finish(&w, h, goal, rows, c, mass, given)) {
                live = false;
                trust = 2.0 * size > trust ? 2.0 * size : trust;
                continue;
            }
            trust = 0.5 * size;
            if (solve > 3 && size > 0.25 * last) { /* as far as rounding lets it */
                goal *= 1000.0;
                live = !(size < goal && finish(&w, h, goal, rows, c, mass, given));
            }
            last = size;
        }
        solved = !live;
        known = 1.0;
        for (int i = 0; i <= N && (DAMPED || LOOKED) && solved; i++) {
            const double d = w.X_TO[i] - w.X_TO[i + 1] - GAP(i), old = w.x[i] - w.x[i + 1] - GAP(i);
            switched = switched || (LOOKED && (old > 0.0) != (d > 0.0));
            if (!DAMPED)
                continue;
            const double gone = lost[i * rows + c];
            BEGAN(lost0[i * rows + c] = gone);
            lost[i * rows + c] = gone + (d - old) * inverse * (viscous(STIFFNESS(i), GAMMA(i), d) -
                                                               viscous(STIFFNESS(i), GAMMA(i), old));
        }
        for (int i = 1; i <= N && solved; i++) {
            BEGAN(x0[(i - 1) * rows + c] = w.x[i]);
            BEGAN(v0[(i - 1) * rows + c] = w.v[i]);
            w.x[i] = w.X_TO[i];
            w.v[i] = w.V_TO[i];
            w.x_low[i] = w.X_LOW_TO[i];
            w.v_low[i] = w.V_LOW_TO[i];
        }
    }
    for (int i = 1; i <= N; i++) {
        const size_t at = (size_t)(i - 1) * rows + c;
        places[at] = w.x[i];
        velocities[at] = w.v[i];
        lows[at] = w.x_low[i];
        lows[N * rows + at] = w.v_low[i];
        stages[at] = w.z1[i];
        stages[N * rows + at] = w.z2[i];
    }
    own[c] = solved ? known : -1.0;
    own[rows + c] = trust;
    TOOK(s, switched);
}
