/* What a run does with the file of an earlier one at its place; see the header. Knows names and dates only: how files
 * change their names is hdf5_aside.c's business. */
#include "record/run_old.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/hdf5/hdf5_file.h"
#include "record/hdf5/hdf5_tree.h"

#define NAMES 99 /* at most */
#define NOTE "parameters/replaces"
#define NOTE_SIZE 96

void carom_run_old_free(struct carom_run_old *old)
{
    carom_memory_free_all(old->path, old->note);
    *old = (struct carom_run_old){0};
}

/* Through links: it is the file itself that is kept. */
static const char *resolve(const char *path, char room[PATH_MAX])
{
    return realpath(path, room) != NULL ? room : path;
}

/* The kth name beside a run: run.old.h5, run.old2.h5, ... NULL: out of memory. */
static char *name_beside(const char *path, int k)
{
    char real[PATH_MAX], number[12] = "";
    const char *target = resolve(path, real), *slash = strrchr(target, '/');
    const char *base = slash != NULL ? slash + 1 : target, *dot = strrchr(base, '.');
    const size_t stem = dot != NULL && dot != base ? (size_t)(dot - target) : strlen(target);
    const size_t size = strlen(target) + sizeof ".old" + sizeof number;
    char *name = carom_memory_zeroed(size, 1);
    if (k > 1)
        snprintf(number, sizeof number, "%d", k);
    if (name != NULL)
        snprintf(name, size, "%.*s.old%s%s", (int)stem, target, number, target + stem);
    return name;
}

/* Which name a file has or shall have, how long it is and when it was written last. */
static bool describe(const char *file, int k, char *note)
{
    struct stat about;
    if (lstat(file, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    snprintf(note, NOTE_SIZE, "%d %lld %lld.%09ld", k, (long long)about.st_size, (long long)about.st_mtim.tv_sec,
             (long)about.st_mtim.tv_nsec);
    return true;
}

/* Is it the file that the note describes? */
static bool is_noted(const char *file, const char *note)
{
    char now[NOTE_SIZE];
    return describe(file, atoi(note), now) && strcmp(now, note) == 0;
}

void carom_run_old_find(const struct carom_run_file *run, const char *path, struct carom_run_old *old)
{
    *old = (struct carom_run_old){.note = carom_hdf5_tree_read_text(run->file, NOTE, NULL)};
    const int k = old->note != NULL ? atoi(old->note) : 0;
    old->path = k > 0 && k <= NAMES ? name_beside(path, k) : NULL;
    if (old->path == NULL || !is_noted(old->path, old->note))
        carom_run_old_free(old);
}

void carom_run_old_remove(const struct carom_run_old *old)
{
    if (old->path != NULL && is_noted(old->path, old->note))
        unlink(old->path);
}

/* Opens what stands at the path; NULL and CAROM_OK: nothing does, or what the writer of the new run refuses. */
static enum carom_status open_present(const char *path, struct carom_run_file **run, struct carom_error *error)
{
    *run = NULL;
    if (!carom_hdf5_file_looks(path))
        return CAROM_OK;
    struct carom_error reason = {CAROM_OK, ""};
    *run = carom_run_file_open(path, &reason);
    if (*run != NULL || reason.status == CAROM_E_MEMORY)
        return *run != NULL ? CAROM_OK : carom_error_set(error, reason.status, "%s", reason.text);
    return carom_error_set(error, CAROM_E_FILE, "%s: exists and is not a run file, so it is not overwritten", path);
}

enum carom_status carom_run_old_look(const char *path, bool *lost, struct carom_error *error)
{
    struct carom_run_file *run;
    struct carom_run_old old = {0};
    const enum carom_status status = open_present(path, &run, error);
    if (run != NULL && !run->complete)
        carom_run_old_find(run, path, &old);
    *lost = old.path != NULL;
    carom_run_old_free(&old);
    carom_run_file_close(run);
    return status;
}

/* Is the name free, or a second one of the file itself, given by a run that was killed right then? */
static bool fits(const char *name, const char *target, bool *fresh)
{
    struct stat there, file;
    *fresh = lstat(name, &there) != 0;
    return *fresh || (stat(target, &file) == 0 && there.st_dev == file.st_dev && there.st_ino == file.st_ino);
}

/* The first name that can be had. */
static enum carom_status choose(const char *path, struct carom_run_old *old, struct carom_error *error)
{
    char real[PATH_MAX];
    for (int k = 1; k <= NAMES; k++) {
        old->path = name_beside(path, k);
        old->note = carom_memory_zeroed(NOTE_SIZE, 1);
        if (old->path == NULL || old->note == NULL)
            return carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", path);
        if (fits(old->path, path, &old->fresh) && describe(resolve(path, real), k, old->note))
            return CAROM_OK;
        carom_run_old_free(old);
    }
    return carom_error_set(error, CAROM_E_FILE, "%s: too many old files stand beside it to keep it as one more", path);
}

enum carom_status carom_run_old_plan(const char *path, struct carom_run_old *old, struct carom_error *error)
{
    struct carom_run_file *run;
    *old = (struct carom_run_old){0};
    enum carom_status status = open_present(path, &run, error);
    if (run == NULL)
        return status;
    carom_run_old_find(run, path, old);
    const bool complete = run->complete;
    carom_run_file_close(run);
    if (complete) {
        carom_run_old_remove(old); /* has done its service */
        carom_run_old_free(old);
    }
    if (old->path == NULL)
        status = choose(path, old, error);
    if (status != CAROM_OK)
        carom_run_old_free(old);
    return status;
}

enum carom_status carom_run_old_put(const struct carom_run_old *old, struct carom_hdf5_file *file,
                                    struct carom_error *error)
{
    if (old->path == NULL)
        return CAROM_OK;
    carom_hdf5_tree_text(file, NOTE, old->note);
    return old->fresh ? carom_hdf5_file_keep(file, old->path, error) : CAROM_OK;
}

/* Opened and closed in good order it is an ordinary file, and on the disk. */
static enum carom_status close_well(const char *path, struct carom_error *error)
{
    struct carom_hdf5_file *file = carom_hdf5_file_reopen(path, error);
    return file != NULL ? carom_hdf5_file_close(file, error) : CAROM_E_FILE;
}

enum carom_status carom_run_old_finish(const char *path, struct carom_error *error)
{
    struct carom_run_old old = {0};
    struct carom_run_file *run = carom_run_file_open(path, error);
    if (run == NULL)
        return CAROM_E_FILE;
    if (run->complete)
        carom_run_old_find(run, path, &old);
    const bool owes = run->complete && (run->marked || old.path != NULL);
    carom_run_file_close(run);
    const enum carom_status status = owes ? close_well(path, error) : CAROM_OK;
    if (status == CAROM_OK)
        carom_run_old_remove(&old);
    carom_run_old_free(&old);
    return status;
}
