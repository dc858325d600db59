/* A^T B^-1 A of sparse matrices, B positive definite: what a contact problem becomes when velocities or joints are
 * eliminated. B may fall into pieces (bodies); each is factored alone, so that the result is as sparse as it can be. */
#ifndef CAROM_SOLVE_CONGRUENCE_H
#define CAROM_SOLVE_CONGRUENCE_H

#include "solve/sparse.h"

/* Appends factor x the entries of A^T B^-1 A to the list; B is n x n, A n x m. CAROM_E_INPUT if B is singular and
 * `strict`, or if there would be more than `most` entries. */
enum carom_status carom_congruence_note(const struct carom_sparse *b, const struct carom_sparse *a, double factor,
                                        bool strict, size_t most, struct carom_sparse_list *list,
                                        struct carom_error *error);

/* x = B^-1 y. */
enum carom_status carom_congruence_solve(const struct carom_sparse *b, const double *y, double *x,
                                         struct carom_error *error);

#endif
