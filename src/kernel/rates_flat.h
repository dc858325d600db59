/* The links of plane bodies at a frozen configuration, as rates.h has those in space; spins are about z. After
 * flat.h. */
#ifndef CAROM_KERNEL_RATES_FLAT_H
#define CAROM_KERNEL_RATES_FLAT_H

#ifndef CAROM_ON_DEVICE
#include "kernel/flat.h"
#endif

struct carom_rates_flat {
    carom_lane arm[2], normal[2], aside[2], swing, length, gap[2];
};

struct carom_rates_flat_motion {
    carom_lane v[2], spin;
};

/* (Q - 1) x for the turn (a, d) about z */
ALWAYS_INLINE void carom_rates_flat_shift(carom_lane a, carom_lane d, const carom_lane x[2], carom_lane out[2])
{
    const carom_lane twice = d + d, t0 = -(twice * x[1]), t1 = twice * x[0];
    out[0] = a * t0 - d * t1;
    out[1] = a * t1 + d * t0;
}

ALWAYS_INLINE void carom_rates_flat_frozen(const struct carom_flat_side *i, const struct carom_flat_side *j,
                                           const struct carom_flat_form *form, struct carom_rates_flat *p)
{
    const carom_lane arm[2] = {form->arm_x, form->arm_y}, moved[2] = {j->x - i->x, j->y - i->y};
    carom_lane apart[2] = {form->apart_x, form->apart_y}, gap[2], here[2], there[2];
    const carom_lane back[2] = {arm[0] - apart[0], arm[1] - apart[1]};
    carom_rates_flat_shift(i->a, i->d, arm, here);
    carom_rates_flat_shift(j->a, j->d, back, there);
    for (int k = 0; k < 2; k++) {
        gap[k] = moved[k] + (there[k] - here[k]);
        apart[k] += moved[k];
        p->arm[k] = arm[k] + here[k] + 0.5 * gap[k];
    }
    const carom_lane inverse = 1.0 / carom_lane_sqrt(apart[0] * apart[0] + apart[1] * apart[1]);
    for (int k = 0; k < 2; k++)
        p->normal[k] = inverse * apart[k];
    p->length = apart[0] * p->normal[0] + apart[1] * p->normal[1];
    p->swing = 0.5 * (gap[0] * p->normal[1] - gap[1] * p->normal[0]);
    const carom_lane open = gap[0] * p->normal[0] + gap[1] * p->normal[1];
    for (int k = 0; k < 2; k++)
        p->aside[k] = inverse * (gap[k] - open * p->normal[k]);
}

ALWAYS_INLINE carom_lane carom_rates_flat_rate(const struct carom_rates_flat_motion *i,
                                               const struct carom_rates_flat_motion *j,
                                               const struct carom_rates_flat *p, carom_lane gap[2])
{
    const carom_lane v[2] = {j->v[0] - i->v[0], j->v[1] - i->v[1]}, turn = j->spin - i->spin,
                     back = j->spin * p->length;
    gap[0] = v[0] - (turn * p->arm[1] - back * p->normal[1]);
    gap[1] = v[1] + (turn * p->arm[0] - back * p->normal[0]);
    return (gap[0] * p->normal[0] + gap[1] * p->normal[1]) +
           ((v[0] * p->aside[0] + v[1] * p->aside[1]) + (i->spin + j->spin) * p->swing);
}

ALWAYS_INLINE carom_lane carom_rates_flat_pull(const struct carom_rates_flat *p, carom_lane twist, carom_lane stiff,
                                               carom_lane bend, carom_lane press, carom_lane one[3], carom_lane two[3])
{
    const carom_lane swing = press * p->swing, flex = bend * twist;
    carom_lane grip[2];
    for (int k = 0; k < 2; k++) {
        grip[k] = stiff * p->gap[k] + press * p->normal[k];
        one[k] = two[k] = grip[k] + press * p->aside[k];
    }
    const carom_lane both = (p->arm[0] * grip[1] - p->arm[1] * grip[0]) + flex;
    one[2] = both - swing;
    two[2] = (both + swing) - p->length * (p->normal[0] * grip[1] - p->normal[1] * grip[0]);
    return stiff * (p->gap[0] * p->gap[0] + p->gap[1] * p->gap[1]) + flex * twist;
}

#endif
