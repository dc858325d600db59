/* How ranks share bodies: for rattle_ranks*.c. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_RANKS_SHARE_H
#define CAROM_SCHEME_SOLID_RATTLE_RANKS_SHARE_H

#include "scheme/solid/rattle_ranks.h"
#include "scheme/solid/rattle_sheet.h"

/* One body, and who has which of its cells: rank r those in [first[r], first[r + 1]), in blocks likewise. */
struct carom_rattle_share {
    struct carom_rattle_body *body;
    size_t *first, *block;
    size_t depth;                /* cells beyond its own that a rank looks at, on either side */
    size_t nloaded, *loaded;     /* cells that carry loads, in order */
    double *heard;               /* of these: place and pressure */
    size_t bad, *bads;           /* a cell that went wrong; per block */
    double *saved_q, *saved_v;   /* the start of a call, on rank 0 */
    struct carom_rattle_move at; /* the step under way */
};

struct carom_rattle_ranks {
    struct carom_ranks *ranks;
    struct carom_stepper *stepper;
    size_t nbodies, count, own; /* count: ranks */
    struct carom_rattle_share *share;
    struct carom_rank_piece *piece;
    size_t npieces;
    double *wrong; /* of each rank */
    double *work;  /* of loads at the start of a call */
    bool pending;  /* others still have parts of the start of the last step */
};

/* numbers that are heard of a loaded cell: its place, and its pressure */
static inline size_t carom_rattle_share_heard(const struct carom_rattle_share *s)
{
    return s->body->solid->wide + 1;
}

/* --- what goes from rank to rank (rattle_ranks_told.c); CAROM_E_STOPPED: others do not answer -------------------- */

/* Where cells near the ends of the parts are: starts it; `end` waits. */
void carom_rattle_ranks_told_places(struct carom_rattle_ranks *r);
enum carom_status carom_rattle_ranks_told_end(struct carom_rattle_ranks *r);

/* Rank 0 hears where loaded cells are, and under which pressure; what went wrong; all that the others have. */
enum carom_status carom_rattle_ranks_told_loads(struct carom_rattle_ranks *r);
enum carom_status carom_rattle_ranks_told_wrongs(struct carom_rattle_ranks *r);
enum carom_status carom_rattle_ranks_told_all(struct carom_rattle_ranks *r, struct carom_state *state);

#endif
