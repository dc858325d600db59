/* The largest force that each of many contacts has carried, from its force at the ends of all steps. Between steps it
 * is that of a parabola, unless the force has just begun or ended, where it may jump. Contacts are independent: they
 * may lie in any order, those of several chains among each other. */
#ifndef CAROM_SCHEME_CHAIN_PEAKS_H
#define CAROM_SCHEME_CHAIN_PEAKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/error.h"

struct carom_peaks {
    size_t n;
    uint64_t seen; /* times noted so far */
    double time[3];
    double *force[3]; /* n each, at these times, the oldest first */
    double *largest;  /* n */
    double *block;
};

enum carom_status carom_peaks_open(struct carom_peaks *peaks, size_t n, struct carom_error *error);
void carom_peaks_close(struct carom_peaks *peaks); /* fine for zeros */

/* A later time begins: n numbers to be filled with the forces there, before carom_peaks_note. */
double *carom_peaks_turn(struct carom_peaks *peaks, double time);
void carom_peaks_note(struct carom_peaks *peaks);

#endif
