/* What impacts did by a checkpoint that their law does not say, beside it in run files. Older files have none. */
#ifndef CAROM_RECORD_RUN_BLUNDERS_H
#define CAROM_RECORD_RUN_BLUNDERS_H

#include "record/run_layout.h"

struct carom_hdf5_spec carom_run_blunders_slot(int slot, char path[CAROM_RUN_LAYOUT_PATH]);

/* `serial`: of the checkpoint they belong to. set below 0: the file has no place for them. */
enum carom_status carom_run_blunders_save(struct carom_hdf5_file *file, int set, uint64_t serial,
                                          const struct carom_blunders *blunders, struct carom_error *error);

/* `otherwise`: what the file says of the whole run, where nothing stands beside this checkpoint. */
struct carom_blunders carom_run_blunders_load(struct carom_hdf5_file *file, int slot, uint64_t serial,
                                              const struct carom_blunders *otherwise);

#endif
