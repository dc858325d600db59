/* The one place where datasets are opened to be read: what stands in a file is looked at and bounded before anybody
 * takes memory for it. Like hdf5_inner.h for the files hdf5_*.c only. */
#ifndef CAROM_RECORD_HDF5_HDF5_LOOK_H
#define CAROM_RECORD_HDF5_HDF5_LOOK_H

#include "record/hdf5/hdf5_inner.h"

/* A dataset as it stands on disk. */
struct carom_hdf5_look {
    int rank;
    hsize_t size[H5S_MAX_RANK];
    bool grows;
    H5T_class_t kind;
    bool variable;  /* texts of variable length */
    size_t entry;   /* bytes of one, in memory of that type */
    uint64_t count; /* entries */
};

/* A list of properties, H5P_DATASET_ACCESS or H5P_LINK_ACCESS, with which links into other files lead nowhere. */
hid_t carom_hdf5_look_access(hid_t kind);

/* Bytes that a dataset of the file at `path` may claim; packed: if it is compressed. */
uint64_t carom_hdf5_look_most(const char *path, bool packed);

/* Opens a dataset of a file that stands at `path`. -1 and the sentence, which begins with `name`, if it is not there,
 * if its numbers lie in other files, or if it claims more than the file can hold. */
hid_t carom_hdf5_look_open(hid_t file, const char *path, const char *name, const char *set, hid_t access,
                           struct carom_hdf5_look *look, struct carom_error *error);

/* "300 x 512 real numbers" */
void carom_hdf5_look_say(const struct carom_hdf5_look *look, char *text, size_t size);

/* "real number" */
const char *carom_hdf5_look_kind(H5T_class_t kind);

#endif
