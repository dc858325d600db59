/* Steps of rattle on a plane box of one material, one place for each cell: x along rows, y the row. What the processor
 * does row by row (src/model/solid/solid_sheet.c, src/scheme/solid/rattle_sheet.c) is done here in two passes, pressures
 * and then forces with the kicks and the drift; every link is worked out by both its cells. Same formulas, same order:
 * same bits. Compiled after lane.cl, lane3.h, turn.h, still.h and sheet.h. */

/* a cell as its links see it: displacements, 1 - cos and sin of its turn */
struct cell {
    double at[2], less, sine;
};

struct link {
    double gap[2], apart[2], inverse, open;
};

ALWAYS_INLINE struct cell look(__global const double4 *q, size_t i)
{
    const double4 own = q[i];
    struct cell c = {{own.x, own.y}, 0.0, 0.0};
    carom_sheet_angle(own.z, own.w, &c.less, &c.sine);
    return c;
}

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

/* lambda x dilatation; scale: three rows of it, for the bottom, inside, the top; first: of loads on cells, or -1 */
__kernel void press(const struct step t, __global const double4 *q, __global const double *scale,
                    __global const int *first, __global const struct push *push, __global double *pressure)
{
    const size_t x = get_global_id(0), y = get_global_id(1), i = y * t.nx + x;
    if (x >= t.nx)
        return;
    const struct cell own = look(q, i);
    const double left = x > 0 ? measure(t.axis[0], 0, look(q, i - 1), own).open : 0.0;
    const double right = x + 1 < t.nx ? measure(t.axis[0], 0, own, look(q, i + 1)).open : 0.0;
    const double down = y > 0 ? measure(t.axis[1], 1, look(q, i - t.nx), own).open : 0.0;
    const double up = y + 1 < t.ny ? measure(t.axis[1], 1, own, look(q, i + t.nx)).open : 0.0;
    double sum = left + right;
    sum += down + up;
    double p = scale[(y + 1 == t.ny ? 2 : y == 0 ? 0 : 1) * t.nx + x] * sum;
    if (t.loads && first[i] >= 0)
        for (int e = first[i];; e++) {
            if (push[e].live & 2)
                p += push[e].swell;
            if (push[e].last)
                break;
        }
    pressure[i] = p;
}

/* what the link from cell i to cell j does */
ALWAYS_INLINE void pull(const struct carom_sheet_axis a, int k, const struct cell i, const struct cell j, double pressures,
                 double out[CAROM_SHEET_PULLS])
{
    const struct link l = measure(a, k, i, j);
    const double less[2] = {i.less, j.less}, sine[2] = {i.sine, j.sine};
    carom_sheet_pull(a, l.gap, l.apart, l.inverse, l.open, pressures, less, sine, out);
}

/* its neighbours' numbers, and whether they are there, in the order left, right, down, up */
ALWAYS_INLINE void forces(const struct step *t, __global const double4 *q, __global const double *pressure, size_t x, size_t y,
                   const struct cell own, double f[3])
{
    const size_t i = y * t->nx + x;
    const double p = pressure[i], arm[2] = {t->axis[0].arm, t->axis[1].arm},
                 weight[2] = {t->weight[0], t->weight[1]};
    double side[2][CAROM_SHEET_PULLS], pile[2][CAROM_SHEET_PULLS];
    for (int k = 0; k < CAROM_SHEET_PULLS; k++)
        side[0][k] = side[1][k] = pile[0][k] = pile[1][k] = 0.0;
    if (x > 0)
        pull(t->axis[0], 0, look(q, i - 1), own, pressure[i - 1] + p, side[0]);
    if (x + 1 < t->nx)
        pull(t->axis[0], 0, own, look(q, i + 1), p + pressure[i + 1], side[1]);
    if (y > 0)
        pull(t->axis[1], 1, look(q, i - t->nx), own, pressure[i - t->nx] + p, pile[0]);
    if (y + 1 < t->ny)
        pull(t->axis[1], 1, own, look(q, i + t->nx), p + pressure[i + t->nx], pile[1]);
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
__kernel void advance(const struct step t, __global const double4 *q0, __global double4 *q1, __global double *v,
                      __global const double *pressure, __global const uchar *held, __global const int *first,
                      __global const struct push *push, __global int *wrong)
{
    const size_t x = get_global_id(0), y = get_global_id(1), i = y * t.nx + x;
    if (x >= t.nx)
        return;
    const struct cell own = look(q0, i);
    double f[3], u[3] = {v[3 * i], v[3 * i + 1], v[3 * i + 2]};
    forces(&t, q0, pressure, x, y, own, f);
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
        double4 to = q0[i];
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
    if (e >= count)
        return;
    const size_t i = which[e];
    const double4 own = q[i];
    out[5 * e] = own.x;
    out[5 * e + 1] = own.y;
    out[5 * e + 2] = own.z;
    out[5 * e + 3] = own.w;
    out[5 * e + 4] = pressure[i];
}
