/* What the files of the friction solvers share: the problem in blocks with its weights, and the solvers' entries. */
#ifndef CAROM_SOLVE_FRICTION_PARTS_H
#define CAROM_SOLVE_FRICTION_PARTS_H

#include "solve/block_factor.h"
#include "solve/contact/friction_bodies.h"

enum { CAROM_FRICTION_MOST_DIM = 3, CAROM_FRICTION_BASIS = 40 };

/* A problem in blocks; of a dense one the room holds a copy. weight[i] is the largest diagonal entry of W_ii: it makes
 * a velocity of an impulse, so that contacts of light and heavy bodies are judged alike. */
struct carom_friction_view {
    size_t n, dim;
    const size_t *first, *column, *diagonal; /* diagonal[i]: number of the block (i, i) */
    const double *block, *b, *mu, *weight;
    double speed;                           /* largest |b| */
    const struct carom_friction_arms *arms; /* NULL: not known */
};

struct carom_friction_room {
    size_t n, dim, blocks;
    bool dense;
    double *numbers;                   /* everything below but the factors, in one piece */
    double *block, *weight, *matrix;   /* copy of W (dense only); weights; Newton's matrix */
    double *best, *trial, *velocity;   /* n dim each */
    double *row[11];                   /* n dim each, for the solvers */
    double *alone, *left, *inverse;    /* Newton's matrix is alone + left W S: dim x dim a contact; inverse of alone */
    double *basis;                     /* CAROM_FRICTION_BASIS rows of n dim, for the iteration in Newton's steps */
    size_t *index;                     /* everything below */
    size_t *first, *column, *diagonal; /* the pattern of a dense problem; places of the diagonal */
    struct carom_block_factor factor;  /* of Newton's matrix, or */
    struct carom_friction_bodies bodies; /* the same by bodies, where arms are known */
    bool factored;                       /* there is room for one of them */
    bool exact;                          /* factors are whole */
    double products;                     /* block products of one factorisation: what it costs */
    bool (*watch)(void *own, size_t iterations, double residual);
    void *own;
    double least; /* smallest residual so far */
    bool stopped; /* by the watcher */
};

/* Tells the watcher; false: stop. */
bool carom_friction_go_on(struct carom_friction_room *room, size_t iterations, double residual);

/* u = W r + b */
void carom_friction_sweep_velocity(const struct carom_friction_view *view, const double *r, double *u);

/* The residual of r, whose velocities go to u; of a trial that is kept in r where it is below `best`, the smaller. */
double carom_friction_judge(const struct carom_friction_view *view, const double *r, double *u);
double carom_friction_best(const struct carom_friction_view *view, const double *trial, double *u, double *r,
                           double best);

/* z = P_K(z) of one contact; false if z was in K. */
bool carom_friction_local_project(size_t dim, double mu, double *z);

/* One contact alone: A is dim x dim, q the velocity without its impulse. Solves exactly; where A_NN = 0, r = 0. */
void carom_friction_local_solve(size_t dim, const double *a, const double *q, double mu, double *r);

/* Gauss-Seidel over contacts until the residual is <= tol or `most` sweeps are done; r is the last iterate. Returns
 * the residual. */
double carom_friction_sweep_run(const struct carom_friction_view *view, double tol, size_t most,
                                struct carom_friction_room *room, double *r, size_t *iterations);

/* The same with sweeps mixed, which many bodies on each other gain from. Only in rooms of blocks. */
double carom_friction_mix_run(const struct carom_friction_view *view, double tol, size_t most,
                              struct carom_friction_room *room, double *r, size_t *iterations);

/* Smoothed Newton, with a sweep after each step if so wished; r is the best iterate. Returns its residual. */
double carom_friction_newton_run(const struct carom_friction_view *view, double tol, size_t most, bool sweeps,
                                 struct carom_friction_room *room, double *r, size_t *iterations);

/* Brings the residual of r, which the report holds, to tol with the solver or all of them; r is the best found. */
void carom_friction_hunt_run(const struct carom_friction_view *view, enum carom_friction_solver solver, double tol,
                             size_t most, struct carom_friction_room *room, double *r,
                             struct carom_friction_report *report);

/* r = scale x makes the cones second-order cones and the diagonal of W at most 1. */
void carom_friction_newton_scale(const struct carom_friction_view *view, double *scale);

/* Interior points from one of their own starts (0, 1, ...); r is the best iterate. Returns its residual. */
double carom_friction_interior_run(const struct carom_friction_view *view, double tol, size_t most, size_t start,
                                   struct carom_friction_room *room, double *r, size_t *iterations);

/* The same without |u_T|, a convex programme. Where all contacts may rest, that is where some impulses inside the cones
 * make u = 0, the impulses it finds do so, and are an answer of the problem as given; elsewhere they are none. */
double carom_friction_interior_rest(const struct carom_friction_view *view, double tol, size_t most,
                                    struct carom_friction_room *room, double *r, size_t *iterations);

/* Newton's matrix alone + left W S of the room and its factors, with `add` on their diagonal. By bodies the inverse of
 * `alone` is needed; `known`: it is in the room. */
void carom_friction_krylov_set(const struct carom_friction_view *view, struct carom_friction_room *room,
                               const double *scale, double add, bool known);

/* x = A^-1 b of the room's matrix with the help of its factors, exact or not, to a tenth of a per cent or as far as it
 * goes. */
void carom_friction_krylov_solve(const struct carom_friction_view *view, struct carom_friction_room *room,
                                 const double *scale, const double *b, double *x);

#endif
