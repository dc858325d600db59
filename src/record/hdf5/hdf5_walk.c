/* Walks through a file: whatever a reader of it may have HDF5 do is done once, so that a crash inside HDF5 happens
 * here, where the caller can be a process that may crash. Numbers themselves cannot harm HDF5, so large datasets are
 * not read through: of them the way to the first and to the last entry, and all that HDF5 knows of where chunks are. */
#include "record/hdf5/hdf5_walk.h"

#include "base/memory.h"
#include "record/hdf5/hdf5_look.h"

#define SMALL ((uint64_t)1 << 20) /* bytes of what is read whole */

struct walk {
    const struct carom_hdf5_file *file;
    struct carom_error first; /* what could not be read, and the walk went on */
};

static void note(struct walk *walk, const char *what, const char *object)
{
    if (walk->first.status == CAROM_OK)
        carom_error_set(&walk->first, CAROM_E_FILE, "%s: %s %s could not be read", walk->file->path, what, object);
}

/* Attributes are small; one that says it is not is left alone, as readers leave it. */
static bool read_attribute(hid_t attribute)
{
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const uint64_t entry = H5Tget_size(type);
    bool good = type >= 0 && space >= 0 && count >= 0 && entry > 0;
    if (good && count > 0 && (uint64_t)count <= SMALL / entry) {
        void *value = carom_memory_zeroed((size_t)count, (size_t)entry);
        good = value != NULL && H5Aread(attribute, type, value) >= 0;
        if (good)
            H5Dvlen_reclaim(type, space, H5P_DEFAULT, value);
        carom_memory_free(value);
    }
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

static void read_attributes(struct walk *walk, hid_t root, const char *name, hsize_t count)
{
    bool good = true;
    for (hsize_t i = 0; good && i < count; i++) {
        const hid_t attribute = H5Aopen_by_idx(root, name, H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);
        good = attribute >= 0 && read_attribute(attribute);
        H5Aclose(attribute);
    }
    if (!good)
        note(walk, "an attribute of", name);
}

static bool read_whole(hid_t set, hid_t type, const struct carom_hdf5_look *look)
{
    void *value = carom_memory_zeroed((size_t)look->count, look->entry);
    const bool good = value != NULL && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
    if (good) {
        const hid_t space = H5Dget_space(set);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, value);
        H5Sclose(space);
    }
    carom_memory_free(value);
    return good;
}

static bool read_ends(hid_t set, hid_t type, const struct carom_hdf5_look *look)
{
    hsize_t ends[2 * H5S_MAX_RANK] = {0};
    const hsize_t two = 2;
    for (int i = 0; i < look->rank; i++)
        ends[look->rank + i] = look->size[i] - 1;
    void *value = carom_memory_zeroed(2, look->entry);
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &two, NULL);
    const bool good = value != NULL && H5Sselect_elements(space, H5S_SELECT_SET, 2, ends) >= 0 &&
                      H5Dread(set, type, memory, space, H5P_DEFAULT, value) >= 0;
    if (good)
        H5Dvlen_reclaim(type, memory, H5P_DEFAULT, value);
    H5Sclose(memory);
    H5Sclose(space);
    carom_memory_free(value);
    return good;
}

static void read_set(struct walk *walk, const char *name)
{
    struct carom_hdf5_look look;
    struct carom_error ignored, *error = walk->first.status == CAROM_OK ? &walk->first : &ignored;
    const hid_t access = carom_hdf5_look_access(H5P_DATASET_ACCESS);
    const hid_t set = carom_hdf5_look_open(walk->file->id, carom_hdf5_file_stands(walk->file), walk->file->path, name,
                                           access, &look, error);
    if (set >= 0 && look.count > 0) {
        const hid_t type = H5Dget_type(set);
        H5Dget_storage_size(set); /* through all chunks */
        if (!(look.count <= SMALL / look.entry ? read_whole(set, type, &look) : read_ends(set, type, &look)))
            note(walk, "the numbers of", name);
        H5Tclose(type);
    }
    H5Dclose(set);
    H5Pclose(access);
}

static herr_t see(hid_t root, const char *name, const H5O_info_t *about, void *own)
{
    struct walk *walk = own;
    read_attributes(walk, root, name, about->num_attrs);
    if (about->type == H5O_TYPE_DATASET)
        read_set(walk, name);
    return 0;
}

enum carom_status carom_hdf5_walk(const struct carom_hdf5_file *file, struct carom_error *error)
{
    struct walk walk = {.file = file, .first = {CAROM_OK, ""}};
    H5E_BEGIN_TRY
    {
        if (H5Ovisit2(file->id, H5_INDEX_NAME, H5_ITER_NATIVE, see, &walk, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS) < 0)
            note(&walk, "the list of", "all that is in it");
    }
    H5E_END_TRY
    return walk.first.status == CAROM_OK ? CAROM_OK : carom_error_set(error, walk.first.status, "%s", walk.first.text);
}
