/* Contact problems in the layout of FCLIB (Acary and others' collection), local and global:
 *
 *   local    u = W r + V l + q,  V^T r + R l + s = 0             V, R and s only where there are equality constraints
 *   global   M v = H r + G l + f,  G^T v + b = 0,  u = H^T v + w
 *
 * with Coulomb's law between u and r, normal first. FCLIB itself is not used: it ends the program when it does not like
 * a file. Knows the layout; HDF5 is hdf5_plain.h's business, solving the solvers'. */
#ifndef CAROM_RECORD_EXPORT_FCLIB_H
#define CAROM_RECORD_EXPORT_FCLIB_H

#include <stdbool.h>

#include "solve/contact/friction_data.h"
#include "solve/sparse.h"

/* A problem as it stands in a file; of the two kinds only one is there. Arrays that a file lacks are NULL. */
struct carom_fclib {
    bool global;
    size_t contacts, dim;
    size_t freedoms, constraints; /* of v (global) and of l */
    char title[200];              /* cut if longer */
    struct carom_sparse w, v, r;  /* local */
    struct carom_sparse m, h, g;  /* global */
    double *mu, *q, *s;           /* contacts, contacts dim, constraints */
    double *f, *shift, *b;        /* global: f, w, b; freedoms, contacts dim, constraints */
    double *start;                /* r of /solution, else of the first guess; contacts dim or NULL */
};

/* Reads and checks: sizes, indices, finite numbers, mu >= 0. */
enum carom_status carom_fclib_read(const char *path, struct carom_fclib *problem, struct carom_error *error);
void carom_fclib_close(struct carom_fclib *problem);

/* The problem for the solvers: what is not contact is eliminated. */
enum carom_status carom_fclib_reduce(struct carom_fclib *problem, struct carom_friction_data *data,
                                     struct carom_error *error);

/* Writes `path`, a copy of `from` (they may be the same) with r, u and what follows from them as its /solution. */
enum carom_status carom_fclib_write_solution(const char *path, const char *from, const struct carom_fclib *problem,
                                             const double *r, const double *u, struct carom_error *error);

/* Writes a local problem, with a solution where r and u are given. */
enum carom_status carom_fclib_write(const char *path, const char *title, const struct carom_friction_data *data,
                                    const double *r, const double *u, struct carom_error *error);

#endif
