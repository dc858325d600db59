/* The text of a mesh file, read word by word, with the line for sentences. Never reads beyond its end. */
#ifndef CAROM_MESH_SOURCE_H
#define CAROM_MESH_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/error.h"

struct carom_source {
    const char *at, *end;
    size_t line;
    struct carom_error *error;
};

/* A word that ends at white space, cut to its room; false at the end of the file, which `what` it breaks off is told
 * then. */
bool carom_source_word(struct carom_source *source, const char *what, char *word, size_t room);

/* The rest of the line without what ends it; false at the end of the file, without a sentence. */
bool carom_source_line(struct carom_source *source, char *text, size_t room);

/* A number, and one of a list from 0; false and the sentence if it is none. */
bool carom_source_real(struct carom_source *source, const char *what, double *out);
bool carom_source_count(struct carom_source *source, const char *what, uint64_t *out);

/* A sentence about this line; always false. */
bool carom_source_wrong(const struct carom_source *source, const char *format, ...) CAROM_PRINTF(2, 3);

/* That there is no memory for the mesh; always false. */
bool carom_source_memory(const struct carom_source *source);

/* Is this the end? White space does not count. */
bool carom_source_done(struct carom_source *source);

/* Names of things by number, as files count them: made once all are there, then asked. */
struct carom_source_names {
    size_t count, room;
    struct carom_source_name {
        uint64_t name;
        uint32_t index;
    } * list;
};
bool carom_source_names_add(struct carom_source_names *names, uint64_t name, uint32_t index);
void carom_source_names_sort(struct carom_source_names *names);
/* UINT32_MAX: there is none. */
uint32_t carom_source_names_find(const struct carom_source_names *names, uint64_t name);
/* Of names that are sorted, the second of two that are the same, from number `from` on; `count`: there is none. */
size_t carom_source_names_twice(const struct carom_source_names *names, size_t from);
void carom_source_names_free(struct carom_source_names *names);

#endif
