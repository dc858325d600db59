/* Turns, openings and closings that a step of impact lzb passes inside, in rows: the step is mended for them. */
#ifndef CAROM_IMPACT_LZB_PASS_H
#define CAROM_IMPACT_LZB_PASS_H

#include "impact/lzb.h"

/* Contact i turns (or closes) at this part of the trial step of length h, beyond which it keeps its new way. True: what
 * that changes has been noted, and is certain enough; otherwise the step must end at *part, which may have grown. */
bool carom_lzb_pass_turn(struct carom_lzb *w, size_t i, double h, double *part);

/* The same where contact i opens at this part, and stays open. */
bool carom_lzb_pass_opening(struct carom_lzb *w, size_t i, double h, double *part);

/* Force of contact i at part s of the trial step, with what has been noted of it. */
double carom_lzb_pass_force(const struct carom_lzb *w, size_t i, double h, double s);

/* Mends the state for all that was noted, after the step has been taken. */
void carom_lzb_pass_apply(struct carom_lzb *w);

#endif
