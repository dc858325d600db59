/* What the machine has, so that what cannot fit is refused before it is begun. */
#ifndef CAROM_BASE_MACHINE_H
#define CAROM_BASE_MACHINE_H

/* Bytes of memory that this process may have: of the machine, or as far as it is limited (ulimit -v); 0: not known. */
double carom_machine_memory(void);

/* Bytes that are free for files beside the one at `path`, which need not be there yet; below 0: not known. */
double carom_machine_disk(const char *path);

#endif
