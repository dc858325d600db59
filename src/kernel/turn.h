/* How cells in space turn in a step of rattle, once for processors and devices: the common subset of C and OpenCL C, as
 * sheet.h. The equations are those of scheme/solid/rattle_turn.c inside the paper's bound, solved for portions of cells
 * by as many rounds of its fixed point as the fastest of them needs: portions depend on nothing but the cells'
 * numbers. */
#ifndef CAROM_KERNEL_TURN_H
#define CAROM_KERNEL_TURN_H

#ifndef CAROM_ON_DEVICE
#include "base/lane3.h"
#endif

enum { CAROM_TURN_PORTION = 16 }; /* cells */

/* The paper's bound on sum |moment_i| / inertia_i, (sqrt 21 - 3) / 6, below which the fixed point converges. */
#define CAROM_TURN_BOUND 0.26376261582597335

/* the fixed point has come close enough, absolute in e / e_0: a tenth of the last bit of the quaternion */
#define CAROM_TURN_CLOSE 1e-17

/* sum |a| up to which three terms are as good */
#define CAROM_TURN_SMALL 1.5e-3

struct carom_turn {
    carom_lane a;
    struct carom_lane3 w;
};

/* as carom_quat_product has it */
ALWAYS_INLINE struct carom_turn carom_turn_product(struct carom_turn p, struct carom_turn q)
{
    return (struct carom_turn){p.a * q.a - p.w.x * q.w.x - p.w.y * q.w.y - p.w.z * q.w.z,
                               {p.a * q.w.x + p.w.x * q.a + p.w.y * q.w.z - p.w.z * q.w.y,
                                p.a * q.w.y - p.w.x * q.w.z + p.w.y * q.a + p.w.z * q.w.x,
                                p.a * q.w.z + p.w.x * q.w.y - p.w.y * q.w.x + p.w.z * q.a}};
}

ALWAYS_INLINE struct carom_lane3 carom_turn_forth(struct carom_turn q, struct carom_lane3 x)
{
    return carom_lane_add(x, carom_lane_shift(q.a, q.w, x));
}

/* Q^T x: the crosses are swapped instead of w */
ALWAYS_INLINE struct carom_lane3 carom_turn_back(struct carom_turn q, struct carom_lane3 x)
{
    struct carom_lane3 t = carom_lane_cross(x, q.w);
    t = carom_lane_add(t, t);
    return carom_lane_add(x, carom_lane_add(carom_lane_times(q.a, t), carom_lane_cross(t, q.w)));
}

/* Do three terms do, for the largest sum |a| of a portion? lopsided: how much its cells' moments of inertia differ. */
ALWAYS_INLINE bool carom_turn_is_small(double size, double lopsided)
{
    return lopsided * size * size <= CAROM_TURN_CLOSE && size <= CAROM_TURN_SMALL;
}

/* How many rounds bring y close, from y = a on. With S >= sum |a| and |skew| <= L the solution has sum |y| <= 1.08 S
 * within the bound, so the first error is at most 1.17 S^2 (S + L / 3), and a round multiplies it by at most
 * 1.08 S (2 S + L). */
ALWAYS_INLINE int carom_turn_rounds(double size, double lopsided)
{
    const double factor = 1.08 * size * (2.0 * size + lopsided);
    int rounds = 0;
    for (double error = 1.17 * size * size * (size + lopsided / 3.0); error > CAROM_TURN_CLOSE; error *= factor)
        rounds++;
    return rounds;
}

/* one round: y = a (1 + |y|^2) - skew (y_2 y_3, ...) */
ALWAYS_INLINE struct carom_lane3 carom_turn_round(struct carom_lane3 a, struct carom_lane3 skew, struct carom_lane3 y)
{
    const carom_lane whole = 1.0 + carom_lane_dot(y, y);
    return (struct carom_lane3){a.x * whole - skew.x * y.y * y.z, a.y * whole - skew.y * y.z * y.x,
                                a.z * whole - skew.z * y.x * y.y};
}

/* The turn e = (1, y) / |(1, y)| of the step, from what the fixed point has left. The root: of 1 / (1 + s) for
 * s = |y|^2 within the bound, a polynomial, then a step of Newton's. */
ALWAYS_INLINE struct carom_turn carom_turn_step(struct carom_lane3 y)
{
    const carom_lane s = carom_lane_dot(y, y), two = s * s,
                     p = (1.0 - 0.5 * s) + two * ((0.375 - 0.3125 * s) + two * 0.2734375),
                     a = p * (1.5 - (0.5 + 0.5 * s) * (p * p));
    return (struct carom_turn){a, carom_lane_times(a, y)};
}

/* The same for cells that are alike along all axes, to rounding, and turn slowly: y = a (1 + A + 2 A^2 + ...) with
 * A = |a|^2, in both places; what is left out is of the size of A^3. */
ALWAYS_INLINE struct carom_turn carom_turn_small_step(struct carom_lane3 a)
{
    const carom_lane square = carom_lane_dot(a, a);
    return (struct carom_turn){1.0 - square * (0.5 + 0.625 * square),
                               carom_lane_times(1.0 + square * (0.5 + 0.875 * square), a)};
}

/* q e; that q is not quite of length 1 is mended with e, to what rounding adds in one step */
ALWAYS_INLINE struct carom_turn carom_turn_on(struct carom_turn q, struct carom_turn e)
{
    const carom_lane square = (q.a * q.a + q.w.x * q.w.x) + (q.w.y * q.w.y + q.w.z * q.w.z), mend = 1.5 - 0.5 * square;
    return carom_turn_product(q, (struct carom_turn){mend * e.a, carom_lane_times(mend, e.w)});
}

/* The plane case in closed form: sin(turn) = x; e = (cos, sin) of half the turn. False: there is none. */
ALWAYS_INLINE bool carom_turn_plane(double x, double e[2])
{
    if (!(fabs(x) <= 1.0))
        return false;
    const double cosine = sqrt((1.0 - x) * (1.0 + x));
    e[0] = sqrt(0.5 * (1.0 + cosine));
    e[1] = 0.5 * x / e[0];
    return true;
}

/* q1 = q0 turned by it, half turns (cos, sin) of a cell in the plane, at length 1; false: too fast */
ALWAYS_INLINE bool carom_turn_plane_on(double x, const double q0[2], double q1[2])
{
    double e[2];
    if (!carom_turn_plane(x, e))
        return false;
    const double a = q0[0] * e[0] - q0[1] * e[1], d = q0[1] * e[0] + q0[0] * e[1];
    const double mend = 1.5 - 0.5 * (a * a + d * d);
    q1[0] = mend * a;
    q1[1] = mend * d;
    return true;
}

#endif
