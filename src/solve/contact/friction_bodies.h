/* Newton's matrices of contact problems, factored by bodies instead of contacts. Where W = H M^-1 H^T,
 *
 *     (D + L W S) x = b,   D, L, S one block a contact,
 *
 * has the answer x = D^-1 (b - L H v) with (I + M^-1 H^T S D^-1 L H) v = M^-1 H^T S D^-1 b. A heap has several times
 * as many contacts as bodies, and all contacts of a body are joined in W: factors of this matrix are far smaller. */
#ifndef CAROM_SOLVE_CONTACT_FRICTION_BODIES_H
#define CAROM_SOLVE_CONTACT_FRICTION_BODIES_H

#include "solve/block_factor.h"
#include "solve/contact/friction.h"

struct carom_friction_bodies {
    size_t n, dof, contacts;
    size_t *pair;           /* as in the problem's arms */
    size_t *first, *column; /* who shares a contact with whom, and each with itself */
    size_t *entry;          /* 4 a contact: the block of its sides s and t is entry 2 s + t; SIZE_MAX: none */
    double *value, *v;
    struct carom_block_factor factor;
};

void carom_friction_bodies_close(struct carom_friction_bodies *bodies);

/* Finds an order of elimination; factors of more than `products` block products are incomplete ones. */
enum carom_status carom_friction_bodies_open(struct carom_friction_bodies *bodies, size_t contacts,
                                             const struct carom_friction_arms *arms, double products,
                                             struct carom_error *error);

/* Were they opened for these contacts of these bodies, if they were at all? */
bool carom_friction_bodies_fit(const struct carom_friction_bodies *bodies, size_t contacts,
                               const struct carom_friction_arms *arms);

/* Factors the matrix; `inverse` is D^-1, `left` L (dim x dim a contact), `scale` S (dim a contact). */
void carom_friction_bodies_factor(struct carom_friction_bodies *bodies, size_t dim,
                                  const struct carom_friction_arms *arms, const double *inverse, const double *left,
                                  const double *scale);

/* x of `from`; they are not the same. */
void carom_friction_bodies_solve(struct carom_friction_bodies *b, size_t dim, const struct carom_friction_arms *arms,
                                 const double *inverse, const double *left, const double *scale, const double *from,
                                 double *x);

#endif
