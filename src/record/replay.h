/* Replays a run file into a sink: rows and events in the order of time, then the forces inside impacts, episodes, and
 * what was stated of errors. So a sink that was written for runs works on files, also on old ones; its layout has no
 * model. Nothing is read for calls that a sink does not have. */
#ifndef CAROM_RECORD_REPLAY_H
#define CAROM_RECORD_REPLAY_H

#include "record/run_file.h"

/* What is replayed: rows consist of these items, in this order. */
struct carom_replay {
    const struct carom_run_file *run;
    const struct carom_run_item *const *item;
    size_t nitems;
    bool touching; /* rows have the contacts that come and go, where those were recorded */
};

/* Opens the sink, tells it everything and closes it. The caller releases it, also after an error. */
enum carom_status carom_replay(const struct carom_replay *replay, const struct carom_sink *sink, void *own,
                               struct carom_error *error);

#endif
