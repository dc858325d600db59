/* Steps of rattle on a plane box of one material on a device: what the processor does row by row
 * (src/model/solid/solid_sheet.c, src/scheme/solid/rattle_sheet.c) is done here in one pass. Groups of places, one for
 * each column of cells, go up through LINES rows, and every link is worked out once, but at the edges of groups: two
 * columns on either side and two rows below and above are neighbours', gone through here as well. Row k arrives, and its
 * links to the right and down are measured; then come pressures and links along row k - 1, then links up from row k - 2,
 * which is moved on. Same formulas, same order: same bits. Compiled after lane.cl, turn.h, still.h, sheet.h, and lines
 * that say how large groups are: ALONG columns, of which ALONG - 4 are their own, and LINES rows. */

/* constants of the body and sizes of the step that ends and of the one that begins */
struct step {
    struct carom_sheet_axis axis[2];
    double weight[2];
    double end[3], begin[3]; /* arm a step by mass, and for the turn by 1 */
    double still[2];         /* velocities, angular momenta below which cells are at rest */
    double h, rate;          /* of the step that begins; rate: h / inertia */
    ulong nx, ny;
    int ends, begins, holds, loads, keeps, pad; /* keeps: forces, without those of loads */
};

/* a cell as its links see it: displacements, 1 - cos and sin of its turn */
struct cell {
    double at[2], less, sine;
};

/* a link that is measured, open or not there: all zero */
struct link {
    double gap[2], apart[2], inverse, open;
};

struct pulls {
    double x[CAROM_SHEET_PULLS];
};

/* what places of a group tell each other of a row */
struct told {
    double at[2][ALONG], less[ALONG], sine[ALONG], open[ALONG], pressure[ALONG], pull[CAROM_SHEET_PULLS][ALONG];
};

ALWAYS_INLINE struct link measure(const struct carom_sheet_axis a, int k, const struct cell i, const struct cell j)
{
    const int c = 1 - k;
    const double along[1] = {j.at[k] - i.at[k]}, aside[1] = {j.at[c] - i.at[c]}, less[1] = {i.less + j.less},
                 sine[1] = {i.sine + j.sine};
    double gap[1], slip[1], apart[1], inverse[1], square[1], open[1];
    struct link l;
    carom_sheet_measure(1, a, k, along, aside, less, sine, gap, slip, apart, inverse, square, open);
    l.gap[k] = gap[0];
    l.gap[c] = slip[0];
    l.apart[k] = apart[0];
    l.apart[c] = aside[0];
    l.inverse = inverse[0];
    l.open = open[0];
    if (square[0] > CAROM_SHEET_NEAR)
        carom_sheet_measure_far(a, l.gap, l.apart, &l.inverse, &l.open);
    return l;
}

ALWAYS_INLINE struct cell cell_of(const double4 q)
{
    struct cell c = {{q.x, q.y}};
    carom_sheet_angle(q.z, q.w, &c.less, &c.sine);
    return c;
}

ALWAYS_INLINE bool in_rows(const struct step *t, int y)
{
    return y >= 0 && y < (int)t->ny;
}

/* lambda x dilatation of cell (x, y), whose links open by so much; scale: three rows of it, for the bottom, inside, the
 * top; first: of loads on cells, or -1 */
ALWAYS_INLINE double press_of(const struct step *t, int x, int y, double opens, __global const double *scale,
                              __global const int *first, __global const struct push *push)
{
    const double p = scale[(y + 1 == (int)t->ny ? 2 : y == 0 ? 0 : 1) * t->nx + x] * opens;
    const size_t i = (size_t)y * t->nx + x;
    return t->loads ? swollen(p, i, first, push) : p;
}

/* pressures alone, which the processor wants to know of loaded cells */
__kernel __attribute__((reqd_work_group_size(ALONG, 1, 1))) void
press(const struct step t, __global const double4 *q, __global const double *scale, __global const int *first,
      __global const struct push *push, __global double *pressure)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1), nx = (int)t.nx, ny = (int)t.ny;
    const size_t i = (size_t)y * t.nx + x;
    if (x >= nx || y >= ny)
        return;
    const struct cell own = cell_of(q[i]);
    const double left = x > 0 ? measure(t.axis[0], 0, cell_of(q[i - 1]), own).open : 0.0;
    const double right = x + 1 < nx ? measure(t.axis[0], 0, own, cell_of(q[i + 1])).open : 0.0;
    const double down = y > 0 ? measure(t.axis[1], 1, cell_of(q[i - t.nx]), own).open : 0.0;
    const double up = y + 1 < ny ? measure(t.axis[1], 1, own, cell_of(q[i + t.nx])).open : 0.0;
    double sum = left + right;
    sum += down + up;
    pressure[i] = press_of(&t, x, y, sum, scale, first, push);
}

/* what a link between cells with such turns does */
ALWAYS_INLINE struct pulls pull(const struct carom_sheet_axis a, const struct link *l, double pressures,
                                const struct cell *i, double less_j, double sine_j)
{
    const double less[2] = {i->less, less_j}, sine[2] = {i->sine, sine_j};
    struct pulls p;
    carom_sheet_pull(a, l->gap, l->apart, l->inverse, l->open, pressures, less, sine, p.x);
    return p;
}

ALWAYS_INLINE struct pulls both(const struct pulls *ahead, const struct pulls *behind)
{
    struct pulls p;
    for (int k = 0; k < CAROM_SHEET_PULLS; k++)
        p.x[k] = carom_sheet_both(k, ahead->x[k], behind->x[k]);
    return p;
}

/* the turn of a step; false: too fast, as carom_turn_plane has it */
ALWAYS_INLINE bool turn(double x, double *a, double *d)
{
    const double xs[1] = {x}, w[1] = {x * x};
    if (w[0] > CAROM_SHEET_SLOW) {
        double e[2];
        if (!carom_turn_plane(x, e))
            return false;
        const double mend = 1.5 - 0.5 * (*a * *a + *d * *d), old = mend * *a, turned = mend * *d;
        *a = old * e[0] - turned * e[1];
        *d = turned * e[0] + old * e[1];
        return true;
    }
    carom_sheet_turn(1, xs, w, a, d);
    return true;
}

/* The second kick of the step that ends, the first kick and the drift of the one that begins, or one of the two, of the
 * cell at `to`. wrong: set where a cell turns too fast or its motion is not finite; the processor then says which. */
ALWAYS_INLINE void move(const struct step *t, size_t i, const double4 to, double f[3], double u[3],
                        __global double4 *q1, __global double *v, __global const uchar *held,
                        __global const int *first, __global const struct push *push, __global int *wrong)
{
    if (t->loads)
        shove(i, 3, first, push, f);
    const unsigned mask = t->holds ? held[i] : 0;
    for (int k = 0; k < 3; k++) {
        const bool moves = !(mask >> (k == 2 ? 5 : k) & 1U);
        if (t->ends && moves)
            u[k] += t->end[k] * f[k];
    }
    if (t->ends && !(fabs(u[0]) + fabs(u[1]) + fabs(u[2]) < INFINITY))
        *wrong = 1;
    if (t->begins) {
        for (int k = 0; k < 3; k++) {
            const bool moves = !(mask >> (k == 2 ? 5 : k) & 1U);
            if (moves)
                u[k] = u[k] + t->begin[k] * f[k];
        }
        double a = to.z, d = to.w;
        if (!turn(t->rate * carom_still(u[2], t->still[1]), &a, &d))
            *wrong = 1;
        q1[i] =
            (double4)(to.x + t->h * carom_still(u[0], t->still[0]), to.y + t->h * carom_still(u[1], t->still[0]), a, d);
    }
    for (int k = 0; k < 3; k++)
        v[3 * i + k] = u[k];
}

__kernel __attribute__((reqd_work_group_size(ALONG, 1, 1))) void
advance(const struct step t, __global const double4 *q0, __global double4 *q1, __global double *v,
        __global const double *scale, __global const uchar *held, __global const int *first,
        __global const struct push *push, __global double *force, __global int *wrong)
{
    __local struct told told;
    const int l = (int)get_local_id(0), x = (int)get_group_id(0) * (ALONG - 4) + l - 2, nx = (int)t.nx;
    const int bottom = (int)get_group_id(1) * LINES, top = min(bottom + LINES, (int)t.ny);
    const bool in = x >= 0 && x < nx, links = x >= 0 && x + 1 < nx && l + 1 < ALONG,
               own = in && l >= 2 && l < ALONG - 2;
    const double arm[2] = {t.axis[0].arm, t.axis[1].arm}, weight[2] = {t.weight[0], t.weight[1]};
    const struct link none = {{0.0, 0.0}, {0.0, 0.0}, 0.0, 0.0};
    const struct pulls nothing = {{0.0, 0.0, 0.0, 0.0, 0.0}};
    const double4 nowhere = (double4)(0.0);
    double4 come = in && in_rows(&t, bottom - 2) ? q0[(bottom - 2) * (long)nx + x] : nowhere, q_1 = nowhere,
            q_2 = nowhere;
    struct link along_1 = none, up_2 = none;
    struct pulls side_2 = nothing, down = nothing; /* down: what the link from row k - 3 up to row k - 2 does */
    double opens_1 = 0.0, less_1 = 0.0, sine_1 = 0.0, p_2 = 0.0; /* less, sine: of the cell to the right */
    for (int k = bottom - 2; k < top + 2; k++) {
        const double4 q = come;
        const size_t i = (size_t)(k - 2) * t.nx + x;
        const bool moves = own && k - 2 >= bottom;
        double u[3] = {0.0, 0.0, 0.0};
        if (in && in_rows(&t, k + 1))
            come = q0[(size_t)(k + 1) * t.nx + x];
        for (int c = 0; c < 3 && moves; c++)
            u[c] = v[3 * i + c];
        const struct cell here = cell_of(q), before = cell_of(q_1);
        told.at[0][l] = here.at[0];
        told.at[1][l] = here.at[1];
        told.less[l] = here.less;
        told.sine[l] = here.sine;
        barrier(CLK_LOCAL_MEM_FENCE);
        struct link along = none, up_1 = none;
        double less = 0.0, sine = 0.0;
        if (links && in_rows(&t, k)) {
            const struct cell right = {{told.at[0][l + 1], told.at[1][l + 1]}, told.less[l + 1], told.sine[l + 1]};
            along = measure(t.axis[0], 0, here, right);
            less = right.less;
            sine = right.sine;
        }
        if (in && in_rows(&t, k - 1) && in_rows(&t, k))
            up_1 = measure(t.axis[1], 1, before, here);
        told.open[l] = along.open;
        double p_1 = 0.0;
        if (in && in_rows(&t, k - 1))
            p_1 = press_of(&t, x, k - 1, opens_1 + (up_2.open + up_1.open), scale, first, push);
        told.pressure[l] = p_1;
        barrier(CLK_LOCAL_MEM_FENCE);
        const double opens = (l > 0 ? told.open[l - 1] : 0.0) + along.open;
        struct pulls right = nothing, up = nothing;
        if (links && in_rows(&t, k - 1))
            right = pull(t.axis[0], &along_1, p_1 + told.pressure[l + 1], &before, less_1, sine_1);
        for (int e = 0; e < CAROM_SHEET_PULLS; e++)
            told.pull[e][l] = right.x[e];
        if (in && in_rows(&t, k - 2) && in_rows(&t, k - 1)) {
            const struct cell i = cell_of(q_2);
            up = pull(t.axis[1], &up_2, p_2 + p_1, &i, before.less, before.sine);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        struct pulls left = nothing;
        for (int e = 0; e < CAROM_SHEET_PULLS && l > 0; e++)
            left.x[e] = told.pull[e][l - 1];
        if (moves) {
            const struct cell c = cell_of(q_2);
            const struct pulls pile = both(&up, &down);
            double f[3];
            carom_sheet_gather(arm, weight, side_2.x, pile.x, c.less, c.sine, f);
            for (int e = 0; e < 3 && t.keeps; e++)
                force[3 * i + e] = f[e];
            move(&t, i, q_2, f, u, q1, v, held, first, push, wrong);
        }
        side_2 = both(&right, &left);
        down = up;
        q_2 = q_1;
        q_1 = q;
        along_1 = along;
        up_2 = up_1;
        opens_1 = opens;
        less_1 = less;
        sine_1 = sine;
        p_2 = p_1;
    }
}

/* a step begins with forces that were kept */
__kernel __attribute__((reqd_work_group_size(ALONG, 1, 1))) void
depart(const struct step t, __global const double4 *q0, __global double4 *q1, __global double *v,
       __global const uchar *held, __global const int *first, __global const struct push *push,
       __global const double *force, __global int *wrong)
{
    const size_t x = get_global_id(0), y = get_global_id(1), i = y * t.nx + x;
    if (x >= t.nx || y >= t.ny)
        return;
    double f[3], u[3];
    for (int k = 0; k < 3; k++) {
        f[k] = force[3 * i + k];
        u[k] = v[3 * i + k];
    }
    move(&t, i, q0[i], f, u, q1, v, held, first, push, wrong);
}
