/* HDF5 files behind a small interface: how they come to be and are opened, also after a kill. The messages HDF5
 * would print are kept silent, around every call, and become one sentence. What hangs in a file is hdf5_tree.c's
 * business, rows of numbers are hdf5_set.c's; none of them knows of runs. */
#include "record/hdf5/hdf5_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/hdf5/hdf5_aside.h"
#include "record/hdf5/hdf5_inner.h"

/* --- errors -------------------------------------------------------------------------------------------------- */

static herr_t note_innermost(unsigned depth, const H5E_error2_t *entry, void *own)
{
    if (depth == 0 && entry->desc != NULL)
        snprintf(own, 200, "%s", entry->desc);
    return 0;
}

enum carom_status carom_hdf5_file_fail(const struct carom_hdf5_file *file, struct carom_error *error, const char *what)
{
    char why[200] = "no reason given";
    if (file->trouble.number != 0)
        snprintf(why, sizeof why, "%s", strerror(file->trouble.number));
    else
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_innermost, why);
    return carom_error_set(error, CAROM_E_FILE, "%s: could not %s: %s", file->path, what, why);
}

void carom_hdf5_file_fail_building(struct carom_hdf5_file *file, const char *path)
{
    char what[160];
    snprintf(what, sizeof what, "create %s", path);
    carom_hdf5_file_fail(file, &file->first, what);
}

/* --- files --------------------------------------------------------------------------------------------------- */

/* Leaves only memory behind. */
static void shut(struct carom_hdf5_file *file)
{
    H5E_BEGIN_TRY
    {
        for (size_t i = 0; i < file->nsets; i++) {
            H5Dclose(file->set[i].id);
            H5Tclose(file->set[i].type);
        }
        if (file->id >= 0)
            H5Fclose(file->id);
        if (file->driver >= 0)
            H5FDunregister(file->driver);
        if (file->transfer >= 0)
            H5Pclose(file->transfer);
    }
    H5E_END_TRY
    if (file->held >= 0)
        close(file->held);
    file->held = -1;
    file->nsets = 0;
    file->id = file->driver = file->transfer = -1;
}

static void release(struct carom_hdf5_file *file)
{
    shut(file);
    carom_memory_free_all(file->set, file->path, file->target, file->temporary, file->keep, file);
}

/* HDF5 zeroes its whole buffer, a MiB by default, each time it moves rows whose form differs between memory and file:
 * that is most of the time of a short run. A chunk (hdf5_set.c) needs no more than its own size. */
#define TRANSFER_BYTES ((size_t)64 * 1024)

static hid_t transfer_list(void)
{
    const hid_t list = H5Pcreate(H5P_DATASET_XFER);
    if (list < 0 || H5Pset_buffer(list, TRANSFER_BYTES, NULL, NULL) >= 0)
        return list;
    H5Pclose(list);
    return -1;
}

static struct carom_hdf5_file *prepare(const char *path, struct carom_error *error)
{
    struct carom_hdf5_file *file = carom_memory_zeroed(1, sizeof *file);
    if (file != NULL) {
        file->id = file->held = -1;
        file->path = carom_memory_text(path);
        file->driver = carom_hdf5_driver_register();
        file->transfer = transfer_list();
    }
    if (file != NULL && file->path != NULL && file->driver >= 0 && file->transfer >= 0)
        return file;
    if (file != NULL)
        release(file);
    carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", path);
    return NULL;
}

/* Readers in SWMR mode try again when a piece of the file looks torn, as its writer may be at it; each time they wait
 * twice as long, beginning with a nanosecond. HDF5's own number of times is eternity for a damaged file. */
#define READ_ATTEMPTS 24

#define PAGE 4096 /* the least that systems have */

/* `mend` lifts the refusal of files that a killed writer left marked, the way HDF5's own h5clear does. */
static hid_t access_list(struct carom_hdf5_file *file, bool mend)
{
    const hbool_t yes = 1;
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    const bool good =
        list >= 0 && H5Pset_libver_bounds(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0 &&
        H5Pset_fclose_degree(list, H5F_CLOSE_STRONG) >= 0 && H5Pset_metadata_read_attempts(list, READ_ATTEMPTS) >= 0 &&
        carom_hdf5_driver_use(list, file->driver, &file->trouble) &&
        (!mend || (H5Pset(list, "clear_status_flags", &yes) >= 0 && H5Pset(list, "skip_eof_check", &yes) >= 0));
    if (good || list < 0)
        return list;
    H5Pclose(list);
    return -1;
}

static bool open_with(struct carom_hdf5_file *file, unsigned flags, bool mend, struct carom_error *error)
{
    H5E_BEGIN_TRY
    {
        const hid_t list = access_list(file, mend);
        file->id = list < 0 ? -1 : H5Fopen(carom_hdf5_file_stands(file), flags, list);
        if (file->id < 0)
            carom_hdf5_file_fail(file, error, (flags & H5F_ACC_RDWR) != 0 ? "open it for writing" : "open it");
        H5Pclose(list);
    }
    H5E_END_TRY
    return file->id >= 0;
}

static bool begins_like_hdf5(int fd)
{
    static const char signature[8] = "\211HDF\r\n\032\n";
    char head[8];
    return pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head && memcmp(head, signature, sizeof head) == 0;
}

bool carom_hdf5_file_looks(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool looks = fd >= 0 && begins_like_hdf5(fd);
    if (fd >= 0)
        close(fd);
    return looks;
}

bool carom_hdf5_file_busy(const char *path)
{
    return carom_hdf5_driver_busy(path);
}

void carom_hdf5_file_alone(void)
{
    H5dont_atexit();
}

const char *carom_hdf5_file_path(const struct carom_hdf5_file *file)
{
    return file->path;
}

const char *carom_hdf5_file_stands(const struct carom_hdf5_file *file)
{
    return file->temporary != NULL ? file->temporary : file->path;
}

static enum carom_status taken(const char *path, struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_FILE, "%s: another process is writing to it", path);
}

/* Metadata that fit into a page of memory never lie in two: a kill in the middle of a write leaves whole pages. */
static bool keep_in_pages(hid_t creation)
{
    return H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, 0, 1) >= 0 &&
           H5Pset_file_space_page_size(creation, PAGE) >= 0;
}

struct carom_hdf5_file *carom_hdf5_file_create(const char *path, struct carom_error *error)
{
    if (carom_hdf5_aside_may_replace(path, "a run file", error) != CAROM_OK)
        return NULL;
    struct carom_hdf5_file *file = prepare(path, error);
    if (file == NULL)
        return NULL;
    file->writes = true;
    if (!carom_hdf5_aside_names(file->path, &file->target, &file->temporary)) {
        carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", path);
        release(file);
        return NULL;
    }
    /* HDF5 does not say why a file cannot be made; the system does */
    const int fd = open(file->temporary, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
        carom_error_set(error, CAROM_E_FILE, "%s: could not be created: %s", path, strerror(errno));
        release(file);
        return NULL;
    }
    close(fd);
    H5E_BEGIN_TRY
    {
        const hid_t list = access_list(file, false), creation = H5Pcreate(H5P_FILE_CREATE);
        if (list >= 0 && carom_hdf5_tree_keep_compact(creation) && keep_in_pages(creation))
            file->id = H5Fcreate(file->temporary, H5F_ACC_TRUNC, creation, list);
        if (file->id < 0)
            carom_hdf5_file_fail(file, error, "create it");
        H5Pclose(creation);
        H5Pclose(list);
    }
    H5E_END_TRY
    if (file->id >= 0)
        return file;
    if (file->trouble.taken)
        taken(path, error);
    else
        unlink(file->temporary);
    release(file);
    return NULL;
}

enum carom_status carom_hdf5_file_keep(struct carom_hdf5_file *file, const char *name, struct carom_error *error)
{
    file->keep = carom_memory_text(name);
    return file->keep != NULL ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", file->path);
}

/* So that whoever reads sees all; `settle`: also after a power cut. */
static bool flush(struct carom_hdf5_file *file, bool settle)
{
    bool good;
    file->trouble.settle = settle;
    H5E_BEGIN_TRY
    {
        good = H5Fflush(file->id, H5F_SCOPE_LOCAL) >= 0;
    }
    H5E_END_TRY
    file->trouble.settle = false;
    return good && file->trouble.number == 0;
}

enum carom_status carom_hdf5_file_built(const struct carom_hdf5_file *file, struct carom_error *error)
{
    return file->first.status == CAROM_OK ? CAROM_OK
                                          : carom_error_set(error, file->first.status, "%s", file->first.text);
}

enum carom_status carom_hdf5_file_publish(struct carom_hdf5_file *file, struct carom_error *error)
{
    if (carom_hdf5_file_built(file, error) != CAROM_OK)
        return file->first.status;
    bool good = flush(file, false); /* HDF5 reads it back, and would wait for what failed to reach the file */
    H5E_BEGIN_TRY
    {
        good = good && H5Fstart_swmr_write(file->id) >= 0;
    }
    H5E_END_TRY
    if (!good || !flush(file, true))
        return carom_hdf5_file_fail(file, error, "write its beginning");
    if (carom_hdf5_driver_busy(file->target)) /* by a writer that came after this one */
        return taken(file->path, error);
    if (file->keep != NULL && !carom_hdf5_aside_keep(file->target, file->keep))
        return carom_error_set(error, CAROM_E_FILE, "%s: could not be kept as %s: %s", file->path, file->keep,
                               strerror(errno));
    if (rename(file->temporary, file->target) != 0)
        return carom_error_set(error, CAROM_E_FILE, "%s: could not be created: %s", file->path, strerror(errno));
    carom_memory_free(file->temporary);
    file->temporary = NULL;
    return CAROM_OK;
}

static struct carom_hdf5_file *existing(const char *path, struct carom_error *error)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return carom_error_set(error, CAROM_E_FILE, "%s: %s", path, strerror(errno)), NULL;
    const bool looks = begins_like_hdf5(fd);
    close(fd);
    if (looks)
        return prepare(path, error);
    const size_t length = strlen(path);
    const bool scene = length > 5 && strcmp(path + length - 5, ".yaml") == 0;
    carom_error_set(error, CAROM_E_FILE, "%s: is not a run file%s", path,
                    scene ? " but a scene: carom run writes its run file" : "");
    return NULL;
}

struct carom_hdf5_file *carom_hdf5_file_open(const char *path, bool *marked, struct carom_error *error)
{
    struct carom_hdf5_file *file = existing(path, error);
    if (file == NULL)
        return NULL;
    /* the plain way refuses marked files, the other one refuses files of older formats */
    const bool plain = open_with(file, H5F_ACC_RDONLY, false, NULL);
    if (marked != NULL)
        *marked = !plain;
    if (plain || open_with(file, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, false, error))
        return file;
    release(file);
    return NULL;
}

/* Opens for writing also what a killed writer left marked. HDF5's idea of where the file ends may be older than what is
 * in it: new space must not be given out where data stand. */
static enum carom_status open_left(struct carom_hdf5_file *file, unsigned flags, struct carom_error *error)
{
    if (!open_with(file, flags, true, error))
        return file->trouble.taken ? taken(file->path, error) : CAROM_E_FILE;
    bool good;
    H5E_BEGIN_TRY
    {
        good = H5Fincrement_filesize(file->id, 0) >= 0;
    }
    H5E_END_TRY
    return good && file->trouble.number == 0 ? CAROM_OK : carom_hdf5_file_fail(file, error, "go on in it");
}

/* In one go to the mark of a writer in SWMR mode: under any other the file is not read if a kill comes now. */
static enum carom_status go_on(struct carom_hdf5_file *file, struct carom_error *error)
{
    file->writes = true;
    if (access(file->path, W_OK) != 0)
        return carom_error_set(error, CAROM_E_FILE, "%s: %s", file->path, strerror(errno));
    return open_left(file, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, error);
}

struct carom_hdf5_file *carom_hdf5_file_reopen(const char *path, struct carom_error *error)
{
    struct carom_hdf5_file *file = existing(path, error);
    if (file == NULL || go_on(file, error) == CAROM_OK)
        return file;
    release(file);
    return NULL;
}

/* What reached the disk before a write failed is as a kill leaves it; makes it a plain file again, if it can. */
static void mend_quietly(const char *path)
{
    struct carom_hdf5_file *again = prepare(path, NULL);
    if (again != NULL) {
        go_on(again, NULL);
        release(again);
    }
}

enum carom_status carom_hdf5_file_close(struct carom_hdf5_file *file, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    if (file == NULL)
        return status;
    const bool published = file->temporary == NULL, broke = file->trouble.number != 0;
    if (file->writes && published && !broke)
        status = carom_hdf5_file_flush(file, error);
    shut(file);
    if (!published)
        unlink(file->temporary);
    else if (file->trouble.number != 0) {
        if (status == CAROM_OK && !broke)
            status = carom_hdf5_file_fail(file, error, "finish it");
        mend_quietly(file->path);
    }
    if (file->writes && published)
        carom_hdf5_aside_settle_names(file->target != NULL ? file->target : file->path);
    release(file);
    return status;
}

/* --- amending -------------------------------------------------------------------------------------------------- */

static enum carom_status copy_aside(struct carom_hdf5_file *file, struct carom_error *error)
{
    struct stat about;
    if (carom_hdf5_driver_busy(file->temporary))
        return taken(file->path, error);
    const int to = open(file->temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const bool good = to >= 0 && fstat(file->held, &about) == 0 && fchmod(to, about.st_mode & 0777) == 0 &&
                      carom_hdf5_aside_copy(file->held, to);
    const int why = errno;
    if (to >= 0)
        close(to);
    if (good)
        return CAROM_OK;
    if (to >= 0)
        unlink(file->temporary);
    return carom_error_set(error, CAROM_E_FILE, "%s: could not be copied to %s: %s", file->path, file->temporary,
                           strerror(why));
}

static enum carom_status open_copy(struct carom_hdf5_file *file, struct carom_error *error)
{
    if (!carom_hdf5_aside_names(file->path, &file->target, &file->temporary))
        return carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", file->path);
    file->held = carom_hdf5_driver_hold(file->target);
    if (file->held == -2)
        return taken(file->path, error);
    if (file->held < 0)
        return carom_error_set(error, CAROM_E_FILE, "%s: %s", file->path, strerror(errno));
    enum carom_status status = copy_aside(file, error);
    if (status != CAROM_OK)
        return status;
    status = open_left(file, H5F_ACC_RDWR, error);
    if (status != CAROM_OK)
        unlink(file->temporary);
    return status;
}

struct carom_hdf5_file *carom_hdf5_file_amend(const char *path, struct carom_error *error)
{
    struct carom_hdf5_file *file = existing(path, error);
    if (file == NULL)
        return NULL;
    file->writes = true;
    if (open_copy(file, error) == CAROM_OK)
        return file;
    release(file);
    return NULL;
}

enum carom_status carom_hdf5_file_adopt(struct carom_hdf5_file *file, struct carom_error *error)
{
    enum carom_status status = carom_hdf5_file_built(file, error);
    if (status == CAROM_OK)
        status = carom_hdf5_file_flush(file, error);
    const int held = file->held; /* -1 of a new file */
    file->held = -1;
    shut(file);
    if (status == CAROM_OK && file->trouble.number != 0)
        status = carom_hdf5_file_fail(file, error, "write to its copy");
    if (status == CAROM_OK && !carom_hdf5_aside_take_name(file->temporary, file->target))
        status =
            carom_error_set(error, CAROM_E_FILE, "%s: could not be put in its place: %s", file->path, strerror(errno));
    if (status != CAROM_OK)
        unlink(file->temporary);
    if (held >= 0)
        close(held); /* writers may come again only now */
    release(file);
    return status;
}

enum carom_status carom_hdf5_file_flush(struct carom_hdf5_file *file, struct carom_error *error)
{
    return flush(file, false) ? CAROM_OK : carom_hdf5_file_fail(file, error, "write to it");
}

enum carom_status carom_hdf5_file_settle(struct carom_hdf5_file *file, struct carom_error *error)
{
    return flush(file, true) ? CAROM_OK : carom_hdf5_file_fail(file, error, "write to it");
}
