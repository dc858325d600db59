/* Flights ahead of a run: two of them side by side, with different options, tell by how far they are apart what the run
 * itself may expect; or three, the first beside each of the others. */
#ifndef CAROM_SIM_AHEAD_FLIGHTS_H
#define CAROM_SIM_AHEAD_FLIGHTS_H

#include "sim/loop.h"

enum { CAROM_FLIGHTS_NUDGES = 3 }; /* errors are made all along a run */
enum { CAROM_FLIGHTS_MOST = 5 };   /* side by side */

struct carom_flights {
    struct carom_sim
        *sim; /* whose start they take; it is left alone but for phase and progress, which the watch sees */
    const struct carom_watch *watch;
    size_t noptions;                         /* that differ from those of the sim */
    struct carom_flight_option option[2][4]; /* of the first flight, and of those beside it */
    double nudge[2]; /* in so many portions, of V, the second is made faster, and a third by that; 0: it is not */
    size_t
        shaken; /* so many more, of discs and spheres: their velocities are off by `shake` of V, each in its own way */
    double shake;
    bool finer;    /* steps of the second that no error limits are half as long */
    int looks;     /* comparisons, equally far apart, the last one at the end */
    double enough; /* they end where they are so far apart */
    /* how far, in their views; `which` of those beside the first, from 0 */
    double (*apart)(void *own, size_t which, const struct carom_sim *a, const struct carom_sim *b);
    /* a moment before each look; NULL: no need */
    void (*glance)(void *own, size_t which, const struct carom_sim *a, const struct carom_sim *b);
    /* along the steps of the first, between looks; NULL: no need */
    void (*along)(void *own, size_t which, const struct carom_sim *a, const struct carom_sim *b);
    void *own;
};

/* Flies them, three if nudge[1] is not 0, and those that are shaken; worst[which] is the largest distance seen. That of
 * the first two ends them. */
enum carom_status carom_flights_fly(const struct carom_flights *flights, double *worst, struct carom_error *error);

/* Where it is given how closely impacts along a path are followed, flights beside the first follow them more closely by
 * `part`: what they err by would not show. */
void carom_flights_follow(struct carom_flights *flights, double part);

/* Of velocities that differ by `now` of V at a look, and a moment `before` it, what counts on average. Where an impact
 * falls on the look, one flight has it behind it and the other before it, for next to no time: they differ as they did
 * before. */
double carom_flights_speeds(double before, double now);

#endif
