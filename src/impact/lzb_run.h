/* The way of an impact lzb from its first touch to its end. */
#ifndef CAROM_IMPACT_LZB_RUN_H
#define CAROM_IMPACT_LZB_RUN_H

#include "impact/lzb.h"

/* Goes on until nothing approaches and nothing is stored, but for what is below the tolerance: a, impulse, lost and the
 * time are those of the end, stored energy that was left is in `lost`. Fails with a sentence where there is no end. */
enum carom_status carom_lzb_run(struct carom_lzb *w, struct carom_error *error);

#endif
