/* What hdf5_file.c, hdf5_tree.c and hdf5_set.c share; the only header that knows HDF5. For nobody else. */
#ifndef CAROM_RECORD_HDF5_HDF5_INNER_H
#define CAROM_RECORD_HDF5_HDF5_INNER_H

#define H5_USE_110_API /* newer versions have the calls of 1.10 as well */
#include <hdf5.h>

#include "record/hdf5/hdf5_driver.h"
#include "record/hdf5/hdf5_file.h"

/* An open dataset. */
struct carom_hdf5_open_set {
    hid_t id, type; /* type: in memory */
    int rank;
    bool grows;
    uint64_t rows;
    size_t width, depth; /* depth: rank 3 only */
};

struct carom_hdf5_file {
    char *path;               /* as the user says it */
    char *target, *temporary; /* while it is built: where it shall stand, where it stands; then temporary is NULL */
    char *keep; /* the name that what stands at target gets when this file takes its place; NULL: it ends */
    hid_t id, driver, transfer; /* the last: how rows are moved */
    int held;                   /* while a copy is amended: descriptor of the file itself, else -1 */
    bool writes;
    size_t nsets, room;
    struct carom_hdf5_open_set *set;
    struct carom_hdf5_trouble trouble;
    struct carom_error first; /* error of building */
};

/* "PATH: could not WHAT: why". To be called right after what failed: any other call makes HDF5 forget why. */
enum carom_status carom_hdf5_file_fail(const struct carom_hdf5_file *file, struct carom_error *error, const char *what);

/* The same while building: kept in the file. */
void carom_hdf5_file_fail_building(struct carom_hdf5_file *file, const char *path);

/* Where the file is on disk: its path or that of the copy that is built. */
const char *carom_hdf5_file_stands(const struct carom_hdf5_file *file);

/* An attribute with a text; an array with one entry where `array`. */
bool carom_hdf5_tree_attach_text(hid_t object, const char *name, const char *text, bool array);

/* The text of an attribute, cut to `size` with its end; "" if there is none. */
void carom_hdf5_tree_attached_text(hid_t object, const char *name, char *text, size_t size);

/* A list that makes groups on the way to what is created. */
hid_t carom_hdf5_tree_link_list(void);

/* Makes a group's creation list, or that of a file with its root group, keep links in one place. */
bool carom_hdf5_tree_keep_compact(hid_t list);

#endif
