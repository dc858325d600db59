/* Steps of rattle on a plane box of one material, one place for each cell: x along rows, y the row. What the processor
 * does row by row (src/model/solid/solid_sheet.c, src/scheme/solid/rattle_sheet.c) is done here in one pass over tiles of
 * cells, each with two rows and columns around it: pressures, then forces with the kicks and the drift. Every link is
 * worked out by both its cells, pressures around a tile by its neighbours, too. Same formulas, same order: same bits.
 * Compiled after lane.cl, lane3.h, turn.h, still.h, sheet.h, and lines that say how large tiles are: ALONG cells in each
 * of LINES rows. */

enum { WIDE = ALONG + 4, TILE = WIDE * (LINES + 4), CELLS = ALONG * LINES };

/* a cell as its links see it: displacements, 1 - cos and sin of its turn */
struct cell {
    double at[2], less, sine;
};

struct link {
    double gap[2], apart[2], inverse, open;
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

/* constants of the body and sizes of the step that ends and of the one that begins */
struct step {
    struct carom_sheet_axis axis[2];
    double weight[2];
    double end[3], begin[3]; /* arm a step by mass, and for the turn by 1 */
    double still[2];         /* velocities, angular momenta below which cells are at rest */
    double h, rate;          /* of the step that begins; rate: h / inertia */
    ulong nx, ny;
    int ends, begins, holds, loads;
};

/* what a load does to a cell now */
struct push {
    double force[6], swell; /* of which the plane has three */
    int live, last; /* does it act at all; is it the last one of its cell? */
};

/* the place of this cell in its tile, and that of the tile's first cell in the body */
ALWAYS_INLINE int place(void)
{
    return ((int)get_local_id(1) + 2) * WIDE + (int)get_local_id(0) + 2;
}

ALWAYS_INLINE int first_x(void)
{
    return (int)get_group_id(0) * ALONG;
}

ALWAYS_INLINE int first_y(void)
{
    return (int)get_group_id(1) * LINES;
}

/* tiles: displacements along x, along y, 1 - cos and sin of turns, kind by kind */
ALWAYS_INLINE struct cell near(__local const double *tile, int k)
{
    return (struct cell){{tile[k], tile[TILE + k]}, tile[2 * TILE + k], tile[3 * TILE + k]};
}

ALWAYS_INLINE void put(__local double *tile, int k, const double4 q)
{
    double less, sine;
    carom_sheet_angle(q.z, q.w, &less, &sine);
    tile[k] = q.x;
    tile[TILE + k] = q.y;
    tile[2 * TILE + k] = less;
    tile[3 * TILE + k] = sine;
}

/* Fills the tile: each place its own cell, and some of those around. */
ALWAYS_INLINE double4 fill(const struct step *t, __global const double4 *q, __local double *tile)
{
    enum { ABOVE = 4 * WIDE, AROUND = ABOVE + 4 * LINES };
    const int x = first_x() + (int)get_local_id(0), y = first_y() + (int)get_local_id(1), nx = (int)t->nx,
              ny = (int)t->ny;
    double4 own = (double4)(0.0);
    if (x < nx && y < ny)
        own = q[(size_t)y * t->nx + x];
    put(tile, place(), own);
    for (int k = (int)get_local_id(1) * ALONG + (int)get_local_id(0); k < AROUND; k += CELLS) {
        const int beside = (k - ABOVE) % 4, line = k / WIDE;
        const int row = k >= ABOVE ? 2 + (k - ABOVE) / 4 : line < 2 ? line : line + LINES;
        const int column = k < ABOVE ? k % WIDE : beside < 2 ? beside : beside + ALONG;
        const int there_x = first_x() + column - 2, there_y = first_y() + row - 2;
        if (there_x >= 0 && there_x < nx && there_y >= 0 && there_y < ny)
            put(tile, row * WIDE + column, q[(size_t)there_y * t->nx + there_x]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return own;
}

/* lambda x dilatation of the cell at a place of the tile; scale: three rows of it, for the bottom, inside, the top;
 * first: of loads on cells, or -1 */
ALWAYS_INLINE double press_at(const struct step *t, int place, __local const double *tile, __global const double *scale,
                       __global const int *first, __global const struct push *push)
{
    const int x = first_x() + place % WIDE - 2, y = first_y() + place / WIDE - 2, nx = (int)t->nx, ny = (int)t->ny;
    const struct cell own = near(tile, place);
    const double left = x > 0 ? measure(t->axis[0], 0, near(tile, place - 1), own).open : 0.0;
    const double right = x + 1 < nx ? measure(t->axis[0], 0, own, near(tile, place + 1)).open : 0.0;
    const double down = y > 0 ? measure(t->axis[1], 1, near(tile, place - WIDE), own).open : 0.0;
    const double up = y + 1 < ny ? measure(t->axis[1], 1, own, near(tile, place + WIDE)).open : 0.0;
    double sum = left + right;
    sum += down + up;
    double p = scale[(y + 1 == ny ? 2 : y == 0 ? 0 : 1) * t->nx + x] * sum;
    const size_t i = (size_t)y * t->nx + x;
    if (t->loads && first[i] >= 0)
        for (int e = first[i];; e++) {
            if (push[e].live & 2)
                p += push[e].swell;
            if (push[e].last)
                break;
        }
    return p;
}

/* pressures alone, which the processor wants to know of loaded cells */
__kernel __attribute__((reqd_work_group_size(ALONG, LINES, 1))) void
press(const struct step t, __global const double4 *q, __global const double *scale, __global const int *first,
      __global const struct push *push, __global double *pressure)
{
    __local double tile[4 * TILE];
    const size_t x = get_global_id(0), y = get_global_id(1);
    fill(&t, q, tile);
    if (x < t.nx && y < t.ny)
        pressure[y * t.nx + x] = press_at(&t, place(), tile, scale, first, push);
}

/* Pressures of the cells of a tile and of those beside them. */
ALWAYS_INLINE void press_tile(const struct step *t, __local const double *tile, __global const double *scale,
                       __global const int *first, __global const struct push *push, __local double *pressure)
{
    enum { ABOVE = 2 * ALONG, AROUND = ABOVE + 2 * LINES };
    const int nx = (int)t->nx, ny = (int)t->ny;
    const int turn = (int)get_local_id(1) * ALONG + (int)get_local_id(0);
    for (int k = turn - CELLS; k < AROUND; k += CELLS) { /* first the own cell, then one of those around */
        const int beside = k - ABOVE;
        const int row = k >= ABOVE ? 2 + beside / 2 : k < ALONG ? 1 : LINES + 2;
        const int column = k < ABOVE ? 2 + k % ALONG : beside % 2 == 0 ? 1 : ALONG + 2;
        const int at = k < 0 ? place() : row * WIDE + column, x = first_x() + at % WIDE - 2,
                  y = first_y() + at / WIDE - 2;
        if (x >= 0 && x < nx && y >= 0 && y < ny)
            pressure[at] = press_at(t, at, tile, scale, first, push);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* what the link from cell i to cell j does */
ALWAYS_INLINE void pull(const struct carom_sheet_axis a, int k, const struct cell i, const struct cell j, double pressures,
                 double out[CAROM_SHEET_PULLS])
{
    const struct link l = measure(a, k, i, j);
    const double less[2] = {i.less, j.less}, sine[2] = {i.sine, j.sine};
    carom_sheet_pull(a, l.gap, l.apart, l.inverse, l.open, pressures, less, sine, out);
}

ALWAYS_INLINE void forces(const struct step *t, __local const double *tile, __local const double *pressure, size_t x, size_t y,
                   double f[3])
{
    const int at = place();
    const struct cell own = near(tile, at);
    const double p = pressure[at], arm[2] = {t->axis[0].arm, t->axis[1].arm}, weight[2] = {t->weight[0], t->weight[1]};
    double side[2][CAROM_SHEET_PULLS], pile[2][CAROM_SHEET_PULLS];
    for (int k = 0; k < CAROM_SHEET_PULLS; k++)
        side[0][k] = side[1][k] = pile[0][k] = pile[1][k] = 0.0;
    if (x > 0)
        pull(t->axis[0], 0, near(tile, at - 1), own, pressure[at - 1] + p, side[0]);
    if (x + 1 < t->nx)
        pull(t->axis[0], 0, own, near(tile, at + 1), p + pressure[at + 1], side[1]);
    if (y > 0)
        pull(t->axis[1], 1, near(tile, at - WIDE), own, pressure[at - WIDE] + p, pile[0]);
    if (y + 1 < t->ny)
        pull(t->axis[1], 1, own, near(tile, at + WIDE), p + pressure[at + WIDE], pile[1]);
    for (int k = 0; k < CAROM_SHEET_PULLS; k++) {
        side[0][k] = carom_sheet_both(k, side[1][k], side[0][k]);
        pile[0][k] = carom_sheet_both(k, pile[1][k], pile[0][k]);
    }
    carom_sheet_gather(arm, weight, side[0], pile[0], own.less, own.sine, f);
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

/* The second kick of the step that ends, the first kick and the drift of the one that begins, or one of the two.
 * wrong: set where a cell turns too fast or its motion is not finite; the processor then says which. */
__kernel __attribute__((reqd_work_group_size(ALONG, LINES, 1))) void
advance(const struct step t, __global const double4 *q0, __global double4 *q1, __global double *v,
        __global const double *scale, __global const uchar *held, __global const int *first,
        __global const struct push *push, __global int *wrong)
{
    __local double tile[4 * TILE], pressure[TILE];
    const size_t x = get_global_id(0), y = get_global_id(1), i = y * t.nx + x;
    const double4 to = fill(&t, q0, tile);
    press_tile(&t, tile, scale, first, push, pressure);
    if (x >= t.nx || y >= t.ny)
        return;
    double f[3], u[3] = {v[3 * i], v[3 * i + 1], v[3 * i + 2]};
    forces(&t, tile, pressure, x, y, f);
    if (t.loads && first[i] >= 0)
        for (int e = first[i];; e++) {
            for (int k = 0; k < 3 && (push[e].live & 1); k++)
                f[k] += push[e].force[k];
            if (push[e].last)
                break;
        }
    const unsigned mask = t.holds ? held[i] : 0;
    for (int k = 0; k < 3; k++) {
        const bool moves = !(mask >> (k == 2 ? 5 : k) & 1U);
        if (t.ends && moves)
            u[k] += t.end[k] * f[k];
    }
    if (t.ends && !(fabs(u[0]) + fabs(u[1]) + fabs(u[2]) < INFINITY))
        *wrong = 1;
    if (t.begins) {
        for (int k = 0; k < 3; k++) {
            const bool moves = !(mask >> (k == 2 ? 5 : k) & 1U);
            if (moves)
                u[k] = u[k] + t.begin[k] * f[k];
        }
        double a = to.z, d = to.w;
        if (!turn(t.rate * carom_still(u[2], t.still[1]), &a, &d))
            *wrong = 1;
        q1[i] = (double4)(to.x + t.h * carom_still(u[0], t.still[0]), to.y + t.h * carom_still(u[1], t.still[0]), a, d);
    }
    for (int k = 0; k < 3; k++)
        v[3 * i + k] = u[k];
}

/* what the processor wants to know of loaded cells: where they are, and their pressures */
__kernel void sample(const ulong n, const ulong count, __global const double4 *q, __global const double *pressure,
                     __global const int *which, __global double *out)
{
    const size_t e = get_global_id(0);
    if (e >= count || get_global_id(1) > 0)
        return;
    const size_t i = which[e];
    const double4 own = q[i];
    out[5 * e] = own.x;
    out[5 * e + 1] = own.y;
    out[5 * e + 2] = own.z;
    out[5 * e + 3] = own.w;
    out[5 * e + 4] = pressure[i];
}
