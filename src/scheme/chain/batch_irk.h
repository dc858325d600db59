/* Many chains of equal length, stepped by scheme irk side by side in SIMD lanes (lanes.h): carom_batch_irk_lanes.
 * Masses, stiffnesses, gammas, gaps, walls and motions may differ from chain to chain; contacts are hertz or
 * kuwabara-kono with one viscous time in a chain, and beads have no local springs or loads. */
#ifndef CAROM_SCHEME_CHAIN_BATCH_IRK_H
#define CAROM_SCHEME_CHAIN_BATCH_IRK_H

#include "scheme/chain/lanes.h"

#endif
