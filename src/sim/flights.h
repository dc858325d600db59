/* Flights ahead of a run: two of them side by side, with different options, tell by how far they are apart what the run
 * itself may expect. */
#ifndef CAROM_SIM_FLIGHTS_H
#define CAROM_SIM_FLIGHTS_H

#include "sim/loop.h"

struct carom_flights {
    struct carom_sim
        *sim; /* whose start they take; it is left alone but for phase and progress, which the watch sees */
    const struct carom_watch *watch;
    size_t noptions;                         /* that differ from those of the sim */
    struct carom_flight_option option[2][3]; /* of the first flight, and of the second */
    double nudge;  /* from the first look on the second is faster by this part; 0: it is not */
    int looks;     /* comparisons, equally far apart, the last one at the end */
    double enough; /* they end where they are so far apart */
    double (*apart)(void *own, const struct carom_sim *a, const struct carom_sim *b); /* how far, in their views */
    void *own;
};

/* Flies them; *worst is the largest distance seen. */
enum carom_status carom_flights_fly(const struct carom_flights *flights, double *worst, struct carom_error *error);

#endif
