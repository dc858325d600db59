/* Distances between functions of time that may jump: the Hausdorff distance of filled-in graphs (Moreau 1978; Acary
 * 2009, equations (12)-(15)) and L1, Lp norms with the weights of the steps (16), (17). */
#ifndef CAROM_STUDY_FOLLOW_NORMS_H
#define CAROM_STUDY_FOLLOW_NORMS_H

#include <stddef.h>

/* A function of time, `width` numbers at once: at time[i] (never falling) it jumps from left[i * width ...] to
 * right[i * width ...], between two times it is a straight line. left == right: no jumps. The filled-in graph has the
 * straight line from left to right at each jump. Times may repeat. */
struct carom_graph {
    size_t n, width;
    const double *time, *left, *right;
};

/* The Hausdorff distance of the filled-in graphs of f and g, d((t, x), (s, y)) = max(rate |t - s|, max_k |x_k -
 * y_k|). `rate` makes time and x comparable: so many units of x count as much as one unit of time. The answer is too
 * small by at most `relative` of itself. NaN if a graph is empty, the widths differ or a number is not finite. */
double carom_norms_hausdorff(const struct carom_graph *f, const struct carom_graph *g, double rate, double relative);

/* (integral of |f_k - g_k|^p dt)^(1/p) over the times that both have, the largest over k; exact for straight lines. */
double carom_norms_lp(const struct carom_graph *f, const struct carom_graph *g, double p);

#endif
