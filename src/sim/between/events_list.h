/* Openings and closings of contacts that come and go and, where a scheme finds it, when they begin to stick and to
 * slip. Contacts that were closed are remembered by their keys, so that nothing depends on when the list of those near
 * each other was made. */
#ifndef CAROM_SIM_BETWEEN_EVENTS_LIST_H
#define CAROM_SIM_BETWEEN_EVENTS_LIST_H

#include "carom/bodies.h"
#include "carom/record.h"

/* A contact that is closed. It sticks as it closes unless it slips at once, which is an event of its own. */
struct carom_closed {
    struct carom_contact_key key;
    double phase; /* as the scheme says that locates it */
};

/* An event of a step; those that are alike in all else keep the order in which they were found. */
struct carom_found {
    struct carom_event event;
    size_t number;
};

struct carom_events_list {
    const struct carom_bodies *bodies;
    bool located;                /* the scheme finds changes itself, where its steps end */
    size_t n, room;              /* closed at the last look; room for so many, now and then */
    struct carom_closed *closed; /* rising */
    struct carom_closed *now;
    size_t nfound, event_room;
    struct carom_found *found;
};

void carom_events_list_open(struct carom_events_list *events, const struct carom_bodies *bodies);
void carom_events_list_close(struct carom_events_list *events);

/* Who is closed when the recording begins. */
enum carom_status carom_events_list_begin(struct carom_events_list *events, const struct carom_state *state,
                                          struct carom_error *error);

/* Who listens to what changes, with overlap and rate at both ends of the step. */
struct carom_events_list_told {
    enum carom_status (*turned)(void *own, const struct carom_contact_key *key, const struct carom_event *event,
                                const double deform[2], const double rate[2], struct carom_error *error);
    void *own;
};

/* What has changed since the last look, in the step from `before`, goes to the recorder in order of time, if it wants
 * events, and to whoever listens (NULL: nobody). All schemes
 * of such contacts step places and velocities themselves, so that no views are needed. */
enum carom_status carom_events_list_follow(struct carom_events_list *events, const struct carom_state *before,
                                           const struct carom_state *state, struct carom_recorder *recorder,
                                           const struct carom_events_list_told *told, struct carom_error *error);

#endif
