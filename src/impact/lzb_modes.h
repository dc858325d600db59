/* How the contacts of an impact lzb change between open, in, out and held. */
#ifndef CAROM_IMPACT_LZB_MODES_H
#define CAROM_IMPACT_LZB_MODES_H

#include "impact/lzb.h"

/* The first change that the trial step of length h passes by more than it may, as a part of it; 1: none. Contacts whose
 * mode ought to have changed at the beginning change now: then the answer is 0. */
double carom_lzb_modes_first(struct carom_lzb *w, double h);

/* Modes after a step was taken. */
void carom_lzb_modes_change(struct carom_lzb *w);

/* Held contacts store no more than the force that holds them needs. Those whose force would have to be a pull, or more
 * than they store, or grow, are held no longer; after one has changed, others are to be reviewed again. */
void carom_lzb_modes_review(struct carom_lzb *w);

/* Contact i turns from in to out, or from what else it is to in, at its x. */
void carom_lzb_modes_turn(struct carom_lzb *w, size_t i);

/* Contact i opens: what it still stores is lost. */
void carom_lzb_modes_open(struct carom_lzb *w, size_t i);

#endif
