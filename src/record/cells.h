/* Recording of elastic solids: displacement, velocity, position, rotation, spin, stress and strain of the chosen
 * cells, and of sensors; reactions of clamps. */
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
    CAROM_CELLS_VON_MISES,
    CAROM_CELLS_PRINCIPAL, /* the largest first */
    CAROM_CELLS_PLASTIC_STRAIN,
    CAROM_CELLS_DAMAGE,
    CAROM_CELLS_CONTACT_LOAD,
    CAROM_CELLS_CONTACT_PRESSURE,
    CAROM_CELLS_LINK_DAMAGE, /* of the links of solids that break */
    CAROM_CELLS_SENSOR_DISPLACEMENT,
    CAROM_CELLS_SENSOR_VELOCITY,
    CAROM_CELLS_REACTION, /* of clamps, then drives */
    CAROM_CELLS_REACTION_MOMENT,
    CAROM_CELLS_JOINT_FORCE, /* of joints between bodies */
    CAROM_CELLS_JOINT_MOMENT,
};

/* Numbers per cell, and in all. Of sensors and holds those of one solid: rows have them of all solids together. */
size_t carom_cells_depth(const struct carom_solid *solid, enum carom_cells_what what);
size_t carom_cells_size(const struct carom_solid *solid, enum carom_cells_what what);

/* Is it recorded of all solids as one? Then how much; members but the first have nothing. */
bool carom_cells_together(enum carom_cells_what what);
size_t carom_cells_size_together(const struct carom_model *model, size_t member, enum carom_cells_what what);

/* What takes work, where it is wanted: stresses of all cells, reactions of all holds, of one solid after the other.
 * Zeroed is closed. */
struct carom_cells_room {
    double (*stress)[6], (*reaction)[6], *room; /* NULL: not wanted */
};
bool carom_cells_open(struct carom_cells_room *room, const struct carom_model *model, bool stresses, bool reactions);
void carom_cells_fill(const struct carom_cells_room *room, struct carom_reading *reading);
void carom_cells_close(struct carom_cells_room *room);

/* The normal forces of all contacts on the chosen cells of a solid; or these over the areas in which they touch. */
void carom_cells_contact(const struct carom_reading *reading, size_t member, enum carom_cells_what what, double *out);

/* Reads the chosen cells; the reading's stress and reactions have been worked out where they are wanted. */
void carom_cells_read(const struct carom_reading *reading, size_t member, enum carom_cells_what what, double *out);

#endif
