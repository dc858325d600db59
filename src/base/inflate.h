/* Bytes out of the deflate format (RFC 1951), and out of zlib's (RFC 1950) around it. Files may come from strangers. */
#ifndef CAROM_BASE_INFLATE_H
#define CAROM_BASE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

/* Fills `out` from a stream of deflate; how many bytes of it there were is *used (may be NULL). False: it is broken, or
 * does not hold just as many. */
bool carom_inflate(const unsigned char *bytes, size_t count, size_t want, unsigned char *out, size_t *used);

/* The same from a stream of zlib, whose sum is looked at. */
bool carom_inflate_zlib(const unsigned char *bytes, size_t count, size_t want, unsigned char *out);

#endif
