/* What tests/unit/ranks.c and its module agree on: the numbers of the sockets between ranks. */
#ifndef CAROM_TESTS_RANK_SOCKETS_H
#define CAROM_TESTS_RANK_SOCKETS_H

#include "rank/rank.h"

enum { RANKS = 3, RANK_PIECES = 64, RANK_PACKET = 1 << 16, RANK_FIRST_SOCKET = 100 };
enum { RANK_MESSAGES, RANK_EXCHANGES, RANK_BROADCASTS, RANK_CHANNELS };

/* from one rank to another; end 0 is written to, end 1 read from */
static inline int rank_socket(int channel, size_t from, size_t to, int end)
{
    return RANK_FIRST_SOCKET + 2 * ((channel * RANKS + (int)from) * RANKS + (int)to) + end;
}

#endif
