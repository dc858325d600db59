/* What takes long tells whoever started it how far it is, and is told to stop: studies, scenes whose bodies settle. */
#ifndef CAROM_PROGRESS_H
#define CAROM_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/api.h"

CAROM_BEGIN

/* Called now and then, by any thread but by one at a time; `done` goes from 0 to 1. Returning false ends the work with
 * CAROM_E_STOPPED. A NULL call is never called. */
struct carom_progress {
    bool (*call)(void *own, double done);
    void *own;
};

static inline bool carom_progress_go_on(const struct carom_progress *progress, double done)
{
    return progress == NULL || progress->call == NULL || progress->call(progress->own, done);
}

CAROM_END

#endif
