/* The top of a curve that is known by samples only. */
#ifndef CAROM_SOLVE_SUMMIT_H
#define CAROM_SOLVE_SUMMIT_H

#include <stddef.h>

/* The maximum near sample i, which is no lower than its neighbours: by the polynomial of fourth degree through five
 * samples, the parabola through three, or the sample itself, whichever first makes sense. Samples of exactly 0 are
 * taken for the rest before or after something that may begin and end with a jump: no polynomial goes through them. */
void carom_summit_find(size_t n, const double *time, const double *value, size_t i, double *when, double *height);

#endif
