/* The way HDF5 reaches the disk for run files: the library's own driver breaks down after a write that fails (it
 * crashes when the file is closed), and may leave a file shorter than it says. Included by hdf5_file.c only. */
#ifndef CAROM_RECORD_HDF5_HDF5_DRIVER_H
#define CAROM_RECORD_HDF5_HDF5_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

/* What went wrong on the way to the disk; must stay in place while the file is open. */
struct carom_hdf5_trouble {
    int number;  /* errno of the first write or growth that failed; 0: none */
    bool settle; /* to be set: flushes go on to the disk itself */
    bool taken;  /* the file was not opened because another process writes to it */
};

/* A driver to open files with, as an HDF5 identifier; negative on failure. Released by H5FDunregister. */
int64_t carom_hdf5_driver_register(void);

/* Makes the file access list use it and report to `trouble`. */
bool carom_hdf5_driver_use(int64_t access, int64_t driver, struct carom_hdf5_trouble *trouble);

/* Is a process writing to this file now? */
bool carom_hdf5_driver_busy(const char *path);

/* Opens the file and keeps writers away until the descriptor is closed; -1: it cannot be opened, -2: a process is
 * writing to it. */
int carom_hdf5_driver_hold(const char *path);

#ifdef CAROM_FAULT
/* The nth write, growth or closing of a file from now fails as if the disk were full (0: none does). */
void carom_hdf5_driver_fail(unsigned long nth);
#endif

#endif
