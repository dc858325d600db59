/* The numbers of a run file's datasets, see hdf5_set.h. */
#ifndef CAROM_RECORD_RUN_SETS_H
#define CAROM_RECORD_RUN_SETS_H

#include "record/run_episodes.h"
#include "record/run_layout.h"
#include "record/run_sums.h"
#include "record/run_touches.h"

struct carom_run_sets {
    int *item; /* per channel */
    int time, step, counts, complete, stated[CAROM_RUN_LAYOUT_STATED], event[CAROM_RUN_LAYOUT_EVENT_COLUMNS];
    int force, blow[CAROM_RUN_LAYOUT_BLOW_COLUMNS];
    struct carom_run_touches touches; /* where contacts that come and go are recorded */
    struct carom_run_episodes episodes;
    struct carom_run_sums sums;
    struct {
        int header, state, blunders;
    } slot[CAROM_RUN_LAYOUT_SLOTS];
};

/* Defines everything in a new file. */
enum carom_status carom_run_sets_define(struct carom_run_sets *sets, struct carom_hdf5_file *file,
                                        const struct carom_layout *layout, struct carom_error *error);

/* How much of a file stays. */
struct carom_run_sets_kept {
    uint64_t rows, events, impacts, forces, episodes;
};

/* Finds everything in a file opened for going on. What was recorded after what is kept stays where it is: the run goes
 * through the same numbers again and writes over them. Were it cut off, a kill could leave rows that HDF5 has emptied
 * and not yet taken away. Refuses a file that does not fit. */
enum carom_status carom_run_sets_find(struct carom_run_sets *sets, struct carom_hdf5_file *file,
                                      const struct carom_layout *layout, const struct carom_run_sets_kept *kept,
                                      struct carom_error *error);

/* Takes away what a file has beyond that, at the end of a run. */
enum carom_status carom_run_sets_cut(struct carom_run_sets *sets, struct carom_hdf5_file *file,
                                     const struct carom_layout *layout, const struct carom_run_sets_kept *kept,
                                     struct carom_error *error);
void carom_run_sets_free(struct carom_run_sets *sets);

#endif
