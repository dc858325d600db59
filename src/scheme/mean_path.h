/* The mean force of a contact whose law has a memory, over a step in which its overlap goes one way: the work of the
 * force along that way, phases that end on it included, over the way. What the law loses is then the work less the
 * change of what it stores. */
#ifndef CAROM_SCHEME_MEAN_PATH_H
#define CAROM_SCHEME_MEAN_PATH_H

#include "carom/param.h"

struct carom_law;

struct carom_mean_path {
    double mean, rise;               /* the mean force, and its derivative by the overlap at the end, never negative */
    double elastic, slope, energy;   /* of the law at the end */
    double history[CAROM_LAW_WIDTH]; /* at the end */
};

/* Contact j from overlap d0, where its history is `history`, to d1; negative overlaps: open. */
void carom_mean_path_find(const struct carom_law *law, const double *const *param, const double *const *history,
                          size_t j, double d0, double d1, struct carom_mean_path *path);

#endif
