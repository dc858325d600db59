/* Datasets of an HDF5 file: rows of numbers or records, some of which grow. Open datasets are numbered. */
#ifndef CAROM_RECORD_HDF5_HDF5_SET_H
#define CAROM_RECORD_HDF5_HDF5_SET_H

#include "record/hdf5/hdf5_file.h"

/* What one entry of a dataset is, in memory and on disk. */
enum carom_hdf5_type {
    CAROM_HDF5_REAL,   /* double */
    CAROM_HDF5_COUNT,  /* uint64_t; signed on disk, as readers subtract them */
    CAROM_HDF5_WORD,   /* uint64_t, all bits */
    CAROM_HDF5_NUMBER, /* int32_t */
    CAROM_HDF5_CHOICE, /* int32_t with a name for each value, see `names` */
    CAROM_HDF5_RECORD, /* a struct of the first three, see `fields` */
    CAROM_HDF5_BYTE,   /* uint8_t */
};

struct carom_hdf5_field {
    const char *name; /* NULL ends the list */
    enum carom_hdf5_type type;
    size_t offset;
};

/* A dataset: one entry (rank 0), rows of one entry (rank 1) or rows of `width` entries (rank 2 and 3). */
struct carom_hdf5_spec {
    const char *path, *unit; /* a record's unit lists those of its fields: "s,1,N" */
    enum carom_hdf5_type type;
    const char *const *names;              /* of a choice, NULL-ended */
    const struct carom_hdf5_field *fields; /* of a record */
    size_t record;                         /* its size in memory */
    int rank;
    int most;      /* of what is found: ranks from `rank` to this will do (0: that one only) */
    bool grows;    /* begins empty */
    uint64_t rows; /* if it does not */
    size_t width;
    bool exact;   /* of what is found: the width must be this one */
    size_t depth; /* rank 3: rows of width / depth times depth entries */
};

/* Creates a dataset; errors are kept for carom_hdf5_file_publish, the number is then -1. */
int carom_hdf5_set_define(struct carom_hdf5_file *file, const struct carom_hdf5_spec *spec);

/* Opens a dataset to be read as spec's type, names, fields and record size say, of its rank and, where it is exact, its
 * width; fills in the rest but the unit. -1 and the sentence if it is not there or another one. */
int carom_hdf5_set_find(struct carom_hdf5_file *file, struct carom_hdf5_spec *spec, struct carom_error *error);

/* The unit of a dataset, "" if it has none. */
void carom_hdf5_set_unit(const struct carom_hdf5_file *file, int set, char *unit, size_t size);

uint64_t carom_hdf5_set_rows(const struct carom_hdf5_file *file, int set);

/* Rows [first, first + count); writing makes a growing dataset longer as needed. Rank 0: first = 0, count = 1.
 * While building (before publishing) the same calls serve. */
enum carom_status carom_hdf5_set_write(struct carom_hdf5_file *file, int set, uint64_t first, uint64_t count,
                                       const void *data, struct carom_error *error);
enum carom_status carom_hdf5_set_read(const struct carom_hdf5_file *file, int set, uint64_t first, uint64_t count,
                                      void *data, struct carom_error *error);

/* Forgets the rows from `rows` on. */
enum carom_status carom_hdf5_set_cut(struct carom_hdf5_file *file, int set, uint64_t rows, struct carom_error *error);

#endif
