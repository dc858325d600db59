/* Signals: functions of time that drive beads, mechanisms and solids. A signal has a value and a rate; its breaks
 * are the times where value or rate jump or begin, and no step passes one. Zeroed memory is the signal 0. */
#ifndef CAROM_SIGNAL_H
#define CAROM_SIGNAL_H

#include "carom/param.h"

CAROM_BEGIN

enum carom_shape {
    CAROM_SHAPE_NONE,
    CAROM_SHAPE_CONSTANT,  /* amplitude, from the beginning of time */
    CAROM_SHAPE_STEP,      /* 0, then amplitude from `start` on, for `duration` (0: for ever) */
    CAROM_SHAPE_RAMP,      /* 0, then rising evenly to amplitude over `duration`, then amplitude */
    CAROM_SHAPE_HALF_SINE, /* amplitude sin(pi (t - start) / duration) for `duration` */
    CAROM_SHAPE_SINE,      /* amplitude sin(2 pi frequency (t - start) + phase), for `duration` (0: for ever) */
    CAROM_SHAPE_CHIRP,     /* a sine whose frequency goes evenly from `frequency` to `frequency_end` in `duration` */
    CAROM_SHAPE_RICKER,    /* amplitude (1 - 2 a) exp(-a), a = (pi frequency (t - start))^2; start: its peak */
    CAROM_SHAPE_TABLE,     /* straight lines between points, the first and last value outside */
    CAROM_SHAPE_FUNCTION,  /* amplitude times a function of one's own, of t - start */
    CAROM_SHAPE_SUM,       /* of other signals, none of which is a sum */
};

/* A function of one's own. Handed over with a scene in struct carom_scene_wish, its name is a shape there. A run calls
 * it from any thread, and must be told the same for the same t. */
struct carom_function {
    struct carom_kind kind; /* its name; it has no parameters */
    double (*value)(const struct carom_function *function, double t);
    double (*rate)(const struct carom_function *function, double t); /* right limit where it jumps */
    double largest, fastest;                                         /* bounds of |value| and |rate|, for scales */
    size_t nbreaks;
    const double *breaks; /* nbreaks, rising: where value or rate jump */
};

struct carom_signal {
    enum carom_shape shape;
    double amplitude, start, duration, frequency, frequency_end, phase;
    size_t count;                          /* CAROM_SHAPE_TABLE: points; CAROM_SHAPE_SUM: parts */
    const double *time, *height;           /* count each, time rising; not owned */
    const struct carom_function *function; /* CAROM_SHAPE_FUNCTION; not owned */
    const struct carom_signal *part;       /* CAROM_SHAPE_SUM; not owned */
};

double carom_signal_value(const struct carom_signal *signal, double t);
double carom_signal_rate(const struct carom_signal *signal, double t); /* right limit where it jumps */

/* Writes up to `room` break times, rising; returns how many there are. */
size_t carom_signal_breaks(const struct carom_signal *signal, double *times, size_t room);

/* The signal does not change from t on before the time returned; t itself: it may change at once. */
double carom_signal_quiet(const struct carom_signal *signal, double t);

/* Largest |value| and |rate| the signal can have, for scales. */
void carom_signal_largest(const struct carom_signal *signal, double *value, double *rate);

CAROM_END

#endif
