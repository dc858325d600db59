/* Allocation: every block is zeroed, because zeroed memory is a valid empty object, and aligned to a cache line, so
 * that flat arrays suit vector units and no two blocks share a line. */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WATCHED
#endif

#define ALIGNMENT 64
#ifdef WATCHED /* AddressSanitizer knows blocks only: it is told of the line between two arrays of one */
#include <sanitizer/asan_interface.h>
#define BETWEEN ALIGNMENT
#else
#define BETWEEN 0
#define ASAN_POISON_MEMORY_REGION(at, bytes) ((void)(at), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes) ((void)(at), (void)(bytes))
#endif
#define PAGE ((size_t)1 << 21) /* a huge page, where the system has them */

#ifdef CAROM_FAULT
#include <stdatomic.h>

/* The one mutable global of the library, and only in the build that tests its failures. */
static atomic_ulong remaining;

void carom_memory_fail(unsigned long nth)
{
    atomic_store(&remaining, nth);
}

static int fails(void)
{
    unsigned long now = atomic_load(&remaining);
    while (now != 0)
        if (atomic_compare_exchange_weak(&remaining, &now, now - 1))
            return now == 1;
    return 0;
}

/* In that build a block stands between two lines: one has its size, the other must still be as it was in the end. */
#define FENCE 0xa5

static void *take(size_t bytes)
{
    unsigned char *line = NULL;
    if (bytes > (size_t)PTRDIFF_MAX - 2 * ALIGNMENT || posix_memalign((void **)&line, ALIGNMENT, bytes + 2 * ALIGNMENT))
        return NULL;
    memset(line, 0, ALIGNMENT + bytes);
    memcpy(line, &bytes, sizeof bytes);
    memset(line + ALIGNMENT + bytes, FENCE, ALIGNMENT);
    return line + ALIGNMENT;
}

/* What is given back is no longer what it was: who still reads it is found out. */
static void give_back(void *block)
{
    if (block == NULL)
        return;
    unsigned char *line = (unsigned char *)block - ALIGNMENT;
    size_t bytes;
    memcpy(&bytes, line, sizeof bytes);
    for (size_t i = 0; i < ALIGNMENT; i++)
        if (line[ALIGNMENT + bytes + i] != FENCE)
            __builtin_trap(); /* only a test that has gone wrong comes here */
    ASAN_UNPOISON_MEMORY_REGION(line, bytes + 2 * ALIGNMENT);
    memset(line, FENCE, bytes + 2 * ALIGNMENT);
    free(line);
}
#else
static int fails(void)
{
    return 0;
}

/* Large arrays in few pages: addresses of 1e4 spheres are too many for the processor to remember in small ones. Only
 * whole huge pages inside the block, so that no more memory is taken; whether the system gives them changes nothing.
 * It does where the block has not been written yet. */
static void ask_for_pages(char *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const size_t before = (PAGE - (uintptr_t)block % PAGE) % PAGE;
    if (bytes >= before + PAGE)
        madvise(block + before, (bytes - before) / PAGE * PAGE, MADV_HUGEPAGE);
#else
    (void)block, (void)bytes;
#endif
}

/* From here on blocks come from the system, which hands out zeros, and calloc does not write them again. So who uses a
 * part of one first, of several threads, has it near itself, and nobody waits until all of it has been gone through.
 * Not smaller ones: where calloc fails the program ends (cli/starved.c). */
#define LARGE ((size_t)1 << 25)

/* what the block was cut out of stands before it */
static void *take(size_t bytes)
{
    char *whole = NULL;
    bytes += bytes == 0; /* or an empty block would begin behind what it was cut out of */
    if (bytes > (size_t)PTRDIFF_MAX - ALIGNMENT)
        return NULL;
    if (bytes >= LARGE)
        whole = calloc(1, bytes + ALIGNMENT);
    else if (posix_memalign((void **)&whole, ALIGNMENT, bytes + ALIGNMENT) != 0)
        whole = NULL;
    if (whole == NULL)
        return NULL;
    ask_for_pages(whole, bytes + ALIGNMENT);
    if (bytes < LARGE)
        memset(whole, 0, bytes + ALIGNMENT);
    char *block = whole + (ALIGNMENT - (uintptr_t)whole % ALIGNMENT); /* 8 bytes on at least: calloc aligns to them */
    memcpy(block - sizeof whole, &whole, sizeof whole);
    return block;
}

static void give_back(void *block)
{
    char *whole = NULL;
    if (block != NULL)
        memcpy(&whole, (char *)block - sizeof whole, sizeof whole);
    free(whole);
}
#endif

void *carom_memory_zeroed(size_t count, size_t size)
{
    if (size != 0 && count > (size_t)PTRDIFF_MAX / size)
        return NULL;
    const size_t bytes = count * size;
    return fails() ? NULL : take(bytes);
}

/* realloc would lose the alignment; callers grow by a factor, so the copies are few. Pointers to any type are read and
 * written as bytes: an lvalue of type void * would not do for them. */
bool carom_memory_widen(void *at, size_t old_count, size_t count, size_t size)
{
    void *block, *wider = carom_memory_zeroed(count, size);
    if (wider == NULL)
        return false;
    memcpy(&block, at, sizeof block);
    if (block != NULL)
        memcpy(wider, block, (old_count < count ? old_count : count) * size);
    give_back(block);
    memcpy(at, &wider, sizeof wider);
    return true;
}

bool carom_memory_room(void *at, size_t used, size_t *room, size_t first, size_t size)
{
    if (used < *room)
        return true;
    const bool more = *room <= (SIZE_MAX - first) / 2 && carom_memory_widen(at, used, 2 * *room + first, size);
    *room = more ? 2 * *room + first : *room;
    return more;
}

/* bytes of whole lines, so that each array begins one */
static size_t lines(const struct carom_memory_array *a)
{
    return (a->count * a->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + BETWEEN;
}

void *carom_memory_arrays(size_t count, const struct carom_memory_array *list)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t most = ((size_t)PTRDIFF_MAX - BETWEEN - total) / ALIGNMENT * ALIGNMENT;
        if (list[i].size > 0 && list[i].count > most / list[i].size)
            return NULL;
        total += lines(&list[i]);
    }
    char *block = carom_memory_zeroed(total, 1), *at = block;
    for (size_t i = 0; block && i < count; at += lines(&list[i++])) {
        const size_t bytes = list[i].count * list[i].size;
        memcpy(list[i].at, &at, sizeof at);
        ASAN_POISON_MEMORY_REGION(at + bytes, lines(&list[i]) - bytes);
    }
    return block;
}

char *carom_memory_text(const char *text)
{
    return carom_memory_text_of(text, strlen(text));
}

char *carom_memory_text_of(const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? carom_memory_zeroed(length + 1, 1) : NULL;
    if (copy != NULL && length > 0)
        memcpy(copy, text, length);
    return copy;
}

void carom_memory_free(void *block)
{
    give_back(block);
}

void carom_memory_free_list(size_t count, void *const *block)
{
    for (size_t i = 0; i < count; i++)
        carom_memory_free(block[i]);
}

enum carom_status carom_memory_error(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
}

enum carom_status carom_memory_error_for(struct carom_error *error, const char *what)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %s", what);
}
