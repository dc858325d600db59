/* Memory that runs out inside a library. HDF5, libfyaml and others do not bear a failed allocation: they crash, or lose
 * what they were about to say. So the program never lets them see one: small blocks come through here, and when there
 * is none left the command ends at once, with one sentence and the exit code of memory. Files are then as after a kill,
 * which they stand (docs/reliability.md). Large blocks may be refused, as sizes in damaged files ask for any number;
 * carom's own are allocated elsewhere (base/memory.c), and commands tell what lacked them.
 *
 * Whatever allocator comes next is asked, so that one that is preloaded stays in use. */
#include "carom/error.h"
#include "cli/cli.h"

#ifdef __has_feature
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

#if !SANITIZED /* sanitizers have allocators of their own */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SMALL ((size_t)1 << 24) /* bytes */

static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);

/* what looking up the next allocator may ask for itself */
static _Alignas(16) char early[4096];
static size_t taken;

static void *from_early(size_t bytes)
{
    bytes = (bytes + 15) / 16 * 16;
    if (bytes > sizeof early - taken)
        return NULL;
    taken += bytes;
    return early + taken - bytes;
}

/* before the first thread: whatever begins a program allocates */
static int look_up(void)
{
    static int looking;
    if (next_realloc != NULL)
        return 1;
    if (looking)
        return 0;
    looking = 1;
    void *found = dlsym(RTLD_NEXT, "malloc");
    memcpy(&next_malloc, &found, sizeof found);
    found = dlsym(RTLD_NEXT, "calloc");
    memcpy(&next_calloc, &found, sizeof found);
    found = dlsym(RTLD_NEXT, "realloc");
    memcpy(&next_realloc, &found, sizeof found);
    looking = 0;
    return next_realloc != NULL;
}

static int told; /* the status of a command that has said its sentence and is closing its files */
static atomic_flag speaking = ATOMIC_FLAG_INIT;

static void *judge(void *block, size_t bytes)
{
    static const char sentence[] = "carom: out of memory; what was being written is left as by a kill\n";
    if (block != NULL || bytes == 0 || bytes > SMALL)
        return block;
    if (told != 0)
        _exit(told); /* there is no more to say */
    while (atomic_flag_test_and_set(&speaking))
        pause(); /* another thread says it, and ends all */
    if (write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0)
        _exit(CAROM_E_MEMORY); /* nobody listens */
    _exit(CAROM_E_MEMORY);
}

void cli_starved_told(int status)
{
    told = status;
}

void *malloc(size_t bytes)
{
    return look_up() ? judge(next_malloc(bytes), bytes) : from_early(bytes);
}

void *calloc(size_t count, size_t size)
{
    const int fits = size == 0 || count <= SIZE_MAX / size;
    return look_up() ? judge(next_calloc(count, size), fits ? count * size : SIZE_MAX)
                     : from_early(fits ? count * size : SIZE_MAX - 15);
}

void *realloc(void *block, size_t bytes)
{
    if (!look_up())
        return from_early(bytes);
    if ((char *)block < early || (char *)block >= early + sizeof early)
        return judge(next_realloc(block, bytes), bytes);
    void *grown = judge(next_malloc(bytes), bytes);
    const size_t left = (size_t)(early + sizeof early - (char *)block);
    return grown == NULL ? NULL : memcpy(grown, block, bytes < left ? bytes : left);
}
#else
void cli_starved_told(int status)
{
    (void)status;
}
#endif
