/* Signals of a scene: {shape: half-sine, amplitude: 10 N, duration: 50 us}, a bare number, or a table. */
#ifndef CAROM_SCENE_BIND_SIGNAL_H
#define CAROM_SCENE_BIND_SIGNAL_H

#include "scene/bind.h"

/* Reads the signal at `node`, whose values have the table unit `unit`. *table is the block its points live in, times
 * first (NULL: none), to be freed by the caller or given away with the signal. A table from a file is also kept
 * among the scene's overrides, so that the run file needs no other file. */
enum carom_status carom_bind_signal(struct carom_bind *b, struct carom_node *node, const char *unit,
                                    struct carom_signal *out, double **table);

/* The `signal` of a map whose other keys say what it multiplies, without unit; 1 if there is none, and amplitude 1
 * unless it is given. */
enum carom_status carom_bind_signal_factor(struct carom_bind *b, struct carom_node *map, struct carom_signal *signal,
                                           double **table);

/* What is added to the signal at `node`; 0 where it says nothing of it. */
enum carom_status carom_bind_signal_offset(struct carom_bind *b, const struct carom_node *node, const char *unit,
                                           double *offset);

/* Refuses a displacement that jumps after the start: it would put in energy that nobody counted. */
enum carom_status carom_bind_signal_smooth(struct carom_bind *b, const struct carom_node *node,
                                           const struct carom_signal *signal);

#endif
