/* The module that knows MPI (src/rank/rank.h): built where mpi.h is found, loaded only under mpirun. It neither prints
 * nor checks what MPI says, as MPI ends all ranks itself where something is wrong. */
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "carom_scotch.h"

#define MOST ((size_t)1 << 30) /* bytes, or numbers, in one call: MPI counts in int */

const struct carom_rank_module carom_rank_module;

/* One exchange at a time, so its room is kept. */
static MPI_Request *request;
static size_t room;
static int requests;

static bool begin(size_t *count, size_t *own)
{
    int level, size, rank;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS || level < MPI_THREAD_SERIALIZED)
        return false;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *count = (size_t)size;
    *own = (size_t)rank;
    return true;
}

static void end(void)
{
    MPI_Finalize();
}

static void give_up(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
}

static void send(size_t to, int tag, const void *data, size_t bytes)
{
    MPI_Send(data, (int)bytes, MPI_BYTE, (int)to, tag, MPI_COMM_WORLD);
}

static bool receive(size_t *from, int tag, void *data, size_t most)
{
    int there;
    MPI_Message message;
    MPI_Status status;
    MPI_Improbe(*from == CAROM_RANK_ANY ? MPI_ANY_SOURCE : (int)*from, tag, MPI_COMM_WORLD, &there, &message, &status);
    if (!there)
        return false;
    MPI_Mrecv(data, (int)most, MPI_BYTE, &message, &status);
    *from = (size_t)status.MPI_SOURCE;
    return true;
}

/* As carom_rank_wait: others may need the processor, and MPI's own ways of waiting keep it. */
static void wait_a_moment(unsigned *turns)
{
    const struct timespec moment = {0, 50000};
    if (++*turns < 20000)
        sched_yield();
    else
        nanosleep(&moment, NULL);
}

static void broadcast(void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += MOST) {
        const int n = (int)(bytes - i < MOST ? bytes - i : MOST);
        MPI_Request one;
        unsigned turns = 0;
        int done = 0;
        MPI_Ibcast((char *)data + i, n, MPI_BYTE, 0, MPI_COMM_WORLD, &one);
        for (MPI_Test(&one, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&one, &done, MPI_STATUS_IGNORE))
            wait_a_moment(&turns);
    }
}

static bool make_room(size_t parts)
{
    MPI_Request *more = parts <= room ? request : realloc(request, parts * sizeof *request);
    if (more == NULL)
        return false;
    room = parts > room ? parts : room;
    request = more;
    return true;
}

/* Pieces of one pair of ranks arrive in the order in which they were sent, so they need no names. */
static bool start(const struct carom_rank_piece *piece, size_t count)
{
    size_t parts = 1;
    for (size_t i = 0; i < count; i++)
        parts += (piece[i].count + MOST - 1) / MOST;
    if (!make_room(parts))
        return false;
    requests = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < piece[i].count; k += MOST) {
            const int n = (int)(piece[i].count - k < MOST ? piece[i].count - k : MOST), peer = (int)piece[i].peer;
            if (piece[i].comes)
                MPI_Irecv(piece[i].data + k, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &request[requests++]);
            else
                MPI_Isend(piece[i].data + k, n, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &request[requests++]);
        }
    return true;
}

static bool arrived(void)
{
    int all;
    MPI_Testall(requests, request, &all, MPI_STATUSES_IGNORE);
    return all != 0;
}

const struct carom_rank_module carom_rank_module = {.version = CAROM_RANK_VERSION,
                                                    .begin = begin,
                                                    .end = end,
                                                    .abort = give_up,
                                                    .send = send,
                                                    .receive = receive,
                                                    .broadcast = broadcast,
                                                    .start = start,
                                                    .arrived = arrived,
                                                    .partition = CAROM_SCOTCH_PARTITION};
