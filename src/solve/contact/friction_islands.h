/* Contact problems with friction of many bodies, given by what each contact does to its two bodies. Contacts that no
 * moving body joins are islands and are solved apart: small ones densely, large ones in blocks whose order of
 * elimination is kept as long as the same contacts touch. Contacts are taken in the order of their numbers, so that the
 * answer depends on nothing else. */
#ifndef CAROM_SOLVE_FRICTION_ISLANDS_H
#define CAROM_SOLVE_FRICTION_ISLANDS_H

#include "solve/contact/friction_data.h"
#include "solve/contact/friction_lemke.h"
#include "solve/contact/friction_marquardt.h"

/* W = H M^-1 H^T of n contacts in `dim` directions, normal first. */
struct carom_friction_system {
    size_t n, dim, bodies, dof;
    const size_t *pair;     /* 2 n: the bodies of each contact; `bodies` stands for one that does not move */
    const double *h;        /* n x 2 x dim x dof: rows of H for each of the two */
    const double *response; /* the same of H M^-1 */
    const double *b, *mu;   /* n dim; n */
    /* Bodies that joints hold together count as one of more numbers; NULL: nobody is held. */
    const size_t *at, *width; /* 2 n: where the rows of a side begin in h and response, and how long each is */
};

struct carom_friction_islands_report {
    double residual; /* the largest of an island, as in carom_friction_report */
    size_t iterations;
    bool solved;
    size_t contact, count; /* of the island with that residual: its first contact, and how many it has */
    const char *reason;
};

struct carom_friction_islands_kept;

struct carom_friction_islands {
    size_t n, bodies, blocks, dim; /* what there is room for */
    size_t *start, *side;          /* bodies + 1, 2 n: the contacts of each body, 2 x contact + side, rising */
    size_t *island;                /* n: which one a contact belongs to */
    size_t *contact, *place;       /* n: contacts island by island, and where each stands among them */
    size_t nislands, *begin;       /* n + 1 */
    size_t *body, *pair;           /* bodies: the number of each in its island; 2 n: the bodies of contacts in it */
    size_t *first, *column;        /* of the blocks: each island has its own, one more than its contacts */
    double *block, *b, *mu, *r, *u, *best, *firm;
    double *wide; /* a small island's matrix */
    struct carom_friction_room *small;
    struct carom_friction_islands_kept *kept; /* rooms of large islands */
    size_t nkept;
    struct carom_friction_lemke lemke;
    struct carom_friction_marquardt marquardt;
};

void carom_friction_islands_close(struct carom_friction_islands *room);

/* How well an island is solved: to `tol`, and as far towards `fine` as a few more steps lead; where large islands come
 * to a stop, what is dear is tried only beyond `enough`. */
struct carom_friction_aims {
    double tol, fine, enough;
    bool rests; /* where there is an answer without motion, that one is taken */
};

/* r (n dim) holds a first guess and gets the answer. Grows with the problem. */
enum carom_status carom_friction_islands_solve(struct carom_friction_islands *room,
                                               const struct carom_friction_system *of,
                                               enum carom_friction_solver solver,
                                               const struct carom_friction_aims *aims, double *r,
                                               struct carom_friction_islands_report *report, struct carom_error *error);

/* The problem that was solved last, all islands in one, contacts in the order of the system. `data` is opened. */
enum carom_status carom_friction_islands_problem(const struct carom_friction_islands *room,
                                                 struct carom_friction_data *data, struct carom_error *error);

/* --- friction_island.c: solving one of them: what is tried in which order ---------------------------------------- */

/* Solves p, which points into `islands`; wide: its matrix is islands->wide. r holds a first guess and gets the answer;
 * `best` is room for as many. */
void carom_friction_island_solve(struct carom_friction_islands *islands, struct carom_friction_problem *p, bool wide,
                                 enum carom_friction_solver solver, const struct carom_friction_aims *aims,
                                 struct carom_friction_room *room, double *r, double *best,
                                 struct carom_friction_report *report);

#endif
