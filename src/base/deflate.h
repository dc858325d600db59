/* Compression into the deflate format (RFC 1951), which browsers and every tool read. One call, one stream; the same
 * bytes give the same stream on every machine. */
#ifndef CAROM_BASE_DEFLATE_H
#define CAROM_BASE_DEFLATE_H

#include <stddef.h>

/* The stream of these bytes, to be freed by carom_memory_free, and how long it is; NULL: out of memory. */
unsigned char *carom_deflate(const unsigned char *bytes, size_t count, size_t *length);

#endif
