/* Finds the moments at which contacts open and close, from the views at both ends of a step. */
#ifndef CAROM_SIM_BETWEEN_EVENTS_H
#define CAROM_SIM_BETWEEN_EVENTS_H

#include "carom/record.h"

struct carom_events {
    const struct carom_model *model;
    size_t room;           /* contacts that fit at a time */
    double *deform, *rate; /* room: at the start of the step */
    double time;
    int8_t *state; /* nc: 1 open, 2 closed as last noted, 0 not yet: rounding of an overlap opens and closes nothing */
};

enum carom_status carom_events_open(struct carom_events *events, const struct carom_model *model, size_t room,
                                    struct carom_error *error);
void carom_events_close(struct carom_events *events);

/* The start of a step, then its end, for contacts [first, last), at most `room`; what changed between goes to the
 * recorder, if it wants events, in order of time, and to whoever listens, if anybody, with both ends of the step. */
struct carom_events_told {
    enum carom_status (*turned)(void *own, const struct carom_event *event, const double deform[2],
                                const double rate[2], struct carom_error *error);
    void *own;
};
void carom_events_before(struct carom_events *events, const struct carom_state *view, size_t first, size_t last);
enum carom_status carom_events_after(struct carom_events *events, const struct carom_state *view, size_t first,
                                     size_t last, struct carom_recorder *recorder, const struct carom_events_told *told,
                                     struct carom_error *error);

/* Is contact j, whose overlap goes from d0 to d1, other than it was last noted to be? */
bool carom_events_differs(struct carom_events *events, size_t j, double d0, double d1);

/* What happens to a contact within h after t, from overlap and rate at both ends: the zero of their cubic. */
struct carom_event carom_events_locate(const double deform[2], const double rate[2], double t, double h,
                                       uint64_t contact);

#endif
