/* Contact problems with Coulomb friction. For n contacts in the plane (dim 2) or in space (dim 3), each with a normal
 * component first and dim - 1 tangential ones, find impulses r and velocities u with
 *
 *     u = W r + b,   K ∋ r _|_ u + (mu |u_T|, 0) ∈ K*,   K = {r: |r_T| <= mu r_N} for each contact,
 *
 * which says: no pull, friction inside the cone, and on its edge opposite to slip (De Saxce's form). Restitution is
 * part of b. mu = 0 is a frictionless contact. Knows arrays only. */
#ifndef CAROM_SOLVE_FRICTION_H
#define CAROM_SOLVE_FRICTION_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/error.h"

/* mixed: sweeps of Gauss-Seidel combined (friction_mix.c); of dense problems plain ones. rest: only answers in which
 * nothing slips are looked for */
enum carom_friction_solver {
    CAROM_FRICTION_AUTO,
    CAROM_FRICTION_GAUSS_SEIDEL,
    CAROM_FRICTION_NEWTON,
    CAROM_FRICTION_MIXED,
    CAROM_FRICTION_REST
};

/* W = H M^-1 H^T by what contacts do to bodies, where that is known: Newton's matrices are then factored by bodies. */
struct carom_friction_arms {
    size_t n, dof;              /* bodies that move, numbers of each: 3 or 6 */
    const size_t *pair;         /* 2 a contact: its bodies; n stands for one that does not move */
    const size_t *contact;      /* whose rows in h and response those of a contact are */
    const double *h, *response; /* contacts x 2 x dim x dof: H and H M^-1 for each of the two */
};

/* W is dense (matrix) or rows of dim x dim blocks (first, column, block), symmetric and positive semidefinite. */
struct carom_friction_problem {
    size_t n, dim;
    const double *matrix; /* (n dim) x (n dim), row by row; NULL: blocks */
    const size_t *first;  /* n + 1: blocks first[i] ... first[i + 1] - 1 are in row i, the diagonal one among them */
    const size_t *column; /* contact of each block, rising in a row */
    const double *block;  /* dim x dim each, row by row */
    const double *b;      /* n dim */
    const double *mu;     /* n, >= 0 */
    const struct carom_friction_arms *arms; /* of blocks only; NULL: not known */
};

struct carom_friction_report {
    double residual; /* of the natural map, |w r - P_K(w r - u - (mu |u_T|, 0))|, w the largest diagonal entry of a
                      * contact's block: the largest component of any contact, relative to the largest |b| */
    size_t iterations;
    bool solved; /* residual <= tol, or all that is left of each contact is the rounding of its own sum */
    enum carom_friction_solver solver; /* that gave the answer */
    const char *reason;                /* half a sentence on why it is not solved, "" if it is; a constant */
};

/* Room for problems of up to n contacts and `blocks` blocks (0: dense). Nothing is allocated while solving. */
struct carom_friction_room;
struct carom_friction_room *carom_friction_open(size_t n, size_t dim, size_t blocks, struct carom_error *error);
void carom_friction_close(struct carom_friction_room *room);

/* For problems in blocks: finds an order of elimination for this pattern and makes room for the factors, so that Newton
 * can be used on all problems with the same n, `first` and `column`. Without it blocks are solved by Gauss-Seidel. A
 * pattern whose factors would be too large gets incomplete ones and an iteration. Dense rooms need no preparing. */
enum carom_status carom_friction_prepare(struct carom_friction_room *room, const struct carom_friction_problem *problem,
                                         struct carom_error *error);

/* Has `watch` called now and then while solving with the iterations done and the smallest residual so far; false ends
 * the solving, and the report says so. NULL: nobody watches. */
void carom_friction_watch(struct carom_friction_room *room,
                          bool (*watch)(void *own, size_t iterations, double residual), void *own);

/* Solves; r (n dim) holds a first guess and gets the answer, u (n dim) the velocities. `most` = 0: the solver's own
 * limit of iterations. The best answer found is returned also where `solved` is false. */
void carom_friction_solve(const struct carom_friction_problem *problem, enum carom_friction_solver solver, double tol,
                          size_t most, struct carom_friction_room *room, double *r, double *u,
                          struct carom_friction_report *report);

/* The natural map's residual of any r, u written; the same scale as in the report. */
double carom_friction_residual(const struct carom_friction_problem *problem, const double *r, double *u);

#endif
