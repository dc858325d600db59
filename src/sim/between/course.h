/* The overlap of one contact as a polynomial through overlaps and rates at its last looks: through two of them the
 * cubic of model/peak_force.h; through three or four of degree 5 or 7, with which looks may be further apart. Times are
 * parts of the time between the last two looks, 0 and 1 at these. */
#ifndef CAROM_SIM_BETWEEN_COURSE_H
#define CAROM_SIM_BETWEEN_COURSE_H

#include "model/peak_force.h"

struct carom_course {
    size_t n;                   /* 4, 6 or 8 numbers make it */
    double node[8], divided[8]; /* Newton's form: places, each twice, and divided differences */
    double start, h;            /* time of place 0, and between the looks; not > 0: there is no course */
    double low;                 /* the place of the look before these, if it is one of them */
    const struct carom_peak_force *peak;
    size_t j;
};

/* A look at one contact that is older than those of a peak. */
struct carom_course_past {
    double time, deform, rate;
};

/* Between looks i and i + 1, or, `wide`, i - 1 and i + 1 if there are that many; of an older one, unless that is NULL,
 * wherever no look is left out between. */
struct carom_course carom_course_of(const struct carom_peak_force *peak, size_t j, size_t i, bool wide,
                                    const struct carom_course_past *past);

/* Between the last two looks, through one in the middle. */
struct carom_course carom_course_inside(const struct carom_peak_force *peak, size_t j,
                                        const struct carom_course_past *middle);

/* Overlap, slope and bend, per part and square of a part of the time h. */
void carom_course_at(const struct carom_course *course, double s, double out[3]);

/* The force there, which may be the largest so far. */
double carom_course_try(const struct carom_course *course, struct carom_peak_force *peak, double s);

/* The force at that place, and its top after it, if there is one, may be the largest so far. */
void carom_course_climb(const struct carom_course *course, const struct carom_peak_force *peak, double from);

/* Where d + T d' turns from growing to falling, T in parts of h: the last such place; NaN: nowhere. */
double carom_course_top(const struct carom_course *course, double follows);

/* The integral of the force between the last two looks, which is smooth there. */
double carom_course_impulse(const struct carom_course *course);

#endif
