/* What wasi-libc does not declare and the library asks for. */
#ifndef CAROM_PLAYGROUND_SYSTEM_H
#define CAROM_PLAYGROUND_SYSTEM_H

char *realpath(const char *restrict path, char *restrict room);

#endif
