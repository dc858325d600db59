/* Opens datasets to be read. Files come from anywhere: a few bytes may claim any extent, and a dataset may lie in
 * another file, which a file from a stranger has no business to open. What is claimed must be in the file, up to an
 * allowance for what a killed writer had not yet brought to disk and for what compression saves. */
#include "record/hdf5/hdf5_look.h"

#include <stdio.h>
#include <sys/stat.h>

#define ALLOWANCE ((uint64_t)64 << 20) /* bytes that any dataset may claim */
#define PACKED 1100                    /* deflate makes 1032 bytes of one at most */
#define WIDEST ((hsize_t)1 << 31)      /* entries of a row along one axis */

static herr_t stay(const char *file, const char *group, const char *other, const char *object, unsigned *flags,
                   hid_t access, void *own)
{
    (void)file, (void)group, (void)other, (void)object, (void)flags, (void)access, (void)own;
    return -1;
}

hid_t carom_hdf5_look_access(hid_t kind)
{
    const hid_t list = H5Pcreate(kind);
    if (list >= 0)
        H5Pset_elink_cb(list, stay, NULL);
    return list;
}

const char *carom_hdf5_look_kind(H5T_class_t kind)
{
    switch (kind) {
    case H5T_FLOAT:
        return "real number";
    case H5T_INTEGER:
        return "whole number";
    case H5T_STRING:
        return "text";
    case H5T_COMPOUND:
        return "record";
    case H5T_ENUM:
        return "choice";
    default:
        return "entry of another kind";
    }
}

void carom_hdf5_look_say(const struct carom_hdf5_look *look, char *text, size_t size)
{
    const char *const kind = look->kind >= H5T_INTEGER ? carom_hdf5_look_kind(look->kind) : "entry";
    size_t at = 0;
    for (int i = 0; i < look->rank && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%llu", i > 0 ? " x " : "", (unsigned long long)look->size[i]);
    if (at < size)
        snprintf(text + at, size - at, "%s %s%s", look->rank > 0 ? "" : "one", kind, look->rank > 0 ? "s" : "");
}

/* Layout, type and space; false: not of a kind that is read. */
static bool describe(hid_t set, struct carom_hdf5_look *look, bool *here, bool *packed)
{
    hsize_t largest[H5S_MAX_RANK] = {0};
    const hid_t creation = H5Dget_create_plist(set);
    const H5D_layout_t layout = H5Pget_layout(creation);
    *here = layout == H5D_COMPACT || layout == H5D_CHUNKED ||
            (layout == H5D_CONTIGUOUS && H5Pget_external_count(creation) == 0);
    *packed = H5Pget_nfilters(creation) > 0;
    H5Pclose(creation);
    if (!*here) /* asking for its space would open those files */
        return false;
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    look->rank = H5Sget_simple_extent_ndims(space);
    look->kind = H5Tget_class(type);
    look->variable = H5Tis_variable_str(type) > 0;
    look->entry = H5Tget_size(type);
    const bool good = look->rank >= 0 && look->rank <= H5S_MAX_RANK && look->kind != H5T_NO_CLASS && look->entry > 0 &&
                      H5Sget_simple_extent_type(space) != H5S_NULL &&
                      H5Sget_simple_extent_dims(space, look->size, largest) == look->rank;
    look->grows = good && look->rank > 0 && largest[0] == H5S_UNLIMITED;
    H5Tclose(type);
    H5Sclose(space);
    return good;
}

uint64_t carom_hdf5_look_most(const char *path, bool packed)
{
    struct stat about;
    const uint64_t bytes = stat(path, &about) == 0 && about.st_size > 0 ? (uint64_t)about.st_size : 0;
    return ALLOWANCE + (packed ? PACKED : 1) * (bytes < UINT64_MAX / 2 / PACKED ? bytes : UINT64_MAX / 2 / PACKED);
}

/* Counts the entries; false: more than the file can hold. */
static bool bounded(const char *path, bool packed, struct carom_hdf5_look *look)
{
    look->count = 1;
    for (int i = 0; i < look->rank; i++) {
        if (i > 0 && look->size[i] > WIDEST)
            return false;
        if (look->size[i] > 0 && look->count > UINT64_MAX / look->size[i])
            return false;
        look->count *= look->size[i];
    }
    if (look->count > UINT64_MAX / look->entry)
        return false;
    const uint64_t claimed = look->count * look->entry;
    return claimed <= ALLOWANCE || claimed <= carom_hdf5_look_most(path, packed);
}

hid_t carom_hdf5_look_open(hid_t file, const char *path, const char *name, const char *set, hid_t access,
                           struct carom_hdf5_look *look, struct carom_error *error)
{
    bool here = true, packed = false;
    const hid_t id = H5Dopen2(file, set, access);
    *look = (struct carom_hdf5_look){.kind = H5T_NO_CLASS};
    if (id < 0)
        carom_error_set(error, CAROM_E_FILE, "%s: has no dataset %s", name, set);
    else if (!describe(id, look, &here, &packed))
        carom_error_set(error, CAROM_E_FILE, "%s: %s %s", name, set,
                        here ? "holds nothing that can be read" : "lies in other files, which are not opened");
    else if (!bounded(path, packed, look))
        carom_error_set(error, CAROM_E_FILE, "%s: %s claims more numbers than the file can hold", name, set);
    else
        return id;
    H5Dclose(id);
    return -1;
}
