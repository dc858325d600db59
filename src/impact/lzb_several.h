/* Friction of several contacts in space along the path of a blow (lzb_friction.h).
 *
 * What moves one contact may be held by others, and a slip turns, ever faster as it comes to a stop: explicit steps
 * could not follow, nor do slips alone say who sticks. So a short step is implicit in friction, which opposes the slip
 * at its end: forces are the springs' and so known, and impulses along tangents are those in the discs |q| <= mu F h
 * with the least of 1/2 q W q + s q (solve/contact/discs.h). That says at once who sticks, who stops and which way a
 * slip begins, cones hold, and friction takes energy. Short steps of several sizes are extrapolated, so that the order
 * is high where the motion is smooth; where a slip stops, starts or turns about, the shortest ones are taken as they
 * are. */
#ifndef CAROM_IMPACT_LZB_SEVERAL_H
#define CAROM_IMPACT_LZB_SEVERAL_H

#include "impact/lzb_cone.h"

enum { CAROM_LZB_SEVERAL_ROWS = 6 }; /* sizes of short steps */

/* At the start. Of contacts that hold each other, as corners of a face do, some slips cannot be, and no impulse would
 * change them; rounding, or a face that is tilted by next to nothing, leaves some. Slips count from those, and r->w has
 * none of their mobility. */
void carom_lzb_several_begin(struct carom_lzb_friction *r);

/* r->trial: a step of size h; returns its error, as a part of r->fast. Infinite: h is too long for a spring, or
 * friction was not found. */
double carom_lzb_several_leap(struct carom_lzb_friction *r, double h);

/* After a look: r->pull, and r->starts of contacts at rest, how fast those that are not held start to slip. */
void carom_lzb_several_hold(struct carom_lzb_friction *r);

/* After that: by how much does contact i slip though mu_static held it, or not slip on though it did? */
double carom_lzb_several_beyond(const struct carom_lzb_friction *r, size_t i);

/* After that: who is at rest and who slips from here on. */
void carom_lzb_several_share(struct carom_lzb_friction *r);

/* After that: the longest step, which comes near to where a slip stops, as it goes on now. */
double carom_lzb_several_reach(const struct carom_lzb_friction *r);

#endif
