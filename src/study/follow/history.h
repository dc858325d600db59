/* Histories: one number over time, kept as straight lines with jumps. Samples that a line misses by no more than a
 * given distance are left out (the swinging door of process control: a line from the last sample kept passes within the
 * distance of all since), so that a body of a long chain costs memory only while it moves. */
#ifndef CAROM_STUDY_FOLLOW_HISTORY_H
#define CAROM_STUDY_FOLLOW_HISTORY_H

#include <stdbool.h>

#include "carom/error.h"
#include "study/follow/norms.h"

struct carom_history {
    size_t n, room;
    double *time, *left, *right; /* n: limits from both sides */
    double miss;                 /* what lines may miss */
    bool waiting;                /* a sample that is not kept yet: */
    double t, x;
    double low, high; /* slopes of the lines from the last kept sample that pass all since */
};

/* Samples in order of time; the first is kept. `jump`: from left to right at t. */
enum carom_status carom_history_add(struct carom_history *history, double t, double x, struct carom_error *error);
enum carom_status carom_history_jump(struct carom_history *history, double t, double left, double right,
                                     struct carom_error *error);
/* Keeps the last sample. */
enum carom_status carom_history_end(struct carom_history *history, struct carom_error *error);
void carom_history_free(struct carom_history *history); /* fine for zeros */

struct carom_graph carom_history_graph(const struct carom_history *history);

/* The value at t, the right limit at a jump; outside, that of the nearest end. */
double carom_history_at(const struct carom_history *history, double t);

/* When x has first changed by `by` from what it was before t, where a jump may be: on a line, or at the time of a jump.
 * NaN: never. */
double carom_history_reach(const struct carom_history *history, double t, double by);

/* The largest difference over the times that both have, jumps from both sides. NaN: there are no such times. */
double carom_history_sup(const struct carom_history *a, const struct carom_history *b);

#endif
