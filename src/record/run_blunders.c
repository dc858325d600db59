/* What impacts did by a checkpoint, see run_blunders.h: a list, the first number of which is the checkpoint's. */
#include "record/run_blunders.h"

#include <stdio.h>

enum { NUMBERS = 6 };

struct carom_hdf5_spec carom_run_blunders_slot(int slot, char path[CAROM_RUN_LAYOUT_PATH])
{
    snprintf(path, CAROM_RUN_LAYOUT_PATH, "checkpoint/slot_%d/impacts", slot);
    return (struct carom_hdf5_spec){.path = path, .unit = "1", .type = CAROM_HDF5_REAL, .rank = 1, .rows = NUMBERS};
}

enum carom_status carom_run_blunders_save(struct carom_hdf5_file *file, int set, uint64_t serial,
                                          const struct carom_blunders *b, struct carom_error *error)
{
    const double number[NUMBERS] = {(double)serial, b->created, b->cut, b->cut_energy, b->deadened, b->newtonian};
    return set < 0 ? CAROM_OK : carom_hdf5_set_write(file, set, 0, NUMBERS, number, error);
}

struct carom_blunders carom_run_blunders_load(struct carom_hdf5_file *file, int slot, uint64_t serial,
                                              const struct carom_blunders *otherwise)
{
    char path[CAROM_RUN_LAYOUT_PATH];
    double number[NUMBERS] = {0.0};
    struct carom_hdf5_spec spec = carom_run_blunders_slot(slot, path);
    const int set = carom_hdf5_set_find(file, &spec, NULL);
    const bool known = set >= 0 && spec.rows == NUMBERS &&
                       carom_hdf5_set_read(file, set, 0, NUMBERS, number, NULL) == CAROM_OK &&
                       number[0] == (double)serial;
    return known ? (struct carom_blunders){number[1], number[2], number[3], number[4], number[5]} : *otherwise;
}
