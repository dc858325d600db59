/* A run file told again: what a run told its sinks while it went, rows and events in the order of time, then impacts
 * from inside, episodes, what was stated. A sink that was written for runs works on files, old ones too; its layout has
 * no model. Nothing is read for calls that a sink does not have. */
#ifndef CAROM_RECORD_REPLAY_H
#define CAROM_RECORD_REPLAY_H

#include "record/run_file.h"

/* Which numbers rows have: of these items, in this order. */
struct carom_replay {
    const struct carom_run_file *run;
    const struct carom_run_item *const *item;
    size_t nitems;
    bool touching; /* contacts that come and go, too, where they were recorded */
};

/* Opens the sink, tells it all and closes it; it stays its owner's, also where this fails. */
enum carom_status carom_replay(const struct carom_replay *replay, const struct carom_sink *sink, void *own,
                               struct carom_error *error);

#endif
