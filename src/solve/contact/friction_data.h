/* A contact problem with friction that owns its arrays, in blocks: what files and generators make. */
#ifndef CAROM_SOLVE_FRICTION_DATA_H
#define CAROM_SOLVE_FRICTION_DATA_H

#include "solve/contact/friction.h"

struct carom_friction_data {
    size_t n, dim;
    size_t *first, *column;
    double *block, *b, *mu;
    struct carom_friction_arms arms; /* of problems that were assembled from bodies: dof > 0, arrays of its own */
};

/* Zeroed arrays for n contacts and `blocks` blocks. */
enum carom_status carom_friction_data_open(struct carom_friction_data *data, size_t n, size_t dim, size_t blocks,
                                           struct carom_error *error);
void carom_friction_data_close(struct carom_friction_data *data);

/* The problem as the solvers take it; it points into the data. */
struct carom_friction_problem carom_friction_data_problem(const struct carom_friction_data *data);

/* W and b of n contacts between rigid bodies, W = H M^-1 H^T and b = H v. Contact i acts on the bodies pair[2 i] and
 * pair[2 i + 1], or on one if the other is `bodies`; h holds for each of the two the dim x dof rows of H; inverse[k] is
 * 1 / M_kk of each of the bodies x dof freedoms, v their velocities. `data` is opened. */
enum carom_status carom_friction_data_assemble(struct carom_friction_data *data, size_t n, size_t dim, size_t bodies,
                                               size_t dof, const size_t *pair, const double *h, const double *inverse,
                                               const double *v, struct carom_error *error);

#endif
