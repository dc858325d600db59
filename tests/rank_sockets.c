/* A module of ranks (src/rank/rank.h) without MPI, for tests/unit/ranks.c: processes that were forked together send
 * each other whole packets through sockets that they all have. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "rank_sockets.h"

const struct carom_rank_module carom_rank_module;
size_t rank_exchanges; /* how many were started: a test looks */

static size_t ranks, self;
static struct {
    struct carom_rank_piece piece[RANK_PIECES];
    size_t count;
} awaited;

static bool begin(size_t *count, size_t *own)
{
    ranks = *count = (size_t)strtoul(getenv("OMPI_COMM_WORLD_SIZE"), NULL, 10);
    self = *own = (size_t)strtoul(getenv("OMPI_COMM_WORLD_RANK"), NULL, 10);
    return ranks == RANKS;
}

static void end(void)
{
}

static void put(int channel, size_t to, const void *data, size_t bytes)
{
    if (send(rank_socket(channel, self, to, 0), data, bytes, 0) != (ssize_t)bytes)
        abort();
}

static void send_to(size_t to, int tag, const void *data, size_t bytes)
{
    char packet[RANK_PACKET];
    memcpy(packet, &tag, sizeof tag);
    memcpy(packet + sizeof tag, data, bytes);
    put(RANK_MESSAGES, to, packet, sizeof tag + bytes);
}

static bool receive(size_t *from, int tag, void *data, size_t most)
{
    char packet[RANK_PACKET];
    const size_t first = *from == CAROM_RANK_ANY ? 0 : *from, last = *from == CAROM_RANK_ANY ? ranks : *from + 1;
    for (size_t i = first; i < last; i++) {
        const int at = rank_socket(RANK_MESSAGES, i, self, 1);
        int has;
        if (recv(at, &has, sizeof has, MSG_PEEK | MSG_DONTWAIT) != sizeof has || has != tag)
            continue;
        const ssize_t bytes = recv(at, packet, sizeof packet, 0) - (ssize_t)sizeof has;
        memcpy(data, packet + sizeof has, (size_t)bytes < most ? (size_t)bytes : most);
        *from = i;
        return true;
    }
    return false;
}

static void broadcast(void *data, size_t bytes)
{
    for (size_t i = 1; self == 0 && i < ranks; i++)
        put(RANK_BROADCASTS, i, data, bytes);
    if (self > 0 && recv(rank_socket(RANK_BROADCASTS, 0, self, 1), data, bytes, 0) != (ssize_t)bytes)
        abort();
}

static bool start(const struct carom_rank_piece *piece, size_t count)
{
    awaited.count = 0;
    rank_exchanges++;
    for (size_t i = 0; i < count; i++)
        if (piece[i].count > 0 && piece[i].comes)
            awaited.piece[awaited.count++] = piece[i];
        else if (piece[i].count > 0)
            put(RANK_EXCHANGES, piece[i].peer, piece[i].data, piece[i].count * sizeof(double));
    return true;
}

static bool arrived(void)
{
    for (size_t i = 0; i < awaited.count; i++) {
        struct carom_rank_piece *p = &awaited.piece[i];
        const size_t bytes = p->count * sizeof(double);
        if (p->count > 0 &&
            recv(rank_socket(RANK_EXCHANGES, p->peer, self, 1), p->data, bytes, MSG_DONTWAIT) != (ssize_t)bytes)
            return false;
        p->count = 0;
    }
    return true;
}

const struct carom_rank_module carom_rank_module = {.version = CAROM_RANK_VERSION,
                                                    .begin = begin,
                                                    .end = end,
                                                    .abort = exit,
                                                    .send = send_to,
                                                    .receive = receive,
                                                    .broadcast = broadcast,
                                                    .start = start,
                                                    .arrived = arrived};
