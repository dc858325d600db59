/* Writes pages: the viewer up to its mark, the arrays, the JSON that names them, the rest of the viewer. Pages stay
 * below 20 MB: arrays get 13.5 MB, which are 18 MB in base64, shared evenly among the files. */
#include "study/page/page.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "carom/carom.h"
#include "record/hdf5/hdf5_tree.h"
#include "record/run_file.h"
#include "study/page/page_parts.h"

static const double room = 13.5e6;

/* A page begins like the viewer; other files are not ours to replace. */
static enum carom_status may_replace(const struct carom_page *page, const char *output, struct carom_error *error)
{
    char found[64] = "";
    struct stat about;
    if (stat(output, &about) != 0)
        return CAROM_OK;
    if (!S_ISREG(about.st_mode))
        return carom_error_set(error, CAROM_E_FILE, "%s: is not a file that a page could replace", output);
    FILE *file = fopen(output, "rb");
    const size_t length = file ? fread(found, 1, sizeof found, file) : 0;
    if (file)
        fclose(file);
    if (length == 0 || (page->length >= length && memcmp(found, page->viewer, length) == 0))
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_FILE, "%s: exists and is not a page of carom; choose another name", output);
}

static void pass_over(void *own, const char *path)
{
    (void)own, (void)path;
}

/* Results of studies say which study it was, or hold none of what a run has. What cannot be opened is left to those who
 * read it to tell; only a lack of memory is told here. */
static enum carom_status find_kind(const char *path, bool *result, struct carom_error *error)
{
    struct carom_error why = {CAROM_OK, ""}, why_not = {CAROM_OK, ""}, no_run = {CAROM_OK, ""};
    struct carom_hdf5_file *file = carom_hdf5_file_open(path, NULL, &why);
    *result = false;
    if (file) {
        char *study = carom_hdf5_tree_read_text(file, "parameters/study", &why);
        char *over = study ? NULL : carom_hdf5_tree_read_text(file, "parameters/over", &why_not);
        *result = study || over || carom_hdf5_tree_visit(file, "observables", pass_over, NULL, &no_run) != CAROM_OK;
        carom_memory_free_all(over, study);
        carom_hdf5_file_close(file, NULL);
    }
    if (why.status == CAROM_E_MEMORY || why_not.status == CAROM_E_MEMORY || no_run.status == CAROM_E_MEMORY)
        return carom_memory_error(error);
    return CAROM_OK;
}

static enum carom_status write_file(struct carom_page_out *out, const char *path, double bytes,
                                    struct carom_error *error)
{
    bool result = false;
    if (!carom_run_file_looks(path))
        return carom_page_data_text(out, path, bytes, error);
    if (find_kind(path, &result, error) != CAROM_OK)
        return error->status;
    return result ? carom_page_data_hdf5(out, path, bytes, error) : carom_page_run_write(out, path, bytes, error);
}

static void write_broken(struct carom_page_json *json, const char *path, const char *reason)
{
    carom_page_json_open(json, NULL, '{');
    carom_page_json_text(json, "type", "broken");
    carom_page_json_text(json, "file", carom_file_name(path, NULL));
    carom_page_json_text(json, "reason", reason);
    carom_page_json_close(json, '}');
}

/* All files; *readable: how many could be read. */
static enum carom_status write_files(struct carom_page_out *out, const struct carom_page *page, size_t *readable,
                                     struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    carom_page_json_open(&out->json, NULL, '{');
    carom_page_json_count(&out->json, "format", 1);
    carom_page_json_text(&out->json, "program", "carom " CAROM_VERSION);
    carom_page_json_text(&out->json, "title", page->title);
    carom_page_json_flag(&out->json, "growing", page->growing);
    carom_page_json_open(&out->json, "entries", '[');
    for (size_t i = 0; i < page->nfiles; i++) {
        struct carom_error reason = {CAROM_OK, ""};
        if (write_file(out, page->file[i], (page->room > 0.0 ? page->room : room) / (double)page->nfiles, &reason) ==
            CAROM_OK) {
            ++*readable;
            continue;
        }
        if (reason.status == CAROM_E_MEMORY || ferror(out->file)) {
            *error = reason;
            *readable = 0;
            return reason.status;
        }
        write_broken(&out->json, page->file[i], reason.text);
        if (status == CAROM_OK) {
            *error = reason;
            status = reason.status;
        }
    }
    carom_page_json_close(&out->json, ']');
    carom_page_json_close(&out->json, '}');
    return status;
}

/* A growing page may ask its own server, and nobody else. */
static void write_head(FILE *out, const struct carom_page *page, size_t length)
{
    static const char policy[] = "default-src 'none'", more[] = "; connect-src 'self'";
    const char *at = page->growing ? memmem(page->viewer, length, policy, strlen(policy)) : NULL;
    const size_t first = at ? (size_t)(at - page->viewer) + strlen(policy) : 0;
    fwrite(page->viewer, 1, first, out);
    if (at)
        fputs(more, out);
    fwrite(page->viewer + first, 1, length - first, out);
}

static enum carom_status write_page(struct carom_page_out *out, const struct carom_page *page, size_t *readable,
                                    struct carom_error *error)
{
    const char *mark = memmem(page->viewer, page->length, CAROM_PAGE_MARK, strlen(CAROM_PAGE_MARK));
    if (!mark)
        return carom_error_set(error, CAROM_E_INPUT, "the viewer has no place for data");
    const size_t head = (size_t)(mark - page->viewer), tail = head + strlen(CAROM_PAGE_MARK);
    write_head(out->file, page, head);
    const enum carom_status status = write_files(out, page, readable, error);
    if (out->json.failed) {
        *readable = 0;
        return carom_memory_error(error);
    }
    fputs("<script type=\"application/json\" id=\"data\">", out->file);
    fwrite(out->json.text, 1, out->json.length, out->file);
    fputs("</script>\n", out->file);
    fwrite(page->viewer + tail, 1, page->length - tail, out->file);
    return status;
}

/* A file in the folder of `output`: without a name, so that nothing is left of a page whose writer is killed, or
 * `beside` where files without names are not to be had. */
static FILE *create(const char *output, const char *beside, bool *named)
{
    int fd = -1;
#ifdef O_TMPFILE
    char folder[4096];
    const char *slash = strrchr(output, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - output) + 1 : 1, slash ? output : ".");
    if (access("/proc/self/fd", X_OK) == 0)
        fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#endif
    *named = fd < 0;
    FILE *file = *named ? fopen(beside, "wb") : fdopen(fd, "wb");
    if (!file && fd >= 0)
        close(fd);
    return file;
}

/* gives a whole page its name; the one that had it goes */
static bool publish(FILE *file, const char *beside, bool named, const char *output)
{
    char self[40];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(file));
    if (fflush(file) != 0 || ferror(file))
        return false;
    return (named || linkat(AT_FDCWD, self, AT_FDCWD, beside, AT_SYMLINK_FOLLOW) == 0) && rename(beside, output) == 0;
}

enum carom_status carom_page_write(const struct carom_page *page, const char *output, bool *written,
                                   struct carom_error *error)
{
    char beside[4096];
    size_t readable = 0;
    *written = false;
    if (may_replace(page, output, error) != CAROM_OK)
        return error->status;
    if (snprintf(beside, sizeof beside, "%s.%ld.part", output, (long)getpid()) >= (int)sizeof beside)
        return carom_error_set(error, CAROM_E_FILE, "the name of the page is too long");
    bool named;
    struct carom_page_out out = {.file = create(output, beside, &named)};
    if (!out.file)
        return carom_error_set(error, CAROM_E_FILE, "%s: could not be created", output);
    enum carom_status status = write_page(&out, page, &readable, error);
    carom_page_json_free(&out.json);
    *written = readable > 0 && publish(out.file, beside, named, output);
    if (readable > 0 && !*written)
        status = carom_error_set(error, CAROM_E_FILE, "%s: could not be written", output);
    fclose(out.file);
    if (!*written)
        unlink(beside);
    return status;
}
