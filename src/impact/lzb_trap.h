/* Sets of contacts that no motion of their bodies opens, so that without loss an impact in them never ends. */
#ifndef CAROM_IMPACT_LZB_TRAP_H
#define CAROM_IMPACT_LZB_TRAP_H

#include "impact/lzb.h"

/* Is there a row of contacts, struck and all of es = 1, between two sides that do not move? For chains; else false. */
bool carom_lzb_trap_chain(const struct carom_lzb *w);

/* Is there no motion that opens all contacts, where all have es = 1? Any W; takes longer. */
bool carom_lzb_trap_any(struct carom_lzb *w);

#endif
