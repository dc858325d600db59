/* Finds the module and hands on its calls, one at a time. */
#include "rank/rank.h"

#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"

#ifdef __wasm__ /* a page has no other processes, and no clock to wait by */
#define sched_yield() ((void)0)
#define nanosleep(moment, rest) ((void)(moment), (void)(rest))
#define dlopen(name, flags) ((void)(name), NULL)
#define dlsym(library, name) ((void)(library), (void)(name), NULL)
#else
#include <dlfcn.h>
#endif

enum { READY = 1 << 20 }; /* the tag of what ranks say of themselves; all others are numbers of threads */

struct carom_ranks {
    const struct carom_rank_module *module;
    size_t count, own;
    bool ready, broken;
    bool crowded;       /* more ranks on this machine than processors */
    bool exchanges;     /* an exchange is under way */
    bool (*told)(void); /* to stop; may be NULL */
    double since;       /* when this rank was first seen to be told so; of rank 0, while it waits */
    atomic_flag busy;   /* a call of the module is under way */
};

/* --- looking for the module --------------------------------------------------------------------------------------- */

/* How many processes were started together, as Open MPI, or those that start programs by PMI, tell; 0: nobody did. */
static size_t started_together(void)
{
    static const char *const name[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        const char *text = getenv(name[i]);
        if (text)
            return (size_t)strtoul(text, NULL, 10);
    }
    return getenv("PMIX_RANK") ? SIZE_MAX : 0; /* which does not tell how many */
}

/* Beside the program, as it is built, or among the libraries, as it is installed. RTLD_GLOBAL: Open MPI loads parts of
 * its own, which look for its symbols. */
static void *open_module(void)
{
    static const char *const beside[] = {"/carom_mpi.so", "/../lib/carom/carom_mpi.so"};
    char program[PATH_MAX] = "", path[PATH_MAX + 32];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = length > 0 ? strrchr(program, '/') : NULL;
    void *library = NULL;
    if (slash)
        *slash = '\0';
    for (size_t i = 0; !library && slash && i < sizeof beside / sizeof *beside; i++) {
        snprintf(path, sizeof path, "%s%s", program, beside[i]);
        library = access(path, R_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    }
    return library;
}

static const struct carom_rank_module *find_module(void)
{
    void *library = open_module();
    const struct carom_rank_module *module = library ? dlsym(library, "carom_rank_module") : NULL;
    return module && module->version == CAROM_RANK_VERSION ? module : NULL;
}

/* how many of the ranks run on this machine, as far as anybody tells */
static size_t ranks_here(void)
{
    const char *text = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    return text ? (size_t)strtoul(text, NULL, 10) : 1;
}

struct carom_ranks *carom_rank_begin(struct carom_error *error)
{
    const size_t wanted = started_together();
    if (wanted < 2)
        return NULL;
    const struct carom_rank_module *module = find_module();
    struct carom_ranks *r = module ? carom_memory_zeroed(1, sizeof *r) : NULL;
    if (!module)
        carom_error_set(error, CAROM_E_REFUSED,
                        "started by mpirun, and carom_mpi.so is not beside the program: it is built where "
                        "libopenmpi-dev is installed; 'carom sweep --part K/N' shares work without it");
    else if (!r)
        carom_memory_error(error);
    if (!r)
        return NULL;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    *r = (struct carom_ranks){
        .module = module, .busy = ATOMIC_FLAG_INIT, .crowded = online > 0 && ranks_here() > (size_t)online};
    if (!module->begin(&r->count, &r->own))
        carom_error_set(error, CAROM_E_REFUSED, "MPI does not begin here");
    else if (r->count > 1)
        return r;
    else
        module->end();
    carom_memory_free(r);
    return NULL;
}

size_t carom_rank_count(const struct carom_ranks *ranks)
{
    return ranks ? ranks->count : 1;
}

size_t carom_rank_own(const struct carom_ranks *ranks)
{
    return ranks ? ranks->own : 0;
}

size_t carom_rank_threads(const struct carom_ranks *ranks)
{
    const size_t cores = carom_threads_cores(), here = ranks ? ranks_here() : 1;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const bool dealt = online > 0 && cores < (size_t)online;
    return dealt || here < 2 ? cores : cores > here ? cores / here : 1;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* A few turns of waiting cost no time; whoever waits longer leaves the processor to ranks that work, as there may be
 * more ranks than processors. */
void carom_rank_wait(unsigned *turns)
{
    const struct timespec moment = {0, *turns < 2000 ? 50000 : 1000000};
    if (++*turns < 200)
        sched_yield();
    else
        nanosleep(&moment, NULL);
}

/* In the midst of a step others are late by microseconds, and a nap would take longer: whoever waits keeps the
 * processor, then offers it again and again, and then waits as above; at once where there are more ranks than
 * processors, as others may not be at work before it is left to them. */
static void wait_in_step(const struct carom_ranks *r, unsigned *turns, unsigned *later)
{
    enum { KEEPS = 4000, OFFERS = 20000 };
    if (r->crowded || ++*turns > OFFERS)
        carom_rank_wait(later);
    else if (*turns > KEEPS)
        sched_yield();
}

static void lock(struct carom_ranks *r)
{
    unsigned turns = 0;
    while (atomic_flag_test_and_set(&r->busy))
        carom_rank_wait(&turns);
}

void carom_rank_send(struct carom_ranks *r, size_t to, int tag, const void *data, size_t bytes)
{
    lock(r);
    r->module->send(to, tag, data, bytes);
    atomic_flag_clear(&r->busy);
}

bool carom_rank_receive(struct carom_ranks *r, size_t *from, int tag, void *data, size_t most)
{
    lock(r);
    const bool there = r->module->receive(from, tag, data, most);
    atomic_flag_clear(&r->busy);
    return there;
}

void carom_rank_broadcast(struct carom_ranks *r, void *data, size_t bytes)
{
    lock(r);
    r->module->broadcast(data, bytes);
    atomic_flag_clear(&r->busy);
}

bool carom_rank_partition(struct carom_ranks *r, const struct carom_rank_graph *graph, int *part)
{
    return r->module->partition && r->module->partition(graph, (int)r->count, part);
}

void carom_rank_give_up(struct carom_ranks *r)
{
    if (r)
        r->broken = true;
}

void carom_rank_start(struct carom_ranks *r, const struct carom_rank_piece *piece, size_t count)
{
    lock(r);
    r->exchanges = r->module->start(piece, count);
    r->broken |= !r->exchanges;
    atomic_flag_clear(&r->busy);
}

void carom_rank_listen(struct carom_ranks *r, bool (*told)(void))
{
    if (r)
        r->told = told;
}

/* Others that are told to stop, too, go on until the end of the call, which takes 0.6 s at most; those that have ended
 * never answer, and mpirun kills after a second. Rank 0 gives up first, where it waits in vain: it has the file to
 * close and a sentence to say. Another rank that alone is told to stop does so after a while, even if all answer.
 * Whoever gives up takes the others along. */
static double patience(const struct carom_ranks *r)
{
    return r->own == 0 ? 0.4 : 3.0; /* s */
}

void carom_rank_progress(struct carom_ranks *r)
{
    lock(r);
    r->exchanges = r->exchanges && !r->module->arrived();
    atomic_flag_clear(&r->busy);
}

static bool has_waited(struct carom_ranks *r)
{
    if (!r->told || !r->told())
        return false;
    const double now = carom_clock_now();
    r->since = r->since > 0.0 ? r->since : now;
    return now - r->since > patience(r);
}

bool carom_rank_finish(struct carom_ranks *r)
{
    unsigned turns = 0, later = 0;
    r->since = r->own == 0 ? 0.0 : r->since;
    while (r->exchanges) {
        if (has_waited(r)) {
            carom_rank_give_up(r);
            return false;
        }
        carom_rank_progress(r);
        if (r->exchanges)
            wait_in_step(r, &turns, &later);
    }
    return !r->broken;
}

/* --- beginning and end ------------------------------------------------------------------------------------------ */

static void hear(struct carom_ranks *r, size_t from, struct carom_error *error)
{
    unsigned turns = 0;
    while (!carom_rank_receive(r, &from, READY, error, sizeof *error))
        carom_rank_wait(&turns);
}

enum carom_status carom_rank_ready(struct carom_ranks *r, struct carom_error *error)
{
    struct carom_error other = {CAROM_OK, ""};
    if (!r || r->ready)
        return error->status;
    r->ready = true;
    if (r->own > 0) {
        carom_rank_send(r, 0, READY, error, sizeof *error);
        hear(r, 0, error);
        return error->status;
    }
    for (size_t i = 1; i < r->count; i++) {
        hear(r, i, &other);
        if (error->status == CAROM_OK && other.status != CAROM_OK)
            carom_error_set(error, other.status, "rank %zu: %s", i, other.text);
    }
    for (size_t i = 1; i < r->count; i++)
        carom_rank_send(r, i, READY, error, sizeof *error);
    return error->status;
}

bool carom_rank_given_up(const struct carom_ranks *r)
{
    return r && r->broken;
}

const struct carom_rank_module *carom_rank_end(struct carom_ranks *r, enum carom_status status)
{
    struct carom_error error = {status, ""};
    if (!r)
        return NULL;
    carom_rank_ready(r, &error);
    const struct carom_rank_module *module = r->broken ? r->module : NULL;
    if (!r->broken)
        r->module->end();
    carom_memory_free(r);
    return module;
}
