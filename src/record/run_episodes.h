/* The book of impacts in a run file, /episodes: a row for each episode of a contact, from its closing to its opening,
 * in the order in which they end; how many were left out; and, with every checkpoint, the numbers of those under way.
 * Files made before there was a book have none. */
#ifndef CAROM_RECORD_RUN_EPISODES_H
#define CAROM_RECORD_RUN_EPISODES_H

#include "carom/record.h"
#include "record/hdf5/hdf5_set.h"
#include "record/run_layout.h"

#define CAROM_RUN_EPISODES_COLUMNS (1 + CAROM_EPISODE_REALS)
#define CAROM_RUN_EPISODES_BUFFER 256

struct carom_run_episodes {
    bool there, listed; /* listed: contacts come and go, a row has a pair of bodies */
    size_t vector;      /* numbers of an impulse as a vector, of solids; 0: there are none */
    int column[CAROM_RUN_EPISODES_COLUMNS], vectors, left, slot[CAROM_RUN_LAYOUT_SLOTS];
    uint64_t rows;     /* that all columns have */
    uint64_t left_out; /* not among them */
    size_t gathered;   /* not in the file yet */
    struct carom_episode buffer[CAROM_RUN_EPISODES_BUFFER];
};

/* Creates the datasets; errors surface when the file is published. `vector`: numbers of impulses as vectors, or 0. */
void carom_run_episodes_define(struct carom_run_episodes *episodes, struct carom_hdf5_file *file, bool listed,
                               size_t vector, bool si);

/* Finds them; `there` says whether the file has any. */
enum carom_status carom_run_episodes_find(struct carom_run_episodes *episodes, struct carom_hdf5_file *file,
                                          bool listed, struct carom_error *error);
enum carom_status carom_run_episodes_cut(struct carom_run_episodes *episodes, struct carom_hdf5_file *file,
                                         uint64_t rows, struct carom_error *error);

/* Gathers a row, and writes all that are gathered. */
enum carom_status carom_run_episodes_add(struct carom_run_episodes *episodes, struct carom_hdf5_file *file,
                                         const struct carom_episode *episode, struct carom_error *error);
enum carom_status carom_run_episodes_flush(struct carom_run_episodes *episodes, struct carom_hdf5_file *file,
                                           struct carom_error *error);
enum carom_status carom_run_episodes_leave(struct carom_run_episodes *episodes, struct carom_hdf5_file *file,
                                           uint64_t left_out, struct carom_error *error);

enum carom_status carom_run_episodes_read(const struct carom_run_episodes *episodes, const struct carom_hdf5_file *file,
                                          uint64_t first, uint64_t count, struct carom_episode *out,
                                          struct carom_error *error);

/* By which episodes are compared: nobody knows the force of a rigid impact. */
static inline double carom_run_episodes_strength(const struct carom_episode *row)
{
    return row->peak_force > 0.0 ? row->peak_force : row->impulse;
}

/* Calls `see` with every row. */
enum carom_status carom_run_episodes_each(const struct carom_run_episodes *episodes, const struct carom_hdf5_file *file,
                                          void (*see)(void *own, const struct carom_episode *row), void *own,
                                          struct carom_error *error);

/* What belongs to checkpoint number `serial`, written before the header that makes it count. */
enum carom_status carom_run_episodes_save(const struct carom_run_episodes *episodes, struct carom_hdf5_file *file,
                                          uint64_t serial, const struct carom_checkpoint *checkpoint,
                                          struct carom_error *error);

/* The same again: how many rows there were, and, unless it is NULL, the numbers, which the caller frees. False if they
 * are not those of that checkpoint. */
bool carom_run_episodes_load(const struct carom_run_episodes *episodes, const struct carom_hdf5_file *file, int slot,
                             uint64_t serial, uint64_t *rows, double **book, size_t *nbook);

#endif
