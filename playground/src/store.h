/* Run files as the playground keeps them: in memory, behind the headers of src/record/hdf5. A file is a list of objects
 * by their paths; a reader is handed the writer's own file, so that nothing is copied. */
#ifndef CAROM_PLAYGROUND_STORE_H
#define CAROM_PLAYGROUND_STORE_H

#include "record/hdf5/hdf5_set.h"

enum store_kind { STORE_GROUP, STORE_TEXT, STORE_SET, STORE_LINK };

struct store_object {
    enum store_kind kind;
    char *path; /* without the slash in front; NULL: was removed */
    char *unit, *text;
    size_t to;                   /* of a link */
    struct carom_hdf5_spec spec; /* of a set; rows are those that are there */
    size_t entry;                /* bytes of one */
    uint8_t *data;
    uint64_t room; /* rows */
};

struct carom_hdf5_file {
    char *path;
    bool published;
    size_t count, room;
    struct store_object *object;
    struct carom_error first; /* error of building */
    struct carom_hdf5_file *next;
};

/* The object of a path, links followed; NULL: there is none. */
struct store_object *store_find(const struct carom_hdf5_file *file, const char *path);

/* A fresh object; NULL: there is one already or memory ran out, and the file remembers. */
struct store_object *store_add(struct carom_hdf5_file *file, enum store_kind kind, const char *path);

/* In the order in which HDF5 walks through groups: names one by one, from the top. */
int store_order(const char *a, const char *b);

#endif
