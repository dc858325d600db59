/* Checks a run file before others read it: it is opened as all readers open it, then everything in it is looked at,
 * also in files that are no runs. */
#include "record/hdf5/hdf5_walk.h"
#include "record/run_file.h"

enum carom_status carom_run_check(const char *path, struct carom_error *error)
{
    if (path == NULL)
        return carom_error_missing(error);
    struct carom_error reason = {CAROM_OK, ""};
    struct carom_run_checkpoint last;
    struct carom_run_file *run = carom_run_file_open(path, &reason);
    struct carom_hdf5_file *other = run == NULL ? carom_hdf5_file_open(path, NULL, NULL) : NULL;
    if (run != NULL && !run->complete)
        carom_run_file_last(run, &last, NULL);
    if (run != NULL)
        carom_hdf5_walk(run->file, &reason);
    else if (other != NULL)
        carom_hdf5_walk(other, NULL);
    carom_hdf5_file_close(other, NULL);
    carom_run_file_close(run);
    return reason.status == CAROM_OK ? CAROM_OK : carom_error_set(error, reason.status, "%s", reason.text);
}
