/* For tests, to be preloaded: the nth allocation fails, n from STARVE_AT, libraries' included; with STARVE_ON all from
 * the nth on do. At its end the program writes to STARVE_LOG how many there were. */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_ulong calls;
static unsigned long nth;
static int on;
static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static int (*next_memalign)(void **, size_t, size_t);
static _Alignas(16) char early[8192];
static size_t taken;

static void take(void *function, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

__attribute__((constructor)) static void begin(void)
{
    static int begun;
    if (begun)
        return;
    begun = 1;
    take(&next_calloc, "calloc");
    take(&next_realloc, "realloc");
    take(&next_memalign, "posix_memalign");
    take(&next_malloc, "malloc");
    const char *at = getenv("STARVE_AT");
    nth = at ? strtoul(at, NULL, 10) : 0;
    on = getenv("STARVE_ON") != NULL;
}

__attribute__((destructor)) static void end(void)
{
    const char *log = getenv("STARVE_LOG");
    const unsigned long all = atomic_load(&calls);
    nth = 0;
    FILE *file = log ? fopen(log, "w") : NULL;
    if (file) {
        fprintf(file, "%lu\n", all);
        fclose(file);
    }
}

static int fails(void)
{
    const unsigned long now = atomic_fetch_add(&calls, 1) + 1;
    const int failed = nth != 0 && (on ? now >= nth : now == nth);
    if (failed)
        errno = ENOMEM;
    return failed;
}

static void *from_early(size_t bytes)
{
    begin();
    bytes = (bytes + 15) / 16 * 16;
    if (bytes > sizeof early - taken)
        return NULL;
    taken += bytes;
    return early + taken - bytes;
}

void *malloc(size_t bytes)
{
    return !next_malloc ? from_early(bytes) : fails() ? NULL : next_malloc(bytes);
}

void *calloc(size_t count, size_t size)
{
    return !next_malloc ? from_early(count * size) : fails() ? NULL : next_calloc(count, size);
}

static int is_early(const void *block)
{
    return (const char *)block >= early && (const char *)block < early + sizeof early;
}

void *realloc(void *block, size_t bytes)
{
    if (!next_malloc || is_early(block)) {
        void *grown = next_malloc ? next_malloc(bytes) : from_early(bytes);
        const size_t left = block ? (size_t)(early + sizeof early - (char *)block) : 0;
        return grown && block ? memcpy(grown, block, bytes < left ? bytes : left) : grown;
    }
    return fails() ? NULL : next_realloc(block, bytes);
}

void free(void *block)
{
    static void (*next_free)(void *);
    if (!next_free)
        take(&next_free, "free");
    if (block && !is_early(block))
        next_free(block);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    return fails() ? ENOMEM : next_memalign(block, alignment, bytes);
}
