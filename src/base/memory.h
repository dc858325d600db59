/* The only place that allocates. A build with CAROM_FAULT can be told to fail the nth allocation. */
#ifndef CAROM_BASE_MEMORY_H
#define CAROM_BASE_MEMORY_H

#include "carom/error.h"

#include <stdbool.h>
#include <stddef.h>

/* count * size zeroed bytes, aligned to 64; NULL if out of memory or if the product overflows. count = 0 gives a
 * valid empty block. */
void *carom_memory_zeroed(size_t count, size_t size);

/* Grows the block that the pointer at `at` points to, NULL or from carom_memory_zeroed; the new part is zeroed. false:
 * out of memory, and it is as it was. */
bool carom_memory_widen(void *at, size_t old_count, size_t count, size_t size);

/* Room for one more behind `used`: where all `room` is used there will be twice that and `first`. */
bool carom_memory_room(void *at, size_t used, size_t *room, size_t first, size_t size);

/* One block for several arrays, zeroed and aligned like blocks of their own; NULL if out of memory. `at` is the address
 * of the pointer to each. The block begins with the first of them: freeing that frees them all. */
struct carom_memory_array {
    void *at;
    size_t count, size;
};
#define CAROM_ROOM(pointer, count)           \
    {                                        \
        &(pointer), count, sizeof *(pointer) \
    }
void *carom_memory_arrays(size_t count, const struct carom_memory_array *list);
#define carom_memory_together(...)                                                                            \
    carom_memory_arrays(sizeof(struct carom_memory_array[]){__VA_ARGS__} / sizeof(struct carom_memory_array), \
                        (const struct carom_memory_array[]){__VA_ARGS__})

/* A copy of a string, or of `length` bytes of it. */
char *carom_memory_text(const char *text);
char *carom_memory_text_of(const char *text, size_t length);

void carom_memory_free(void *block);

/* Several blocks, one after another. All pointers are read before the first goes, so an object may stand behind what it
 * owns in one list. */
void carom_memory_free_list(size_t count, void *const *block);
#define carom_memory_free_all(...) \
    carom_memory_free_list(sizeof(void *[]){__VA_ARGS__} / sizeof(void *), (void *[]){__VA_ARGS__})

/* The sentence of those that know no more than that there was not enough, and of those that know for what. */
enum carom_status carom_memory_error(struct carom_error *error);
enum carom_status carom_memory_error_for(struct carom_error *error, const char *what);

#ifdef CAROM_FAULT
/* The nth allocation from now fails (0: none does). */
void carom_memory_fail(unsigned long nth);
#endif

#endif
