/* Numbers inside a page: base64 of little-endian arrays, each in a script element of its own that no browser runs. The
 * JSON names them by number, with the type of their entries and whether they are packed (page_blob.c). */
#ifndef CAROM_STUDY_PAGE_PAGE_BLOB_H
#define CAROM_STUDY_PAGE_PAGE_BLOB_H

#include <stdio.h>

#include "carom/error.h"
#include "study/page/page_json.h"

enum carom_page_blob_type {
    CAROM_PAGE_BLOB_F64, /* from double */
    CAROM_PAGE_BLOB_F32, /* from double */
    CAROM_PAGE_BLOB_I16, /* from double: value = offset + scale x number, -32768: not a number */
    CAROM_PAGE_BLOB_I32, /* from int32_t */
    CAROM_PAGE_BLOB_U32, /* from uint32_t */
    CAROM_PAGE_BLOB_U8,  /* from uint8_t */
};

/* Where a page goes while it is written. */
struct carom_page_out {
    FILE *file;
    size_t nblobs;
    uint64_t bytes; /* of blobs, as base64 */
    struct carom_page_json json;
};

/* Writes an array of `count` entries, and where it is under `key` into the JSON. I16 finds its scale by itself. */
enum carom_status carom_page_blob_write(struct carom_page_out *out, const char *key, enum carom_page_blob_type type,
                                        const void *data, size_t count, struct carom_error *error);

#endif
