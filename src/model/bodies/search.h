/* Who may touch whom: the list of contacts is renewed from the places of the bodies, by cells. It holds all pairs whose
 * gap is below the skin, so that it stays complete until a body has moved by half of it. Nothing that is computed from
 * the list depends on the skin: open contacts count for nothing. */
#ifndef CAROM_MODEL_BODIES_SEARCH_H
#define CAROM_MODEL_BODIES_SEARCH_H

#include "carom/bodies.h"
#include "carom/state.h"

struct carom_threads;

enum { CAROM_SEARCH_PARTS = 64 }; /* that are searched before what was found is put together */

/* The pairs of some bodies, in order. */
struct carom_search_found {
    struct carom_contact_key *key;
    size_t n, room;
    enum carom_status status;
    size_t crowded; /* a body that has too many others near it, where that is why it failed */
};

struct carom_search;

/* Several processes that make the same list together, each looking around some bodies. `gather` is called by all with
 * what each has found (s->found, s->nfound) and how that went: it leaves what all have found, in the order of bodies,
 * and the same answer on all of them; *crowded is the body that CAROM_E_REFUSED is about. */
struct carom_search_share {
    size_t first, last;
    enum carom_status (*gather)(void *own, struct carom_search *s, enum carom_status status, size_t *crowded);
    void *own;
};

struct carom_search {
    const struct carom_bodies *bodies;
    struct carom_search_share share; /* gather = NULL: one process; set after opening */
    double skin;                     /* of the list as it is; negative: there is none yet */
    double (*centre)[3];             /* n: where bodies were when the list was made */
    size_t nwalls;
    uint32_t *wall; /* rising */
    size_t nlone;
    uint32_t *lone;                /* rising: walls in no cell, near which anybody may be */
    double (*turned)[4];           /* nwalls: its rotation then; in the plane the first number is its angle */
    double *farthest;              /* and how far from its centre it can meet a ball */
    bool alone;                    /* nobody asks for the contacts of a body: they are not indexed; set after opening */
    struct carom_threads *threads; /* that search together, likewise; NULL: one */
    double thickest;               /* skin, where a list costs much and pairs cost little, likewise; 0: they do not */
    /* contacts of each body in key order: side b of contact j is 2 j + 1, side a is 2 j */
    size_t *first;     /* n + 1; NULL: nobody has asked yet */
    size_t first_room; /* a window of those awake grows */
    uint64_t *side;
    size_t side_room;
    /* cells */
    size_t nbuckets;
    uint32_t *bucket, *ball; /* nbuckets + 1 starts, and the balls in them */
    int32_t (*cell)[3];      /* n */
    int32_t whole[3];        /* cells along joined sides, 0 elsewhere */
    double size[3];
    /* the list under way */
    struct carom_search_found some[CAROM_SEARCH_PARTS];
    size_t nfound, room, nlast;               /* nlast: of the list before */
    struct carom_contact_key *found, *sorted; /* sorted: of several pairings */
    uint32_t *from;                           /* where a contact stood before; UINT32_MAX: it is new */
    double *column;
};

enum carom_status carom_search_open(struct carom_search *search, const struct carom_bodies *bodies,
                                    struct carom_error *error);
void carom_search_close(struct carom_search *search);

/* The longest way that a body's surface has gone since the list was made, to q; the same of bodies [first, last). */
double carom_search_way(const struct carom_search *search, const double *q);
double carom_search_way_some(const struct carom_search *search, const double *q, size_t first, size_t last);

/* Does a body turn, other than into itself? And the distance of two places. */
bool carom_search_way_sweeps(const struct carom_body *body);
double carom_search_way_between(const double a[3], const double b[3]);

/* Is the list still complete with the bodies at q? */
bool carom_search_holds(const struct carom_search *search, const double *q);

/* Makes the list anew from q, for bodies that may move by `way` in a step; all states' lists keep what they remember.
 * The lists are alike before and after. */
enum carom_status carom_search_renew(struct carom_search *search, const double *q, double way,
                                     struct carom_contacts *const *lists, size_t nlists, struct carom_error *error);

/* Room for n contacts in s->found; false: out of memory. */
bool carom_search_room(struct carom_search *search, size_t n);

/* Notes which contacts of a list each body has; part of making it anew. */
bool carom_search_index(struct carom_search *search, const struct carom_contacts *contacts);

#endif
