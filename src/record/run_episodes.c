/* The book of impacts in run files, see run_episodes.h. */
#include "record/run_episodes.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#define COLUMNS CAROM_RUN_EPISODES_COLUMNS
#define BUFFER CAROM_RUN_EPISODES_BUFFER
#define PATH 64

static const struct {
    const char *name, *unit;
    size_t offset;
} column[COLUMNS] = {
    {"contact", "1", offsetof(struct carom_episode, contact)},
    {"closed", "s", offsetof(struct carom_episode, closed)},
    {"opened", "s", offsetof(struct carom_episode, opened)},
    {"speed", "m/s", offsetof(struct carom_episode, speed)},
    {"peak_force", "N", offsetof(struct carom_episode, peak_force)},
    {"peak_time", "s", offsetof(struct carom_episode, peak_time)},
    {"impulse", "N s", offsetof(struct carom_episode, impulse)},
    {"dissipated", "J", offsetof(struct carom_episode, dissipated)},
    {"overlap", "m", offsetof(struct carom_episode, overlap)},
};

static struct carom_hdf5_spec spec_of(size_t i, bool listed, bool si, char path[PATH])
{
    const bool pair = listed && i == 0;
    snprintf(path, PATH, "episodes/%s", pair ? "pair" : column[i].name);
    return (struct carom_hdf5_spec){.path = path,
                                    .unit = si ? column[i].unit : "1",
                                    .type = i == 0 ? CAROM_HDF5_COUNT : CAROM_HDF5_REAL,
                                    .rank = pair ? 2 : 1,
                                    .width = pair ? 2 : 0,
                                    .exact = pair,
                                    .grows = true};
}

static struct carom_hdf5_spec vector_spec(size_t vector, bool si)
{
    return (struct carom_hdf5_spec){.path = "episodes/impulse_vector",
                                    .unit = si ? "N s" : "1",
                                    .type = CAROM_HDF5_REAL,
                                    .rank = 2,
                                    .width = vector,
                                    .grows = true};
}

static struct carom_hdf5_spec left_spec(void)
{
    return (struct carom_hdf5_spec){.path = "episodes/left_out", .unit = "1", .type = CAROM_HDF5_COUNT};
}

static struct carom_hdf5_spec slot_spec(int slot, char path[PATH])
{
    snprintf(path, PATH, "checkpoint/slot_%d/episodes", slot);
    return (struct carom_hdf5_spec){.path = path, .unit = "1", .type = CAROM_HDF5_REAL, .rank = 1, .grows = true};
}

void carom_run_episodes_define(struct carom_run_episodes *e, struct carom_hdf5_file *file, bool listed, size_t vector,
                               bool si)
{
    char path[PATH];
    const struct carom_hdf5_spec left = left_spec();
    e->there = true;
    e->listed = listed;
    for (size_t i = 0; i < COLUMNS; i++) {
        const struct carom_hdf5_spec spec = spec_of(i, listed, si, path);
        e->column[i] = carom_hdf5_set_define(file, &spec);
    }
    const struct carom_hdf5_spec vectors = vector_spec(vector, si);
    e->vector = vector;
    e->vectors = vector > 0 ? carom_hdf5_set_define(file, &vectors) : -1;
    e->left = carom_hdf5_set_define(file, &left);
    for (int i = 0; i < CAROM_RUN_LAYOUT_SLOTS; i++) {
        const struct carom_hdf5_spec spec = slot_spec(i, path);
        e->slot[i] = carom_hdf5_set_define(file, &spec);
    }
}

enum carom_status carom_run_episodes_find(struct carom_run_episodes *e, struct carom_hdf5_file *file, bool listed,
                                          struct carom_error *error)
{
    char path[PATH];
    struct carom_hdf5_spec left = left_spec();
    e->listed = listed;
    e->rows = UINT64_MAX;
    e->left = carom_hdf5_set_find(file, &left, NULL);
    e->there = e->left >= 0;
    if (!e->there) {
        e->rows = 0;
        return CAROM_OK;
    }
    bool good = carom_hdf5_set_read(file, e->left, 0, 1, &e->left_out, error) == CAROM_OK;
    for (size_t i = 0; i < COLUMNS && good; i++) {
        struct carom_hdf5_spec spec = spec_of(i, listed, true, path);
        good = (e->column[i] = carom_hdf5_set_find(file, &spec, error)) >= 0;
        e->rows = spec.rows < e->rows ? spec.rows : e->rows;
    }
    struct carom_hdf5_spec vectors = vector_spec(0, true); /* as wide as it is */
    e->vectors = good ? carom_hdf5_set_find(file, &vectors, NULL) : -1;
    e->vector = e->vectors >= 0 && vectors.width <= 3 ? vectors.width : 0;
    e->rows = e->vector > 0 && vectors.rows < e->rows ? vectors.rows : e->rows;
    for (int i = 0; i < CAROM_RUN_LAYOUT_SLOTS && good; i++) {
        struct carom_hdf5_spec spec = slot_spec(i, path);
        good = (e->slot[i] = carom_hdf5_set_find(file, &spec, error)) >= 0;
    }
    return good ? CAROM_OK : error != NULL ? error->status : CAROM_E_FILE;
}

enum carom_status carom_run_episodes_cut(struct carom_run_episodes *e, struct carom_hdf5_file *file, uint64_t rows,
                                         struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < COLUMNS && status == CAROM_OK; i++)
        status = carom_hdf5_set_cut(file, e->column[i], rows, error);
    if (status == CAROM_OK && e->vector > 0)
        status = carom_hdf5_set_cut(file, e->vectors, rows, error);
    e->rows = rows;
    return status;
}

/* --- rows ------------------------------------------------------------------------------------------------------ */

enum carom_status carom_run_episodes_flush(struct carom_run_episodes *e, struct carom_hdf5_file *file,
                                           struct carom_error *error)
{
    uint64_t packed[2 * BUFFER];
    enum carom_status status = CAROM_OK;
    for (size_t c = 0; c < COLUMNS && e->gathered > 0 && status == CAROM_OK; c++) {
        for (size_t i = 0; i < e->gathered; i++) {
            uint64_t word;
            memcpy(&word, (const char *)&e->buffer[i] + column[c].offset, sizeof word); /* all of them have 8 bytes */
            if (c == 0 && e->listed) {
                packed[2 * i] = word >> 32;
                packed[2 * i + 1] = word & UINT32_MAX;
            } else
                packed[i] = word;
        }
        status = carom_hdf5_set_write(file, e->column[c], e->rows, e->gathered, packed, error);
    }
    double vectors[3 * BUFFER];
    for (size_t i = 0; i < e->gathered * e->vector; i++)
        vectors[i] = e->buffer[i / e->vector].impulse_vector[i % e->vector];
    if (e->gathered > 0 && status == CAROM_OK && e->vector > 0)
        status = carom_hdf5_set_write(file, e->vectors, e->rows, e->gathered, vectors, error);
    e->rows += e->gathered;
    e->gathered = 0;
    return status;
}

enum carom_status carom_run_episodes_add(struct carom_run_episodes *e, struct carom_hdf5_file *file,
                                         const struct carom_episode *episode, struct carom_error *error)
{
    if (!e->there)
        return CAROM_OK;
    e->buffer[e->gathered++] = *episode;
    return e->gathered == BUFFER ? carom_run_episodes_flush(e, file, error) : CAROM_OK;
}

enum carom_status carom_run_episodes_leave(struct carom_run_episodes *e, struct carom_hdf5_file *file,
                                           uint64_t left_out, struct carom_error *error)
{
    e->left_out = left_out;
    return e->there ? carom_hdf5_set_write(file, e->left, 0, 1, &left_out, error) : CAROM_OK;
}

static enum carom_status read_vectors(const struct carom_run_episodes *e, const struct carom_hdf5_file *file,
                                      uint64_t first, uint64_t n, struct carom_episode *out, struct carom_error *error)
{
    double vectors[3 * BUFFER];
    const enum carom_status status =
        e->vector > 0 ? carom_hdf5_set_read(file, e->vectors, first, n, vectors, error) : CAROM_OK;
    for (uint64_t i = 0; i < n && status == CAROM_OK; i++)
        for (size_t k = 0; k < 3; k++)
            out[i].impulse_vector[k] = k < e->vector ? vectors[e->vector * i + k] : 0.0;
    return status;
}

enum carom_status carom_run_episodes_read(const struct carom_run_episodes *e, const struct carom_hdf5_file *file,
                                          uint64_t first, uint64_t count, struct carom_episode *out,
                                          struct carom_error *error)
{
    uint64_t packed[2 * BUFFER];
    for (uint64_t at = 0; at < count; at += BUFFER) {
        const uint64_t n = count - at < BUFFER ? count - at : BUFFER;
        if (read_vectors(e, file, first + at, n, out + at, error) != CAROM_OK)
            return CAROM_E_FILE;
        for (size_t c = 0; c < COLUMNS; c++) {
            const enum carom_status status = carom_hdf5_set_read(file, e->column[c], first + at, n, packed, error);
            if (status != CAROM_OK)
                return status;
            for (uint64_t i = 0; i < n; i++) {
                const uint64_t word =
                    c == 0 && e->listed ? carom_event_pair(packed[2 * i], packed[2 * i + 1]) : packed[i];
                memcpy((char *)&out[at + i] + column[c].offset, &word, sizeof word);
            }
        }
    }
    return CAROM_OK;
}

enum carom_status carom_run_episodes_each(const struct carom_run_episodes *episodes, const struct carom_hdf5_file *file,
                                          void (*see)(void *own, const struct carom_episode *row), void *own,
                                          struct carom_error *error)
{
    enum { PIECE = 256 };
    struct carom_episode row[PIECE];
    enum carom_status status = CAROM_OK;
    for (uint64_t first = 0; first < episodes->rows && status == CAROM_OK; first += PIECE) {
        const uint64_t left = episodes->rows - first, n = left < PIECE ? left : PIECE;
        status = carom_run_episodes_read(episodes, file, first, n, row, error);
        for (uint64_t i = 0; i < n && status == CAROM_OK; i++)
            see(own, &row[i]);
    }
    return status;
}

/* --- checkpoints ----------------------------------------------------------------------------------------------- */

enum { SERIAL, ROWS, COUNT, SUM, HEAD }; /* before the numbers */

/* a number that a double holds exactly */
static double sum_of(const double *x, size_t n)
{
    uint64_t sum = UINT64_C(0x626f6f6b);
    for (size_t i = 0; i < n; i++) {
        uint64_t word;
        memcpy(&word, &x[i], sizeof word);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    return (double)(sum >> 12);
}

enum carom_status carom_run_episodes_save(const struct carom_run_episodes *e, struct carom_hdf5_file *file,
                                          uint64_t serial, const struct carom_checkpoint *checkpoint,
                                          struct carom_error *error)
{
    const int slot = e->slot[serial % CAROM_RUN_LAYOUT_SLOTS];
    const double head[HEAD] = {[SERIAL] = (double)serial,
                               [ROWS] = (double)checkpoint->episodes,
                               [COUNT] = (double)checkpoint->nbook,
                               [SUM] = sum_of(checkpoint->book, checkpoint->nbook)};
    if (!e->there)
        return CAROM_OK;
    enum carom_status status = carom_hdf5_set_write(file, slot, 0, HEAD, head, error);
    if (status == CAROM_OK && checkpoint->nbook > 0)
        status = carom_hdf5_set_write(file, slot, HEAD, checkpoint->nbook, checkpoint->book, error);
    return status;
}

bool carom_run_episodes_load(const struct carom_run_episodes *e, const struct carom_hdf5_file *file, int slot,
                             uint64_t serial, uint64_t *rows, double **book, size_t *nbook)
{
    double head[HEAD];
    const uint64_t there = carom_hdf5_set_rows(file, e->slot[slot]);
    if (there < HEAD || carom_hdf5_set_read(file, e->slot[slot], 0, HEAD, head, NULL) != CAROM_OK)
        return false;
    if (head[SERIAL] != (double)serial || !(head[ROWS] >= 0.0 && head[ROWS] <= (double)e->rows) ||
        !(head[COUNT] >= 0.0 && head[COUNT] <= (double)(there - HEAD)))
        return false;
    const size_t n = (size_t)head[COUNT];
    double *x = carom_memory_zeroed(n, sizeof *x);
    bool good = x != NULL && (n == 0 || carom_hdf5_set_read(file, e->slot[slot], HEAD, n, x, NULL) == CAROM_OK) &&
                sum_of(x, n) == head[SUM];
    *rows = (uint64_t)head[ROWS];
    if (good && book != NULL) {
        *book = x;
        *nbook = n;
    } else
        carom_memory_free(x);
    return good;
}
