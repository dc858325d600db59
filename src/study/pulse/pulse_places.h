/* Where pulses are measured: contacts, walls, sensors inside beads, sensors that were recorded; and how far these
 * places are apart. */
#ifndef CAROM_STUDY_PULSE_PULSE_PLACES_H
#define CAROM_STUDY_PULSE_PULSE_PLACES_H

#include "record/run_file.h"

enum { CAROM_PULSE_PERIOD = 8 }; /* places in which beads may repeat */

enum carom_pulse_kind {
    CAROM_PULSE_CONTACT, /* between two bodies */
    CAROM_PULSE_WALL,    /* between a body and a wall */
    CAROM_PULSE_BEAD,    /* inside a body: the mean of the forces at its two sides */
    CAROM_PULSE_SENSOR,  /* a sensor of the scene */
};

struct carom_pulse_place {
    enum carom_pulse_kind kind;
    int32_t number;    /* as in scenes: contacts are right of the body of that number, bodies count from 1 */
    char name[32];     /* "4", "bead 9", "s16" */
    size_t contact[2]; /* from 0 in the file, whose forces it reads */
    double weight[2];
    size_t item;        /* of the run file, for sensors */
    double x, diameter; /* where it stands in a row of beads, and the bead to the left of it; NaN: unknown */
    double mass[2];     /* of the beads on both sides, or of the one it is inside of; NaN: unknown, or a wall */
    bool alternates;    /* the nearest place of the row between the same two beads is not its neighbour */
};

struct carom_pulse_places {
    size_t count;
    struct carom_pulse_place *place;
};

/* Lists with commas, NULL where not wanted; all three NULL: every contact. `contacts`: numbers, ranges "3-9", "wall"
 * (all there are), "left", "right"; `beads`: numbers and ranges; `sensors`: names. Errors name the option. */
enum carom_status carom_pulse_places_read(const struct carom_run_file *run, const char *contacts, const char *beads,
                                          const char *sensors, struct carom_pulse_places *places,
                                          struct carom_error *error);
/* Do they stand between, or in, the same beads? */
bool carom_pulse_places_alike(const struct carom_pulse_place *a, const struct carom_pulse_place *b);
void carom_pulse_places_free(struct carom_pulse_places *places);

#endif
