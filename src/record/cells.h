/* Recording of elastic solids: displacement, velocity, position, rotation, spin, stress and strain of the chosen
 * cells, and of sensors. */
#ifndef CAROM_RECORD_CELLS_H
#define CAROM_RECORD_CELLS_H

#include "carom/record.h"
#include "carom/solid.h"

enum carom_cells_what {
    CAROM_CELLS_NOTHING,
    CAROM_CELLS_DISPLACEMENT,
    CAROM_CELLS_VELOCITY,
    CAROM_CELLS_POSITION,
    CAROM_CELLS_ROTATION, /* quaternion; in the plane the angle */
    CAROM_CELLS_SPIN,     /* angular velocity in space axes; in the plane one number */
    CAROM_CELLS_STRESS,
    CAROM_CELLS_STRAIN,
    CAROM_CELLS_SENSOR_DISPLACEMENT,
    CAROM_CELLS_SENSOR_VELOCITY,
};

/* Numbers per cell, and in all. */
size_t carom_cells_depth(const struct carom_solid *solid, enum carom_cells_what what);
size_t carom_cells_size(const struct carom_solid *solid, enum carom_cells_what what);

/* Reads the chosen cells; the reading's stress has been worked out where it is wanted. */
void carom_cells_read(const struct carom_reading *reading, size_t member, enum carom_cells_what what, double *out);

#endif
