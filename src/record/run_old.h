/* Where a run is written over another one, the file of the old run is kept beside it, as NAME.old.h5, until the new one
 * is whole. The new file notes which file that is, by size and date, so that whoever completes it, be it a resume,
 * removes that file and no other. What was kept stays when runs that were not completed come and go. */
#ifndef CAROM_RECORD_RUN_OLD_H
#define CAROM_RECORD_RUN_OLD_H

#include "record/run_file.h"

struct carom_run_old {
    char *path; /* where a file is kept or shall be; NULL: none is */
    char *note; /* what tells it from others */
    bool fresh; /* it shall be: it stands at the run's path still */
};

/* May a run begin at this path? Refuses where something else stands. `lost`: a run that was not completed stands there,
 * and one before it is kept already, so that this one will not be. */
enum carom_status carom_run_old_look(const char *path, bool *lost, struct carom_error *error);

/* What a new run at this path keeps; to be freed. */
enum carom_status carom_run_old_plan(const char *path, struct carom_run_old *old, struct carom_error *error);

/* What is kept beside this run, which stands at `path`; to be freed. */
void carom_run_old_find(const struct carom_run_file *run, const char *path, struct carom_run_old *old);

/* Writes it into the file of the new run, before that is published. */
enum carom_status carom_run_old_put(const struct carom_run_old *old, struct carom_hdf5_file *file,
                                    struct carom_error *error);

/* Removes the file that is kept, unless it has changed since. */
void carom_run_old_remove(const struct carom_run_old *old);

/* What a run that was killed at its very end owes: if it is complete, it is closed, and what is kept is removed. */
enum carom_status carom_run_old_finish(const char *path, struct carom_error *error);

void carom_run_old_free(struct carom_run_old *old);

#endif
