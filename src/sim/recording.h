/* What a sim tells its recorder: samples, events, and forces inside impacts. Everything here only looks, so that
 * recording never changes a bit of the trajectory. All do nothing where there is no recorder. */
#ifndef CAROM_SIM_RECORDING_H
#define CAROM_SIM_RECORDING_H

#include "sim/loop.h"

/* Room for the events that are wanted. */
enum carom_status carom_recording_open(struct carom_sim *sim, struct carom_error *error);

/* Opens the sinks and takes the sample of the start, unless the run is a restored one. */
enum carom_status carom_recording_begin(struct carom_sim *sim, struct carom_error *error);

/* Shortens what one call of the scheme may do to what can be recorded afterwards. */
void carom_recording_bound(struct carom_sim *sim, struct carom_bound *bound);

/* After a call of the scheme: what opened and closed in it, and the samples due. */
enum carom_status carom_recording_follow(struct carom_sim *sim, struct carom_error *error);

/* What is stated of the error: before the first step, as only then pilots are flown, and at the end. */
enum carom_status carom_recording_state(struct carom_sim *sim, struct carom_error *error);

/* Where the run ends: the book of impacts, and what is stated of the error. */
enum carom_status carom_recording_end(struct carom_sim *sim, struct carom_error *error);

/* Enough forces are kept, or none can be: no more are told. Asked again when a step was stopped. */
void carom_recording_bound_trace(struct carom_sim *sim);

/* Numbers that double precision has no room for end in energies that are none; a run like that has not come to its end.
 * Pilots (`whole` is another sim) are judged by who flies them. Also without a recorder. */
enum carom_status carom_recording_energies(struct carom_sim *sim, struct carom_error *error);

#endif
