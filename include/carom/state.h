/* The state: all that changes, in one block of doubles, so that retry, checkpoint, hash and migration are one
 * copy. The scheme decides what q and v mean between steps (its `sync` turns them into physical ones); a state
 * filled by `sync` or `dense`, called a view, is physical. */
#ifndef CAROM_STATE_H
#define CAROM_STATE_H

#include "carom/ledger.h"
#include "carom/model.h"

CAROM_BEGIN

/* Whom a contact that comes and goes belongs to: two bodies a < b, and which of the places where they can meet (the
 * faces of a container). The order of keys, pairings first, is the order of sums and files. */
struct carom_contact_key {
    uint32_t pairing, a, b, feature;
};

/* What contacts that are gone have lost, by mechanism. */
enum carom_retired {
    CAROM_RETIRED_VISCOUS,
    CAROM_RETIRED_CLIPPED,
    CAROM_RETIRED_FRICTION, /* this and the next two by enum carom_way */
    CAROM_RETIRED_ROLLING,
    CAROM_RETIRED_TWISTING,
    CAROM_RETIRED_CHANGE,    /* of stiffness */
    CAROM_RETIRED_NUMERICAL, /* by the scheme itself; less than 0: created */
    CAROM_RETIRED_KINDS
};

/* Contacts that come and go. The list holds all pairs near enough to touch before the next look (candidates); those
 * that are open have zeros in every column but their parameters, so that nothing depends on how many there are. */
struct carom_contacts {
    size_t n, room;                /* room grows only between steps */
    struct carom_contact_key *key; /* rising */
    size_t *first;                 /* npairings + 1: contacts of one pairing */
    size_t npairings;
    size_t nfixed; /* columns 0 to nfixed - 1 are parameters, set when a contact enters the list */
    size_t ncolumns;
    double **column;                         /* ncolumns of `room` numbers; carom_bodies_column tells which is which */
    double retired[2 * CAROM_RETIRED_KINDS]; /* compensated sums: high and low parts */
    bool lacking;                            /* memory ran out while it was copied: what is here is no copy */
    struct carom_list_block *block;          /* keys and parameters, which lists that are alike share */
    bool *own; /* ncolumns: is the column this list's alone? Others are shared, and 0 from nfixed on */
};

/* The first contact that was pressed deeper than a tenth of the smaller radius, where laws of small overlaps end. */
struct carom_deep {
    bool found;
    size_t a, b; /* its bodies, from 0 */
    double time, overlap;
};

struct carom_state {
    double time, time_low; /* compensated: the time is their sum */
    uint64_t step;         /* steps taken */
    double energy;         /* kinetic + stored at the start of the run */
    size_t n;              /* doubles in `data` */
    double *data;     /* q, v, history, lost, clipped, force, friction, friction_loss, bonds, spent, work, memory */
    double *q;        /* nq */
    double *v;        /* nv */
    double *history;  /* nh: the laws' own */
    double *lost;     /* nc: energy dissipated by each contact's law or impacts; empty if nothing can be */
    double *clipped;  /* nc: stored energy discarded where force ends a contact; empty if none does */
    double *force;    /* nc: at rigid contacts, as the scheme found them, or none; in space frictions, as vectors,
                            * follow. Of contacts that come and go, and of balls beside solids, what joints carry
                            * (src/model/bodies/joints.h) */
    double *friction; /* nc: tangential forces at rigid contacts, up the slip, in space how large; empty if none */
    double *friction_loss; /* nc: energy dissipated by friction; likewise */
    double *bonds;         /* nbonds: what contacts of balls beside solids remember of friction, solid_balls.h */
    double *spent;         /* nparts: energy dissipated inside parts */
    double *work;          /* nparts: work of loads and drives */
    double *memory;        /* nmemory: what the scheme remembers */
    size_t nq, nv, nh, nlost, nclipped, nforce, nfriction, nbonds, nparts, nmemory;
    size_t bonds_q;  /* bonds come after so many numbers of q in hashes and checkpoints, where they stood once */
    double *scratch; /* for parts that are asked for the energy of this state; no part of it */
    struct carom_threads *threads;   /* who shares that work, and copies; NULL: nobody */
    struct carom_contacts *contacts; /* that come and go; NULL: the model's are all there are */
    size_t nbook;                    /* of a state out of a checkpoint, beside it: the episodes under way then */
    double *book;
};

/* A state of zeros, or NULL if out of memory. */
struct carom_state *carom_state_create(const struct carom_model *model, size_t nmemory);
void carom_state_free(struct carom_state *state);

/* Same model and memory: all of it. */
void carom_state_copy(struct carom_state *to, const struct carom_state *from);
void carom_state_swap(struct carom_state *a, struct carom_state *b); /* no number moves */

/* All but what the scheme remembers: for schemes whose variables are physical. */
void carom_state_view(struct carom_state *view, const struct carom_state *from);

/* 64-bit hash of every bit of the state. */
uint64_t carom_state_hash(const struct carom_state *state);

/* Moves the clock by h without losing the small part; `carom_state_until` is the time left to t. */
void carom_state_tick(struct carom_state *state, double h);
double carom_state_until(const struct carom_state *state, double t);

/* Sets the clock exactly. */
void carom_state_clock(struct carom_state *state, double t);

/* The energy ledger of a view. residual = kinetic + stored + dissipated - work - energy at the start. */
#define CAROM_LEDGER_FIELD(field, name, text, path, label) double field;
struct carom_ledger {
    CAROM_LEDGER(CAROM_LEDGER_FIELD)
};

/* `scratch` has room for 2 * nc doubles, which then hold overlaps, of contacts that touch, and stored energies; or it
 * is NULL. */
void carom_balance_read(const struct carom_model *model, const struct carom_state *view, double *scratch,
                        struct carom_ledger *ledger);

/* What bodies can have been given: the energy at the start, the work and what falling freed. An error of the run, which
 * shows in the residual, does not make it larger. */
double carom_balance_given(const struct carom_state *view, const struct carom_ledger *ledger);

CAROM_END

#endif
