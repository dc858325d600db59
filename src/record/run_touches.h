/* The table of contacts that come and go in a run file, observables/contacts/list: a row for each sample says which of
 * the lines of pair, point, normal, force, gap and dissipated are its contacts, [first, first + count). Lines are
 * written before the row that counts them. */
#ifndef CAROM_RECORD_RUN_TOUCHES_H
#define CAROM_RECORD_RUN_TOUCHES_H

#include "carom/record.h"
#include "record/hdf5/hdf5_set.h"

#define CAROM_RUN_TOUCHES_COLUMNS 6
#define CAROM_RUN_TOUCHES_LIST "observables/contacts/list"

struct carom_run_touches {
    bool there;
    size_t dimension; /* of point, normal and force */
    int first, count, column[CAROM_RUN_TOUCHES_COLUMNS];
    uint64_t rows, lines; /* that all of the datasets have */
};

/* Creates the datasets; errors surface when the file is published. */
void carom_run_touches_define(struct carom_run_touches *touches, struct carom_hdf5_file *file, size_t dimension,
                              bool si);

/* Finds them; `there` says whether the file has any. Counts rows and lines. */
enum carom_status carom_run_touches_find(struct carom_run_touches *touches, struct carom_hdf5_file *file,
                                         struct carom_error *error);

/* How many of the first `rows` rows have all their lines. */
uint64_t carom_run_touches_whole(const struct carom_run_touches *touches, const struct carom_hdf5_file *file,
                                 uint64_t rows);

/* Goes on after so many rows and their lines; _cut takes away what follows them. */
enum carom_status carom_run_touches_back(struct carom_run_touches *touches, struct carom_hdf5_file *file, uint64_t rows,
                                         struct carom_error *error);
enum carom_status carom_run_touches_cut(struct carom_run_touches *touches, struct carom_hdf5_file *file, uint64_t rows,
                                        struct carom_error *error);

/* Writes the lines of `rows` samples, `count` for each, then the rows. */
enum carom_status carom_run_touches_write(struct carom_run_touches *touches, struct carom_hdf5_file *file, size_t rows,
                                          const uint64_t *count, const struct carom_touch *touch,
                                          struct carom_error *error);

/* The lines of a row, and lines themselves. Refuses numbers that point outside the table. */
enum carom_status carom_run_touches_row(const struct carom_run_touches *touches, const struct carom_hdf5_file *file,
                                        uint64_t row, uint64_t *first, uint64_t *count, struct carom_error *error);
enum carom_status carom_run_touches_read(const struct carom_run_touches *touches, const struct carom_hdf5_file *file,
                                         uint64_t first, uint64_t count, struct carom_touch *out,
                                         struct carom_error *error);

#endif
