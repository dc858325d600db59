/* Goes through an HDF5 file as a whole. */
#ifndef CAROM_RECORD_HDF5_HDF5_WALK_H
#define CAROM_RECORD_HDF5_HDF5_WALK_H

#include "record/hdf5/hdf5_file.h"

/* Opens everything in a file and reads what leads to the numbers: headers, attributes, indices of chunks, all datasets
 * of up to 1 MiB and the first and last entry of larger ones. The first sentence, if something cannot be had. */
enum carom_status carom_hdf5_walk(const struct carom_hdf5_file *file, struct carom_error *error);

#endif
