/* Lattices of touching balls of one radius: where each of them stands. Bodies count along x first, then y, then z.
 *
 *     square, sc   rows of touching balls, one upon the other
 *     hexagonal    odd rows are shifted by a radius to the right
 *     bcc, fcc     counts are cubic cells of 2 and 4 bodies, cell by cell: the corner first, then the middle (bcc), or
 *                  the middles of the faces across z, y and x (fcc)
 *     hcp          bodies per row, rows, layers ABAB; a layer is hexagonal, and in layers B even rows are shifted
 */
#ifndef CAROM_MODEL_PLACE_LATTICE_H
#define CAROM_MODEL_PLACE_LATTICE_H

#include <stddef.h>

enum carom_lattice {
    CAROM_LATTICE_SQUARE,
    CAROM_LATTICE_HEXAGONAL,
    CAROM_LATTICE_SC,
    CAROM_LATTICE_BCC,
    CAROM_LATTICE_FCC,
    CAROM_LATTICE_HCP,
};

extern const char *const carom_lattice_names[]; /* in the order of the enum, then NULL */

/* 2 or 3 */
size_t carom_lattice_dimension(enum carom_lattice kind);

/* How many bodies: as a double, since it may be huge. In the plane count[2] does not count. */
double carom_lattice_count(enum carom_lattice kind, const double count[3]);

/* The centre of body i (from 0) of a lattice whose first body stands at `at`. Each coordinate is the nearest double to
 * its true value, or next to it: no double can do better, so that neighbours are 2 radii apart up to rounding of the
 * larger of their coordinates. */
void carom_lattice_site(enum carom_lattice kind, const size_t count[3], double radius, const double at[3], size_t i,
                        double centre[3]);

#endif
