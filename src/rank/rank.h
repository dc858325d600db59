/* Processes that mpirun has started together, each with its number: its rank. MPI itself lives in a module
 * (mpi/carom_mpi.c) that is looked for only where the environment shows that mpirun is at work: without it nothing is
 * loaded, and nothing is missing. The calls are those that carom needs. */
#ifndef CAROM_RANK_RANK_H
#define CAROM_RANK_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/error.h"

#define CAROM_RANK_ANY SIZE_MAX /* whoever has sent something */

/* Numbers that go to another rank, or come from it, in one exchange. */
struct carom_rank_piece {
    size_t peer;
    double *data;
    size_t count;
    bool comes;
};

/* What is to be dealt out: n pieces of some weight; of piece i, neighbours [begin[i], begin[i + 1]) and what it costs
 * to be apart from each. Every pair is there twice. */
struct carom_rank_graph {
    int n;
    int *begin, *other, *apart, *weight;
};

/* What a module brings, as its symbol carom_rank_module; both sides must be of one version. One call at a time, by any
 * thread. `abort` ends all ranks, this process too, so the library never calls it. */
#define CAROM_RANK_VERSION 3
struct carom_rank_module {
    int version;
    bool (*begin)(size_t *count, size_t *own);
    void (*end)(void);
    void (*abort)(int code);
    void (*send)(size_t to, int tag, const void *data, size_t bytes);
    bool (*receive)(size_t *from, int tag, void *data, size_t most);   /* false: nothing is there */
    void (*broadcast)(void *data, size_t bytes);                       /* from rank 0 to all */
    bool (*start)(const struct carom_rank_piece *piece, size_t count); /* false: out of memory */
    bool (*arrived)(void);                                             /* all of what was started */
    /* who has which piece, so that little is apart; false: it cannot; NULL: nobody here can */
    bool (*partition)(const struct carom_rank_graph *graph, int parts, int *part);
};

struct carom_ranks;

/* The ranks, or NULL: mpirun has not started this process, or it alone. An error where there should be ranks, and there
 * is no module. */
struct carom_ranks *carom_rank_begin(struct carom_error *error);

size_t carom_rank_count(const struct carom_ranks *ranks); /* of NULL, 1 */
size_t carom_rank_own(const struct carom_ranks *ranks);   /* of NULL, 0 */

/* Threads that this rank may keep busy: ranks of one machine share its cores, unless mpirun has dealt them out. */
size_t carom_rank_threads(const struct carom_ranks *ranks);

/* Called once by every rank before it works with others, with what has happened to it until then: all hear of the first
 * that cannot go on. */
enum carom_status carom_rank_ready(struct carom_ranks *ranks, struct carom_error *error);

/* Ends work with the others: all come here, or one of them has given up. Those that are not `ready` yet say so now.
 * Returns NULL, or where this rank has given up the others the module, for the program to end them with its `abort`:
 * they may wait for ever. */
const struct carom_rank_module *carom_rank_end(struct carom_ranks *ranks, enum carom_status status);

/* This rank does not wait for the others any more; the end will take them along. Has it? */
void carom_rank_give_up(struct carom_ranks *ranks);
bool carom_rank_given_up(const struct carom_ranks *ranks);

/* Small messages; a tag tells whom in a rank they are for. receive: false if there is none. */
void carom_rank_send(struct carom_ranks *ranks, size_t to, int tag, const void *data, size_t bytes);
bool carom_rank_receive(struct carom_ranks *ranks, size_t *from, int tag, void *data, size_t most);

void carom_rank_broadcast(struct carom_ranks *ranks, void *data, size_t bytes);

/* As the module's `partition`, by this rank alone. */
bool carom_rank_partition(struct carom_ranks *ranks, const struct carom_rank_graph *graph, int *part);

/* Starts an exchange of pieces, of which there may be none; finish waits for it. One at a time. False: it was told not
 * to wait, or there was no memory to start, and has given up the others. */
void carom_rank_start(struct carom_ranks *ranks, const struct carom_rank_piece *piece, size_t count);
bool carom_rank_finish(struct carom_ranks *ranks);

/* Lets an exchange go on: MPI moves large pieces only while it is called, so who works meanwhile calls now and then. */
void carom_rank_progress(struct carom_ranks *ranks);

/* `told` is asked by whoever waits: has this process been told to stop? Others may then have ended. */
void carom_rank_listen(struct carom_ranks *ranks, bool (*told)(void));

/* Waits a moment, longer and longer: *turns counts from 0. */
void carom_rank_wait(unsigned *turns);

#endif
