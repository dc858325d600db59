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

/* --- pulse_source.c: forces as records in time, one for each place: samples, or of one impact its own time ------- */

struct carom_pulse_source {
    const struct carom_run_file *run;
    bool inside;              /* times are those inside an impact */
    uint64_t impact, impacts; /* from 1; how many there are */
    double begun, duration;   /* when the impact was, in the run, and how long it took; NaN: not told */
    uint64_t first, count;    /* rows of the file: samples, or entries of the table of forces inside impacts */
    size_t n;
    double *time;     /* n */
    size_t skipped;   /* samples before the window */
    bool lead, trail; /* of an impact: are there samples of zero force before and after its entries? */
};

/* Takes in what misses the ends of a window by rounding. */
void carom_pulse_source_widen(double *from, double *until);

/* Finds the samples between the times `from` and `until`; `impact` counts from 1 and is passed over where a run has
 * none of that kind. Refuses runs without contact forces. */
enum carom_status carom_pulse_source_open(const struct carom_run_file *run, uint64_t impact, double from, double until,
                                          struct carom_pulse_source *source, struct carom_error *error);
void carom_pulse_source_close(struct carom_pulse_source *source);

/* Fills force[i * n ... ] with the record of place i, for `count` places. One walk through the file. */
enum carom_status carom_pulse_source_read(const struct carom_pulse_source *source,
                                          const struct carom_pulse_place *place, size_t count, double *force,
                                          struct carom_error *error);

#endif
