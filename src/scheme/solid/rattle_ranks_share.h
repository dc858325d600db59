/* How ranks share bodies: for rattle_ranks*.c. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_RANKS_SHARE_H
#define CAROM_SCHEME_SOLID_RATTLE_RANKS_SHARE_H

#include "model/solid/solid_piece.h"
#include "model/solid/solid_yield.h"
#include "scheme/solid/rattle_faces.h"
#include "scheme/solid/rattle_ranks.h"
#include "scheme/solid/rattle_sheet.h"
#include "scheme/solid/rattle_strike.h"

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

/* One body, and who has which of its cells: bodies with slices or bonds are dealt out in portions, of which owner
 * tells; of all others rank r has those in [first[r], first[r + 1]), in blocks likewise. */
struct carom_rattle_share {
    struct carom_rattle_body *body;
    uint32_t *owner; /* NULL: in layers */
    struct carom_solid_piece *piece;
    struct carom_solid_piece *around; /* of a body in layers that is damped by stiffness: for rates */
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
    struct carom_rattle_tour touching;         /* cells that contacts may touch */
    struct carom_rattle_broken *broken;        /* NULL: no link breaks */
    struct carom_rattle_losses *losses;        /* NULL: nothing is lost */
    struct carom_rattle_job *span;             /* own cells, where they are damped by stiffness */
    size_t nspans;
    bool flows;                  /* does a cell, here or near, in the step under way? */
    double supplied[2];          /* by drives, against the drag in both halves of a step, on rank 0 */
    uint8_t *mine;               /* of a body whose cells meet: those of this rank */
    double *everywhere;          /* numbers of all of them, by ranks, on their way */
    double rubbed[2];            /* what friction of these has taken in both halves of a step, */
    double rub_work[2];          /* and what drives put in */
    double drive;                /* half the work of drives in the step under way, on rank 0 */
    size_t bad, *bads;           /* a cell that went wrong; per job */
    struct carom_rattle_move at; /* the step under way */
};

struct carom_rattle_ranks {
    struct carom_ranks *ranks;
    struct carom_stepper *stepper;
    struct carom_rattle_strike *strike; /* NULL: nothing strikes the bodies */
    struct carom_rattle_crew crew;      /* who works out its surfaces */
    uint8_t **mine;                     /* by body and cell: do forces on it count here? */
    size_t nbodies, count, own;         /* count: ranks */
    struct carom_rattle_share *share;
    struct carom_rank_piece *piece;
    size_t npieces;
    double *wrong;             /* of each rank */
    struct carom_state *saved; /* the start of a call, on others (or NULL) of their own cells, */
    bool kept;                 /* once it takes a second step: that of the first is the one of the call */
    bool away, away_before;    /* on rank 0: others have parts of the state, and of the start of the last step */
    bool failed;               /* has a contact gone wrong? */
    bool astray;               /* has anything, where there are contacts, as all know? */
};

/* numbers that are heard of a loaded cell: its place, and its pressure */
static inline size_t carom_rattle_share_heard(const struct carom_rattle_share *s)
{
    return s->body->solid->wide + 1;
}

/* numbers of a cell that go to rank 0 at the end of a call: place, velocity, what flows */
static inline size_t carom_rattle_share_numbers(const struct carom_rattle_share *s)
{
    return s->body->solid->wide + s->body->solid->fast + (s->body->solid->flow ? CAROM_YIELD_STRAIN : 0);
}

/* The rank that has a cell. */
size_t carom_rattle_ranks_part_owner(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s,
                                     size_t cell);

/* Cells that are marked, by ranks, with room for so many numbers of each. */
bool carom_rattle_ranks_part_list(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s,
                                  const uint8_t *mark, size_t wide, struct carom_rattle_tour *tour);

/* Deals out a body with slices or bonds: owners, which all ranks come to know, jobs and tours. False: out of memory.
 */
bool carom_rattle_ranks_part(struct carom_rattle_ranks *r, struct carom_rattle_share *s);
void carom_rattle_ranks_part_free(struct carom_rattle_share *s);

/* --- losses (rattle_ranks_lost.c) --------------------------------------------------------------------------------- */

/* What adds up: twice the kinetic energies of free and given motions before they shrink, powers of drags, in both
 * halves of a step; what cells lose that flow. */
enum carom_rattle_lost {
    CAROM_LOST_FREE,
    CAROM_LOST_GIVEN,
    CAROM_LOST_FREE_LATER,
    CAROM_LOST_GIVEN_LATER,
    CAROM_LOST_DRAG,
    CAROM_LOST_DRAG_LATER,
    CAROM_LOST_FLOWN,
    CAROM_LOST
};

/* Numbers of this rank's cells, one or two side by side, as `of` says. */
struct carom_rattle_listing {
    const struct carom_rattle_ranks *r;
    struct carom_rattle_share *s;
    enum carom_rattle_lost number;
    size_t count;
    void (*of)(const struct carom_rattle_listing *listing, size_t cell, double value[2]);
    const double *q;
    double factor;
};

/* False: out of memory. */
bool carom_rattle_ranks_lost_open(const struct carom_rattle_ranks *r, struct carom_rattle_share *s);
void carom_rattle_ranks_lost_free(struct carom_rattle_share *s);

void carom_rattle_ranks_lost_list(const struct carom_rattle_listing *listing);

/* They are added to the pieces that rank 0 hears, which adds them up. */
void carom_rattle_ranks_lost_told(struct carom_rattle_ranks *r, const struct carom_rattle_share *s);
double carom_rattle_ranks_lost_sum(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s,
                                   enum carom_rattle_lost number);

/* --- fracture (rattle_ranks_break.c) ------------------------------------------------------------------------------ */

/* False: out of memory. */
bool carom_rattle_ranks_break_open(const struct carom_rattle_ranks *r, struct carom_rattle_share *s);
void carom_rattle_ranks_break_free(struct carom_rattle_share *s);

/* Which links of this rank go on breaking at the end of a step; that is added to the pieces that rank 0 hears. Then
 * they do. */
void carom_rattle_ranks_break_look(const struct carom_rattle_ranks *r, struct carom_rattle_share *s);
void carom_rattle_ranks_break_told(struct carom_rattle_ranks *r, const struct carom_rattle_share *s);

enum carom_status carom_rattle_ranks_break(struct carom_rattle_ranks *r, struct carom_state *state);

/* --- cells of one body that meet (rattle_ranks_self.c) ------------------------------------------------------------ */

/* False: out of memory. */
bool carom_rattle_ranks_self_open(const struct carom_rattle_ranks *r, struct carom_rattle_share *s);
void carom_rattle_ranks_self_free(struct carom_rattle_share *s);

/* Before forces: all know where cells are that may meet; of one body, whether they do or not. */
enum carom_status carom_rattle_ranks_self_meet(struct carom_rattle_ranks *r);
enum carom_status carom_rattle_ranks_self_places(struct carom_rattle_ranks *r, const struct carom_rattle_share *s);

/* What pushes cells of this rank; half a step's friction. */
void carom_rattle_ranks_self_push(const struct carom_rattle_share *s);
enum carom_status carom_rattle_ranks_self_rub(struct carom_rattle_ranks *r, bool last);

/* --- damping, absorbing sides, drives, plasticity (rattle_ranks_damp.c) ----------------------------------------- */

/* False: out of memory. */
bool carom_rattle_ranks_damp_open(const struct carom_rattle_ranks *r, struct carom_rattle_share *s);
void carom_rattle_ranks_damp_free(struct carom_rattle_share *s);

/* A step begins: with velocities of its own where they change before the drift, and what sides do to them on rank 0,
 * which tells all. */
void carom_rattle_ranks_damp_begin(const struct carom_rattle_ranks *r, struct carom_rattle_share *s);
enum carom_status carom_rattle_ranks_damp_share(struct carom_rattle_ranks *r);

/* Half a step's damping of all bodies, the first or the last. CAROM_E_STOPPED: others do not answer. */
enum carom_status carom_rattle_ranks_damp_half(struct carom_rattle_ranks *r, bool last);

/* Cells of all bodies flow at the places they have come to. */
enum carom_status carom_rattle_ranks_damp_flow(struct carom_rattle_ranks *r);

/* What rank 0 has to hear is added to the pieces; it takes it up, and adds up what half a step has cost. */
void carom_rattle_ranks_damp_told(struct carom_rattle_ranks *r, const struct carom_rattle_share *s);
void carom_rattle_ranks_damp_heard(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s);
void carom_rattle_ranks_damp_lost(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, bool last,
                                  struct carom_state *state, size_t member);
void carom_rattle_ranks_damp_flown(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s,
                                   struct carom_state *state, size_t member);

/* How cells at sides go on, from rank 0 to all, at once. */
void carom_rattle_ranks_damp_absorbed(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s);

/* What acts on driven cells, alone. */
void carom_rattle_ranks_damp_pushed(struct carom_rattle_ranks *r, const struct carom_rattle_share *s);
void carom_rattle_ranks_damp_heard_pushed(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s);

/* Velocities of others' cells at sides, as rank 0 has them and they do not: put away, and back. */
void carom_rattle_ranks_damp_keep(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, bool back,
                                  double *v);

/* --- contacts (rattle_ranks_strike.c); without any these do nothing --------------------------------------------- */

/* False: out of memory. */
bool carom_rattle_ranks_strike_open(struct carom_rattle_ranks *r);
void carom_rattle_ranks_strike_free(struct carom_rattle_ranks *r);

/* Steps of rattle.c in its order: cells have been damped; they have moved, which all know then, and that nothing has
 * gone astray; joints move; forces are pushed onto, which rank 0 knows of driven cells before; joints stop; all know
 * how cells go on, and add up what was lost. CAROM_E_STOPPED: others do not answer. */
enum carom_status carom_rattle_ranks_strike_damped(struct carom_rattle_ranks *r);
enum carom_status carom_rattle_ranks_strike_moved(struct carom_rattle_ranks *r);
void carom_rattle_ranks_strike_move(const struct carom_rattle_ranks *r, double h, struct carom_state *state);
enum carom_status carom_rattle_ranks_strike_push(struct carom_rattle_ranks *r, double h, struct carom_state *state);
enum carom_status carom_rattle_ranks_strike_stop(struct carom_rattle_ranks *r, double h, struct carom_state *state);
enum carom_status carom_rattle_ranks_strike_settle(struct carom_rattle_ranks *r, double h, struct carom_state *state);

/* Cells that contacts may touch, to all, are added to the pieces: how fast they are and (`places`) where; they are
 * taken up. */
void carom_rattle_ranks_strike_told(struct carom_rattle_ranks *r, const struct carom_rattle_share *s, bool places);
void carom_rattle_ranks_strike_heard(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s,
                                     bool places);

/* --- what goes from rank to rank (rattle_ranks_told.c); CAROM_E_STOPPED: others do not answer -------------------- */

/* Where cells are that others look at: starts it; `arrived` waits. */
enum carom_rattle_told { CAROM_TOLD_PLACES, CAROM_TOLD_STRAINS, CAROM_TOLD_SPINS };
void carom_rattle_ranks_told_start(struct carom_rattle_ranks *r, enum carom_rattle_told what);
enum carom_status carom_rattle_ranks_told_arrived(struct carom_rattle_ranks *r, enum carom_rattle_told what);

/* A piece for the next exchange, unless it is empty; the exchange, unless there is none. */
void carom_rattle_ranks_told_piece(struct carom_rattle_ranks *r, size_t peer, double *data, size_t count, bool comes);
enum carom_status carom_rattle_ranks_told_pieces(struct carom_rattle_ranks *r);

/* Has anything gone wrong here? It is noted for the others. */
void carom_rattle_ranks_told_wrong(struct carom_rattle_ranks *r);

/* Rank 0 hears where loaded cells are, and under which pressure, and what rattle_ranks_damp.c wants to know, and all
 * hear of cells that contacts touch; what went wrong; all that the others have. */
enum carom_status carom_rattle_ranks_told_loads(struct carom_rattle_ranks *r);
enum carom_status carom_rattle_ranks_told_wrongs(struct carom_rattle_ranks *r);
enum carom_status carom_rattle_ranks_told_all(struct carom_rattle_ranks *r, struct carom_state *state);

/* The start of a call, which the next step takes away, is saved; not by others than rank 0 unless it is `away`. Their
 * room is made when it is needed. False: out of memory. */
bool carom_rattle_ranks_told_keep(struct carom_rattle_ranks *r, bool away);

#endif
