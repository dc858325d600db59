/* Plain arrays in HDF5 files, see the header. Files are written in HDF5's oldest format that holds them, as other
 * programs expect. HDF5's own messages are kept silent. */
#include "record/hdf5/hdf5_plain.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/hdf5/hdf5_aside.h"
#include "record/hdf5/hdf5_inner.h"
#include "record/hdf5/hdf5_look.h"

enum { MOST_ENTRIES = 1 << 30 };

struct carom_hdf5_plain {
    char *path, *target, *temporary; /* temporary: NULL if it is only read */
    hid_t id, driver;
    struct carom_hdf5_trouble trouble;
    struct carom_error first;
};

static void shut(struct carom_hdf5_plain *file)
{
    H5E_BEGIN_TRY
    {
        if (file->id >= 0)
            H5Fclose(file->id);
    }
    H5E_END_TRY
    file->id = -1;
}

void carom_hdf5_plain_close(struct carom_hdf5_plain *file)
{
    if (!file)
        return;
    shut(file);
    if (file->driver >= 0)
        H5FDunregister(file->driver);
    if (file->temporary)
        unlink(file->temporary);
    carom_memory_free_all(file->path, file->target, file->temporary, file);
}

static struct carom_hdf5_plain *prepare(const char *path, struct carom_error *error)
{
    struct carom_hdf5_plain *file = carom_memory_zeroed(1, sizeof *file);
    if (file) {
        file->id = -1;
        file->path = carom_memory_text(path);
        file->driver = carom_hdf5_driver_register();
    }
    if (file && file->path && file->driver >= 0)
        return file;
    carom_hdf5_plain_close(file);
    carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", path);
    return NULL;
}

/* Opens or creates under `name` with the driver that survives full disks. */
static bool start(struct carom_hdf5_plain *file, const char *name, bool create, unsigned flags)
{
    H5E_BEGIN_TRY
    {
        const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
        if (list >= 0 && H5Pset_fclose_degree(list, H5F_CLOSE_STRONG) >= 0 &&
            carom_hdf5_driver_use(list, file->driver, &file->trouble))
            file->id = create ? H5Fcreate(name, flags, H5P_DEFAULT, list) : H5Fopen(name, flags, list);
        H5Pclose(list);
    }
    H5E_END_TRY
    return file->id >= 0;
}

/* why a file cannot be opened, before HDF5 is asked */
static bool readable(const char *path, struct carom_error *error)
{
    if (carom_hdf5_file_looks(path))
        return true;
    if (access(path, R_OK) != 0)
        carom_error_set(error, CAROM_E_FILE, "%s: %s", path, strerror(errno));
    else
        carom_error_set(error, CAROM_E_INPUT, "%s: is not an HDF5 file", path);
    return false;
}

struct carom_hdf5_plain *carom_hdf5_plain_open(const char *path, struct carom_error *error)
{
    if (!readable(path, error))
        return NULL;
    struct carom_hdf5_plain *file = prepare(path, error);
    if (!file || start(file, path, false, H5F_ACC_RDONLY))
        return file;
    carom_error_set(error, CAROM_E_INPUT, "%s: could not be opened: it is damaged, cut short or being written", path);
    carom_hdf5_plain_close(file);
    return NULL;
}

/* Bytes of `from` into the open file; errno says why not. */
static bool copy(const char *from, int to)
{
    const int fd = open(from, O_RDONLY | O_CLOEXEC);
    const bool good = fd >= 0 && carom_hdf5_aside_copy(fd, to);
    const int kept = errno;
    if (fd >= 0)
        close(fd);
    errno = kept;
    return good;
}

struct carom_hdf5_plain *carom_hdf5_plain_begin(const char *path, const char *from, struct carom_error *error)
{
    if (carom_hdf5_aside_may_replace(path, "an HDF5 file", error) != CAROM_OK)
        return NULL;
    struct carom_hdf5_plain *file = prepare(path, error);
    if (!file)
        return NULL;
    bool good = carom_hdf5_aside_names(file->path, &file->target, &file->temporary);
    if (!good) {
        carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", path);
    } else {
        const int fd = open(file->temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        good = fd >= 0 && (!from || copy(from, fd));
        if (!good)
            carom_error_set(error, CAROM_E_FILE, "%s: could not be created: %s", path, strerror(errno));
        struct stat about; /* the copy may be read and written by whom the file may */
        if (good && from && stat(file->target, &about) == 0)
            (void)!fchmod(fd, about.st_mode & 07777);
        if (fd >= 0)
            close(fd);
        if (good && !start(file, file->temporary, !from, from ? H5F_ACC_RDWR : H5F_ACC_TRUNC)) {
            carom_error_set(error, CAROM_E_FILE, "%s: could not be created", path);
            good = false;
        }
    }
    if (good)
        return file;
    carom_hdf5_plain_close(file);
    return NULL;
}

enum carom_status carom_hdf5_plain_publish(struct carom_hdf5_plain *file, struct carom_error *error)
{
    if (file->first.status != CAROM_OK)
        return carom_error_set(error, file->first.status, "%s", file->first.text);
    bool good;
    H5E_BEGIN_TRY
    {
        good = H5Fflush(file->id, H5F_SCOPE_LOCAL) >= 0;
    }
    H5E_END_TRY
    shut(file);
    if (!good || file->trouble.number != 0)
        return carom_error_set(error, CAROM_E_FILE, "%s: could not be written: %s", file->path,
                               file->trouble.number ? strerror(file->trouble.number) : "no reason given");
    if (!carom_hdf5_aside_take_name(file->temporary, file->target))
        return carom_error_set(error, CAROM_E_FILE, "%s: could not be written: %s", file->path, strerror(errno));
    carom_memory_free(file->temporary);
    file->temporary = NULL;
    return CAROM_OK;
}

/* Every part of the way, because HDF5 complains of a missing one. */
bool carom_hdf5_plain_has(const struct carom_hdf5_plain *file, const char *path)
{
    char part[256];
    bool has = true;
    H5E_BEGIN_TRY
    {
        const hid_t access = carom_hdf5_look_access(H5P_LINK_ACCESS);
        for (size_t k = 1; has && k < sizeof part; k++) {
            if (path[k] != '/' && path[k] != '\0')
                continue;
            memcpy(part, path, k);
            part[k] = '\0';
            has = H5Lexists(file->id, part, access) > 0 && H5Oexists_by_name(file->id, part, access) > 0;
            if (path[k] == '\0')
                break;
        }
        H5Pclose(access);
    }
    H5E_END_TRY
    return has;
}

static enum carom_status fail(const struct carom_hdf5_plain *file, const char *path, struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_INPUT, "%s: %s is missing or damaged, or holds no numbers", file->path, path);
}

static const char *stands(const struct carom_hdf5_plain *file)
{
    return file->temporary ? file->temporary : file->path;
}

size_t carom_hdf5_plain_most(const struct carom_hdf5_plain *file)
{
    const uint64_t most = carom_hdf5_look_most(stands(file), true) / sizeof(double);
    return most < MOST_ENTRIES ? (size_t)most : MOST_ENTRIES;
}

/* -1 and the sentence if it cannot be had */
static hid_t open_set(const struct carom_hdf5_plain *file, const char *path, struct carom_hdf5_look *look,
                      struct carom_error *error)
{
    if (!carom_hdf5_plain_has(file, path)) {
        fail(file, path, error);
        return -1;
    }
    const hid_t access = carom_hdf5_look_access(H5P_DATASET_ACCESS);
    const hid_t set = carom_hdf5_look_open(file->id, stands(file), file->path, path, access, look, error);
    H5Pclose(access);
    return set;
}

/* what was said, by whoever said it */
static enum carom_status said(const struct carom_error *error)
{
    return error ? error->status : CAROM_E_FILE;
}

/* a dataset of numbers, not too many of them */
static hid_t open_numbers(const struct carom_hdf5_plain *file, const char *path, size_t *count,
                          struct carom_error *error)
{
    struct carom_hdf5_look look;
    const hid_t set = open_set(file, path, &look, error);
    if (set >= 0 && (look.kind == H5T_INTEGER || look.kind == H5T_FLOAT) && look.count <= MOST_ENTRIES) {
        *count = (size_t)look.count;
        return set;
    }
    if (set >= 0 && (look.kind == H5T_INTEGER || look.kind == H5T_FLOAT))
        carom_error_set(error, CAROM_E_INPUT, "%s: %s has %llu entries, more than can be read", file->path, path,
                        (unsigned long long)look.count);
    else if (set >= 0)
        fail(file, path, error);
    H5Dclose(set);
    return -1;
}

enum carom_status carom_hdf5_plain_count(const struct carom_hdf5_plain *file, const char *path, size_t *count,
                                         struct carom_error *error)
{
    hid_t set;
    *count = 0;
    H5E_BEGIN_TRY
    {
        set = open_numbers(file, path, count, error);
        H5Dclose(set);
    }
    H5E_END_TRY
    return set >= 0 ? CAROM_OK : said(error);
}

static enum carom_status read_as(const struct carom_hdf5_plain *file, const char *path, size_t count, hid_t type,
                                 void *data, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    size_t entries;
    H5E_BEGIN_TRY
    {
        const hid_t set = open_numbers(file, path, &entries, error);
        if (set < 0)
            status = said(error);
        else if (entries != count)
            status = carom_error_set(error, CAROM_E_INPUT, "%s: %s has %zu entries, expected %zu", file->path, path,
                                     entries, count);
        else if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
            status = fail(file, path, error);
        H5Dclose(set);
    }
    H5E_END_TRY
    return status;
}

enum carom_status carom_hdf5_plain_numbers(const struct carom_hdf5_plain *file, const char *path, size_t count,
                                           int64_t *numbers, struct carom_error *error)
{
    return read_as(file, path, count, H5T_NATIVE_INT64, numbers, error);
}

enum carom_status carom_hdf5_plain_reals(const struct carom_hdf5_plain *file, const char *path, size_t count,
                                         double *reals, struct carom_error *error)
{
    return read_as(file, path, count, H5T_NATIVE_DOUBLE, reals, error);
}

void carom_hdf5_plain_text(const struct carom_hdf5_plain *file, const char *path, char *text, size_t size)
{
    text[0] = '\0';
    H5E_BEGIN_TRY
    {
        struct carom_hdf5_look look;
        const hid_t set = open_set(file, path, &look, NULL), cut = H5Tcopy(H5T_C_S1);
        if (set >= 0 && look.kind == H5T_STRING && !look.variable && look.count == 1 && H5Tset_size(cut, size) >= 0 &&
            H5Dread(set, cut, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0)
            text[0] = '\0';
        text[size - 1] = '\0';
        H5Tclose(cut);
        H5Dclose(set);
    }
    H5E_END_TRY
}

void carom_hdf5_plain_remove(struct carom_hdf5_plain *file, const char *path)
{
    if (!carom_hdf5_plain_has(file, path))
        return;
    H5E_BEGIN_TRY
    {
        if (H5Ldelete(file->id, path, H5P_DEFAULT) < 0 && file->first.status == CAROM_OK)
            carom_error_set(&file->first, CAROM_E_FILE, "%s: could not replace %s", file->path, path);
    }
    H5E_END_TRY
}

static void put(struct carom_hdf5_plain *file, const char *path, hid_t space, hid_t type, const void *data)
{
    carom_hdf5_plain_remove(file, path);
    H5E_BEGIN_TRY
    {
        const hid_t list = carom_hdf5_tree_link_list();
        const hid_t set = H5Dcreate2(file->id, path, type, space, list, H5P_DEFAULT, H5P_DEFAULT);
        const bool good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
        if (!good && file->first.status == CAROM_OK)
            carom_error_set(&file->first, CAROM_E_FILE, "%s: could not write %s%s%s", file->path, path,
                            file->trouble.number ? ": " : "",
                            file->trouble.number ? strerror(file->trouble.number) : "");
        H5Dclose(set);
        H5Pclose(list);
        H5Sclose(space);
    }
    H5E_END_TRY
}

void carom_hdf5_plain_put_numbers(struct carom_hdf5_plain *file, const char *path, size_t count, const int32_t *numbers)
{
    const hsize_t size = count;
    put(file, path, H5Screate_simple(1, &size, NULL), H5T_NATIVE_INT32, numbers);
}

void carom_hdf5_plain_put_reals(struct carom_hdf5_plain *file, const char *path, size_t count, const double *reals)
{
    const hsize_t size = count;
    put(file, path, H5Screate_simple(1, &size, NULL), H5T_NATIVE_DOUBLE, reals);
}

void carom_hdf5_plain_put_text(struct carom_hdf5_plain *file, const char *path, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    put(file, path, H5Screate(H5S_SCALAR), type, text);
    H5Tclose(type);
}
