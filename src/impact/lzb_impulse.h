/* Impact `lzb-impulse` seen from inside: how it walks through an impact, for those who walk themselves. */
#ifndef CAROM_IMPACT_LZB_IMPULSE_H
#define CAROM_IMPACT_LZB_IMPULSE_H

#include "impact/lzb_walk.h"

struct carom_lzb_impulse_options {
    double dP, threshold;
    int safeguards, stiffness; /* 0: on, bi */
    long impact_steps;
};

/* The manner that the options mean for a set whose contacts have these gap rates; `speed` as a striker has it. */
struct carom_lzb_walk_manner carom_lzb_impulse_manner(const struct carom_lzb_impulse_options *options,
                                                      const struct carom_frame *frame, const double *rate,
                                                      double speed);

#endif
