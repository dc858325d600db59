/* Linear systems of impact lzb: tridiagonal in chains, span by span, else dense. Rows are those of the unit matrix, of
 * W or of both. */
#ifndef CAROM_IMPACT_LZB_LINEAR_H
#define CAROM_IMPACT_LZB_LINEAR_H

#include "impact/lzb.h"

enum carom_status carom_lzb_linear_open(struct carom_lzb_linear *a, size_t room, bool chain, struct carom_error *error);
void carom_lzb_linear_close(struct carom_lzb_linear *a);

/* Row i becomes: one x_i + by[i] (W x)_i = b_i, where by[i] < 0 stands for (W x)_i = b_i alone; then it is factored. */
void carom_lzb_linear_set(const struct carom_lzb *w, struct carom_lzb_linear *a, const double *by);

/* Solves it in place. Where equations contradict or repeat each other the unknowns left over are 0. */
void carom_lzb_linear_solve(const struct carom_lzb *w, const struct carom_lzb_linear *a, double *b);

#endif
