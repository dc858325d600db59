/* Who has which piece of a body, by Scotch (libscotch-dev) where the module was built with it. */
#ifndef CAROM_MPI_CAROM_SCOTCH_H
#define CAROM_MPI_CAROM_SCOTCH_H

#include "rank/rank.h"

#ifdef CAROM_WITH_SCOTCH
bool carom_scotch(const struct carom_rank_graph *graph, int parts, int *part);
#define CAROM_SCOTCH_PARTITION carom_scotch
#else
#define CAROM_SCOTCH_PARTITION NULL
#endif

#endif
