/* The only file that knows Scotch. It begins with the same random numbers every time. */
#include "carom_scotch.h"

#include <stdio.h>
/* scotch.h needs the line above */
#include <scotch.h>

_Static_assert(sizeof(SCOTCH_Num) == sizeof(int), "Debian's scotch.h counts in int");

bool carom_scotch(const struct carom_rank_graph *g, int parts, int *part)
{
    SCOTCH_Graph graph;
    SCOTCH_Strat way;
    if (SCOTCH_graphInit(&graph) != 0)
        return false;
    SCOTCH_stratInit(&way);
    SCOTCH_randomReset();
    const bool good = SCOTCH_graphBuild(&graph, 0, g->n, g->begin, g->begin + 1, g->weight, NULL, g->begin[g->n],
                                        g->other, g->apart) == 0 &&
                      SCOTCH_graphPart(&graph, parts, &way, part) == 0;
    SCOTCH_stratExit(&way);
    SCOTCH_graphExit(&graph);
    return good;
}
