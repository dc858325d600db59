/* Which numbers a row has: a channel for each probe and part, in the order they were asked for, then the ledger. */
#ifndef CAROM_RECORD_CHANNELS_H
#define CAROM_RECORD_CHANNELS_H

#include "carom/record.h"

struct carom_channels {
    const struct carom_model *model;
    size_t count;
    struct carom_channel *channel;
    size_t width;   /* doubles in a row */
    bool contacts;  /* does a probe want the model's contacts? */
    bool stresses;  /* the stress of cells or bodies? */
    bool reactions; /* what clamps and drives of a solid do? */
    bool touching;  /* the list of contacts that come and go? */
    bool grains;    /* what they add up to? */
    bool volume;    /* over the volume of a region? */
};

/* Channels for probes by name, and for what comes by itself: the ledger, sensors of solids. */
enum carom_status carom_channels_add(struct carom_channels *channels, const char *const *probes, size_t nprobes,
                                     struct carom_error *error);

/* One for a force sensor and, if it has a filter, one without it; `number` is the first of the two it reads. */
enum carom_status carom_channels_add_sensor(struct carom_channels *channels, const struct carom_sensor *sensor,
                                            size_t number, struct carom_error *error);

/* One for a bead or contact that was chosen. */
enum carom_status carom_channels_choose(struct carom_channels *channels, const struct carom_choice *choice,
                                        struct carom_error *error);

void carom_channels_free(struct carom_channels *channels);

#endif
