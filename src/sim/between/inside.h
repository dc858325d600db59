/* Steps of dp5 and cvode are long beside what a cubic through both ends follows: at tol 1e-9 by a hundred times what
 * they err. Where the force or the overlap of a contact may have a top in the last step, the middle of the step is
 * looked at, too, by the scheme's own interpolation, and the overlap is a course of degree 5 (course.h). Of three looks
 * the last two are at the start and the end of the step. */
#ifndef CAROM_SIM_BETWEEN_INSIDE_H
#define CAROM_SIM_BETWEEN_INSIDE_H

#include "carom/sim.h"
#include "sim/between/course.h"

/* Has this sim such steps, and so few coordinates that all of them may be interpolated? */
bool carom_inside_helps(const struct carom_sim *sim);

/* The time of the middle. */
double carom_inside_time(const struct carom_sim *sim);

/* Forces and overlaps of contact j at the ends of the step may be the largest so far. */
void carom_inside_ends(const struct carom_peak_force *peak, size_t j, double *overlap);

/* May there be a larger one inside? `anew`: what the first look tells is of no use. */
bool carom_inside_promises(const struct carom_peak_force *peak, size_t j, double overlap, bool anew);

/* It is looked for, through a look at the middle. */
void carom_inside_climb(const struct carom_peak_force *peak, size_t j, const struct carom_course_past *middle,
                        double *overlap);

#endif
