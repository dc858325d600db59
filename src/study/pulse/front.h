/* Fronts in crystals and packings: when a wave reaches each disc or sphere of a run, how fast and how hard it moves it,
 * and what goes in which direction from where it began. */
#ifndef CAROM_STUDY_PULSE_FRONT_H
#define CAROM_STUDY_PULSE_FRONT_H

#include <stdbool.h>
#include <stdio.h>

#include "record/run_file.h"
#include "record/run_grains.h"
#include "study/pulse/pulse.h"

struct carom_front_request {
    double from, until;             /* times that count */
    struct carom_pulse_rules rules; /* `least` and `foot`, as of forces, here of speeds */
    double threshold;               /* a body is reached at this speed; NaN: at the foot of its own wave */
    bool largest;                   /* peaks are those of the largest wave of a body, not of its first */
    size_t body;                    /* the front begins at this body, from 1; 0: at `origin` or where it is found */
    double origin[3];               /* NaN: found */
    double along[3];                /* a ray that bodies are listed along; 0: none */
    size_t sectors;                 /* of the plane, or 6 or 26 directions of space; 0: 12 and 26 */
};

/* Everything at its default. */
struct carom_front_request carom_front_request(void);

/* One disc or sphere. Speeds count from the velocity at the beginning of the record. NaN: cannot be told. */
struct carom_front_body {
    size_t number; /* from 1 */
    double place[3], radius, mass;
    bool moves;               /* already at the beginning of the record: a striker */
    double arrival;           /* when it is reached */
    double peak, time;        /* its largest speed, and when; no time where it only ever gets faster */
    double force, force_time; /* the largest of its contacts, from the book of impacts, and when */
    double distance, way;     /* from the origin; and along the ray, NaN beside it */
    size_t direction;         /* from 0; SIZE_MAX: none, at the origin or a striker */
    size_t samples;           /* from the arrival to the peak */
    bool cut;                 /* the record ends while it gets faster: its peak is not known, fits leave it out */
};

/* What goes in one direction: bodies nearer to this than to any other, strikers left out. */
struct carom_front_direction {
    double axis[3];
    char name[24]; /* "60 deg", "1,0,-1" */
    size_t bodies, reached;
    double farthest;           /* of those that were reached */
    bool crooked;              /* arrivals do not lie on a line over distances: there is no speed */
    double speed;              /* of the front: the slope of distances over arrivals, least squares */
    double decay;              /* n of peak ~ distance^-n, least squares of logarithms */
    double energy, most, when; /* of their motion: at the end of the record, at most, and when */
};

struct carom_front {
    bool si;
    size_t dimension, n, ndirections, samples;
    double begun, every;      /* the first sample, and how far they are apart in the mean */
    double closest, farthest; /* and at least and at most */
    size_t body;              /* where it begins, from 1; 0: at no body */
    double origin[3];
    double energy; /* of all motion at the beginning of the record */
    struct carom_front_body *at;
    struct carom_front_direction *direction;
    size_t nray, *ray; /* bodies along the ray, by distance: places in `at` */
};

/* Measures. CAROM_E_REFUSED where the run has no velocities or nothing begins to move. 256 MiB of speeds at most. */
enum carom_status carom_front_measure(const struct carom_run_file *run, const struct carom_front_request *request,
                                      struct carom_front *front, struct carom_error *error);
void carom_front_free(struct carom_front *front);

/* --- front_directions.c: who lies in which direction, how fast the front goes there and how it decays ------------ */

/* Makes the directions, and tells each body its distance, its direction and how far along the ray it lies. */
enum carom_status carom_front_directions_make(struct carom_front *front, const struct carom_front_request *request,
                                              const struct carom_grains *grains, struct carom_error *error);

/* Speed and decay of each, from arrivals and peaks. */
void carom_front_directions_fit(struct carom_front *front);

/* --- front_file.c: tables as CSV and kept in the run file -------------------------------------------------------- */

/* A line for each body. */
void carom_front_file_csv(FILE *out, const struct carom_front *front);

/* A line for each direction. */
void carom_front_file_directions(FILE *out, const struct carom_front *front);

/* How these tables begin. */
#define CAROM_FRONT_FILE_CSV_HEADING "body,x,y,z,distance,"
#define CAROM_FRONT_FILE_DIRECTIONS_HEADING "direction,x,y,z,bodies,"

/* /analysis/front in the run file, with the directions in /analysis/front/directions. */
enum carom_status carom_front_file_keep(const char *path, const struct carom_front *front, const char *command,
                                        struct carom_error *error);

/* --- front_picture.c: a map (SVG), bodies coloured by when the front reached them, and a page of it -------------- */

#define CAROM_FRONT_PICTURE_HEADING "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox="

/* What bodies are coloured by. */
enum carom_front_colour { CAROM_FRONT_ARRIVAL, CAROM_FRONT_SPEED, CAROM_FRONT_FORCE, CAROM_FRONT_COLOURS };

/* Is there anything to colour by? Runs without a book of impacts have no forces. */
bool carom_front_picture_has(const struct carom_front *front, enum carom_front_colour by);

/* With a bar of colours. In space seen along the axis along which bodies take least room, nearer ones in front. Bodies
 * that were not reached are grey. */
enum carom_status carom_front_picture_draw(FILE *out, const struct carom_front *front, enum carom_front_colour by,
                                           const char *title, struct carom_error *error);

/* A page (HTML) with a map for each colour, speeds and energies by direction as a rose, and the table of directions. */
#define CAROM_FRONT_PICTURE_PAGE "<!doctype html><title>carom pulse</title>"
enum carom_status carom_front_picture_page(FILE *out, const struct carom_front *front, const char *title,
                                           struct carom_error *error);

#endif
