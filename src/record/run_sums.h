/* Checksums of recorded samples, one for each item, the time and the step, so that a bit that changes on the disk is
 * noticed. They are rows of a dataset, and survive a kill as all rows do. The checksums that HDF5 can add to chunks
 * would not: a chunk is written anew with every row, and one that is written in part cannot be read. */
#ifndef CAROM_RECORD_RUN_SUMS_H
#define CAROM_RECORD_RUN_SUMS_H

#include "carom/record.h"
#include "record/hdf5/hdf5_file.h"

struct carom_run_file;
struct carom_run_item;

/* Of a writer. `set` below 0: the file, of an earlier version, has none. */
struct carom_run_sums {
    int set;
    size_t room;
    uint64_t *row; /* `room` rows of them */
};

void carom_run_sums_define(struct carom_run_sums *sums, struct carom_hdf5_file *file,
                           const struct carom_layout *layout);

/* Of a file in which so many rows are kept. */
void carom_run_sums_take_up(struct carom_run_sums *sums, struct carom_hdf5_file *file,
                            const struct carom_layout *layout, uint64_t rows);

/* Those of rows that are about to be written, channel by channel, `room` rows each. */
enum carom_status carom_run_sums_write(struct carom_run_sums *sums, struct carom_hdf5_file *file,
                                       const struct carom_layout *layout, uint64_t first, uint64_t count, size_t room,
                                       const double *value, const double *time, const uint64_t *step,
                                       struct carom_error *error);
void carom_run_sums_free(struct carom_run_sums *sums);

/* Forgets those from `rows` on; of files that have none, nothing. */
enum carom_status carom_run_sums_cut(struct carom_hdf5_file *file, uint64_t rows, struct carom_error *error);

/* Of a reader. */
struct carom_run_sums_of {
    int set; /* below 0: none, or a writer is at work or was killed */
    uint64_t rows;
    size_t width, *column; /* of each item; SIZE_MAX: none */
};
bool carom_run_sums_open(struct carom_run_file *run, struct carom_error *error);

/* Rows of an item, or of times or steps, as hdf5_set.h reads them, if they are what was written. */
enum { CAROM_RUN_SUMS_STEP = 1, CAROM_RUN_SUMS_TIME = 2 }; /* columns from the last one on */
enum carom_status carom_run_sums_read(const struct carom_run_file *run, const struct carom_run_item *item,
                                      uint64_t first, uint64_t count, double *out, struct carom_error *error);
enum carom_status carom_run_sums_read_clock(const struct carom_run_file *run, size_t which, uint64_t first,
                                            uint64_t count, void *out, struct carom_error *error);

#endif
