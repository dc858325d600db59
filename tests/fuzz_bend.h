/* HDF5 files that strangers might send, for fuzz tests: good files are made once, and the bytes of an input say how
 * one of them is changed: datasets with other numbers, of another type, rank or extent, missing, linked elsewhere,
 * attributes and texts with any content. HDF5 itself writes the changed file, so its structure is always sound: damage
 * of that kind makes HDF5 crash rather than carom, and is sent to whole commands by tests/strangers.py. */
#ifndef CAROM_TESTS_FUZZ_BEND_H
#define CAROM_TESTS_FUZZ_BEND_H

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>

#include "carom/carom.h"
#include "fuzz.h"

enum { FUZZ_BEND_SETS = 160, FUZZ_BEND_NAME = 96, FUZZ_BEND_CHANGES = 4 };

/* A good file. */
struct fuzz_bend_base {
    uint8_t *data;
    size_t size, nsets;
    char set[FUZZ_BEND_SETS][FUZZ_BEND_NAME];
};

/* What is left of the input; a reader of an empty one reads zeros. */
struct fuzz_bend_bytes {
    const uint8_t *at;
    size_t left;
};

static inline unsigned fuzz_bend_byte(struct fuzz_bend_bytes *from)
{
    if (from->left == 0)
        return 0;
    from->left--;
    return *from->at++;
}

static inline uint64_t fuzz_bend_number(struct fuzz_bend_bytes *from)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number |= (uint64_t)fuzz_bend_byte(from) << (8 * i);
    return number;
}

static inline const char *fuzz_bend_folder(void);

static inline void fuzz_bend_tidy(void)
{
    static const char *const names[] = {"page.html", "rows.yaml", "bent.h5"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", fuzz_bend_folder(), names[i]);
        unlink(path);
    }
    rmdir(fuzz_bend_folder());
}

/* A folder of the test's own, in memory where there is such a place; it goes when the program ends. */
static inline const char *fuzz_bend_folder(void)
{
    static char folder[64];
    if (folder[0] == '\0') {
        atexit(fuzz_bend_tidy);
        snprintf(folder, sizeof folder, "/dev/shm/carom-fuzz-%d", (int)getpid());
        if (mkdir(folder, 0700) != 0) {
            snprintf(folder, sizeof folder, "/tmp/carom-fuzz-%d", (int)getpid());
            fuzz_need(mkdir(folder, 0700) == 0, "no folder");
        }
    }
    return folder;
}

static inline const char *fuzz_bend_path(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", fuzz_bend_folder(), name);
    return path;
}

static inline herr_t fuzz_bend_see(hid_t root, const char *name, const H5O_info_t *about, void *own)
{
    (void)root;
    struct fuzz_bend_base *base = own;
    if (about->type == H5O_TYPE_DATASET && base->nsets < FUZZ_BEND_SETS && strlen(name) < FUZZ_BEND_NAME)
        strcpy(base->set[base->nsets++], name);
    return 0;
}

/* Takes a file as a base, and removes it. */
static inline void fuzz_bend_take(struct fuzz_bend_base *base, const char *path)
{
    struct stat about;
    FILE *file = fopen(path, "rb");
    fuzz_need(file != NULL && fstat(fileno(file), &about) == 0, "a good file");
    base->size = (size_t)about.st_size;
    base->data = malloc(base->size);
    fuzz_need(base->data != NULL && fread(base->data, 1, base->size, file) == base->size, "a good file");
    fclose(file);
    const hid_t id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    fuzz_need(id >= 0 && H5Ovisit2(id, H5_INDEX_NAME, H5_ITER_NATIVE, fuzz_bend_see, base, H5O_INFO_BASIC) >= 0,
              "a good file");
    H5Fclose(id);
    unlink(path);
}

/* Runs a scene into a base. */
static inline void fuzz_bend_run(struct fuzz_bend_base *base, const char *text)
{
    const char *path = fuzz_bend_path("base.h5");
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("fuzz", text, strlen(text), NULL, 0, &error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, &error) : NULL;
    const bool good =
        sim && carom_recorder_attach(sim->recorder, &carom_sink_hdf5, carom_sink_hdf5_new(path), &error) == CAROM_OK &&
        carom_sim_run(sim, NULL, &error) == CAROM_OK;
    fuzz_need(good, error.text);
    carom_sim_free(sim);
    carom_scene_free(scene);
    fuzz_bend_take(base, path);
}

/* --- changes ----------------------------------------------------------------------------------------------------- */

/* Some bytes of what is in a dataset. */
static inline void fuzz_bend_content(hid_t file, const char *name, struct fuzz_bend_bytes *from)
{
    static uint8_t content[1 << 16];
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(set), space = H5Dget_space(set);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const size_t size = count > 0 ? (size_t)count * H5Tget_size(type) : 0;
    if (set >= 0 && size > 0 && size <= sizeof content && H5Tis_variable_str(type) == 0 &&
        H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, content) >= 0) {
        const size_t at = fuzz_bend_number(from) % size;
        for (size_t i = at, n = fuzz_bend_byte(from) % 64u; i < size && i <= at + n; i++)
            content[i] = (uint8_t)fuzz_bend_byte(from);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, content);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
}

/* A type to be closed. */
static inline hid_t fuzz_bend_type(struct fuzz_bend_bytes *from)
{
    const hid_t plain[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT,  H5T_NATIVE_INT32, H5T_NATIVE_UINT64,
                           H5T_NATIVE_INT8,   H5T_NATIVE_OPAQUE, H5T_STD_REF_OBJ,  H5T_IEEE_F64BE};
    const unsigned kind = fuzz_bend_byte(from) % 12;
    if (kind < 8)
        return H5Tcopy(plain[kind]);
    if (kind == 8 || kind == 9) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, kind == 8 ? 1 + fuzz_bend_byte(from) : H5T_VARIABLE);
        return type;
    }
    if (kind == 10) {
        const hsize_t wide = 1 + fuzz_bend_byte(from);
        return H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &wide);
    }
    const hid_t type = H5Tcreate(H5T_COMPOUND, 32);
    H5Tinsert(type, "impact", 0, H5T_NATIVE_UINT64);
    H5Tinsert(type, "contact", 8, fuzz_bend_byte(from) % 2 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT64);
    H5Tinsert(type, "time", 16, H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "force", 24, H5T_NATIVE_DOUBLE);
    return type;
}

static inline hsize_t fuzz_bend_extent(struct fuzz_bend_bytes *from)
{
    static const hsize_t far[] = {512, 4096, (hsize_t)1 << 20, (hsize_t)1 << 32, (hsize_t)1 << 62};
    const unsigned byte = fuzz_bend_byte(from);
    return byte < 250 ? byte % 50 : far[byte % 5];
}

/* A space of up to four axes. One of more than 4096 entries only claims to be there. */
static inline hid_t fuzz_bend_space(struct fuzz_bend_bytes *from, int *rank, hsize_t *size, hsize_t *entries)
{
    hsize_t most[4];
    *rank = (int)(fuzz_bend_byte(from) % 5);
    *entries = 1;
    for (int i = 0; i < *rank; i++) {
        size[i] = fuzz_bend_extent(from);
        most[i] = H5S_UNLIMITED;
        *entries = size[i] > 0 && *entries > 4096 / size[i] ? 1 << 20 : *entries * size[i];
    }
    return H5Screate_simple(*rank, size, *entries > 4096 ? most : NULL);
}

/* Another dataset in the place of this one; numbers out of the input, over and over. */
static inline void fuzz_bend_replace(hid_t file, const char *name, struct fuzz_bend_bytes *from)
{
    static uint8_t content[4096 * 2048];
    int rank;
    hsize_t size[4], entries, chunk[4] = {16, 16, 16, 16};
    const hid_t type = fuzz_bend_type(from), space = fuzz_bend_space(from, &rank, size, &entries);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    if (entries > 4096)
        H5Pset_chunk(how, rank, chunk);
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    const size_t bytes = (size_t)entries * H5Tget_size(type), given = from->left < 256 ? from->left : 256;
    if (set >= 0 && entries <= 4096 && bytes <= sizeof content && H5Tdetect_class(type, H5T_REFERENCE) == 0 &&
        H5Tis_variable_str(type) <= 0 && given > 0) {
        for (size_t i = 0; i < bytes; i++)
            content[i] = from->at[i % given];
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, content);
    }
    from->at += given;
    from->left -= given;
    H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
    H5Tclose(type);
}

/* A text of fixed length, out of the input. */
static inline void fuzz_bend_text(hid_t file, const char *name, struct fuzz_bend_bytes *from)
{
    const size_t wish = fuzz_bend_byte(from) + 256 * (fuzz_bend_byte(from) % 4);
    const size_t length = wish < from->left ? wish : from->left;
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    char *text = fuzz_text(from->at, length);
    H5Tset_size(type, length + 1);
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    free(text);
    from->at += length;
    from->left -= length;
}

/* An attribute of a dataset, of any type. */
static inline void fuzz_bend_attribute(hid_t file, const char *name, struct fuzz_bend_bytes *from)
{
    static uint8_t content[4096];
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = fuzz_bend_type(from), space = H5Screate(H5S_SCALAR);
    const char *key = fuzz_bend_byte(from) % 4 > 0 ? "unit" : "kind";
    H5Adelete(set, key);
    const hid_t attribute = H5Acreate2(set, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
    for (size_t i = 0, n = H5Tget_size(type); i < n && i < sizeof content; i++)
        content[i] = (uint8_t)fuzz_bend_byte(from);
    if (H5Tis_variable_str(type) <= 0 && H5Tdetect_class(type, H5T_REFERENCE) == 0)
        H5Awrite(attribute, type, content);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
}

static inline void fuzz_bend_change(hid_t file, const struct fuzz_bend_base *base, struct fuzz_bend_bytes *from)
{
    const unsigned kind = fuzz_bend_byte(from) % 8;
    const char *name = base->set[fuzz_bend_byte(from) % base->nsets];
    if (kind <= 2) {
        fuzz_bend_content(file, name, from);
    } else if (kind == 3) {
        fuzz_bend_replace(file, name, from);
    } else if (kind == 4) {
        fuzz_bend_text(file, name, from);
    } else if (kind == 5) {
        fuzz_bend_attribute(file, name, from);
    } else {
        H5Ldelete(file, name, H5P_DEFAULT);
        if (kind == 7)
            H5Lcreate_hard(file, base->set[fuzz_bend_byte(from) % base->nsets], file, name, H5P_DEFAULT, H5P_DEFAULT);
    }
}

/* The changed file's path. It has a name of its own: HDF5 does not open files in memory that have none. */
static inline const char *fuzz_bend(const struct fuzz_bend_base *base, struct fuzz_bend_bytes *from)
{
    static int copy = -1;
    static char path[128];
    if (copy < 0) {
        snprintf(path, sizeof path, "%s/bent.h5", fuzz_bend_folder());
        copy = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    }
    fuzz_need(pwrite(copy, base->data, base->size, 0) == (ssize_t)base->size && ftruncate(copy, (off_t)base->size) == 0,
              "no room for a file");
    H5E_BEGIN_TRY
    {
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        fuzz_need(file >= 0, "HDF5 does not open a good file");
        for (int i = 0; i < FUZZ_BEND_CHANGES && from->left > 0; i++)
            fuzz_bend_change(file, base, from);
        H5Fclose(file);
    }
    H5E_END_TRY
    return path;
}

#endif
