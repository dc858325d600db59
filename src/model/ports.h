/* The ports of a whole model: whose they are, and what stands behind them. */
#ifndef CAROM_MODEL_PORTS_H
#define CAROM_MODEL_PORTS_H

#include "carom/model.h"

/* The number of the member that a port belongs to. */
size_t carom_ports_owner(const struct carom_model *model, size_t port);

/* inverse[port] (nports) = G^T M^-1 G of that port alone: the inverse mass that a contact feels there; 0 where it is
 * driven. `room` has 2 nv doubles. */
void carom_ports_inverse_mass(const struct carom_model *model, const double *q, double *inverse, double *room);

/* The sum of both sides of contact j: walls add nothing. */
double carom_ports_between(const struct carom_model *model, size_t j, const double *inverse);

/* carom_contacts_slip of contact j. */
double carom_ports_slip(const struct carom_model *model, size_t j, double t, const double *q, const double *v);

/* Do contacts slip in a plane of their own? Then how the bodies of contact j pass each other along x, y and z, and its
 * normal, 0 where nothing slips. */
bool carom_ports_spatial(const struct carom_model *model);
void carom_ports_passage(const struct carom_model *model, size_t j, const double *q, const double *v, double normal[3],
                         double pass[3]);

#endif
