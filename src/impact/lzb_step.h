/* One step of impact lzb in fixed modes, after Dormand, El-Mikkawy and Prince's method RKN 6(4)6FM for x'' = f(x). */
#ifndef CAROM_IMPACT_LZB_STEP_H
#define CAROM_IMPACT_LZB_STEP_H

#include "impact/lzb.h"
#include "solve/cubic.h"

/* out = W in on the spans; `in` becomes 0 beside them. */
void carom_lzb_step_turn(const struct carom_lzb *w, double *in, double *out);

/* Forces at x on the spans, but for those of held contacts; which are then found so that W force is 0 there. */
void carom_lzb_step_forces(const struct carom_lzb *w, const double *x, double *force);
void carom_lzb_step_hold(const struct carom_lzb *w, double *force);

/* Forces and W F at the state, which the next step begins with. */
void carom_lzb_step_begin(struct carom_lzb *w);

/* A trial step of length h into new_x, new_a, turned and push; `doubt` is the error of a. Returns the error of all, 1
 * is as much as a step may take. */
double carom_lzb_step_try(struct carom_lzb *w, double h);

/* Makes the trial step the state. */
void carom_lzb_step_take(struct carom_lzb *w, double h);

/* The integral of a of contact i over the trial step. */
double carom_lzb_step_way(const struct carom_lzb *w, size_t i, double h);

/* The double integral of the force of contact i over the trial step, as its x has it. */
double carom_lzb_step_twice(const struct carom_lzb *w, size_t i, double h);

/* a of contact i along the trial step of length h: the cubic through both ends. */
struct carom_cubic carom_lzb_step_speed(const struct carom_lzb *w, size_t i, double h);

/* x of contact i at part s of the trial step of length h: the quintic through both ends. */
double carom_lzb_step_between(const struct carom_lzb *w, size_t i, double h, double s);

#endif
