/* Run files, read: what is in them, how they were made, and the recorded numbers. Also those of a writer that is still
 * at work or was killed; nothing here writes to them. Files of strangers: see carom_run_check. */
#ifndef CAROM_RUN_H
#define CAROM_RUN_H

#include "carom/record.h"

CAROM_BEGIN

/* One recorded item: a table with a row for each sample. */
struct carom_run_item {
    char path[96]; /* "particles/beads/velocity" */
    char name[32]; /* the probe's name, or the last word of the path if no probe has that path */
    char unit[16];
    enum carom_extent extent;
    size_t width;    /* numbers per row */
    size_t depth;    /* of these, side by side for each body */
    uint64_t length; /* rows of this item alone; after a kill items differ, see `rows` */
    int set;         /* the reader's own */
};

struct carom_run_file; /* an open one */

/* What a run file says; texts and arrays belong to it. */
struct carom_run_about {
    const char *title, *scene, *set, *units, *command, *scheme, *version;
    uint64_t seed;
    struct carom_scales scales;  /* what errors are measured by; zeros: an older file */
    double tol, estimate;        /* the error promised and stated, in units of the scales; 0: none */
    struct carom_counts counts;  /* as of the last checkpoint or the end */
    bool complete;               /* the run came to its end */
    uint64_t rows, events;       /* samples and events */
    uint64_t episodes, left_out; /* of the book of impacts, and those that are not in it */
    uint64_t impacts, forces;    /* impacts that tell what happens inside them, and samples of forces there */
    uint64_t touches;            /* lines of contacts that come and go */
    size_t nitems;
    const struct carom_run_item *item;
    size_t nc;
    const int32_t (*pair)[2]; /* nc: as in carom_model */
    bool row;                 /* of beads: contacts are numbered by the body to their left, elsewhere from 1 */
    bool listed;              /* contacts come and go: nc is 0, events and episodes tell pairs of bodies */
    const char *ends;         /* as carom_run_ends tells them; "": there are none, or an older file */
    double changes, changed;  /* how often the state was changed from outside, by carom_sim_set, and when first */
};

/* NULL and the sentence if it cannot be read. To be closed before a sink writes to the same file. */
struct carom_run_file *carom_run_file_open(const char *path, struct carom_error *error);
void carom_run_file_close(struct carom_run_file *run);

void carom_run_about(const struct carom_run_file *run, struct carom_run_about *about);

/* The item of that probe name or path, or NULL. */
const struct carom_run_item *carom_run_file_item(const struct carom_run_file *run, const char *name);

/* Rows [first, first + count) of an item (count x width numbers), of the times and of the step numbers. */
enum carom_status carom_run_file_read(const struct carom_run_file *run, const struct carom_run_item *item,
                                      uint64_t first, uint64_t count, double *out, struct carom_error *error);
enum carom_status carom_run_file_times(const struct carom_run_file *run, uint64_t first, uint64_t count, double *out,
                                       struct carom_error *error);
enum carom_status carom_run_file_steps(const struct carom_run_file *run, uint64_t first, uint64_t count, uint64_t *out,
                                       struct carom_error *error);
enum carom_status carom_run_file_events(const struct carom_run_file *run, uint64_t first, uint64_t count,
                                        struct carom_event *out, struct carom_error *error);

/* Which cells of a solid the columns of its items are, from 0: `part` is what stands behind particles/ in their paths.
 * Writes `room` of them at most and returns how many there are; 0: the file does not say. */
size_t carom_run_items_cells(const struct carom_run_file *run, const char *part, uint64_t *cell, size_t room);

/* Contacts that come and go, where they were recorded: those of sample i are lines [first, first + count). */
enum carom_status carom_run_file_touching(const struct carom_run_file *run, uint64_t i, uint64_t *first,
                                          uint64_t *count, struct carom_error *error);
enum carom_status carom_run_file_touches(const struct carom_run_file *run, uint64_t first, uint64_t count,
                                         struct carom_touch *out, struct carom_error *error);

/* Rows [first, first + count) of the book of impacts. */
enum carom_status carom_run_file_episodes(const struct carom_run_file *run, uint64_t first, uint64_t count,
                                          struct carom_episode *out, struct carom_error *error);

/* Impacts [first, first + count), and samples of the forces inside impacts. */
enum carom_status carom_run_file_blows(const struct carom_run_file *run, uint64_t first, uint64_t count,
                                       struct carom_blow *out, struct carom_error *error);
enum carom_status carom_run_file_forces(const struct carom_run_file *run, uint64_t first, uint64_t count,
                                        struct carom_blow_force *out, struct carom_error *error);

/* What ends of contacts below CAROM_WALL_RIGHT are: names of the solids and, behind them, of walls, one a line, from
 * -3 down; nothing where there are no solids. Writes what of it fits into `text`, which
 * has `room`, and returns how long all of it is. */
size_t carom_run_ends(const struct carom_model *model, char *text, size_t room);

/* Sets a sim of the same scene, before its first step, to the last checkpoint. What was recorded by then is rows and
 * events: handed to carom_sink_hdf5_resume, after the file has been closed here, they let it go on in the file. */
struct carom_sim;
enum carom_status carom_sim_resume(struct carom_sim *sim, const struct carom_run_file *run, uint64_t *rows,
                                   uint64_t *events, struct carom_error *error);

/* Writes a checkpoint of now into the run files of a sim that has begun and not ended: carom_sim_resume goes on from
 * here. A run does so by itself now and then, see carom_setup. */
enum carom_status carom_sim_checkpoint(struct carom_sim *sim, struct carom_error *error);

CAROM_END

#endif
