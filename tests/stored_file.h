/* Run files as HDF5 sees them, mixed into the hash of stored.h: every group, attribute and number but checkpoints,
 * which are written by the clock, and versions. */
#ifndef CAROM_TESTS_STORED_FILE_H
#define CAROM_TESTS_STORED_FILE_H

#include <hdf5.h>

#include "stored.h"

/* n values of a type as it is in memory, and the type itself */
static inline void mix_values(hid_t type, const void *values, size_t n)
{
    const size_t bytes = n * H5Tget_size(type);
    mix((uint64_t)H5Tget_class(type));
    mix(H5Tget_size(type));
    if (H5Tget_class(type) == H5T_FLOAT)
        mix_reals(values, n);
    for (size_t i = 0; H5Tget_class(type) != H5T_FLOAT && i < bytes; i++)
        mix(((const unsigned char *)values)[i]);
}

static inline size_t mix_extent(hid_t space)
{
    hsize_t extent[8];
    const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    for (int k = 0; k < rank; k++)
        mix(extent[k]);
    return (size_t)H5Sget_simple_extent_npoints(space);
}

static inline void mix_attributes(hid_t object)
{
    char name[200];
    for (hsize_t i = 0; i < (hsize_t)H5Aget_num_attrs(object); i++) {
        const hid_t attribute = H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t stored = H5Aget_type(attribute), type = H5Tget_native_type(stored, H5T_DIR_ASCEND);
        const hid_t space = H5Aget_space(attribute);
        H5Aget_name(attribute, sizeof name, name);
        mix_text(name);
        const size_t n = mix_extent(space);
        char *values = carom_memory_zeroed(n + 1, H5Tget_size(type));
        CHECK(H5Aread(attribute, type, values) >= 0);
        if (strcmp(name, "version") != 0)
            mix_values(type, values, n);
        carom_memory_free(values);
        H5Sclose(space);
        H5Tclose(type);
        H5Tclose(stored);
        H5Aclose(attribute);
    }
}

static inline void mix_dataset(hid_t set)
{
    const hid_t stored = H5Dget_type(set), type = H5Tget_native_type(stored, H5T_DIR_ASCEND), space = H5Dget_space(set);
    const size_t n = mix_extent(space);
    char *values = carom_memory_zeroed(n + 1, H5Tget_size(type));
    CHECK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    mix_values(type, values, n);
    carom_memory_free(values);
    H5Sclose(space);
    H5Tclose(type);
    H5Tclose(stored);
}

/* NOLINTNEXTLINE(misc-no-recursion): groups are as deep as the layout is */
static inline void mix_group(hid_t group)
{
    H5G_info_t about;
    char name[200];
    CHECK_OR_STOP(H5Gget_info(group, &about) >= 0);
    for (hsize_t i = 0; i < about.nlinks; i++) {
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        if (strcmp(name, "checkpoint") == 0 || strcmp(name, "version") == 0)
            continue;
        const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        CHECK_OR_STOP(object >= 0);
        mix_text(name);
        mix_attributes(object);
        if (H5Iget_type(object) == H5I_GROUP)
            mix_group(object);
        else
            mix_dataset(object);
        H5Oclose(object);
    }
}

static inline void mix_run_file(const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK_OR_STOP(file >= 0);
    mix_group(file);
    H5Fclose(file);
}

#endif
