/* Keeps runs of a fit. The first line says whose log it is; every other line ends with a point, so that one that was
 * cut short is known. */
#include "study/fit/fit_log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

#define HEAD "carom fit log 1"

static void forget(struct carom_fit_log_line *line)
{
    carom_memory_free(line->x); /* y is in the same block */
    *line = (struct carom_fit_log_line){0};
}

void carom_fit_log_close(struct carom_fit_log *log)
{
    for (size_t i = 0; i < log->count; i++)
        forget(&log->line[i]);
    carom_memory_free_all(log->line, log->path);
    if (log->file != NULL)
        fclose(log->file);
    *log = (struct carom_fit_log){0};
}

/* a place for one more line, with room for its numbers */
static struct carom_fit_log_line *more(struct carom_fit_log *log, char kind, size_t ny)
{
    if (!carom_memory_room(&log->line, log->count, &log->room, 64, sizeof *log->line))
        return NULL;
    struct carom_fit_log_line *line = &log->line[log->count];
    *line = (struct carom_fit_log_line){.kind = kind, .ny = ny};
    line->x = carom_memory_zeroed(log->n + ny, sizeof(double));
    line->y = line->x != NULL ? line->x + log->n : NULL;
    return line->x != NULL ? line : NULL;
}

/* a part of "k x x x : y y y ." that ends before `last`; false: it is no such part */
static bool read_numbers(const char *text, const char *last, size_t n, double *x)
{
    char *end;
    for (size_t i = 0; i < n; i++, text = end) {
        x[i] = strtod(text, &end);
        if (end == text || end > last) /* strtod goes on in the next line */
            return false;
    }
    return true;
}

/* Takes the lines of the file; returns how many bytes of it are whole, 0: it is no log of this fit. */
static size_t read_lines(struct carom_fit_log *log, const char *text, const char *head)
{
    const size_t first = strlen(head);
    if (strncmp(text, head, first) != 0)
        return 0;
    size_t whole = first;
    for (const char *line = text + first; *line != '\0'; line = text + whole) {
        const size_t length = strcspn(line, "\n");
        const char *colon = memchr(line, ':', length);
        const size_t ny = line[0] == 'p' ? log->m : line[0] == 'c' ? 1 : 0;
        if (line[length] != '\n' || length < 2 || line[length - 1] != '.' || colon == NULL)
            return whole;
        struct carom_fit_log_line *to = more(log, line[0], ny);
        if (to == NULL || !read_numbers(line + 1, colon, log->n, to->x) ||
            !read_numbers(colon + 1, line + length - 1, ny, to->y)) {
            if (to != NULL)
                forget(to);
            return whole;
        }
        log->count++;
        whole += length + 1;
    }
    return whole;
}

enum carom_status carom_fit_log_open(struct carom_fit_log *log, const char *path, uint64_t identity, size_t n, size_t m,
                                     struct carom_error *error)
{
    char head[80];
    *log = (struct carom_fit_log){.n = n, .m = m};
    if (path == NULL)
        return CAROM_OK;
    log->path = carom_memory_text(path);
    if (log->path == NULL)
        return carom_memory_error(error);
    snprintf(head, sizeof head, HEAD " %016" PRIx64 "\n", identity);
    log->file = fopen(path, "a+");
    if (log->file == NULL)
        return carom_error_set(error, CAROM_E_FILE, "%s: cannot be written: %s", path, strerror(errno));
    if (flock(fileno(log->file), LOCK_EX | LOCK_NB) != 0)
        return carom_error_set(error, CAROM_E_FILE, "%s: another fit is at work on this log", path);
    rewind(log->file);
    size_t length;
    char *text = carom_file_text(log->file, SIZE_MAX, &length);
    if (text == NULL)
        return carom_memory_error(error);
    const bool empty = length == 0;
    const size_t whole = empty ? 0 : read_lines(log, text, head);
    const bool foreign = !empty && whole == 0, ours = strncmp(text, HEAD, strlen(HEAD)) == 0;
    carom_memory_free(text);
    if (foreign && ours)
        return carom_error_set(
            error, CAROM_E_REFUSED,
            "%s: is the log of another fit (scene, data or keys differ); remove it or choose another --log", path);
    if (foreign)
        return carom_error_set(error, CAROM_E_FILE, "%s: exists and is not a log of a fit, so it is not overwritten",
                               path);
    if (empty ? fputs(head, log->file) < 0 || fflush(log->file) != 0
              : ftruncate(fileno(log->file), (off_t)whole) != 0 || fseek(log->file, 0, SEEK_END) != 0)
        return carom_error_set(error, CAROM_E_FILE, "%s: cannot be written: %s", path, strerror(errno));
    return CAROM_OK;
}

const struct carom_fit_log_line *carom_fit_log_find(struct carom_fit_log *log, char kind, const double *x)
{
    for (size_t k = 0; k < log->count; k++) { /* a fit that is replayed asks in the order of the log */
        const size_t i = (log->next + k) % log->count;
        const struct carom_fit_log_line *line = &log->line[i];
        if ((line->kind == kind || line->kind == 'f') && memcmp(line->x, x, log->n * sizeof *x) == 0) {
            log->next = i + 1;
            return line;
        }
    }
    return NULL;
}

enum carom_status carom_fit_log_add(struct carom_fit_log *log, char kind, const double *x, const double *y, size_t ny,
                                    struct carom_error *error)
{
    struct carom_fit_log_line *line = more(log, kind, ny);
    if (line == NULL)
        return carom_memory_error(error);
    memcpy(line->x, x, log->n * sizeof *x);
    if (ny > 0)
        memcpy(line->y, y, ny * sizeof *y);
    log->count++;
    if (log->file == NULL)
        return CAROM_OK;
    fprintf(log->file, "%c", kind);
    for (size_t i = 0; i < log->n; i++)
        fprintf(log->file, " %a", x[i]);
    fprintf(log->file, " :");
    for (size_t i = 0; i < ny; i++)
        fprintf(log->file, " %a", y[i]);
    fprintf(log->file, " .\n");
    if (fflush(log->file) == 0 && !ferror(log->file))
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_FILE, "%s: could not be written: %s", log->path, strerror(errno));
}
