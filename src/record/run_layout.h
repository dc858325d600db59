/* What sink_hdf5.c writes and run_file.c reads: names and records of a run file beside the recorded items. */
#ifndef CAROM_RECORD_RUN_LAYOUT_H
#define CAROM_RECORD_RUN_LAYOUT_H

#include "carom/record.h"
#include "record/hdf5/hdf5_set.h"

/* What a reader must know: later ones are refused, files without a number are of the first. */
#define CAROM_RUN_LAYOUT_VERSION 1

#define CAROM_RUN_LAYOUT_SLOTS 2
#define CAROM_RUN_LAYOUT_EVENT_COLUMNS 6
#define CAROM_RUN_LAYOUT_BLOW_COLUMNS 3

/* What stands before the numbers of a checkpoint; only numbers of 8 bytes, so there is no padding. */
struct carom_run_layout_header {
    uint64_t serial; /* how manieth checkpoint of the run, from 1; 0: none yet */
    double time, time_low;
    uint64_t step;
    double energy;
    uint64_t rows, events, impacts, forces;
    struct carom_counts counts;
    uint64_t n;        /* numbers of the state */
    uint64_t checksum; /* over all before it and over the state */
};

/* The version of a checkpoint's layout: which numbers of a state it holds, in which order (model/slices.h). Checksums
 * include it, so that each slot has a version of its own. Readers know all versions up to this one, and take a
 * checkpoint of a later one for damaged instead of misreading it. */
#define CAROM_RUN_LAYOUT_STATE 1

/* A checkpoint's checksum: that of its header, with the numbers added in order, in as many pieces as one likes. */
uint64_t carom_run_layout_checksum(const struct carom_run_layout_header *header, unsigned version);
uint64_t carom_run_layout_checksum_add(uint64_t sum, const double *data, size_t n);
bool carom_run_layout_is_whole(const struct carom_run_layout_header *header, const double *data);

/* Datasets beside the items, to be defined or found: counts of work, a checkpoint's header and its state. `path` is
 * room for the name. */
#define CAROM_RUN_LAYOUT_PATH 64
struct carom_hdf5_spec carom_run_layout_counts(bool si);
struct carom_hdf5_spec carom_run_layout_slot_header(int slot, bool si, char path[CAROM_RUN_LAYOUT_PATH]);
/* `listed`, here and below: of a model whose contacts come and go. Its states grow with the list of contacts. */
struct carom_hdf5_spec carom_run_layout_slot_state(int slot, size_t n, bool listed, char path[CAROM_RUN_LAYOUT_PATH]);
struct carom_hdf5_spec carom_run_layout_complete(void);
struct carom_hdf5_spec carom_run_layout_seed(void);
struct carom_hdf5_spec carom_run_layout_version(void);

/* What errors are measured by, what is promised and what is stated of them: speed, length, contact time, tol and, which
 * alone may change, the estimate with growth, horizon and sight, how far the ledger is off, what impacts did that their
 * law does not say, why nothing is promised, and how far pilots went. Files made before they were kept have none. */
#define CAROM_RUN_LAYOUT_ERRORS 21
#define CAROM_RUN_LAYOUT_ESTIMATE 4
#define CAROM_RUN_LAYOUT_STATED 17
#define CAROM_RUN_LAYOUT_PILOTS 4 /* of these are what pilots tell */
struct carom_hdf5_spec carom_run_layout_errors(size_t i, bool si);
struct carom_hdf5_spec carom_run_layout_pairs(size_t nc);
struct carom_hdf5_spec carom_run_layout_forces(bool si); /* of struct carom_blow_force */

/* An item's dataset "value", "time" or "step", to be found: values may be one number or a table for every sample. path
 * has room for CAROM_RUN_LAYOUT_ITEM; gcc 11 takes an array here for the word before it. */
#define CAROM_RUN_LAYOUT_ITEM 112
struct carom_hdf5_spec carom_run_layout_item(const char *item, const char *what, char *path);

/* Column i of the events, in the order time, contact (pair of bodies where listed), kind, impulse, before, after. */
struct carom_hdf5_spec carom_run_layout_event(size_t i, bool listed, bool si);

/* Column i of the impacts, in the order time, duration, estimate. */
struct carom_hdf5_spec carom_run_layout_blow(size_t i, bool si);

#endif
