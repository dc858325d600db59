/* How ranks share bodies: for rattle_ranks*.c. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_RANKS_SHARE_H
#define CAROM_SCHEME_SOLID_RATTLE_RANKS_SHARE_H

#include "model/solid/solid_piece.h"
#include "scheme/solid/rattle_ranks.h"
#include "scheme/solid/rattle_sheet.h"

/* Cells that a rank is told of by others, or tells them of: those of rank k in [first[k], first[k + 1]), in order. */
struct carom_rattle_tour {
    size_t *first;
    uint32_t *cell;
    double *row;
};

/* Cells [first, last) that move together. */
struct carom_rattle_job {
    size_t first, last;
};

/* One body, and who has which of its cells: bodies with slices are dealt out in portions, of which owner tells; of all
 * others rank r has those in [first[r], first[r + 1]), in blocks likewise. */
struct carom_rattle_share {
    struct carom_rattle_body *body;
    uint32_t *owner; /* NULL: in layers */
    struct carom_solid_piece *piece;
    struct carom_rattle_tour out, in;
    double *whole; /* places and velocities of own cells, on rank 0 of all: on their way to it */
    size_t *first, *block;
    size_t depth;                 /* cells beyond its own that a rank looks at, on either side */
    struct carom_rattle_job *job; /* own cells; first those that others look at */
    size_t njobs, nends;
    size_t nloaded, *loaded; /* cells that carry loads, by ranks: those of k in [carries[k], carries[k + 1]) */
    size_t *carries;
    double *heard;                             /* of these: place and pressure */
    struct carom_rattle_tour absorbed, driven; /* cells at absorbing sides, and of drives; no cell: there are none */
    struct carom_rattle_damped *damped;        /* NULL: not by mass */
    double drive;                              /* half the work of drives in the step under way, on rank 0 */
    size_t bad, *bads;                         /* a cell that went wrong; per job */
    double *saved_q, *saved_v;                 /* the start of a call, on rank 0 */
    struct carom_rattle_move at;               /* the step under way */
};

struct carom_rattle_ranks {
    struct carom_ranks *ranks;
    struct carom_stepper *stepper;
    size_t nbodies, count, own; /* count: ranks */
    struct carom_rattle_share *share;
    struct carom_rank_piece *piece;
    size_t npieces;
    double *wrong; /* of each rank */
    double *work;  /* of each body at the start of a call, then what was spent */
    bool pending;  /* others still have parts of the start of the last step */
};

/* numbers that are heard of a loaded cell: its place, and its pressure */
static inline size_t carom_rattle_share_heard(const struct carom_rattle_share *s)
{
    return s->body->solid->wide + 1;
}

/* The rank that has a cell. */
size_t carom_rattle_ranks_part_owner(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s,
                                     size_t cell);

/* Deals out a body with slices: owners, which all ranks come to know, jobs and tours. False: out of memory. */
bool carom_rattle_ranks_part(struct carom_rattle_ranks *r, struct carom_rattle_share *s);
void carom_rattle_ranks_part_free(struct carom_rattle_share *s);

/* --- damping by mass, absorbing sides, drives (rattle_ranks_damp.c) ----------------------------------------------- */

/* False: out of memory. */
bool carom_rattle_ranks_damp_open(const struct carom_rattle_ranks *r, struct carom_rattle_share *s);
void carom_rattle_ranks_damp_free(struct carom_rattle_share *s);

/* A step begins: with velocities of its own where they change before the drift, and what sides do to them on rank 0,
 * which tells all. */
void carom_rattle_ranks_damp_begin(const struct carom_rattle_ranks *r, struct carom_rattle_share *s);
enum carom_status carom_rattle_ranks_damp_share(struct carom_rattle_ranks *r);

/* Half a step's damping by mass, the first or the last. */
void carom_rattle_ranks_damp_shrink(const struct carom_rattle_ranks *r, struct carom_rattle_share *s, bool last);

/* What rank 0 has to hear is added to the pieces; it takes it up, and adds up what half a step has cost. */
void carom_rattle_ranks_damp_told(struct carom_rattle_ranks *r, const struct carom_rattle_share *s);
void carom_rattle_ranks_damp_heard(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s);
void carom_rattle_ranks_damp_lost(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, bool last,
                                  struct carom_state *state, size_t member);

/* Velocities of others' cells at sides, as rank 0 has them and they do not: put away, and back. */
void carom_rattle_ranks_damp_keep(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, bool back,
                                  double *v);

/* --- what goes from rank to rank (rattle_ranks_told.c); CAROM_E_STOPPED: others do not answer -------------------- */

/* Where cells are that others look at: starts it; `arrived` waits. */
void carom_rattle_ranks_told_places(struct carom_rattle_ranks *r);
enum carom_status carom_rattle_ranks_told_arrived(struct carom_rattle_ranks *r);

/* Rank 0 hears where loaded cells are, and under which pressure, and what rattle_ranks_damp.c wants to know; what went
 * wrong; all that the others have. */
enum carom_status carom_rattle_ranks_told_loads(struct carom_rattle_ranks *r);
enum carom_status carom_rattle_ranks_told_wrongs(struct carom_rattle_ranks *r);
enum carom_status carom_rattle_ranks_told_all(struct carom_rattle_ranks *r, struct carom_state *state);

#endif
