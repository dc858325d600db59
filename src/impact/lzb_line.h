/* Friction of contacts with one tangent along the path of a blow: each sticks or slips one way or the other. The same
 * questions as those of lzb_cone.h. */
#ifndef CAROM_IMPACT_LZB_LINE_H
#define CAROM_IMPACT_LZB_LINE_H

#include <math.h>

#include "impact/lzb_cone.h"

static inline double carom_lzb_line_cone(const struct carom_lzb_friction *r, size_t i)
{
    return fmax(r->of->mu[i], r->of->mu_static[i]);
}

void carom_lzb_line_pull(struct carom_lzb_friction *r);
double carom_lzb_line_beyond(const struct carom_lzb_friction *r, size_t i);
void carom_lzb_line_share(struct carom_lzb_friction *r);

#endif
