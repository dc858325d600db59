/* Links and turns of a plane box of one material, once for processors and devices: the common subset of C and OpenCL C,
 * on numbers that stand side by side (base/lane.h, kernel/lane.cl). Only + - * /, roots and comparisons, so that all
 * of them come to the same bits. `pairs` of numbers go side by side, operation by operation: a link is a long chain of
 * operations, and that keeps more of a processor busy than one after the other; on devices it is 1. */
#ifndef CAROM_KERNEL_SHEET_H
#define CAROM_KERNEL_SHEET_H

#ifndef CAROM_ON_DEVICE
#include "base/lane.h"
#endif

/* constants of links along one axis; part: what an opening adds to dilatations; weight: part / edge */
struct carom_sheet_axis {
    double edge, arm, weight, inverse_square, part, inverse_part, stiff, bend; /* inverse_part: 1 / part^2 */
};

/* What a link does: the force on its first cell, the part of it that acts at the interface, the moment of the relative
 * turn. */
enum {
    CAROM_SHEET_FORCE_X,
    CAROM_SHEET_FORCE_Y,
    CAROM_SHEET_GRIP_X,
    CAROM_SHEET_GRIP_Y,
    CAROM_SHEET_FLEX,
    CAROM_SHEET_PULLS
};

/* 1 / sqrt(1 + e) by its series for e^2 <= this, where what is left out is less than 2^-54: a fraction of the time of a
 * root and a quotient. Links whose length changes by more than 0.27 % go another way. */
#define CAROM_SHEET_NEAR 0x1p-15

/* x^2 up to which the series of turns do, 0.6 degrees a step: what they leave out is less than 2^-57 */
#define CAROM_SHEET_SLOW 0x1p-13

#define CAROM_SHEET_EACH(p) for (int p = 0; p < pairs; p++)

/* Measures links along axis k: how far they are open (gap along the axis, slip across it), how far apart their cells
 * are (apart, aside), part / their distance, the square of how their lengths changed, and part x the opening along the
 * line between the cells. From how far the second cells moved beyond the first, along and across the axis, and sums of
 * 1 - cos and sin of both turns. */
ALWAYS_INLINE void carom_sheet_measure(int pairs, const struct carom_sheet_axis a, int k, const carom_lane along[],
                                       const carom_lane aside[], const carom_lane less[], const carom_lane sine[],
                                       carom_lane gap[], carom_lane slip[], carom_lane apart[], carom_lane inverse[],
                                       carom_lane square[], carom_lane open[])
{
    CAROM_SHEET_EACH(p) apart[p] = a.edge + along[p];
    CAROM_SHEET_EACH(p)
    {
        gap[p] = along[p] + a.arm * less[p];
        slip[p] = a.arm * sine[p];
        slip[p] = k == 0 ? aside[p] - slip[p] : aside[p] + slip[p];
    }
    CAROM_SHEET_EACH(p) open[p] = (apart[p] * apart[p] + aside[p] * aside[p]) * a.inverse_square - 1.0;
    CAROM_SHEET_EACH(p) square[p] = open[p] * open[p];
    CAROM_SHEET_EACH(p)
    {
        const carom_lane odd = -0.5 + square[p] * (-5.0 / 16.0 + square[p] * (-63.0 / 256.0)),
                         rest = 3.0 / 8.0 + square[p] * (35.0 / 128.0 + square[p] * (231.0 / 1024.0));
        inverse[p] = a.weight * (1.0 + open[p] * (odd + open[p] * rest));
    }
    CAROM_SHEET_EACH(p) open[p] = (gap[p] * apart[p] + slip[p] * aside[p]) * inverse[p];
}

/* part / distance and the opening of links that changed their length much, by a root; the others keep theirs */
ALWAYS_INLINE void carom_sheet_measure_far(const struct carom_sheet_axis a, const carom_lane gap[2],
                                           const carom_lane apart[2], carom_lane *inverse, carom_lane *open)
{
    const carom_lane square = apart[0] * apart[0] + apart[1] * apart[1], e = square * a.inverse_square - 1.0;
    const carom_lane_mask far = e * e > CAROM_SHEET_NEAR;
    const carom_lane by_root = a.part / carom_lane_sqrt(square);
    *open = carom_lane_pick(far, (gap[0] * apart[0] + gap[1] * apart[1]) * by_root, *open);
    *inverse = carom_lane_pick(far, by_root, *inverse);
}

/* what a link does, from its measures (x and y), opening, and the pressures and turns of both cells (i and j) */
ALWAYS_INLINE void carom_sheet_pull(const struct carom_sheet_axis a, const carom_lane gap[2], const carom_lane apart[2],
                                    carom_lane inverse, carom_lane open, carom_lane pressures, const carom_lane less[2],
                                    const carom_lane sine[2], carom_lane out[CAROM_SHEET_PULLS])
{
    const carom_lane along = a.inverse_part * open * inverse, lean = pressures * inverse;
    for (int k = 0; k < 2; k++) {
        out[CAROM_SHEET_GRIP_X + k] = a.stiff * gap[k] + lean * apart[k];
        out[CAROM_SHEET_FORCE_X + k] = out[CAROM_SHEET_GRIP_X + k] + lean * (gap[k] - along * apart[k]);
    }
    /* the sine of the relative turn */
    out[CAROM_SHEET_FLEX] = a.bend * ((sine[1] - sine[0]) + (sine[0] * less[1] - sine[1] * less[0]));
}

/* What two links on opposite sides of a cell do to it: those ahead have it as their first cell. What acts at interfaces
 * has arms on opposite sides. */
ALWAYS_INLINE carom_lane carom_sheet_both(int k, carom_lane ahead, carom_lane behind)
{
    return k == CAROM_SHEET_GRIP_X || k == CAROM_SHEET_GRIP_Y ? ahead + behind : ahead - behind;
}

/* Force and torque of a cell from what its links do, to the sides and up and down. Arms (arm, 0) and (0, arm) are
 * turned with the cell. */
ALWAYS_INLINE void carom_sheet_gather(const double arm[2], const double weight[2],
                                      const carom_lane side[CAROM_SHEET_PULLS],
                                      const carom_lane pile[CAROM_SHEET_PULLS], carom_lane less, carom_lane sine,
                                      carom_lane out[3])
{
    for (int k = 0; k < 2; k++)
        out[k] = (side[CAROM_SHEET_FORCE_X + k] + pile[CAROM_SHEET_FORCE_X + k]) + weight[k];
    const carom_lane across = arm[0] * side[CAROM_SHEET_GRIP_Y] - arm[1] * pile[CAROM_SHEET_GRIP_X],
                     along = arm[0] * side[CAROM_SHEET_GRIP_X] + arm[1] * pile[CAROM_SHEET_GRIP_Y];
    out[2] = (side[CAROM_SHEET_FLEX] + pile[CAROM_SHEET_FLEX]) + (across - (less * across + sine * along));
}

/* 1 - cos and sin of turns whose halves have cos a and sin d */
ALWAYS_INLINE void carom_sheet_angle(carom_lane a, carom_lane d, carom_lane *less, carom_lane *sine)
{
    const carom_lane twice = d + d;
    *less = twice * d;
    *sine = twice * a;
}

/* Turns cells by angles whose sines are x, w = x^2 small. a, d: cosines and sines of their half turns. */
ALWAYS_INLINE void carom_sheet_turn(int pairs, const carom_lane x[], const carom_lane w[], carom_lane a[],
                                    carom_lane d[])
{
    CAROM_SHEET_EACH(p)
    {
        const carom_lane ww = w[p] * w[p];
        /* back to length 1, where it came from a little off */
        const carom_lane mend = 1.5 - 0.5 * (a[p] * a[p] + d[p] * d[p]), old = mend * a[p], turned = mend * d[p];
        const carom_lane e1 = x[p] * ((0.5 + w[p] * (1.0 / 16.0)) + ww * (7.0 / 256.0 + w[p] * (33.0 / 2048.0))),
                         e0 = (1.0 - w[p] * (1.0 / 8.0)) - ww * (5.0 / 128.0 + w[p] * (21.0 / 1024.0));
        a[p] = old * e0 - turned * e1;
        d[p] = turned * e0 + old * e1;
    }
}

#endif
