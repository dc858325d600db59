/* Small vibrations of elastic bodies from their linearised forces: waves in an infinite lattice of equal cells, and
 * eigenfrequencies of small bodies. */
#ifndef CAROM_STUDY_LATTICE_H
#define CAROM_STUDY_LATTICE_H

#include "carom/solid.h"

/* Angular frequencies, rising, of plane waves with wave vector k in the endless lattice of a box's cells, of its own
 * material whatever its regions are made of: 3 in the plane, 6 in space. Shells are refused. */
enum carom_status carom_lattice_waves(const struct carom_solid *solid, const double k[3], double omega[6],
                                      struct carom_error *error);

/* The same from Monasse and Mariotti 2012, (24)-(26), for plane lattices of square cells. */
void carom_lattice_formula(const struct carom_solid *solid, const double k[2], double omega[3]);

/* All angular frequencies of a body about its unloaded state, rising, holds kept: as many as it has free coordinates
 * (*count, at most `room`). For bodies of up to 2000 coordinates. */
enum carom_status carom_lattice_modes(const struct carom_solid *solid, double *omega, size_t room, size_t *count,
                                      struct carom_error *error);

#endif
