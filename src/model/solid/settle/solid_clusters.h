/* A preconditioner for the static problem of bodies of general cells, which have no lattice to halve (that is
 * solid_blocks.c's): cells, and clusters of them. */
#ifndef CAROM_MODEL_SOLID_SETTLE_SOLID_CLUSTERS_H
#define CAROM_MODEL_SOLID_SETTLE_SOLID_CLUSTERS_H

#include "model/solid/solid.h"

struct carom_solid_clusters;

struct carom_solid_clusters *carom_solid_clusters_create(const struct carom_solid *solid, struct carom_error *error);
void carom_solid_clusters_free(struct carom_solid_clusters *clusters);

/* As those of solid_blocks.h. */
void carom_solid_clusters_build(struct carom_solid_clusters *clusters, const double *q, bool loose);
void carom_solid_clusters_solve(struct carom_solid_clusters *clusters, const double *r, double *z);

#endif
