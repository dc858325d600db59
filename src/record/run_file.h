/* An open run file, and what carom/run.h does not tell of it: the last valid checkpoint, writers, repair. Never writes
 * to it, but for carom_run_file_repair. */
#ifndef CAROM_RECORD_RUN_FILE_H
#define CAROM_RECORD_RUN_FILE_H

#include "carom/run.h"
#include "record/run_episodes.h"
#include "record/run_sums.h"
#include "record/run_touches.h"

struct carom_run_file {
    char *title, *scene, *set, *units, *command, *scheme, *version, *ends;
    uint64_t seed;
    struct carom_scales scales; /* what errors are measured by; zeros: an older file */
    double tol, estimate;       /* the error promised and stated, in units of the scales; 0: none */
    double growth, horizon, sight, unbalanced, flown; /* as in struct carom_sim */
    struct carom_blunders blunders;                   /* of its impacts; zeros: an older file, too */
    struct carom_doubt doubt;                         /* why it promises nothing; zeros: it does, or an older file */
    struct carom_counts counts;                       /* as of the last checkpoint or the end */
    bool complete;                                    /* the run came to its end */
    bool marked;              /* a writer is at work or was killed: `carom repair` clears the mark */
    uint64_t rows, events;    /* that are there in all items */
    uint64_t impacts, forces; /* impacts that tell what happens inside them, and samples of forces there */
    size_t nitems;
    struct carom_run_item *item;
    size_t nc;
    int32_t (*pair)[2];               /* nc: as in carom_model */
    bool row;                         /* of beads: contacts are numbered by the body to their left, elsewhere from 1 */
    bool listed;                      /* contacts come and go: nc is 0, events tell pairs of bodies */
    struct carom_run_touches touches; /* where they were recorded */
    struct carom_run_episodes episodes; /* the book of impacts, if the file has one */
    struct carom_run_sums_of sums;      /* checksums of rows */
    struct carom_hdf5_file *file;
    int time, step, event[6], blow[3], force; /* sets */
};

/* For programs that use HDF5 through this library only, before they open anything: HDF5 then does not tidy up when the
 * program ends, where it would print a complaint if a damaged file had upset it. Files are closed all the same. */
void carom_run_file_alone(void);

/* Does the file begin like a run file (an HDF5 file)? False also if there is none. */
bool carom_run_file_looks(const char *path);

/* Is a living process writing to it? */
bool carom_run_file_busy(const char *path);

/* What the last valid checkpoint says of itself; CAROM_E_FILE if there is none. */
struct carom_run_checkpoint {
    double time;
    uint64_t step, rows, events, impacts, forces, episodes;
    struct carom_counts counts;
    size_t n; /* doubles in the state and its contacts */
    int slot;
    uint64_t serial; /* how manieth checkpoint of the run */
};
enum carom_status carom_run_file_last(const struct carom_run_file *run, struct carom_run_checkpoint *last,
                                      struct carom_error *error);

/* Fills `state`, made for this model and the same scheme, with its book, and makes `checkpoint` point to it. */
enum carom_status carom_run_file_restore(const struct carom_run_file *run, const struct carom_model *model,
                                         struct carom_state *state, struct carom_checkpoint *checkpoint,
                                         struct carom_error *error);

/* Clears the mark of a killed writer and cuts all items to the rows they have in common; refuses while the
 * writer is alive. */
struct carom_run_repair {
    bool was_marked;
    uint64_t rows, events; /* left */
    uint64_t cut;          /* rows that were not in all items */
};
enum carom_status carom_run_file_repair(const char *path, struct carom_run_repair *found, struct carom_error *error);

#endif
