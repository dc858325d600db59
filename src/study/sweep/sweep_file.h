/* The file of a sweep: what was asked for, the grid, an array per output, and what became of every point. */
#ifndef CAROM_STUDY_SWEEP_SWEEP_FILE_H
#define CAROM_STUDY_SWEEP_SWEEP_FILE_H

#include "study/sweep/sweep.h"

struct carom_sweep_file;

/* Makes the file, or opens one of the same sweep to go on in it. status (points) becomes -1 where there is nothing
 * yet, else the carom_status of the run. */
struct carom_sweep_file *carom_sweep_file_open(const struct carom_sweep *sweep, const char *path, int32_t *status,
                                               struct carom_error *error);

/* Opens a file of the same sweep for reading only. */
struct carom_sweep_file *carom_sweep_file_look(const struct carom_sweep *sweep, const char *path, int32_t *status,
                                               struct carom_error *error);

/* Keeps points [first, first + count): value has outputs->count numbers for each. After carom_sweep_file_flush they
 * survive a kill; a point whose status is there has its outputs there. */
enum carom_status carom_sweep_file_write(struct carom_sweep_file *file, uint64_t first, uint64_t count,
                                         const double *value, const int32_t *status, struct carom_error *error);
enum carom_status carom_sweep_file_flush(struct carom_sweep_file *file, struct carom_error *error);

/* Output k of all points, read or kept; and their status, kept when all their outputs are. */
enum carom_status carom_sweep_file_read(struct carom_sweep_file *file, size_t k, double *value,
                                        struct carom_error *error);
enum carom_status carom_sweep_file_keep(struct carom_sweep_file *file, size_t k, const double *value,
                                        struct carom_error *error);
enum carom_status carom_sweep_file_mark(struct carom_sweep_file *file, const int32_t *status,
                                        struct carom_error *error);

enum carom_status carom_sweep_file_close(struct carom_sweep_file *file, struct carom_error *error); /* NULL is fine */

/* What a sweep file was made from; texts are freed by carom_sweep_file_forget. */
struct carom_sweep_origin {
    char *name, *scene, *set, *over, *outputs, *ratios, *reference_tol, *version;
};
enum carom_status carom_sweep_file_origin(const char *path, struct carom_sweep_origin *origin,
                                          struct carom_error *error);
void carom_sweep_file_forget(struct carom_sweep_origin *origin);

#endif
